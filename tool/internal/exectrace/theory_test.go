package exectrace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

const us = 1000

// tree is a program whose depth and grain say how parallel it is.
func tree(g *simG, depth int, join func(g *simG, half func(g *simG))) {
	if depth == 0 {
		g.work(50 * us)
		return
	}
	join(g, func(g *simG) { tree(g, depth-1, join) })
}

func spawnTwo(g *simG, half func(g *simG)) {
	w := &simGroup{n: 2}
	for range 2 {
		g.spawn("half", func(g *simG) { half(g); g.done(w) })
	}
	g.wait(w)
}

// fib runs the lesser half itself and adds one unit of work.
func fib(g *simG, n int) {
	if n < 2 {
		g.work(20 * us)
		return
	}
	w := &simGroup{n: 1}
	g.spawn("fib", func(g *simG) { fib(g, n-1); g.done(w) })
	g.call(func() { fib(g, n-2) })
	g.wait(w)
	g.work(10 * us)
}

func fibCost(n int) (work, span float64) {
	if n < 2 {
		return 20, 20
	}
	w1, s1 := fibCost(n - 1)
	w2, s2 := fibCost(n - 2)
	return w1 + w2 + 10, max(s1, s2) + 10
}

// mergeSort runs the second half itself; merging takes as long as sorting a
// leaf, for each leaf.
func mergeSort(g *simG, n int) {
	if n == 1 {
		g.work(20 * us)
		return
	}
	w := &simGroup{n: 1}
	g.spawn("sort", func(g *simG) { mergeSort(g, n/2); g.done(w) })
	g.call(func() { mergeSort(g, n/2) })
	g.wait(w)
	g.work(int64(n) * 20 * us)
}

func results(buffer int) func(g *simG, half func(g *simG)) {
	return func(g *simG, half func(g *simG)) {
		c := &simChan{cap: buffer}
		for range 2 {
			g.spawn("half", func(g *simG) { half(g); g.send(c, 1) })
		}
		g.recv(c)
		g.recv(c)
	}
}

func pipeline(stages, items, buffer int, cost func(stage, item int) int64) func(g *simG) {
	return func(g *simG) {
		in := &simChan{cap: buffer}
		out := in
		for i := range stages {
			from, to := out, &simChan{cap: buffer}
			g.spawn(fmt.Sprint("stage", i), func(g *simG) {
				for v := g.recv(from); v >= 0; v = g.recv(from) {
					g.work(cost(i, v))
					g.send(to, v)
				}
				g.close(to)
			})
			out = to
		}
		g.spawn("feeder", func(g *simG) {
			for i := range items {
				g.send(in, i)
			}
			g.close(in)
		})
		for g.recv(out) >= 0 {
		}
	}
}

func split(serial int64, parts ...int64) func(g *simG) {
	return func(g *simG) {
		g.work(serial)
		w := &simGroup{n: len(parts)}
		for _, d := range parts {
			g.spawn("part", func(g *simG) { g.work(d); g.done(w) })
		}
		g.wait(w)
	}
}

func evenly(total int64) []int64 {
	parts := make([]int64, 8)
	for i := range parts {
		parts[i] = total / 8
	}
	return parts
}

func TestParallelismOfTheory(t *testing.T) {
	fibWork, fibSpan := fibCost(12)
	equal := func(_, _ int) int64 { return 100 * us }
	programs := []struct {
		name string
		want float64
		main func(g *simG)
	}{
		{"serial", 1, func(g *simG) { g.work(1000 * us) }},
		{"fork-join", 64, func(g *simG) { tree(g, 6, spawnTwo) }},
		{"fork-join repeated", 16, func(g *simG) {
			for range 5 {
				tree(g, 4, spawnTwo)
			}
		}},
		{"fib", fibWork / fibSpan, func(g *simG) { fib(g, 12) }},
		// Work of 64 leaves: 64·20·(1+6); span: 20·(1+2+4+…+64).
		{"merge sort", 64 * 7 / 127., func(g *simG) { mergeSort(g, 64) }},
		{"results unbuffered", 32, func(g *simG) { tree(g, 5, results(0)) }},
		{"results buffered", 32, func(g *simG) { tree(g, 5, results(1)) }},
		{"results buffer 2", 32, func(g *simG) { tree(g, 5, results(2)) }},
		// The last of n items enters a pipeline of k stages after n-1, leaves after k more.
		{"pipeline of 4", 4 * 200 / 203., pipeline(4, 200, 0, equal)},
		{"pipeline of 2, fine", 2 * 200 / 201., pipeline(2, 200, 0, func(_, _ int) int64 { return 3 * us })},
		{"pipeline with a slow stage", 200 * (100 + 300 + 100) / (200*300 + 200.), pipeline(3, 200, 0, func(stage, _ int) int64 {
			return []int64{100 * us, 300 * us, 100 * us}[stage]
		})},
		{"pipeline with buffers", 4 * 200 / 203., pipeline(4, 200, 4, equal)},
		{"10% serial", 1 / (0.1 + 0.9/8), split(1000*us, evenly(9000*us)...)},
		{"30% serial", 1 / (0.3 + 0.7/8), split(3000*us, evenly(7000*us)...)},
		{"60% serial", 1 / (0.6 + 0.4/8), split(6000*us, evenly(4000*us)...)},
		{"90/10", 1 / 0.9, split(0, 9000*us, 1000*us)},
		// Who is made for each job works on its own; the jobs take no time.
		{"dispatcher", 100, func(g *simG) {
			jobs, w := &simChan{}, &simGroup{n: 100}
			g.spawn("dispatcher", func(g *simG) {
				for g.recv(jobs) >= 0 {
					g.call(func() {
						g.spawn("handler", func(g *simG) { g.work(100 * us); g.done(w) })
					})
				}
			})
			for i := range 100 {
				g.send(jobs, i)
			}
			g.close(jobs)
			g.wait(w)
		}},
	}
	for _, p := range programs {
		for _, procs := range []int{1, 2, 8} {
			for _, slice := range []int64{0, 70 * us} {
				t.Run(fmt.Sprintf("%s/procs=%d/slice=%d", p.name, procs, slice), func(t *testing.T) {
					s := newSim(procs, Options{})
					s.slice = slice
					f := s.run(func(g *simG) {
						g.work(300 * us) // outside of the window
						g.mark(opOpen)
						p.main(g)
						g.mark(opClose)
						g.work(300 * us)
					})
					if got := f.Parallelism(); math.Abs(got-p.want) > 0.15*p.want {
						t.Errorf("Parallelism = %.2f, want %.2f ± 15%% (work %.0f, span %.0f)", got, p.want, f.Work, f.Span)
					}
					checkSums(t, f)
				})
			}
		}
	}
}

// checkSums holds the facts to what must be so for any trace.
func checkSums(t *testing.T, f *Facts) {
	t.Helper()
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
			t.Errorf("%s = %v, want %v", what, got, want)
		}
	}
	shares, busy := 0.0, 0.0
	for k, s := range f.Running {
		shares += s
		busy += float64(k) * s
	}
	if f.Window > 0 {
		near("sum of Running", shares, 1)
		near("idle + busy time", f.Idle.Total+busy*f.Window, float64(f.Procs)*f.Window)
	}
	i := f.Idle
	near("sum of Idle", i.Runnable+i.Lock+i.Handoff+i.Serial+i.Imbalance+i.Waiting+i.GC, i.Total)
	if parts := i.Sleep + i.Net + i.Syscall; parts > i.Waiting*(1+1e-9) {
		t.Errorf("parts of Idle.Waiting = %v, more than the whole %v", parts, i.Waiting)
	}
	if f.Span > f.Work*(1+1e-9) {
		t.Errorf("Span = %v, more than Work = %v", f.Span, f.Work)
	}
	if f.BurdenedSpan < f.Span*(1-1e-9) {
		t.Errorf("BurdenedSpan = %v, less than Span = %v", f.BurdenedSpan, f.Span)
	}
	if f.Run.Total > f.Work*(1+1e-9) {
		t.Errorf("Run.Total = %v, more than Work = %v", f.Run.Total, f.Work)
	}
	path := 0.0
	for _, s := range f.Path {
		path += s.Time
	}
	if len(f.Path) < maxSteps {
		near("sum of Path", path, f.Span)
	}
}

// TestSpanOfUnequal has programs of which the last to finish, or to be heard
// of, is not the one with the longest path. Their spans are exact.
func TestSpanOfUnequal(t *testing.T) {
	for _, p := range []struct {
		name string
		want int64 // µs
		main func(g *simG)
	}{
		{"group, long first", 950, func(g *simG) { split(0, 900*us, 100*us, 200*us)(g); g.work(50 * us) }},
		{"group, long last", 950, func(g *simG) { split(0, 200*us, 100*us, 900*us)(g); g.work(50 * us) }},
		{"group, long between", 950, func(g *simG) { split(0, 200*us, 900*us, 100*us)(g); g.work(50 * us) }},
		{"sender that waited", 950, func(g *simG) {
			c := &simChan{}
			g.spawn("sender", func(g *simG) { g.work(900 * us); g.send(c, 1) })
			g.sleep(1000 * us)
			g.work(100 * us)
			g.recv(c)
			g.work(50 * us)
		}},
		{"sender that waited in a select", 950, func(g *simG) {
			c := &simChan{asSelector: true}
			g.spawn("sender", func(g *simG) { g.work(900 * us); g.send(c, 1) })
			g.sleep(1000 * us)
			g.work(100 * us)
			g.recv(c)
			g.work(50 * us)
		}},
		{"result that lay in the buffer", 950, func(g *simG) {
			c := &simChan{cap: 2}
			g.spawn("long", func(g *simG) { g.work(900 * us); g.send(c, 1) })
			g.sleep(1000 * us)
			g.spawn("short", func(g *simG) { g.work(100 * us); g.send(c, 1) })
			g.recv(c)
			g.recv(c)
			g.work(50 * us)
		}},
		{"child that had ended, reported by the waker", 950, func(g *simG) {
			c := &simChan{}
			g.spawn("child", func(g *simG) {
				g.spawn("grandchild", func(g *simG) { g.work(900 * us) })
				g.sleep(1000 * us) // then it need not wait
				g.send(c, 1)
			})
			g.recv(c)
			g.work(50 * us)
		}},
		{"child that had ended, reported by an end", 950, func(g *simG) {
			w := &simGroup{n: 2}
			g.spawn("child", func(g *simG) {
				g.spawn("grandchild", func(g *simG) { g.work(900 * us) })
				g.sleep(1000 * us)
				g.done(w)
			})
			g.spawn("last", func(g *simG) { g.sleep(1500 * us); g.work(10 * us); g.done(w) })
			g.sleep(1200 * us) // nobody waits while they end
			g.wait(w)
			g.work(50 * us)
		}},
		{"grandchildren of one that goes on", 950, func(g *simG) {
			w := &simGroup{n: 2}
			g.spawn("child", func(g *simG) {
				for _, d := range []int64{900 * us, 100 * us} {
					g.spawn("grandchild", func(g *simG) { g.work(d); g.done(w) })
					g.sleep(1000 * us)
				}
				g.recv(&simChan{}) // for ever
			})
			g.wait(w)
			g.work(50 * us)
		}},
		{"group of pool from elsewhere", 950, func(g *simG) {
			c, w, end := &simChan{}, &simGroup{n: 2}, &simChan{}
			for range 2 {
				g.spawn("worker", func(g *simG) {
					for v := g.recv(c); v >= 0; v = g.recv(c) {
						g.work(int64(v) * us)
						g.done(w)
					}
				})
			}
			g.sleep(us)
			g.spawn("user", func(g *simG) {
				g.send(c, 900)
				g.sleep(1000 * us)
				g.send(c, 100)
				g.wait(w)
				g.work(50 * us)
				g.send(end, 0)
			})
			g.recv(end)
		}},
		// The wait of an inner call does not come after a child of the outer,
		// though that has ended, nor does it if those between are gone.
		{"child of an outer call", 900, func(g *simG) {
			w := &simGroup{n: 1}
			g.spawn("outer", func(g *simG) { g.work(900 * us) })
			g.sleep(1000 * us)
			g.call(func() {
				g.spawn("inner", func(g *simG) {
					g.spawn("innermost", func(g *simG) { g.sleep(us); g.work(100 * us); g.done(w) })
				})
				g.wait(w)
			})
			g.work(500 * us)
		}},
	} {
		for _, procs := range []int{1, 2, 8} {
			f := simulate(procs, p.main)
			if f.Span != float64(p.want*us) {
				t.Errorf("%s, procs=%d: Span = %v µs, want %v", p.name, procs, f.Span/us, p.want)
			}
			checkSums(t, f)
		}
	}
}

// TestLockSerialises: critical sections that collide follow each other on the
// path, however many processors there are.
func TestLockSerialises(t *testing.T) {
	f := simulate(8, func(g *simG) {
		m, w := &simMutex{}, &simGroup{n: 8}
		for range 8 {
			g.spawn("worker", func(g *simG) {
				g.lock(m)
				g.work(100 * us)
				g.unlock(m)
				g.done(w)
			})
		}
		g.wait(w)
	})
	if f.Span != 800*us {
		t.Errorf("Span = %v, want %v", f.Span, 800*us)
	}
	if f.Idle.Lock != 7*800*us-7*100*us {
		// While the last holds the lock nobody waits for it any more.
		t.Errorf("Idle.Lock = %v, want %v", f.Idle.Lock, 7*700*us)
	}
	checkSums(t, f)
}

func TestBurden(t *testing.T) {
	s := newSim(2, Options{Spawn: 1000, Handoff: 5000})
	f := s.run(func(g *simG) {
		g.mark(opOpen)
		split(0, 100*us, 50*us)(g)
		g.mark(opClose)
	})
	// To the longer part by a creation, and back by a wake-up.
	if want := 100.*us + 1000 + 5000; f.BurdenedSpan != want {
		t.Errorf("BurdenedSpan = %v, want %v", f.BurdenedSpan, want)
	}
	if f.Span != 100*us {
		t.Errorf("Span = %v, want %v", f.Span, 100*us)
	}
}

// TestRandomPrograms: whatever the program, the sums hold, and neither work
// nor the part of the span that is sure depends on the processors.
func TestRandomPrograms(t *testing.T) {
	seed := rand.Uint64()
	n := 300
	if !stress.Long() {
		n = 50
	}
	for i := range n {
		for _, procs := range []int{1, 2, 5, 9, 16} {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			s := newSim(procs, Options{Handoff: 100, Spawn: 50})
			s.slice = r.Int64N(3) * 40 * us
			longest := int64(0)
			var grow func(g *simG, depth int)
			m, c := &simMutex{}, &simChan{cap: r.IntN(3)}
			grow = func(g *simG, depth int) {
				w := &simGroup{}
				for range r.IntN(5) {
					switch r.IntN(7) {
					case 0, 1:
						d := r.Int64N(60 * us)
						longest = max(longest, d)
						g.work(d)
					case 2:
						if depth < 5 {
							w.n++
							g.spawn("child", func(g *simG) { grow(g, depth+1); g.done(w) })
						}
					case 3:
						g.lock(m)
						g.work(r.Int64N(10 * us))
						g.unlock(m)
					case 4:
						g.sleep(1 + r.Int64N(100*us))
					case 5:
						g.syscall(r.Int64N(50 * us))
					case 6:
						w.n++
						g.spawn("receiver", func(g *simG) { g.recv(c); g.done(w) })
						g.send(c, 1)
					}
				}
				g.wait(w)
			}
			f := s.run(func(g *simG) {
				for range 3 {
					g.mark(opOpen)
					grow(g, 0)
					g.mark(opClose)
					g.work(r.Int64N(20 * us))
				}
			})
			checkSums(t, f)
			if t.Failed() {
				t.Fatalf("seed %d, program %d, procs %d", seed, i, procs)
			}
		}
	}
}

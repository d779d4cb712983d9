package exectrace

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// walk is a path in words: what, where, what ended it, and what was done meanwhile, of
// each leg its time in µs.
func walk(p *Path) string {
	if p == nil {
		return ""
	}
	var all []string
	for _, l := range p.Legs {
		s := fmt.Sprintf("%s %s %.0f", l.What, l.At.File, l.Time/us)
		if l.N > 1 {
			s += fmt.Sprintf(" in %d", l.N)
		}
		if l.Does != "" {
			s += fmt.Sprintf(" while %s %s %s", l.Start.Func, l.Does, l.There.File)
		}
		if l.By.File != "" {
			s += " until " + l.By.File
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

// TestPath: an operation's time is divided among the places where it was, and where it
// waits for others, by what the last in the chain of them does.
func TestPath(t *testing.T) {
	m, n := &simMutex{}, &simMutex{}
	ask := &simChan{}
	for _, tt := range []struct {
		name string
		main func(g *simG)
		want string
	}{
		{"runs and sleeps", func(g *simG) {
			g.region("op", func() { g.work(10 * us); g.sleep(30 * us); g.work(5 * us) })
		}, "runs sleep 10; timer sleep 30; runs region 5"},
		{"ready", func(g *simG) {
			for range 2 {
				g.spawn("hog", func(g *simG) { g.work(50 * us) })
			}
			g.region("op", func() { g.sleep(20 * us); g.work(us) })
		}, "timer sleep 20; ready, no processor  30; runs region 1"},
		{"a lock whose holder works", func(g *simG) {
			g.spawn("holder", func(g *simG) { g.lock(m); g.work(100 * us); g.unlock(m) })
			g.sleep(10 * us)
			g.region("op", func() { g.lock(m); g.work(us); g.unlock(m) })
		}, "lock mutex 90 while user.holder runs wake until wake; runs region 1"},
		{"a lock whose holder sleeps", func(g *simG) {
			g.spawn("holder", func(g *simG) { g.lock(m); g.sleep(100 * us); g.work(7 * us); g.unlock(m) })
			g.sleep(10 * us)
			g.region("op", func() { g.lock(m); g.unlock(m) })
		}, "lock mutex 90 while user.holder timer sleep until wake; lock mutex 7 while user.holder runs wake until wake"},
		{"a chain of holders", func(g *simG) {
			g.spawn("last", func(g *simG) { g.lock(n); g.syscall(100 * us); g.unlock(n) })
			g.spawn("first", func(g *simG) {
				g.sleep(5 * us)
				g.lock(m)
				g.lock(n)
				g.work(3 * us)
				g.unlock(n)
				g.unlock(m)
			})
			g.sleep(10 * us)
			g.region("op", func() { g.lock(m); g.unlock(m) })
		}, "lock mutex 90 while user.last system call syscall until wake; lock mutex 3 while user.first runs wake until wake"},
		{"an answer", func(g *simG) {
			g.spawn("server", func(g *simG) { g.recv(ask); g.sleep(40 * us); g.work(2 * us); ask.answer(g) })
			g.sleep(10 * us)
			g.region("op", func() { g.send(ask, 0); ask.await(g) })
		}, "channel chan receive 40 while user.server timer sleep until wake; channel chan receive 2 while user.server runs wake until wake"},
		{"the last of its own", func(g *simG) {
			g.region("op", func() {
				w := &simGroup{n: 2}
				for i := range int64(2) {
					g.spawn("part", func(g *simG) { g.sleep(10 * us); g.work(20 * us * (i + 1)); g.done(w) })
				}
				g.wait(w)
			})
		}, "goroutines it started waitgroup 10 while user.part timer sleep until wake; goroutines it started waitgroup 40 while user.part runs wake until wake"},
		{"the same over and over", func(g *simG) {
			g.region("op", func() {
				for range 50 {
					g.work(3 * us)
					g.sleep(us)
				}
			})
		}, "runs sleep 150 in 50; timer sleep 50 in 50"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := serveSim(2, Regions, tt.main)
			served(t, f)
			if len(f.Ops) != 1 || f.Ops[0].N != 1 {
				t.Fatalf("Ops = %+v, want one", f.Ops)
			}
			if got := walk(f.Ops[0].Usual); got != tt.want {
				t.Errorf("path\n got %s\nwant %s", got, tt.want)
			}
			if got := walk(f.Ops[0].Tail); got != tt.want {
				t.Errorf("path of the tail\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestPathOf: the usual path is that of an operation that takes about the median, the
// other that of one at the ninety-ninth hundredth, of all traces.
func TestPathOf(t *testing.T) {
	of := func(more int64) *Facts {
		return serveSim(2, Regions, func(g *simG) {
			for i := range int64(400) {
				g.region("op", func() {
					g.work((10 + i%10) * us)
					if i%50 == 3 {
						g.sleep(more)
					}
				})
			}
		})
	}
	a, b := of(300*us), of(500*us)
	for name, tt := range map[string]struct {
		op    Op
		usual float64
	}{"one trace": {a.Ops[0], 14.5 * us}, "two": {a.And(b).Ops[0], 14.5 * us}} {
		if p := tt.op.Usual; p == nil || math.Abs(p.Time-tt.usual) > us || len(p.Legs) != 1 {
			t.Errorf("%s: usual path %s, want one of %v", name, walk(p), tt.usual)
		}
		if p := tt.op.Tail; p == nil || math.Abs(p.Time-tt.op.P99) > 0.1*tt.op.P99 || len(p.Legs) != 2 {
			t.Errorf("%s: path of the tail %s, want one of %v", name, walk(p), tt.op.P99)
		}
	}
}

// TestLegs: of many legs the longest are kept apart, and none of their time is lost.
func TestLegs(t *testing.T) {
	var l legs
	sum := int64(0)
	for i := range int64(1000) {
		d := 1 + i*7919%1000
		if i%100 == 7 {
			d = 1e6 + i
		}
		l = l.with(leg{part: lockWait, at: site(i)}, d)
		sum += d
		if len(l) > mostLegs {
			t.Fatalf("%d legs, want %d or fewer", len(l), mostLegs)
		}
	}
	n := 0
	for _, x := range l {
		n += x.n
		sum -= x.d
	}
	if n != 1000 || sum != 0 {
		t.Errorf("%d stretches, %d ns lost; want 1000 and 0", n, sum)
	}
	for i := range site(10) {
		if !slices.ContainsFunc(l, func(x legSum) bool { return x.at == 100*i+7 && x.d == 1e6+int64(x.at) }) {
			t.Errorf("the long leg %d is gone: %v", 100*i+7, l)
		}
	}
}

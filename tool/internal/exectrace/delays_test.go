package exectrace

import (
	"math"
	"slices"
	"testing"

	"golang.org/x/exp/trace"

	"github.com/gopayoff/payoff/tool/internal/source"
)

const ms = 1000 * us

// TestLooks: a line where goroutines look for something between sleeps, and those where
// they do anything else.
func TestLooks(t *testing.T) {
	const rows = 12
	m := &simMutex{}
	sometimes := func(vain int, between func(g *simG)) func(g *simG) {
		return func(g *simG) {
			for range rows {
				for i := range vain + 1 {
					if i > 0 && between != nil {
						between(g)
					}
					g.sleep(ms)
					g.work(10 * us)
				}
				g.syscall(5 * us)
			}
		}
	}
	hold := func(g *simG) { g.lock(m); g.work(30 * us); g.unlock(m) }
	for _, tt := range []struct {
		name string
		main func(g *simG)
		want Look
	}{
		{"three times", atOnce(sometimes(2, nil)), Look{N: 3 * rows, Vain: 2 * rows, Rows: rows, Time: 3 * rows * ms}},
		{"once, and something follows", atOnce(sometimes(0, nil)), Look{}},
		{"a lock between, and others have it", atOnce(sometimes(2, hold), sometimes(2, hold)), Look{N: 6 * rows, Vain: 4 * rows, Rows: 2 * rows, Time: 6 * rows * ms}},
		{"a long wait for a lock between", atOnce(sometimes(2, hold), func(g *simG) { g.lock(m); g.work(500 * ms); g.unlock(m) }), Look{N: 3 * rows, Vain: 2 * rows, Rows: rows, Time: 3 * rows * ms}},
		{"work between", atOnce(sometimes(2, func(g *simG) { g.work(glance + us) })), Look{}},
		{"a system call between", atOnce(sometimes(2, func(g *simG) { g.syscall(us) })), Look{}},
		{"a goroutine between", atOnce(sometimes(2, func(g *simG) { g.spawn("child", func(g *simG) {}) })), Look{}},
		{"another wait between", atOnce(sometimes(2, func(g *simG) { g.recvFor(&simChan{}, us) })), Look{}},
		{"until it waits for another timer", atOnce(func(g *simG) {
			for range rows {
				g.sleep(ms)
				g.sleep(ms)
				g.recvFor(&simChan{}, us)
			}
		}), Look{N: 2 * rows, Vain: rows, Rows: rows, Time: 2 * rows * ms}},
		{"for ever", atOnce(func(g *simG) {
			for range 50 {
				g.sleep(ms)
			}
		}), Look{N: 50, Vain: 49, Rows: 1, Time: 50 * ms}}, // its end
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := serveSim(2, Whole, tt.main)
			i := slices.IndexFunc(f.Delays.Looks, func(x Look) bool { return x.Site.File == string(Sleep) && x.Site.Func == "user.client" })
			got := Look{}
			if i >= 0 {
				got = f.Delays.Looks[i]
				got.Site = source.Place{}
			}
			if got != tt.want {
				t.Errorf("Looks has %+v, want %+v", got, tt.want)
			}
		})
	}
	// One that wakes another between its sleeps has something to tell.
	c := &simChan{}
	f := serveSim(2, Whole, atOnce(func(g *simG) {
		for i := range 30 {
			g.sleep(ms)
			g.send(c, i)
		}
		g.close(c)
	}, func(g *simG) {
		for g.recv(c) >= 0 {
		}
	}))
	if len(f.Delays.Looks) > 0 {
		t.Errorf("Looks = %+v, want none of a clock for others", f.Delays.Looks)
	}
	// What an operation looks for is found when it ends.
	f = serveSim(2, Regions, atOnce(func(g *simG) {
		for range rows {
			g.region("op", func() { g.sleep(ms); g.sleep(ms) })
		}
	}))
	if l := f.Delays.Looks; len(l) != 1 || l[0].Rows != rows || l[0].Vain != rows {
		t.Errorf("Looks = %+v, want %d rows of two", l, rows)
	}
}

// TestLingers: what others wait for while a goroutine waits for a timer, at a line where
// it takes what they bring.
func TestLingers(t *testing.T) {
	in := &simChan{asSelector: true}
	batch := func(wait int64, then func(g *simG, n int)) func(g *simG) {
		return func(g *simG) {
			n := 0
			for n < 40 {
				got := 0
				for g.recvFor(in, wait) >= 0 {
					got++
				}
				n += got
				then(g, got)
			}
		}
	}
	answers := func(g *simG, n int) {
		for range n {
			in.answer(g)
		}
	}
	client := func(g *simG) {
		for range 10 {
			g.send(in, 1)
			in.await(g)
		}
	}
	for _, tt := range []struct {
		name string
		then func(g *simG, n int)
		n    int
	}{
		{"it answers", answers, 39}, // one came before it waited
		{"it starts what answers", func(g *simG, n int) { g.spawn("flush", func(g *simG) { g.work(5 * us); answers(g, n) }) }, 39},
		{"it waits outside before it answers", func(g *simG, n int) { g.sleep(us); answers(g, n) }, 39},
		{"it waits for a goroutine before it answers", func(g *simG, n int) {
			w := &simGroup{n: 1}
			g.spawn("flush", func(g *simG) { g.work(5 * us); g.done(w) })
			g.wait(w)
			answers(g, n)
		}, 39},
	} {
		*in = simChan{asSelector: true}
		f := serveSim(2, Whole, atOnce(batch(2*ms, tt.then), client, client, client, client))
		l := f.Delays.Lingers
		if len(l) != 1 || l[0].N != tt.n || math.Abs(l[0].Time-float64(tt.n)*2*ms) > 0.1*float64(tt.n)*2*ms || l[0].Handed < 10 || l[0].Fired < 10 {
			t.Errorf("%s: Lingers = %+v, want %d waits of 2 ms", tt.name, l, tt.n)
		}
	}
	// What others waited for before it waited for the timer is not for the timer.
	*in = simChan{asSelector: true, cap: 9}
	f := serveSim(2, Whole, atOnce(func(g *simG) {
		for range 10 {
			g.recv(in)
			in.answer(g)
			g.work(5 * ms)
			n := 0
			for g.recvFor(in, 2*ms) >= 0 {
				n++
			}
			answers(g, n)
		}
	}, client, client))
	if l := f.Delays.Lingers; len(l) != 1 || l[0].N < 10 || l[0].Time != float64(l[0].N)*2*ms {
		t.Errorf("Lingers = %+v, want 10 or more of 2 ms", l)
	}
	// What comes after the timer is not for the timer, nor are snapshots that others wait
	// for by design.
	for _, tt := range []struct {
		name  string
		every int64
		turn  func(g *simG)
	}{
		{"later", 50 * ms, func(g *simG) { g.recvFor(in, 10*ms); g.recv(in) }},
		{"snapshots", 3 * ms, func(g *simG) {
			for g.recvFor(in, 10*ms) >= 0 {
			}
		}},
	} {
		*in = simChan{asSelector: true}
		out := &simChan{}
		f = serveSim(2, Whole, atOnce(func(g *simG) {
			for range 20 {
				tt.turn(g)
				g.send(out, 0)
			}
		}, func(g *simG) {
			for range 100 {
				g.sleep(tt.every)
				g.send(in, 0)
			}
		}, func(g *simG) {
			for range 20 {
				g.recv(out)
			}
		}))
		if l := f.Delays.Lingers; len(l) > 0 {
			t.Errorf("%s: Lingers = %+v, want none", tt.name, l)
		}
	}
	// Where no timer ends the wait, nothing lingers.
	*in = simChan{asSelector: true}
	f = serveSim(2, Whole, atOnce(func(g *simG) {
		for range 40 {
			g.recv(in)
			g.work(10 * us)
			in.answer(g)
		}
	}, client, client, client, client))
	if len(f.Delays.Lingers) > 0 {
		t.Errorf("Lingers = %+v, want none without a timer", f.Delays.Lingers)
	}
}

// TestRounds: goroutines that are started and awaited together.
func TestRounds(t *testing.T) {
	const n = 6
	rounds := func(lengths []int64, await func(g *simG, start func(body func(g *simG)))) func(g *simG) {
		return func(g *simG) {
			for range n {
				await(g, func(end func(g *simG)) {
					for _, d := range lengths {
						g.spawn("part", func(g *simG) { g.sleep(d); end(g) })
					}
				})
			}
		}
	}
	group := func(k int) func(g *simG, start func(body func(g *simG))) {
		return func(g *simG, start func(func(g *simG))) {
			w := &simGroup{n: k}
			start(func(g *simG) { g.done(w) })
			g.wait(w)
		}
	}
	for _, tt := range []struct {
		name string
		main func(g *simG)
		want Round
	}{
		{"a group", rounds([]int64{4 * ms, ms, ms, ms}, group(4)), Round{N: n, Began: 4 * n, Time: 4 * n * ms, Slots: 16 * n * ms, Used: 7 * n * ms}},
		{"results on a channel", rounds([]int64{4 * ms, ms, ms, ms}, func(g *simG, start func(func(g *simG))) {
			c := &simChan{cap: 4}
			start(func(g *simG) { g.send(c, 0) })
			for range 4 {
				g.recv(c)
			}
		}), Round{N: n, Began: 4 * n, Time: 4 * n * ms, Slots: 16 * n * ms, Used: 7 * n * ms}},
		{"one at a time", rounds([]int64{ms}, group(1)), Round{}},
		{"with a child of another's that is gone", func(g *simG) {
			for range n {
				c := &simChan{cap: 1}
				g.spawn("short", func(g *simG) { g.spawn("other", func(g *simG) { g.spawn("leaf", func(g *simG) {}); g.sleep(ms) }) })
				g.spawn("part", func(g *simG) { g.sleep(4 * ms); g.send(c, 0) })
				g.recv(c)
			}
		}, Round{N: n, Began: 2 * n, Time: 4 * n * ms, Slots: 8 * n * ms, Used: 4 * n * ms}},
		{"a dispatcher", func(g *simG) {
			c := &simChan{}
			g.spawn("outer", func(g *simG) {
				g.spawn("source", func(g *simG) {
					for range 40 {
						g.sleep(3 * ms)
						g.send(c, 0)
					}
					g.close(c)
				})
			})
			for g.recv(c) >= 0 {
				g.spawn("part", func(g *simG) { g.sleep(4 * ms) })
			}
		}, Round{}},
		{"parts of an operation", func(g *simG) {
			for range n {
				g.region("op", func() {
					group(4)(g, func(end func(g *simG)) {
						for range 4 {
							g.spawn("part", func(g *simG) { g.sleep(ms); end(g) })
						}
					})
				})
			}
		}, Round{}},
		{"one that goes on, and is not awaited", func(g *simG) {
			for range n {
				g.spawn("other", func(g *simG) { g.sleep(9 * ms) })
				w := &simGroup{n: 1}
				g.spawn("part", func(g *simG) { g.sleep(2 * ms); g.done(w) })
				g.wait(w)
				g.sleep(10 * ms)
			}
		}, Round{N: n, Began: 2 * n, Time: 2 * n * ms, Slots: 4 * n * ms, Used: 4 * n * ms, Gap: 10 * (n - 1) * ms}},
		{"nothing awaits them", rounds([]int64{4 * ms, ms}, func(g *simG, start func(func(g *simG))) { start(func(g *simG) {}); g.sleep(5 * ms) }), Round{}},
	} {
		f := serveSim(2, Regions, func(g *simG) {
			w := &simGroup{n: 1}
			g.spawn("rounds", func(g *simG) { tt.main(g); g.done(w) })
			g.wait(w)
		})
		got := Round{}
		if r := f.Delays.Rounds; len(r) > 0 {
			got = r[0]
			got.Site = source.Place{}
		}
		if got != tt.want {
			t.Errorf("%s: Rounds has %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// TestRow: waits outside of an operation that follow each other, those of another
// goroutine for it among them.
func TestRow(t *testing.T) {
	c := &simChan{cap: 9}
	f := serveSim(2, Regions, atOnce(func(g *simG) {
		for range 36 {
			g.recv(c)
			g.sleep(2 * ms)
			c.answer(g)
		}
	}, func(g *simG) {
		for range 12 {
			g.region("op", func() {
				g.sleep(4 * ms)
				for range 3 {
					g.send(c, 0)
					c.await(g)
				}
				g.sleep(shortWait - 1)
				g.recvFor(&simChan{}, 20*ms) // a ticker's
			})
		}
	}))
	if r := f.Ops[0].Row; r.N != 4 || r.Time != 10*ms || r.Longest != 4*ms || r.Site.File != string(Sleep) {
		t.Errorf("Row = %+v, want 4 of 10 ms, the longest 4 ms of sleep", r)
	}
	// Nor does what comes with a request.
	s := newSim(2, Options{Serve: true, Ops: Regions})
	f = s.run(atOnce(func(g *simG) {
		g.stance(string(Sleep)).own = true
		for range 12 {
			g.region("op", func() { g.sleep(ms); g.sleep(ms); g.sleep(ms) })
		}
	}))
	if r := f.Ops[0].Row; r.N != 0 {
		t.Errorf("Row = %+v, want none", r)
	}
	// Waiting for what runs is no wait outside.
	f = serveSim(2, Regions, atOnce(func(g *simG) {
		for range 12 {
			g.region("op", func() {
				for range 3 {
					w := &simGroup{n: 1}
					g.spawn("part", func(g *simG) { g.work(ms); g.done(w) })
					g.wait(w)
				}
			})
		}
	}))
	if r := f.Ops[0].Row; r.N != 0 {
		t.Errorf("Row = %+v, want none", r)
	}
}

// TestStops: idle processors while the world is stopped, and where that was done.
func TestStops(t *testing.T) {
	f := serveSim(2, Whole, atOnce(func(g *simG) {
		for range 3 {
			g.work(100 * us)
			g.emit(event{op: opStopBegin, at: g.stance("stats")})
			g.work(50 * us)
			g.emit(event{op: opStopEnd})
		}
	}))
	if len(f.Stops) != 1 || f.Stops[0].N != 3 || f.Stops[0].Site.File != "stats" {
		t.Errorf("Stops = %+v, want 3 at stats", f.Stops)
	}
	if f.Stopped != 0 {
		t.Errorf("Stopped = %v, want 0: nothing was ready meanwhile", f.Stopped)
	}
	s := newSim(2, Options{Serve: true})
	s.procs = s.procs[:1] // as if the other processor were stopped
	f = s.run(func(g *simG) {
		g.spawn("ready", func(g *simG) { g.work(us) })
		g.emit(event{op: opStopBegin, at: g.stance("stats")})
		g.work(50 * us)
		g.emit(event{op: opStopEnd})
		g.work(100 * us)
	})
	want(t, "Stopped", f.Stopped, 50*us)
	want(t, "Runnable", f.Idle.Runnable, 150*us)

	// What waits to stop the world waits for a lock.
	f = serveSim(2, Whole, atOnce(func(g *simG) { g.block(World) }, func(g *simG) { g.work(50 * us) }))
	want(t, "Lock", f.Idle.Lock, 50*us)
}

// TestStopped: which ranges are stops that the program asks for.
func TestStopped(t *testing.T) {
	for reason, want := range map[string]bool{
		"stop-the-world (read mem stats)": true, "stop-the-world (GOMAXPROCS)": true, "stop-the-world (all goroutines stack trace)": true,
		"stop-the-world (GC sweep termination)": false, "stop-the-world (start trace)": false, "stop-the-world (stop trace)": false, "stop-the-world (goroutine profile)": false,
		"GC mark assist": false,
	} {
		if got := stopped(trace.Range{Name: reason}); got != want {
			t.Errorf("%s: %v, want %v", reason, got, want)
		}
	}
}

// TestDelaysAnd: two traces together.
func TestDelaysAnd(t *testing.T) {
	at, other := source.Place{File: "a.go"}, source.Place{File: "b.go"}
	a := Delays{[]Look{{at, 4, 2, 1, 5}}, []Linger{{at, 3, 9, 2, 1}}, []Round{{at, 2, 8, 3, 24, 12, 2}}}
	b := Delays{[]Look{{other, 1, 1, 1, 7}, {at, 1, 1, 1, 1}}, []Linger{{at, 1, 1, 1, 1}}, []Round{{at, 1, 4, 1, 4, 1, 3}}}
	got := a.and(b)
	if !slices.Equal(got.Looks, []Look{{other, 1, 1, 1, 7}, {at, 5, 3, 2, 6}}) || !slices.Equal(got.Lingers, []Linger{{at, 4, 10, 3, 2}}) || !slices.Equal(got.Rounds, []Round{{at, 3, 12, 4, 28, 13, 5}}) {
		t.Errorf("both are %+v", got)
	}
	var many Delays
	for i := range 20 {
		many.Looks = append(many.Looks, Look{Site: source.Place{Line: i}, Time: float64(i)})
	}
	if l := many.and(Delays{}).Looks; len(l) != maxSites || l[0].Time != 19 {
		t.Errorf("of 20 lines %d are kept, the first with %v", len(l), l[0].Time)
	}
}

package exectrace

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/source"
)

func want(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*max(1, want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// TestWindows: windows add up, a reset forgets, what is outside does not count.
func TestWindows(t *testing.T) {
	f := newSim(2, Options{}).run(func(g *simG) {
		split(10*us, 100*us, 100*us)(g) // before the first mark
		g.mark(opOpen)
		g.work(7 * us) // set-up
		g.mark(opReset)
		split(10*us, 100*us, 50*us)(g)
		g.mark(opClose)
		g.mark(opClose) // once more does nothing
		g.mark(opReset) // neither does this outside
		g.work(1000 * us)
		g.mark(opClose)
		g.mark(opOpen)
		g.work(3 * us)
		g.mark(opOpen) // anew
		split(20*us, 100*us)(g)
		g.mark(opClose)
		g.work(500 * us)
	})
	want(t, "Window", f.Window, 110*us+120*us)
	want(t, "Work", f.Work, 160*us+120*us)
	want(t, "Span", f.Span, 110*us+120*us)
	want(t, "Goroutines", float64(f.Goroutines), 3)
	want(t, "Life.Total", f.Life.Total, 250*us)
	want(t, "Opener", f.Opener, 10*us+20*us)
	want(t, "PathSpawns", float64(f.PathSpawns), 2)
	want(t, "UserRun", f.UserRun, 280*us)
	if !f.Marked {
		t.Error("Marked = false, want true")
	}
	checkSums(t, f)
}

// Callers are those of the stacks that events in windows show, most often first.
func TestCallers(t *testing.T) {
	s := newSim(1, Options{})
	d := newDecoder(s.e)
	d.e = s.e
	now := int64(0)
	at := func(op op, funcs string) {
		now += us
		s.e.step(&event{op: op, time: now, by: 1, g: 1, kind: Sleep, to: running, at: d.stance(stackOf(funcs))})
	}
	block := func(funcs string) {
		at(opBlock, funcs)
		s.e.step(&event{op: opUnblock, time: now, by: none, g: 1, at: nowhere})
		s.e.step(&event{op: opStart, time: now, by: none, g: 1, at: nowhere})
	}
	at(opStatus, "")
	block("time.Sleep user.nap user.setup user.main")
	at(opOpen, "user.main")
	block("time.Sleep user.nap user.fetch user.main")
	block("time.Sleep user.nap user.fetch user.main")
	block("time.Sleep user.nap user.other user.main")
	at(opClose, "user.main")
	block("time.Sleep user.nap user.after user.main")
	var got []string
	for _, p := range s.e.facts().Callers {
		got = append(got, p.Func+p.String())
	}
	if want := "user.mainf.go:4 user.fetchf.go:3 user.otherf.go:3"; strings.Join(got, " ") != want {
		t.Errorf("callers %q, want %s", got, want)
	}
}

func TestUnmarked(t *testing.T) {
	f := newSim(2, Options{}).run(split(10*us, 100*us, 50*us))
	want(t, "Window", f.Window, 110*us)
	want(t, "Work", f.Work, 160*us)
	if f.Marked {
		t.Error("Marked = true, want false")
	}
	checkSums(t, f)
}

// TestStopFirst: a trace that was started inside a window.
func TestStopFirst(t *testing.T) {
	f := newSim(1, Options{}).run(func(g *simG) {
		g.work(40 * us)
		g.mark(opClose)
		g.work(5 * us)
	})
	want(t, "Window", f.Window, 40*us)
}

// TestIdle: each program idles for one reason, for most of the time.
func TestIdle(t *testing.T) {
	for _, c := range []struct {
		name  string
		procs int
		part  func(i Idle) float64
		least float64
		main  func(g *simG)
	}{
		{"serial", 2, func(i Idle) float64 { return i.Serial }, 1, func(g *simG) { g.work(100 * us) }},
		{"amdahl", 2, func(i Idle) float64 { return i.Serial }, 1, split(600*us, 200*us, 200*us)},
		{"one child at a time", 2, func(i Idle) float64 { return i.Serial }, 0.99, func(g *simG) {
			for range 10 {
				split(0, 100*us)(g)
			}
		}},
		{"imbalance", 2, func(i Idle) float64 { return i.Imbalance }, 1, split(0, 900*us, 100*us)},
		{"slow stage", 2, func(i Idle) float64 { return i.Imbalance }, 0.9, pipeline(3, 50, 0, func(stage, _ int) int64 {
			return []int64{30 * us, 300 * us, 30 * us}[stage]
		})},
		{"handoff", 2, func(i Idle) float64 { return i.Handoff }, 0.99, func(g *simG) {
			to, fro := &simChan{}, &simChan{}
			g.spawn("echo", func(g *simG) {
				for v := g.recv(to); v >= 0; v = g.recv(to) {
					g.work(us)
					g.send(fro, v)
				}
			})
			for i := range 100 {
				g.work(us)
				g.send(to, i)
				g.recv(fro)
			}
			g.close(to)
		}},
		{"lock", 4, func(i Idle) float64 { return i.Lock }, 0.8, func(g *simG) {
			m, w := &simMutex{}, &simGroup{n: 4}
			for range 4 {
				g.spawn("worker", func(g *simG) {
					for range 10 {
						g.lock(m)
						g.work(100 * us)
						g.unlock(m)
						g.work(us)
					}
					g.done(w)
				})
			}
			g.wait(w)
		}},
		{"grandparent waits too", 2, func(i Idle) float64 { return i.Serial }, 1, func(g *simG) {
			end := &simChan{}
			g.spawn("idler", func(g *simG) { g.recv(&simChan{}) })
			g.spawn("bench", func(g *simG) {
				g.mark(opOpen)
				split(0, 100*us)(g)
				g.mark(opClose)
				g.send(end, 0)
			})
			g.recv(end)
		}},
		{"lock held asleep", 2, func(i Idle) float64 { return i.Sleep }, 1, func(g *simG) {
			m, w := &simMutex{}, &simGroup{n: 2}
			for range 2 {
				g.spawn("worker", func(g *simG) { g.lock(m); g.sleep(100 * us); g.unlock(m); g.done(w) })
			}
			g.wait(w)
		}},
		{"sleep", 2, func(i Idle) float64 { return i.Sleep }, 1, func(g *simG) { g.sleep(100 * us) }},
		{"syscall", 1, func(i Idle) float64 { return i.Syscall }, 1, func(g *simG) { g.syscall(500 * us) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := simulate(c.procs, c.main)
			if got := ratio(c.part(f.Idle), f.Idle.Total); got < c.least*(1-1e-9) {
				t.Errorf("share = %.3f, want >= %v of %+v", got, c.least, f.Idle)
			}
			checkSums(t, f)
		})
	}
}

func TestIdleSites(t *testing.T) {
	f := simulate(2, split(600*us, 900*us, 100*us))
	if s := f.Idle.SerialSites; len(s) != 1 || s[0].Site.Func != "user.main" || s[0].Time != 600*us {
		t.Errorf("SerialSites = %+v, want 600 µs in user.main", s)
	}
	if s := f.Idle.ImbalanceSites; len(s) != 1 || s[0].Site.Func != "user.part" || s[0].Time != 800*us {
		t.Errorf("ImbalanceSites = %+v, want 800 µs in user.part", s)
	}
}

// TestPoolOfBefore: workers from before the window are workers still.
func TestPoolOfBefore(t *testing.T) {
	f := newSim(2, Options{}).run(func(g *simG) {
		c, w := &simChan{}, &simGroup{}
		for range 2 {
			g.spawn("worker", func(g *simG) {
				for v := g.recv(c); v >= 0; v = g.recv(c) {
					g.work(int64(v) * us)
					g.done(w)
				}
			})
		}
		g.sleep(10 * us)
		g.spawn("bench", func(g *simG) {
			g.mark(opOpen)
			w.n = 2
			g.send(c, 1000)
			g.send(c, 400)
			g.wait(w)
			g.mark(opClose)
			g.close(c)
		})
	})
	want(t, "Imbalance", f.Idle.Imbalance, 600*us)
	want(t, "Span", f.Span, 1000*us)
	checkSums(t, f)
}

// TestIdleWorkerJoins: the wait for a group comes after the work of those who
// were done before the last, however they were scheduled.
func TestIdleWorkerJoins(t *testing.T) {
	for _, procs := range []int{1, 2, 4} {
		f := simulate(procs, func(g *simG) {
			w := &simGroup{n: 3}
			chans := []*simChan{{}, {}, {}}
			for i, d := range []int64{300 * us, 100 * us, 200 * us} {
				g.spawn("worker", func(g *simG) {
					for g.recv(chans[i]) >= 0 {
						g.work(d)
						g.done(w)
					}
				})
			}
			g.sleep(us) // all have blocked
			for i := range chans {
				g.send(chans[i], 1)
			}
			g.wait(w)
			g.work(50 * us)
		})
		want(t, fmt.Sprintf("procs=%d: Span", procs), f.Span, 350*us)
		checkSums(t, f)
	}
}

// Of the time in which all wait, locks have all while one waits outside, perhaps with
// the lock that others wait for, and a part while several do. Those that wait outside
// together, or for a condition, need no lock.
func TestIdleHeld(t *testing.T) {
	for _, tt := range []struct {
		name          string
		locked, alone int // goroutines that sleep for 100 µs, with the lock and without it
		held          float64
	}{
		{"one behind another", 2, 0, 100 * us},
		{"four, one after the other", 4, 0, 300 * us},
		{"beside one that waits as long", 2, 1, 100.0 / 3 * us},
		{"all at once", 0, 4, 0},
		{"the lock is free", 1, 0, 0},
	} {
		f := simulate(2, func(g *simG) {
			m, w := &simMutex{}, &simGroup{n: tt.locked + tt.alone}
			for i := range tt.locked + tt.alone {
				g.spawn("worker", func(g *simG) {
					if i < tt.locked {
						g.lock(m)
					}
					g.sleep(100 * us)
					if i < tt.locked {
						g.unlock(m)
					}
					g.done(w)
				})
			}
			g.wait(w)
		})
		// Two processors are idle.
		if got := f.Idle.Held / 2; math.Abs(got-tt.held) > 0.01*us || f.Idle.Held > f.Idle.Waiting {
			t.Errorf("%s: %v held, want %v; waiting %v", tt.name, got, tt.held, f.Idle.Waiting)
		}
		checkSums(t, f)
	}
	f := simulate(2, func(g *simG) {
		w := &simGroup{n: 1}
		var waiter *simG
		g.spawn("consumer", func(g *simG) { waiter = g; g.block(Cond); g.done(w) })
		g.sleep(100 * us)
		g.unblock(waiter)
		g.wait(w)
	})
	want(t, "Held by one that waits for a condition", f.Idle.Held, 0)
}

// TestCloseInARun: idle time of a run that goes on is not lost.
func TestCloseInARun(t *testing.T) {
	f := simulate(2, func(g *simG) {
		g.spawn("other", func(g *simG) { g.recv(&simChan{}) })
		g.sleep(us)
		g.work(5 * us)
	})
	want(t, "Idle.Serial", f.Idle.Serial, 5*us)
	checkSums(t, f)
}

// TestLineOfCreators: goroutines that are gone are not held by those after.
func TestLineOfCreators(t *testing.T) {
	var last *simG
	s := newSim(1, Options{})
	var next func(g *simG)
	n := 0
	next = func(g *simG) {
		if n++; n < 1000 {
			g.spawn("next", next)
			return
		}
		last = g
		g.recv(&simChan{}) // for ever
	}
	s.run(next)
	g := s.e.gs[last.id]
	if g == nil || len(s.e.gs) != 1 {
		t.Fatalf("%d goroutines left, want the last", len(s.e.gs))
	}
	hops := 0
	for ; g != nil; g = g.creator {
		hops++
	}
	if hops > 4 {
		t.Errorf("the last holds %d before it", hops-1)
	}
}

// TestRun: preemption does not end a run, blocks do.
func TestRun(t *testing.T) {
	s := newSim(1, Options{})
	s.slice = 30 * us
	f := s.run(func(g *simG) {
		g.mark(opOpen)
		w := &simGroup{n: 1}
		g.spawn("other", func(g *simG) { g.work(200 * us); g.done(w) })
		g.work(100 * us)
		g.sleep(us)
		g.work(100 * us)
		g.wait(w)
		g.mark(opClose)
	})
	if f.Run.N != 3 || f.Run.Total != 400*us {
		t.Errorf("Run = %+v, want 3 that add up to 400 µs", f.Run)
	}
	if f.Preempted < 5 {
		t.Errorf("Preempted = %d, want >= 5", f.Preempted)
	}
	want(t, "Life.N", float64(f.Life.N), 1)
	alone := newSim(1, Options{})
	alone.slice = 30 * us
	if f := alone.run(func(g *simG) { g.work(200 * us) }); f.Preempted != 0 {
		t.Errorf("Preempted with nobody else = %d, want 0", f.Preempted)
	}
	found := false
	for _, b := range f.Blocks {
		found = found || b.Kind == Preempted && b.N > 0 && b.Total > 0
	}
	if !found {
		t.Errorf("no block of kind %q in %+v", Preempted, f.Blocks)
	}
}

func TestResumptions(t *testing.T) {
	f := simulate(1, func(g *simG) {
		for range 10 {
			g.sleep(us)
		}
	})
	if f.Resumptions != 10 || f.SameProc != 1 || f.SameThread != 1 {
		t.Errorf("Resumptions, SameProc, SameThread = %v, %v, %v, want 10, 1, 1", f.Resumptions, f.SameProc, f.SameThread)
	}
	// By hand: it wakes elsewhere.
	e := newEngine(Options{Procs: 2})
	for i, ev := range []event{
		{op: opStart, by: none, g: 1, proc: 0, thread: 7},
		{op: opBlock, by: 1, g: 1, kind: Sleep, proc: 0, thread: 7},
		{op: opUnblock, by: none, g: 1, proc: none, thread: none},
		{op: opStart, by: none, g: 1, proc: 1, thread: 7},
	} {
		ev.time, ev.at = int64(i), nowhere
		e.step(&ev)
	}
	if f := e.facts(); f.Resumptions != 1 || f.SameProc != 0 || f.SameThread != 1 {
		t.Errorf("Resumptions, SameProc, SameThread = %v, %v, %v, want 1, 0, 1", f.Resumptions, f.SameProc, f.SameThread)
	}
}

// TestCgo: what is in C makes no system call.
func TestCgo(t *testing.T) {
	f := simulate(1, func(g *simG) {
		g.calls(Cgo, 5*us)
		g.calls(Cgo, 100*us)
		g.syscall(100 * us)
	})
	want(t, "Syscalls", float64(f.Syscalls), 1)
	want(t, "Idle.Syscall", f.Idle.Syscall, 80*us)
	want(t, "Idle.Cgo", f.Idle.Cgo, 80*us)
	want(t, "Idle.Waiting", f.Idle.Waiting, 160*us)
	for _, b := range f.Blocks {
		if b.N != 1 || b.Total != 100*us || b.Kind != Syscall && b.Kind != Cgo {
			t.Errorf("blocked %+v, want once in C and once in a system call", b)
		}
	}
}

// TestSyscall: a call keeps its processor for shortRun at most, and less if
// it is retaken.
func TestSyscall(t *testing.T) {
	f := simulate(1, func(g *simG) {
		g.syscall(5 * us)
		g.syscall(100 * us)
	})
	want(t, "Syscalls", float64(f.Syscalls), 2)
	want(t, "Syscall", f.Syscall, 105*us)
	want(t, "Work", f.Work, 25*us)
	want(t, "Span", f.Span, 25*us)
	want(t, "UserRun", f.UserRun, 0)
	want(t, "Idle.Syscall", f.Idle.Syscall, 80*us)
	if len(f.Blocks) != 1 || f.Blocks[0].Kind != Syscall || f.Blocks[0].N != 1 || f.Blocks[0].Total != 100*us {
		t.Errorf("Blocks = %+v, want the long call alone", f.Blocks)
	}

	e := newEngine(Options{Procs: 1})
	for _, ev := range []event{
		{op: opStart, time: 0, by: none, g: 1},
		{op: opSyscall, time: 0, by: 1, g: 1},
		{op: opRetake, time: 4, by: none},
		{op: opReturn, time: 10, by: 1, g: 1, to: running},
	} {
		ev.at = nowhere
		e.step(&ev)
	}
	f = e.facts()
	want(t, "Work when retaken", f.Work, 4)
	want(t, "Syscall when retaken", f.Syscall, 10)
}

// TestAgain: a system call counts that follows one of the same goroutine at the same line,
// with no block between.
func TestAgain(t *testing.T) {
	e := newEngine(Options{Procs: 1})
	at := func(line int) *stance {
		x := *nowhere
		x.site = e.sites.number(source.Place{Func: "m.send", File: "/m/f.go", Line: line})
		return &x
	}
	now := int64(0)
	step := func(ev event) {
		now++
		ev.time, ev.g = now, 1
		if ev.at == nil {
			ev.at = nowhere
		}
		e.step(&ev)
	}
	calls := func(at *stance, n int) {
		for range n {
			step(event{op: opSyscall, by: 1, at: at})
			step(event{op: opReturn, by: 1, to: running})
		}
	}
	step(event{op: opStart, by: none})
	calls(at(1), 4) // three follow
	calls(at(2), 1)
	calls(at(1), 1)
	step(event{op: opBlock, by: 1, kind: Net})
	step(event{op: opUnblock, by: none})
	step(event{op: opStart, by: none})
	calls(at(1), 3) // two
	calls(nil, 5)   // at places that are not known
	f := e.facts()
	if want := []SiteCount{{source.Place{Func: "m.send", File: "/m/f.go", Line: 1}, 5}}; !slices.Equal(f.Again, want) || f.Syscalls != 14 {
		t.Errorf("again %+v of %d, want %+v of 14", f.Again, f.Syscalls, want)
	}
	if got := f.InARow(); got != 0 {
		t.Errorf("in a row %v, want 0: it is not most of them", got)
	}
	f.Syscalls = 10
	if got := f.InARow(); got != 0.5 {
		t.Errorf("in a row %v of 10, want 0.5", got)
	}
}

// TestSystem: goroutines of the runtime are no user's, even if that shows late.
func TestSystem(t *testing.T) {
	e := newEngine(Options{Procs: 2})
	sys := &stance{site: e.sites.number(source.Place{Func: "runtime.gcBgMarkWorker"}), sys: true, sync: Sync}
	sys.root.at = sys.site
	for _, ev := range []event{
		{op: opStatus, time: 0, by: none, g: 1, to: running},
		{op: opStatus, time: 0, by: none, g: 2, to: waiting},
		{op: opGCBegin, time: 10, by: none},
		{op: opUnblock, time: 10, by: 1, g: 2},
		{op: opSystem, time: 10, by: none, g: 2},
		{op: opStart, time: 10, by: none, g: 2, proc: 1},
		{op: opBlock, time: 15, by: 1, g: 1, kind: ChanReceive},
		{op: opBlock, time: 40, by: 2, g: 2, kind: Other, at: sys},
		{op: opGCEnd, time: 40, by: none},
		{op: opUnblock, time: 50, by: none, g: 1},
		{op: opCreate, time: 50, by: 1, g: 3, to: runnable, start: sys},
		// What it is shows only when it blocks again.
		{op: opStatus, time: 50, by: none, g: 4, to: runnable},
		{op: opStart, time: 50, by: none, g: 4, proc: 1},
		{op: opBlock, time: 150, by: 4, g: 4, kind: Other, at: sys},
	} {
		if ev.at == nil {
			ev.at = nowhere
		}
		e.step(&ev)
	}
	f := e.facts()
	want(t, "SystemRun", f.SystemRun, 30+100)
	want(t, "UserRun", f.UserRun, 15)
	want(t, "Work", f.Work, 15)
	want(t, "Goroutines", float64(f.Goroutines), 0)
	want(t, "GC", f.GC, 30./150)
	want(t, "Idle.GC", f.Idle.GC, 25)
	want(t, "Idle.Waiting", f.Idle.Waiting, 20)
	want(t, "Idle.Sleep", f.Idle.Sleep, 20) // woken by nobody: a timer's channel
	want(t, "Span", f.Span, 15)
	checkSums(t, f)
}

// TestNoEdge: whose processor fired a timer, or ended a cycle of the collector, did not
// wake those that waited for it.
func TestNoEdge(t *testing.T) {
	for kind, span := range map[Kind]float64{Sleep: 100, GC: 100, Mutex: 150} {
		e := newEngine(Options{Procs: 1})
		for _, ev := range []event{
			{op: opStart, time: 0, by: none, g: 2},
			{op: opBlock, time: 0, by: 2, g: 2, kind: kind},
			{op: opStart, time: 0, by: none, g: 1},
			{op: opUnblock, time: 100, by: 1, g: 2},
			{op: opBlock, time: 100, by: 1, g: 1, kind: Select},
			{op: opStart, time: 100, by: none, g: 2},
			{op: opEnd, time: 150, by: 2, g: 2},
		} {
			ev.at = nowhere
			e.step(&ev)
		}
		want(t, "Span of "+string(kind), e.facts().Span, span)
	}
}

// TestBlocksAreBounded: many sites are merged by kind, and nothing is lost.
func TestBlocksAreBounded(t *testing.T) {
	const n = 100
	f := simulate(1, func(g *simG) {
		for i := range int64(n) {
			g.fn = fmt.Sprint("f", i)
			g.sleep(us + i)
		}
	})
	total, count, merged := 0.0, 0, 0
	for i, b := range f.Blocks {
		total += b.Total
		count += b.N
		if b.Site == (source.Place{}) {
			merged++
		}
		if i > 0 && b.Total > f.Blocks[i-1].Total {
			t.Errorf("block %d is greater than the one before", i)
		}
	}
	if len(f.Blocks) != maxBlocks+1 || merged != 1 || count != n || total != n*us+n*(n-1)/2 {
		t.Errorf("%d blocks, %d merged, %d waits of %v, want %d, 1, %d, %v", len(f.Blocks), merged, count, total, maxBlocks+1, n, n*us+n*(n-1)/2)
	}
}

// TestPathNames: the steps of the path are where its time went.
func TestPathNames(t *testing.T) {
	f := simulate(2, func(g *simG) {
		split(100*us, 900*us, 100*us)(g)
		g.work(50 * us)
	})
	var got strings.Builder
	for _, s := range f.Path {
		fmt.Fprintf(&got, "%s %v; ", s.Func, s.Time/us)
	}
	if got.String() != "user.part 900; user.main 100; user.main 50; " {
		t.Errorf("Path = %s", got.String())
	}
	if f.PathSpawns != 1 || f.PathUnblocks != 1 {
		t.Errorf("PathSpawns, PathUnblocks = %d, %d, want 1, 1", f.PathSpawns, f.PathUnblocks)
	}
}

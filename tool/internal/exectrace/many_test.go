package exectrace

import (
	"fmt"
	"testing"
)

// sites of idle time add up to it: no share is lost, however many run.
func sitesAddUp(t *testing.T, what string, f *Facts) {
	t.Helper()
	sum := func(all []SiteTime) (x float64) {
		for _, s := range all {
			x += s.Time
		}
		return x
	}
	if len(f.Idle.SerialSites) < maxSites {
		want(t, what+": SerialSites", sum(f.Idle.SerialSites), f.Idle.Serial)
	}
	if len(f.Idle.ImbalanceSites) < maxSites {
		want(t, what+": ImbalanceSites", sum(f.Idle.ImbalanceSites), f.Idle.Imbalance)
	}
}

// TestManyRun: on sixteen processors, of which some are idle beside more runners than
// are looked at for each event. All of the idle time is theirs.
func TestManyRun(t *testing.T) {
	for _, procs := range []int{3, 8, 9, 16} {
		for _, workers := range []int{1, 2, 3, 7, 8, 9, 10, 12, 15, 16, 20} {
			parts := make([]int64, workers)
			for i := range parts {
				parts[i] = 100 * us
			}
			what := fmt.Sprintf("%d workers on %d", workers, procs)
			f := simulate(procs, split(0, parts...))
			rounds := int64((workers + procs - 1) / procs)
			idle := float64((rounds*int64(procs) - int64(workers)) * 100 * us)
			want(t, what+": Window", f.Window, float64(rounds*100*us))
			want(t, what+": Idle.Total", f.Idle.Total, idle)
			if workers == 1 {
				want(t, what+": Serial", f.Idle.Serial, idle)
			} else {
				want(t, what+": Imbalance", f.Idle.Imbalance, idle)
			}
			want(t, what+": Work", f.Work, float64(workers*100*us))
			want(t, what+": Goroutines", float64(f.Goroutines), float64(workers))
			if n := len(f.Running); n != procs+1 {
				t.Errorf("%s: Running has %d shares, want %d", what, n, procs+1)
			}
			want(t, what+": Running", f.Running[min(workers, procs)], float64(int64(workers)/int64(procs)+map[bool]int64{true: 1}[workers < procs])/float64(rounds))
			checkSums(t, f)
			sitesAddUp(t, what, f)
		}
	}
}

// TestManyUnequal: workers that end one after the other. Beside the last of them all
// other processors are idle.
func TestManyUnequal(t *testing.T) {
	for _, procs := range []int{3, 8, 9, 16} {
		var parts []int64
		total := int64(0)
		for i := range procs {
			parts = append(parts, int64(i+1)*50*us)
			total += parts[i]
		}
		what := fmt.Sprintf("%d of unequal lengths", procs)
		f := simulate(procs, split(0, parts...))
		want(t, what+": Imbalance", f.Idle.Imbalance, float64(int64(procs)*parts[procs-1]-total))
		want(t, what+": Span", f.Span, float64(parts[procs-1]))
		for k := 1; k <= procs; k++ {
			want(t, fmt.Sprintf("%s: Running[%d]", what, k), f.Running[k], 1/float64(procs))
		}
		checkSums(t, f)
		sitesAddUp(t, what, f)
	}
}

// TestManyLock: a goroutine that holds a lock keeps all others idle that wait for it; one that waits for
// nothing does not.
func TestManyLock(t *testing.T) {
	for _, procs := range []int{3, 8, 9, 16} {
		f := simulate(procs, func(g *simG) {
			m, w := &simMutex{}, &simGroup{n: procs}
			for range procs {
				g.spawn("worker", func(g *simG) {
					g.lock(m)
					g.work(100 * us)
					g.unlock(m)
					g.done(w)
				})
			}
			g.wait(w)
		})
		what := fmt.Sprintf("%d behind a lock", procs)
		n := float64(procs)
		want(t, what+": Span", f.Span, n*100*us)
		want(t, what+": Lock", f.Idle.Lock, (n-1)*(n-1)*100*us) // while the last holds it none waits
		want(t, what+": Idle.Total", f.Idle.Total, (n-1)*n*100*us)
		blocked := 0
		for _, b := range f.Blocks {
			if b.Kind == Mutex {
				blocked += b.N
				want(t, what+": waits", b.Total, n*(n-1)/2*100*us)
			}
		}
		if blocked != procs-1 {
			t.Errorf("%s: %d waits, want %d", what, blocked, procs-1)
		}
		checkSums(t, f)
		sitesAddUp(t, what, f)
	}
}

// TestManyKinds: each kind of idle time beside as many processors: sleeping, system
// calls, the collector, and those that are ready and have no processor.
func TestManyKinds(t *testing.T) {
	for _, procs := range []int{3, 8, 9, 16} {
		n := float64(procs)
		f := simulate(procs, func(g *simG) {
			w := &simGroup{n: procs}
			for range procs {
				g.spawn("sleeper", func(g *simG) { g.sleep(100 * us); g.done(w) })
			}
			g.wait(w)
		})
		want(t, fmt.Sprintf("%d sleep: Sleep", procs), f.Idle.Sleep, n*100*us)
		want(t, fmt.Sprintf("%d sleep: Waiting", procs), f.Idle.Waiting, n*100*us)
		want(t, fmt.Sprintf("%d sleep: Running[0]", procs), f.Running[0], 1)
		checkSums(t, f)

		// Calls keep their processors for 20 µs, and are idle then.
		f = simulate(procs, func(g *simG) {
			w := &simGroup{n: procs}
			for range procs {
				g.spawn("caller", func(g *simG) { g.syscall(100 * us); g.done(w) })
			}
			g.wait(w)
		})
		want(t, fmt.Sprintf("%d call: Syscall", procs), f.Idle.Syscall, n*80*us)
		want(t, fmt.Sprintf("%d call: Work", procs), f.Work, n*20*us)
		want(t, fmt.Sprintf("%d call: time", procs), f.Syscall, n*100*us)
		want(t, fmt.Sprintf("%d call: calls", procs), float64(f.Syscalls), n)
		checkSums(t, f)

		// A processor that never comes leaves all but one ready.
		s := newSim(1, Options{})
		s.e.opt.Procs = procs
		f = s.run(split(0, 100*us, 100*us, 100*us))
		want(t, fmt.Sprintf("of %d one comes: Runnable", procs), f.Idle.Runnable, (n-1)*200*us)
		want(t, fmt.Sprintf("of %d one comes: Imbalance", procs), f.Idle.Imbalance, (n-1)*100*us)
		checkSums(t, f)

		// Goroutines of the system alone.
		e := newEngine(Options{Procs: procs})
		for _, ev := range []event{
			{op: opStatus, time: 0, by: none, g: 1, to: waiting}, {op: opSystem, time: 0, by: none, g: 2}, {op: opStatus, time: 0, by: none, g: 2, to: running},
			{op: opUnblock, time: 100, by: none, g: 1}, {op: opStart, time: 100, by: none, g: 1}, {op: opEnd, time: 150, by: 1, g: 1},
		} {
			ev.at = nowhere
			e.step(&ev)
		}
		f = e.facts()
		want(t, fmt.Sprintf("of %d the collector: GC", procs), f.Idle.GC, (n-1)*100)
		want(t, fmt.Sprintf("of %d the collector: SystemRun", procs), f.SystemRun, 150)
		checkSums(t, f)
	}
}

// TestManyTimeline: a slot has as many as run, and none is alone beside another.
func TestManyTimeline(t *testing.T) {
	for _, procs := range []int{3, 8, 9, 16} {
		parts := make([]int64, procs+2)
		for i := range parts {
			parts[i] = 48 * us
		}
		f := newSim(procs, Options{Length: slots * us}).run(func(g *simG) {
			g.mark(opOpen)
			split(0, parts...)(g)
			g.mark(opClose)
		})
		l := f.Timeline
		if l == nil || len(l.Running) != slots {
			t.Fatalf("at %d: %+v, want %d slots", procs, l, slots)
		}
		for i := range slots {
			running, ready := float64(procs), 2.
			if i >= 48 {
				running, ready = 2, 0
			}
			if l.Running[i] != running || l.Ready[i] != ready || l.Alone[i] != 0 || l.Who[i] != -1 {
				t.Errorf("at %d, slot %d: %v run and %v are ready, alone %v by %d; want %v and %v", procs, i, l.Running[i], l.Ready[i], l.Alone[i], l.Who[i], running, ready)
			}
		}
	}
}

// TestPreemptedBeside: to be preempted counts where another one was ready, to yield
// always; neither does of the system's, nor outside of a window.
func TestPreemptedBeside(t *testing.T) {
	for _, tt := range []struct {
		name              string
		events            []event
		preempted, yields int
	}{
		{"none is ready", []event{{op: opStop, by: 1, g: 1, kind: Preempted}}, 0, 0},
		{"one is ready", []event{{op: opStatus, by: none, g: 2, to: runnable}, {op: opStop, by: 1, g: 1, kind: Preempted}}, 1, 0},
		{"yields", []event{{op: opStop, by: 1, g: 1, kind: Yield}}, 0, 1},
		{"waits for the collector", []event{{op: opStatus, by: none, g: 2, to: runnable}, {op: opStop, by: 1, g: 1, kind: GC}}, 0, 0},
		{"of the system", []event{{op: opSystem, by: none, g: 1}, {op: opStatus, by: none, g: 2, to: runnable}, {op: opStop, by: 1, g: 1, kind: Preempted}}, 0, 0},
		{"yields, of the system", []event{{op: opSystem, by: none, g: 1}, {op: opStop, by: 1, g: 1, kind: Yield}}, 0, 0},
		{"after the window", []event{{op: opOpen, by: 1}, {op: opClose, by: 1}, {op: opStop, by: 1, g: 1, kind: Yield}}, 0, 0},
	} {
		e := newEngine(Options{Procs: 9})
		for i, ev := range append([]event{{op: opStart, by: none, g: 1}}, tt.events...) {
			ev.time, ev.at = int64(i), nowhere
			e.step(&ev)
		}
		if f := e.facts(); f.Preempted != tt.preempted || f.Yields != tt.yields {
			t.Errorf("%s: %d preempted, %d yields; want %d and %d", tt.name, f.Preempted, f.Yields, tt.preempted, tt.yields)
		}
	}
}

// TestBesideParts: while others are ready, idle time counts as it would without them:
// behind a lock, in a hand-over, alone, or beside a sibling.
func TestBesideParts(t *testing.T) {
	for _, tt := range []struct {
		name string
		main func(g *simG)
		want func(f *Facts) (got, want float64)
	}{
		{"alone", func(g *simG) {
			g.spawn("brief", func(g *simG) { g.work(us) })
			g.work(100 * us)
		}, func(f *Facts) (float64, float64) { return f.Beside.Serial, 700 * us }},
		{"alone, having started the other", func(g *simG) {
			g.spawn("brief", func(g *simG) { g.work(us) })
			g.work(100 * us)
		}, func(f *Facts) (float64, float64) { return f.Beside.Forked, 0 }},
		{"a lock", func(g *simG) {
			m := &simMutex{}
			g.lock(m)
			g.spawn("waits", func(g *simG) { g.lock(m); g.unlock(m) })
			g.sleep(us)
			g.spawn("brief", func(g *simG) { g.work(us) })
			g.work(100 * us)
			g.unlock(m)
		}, func(f *Facts) (float64, float64) { return f.Beside.Lock, 700 * us }},
		{"a sibling", func(g *simG) {
			w := &simGroup{n: 2}
			for range 2 {
				g.spawn("worker", func(g *simG) { g.work(100 * us); g.done(w) })
			}
			g.wait(w)
		}, func(f *Facts) (float64, float64) { return f.Beside.Imbalance, 700 * us }},
	} {
		s := newSim(1, Options{})
		s.e.opt.Procs = 8 // the other seven never come
		f := s.run(tt.main)
		if got, want := tt.want(f); got != want {
			t.Errorf("%s: %v of %+v, want %v", tt.name, got, f.Beside, want)
		}
		checkSums(t, f)
	}
}

// TestEdgesOfWindow: of what reaches over the beginning of a window only the part in
// it counts: of being ready, of a wait, of a system call, of a run.
func TestEdgesOfWindow(t *testing.T) {
	run := func(events ...event) *Facts {
		e := newEngine(Options{Procs: 3})
		for _, ev := range events {
			if ev.at == nil {
				ev.at = nowhere
			}
			e.step(&ev)
		}
		return e.facts()
	}
	block := func(f *Facts, kind Kind) Block {
		for _, b := range f.Blocks {
			if b.Kind == kind {
				return b
			}
		}
		return Block{}
	}
	f := run(
		event{op: opStatus, time: 0, by: none, g: 1, to: running}, event{op: opStatus, time: 0, by: none, g: 2, to: runnable},
		event{op: opOpen, time: 100, by: 1}, event{op: opStart, time: 150, by: none, g: 2}, event{op: opBlock, time: 170, by: 2, g: 2, kind: ChanReceive}, event{op: opClose, time: 200, by: 1},
	)
	want(t, "ready before it: N", float64(f.RunnableWait.N), 1)
	want(t, "ready before it: Total", f.RunnableWait.Total, 50)
	want(t, "ready before it: Late", f.Late, 20)
	want(t, "ready before it: Work", f.Work, 120)
	f = run(
		event{op: opStatus, time: 0, by: none, g: 1, to: running}, event{op: opStatus, time: 0, by: none, g: 2, to: running}, event{op: opBlock, time: 10, by: 2, g: 2, kind: Mutex},
		event{op: opOpen, time: 100, by: 1}, event{op: opUnblock, time: 160, by: 1, g: 2}, event{op: opStart, time: 190, by: none, g: 2}, event{op: opClose, time: 200, by: 1},
	)
	if b := block(f, Mutex); b.N != 1 || b.Total != 60 || f.RunnableWait.Total != 30 {
		t.Errorf("waited %+v, then ready for %v; want 60 in the window, and 30", b, f.RunnableWait.Total)
	}
	f = run(
		event{op: opStatus, time: 0, by: none, g: 1, to: running}, event{op: opStatus, time: 0, by: none, g: 2, to: running}, event{op: opSyscall, time: 10, by: 2, g: 2},
		event{op: opOpen, time: 100_000, by: 1}, event{op: opReturn, time: 160_000, by: 2, g: 2, to: running}, event{op: opClose, time: 200_000, by: 1},
	)
	if b := block(f, Syscall); b.N != 1 || b.Total != 60_000 || f.Syscall != 60_000 || f.Syscalls != 0 {
		t.Errorf("in a call %+v, %v of %d calls; want 60000 of none that began in the window", b, f.Syscall, f.Syscalls)
	}
	f = run(
		event{op: opStatus, time: 0, by: none, g: 1, to: running}, event{op: opStatus, time: 0, by: none, g: 2, to: running},
		event{op: opOpen, time: 100, by: 1}, event{op: opBlock, time: 130, by: 2, g: 2, kind: Sleep}, event{op: opClose, time: 200, by: 1}, event{op: opUnblock, time: 300, by: none, g: 2},
	)
	if b := block(f, Sleep); b.N != 0 || f.Run.Total != 130 || f.Run.N != 2 {
		t.Errorf("waited %+v, ran %+v; want no wait that ended in the window, and runs of 30 and 100", b, f.Run)
	}
	// What two windows have of one kind and place adds up.
	var events []event
	now := int64(0)
	events = append(events, event{op: opStatus, by: none, g: 1, to: running}, event{op: opStatus, by: none, g: 2, to: running})
	for _, d := range []int64{10, 30, 50} {
		events = append(events, event{op: opOpen, time: now, by: 1}, event{op: opBlock, time: now, by: 2, g: 2, kind: Cond}, event{op: opUnblock, time: now + d, by: 1, g: 2}, event{op: opStart, time: now + d, by: none, g: 2}, event{op: opClose, time: now + 2*d, by: 1})
		now += 1000
	}
	f = run(events...)
	if b := block(f, Cond); b.N != 3 || b.Total != 90 || f.Window != 180 {
		t.Errorf("waited %+v in windows of %v; want three times, 90 in 180", b, f.Window)
	}
}

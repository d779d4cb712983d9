package exectrace

import (
	"slices"
	"testing"
)

// TestIdleForked: of the time in which the caller runs alone, the part after
// it has started others that are done.
func TestIdleForked(t *testing.T) {
	for _, c := range []struct {
		name           string
		serial, forked float64
		main           func(g *simG)
	}{
		{"before it starts them, and after it waited", 600 * us, 0, split(600*us, 200*us, 200*us)},
		{"a larger share of its own", 800 * us, 800 * us, func(g *simG) {
			w := &simGroup{n: 1}
			g.spawn("half", func(g *simG) { g.work(100 * us); g.done(w) })
			g.work(900 * us)
			g.wait(w)
		}},
		{"a larger share, and the other waits to send", 800 * us, 800 * us, func(g *simG) {
			ch := &simChan{}
			g.spawn("half", func(g *simG) { g.work(100 * us); g.send(ch, 1) })
			g.work(900 * us)
			g.recv(ch)
		}},
		{"the other waits for work", 800 * us, 0, func(g *simG) {
			ch := &simChan{}
			g.spawn("idler", func(g *simG) { g.work(100 * us); g.recv(ch) })
			g.work(900 * us)
			g.send(ch, 1)
		}},
		{"it waited in between", 800 * us, 0, func(g *simG) {
			w := &simGroup{n: 1}
			g.spawn("half", func(g *simG) { g.work(100 * us); g.done(w) })
			g.wait(w)
			g.work(800 * us)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newSim(2, Options{}).run(c.main)
			if f.Idle.Forked != c.forked || f.Idle.Serial < c.serial || f.Idle.Serial > c.serial+100*us {
				t.Errorf("Serial, Forked = %v, %v; want about %v and %v", f.Idle.Serial, f.Idle.Forked, c.serial, c.forked)
			}
		})
	}
}

// TestBeside: a goroutine that is ready while a processor idles explains that
// only as far as it has work; the rest belongs to who runs.
func TestBeside(t *testing.T) {
	s := newSim(1, Options{})
	s.e.opt.Procs = 2 // the second one never comes
	f := s.run(func(g *simG) {
		w := &simGroup{n: 1}
		g.spawn("brief", func(g *simG) { g.work(2 * us); g.done(w) })
		g.work(100 * us)
		g.wait(w)
	})
	want(t, "Idle.Runnable", f.Idle.Runnable, 100*us)
	want(t, "Beside.Serial", f.Beside.Serial, 100*us)
	want(t, "Late", f.Late, 2*us)
}

// TestBesideForked: beside one that is ready, the caller's own share adds up.
func TestBesideForked(t *testing.T) {
	e := newEngine(Options{Procs: 2})
	for _, ev := range []event{
		{op: opStart, time: 0, by: none, g: 1},
		{op: opCreate, time: 0, by: 1, g: 2, to: runnable},
		{op: opStart, time: 0, by: none, g: 2, proc: 1},
		{op: opEnd, time: 10, by: 2, g: 2},
		{op: opStatus, time: 10, by: none, g: 9, to: runnable},
		{op: opNone, time: 60, by: none},
		{op: opBlock, time: 110, by: 1, g: 1, kind: Sleep},
	} {
		ev.at = nowhere
		e.step(&ev)
	}
	f := e.facts()
	want(t, "Beside.Serial", f.Beside.Serial, 100)
	want(t, "Beside.Forked", f.Beside.Forked, 100)
	want(t, "Idle.Forked", f.Idle.Forked, 0)
}

// TestForkedOfBefore: children from before the window are none of the shares of now,
// whether they end or wait to send.
func TestForkedOfBefore(t *testing.T) {
	for name, old := range map[string]func(g *simG, c *simChan){
		"ends":  func(*simG, *simChan) {},
		"sends": func(g *simG, c *simChan) { g.send(c, 1) },
	} {
		f := newSim(2, Options{}).run(func(g *simG) {
			c, jobs := &simChan{}, &simChan{}
			g.mark(opOpen)
			g.spawn("old", func(g *simG) { g.sleep(50 * us); old(g, c) })
			g.sleep(us)
			g.mark(opClose)
			g.mark(opOpen)
			g.spawn("idler", func(g *simG) { g.work(100 * us); g.recv(jobs) })
			g.work(900 * us)
			g.mark(opClose)
		})
		if f.Idle.Forked != 0 || f.Idle.Serial < 800*us {
			t.Errorf("an old one %s: Serial, Forked = %v, %v; want over 800 µs, and none", name, f.Idle.Serial, f.Idle.Forked)
		}
	}
}

// TestBatchOfBefore: children that live when a window opens are several workers.
func TestBatchOfBefore(t *testing.T) {
	f := newSim(2, Options{}).run(func(g *simG) {
		start, w := &simChan{}, &simGroup{n: 2}
		for _, d := range []int64{900 * us, 100 * us} {
			g.spawn("worker", func(g *simG) { g.recv(start); g.work(d); g.done(w) })
		}
		g.spawn("bench", func(g *simG) {
			g.sleep(10 * us)
			g.mark(opOpen)
			g.send(start, 1)
			g.send(start, 1)
			g.sleep(2000 * us)
			g.mark(opClose)
		})
		g.wait(w)
	})
	want(t, "Imbalance", f.Idle.Imbalance, 800*us)
	want(t, "Serial", f.Idle.Serial, 0)
}

// TestOutOfWork: those that may wait for work tell their creator how far they came.
func TestOutOfWork(t *testing.T) {
	for kind, told := range map[Kind]bool{ChanReceive: true, Select: true, Cond: true, ChanSend: false, Mutex: false, Sleep: false, WaitGroup: false} {
		a, g := lineage(Options{})
		creator := g(nil, 1, 0)
		worker := g(creator, 3, 100)
		a.blocked(worker, kind)
		if j := creator.acct.joints; (len(j) == 1) != told || told && (!j[0].idle || j[0].length != 100) {
			t.Errorf("waits for %s: the creator has %+v, want told: %v", kind, j, told)
		}
	}
}

// TestHandoffMargin: runs of less than 20 µs between two blocks are hand-overs.
func TestHandoffMargin(t *testing.T) {
	for d, handed := range map[int64]bool{shortRun - 1: true, shortRun: false} {
		f := simulate(2, func(g *simG) {
			to, fro := &simChan{}, &simChan{}
			g.spawn("echo", func(g *simG) {
				for v := g.recv(to); v >= 0; v = g.recv(to) {
					g.work(d)
					g.send(fro, v)
				}
			})
			for i := range 10 {
				g.work(d)
				g.send(to, i)
				g.recv(fro)
			}
			g.close(to)
		})
		if share := ratio(f.Idle.Handoff, f.Idle.Total); handed && share < 0.9 || !handed && share != 0 {
			t.Errorf("runs of %d ns: hand-overs have %v of %+v", d, share, f.Idle)
		}
	}
}

// TestSyscallMargin: a call that takes 20 µs has given its processor back, and is a wait.
func TestSyscallMargin(t *testing.T) {
	for d, n := range map[int64]int{shortRun - 1: 0, shortRun: 1} {
		f := simulate(1, func(g *simG) { g.syscall(d) })
		if len(f.Blocks) != n || n == 1 && f.Blocks[0].Total != float64(d) || f.Work != float64(d) {
			t.Errorf("a call of %d ns: work %v, waits %+v; want %d", d, f.Work, f.Blocks, n)
		}
	}
}

// TestEndWhileIdle: time in which nobody ran is not lost where the trace ends in it, and
// the processors are as many as it has shown.
func TestEndWhileIdle(t *testing.T) {
	e := newEngine(Options{})
	for _, ev := range []event{
		{op: opStart, time: 0, by: none, g: 1, proc: 3},
		{op: opBlock, time: 10, by: 1, g: 1, kind: Sleep, proc: 3},
		{op: opNone, time: 100, by: none},
	} {
		ev.at = nowhere
		e.step(&ev)
	}
	f := e.facts()
	want(t, "Procs", float64(f.Procs), 4)
	want(t, "Idle.Waiting", f.Idle.Waiting, 4*90)
	checkSums(t, f)
}

// TestConvoy: a goroutine that a mutex woke has not got it, so it waits for it until
// it runs, and what runs meanwhile is nobody's larger share. A wait for anything else
// ends when it is over.
func TestConvoy(t *testing.T) {
	for kind, locked := range map[Kind]bool{Mutex: true, RWMutex: true, Once: false, Cond: false, ChanReceive: false, Sync: false} {
		events := []event{
			{op: opOpen, by: 9}, {op: opStatus, by: none, g: 9, to: running},
			{op: opCreate, by: 9, g: 1, to: runnable}, {op: opCreate, by: 9, g: 2, to: runnable}, {op: opBlock, by: 9, g: 9, kind: WaitGroup},
			{op: opStart, by: none, g: 1}, {op: opStart, by: none, g: 2, proc: 1},
		}
		now := int64(0)
		for range 10 { // blocked for 8 µs, ready for 70, runs for 4 and finds it taken
			events = append(events, event{op: opBlock, time: now, by: 2, g: 2, kind: kind}, event{op: opUnblock, time: now + 8*us, by: 1, g: 2}, event{op: opStart, time: now + 78*us, by: none, g: 2, proc: 1})
			now += 82 * us
		}
		f := feed(Options{Procs: 2}, append(events, event{op: opEnd, time: now, by: 2, g: 2}, event{op: opEnd, time: now, by: 1, g: 1}, event{op: opUnblock, time: now, by: 1, g: 9})...)
		lock, unequal, ready := 0.0, float64(700*us), 0.0
		if locked {
			lock, unequal, ready = 700*us, 0, 700*us
		}
		if b := f.Beside; b.Lock != lock || b.Imbalance != unequal || f.Idle.Runnable != 700*us {
			t.Errorf("woken from %s: beside those ready %+v of %v, want lock %v and imbalance %v", kind, b, f.Idle.Runnable, lock, unequal)
		}
		if i := slices.IndexFunc(f.Blocks, func(b Block) bool { return b.Kind == kind }); i < 0 || f.Blocks[i].Total != 80*us || f.Blocks[i].Ready != ready {
			t.Errorf("woken from %s: %+v, want one block of 80 µs, ready for %v after that", kind, f.Blocks, ready)
		}
		if got := f.Idle.Lock; locked && got != 80*us {
			t.Errorf("blocked on %s: lock %v, want 80 µs", kind, got)
		}
	}
}

// TestGivesWay: who hands a mutex over and gives way waits for it until it runs; who is
// preempted elsewhere does not.
func TestGivesWay(t *testing.T) {
	for kind, locked := range map[Kind]bool{Mutex: true, RWMutex: true, Once: false, WaitGroup: false, Sync: false} {
		for _, why := range []Kind{Preempted, Yield} {
			at := &stance{sync: kind}
			f := feed(Options{Procs: 2},
				event{op: opOpen, by: 9}, event{op: opStatus, by: none, g: 9, to: running},
				event{op: opCreate, by: 9, g: 1, to: runnable}, event{op: opCreate, by: 9, g: 2, to: runnable}, event{op: opBlock, by: 9, g: 9, kind: WaitGroup},
				event{op: opStart, by: none, g: 1}, event{op: opStart, by: none, g: 2, proc: 1},
				event{op: opStop, time: 10 * us, by: 2, g: 2, kind: why, at: at}, event{op: opStart, time: 60 * us, by: none, g: 2, proc: 1},
				event{op: opEnd, time: 70 * us, by: 2, g: 2}, event{op: opEnd, time: 170 * us, by: 1, g: 1})
			lock, unequal := 0.0, float64(50*us)
			if locked && why == Preempted {
				lock, unequal = 50*us, 0
			}
			if b := f.Beside; b.Lock != lock || b.Imbalance != unequal || f.Idle.Lock != 0 || f.Idle.Imbalance != 100*us {
				t.Errorf("%s in %s: beside those ready %+v, want lock %v and imbalance %v; of the rest %+v, want imbalance for 100 µs", why, kind, b, lock, unequal, f.Idle)
			}
		}
	}
}

package exectrace

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/exp/trace"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// sums are the figures of facts that add up over windows, each by its name; shares are
// taken for what they are of.
func sums(f *Facts) map[string]float64 {
	m := map[string]float64{
		"Window": f.Window, "Goroutines": float64(f.Goroutines), "Resumptions": float64(f.Resumptions), "Preempted": float64(f.Preempted), "Yields": float64(f.Yields),
		"SameProc": f.SameProc * float64(f.Resumptions), "SameThread": f.SameThread * float64(f.Resumptions), "Late": f.Late,
		"SystemRun": f.SystemRun, "UserRun": f.UserRun, "Syscall": f.Syscall, "Syscalls": float64(f.Syscalls), "GC": f.GC * f.Window,
		"Work": f.Work, "Span": f.Span, "BurdenedSpan": f.BurdenedSpan, "PathSpawns": float64(f.PathSpawns), "PathUnblocks": float64(f.PathUnblocks),
	}
	for name, d := range map[string]Dist{"Run": f.Run, "Life": f.Life, "RunnableWait": f.RunnableWait} {
		m[name+".N"], m[name+".Total"] = float64(d.N), d.Total
	}
	for k, share := range f.Running {
		m[fmt.Sprintf("Running[%d]", k)] = share * f.Window
	}
	for _, x := range []any{f.Idle, f.Beside} {
		v := reflect.ValueOf(x)
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.Float64 {
				m[v.Type().Name()+"."+v.Type().Field(i).Name] = v.Field(i).Float()
			}
		}
	}
	for _, b := range f.Blocks {
		m[fmt.Sprintf("Blocks %s %s", b.Kind, b.Site)] += float64(b.N)
		m[fmt.Sprintf("Blocks.Total %s %s", b.Kind, b.Site)] += b.Total
	}
	for name, sites := range map[string][]SiteTime{"SerialSites": f.Idle.SerialSites, "ImbalanceSites": f.Idle.ImbalanceSites} {
		for _, x := range sites {
			m[name] += x.Time
		}
	}
	for _, x := range f.SpawnSites {
		m["SpawnSites "+x.Site.Func+x.Site.File] += float64(x.N)
	}
	for _, s := range f.Path {
		m[fmt.Sprintf("Path %s %s", s.Func, s.Site)] += s.Time
		m[fmt.Sprintf("Path.Count %s %s", s.Func, s.Site)] += float64(s.Count)
	}
	if l := f.Timeline; l != nil {
		for i := range l.Running {
			d := min(l.Slot, f.Window-float64(i)*l.Slot)
			m["Timeline.Running"] += l.Running[i] * d
			m["Timeline.System"] += l.System[i] * d
			m["Timeline.Ready"] += l.Ready[i] * d
			m["Timeline.Alone"] += l.Alone[i] * d
		}
	}
	return m
}

// phases are programs that differ in what they spend time on.
var phases = []func(g *simG){
	split(30*us, 100*us, 60*us, 10*us),
	func(g *simG) { // a lock that three want
		m, w := &simMutex{}, &simGroup{n: 3}
		for range 3 {
			g.spawn("locker", func(g *simG) {
				for range 4 {
					g.lock(m)
					g.work(30 * us)
					g.unlock(m)
					g.work(5 * us)
				}
				g.done(w)
			})
		}
		g.wait(w)
	},
	func(g *simG) { // hand-overs
		to, fro := &simChan{}, &simChan{}
		g.spawn("echo", func(g *simG) {
			for v := g.recv(to); v >= 0; v = g.recv(to) {
				g.work(us)
				g.send(fro, v)
			}
		})
		for i := range 10 {
			g.work(us)
			g.send(to, i)
			g.recv(fro)
		}
		g.close(to)
	},
	pipeline(2, 6, 1, func(stage, item int) int64 { return int64(10+20*stage+item) * us }),
	func(g *simG) { g.sleep(40 * us); g.syscall(70 * us); g.syscall(3 * us); g.work(9 * us) },
	func(g *simG) { // one that is ready beside long runs
		w := &simGroup{n: 6}
		for i := range 6 {
			g.spawn("brief", func(g *simG) { g.work(int64(10+i) * us); g.sleep(us); g.work(us); g.done(w) })
		}
		g.work(50 * us)
		g.wait(w)
	},
}

// TestWindowsAddUp: what a trace says of several windows is the sum of what it says of
// each, had the others no marks: no figure is lost, counted twice or kept from before.
func TestWindowsAddUp(t *testing.T) {
	for _, procs := range []int{1, 3, 8, 9} {
		for _, slice := range []int64{0, 20 * us} {
			s := newSim(procs, Options{})
			s.slice = slice
			var events []event
			s.record = func(ev event) { events = append(events, ev) }
			s.run(func(g *simG) {
				g.work(7 * us)
				for _, phase := range phases {
					g.mark(opOpen)
					phase(g)
					g.mark(opClose)
					g.work(13 * us)
					phases[0](g) // counts nowhere
				}
			})
			// One processor more than ever comes, so that some are ready beside it; the system
			// runs in the third window, and collects now and then.
			o := Options{Procs: procs + 1, Handoff: 100, Spawn: 40, Length: 2000 * us}
			feed := func(only int) *Facts {
				e := newEngine(o)
				e.sites = s.e.sites
				step := func(ev event, op op) {
					e.step(&event{op: op, kind: Yield, time: ev.time, by: none, g: 999, at: nowhere})
				}
				window := -1
				for i, ev := range events {
					marks := ev.op == opOpen || ev.op == opClose
					if ev.op == opOpen {
						window++
					}
					if !marks || only < 0 || only == window {
						e.step(&ev)
					}
					switch {
					case marks && window == 2 && ev.op == opOpen:
						step(ev, opStart)
						step(ev, opSystem)
					case marks && window == 2:
						step(ev, opStop)
					case i%5 == 0:
						step(ev, []op{opGCBegin, opGCEnd}[i/5%2])
					}
				}
				return e.facts()
			}
			all, sum := feed(-1), map[string]float64{}
			checkSums(t, all)
			for i := range phases {
				for name, x := range sums(feed(i)) {
					sum[name] += x
				}
			}
			got := sums(all)
			if len(all.Path) == maxSteps || len(all.Blocks) >= maxBlocks || len(all.SpawnSites) == maxSites {
				t.Fatalf("%d steps, %d blocks, %d sites: more than are told", len(all.Path), len(all.Blocks), len(all.SpawnSites))
			}
			for name, x := range sum {
				if strings.HasPrefix(name, "Timeline.") { // rounded to a thousandth of a slot
					if d := got[name] - x; d > 0.02*o.Length || d < -0.02*o.Length {
						t.Errorf("%d processors, slices of %d: %s = %v, and %v in the windows", procs, slice, name, got[name], x)
					}
					continue
				}
				if strings.HasSuffix(name, "Sites") && max(len(all.Idle.SerialSites), len(all.Idle.ImbalanceSites)) == maxSites {
					continue // there are more of them
				}
				want(t, fmt.Sprintf("%d processors, slices of %d: %s", procs, slice, name), got[name], x)
			}
			if len(got) != len(sum) {
				t.Errorf("%d figures, and %d in the windows", len(got), len(sum))
			}
			for _, name := range []string{"Idle.Lock", "Idle.Handoff", "Idle.Serial", "Idle.Imbalance", "Idle.Waiting", "Idle.Sleep", "Idle.Syscall", "Beside.Serial", "Life.N", "PathSpawns", "PathUnblocks", "GC", "SystemRun", "Late", "Resumptions"} {
				if procs == 3 && slice == 0 && got[name] == 0 {
					t.Errorf("nothing in %s: the programs show too little", name)
				}
			}
		}
	}
}

// TestIdleOfTwo: each field of the idle time of two traces is the sum of that field.
func TestIdleOfTwo(t *testing.T) {
	var a, b Idle
	x, y := reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem()
	for i := range x.NumField() {
		if x.Field(i).Kind() == reflect.Float64 {
			x.Field(i).SetFloat(float64(int(1) << i))
			y.Field(i).SetFloat(float64(int(1) << (i + 20)))
		}
	}
	both := reflect.ValueOf(a.And(b))
	sum := a
	sum.add(&b)
	for i := range x.NumField() {
		if x.Field(i).Kind() != reflect.Float64 {
			continue
		}
		name := x.Type().Field(i).Name
		want(t, name+" of both", both.Field(i).Float(), x.Field(i).Float()+y.Field(i).Float())
		want(t, name+" added", reflect.ValueOf(sum).Field(i).Float(), x.Field(i).Float()+y.Field(i).Float())
	}
	f := Facts{Work: 12, Span: 4, BurdenedSpan: 6}
	want(t, "Parallelism", f.Parallelism(), 3)
	want(t, "BurdenedParallelism", f.BurdenedParallelism(), 2)
	want(t, "Parallelism of nothing", new(Facts).Parallelism(), 0)
}

// feed makes an engine of events, in the order that they come.
func feed(o Options, events ...event) *Facts {
	e := newEngine(o)
	for _, ev := range events {
		if ev.at == nil {
			ev.at = nowhere
		}
		e.step(&ev)
	}
	return e.facts()
}

// TestWhatWaits: idle time beside a goroutine that runs is the lock's while another waits for
// one, of whatever kind; and a hand-over's while one waits on a channel, and the run
// is short.
func TestWhatWaits(t *testing.T) {
	for _, kind := range []Kind{Mutex, RWMutex, Once, WaitGroup, Cond, ChanSend, ChanReceive, Select, Sleep, Net, Syscall, GC, Sync, Other} {
		for _, run := range []int64{shortRun - 1, shortRun} {
			f := feed(Options{Procs: 9},
				event{op: opStatus, by: none, g: 1, to: running}, event{op: opStatus, by: none, g: 2, to: running},
				event{op: opBlock, by: 2, g: 2, kind: kind}, event{op: opBlock, time: run, by: 1, g: 1, kind: Other})
			idle := float64(8 * run)
			var lock, handoff, serial float64
			switch kind {
			case Mutex, RWMutex, Once, Cond:
				lock = idle
			case ChanSend, ChanReceive, Select:
				if handoff = idle; run >= shortRun {
					handoff, serial = 0, idle
				}
			default:
				serial = idle
			}
			if i := f.Idle; i.Lock != lock || i.Handoff != handoff || i.Serial != serial || i.Total != idle {
				t.Errorf("one waits for %s beside a run of %d: %+v, want lock %v, handoff %v, serial %v", kind, run, i, lock, handoff, serial)
			}
			// One that waits no longer counts no longer; one that did so before the window, not at all.
			f = feed(Options{Procs: 9},
				event{op: opStatus, by: none, g: 1, to: running}, event{op: opStatus, by: none, g: 2, to: running},
				event{op: opBlock, by: 2, g: 2, kind: kind}, event{op: opOpen, by: 1}, event{op: opBlock, time: run, by: 1, g: 1, kind: Other})
			if i := f.Idle; i.Serial != idle {
				t.Errorf("one has waited for %s since before: %+v, want serial %v", kind, i, idle)
			}
			f = feed(Options{Procs: 9},
				event{op: opStatus, by: none, g: 1, to: running}, event{op: opStatus, by: none, g: 2, to: running},
				event{op: opBlock, by: 2, g: 2, kind: kind}, event{op: opUnblock, by: 1, g: 2}, event{op: opStart, by: none, g: 2}, event{op: opEnd, by: 2, g: 2},
				event{op: opBlock, time: run, by: 1, g: 1, kind: Other})
			if i := f.Idle; i.Serial != idle {
				t.Errorf("one waits for %s no longer: %+v, want serial %v", kind, i, idle)
			}
		}
	}
}

// TestWhatWakes: time in which none runs is what the wait was for that ends it.
func TestWhatWakes(t *testing.T) {
	for _, tt := range []struct {
		kind                       Kind
		by                         int64
		sleep, net, syscall, other float64
	}{
		{Sleep, none, 300, 0, 0, 0}, {Net, none, 0, 300, 0, 0}, {ChanReceive, none, 300, 0, 0, 0}, {Select, none, 300, 0, 0, 0},
		{ChanReceive, 1, 300, 0, 0, 0}, // itself: a timer again
		{ChanSend, none, 0, 0, 0, 300}, {Mutex, none, 0, 0, 0, 300}, {WaitGroup, none, 0, 0, 0, 300}, {Other, none, 0, 0, 0, 300},
	} {
		f := feed(Options{Procs: 3}, event{op: opStatus, by: none, g: 1, to: running}, event{op: opBlock, by: 1, g: 1, kind: tt.kind}, event{op: opUnblock, time: 100, by: tt.by, g: 1})
		if i := f.Idle; i.Sleep != tt.sleep || i.Net != tt.net || i.Syscall != tt.syscall || i.Waiting != 300 || i.Total != 300 {
			t.Errorf("woken from %s by %d: %+v, want %+v", tt.kind, tt.by, i, tt)
		}
	}
	// Two waits one after the other, each for its own.
	f := feed(Options{Procs: 3}, event{op: opStatus, by: none, g: 1, to: running},
		event{op: opBlock, by: 1, g: 1, kind: Net}, event{op: opUnblock, time: 100, by: none, g: 1}, event{op: opStart, time: 100, by: none, g: 1},
		event{op: opBlock, time: 100, by: 1, g: 1, kind: Sleep}, event{op: opUnblock, time: 150, by: none, g: 1})
	if i := f.Idle; i.Net != 300 || i.Sleep != 150 || i.Waiting != 450 {
		t.Errorf("two waits: %+v, want net 300 and sleep 150", i)
	}
}

// TestWhoWorks: a goroutine that runs while several were started works for the one that waits for them,
// whatever it waits in; a wait for something else makes none a worker.
func TestWhoWorks(t *testing.T) {
	for _, kind := range []Kind{WaitGroup, Sync, ChanSend, ChanReceive, Select, Sleep, Net, GC, Other} {
		works := slices.Contains([]Kind{WaitGroup, Sync, ChanSend, ChanReceive, Select}, kind)
		const long = 10 * shortRun
		for name, events := range map[string][]event{
			"one of two": {
				{op: opStatus, by: none, g: 1, to: running}, {op: opCreate, by: 1, g: 2, to: runnable}, {op: opCreate, by: 1, g: 3, to: runnable},
				{op: opStart, by: none, g: 2}, {op: opStart, by: none, g: 3}, {op: opEnd, by: 3, g: 3}, {op: opBlock, by: 1, g: 1, kind: kind}, {op: opEnd, time: long, by: 2, g: 2},
			},
			"a grandchild": {
				{op: opStatus, by: none, g: 1, to: running}, {op: opCreate, by: 1, g: 2, to: runnable}, {op: opCreate, by: 1, g: 3, to: runnable},
				{op: opStart, by: none, g: 2}, {op: opStart, by: none, g: 3}, {op: opEnd, by: 3, g: 3}, {op: opCreate, by: 2, g: 4, to: runnable}, {op: opStart, by: none, g: 4},
				{op: opBlock, by: 2, g: 2, kind: Sleep}, {op: opBlock, by: 1, g: 1, kind: kind}, {op: opEnd, time: long, by: 4, g: 4},
			},
			"a worker from before": {
				{op: opStatus, by: none, g: 1, to: running}, {op: opStatus, by: none, g: 2, to: running}, {op: opOpen, by: 1},
				{op: opBlock, by: 1, g: 1, kind: kind}, {op: opBlock, time: long, by: 2, g: 2, kind: Other},
			},
		} {
			f := feed(Options{Procs: 8}, events...)
			idle := float64(7 * long)
			serial, imbalance := idle, 0.
			if works {
				serial, imbalance = 0, idle
			}
			if i := f.Idle; i.Serial != serial || i.Imbalance != imbalance {
				t.Errorf("%s, which waits in %s: %+v, want serial %v, imbalance %v", name, kind, i, serial, imbalance)
			}
		}
		// One alone is no worker, nor is the one that opened the window.
		f := feed(Options{Procs: 8}, event{op: opStatus, by: none, g: 1, to: running}, event{op: opCreate, by: 1, g: 2, to: runnable}, event{op: opStart, by: none, g: 2},
			event{op: opBlock, by: 1, g: 1, kind: kind}, event{op: opEnd, time: long, by: 2, g: 2})
		if i := f.Idle; i.Serial != 7*long {
			t.Errorf("one alone, which waits in %s: %+v, want serial", kind, i)
		}
		f = feed(Options{Procs: 8}, event{op: opStatus, by: none, g: 1, to: running}, event{op: opCreate, by: 1, g: 2, to: runnable}, event{op: opCreate, by: 1, g: 3, to: runnable},
			event{op: opStart, by: none, g: 2}, event{op: opOpen, by: 2}, event{op: opBlock, by: 1, g: 1, kind: kind}, event{op: opEnd, time: long, by: 2, g: 2})
		if i := f.Idle; i.Imbalance != 0 {
			t.Errorf("the one that opened the window, which waits in %s: %+v, want no imbalance", kind, i)
		}
	}
}

// TestForked: a goroutine that runs alone may do a share of its own while those that it has started
// have ended or wait to send.
func TestForked(t *testing.T) {
	const long = 10 * shortRun
	for _, tt := range []struct {
		name   string
		events []event
		forked bool
	}{
		{"started none", nil, false},
		{"started one that ended", []event{{op: opCreate, by: 1, g: 2, to: runnable}, {op: opStart, by: none, g: 2}, {op: opEnd, by: 2, g: 2}}, true},
		{"started one that sleeps", []event{{op: opCreate, by: 1, g: 2, to: runnable}, {op: opStart, by: none, g: 2}, {op: opBlock, by: 2, g: 2, kind: Sleep}}, false},
		{"started one that waits to send", []event{{op: opCreate, by: 1, g: 2, to: runnable}, {op: opStart, by: none, g: 2}, {op: opBlock, by: 2, g: 2, kind: ChanSend}}, true},
		{"started two, of which one waits to send", []event{
			{op: opCreate, by: 1, g: 2, to: runnable}, {op: opStart, by: none, g: 2}, {op: opBlock, by: 2, g: 2, kind: ChanSend},
			{op: opCreate, by: 1, g: 3, to: runnable}, {op: opStart, by: none, g: 3}, {op: opBlock, by: 3, g: 3, kind: Sleep}}, false},
		{"started one that sent, and sleeps", []event{
			{op: opCreate, by: 1, g: 2, to: runnable}, {op: opStart, by: none, g: 2}, {op: opBlock, by: 2, g: 2, kind: ChanSend}, {op: opUnblock, by: 1, g: 2}, {op: opStart, by: none, g: 2}, {op: opBlock, by: 2, g: 2, kind: Sleep}}, false},
		{"has waited since", []event{{op: opCreate, by: 1, g: 2, to: runnable}, {op: opStart, by: none, g: 2}, {op: opEnd, by: 2, g: 2}, {op: opBlock, by: 1, g: 1, kind: Sleep}, {op: opUnblock, by: none, g: 1}, {op: opStart, by: none, g: 1}}, false},
	} {
		events := append([]event{{op: opStatus, by: none, g: 1, to: running}}, tt.events...)
		f := feed(Options{Procs: 9}, append(events, event{op: opBlock, time: long, by: 1, g: 1, kind: Other})...)
		forked := map[bool]float64{true: 8 * long}[tt.forked]
		if i := f.Idle; i.Forked != forked || i.Serial != 8*long {
			t.Errorf("%s: %+v, want forked %v of serial %v", tt.name, i, forked, 8*long)
		}
	}
}

// TestWhereResumed: the processor and the thread that a goroutine had before are two
// things.
func TestWhereResumed(t *testing.T) {
	for _, tt := range []struct {
		proc, thread int64
		want         [2]float64
	}{{5, 7, [2]float64{1, 1}}, {6, 7, [2]float64{0, 1}}, {5, 8, [2]float64{1, 0}}, {6, 8, [2]float64{0, 0}}, {7, 5, [2]float64{0, 0}}} {
		f := feed(Options{Procs: 9}, event{op: opStatus, by: none, g: 1, to: runnable}, event{op: opStart, by: none, g: 1, proc: 5, thread: 7}, event{op: opBlock, by: 1, g: 1, kind: Sleep, proc: 5, thread: 7},
			event{op: opUnblock, by: none, g: 1, proc: none, thread: none}, event{op: opStart, by: none, g: 1, proc: tt.proc, thread: tt.thread})
		if f.Resumptions != 1 || f.SameProc != tt.want[0] || f.SameThread != tt.want[1] {
			t.Errorf("on %d, thread %d: %d, %v, %v; want %v", tt.proc, tt.thread, f.Resumptions, f.SameProc, f.SameThread, tt.want)
		}
		// A system call comes back elsewhere.
		f = feed(Options{Procs: 9}, event{op: opStatus, by: none, g: 1, to: runnable}, event{op: opStart, by: none, g: 1, proc: 1, thread: 2}, event{op: opSyscall, by: 1, g: 1, proc: 1, thread: 2},
			event{op: opReturn, by: 1, g: 1, to: running, proc: 5, thread: 7}, event{op: opBlock, by: 1, g: 1, kind: Sleep, proc: 5, thread: 7},
			event{op: opUnblock, by: none, g: 1, proc: none, thread: none}, event{op: opStart, by: none, g: 1, proc: tt.proc, thread: tt.thread})
		if f.SameProc != tt.want[0] || f.SameThread != tt.want[1] {
			t.Errorf("after a call, on %d, thread %d: %v, %v; want %v", tt.proc, tt.thread, f.SameProc, f.SameThread, tt.want)
		}
	}
}

// TestDecoded: each event of the runtime is the step that it means.
func TestDecoded(t *testing.T) {
	gos := func(from, to trace.GoState, reason string, start trace.Stack) trace.StateTransition {
		x := trace.MakeGoStateTransition(42, from, to)
		x.Reason, x.Stack = reason, start
		return x
	}
	at := stackOf("runtime.x main.f main.main")
	begins := stackOf("main.worker")
	var ev event
	show := func(e *trace.Event) string {
		d := newDecoder(newEngine(Options{}))
		d.event(e, &ev)
		s := fmt.Sprintf("op %d to %d kind %q by %d g %d proc %d n %d", ev.op, ev.to, ev.kind, ev.by, ev.g, ev.proc, ev.n)
		if ev.at != nil && ev.at.site != 0 {
			s += " at " + d.e.sites.all[ev.at.site].Func
		}
		if ev.start != nil {
			s += " start " + d.e.sites.all[ev.start.root.at].Func
		}
		return s
	}
	step := func(o op, to gstate, kind Kind, by, g, proc, n int, rest string) string {
		return fmt.Sprintf("op %d to %d kind %q by %d g %d proc %d n %d%s", o, to, kind, by, g, proc, n, rest)
	}
	for _, tt := range []struct {
		name string
		of   *trace.Event
		want string
	}{
		{"created", made(t, trace.EventStateTransition, 9, 3, trace.NoStack, gos(trace.GoNotExist, trace.GoRunnable, "", begins)), step(opCreate, runnable, "", 9, 42, 3, 0, " start main.worker")},
		{"created blocked", made(t, trace.EventStateTransition, 9, 3, trace.NoStack, gos(trace.GoNotExist, trace.GoWaiting, "", begins)), step(opCreate, waiting, "", 9, 42, 3, 0, " start main.worker")},
		{"starts", made(t, trace.EventStateTransition, trace.NoGoroutine, 3, trace.NoStack, gos(trace.GoRunnable, trace.GoRunning, "", trace.NoStack)), step(opStart, running, "", none, 42, 3, 0, "")},
		{"blocks", made(t, trace.EventStateTransition, 42, 3, at, gos(trace.GoRunning, trace.GoWaiting, "chan receive", trace.NoStack)), step(opBlock, waiting, ChanReceive, 42, 42, 3, 0, " at main.f")},
		{"is woken", made(t, trace.EventStateTransition, 9, 3, at, gos(trace.GoWaiting, trace.GoRunnable, "", trace.NoStack)), step(opUnblock, runnable, "", 9, 42, 3, 0, " at main.f")},
		{"is preempted", made(t, trace.EventStateTransition, 42, 3, at, gos(trace.GoRunning, trace.GoRunnable, "preempted", trace.NoStack)), step(opStop, runnable, Preempted, 42, 42, 3, 0, " at main.f")},
		{"yields", made(t, trace.EventStateTransition, 42, 3, at, gos(trace.GoRunning, trace.GoRunnable, "runtime.Gosched", trace.NoStack)), step(opStop, runnable, Yield, 42, 42, 3, 0, " at main.f")},
		{"yields for the collector", made(t, trace.EventStateTransition, 42, 3, stackOf("runtime.Gosched runtime.GC main.f main.main"), gos(trace.GoRunning, trace.GoRunnable, "runtime.Gosched", trace.NoStack)), step(opStop, runnable, GC, 42, 42, 3, 0, " at main.f")},
		{"is preempted in the collector", made(t, trace.EventStateTransition, 42, 3, stackOf("runtime.GC main.f main.main"), gos(trace.GoRunning, trace.GoRunnable, "preempted", trace.NoStack)), step(opStop, runnable, Preempted, 42, 42, 3, 0, " at main.f")},
		{"ends", made(t, trace.EventStateTransition, 42, 3, trace.NoStack, gos(trace.GoRunning, trace.GoNotExist, "", trace.NoStack)), step(opEnd, gone, "", 42, 42, 3, 0, "")},
		{"ends in a call", made(t, trace.EventStateTransition, 42, 3, trace.NoStack, gos(trace.GoSyscall, trace.GoNotExist, "", trace.NoStack)), step(opEnd, gone, "", 42, 42, 3, 0, "")},
		{"calls", made(t, trace.EventStateTransition, 42, 3, at, gos(trace.GoRunning, trace.GoSyscall, "", trace.NoStack)), step(opSyscall, syscalling, "", 42, 42, 3, 0, " at main.f")},
		{"calls C", made(t, trace.EventStateTransition, 42, 3, stackOf("runtime.entersyscall runtime.cgocall main.f main.main"), gos(trace.GoRunning, trace.GoSyscall, "", trace.NoStack)), step(opSyscall, syscalling, Cgo, 42, 42, 3, 0, " at main.f")},
		{"returns", made(t, trace.EventStateTransition, 42, 3, trace.NoStack, gos(trace.GoSyscall, trace.GoRunning, "", trace.NoStack)), step(opReturn, running, "", 42, 42, 3, 0, "")},
		{"returns to none", made(t, trace.EventStateTransition, 42, 3, trace.NoStack, gos(trace.GoSyscall, trace.GoRunnable, "", trace.NoStack)), step(opReturn, runnable, "", 42, 42, 3, 0, "")},
		{"a processor stops", made(t, trace.EventStateTransition, 9, 3, trace.NoStack, trace.MakeProcStateTransition(5, trace.ProcRunning, trace.ProcIdle)), step(opRetake, unknown, "", 9, 0, 5, 0, "")},
		{"a processor starts", made(t, trace.EventStateTransition, 9, 3, trace.NoStack, trace.MakeProcStateTransition(5, trace.ProcIdle, trace.ProcRunning)), step(opNone, unknown, "", 9, 0, 3, 0, "")},
		{"processors", made(t, trace.EventMetric, 9, 3, trace.NoStack, trace.Metric{Name: "/sched/gomaxprocs:threads", Value: trace.Uint64Value(16)}), step(opProcs, unknown, "", 9, 0, 3, 16, "")},
		{"more processors than there can be", made(t, trace.EventMetric, 9, 3, trace.NoStack, trace.Metric{Name: "/sched/gomaxprocs:threads", Value: trace.Uint64Value(1 << 40)}), step(opProcs, unknown, "", 9, 0, 3, 1<<16, "")},
		{"the heap", made(t, trace.EventMetric, 9, 3, trace.NoStack, trace.Metric{Name: "/gc/heap/goal:bytes", Value: trace.Uint64Value(16)}), step(opNone, unknown, "", 9, 0, 3, 0, "")},
		{"the collector marks", made(t, trace.EventRangeBegin, 9, 3, trace.NoStack, trace.Range{Name: "GC concurrent mark phase"}), step(opGCBegin, unknown, "", 9, 0, 3, 0, "")},
		{"it is marking", made(t, trace.EventRangeActive, 9, 3, trace.NoStack, trace.Range{Name: "GC concurrent mark phase"}), step(opGCBegin, unknown, "", 9, 0, 3, 0, "")},
		{"it has marked", made(t, trace.EventRangeEnd, 9, 3, trace.NoStack, trace.Range{Name: "GC concurrent mark phase"}), step(opGCEnd, unknown, "", 9, 0, 3, 0, "")},
		{"it sweeps", made(t, trace.EventRangeBegin, 9, 3, trace.NoStack, trace.Range{Name: "GC incremental sweep", Scope: trace.MakeResourceID(trace.ProcID(3))}), step(opNone, unknown, "", 9, 0, 3, 0, "")},
		{"it has swept", made(t, trace.EventRangeEnd, 9, 3, trace.NoStack, trace.Range{Name: "GC incremental sweep", Scope: trace.MakeResourceID(trace.ProcID(3))}), step(opNone, unknown, "", 9, 0, 3, 0, "")},
		{"a worker of the collector", made(t, trace.EventLabel, 9, 3, trace.NoStack, trace.Label{Label: "GC (dedicated)", Resource: trace.MakeResourceID(trace.GoID(42))}), step(opSystem, unknown, "", 42, 42, 3, 0, "")},
		{"a label of another", made(t, trace.EventLabel, 9, 3, trace.NoStack, trace.Label{Label: "G", Resource: trace.MakeResourceID(trace.GoID(42))}), step(opNone, unknown, "", 42, 0, 3, 0, "")},
		{"opens", made(t, trace.EventLog, 9, 3, at, trace.Log{Category: "payoff", Message: "start"}), step(opOpen, unknown, "", 9, 0, 3, 0, " at main.f")},
		{"resets", made(t, trace.EventLog, 9, 3, at, trace.Log{Category: "payoff", Message: "reset"}), step(opReset, unknown, "", 9, 0, 3, 0, " at main.f")},
		{"closes", made(t, trace.EventLog, 9, 3, at, trace.Log{Category: "payoff", Message: "stop"}), step(opClose, unknown, "", 9, 0, 3, 0, " at main.f")},
		{"logs", made(t, trace.EventLog, 9, 3, at, trace.Log{Category: "mine", Message: "stop"}), step(opNone, unknown, "", 9, 0, 3, 0, "")},
	} {
		if got := show(tt.of); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
		if ev.time != 5 || ev.thread != 7 {
			t.Errorf("%s: at %d on thread %d, want 5 on 7", tt.name, ev.time, ev.thread)
		}
	}
}

// TestTops: what is most comes first, equals by kind and place, and what there is no
// room for is kept by its kind.
func TestTops(t *testing.T) {
	s := newSites()
	at := func(i int) site { return s.number(source.Place{File: "f.go", Line: i}) }
	for i := 100; i > 0; i-- {
		at(i) // later lines have lower numbers
	}
	blocks := map[blockAt]waits{}
	for i := range 70 {
		blocks[blockAt{[]Kind{Sleep, Net}[i%2], at(i + 1)}] = waits{n: 1, total: int64(1000 - i/2)}
	}
	list := s.topBlocks(blocks)
	if len(list) != maxBlocks+2 {
		t.Fatalf("%d blocks, want %d and two", len(list), maxBlocks)
	}
	n, total, last := 0, 0., 1e9
	for i, b := range list {
		if b.Total > last || b.Total == last && list[i-1].Kind > b.Kind {
			t.Errorf("%+v comes after %+v", b, list[i-1])
		}
		n, total, last = n+b.N, total+b.Total, b.Total
		if rest := b.Site == (source.Place{}); rest != (b.N == 3) {
			t.Errorf("%+v, want three at no place, and one at each", b)
		}
	}
	want(t, "waits", float64(n), 70)
	want(t, "time", total, 2*float64(35*1000-35*34/2))

	times := map[site]float64{at(1): 5, at(2): 5, at(3): 9, at(4): 1, at(5): 5, at(6): 5, at(7): 5, at(8): 5, at(9): 5, at(10): 5}
	var lines []int
	for _, x := range s.topTimes(times) {
		lines = append(lines, x.Site.Line)
	}
	if !slices.Equal(lines, []int{3, 1, 2, 5, 6, 7, 8, 9}) {
		t.Errorf("lines %v", lines)
	}

	// Steps of functions that say the same are one, and none is of no time.
	f, again, g := s.number(source.Place{Func: "f", Line: 1}), s.number(source.Place{Func: "f", Line: 2}), s.number(source.Place{Func: "g"})
	steps := map[step]pieces{{f, at(5)}: {10, 1}, {again, at(5)}: {20, 2}, {g, at(5)}: {30, 4}, {g, at(4)}: {30, 5}, {f, at(9)}: {0, 7}, {f, at(1)}: {31, 1}}
	var got []string
	for _, x := range s.topSteps(steps) {
		got = append(got, fmt.Sprintf("%s:%d %v in %d", x.Func, x.Site.Line, x.Time, x.Count))
	}
	if want := "f:1 31 in 1, f:5 30 in 3, g:4 30 in 5, g:5 30 in 4"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
	many := map[step]pieces{}
	for i := range 20 {
		many[step{g, at(i + 1)}] = pieces{int64(100 - i), 1}
	}
	if list := s.topSteps(many); len(list) != maxSteps || list[maxSteps-1].Time != 85 {
		t.Errorf("%d steps, want the %d longest", len(list), maxSteps)
	}
}

// TestSitesOfTwo: what two windows count of a line adds up, before the most are taken.
func TestSitesOfTwo(t *testing.T) {
	s := newSites()
	at := func(i int) site { return s.number(source.Place{File: "f.go", Line: i}) }
	a, _ := lineage(Options{})
	for range 2 {
		a.open = true
		a.win.spawns[at(1)], a.win.callers[at(1)] = 3, 3
		a.win.serialAt[at(1)], a.win.unequalAt[at(1)] = 3, 3
		a.win.serialAt[at(2)], a.win.unequalAt[at(2)] = 2, 2
		for i := range 70 {
			a.win.callers[at(i+2)]++
		}
		a.win.callers[at(71)] += 2
		a.closeWindow()
	}
	a.win.callers[at(71)] = 1
	a.open = true
	f := a.facts(s)
	if len(f.SpawnSites) != 1 || f.SpawnSites[0].N != 6 {
		t.Errorf("SpawnSites = %+v, want 6 of one", f.SpawnSites)
	}
	if c := f.Callers; len(c) != 64 || c[0].Line != 71 || c[1].Line != 1 || c[63].Line != 63 {
		t.Errorf("%d callers %v, want 64: the line of 7, the one of 6, the others", len(c), c)
	}
	want(t, "SerialSites", f.Idle.SerialSites[0].Time, 6)
	want(t, "ImbalanceSites", f.Idle.ImbalanceSites[1].Time, 4)
}

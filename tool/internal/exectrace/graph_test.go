package exectrace

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// tasksOf returns the graphs of a simulated program.
func tasksOf(t *testing.T, procs, most int, main func(g *simG)) []*Graph {
	t.Helper()
	s := newSim(procs, Options{})
	s.e.tasks = newTasker(s.e, most)
	s.run(func(g *simG) {
		g.mark(opOpen)
		main(g)
		g.mark(opClose)
	})
	for _, g := range s.e.tasks.done {
		if err := g.check(); err != nil {
			t.Errorf("%v in\n%s", err, g)
		}
	}
	return s.e.tasks.done
}

// String writes a thread a line, with times in µs.
func (g *Graph) String() string {
	var b strings.Builder
	for i, th := range g.Threads {
		fmt.Fprintf(&b, "%d", i)
		for _, a := range th.Acts {
			switch a.Do {
			case DoRun:
				fmt.Fprintf(&b, " run%d", a.Time/1000)
			case DoSpawn:
				fmt.Fprintf(&b, " go%d", a.N)
			case DoAwait:
				fmt.Fprintf(&b, " wait%d:%d", a.N, g.Waits[a.N].Need)
			case DoSignal:
				fmt.Fprintf(&b, " wake%d", a.N)
			case DoMeet:
				fmt.Fprintf(&b, " meet%d", a.N)
			case DoYield:
				b.WriteString(" yield")
			case DoOutside:
				fmt.Fprintf(&b, " away%d", a.Time/1000)
			case DoLock:
				fmt.Fprintf(&b, " lock%d", a.N)
			case DoUnlock:
				fmt.Fprintf(&b, " unlock%d", a.N)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// held says that g gives lock back after d ns.
func (g *simG) held(lock uint64, d int64) {
	g.emit(event{op: opHeld, id: lock<<40 | uint64(d), at: g.stance("held")})
}

// TestGraphs: what goroutines did to each other is in the graph, as far as a trace has it.
func TestGraphs(t *testing.T) {
	for _, test := range []struct {
		name  string
		procs int
		main  func(g *simG)
		want  string
	}{
		{"a wait group waits for all, of which the trace shows the last", 1, func(g *simG) {
			w := &simGroup{n: 3}
			for _, d := range []int64{10, 20, 30} {
				g.spawn("w", func(g *simG) { g.work(d * us); g.done(w) })
				g.work(us)
			}
			g.wait(w)
			g.work(5 * us)
		}, "0 run0 go1 run1 go2 run1 go3 run1 wait0:3 run5\n1 run10 wake0\n2 run20 wake0\n3 run30 wake0\n"},
		{"a wait that finds all done on two processors", 2, func(g *simG) {
			for range 2 {
				w := &simGroup{n: 1}
				g.spawn("w", func(g *simG) { g.work(10 * us); g.done(w) })
				g.work(30 * us)
				g.wait(w)
				g.work(5 * us)
			}
		}, "0 run0 go1 run10 wait0:1 run25 go2 run10 wait1:1 run25\n1 run10 wake0\n2 run10 wake1\n"},
		{"what receives from a sender that waits comes after it", 1, func(g *simG) {
			c := &simChan{}
			g.spawn("s", func(g *simG) { g.work(10 * us); g.send(c, 1); g.work(20 * us) })
			g.work(us)
			w := &simGroup{n: 1}
			g.spawn("idle", func(g *simG) { g.work(us); g.done(w) })
			g.wait(w)
			g.work(2 * us)
			g.recv(c)
		}, ""},
		{"a sleep is outside", 1, func(g *simG) {
			g.work(us)
			g.sleep(50 * us)
			g.work(2 * us)
		}, "0 run1 away50 run2\n"},
		{"a short call runs, a long one is outside", 1, func(g *simG) {
			g.work(us)
			g.syscall(5 * us)
			g.work(us)
			g.syscall(90 * us)
			g.work(us)
		}, "0 run7 away90 run1\n"},
		{"what nothing ends in the window ends a thread", 1, func(g *simG) {
			c := &simChan{}
			g.spawn("r", func(g *simG) { g.work(10 * us); g.recv(c); g.work(99 * us) })
			w := &simGroup{n: 1}
			g.spawn("w", func(g *simG) { g.work(us); g.done(w) })
			g.wait(w)
		}, ""},
	} {
		graphs := tasksOf(t, test.procs, 0, test.main)
		if len(graphs) != 1 {
			t.Errorf("%s: %d graphs, want 1", test.name, len(graphs))
			continue
		}
		if got := graphs[0].String(); test.want != "" && strings.ReplaceAll(got, " run0", "") != strings.ReplaceAll(test.want, " run0", "") {
			t.Errorf("%s:\n%swant\n%s", test.name, got, test.want)
		} else if test.want == "" {
			t.Logf("%s:\n%s", test.name, got)
		}
	}
}

// TestGraphsHeld: where a lock is given back, what was done since it was taken is done with
// it, with what was computed, waited for and started in between.
func TestGraphsHeld(t *testing.T) {
	for _, test := range []struct {
		name string
		main func(g *simG)
		want string
	}{
		{"a part of a stretch", func(g *simG) {
			g.work(10 * us)
			g.held(7, 4*us)
			g.work(3 * us)
			g.held(9, 2*us)
			g.held(7, 3*us)
		}, "0 run6 lock0 run4 unlock0 lock0 run1 lock1 run2 unlock1 unlock0\n"},
		{"a sleep", func(g *simG) {
			g.work(5 * us)
			g.sleep(50 * us)
			g.work(2 * us)
			g.held(7, 54*us)
			g.work(us)
		}, "0 run3 lock0 run2 away50 run2 unlock0 run1\n"},
		{"one in the other, which seems to have begun before it", func(g *simG) {
			g.work(5 * us)
			g.held(9, 3*us)
			g.held(7, 3*us-64)
		}, "0 run2 lock1 lock0 run3 unlock0 unlock1\n"},
		{"a channel that a timer ends", func(g *simG) {
			g.work(5 * us)
			g.wakes = g.s.now + 50*us
			g.s.sleepers = append(g.s.sleepers, g)
			g.block(Select)
			g.work(2 * us)
			g.held(7, 54*us)
		}, "0 run3 lock0 run2 away50 run2 unlock0\n"},
		{"taken before the window", func(g *simG) {
			g.work(5 * us)
			g.held(7, 99*us)
		}, "0 lock0 run5 unlock0\n"},
		{"all that it did", func(g *simG) {
			w := &simGroup{n: 1}
			g.spawn("w", func(g *simG) { g.work(8 * us); g.held(7, 8*us); g.done(w) })
			g.wait(w)
		}, "0 go1 wait0:1\n1 lock0 run8 unlock0 wake0\n"},
	} {
		graphs := tasksOf(t, 1, 0, test.main)
		if len(graphs) != 1 || graphs[0].Locks == 0 {
			t.Errorf("%s: %d graphs, want 1 with locks", test.name, len(graphs))
		} else if got := graphs[0].String(); strings.ReplaceAll(got, " run0", "") != test.want {
			t.Errorf("%s:\n%swant\n%s", test.name, got, test.want)
		}
	}
}

// TestGraphsMeet: a receive from a sender that waits is a meeting, a send to a receiver
// that waits is none: there may be a buffer.
func TestGraphsMeet(t *testing.T) {
	g := tasksOf(t, 1, 0, func(g *simG) {
		c, d := &simChan{}, &simChan{}
		g.spawn("s", func(g *simG) { g.send(c, 1) })
		g.recv(d) // the sender waits meanwhile
	})
	if len(g) != 0 {
		t.Fatalf("%d graphs of a window that does not close, want none", len(g))
	}
	g = tasksOf(t, 1, 0, func(g *simG) {
		c, d := &simChan{}, &simChan{}
		g.spawn("s", func(g *simG) { g.work(us); g.send(c, 1) })
		g.spawn("other", func(g *simG) { g.work(us); g.send(d, 1) })
		g.recv(d)
		g.work(us)
		g.recv(c)
	})
	s := g[0].String()
	if n := strings.Count(s, "meet"); n+strings.Count(s, "wake") < 2 {
		t.Errorf("no meeting and no wake for two receives:\n%s", s)
	}
}

// TestGraphsCut: a graph has no more acts than asked for, and knows of how long a window it
// is a part.
func TestGraphsCut(t *testing.T) {
	main := func(g *simG) {
		for range 100 {
			w := &simGroup{n: 1}
			g.spawn("w", func(g *simG) { g.work(us); g.done(w) })
			g.wait(w)
		}
	}
	whole, part := tasksOf(t, 1, 0, main)[0], tasksOf(t, 1, 50, main)[0]
	if whole.Window != whole.Whole || whole.Whole != part.Whole {
		t.Errorf("Window, Whole = %v, %v of the whole, %v of the part; want all but the part's window equal", whole.Window, whole.Whole, part.Whole)
	}
	if part.Window > 0.2*part.Whole || part.Window <= 0 {
		t.Errorf("Window = %v of %v, want a small part", part.Window, part.Whole)
	}
}

// TestGraphsRecorded: the graphs of traces of real programs have all that ran, can be run,
// and have as many goroutines.
func TestGraphsRecorded(t *testing.T) {
	for _, name := range allRecorded(t) {
		graphs, err := GraphsOf(recorded(t, name), Options{})
		if err != nil || len(graphs) != 1 {
			t.Errorf("%s: %d graphs, %v; want 1", name, len(graphs), err)
			continue
		}
		g, f := graphs[0], mustRead(t, name)
		if err := g.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		n, work := g.Spawned()
		if n != f.Goroutines {
			t.Errorf("%s: %d threads were started, want %d", name, n, f.Goroutines)
		}
		if math.Abs(work/f.Work-1) > 0.02 {
			t.Errorf("%s: threads compute %.0f ns, want %.0f", name, work, f.Work)
		}
		if g.Window != f.Window {
			t.Errorf("%s: Window = %v, want %v", name, g.Window, f.Window)
		}
	}
}

// TestGraphsUnmarked: a trace without marks is none of a benchmark.
func TestGraphsUnmarked(t *testing.T) {
	if _, err := GraphsOf([]byte("go 1.26 trace\x00\x00\x00"), Options{}); err == nil {
		t.Error("an empty trace: no error, want one")
	}
}

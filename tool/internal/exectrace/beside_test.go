package exectrace

import "testing"

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

package exectrace

import (
	"slices"
	"testing"
)

// TestTimeline: who runs in each slot, and who does so alone; windows add up, and what
// a reset throws away is not there.
func TestTimeline(t *testing.T) {
	const each = 25 * us
	for _, c := range []struct{ from, first, slots int }{{0, 0, 60}, {10, 10, 50}, {59, 59, 1}, {60, 0, 0}} {
		f := newSim(2, Options{From: float64(c.from) * each, Length: slots * each}).run(func(g *simG) {
			g.mark(opOpen)
			split(75*us, 100*us, 100*us)(g)
			g.mark(opReset)
			g.work(300 * us)
			g.mark(opClose)
			g.work(1000 * us)
			g.mark(opOpen)
			split(300*us, 900*us, 100*us)(g)
			g.mark(opClose)
		})
		l := f.Timeline
		if c.slots == 0 {
			if l != nil {
				t.Errorf("from %d: %+v after the windows", c.from, l)
			}
			continue
		}
		if l == nil || len(l.Running) != c.slots || len(l.System) != c.slots || len(l.Ready) != c.slots || len(l.Alone) != c.slots || len(l.Who) != c.slots || l.From != float64(c.from)*each || l.Slot != each {
			t.Fatalf("from %d: %+v, want %d slots", c.from, l, c.slots)
		}
		for i := range c.slots {
			running, alone, who := 1., 1., "user.main"
			switch at := c.from + i; {
			case 24 <= at && at < 28:
				running, alone, who = 2, 0, ""
			case at >= 28:
				who = "user.part"
			}
			got := ""
			if n := l.Who[i]; n >= 0 {
				got = l.Sites[n].Func
			}
			if l.Running[i] != running || l.Alone[i] != alone || l.System[i] != 0 || got != who {
				t.Errorf("from %d, slot %d: %v running, alone %v, %q; want %v, %v, %q", c.from, i, l.Running[i], l.Alone[i], got, running, alone, who)
			}
		}
	}
}

// A piece in which windows end and begin is that of all of them, and the last slot says
// what was while there was something.
func TestTimelineOfParts(t *testing.T) {
	f := newSim(1, Options{Length: slots * us}).run(func(g *simG) {
		for range 7 {
			g.mark(opOpen)
			g.work(us / 2)
			g.mark(opClose)
			g.work(5 * us)
		}
	})
	if l := f.Timeline; l == nil || !slices.Equal(l.Running, []float64{1, 1, 1, 1}) || !slices.Equal(l.Alone, []float64{0, 0, 0, 0}) || len(l.Sites) != 0 {
		t.Errorf("%+v, want 3.5 slots with the one processor running", l)
	}
	if f := simulate(2, split(us, us)); f.Timeline != nil {
		t.Errorf("%+v, which nobody asked for", f.Timeline)
	}
}

// TestDraw: the user's goroutines come first, the system's have what is left, and one is
// alone where it is the user's and another processor could have run something.
func TestDraw(t *testing.T) {
	for _, tt := range []struct {
		users, system, procs   int
		running, others, alone float64
	}{
		{2, 1, 2, 2, 0, 0},
		{1, 1, 2, 1, 1, 0},
		{1, 0, 2, 1, 0, 1},
		{1, 0, 1, 1, 0, 0},
		{0, 1, 2, 0, 1, 0},
		{3, 2, 4, 3, 1, 0},
		{0, 0, 2, 0, 0, 0},
		{9, 0, 8, 8, 0, 0},
	} {
		a, g := lineage(Options{Length: slots})
		a.crew.procs, a.crew.sysBusy = tt.procs, tt.system
		for range tt.users {
			a.crew.runners = append(a.crew.runners, g(nil, 1, 0))
		}
		a.draw(2)
		for i, x := range a.win.line[:3] {
			full := 1.
			if i == 2 {
				full = 0
			}
			if x.running != full*tt.running || x.system != full*tt.others || x.alone != full*tt.alone {
				t.Errorf("slot %d of %+v: %v run, of the system %v, alone %v", i, tt, x.running, x.system, x.alone)
			}
		}
	}
}

// TestLinesAddUp: what two windows have of a slot adds up, and so does who was alone.
func TestLinesAddUp(t *testing.T) {
	var sum line
	sum.add(&line{2: {running: 1, system: 2, ready: 3, alone: 4, who: map[site]float64{1: 1, 2: 3}}})
	sum.add(&line{2: {running: 10, system: 20, ready: 30, alone: 40, who: map[site]float64{1: 10, 3: 30}}})
	x := sum[2]
	if x.running != 11 || x.system != 22 || x.ready != 33 || x.alone != 44 || len(x.who) != 3 || x.who[1] != 11 || x.who[2] != 3 || x.who[3] != 30 {
		t.Errorf("%+v, want 11, 22, 33, 44 and 11 at the first site", x)
	}
}

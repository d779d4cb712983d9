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

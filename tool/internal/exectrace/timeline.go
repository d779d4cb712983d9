package exectrace

import (
	"math"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// slots is how many a whole timeline has.
const slots = 96

// A Timeline is a piece of the windows, cut into equal slots: who ran in each, on
// average. The columns are equally long, and shorter than [Options] asks for where
// the windows end before.
type Timeline struct {
	From, Slot float64   // ns: where it begins, windows added up, and a slot's length
	Running    []float64 // processors that ran goroutines of the user
	System     []float64 // processors that ran those of the system
	Ready      []float64 // goroutines of the user that had no processor
	Alone      []float64 // share of the slot in which one goroutine ran and nobody else
	Who        []int     // index in Sites of the one that did so for longest; -1: nobody
	Sites      []source.Place
}

// A line is a timeline as it is made. A slot's figures are times.
type line [slots]struct {
	running, system, ready, alone float64
	who                           map[site]float64
}

// draw puts a time t, which the open window has not counted yet, into the timeline.
func (a *accounts) draw(t float64) {
	w, c := &a.win, a.crew
	from := a.total.window + w.window - a.opt.From
	to := min(from+t, a.opt.Length)
	from = max(from, 0)
	if from >= to {
		return
	}
	if w.line == nil {
		w.line = new(line)
	}
	users := min(len(c.runners), c.procs)
	system := min(c.sysBusy, c.procs-users)
	each := a.opt.Length / slots
	for i := int(from / each); i < slots && from < to; i++ {
		end := min(float64(i+1)*each, to)
		d := max(end-from, 0)
		s := &w.line[i]
		s.running += d * float64(users)
		s.system += d * float64(system)
		s.ready += d * float64(c.runnable)
		if users+system == 1 && users == 1 && c.procs > 1 {
			s.alone += d
			if s.who == nil {
				s.who = map[site]float64{}
			}
			s.who[a.stands(c.runners[0])] += d
		}
		from = max(from, end)
	}
}

// add adds another window's line.
func (l *line) add(o *line) {
	for i := range l {
		s, x := &l[i], &o[i]
		s.running += x.running
		s.system += x.system
		s.ready += x.ready
		s.alone += x.alone
		for at, d := range x.who {
			if s.who == nil {
				s.who = map[site]float64{}
			}
			s.who[at] += d
		}
	}
}

// timeline is what l says of windows that are so long together; nil where it has
// nothing.
func (s *sites) timeline(l *line, o Options, window float64) *Timeline {
	if l == nil {
		return nil
	}
	t := &Timeline{From: o.From, Slot: o.Length / slots}
	index := map[source.Place]int{}
	for i := range l {
		x := &l[i]
		d := min(window-o.From-float64(i)*t.Slot, t.Slot) // of the last there may be a part
		if d <= 1e-6*t.Slot {
			break
		}
		share := func(v float64) float64 { return math.Round(1000*v/d) / 1000 }
		t.Running = append(t.Running, share(x.running))
		t.System = append(t.System, share(x.system))
		t.Ready = append(t.Ready, share(x.ready))
		t.Alone = append(t.Alone, share(x.alone))
		who := -1
		for _, at := range top(x.who, 1, s.less) {
			p := s.all[at]
			n, ok := index[p]
			if !ok {
				n = len(t.Sites)
				index[p], t.Sites = n, append(t.Sites, p)
			}
			who = n
		}
		t.Who = append(t.Who, who)
	}
	return t
}

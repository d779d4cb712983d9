package explain

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// A Loss is the time that one place lost to one cause.
type Loss struct {
	Slug  string       // of the cause
	Place source.Place // zero: what no evidence places
	NS    float64      // per operation
	// Low and High bound NS with 95 % confidence, by the bounds of the cause's
	// share and by how many samples the place has of it; NaN where the share has
	// no bounds. Idle time and its sites are not sampled.
	Low, High float64
}

// A spread is time by place.
type spread map[source.Place]float64

// total adds up in a fixed order.
func (m spread) total() float64 {
	sum := 0.0
	for _, p := range places(m) {
		sum += m[p]
	}
	return sum
}

// share adds ns to out, to each place as much of it as the place has of m, or
// to none where m is empty.
func (m spread) share(ns float64, out spread) {
	all := m.total()
	if all <= 0 {
		m, all = spread{{}: 1}, 1
	}
	for p, x := range m {
		out[p] += ns * x / all
	}
}

// take moves ns to out from the places that fit, from each the same part of
// what it has, and returns how much there was.
func (m spread) take(ns float64, out spread, fits func(source.Place) bool) float64 {
	some := spread{}
	for p, x := range m {
		if fits(p) {
			some[p] = x
		}
	}
	all := some.total()
	ns = min(ns, all)
	if ns <= 0 {
		return 0
	}
	for p, x := range some {
		out[p] += ns * x / all
		m[p] -= ns * x / all
	}
	return ns
}

// A placed is what a cause was charged with, by place: processor time that was
// spent there, and what followed from what is there, on stacks of the system and
// as idle processors.
type placed struct{ spent, followed spread }

// stackless are the categories of which the system does much on stacks of its
// own, for what the user's code asked of it before.
var stackless = []stack.Category{stack.Switch, stack.Spawn, stack.Yield, stack.GC, stack.Sweep}

// place says where what a rule has taken from the ledger was lost.
//
// Processor time is where the profiles have it. Each bucket is an account by
// line, too, from which causes take in the order of the rules: at the lines
// that the evidence of the claim names, then at any. So no line is charged with
// more than it lost. What the system did on its own stacks, and idle time, is at
// the sites that the claim names, or else where the cause takes processor time.
func (f *facts) place(slug string, c claim) placed {
	out := placed{spread{}, spread{}}
	rest := 0.0
	for _, b := range slices.SortedFunc(maps.Keys(f.book.spent), bucket.compare) {
		ns := f.book.spent[b][slug]
		switch {
		case ns <= 0:
		case b.of == "":
			rest += ns
		default:
			if f.lines[b] == nil {
				f.lines[b] = f.byLine(b)
			}
			got := spread{}
			ns -= f.lines[b].take(ns, got, func(p source.Place) bool { return slices.ContainsFunc(c.lines, p.OnLine) })
			ns -= f.lines[b].take(ns, got, func(source.Place) bool { return true })
			got[source.Place{}] += ns // what rounding left
			if slices.Contains(stackless, b.of) {
				rest += got[source.Place{}]
				delete(got, source.Place{})
			}
			for p, ns := range got {
				out.spent[p] += ns
			}
		}
	}
	sites := spread{}
	for _, s := range c.sites {
		if !own(s.Site) {
			s.Site = source.Place{}
		}
		sites[s.Site] += s.Time
	}
	if sites.total() <= 0 {
		sites = out.spent
	}
	sites.share(rest, out.followed)
	return out
}

// byLine divides a bucket of processor time among lines: by how much longer
// each takes than on the other side. What the profile has on none of its lines
// is at the zero Place.
func (f *facts) byLine(b bucket) spread {
	side, other := f.one, f.base
	switch {
	case b.kind == AtOnce:
		side, other = f.new, f.one
	case f.one == nil:
		side = f.new
	}
	now, was := side.spent(b.of), other.spent(b.of)
	if other.by(b.of) == 0 { // it counts as if it had none of this
		was = nil
	}
	out := spread{}
	for p, ns := range now {
		out[p] = max(0, ns-was[p])
	}
	if hidden := side.by(b.of) - now.total() - max(0, other.by(b.of)-was.total()); hidden > 0 {
		out[source.Place{}] += hidden
	}
	opened := spread{}
	out.share(f.book.opened[b], opened)
	return opened
}

// blocked are the sites where goroutines block for such reasons, with how often
// they do.
func (f *facts) blocked(kinds ...exectrace.Kind) []exectrace.SiteTime {
	var out []exectrace.SiteTime
	for _, b := range f.blockSites(kinds...) {
		out = append(out, exectrace.SiteTime{Site: b.Site, Time: float64(b.N)})
	}
	return out
}

// waited are the sites where goroutines block for such reasons, with how long.
func (f *facts) waited(kinds ...exectrace.Kind) []exectrace.SiteTime {
	var out []exectrace.SiteTime
	for _, b := range f.blockSites(kinds...) {
		out = append(out, exectrace.SiteTime{Site: b.Site, Time: b.Total})
	}
	return out
}

// ran are the sites of who ran during the idle time ns, by the trace. What it
// shows of no line of the user's is at the sites others, if there are any.
func ran(sites []exectrace.SiteTime, ns float64, others []exectrace.SiteCount) []exectrace.SiteTime {
	var out []exectrace.SiteTime
	for _, s := range sites {
		if own(s.Site) {
			out = append(out, s)
			ns -= s.Time
		}
	}
	all := 0.0
	for _, s := range others {
		all += float64(s.N)
	}
	if all == 0 {
		return append(out, exectrace.SiteTime{Time: max(0, ns)})
	}
	for _, s := range others {
		out = append(out, exectrace.SiteTime{Site: s.Site, Time: max(0, ns) * float64(s.N) / all})
	}
	return out
}

// locate gives the finding its Losses, once its causes have their intervals.
func (x *Finding) locate() {
	t := 0.0
	if n := x.processes(); n > 1 {
		t = student(n - 1)
	}
	for _, c := range x.Causes {
		at, ok := x.placed[c.Slug]
		if !ok { // it stands for the whole account
			at = placed{followed: spread{{}: c.NS}}
		}
		spent, all := at.byLine()
		total, samples := spent.total(), x.samples(spent.total())
		from := len(x.Losses)
		for _, p := range places(all) {
			l := Loss{Slug: c.Slug, Place: p, NS: all[p]}
			if l.NS < 1e-9*c.NS { // of rounding
				continue
			}
			se := 0.0
			if samples > 0 {
				part := min(1, spent[p]/total)
				se = total * math.Sqrt(part*(1-part)/samples)
			}
			l.Low = max(0, l.NS-math.Hypot(t*se, l.NS*(c.Share-c.Low)/c.Share))
			l.High = l.NS + math.Hypot(t*se, l.NS*(c.High-c.Share)/c.Share)
			x.Losses = append(x.Losses, l)
		}
		slices.SortStableFunc(x.Losses[from:], mostFirst)
	}
}

// samples is how many independent samples of the profile so much processor time
// rests on.
func (x *Finding) samples(ns float64) float64 {
	side := x.Page.New
	if side == nil || side.Set == nil || side.Set.CPU == nil || side.CPU <= 0 {
		return 0
	}
	return float64(side.Set.CPU.Samples) * ns / side.CPU / dispersion(side)
}

// byLine is the processor time by line, and all time: evidence of some kinds
// names a line without its function.
func (x placed) byLine() (spent, all spread) {
	names := map[source.Place]string{}
	for _, m := range []spread{x.spent, x.followed} {
		for _, p := range places(m) {
			names[p.Spot()] = cmp.Or(names[p.Spot()], p.Func)
		}
	}
	add := func(out, m spread) {
		for _, p := range places(m) {
			at := p.Spot()
			at.Func = names[at]
			out[at] += m[p]
		}
	}
	spent, all = spread{}, spread{}
	add(spent, x.spent)
	add(all, x.spent)
	add(all, x.followed)
	return spent, all
}

// mostFirst orders losses, what has no place last.
func mostFirst(a, b Loss) int {
	unknown := func(l Loss) int {
		if l.Place.IsZero() {
			return 1
		}
		return 0
	}
	return cmp.Or(unknown(a)-unknown(b), cmp.Compare(b.NS, a.NS), a.Place.Compare(b.Place))
}

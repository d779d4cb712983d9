package exectrace

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// Delays are waits that no processor could shorten, but the program could: something is
// looked for again and again between sleeps, a timer keeps back what others wait for, or
// a round of goroutines waits for its slowest.
type Delays struct {
	Looks   []Look   `json:",omitempty"` // most time first, at most 8 of each
	Lingers []Linger `json:",omitempty"`
	Rounds  []Round  `json:",omitempty"`
}

// A Look is a line where goroutines wait for a timer, run for a moment and wait for it
// again. In between they wake nothing, start nothing, call nothing and wait for nothing
// else; locks aside.
type Look struct {
	Site source.Place
	N    int     // waits at this line
	Vain int     // of them, those that another followed so
	Rows int     // of such waits, that ended with something else
	Time float64 // of all waits
}

// A Linger is a line where a timer ended a wait. What was set off by that woke others,
// which had ended a wait there before, and waited when the timer ended.
type Linger struct {
	Site   source.Place
	N      int     // waits of others
	Time   float64 // of these, while it waited for the timer
	Fired  int     // waits here that a timer ended
	Handed int     // and those that another goroutine did
}

// A Round is a line that starts goroutines which their creator awaits, again and again,
// and for no operation.
type Round struct {
	Site  source.Place
	N     int     // rounds
	Began int     // goroutines
	Time  float64 // of the rounds
	Slots float64 // that time, for each of the most goroutines that a round had at once
	Used  float64 // of it, while they were there
	Gap   float64 // time from the end of one round to the begin of the creator's next
}

// A nap is what a goroutine did since it last waited for a timer.
type nap struct {
	at    site // where it waited; 0: it has done something since
	woke  int64
	row   bool  // it had waited there before
	fired site  // the timer that set off what it does now
	since int64 // its wait for that timer
	until int64
	gave  site // where it last ended a wait for what it had

	born  int64
	of    int // the round of its creator that it is in; 0: none
	round round
}

// A round is what a goroutine has started since none of that was left.
type round struct {
	no          int
	at          site // where the first was started
	from        int64
	began       int
	alive, most int
	used        int64 // time of those that have ended
	awaits      bool  // one of them has ended a wait of their creator
	ended       int64 // the last round
}

// glance is the longest time from one wait to the next of a goroutine that only looks
// whether something is there.
const glance = 5 * shortRun

// delays follow what goroutines do between waits for timers.
type delays struct {
	looks   map[site]*Look
	lingers map[site]*Linger
	rounds  map[site]*Round
	no      int // of the last round
}

func newDelays() delays {
	return delays{looks: map[site]*Look{}, lingers: map[site]*Linger{}, rounds: map[site]*Round{}}
}

// of returns what m has for a site.
func of[T any](m map[site]*T, at site) *T {
	x := m[at]
	if x == nil {
		x = new(T)
		m[at] = x
	}
	return x
}

// acts: g does something that others can see.
func (d *delays) acts(g *gor) {
	n := &g.task.nap
	if n.row {
		of(d.looks, n.at).Rows++
	}
	n.at, n.row = 0, false
}

// blocked: g, which runs, has to wait.
func (d *delays) blocked(g *gor, now int64) {
	if now-g.task.nap.woke > glance {
		d.acts(g)
	}
}

// woken: the wait of g ends, by the doing of by; nil: of a timer or of the network.
func (d *delays) woken(g, by *gor, now int64) {
	n := &g.task.nap
	timer := by == nil && (g.kind == Sleep || hands(g.kind))
	if hands(g.kind) && g.at != 0 {
		x := of(d.lingers, g.at)
		if timer {
			x.Fired++
			n.fired, n.since, n.until = g.at, g.since, now
		} else if by != nil {
			x.Handed++
			by.task.nap.gave = g.at
		}
	}
	if by != nil && !takes(g.kind) {
		d.acts(by)
		if f := &by.task.nap; f.fired != 0 && f.fired == n.gave {
			if t := f.until - max(g.since, f.since); t > 0 {
				x := of(d.lingers, f.fired)
				x.N++
				x.Time += float64(t)
			}
		}
	}
	if r := &n.round; r.alive > 0 && by != nil && by.creator == g && by.task.nap.of == r.no {
		r.awaits = true
		if joins(g.kind) { // what ends the wait has not ended yet, and perhaps what it was not for
			r.used += now - by.task.nap.born + int64(r.alive-1)*(now-r.from)
			d.closes(r, now)
		}
	}
	switch {
	case timer && g.at != 0:
		x := of(d.looks, g.at)
		x.N++
		x.Time += float64(now - g.since)
		if n.at == g.at {
			x.Vain++
			n.row = true
		} else {
			d.acts(g)
		}
		n.at, n.woke = g.at, now
	case takes(g.kind):
		n.woke = now
	default:
		d.acts(g)
	}
}

// created: by starts g at a line.
func (d *delays) created(g, by *gor, at site, now int64) {
	d.acts(by)
	n, p := &g.task.nap, &by.task.nap
	n.fired, n.since, n.until, n.born = p.fired, p.since, p.until, now
	if s := by.task.span; s != nil && s.closed == nil {
		return
	}
	r := &p.round
	if r.alive == 0 {
		if r.ended > 0 {
			of(d.rounds, r.at).Gap += float64(now - r.ended)
		}
		d.no++
		*r = round{no: d.no, at: at, from: now}
	}
	r.alive++
	r.began++
	r.most = max(r.most, r.alive)
	n.of = r.no
}

// ended: g is no more.
func (d *delays) ended(g *gor, now int64) {
	d.acts(g)
	n := &g.task.nap
	if n.of == 0 {
		return
	}
	r := &g.creator.task.nap.round
	if n.of != r.no || r.alive == 0 {
		return
	}
	r.alive--
	r.used += now - n.born
	if r.alive == 0 && r.awaits {
		d.closes(r, now)
	}
}

// closes ends a round.
func (d *delays) closes(r *round, now int64) {
	r.alive, r.ended = 0, now
	if r.began < 2 || r.at == 0 {
		return
	}
	x := of(d.rounds, r.at)
	x.N++
	x.Began += r.began
	x.Time += float64(now - r.from)
	x.Slots += float64(r.most) * float64(now-r.from)
	x.Used += float64(r.used)
}

// facts are what was found.
func (d *delays) facts(s *sites) (out Delays) {
	for at, x := range d.looks {
		if x.Site = s.all[at]; x.Rows > 0 {
			out.Looks = append(out.Looks, *x)
		}
	}
	for at, x := range d.lingers {
		if x.Site = s.all[at]; x.N > 0 {
			out.Lingers = append(out.Lingers, *x)
		}
	}
	for at, x := range d.rounds {
		if x.Site = s.all[at]; x.N > 0 {
			out.Rounds = append(out.Rounds, *x)
		}
	}
	return out.most()
}

// and are the delays of both.
func (d Delays) and(x Delays) Delays {
	return Delays{
		Looks: merged(d.Looks, x.Looks, func(a Look) source.Place { return a.Site }, func(a, b Look) Look {
			return Look{a.Site, a.N + b.N, a.Vain + b.Vain, a.Rows + b.Rows, a.Time + b.Time}
		}),
		Lingers: merged(d.Lingers, x.Lingers, func(a Linger) source.Place { return a.Site }, func(a, b Linger) Linger {
			return Linger{a.Site, a.N + b.N, a.Time + b.Time, a.Fired + b.Fired, a.Handed + b.Handed}
		}),
		Rounds: merged(d.Rounds, x.Rounds, func(a Round) source.Place { return a.Site }, func(a, b Round) Round {
			return Round{a.Site, a.N + b.N, a.Began + b.Began, a.Time + b.Time, a.Slots + b.Slots, a.Used + b.Used, a.Gap + b.Gap}
		}),
	}.most()
}

func merged[T any](a, b []T, at func(T) source.Place, and func(a, b T) T) []T {
	by := map[source.Place]T{}
	for _, x := range slices.Concat(a, b) {
		if y, ok := by[at(x)]; ok {
			x = and(y, x)
		}
		by[at(x)] = x
	}
	return slices.Collect(maps.Values(by))
}

// most sorts them, and keeps those with most time.
func (d Delays) most() Delays {
	slices.SortFunc(d.Looks, func(a, b Look) int { return cmp.Or(cmp.Compare(b.Time, a.Time), a.Site.Compare(b.Site)) })
	slices.SortFunc(d.Lingers, func(a, b Linger) int { return cmp.Or(cmp.Compare(b.Time, a.Time), a.Site.Compare(b.Site)) })
	slices.SortFunc(d.Rounds, func(a, b Round) int {
		return cmp.Or(cmp.Compare(b.Slots-b.Used, a.Slots-a.Used), a.Site.Compare(b.Site))
	})
	return Delays{d.Looks[:min(len(d.Looks), maxSites)], d.Lingers[:min(len(d.Lingers), maxSites)], d.Rounds[:min(len(d.Rounds), maxSites)]}
}

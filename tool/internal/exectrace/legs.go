package exectrace

import (
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Path is the chain of stretches that made the latency of one operation. Where the
// operation waits for another goroutine, the chain goes through what that one does
// meanwhile, and on from there to the one that it waits for.
type Path struct {
	Time float64 // latency of the operation
	Legs []Leg   // in the order in which they began, equal ones as one
}

// A Leg is what an operation does at one place.
type Leg struct {
	What Part
	At   source.Place // where it waits; up to where it runs; zero: not known, or of many
	By   source.Place // what ended the wait
	// What the goroutine at the end of the chain does meanwhile: the function it
	// starts with, and what, and where. Does is "" where there is none.
	Start source.Place
	Does  Part
	There source.Place
	N     int // stretches
	Time  float64
}

// A leg is what one stretch of a path was. Its part is one of the operation, does one
// of the goroutine at the end of the chain.
type leg struct {
	part, does uint8
	chained    bool // does, start and there are known
	at, by     site
	start      site
	there      site
}

// A stretch is a leg with its time.
type stretch struct {
	leg
	from, to int64
}

// A trail has the latest stretches of a goroutine's path, whatever it works for. What
// waits for the goroutine follows them.
type trail struct {
	last [trailed]stretch
	n    int // stretches so far
}

// trailed bounds memory for each goroutine. What waited for longer than a trail
// reaches back shows the rest of its wait without what was done meanwhile.
const trailed = 16

func (t *trail) add(x stretch) {
	if t.n > 0 {
		if l := &t.last[(t.n-1)%trailed]; l.leg == x.leg && l.to == x.from {
			l.to = x.to
			return
		}
	}
	t.last[t.n%trailed] = x
	t.n++
}

// doing is what g does now.
func (o *operations) doing(g *gor) leg {
	switch {
	case g.state == running && g.task.help:
		return leg{part: assist, at: o.a.stands(g)}
	case g.state == running:
		return leg{part: runs, at: o.a.stands(g)}
	case g.state == runnable:
		return leg{part: readied}
	}
	return leg{part: uint8(partOf(g.state, g.kind)), at: g.at}
}

// walks adds to the path of g that it did x until then.
func (o *operations) walks(g *gor, x leg, then int64) {
	t := &g.task
	from := max(t.told, g.since)
	if o.work == Whole || g.sys || then <= from {
		return
	}
	if t.trail == nil {
		if n := len(o.trails); n > 0 {
			t.trail, o.trails = o.trails[n-1], o.trails[:n-1]
			t.trail.n = 0
		} else {
			t.trail = new(trail)
		}
	}
	t.trail.add(stretch{x, from, then})
	if s := t.span; s != nil && t.root && s.closed == nil {
		s.legs = s.legs.with(x, then-max(from, s.start))
	}
	t.told = then
}

// follows adds to the path of g, which waits, that of by, which ends the wait.
func (o *operations) follows(g, by *gor, at site) {
	if o.work == Whole || by.sys {
		return
	}
	wait := o.doing(g)
	wait.by = at
	if p := by.task.trail; p != nil {
		i := p.n
		for i > 0 && i > p.n-trailed && p.last[(i-1)%trailed].to > g.task.told {
			i--
		}
		for ; i < p.n; i++ {
			o.chains(g, wait, &p.last[i%trailed], by)
		}
	}
	if by.state != unknown {
		o.chains(g, wait, &stretch{o.doing(by), max(by.task.told, by.since), o.a.crew.now}, by)
	}
}

// chains adds to the path of g, in wait, a stretch of by.
func (o *operations) chains(g *gor, wait leg, x *stretch, by *gor) {
	o.walks(g, wait, x.from) // what by did before is not known
	if wait.chained = true; x.chained {
		wait.does, wait.start, wait.there = x.does, x.start, x.there
	} else {
		wait.does, wait.start, wait.there = x.part, by.start.fn, x.at
	}
	o.walks(g, wait, x.to)
}

// forgets gives back the trail of g, which has ended.
func (o *operations) forgets(g *gor) {
	if g.task.trail != nil {
		o.trails = append(o.trails, g.task.trail)
		g.task.trail = nil
	}
}

// legs are a path, equal legs as one.
type legs []legSum

type legSum struct {
	leg
	n int
	d int64
}

// mostLegs bounds the legs of an operation. Of more the shortest are one, without a
// place.
const mostLegs = 12

func (l legs) with(x leg, d int64) legs {
	if d <= 0 {
		return l
	}
	for i := range l {
		if l[i].leg == x {
			l[i].n++
			l[i].d += d
			return l
		}
	}
	for len(l) == mostLegs {
		least := -1
		for i := range l {
			if l[i].leg != brief && (least < 0 || l[i].d < l[least].d) {
				least = i
			}
		}
		if i := slices.IndexFunc(l, func(x legSum) bool { return x.leg == brief }); i >= 0 {
			l[i].n += l[least].n
			l[i].d += l[least].d
			l = slices.Delete(l, least, least+1)
		} else {
			l[least].leg = brief
		}
	}
	return append(l, legSum{x, 1, d})
}

// brief is what stands for the shortest legs.
var brief = leg{part: others}

// An example is the operation whose latency is nearest to a quantile of all.
type example struct {
	q    float64
	at   float64 // the quantile, as it was when there were as many as it was made of
	next int64   // how many there are when it is made anew
	d    int64
	legs legs
}

// offer takes an operation if it is nearer than the one before. all are those so far,
// this one too. l stays the caller's.
func (e *example) offer(d int64, l legs, all *hist) {
	if len(l) == 0 {
		return
	}
	if all.n >= e.next {
		e.at, e.next = all.quantile(e.q), all.n+all.n/8+1
	}
	if len(e.legs) == 0 || math.Abs(float64(d)-e.at) < math.Abs(float64(e.d)-e.at) {
		e.d, e.legs = d, append(e.legs[:0], l...)
	}
}

// path is what an example says; nil where it has nothing.
func (s *sites) path(e *example) *Path {
	if len(e.legs) == 0 {
		return nil
	}
	p := &Path{Time: float64(e.d)}
	for _, x := range e.legs {
		l := Leg{What: Parts[x.part], At: s.all[x.at], By: s.all[x.by], N: x.n, Time: float64(x.d)}
		if x.chained {
			l.Start, l.Does, l.There = s.all[x.start], Parts[x.does], s.all[x.there]
		}
		p.Legs = append(p.Legs, l)
	}
	return p
}

// nearest is the path whose latency is the nearest to one.
func nearest(to float64, a, b *Path) *Path {
	if a == nil || b != nil && math.Abs(b.Time-to) < math.Abs(a.Time-to) {
		return b
	}
	return a
}

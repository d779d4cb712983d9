package main

import (
	"sync"
	"sync/atomic"
)

type inner struct{ deep atomic.Int64 }

// What a method does besides, or what it hands on.
type literals struct {
	inner
	mu    sync.Mutex
	n     int
	seen  atomic.Int64
	kept  []func()
	bins  [2][2]int
	hooks func(func())
}

var later []func()

func keep(f func())                { later = append(later, f) }
func start(f func())               { go f() }
func back(f func()) func()         { return f }
func several(fs ...func())         { fs[0]() }
func tell(f func(), to chan<- int) { f(); to <- 1 }
func twice(n int, f func()) int    { f(); f(); return n }

func (l *literals) note() { l.seen.Add(1) }

func (l *literals) keeps(_ hit)    { l.seen.Add(1); keep(func() { l.note() }) }
func (l *literals) starts(_ hit)   { l.seen.Add(1); start(func() { l.note() }) }
func (l *literals) backs(_ hit)    { l.seen.Add(1); back(func() { l.note() })() }
func (l *literals) severals(_ hit) { l.seen.Add(1); several(func() { l.note() }) }
func (l *literals) hooked(_ hit)   { l.seen.Add(1); l.hooks(func() { l.note() }) }
func (l *literals) tells(to chan<- int) {
	l.seen.Add(1)
	tell(func() { l.note() }, to)
}
func (l *literals) assigned(_ hit) {
	l.seen.Add(1)
	f := func() { l.note() }
	f()
}

func (l *literals) looks(h hit) {
	l.seen.Add(1)
	twice(h.size, func() { println(l.seen.Load()) })
}

func (l *literals) counts(h hit) {
	l.seen.Add(1)
	if twice(h.size, func() { l.note() }) > 3 {
		l.note()
	}
}

func (l *literals) bare() { l.n++ }

func (l *literals) both(h hit) {
	l.mu.Lock()
	l.bare()
	l.mu.Unlock()
	l.bare()
}

func (l *literals) promoted(_ hit) {
	l.seen.Add(1)
	l.deep.Add(1)
}

func (l *literals) recurses(n int) {
	l.seen.Add(1)
	if n > 0 {
		l.recurses(n - 1)
	}
}

type adder struct{ n atomic.Int64 }

func (a *adder) addTo(n int) { a.n.Add(int64(n)) }

func (a *adder) read() int64 { return a.n.Load() }

func (l *literals) whole(_ hit) {
	l.mu.Lock()
	l.bins[0][1]++
	l.bins[1] = [2]int{}
	l.mu.Unlock()
}

func (l *literals) result(_ hit) {
	if l.seen.Add(1) > 4 {
		return
	}
}

func (l *literals) read() int64 { return l.deep.Load() }

func (l *literals) value() func(hit) { return l.result }

type copies struct{ n *atomic.Int64 }

func (c copies) add(_ hit) { c.n.Add(1) }

func literalsOf(l *literals, a *adder, c copies, hits []hit, to chan int) {
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			l.keeps(h) // want `l.keeps updates` // refuse `local: a function literal in keeps uses the object`
		}
		for _, h := range hits[lo:hi] {
			l.starts(h) // want `l.starts updates` // refuse `local: a function literal in starts uses the object`
		}
		for _, h := range hits[lo:hi] {
			l.backs(h) // want `l.backs updates` // refuse `local: a function literal in backs uses the object`
		}
		for _, h := range hits[lo:hi] {
			l.severals(h) // want `l.severals updates` // refuse `local: a function literal in severals uses the object`
		}
		for _, h := range hits[lo:hi] {
			l.hooked(h) // want `l.hooked updates` // refuse `local: a function literal in hooked uses the object`
		}
		for range hits[lo:hi] {
			l.tells(to) // want `l.tells updates` // refuse `local: a function literal in tells uses the object`
		}
		for _, h := range hits[lo:hi] {
			l.assigned(h) // want `l.assigned updates` // refuse `local: a function literal in assigned uses the object`
		}
		for _, h := range hits[lo:hi] {
			l.looks(h) // want `l.looks updates` // refuse `local: looks does more than add up`
		}
		for _, h := range hits[lo:hi] {
			l.counts(h) // want `l.counts updates`
		}
		for _, h := range hits[lo:hi] {
			l.both(h) // want `l.both locks` // refuse `local: bare is called with the lock, and without`
		}
		for _, h := range hits[lo:hi] {
			l.promoted(h) // want `l.promoted updates` // refuse `local: promoted does more than add up`
		}
		for _, h := range hits[lo:hi] {
			l.recurses(h.size) // want `l.recurses updates`
		}
		for _, h := range hits[lo:hi] {
			a.addTo(h.size) // want `a.addTo updates` // refuse `local: adder has an addTo of its own`
		}
		for _, h := range hits[lo:hi] {
			l.whole(h) // want `l.whole locks` // refuse `local: l.bins\[1\] is set, not added to`
		}
		for _, h := range hits[lo:hi] {
			l.result(h) // want `l.result updates` // refuse `local: result does more than add up`
		}
		for _, h := range hits[lo:hi] {
			c.add(h) // no finding
		}
	})
}

type dial struct{ seen atomic.Int64 }

func (d *dial) note(x int) { d.seen.Add(int64(x)) }

func (d *dial) read() int64 { return d.seen.Load() }

type many struct{ dial }

// The object is another in each iteration, or a part of one.
func objects(all []*dial, m *many, g *dial, hits []hit) {
	halves(len(hits), func(lo, hi int) {
		for i, h := range hits[lo:hi] {
			all[i&1].note(h.size) // no finding: each may be another
		}
		for _, h := range hits[lo:hi] {
			m.note(h.size) // want `m.note updates` // refuse `local: m.note is no method of a struct of the package`
		}
		for _, h := range hits[lo:hi] {
			m.dial.note(h.size) // want `m.dial.note updates`
		}
		for _, h := range hits[lo:hi] {
			g.note(h.size) // want `g.note updates` // refuse `local: the loop uses g in another way`
			if h.ok {
				g = all[0]
			}
		}
		for _, h := range hits[lo:hi] {
			g.note(h.size) // want `g.note updates` // refuse `local: the loop uses g in another way`
			println(g)
		}
		for _, h := range hits[lo:hi] {
			go g.note(h.size) // want `g.note updates` // refuse `local: the loop uses g in another way`
			g.note(h.size)    // want `g.note updates` // refuse `local: the loop uses g in another way`
		}
		for _, h := range hits[lo:hi] {
			if h.ok {
				return
			}
			g.note(h.size) // want `g.note updates` // refuse `local: g may be another meanwhile`
		}
	})
}

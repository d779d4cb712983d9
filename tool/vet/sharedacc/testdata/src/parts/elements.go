package main

import (
	"image"
	"sync"
	"sync/atomic"
)

type base struct{ n int }

type deep struct {
	base
	rows []int
	hits int
}

type pair[T any] struct{ n T }

var global sync.Map

// Elements that are more than what a part can have.
type elements struct {
	mu      sync.Mutex
	points  map[string]*image.Point
	pairs   map[string]*pair[int]
	deeps   map[string]*deep
	numbers map[string]*int
	any     sync.Map
	m       sync.Map
	n       sync.Map
	count   int
}

func (e *elements) point(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.points[h.path]
	if p == nil {
		p = new(image.Point)
		e.points[h.path] = p
	}
	p.X++
}

func (e *elements) pair(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.pairs[h.path]
	if p == nil {
		p = new(pair[int])
		e.pairs[h.path] = p
	}
	p.n++
}

func (e *elements) row(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.deeps[h.path]
	if p == nil {
		p = &deep{rows: make([]int, 3)}
		e.deeps[h.path] = p
	}
	p.rows[0]++
}

func (e *elements) based(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.deeps[h.path]
	if p == nil {
		p = new(deep)
		e.deeps[h.path] = p
	}
	p.n++
}

func (e *elements) number(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.numbers[h.path]
	if p == nil {
		p = new(int)
		e.numbers[h.path] = p
	}
	*p++
}

func (e *elements) twoKeys(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.deeps[h.path]
	if p == nil {
		p = new(deep)
		e.deeps[h.path] = p
	}
	q := e.deeps[h.path+"b"]
	if q == nil {
		q = new(deep)
		e.deeps[h.path+"b"] = q
	}
	p.hits++
	q.hits++
}

func (e *elements) keyChanges(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := h.path
	p := e.deeps[k]
	if p == nil {
		p = new(deep)
		e.deeps[k] = p
	}
	p.hits++
	k += "b"
	e.count += len(k)
}

func (e *elements) keyCalled(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.deeps[next()]
	if p == nil {
		p = new(deep)
		e.deeps[next()] = p
	}
	p.hits++
}

var calls int

func next() string {
	calls++
	return "abc"[calls%3:]
}

func (e *elements) otherKey(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.deeps[h.path]
	if p == nil {
		p = new(deep)
		e.deeps["other"] = p
	}
	p.hits++
}

func (e *elements) otherwise(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.deeps[h.path]
	if p == nil {
		p = new(deep)
		e.deeps[h.path] = p
	} else {
		e.count++
	}
	p.hits++
}

func (e *elements) between(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.deeps[h.path]
	if h.ok {
		return
	}
	if p == nil {
		p = new(deep)
		e.deeps[h.path] = p
	}
	p.hits++
}

func (e *elements) unstored(h hit, _ int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.deeps[h.path]
	if p == nil {
		p = new(deep)
	}
	p.hits++
}

func (e *elements) madeElsewhere(h hit, d *deep) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.deeps[h.path]
	if p == nil {
		p = d
		e.deeps[h.path] = p
	}
	p.hits++
}

func (e *elements) loaded(h hit, _ int) {
	v, had := e.m.LoadOrStore(h.path, new(atomic.Int64))
	if had {
		v.(*atomic.Int64).Add(1)
	}
}

func (e *elements) anyKey(k any) {
	v, _ := e.any.LoadOrStore(k, new(atomic.Int64))
	v.(*atomic.Int64).Add(1)
}

func (e *elements) elsewhere(h hit, _ int) {
	v, _ := global.LoadOrStore(h.path, new(atomic.Int64))
	v.(*atomic.Int64).Add(1)
	w, _ := e.m.LoadOrStore(h.path, new(atomic.Int64))
	w.(*atomic.Int64).Add(1)
}

func (e *elements) within(h hit, _ int) {
	if v, _ := e.m.LoadOrStore(h.path, new(atomic.Int64)); h.ok {
		v.(*atomic.Int64).Add(1)
	}
}

func (e *elements) keys(h hit, _ int) {
	v, _ := e.n.LoadOrStore(h.path, new(atomic.Int64))
	v.(*atomic.Int64).Add(1)
	w, _ := e.n.LoadOrStore(h.size, new(atomic.Int64))
	w.(*atomic.Int64).Add(1)
}

func (e *elements) switches(h hit, _ int) {
	v, _ := e.m.LoadOrStore(h.path, new(atomic.Int64))
	switch n := v.(type) {
	case *atomic.Int64:
		n.Add(1)
	}
}

func (e *elements) asserts(h hit, _ int) {
	v, _ := e.m.LoadOrStore(h.path, new(atomic.Int64))
	v.(interface{ Add(int64) int64 }).Add(1)
}

func (e *elements) values(h hit, _ int) {
	v, _ := e.m.LoadOrStore(h.path, h.size)
	e.mu.Lock()
	e.count += v.(int)
	e.mu.Unlock()
}

func (e *elements) askedTwice(h hit, _ int) {
	v, ok := e.m.Load(h.path)
	if !ok {
		v, _ = e.m.LoadOrStore(h.path, new(atomic.Int64))
	}
	if ok {
		v.(*atomic.Int64).Add(1)
	}
}

func (e *elements) askedElse(h hit, _ int) {
	v, ok := e.m.Load(h.path)
	if !ok {
		v, _ = e.m.LoadOrStore(h.path, new(atomic.Int64))
	} else {
		v.(*atomic.Int64).Add(1)
	}
}

func (e *elements) askedFor(h hit, _ int) {
	v, ok := e.m.Load(h.path)
	if !ok {
		v, _ = e.m.LoadOrStore(h.path+"x", new(atomic.Int64))
	}
	v.(*atomic.Int64).Add(1)
}

func (e *elements) askedThere(h hit, _ int) {
	v, ok := e.m.Load(h.path)
	if !ok {
		v, _ = e.n.LoadOrStore(h.path, new(atomic.Int64))
	}
	v.(*atomic.Int64).Add(1)
}

func (e *elements) askedAgain(h hit, _ int) {
	key := h.path
	v, ok := e.m.Load(key)
	if !ok {
		v, _ = e.m.LoadOrStore(key, new(atomic.Int64))
	}
	key += "x"
	v.(*atomic.Int64).Add(1)
}

func (e *elements) askedLate(h hit, _ int) {
	v, ok := e.m.Load(h.path)
	if h.size++; !ok {
		v, _ = e.m.LoadOrStore(h.path, new(atomic.Int64))
	}
	v.(*atomic.Int64).Add(1)
}

func (e *elements) askedMore(h hit, _ int) {
	v, ok := e.m.Load(h.path)
	if !ok {
		v, _ = e.m.LoadOrStore(h.path, new(atomic.Int64))
		println(h.size)
	}
	v.(*atomic.Int64).Add(1)
}

func (e *elements) askedFirst(h hit, _ int) {
	v, ok := e.m.Load(h.path)
	if ok {
		v, _ = e.m.LoadOrStore(h.path, new(atomic.Int64))
	}
	v.(*atomic.Int64).Add(1)
}

func elementsOf(e *elements, hits []hit) {
	halves(len(hits), func(lo, hi int) {
		for _, h := range hits[lo:hi] {
			e.point(h, 0) // want `e.point locks` // refuse `local: e.points\[h.path\] is set, not added to`
		}
		for _, h := range hits[lo:hi] {
			e.pair(h, 0) // want `e.pair locks` // refuse `local: e.pairs\[h.path\] is set, not added to`
		}
		for _, h := range hits[lo:hi] {
			e.row(h, 0) // want `e.row locks` // refuse `local: p is used in another way than to add to it`
		}
		for _, h := range hits[lo:hi] {
			e.based(h, 0) // want `e.based locks` // refuse `local: p is used in another way than to add to it`
		}
		for _, h := range hits[lo:hi] {
			e.number(h, 0) // want `e.number locks` // refuse `local: e.numbers\[h.path\] is set, not added to`
		}
		for _, h := range hits[lo:hi] {
			e.twoKeys(h, 0) // want `e.twoKeys locks` // refuse `local: it asks for two elements of deeps`
		}
		for _, h := range hits[lo:hi] {
			e.keyChanges(h, 0) // want `e.keyChanges locks` // refuse `local: k may be another key later`
		}
		for _, h := range hits[lo:hi] {
			e.keyCalled(h, 0) // want `e.keyCalled locks` // refuse `local: next\(\) may be another key later`
		}
		for _, h := range hits[lo:hi] {
			e.otherKey(h, 0) // want `e.otherKey locks` // refuse `local: an element of deeps is made in another way`
		}
		for _, h := range hits[lo:hi] {
			e.otherwise(h, 0) // want `e.otherwise locks` // refuse `local: what is done depends on whether the element is there`
		}
		for _, h := range hits[lo:hi] {
			e.between(h, 0) // want `e.between locks` // refuse `local: what is done depends on whether the element is there`
		}
		for _, h := range hits[lo:hi] {
			e.unstored(h, 0) // want `e.unstored locks` // refuse `local: what is done depends on whether the element is there`
		}
		for _, h := range hits[lo:hi] {
			e.madeElsewhere(h, nil) // want `e.madeElsewhere locks` // refuse `local: an element of deeps is made in another way`
		}
		for _, h := range hits[lo:hi] {
			e.loaded(h, 0) // want `e.loaded looks in the map` // refuse `local: an element of a sync.Map is made in another way`
		}
		for _, h := range hits[lo:hi] {
			e.anyKey(h) // want `e.anyKey looks in the map` // refuse `local: an element of a sync.Map is made in another way`
		}
		for _, h := range hits[lo:hi] {
			e.elsewhere(h, 0) // want `e.elsewhere looks in the map` // refuse `local: an element of a sync.Map is made in another way`
		}
		for _, h := range hits[lo:hi] {
			e.within(h, 0) // want `e.within looks in the map` // refuse `local: an element of a sync.Map is made within a statement`
		}
		for _, h := range hits[lo:hi] {
			e.keys(h, 0) // want `e.keys looks in the map` // refuse `local: n has elements of several types`
		}
		for _, h := range hits[lo:hi] {
			e.switches(h, 0) // want `e.switches looks in the map` // refuse `local: m has elements of several types`
		}
		for _, h := range hits[lo:hi] {
			e.asserts(h, 0) // want `e.asserts looks in the map` // refuse `local: m has elements of several types`
		}
		for _, h := range hits[lo:hi] {
			e.values(h, 0) // want `e.values locks` // refuse `local: an element of a sync.Map is made in another way`
		}
		for _, h := range hits[lo:hi] {
			e.askedTwice(h, 0) // want `e.askedTwice ` // refuse `local: what is done depends on whether the element is there`
		}
		for _, h := range hits[lo:hi] {
			e.askedElse(h, 0) // want `e.askedElse ` // refuse `local: an element of a sync.Map is asked for in another way`
		}
		for _, h := range hits[lo:hi] {
			e.askedFor(h, 0) // want `e.askedFor ` // refuse `local: another element of a sync.Map is made`
		}
		for _, h := range hits[lo:hi] {
			e.askedThere(h, 0) // want `e.askedThere ` // refuse `local: another element of a sync.Map is made`
		}
		for _, h := range hits[lo:hi] {
			e.askedAgain(h, 0) // want `e.askedAgain ` // refuse `local: key may be another key later`
		}
		for _, h := range hits[lo:hi] {
			e.askedLate(h, 0) // want `e.askedLate ` // refuse `local: an element of a sync.Map is asked for in another way`
		}
		for _, h := range hits[lo:hi] {
			e.askedMore(h, 0) // want `e.askedMore ` // refuse `local: an element of a sync.Map is asked for in another way`
		}
		for _, h := range hits[lo:hi] {
			e.askedFirst(h, 0) // want `e.askedFirst ` // refuse `local: what is done depends on whether the element is there`
		}
	})
}

package a

import (
	"slices"
	"sort"
)

var take func(*T)

// What is handed to a function of which nothing is known may be found anywhere.
//
// does: calls a value, of which nothing is known; changes elements of anything; changes elements of parameter 0; changes elements of what parameter 0 leads to; changes n of anything; changes n of parameter 0; changes n of variables of packages; changes n of what parameter 0 leads to
func taken(t *T) {
	take(t)
	registry[0].n = 1
}

type embedded struct{ *T }

type incer interface{ inc() }

// does: changes n of parameter 0; changes n of what parameter 0 leads to
func promoted(t *T) {
	var i incer = &embedded{t}
	i.inc()
}

var hook func(func())

// does: calls a value, of which nothing is known; changes global of variables of packages
func hooked() { hook(func() { global++ }) }

// does: calls a value, of which nothing is known; changes elements of anything; changes elements of parameter 0; changes elements of what parameter 0 leads to
func kept(t *T) { hook(func() { _ = t.n }) }

func setGlobal(i int) { global = i }

func reset(f *func(int)) { *f = setGlobal }

// does: calls a value, of which nothing is known
func lent() {
	f := func(int) {}
	reset(&f)
	f(1)
}

// does: calls a value, of which nothing is known
func held() {
	f := func(int) {}
	h := struct{ p *func(int) }{&f}
	reset(h.p)
	f(1)
}

// does: calls a value, of which nothing is known
func swapped() {
	f := func(int) {}
	func() { f = setGlobal }()
	f(1)
}

// does: changes n of parameter 0
func copies(t *T) {
	a := make([]*T, 1)
	copy(a, []*T{t})
	a[0].n = 1
}

// does: changes n of parameter 0
func appends(t *T) {
	a := append([]*T{nil}, t)
	a[0].n = 1
}

// does: changes n of parameter 0
func mapped(t *T) {
	m := map[string]*T{}
	m["a"] = t
	m["a"].n = 1
}

// does: changes n of parameter 0
func piped(t *T) {
	c := make(chan *T, 1)
	c <- t
	(<-c).n = 1
}

// does: changes n of parameter 0
func captures(t *T) {
	var p *T
	func() { p = t }()
	p.n = 1
}

type inner struct{ t *T }

type outer struct{ in *inner }

func nested(t *T) *outer { return &outer{&inner{t}} }

// All that a call makes is one: what lies two steps behind it may lie three steps
// behind.
//
// does: changes n of parameter 0; changes n of what parameter 0 leads to
func nestedOnce(t *T) { nested(t).in.t.n = 1 }

func wrap(f func(int)) func() { return func() { f(1) } }

func run(f func()) { f() }

// does: calls a function, of which nothing is known
func wraps() { run(wrap(setGlobal)) }

// does: changes global of variables of packages; changes n of parameter 0; changes n of what parameter 0 leads to
func first(t *T) {
	if t != nil {
		t.n++
		second(t.next)
	}
}

// does: changes global of variables of packages; changes n of parameter 0; changes n of what parameter 0 leads to
func second(t *T) {
	third(t)
	sets()
}

// does: changes global of variables of packages; changes n of parameter 0; changes n of what parameter 0 leads to
func third(t *T) { first(t) }

type tees []*T

func (t tees) Len() int           { return len(t) }
func (t tees) Less(i, j int) bool { return t[i].n < t[j].n }
func (t tees) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }

// does: changes elements of parameter 0
func sortedTees(t tees) { sort.Sort(t) }

func index(t *T, s []int) int {
	return slices.IndexFunc(s, func(x int) bool { return x == t.n }) + slices.IndexFunc(s, t.is)
}

func (t *T) is(x int) bool { return x == t.n }

// does: calls tagged, of which nothing is known
func tags() { tagged() }

func pair(t *T) (*T, *T) { return &T{}, t }

// does: changes n of parameter 0
func second2(t *T) {
	_, u := pair(t)
	u.n = 1
}

// does: nothing
func first2(t *T) {
	u, _ := pair(t)
	u.n = 1
}

// does: calls parameter 0; starts a goroutine
func spins(f func(int)) {
	go func() {
		for i := range 3 {
			f(i)
		}
	}()
}

// does: changes n of parameter 0; changes n of what parameter 0 leads to
func behindOthers(t *T) {
	a, b, c := t, t, t
	for range 3 {
		c.n++
		c, b, a = b, a, a.next
	}
}

// does: changes n of parameter 0
func throughMemory(t *T, k int) {
	x, y, z := &T{}, &T{}, &T{}
	for range k {
		if z.next != nil {
			z.next.n++
		}
		z.next = y.next
		y.next = x.next
		x.next = t
	}
}

// does: changes n of what parameter 0 leads to
func setLater(t *T) {
	var f func()
	for range 2 {
		if f != nil {
			f()
		}
		u := t.next
		f = u.inc
	}
}

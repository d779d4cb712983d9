package b

import (
	"errors"
	"fmt"
	"sync"
)

type record struct {
	n    int
	next *record
	a    [4]int
}

var last *record

func (r *record) keep() { last = r }

var (
	// Handler can be assigned by others.
	Handler = func(r *record) int { return r.n }
	keeps   = func(r *record) int { last = r; return r.n }
	parts   = func(r *record) []int { return r.a[:] }
	later   = func(r *record) int { go func() { r.n++ }(); return 0 }
	swapped = func(r *record) int { return r.n }
	reads   = func(r *record) int { return r.n }
	rest    = func(rs ...*record) {}
	none    func(*record) int
	several = []func(*record) int{reads}
)

func swap() { swapped = keeps }

func calls(f func(*record) int, i int) (n int) {
	a := new(record) // want "a is made anew in each call" // refuse "pool: other packages may assign Handler"
	n += Handler(a)
	b := new(record) // want "b is made anew in each call" // refuse "pool: keeps may keep it: r is kept or passed on"
	n += keeps(b)
	c := new(record) // want "c is made anew in each call" // refuse "pool: parts may keep it: a part of r is sliced"
	n += len(parts(c))
	d := new(record) // want "d is made anew in each call" // refuse "pool: later may keep it: a function literal uses r"
	n += later(d)
	e := new(record) // want "e is made anew in each call" // refuse "pool: swapped is assigned, too"
	n += swapped(e)
	g := new(record) // want "g is made anew in each call" // refuse "pool: what it calls with g may keep it"
	n += f(g)
	h := new(record) // want "h is made anew in each call" // refuse "pool: what it calls with h may keep it"
	n += none(h)
	j := new(record) // want "j is made anew in each call" // refuse "pool: what it calls with j may keep it"
	n += several[i](j)
	k := new(record) // want "k is made anew in each call" // refuse "pool: what it calls with k may keep it"
	rest(k)
	// The method may keep it.
	l := &record{} // want "l is made anew in each call" // refuse "pool: keep may keep it: r is kept or passed on"
	n += reads(l)
	l.keep()
	m := &record{} // want "m is made anew in each call" // refuse "pool: keep is called with its receiver as an argument"
	n += reads(m)
	(*record).keep(m)
	// What is captured, stored in another and assigned.
	o := new(record) // want "o is made anew in each call" // refuse "pool: a function literal uses o"
	n += reads(o)
	defer func() { o.n++ }()
	p := new(record) // want "p is made anew in each call" // refuse "pool: p is kept or passed on"
	n += reads(p)
	p.next = p
	if i > 0 {
		panic(last)
	}
	return n
}

// What the call makes for others is theirs, and reads keeps nothing of it.
func returns() (*record, error) {
	r := new(record) // want "r is made anew in each call" // refuse "pool: r is kept or passed on"
	if reads(r) > 0 {
		return nil, errors.New("record")
	}
	return r, nil
}

// These are on the stack.
func stack(i int) int {
	r := &record{n: i}
	r.a[0]++
	q := r
	return q.n + direct(q)
}

func direct(r *record) int { return r.n + r.a[1] }

type guarded struct {
	mu sync.Mutex
	n  int
}

var locks = func(g *guarded) int { return g.n }

func guards() int {
	g := new(guarded) // want "g is made anew in each call" // refuse "pool: the struct must not be copied, nor set to zero"
	return locks(g)
}

func local() int {
	type own struct{ n int }
	read := func(o *own) int { return o.n }
	o := new(own) // want "o is made anew in each call" // refuse "pool: its type is unknown outside of the function"
	return read(o)
}

func again(xs []int) int {
	i := 0
next:
	i++
	r := &record{n: i} // want "r is made anew in each call" // refuse "pool: the function has a goto"
	if reads(r) < len(xs) {
		goto next
	}
	return i
}

func outer(r *record) int {
	n := 0
	for range 3 {
		r := &record{n: r.n} // want "r is made anew in each iteration" // refuse "hoist: its value at first is made of another r"
		n += reads(r)
	}
	return n
}

// fmt calls methods.
type shown struct{ n int }

var seen *shown

func (s *shown) String() string { seen = s; return "shown" }

type plain struct{ n int }

func (p *plain) Error() string { return "plain" }

func prints() (string, error) {
	s := &shown{} // want "s is made anew in each call" // refuse "pool: String may keep it: s is kept or passed on"
	p := &plain{} // want "p is made anew in each call" // refuse "pool: Errorf may keep p"
	fmt.Print(p)
	return fmt.Sprint(s), fmt.Errorf("%w", p)
}

func generics[T any](x T) int {
	r := &struct{ x T }{x} // want "r is made anew in each call" // refuse "pool: the function is generic"
	return len(fmt.Sprint(r))
}

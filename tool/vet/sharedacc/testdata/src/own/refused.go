package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// What gets the object does more with it than to call methods that add. None of these
// has a finding.

type tally struct {
	mu   sync.Mutex
	n    int
	last int
	kept map[string]inner
}

func (t *tally) add(n int) {
	t.mu.Lock()
	t.n += n
	t.mu.Unlock()
}

func (t *tally) set(n int) {
	t.mu.Lock()
	t.last = n
	t.mu.Unlock()
}

func (t *tally) upTo(n int) {
	t.mu.Lock()
	if t.n < 100 {
		t.n += n
	}
	t.mu.Unlock()
}

func (t *tally) total() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

type adder interface {
	add(int)
	set(int)
	upTo(int)
	total() int
}

func sets(a adder, xs []int) {
	for _, x := range xs {
		a.set(x)
	}
}

func limits(a adder, xs []int) {
	for _, x := range xs {
		a.upTo(x)
	}
}

func asks(a adder, xs []int) (n int) {
	for _, x := range xs {
		a.add(x)
		n += a.total()
	}
	return n
}

func literal(a adder, xs []int) {
	add := func(x int) { a.add(x) }
	for _, x := range xs {
		add(x)
	}
}

func later(a adder, xs []int) {
	for _, x := range xs {
		defer a.add(x)
	}
}

func starts(a adder, xs []int) {
	for _, x := range xs {
		go a.add(x)
	}
}

var last adder

func stores(a adder, xs []int) {
	for _, x := range xs {
		a.add(x)
	}
	last = a
}

func hands(a adder, xs []int) {
	for _, x := range xs {
		fmt.Println(a, x)
	}
}

func once(a adder, x int) { a.add(x) }

func variadic(xs []int, all ...adder) {
	for _, x := range xs {
		all[0].add(x)
	}
}

func generic[T any](a adder, xs []T) {
	for i := range xs {
		a.add(i)
	}
}

func ends(a adder, xs []int) {
	for _, x := range xs {
		a.add(x)
		if x < 0 {
			panic("negative")
		}
	}
}

func refused(t *tally, byInterface adder, xs []int) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { sets(t, xs) })
		wg.Go(func() { limits(t, xs) })
		wg.Go(func() { asks(t, xs) })
		wg.Go(func() { literal(t, xs) })
		wg.Go(func() { later(t, xs) })
		wg.Go(func() { starts(t, xs) })
		wg.Go(func() { stores(t, xs) })
		wg.Go(func() { hands(t, xs) })
		wg.Go(func() { once(t, len(xs)) })
		wg.Go(func() { variadic(xs, t) })
		wg.Go(func() { generic(t, xs) })
		wg.Go(func() { adds(byInterface, xs) })
		wg.Go(func() {
			own := new(tally)
			adds(own, xs)
		})
		wg.Go(func() {
			for _, x := range xs {
				once(t, x) // want `once calls methods of t in a loop`
				t.last = 1
			}
		})
		wg.Go(func() {
			adds(t, xs) // that edit adds the method already
			t.last = 1
		})
	}
	wg.Wait()
}

func adds(a adder, xs []int) {
	for _, x := range xs {
		a.add(x)
	}
}

// It may be another object meanwhile.
func moved(ts []*tally, xs []int) {
	t := ts[0]
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { adds(t, xs) })
	}
	t = ts[1]
	wg.Wait()
}

// The object within would have to be made.

type inner struct {
	mu sync.Mutex
	m  map[int]int
}

func (i *inner) add(n int) {
	i.mu.Lock()
	i.m[n]++
	i.mu.Unlock()
}

type outer struct{ in inner }

type user interface{ use(int) }

func (o *outer) use(n int) { o.in.add(n) }

func all(u user, xs []int) {
	for _, x := range xs {
		u.use(x)
	}
}

func outers(o *outer, xs []int) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { all(o, xs) })
	}
	wg.Wait()
}

// It has a method of that name.

type adding struct {
	mu sync.Mutex
	n  int
}

func (a *adding) use(n int) {
	a.mu.Lock()
	a.n += n
	a.mu.Unlock()
}

func additions(a *adding, xs []int) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { all(a, xs) }) // want `all calls methods of a in a loop`
	}
	wg.Wait()
}

// Generic.

type set[K comparable] struct {
	mu sync.Mutex
	m  map[K]int
}

func (s *set[K]) use(n int) {
	s.mu.Lock()
	s.m[*new(K)] += n
	s.mu.Unlock()
}

func generics(s *set[int], xs []int) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { all(s, xs) })
	}
	wg.Wait()
}

// It is told to be done before it has added its own.

type ended struct {
	mu sync.Mutex
	n  int
}

func (e *ended) use(n int) {
	e.mu.Lock()
	e.n += n
	e.mu.Unlock()
}

func done(a user, xs []int, wg *sync.WaitGroup) {
	defer wg.Done()
	for _, x := range xs {
		a.use(x)
	}
}

func sent(a user, xs []int, end chan bool) {
	for _, x := range xs {
		a.use(x)
	}
	end <- true
}

func told(t *ended, xs []int) {
	var wg sync.WaitGroup
	end := make(chan bool)
	for range 4 {
		wg.Add(1)
		go func() { done(t, xs, &wg) }()
		go func() { sent(t, xs, end) }()
	}
	wg.Wait()
	for range 4 {
		<-end
	}
}

// Its lock is elsewhere; its type has another name there; the name of its type parameter
// is one of the text.

type linked struct {
	mu *sync.Mutex
	n  int
}

func (l *linked) use(n int) {
	l.mu.Lock()
	l.n += n
	l.mu.Unlock()
}

type renamed struct{ n atomic.Int64 }

func (r *renamed) use(n int) { r.n.Add(int64(n)) }

func (r *renamed) read() int64 { return r.n.Load() }

type param[p comparable] struct {
	mu sync.Mutex
	n  int
}

func (x *param[p]) use(n int) {
	x.mu.Lock()
	x.n += n
	x.mu.Unlock()
}

type params struct{ in param[int] }

func (x *params) use(n int) { x.in.use(n) }

func elsewhere(l *linked, x *params, xs []int) {
	renamed := &renamed{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { links(l, xs) })
		wg.Go(func() { all(x, xs) })
		wg.Go(func() { renames(renamed, xs) })
	}
	wg.Wait()
}

func links(l *linked, xs []int) {
	for _, x := range xs {
		l.use(x)
	}
}

func renames(r *renamed, xs []int) {
	for _, x := range xs {
		r.use(x) // want `r.use updates r.n`
	}
}

// One lock is taken after the other, as elsewhere in the other order.

type ordered struct {
	mu sync.Mutex
	in deep
	n  int
}

type deep struct {
	mu sync.Mutex
	n  int
}

func (d *deep) add(n int) {
	d.mu.Lock()
	d.n += n
	d.mu.Unlock()
}

func (o *ordered) use(n int) {
	o.in.add(n)
	o.mu.Lock()
	o.n += n
	o.mu.Unlock()
}

func orders(o *ordered, xs []int) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { all(o, xs) }) // want `all calls methods of o in a loop`
	}
	wg.Wait()
}

// Others that are not meant: no struct, one that a function of another package gets, one
// behind a pointer, and one whose method is promoted.

type ticks int64

func (t *ticks) use(n int) { atomic.AddInt64((*int64)(t), int64(n)) }

type alive struct {
	mu sync.Mutex
	n  int
}

func (a *alive) use(n int) {
	a.mu.Lock()
	a.n += n
	a.mu.Unlock()
}

func keep(a *alive, xs []int) {
	for _, x := range xs {
		a.use(x)
		runtime.KeepAlive(a)
	}
}

type pointing struct{ in *alive }

func points(p *pointing, xs []int) {
	for _, x := range xs {
		p.in.use(x) // want `p.in.use locks a.mu`
	}
}

type promoting struct{ alive }

func notMeant(t *ticks, a *alive, p *pointing, q *promoting, xs []int) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { all(t, xs) })
		wg.Go(func() { keep(a, xs) })
		wg.Go(func() { points(p, xs) })
		wg.Go(func() { all(q, xs) })
	}
	wg.Wait()
}

// It may be nil, and more than additions depends on that; or it is another that it asks for.

type answering struct{ n atomic.Int64 }

func (a *answering) some(n int) bool {
	if a == nil {
		return false
	}
	a.n.Add(int64(n))
	return true
}

func answers(a *answering, xs []int) (k int) {
	for _, x := range xs {
		if a.some(x) { // want `a.some updates a.n atomically` // refuse "local: some does more than add up"
			k++
		}
	}
	return k
}

type scaled struct {
	n    atomic.Int64
	base int
}

func (s *scaled) use(n int) {
	if s != nil {
		s.n.Add(int64(n * s.base))
	}
}

func scales(s *scaled, xs []int) {
	for _, x := range xs {
		s.use(x) // want `s.use updates s.n atomically` // refuse "local: s may be nil, and a part is made out of it"
	}
}

type compared struct{ n atomic.Int64 }

var first = new(compared)

func (c *compared) use(n int) {
	if c != first {
		c.n.Add(int64(n))
	}
}

func nils(a *answering, s, t *scaled, c *compared, xs []int) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { answers(a, xs) })
		wg.Go(func() { scales(s, xs) })
		wg.Go(func() { all(t, xs) })
		wg.Go(func() { all(c, xs) })
	}
	wg.Wait()
}

// Floats are added in a fixed order.

type weights struct{ in weight }

type weight struct {
	mu sync.Mutex
	w  float64
}

func (w *weight) add(x float64) {
	w.mu.Lock()
	w.w += x
	w.mu.Unlock()
}

func (w *weights) use(n int) { w.in.add(float64(n) / 3) }

func weighs(w *weights, xs []int) {
	for range 4 {
		var wg sync.WaitGroup
		wg.Go(func() { all(w, xs) })
		wg.Wait()
	}
}

func loaded(a *answering, s *scaled, c *compared) int64 { return a.n.Load() + s.n.Load() + c.n.Load() }

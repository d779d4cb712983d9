// Package a has functions with what flow says of them: does has all that others
// could notice, and where; returns the roots of the results.
package a

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/tool/vet/flow/testdata/src/b"
)

type T struct {
	n    int
	next *T
	list []int
	set  map[string]int
	do   func()
	take func(*T)
	mu   sync.Mutex
	hits atomic.Int64
}

var global int

// does: nothing
func pure(a, b int) int { return a + b }

// does: changes n of parameter 0
func (t *T) inc() { t.n++ }

// does: changes n of parameter 0
func through(t *T) { t.inc() }

// does: changes n of what parameter 0 leads to
func deeper(t *T) { t.next.inc() }

// does: changes list of what parameter 0 leads to
func element(t *T) { t.list[0] = 1 }

// does: changes set of what parameter 0 leads to
func entry(t *T) { delete(t.set, "a") }

// does: changes global of variables of packages
func sets() { global = 1 }

// does: nothing
func own() int {
	t := &T{list: make([]int, 3)}
	t.inc()
	t.list[1] = 2
	s := []int{1}
	s = append(s, 2)
	return len(s) + t.n
}

// An object that a function makes leads to what it was handed: a write through it
// is a write to that.
//
// does: changes n of parameter 0
func wrapped(t *T) {
	u := &T{next: t}
	u.next.n = 1
}

// does: changes next of parameter 0
func link(t, u *T) { t.next = u }

// does: changes n of parameter 0
func linked(t *T) {
	var u T
	link(&u, t)
	u.next.n = 2
}

// returns: parameter 0
func same(t *T) *T { return t }

// returns: what parameter 0 leads to
func tail(t *T) *T { return t.next }

// returns: new memory
func fresh(t *T) *T { return &T{next: t} }

// does: changes n of parameter 2
func either(first bool, t, u *T) {
	v := &T{}
	if first {
		v = u
	}
	v.n = 1
}

// does: calls parameter 0
func call(f func(int)) { f(1) }

// does: calls Read of parameter 0
func read(r interface{ Read([]byte) (int, error) }) { r.Read(nil) }

// does: nothing
func known() { call(func(int) {}) }

// does: changes n of parameter 0
func value(t *T) { call(t.add) }

func (t *T) add(i int) { t.n += i }

// does: changes global of variables of packages
func literal() { call(func(i int) { global = i }) }

// does: nothing
func local() int {
	n := 0
	call(func(i int) { n += i })
	return n
}

// does: calls a value, of which nothing is known
func stored(t *T) { t.do() }

// does: calls parameter 1
func each(parts [][]int, f func(int)) {
	for _, p := range parts {
		func() {
			for _, v := range p {
				f(v)
			}
		}()
	}
}

// does: changes n of parameter 0
func eachOf(t *T, parts [][]int) { each(parts, t.add) }

// does: changes n of parameter 0
func recursive(t *T) {
	var visit func(*T)
	visit = func(u *T) {
		if u != nil {
			t.n++
			visit(u.next)
		}
	}
	visit(nil)
}

// does: changes n of parameter 0; changes n of what parameter 0 leads to
func even(t *T) {
	if t != nil {
		t.n++
		odd(t.next)
	}
}

// does: changes n of what parameter 0 leads to
func odd(t *T) {
	if t != nil {
		even(t.next)
	}
}

// does: changes n of parameter 0
func items(t *T) []int {
	return slices.Collect(func(yield func(int) bool) {
		t.n++
		yield(t.n)
	})
}

// does: changes n of parameter 0
func method(t *T) []int { return slices.Collect(t.each) }

func (t *T) each(yield func(int) bool) {
	t.n++
	yield(t.n)
}

// does: nothing
func keys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

// does: changes elements of parameter 0
func sorted(s []string) { slices.Sort(s) }

// does: changes elements of parameter 0
func sortedBy(s []string) { sort.Slice(s, func(i, j int) bool { return s[i] < s[j] }) }

type names []string

func (n names) Len() int           { return len(n) }
func (n names) Less(i, j int) bool { return n[i] < n[j] }
func (n names) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }

// does: changes elements of parameter 0
func sortedNames(n names) { sort.Sort(n) }

// does: nothing
func format(n int, s string) string { return fmt.Sprint(n, s) }

type loud struct{ n *int }

func (l loud) String() string { *l.n++; return "" }

// does: changes elements of parameter 0; changes elements of what parameter 0 leads to
func shout(l *loud) string { return fmt.Sprint(l) }

// does: calls Error or Format or GoString or String of parameter 0
func anything(v any) string { return fmt.Sprint(v) }

// does: calls Error or Format or GoString or String, of which nothing is known; changes elements of anything; changes elements of variables of packages
func problem() string { return fmt.Sprint(os.ErrExist) }

// does: takes a lock; changes n of parameter 0
func locked(t *T) {
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
}

// does: changes parameter 0 atomically
func hit(t *T) { t.hits.Add(1) }

// does: waits
func sleeps() { time.Sleep(1) }

// does: receives from a channel
func receives(c chan int) int { return <-c }

// does: sends to a channel; receives from a channel; waits
func selects(c, d chan int) {
	select {
	case c <- 1:
	case <-d:
	}
}

// does: starts a goroutine; changes global of variables of packages
func spawns() {
	go func() { global++ }()
}

// does: may end the goroutine
func ends() { os.Exit(1) }

// does: changes items of parameter 0; changes items of what parameter 0 leads to; changes n of parameter 0
func pushes(s *b.Stack) { s.Push(nil) }

// A stack that another package keeps leads to what was put on it. That what was
// put there is no list of items is a question of types, which nothing asks.
//
// does: changes elements of parameter 0; changes elements of what parameter 0 leads to; changes items of parameter 0; changes items of what parameter 0 leads to
func pushed(p *int) {
	var s b.Stack
	s.Push(p)
	*s.Top() = 1
}

// does: changes elements of what parameter 0 leads to
func eachPushed(s *b.Stack) { s.Each(func(p *int) { *p = 1 }) }

// does: changes Total of variables of packages
func counts() { b.Count() }

// does: receives from a channel
func waits(c chan int) int { return b.Wait(c) }

// does: nothing
func counter() int { return b.Counter()() }

type square struct{ side, asked *int }

func (s square) Area() int { *s.asked++; return *s.side * *s.side }

// does: changes elements of what parameter 0 leads to
func area(s *square) int { return b.Sum(nil, *s) }

// does: nothing
func builds(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p)
	}
	return b.String()
}

// does: changes elements of parameter 0
func generic[E any](s []E, e E) { s[0] = e }

// does: changes elements of parameter 0
func instance(s []int) { generic(s, 1) }

// does: changes n of parameter 0
func over(t *T) {
	for i := range t.each2 {
		_ = i
	}
}

func (t *T) each2(yield func(int) bool) {
	t.n++
	yield(1)
}

// does: calls Read of parameter 0
func deferred(r interface{ Read([]byte) (int, error) }) {
	defer func() {
		r.Read(nil)
	}()
}

// does: changes variables of packages atomically; changes the world
func prints(s string) { fmt.Fprintln(os.Stderr, s) }

var registry []*T

func registered() *T {
	t := &T{}
	registry = append(registry, t)
	return t
}

func makes(t *T, keep func(*T)) {
	a := fresh(t)      // made
	b := same(t)       // given
	c := registered()  // given: others have it as well
	d := fresh(t)      // given: it is kept below
	e := either2(t)    // given
	f := counterOf(*a) // made
	g := counterOf(*a) // given: what keeps is not known
	h := counterOf(*a) // given: keep may keep it
	t.take(g)
	keep(h)
	global, t.next = f.n+e.n+b.n+c.n, d
}

func either2(t *T) *T {
	if t.n > 0 {
		return t
	}
	return &T{}
}

func counterOf(t T) *T { return &T{n: t.n} }

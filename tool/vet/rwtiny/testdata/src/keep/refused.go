package keep

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// written is changed where no lock is held.
type written struct {
	mu sync.Mutex
	m  map[string]int
}

func (x *written) all() map[string]int {
	x.mu.Lock() // want `all copies under` // refuse "keep: m is written without the lock"
	defer x.mu.Unlock()
	return maps.Clone(x.m)
}
func (x *written) get(k string) int { return x.all()[k] }
func (x *written) set(k string)     { x.mu.Lock(); x.m[k]++; x.mu.Unlock() }
func (x *written) clear(k string)   { delete(x.m, k) }

// given gives a pointer away whose memory the copy has.
type given struct {
	mu sync.Mutex
	m  map[string]*item
}

func (x *given) all() (out []item) {
	x.mu.Lock() // want `all copies under` // refuse "keep: m is used as a whole"
	defer x.mu.Unlock()
	for _, it := range x.m {
		out = append(out, *it)
	}
	return out
}
func (x *given) count() int   { return len(x.all()) }
func (x *given) set(k string) { x.mu.Lock(); x.m[k].n++; x.mu.Unlock() }
func (x *given) get(k string) *item {
	x.mu.Lock()
	defer x.mu.Unlock()
	it := x.m[strings.ToLower(k)]
	return it
}

// ranged gives it away from a loop.
type ranged struct {
	mu sync.Mutex
	m  map[string]*item
}

func (x *ranged) all() (out []item) {
	x.mu.Lock() // want `all copies under` // refuse "keep: m is used as a whole"
	defer x.mu.Unlock()
	for _, it := range x.m {
		out = append(out, *it)
	}
	return out
}
func (x *ranged) count() int   { return len(x.all()) }
func (x *ranged) set(k string) { x.mu.Lock(); x.m[k].n++; x.mu.Unlock() }
func (x *ranged) first() *item {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, it := range x.m {
		return it
	}
	return nil
}

// addressed gives the address of an element away.
type addressed struct {
	mu sync.Mutex
	l  []host
}

func (x *addressed) all() []host {
	x.mu.Lock() // want `all copies under` // refuse "keep: l is used as a whole"
	defer x.mu.Unlock()
	return slices.Clone(x.l)
}
func (x *addressed) count() int   { return len(x.all()) }
func (x *addressed) set(s string) { x.mu.Lock(); x.l = append(x.l, host{addr: s}); x.mu.Unlock() }
func (x *addressed) at(i int) *host {
	x.mu.Lock()
	defer x.mu.Unlock()
	p := &x.l[i]
	return p
}

// locked takes a lock of an element, under which that is written.
type locked struct {
	mu sync.Mutex
	l  []*guarded
}

type guarded struct {
	mu sync.Mutex
	n  int
}

func (g *guarded) inc() { g.mu.Lock(); g.n++; g.mu.Unlock() }
func (g *guarded) get() int {
	g.mu.Lock() // want `g.mu is locked`
	defer g.mu.Unlock()
	return g.n
}

func (x *locked) all() (out []int) {
	x.mu.Lock() // want `all copies under` // refuse "keep: all takes another lock"
	defer x.mu.Unlock()
	for _, g := range x.l {
		out = append(out, g.get())
	}
	return out
}
func (x *locked) count() int     { return len(x.all()) }
func (x *locked) add(g *guarded) { x.mu.Lock(); x.l = append(x.l, g); x.mu.Unlock() }

// tree reads what another of its type has, with a lock of its own.
type tree struct {
	mu sync.Mutex
	up *tree
	m  map[string]int
}

func (x *tree) all() map[string]int {
	x.mu.Lock() // want `all copies under` // refuse "keep: up leads to other values of tree"
	defer x.mu.Unlock()
	out := maps.Clone(x.m)
	maps.Copy(out, x.up.m)
	return out
}
func (x *tree) get(k string) int { return x.all()[k] }
func (x *tree) set(k string)     { x.mu.Lock(); x.m[k]++; x.mu.Unlock() }

// global reads a variable that is written without the lock.
type global struct {
	mu sync.Mutex
	m  map[string]int
}

var more = 1

func (x *global) all() map[string]int {
	x.mu.Lock() // want `all copies under` // refuse "keep: all reads more"
	defer x.mu.Unlock()
	out := maps.Clone(x.m)
	out["more"] = more
	return out
}
func (x *global) get(k string) int { more++; return x.all()[k] }
func (x *global) set(k string)     { x.mu.Lock(); x.m[k]++; x.mu.Unlock() }

// direct gives it away at once.
type direct struct {
	mu sync.Mutex
	m  map[string]*item
}

func (x *direct) all() (out []item) {
	x.mu.Lock() // want `all copies under` // refuse "keep: m is used as a whole"
	defer x.mu.Unlock()
	for _, it := range x.m {
		out = append(out, *it)
	}
	return out
}
func (x *direct) count() int   { return len(x.all()) }
func (x *direct) set(k string) { x.mu.Lock(); x.m[k].n++; x.mu.Unlock() }
func (x *direct) get(k string) *item {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.m[strings.ToLower(k)]
}

// pair gives it away beside something else.
type pair struct {
	mu sync.Mutex
	m  map[string]*item
}

func (x *pair) all() (out []item) {
	x.mu.Lock() // want `all copies under` // refuse "keep: m is used as a whole"
	defer x.mu.Unlock()
	for _, it := range x.m {
		out = append(out, *it)
	}
	return out
}
func (x *pair) count() int   { return len(x.all()) }
func (x *pair) set(k string) { x.mu.Lock(); x.m[k].n++; x.mu.Unlock() }
func (x *pair) get(k string) *item {
	x.mu.Lock()
	defer x.mu.Unlock()
	n, it := len(k), x.m[strings.ToLower(k)]
	if n > 1 {
		return nil
	}
	return it
}

// stored puts it into a variable of the package.
type stored struct {
	mu sync.Mutex
	m  map[string]*item
}

var last *item

func (x *stored) all() (out []item) {
	x.mu.Lock() // want `all copies under` // refuse "keep: m is used as a whole"
	defer x.mu.Unlock()
	for _, it := range x.m {
		out = append(out, *it)
	}
	return out
}
func (x *stored) count() int    { return len(x.all()) }
func (x *stored) set(k string)  { x.mu.Lock(); x.m[k].n++; x.mu.Unlock() }
func (x *stored) keep(k string) { x.mu.Lock(); last = x.m[k]; x.mu.Unlock() }

// looped does so in a loop.
type looped struct {
	mu sync.Mutex
	m  map[string]*item
}

var latest *item

func (x *looped) all() (out []item) {
	x.mu.Lock() // want `all copies under` // refuse "keep: m is used as a whole"
	defer x.mu.Unlock()
	for _, it := range x.m {
		out = append(out, *it)
	}
	return out
}
func (x *looped) count() int   { return len(x.all()) }
func (x *looped) set(k string) { x.mu.Lock(); x.m[k].n++; x.mu.Unlock() }
func (x *looped) keep() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, latest = range x.m {
	}
}

// What follows is not found.

type fixed struct { // nothing is written
	mu sync.Mutex
	m  map[string]int
}

func (x *fixed) all() map[string]int { x.mu.Lock(); defer x.mu.Unlock(); return maps.Clone(x.m) }
func (x *fixed) get(k string) int    { return x.all()[k] }

type box struct{ m map[string]int }

func (x *other) boxed() *box { return &box{x.all()} }

var early = new(other).all()["k"] // where no function is

type none struct{}

func (none) all() int { return 0 }

func noneOf(n none) int { return n.all() }

type wrap struct{ in *other } // the lock of another struct, and of none

func (w wrap) all() map[string]int {
	w.in.mu.Lock()
	defer w.in.mu.Unlock()
	return maps.Clone(w.in.m)
}
func (w wrap) get(k string) int { return w.all()[k] }

type keys []string

func (ks keys) all() []string { new(other).mu.Lock(); return slices.Clone(ks) }

type counts interface{ all() int }

func countOf(c counts) int { return c.all() } // another method

type other struct {
	mu  sync.Mutex
	m   map[string]int
	was map[string]int
}

func (x *other) set(k string) { x.mu.Lock(); x.m[k]++; x.mu.Unlock() }
func (x *other) all() map[string]int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return maps.Clone(x.m)
}

func (x *other) reset(k string)              { all := x.all(); all[k] = 0; _ = all } // it writes
func (x *other) hand() map[string]int        { return x.all() }                      // it hands the copy on
func (x *other) put()                        { x.was = x.all() }
func (x *other) call(f func(map[string]int)) { f(x.all()) }
func (x *other) later()                      { defer x.all() }

func (x *other) since() map[string]int { // another time
	x.mu.Lock()
	defer x.mu.Unlock()
	out := map[string]int{}
	for k := range x.m {
		out[k] = time.Now().Second()
	}
	return out
}
func (x *other) sinceWhen(k string) int { return x.since()[k] }

func (x *other) some(n int) map[string]int { // of which
	x.mu.Lock()
	defer x.mu.Unlock()
	out := maps.Clone(x.m)
	out["n"] = n
	return out
}
func (x *other) one(k string) int { return x.some(1)[k] }

func (x *other) len() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := 0
	for range x.m {
		n++
	}
	return n
}
func (x *other) empty() bool { return x.len() == 0 }

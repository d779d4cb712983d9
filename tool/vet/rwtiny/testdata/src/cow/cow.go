// Package cow has locks around what is read far more often than it is written.
package cow

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// What is read is a map and a number that belong together.

type flags struct {
	mu    sync.RWMutex
	owner string
	on    map[string]bool
	rev   int
	calls int
}

func newFlags(owner string) *flags {
	f := &flags{owner: owner, on: map[string]bool{}}
	f.on["always"] = true
	return f
}

func (f *flags) get(name string) (bool, string) {
	f.mu.RLock() // want `f.mu is read-locked` // dearer "cow: the first read after a write copies all of on, which is in memory twice"
	defer f.mu.RUnlock()
	return f.on[name], f.owner
}

func (f *flags) names() []string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	out := make([]string, 0, len(f.on))
	for name := range f.on {
		out = append(out, name)
	}
	return out
}

func (f *flags) all() map[string]bool {
	f.mu.RLock()
	all := maps.Clone(f.on)
	f.mu.RUnlock()
	return all
}

func (f *flags) since(rev int) (n int, ok bool) {
	f.mu.RLock() // want `f.mu is read-locked`
	if f.rev < rev {
		f.mu.RUnlock()
		return 0, false
	}
	n = f.rev - rev
	f.mu.RUnlock()
	return n, true
}

// It may call what it does not know, and keeps the lock.
func (f *flags) each(do func(string)) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for name := range f.on {
		do(name)
	}
}

func (f *flags) set(name string, on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.on[name] = on
	f.changed()
}

func (f *flags) clear() {
	f.mu.Lock()
	clear(f.on)
	f.changed()
	f.mu.Unlock()
}

func (f *flags) replace(with map[string]bool) {
	on := maps.Clone(with)
	f.mu.Lock()
	f.on = on
	f.mu.Unlock()
}

// changed is called under the lock.
func (f *flags) changed() { f.rev++ }

// It writes what no copy has, but only the lock says that.
func (f *flags) count() {
	f.mu.Lock()
	f.calls++
	f.mu.Unlock()
}

// An embedded Mutex, a slice of structs, a time.

type host struct {
	addr  string
	down  bool
	since time.Time
}

type pool struct {
	sync.Mutex
	hosts []host
}

func (p *pool) first() string {
	p.Lock() // want `p is locked` // dearer "cow: the first read after a write copies all of hosts, which is in memory twice"
	if len(p.hosts) == 0 {
		p.Unlock()
		return ""
	}
	addr := p.hosts[0].addr
	p.Unlock()
	return addr
}

func (p *pool) all() []host {
	p.Lock()
	defer p.Unlock()
	return append([]host(nil), p.hosts...)
}

type pools struct{ p pool }

func (ps *pools) len() int { ps.p.Lock(); defer ps.p.Unlock(); return len(ps.p.hosts) }

func (p *pool) up() (n int) {
	p.Lock()
	defer p.Unlock()
	for _, h := range p.hosts {
		if !h.down {
			n++
		}
	}
	return n
}

func (p *pool) mark(i int, down bool) {
	p.Lock()
	defer p.Unlock()
	p.hosts[i].down = down
}

func (p *pool) drop(i int) {
	p.Lock()
	defer p.Unlock()
	p.hosts = slices.Delete(p.hosts, i, i+1)
}

// An array, by its method, and names that are taken.

type rates [4]float64

func (r *rates) get(i int) (float64, error) {
	if i >= len(r) {
		return 0, fmt.Errorf("no rate %d", i)
	}
	return r[i], nil
}

type table struct {
	mu      sync.RWMutex
	rates   rates
	version int
}

type tableSnapshot struct{}

func snapshot() tableSnapshot { return tableSnapshot{} }

func (t *table) rev() (int, float64) {
	t.mu.RLock() // want `t.mu is read-locked` // dearer "cow: the first read after a write allocates"
	defer t.mu.RUnlock()
	return t.version, t.rates[0]
}

func (t *table) one(i int) float64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	r, _ := t.rates.get(i)
	return r
}

func (t *table) update(i int, r float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rates[i] = r
	t.version = int(int64(t.version)) + 1
}

// What is meant where there is none never changes.

type rate struct{ num, den int }

var even = rate{1, 1}

type ratios struct {
	mu sync.RWMutex
	rs []rate
}

func (r *ratios) at(i int) rate {
	r.mu.RLock() // want `r.mu is read-locked` // dearer "cow: the first read after a write copies all of rs, which is in memory twice"
	defer r.mu.RUnlock()
	if i < len(r.rs) {
		return r.rs[i]
	}
	return even
}

func (r *ratios) set(i int, v rate) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.rs) <= i {
		r.rs = append(r.rs, even)
	}
	r.rs[i] = v
}

// Structs with their own names, which never change once they are there.

type plan struct {
	name  string
	price int
}

type plans struct {
	mu sync.RWMutex
	m  map[string]*plan
}

func (p *plans) get(name string) *plan {
	p.mu.RLock() // want `p.mu is read-locked` // dearer "cow: the first read after a write copies all of m, which is in memory twice"
	defer p.mu.RUnlock()
	return p.m[name]
}

func (p *plans) price(name string) int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if x := p.m[name]; x != nil {
		return x.price
	}
	return 0
}

func (p *plans) len() int { p.mu.RLock(); defer p.mu.RUnlock(); return len(p.m) }
func (p *plans) all() map[string]*plan {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return maps.Clone(p.m)
}

func (p *plans) put(x *plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m == nil {
		p.m = make(map[string]*plan)
	}
	p.m[x.name] = x
}

// What is put in may still be that of others.

type given struct {
	mu                                    sync.Mutex
	whole                                 map[string]int
	part, all, grown, late, named, parsed []int
}

func (g *given) get(k string, i int) int {
	g.mu.Lock() // want `g.mu is locked` // dearer "cow: the first read after a write copies all of whole and part and all and grown and late and named and parsed, which is in memory twice"
	defer g.mu.Unlock()
	return g.whole[k] + g.part[i] + g.all[i] + g.grown[i] + g.late[i] + g.named[i] + g.parsed[i]
}

func (g *given) set(m map[string]int, l []int) []int {
	own := make([]int, 1, 2)
	more := append(own, len(own))
	g.mu.Lock()
	g.whole = m
	g.part = l[1:]
	g.all = own
	g.grown = append(l, 1)
	g.named = list(l)
	g.parsed, _ = split(l)
	g.late = append(g.late, 1)
	g.mu.Unlock()
	return more
}

func newGiven() *given {
	l := []int{1}
	g := &given{late: l}
	g.get("", 0)
	l[0] = 2
	return g
}

// What is made for it is its own.

type owned struct {
	mu                          sync.Mutex
	cut, copied, made, none, at []int
}

func (o *owned) get(i int) int {
	o.mu.Lock() // want `o.mu is locked` // dearer "cow: the first read after a write copies all of cut and copied and made and none and at, which is in memory twice"
	defer o.mu.Unlock()
	return o.cut[i] + o.copied[i] + o.made[i] + o.none[i] + o.at[i]
}

func (o *owned) set(l []int) {
	at := make([]int, len(l))
	for i := range at {
		at[i] = cap(at)
	}
	o.mu.Lock()
	o.cut = slices.Delete(o.cut[1:], 1, 2)
	o.copied = append(slices.Clone(l), 1)
	o.made = make([]int, len(l))
	o.none = list(nil)
	o.copied = nil
	o.at = at
	o.mu.Unlock()
}

func split(l []int) (a, b []int) { return l[:1], l[1:] }

package keep

import (
	"maps"
	"slices"
	"sort"
	"sync"
)

// A board is copied by a call of the library, with a number beside it.
type board struct {
	mu   sync.RWMutex
	last map[string]int
	rev  int
}

func newBoard(open map[string]int) *board { return &board{last: maps.Clone(open)} }

func (b *board) set(k string, v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last[k] = v
	b.rev++
}

func (b *board) snapshot() (map[string]int, int) {
	b.mu.RLock() // want `snapshot copies under b.mu for each call, and price only reads the copy` // dearer "keep"
	defer b.mu.RUnlock()
	return maps.Clone(b.last), b.rev
}

func (b *board) price(k string) (int, bool) {
	all, _ := b.snapshot()
	v, ok := all[k]
	return v, ok
}

func (b *board) raised(by int) map[string]int {
	all, _ := b.snapshot() // changes its copy
	for k := range all {
		all[k] += by
	}
	return all
}

// hosts are copied by a loop, and by append: two copies of one lock.
type hosts struct {
	mu   sync.Mutex
	all  []host
	tags map[string]string
}

type host struct {
	addr string
	down bool
}

func (h *hosts) List() (list []host) {
	h.mu.Lock() // want `List copies under h.mu for each call, and pick only reads the copy` // dearer "keep"
	list = make([]host, len(h.all))
	copy(list, h.all)
	h.mu.Unlock()
	return
}

// It takes the lock two times.
func (h *hosts) tagged() map[string]string {
	h.mu.Lock()
	out := maps.Clone(h.tags)
	h.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	for k, v := range h.tags {
		out[k] = v
	}
	return out
}

func (h *hosts) mark(addr string, down bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.all {
		if p := &h.all[i]; p.addr == addr {
			p.down = down
		}
	}
	h.tags[addr] = "seen"
}

type client struct{ hosts *hosts }

func (c client) pick(n int) (host, string) {
	all := c.hosts.List()
	p := &all[n%len(all)]
	return *p, c.hosts.tagged()[p.addr]
}

func pickAll(h *hosts, n int) int {
	var wg sync.WaitGroup
	up := make([]int, n)
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, x := range h.List() {
				if !x.down {
					up[i]++
				}
			}
		}()
	}
	wg.Wait()
	return up[0]
}

// A store has pointers, what they lead to is copied as well.
type store struct {
	mu    sync.RWMutex
	items map[string]*item
}

type item struct {
	n    int
	tags []string
}

func (it *item) clone() *item { return &item{it.n, slices.Clone(it.tags)} }

func (s *store) all() map[string]*item {
	s.mu.RLock() // want `all copies under s.mu for each call, and total only reads the copy` // dearer "keep"
	defer s.mu.RUnlock()
	return s.copied()
}

func (s *store) copied() map[string]*item {
	out := map[string]*item{}
	for k, it := range s.items {
		out[k] = it.clone()
	}
	return out
}

func (s *store) add(k, tag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, ok := s.items[k]
	if !ok {
		it = new(item)
		s.items[k] = it
	}
	it.n++
	it.tags = append(it.tags, tag)
}

func (s *store) count(k string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for range s.items {
		n := s.items[k].n
		return n
	}
	return 0
}

func (s *store) total() (n int) {
	for _, it := range s.all() {
		n += it.n + len(it.tags)
	}
	return n
}

// A lister is what index is for others. They make one of their own, too.
type lister interface {
	names() []string
	size() int
}

type index struct {
	sync.Mutex
	of map[string]int
}

func (x *index) names() []string {
	x.Lock() // want `names copies under x for each call, and has only reads the copy` // dearer "keep"
	defer x.Unlock()
	var out []string
	for k := range x.of {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func (x *index) put(k string) { x.Lock(); x.of[k]++; x.Unlock() }

func (x *index) size() int { x.Lock(); defer x.Unlock(); return len(x.of) } // want `x is locked`

func (f finder) size() int { return f.in.size() }

type finder struct{ in lister }

func (f finder) has(k string) bool {
	_, ok := slices.BinarySearch(f.in.names(), k)
	return ok
}

// settings are one struct with a map in it.
type settings struct {
	mu sync.Mutex
	c  config
}

type config struct {
	depth  int
	limits map[string]int
}

func (s *settings) get() config {
	s.mu.Lock() // want `get copies under s.mu for each call, and allows only reads the copy` // dearer "keep"
	defer s.mu.Unlock()
	c := s.c
	c.limits = maps.Clone(c.limits)
	return c
}

func (s *settings) limit(k string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.c.limits[k] = n
}

func (s *settings) allows(k string, n int) bool { return n <= s.get().limits[k] }

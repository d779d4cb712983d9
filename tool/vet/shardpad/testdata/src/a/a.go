package a

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// The textbook: shards of a map, chosen by a hash.

type shard struct { // want `elements of shards are 16 bytes, each with a lock: neighbours share a cache line` // dearer "pad: each takes more memory: 128 bytes instead of 16"
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

type cache struct {
	seed   maphash.Seed
	shards [64]shard
}

func (c *cache) get(key string) int {
	s := &c.shards[maphash.String(c.seed, key)%64]
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[key]
}

// A lock that is embedded, in one line.

type cell struct{ sync.RWMutex } // want `elements of cells are 24 bytes, each with a lock`

var cells []cell

func read(h int) {
	cells[h&15].RLock()
	cells[h&15].RUnlock()
}

// Pointers to what is allocated in a loop.

type part struct { // want `elements of all are 16 bytes, each with a counter`
	n atomic.Int64
	_ int64
}

type parts struct {
	all []*part
}

func newParts(n int) *parts {
	p := &parts{}
	for range n {
		p.all = append(p.all, &part{})
	}
	return p
}

func (p *parts) add(worker int) { p.all[worker].n.Add(1) }

// Bare counters, indexed by who asks.

type hits struct {
	shards [8]atomic.Int64 // want `elements of shards are 8 bytes, each with a counter`
}

func (h *hits) serve(shard, n int) {
	for range n {
		h.shards[shard].Add(1)
	}
}

func (h *hits) total() (n int64) {
	for i := range h.shards {
		n += h.shards[i].Load()
	}
	return n + (&h.shards[0]).Load()
}

// Locks of their own, a table that is made later.

var locks = make([]sync.Mutex, 256) // want `elements of locks are 8 bytes, each with a lock`

func with(key uint32, f func()) {
	l := &locks[key%256]
	l.Lock()
	defer l.Unlock()
	f()
}

func reset(n int) { locks = make([]sync.Mutex, n) }

// Numbers that are added to by function, in a slice of the function.

func count(xs []int, workers int) (sum int64) {
	sums := make([]int64, workers) // want `elements of sums are 8 bytes, each with a counter`
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, x := range xs {
				atomic.AddInt64(&sums[w], int64(x))
			}
		})
	}
	wg.Wait()
	for i := range sums {
		sum += sums[i]
	}
	return sum
}

// The type has no name.

var anonymous [16]struct { // want `elements of anonymous are 16 bytes, each with a lock`
	sync.Mutex
	n int
}

func inc(h uint64) {
	s := &anonymous[h>>60]
	s.Lock()
	s.n++
	s.Unlock()
}

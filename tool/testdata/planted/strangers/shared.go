// Package strangers is written by someone who does not know the rules: programs
// as they come, each with a serial way and a concurrent one, and in want.json
// why the concurrent one does not pay.
package strangers

import (
	"cmp"
	"math/bits"
	"sync"
	"sync/atomic"
)

// inParts runs f for the parts of [0, n) at once, one goroutine each.
func inParts(n, parts int, f func(part, lo, hi int)) {
	var wg sync.WaitGroup
	for p := range parts {
		wg.Go(func() { f(p, p*n/parts, (p+1)*n/parts) })
	}
	wg.Wait()
}

// Hits counts requests in shards, so that nobody waits for anybody.
type Hits struct {
	shards [8]atomic.Int64
}

// Serve answers n requests and counts those that hit in the shard given.
func (h *Hits) Serve(shard, n int) int {
	hits, x := 0, uint32(2463534242)
	for range n {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		if x&7 != 0 {
			h.shards[shard].Add(1)
			hits++
		}
	}
	return hits
}

// Total adds up the shards.
func (h *Hits) Total() int {
	n := int64(0)
	for i := range h.shards {
		n += h.shards[i].Load()
	}
	return int(n)
}

type extent struct {
	min, max, sum, n int
}

func (e *extent) add(v int) {
	if v < e.min {
		e.min = v
	}
	if v > e.max {
		e.max = v
	}
	e.sum += v
	e.n++
}

func (e *extent) addAll(vs []int) {
	for _, v := range vs {
		e.add(v)
	}
}

func combine(es []extent) int {
	t := es[0]
	for _, e := range es[1:] {
		t = extent{min(t.min, e.min), max(t.max, e.max), t.sum + e.sum, t.n + e.n}
	}
	return t.sum/t.n + t.max - t.min
}

// Extents is the mean and the spread of the readings of two sensors.
func Extents(vs []int) int {
	es := make([]extent, 2)
	es[0].addAll(vs[:len(vs)/2])
	es[1].addAll(vs[len(vs)/2:])
	return combine(es)
}

// ExtentsPerSensor is Extents with a goroutine for each sensor.
func ExtentsPerSensor(vs []int) int {
	es := make([]extent, 2)
	inParts(len(vs), 2, func(p, lo, hi int) { es[p].addAll(vs[lo:hi]) })
	return combine(es)
}

// FreeIDs is a stack of free numbers without a lock. The upper half of head
// counts the changes.
type FreeIDs struct {
	head atomic.Uint64
	next []atomic.Uint32
}

// NewFreeIDs has the numbers 1 to n free.
func NewFreeIDs(n int) *FreeIDs {
	f := &FreeIDs{next: make([]atomic.Uint32, n+1)}
	for i := 1; i <= n; i++ {
		f.Put(uint32(i))
	}
	return f
}

// Get takes a free number, or 0.
func (f *FreeIDs) Get() uint32 {
	for {
		h := f.head.Load()
		id := uint32(h)
		if id == 0 {
			return 0
		}
		if f.head.CompareAndSwap(h, (h>>32+1)<<32|uint64(f.next[id].Load())) {
			return id
		}
	}
}

// Put gives a number back.
func (f *FreeIDs) Put(id uint32) {
	for {
		h := f.head.Load()
		f.next[id].Store(uint32(h))
		if f.head.CompareAndSwap(h, (h>>32+1)<<32|uint64(id)) {
			return
		}
	}
}

func (f *FreeIDs) leases(n int) (served int) {
	for range n {
		if id := f.Get(); id != 0 {
			served++
			f.Put(id)
		}
	}
	return served
}

// Leases takes and gives back a number n times.
func (f *FreeIDs) Leases(n int) int { return f.leases(n) }

// LeasesAtOnce is Leases in four goroutines.
func (f *FreeIDs) LeasesAtOnce(n int) int {
	var served atomic.Int64
	inParts(n, 4, func(_, lo, hi int) { served.Add(int64(f.leases(hi - lo))) })
	return int(served.Load())
}

func roll(x uint64) uint64 { return x*6364136223846793005 + 1442695040888963407 }

// Dice throws n dice and adds up the points.
func Dice(n int) int {
	x, points := uint64(1), 0
	for range n {
		x = roll(x)
		points += int(x>>33)%6 + 1
	}
	return points
}

// DiceAtOneTable is Dice with two players and one cup.
func DiceAtOneTable(n int) int {
	var cup atomic.Uint64
	cup.Store(1)
	var points [2]int
	inParts(n, 2, func(p, lo, hi int) {
		mine := 0
		for range hi - lo {
			for {
				x := cup.Load()
				if next := roll(x); cup.CompareAndSwap(x, next) {
					mine += int(next>>33)%6 + 1
					break
				}
			}
		}
		points[p] = mine
	})
	return points[0] + points[1]
}

// places yields the four bits of a key in a Bloom filter.
func places(key int) (a, b, c, d uint64) {
	h := uint64(key) * 0x9e3779b97f4a7c15
	return h >> 50, h >> 36 & (1<<14 - 1), h >> 22 & (1<<14 - 1), h >> 8 & (1<<14 - 1)
}

type bloom [1 << 8]uint64

func (f *bloom) add(key int) {
	a, b, c, d := places(key)
	f[a>>6] |= 1 << (a & 63)
	f[b>>6] |= 1 << (b & 63)
	f[c>>6] |= 1 << (c & 63)
	f[d>>6] |= 1 << (d & 63)
}

// A safeBloom may be used by several goroutines.
type safeBloom [1 << 8]atomic.Uint64

func (f *safeBloom) add(key int) {
	a, b, c, d := places(key)
	f[a>>6].Or(1 << (a & 63))
	f[b>>6].Or(1 << (b & 63))
	f[c>>6].Or(1 << (c & 63))
	f[d>>6].Or(1 << (d & 63))
}

// Bloom counts the bits of a Bloom filter of the keys.
func Bloom(keys []int) (n int) {
	f := new(bloom)
	for _, k := range keys {
		f.add(k)
	}
	for _, w := range f {
		n += bits.OnesCount64(w)
	}
	return n
}

// BloomParts has a filter for each half of the keys and puts them together.
func BloomParts(keys []int) (n int) {
	var fs [2]*safeBloom
	inParts(len(keys), 2, func(p, lo, hi int) {
		f := new(safeBloom)
		for _, k := range keys[lo:hi] {
			f.add(k)
		}
		fs[p] = f
	})
	for i := range fs[0] {
		n += bits.OnesCount64(fs[0][i].Load() | fs[1][i].Load())
	}
	return n
}

// TopK keeps the greatest values it is offered, the least of them on top.
type TopK struct {
	sync.Mutex
	heap []int
}

// Offer replaces the least value kept if v is greater.
func (t *TopK) Offer(v int) {
	t.Lock()
	defer t.Unlock()
	h := t.heap
	if v <= h[0] {
		return
	}
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if v <= h[c] {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = v
}

func (t *TopK) sum() (s int) {
	for _, v := range t.heap {
		s += v
	}
	return s
}

// Best adds up the 100 greatest of vs.
func Best(vs []int) int {
	t := &TopK{heap: make([]int, 100)}
	for _, v := range vs {
		t.Offer(v)
	}
	return t.sum()
}

// BestOfCrew is Best with four goroutines and one heap.
func BestOfCrew(vs []int) int {
	t := &TopK{heap: make([]int, 100)}
	inParts(4, 4, func(p, _, _ int) {
		for i := p; i < len(vs); i += 4 {
			t.Offer(vs[i])
		}
	})
	return t.sum()
}

// Memo remembers the lengths of Collatz sequences.
type Memo struct {
	sync.Mutex
	steps map[int]int
}

func (m *Memo) known(n int) (int, bool) {
	m.Lock()
	s, ok := m.steps[n]
	m.Unlock()
	return s, ok
}

func (m *Memo) learn(n, s int) {
	m.Lock()
	m.steps[n] = s
	m.Unlock()
}

func (m *Memo) length(n int) int {
	if n == 1 {
		return 0
	}
	if s, ok := m.known(n); ok {
		return s
	}
	next := n / 2
	if n%2 == 1 {
		next = 3*n + 1
	}
	s := m.length(next) + 1
	m.learn(n, s)
	return s
}

// Longest adds up the lengths of the sequences from 1 to n.
func (m *Memo) Longest(n int) (sum int) {
	clear(m.steps)
	for i := 1; i <= n; i++ {
		sum += m.length(i)
	}
	return sum
}

// LongestAtOnce is Longest with six goroutines.
func (m *Memo) LongestAtOnce(n int) int {
	clear(m.steps)
	var sum atomic.Int64
	inParts(n, 6, func(_, lo, hi int) {
		mine := 0
		for i := lo + 1; i <= hi; i++ {
			mine += m.length(i)
		}
		sum.Add(int64(mine))
	})
	return int(sum.Load())
}

// Registry is a map for many readers.
type Registry[K cmp.Ordered, V any] struct {
	sync.RWMutex
	entries map[K]V
}

// Get looks one up.
func (r *Registry[K, V]) Get(k K) (V, bool) {
	r.RLock()
	defer r.RUnlock()
	v, ok := r.entries[k]
	return v, ok
}

// Ports is a registry of the ports of services.
type Ports struct {
	Registry[string, int]
	names []string
}

// NewPorts knows the ports of the names.
func NewPorts(names []string) *Ports {
	p := &Ports{names: names}
	p.entries = make(map[string]int)
	for i, n := range names {
		p.entries[n] = 8000 + i
	}
	return p
}

func (p *Ports) resolve(n int) (sum int) {
	for i := range n {
		if port, ok := p.Get(p.names[i%len(p.names)]); ok {
			sum += port & 1
		}
	}
	return sum
}

// Resolve looks n names up.
func (p *Ports) Resolve(n int) int { return p.resolve(n) }

// ResolveAtOnce is Resolve in two goroutines.
func (p *Ports) ResolveAtOnce(n int) int {
	var sums [2]int
	inParts(n, 2, func(i, lo, hi int) { sums[i] = p.resolve(hi - lo) })
	return sums[0] + sums[1]
}

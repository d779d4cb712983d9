package snapmap

import (
	"iter"
	"math/bits"
)

// A View is what a [Map] had at one moment. It never changes, and any number of
// goroutines may use it. The zero View is empty. Two that are equal are the same
// view.
type View[K comparable, V any] struct {
	f *frozen[K, V]
}

// frozen is what a View has: nodes and pages of generations that are over.
type frozen[K comparable, V any] struct {
	hasher *hasher
	size   int
	pages  int64
	bits   int
	roots  []*node[K, V] // 1<<bits
	few    [fan]*node[K, V]
}

// newFrozen returns one with room for so many roots.
func newFrozen[K comparable, V any](shards int) *frozen[K, V] {
	f := new(frozen[K, V])
	if shards > len(f.few) {
		f.roots = make([]*node[K, V], shards)
	}
	return f
}

// fill makes f what the shards have. All are locked.
func (f *frozen[K, V]) fill(s *shards[K, V]) {
	f.hasher, f.bits = s.hasher, s.bits
	n := len(s.list)
	if n <= len(f.few) {
		f.roots = f.few[:n]
	} else if n != len(f.roots) {
		f.roots = make([]*node[K, V], n) // the shards have grown meanwhile
	}
	size, pages := 0, int64(0)
	for i := range f.roots {
		sh := &s.list[i]
		f.roots[i] = sh.root.Load()
		size += sh.size
		pages += sh.pages.Load()
	}
	f.size, f.pages = size, pages
}

// page returns the page of a hash.
func (f *frozen[K, V]) page(hash uint64) *page[K, V] {
	return f.roots[hash>>1>>(63-f.bits)].walk(hash, level(f.bits))
}

func (f *frozen[K, V]) find(hash uint64, key K) *entry[K, V] {
	e, _ := f.page(hash).find(hash, key)
	return e
}

// Load returns the value of key, and whether there is one.
func (v View[K, V]) Load(key K) (value V, ok bool) {
	if v.f == nil {
		checkKey(key)
		return value, false
	}
	h := hash(v.f.hasher, key)
	return v.f.page(h).loadAny(v.f.hasher, h, key)
}

// Len returns how many keys there are.
func (v View[K, V]) Len() int {
	if v.f == nil {
		return 0
	}
	return v.f.size
}

// All returns the entries, in no particular order.
func (v View[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		if v.f == nil {
			return
		}
		for i, n := range v.f.roots {
			if !n.yield(v.f.hasher.flat, part(i, v.f.bits), level(v.f.bits), yield) {
				return
			}
		}
	}
}

// yield calls yield for the entries below some slots of a node that nobody changes,
// until it returns false, and reports whether it never did.
func (n *node[K, V]) yield(flat bool, w extent, level int, yield func(K, V) bool) bool {
	for i := w.first; i < w.end; {
		p, deeper := n.child(i)
		if deeper != nil {
			if !deeper.yield(flat, whole, level+fanBits, yield) {
				return false
			}
			i++
			continue
		}
		if flat && !p.yieldFlat(yield) || !flat && !p.yield(yield) {
			return false
		}
		i += span(p.depth(), level)
	}
	return true
}

// yield is that of a page. What a view has is not stored to, so its values need no
// atomic load.
func (p *page[K, V]) yield(yield func(K, V) bool) bool {
	// One loop for all buckets: to leave one for each bucket would be mispredicted.
	for set := p.taken(); set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		e := p.buckets[i/8%buckets].slots[i%8].Load()
		if !yield(e.key, e.value) {
			return false
		}
	}
	for _, e := range p.generation().Load().excess {
		if !yield(e.key, e.value) {
			return false
		}
	}
	return true
}

// yieldFlat is yield of a flat page.
func (p *page[K, V]) yieldFlat(yield func(K, V) bool) bool {
	f := p.flat()
	for set := p.taken(); set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		b, j := i/8%buckets, i%8
		if !yield(fromWord[K](f.buckets[b].keys[j].Load()), fromWord[V](f.rows[b].values[j].Load())) {
			return false
		}
	}
	return true
}

// taken has a bit for each slot that has an entry: 8*i + j for slot j of bucket i.
func (p *page[K, V]) taken() (set uint64) {
	// The product has the seven bits side by side, from bit 56 on.
	const together = 1<<56 | 1<<49 | 1<<42 | 1<<35 | 1<<28 | 1<<21 | 1<<14
	for i := range p.buckets {
		set |= (p.buckets[i].meta.Load() & tagged >> 7 * together) >> 56 & 0x7f << (8 * i)
	}
	return set
}

// Map returns a new Map that has what v has. It shares v's memory until it is
// written to.
func (v View[K, V]) Map() *Map[K, V] {
	m := new(Map[K, V])
	if v.f == nil {
		return m
	}
	s := newShards[K, V](v.f.hasher, v.f.bits)
	s.generation = newGeneration[K, V]()
	for i, n := range v.f.roots {
		s.list[i].root.Store(n)
	}
	s.share(v.f.size, v.f.pages)
	m.shards.Store(s)
	m.last.Store(v.f)
	return m
}

package snapmap

import "iter"

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

func (f *frozen[K, V]) find(hash uint64, key K) *entry[K, V] {
	e, _ := f.roots[hash>>1>>(63-f.bits)].walk(hash, level(f.bits)).find(hash, key)
	return e
}

// Load returns the value of key, and whether there is one.
func (v View[K, V]) Load(key K) (value V, ok bool) {
	if v.f == nil {
		hash(newHasher[K, V](), key) // panics where the built-in map does
		return value, false
	}
	if e := v.f.find(hash(v.f.hasher, key), key); e != nil {
		return load(v.f.hasher.value, &e.value), true
	}
	return value, false
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
			if !n.yield(part(i, v.f.bits), level(v.f.bits), v.f.hasher.value, yield) {
				return
			}
		}
	}
}

// yield calls yield for the entries below some slots of a node that nobody changes,
// until it returns false, and reports whether it never did.
func (n *node[K, V]) yield(w extent, bits int, kind valueKind, yield func(K, V) bool) bool {
	for i := w.first; i < w.end; {
		p, deeper := n.child(i)
		if deeper != nil {
			if !deeper.yield(whole, bits+fanBits, kind, yield) {
				return false
			}
			i++
			continue
		}
		if !p.yield(kind, yield) {
			return false
		}
		i += span(p.depth(), bits)
	}
	return true
}

// yield is that of a page.
func (p *page[K, V]) yield(kind valueKind, yield func(K, V) bool) bool {
	// A branch for each slot would be mispredicted once in each bucket. A bucket
	// has eight places here, so that n is in range. The list is a variable of this
	// function: a store to one of the caller's would ask for the collector first.
	var list [buckets * (slots + 1)]*entry[K, V]
	n := 0
	for i := range p.buckets {
		b := &p.buckets[i]
		meta := b.meta.Load()
		in := slots
		if i == buckets-1 {
			in-- // the last is the generation
		}
		for j := range in {
			list[n%len(list)] = b.slots[j].Load()
			n += int(meta >> (8*j + 7) & 1)
		}
	}
	for _, e := range list[:n] {
		if !yield(e.key, load(kind, &e.value)) {
			return false
		}
	}
	for _, e := range p.generation().Load().excess {
		if !yield(e.key, load(kind, &e.value)) {
			return false
		}
	}
	return true
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

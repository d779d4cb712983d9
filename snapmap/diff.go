package snapmap

import "iter"

// A Change is what became of one key from one [View] to another.
type Change[K comparable, V any] struct {
	Kind Kind
	Key  K
	Old  V // zero if the key was added
	New  V // zero if it was removed
}

// A Kind is what became of a key.
type Kind uint8

// The kinds of changes.
const (
	Added Kind = iota + 1
	Changed
	Removed
)

func (k Kind) String() string {
	switch k {
	case Added:
		return "added"
	case Changed:
		return "changed"
	case Removed:
		return "removed"
	}
	return "no change"
}

// Diff returns what has changed from older to v, each key once, in no particular order.
// From the zero View on, which is empty, all is added. A key that was stored to, or
// deleted and stored again, may count as changed though the values are equal. It does
// not where both keys and values are numbers.
//
// It passes over what the two views share. If one Map made both, or one of them a Map
// made of the other, that is all but what was written in between. Diff looks at some 30
// to 50 entries for each key that was. Otherwise all are.
func (v View[K, V]) Diff(older View[K, V]) iter.Seq[Change[K, V]] {
	return func(yield func(Change[K, V]) bool) {
		d := diff[K, V]{older.f, v.f, yield}
		switch {
		case v.f == older.f:
		case v.f == nil || older.f == nil || v.f.hasher != older.f.hasher:
			d.unrelated()
		default:
			bits := min(v.f.bits, older.f.bits)
			was := regroup(older.f.roots, older.f.bits, bits)
			is := regroup(v.f.roots, v.f.bits, bits)
			for i := range is {
				if !d.below(was[i], is[i], part(i, bits), level(bits)) {
					return
				}
			}
		}
	}
}

// A diff is a walk through two views at once. Its methods report whether to go on.
type diff[K comparable, V any] struct {
	older, newer *frozen[K, V] // nil: empty
	yield        func(Change[K, V]) bool
}

// below compares what is below some slots of two nodes of the same hashes.
func (d *diff[K, V]) below(a, b *node[K, V], slots extent, bits int) bool {
	if a == b {
		return true
	}
	for i := slots.first; i < slots.end; {
		pa, na := a.child(i)
		pb, nb := b.child(i)
		if na != nil && nb != nil {
			if !d.below(na, nb, whole, bits+fanBits) {
				return false
			}
			i++
			continue
		}
		// The slots of the page that has more of them.
		w := 1
		if pa != nil {
			w = span(pa.depth(), bits)
		}
		if pb != nil {
			w = max(w, span(pb.depth(), bits))
		}
		if pa != pb {
			old, new := a.list(extent{i, i + w}, bits), b.list(extent{i, i + w}, bits)
			if !d.pages(old, new) {
				return false
			}
		}
		i += w
	}
	return true
}

// list returns the pages below some slots of a node.
func (n *node[K, V]) list(w extent, bits int) (list []*page[K, V]) {
	n.each(w, bits, 0, func(_ uint64, p *page[K, V]) bool {
		list = append(list, p)
		return true
	})
	return list
}

// pages compares the entries of all pages of the same hashes.
func (d *diff[K, V]) pages(was, is []*page[K, V]) bool {
	if d.newer.hasher.flat {
		return d.flat(was, is)
	}
	return missing(was, is, func(e *entry[K, V]) bool {
		value := load(d.older.hasher.value, &e.value)
		if e.key == e.key {
			if now := d.newer.find(hash(d.newer.hasher, e.key), e.key); now != nil {
				return d.yield(Change[K, V]{Kind: Changed, Key: e.key, Old: value, New: load(d.newer.hasher.value, &now.value)})
			}
		}
		return d.yield(Change[K, V]{Kind: Removed, Key: e.key, Old: value})
	}) && missing(is, was, func(e *entry[K, V]) bool {
		if e.key == e.key && d.older.find(hash(d.older.hasher, e.key), e.key) != nil {
			return true // as found above
		}
		return d.yield(Change[K, V]{Kind: Added, Key: e.key, New: load(d.newer.hasher.value, &e.value)})
	})
}

// flat compares the keys of flat pages, and their values.
func (d *diff[K, V]) flat(was, is []*page[K, V]) bool {
	return among(was, is, func(h, key, value uint64, there bool, now uint64) bool {
		if !there {
			now, there = d.newer.page(h).flat().load(h, key)
		}
		c := Change[K, V]{Kind: Removed, Key: fromWord[K](key), Old: fromWord[V](value)}
		if there {
			c.Kind, c.New = Changed, fromWord[V](now)
		}
		return there && now == value || d.yield(c)
	}, d.newer.hasher) && among(is, was, func(h, key, value uint64, there bool, _ uint64) bool {
		if !there {
			_, there = d.older.page(h).flat().load(h, key)
		}
		return there || d.yield(Change[K, V]{Kind: Added, Key: fromWord[K](key), New: fromWord[V](value)})
	}, d.newer.hasher)
}

// among calls yield for the keys of some flat pages, with their hashes and values, and
// with what others have in the same slots, if that is the same key: as most have. It
// does until yield returns false, and reports whether it never did.
func among[K comparable, V any](in, others []*page[K, V], yield func(h, key, value uint64, there bool, other uint64) bool, x *hasher) bool {
	for _, p := range in {
		f := p.flat()
		other := f
		if len(in) == 1 && len(others) == 1 {
			other = others[0].flat()
		}
		for i := range f.buckets {
			beside := other.buckets[i].meta.Load()
			for set := f.buckets[i].meta.Load() & tagged; set != 0; set &= set - 1 {
				at := place{i, slotOf(set)}
				key := f.buckets[i].keys[at.slot].Load()
				there := other != f && beside>>(8*at.slot)&0x80 != 0 && other.buckets[i].keys[at.slot].Load() == key
				if !yield(x.Word(key), key, f.value(at).Load(), there, other.value(at).Load()) {
					return false
				}
			}
		}
	}
	return true
}

// missing calls yield for the entries in some pages that are not in others, until it
// returns false, and reports whether it never did.
func missing[K comparable, V any](in, from []*page[K, V], yield func(*entry[K, V]) bool) bool {
	if len(in) == 1 && len(from) == 1 && !in[0].full() && !from[0].full() {
		// Most are where they were.
		p, q := in[0], from[0]
		for i := range p.buckets {
			b := &p.buckets[i]
			for set := b.meta.Load() & tagged; set != 0; set &= set - 1 {
				j := slotOf(set)
				e := b.slots[j].Load()
				if e != q.buckets[i].slots[j].Load() && !q.has(e) && !yield(e) {
					return false
				}
			}
		}
		return true
	}
	there := make(map[*entry[K, V]]struct{})
	for _, p := range from {
		p.each(func(e *entry[K, V]) bool {
			there[e] = struct{}{}
			return true
		})
	}
	for _, p := range in {
		if !p.each(func(e *entry[K, V]) bool {
			_, ok := there[e]
			return ok || yield(e)
		}) {
			return false
		}
	}
	return true
}

// full reports whether the page has entries in excess.
func (p *page[K, V]) full() bool { return p.generation().Load().excess != nil }

// has reports whether one of the page's slots has e.
func (p *page[K, V]) has(e *entry[K, V]) bool {
	for i := range p.buckets {
		b := &p.buckets[i]
		for set := b.meta.Load() & tagged; set != 0; set &= set - 1 {
			if b.slots[slotOf(set)].Load() == e {
				return true
			}
		}
	}
	return false
}

// unrelated compares views that share nothing.
func (d *diff[K, V]) unrelated() {
	was, is := View[K, V]{d.older}, View[K, V]{d.newer}
	for key, old := range was.All() {
		c := Change[K, V]{Kind: Removed, Key: key, Old: old}
		if now, ok := is.Load(key); ok {
			c.Kind, c.New = Changed, now
		}
		if !d.yield(c) {
			return
		}
	}
	for key, now := range is.All() {
		if _, ok := was.Load(key); !ok && !d.yield(Change[K, V]{Kind: Added, Key: key, New: now}) {
			return
		}
	}
}

package snapmap

// A builder makes pages of entries.
type builder[K comparable, V any] struct {
	entries []hashed[K, V]
	pages   []placed[K, V] // made
}

// hashed is an entry with its hash.
type hashed[K comparable, V any] struct {
	hash  uint64
	e     *entry[K, V]
	fresh bool
}

// placed is a page and a hash that belongs to it.
type placed[K comparable, V any] struct {
	hash uint64
	page *page[K, V]
}

// prefix returns the top bits of a hash.
func prefix(hash uint64, bits int) uint64 { return hash >> 1 >> (63 - bits) << 1 << (63 - bits) }

// gather takes the entries of a page, but for one that is left out. Hash is one of
// those that belong to the page.
func (b *builder[K, V]) gather(x *hasher, g *generation[K, V], hash uint64, p *page[K, V], out *entry[K, V]) {
	of := p.generation().Load()
	for i := range p.buckets {
		meta := p.buckets[i].meta.Load()
		if of.of != g {
			meta &^= 0x7f << 56
		}
		for set := meta & tagged; set != 0; set &= set - 1 {
			j := slotOf(set)
			if e := p.buckets[i].slots[j].Load(); e != out {
				b.take(x, hash, p, e, meta&freshBit(j) != 0)
			}
		}
	}
	for _, e := range of.excess {
		if e != out {
			b.take(x, hash, p, e, false)
		}
	}
}

// take takes an entry of p.
func (b *builder[K, V]) take(x *hasher, of uint64, p *page[K, V], e *entry[K, V], fresh bool) {
	h := hash(x, e.key)
	if e.key != e.key {
		// It has another hash each time, and is to stay within its page's.
		h += prefix(of, p.depth()) - prefix(h, p.depth())
	}
	b.entries = append(b.entries, hashed[K, V]{h, e, fresh})
}

// build makes pages of the entries, for all hashes whose top depth bits are those
// of hash.
func (b *builder[K, V]) build(g *generation[K, V], hash uint64, depth int) {
	b.split(g, b.entries, prefix(hash, depth), depth)
}

// split makes one page of the entries, or two or more where one has no room.
func (b *builder[K, V]) split(g *generation[K, V], entries []hashed[K, V], hash uint64, depth int) {
	p := newPage(g, depth)
	far := buckets
	if differ(entries, depth) {
		far = reach
	}
	var excess []*entry[K, V]
	for _, e := range entries {
		at, ok := p.room(e.hash, far)
		switch {
		case ok:
			p.addPrivate(e.hash, at, e.e, e.fresh)
		case far == buckets:
			excess = append(excess, e.e)
		default:
			bit := uint64(1) << (63 - depth)
			n := 0
			for i, e := range entries {
				if e.hash&bit == 0 {
					entries[i], entries[n] = entries[n], e
					n++
				}
			}
			b.split(g, entries[:n], hash, depth+1)
			b.split(g, entries[n:], hash|bit, depth+1)
			return
		}
	}
	if excess != nil {
		*plain(p.generation()) = &generation[K, V]{of: g, excess: excess}
		for i := range p.buckets {
			p.buckets[i].setMeta(p.buckets[i].meta.Load() | passed)
		}
	}
	b.pages = append(b.pages, placed[K, V]{hash, p})
}

// differ reports whether a split, or some of them, would part the entries.
func differ[K comparable, V any](entries []hashed[K, V], depth int) bool {
	if depth < maxDepth {
		for _, e := range entries {
			if (e.hash^entries[0].hash)>>(64-maxDepth) != 0 {
				return true
			}
		}
	}
	return false
}

// tree makes pages of the entries, for all hashes whose top bits are those of hash,
// and returns the node above them.
func (b *builder[K, V]) tree(g *generation[K, V], hash uint64, bits int) *node[K, V] {
	b.build(g, hash, bits)
	n := newNode[K, V](g, nil)
	for _, p := range b.pages {
		n = n.put(g, p.hash, bits, p.page)
	}
	return n
}

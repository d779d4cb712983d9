package snapmap

import "github.com/gopayoff/payoff/internal/keyhash"

// A builder makes pages of entries.
type builder[K comparable, V any] struct {
	x       *hasher
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
func (b *builder[K, V]) gather(g *generation[K, V], hash uint64, p *page[K, V], out *entry[K, V]) {
	if b.x.flat {
		b.gatherFlat(p.flat())
		return
	}
	of := p.generation().Load()
	for i := range p.buckets {
		meta := p.buckets[i].meta.Load()
		if of.of != g {
			meta &^= allFresh
		}
		for set := meta & tagged; set != 0; set &= set - 1 {
			j := slotOf(set)
			if e := p.buckets[i].slots[j].Load(); e != out {
				b.take(hash, p, e, meta&freshBit(j) != 0)
			}
		}
	}
	for _, e := range of.excess {
		if e != out {
			b.take(hash, p, e, false)
		}
	}
}

// take takes an entry of p.
func (b *builder[K, V]) take(of uint64, p *page[K, V], e *entry[K, V], fresh bool) {
	h := hash(b.x, e.key)
	if e.key != e.key {
		// It has another hash each time, and is to stay within its page's.
		h += prefix(of, p.depth()) - prefix(h, p.depth())
	}
	b.entries = append(b.entries, hashed[K, V]{h, e, fresh})
}

// build makes pages of the entries, for all hashes whose top depth bits are those
// of hash. If tight, one page is not enough, as far as they differ.
func (b *builder[K, V]) build(g *generation[K, V], hash uint64, depth int, tight bool) {
	b.some(g, b.entries, prefix(hash, depth), depth, tight)
}

// some makes one page of entries, or two or more where one has no room.
func (b *builder[K, V]) some(g *generation[K, V], entries []hashed[K, V], hash uint64, depth int, tight bool) {
	far := buckets
	if b.differ(entries, depth) {
		if tight {
			b.split(g, entries, hash, depth)
			return
		}
		far = reach
	}
	if b.x.flat {
		b.someFlat(g, entries, hash, depth, far)
		return
	}
	p := newPage(g, depth)
	var excess []*entry[K, V]
	for i := range entries {
		e := &entries[i]
		if !p.fit(e.hash, far, e.e, e.fresh) {
			if far < buckets {
				b.split(g, entries, hash, depth)
				return
			}
			excess = append(excess, e.e)
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

// split makes pages of the entries by the next bit of their hashes.
func (b *builder[K, V]) split(g *generation[K, V], entries []hashed[K, V], hash uint64, depth int) {
	bit := uint64(1) << (63 - depth)
	n := 0
	for i, e := range entries {
		if e.hash&bit == 0 {
			entries[i], entries[n] = entries[n], e
			n++
		}
	}
	b.some(g, entries[:n], hash, depth+1, false)
	b.some(g, entries[n:], hash|bit, depth+1, false)
}

// halve makes two pages of p and one entry more, and reports whether it could: if not,
// one of the halves has no room. Most entries stay in the bucket where they are, since
// pages and buckets are chosen by different bits.
func (b *builder[K, V]) halve(g *generation[K, V], hash uint64, p *page[K, V], e *entry[K, V]) bool {
	depth := p.depth()
	own := p.generation().Load() == g
	halves := [2]*page[K, V]{newPage(g, depth+1), newPage(g, depth+1)}
	var space [buckets]hashed[K, V]
	var total [2]int
	astray := append(space[:0], hashed[K, V]{hash, e, true})
	for i := range p.buckets {
		from := &p.buckets[i]
		meta := from.meta.Load()
		if !own {
			meta &^= allFresh
		}
		var made [2]uint64
		var n [2]int
		for set := meta & tagged; set != 0; set &= set - 1 {
			j := slotOf(set)
			e := from.slots[j].Load()
			h := hashOf(b.x, e)
			if home(h) != i {
				astray = append(astray, hashed[K, V]{h, e, meta&freshBit(j) != 0})
				continue
			}
			k := h >> (63 - depth) & 1
			*plain(&halves[k].buckets[i].slots[n[k]]) = e
			made[k] |= tagOf(h)<<(8*n[k]) | meta>>j&freshBit(0)<<n[k]
			n[k]++
		}
		for k, half := range halves {
			total[k] += n[k]
			to := &half.buckets[i]
			to.setMeta(to.meta.Load() | made[k])
		}
	}
	if total[0] == 0 || total[1] == 0 {
		return false // perhaps they cannot be parted
	}
	for _, e := range astray {
		if !halves[e.hash>>(63-depth)&1].fit(e.hash, reach, e.e, e.fresh) {
			return false
		}
	}
	bit := uint64(1) << (63 - depth)
	b.pages = append(b.pages, placed[K, V]{hash &^ bit, halves[0]}, placed[K, V]{hash | bit, halves[1]})
	return true
}

func hashOf[K comparable, V any](x *hasher, e *entry[K, V]) uint64 { return hash(x, e.key) }

// differ reports whether a split, or some of them, would part the entries.
func (b *builder[K, V]) differ(entries []hashed[K, V], depth int) bool {
	deepest := maxDepth
	if b.x.flat {
		deepest = maxFlatDepth
	}
	if depth < deepest {
		for _, e := range entries {
			if (e.hash^entries[0].hash)>>(64-deepest) != 0 {
				return true
			}
		}
	}
	return false
}

// gatherFlat takes the entries of a flat page.
func (b *builder[K, V]) gatherFlat(f *flatPage) {
	room := make([]entry[K, V], 0, buckets*slots)
	for i := range f.buckets {
		for set := f.buckets[i].meta.Load() & tagged; set != 0; set &= set - 1 {
			at := place{i, slotOf(set)}
			key := f.buckets[i].keys[at.slot].Load()
			room = append(room, entry[K, V]{fromWord[K](key), fromWord[V](f.value(at).Load())})
			b.entries = append(b.entries, hashed[K, V]{b.x.Word(key), &room[len(room)-1], true})
		}
	}
}

// someFlat is some for flat pages.
func (b *builder[K, V]) someFlat(g *generation[K, V], entries []hashed[K, V], hash uint64, depth, far int) {
	f := newFlat(g.number, depth)
	for _, e := range entries {
		if f.fit(e.hash, far, keyhash.WordOf(&e.e.key), keyhash.WordOf(&e.e.value)) {
			continue
		}
		if far == buckets {
			// Their hashes agree in maxFlatDepth bits, as those of 16 words do at most.
			panic("snapmap: a page has no room for 17 keys")
		}
		b.split(g, entries, hash, depth)
		return
	}
	b.pages = append(b.pages, placed[K, V]{hash, pageOf[K, V](f)})
}

// halveFlat is halve for a flat page.
func (b *builder[K, V]) halveFlat(g *generation[K, V], hash uint64, f *flatPage, depth int, key, value uint64) bool {
	type number struct{ hash, key, value uint64 }
	halves := [2]*flatPage{newFlat(g.number, depth+1), newFlat(g.number, depth+1)}
	var space [buckets]number
	var total [2]int
	astray := append(space[:0], number{hash, key, value})
	for i := range f.buckets {
		from := &f.buckets[i]
		var n [2]int
		for set := from.meta.Load() & tagged; set != 0; set &= set - 1 {
			at := place{i, slotOf(set)}
			key, value := *word(&from.keys[at.slot]), *word(f.value(at))
			h := b.x.Word(key)
			if home(h) != i {
				astray = append(astray, number{h, key, value})
				continue
			}
			k := h >> (63 - depth) & 1
			to := &halves[k].buckets[i]
			*word(&to.keys[n[k]]) = key
			*word(&halves[k].rows[i].values[n[k]]) = value
			to.setMeta(to.meta.Load() | tagOf(h)<<(8*n[k]))
			n[k]++
		}
		total[0] += n[0]
		total[1] += n[1]
	}
	if total[0] == 0 || total[1] == 0 {
		return false // perhaps they cannot be parted
	}
	for _, e := range astray {
		if !halves[e.hash>>(63-depth)&1].fit(e.hash, reach, e.key, e.value) {
			return false
		}
	}
	bit := uint64(1) << (63 - depth)
	b.pages = append(b.pages, placed[K, V]{hash &^ bit, pageOf[K, V](halves[0])}, placed[K, V]{hash | bit, pageOf[K, V](halves[1])})
	return true
}

// tree makes pages of the entries, for all hashes whose top bits are those of hash,
// and returns the node above them.
func (b *builder[K, V]) tree(g *generation[K, V], hash uint64, bits int) *node[K, V] {
	b.build(g, hash, bits, false)
	n := newNode[K, V](g, nil)
	for _, p := range b.pages {
		n = n.put(g, p.hash, level(bits), p.page)
	}
	return n
}

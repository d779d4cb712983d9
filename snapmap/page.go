package snapmap

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/gopayoff/payoff/internal/keyhash"
)

// The bits of a hash: up to maxDepth choose the page, from the top. Three choose the
// bucket in it, and the seven above them are the entry's tag there. The lowest are not
// used: a product's lowest are not good.
const (
	maxDepth    = 33
	bucketShift = 20
	bucketBits  = 3
	tagShift    = bucketShift + bucketBits
	buckets     = 1 << bucketBits
	slots       = 7

	// reach is in how many buckets from its home on an entry may lie, unless all
	// of the page's entries have one hash: then in all of them.
	reach = 3
)

// An entry is a key and its value. The key never changes. The value changes only
// where its kind is not boxed and the entry is fresh.
type entry[K comparable, V any] struct {
	key   K
	value V
}

// A generation is the time between two snapshots. Its address is its name, and flat
// pages have its number instead: a page that was made in it may be changed until the
// next.
//
// A page that has more entries than slots has a generation of its own, which
// points to the real one, and has those in excess.
type generation[K comparable, V any] struct {
	of     *generation[K, V]
	number uint64
	excess []*entry[K, V] // never changed
}

// generations counts those of all maps.
var generations atomic.Uint64

func newGeneration[K comparable, V any]() *generation[K, V] {
	g := &generation[K, V]{number: generations.Add(1)}
	g.of = g
	return g
}

// A page is a small hash table without locks for readers. Whoever has the shard's
// lock may change it while its generation lasts; after that nobody may.
//
// An entry lies in its home bucket or in one of those that follow, round the page.
// It never moves: what moves entries makes a new page.
//
// The page is as long as objects may be that have no header of the allocator's: 512
// bytes where pointers have 8, and so each bucket is a cache line.
type page[K comparable, V any] struct {
	buckets [buckets]bucket[K, V]
}

// A bucket is seven entries and a word about them:
//
//	bits  0…55  a byte for each slot: its entry's tag, of which the top bit is
//	            set; or 0
//	bits 56…62  a bit for each slot: its entry is fresh, so made in the page's
//	            generation, and in no snapshot
//	bit  63     an entry whose home is this bucket or one before has passed it by
//
// A slot is stored after its tag, and cleared before it: the entry comes and goes with
// the slot, for readers that have read the word at any time. A tag may be there without
// an entry, but no entry is there without its tag.
//
// The page's last slot is not one: it holds the generation, and its byte is the
// page's depth + 1, which is no tag.
type bucket[K comparable, V any] struct {
	meta  atomic.Uint64
	slots [slots]atomic.Pointer[entry[K, V]]
}

const (
	lanes  = 0x0001010101010101 // the lowest bit of each slot's byte
	tagged = 0x0080808080808080 // the highest
	passed = 1 << 63

	allFresh = 0x7f << 56
)

func tagOf(hash uint64) uint64 { return hash>>tagShift&0x7f | 0x80 }

// matches returns the highest bit of the bytes in meta that are tag, and perhaps of
// some above one that is.
func matches(meta, tag uint64) uint64 {
	x := meta ^ tag*lanes
	return (x - lanes) &^ x & tagged
}

// free returns the highest bit of the bytes of bucket b that are free.
func free(meta uint64, b int) uint64 {
	if b == buckets-1 {
		return ^meta & (tagged >> 8)
	}
	return ^meta & tagged
}

// slotOf returns the slot of the lowest bit of what matches or free returned.
func slotOf(set uint64) int { return bits.TrailingZeros64(set) >> 3 & 7 }

func freshBit(j int) uint64 { return 1 << (56 + j) }

// home returns the bucket where the search for a hash begins.
func home(hash uint64) int { return int(hash >> bucketShift % buckets) }

// generation returns where the page's generation is.
func (p *page[K, V]) generation() *atomic.Pointer[generation[K, V]] {
	return (*atomic.Pointer[generation[K, V]])(unsafe.Pointer(&p.buckets[buckets-1].slots[slots-1]))
}

// depth returns how many bits of their hashes the page's entries have in common.
func (p *page[K, V]) depth() int {
	return int(p.buckets[buckets-1].meta.Load()>>48&0xff) - 1
}

// newPage returns an empty page.
func newPage[K comparable, V any](g *generation[K, V], depth int) *page[K, V] {
	p := new(page[K, V])
	*plain(p.generation()) = g
	p.buckets[buckets-1].setMeta(uint64(depth+1) << 48)
	return p
}

// copyOf returns a page with p's entries, none of them fresh. Nobody changes p.
func (p *page[K, V]) copyOf(g *generation[K, V]) *page[K, V] {
	c := new(page[K, V])
	copy(c.buckets[:], p.buckets[:])
	for i := range c.buckets {
		b := &c.buckets[i]
		b.setMeta(b.meta.Load() &^ allFresh)
	}
	*plain(c.generation()) = g
	return c
}

// A place is where a page has an entry.
type place struct {
	bucket, slot int // bucket < 0: nowhere; slot < 0: among those in excess
}

// find returns key's entry, or nil, and where it is.
func (p *page[K, V]) find(hash uint64, key K) (e *entry[K, V], at place) {
	tag := tagOf(hash)
	b := home(hash)
	for range buckets {
		bucket := &p.buckets[b]
		meta := bucket.meta.Load()
		for set := matches(meta, tag); set != 0; set &= set - 1 {
			j := slotOf(set)
			if e := bucket.slots[j].Load(); e != nil && e.key == key {
				return e, place{b, j}
			}
		}
		if meta&passed == 0 {
			return nil, place{-1, -1}
		}
		b = (b + 1) % buckets
	}
	for _, e := range p.generation().Load().excess {
		if e.key == key {
			return e, place{-1, -1}
		}
	}
	return nil, place{-1, -1}
}

// load returns key's value, and whether there is one.
func (p *page[K, V]) load(kind valueKind, hash uint64, key K) (value V, ok bool) {
	e, _ := p.find(hash, key)
	if e == nil {
		return value, false
	}
	return load(kind, &e.value), true
}

// loadAny is load of a page, flat or not.
func (p *page[K, V]) loadAny(x *hasher, hash uint64, key K) (value V, ok bool) {
	if x.flat {
		w, ok := p.flat().load(hash, keyhash.WordOf(&key))
		return fromWord[V](w), ok
	}
	return p.load(x.value, hash, key)
}

// room returns a free slot for an entry of that hash, so many buckets from its home
// at most.
func (p *page[K, V]) room(hash uint64, reach int) (at place, ok bool) {
	b := home(hash)
	for range reach {
		if set := free(p.buckets[b].meta.Load(), b); set != 0 {
			return place{b, slotOf(set)}, true
		}
		b = (b + 1) % buckets
	}
	return place{-1, -1}, false
}

// add puts a fresh entry into a free slot.
func (p *page[K, V]) add(hash uint64, at place, e *entry[K, V]) {
	b := &p.buckets[at.bucket]
	b.meta.Store(b.meta.Load() | tagOf(hash)<<(8*at.slot) | freshBit(at.slot))
	for i := home(hash); i != at.bucket; i = (i + 1) % buckets {
		if b := &p.buckets[i]; b.meta.Load()&passed == 0 {
			b.meta.Store(b.meta.Load() | passed)
		}
	}
	b.slots[at.slot].Store(e)
}

// set is add to a page that no other goroutine has seen.
func (p *page[K, V]) set(hash uint64, at place, e *entry[K, V], fresh bool) {
	b := &p.buckets[at.bucket]
	*plain(&b.slots[at.slot]) = e
	meta := b.meta.Load() | tagOf(hash)<<(8*at.slot)
	if fresh {
		meta |= freshBit(at.slot)
	}
	b.setMeta(meta)
	for i := home(hash); i != at.bucket; i = (i + 1) % buckets {
		b := &p.buckets[i]
		b.setMeta(b.meta.Load() | passed)
	}
}

// fit sets an entry where there is room, in a page that no other goroutine has seen,
// and reports whether there was.
func (p *page[K, V]) fit(hash uint64, reach int, e *entry[K, V], fresh bool) bool {
	at, ok := p.room(hash, reach)
	if ok {
		p.set(hash, at, e, fresh)
	}
	return ok
}

// remove takes out the entry at that place.
func (p *page[K, V]) remove(at place) {
	b := &p.buckets[at.bucket]
	b.slots[at.slot].Store(nil)
	b.meta.Store(b.meta.Load() &^ (0xff<<(8*at.slot) | freshBit(at.slot)))
}

// settle clears the marks of buckets that no entry has passed by, after an entry was
// removed that had. Readers that see a mark for too long only look in vain.
func (p *page[K, V]) settle(x *hasher) {
	var needed [buckets]bool
	for i := range p.buckets {
		b := &p.buckets[i]
		for set := b.meta.Load() & tagged; set != 0; set &= set - 1 {
			for h := home(p.hashAt(x, place{i, slotOf(set)})); h != i; h = (h + 1) % buckets {
				needed[h] = true
			}
		}
	}
	for i := range p.buckets {
		if b := &p.buckets[i]; b.meta.Load()&passed != 0 && !needed[i] {
			b.meta.Store(b.meta.Load() &^ passed)
		}
	}
}

// hashAt returns the hash of the key at that place.
func (p *page[K, V]) hashAt(x *hasher, at place) uint64 {
	if x.flat {
		return x.Word(p.flat().buckets[at.bucket].keys[at.slot].Load())
	}
	return hash(x, p.buckets[at.bucket].slots[at.slot].Load().key)
}

// len counts the page's entries.
func (p *page[K, V]) len(x *hasher) (n int) {
	for i := range p.buckets {
		n += bits.OnesCount64(p.buckets[i].meta.Load() & tagged)
	}
	if !x.flat {
		n += len(p.generation().Load().excess)
	}
	return n
}

// each calls yield for the entries of a page that nobody changes, until it returns
// false, and reports whether it never did.
func (p *page[K, V]) each(yield func(*entry[K, V]) bool) bool {
	for i := range p.buckets {
		b := &p.buckets[i]
		for set := b.meta.Load() & tagged; set != 0; set &= set - 1 {
			if !yield(b.slots[slotOf(set)].Load()) {
				return false
			}
		}
	}
	for _, e := range p.generation().Load().excess {
		if !yield(e) {
			return false
		}
	}
	return true
}

// setMeta stores to a word that no other goroutine has seen.
func (b *bucket[K, V]) setMeta(meta uint64) { *(*uint64)(unsafe.Pointer(&b.meta)) = meta }

// plain is the pointer in a field that no other goroutine has seen.
func plain[T any](p *atomic.Pointer[T]) **T { return (**T)(unsafe.Pointer(p)) }

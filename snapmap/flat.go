package snapmap

import (
	"math/bits"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// A flatPage is the page of a map whose keys and values are numbers. It has no pointers,
// so that the collector does not look into it, and no entries, which the collector would
// have to mark one by one: slots have keys, and the values are behind them.
//
// It begins as a page does: words about slots, with the tags and the depth. The last slot
// has the generation's number. A value is stored in place while the generation lasts.
//
// A slot is used once. A reader may have seen a key in it that was deleted since, and
// would take another's value for that key's. So the byte of a key that is deleted becomes
// dead, not 0, until the page is copied.
type flatPage struct {
	buckets [buckets]flatBucket
	values  [buckets][slots + 1]atomic.Uint64 // beside the slots; the last has no use
}

type flatBucket struct {
	meta atomic.Uint64
	keys [slots]atomic.Uint64
}

// A flat page is as long as two others, and begins as they do: so it has the same
// type in nodes and in the index.
var _ [0]struct{} = [unsafe.Sizeof(flatPage{}) - 1024]struct{}{}

const (
	dead = 1 // a byte of a slot; no tag, and not free

	// maxFlatDepth is maxDepth for flat pages, which have no room for entries in
	// excess. The bits of buckets and tags part pages, too, where those before do not.
	maxFlatDepth = 60
)

// isFlat reports whether pages of these types are flat, where keys are words.
func isFlat[K comparable, V any]() bool {
	return unsafe.Sizeof(uintptr(0)) == 8 && number(reflect.TypeFor[K]()) &&
		(number(reflect.TypeFor[V]()) || reflect.TypeFor[V]().Size() == 0)
}

// number reports whether a type is a word of at most 8 bytes without pointers or gaps.
func number(t reflect.Type) bool {
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Float64
}

// flat returns the page as what it is, in a map whose hasher says so.
func (p *page[K, V]) flat() *flatPage { return (*flatPage)(unsafe.Pointer(p)) }

// pageOf returns a flat page as nodes have it.
func pageOf[K comparable, V any](f *flatPage) *page[K, V] { return (*page[K, V])(unsafe.Pointer(f)) }

// newFlat returns an empty page.
func newFlat(generation uint64, depth int) *flatPage {
	f := new(flatPage)
	*f.generation() = generation
	f.buckets[buckets-1].setMeta(uint64(depth+1) << 48)
	return f
}

// generation returns where the number of the page's generation is, which never changes
// once others see the page.
func (f *flatPage) generation() *uint64 { return word(&f.buckets[buckets-1].keys[slots-1]) }

// copyOf returns a page with f's keys, in the same slots, of which none is dead.
func (f *flatPage) copyOf(generation uint64) *flatPage {
	c := new(flatPage)
	*(*[unsafe.Sizeof(*c) / 8]uint64)(unsafe.Pointer(c)) = *(*[unsafe.Sizeof(*c) / 8]uint64)(unsafe.Pointer(f))
	for i := range c.buckets {
		b := &c.buckets[i]
		meta := b.meta.Load()
		keep := meta&tagged>>7*0xff | passed
		if i == buckets-1 {
			keep |= 0xff << 48
		}
		b.setMeta(meta & keep)
	}
	*c.generation() = generation
	return c
}

// find returns where the key is, or false.
func (f *flatPage) find(hash, key uint64) (at place, ok bool) {
	tag := tagOf(hash)
	i := home(hash)
	for range buckets {
		b := &f.buckets[i]
		meta := b.meta.Load()
		for set := matches(meta, tag); set != 0; set &= set - 1 {
			if j := slotOf(set); b.keys[j].Load() == key {
				return place{i, j}, true
			}
		}
		if meta&passed == 0 {
			break
		}
		i = (i + 1) % buckets
	}
	return place{-1, -1}, false
}

func (f *flatPage) value(at place) *atomic.Uint64 { return &f.values[at.bucket][at.slot] }

// load returns the key's value, and whether there is one.
func (f *flatPage) load(hash, key uint64) (value uint64, ok bool) {
	if at, ok := f.find(hash, key); ok {
		return f.value(at).Load(), true
	}
	return 0, false
}

// unused returns the highest bit of the lowest byte of meta that is 0, and perhaps of
// dead ones above it.
func unused(meta uint64) uint64 {
	return (meta - lanes) &^ meta & tagged
}

// room returns a slot for a key of that hash that was never used, so many buckets from
// its home at most.
func (f *flatPage) room(hash uint64, reach int) (at place, ok bool) {
	i := home(hash)
	for range reach {
		if set := unused(f.buckets[i].meta.Load()); set != 0 {
			return place{i, slotOf(set)}, true
		}
		i = (i + 1) % buckets
	}
	return place{-1, -1}, false
}

// add puts a key into a slot that was never used. It is there with the last store.
func (f *flatPage) add(hash uint64, at place, key, value uint64) {
	f.fill(at, key, value)
	for i := home(hash); i != at.bucket; i = (i + 1) % buckets {
		b := &f.buckets[i].meta
		if meta := b.Load(); meta&passed == 0 {
			b.Store(meta | passed)
		}
	}
	b := &f.buckets[at.bucket].meta
	b.Store(b.Load() | tagOf(hash)<<(8*at.slot))
}

// fit puts a key where there is room, in a page that no other goroutine has seen, and
// reports whether there was.
func (f *flatPage) fit(hash uint64, reach int, key, value uint64) bool {
	at, ok := f.room(hash, reach)
	if !ok {
		return false
	}
	f.fill(at, key, value)
	for i := home(hash); i != at.bucket; i = (i + 1) % buckets {
		b := &f.buckets[i]
		b.setMeta(b.meta.Load() | passed)
	}
	b := &f.buckets[at.bucket]
	b.setMeta(b.meta.Load() | tagOf(hash)<<(8*at.slot))
	return true
}

// fill sets a slot that nobody reads before it has a tag.
func (f *flatPage) fill(at place, key, value uint64) {
	*word(&f.buckets[at.bucket].keys[at.slot]) = key
	*word(f.value(at)) = value
}

// remove takes out what is at that place.
func (f *flatPage) remove(at place) {
	b := &f.buckets[at.bucket].meta
	b.Store(b.Load()&^(0xff<<(8*at.slot)) | dead<<(8*at.slot))
}

// counts returns how many keys the page has, and how many of its slots are dead.
func (f *flatPage) counts() (live, gone int) {
	for i := range f.buckets {
		meta := f.buckets[i].meta.Load()
		if i == buckets-1 {
			meta &^= 0xff << 48 // the depth
		}
		live += bits.OnesCount64(meta & tagged)
		gone += bits.OnesCount64(meta & lanes &^ (meta & tagged >> 7))
	}
	return live, gone
}

// setMeta stores to a word that no other goroutine has seen.
func (b *flatBucket) setMeta(meta uint64) { *word(&b.meta) = meta }

// word is a word that no other goroutine has seen, or that nobody reads.
func word(w *atomic.Uint64) *uint64 { return (*uint64)(unsafe.Pointer(w)) }

// fromWord returns the number whose word keyhash.WordOf would return.
func fromWord[T any](w uint64) (v T) {
	switch unsafe.Sizeof(v) {
	case 8:
		*(*uint64)(unsafe.Pointer(&v)) = w
	case 4:
		*(*uint32)(unsafe.Pointer(&v)) = uint32(w)
	case 2:
		*(*uint16)(unsafe.Pointer(&v)) = uint16(w)
	case 1:
		*(*uint8)(unsafe.Pointer(&v)) = uint8(w)
	}
	return v
}

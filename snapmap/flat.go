package snapmap

import (
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
// A reader that has found its key in a slot would read the value of another key, if that
// got the slot meanwhile. So each bucket has a count of the slots that got another key,
// which goes up before that key is there. A reader that finds the same count before and
// after it has looked at tag, key and value has seen those of one key.
type flatPage struct {
	buckets [buckets]flatBucket
	rows    [buckets]flatRow // beside the buckets
}

// A flatBucket is laid out as a bucket. Its bits 56 to 62 tell which slots have had a key
// that was deleted.
type flatBucket struct {
	meta atomic.Uint64
	keys [slots]atomic.Uint64
}

type flatRow struct {
	values [slots]atomic.Uint64
	reuses atomic.Uint64 // slots of the bucket that got another key
}

// A flat page is as long as two others, and begins as they do: so it has the same
// type in nodes and in the index.
var _ [0]struct{} = [unsafe.Sizeof(flatPage{}) - 1024]struct{}{}

// maxFlatDepth is maxDepth for flat pages, which have no room for entries in excess: of
// different words no more than 16 agree in so many bits of their hashes.
const maxFlatDepth = 60

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

// copyOf returns a page with f's keys, in the same slots. Nobody changes f.
func (f *flatPage) copyOf(generation uint64) *flatPage {
	c := new(flatPage)
	*(*[unsafe.Sizeof(*c) / 8]uint64)(unsafe.Pointer(c)) = *(*[unsafe.Sizeof(*c) / 8]uint64)(unsafe.Pointer(f))
	for i := range c.buckets {
		b := &c.buckets[i]
		b.setMeta(b.meta.Load() &^ allFresh)
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

func (f *flatPage) value(at place) *atomic.Uint64 { return &f.rows[at.bucket].values[at.slot] }

// load returns the key's value, and whether there is one. It begins anew only if another
// key got a slot of the same bucket meanwhile.
func (f *flatPage) load(hash, key uint64) (value uint64, ok bool) {
	for {
		at, ok := f.find(hash, key)
		if !ok {
			return 0, false
		}
		b, row := &f.buckets[at.bucket], &f.rows[at.bucket]
		n := row.reuses.Load()
		if b.meta.Load()>>(8*at.slot)&0xff == tagOf(hash) && b.keys[at.slot].Load() == key {
			value := row.values[at.slot].Load()
			if row.reuses.Load() == n {
				return value, true
			}
		}
	}
}

// add puts a key into a free slot. It is there with the last store.
func (f *flatPage) add(hash uint64, at place, key, value uint64) {
	b := &f.buckets[at.bucket]
	if b.meta.Load()&freshBit(at.slot) == 0 {
		f.fill(at, key, value)
	} else {
		row := &f.rows[at.bucket]
		row.reuses.Store(row.reuses.Load() + 1)
		b.keys[at.slot].Store(key)
		row.values[at.slot].Store(value)
	}
	for i := home(hash); i != at.bucket; i = (i + 1) % buckets {
		b := &f.buckets[i].meta
		if meta := b.Load(); meta&passed == 0 {
			b.Store(meta | passed)
		}
	}
	b.meta.Store(b.meta.Load() | tagOf(hash)<<(8*at.slot))
}

// room is that of a page.
func (f *flatPage) room(hash uint64, reach int) (at place, ok bool) {
	return pageOf[uint64, uint64](f).room(hash, reach)
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

// fill sets a slot that never had a tag, so that no reader looks at it.
func (f *flatPage) fill(at place, key, value uint64) {
	*word(&f.buckets[at.bucket].keys[at.slot]) = key
	*word(f.value(at)) = value
}

// remove takes out what is at that place.
func (f *flatPage) remove(at place) {
	b := &f.buckets[at.bucket].meta
	b.Store(b.Load()&^(0xff<<(8*at.slot)) | freshBit(at.slot))
}

// setMeta stores to a word that no other goroutine has seen.
func (b *flatBucket) setMeta(meta uint64) { *word(&b.meta) = meta }

// word is a word that no other goroutine has seen, or that is not read.
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

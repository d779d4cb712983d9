package snapmap

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
	"reflect"
)

// A hasher is what a map knows of its types, and the seeds of its hashes. It never
// changes, so that maps and views that share pages share it.
type hasher struct {
	k0, k1 uint64 // seeds for keys that are words or short strings
	seed   maphash.Seed
	mask   uint64 // of the bits of a hash that count; for tests
	key    keyKind
	value  valueKind
}

// A keyKind says how keys are hashed.
type keyKind uint8

const (
	keyOther keyKind = iota // by package maphash
	keyWord                 // no more than 8 bytes, and == compares these
	keyString
	keyMasked // by package maphash, and some bits count: for tests
)

// testMask is the mask of hashers made from now on; only tests write it.
var testMask = ^uint64(0)

func newHasher[K comparable, V any]() *hasher {
	x := &hasher{
		k0:   rand.Uint64(),
		k1:   rand.Uint64() | 1<<63 | 1,
		seed: maphash.MakeSeed(),
		mask: testMask,
	}
	switch reflect.TypeFor[K]().Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Pointer, reflect.UnsafePointer, reflect.Chan, reflect.Bool:
		x.key = keyWord
	case reflect.String:
		x.key = keyString
	}
	if x.mask != ^uint64(0) {
		x.key = keyMasked
	}
	x.value = kindOf[V]()
	return x
}

// hash returns the hash of key. As the built-in map does, it panics where key is an
// interface whose dynamic type cannot be compared. A key that is not equal to itself,
// such as NaN, has another hash each time.
func hash[K comparable](x *hasher, key K) uint64 {
	switch x.key {
	case keyWord:
		return x.word(wordOf(&key))
	case keyString:
		return x.text(textOf(&key))
	}
	return hashOther(x, key)
}

// checkKey panics where the built-in map does, for want of a hash.
func checkKey[K comparable](key K) { _ = (map[K]struct{})(nil)[key] }

func hashOther[K comparable](x *hasher, key K) uint64 {
	return maphash.Comparable(x.seed, key) & x.mask
}

// word multiplies twice, and folds between: the bits that count, from the 20th up, then
// depend on all bits of w. With one multiplication, numbers in a row, or at one
// distance, would be in a row again: for some seeds most pages, or buckets, would have
// few of them.
func (x *hasher) word(w uint64) uint64 {
	h := (w ^ x.k0) * x.k1
	return (h ^ h>>32) * 0x9e3779b97f4a7c15
}

// text is two multiplications, or three, for strings of up to 32 bytes, after wyhash
// (Wang Yi). Those that are longer are left to package maphash, which for short ones
// is calls above all.
func (x *hasher) text(s string) uint64 {
	n := len(s)
	var a, b uint64
	switch {
	case n > 32:
		return maphash.String(x.seed, s)
	case n > 16:
		hi, lo := bits.Mul64(le64(s)^x.k0, le64(s[8:])^x.k1)
		a, b = le64(s[n-16:])^hi, le64(s[n-8:])^lo
	case n >= 8:
		a, b = le64(s), le64(s[n-8:])
	case n >= 4:
		a, b = le32(s), le32(s[n-4:])
	case n > 0:
		a = uint64(s[0])<<16 | uint64(s[n/2])<<8 | uint64(s[n-1])
	}
	hi, lo := bits.Mul64(a^x.k0, b^x.k1)
	hi, lo = bits.Mul64(lo^x.k0^uint64(n), hi^x.k1)
	return hi ^ lo
}

func le64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func le32(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// Package keyhash hashes the keys of a map: with seeds of the map's own, of any type
// that can be compared, and so that the upper bits of a hash depend on all of the key.
//
// It is what the maps of this library share. Hashes of different Hashers have nothing
// in common, so they must not be kept.
package keyhash

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"unsafe"
)

// A Hasher is how the keys of one type are hashed. It never changes.
type Hasher struct {
	k0, k1 uint64 // seeds for keys that are words or short strings
	seed   maphash.Seed
	mask   uint64 // of the bits of a hash that count; for tests
	kind   kind
}

// A kind says how keys are hashed.
type kind uint8

const (
	other  kind = iota // by package maphash
	word               // no more than 8 bytes without padding, and == compares these
	text               // strings
	masked             // by package maphash, and some bits count: for tests
)

// New returns a Hasher for keys of type K with new seeds. Of its hashes the bits of
// mask count, which tests choose; others pass ^uint64(0).
func New[K comparable](mask uint64) *Hasher {
	x := &Hasher{
		k0:   rand.Uint64(),
		k1:   rand.Uint64() | 1<<63 | 1,
		seed: maphash.MakeSeed(),
		mask: mask,
	}
	switch reflect.TypeFor[K]().Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Pointer, reflect.UnsafePointer, reflect.Chan, reflect.Bool:
		x.kind = word
	case reflect.String:
		x.kind = text
	}
	if mask != ^uint64(0) {
		x.kind = masked
	}
	return x
}

// Hash returns the hash of key, whose type is that of New. As the built-in map does,
// it panics where key is an interface whose dynamic type cannot be compared. A key
// that is not equal to itself, such as NaN, has another hash each time.
//
// Hashes of two keys may be equal. The lowest bits of a hash are not good ones: take
// those that are needed from the top.
func Hash[K comparable](x *Hasher, key K) uint64 {
	if x.kind == word {
		return x.word(wordOf(&key))
	}
	return hashSlow(x, key)
}

func hashSlow[K comparable](x *Hasher, key K) uint64 {
	if x.kind == text {
		return x.text(textOf(&key))
	}
	return maphash.Comparable(x.seed, key) & x.mask
}

// word multiplies twice, and folds between. One product would leave numbers in a row, or
// at one distance, in a row; so would the lower half of the first alone, where they
// differ in their upper bits.
func (x *Hasher) word(w uint64) uint64 {
	hi, lo := bits.Mul64(w^x.k0, x.k1)
	h := hi ^ lo
	return (h ^ h>>32) * 0x9e3779b97f4a7c15
}

// text is two multiplications, or three, for strings of up to 32 bytes, after wyhash
// (Wang Yi). Longer ones are left to package maphash, which for short ones is calls
// above all.
func (x *Hasher) text(s string) uint64 {
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

// wordOf returns the bytes of a key of kind word.
func wordOf[K comparable](key *K) uint64 {
	switch unsafe.Sizeof(*key) {
	case 8:
		return *(*uint64)(unsafe.Pointer(key))
	case 4:
		return uint64(*(*uint32)(unsafe.Pointer(key)))
	case 2:
		return uint64(*(*uint16)(unsafe.Pointer(key)))
	case 1:
		return uint64(*(*uint8)(unsafe.Pointer(key)))
	}
	return 0
}

// textOf returns a key of kind text.
func textOf[K comparable](key *K) string {
	if unsafe.Sizeof(*key) != unsafe.Sizeof("") {
		return ""
	}
	return *(*string)(unsafe.Pointer(key))
}

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
	k0, k1 uint64 // seeds for keys that are words or short strings; k1 is odd

	// Kind is for code that hashes keys in a place where the call of [Hash] would show.
	Kind Kind

	seed maphash.Seed
	mask uint64 // of the bits of a hash that count; for tests
}

// A Kind says how keys are hashed.
type Kind uint8

// The kinds of keys.
const (
	Other Kind = iota // by package maphash
	Word              // integers, bools, pointers, channels: by Hasher.Word
	Text              // strings: by Hasher.Text
)

// golden is an odd number without pattern: 2 to the 64 over the golden ratio.
const golden = 0x9e3779b97f4a7c15

// New returns a Hasher for keys of type K with new seeds. Of its hashes the bits of
// mask count, which tests choose; others pass ^uint64(0).
func New[K comparable](mask uint64) *Hasher {
	x := &Hasher{
		k0:   rand.Uint64(),
		k1:   rand.Uint64() | 1<<63 | 1,
		seed: maphash.MakeSeed(),
		mask: mask,
	}
	if mask != ^uint64(0) {
		return x
	}
	switch reflect.TypeFor[K]().Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Pointer, reflect.UnsafePointer, reflect.Chan, reflect.Bool:
		x.Kind = Word
	case reflect.String:
		x.Kind = Text
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
	if x.Kind == Word {
		return x.Word(WordOf(&key))
	}
	return hashSlow(x, key)
}

func hashSlow[K comparable](x *Hasher, key K) uint64 {
	if x.Kind == Text {
		return x.Text(TextOf(&key))
	}
	return HashOther(x, key)
}

// HashOther is [Hash] for keys of the kind Other.
func HashOther[K comparable](x *Hasher, key K) uint64 {
	return maphash.Comparable(x.seed, key) & x.mask
}

// Word returns the hash of a key of the kind Word. Each step can be undone, so different
// words have different hashes, whatever the seeds: no more than 16 agree in their top 60
// bits, on which snapmap relies.
//
// One product would leave numbers in a row, or at one distance, in a row. The fold between
// the two is one of 43 bits so that what the first has at its very top comes below all
// bits that are used, which are those from the 20th on: words may differ in their upper
// bits only. To fold the word before the first product as well is better for the upmost
// seven bits, of which each alone changes few of the hash; it takes half a nanosecond.
func (x *Hasher) Word(w uint64) uint64 {
	h := w * x.k1
	return (h ^ x.k0 ^ h>>43) * golden
}

// Text returns the hash of a key of the kind Text.
//
// It takes two multiplications, or three, for strings of up to 32 bytes, after wyhash
// (Wang Yi). Longer ones are left to package maphash, which for short ones is calls
// above all.
func (x *Hasher) Text(s string) uint64 {
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

// WordOf returns the bytes of a key of the kind Word, at most 8 without padding, of
// which == compares all; or those of another value of a number's type.
func WordOf[T any](key *T) uint64 {
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

// TextOf returns a key of the kind Text.
func TextOf[K comparable](key *K) string {
	if unsafe.Sizeof(*key) != unsafe.Sizeof("") {
		return ""
	}
	return *(*string)(unsafe.Pointer(key))
}

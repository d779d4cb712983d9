package snapmap

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"unsafe"
)

// A hasher is what a map knows of its types, and the seeds of its hashes. It never
// changes, so that maps and views that share pages share it.
type hasher struct {
	k0, k1 uint64 // seeds for keys that are words
	mask   uint64 // of the bits of a hash that count: all, but in tests
	seed   maphash.Seed
	key    keyKind
	value  valueKind
}

// A keyKind says how keys are hashed.
type keyKind uint8

const (
	keyOther keyKind = iota // by package maphash
	keyWord                 // by a multiplication: no more than 8 bytes, and == compares these
	keyString
)

// testMask is the mask of hashers made from now on; only tests write it.
var testMask = ^uint64(0)

func newHasher[K comparable, V any]() *hasher {
	x := &hasher{
		k0:   rand.Uint64(),
		k1:   rand.Uint64() | 1<<63 | 1,
		mask: testMask,
		seed: maphash.MakeSeed(),
	}
	switch reflect.TypeFor[K]().Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Pointer, reflect.UnsafePointer, reflect.Chan, reflect.Bool:
		x.key = keyWord
	case reflect.String:
		x.key = keyString
	}
	x.value = kindOf[V]()
	return x
}

// hash returns the hash of key. As the built-in map does, it panics where key is an
// interface whose dynamic type cannot be compared, and a key that is not equal to
// itself, such as NaN, has another hash each time.
func hash[K comparable](x *hasher, key K) uint64 {
	if x.key == keyWord {
		return x.mix(wordOf(&key))
	}
	return hashOther(x, key)
}

// mix is one multiplication whose two halves are folded: each bit of the result
// depends on all bits of w and of the seeds.
func (x *hasher) mix(w uint64) uint64 {
	hi, lo := bits.Mul64(w^x.k0, x.k1)
	return (hi ^ lo) & x.mask
}

func hashOther[K comparable](x *hasher, key K) uint64 {
	if x.key == keyString {
		return maphash.String(x.seed, *(*string)(unsafe.Pointer(&key))) & x.mask
	}
	return maphash.Comparable(x.seed, key) & x.mask
}

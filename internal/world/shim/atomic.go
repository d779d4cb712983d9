package shim

import (
	"sync/atomic"
	"unsafe"

	"github.com/gopayoff/payoff/internal/world"
)

// Int32 is [atomic.Int32].
type Int32 struct{ v atomic.Int32 }

func (x *Int32) touch(write bool) { world.Touch(uintptr(unsafe.Pointer(x)), write) }

func (x *Int32) Load() int32 {
	x.touch(false)
	return x.v.Load()
}

func (x *Int32) Store(v int32) {
	x.touch(true)
	x.v.Store(v)
}

func (x *Int32) Swap(v int32) int32 {
	x.touch(true)
	return x.v.Swap(v)
}

func (x *Int32) CompareAndSwap(old, v int32) bool {
	x.touch(true)
	return x.v.CompareAndSwap(old, v)
}

func (x *Int32) Add(d int32) int32 {
	x.touch(true)
	return x.v.Add(d)
}

func (x *Int32) And(mask int32) int32 {
	x.touch(true)
	return x.v.And(mask)
}

func (x *Int32) Or(mask int32) int32 {
	x.touch(true)
	return x.v.Or(mask)
}

// Int64 is [atomic.Int64].
type Int64 struct{ v atomic.Int64 }

func (x *Int64) touch(write bool) { world.Touch(uintptr(unsafe.Pointer(x)), write) }

func (x *Int64) Load() int64 {
	x.touch(false)
	return x.v.Load()
}

func (x *Int64) Store(v int64) {
	x.touch(true)
	x.v.Store(v)
}

func (x *Int64) Swap(v int64) int64 {
	x.touch(true)
	return x.v.Swap(v)
}

func (x *Int64) CompareAndSwap(old, v int64) bool {
	x.touch(true)
	return x.v.CompareAndSwap(old, v)
}

func (x *Int64) Add(d int64) int64 {
	x.touch(true)
	return x.v.Add(d)
}

func (x *Int64) And(mask int64) int64 {
	x.touch(true)
	return x.v.And(mask)
}

func (x *Int64) Or(mask int64) int64 {
	x.touch(true)
	return x.v.Or(mask)
}

// Uint32 is [atomic.Uint32].
type Uint32 struct{ v atomic.Uint32 }

func (x *Uint32) touch(write bool) { world.Touch(uintptr(unsafe.Pointer(x)), write) }

func (x *Uint32) Load() uint32 {
	x.touch(false)
	return x.v.Load()
}

func (x *Uint32) Store(v uint32) {
	x.touch(true)
	x.v.Store(v)
}

func (x *Uint32) Swap(v uint32) uint32 {
	x.touch(true)
	return x.v.Swap(v)
}

func (x *Uint32) CompareAndSwap(old, v uint32) bool {
	x.touch(true)
	return x.v.CompareAndSwap(old, v)
}

func (x *Uint32) Add(d uint32) uint32 {
	x.touch(true)
	return x.v.Add(d)
}

func (x *Uint32) And(mask uint32) uint32 {
	x.touch(true)
	return x.v.And(mask)
}

func (x *Uint32) Or(mask uint32) uint32 {
	x.touch(true)
	return x.v.Or(mask)
}

// Uint64 is [atomic.Uint64].
type Uint64 struct{ v atomic.Uint64 }

func (x *Uint64) touch(write bool) { world.Touch(uintptr(unsafe.Pointer(x)), write) }

func (x *Uint64) Load() uint64 {
	x.touch(false)
	return x.v.Load()
}

func (x *Uint64) Store(v uint64) {
	x.touch(true)
	x.v.Store(v)
}

func (x *Uint64) Swap(v uint64) uint64 {
	x.touch(true)
	return x.v.Swap(v)
}

func (x *Uint64) CompareAndSwap(old, v uint64) bool {
	x.touch(true)
	return x.v.CompareAndSwap(old, v)
}

func (x *Uint64) Add(d uint64) uint64 {
	x.touch(true)
	return x.v.Add(d)
}

func (x *Uint64) And(mask uint64) uint64 {
	x.touch(true)
	return x.v.And(mask)
}

func (x *Uint64) Or(mask uint64) uint64 {
	x.touch(true)
	return x.v.Or(mask)
}

// Uintptr is [atomic.Uintptr].
type Uintptr struct{ v atomic.Uintptr }

func (x *Uintptr) touch(write bool) { world.Touch(uintptr(unsafe.Pointer(x)), write) }

func (x *Uintptr) Load() uintptr {
	x.touch(false)
	return x.v.Load()
}

func (x *Uintptr) Store(v uintptr) {
	x.touch(true)
	x.v.Store(v)
}

func (x *Uintptr) Swap(v uintptr) uintptr {
	x.touch(true)
	return x.v.Swap(v)
}

func (x *Uintptr) CompareAndSwap(old, v uintptr) bool {
	x.touch(true)
	return x.v.CompareAndSwap(old, v)
}

func (x *Uintptr) Add(d uintptr) uintptr {
	x.touch(true)
	return x.v.Add(d)
}

func (x *Uintptr) And(mask uintptr) uintptr {
	x.touch(true)
	return x.v.And(mask)
}

func (x *Uintptr) Or(mask uintptr) uintptr {
	x.touch(true)
	return x.v.Or(mask)
}

// Bool is [atomic.Bool].
type Bool struct{ v atomic.Bool }

func (x *Bool) touch(write bool) { world.Touch(uintptr(unsafe.Pointer(x)), write) }

func (x *Bool) Load() bool {
	x.touch(false)
	return x.v.Load()
}

func (x *Bool) Store(v bool) {
	x.touch(true)
	x.v.Store(v)
}

func (x *Bool) Swap(v bool) bool {
	x.touch(true)
	return x.v.Swap(v)
}

func (x *Bool) CompareAndSwap(old, v bool) bool {
	x.touch(true)
	return x.v.CompareAndSwap(old, v)
}

// Pointer is [atomic.Pointer].
type Pointer[T any] struct{ v atomic.Pointer[T] }

func (x *Pointer[T]) touch(write bool) { world.Touch(uintptr(unsafe.Pointer(x)), write) }

func (x *Pointer[T]) Load() *T {
	x.touch(false)
	return x.v.Load()
}

func (x *Pointer[T]) Store(v *T) {
	x.touch(true)
	x.v.Store(v)
}

func (x *Pointer[T]) Swap(v *T) *T {
	x.touch(true)
	return x.v.Swap(v)
}

func (x *Pointer[T]) CompareAndSwap(old, v *T) bool {
	x.touch(true)
	return x.v.CompareAndSwap(old, v)
}

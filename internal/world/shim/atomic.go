package shim

import (
	"sync/atomic"
	"unsafe"

	"github.com/gopayoff/payoff/internal/world"
)

// What stands for the types of sync/atomic: those types, whose operations the machine
// is told of first.
type (
	Int32          = number[int32, atomic.Int32, *atomic.Int32]
	Int64          = number[int64, atomic.Int64, *atomic.Int64]
	Uint32         = number[uint32, atomic.Uint32, *atomic.Uint32]
	Uint64         = number[uint64, atomic.Uint64, *atomic.Uint64]
	Uintptr        = number[uintptr, atomic.Uintptr, *atomic.Uintptr]
	Bool           = word[bool, atomic.Bool, *atomic.Bool]
	Pointer[T any] = word[*T, atomic.Pointer[T], *atomic.Pointer[T]]
)

// A word is an A, which holds a V.
type word[V, A any, P atomicWord[V, A]] struct{ v A }

type atomicWord[V, A any] interface {
	*A
	Load() V
	Store(V)
	Swap(V) V
	CompareAndSwap(old, new V) bool
}

// touch tells the machine, and returns the word.
func (x *word[V, A, P]) touch(write bool) P {
	world.Touch(uintptr(unsafe.Pointer(x)), write)
	return &x.v
}

func (x *word[V, A, P]) Load() V                      { return x.touch(false).Load() }
func (x *word[V, A, P]) Store(v V)                    { x.touch(true).Store(v) }
func (x *word[V, A, P]) Swap(v V) V                   { return x.touch(true).Swap(v) }
func (x *word[V, A, P]) CompareAndSwap(old, v V) bool { return x.touch(true).CompareAndSwap(old, v) }

// A number is a word that can be added to.
type number[V, A any, P atomicNumber[V, A]] struct{ word[V, A, P] }

type atomicNumber[V, A any] interface {
	atomicWord[V, A]
	Add(V) V
	And(V) V
	Or(V) V
}

func (x *number[V, A, P]) Add(d V) V    { return x.touch(true).Add(d) }
func (x *number[V, A, P]) And(mask V) V { return x.touch(true).And(mask) }
func (x *number[V, A, P]) Or(mask V) V  { return x.touch(true).Or(mask) }

// What stands for functions of sync/atomic.
func LoadUint32(p *uint32) uint32                      { return atomic.LoadUint32(touched(p, false)) }
func LoadUint64(p *uint64) uint64                      { return atomic.LoadUint64(touched(p, false)) }
func LoadUintptr(p *uintptr) uintptr                   { return atomic.LoadUintptr(touched(p, false)) }
func LoadPointer(p *unsafe.Pointer) unsafe.Pointer     { return atomic.LoadPointer(touched(p, false)) }
func StoreUint32(p *uint32, v uint32)                  { atomic.StoreUint32(touched(p, true), v) }
func StoreUint64(p *uint64, v uint64)                  { atomic.StoreUint64(touched(p, true), v) }
func StoreUintptr(p *uintptr, v uintptr)               { atomic.StoreUintptr(touched(p, true), v) }
func StorePointer(p *unsafe.Pointer, v unsafe.Pointer) { atomic.StorePointer(touched(p, true), v) }
func SwapUint32(p *uint32, v uint32) uint32            { return atomic.SwapUint32(touched(p, true), v) }
func AddUint32(p *uint32, d uint32) uint32             { return atomic.AddUint32(touched(p, true), d) }

// touched tells the machine, and returns p.
func touched[T any](p *T, write bool) *T {
	world.Touch(uintptr(unsafe.Pointer(p)), write)
	return p
}

package recycle

import (
	"sync"
	"unsafe"
)

// A Pool keeps values of type T that are done with. Its zero value is empty and
// ready. A Pool must not be copied after first use. Any number of goroutines
// may call its methods at once.
//
// What a Pool keeps may vanish at any time; the garbage collector drops what
// was not used between two collections, as in [sync.Pool].
//
// A Put of v synchronizes before the Get that returns v.
type Pool[T any] struct {
	// pool has pointers to zero values of T, as unsafe.Pointer: Get can be
	// inlined with an assertion to that, and not with one to *T.
	pool sync.Pool

	// It is tempting to have a Reset function here. The compiler inlines
	// functions with one call at most; with two, Get and Put cost up to a third
	// more than those of sync.Pool. Hence PoolFunc. TestInline watches.
}

// Get returns a pointer to a zero T, new or recycled.
func (p *Pool[T]) Get() *T {
	if v, _ := p.pool.Get().(unsafe.Pointer); v != nil {
		return (*T)(v)
	}
	return new(T)
}

// Put sets *v to zero and keeps v for a later Get. The caller must have no
// further use for v. It is zeroed now, not when it is got, so that the Pool
// keeps nothing alive that *v pointed to.
//
// Put panics if v is nil.
func (p *Pool[T]) Put(v *T) {
	var zero T
	*v = zero // panics where v is nil
	p.pool.Put(unsafe.Pointer(v))
}

// A PoolFunc is a [Pool] for values that own a slice, a map or a buffer worth keeping.
// A function empties them, where a Pool would forget what they own. Create one with
// [NewPoolFunc]; the zero PoolFunc is not ready.
//
//	var requests = recycle.NewPoolFunc(nil, func(r *request) {
//		r.body = r.body[:0]
//		clear(r.header)
//	})
//
// Put costs two calls more than one of [sync.Pool] after a reset in place.
type PoolFunc[T any] struct {
	reset func(*T)
	pool  sync.Pool // of *T as unsafe.Pointer, as a Pool's, all reset
}

// NewPoolFunc returns an empty PoolFunc that makes values with construct, or with
// new(T) if construct is nil, and resets them with reset. Both may be called by many
// goroutines at once. NewPoolFunc panics if reset is nil.
func NewPoolFunc[T any](construct func() *T, reset func(*T)) *PoolFunc[T] {
	if reset == nil {
		panic("recycle.NewPoolFunc: reset is nil: values are emptied before they are kept (for zeroing, use a recycle.Pool)")
	}
	p := &PoolFunc[T]{reset: reset}
	p.pool.New = func() any {
		if construct == nil {
			return unsafe.Pointer(new(T))
		}
		return unsafe.Pointer(construct())
	}
	return p
}

// Get returns a value that was made or reset.
//
// Get panics if p is the zero PoolFunc, or construct returned nil.
func (p *PoolFunc[T]) Get() *T {
	v, _ := p.pool.Get().(unsafe.Pointer)
	if v == nil {
		panic("recycle.PoolFunc.Get: no value: make the PoolFunc with recycle.NewPoolFunc, and let construct return one")
	}
	return (*T)(v)
}

// Put resets *v and keeps v for a later Get. The caller must have no further
// use for v. It is reset now, not when it is got, so that the pool keeps
// nothing alive but what reset leaves in place.
//
// Better do not put a value that has grown far beyond the others: it would keep its
// memory as long as the pool is busy. Write if cap(v.body) < limit { p.Put(v) }.
//
// Put panics if v is nil, or p is the zero PoolFunc.
func (p *PoolFunc[T]) Put(v *T) {
	if p.reset == nil {
		panic("recycle.PoolFunc.Put: zero PoolFunc: make it with recycle.NewPoolFunc")
	}
	if v == nil {
		panic("recycle.PoolFunc.Put: v is nil: put what Get returned")
	}
	p.reset(v)
	p.pool.Put(unsafe.Pointer(v))
}

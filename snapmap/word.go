package snapmap

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// What is unsafe is here, but for two things: a page's last slot is read as what it
// holds, a generation, and words that no other goroutine has seen are stored to as
// plain ones (page.go); and a node's slots hold pages and nodes, of which the node
// knows which is which (node.go). What must hold here:
//
//   - A value is read and written as a word only if its type is as long and as
//     aligned as that word: kindOf looks at both. A pointer is read and written as
//     a pointer, so that the collector sees it.

// A valueKind says how values are kept in their entries.
type valueKind uint8

const (
	boxed   valueKind = iota // never changed: a new value is in a new entry
	word64                   // changed in place, by sync/atomic
	word32                   // the same
	pointer                  // the same
)

func kindOf[V any]() valueKind {
	t := reflect.TypeFor[V]()
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan, reflect.Map, reflect.Func:
		return pointer
	case reflect.Int, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64:
		if t.Size() == 4 && t.Align() >= 4 {
			return word32
		}
		if t.Size() == 8 && t.Align() >= 8 {
			return word64
		}
	}
	return boxed
}

// load returns *v, which is of that kind and may be stored to at the same time.
func load[V any](kind valueKind, v *V) V {
	switch {
	case kind == word64 && unsafe.Sizeof(*v) == 8:
		w := atomic.LoadUint64((*uint64)(unsafe.Pointer(v)))
		return *(*V)(unsafe.Pointer(&w))
	case kind == pointer && unsafe.Sizeof(*v) == unsafe.Sizeof(uintptr(0)):
		w := atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(v)))
		return *(*V)(unsafe.Pointer(&w))
	case kind == word32 && unsafe.Sizeof(*v) == 4:
		w := atomic.LoadUint32((*uint32)(unsafe.Pointer(v)))
		return *(*V)(unsafe.Pointer(&w))
	}
	return *v
}

// store sets *v, which is of that kind and not boxed.
func store[V any](kind valueKind, v *V, to V) {
	switch {
	case kind == word64 && unsafe.Sizeof(*v) == 8:
		atomic.StoreUint64((*uint64)(unsafe.Pointer(v)), *(*uint64)(unsafe.Pointer(&to)))
	case kind == pointer && unsafe.Sizeof(*v) == unsafe.Sizeof(uintptr(0)):
		atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(v)), *(*unsafe.Pointer)(unsafe.Pointer(&to)))
	case kind == word32 && unsafe.Sizeof(*v) == 4:
		atomic.StoreUint32((*uint32)(unsafe.Pointer(v)), *(*uint32)(unsafe.Pointer(&to)))
	}
}

// same reports whether a and b, of that kind, have the same bits; boxed ones are
// compared by their entries.
func same[V any](kind valueKind, a, b V) bool {
	switch {
	case kind == word64 && unsafe.Sizeof(a) == 8:
		return *(*uint64)(unsafe.Pointer(&a)) == *(*uint64)(unsafe.Pointer(&b))
	case kind == pointer && unsafe.Sizeof(a) == unsafe.Sizeof(uintptr(0)):
		return *(*unsafe.Pointer)(unsafe.Pointer(&a)) == *(*unsafe.Pointer)(unsafe.Pointer(&b))
	case kind == word32 && unsafe.Sizeof(a) == 4:
		return *(*uint32)(unsafe.Pointer(&a)) == *(*uint32)(unsafe.Pointer(&b))
	}
	return true
}

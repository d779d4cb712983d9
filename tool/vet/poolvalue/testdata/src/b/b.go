// Package b has pools that stay.
package b

import (
	"bytes"
	"sync"
)

// Pointers, maps and functions.
var pointers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func fine(m map[int]int, f func(), x any) {
	b := pointers.Get().(*bytes.Buffer)
	pointers.Put(b)
	pointers.Put(m)
	pointers.Put(f)
	pointers.Put(x)
}

var Exported = sync.Pool{New: func() any { return []byte{} }}

func exported() {
	b := Exported.Get().([]byte)
	Exported.Put(b) // want "Exported.Put gets a value" // refuse "pointer: other packages may use Exported"
}

var bare sync.Pool

func without() {
	b, ok := bare.Get().([]byte)
	if !ok {
		b = make([]byte, 8)
	}
	bare.Put(b) // want "bare.Put" // refuse "pointer: the pool has no New of its own"
}

var passed = sync.Pool{New: func() any { return []byte{} }}

func passes(f func(*sync.Pool)) {
	f(&passed)
	passed.Put([]byte{}) // want "passed.Put" // refuse "pointer: the pool is used otherwise"
}

var apart = sync.Pool{New: func() any { return []byte{} }}

func get() []byte {
	b := apart.Get().([]byte)
	return b
}

func put(b []byte) {
	apart.Put(b) // want "apart.Put" // refuse "pointer: what is put was not got in the same function"
}

var twice = sync.Pool{New: func() any { return []byte{} }}

func both(x bool) {
	b := twice.Get().([]byte)
	if x {
		twice.Put(b) // want "twice.Put" // refuse "pointer: another Put may come before"
		return
	}
	twice.Put(b)
}

var looped = sync.Pool{New: func() any { return []byte{} }}

func loops() {
	b := looped.Get().([]byte)
	for range 3 {
		looped.Put(b) // want "looped.Put" // refuse "pointer: the Put is in a loop that the Get is not in"
	}
}

var mixed = sync.Pool{New: func() any { return "x" }}

func mixes() {
	b := mixed.Get().([]byte)
	mixed.Put(b) // want "mixed.Put" // refuse "pointer: its New returns another type|pointer: what is put was not got"
}

var later = sync.Pool{New: func() any { return []byte{} }}

func delayed(f func(func())) {
	b := later.Get().([]byte)
	f(func() {
		later.Put(b) // want "later.Put" // refuse "pointer: what is put was not got in the same function"
	})
}

// It would be put again.
var jumped = sync.Pool{New: func() any { return []byte{} }}

func jumps(x int) {
	b := jumped.Get().([]byte)
again:
	x--
	jumped.Put(b) // want "jumped.Put" // refuse "pointer: the function has a goto"
	if x > 0 {
		goto again
	}
}

type worker struct{ pool sync.Pool }

func (w *worker) run() {
	b := w.pool.Get().([]byte)
	w.pool.Put(b) // want "w.pool.Put" // refuse "pointer: the pool is used otherwise"
}

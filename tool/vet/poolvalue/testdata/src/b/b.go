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
	Exported.Put(b) // want "Exported.Put gets a value"
}

var bare sync.Pool

func without() {
	b, ok := bare.Get().([]byte)
	if !ok {
		b = make([]byte, 8)
	}
	bare.Put(b) // want "bare.Put"
}

var passed = sync.Pool{New: func() any { return []byte{} }}

func passes(f func(*sync.Pool)) {
	f(&passed)
	passed.Put([]byte{}) // want "passed.Put"
}

var apart = sync.Pool{New: func() any { return []byte{} }}

func get() []byte {
	b := apart.Get().([]byte)
	return b
}

func put(b []byte) {
	apart.Put(b) // want "apart.Put"
}

var twice = sync.Pool{New: func() any { return []byte{} }}

func both(x bool) {
	b := twice.Get().([]byte)
	if x {
		twice.Put(b) // want "twice.Put"
		return
	}
	twice.Put(b)
}

var looped = sync.Pool{New: func() any { return []byte{} }}

func loops() {
	b := looped.Get().([]byte)
	for range 3 {
		looped.Put(b) // want "looped.Put"
	}
}

var mixed = sync.Pool{New: func() any { return "x" }}

func mixes() {
	b := mixed.Get().([]byte)
	mixed.Put(b) // want "mixed.Put"
}

var later = sync.Pool{New: func() any { return []byte{} }}

func delayed(f func(func())) {
	b := later.Get().([]byte)
	f(func() {
		later.Put(b) // want "later.Put"
	})
}

// It would be put again.
var jumped = sync.Pool{New: func() any { return []byte{} }}

func jumps(x int) {
	b := jumped.Get().([]byte)
again:
	x--
	jumped.Put(b) // want "jumped.Put"
	if x > 0 {
		goto again
	}
}

type worker struct{ pool sync.Pool }

func (w *worker) run() {
	b := w.pool.Get().([]byte)
	w.pool.Put(b) // want "w.pool.Put"
}

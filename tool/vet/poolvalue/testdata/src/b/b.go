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
	Exported.Put(b) // want "Exported.Put gets a value" // refuse "plain: other packages may use Exported"
}

var bare sync.Pool

func without() {
	b, ok := bare.Get().([]byte)
	if !ok {
		b = make([]byte, 8)
	}
	bare.Put(b) // want "bare.Put" // refuse "plain: the pool is not declared with its New, or used otherwise than by Get and Put"
}

var passed = sync.Pool{New: func() any { return []byte{} }}

func passes(f func(*sync.Pool)) {
	f(&passed)
	passed.Put([]byte{}) // want "passed.Put" // refuse "plain: the pool is not declared with its New, or used otherwise than by Get and Put"
}

var twice = sync.Pool{New: func() any { return []byte{} }}

func both(x bool) {
	b := twice.Get().([]byte)
	if x {
		twice.Put(b) // want "twice.Put" // refuse "plain: the pool is not declared with its New, or used otherwise than by Get and Put"
		return
	}
	twice.Put(b)
}

var mixed = sync.Pool{New: func() any { return "x" }}

func mixes() {
	b := mixed.Get().([]byte)
	mixed.Put(b) // want "mixed.Put" // refuse "plain: the pool is not declared with its New, or used otherwise than by Get and Put"
}

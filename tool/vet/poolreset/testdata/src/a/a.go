// Package a puts back what has grown.
package a

import (
	"bytes"
	"fmt"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func text(x int) string {
	buf := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(buf) // want "buf is put back with what is in it: it grows with each use" // refuse "reset: what the next Get finds would change: put buf.Reset"
	fmt.Fprintf(buf, "%d", x)
	return buf.String()
}

var lists = sync.Pool{New: func() any { return new([]int) }}

func list(xs []int) (n int) {
	p := lists.Get().(*[]int)
	for _, x := range xs {
		*p = append(*p, x)
	}
	n = len(*p)
	lists.Put(p) // want "p is put back" // refuse "reset: .*put .p = ..p..:0. before it"
	return n
}

type record struct{ fields []string }

var records = sync.Pool{New: func() any { return new(record) }}

func fields(s string) {
	r := records.Get().(*record)
	r.fields = append(r.fields, s)
	records.Put(r) // want "r is put back" // refuse "reset: .*put what empties r"
}

// Package b empties what it puts back, or may.
package b

import (
	"bytes"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func before(s string) string {
	buf := bufs.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(s)
	s = buf.String()
	bufs.Put(buf)
	return s
}

func after(s string) {
	buf := bufs.Get().(*bytes.Buffer)
	buf.WriteString(s)
	buf.Truncate(0)
	bufs.Put(buf)
}

func elsewhere(s string, f func(*bytes.Buffer)) {
	buf := bufs.Get().(*bytes.Buffer)
	buf.WriteString(s)
	f(buf)
	bufs.Put(buf)
}

func drained(s string, out *bytes.Buffer) {
	buf := bufs.Get().(*bytes.Buffer)
	buf.WriteString(s)
	buf.WriteTo(out)
	bufs.Put(buf)
}

// Nothing grows.
func read() int {
	buf := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(buf)
	return buf.Cap()
}

type record struct{ fields []string }

func (r *record) clear() { r.fields = r.fields[:0] }

var records = sync.Pool{New: func() any { return new(record) }}

func fields(s string) {
	r := records.Get().(*record)
	r.fields = append(r.fields[:0], s)
	records.Put(r)
	q := records.Get().(*record)
	q.fields = append(q.fields, s)
	*q = record{}
	records.Put(q)
	t := records.Get().(*record)
	t.fields = append(t.fields, s)
	t.clear()
	records.Put(t)
}

var lists = sync.Pool{New: func() any { return new([]int) }}

func list(x int) {
	p := lists.Get().(*[]int)
	*p = append(*p, x)
	*p = (*p)[:0]
	lists.Put(p)
}

// Package b empties what it puts back, or may.
package b

import (
	"bytes"
	"io"
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

func copied(s string, out io.Writer) {
	buf := bufs.Get().(*bytes.Buffer)
	buf.WriteString(s)
	io.Copy(out, buf)
	bufs.Put(buf)
}

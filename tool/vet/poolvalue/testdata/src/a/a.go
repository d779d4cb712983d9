// Package a has pools of values.
package a

import (
	"strconv"
	"sync"
)

const size = 256

var bufs = sync.Pool{New: func() any { return make([]byte, 0, size) }}

func digits(xs []int) (n int) {
	for _, x := range xs {
		buf := bufs.Get().([]byte)[:0]
		buf = strconv.AppendInt(buf, int64(x), 10)
		n += len(buf)
		bufs.Put(buf) // want "bufs.Put gets a value and not a pointer: each Put allocates"
	}
	return n
}

func deferred(x int) int {
	bufp := 1
	buf := bufs.Get().([]byte)
	defer bufs.Put(buf[:0])
	buf = strconv.AppendInt(buf[:0], int64(x), 10)
	return len(buf) * bufp
}

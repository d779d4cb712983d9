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
		bufs.Put(buf) // want "bufs.Put gets a slice and not a pointer: each Put allocates"
	}
	return n
}

func early(x int) int {
	buf := bufs.Get().([]byte)
	if x < 0 {
		bufs.Put(buf)
		return 0
	}
	buf = strconv.AppendInt(buf[:0], int64(x), 10)
	n := len(buf)
	bufs.Put(buf[:0])
	return n
}

func deferred(x int) int {
	bufp := 1
	buf := bufs.Get().([]byte)
	defer func() { bufs.Put(buf) }()
	buf = strconv.AppendInt(buf[:0], int64(x), 10)
	return len(buf) * bufp
}

type scratch struct{ sums [16]int }

type worker struct {
	pool *sync.Pool
}

func newWorker() *worker {
	return &worker{pool: &sync.Pool{New: func() any {
		if size > 300 {
			return scratch{sums: [16]int{1}}
		}
		return scratch{}
	}}}
}

func (w *worker) run(xs []int) int {
	s := w.pool.Get().(scratch)
	defer w.pool.Put(s) // want "w.pool.Put gets a struct and not a pointer"
	for i, x := range xs {
		s.sums[i%16] += x
	}
	return s.sums[0]
}

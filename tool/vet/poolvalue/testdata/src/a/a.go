// Package a has pools of values, and pools of what does not come back.
package a

import (
	"bytes"
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

// A coder leaves its buffer where a text is empty.
type coder struct {
	name string
	pool *sync.Pool
}

func newCoder() *coder {
	return &coder{name: "c", pool: &sync.Pool{New: func() any {
		b := new(bytes.Buffer)
		b.Grow(size)
		return b
	}}}
}

func (c *coder) code(texts []string) int {
	b := c.pool.Get().(*bytes.Buffer) // want "c.pool.Get lends what may not come back"
	b.Reset()
	for _, t := range texts {
		if t == "" {
			return -1
		}
		b.WriteString(t)
	}
	n := b.Len()
	c.pool.Put(b)
	return n
}

var scratches = sync.Pool{New: func() any { return new([32]byte) }}

func uppers(words []string) (sum int) {
	for _, w := range words {
		s := scratches.Get().(*[32]byte) // want "scratches.Get is called in each iteration"
		for i := range min(len(w), len(s)) {
			s[i] = w[i] &^ 0x20
			sum += int(s[i])
		}
		if sum > 1000 {
			continue
		}
		scratches.Put(s)
	}
	return sum
}

var (
	made  int
	count = sync.Pool{New: func() any { made++; return make([]int, 1) }}
	typed = sync.Pool{New: func() any { return [4]int{} }}
	waste = sync.Pool{New: func() any { return make([]int, 4) }}
	eager = sync.Pool{New: func() any { return make([]int, 4) }}
	lent  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
)

func lend() *bytes.Buffer { return lent.Get().(*bytes.Buffer) } // want "lent.Get lends"

func refused() int {
	xs := count.Get().([]int)
	count.Put(xs) // want "count.Put gets" // refuse "plain: the pool is not declared with its New, or used otherwise than by Get and Put"
	ys, ok := typed.Get().([4]int)
	typed.Put(ys) // want "typed.Put gets" // refuse "plain: the pool is not declared with its New, or used otherwise than by Get and Put"
	zs := waste.Get().([]int)
	waste.Put(zs)    // want "waste.Put gets" // refuse "plain: the pool is not declared with its New, or used otherwise than by Get and Put"
	go eager.Put(xs) // want "eager.Put gets" // refuse "plain: the pool is not declared with its New, or used otherwise than by Get and Put"
	if ok {
		return 0
	}
	return len(xs)
}

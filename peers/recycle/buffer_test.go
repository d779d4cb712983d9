package recycle

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/gopayoff/payoff/recycle"
	"github.com/valyala/bytebufferpool"
)

// text is what the messages are made of.
var text = bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog. "), 1024)

// A message is built in a buffer from a header and a body of the size that the
// load has for the i'th operation. The sum takes a byte from the middle and the
// length.
const header = "length: "

func look(b []byte) int { return len(b) + int(b[len(b)/2]) }

var loads = []struct {
	name string
	size func(i int) int
}{
	{"1024", func(int) int { return 1024 }},
	// One of 16 is long, the others are short, none is as the one before.
	{"mixed", func(i int) int {
		if i%16 == 15 {
			return 16<<10 + i%4096
		}
		return 100 + i*37%400
	}},
}

// buffers returns the variants for messages of these sizes. Only payoff and
// alloc are told the size beforehand; the others keep one kind of buffer, which
// grows to the longest message and then serves all. bytebufferpool is used as
// its README shows, with a pool of its own. payoff-grow and payoff-blind ask for
// 0 bytes first; the former lets the pool grow the slice, the latter append,
// which is how not to use it.
func buffers(size func(i int) int) []variant {
	build := func(b []byte, i int) []byte {
		b = append(b, header...)
		return append(b, text[:size(i)]...)
	}
	return []variant{
		{"alloc", func() loop {
			return func(g, ops int) (sum int) {
				for i := range ops {
					b := build(make([]byte, 0, len(header)+size(i)), i)
					sinks[g].bytes = b
					sum += look(b)
				}
				return sum
			}
		}},
		{"syncpool", func() loop {
			pool := &sync.Pool{New: func() any { return new([]byte) }}
			return func(g, ops int) (sum int) {
				for i := range ops {
					b := pool.Get().(*[]byte)
					*b = build((*b)[:0], i)
					sum += look(*b)
					pool.Put(b)
				}
				return sum
			}
		}},
		{"syncpool-boxed", func() loop {
			pool := &sync.Pool{New: func() any { return []byte(nil) }}
			return func(g, ops int) (sum int) {
				for i := range ops {
					b := build(pool.Get().([]byte)[:0], i)
					sum += look(b)
					//lint:ignore SA6002 what it costs is the question
					pool.Put(b)
				}
				return sum
			}
		}},
		{"bytes.Buffer", func() loop {
			pool := &sync.Pool{New: func() any { return new(bytes.Buffer) }}
			return func(g, ops int) (sum int) {
				for i := range ops {
					b := pool.Get().(*bytes.Buffer)
					b.WriteString(header)
					b.Write(text[:size(i)])
					sum += look(b.Bytes())
					b.Reset()
					pool.Put(b)
				}
				return sum
			}
		}},
		{"bytebufferpool", func() loop {
			pool := new(bytebufferpool.Pool)
			return func(g, ops int) (sum int) {
				for i := range ops {
					b := pool.Get()
					b.WriteString(header)
					b.Write(text[:size(i)])
					sum += look(b.B)
					pool.Put(b)
				}
				return sum
			}
		}},
		{"payoff", func() loop {
			pool := new(recycle.Slices[byte])
			return func(g, ops int) (sum int) {
				for i := range ops {
					b := build(pool.Get(len(header)+size(i)), i)
					sum += look(b)
					pool.Put(b)
				}
				return sum
			}
		}},
		{"payoff-blind", func() loop {
			pool := new(recycle.Slices[byte])
			return func(g, ops int) (sum int) {
				for i := range ops {
					b := build(pool.Get(0), i)
					sum += look(b)
					pool.Put(b)
				}
				return sum
			}
		}},
		{"payoff-grow", func() loop {
			pool := new(recycle.Slices[byte])
			return func(g, ops int) (sum int) {
				for i := range ops {
					b := pool.Grow(pool.Get(0), len(header))
					b = append(b, header...)
					b = pool.Grow(b, size(i))
					b = append(b, text[:size(i)]...)
					sum += look(b)
					pool.Put(b)
				}
				return sum
			}
		}},
		{"payoff-bytes.Buffer", func() loop {
			pool := recycle.NewPoolFunc(nil, (*bytes.Buffer).Reset)
			return func(g, ops int) (sum int) {
				for i := range ops {
					b := pool.Get()
					b.WriteString(header)
					b.Write(text[:size(i)])
					sum += look(b.Bytes())
					pool.Put(b)
				}
				return sum
			}
		}},
	}
}

func BenchmarkBuffer(b *testing.B) {
	for _, load := range loads {
		bench(b, "/size="+load.name, buffers(load.size))
	}
}

func TestBuffer(t *testing.T) {
	for _, load := range loads {
		t.Run(fmt.Sprintf("size=%s", load.name), func(t *testing.T) { same(t, buffers(load.size)) })
	}
}

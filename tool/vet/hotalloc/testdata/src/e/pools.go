// Package e has pools that are empty.
package e

import (
	"bytes"
	"sync"
)

func joined(words []string) string {
	bufs := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want "the pool is made anew, and is empty each time"
	var mu sync.Mutex
	var wg sync.WaitGroup
	sum := 0
	for _, w := range words {
		wg.Go(func() {
			b := bufs.Get().(*bytes.Buffer)
			b.Reset()
			b.WriteString(w)
			mu.Lock()
			sum += b.Len()
			mu.Unlock()
			bufs.Put(b)
		})
	}
	wg.Wait()
	return string(rune('a' + sum%26))
}

func pointed(w string) int {
	p := &sync.Pool{New: newBuffer} // want "the pool is made anew"
	return measured(p, w)
}

func newBuffer() any { return new(bytes.Buffer) }

func measured(p *sync.Pool, w string) int {
	b := p.Get().(*bytes.Buffer)
	defer p.Put(b)
	b.Reset()
	b.WriteString(w)
	return b.Len()
}

func sized(w string, n int) int {
	p := sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, n)) }} // want "the pool is made anew" // refuse "share: n is the function's own"
	return p.Get().(*bytes.Buffer).Len() + len(w)
}

var maker = newBuffer

func varied(w string) int {
	p := sync.Pool{New: maker} // want "the pool is made anew" // refuse "share: its New is no function of a package"
	return p.Get().(*bytes.Buffer).Len() + len(w)
}

func cyclic(n int) int {
	p := sync.Pool{New: func() any { return deeper(n0) }} // want "the pool is made anew" // refuse "share: what its New does comes to the function itself"
	return *p.Get().(*int) + n
}

const n0 = 0

func deeper(n int) *int {
	if n > 0 {
		n = cyclic(n - 1)
	}
	return &n
}

func renewed(w string) int {
	p := &sync.Pool{New: newBuffer} // want "the pool is made anew" // refuse "share: it is kept or passed on"
	p.New = func() any { return bytes.NewBufferString(w) }
	return p.Get().(*bytes.Buffer).Len()
}

func replaced(w string) int {
	p := sync.Pool{New: newBuffer} // want "the pool is made anew" // refuse "share: the variable is more than that pool"
	if w == "" {
		p = sync.Pool{}
	}
	if b, ok := p.Get().(*bytes.Buffer); ok {
		return b.Len()
	}
	return -1
}

// A codec has a pool of its own.
type codec struct {
	level int
	pool  sync.Pool
}

func newCodec(level int) *codec {
	c := &codec{level: level}
	c.pool.New = func() any { return new(bytes.Buffer) } // want "each object has a pool of its own: a new one is empty"
	return c
}

func (c *codec) encode(w string) int {
	b := c.pool.Get().(*bytes.Buffer)
	defer c.pool.Put(b)
	b.Reset()
	b.WriteString(w)
	return b.Len() * c.level
}

func encoded(words []string) (n int) {
	for _, w := range words {
		n += newCodec(3).encode(w)
	}
	return n
}

type decoder struct{ pool sync.Pool }

func newDecoder() *decoder {
	return &decoder{pool: sync.Pool{New: func() any { return new(bytes.Buffer) }}} // want "each object has a pool"
}

func (d *decoder) decode(w string) int {
	b := d.pool.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(w)
	n := b.Len()
	d.pool.Put(b)
	return n
}

func decoded(w string) int { return newDecoder().decode(w) }

type sizer struct {
	n    int
	pool sync.Pool
}

func newSizer(n int) *sizer {
	s := &sizer{n: n}
	s.pool.New = func() any { return bytes.NewBuffer(make([]byte, s.n)) } // want "each object has a pool" // refuse "share: s is the function's own"
	return s
}

func (s *sizer) size() int { return s.pool.Get().(*bytes.Buffer).Len() }

type two struct{ pool sync.Pool }

func newTwo(big bool) *two {
	t := &two{}
	if big {
		t.pool.New = func() any { return new(bytes.Buffer) } // want "each object has a pool" // refuse "share: its New may not be set"
	}
	return t
}

func (t *two) len() int {
	if b, ok := t.pool.Get().(*bytes.Buffer); ok {
		return b.Len()
	}
	return -1
}

type set struct{ pool sync.Pool }

func (s *set) small() {
	s.pool.New = func() any { return new(bytes.Buffer) } // want "each object has a pool" // refuse "share: something else is done with the pool, or its New is set in two places"
}

func (s *set) large() {
	s.pool.New = func() any { return bytes.NewBuffer(make([]byte, 100)) } // want "each object has a pool" // refuse "share: something else is done with the pool, or its New is set in two places"
}

func (s *set) len() int { return s.pool.Get().(*bytes.Buffer).Len() }

type plain struct {
	pool sync.Pool
	n    int
}

func newPlain(n int) *plain {
	p := &plain{sync.Pool{}, n}
	p.pool.New = func() any { return new(bytes.Buffer) } // want "each object has a pool" // refuse "share: a literal of plain has no names of fields"
	return p
}

func (p *plain) len() int { return p.pool.Get().(*bytes.Buffer).Len() + p.n }

// Open has a pool that others may use.
type Open struct{ Pool sync.Pool }

func newOpen() *Open {
	o := &Open{}
	o.Pool.New = func() any { return new(bytes.Buffer) } // want "each object has a pool" // refuse "share: other packages may use Pool"
	return o
}

func (o *Open) len() int { return o.Pool.Get().(*bytes.Buffer).Len() }

type chained struct{ pool sync.Pool }

func newChained() *chained {
	c := &chained{}
	c.pool.New = func() any { return new(bytes.Buffer) } // want "each object has a pool" // refuse "share: its object is what a call returns"
	return c
}

func chain() int { return newChained().pool.Get().(*bytes.Buffer).Len() }

type nested struct{ pool sync.Pool }

func newNested() *nested {
	n := &nested{}
	n.pool.New = func() any { return new(bytes.Buffer).Len() + newNested().len() } // want "each object has a pool" // refuse "share: what New does comes to what uses the pool"
	return n
}

func (n *nested) len() int { return n.pool.Get().(int) }

type typed[T any] struct{ pool sync.Pool }

func newTyped[T any]() *typed[T] {
	t := &typed[T]{}
	t.pool.New = newBuffer // want "each object has a pool" // refuse "share: its struct has no name, or parameters"
	return t
}

func (t *typed[T]) len() int { return t.pool.Get().(*bytes.Buffer).Len() }

func typedLen() int { return newTyped[int]().len() }

type pointer struct {
	pool *sync.Pool
	n    int
}

func newPointer() *pointer {
	return &pointer{pool: &sync.Pool{New: newBuffer}} // want "the pool is made anew"
}

func (p *pointer) len(w string) int {
	b := p.pool.Get().(*bytes.Buffer)
	defer p.pool.Put(b)
	b.Reset()
	b.WriteString(w)
	return b.Len() + p.n
}

func pointerLen(w string) int { return newPointer().len(w) }

type commented struct{ pool sync.Pool }

func newCommented() *commented {
	c := &commented{}
	c.pool.New = func() any { // want "each object has a pool" // refuse "share: a comment stands in it"
		return new(bytes.Buffer)
	}
	return c
}

func (c *commented) len() int { return c.pool.Get().(*bytes.Buffer).Len() }

type varied2 struct{ pool sync.Pool }

func newVaried() *varied2 {
	v := &varied2{}
	v.pool.New = maker // want "each object has a pool" // refuse "share: its New is no function of a package"
	return v
}

func (v *varied2) len() int { return v.pool.Get().(*bytes.Buffer).Len() }

var inLiteral = func(w string) int {
	p := sync.Pool{New: newBuffer} // want "the pool is made anew" // refuse "share: it is no function's"
	return p.Get().(*bytes.Buffer).Len() + len(w)
}

func copied(w string) int {
	p := sync.Pool{New: newBuffer} // want "the pool is made anew" // refuse "share: it is kept or passed on"
	q := p
	return q.Get().(*bytes.Buffer).Len() + len(w)
}

type factory struct{ n int }

func (f factory) make() any { return bytes.NewBuffer(make([]byte, f.n)) }

var ours factory

func bound(w string) int {
	ours.n = len(w)
	p := sync.Pool{New: ours.make} // want "the pool is made anew" // refuse "share: its New is no function of a package"
	return p.Get().(*bytes.Buffer).Len()
}

type pair struct{ small, large sync.Pool }

func newPair() *pair {
	p := &pair{}
	p.small.New = newBuffer // want "each object has a pool" // refuse "share: its struct has no name, or parameters"
	return p
}

func (p *pair) len() int { return p.small.Get().(*bytes.Buffer).Len() }

func localPool(w string) int {
	type own struct {
		pool sync.Pool
		n    int
	}
	o := own{n: len(w)}
	o.pool.New = newBuffer // want "each object has a pool"
	return o.pool.Get().(*bytes.Buffer).Len() + o.n
}

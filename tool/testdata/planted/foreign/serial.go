package foreign

import (
	"encoding/binary"
	"strconv"
	"sync"
)

// Pairs of serial code: no goroutine starts on either side.

type shape interface{ area(i int) int }

type square struct{ side int }
type circle struct{ r int }

//go:noinline
func (s square) area(i int) int { return s.side*s.side + i }

//go:noinline
func (c circle) area(i int) int { return 3*c.r*c.r + i }

func areas(n int) int {
	total := 0
	for i := range n {
		if i&1 == 0 {
			total += i&7*(i&7) + i
		} else {
			total += 3*(i&7)*(i&7) + i
		}
	}
	return total
}

func areasDispatched(n int) int {
	total := 0
	for i := range n {
		var s shape = square{i & 7}
		if i&1 == 1 {
			s = circle{i & 7}
		}
		total += s.area(i)
	}
	return total
}

// A register counts behind a lock that nobody else takes.
type register struct{ n int }

func (r *register) add(i int) { r.n += i & 15 }

//go:noinline
func (r *register) addSafely(i int) {
	defer func() {
		if recover() != nil {
			r.n = 0
		}
	}()
	r.n += i & 15
}

func register1(n int) int {
	var r register
	for i := range n {
		r.add(i)
	}
	return r.n
}

func registerSafely(n int) int {
	var r register
	for i := range n {
		r.addSafely(i)
	}
	return r.n
}

// encode writes numbers in four bytes each, encodeShort in as few as fit.
func encode(n int) int {
	buf := make([]byte, 0, 4*n)
	for i := range n {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(i*2654435761))
	}
	return len(buf) - 4*n
}

func encodeShort(n int) int {
	buf := make([]byte, 0, 10*n)
	for i := range n {
		buf = binary.AppendUvarint(buf, uint64(uint32(i*2654435761)))
	}
	return len(buf) / (11 * n)
}

// label writes records into one buffer; labelFresh into one for each.
func label(n int) int {
	total := 0
	var buf []byte
	for i := range n {
		buf = appendLabel(buf[:0], i)
		total += len(buf)
	}
	return total
}

func labelFresh(n int) int {
	total := 0
	for i := range n {
		buf := appendLabel(nil, i)
		total += len(buf)
	}
	return total
}

func appendLabel(buf []byte, i int) []byte {
	for k := range 12 {
		buf = strconv.AppendInt(buf, int64(i+k), 10)
		buf = append(buf, ", "...)
	}
	return buf
}

var scratch = sync.Pool{New: func() any { return new([64]byte) }}

// mix uses an array on its stack; mixPooled takes one from a pool for each item.
func mix(n int) int {
	total := 0
	var b [64]byte
	for i := range n {
		total += scramble(&b, i)
	}
	return total
}

func mixPooled(n int) int {
	total := 0
	for i := range n {
		b := scratch.Get().(*[64]byte)
		total += scramble(b, i)
		scratch.Put(b)
	}
	return total
}

//go:noinline
func scramble(b *[64]byte, i int) int {
	b[i&63] = byte(i)
	return int(b[i&63]) & 3
}

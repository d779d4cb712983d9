// Package c asks pools again and again.
package c

import "sync"

var scratches = sync.Pool{New: func() any { return new([32]byte) }}

func upper(s string, scratch []byte) (n int) {
	for i := range min(len(s), len(scratch)) {
		scratch[i] = s[i] &^ 0x20
		n += int(scratch[i])
	}
	return n
}

func uppers(words []string) (sum int) {
	for _, w := range words {
		s := scratches.Get().(*[32]byte) // want "the pool is asked in each iteration"
		sum += upper(w, s[:])
		scratches.Put(s)
	}
	return sum
}

// The pool would not have it back where an iteration ends early.
func early(words []string) (sum int) {
	for _, w := range words {
		s := scratches.Get().(*[32]byte) // want "the pool is asked in each iteration" // refuse "hoist: an iteration may end before it is put back"
		sum += upper(w, s[:])
		if sum > 1000 {
			continue
		}
		scratches.Put(s)
	}
	return sum
}

var arrays = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func lengths(words []string) (sum int) {
	for _, w := range words {
		b := arrays.Get().([]byte) // want "the pool is asked in each iteration"
		b = append(b[:0], w...)
		if len(b) > 100 {
			return -1
		}
		sum += len(b)
		arrays.Put(b)
	}
	return sum
}

func mark(x int, marks []int) (n int) {
	marks[uint(x)%uint(len(marks))] = 1
	for _, m := range marks {
		n += m
	}
	return n
}

// What it makes is counted.
var (
	made    int
	counted = sync.Pool{New: func() any { made++; return new([4]int) }}
)

func count4(xs []int) (sum int) {
	for _, x := range xs {
		c := counted.Get().(*[4]int) // want "the pool is asked in each iteration" // refuse "hoist: its New may do more than to make a value"
		sum += mark(x, c[:])
		counted.Put(c)
	}
	return sum
}

var lastScratch *[32]byte

func keepsScratch(words []string) (sum int) {
	for _, w := range words {
		s := scratches.Get().(*[32]byte) // want "the pool is asked in each iteration" // refuse "hoist: s is kept or passed on"
		sum += upper(w, s[:])
		lastScratch = s
		scratches.Put(s)
	}
	return sum
}

package a

import (
	"fmt"
	"strconv"
	"sync"
)

type row struct {
	key string
	n   int
}

func appendRow(to []byte, r row) []byte {
	if r.n < 0 {
		return append(to, '-')
	}
	for range r.n % 3 {
		to = append(to, ' ')
	}
	to = append(to, r.key...)
	to = appendNumber(append(to, '='), r.n)
	return append(to, '\n')
}

func appendNumber(to []byte, n int) []byte { return strconv.AppendInt(to, int64(n), 10) }

func rowsOf(keys []string) []row {
	rows := make([]row, len(keys))
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := w; i < len(keys); i += 4 {
				rows[i] = row{keys[i], len(keys[i])}
			}
		})
	}
	wg.Wait()
	return rows
}

func print(keys []string) []byte {
	rows := make([]row, len(keys))
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := w; i < len(keys); i += 4 {
				rows[i] = row{keys[i], len(keys[i])}
			}
		})
	}
	wg.Wait()
	out := make([]byte, 0, 30*len(rows))
	// All rows in one.
	for _, r := range rows { // want `one goroutine makes all of out, when the others have ended` // dearer "parts: what is made takes more memory: the parts beside the whole"
		if r.n == 0 {
			continue
		}
		out = appendRow(out, r) // one by one
	}
	var lines []string
	for _, r := range rows { // want `one goroutine makes all of lines`
		line := fmt.Sprint(r.key, r.n)
		lines = append(lines, line, "")
	}
	return append(out, lines[0]...)
}

var last int

func tallied(to []int, n int) []int {
	last = n
	return append(to, n)
}

func turned(to []int, n int) []int {
	if len(to) > 0 {
		to[0] = n
	}
	return append(to, n)
}

func half(n int) int { return n / 2 }

func kept(xs []int, f func(int) int) (out []int) {
	sums := make([]int, len(xs))
	var wg sync.WaitGroup
	for i := range xs {
		wg.Go(func() { sums[i] = xs[i] * xs[i] })
	}
	wg.Wait()
	var a, b, c, d, e, g, h, k []int
	for _, x := range sums { // want `makes all of a,` // refuse "parts: the loop does more with a than to append"
		a = tallied(a, x)
	}
	for _, x := range sums { // want `makes all of b,` // refuse "parts: the loop does more with b than to append"
		b = turned(b, x)
	}
	for _, x := range sums { // want `makes all of c,` // refuse "parts: the loop calls f, which may not be meant"
		c = append(c, f(x))
	}
	for i, x := range sums { // want `makes all of d,` // refuse "parts: the loop numbers its elements"
		d = append(d, half(x)+i)
	}
	for _, x := range sums { // want `makes all of e,` // refuse "parts: the loop may end early, by break"
		if x < 0 {
			break
		}
		e = append(e, half(x))
	}
	for _, x := range sums { // want `makes all of g,` // refuse "parts: the loop does more with g than to append"
		g = append(g, half(x)+len(g))
	}
	total := 0
	for _, x := range sums { // want `makes all of h,` // refuse "parts: the loop changes total"
		total += x
		h = append(h, half(total))
	}
	k = sums[:0]
	for _, x := range sums { // want `makes all of k,` // refuse "parts: k is used before the loop"
		k = append(k, half(x))
	}
	for _, x := range sums { // want `makes all of out,` // refuse "parts: out is not made beside the loop"
		out = append(out, half(x))
	}
	m := sums[:0]
	for _, x := range sums { // want `makes all of m,` // refuse "parts: m is not made beside the loop"
		m = append(m, half(x))
	}
	// Nothing is made of the values.
	var p []int
	for _, x := range sums {
		p = append(p, x)
	}
	return append(out, len(a)+len(b)+len(c)+len(d)+len(e)+len(g)+len(h)+len(k)+len(m)+len(p))
}

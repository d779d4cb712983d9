package mechanisms

import "strings"

// Work beside a large heap.

// A node is one of many that live as long as the program.
type node struct {
	left, right *node
	key         int
}

func tree(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{tree(depth - 1), tree(depth - 1), depth}
}

// An index holds entries with pointers to each other.
type entry struct {
	name *string
	next *entry
}

func index(n int) map[int]*entry {
	m := make(map[int]*entry, n)
	var last *entry
	for i := range n {
		s := "entry"
		last = &entry{&s, last}
		m[i] = last
	}
	return m
}

// A row is a line of a report.
func row(buf []byte, x int) int {
	buf = buf[:0]
	for x > 0 {
		buf = append(buf, byte('0'+x%10))
		x /= 10
	}
	return len(buf)
}

func rows(xs []int) int {
	buf := make([]byte, 0, 64)
	total := 0
	for _, x := range xs {
		total += row(buf, x)
	}
	return total
}

var lastRow [workers][]byte

// rowsFresh makes a kilobyte for each row.
func rowsFresh(xs []int) int {
	return split(2, func(w, _ int) int {
		total := 0
		for _, x := range xs[w*len(xs)/2 : (w+1)*len(xs)/2] {
			buf := make([]byte, 0, 1024)
			lastRow[w] = buf
			total += row(buf, x)
		}
		return total
	})
}

// titles are put together by hand, or from parts that are garbage at once.
func title(b *strings.Builder, x int) int {
	b.Reset()
	b.Grow(256)
	b.WriteString("title")
	b.WriteByte(byte('a' + x%26))
	return b.Len()
}

func titles(xs []int) int {
	buf := make([]byte, 0, 256)
	total := 0
	for _, x := range xs {
		buf = append(append(buf[:0], "title"...), byte('a'+x%26))
		total += len(buf)
	}
	return total
}

func titlesBuilt(xs []int) int {
	return split(len(xs), func(lo, hi int) int {
		var b strings.Builder
		total := 0
		for _, x := range xs[lo:hi] {
			total += title(&b, x)
		}
		return total
	})
}

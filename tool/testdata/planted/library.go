package planted

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sort"
	"strconv"
)

// What the concurrent variants call: the allocator, reflection, the kernel.

// Serial encodes into one buffer; each item of the variant makes its own.
func frames(xs []int) int {
	buf := make([]byte, 512)
	total := 0
	for _, x := range xs {
		for i := 0; i < len(buf); i += 64 {
			buf[i] = byte(x + i)
		}
		total += int(buf[64])
	}
	return total
}

// kept makes the frames escape, as frames do that are handed to a writer.
var kept [workers][64][]byte

func framesFresh(xs []int) int {
	sums := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		total := 0
		for k, x := range xs[lo:hi] {
			buf := make([]byte, 512)
			for i := 0; i < len(buf); i += 64 {
				buf[i] = byte(x + i)
			}
			kept[w][k&63] = buf
			total += int(buf[64])
		}
		sums[w] = total
	})
	return sum(sums)
}

// Serial keeps numbers; the variant keeps them as interface values in a list,
// so that each is boxed and linked.
func stack(xs []int) int {
	items := make([]int, 0, len(xs))
	for _, x := range xs {
		items = append(items, x)
	}
	total := 0
	for _, v := range items {
		total += v & 0xff
	}
	return total
}

type cell struct {
	value any
	next  *cell
}

func stackBoxed(xs []int) int {
	sums := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		var head *cell
		for _, x := range xs[lo:hi] {
			head = &cell{x, head}
		}
		total := 0
		for c := head; c != nil; c = c.next {
			total += c.value.(int) & 0xff
		}
		sums[w] = total
	})
	return sum(sums)
}

// labels are formatted by strconv, or by fmt and its reflection.
func labels(xs []int) int {
	buf := make([]byte, 0, 64)
	total := 0
	for _, x := range xs {
		buf = append(buf[:0], "item "...)
		buf = strconv.AppendInt(buf, int64(x), 10)
		buf = append(buf, '/')
		buf = strconv.AppendInt(buf, int64(x&0xff), 10)
		total += len(buf)
	}
	return total
}

type label struct{ Item, Of int }

func labelsPrinted(xs []int) int {
	sums := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		var buf []byte
		total := 0
		for _, x := range xs[lo:hi] {
			// &{Item:1 Of:2} is 6 bytes longer than item 1/2.
			buf = fmt.Appendf(buf[:0], "%+v", &label{x, x & 0xff})
			total += len(buf) - 6
		}
		sums[w] = total
	})
	return sum(sums)
}

type point struct {
	X, Y int
	Tags []int
}

// points are decoded by hand, or through encoding/json.
func points(lines [][]byte) int {
	total := 0
	for _, line := range lines {
		n, in := 0, false
		for _, c := range line {
			if c >= '0' && c <= '9' {
				n, in = n*10+int(c-'0'), true
			} else if in {
				total += n
				n, in = 0, false
			}
		}
	}
	return total
}

func pointLines(n int) [][]byte {
	lines := make([][]byte, n)
	for i := range lines {
		lines[i] = fmt.Appendf(nil, `{"X":%d,"Y":%d,"Tags":[%d,%d,3]}`, i, i*i, i&7, i&31)
	}
	return lines
}

func pointsDecoded(lines [][]byte) int {
	sums := make([]int, workers)
	halves(len(lines), func(w, lo, hi int) {
		for _, line := range lines[lo:hi] {
			var p point
			if json.Unmarshal(line, &p) != nil {
				return
			}
			sums[w] += p.X + p.Y + sum(p.Tags)
		}
	})
	return sum(sums)
}

// checksum depends on the order.
func checksum(xs []int) int {
	h := 0
	for _, x := range xs {
		h = h*31 + x
	}
	return h
}

func sorted(xs, tmp []int) int {
	copy(tmp, xs)
	slices.Sort(tmp)
	return checksum(tmp)
}

// byValue has the three methods, called through an interface for every
// comparison and every exchange.
type byValue struct{ s []int }

func (v *byValue) Len() int           { return len(v.s) }
func (v *byValue) Less(i, j int) bool { return v.s[i] < v.s[j] }
func (v *byValue) Swap(i, j int)      { v.s[i], v.s[j] = v.s[j], v.s[i] }

// backwards twice is forwards again, at the price of two more interfaces.
func sortedHalves(xs, tmp []int) int {
	copy(tmp, xs)
	mid := len(tmp) / workers
	halves(len(tmp), func(_, lo, hi int) {
		sort.Sort(sort.Reverse(sort.Reverse(&byValue{tmp[lo:hi]})))
	})
	h, a, b := 0, tmp[:mid], tmp[mid:]
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			h, a = h*31+a[0], a[1:]
		} else {
			h, b = h*31+b[0], b[1:]
		}
	}
	return h
}

const written = 4000

// Serial writes once; the workers write byte by byte, each to its own file.
func writeOnce(fs []*os.File, data []byte) int {
	for i := range data {
		data[i] = byte(churn(i, 5))
	}
	n, err := fs[0].Write(data)
	if err != nil {
		return -1
	}
	return n
}

func writeBytes(fs []*os.File, data []byte) int {
	sums := make([]int, len(fs))
	each(len(fs), func(w int) {
		part := data[w*len(data)/len(fs) : (w+1)*len(data)/len(fs)]
		for i := range part {
			part[i] = byte(churn(i, 5))
			n, err := fs[w].Write(part[i : i+1])
			if err != nil {
				return
			}
			sums[w] += n
		}
	})
	return sum(sums)
}

// Serial reads the file at once; the workers read it eight bytes at a time.
func readOnce(f *os.File, buf []byte) int {
	if _, err := f.ReadAt(buf, 0); err != nil {
		return -1
	}
	total := 0
	for _, c := range buf {
		total += int(c)
	}
	return total
}

func readPieces(f *os.File, buf []byte) int {
	sums := make([]int, workers)
	halves(len(buf)/8, func(w, lo, hi int) {
		for i := lo; i < hi; i++ {
			piece := buf[i*8 : i*8+8]
			if _, err := f.ReadAt(piece, int64(i*8)); err != nil {
				return
			}
			for _, c := range piece {
				sums[w] += int(c)
			}
		}
	})
	return sum(sums)
}

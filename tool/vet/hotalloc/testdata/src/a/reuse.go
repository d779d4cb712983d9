package a

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
)

func keys(names []string) (sum uint32) {
	for _, name := range names {
		key := make([]byte, 0, 64) // want "key is made anew in each iteration"
		key = append(key, "user:"...)
		key = append(key, name...)
		sum ^= crc32.ChecksumIEEE(key)
	}
	return sum
}

func digits(xs []int) (n int) {
	for _, x := range xs {
		var buf []byte // want "buf is made anew"
		buf = strconv.AppendInt(buf, int64(x), 10)
		n += len(buf)
	}
	return n
}

// The array is longer than the block, and zero at first.
func blocks(r io.Reader, w io.Writer) (sum int, err error) {
	for {
		block := make([]byte, 16) // want "block is made anew"
		n, err := r.Read(block)
		if err != nil {
			return sum, err
		}
		for _, b := range block {
			sum += int(b)
		}
		w.Write(block[:n])
	}
}

func sumOf(b []byte) (sum int) {
	rest := b
	for len(rest) > 0 {
		sum += int(rest[0])
		rest = rest[1:]
	}
	return sum
}

// The outer loop does not change the size.
func distinct(rows [][]int) (n int) {
	for _, row := range rows {
		for range 2 {
			seen := make(map[int]bool, len(rows)) // want "seen is made anew"
			for _, x := range row {
				seen[x] = true
			}
			n += len(seen)
		}
	}
	return n
}

func lines(xs []int) (out []string) {
	for _, x := range xs {
		var b bytes.Buffer // want "b is made anew"
		fmt.Fprintf(&b, "%d", x)
		b.WriteByte('\n')
		out = append(out, b.String())
	}
	return out
}

func longest(words []string) (n int) {
	for _, w := range words {
		b := new(bytes.Buffer) // want "b is made anew"
		b.WriteString(w)
		n = max(n, bytes.Count(b.Bytes(), []byte("a")))
	}
	return n
}

func hex(n uint64) string {
	buf := make([]byte, 0, 20) // want "buf is made anew in each call"
	buf = strconv.AppendUint(buf, n, 16)
	return string(buf)
}

// zeros sums up what it was given, and zeros.
func zeros(xs []byte) (sum int) {
	buf := make([]byte, len(xs)+8) // want "buf is made anew in each call"
	copy(buf, xs)
	for _, b := range buf {
		sum += int(b)
	}
	return sum
}

func unique(xs []int) int {
	seen := make(map[int]bool) // want "seen is made anew in each call"
	for _, x := range xs {
		seen[x] = true // want "seen grows while it is filled"
	}
	return len(seen)
}

func quoted(s string) string {
	b := new(bytes.Buffer) // want "b is made anew in each call"
	fmt.Fprintf(b, "%q", s)
	return b.String()
}

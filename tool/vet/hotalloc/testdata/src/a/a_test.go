package a

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"
)

var (
	numbers = []int{3, -1, 0, 8, 8, 5, 12, 7}
	words   = []string{"a", "", "banana", "abc", "a"}
)

func Test(t *testing.T) {
	for i := range 3 { // what is kept between calls must not show
		xs, ws := numbers[:len(numbers)*i/2], words[:len(words)*i/2]
		if i == 0 {
			xs, ws = nil, nil
		}
		for _, tt := range []struct{ got, want any }{
			{squares(xs), wantSquares(xs)},
			{len(pairs(xs)), 2 * len(xs)},
			{pairs(xs) == nil, false},
			{first(i - 1), []int{0}[:max(i-1, 0)]},
			{first(-3), []int{}},
			{even(xs) == nil, false},
			{evens(xs), len(xs) - odd(xs)},
			{count(ws)["a"], strings.Count(strings.Join(ws, ","), "a,") - strings.Count(strings.Join(ws, ","), "na,") + last(ws)},
			{len(index(ws)), len(count(ws))},
			{len(labelled(xs)), len(xs)},
			{labelled(xs) == nil, len(xs) == 0},
			{keys(ws), wantKeys(ws)},
			{digits(xs), len(fmt.Sprint(xs)) - 2 - max(len(xs)-1, 0)},
			{distinct([][]int{xs, {1, 1}}), 2*unique(xs) + 2},
			{len(lines(xs)), len(xs)},
			{strings.Join(lines(xs), ""), wantLines(xs)},
			{longest([]string{"aa", "b"}), 2},
			{hex(255), "ff"},
			{hex(1), "1"},
			{zeros([]byte("abc")), 'a' + 'b' + 'c' + 0},
			{zeros([]byte{1}), 1},
			{unique([]int{1, 1}), 1},
			{unique(nil), 0},
			{quoted("longer"), `"longer"`},
			{quoted("x"), `"x"`},
			{join(ws), wantJoin(ws)},
			{started([]string{"x", "yy"}), 2 + 5},
			{turned([]string{"a", "b"}), "a++,b++++,"},
		} {
			if fmt.Sprint(tt.got) != fmt.Sprint(tt.want) {
				t.Errorf("round %d: got %v, want %v", i, tt.got, tt.want)
			}
		}
		if out := squares(xs); (out == nil) != (len(xs) == 0) {
			t.Errorf("squares of %d = %v", len(xs), out)
		}
		reading(t)
	}
}

func reading(t *testing.T) {
	var out bytes.Buffer
	sum, err := blocks(strings.NewReader("0123456789abcdefghi"), &out)
	if err != io.EOF || sum != sumOf(out.Bytes()) {
		t.Errorf("blocks = %d, %v, want %d, EOF", sum, err, sumOf(out.Bytes()))
	}
}

func wantSquares(xs []int) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[i] = x * x
	}
	return out
}

func odd(xs []int) (n int) {
	for _, x := range xs {
		n += x & 1
	}
	return n
}

func last(ws []string) int {
	if len(ws) > 0 && ws[len(ws)-1] == "a" {
		return 1
	}
	return 0
}

func wantKeys(ws []string) (sum uint32) {
	for _, w := range ws {
		sum ^= crc32.ChecksumIEEE([]byte("user:" + w))
	}
	return sum
}

func wantLines(xs []int) string {
	if len(xs) == 0 {
		return ""
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(xs), "[]"), " ", "\n") + "\n"
}

func wantJoin(ws []string) string {
	if len(ws) == 0 || len(ws) == 1 && ws[0] == "" {
		return "none"
	}
	return strings.Join(ws, ", ")
}

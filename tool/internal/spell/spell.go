// Package spell says which name somebody may have meant.
package spell

import (
	"cmp"
	"slices"
)

// Nearest returns the names that are spelt like word, the likeliest first, at
// most three.
func Nearest(word string, names []string) []string {
	type hit struct {
		name string
		off  int
	}
	var hits []hit
	for _, name := range names {
		if off := Distance(word, name); off <= max(2, len(word)/3) && off < len(word) {
			hits = append(hits, hit{name, off})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.off, b.off) })
	var near []string
	for _, h := range hits[:min(3, len(hits))] {
		near = append(near, h.name)
	}
	return near
}

// Distance is the number of bytes to insert, delete, replace or swap with their
// neighbour to make b of a.
func Distance(a, b string) int {
	var before, last []int // the two rows above
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j])
			if a[i] != b[j] {
				row[j+1] = min(last[j+1], row[j], last[j]) + 1
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

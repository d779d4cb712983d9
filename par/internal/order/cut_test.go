package order

import (
	"cmp"
	"slices"
	"testing"
)

// What a merge is cut into is what it has merged as a whole: of equal elements
// those of a come first, wherever the cut falls.
func TestCutIsStable(t *testing.T) {
	type elem struct {
		key  int
		of   string
		rank int
	}
	byKey := func(x, y elem) int { return cmp.Compare(x.key, y.key) }
	var sorted [][]int // all sorted slices of up to four keys from 0 to 2
	var grow func(keys []int)
	grow = func(keys []int) {
		sorted = append(sorted, slices.Clone(keys))
		for k := range 3 {
			if len(keys) < 4 && (len(keys) == 0 || k >= keys[len(keys)-1]) {
				grow(append(keys, k))
			}
		}
	}
	grow(nil)
	tagged := func(keys []int, of string) (xs []elem) {
		for i, k := range keys {
			xs = append(xs, elem{k, of, i})
		}
		return xs
	}
	for _, x := range sorted {
		for _, y := range sorted {
			a, b := tagged(x, "a"), tagged(y, "b")
			whole := slices.Concat(a, b)
			slices.SortStableFunc(whole, byKey)
			ofA := func(n int) (count int) { // of the first n
				for _, e := range whole[:n] {
					if e.of == "a" {
						count++
					}
				}
				return count
			}
			for at := range whole {
				for next := at; next <= len(whole); next++ {
					if got, want := cut(a, b, ofA(at), at, next, byKey), ofA(next); got != want {
						t.Fatalf("cut of %v and %v from %d at %d = %d, want %d", x, y, at, next, got, want)
					}
				}
			}
		}
	}
}

package grain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

var variants = []struct {
	name string
	sort func(s []int)
}{
	{"sequential", Sequential},
	{"goroutineperhalf", GoroutinePerHalf},
	{"threshold2048", Threshold2048},
	{"slicessort", SlicesSort},
	{"parfork", ParFork},
	{"parsort", ParSort},
}

// numbers returns n numbers in random order, the same ones every time. The
// more of them, the more come twice.
func numbers(n int) []int {
	r := rand.New(rand.NewPCG(1, 2))
	s := make([]int, n)
	for i := range s {
		s[i] = r.IntN(1<<20) - 1<<19
	}
	return s
}

func TestVariants(t *testing.T) {
	inputs := map[string][]int{
		"equal":    make([]int, 100),
		"extremes": {1<<31 - 1, -1 << 31, 0, -1, 1<<31 - 1, -1 << 31},
		"low bits": {3, 1, 2, 3, 1, 2, 3, 1, 2, 0, 0},
	}
	// The race detector follows at most 8128 goroutines alive at a time, and a
	// goroutine per half may have nearly two for each number.
	for _, n := range []int{0, 1, 2, 3, 7, 8, 1000, threshold, threshold + 1, 4000} {
		inputs[fmt.Sprintf("random n=%d", n)] = numbers(n)
	}
	ascending := numbers(1001)
	slices.Sort(ascending)
	descending := slices.Clone(ascending)
	slices.Reverse(descending)
	inputs["ascending"], inputs["descending"] = ascending, descending

	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			for name, input := range inputs {
				want := slices.Sorted(slices.Values(input))
				got := slices.Clone(input)
				if v.sort(got); !slices.Equal(got, want) {
					t.Errorf("%s of %q: wrong at index %d of %d", v.name, name, firstDiff(got, want), len(want))
				}
			}
		})
	}
}

// A long slice is halved in goroutines several times over.
func TestThresholdNested(t *testing.T) {
	got := numbers(8*threshold + 3)
	want := slices.Sorted(slices.Values(got))
	if Threshold2048(got); !slices.Equal(got, want) {
		t.Errorf("wrong at index %d of %d", firstDiff(got, want), len(want))
	}
}

// firstDiff returns the first index at which got and want, of one length, differ.
func firstDiff(got, want []int) int {
	for i := range want {
		if got[i] != want[i] {
			return i
		}
	}
	return -1
}

// Each round sorts a fresh copy of the same numbers. The copy is part of the
// timed round, the same for all variants and small beside the sort.
func BenchmarkSort(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		input := numbers(n)
		work := make([]int, n)
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				for b.Loop() {
					copy(work, input)
					v.sort(work)
				}
			})
		}
	}
}

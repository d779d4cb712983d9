package sortiface

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

var variants = []struct {
	name string
	sort func(l *list)
	any  bool // whether it sorts the interfaces
}{
	{"serial", Sort, false},
	{"interfaces", Interfaces, true},
	{"slice", Slice, false},
	{"slicesfunc", SortFunc, false},
	{"par", Par, false},
}

// newList returns the list of the numbers, in the form that is asked for. Behind
// interfaces are entries that lie one after the other on the heap.
func newList(numbers []int, any bool) *list {
	l := new(list)
	if any {
		l.any = make([]numbered, len(numbers))
	} else {
		l.entries = make([]entry, len(numbers))
	}
	for i, x := range numbers {
		if any {
			l.any[i] = entry{x}
		} else {
			l.entries[i] = entry{x}
		}
	}
	return l
}

// numbers returns the numbers of l.
func (l *list) numbers() []int {
	var xs []int
	for _, e := range l.entries {
		xs = append(xs, e.number)
	}
	for _, e := range l.any {
		xs = append(xs, e.Number())
	}
	return xs
}

// ascending returns the numbers 0 to n-1, and shuffled the same in an order that
// is the same every time.
func ascending(n int) []int {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = i
	}
	return xs
}

func shuffled(n int) []int { return rand.New(rand.NewPCG(1, 2)).Perm(n) }

func TestVariants(t *testing.T) {
	inputs := map[string][]int{"equal": make([]int, 100), "extremes": {1<<31 - 1, -1 << 31, 0, -1, 1<<31 - 1, 1}}
	for _, n := range []int{0, 1, 2, 3, 100, 20_000} {
		inputs[fmt.Sprintf("shuffled n=%d", n)] = shuffled(n)
		inputs[fmt.Sprintf("ascending n=%d", n)] = ascending(n)
		some := shuffled(n)
		for i := range some {
			some[i] %= 10
		}
		inputs[fmt.Sprintf("many equal n=%d", n)] = some
	}
	for name, input := range inputs {
		want := slices.Sorted(slices.Values(input))
		for _, v := range variants {
			l := newList(input, v.any)
			v.sort(l)
			if got := l.numbers(); !slices.Equal(got, want) {
				t.Errorf("%s of %s: not the sorted numbers", v.name, name)
			}
		}
	}
}

// What is shuffled is copied for each round; the copy is part of it, a hundredth
// or so of the sort. What is sorted already remains so.
func BenchmarkSort(b *testing.B) {
	for _, in := range []struct {
		order string
		n     int
		make  func(n int) []int
	}{{"shuffled", 100_000, shuffled}, {"ascending", 1_000_000, ascending}} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/order=%s/n=%d", v.name, in.order, in.n), func(b *testing.B) {
				numbers := in.make(in.n)
				input, work := newList(numbers, v.any), newList(numbers, v.any)
				for b.Loop() {
					if in.order != "ascending" {
						copy(work.entries, input.entries)
						copy(work.any, input.any)
					}
					v.sort(work)
				}
			})
		}
	}
}

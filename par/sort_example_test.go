package par_test

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gopayoff/payoff/par"
)

func ExampleSort() {
	type id int32
	ids := []id{7, -3, 12, 0}
	par.Sort(ids)
	fmt.Println(ids)
	// Output: [-3 0 7 12]
}

func ExampleSortFunc() {
	words := []string{"pear", "Fig", "apple"}
	par.SortFunc(words, func(a, b string) int {
		return cmp.Compare(strings.ToLower(a), strings.ToLower(b))
	})
	fmt.Println(words)
	// Output: [apple Fig pear]
}

func ExampleSortStableFunc() {
	words := []string{"pear", "fig", "plum", "kiwi", "nut"}
	par.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	fmt.Println(words)
	// Output: [fig nut pear plum kiwi]
}

func ExampleSortBy() {
	type city struct {
		name   string
		people float64
	}
	cities := []city{{"Oslo", 0.7}, {"Paris", 2.1}, {"Bern", 0.1}}
	par.SortBy(cities, func(c city) float64 { return -c.people })
	fmt.Println(cities)
	// Output: [{Paris 2.1} {Oslo 0.7} {Bern 0.1}]
}

func ExampleMerge() {
	a, b := []int{1, 4, 6}, []int{2, 3, 9}
	all := make([]int, len(a)+len(b))
	par.Merge(all, a, b, cmp.Compare)
	fmt.Println(all)
	// Output: [1 2 3 4 6 9]
}

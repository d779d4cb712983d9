package par_test

import (
	"context"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par"
)

// TestCosts: calls allocate as often as the README says.
func TestCosts(t *testing.T) {
	s, few := []int{3, 1, 2}, make([]int, 3)
	many, from := make([]int, 100), make([]int, 100)
	for i := range from {
		from[i] = i * 7 % 100
	}
	sum := func(part []int) (n int) {
		for _, v := range part {
			n += v
		}
		return n
	}
	add := func(a, b int) int { return a + b }
	stress.Costs(t, map[string]func(){
		"`For`, `ForEach`": func() { par.For(3, func(lo, hi int) {}); par.ForEach(s, func(int, *int) {}) },
		"`ForContext`": func() {
			par.ForContext(context.Background(), 3, func(context.Context, int, int) error { return nil })
		},
		"`Map`, `Filter`, `Scan`": func() { par.Map(s, func(v int) int { return v }) },
		"`Reduce`, `Find`, `Any`": func() {
			par.Reduce(s, sum, add)
			par.Find(s, func(v int) bool { return v == 2 })
			par.Any(s, func(v int) bool { return v == 2 })
		},
		"`Do`":                  func() { par.Do(func() {}, func() {}) },
		"`Sort` of a few":       func() { copy(few, s); par.Sort(few) },
		"`Sort` of 100 numbers": func() { copy(many, from); par.Sort(many) },
	})
}

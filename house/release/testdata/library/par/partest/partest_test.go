// Package user tests a function of its own, which uses par, in each mode.
package user

import (
	"testing"

	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/par/partest"
)

func sum(xs []int) int {
	return par.Reduce(xs, func(part []int) (sum int) {
		for _, x := range part {
			sum += x
		}
		return sum
	}, func(a, b int) int { return a + b })
}

func TestSum(t *testing.T) {
	for name, mode := range map[string]func(testing.TB){"spread": partest.Spread, "serial": partest.Serial, "auto": partest.Auto} {
		t.Run(name, func(t *testing.T) {
			mode(t)
			if got := sum([]int{1, 2, 3, 4}); got != 10 {
				t.Errorf("sum = %d, want 10", got)
			}
		})
	}
}

package ctrie_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gopayoff/payoff/ctrie"
	"github.com/gopayoff/payoff/internal/maptest"
	"github.com/gopayoff/payoff/internal/stress"
)

func newLinear() maptest.Map[ctrie.View[int, int]] { return new(ctrie.Map[int, int]) }

// Each history is one that a map could have that does one thing after the other.
func TestLinearizable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	histories := 150
	if stress.Long() {
		histories = 10_000 // for each hash and number of processors: 120,000
	}
	stress.Procs(t, func(t *testing.T) {
		eachHash(t, func(t *testing.T) { maptest.Linearizable(t, rnd, histories, newLinear) })
	})
}

// The checker finds each fault, in some history.
func TestBrokenIsNotLinearizable(t *testing.T) { maptest.Broken(t, newLinear) }

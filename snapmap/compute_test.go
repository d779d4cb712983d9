package snapmap_test

import (
	"fmt"
	"testing"

	"github.com/gopayoff/payoff/internal/maptest"
	"github.com/gopayoff/payoff/snapmap"
)

func keyed[V any]() maptest.Keyed[V, snapmap.View[string, V]] { return new(snapmap.Map[string, V]) }

func TestComputeCallsOnce(t *testing.T) {
	maptest.CallsOnce(t, "int", func(i int) int { return i }, keyed[int])
	maptest.CallsOnce(t, "string", func(i int) string { return fmt.Sprint(i) }, keyed[string])
	maptest.CallsOnce(t, "any", func(i int) any { return i }, keyed[any])
	maptest.CallsOnce(t, "[]int", func(i int) []int { return []int{i} }, keyed[[]int])
	maptest.CallsOnce(t, "func", func(i int) func() int { return func() int { return i } }, keyed[func() int])
	maptest.CallsOnce(t, "struct{}", func(int) struct{} { return struct{}{} }, keyed[struct{}])
}

func TestComputeOfItself(t *testing.T) { maptest.OfItself(t, "snapmap.Map", keyed[maptest.Pair]) }

func TestComputeAgain(t *testing.T) { maptest.Again(t, keyed[int]) }

func TestLoadOrCompute(t *testing.T) { maptest.LoadOrCompute(t, keyed[int]) }

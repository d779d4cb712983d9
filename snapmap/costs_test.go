package snapmap_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/snapmap"
)

// TestCosts: calls allocate as often as the README says.
func TestCosts(t *testing.T) {
	var numbers snapmap.Map[int, int]
	var words snapmap.Map[string, string]
	numbers.Store(1, 1)
	words.Store("a", "b")
	view := numbers.Snapshot()
	numbers.Store(1, 2)
	stress.Costs(t, map[string]func(){
		"`Load`":                                func() { numbers.Load(1); words.Load("a") },
		"`Store`, `Swap` of a number":           func() { numbers.Store(1, 2); numbers.Swap(1, 3) },
		"`Store`, `Swap` of another value":      func() { words.Store("a", "c") },
		"`LoadOrStore`, of a key that is there": func() { words.LoadOrStore("a", "c") },
		"`Delete`, and the `Store` of that key": func() { numbers.Delete(1); numbers.Store(1, 2) },
		"`Compute` of a number": func() {
			numbers.Compute(1, func(old int, _ bool) (int, bool) { return old + 1, true })
		},
		"`Len`":                                func() { numbers.Len() },
		"`Snapshot`":                           func() { numbers.Snapshot() },
		"`Snapshot`, and the `Store` after it": func() { numbers.Snapshot(); numbers.Store(1, 2) },
		"`View.Load`":                          func() { view.Load(1) },
		"a loop over `All`": func() {
			for range numbers.All() {
			}
		},
	})
}

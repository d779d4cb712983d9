package ctrie_test

import (
	"testing"

	"github.com/gopayoff/payoff/ctrie"
	"github.com/gopayoff/payoff/internal/stress"
)

// TestCosts: calls allocate as often as the README says.
func TestCosts(t *testing.T) {
	var m ctrie.Map[int, int]
	m.Store(1, 1) // alone: how deep several lie, their hashes say
	view := m.Snapshot()
	m.Store(1, 2)
	stress.Costs(t, map[string]func(){
		"`Load`":                                 func() { m.Load(1) },
		"`Store`, `Swap` of a key that is there": func() { m.Store(1, 2) },
		"`LoadOrStore`, of a key that is there":  func() { m.LoadOrStore(1, 2) },
		"`Compute`": func() {
			m.Compute(1, func(old int, _ bool) (int, bool) { return old + 1, true })
		},
		"`Snapshot`, nothing written since the last": func() { m.Snapshot() },
		"`Snapshot`, and the `Store` after it":       func() { m.Snapshot(); m.Store(1, 2) },
		"`View.Load`":                                func() { view.Load(1) },
		"a loop over `All`": func() {
			for range m.All() {
			}
		},
	})
}

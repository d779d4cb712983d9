package snapmap_test

import (
	"maps"
	"testing"

	"github.com/gopayoff/payoff/snapmap"
)

// Views of the same map may have 1, 4, 16, 64 or more roots, and share what is below them.
func TestDiffOfShards(t *testing.T) {
	for _, n := range []int{3, 300, 5000} {
		var m snapmap.Map[int, int]
		model := map[int]int{}
		store := func(key, value int) {
			m.Store(key, value)
			model[key] = value
		}
		for i := range n {
			store(i, i)
		}
		var views []snapmap.View[int, int]
		var models []map[int]int
		for i := range 6 {
			store(i, -1-i)
			store(n+i, i)
			m.Delete(n - 1 - i)
			delete(model, n-1-i)
			views = append(views, m.Snapshot())
			models = append(models, maps.Clone(model))
			snapmap.GrowTo(&m, 64) // with more, a Delete might put them together again
		}
		if _, shards := snapmap.Pages(&m); n > 300 && shards != 64 {
			t.Fatalf("%d shards, want 64", shards)
		}
		for i, newer := range views {
			for j, older := range views {
				got := maps.Clone(models[j])
				changes := 0
				for c := range newer.Diff(older) {
					changes++
					if c.Kind == snapmap.Removed {
						delete(got, c.Key)
					} else {
						got[c.Key] = c.New
					}
				}
				if !maps.Equal(got, models[i]) {
					t.Errorf("%d keys: the changes from view %d do not lead to view %d", n, j, i)
				}
				if changes > 18 {
					t.Errorf("%d keys: %d changes from view %d to view %d", n, changes, j, i)
				}
			}
		}
	}
}

package topic_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/topic"
)

// TestCosts: calls allocate as often as the README says.
func TestCosts(t *testing.T) {
	ix := topic.New[int](topic.NATS)
	for i, pattern := range []string{"a.*", "a.>", "*.b", "a.b", "c.d"} {
		if _, err := ix.Subscribe(pattern, i); err != nil {
			t.Fatal(err)
		}
	}
	buf := make([]int, 0, 8)
	view := ix.Snapshot()
	stress.Costs(t, map[string]func(){
		"`Match` in a loop": func() {
			for range ix.Match("a.b") {
			}
		},
		"`AppendMatch` to a slice with room": func() { buf = ix.AppendMatch(buf[:0], "a.b") },
		"`Has`, `Count`":                     func() { ix.Has("a.b"); ix.Count("a.b") },
		"`Len`":                              func() { ix.Len() },
		"`Subscribe`, and `Unsubscribe`": func() {
			s, _ := ix.Subscribe("a.c", 1)
			s.Unsubscribe()
		},
		"`Snapshot`": func() { view = ix.Snapshot() },
		"`View.Match` in a loop": func() {
			for range view.Match("a.b") {
			}
		},
	})
}

package gather

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/evidence"
)

// A timeline is of the middle, and never longer than what there is.
func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		n                  int64
		wall, from, length float64
	}{{1, 5e6, 0, 5e6}, {3, 5e6, 0, 15e6}, {103, 1e6, 50e6, 3e6}, {100, 1e3, 0, 100e3}, {1000, 1e3, 400e3, 200e3}} {
		if from, length := middle(&evidence.Run{N: c.n, Wall: c.wall}); from != c.from || length != c.length {
			t.Errorf("of %d operations of %v ns: %v ns from %v on, want %v from %v", c.n, c.wall, length, from, c.length, c.from)
		}
	}
}

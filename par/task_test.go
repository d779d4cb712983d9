package par

import (
	"testing"
	"unsafe"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// TestTaskLayout: helpers that look for work read a Task's first word and its
// frames; what a call counts down at each fork lies on neither's lines.
func TestTaskLayout(t *testing.T) {
	var k Task[int, int]
	n, frames := unsafe.Offsetof(k.core)+unsafe.Offsetof(k.n), unsafe.Offsetof(k.frames)
	if n < 64 || frames < n+cacheline.Size {
		t.Errorf("n is at %d, frames at %d", n, frames)
	}
}

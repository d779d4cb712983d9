package a

import (
	"runtime/debug"
	"testing"
)

func Test(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	if got := batches([]int{1, 2}); got != 3 || last(nil) != 0 {
		t.Errorf("got %d, want 3", got)
	}
}

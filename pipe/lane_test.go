package pipe

import (
	"math"
	"testing"
	"time"
)

// Pauses get no shorter by being doubled.
func TestDoubled(t *testing.T) {
	for _, c := range []struct {
		d     time.Duration
		times int
		want  time.Duration
	}{
		{1, 0, 1},
		{time.Second, 3, 8 * time.Second},
		{1, 62, 1 << 62},
		{1, 63, math.MaxInt64},
		{1, 1000, math.MaxInt64},
		{time.Minute, 27, time.Minute << 27},
		{time.Minute, 28, math.MaxInt64},
		{20 * time.Second, 30, math.MaxInt64}, // shifted, it would be positive
		{math.MaxInt64, 0, math.MaxInt64},
		{math.MaxInt64, 1, math.MaxInt64},
	} {
		if got := doubled(c.d, c.times); got != c.want {
			t.Errorf("doubled(%d, %d) = %d, want %d", c.d, c.times, got, c.want)
		}
	}
}

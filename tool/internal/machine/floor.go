package machine

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// A Floor is the noise of identical work on this machine: differences below it
// cannot be seen. CV is standard deviation over mean, RobustCV the same from
// median and quartiles, both as fractions.
type Floor struct {
	CV       float64 `json:"cv"`
	RobustCV float64 `json:"robustCV"`
	Samples  int     `json:"samples"`
}

// ProbeFloor runs n batches of the same fixed amount of arithmetic on one
// goroutine and returns how long each took, in nanoseconds, in order. The
// amount is chosen so that a batch takes about each when nothing disturbs it.
// Allocation, memory and locks play no part: real code is noisier. When ctx
// ends, so does the probe, with the batches that were complete.
func ProbeFloor(ctx context.Context, n int, each time.Duration) []float64 {
	// A batch is several chunks so that the end of ctx is seen inside it.
	const chunk = 20 * time.Microsecond
	steps := 256
	x := uint64(n)
	for best := int64(0); !ended(ctx); steps *= 2 {
		// The best of three: a disturbed trial would make the batch too small.
		for try := range 3 {
			start := now()
			x = churn(x, steps)
			if t := now() - start; try == 0 || t < best {
				best = t
			}
		}
		if best >= int64(chunk) {
			steps = max(1, int(float64(steps)*float64(chunk)/float64(best)))
			break
		}
	}
	chunks := max(1, int(each/chunk))

	times := make([]float64, 0, max(n, 0))
	for len(times) < n {
		start := now()
		for range chunks {
			if ended(ctx) {
				return times
			}
			x = churn(x, steps)
		}
		times = append(times, float64(now()-start))
	}
	spun.Store(x)
	return times
}

// churn spends steps rounds of arithmetic that each need the one before.
//
//go:noinline
func churn(x uint64, steps int) uint64 {
	x |= 1 // 0 would stay 0
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// spun receives results of churn, so that no compiler may find it useless.
var spun atomic.Uint64

// FloorOf summarises times of [ProbeFloor]. The zero Floor stands for fewer
// than two.
func FloorOf(times []float64) Floor {
	n := len(times)
	if n < 2 {
		return Floor{Samples: n}
	}
	sum := 0.0
	for _, t := range times {
		sum += t
	}
	mean := sum / float64(n)
	squares := 0.0
	for _, t := range times {
		squares += (t - mean) * (t - mean)
	}
	s := slices.Sorted(slices.Values(times))
	const normalIQR = 1.349 // of the normal distribution with standard deviation 1
	return Floor{
		CV:       math.Sqrt(squares/float64(n-1)) / mean,
		RobustCV: (s[3*n/4] - s[n/4]) / normalIQR / s[n/2],
		Samples:  n,
	}
}

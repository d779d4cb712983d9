package judge

import (
	"math"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// Goroutines says how many goroutines a benchmark computes with.
type Goroutines string

const (
	Unknown Goroutines = ""
	One     Goroutines = "one"
	Several Goroutines = "several"
)

// alone is the most processors that one goroutine was seen to use: the runtime
// looks for work beside it. With the collector beside it it can use more.
const alone = 1.3

// goroutines tells from all samples of a benchmark: it has several if it
// starts some in the timed region, or uses more processors than one could.
func goroutines(s *measure.Series, bench string) Goroutines {
	known := false
	for _, procs := range s.Procs {
		samples := s.Samples[measure.Cell{Bench: bench, Procs: procs}]
		median := func(figure func(measure.Sample) float64) float64 {
			x := make([]float64, len(samples))
			for i := range samples {
				x[i] = figure(samples[i])
			}
			return stats.Median(x)
		}
		started := median(func(x measure.Sample) float64 { return float64(x.Goroutines) })
		cores := median(measure.Sample.Cores)
		collected := median(func(x measure.Sample) float64 { return float64(x.GC) })
		if started > 0 || cores > alone && collected == 0 {
			return Several
		}
		known = known || !math.IsNaN(started)
	}
	if known {
		return One
	}
	return Unknown
}

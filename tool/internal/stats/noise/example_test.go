package noise_test

import (
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/stats/noise"
)

// Two benchmarks of one session, the second 1.5x slower: the median of the
// ratios of neighbouring samples finds it.
func ExampleSource() {
	src := noise.New(noise.Channel, 1)
	ratios := make([]float64, 101)
	for i := range ratios {
		first := 200 * src.Next()
		second := 300 * src.Next()
		ratios[i] = second / first
	}
	slices.Sort(ratios)
	fmt.Printf("%.1fx\n", ratios[50])
	// Output: 1.5x
}

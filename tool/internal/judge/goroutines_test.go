package judge

import (
	"math"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/measure"
)

func TestGoroutines(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name                      string
		started, cores, collected float64
		want                      Goroutines
	}{
		{"a loop", 0, 1.1, 0, One},
		{"goroutines for the whole run", 1e-6, 1, 0, Several},
		{"workers of before", 0, 1.6, 0, Several},
		{"a loop beside the collector", 0, 1.6, 0.01, One},
		{"starts not known, two processors used", nan, 1.9, 0, Several},
		{"starts not known, one processor used", nan, 1, 0, Unknown},
		{"nothing known", nan, nan, nan, Unknown},
	} {
		s := &measure.Series{Package: "p", Procs: []int{1, 2}}
		for i := range 3 {
			s.Add(measure.Cell{Bench: "BenchmarkA", Procs: 2}, measure.Sample{Round: int32(i), Wall: 100, CPU: 100 * tt.cores, Goroutines: float32(tt.started), GC: float32(tt.collected)})
		}
		if got := goroutines(s, "BenchmarkA"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

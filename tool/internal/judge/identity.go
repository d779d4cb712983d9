package judge

import (
	"math"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Factor is a ratio with its 95 % interval. All NaN if it could not be had.
type Factor struct{ Value, Low, High float64 }

// An Identity takes a speedup apart:
//
//	Ratio = Cores / BaseCores / (Overhead × Inflation)
//
// Cores is the processors the new side used, BaseCores those of the base
// (about 1 for a serial base that computes). Overhead is the CPU time of the
// new side on one processor over the base's: what the concurrent code costs
// before anything runs at once. Inflation is its CPU time on all processors
// over that on one: what running at once costs. The factors are Hodges–Lehmann
// estimates of their own, so the identity holds within their intervals.
type Identity struct{ Cores, BaseCores, Overhead, Inflation Factor }

// Known reports whether CPU time could be measured.
func (i Identity) Known() bool {
	return !math.IsNaN(i.Cores.Value) && !math.IsNaN(i.Overhead.Value) && !math.IsNaN(i.Inflation.Value)
}

func identity(s *measure.Series, c measure.Comparison) Identity {
	cpu := func(x measure.Sample) float64 { return x.CPU }
	ratio := func(num, den measure.Cell) Factor {
		if num == den {
			return Factor{1, 1, 1}
		}
		return factor(s.PairLogs(measure.Comparison{Base: num, New: den}, cpu))
	}
	one := c.New
	one.Procs = 1
	id := Identity{
		Cores:     factor(coreLogs(s.Samples[c.New])),
		BaseCores: factor(coreLogs(s.Samples[c.Base])),
		Inflation: ratio(c.New, one),
		Overhead:  ratio(one, c.Base),
	}
	return id
}

func coreLogs(samples []measure.Sample) []float64 {
	var out []float64
	for _, s := range samples {
		if l := math.Log(s.Cores()); !math.IsNaN(l) && !math.IsInf(l, 0) {
			out = append(out, l)
		}
	}
	return out
}

func factor(logs []float64) Factor {
	low, high := stats.SignedRankInterval(logs, 0.95)
	return Factor{math.Exp(stats.HodgesLehmann(logs)), math.Exp(low), math.Exp(high)}
}

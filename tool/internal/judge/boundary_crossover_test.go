package judge

import (
	"math"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// TestCrossInterval: the interval of a crossover comes from the pairs of both
// sizes, of each its own.
func TestCrossInterval(t *testing.T) {
	point := func(size float64, logs []float64) point {
		return point{&Verdict{Package: "p", Group: "G", Variant: "b", Base: "a", New: measure.Cell{Procs: 4}, Params: []discover.Param{{Key: "n", Value: size}},
			Estimate: stats.Estimate{Ratio: math.Exp(stats.Median(logs))}}, logs}
	}
	// Of twelve pairs four are less and four are more: the median of as many drawn
	// is one of these in some ten percent, and so an end of the interval.
	around := func(x, off float64) []float64 {
		return []float64{x - off, x - off, x - off, x - off, x, x, x, x, x + off, x + off, x + off, x + off}
	}
	where := func(x, y float64) float64 { return 100 * math.Pow(100, -x/(y-x)) } // between 100 and 10,000
	for _, tt := range []struct {
		name      string
		lo, hi    []float64
		low, high float64
	}{
		{"the smaller size scatters", around(-1, 0.5), around(1, 0), where(-0.5, 1), where(-1.5, 1)},
		{"the larger size scatters", around(-1, 0), around(1, 0.5), where(-1, 1.5), where(-1, 0.5)},
		{"neither does", around(-1, 0), around(1, 0), 1000, 1000},
		{"it may pay from the smaller size on", around(-0.1, 0.5), around(1, 0), 100, where(-0.6, 1)},
		{"it may not pay before the larger one", around(-1, 0), around(0.1, 0.5), where(-1, 0.6), 10_000},
	} {
		c := cross(point(100, tt.lo), point(10_000, tt.hi))
		if at := where(stats.Median(tt.lo), stats.Median(tt.hi)); math.Abs(c.At/at-1) > 1e-9 || math.Abs(c.Low/tt.low-1) > 1e-9 || math.Abs(c.High/tt.high-1) > 1e-9 {
			t.Errorf("%s: %.1f [%.1f, %.1f], want %.1f [%.1f, %.1f]", tt.name, c.At, c.Low, c.High, at, tt.low, tt.high)
		}
		if c.Below != 100 || c.Above != 10_000 {
			t.Errorf("%s: between %v and %v", tt.name, c.Below, c.Above)
		}
	}
}

// TestCrossoverBound: at a ratio of 1 it is no loss any more.
func TestCrossoverBound(t *testing.T) {
	for ratio, want := range map[float64]int{0.999: 1, 1: 0, 1.001: 0} {
		verdicts, logs := curve(look{100, Even, ratio}, look{10_000, Pays, 2})
		if got := crossovers(verdicts, logs); len(got) != want {
			t.Errorf("%v times as fast at the smaller size: %+v, want %d", ratio, got, want)
		}
	}
}

// TestCrossoverOrder: crossovers come in the order of the verdicts, of each
// variant and each of several processor counts its own.
func TestCrossoverOrder(t *testing.T) {
	var verdicts []Verdict
	var logs [][]float64
	for _, variant := range []string{"z", "b"} {
		for _, procs := range []int{1, 4, 2, 8} {
			v, l := curve(look{100, Loses, 0.5}, look{10_000, Pays, 2}, look{1e6, Pays, 3})
			for i := range v {
				v[i].Variant, v[i].New.Procs, v[i].BaseCell.Procs = variant, procs, 1
			}
			if procs == 4 { // pays later
				for i := range v {
					if v[i].Params[0].Value == 10_000 {
						v[i].Word, v[i].Ratio, l[i] = Loses, 0.5, []float64{-0.7, -0.69, -0.68}
					}
				}
			}
			verdicts, logs = append(verdicts, v...), append(logs, l...)
		}
	}
	got := crossovers(verdicts, logs)
	if len(got) != 8 {
		t.Fatalf("%d crossovers, want 8", len(got))
	}
	for i, c := range got {
		variant, procs := []string{"z", "b"}[i/4], []int{1, 4, 2, 8}[i%4]
		above := 10_000.0
		if procs == 4 {
			above = 1e6
		}
		if c.Variant != variant || c.Procs != procs || c.Above != above {
			t.Errorf("crossover %d: %s at %d from %v, want %s at %d from %v", i, c.Variant, c.Procs, c.Above, variant, procs, above)
		}
	}
}

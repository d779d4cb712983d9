package judge

import (
	"cmp"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Crossover is the size from which a variant pays.
type Crossover struct {
	Package, Group, Variant, Base string
	Procs                         int
	Param                         string
	At, Low, High                 float64 // the size, interpolated, with its 95 % interval
	Below, Above                  float64 // the measured sizes around it
}

// crossovers finds the size from which each variant pays, at each number of
// processors, where its families differ in one number. logs are the log ratios
// of the pairs behind each verdict.
func crossovers(verdicts []Verdict, logs [][]float64) []Crossover {
	type key struct {
		group, variant string
		procs          int
	}
	curves := map[key][]point{}
	var order []key
	for i, v := range verdicts {
		if v.Kind == measure.Variant && len(v.Params) == 1 && v.Pairs > 0 {
			k := key{v.Group, v.Variant, v.New.Procs}
			if curves[k] == nil {
				order = append(order, k)
			}
			curves[k] = append(curves[k], point{&verdicts[i], logs[i]})
		}
	}
	var out []Crossover
	for _, k := range order {
		if lo, hi, ok := bracket(curves[k]); ok {
			out = append(out, cross(lo, hi))
		}
	}
	return out
}

// A point is a variant at one size.
type point struct {
	*Verdict
	logs []float64 // of its pairs
}

func (p point) size() float64 { return p.Params[0].Value }

// bracket returns two neighbouring sizes: at the smaller one the variant does
// not pay, at the larger one and at all above it does.
func bracket(curve []point) (lo, hi point, ok bool) {
	slices.SortFunc(curve, func(a, b point) int { return cmp.Compare(a.size(), b.size()) })
	first := len(curve) // from here on it pays
	for first > 0 && curve[first-1].Word == Pays {
		first--
	}
	if first == 0 || first == len(curve) || curve[first-1].Ratio >= 1 {
		return point{}, point{}, false
	}
	return curve[first-1], curve[first], true
}

// cross finds where the line through both points, size and ratio in
// logarithms, has a ratio of 1.
func cross(lo, hi point) Crossover {
	a, b := lo.size(), hi.size()
	at := func(x, y float64) float64 {
		t := -x / (y - x)
		return math.Exp(math.Log(a) + min(max(t, 0), 1)*(math.Log(b)-math.Log(a)))
	}
	n := len(lo.logs)
	low, high := stats.Bootstrap(n+len(hi.logs), 1000, 0.95, 1, func(draw []int) float64 {
		var x, y []float64
		for _, d := range draw {
			if d < n {
				x = append(x, lo.logs[d])
			} else {
				y = append(y, hi.logs[d-n])
			}
		}
		return at(stats.Median(x), stats.Median(y))
	})
	return Crossover{
		Package: lo.Package, Group: lo.Group, Variant: lo.Variant, Base: lo.Base, Procs: lo.New.Procs, Param: lo.Params[0].Key,
		At: at(math.Log(lo.Ratio), math.Log(hi.Ratio)), Low: low, High: high, Below: a, Above: b,
	}
}

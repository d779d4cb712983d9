package judge

import (
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

// crossovers finds, where families differ in one number, the size from which
// a variant pays: between a size where it does not and the next where it does.
func crossovers(s *measure.Series, comparisons []measure.Comparison, verdicts []Verdict, logs [][]float64) []Crossover {
	type key struct {
		group, variant string
		procs          int
	}
	groups := map[key][]int{}
	var order []key
	for i, v := range verdicts {
		if v.Kind == measure.Variant && len(v.Params) == 1 && v.Pairs > 0 {
			k := key{v.Group, v.Variant, v.New.Procs}
			if groups[k] == nil {
				order = append(order, k)
			}
			groups[k] = append(groups[k], i)
		}
	}
	var out []Crossover
	for _, k := range order {
		is := groups[k]
		slices.SortFunc(is, func(a, b int) int {
			return int(math.Copysign(1, verdicts[a].Params[0].Value-verdicts[b].Params[0].Value))
		})
		for j := 1; j < len(is); j++ {
			lo, hi := verdicts[is[j-1]], verdicts[is[j]]
			if hi.Word != Pays || lo.Word == Pays || lo.Ratio >= 1 ||
				slices.ContainsFunc(is[j:], func(i int) bool { return verdicts[i].Word != Pays }) {
				continue
			}
			a, b := lo.Params[0].Value, hi.Params[0].Value
			la, lb := logs[is[j-1]], logs[is[j]]
			cross := func(x, y float64) float64 { // where the line through both points is 0, in log-log
				t := -x / (y - x)
				return math.Exp(math.Log(a) + min(max(t, 0), 1)*(math.Log(b)-math.Log(a)))
			}
			n := len(la)
			low, high := stats.Bootstrap(n+len(lb), 1000, 0.95, 1, func(draw []int) float64 {
				var x, y []float64
				for _, d := range draw {
					if d < n {
						x = append(x, la[d])
					} else {
						y = append(y, lb[d-n])
					}
				}
				return cross(stats.Median(x), stats.Median(y))
			})
			out = append(out, Crossover{
				Package: s.Package, Group: k.group, Variant: k.variant, Base: lo.Base, Procs: k.procs, Param: lo.Params[0].Key,
				At: cross(math.Log(lo.Ratio), math.Log(hi.Ratio)), Low: low, High: high, Below: a, Above: b,
			})
			break
		}
	}
	return out
}

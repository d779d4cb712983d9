package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A look is what a verdict says of one size.
type look struct {
	size  float64
	word  Word
	ratio float64
}

// curve makes the verdicts on a variant, in an order that is not that of sizes.
func curve(looks ...look) (verdicts []Verdict, logs [][]float64) {
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(looks)) {
		l := looks[i]
		verdicts = append(verdicts, Verdict{
			Kind: measure.Variant, Package: "p", Group: "Sum", Variant: "par", Base: "serial", New: measure.Cell{Procs: 2},
			Word: l.word, Estimate: stats.Estimate{Ratio: l.ratio, Pairs: 3}, Params: []discover.Param{{Key: "n", Value: l.size}},
		})
		x := math.Log(l.ratio)
		logs = append(logs, []float64{x - 0.01, x, x + 0.01})
	}
	return verdicts, logs
}

func TestCrossovers(t *testing.T) {
	for _, test := range []struct {
		name         string
		looks        []look
		below, above float64 // 0: no crossover
		at           float64
	}{
		{"from the middle of two sizes", []look{{100, Loses, 0.5}, {10_000, Pays, 2}, {1e6, Pays, 3}}, 100, 10_000, 1000},
		{"nearer to the smaller one", []look{{10, Loses, 0.1}, {100, Loses, 0.8}, {10_000, Pays, 1 / (0.8 * 0.8 * 0.8)}}, 100, 10_000, math.Pow(10, 2.5)},
		{"from a size where nobody can say", []look{{100, CannotSay, 0.5}, {10_000, Pays, 2}}, 100, 10_000, 1000},
		{"everywhere", []look{{100, Pays, 1.5}, {10_000, Pays, 2}}, 0, 0, 0},
		{"nowhere", []look{{100, Loses, 0.5}, {10_000, Even, 1}}, 0, 0, 0},
		{"not at the largest size", []look{{100, Loses, 0.5}, {1000, Pays, 2}, {10_000, Even, 1}}, 0, 0, 0},
		{"from the second time on", []look{{1, Pays, 2}, {100, Loses, 0.5}, {10_000, Pays, 2}}, 100, 10_000, 1000},
		{"it may pay below", []look{{100, CannotSay, 1.1}, {10_000, Pays, 2}}, 0, 0, 0},
		{"at one size", []look{{100, Pays, 2}}, 0, 0, 0},
	} {
		verdicts, logs := curve(test.looks...)
		got := crossovers(verdicts, logs)
		if test.below == 0 {
			if len(got) > 0 {
				t.Errorf("%s: %+v, want none", test.name, got)
			}
			continue
		}
		if len(got) != 1 {
			t.Errorf("%s: %+v, want one", test.name, got)
			continue
		}
		c := got[0]
		if c.Below != test.below || c.Above != test.above || math.Abs(c.At/test.at-1) > 1e-9 || c.Low > c.At || c.High < c.At || c.Low == c.High {
			t.Errorf("%s: %+v, want %g, between %g and %g", test.name, c, test.at, test.below, test.above)
		}
		if c.Package != "p" || c.Group != "Sum" || c.Variant != "par" || c.Base != "serial" || c.Procs != 2 || c.Param != "n" {
			t.Errorf("%s: %+v, of par against serial by n at 2", test.name, c)
		}
	}
}

// Sizes are put together by variant and processors; what was not measured,
// scaling, and families with another number are no sizes.
func TestCrossoversApart(t *testing.T) {
	lo, l := curve(look{100, Loses, 0.5})
	hi, h := curve(look{10_000, Pays, 2})
	for _, test := range []struct {
		name   string
		change func(v *Verdict)
		want   int
	}{
		{"", func(*Verdict) {}, 1},
		{"processors", func(v *Verdict) { v.New.Procs = 4 }, 0},
		{"variant", func(v *Verdict) { v.Variant = "other" }, 0},
		{"group", func(v *Verdict) { v.Group = "Mean" }, 0},
		{"scaling", func(v *Verdict) { v.Kind = measure.Scaling }, 0},
		{"not measured", func(v *Verdict) { v.Pairs = 0 }, 0},
		{"two numbers", func(v *Verdict) { v.Params = append(v.Params, discover.Param{Key: "workers", Value: 2}) }, 0},
	} {
		changed := hi[0]
		test.change(&changed)
		if got := crossovers([]Verdict{changed, lo[0]}, [][]float64{h[0], l[0]}); len(got) != test.want {
			t.Errorf("another %s: %+v, want %d", test.name, got, test.want)
		}
	}
}

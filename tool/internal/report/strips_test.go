package report

import (
	"fmt"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/measure"
)

// Strips have the samples in the order of the rounds, dropped ones among them, without
// the control's; long ones are thinned, and say so.
func TestStrips(t *testing.T) {
	s := &measure.Series{Package: "p", Samples: map[measure.Cell][]measure.Sample{}, Spoiled: map[measure.Cell][]measure.Sample{}}
	a, b := measure.Cell{Bench: "BenchmarkA", Procs: 1}, measure.Cell{Bench: "BenchmarkA", Procs: 2}
	for i := range 1000 {
		s.Samples[a] = append(s.Samples[a], measure.Sample{Round: int32(i), Wall: float64(i)})
	}
	s.Samples[b] = []measure.Sample{{Round: 1, Wall: 10.0004}, {Round: 3, Wall: 30}}
	s.Spoiled[b] = []measure.Sample{{Round: 2, Wall: 20}}
	s.Samples[measure.Cell{Bench: "BenchmarkA", Procs: 2, Twin: true}] = []measure.Sample{{Round: 1, Wall: 1}}
	all := Strips([]*measure.Series{s}, 5000)
	if len(all) != 2 || len(all[0].Points) != 1000 || all[0].Every != 0 || fmt.Sprint(all[1].Points) != "[{1 10 false} {2 20 true} {3 30 false}]" {
		t.Fatalf("%v", all[1:])
	}
	thin := Strips([]*measure.Series{s}, 200)
	if len(thin) != 2 || len(thin[0].Points) != 100 || thin[0].Every != 10 || thin[0].Points[1].Round != 10 || len(thin[1].Points) != 3 {
		t.Errorf("%v", thin)
	}
	if none := Strips(nil, 10); len(none) != 0 {
		t.Errorf("%v", none)
	}
}

// Families that were measured with several sizes have a curve for each variant.
func TestSizes(t *testing.T) {
	d := &Doc{Crossovers: []Crossover{{Package: "p", Benchmark: "Sum", Variant: "a", Base: "serial", Procs: 2, Param: "n", At: Interval{Value: new(50.)}}}}
	add := func(variant string, n float64, procs, pairs int, more ...float64) {
		c := Comparison{Package: "p", Benchmark: fmt.Sprintf("Sum/n=%v", n), Group: "Sum", Variant: variant, Base: "serial", Kind: measure.Variant, Procs: procs, Pairs: pairs, Ratio: new(n / 50), Params: map[string]float64{"n": n}}
		for _, x := range more {
			c.Params["m"] = x
		}
		d.Comparisons = append(d.Comparisons, c)
	}
	add("a", 1000, 2, 9)
	add("a", 10, 2, 9)
	add("b", 10, 2, 9)
	add("a", 10, 1, 9)    // one size
	add("a", 100, 2, 0)   // nothing measured
	add("a", 10, 2, 9, 3) // two parameters
	all := d.Sizes()
	if len(all) != 1 || len(all[0].Curves) != 2 || all[0].Procs != 2 || all[0].Param != "n" || all[0].Group != "Sum" {
		t.Fatalf("%+v", all)
	}
	a := all[0].Curves[0]
	if len(a.Points) != 2 || a.Points[0].Size != 10 || a.Points[1].Size != 1000 || a.From == nil || *a.From.At.Value != 50 || all[0].Curves[1].From != nil {
		t.Errorf("%+v", a)
	}
}

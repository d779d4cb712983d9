package prescribe

import (
	"reflect"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/vet/heat"
)

func TestTimes(t *testing.T) {
	s := &measure.Series{
		Package: "p", Procs: []int{1, 2, 16}, Listed: []measure.Listed{{Name: "BenchmarkA"}, {Name: "BenchmarkB"}},
		Samples: map[measure.Cell][]measure.Sample{
			{Bench: "BenchmarkA", Procs: 1}:             {{Wall: 5}, {Wall: 3}, {Wall: 4}},
			{Bench: "BenchmarkB", Procs: 2}:             {{Wall: 7}},
			{Bench: "BenchmarkA", Procs: 16}:            {{Wall: 8}, {Wall: 6}},
			{Bench: "BenchmarkA", Procs: 1, Twin: true}: {{Wall: 99}},
		},
	}
	m := &heat.Map{Benches: []heat.Bench{{Name: "BenchmarkB", Procs: 2, Lines: []heat.Line{{File: "b.go", Line: 1}}}}}
	Times(m, s)
	want := []heat.Bench{
		{Package: "p", Name: "BenchmarkB", Procs: 2, NS: 7, Lines: []heat.Line{{File: "b.go", Line: 1}}},
		{Package: "p", Name: "BenchmarkA", Procs: 1, NS: 4},
		{Package: "p", Name: "BenchmarkA", Procs: 16, NS: 8},
	}
	if !reflect.DeepEqual(m.Benches, want) {
		t.Errorf("%+v, want %+v", m.Benches, want)
	}
}

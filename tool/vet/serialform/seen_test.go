package serialform

import (
	"go/token"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

func TestSeen(t *testing.T) {
	fset := token.NewFileSet()
	file := fset.AddFile("/m/x.go", -1, 100)
	file.SetLines([]int{0, 10, 20, 30, 40})
	f := &shape.Finding{Hot: []shape.Range{{Pos: file.LineStart(2), End: file.LineStart(3)}}}
	bench := func(verdict string, line int) heat.Bench {
		return heat.Bench{Name: "BenchmarkX", Verdict: verdict, Lines: []heat.Line{{File: "/m/x.go", Line: line, Share: 0.5}}}
	}
	for _, c := range []struct {
		run         *heat.Map
		pays, known bool
	}{
		{nil, false, false},
		{&heat.Map{Benches: []heat.Bench{bench("loses", 2), bench("cannot say", 3)}}, false, true},
		{&heat.Map{Benches: []heat.Bench{bench("loses", 2), bench("pays", 4)}}, false, true}, // another function
		{&heat.Map{Benches: []heat.Bench{bench("loses", 2), bench("pays", 3)}}, true, true},
		{&heat.Map{Benches: []heat.Bench{bench("even", 3)}}, true, true},
	} {
		pass := &analysis.Pass{Fset: fset, ResultOf: map[*analysis.Analyzer]any{heat.Analyzer: heat.Given{Map: c.run}}}
		if pays, known := seen(pass, f); pays != c.pays || known != c.known {
			t.Errorf("%+v: pays %t, known %t, want %t and %t", c.run, pays, known, c.pays, c.known)
		}
	}
}

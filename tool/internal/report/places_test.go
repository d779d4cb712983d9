package report_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// A cause has its own places, near the reader's folder, with their bounds where
// there are any; the time that has no place is told without one.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	v := verdict(measure.Variant, "Sum", "new", "serial", 2, judge.Loses, 0.5)
	f := explain.Finding{
		Verdict: v, Lost: 10, Unexplained: math.NaN(),
		Causes: []explain.Cause{{Slug: "lock", Share: 0.7, NS: 7}, {Slug: "gc", Share: 0.2, NS: 2}},
		Losses: []explain.Loss{
			{Slug: "lock", Place: source.Place{File: filepath.Join(dir, "x.go"), Line: 7, Func: "m.f"}, NS: 4, Low: 3, High: 6},
			{Slug: "lock", NS: 3, Low: math.NaN(), High: math.NaN()},
			{Slug: "gc", Place: source.Place{File: filepath.Join(dir, "y.go"), Line: 1}, NS: 2, Low: 1, High: 3},
		},
	}
	d := report.New(report.Input{
		Series: []*measure.Series{{}}, Results: []judge.Result{{Verdicts: []judge.Verdict{v}}}, Findings: [][]explain.Finding{{f}}, Dir: dir,
	})
	for i, want := range []string{
		`[{"file":"x.go","line":7,"func":"m.f","ns":4,"lowNs":3,"highNs":6},{"ns":3}]`,
		`[{"file":"y.go","line":1,"ns":2,"lowNs":1,"highNs":3}]`,
	} {
		if got, err := json.Marshal(d.Comparisons[0].Causes[i].Places); err != nil || string(got) != want {
			t.Errorf("places of %s: %s, %v, want %s", f.Causes[i].Slug, got, err, want)
		}
	}
}

// The evidence has the stacks of the profile, the text of lines, and what processors did
// in time: all of them in each slot, at places near the reader's folder.
func TestEvidence(t *testing.T) {
	dir := t.TempDir()
	at := source.Place{File: filepath.Join(dir, "x.go"), Line: 7, Func: "m.f"}
	v := verdict(measure.Variant, "Sum", "new", "serial", 2, judge.Loses, 0.5)
	set := &evidence.Set{
		CPU:    &cpuprof.Digest{Lines: []cpuprof.Line{{Place: at, Share: 0.9}}, Flame: []cpuprof.Frame{{Func: "m.g", Share: 1}, {Depth: 1, Func: "m.f", Share: 0.9}}},
		Source: []evidence.Text{{Place: source.Place{File: at.File, Line: 7}, Text: "x++"}},
		Traced: &evidence.Run{N: 2},
		Trace: &exectrace.Facts{Procs: 4, Window: 10, Timeline: &exectrace.Timeline{From: 5, Slot: 1,
			Running: []float64{1, 3.5}, System: []float64{0, 1}, Ready: []float64{0, 2}, Alone: []float64{1, 0.5}, Who: []int{0, -1}, Sites: []source.Place{at}}},
	}
	d := report.New(report.Input{
		Series: []*measure.Series{{Package: v.Package}}, Results: []judge.Result{{Verdicts: []judge.Verdict{v}}}, Dir: dir,
		Findings: [][]explain.Finding{{{Verdict: v, Page: explain.Page{New: &explain.Side{Set: set}}}}},
	})
	p := d.Comparisons[0].Page
	if !reflect.DeepEqual(p.Flame, set.CPU.Flame) || len(p.Lines) != 1 || p.Lines[0].Text != "x++" {
		t.Errorf("flame %v, lines %+v", p.Flame, p.Lines)
	}
	want := report.Timeline{From: 5, Slot: 1, Alone: []float64{1, 0.5}, Together: []float64{0, 3}, System: []float64{0, 1}, Idle: []float64{3, 0},
		Ready: []float64{0, 2}, Who: []int{0, -1}, Sites: []source.Place{{File: "x.go", Line: 7, Func: "m.f"}}}
	if !reflect.DeepEqual(p.Trace.Timeline, want) {
		t.Errorf("timeline %+v, want %+v", p.Trace.Timeline, want)
	}
}

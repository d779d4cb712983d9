package report_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"testing"

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

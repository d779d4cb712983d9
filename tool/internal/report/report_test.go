package report_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

func verdict(kind measure.Kind, bench, variant, base string, procs int, word judge.Word, ratio float64) judge.Verdict {
	baseProcs := procs
	if kind == measure.Scaling {
		baseProcs = 1
	}
	name := "Benchmark" + bench
	if variant != "" {
		name += "/variant=" + variant
	}
	baseName := name
	if kind == measure.Variant {
		baseName = "Benchmark" + bench + "/variant=" + base
	}
	f := judge.Factor{Value: 1, Low: 0.9, High: 1.1}
	v := judge.Verdict{
		Kind: kind, Package: "example.com/p", Benchmark: bench, Variant: variant, Base: base,
		New: measure.Cell{Bench: name, Procs: procs}, BaseCell: measure.Cell{Bench: baseName, Procs: baseProcs}, Word: word,
		Estimate:  stats.Estimate{Ratio: ratio, Low: ratio * 0.9, High: ratio * 1.1, P: 0.01, Pairs: 12},
		AdjustedP: 0.02, Wall: 1000 / ratio, BaseWall: 1000,
		Identity: judge.Identity{Cores: f, BaseCores: f, Overhead: f, Inflation: f},
	}
	if word == judge.CannotSay {
		v.Why = "the interval is too wide after 12 pairs"
	}
	return v
}

func doc(end measure.End, problems []problem.Problem, verdicts ...judge.Verdict) *report.Doc {
	return report.New(report.Input{
		Payoff: "v0", Env: machine.Env{CPU: "A CPU", UsableCPUs: 2, Go: "go1.26.8"},
		Capacity: []machine.Capacity{{Procs: 2, Cores: 1.97}}, Record: ".payoff/runs/x",
		Series: []*measure.Series{{Package: "example.com/p", Procs: []int{1, 2}, End: end, Problems: problems, Dropped: map[string]int{"steal": 3},
			Samples: map[measure.Cell][]measure.Sample{{Bench: "BenchmarkSum", Procs: 1}: make([]measure.Sample, 5)}}},
		Results: []judge.Result{{Package: "example.com/p", Verdicts: verdicts, Margin: 0.03, Control: stats.Estimate{Ratio: 1, Low: 0.99, High: 1.01, Pairs: 12}, Resolution: math.Inf(1)}},
	})
}

func TestSummaryAndNext(t *testing.T) {
	variant := func(name string, w judge.Word, ratio float64) judge.Verdict {
		return verdict(measure.Variant, "Sum", name, "serial", 2, w, ratio)
	}
	scaling := func(bench string, w judge.Word, ratio float64) judge.Verdict {
		return verdict(measure.Scaling, bench, "", "", 2, w, ratio)
	}
	for _, tt := range []struct {
		name     string
		verdicts []judge.Verdict
		end      measure.End
		summary  string
		next     string
	}{
		{"one pays, one loses", []judge.Verdict{variant("local", judge.Pays, 1.8), variant("packed", judge.Loses, 0.2)}, measure.Decided,
			"Concurrency pays: local is 1.80x as fast as serial at 2 processors; packed loses",
			"payoff why '^BenchmarkSum$/^variant=packed$|^BenchmarkSum$/^variant=serial$' example.com/p"},
		{"the best comes first", []judge.Verdict{variant("a", judge.Pays, 1.2), variant("b", judge.Pays, 1.9), variant("c", judge.Pays, 1.5)}, measure.Decided,
			"Concurrency pays: b is 1.90x as fast as serial at 2 processors (a and c pay too)", "payoff why '^BenchmarkSum$/^variant=a$|^BenchmarkSum$/^variant=serial$' example.com/p"},
		{"all lose", []judge.Verdict{variant("a", judge.Loses, 0.5), variant("b", judge.Loses, 0.1)}, measure.Decided,
			"Concurrency does not pay at 2 processors; a and b lose", "payoff why '^BenchmarkSum$/^variant=b$|^BenchmarkSum$/^variant=serial$' example.com/p"},
		{"nothing sure", []judge.Verdict{variant("a", judge.CannotSay, 1.1)}, measure.Budget,
			"Concurrency cannot be judged yet at 2 processors: the interval is too wide after 12 pairs", "payoff run -budget 10m -bench '^BenchmarkSum$' example.com/p"},
		{"what happens at 1 does not answer", []judge.Verdict{verdict(measure.Variant, "Sum", "a", "serial", 1, judge.Loses, 0.5), variant("a", judge.Pays, 1.5)}, measure.Decided,
			"Concurrency pays: a is 1.50x as fast as serial at 2 processors", "payoff why '^BenchmarkSum$/^variant=a$|^BenchmarkSum$/^variant=serial$' example.com/p"},
		{"several families", []judge.Verdict{variant("a", judge.Pays, 1.5), verdict(measure.Variant, "Max", "a", "serial", 2, judge.Even, 1)}, measure.Decided,
			"At 2 processors concurrency pays in part: of 2 comparisons 1 pays (Sum/variant=a), 1 is even (Max/variant=a)", "payoff why '^BenchmarkMax$/^variant=a$|^BenchmarkMax$/^variant=serial$' example.com/p"},
		{"scaling", []judge.Verdict{scaling("Sum", judge.Pays, 1.9)}, measure.Decided, "Sum is 1.90x as fast on 2 processors instead of 1; whether concurrency pays takes a base to compare with", "payoff why '^BenchmarkSum$' example.com/p"},
		{"scaling loses", []judge.Verdict{scaling("Sum", judge.Loses, 0.5)}, measure.Decided, "Sum takes 2.00x the time on 2 processors instead of 1; whether concurrency pays takes a base to compare with", "payoff why '^BenchmarkSum$' example.com/p"},
		{"scaling of many", []judge.Verdict{scaling("Sum", judge.Even, 1), scaling("Max", judge.Even, 1)}, measure.Decided,
			"On 2 processors instead of 1: both benchmarks are even", "payoff why '^BenchmarkSum$' example.com/p"},
		{"nothing", nil, measure.Failed, "Nothing to compare: one processor count and no variants. Give -procs or -base", "go help testfunc"},
	} {
		d := doc(tt.end, nil, tt.verdicts...)
		if d.Summary != tt.summary {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, d.Summary, tt.summary)
		}
		if d.Next != tt.next {
			t.Errorf("%s: next\n got %s\nwant %s", tt.name, d.Next, tt.next)
		}
	}
}

// TestJSON: what is not known is null, never a made-up number.
func TestJSON(t *testing.T) {
	v := verdict(measure.Variant, "Sum/n=8", "a", "serial", 2, judge.CannotSay, 1)
	v.Estimate = stats.Estimate{Ratio: math.NaN(), Low: 0, High: math.Inf(1), P: 1}
	v.Identity.Cores = judge.Factor{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}
	v.Params = []discover.Param{{Key: "n", Value: 8}, {Value: 0}, {Value: 16}} // Sum/n=8/0/16
	var b bytes.Buffer
	if err := doc(measure.Budget, nil, v).JSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema      int
		Comparisons []map[string]any
		Crossovers  []any
		Warnings    []any
		Problems    []any
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, b.String())
	}
	c := got.Comparisons[0]
	for key, want := range map[string]any{
		"package": "example.com/p", "benchmark": "Sum/n=8", "variant": "a", "base": "serial", "kind": "variant", "procs": 2.0, "baseProcs": 2.0,
		"verdict": "cannot say", "ratio": nil, "low": 0.0, "high": nil, "pairs": 0.0,
	} {
		if got, ok := c[key]; !ok || got != want {
			t.Errorf("comparison[%q] = %v (there: %v), want %v", key, got, ok, want)
		}
	}
	if cores := c["cores"].(map[string]any); cores["value"] != nil {
		t.Errorf("cores = %v, want null", cores)
	}
	if params := c["params"].(map[string]any); params["n"] != 8.0 || params["size"] != 0.0 || params["size2"] != 16.0 {
		t.Errorf("params = %v, want n 8 and sizes 0 and 16", params)
	}
	if got.Schema != report.Schema || got.Crossovers == nil || got.Warnings == nil || got.Problems == nil {
		t.Errorf("lists must be [], not null: %s", b.String())
	}
}

// TestReadBack: a Doc read from its JSON has the same JSON, unknown and unbounded
// figures included.
func TestReadBack(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	few := verdict(measure.Variant, "Sum", "few", "serial", 2, judge.CannotSay, 1)
	few.Estimate = stats.Estimate{Ratio: 1.2, Low: 0, High: inf, P: 1, Pairs: 2}
	few.Identity.Cores = judge.Factor{Value: 1.9, Low: nan, High: nan}
	few.Identity.Inflation = judge.Factor{Value: 1.1, Low: 0, High: inf}
	none := verdict(measure.Variant, "Sum", "none", "serial", 2, judge.CannotSay, 1)
	none.Estimate, none.Wall = stats.Estimate{Ratio: nan, Low: 0, High: inf, P: nan}, nan
	layout := verdict(measure.Variant, "Sum", "layout", "serial", 2, judge.Loses, 0.9)
	layout.Layout, layout.ByLayout = &stats.LayoutEffect{SD: 0.1, P: nan}, true
	d := doc(measure.Budget, []problem.Problem{{Package: "p", Reason: "r", Next: "n"}}, few, none, layout, verdict(measure.Scaling, "Alone", "", "", 2, judge.Pays, 1.5))

	var first, second bytes.Buffer
	if err := d.JSON(&first); err != nil {
		t.Fatal(err)
	}
	back := new(report.Doc)
	if err := json.Unmarshal(first.Bytes(), back); err != nil {
		t.Fatal(err)
	}
	if err := back.JSON(&second); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("JSON after JSON:\n%s\nwant\n%s", &second, &first)
	}
	c := back.Comparisons[0]
	if low, high := report.Number(c.Low), report.Upper(c.Low, c.High); low != 0 || !math.IsInf(high, 1) {
		t.Errorf("an open interval is [%v, %v] after JSON, want [0, +Inf]", low, high)
	}
	if low, high := report.Number(c.Cores.Low), report.Upper(c.Cores.Low, c.Cores.High); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("an unknown interval is [%v, %v] after JSON, want NaN", low, high)
	}
}

func TestNote(t *testing.T) {
	note := problem.Problem{Package: "p", Benchmark: "BenchmarkX", Reason: "skips itself", Next: "make it run here", Note: true}
	d := doc(measure.Decided, []problem.Problem{note}, verdict(measure.Scaling, "Sum", "", "", 2, judge.Even, 1))
	if d.Failed() {
		t.Error("a note is no failure")
	}
	if !strings.HasPrefix(d.Next, "payoff why") {
		t.Errorf("next = %q, want no mending for a note", d.Next)
	}
}

package report_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A verdict, a finding and what they rest on, in which no two figures are the same: a
// report that takes one for another says so.
var (
	newCell, baseCell = measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 16}, measure.Cell{Bench: "BenchmarkX/variant=ser", Procs: 9}

	told = judge.Verdict{
		Kind: measure.Variant, Package: "p", Benchmark: "X", Variant: "new", Base: "ser", New: newCell, BaseCell: baseCell, Word: judge.Loses,
		Estimate:  stats.Estimate{Ratio: 101, Low: 102, High: 103, P: 104, Pairs: 105, EvenLow: 106, EvenHigh: 107, Layouts: 108},
		AdjustedP: 109, Wall: 110, BaseWall: 111,
		Identity:   judge.Identity{Cores: judge.Factor{Value: 112, Low: 113, High: 114}, BaseCores: judge.Factor{Value: 115, Low: 116, High: 117}, Overhead: judge.Factor{Value: 118, Low: 119, High: 120}, Inflation: judge.Factor{Value: 121, Low: 122, High: 123}},
		Goroutines: judge.Several, BaseGoroutines: judge.One, Why: "why", Layout: &stats.LayoutEffect{SD: math.Log(2) / 1.2816, P: 125}, ByLayout: true,
		Unclean: &stats.Estimate{Ratio: 126, Low: 127, High: 128, P: 129, Pairs: 130, Layouts: 131},
		Doubts:  []judge.Doubt{{Kind: judge.Superlinear, Cell: measure.Cell{Bench: "BenchmarkX/variant=ser", Procs: 132}, Text: "doubt"}},
		Group:   "X/n=", Params: []discover.Param{{Key: "n", Value: 133}, {Value: 134}, {Value: 135}},
	}

	found = explain.Finding{
		Verdict: told, Avail: 201, Useful: 202, Lost: 203, Unexplained: 0.204, Self: true, Missing: []string{"lack"},
		Causes: []explain.Cause{
			{Slug: "lock", Title: "Lock", Share: 0.205, NS: 206, Low: 0.207, High: 0.208, Tie: true, Price: "price", Do: "do", Evidence: []explain.Line{{Text: "text", Site: at(7)}, {Text: "more"}}},
			{Slug: "gc", Title: "GC", Share: 0.209, NS: 210, Low: math.NaN(), High: math.NaN(), Do: "less"},
		},
		Losses: []explain.Loss{{Slug: "lock", Place: at(8), NS: 211, Low: 212, High: 213}, {Slug: "gc", NS: 214, Low: math.NaN(), High: math.NaN()}},
		Known:  []explain.Line{{Text: "known", Site: at(9)}},
		Bound:  &explain.Bound{Parallelism: 215, Burdened: 216, Work: 217, Span: 218, Procs: 219, Path: []exectrace.Step{{Func: "m.g", Site: at(10), Time: 220, Count: 221}}},
		Page: explain.Page{
			New: &explain.Side{Cell: newCell, Wall: 222, CPU: 223, Stolen: 224, By: map[stack.Category]float64{stack.User: 225}, Set: &evidence.Set{
				CPU: &cpuprof.Digest{Samples: 226, Lines: []cpuprof.Line{{Place: at(11), Share: 0.4, By: map[stack.Category]float64{stack.Lock: 0.227}}, {Place: at(12), Share: 0.2}}, Flame: []cpuprof.Frame{{Func: "f", Share: 0.228}}},
				Hot: []evidence.Hot{{Where: cpuprof.Hot{User: at(11), Share: 0.0999}, What: instr.Hot{Text: "TOO LITTLE", Kind: instr.Load}}, {Where: cpuprof.Hot{User: at(12), Share: 0.05}, What: instr.Hot{Text: "XADD", Kind: instr.Locked}},
					{Where: cpuprof.Hot{User: at(11), Share: 0.1}, What: instr.Hot{Text: "MOVQ", Kind: instr.Store}}},
				Source:   []evidence.Text{{Place: at(11), Text: "mu.Lock()"}},
				Counters: &evidence.Counters{Instructions: 229, Cycles: 230, CacheMisses: 231},
				Traced:   &evidence.Run{N: 10, Wall: 232},
				Trace: &exectrace.Facts{Window: 1000, Procs: 16, Running: []float64{0.25, 0.75}, Goroutines: 40, Run: exectrace.Dist{N: 233, Median: 234, P10: 235, P90: 236, Mean: 237, Total: 238}, RunnableWait: exectrace.Dist{Median: 239, P10: 240, P90: 241}, Life: exectrace.Dist{Median: 242},
					Resumptions: 50, SameProc: 0.243, SameThread: 0.244, Idle: exectrace.Idle{Total: 4000, Runnable: 1}, Span: 440, BurdenedSpan: 9, Work: 8,
					Blocks:   []exectrace.Block{{Kind: exectrace.Mutex, Site: at(13), N: 20, Total: 500}, {Kind: exectrace.Select, Site: at(14), Total: 7}},
					Timeline: &exectrace.Timeline{From: 245, Slot: 246, Running: []float64{5, 16}, System: []float64{1, 2}, Ready: []float64{3, 4}, Alone: []float64{2, 0}, Who: []int{0, -1}, Sites: []source.Place{at(15)}}},
			}},
			One:  &explain.Side{Cell: measure.Cell{Bench: newCell.Bench, Procs: 1}, CPU: 247, By: map[stack.Category]float64{stack.Copy: 248}},
			Base: &explain.Side{Cell: baseCell, CPU: 249, By: map[stack.Category]float64{stack.Map: 250}, Set: &evidence.Set{CPU: &cpuprof.Digest{Samples: 251}}},
			Idle: exectrace.Idle{Total: 2000, Runnable: 200, Lock: 400, Handoff: 600, Serial: 100, Forked: 50, Imbalance: 300, Waiting: 250, Sleep: 1, Net: 2, Syscall: 3, GC: 150},
		},
	}
)

func at(line int) source.Place { return source.Place{File: "/m/x.go", Line: line, Func: "m.f"} }

// reported is the report of these.
func reported(change func(in *report.Input)) *report.Doc {
	in := report.Input{
		Payoff: "v7", Record: "rec", Seconds: 301, Dir: "/m", Env: machine.Env{CPU: "A CPU", UsableCPUs: 16, Go: "go1.26.8"},
		Series: []*measure.Series{{Package: "p", Procs: []int{1, 9, 16}, Usable: 16, End: measure.Interrupted, Dropped: map[string]int{"steal": 302}, Needs: 303 * time.Second,
			Samples:  map[measure.Cell][]measure.Sample{newCell: {{Round: 1, Layout: 4}, {Round: 2, Layout: 6}}, baseCell: {{Round: 1, Layout: 3}}},
			Problems: []problem.Problem{{Package: "p", Benchmark: "BenchmarkY", Reason: "hangs", Next: "end it"}}}},
		Results: []judge.Result{{Package: "p", Verdicts: []judge.Verdict{told}, Control: stats.Estimate{Ratio: 304, Low: 0.305, High: 306, Pairs: 307, Layouts: 308}, Resolution: 309, Margin: 0.31, Even: 0.311, Warnings: []string{"unsteady"},
			Crossovers: []judge.Crossover{{Package: "p", Group: "X/n=", Variant: "new", Base: "ser", Procs: 16, Param: "", At: 312, Low: 313, High: 314, Below: 315, Above: 316}}}},
		Findings: [][]explain.Finding{{found}}, Problems: []problem.Problem{{Package: "q", Reason: "does not compile"}},
	}
	if change != nil {
		change(&in)
	}
	return report.New(in)
}

// held is a part of a report as JSON, a field a line.
func held(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(b)))
	var lines []string
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
		if s := string(value); s != "null" && s != `""` && s != "[]" {
			lines = append(lines, fmt.Sprintf("%s: %s", key, value))
		}
	}
	return strings.Join(lines, "\n")
}

// TestFieldsOfComparison: each field of a comparison, of its page and of its package
// is what it is named for.
func TestFieldsOfComparison(t *testing.T) {
	d := reported(nil)
	c := d.Comparisons[0]
	page := c.Page
	c.Page = report.Page{}
	for _, tt := range []struct{ what, got, want string }{
		{"comparison", held(t, c), `package: "p"
benchmark: "X"
variant: "new"
base: "ser"
kind: "variant"
procs: 16
baseProcs: 9
verdict: "loses"
ratio: 101
low: 102
high: 103
pairs: 105
p: 109
evenLow: 106
evenHigh: 107
layouts: 108
layout: {"low":50.54371920393815,"high":201.82527444884153,"p":125,"decides":true}
unclean: {"value":126,"low":127,"high":128,"pairs":130}
doubts: [{"kind":"superlinear","name":"BenchmarkX/variant=ser","procs":132,"text":"doubt"}]
why: "why"
ns: 110
baseNs: 111
cores: {"value":112,"low":113,"high":114}
baseCores: {"value":115,"low":116,"high":117}
overhead: {"value":118,"low":119,"high":120}
inflation: {"value":121,"low":122,"high":123}
goroutines: "several"
baseGoroutines: "one"
params: {"n":133,"size":134,"size2":135}
group: "X/n="
name: "BenchmarkX/variant=new"
baseName: "BenchmarkX/variant=ser"
explained: true
causes: [{"slug":"lock","title":"Lock","share":0.205,"low":0.207,"high":0.208,"tie":true,"ns":206,"evidence":[{"text":"text","file":"x.go","line":7,"func":"m.f"},{"text":"more"}],"places":[{"file":"x.go","line":8,"func":"m.f","ns":211,"lowNs":212,"highNs":213}],"price":"price","do":"do"},{"slug":"gc","title":"GC","share":0.209,"ns":210,"evidence":[],"places":[{"ns":214}],"do":"less"}]
lostNs: 203
unexplained: 0.204
known: [{"text":"known","file":"x.go","line":9,"func":"m.f"}]
bound: {"parallelism":215,"burdened":216,"workNs":217,"spanNs":218}`},
		{"page", held(t, page), `availableNs: 201
neededNs: 202
self: true
sides: [{"name":"BenchmarkX/variant=new","procs":16,"cpuNs":223,"samples":226,"byNs":{"user":225}},{"name":"BenchmarkX/variant=new","procs":1,"cpuNs":247,"samples":null,"byNs":{"copy":248}},{"name":"BenchmarkX/variant=ser","procs":9,"cpuNs":249,"samples":251,"byNs":{"map":250}}]
trace: {"operations":10,"windowNs":1000,"running":[0.25,0.75],"goroutines":4,"runNs":{"median":234,"p10":235,"p90":236},"readyNs":{"median":239,"p10":240,"p90":241},"resumptions":5,"sameProc":0.243,"sameThread":0.244,"idle":{"share":0.25,"ready":0.1,"lock":0.2,"handoff":0.3,"serial":0.05,"imbalance":0.15,"waiting":0.125,"gc":0.075},"path":[{"file":"x.go","line":10,"func":"m.f","by":"m.g","share":0.5}],"waits":[{"file":"x.go","line":13,"func":"m.f","kind":"mutex","n":2,"eachNs":25,"share":0.5},{"file":"x.go","line":14,"func":"m.f","kind":"select","n":0,"eachNs":7,"share":0.007}],"timeline":{"fromNs":245,"slotNs":246,"alone":[2,0],"together":[3,16],"system":[1,2],"idle":[10,0],"ready":[3,4],"who":[0,-1],"sites":[{"file":"x.go","line":15,"func":"m.f"}]}}
lines: [{"file":"x.go","line":11,"func":"m.f","share":0.4,"by":{"lock":0.227},"instruction":{"text":"MOVQ","kind":"store"},"text":"mu.Lock()"},{"file":"x.go","line":12,"func":"m.f","share":0.2,"by":null,"instruction":{"text":"XADD","kind":"locked"}}]
flame: [{"depth":0,"func":"f","share":0.228}]
counters: {"instructions":229,"cycles":230,"cacheMisses":231}
missing: ["lack"]`},
		{"package", held(t, d.Packages[0]), `package: "p"
procs: [1,9,16]
end: "interrupted"
samples: 3
layouts: 7
dropped: {"steal":302}
control: {"value":304,"low":0.305,"high":306,"pairs":307}
resolution: 309
margin: 0.31
even: 0.311
costNs: {"build":0,"list":0,"samples":0,"total":0}
needsNs: 303000000000`},
		{"crossover", held(t, d.Crossovers[0]), `package: "p"
benchmark: "X/n="
variant: "new"
base: "ser"
procs: 16
param: "size"
at: {"value":312,"low":313,"high":314}
below: 315
above: 316`},
	} {
		if tt.got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.what, tt.got, tt.want)
		}
	}
}

// TestPages: which sides a page has, and what it has without evidence, a trace, or a
// window.
func TestPages(t *testing.T) {
	sides := func(p report.Page) string {
		var out []string
		for _, s := range p.Sides {
			out = append(out, fmt.Sprintf("%s-%d", strings.TrimPrefix(s.Name, "BenchmarkX/variant="), s.Procs))
		}
		return strings.Join(out, " ")
	}
	for _, tt := range []struct {
		name   string
		change func(f *explain.Finding, set *evidence.Set)
		sides  string
		lines  int
		trace  string // operations, idle share, steps, waits, slots
	}{
		{"all", func(*explain.Finding, *evidence.Set) {}, "new-16 new-1 ser-9", 2, "10 0.25 1 2 2"},
		{"no side of one processor", func(f *explain.Finding, _ *evidence.Set) { f.Page.One = nil }, "new-16 ser-9", 2, "10 0.25 1 2 2"},
		{"at one processor", func(f *explain.Finding, _ *evidence.Set) { f.Page.One = f.Page.New }, "new-16 ser-9", 2, "10 0.25 1 2 2"},
		{"no base", func(f *explain.Finding, _ *evidence.Set) { f.Page.Base = nil }, "new-16 new-1", 2, "10 0.25 1 2 2"},
		{"a base without a profile", func(f *explain.Finding, _ *evidence.Set) {
			b := *f.Page.Base
			b.By = nil
			f.Page.Base = &b
		}, "new-16 new-1", 2, "10 0.25 1 2 2"},
		{"its own base", func(f *explain.Finding, _ *evidence.Set) { f.Page.Base = f.Page.One }, "new-16 new-1", 2, "10 0.25 1 2 2"},
		{"no side at all", func(f *explain.Finding, _ *evidence.Set) { f.Page = explain.Page{} }, "", 0, "0 0 0 0 0"},
		{"no trace", func(_ *explain.Finding, s *evidence.Set) { s.Trace = nil }, "new-16 new-1 ser-9", 2, "0 0 0 0 0"},
		{"a trace without its run", func(_ *explain.Finding, s *evidence.Set) { s.Traced = nil }, "new-16 new-1 ser-9", 2, "0 0 0 0 0"},
		{"no profile", func(_ *explain.Finding, s *evidence.Set) { s.CPU = nil }, "new-16 new-1 ser-9", 0, "10 0.25 1 2 2"},
		{"none is idle", func(f *explain.Finding, _ *evidence.Set) { f.Page.Idle = exectrace.Idle{} }, "new-16 new-1 ser-9", 2, "10 0 1 2 2"},
		{"no window", func(_ *explain.Finding, s *evidence.Set) { s.Trace.Window = 0 }, "new-16 new-1 ser-9", 2, "10 0 1 2 2"},
		{"no bound", func(f *explain.Finding, _ *evidence.Set) { f.Bound = nil }, "new-16 new-1 ser-9", 2, "10 0.25 0 2 2"},
		{"no timeline", func(_ *explain.Finding, s *evidence.Set) { s.Trace.Timeline = nil }, "new-16 new-1 ser-9", 2, "10 0.25 1 2 0"},
		{"a run of none", func(_ *explain.Finding, s *evidence.Set) { s.Traced = &evidence.Run{} }, "new-16 new-1 ser-9", 2, "1 0.25 1 2 2"},
		{"nine of each: eight are there", func(f *explain.Finding, s *evidence.Set) {
			b := *f.Bound
			b.Path, s.CPU.Lines, s.Trace.Blocks = make([]exectrace.Step, 9), make([]cpuprof.Line, 9), make([]exectrace.Block, 9)
			f.Bound = &b
		}, "new-16 new-1 ser-9", 8, "10 0.25 8 8 2"},
	} {
		d := reported(func(in *report.Input) {
			f := found
			side, set := *f.Page.New, *f.Page.New.Set
			trace, cpu := *set.Trace, *set.CPU
			set.Trace, set.CPU, side.Set, f.Page.New = &trace, &cpu, &set, &side
			if tt.change(&f, &set); f.Page.New == &side && f.Page.One == found.Page.New {
				f.Page.One = &side
			}
			in.Findings = [][]explain.Finding{{f}}
		})
		p := d.Comparisons[0].Page
		trace := fmt.Sprintf("%d %v %d %d %d", p.Trace.Operations, p.Trace.Idle.Share, len(p.Trace.Path), len(p.Trace.Waits), len(p.Trace.Timeline.Idle))
		if got := sides(p); got != tt.sides || len(p.Lines) != tt.lines || trace != tt.trace {
			t.Errorf("%s: sides %s, %d lines, trace %s; want %s, %d, %s", tt.name, got, len(p.Lines), trace, tt.sides, tt.lines, tt.trace)
		}
	}
}

// TestMadeOf: what is said once of all, and for what; what belongs to which package.
func TestMadeOf(t *testing.T) {
	d := reported(nil)
	var problems []string
	for _, p := range d.Problems {
		problems = append(problems, p.Package+" "+p.Reason)
	}
	if got := strings.Join(problems, "; "); got != "q does not compile; p hangs" {
		t.Errorf("problems %s", got)
	}
	if got := strings.Join(d.Warnings[max(0, len(d.Warnings)-2):], "; "); got != "p: unsteady; p: interrupted: judged from what there is" {
		t.Errorf("warnings %s", got)
	}
	if d.Payoff != "v7" || d.Record != "rec" || d.Seconds != 301 || d.Cured != "" || d.Schema != report.Schema {
		t.Errorf("%+v", d)
	}
	if d = reported(func(in *report.Input) { in.Series[0].End = measure.Decided }); strings.Contains(strings.Join(d.Warnings, "; "), "interrupted") {
		t.Errorf("warnings %q of a run that ended", d.Warnings)
	}
	// A finding belongs to the verdict of its kind, of its cell, against its base.
	for name, change := range map[string]func(v *judge.Verdict){
		"kind": func(v *judge.Verdict) { v.Kind = measure.Scaling }, "procs": func(v *judge.Verdict) { v.New.Procs = 8 }, "base": func(v *judge.Verdict) { v.BaseCell.Procs = 8 },
	} {
		d := reported(func(in *report.Input) {
			f := found
			change(&f.Verdict)
			in.Findings = [][]explain.Finding{{f}}
		})
		if d.Comparisons[0].Explained {
			t.Errorf("a finding of another %s explains it", name)
		}
	}
	if d := reported(func(in *report.Input) { in.Findings = nil }); d.Comparisons[0].Explained {
		t.Error("no finding explains it")
	}
}

// TestLawsOf: each member of a family that was measured at one processor and at others
// has a law, or why it has none.
func TestLawsOf(t *testing.T) {
	d := reported(func(in *report.Input) {
		s := in.Series[0]
		s.Families = discover.Families([]string{"BenchmarkX/variant=new", "BenchmarkX/variant=ser", "BenchmarkL"}, discover.Hints{})
		s.Procs = []int{1, 2, 3, 4, 8, 16}
		for _, p := range s.Procs {
			for round := range 3 {
				n := float64(p)
				s.Add(measure.Cell{Bench: "BenchmarkL", Procs: p}, measure.Sample{Round: int32(round + 1), Wall: 1e6 * (1 + 0.1*(n-1) + 0.01*n*(n-1)) / n})
			}
		}
		s.Add(measure.Cell{Bench: "BenchmarkX/variant=ser", Procs: 1}, measure.Sample{Round: 1, Wall: 5})
	})
	if len(d.Laws) != 2 || d.Laws[0].Name != "BenchmarkX/variant=ser" || !strings.HasPrefix(d.Laws[0].Why, "it takes 5 processor counts") || d.Laws[1].Name != "BenchmarkL" || d.Laws[1].Package != "p" || d.Laws[1].Why != "" {
		t.Fatalf("laws %+v", d.Laws)
	}
	l := d.Laws[1]
	near := func(x *float64, want float64) bool { return math.Abs(report.Number(x)-want) < 1e-9 }
	if !near(l.Sigma.Value, 0.1) || !near(l.Sigma.Low, 0.1) || !near(l.Sigma.High, 0.1) || !near(l.Kappa.Value, 0.01) || !near(l.Knee, math.Sqrt(90)) || len(l.Curve) != 7 {
		t.Errorf("law %+v", l)
	}
	for i, p := range []int{1, 2, 3, 4, 8, 16, 32} {
		n := float64(p)
		want := n / (1 + 0.1*(n-1) + 0.01*n*(n-1))
		x := l.Curve[i]
		if x.Procs != p || !near(x.Speedup.Value, want) || !near(x.Speedup.Low, want) || !near(x.Speedup.High, want) || p < 32 && !near(x.Measured, want) || p == 32 && x.Measured != nil {
			t.Errorf("at %d %+v, want %v", p, x, want)
		}
	}
	if d := reported(func(in *report.Input) {
		s := in.Series[0]
		s.Families, s.Procs = discover.Families([]string{"BenchmarkL"}, discover.Hints{}), []int{1}
		s.Add(measure.Cell{Bench: "BenchmarkL", Procs: 1}, measure.Sample{Round: 1, Wall: 5})
	}); len(d.Laws) != 0 {
		t.Errorf("laws %+v at one processor", d.Laws)
	}
	// What is kept of a report has the laws of what is kept.
	d.Keep(func(name string) bool { return name == "BenchmarkL" })
	if len(d.Laws) != 1 || d.Laws[0].Name != "BenchmarkL" || len(d.Comparisons) != 0 {
		t.Errorf("kept %+v and %d comparisons", d.Laws, len(d.Comparisons))
	}
}

// TestMachine: what it was measured on, what was given to as many threads as there
// are processors, and what things cost there.
func TestMachine(t *testing.T) {
	price := func(ns float64) machine.Price { return machine.Price{NS: ns} }
	for _, tt := range []struct {
		name     string
		env      machine.Env
		capacity []machine.Capacity
		prices   machine.Prices
		want     string
	}{
		{"no more", machine.Env{CPU: "A", UsableCPUs: 9}, nil, machine.Prices{}, "measured on A, 9 processors"},
		{"all", machine.Env{CPU: "A", UsableCPUs: 8, Virtual: "kvm", Go: "go1.26"}, []machine.Capacity{{Procs: 1, Cores: 1}, {Procs: 16, Cores: 7.5}, {Procs: 8, Cores: 6.25}, {Procs: 9, Cores: 7}}, machine.Prices{Handoff: price(200), Spawn: price(300)},
			"measured on A, 8 processors (6.25 given), virtual machine (kvm), go1.26; here a hand-off costs 200.0ns, a goroutine 300.0ns"},
		{"one processor: of two threads", machine.Env{CPU: "A", UsableCPUs: 1}, []machine.Capacity{{Procs: 1, Cores: 1}, {Procs: 2, Cores: 0.75}}, machine.Prices{}, "measured on A, 1 processor (0.75 given)"},
		{"of fewer threads nothing is said", machine.Env{CPU: "A", UsableCPUs: 8}, []machine.Capacity{{Procs: 7, Cores: 1}}, machine.Prices{}, "measured on A, 8 processors"},
		{"a price alone", machine.Env{CPU: "A", UsableCPUs: 8}, nil, machine.Prices{Handoff: price(200)}, "measured on A, 8 processors"},
		{"the other alone", machine.Env{CPU: "A", UsableCPUs: 8}, nil, machine.Prices{Spawn: price(200)}, "measured on A, 8 processors"},
	} {
		d := &report.Doc{Environment: tt.env, Capacity: tt.capacity, Prices: tt.prices}
		if got := d.Machine(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

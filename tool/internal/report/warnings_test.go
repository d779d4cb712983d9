package report_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A warning stands only where what it is about has changed something.
func TestWarnings(t *testing.T) {
	const pays, open = "X+ at 2 pays 1.9 vs Serial-", "X+ at 2 open 1 vs Serial-"
	busy := []machine.Capacity{{Procs: 2, Cores: 1.2, Low: 1}}
	lost := machine.Env{UsableCPUs: 2, PhysicalCores: 2, LogicalCPUs: 2, OS: "linux", Load: "9.00 9.00 9.00", Virtual: "KVMKVMKVM", Governor: "powersave"}
	env := func(change func(*machine.Env)) machine.Env {
		e := lost
		change(&e)
		return e
	}
	for _, tt := range []struct {
		name     string
		verdicts []string
		env      machine.Env
		caps     []machine.Capacity
		control  stats.Estimate
		end      measure.End
		dropped  map[string]int // of 20 kept
		want     []string       // how they begin
	}{
		{name: "nothing was changed", verdicts: []string{pays}, env: lost, caps: busy, dropped: map[string]int{"steal": 19}},
		{name: "open on a busy machine", verdicts: []string{open}, env: lost, caps: busy, want: []string{"2 processors asked for, 1.2 given", "governor powersave"}},
		{name: "unsteady", verdicts: []string{pays}, env: lost, control: stats.Estimate{Ratio: 1.1, Low: 1.05, High: 1.2}, want: []string{"governor powersave"}},
		{name: "one processor", verdicts: []string{pays}, env: env(func(e *machine.Env) { e.UsableCPUs = 1 }), want: []string{"1 usable processor"}},
		{name: "a limit below what was measured", verdicts: []string{pays}, env: env(func(e *machine.Env) { e.Quota = 1.5 }), want: []string{"control group allows 1.5"}},
		{name: "a limit above it", verdicts: []string{pays}, env: env(func(e *machine.Env) { e.Quota, e.UsableCPUs = 3.5, 4 })},
		{name: "threads of one core", verdicts: []string{"X+ at 2 even 1 vs 1"}, env: env(func(e *machine.Env) { e.PhysicalCores = 1 }), want: []string{"2 logical processors on 1 core"}},
		{name: "threads of one core that pay", verdicts: []string{"X+ at 2 pays 1.9 vs 1"}, env: env(func(e *machine.Env) { e.PhysicalCores = 1 })},
		{name: "the budget went into repeats", verdicts: []string{open}, env: machine.Env{UsableCPUs: 2}, end: measure.Budget, dropped: map[string]int{"steal": 2, "other processes": 3},
			want: []string{"example.com/p: 5 of 25 samples were disturbed and taken again (other processes 3, steal 2)"}},
		{name: "few repeats", verdicts: []string{open}, env: machine.Env{UsableCPUs: 2}, end: measure.Budget, dropped: map[string]int{"steal": 1}},
		{name: "repeats that cost no verdict", verdicts: []string{open}, env: machine.Env{UsableCPUs: 2}, end: measure.Exhausted, dropped: map[string]int{"steal": 9}},
	} {
		if tt.control == (stats.Estimate{}) {
			tt.control = stats.Estimate{Ratio: 1, Low: 0.99, High: 1.01}
		}
		d := report.New(report.Input{
			Env: tt.env, Capacity: tt.caps, Record: "rec",
			Series: []*measure.Series{{Package: "example.com/p", Procs: []int{1, 2}, End: tt.end, Dropped: tt.dropped,
				Samples: map[measure.Cell][]measure.Sample{{Bench: "BenchmarkSum", Procs: 1}: make([]measure.Sample, 20)}}},
			Results: []judge.Result{{Package: "example.com/p", Verdicts: drawn(t, tt.verdicts...), Control: tt.control}},
		})
		if !slices.EqualFunc(d.Warnings, tt.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", tt.name, d.Warnings, tt.want)
		}
	}
}

// What could not be had is named where it would have been used.
func TestLacks(t *testing.T) {
	in := report.Input{
		Env:    machine.Env{Missing: []string{"governor: not readable", "cache line: not told", "commit: no git"}},
		Prices: machine.Prices{Missing: []string{"hand-off: too disturbed to measure"}},
		Series: []*measure.Series{{Package: "example.com/p", Procs: []int{1, 2}, Missing: []string{"CPU time: no probe", "hardware counters: not here"}}},
	}
	verdicts := drawn(t, "X+ at 2 loses 0.5 vs Serial-")
	in.Results = []judge.Result{{Package: "example.com/p", Verdicts: verdicts}}
	for _, tt := range []struct {
		name        string
		explained   bool
		unexplained float64
		pages       bool
		want        []string
	}{
		{"verdicts alone", false, 0, false, []string{"CPU time: no probe"}},
		{"a cause", true, 0.2, false, []string{"cache line: not told", "hand-off: too disturbed to measure", "CPU time: no probe"}},
		{"half a cause", true, 0.6, false, []string{"cache line: not told", "hand-off: too disturbed to measure", "CPU time: no probe", "hardware counters: not here"}},
		{"pages", true, math.NaN(), true, []string{"cache line: not told", "hand-off: too disturbed to measure", "CPU time: no probe", "hardware counters: not here"}},
	} {
		in.Findings, in.Pages = nil, tt.pages
		if tt.explained {
			in.Findings = [][]explain.Finding{{{Verdict: verdicts[0], Unexplained: tt.unexplained}}}
		}
		if d := report.New(in); !slices.Equal(d.Missing, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, d.Missing, tt.want)
		}
	}
}

package main

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// The exit code is that of the package in which an edit comes off worst; that it
// makes no difference holds only where it does so nowhere.
func TestAnswered(t *testing.T) {
	gain := func(value, low, high float64) report.FixGain {
		return report.FixGain{Name: "BenchmarkA", Procs: 2, Ratio: report.Interval{Value: &value, Low: &low, High: &high}}
	}
	of := func(w verify.Word, gains ...report.FixGain) report.Fixes {
		return report.Fixes{Findings: []report.FixFinding{{Fixes: []report.Fix{{Word: w, Why: "because", Gains: gains}}}}}
	}
	for _, tt := range []struct {
		name     string
		fixes    []report.Fixes
		same     int
		problems []problem.Problem
		want     int
		says     string
	}{
		{"faster", []report.Fixes{of(verify.Kept)}, 0, nil, exitOK, ""},
		{"slower", []report.Fixes{of(verify.Slower)}, 0, nil, exitFindings, "The edit is slower: because"},
		{"a trade", []report.Fixes{of(verify.Trade)}, 0, nil, exitFindings, "The edit is slower: because"},
		{"left out as slower", []report.Fixes{of(verify.NoGain, gain(1, 0.99, 1.01), gain(0.5, 0.4, 0.6))}, 0, nil, exitFindings, "The edit is slower: because"},
		{"the same", []report.Fixes{of(verify.NoGain, gain(1, 0.99, 1.01))}, 0, nil, exitSame, "No difference: because"},
		{"no faster, and wide", []report.Fixes{of(verify.NoGain, gain(1, 0.8, 1.2))}, 0, nil, exitUnknown, "It cannot be said whether the edit is faster: because"},
		{"no faster, and unmeasured", []report.Fixes{of(verify.NoGain)}, 0, nil, exitUnknown, "It cannot be said whether the edit is faster: because"},
		{"the same binary", nil, 1, nil, exitSame, "No difference: with the edit the test binary is the same, byte by byte"},
		{"the same binary in one of two", []report.Fixes{of(verify.Kept)}, 1, nil, exitOK, ""},
		{"undecided", []report.Fixes{of(verify.CannotSay)}, 0, nil, exitUnknown, "It cannot be said whether the edit is faster: because"},
		{"no time", []report.Fixes{of(verify.NotTried)}, 0, nil, exitUnknown, "It cannot be said whether the edit is faster: because"},
		{"a gate", []report.Fixes{of(verify.Fails)}, 0, nil, exitGate, "A gate failed: because"},
		{"a gate in one, faster in another", []report.Fixes{of(verify.Kept), of(verify.Fails)}, 0, nil, exitGate, "A gate failed: because"},
		{"faster in one, slower in another", []report.Fixes{of(verify.Kept), of(verify.Slower)}, 0, nil, exitFindings, "The edit is slower: because"},
		{"faster in one, undecided in another", []report.Fixes{of(verify.Kept), of(verify.CannotSay)}, 0, nil, exitUnknown, "It cannot be said whether the edit is faster: because"},
		{"a problem", []report.Fixes{of(verify.Kept)}, 0, []problem.Problem{{Reason: "does not compile"}}, exitFailed, ""},
		{"a note", []report.Fixes{of(verify.Kept)}, 0, []problem.Problem{{Reason: "a word", Note: true}}, exitOK, ""},
		{"nothing", nil, 0, nil, exitFailed, ""},
	} {
		doc := &report.Doc{Fixes: tt.fixes, Problems: tt.problems}
		got := answered(doc, tt.same)
		if says := headline(doc, got); got != tt.want || says != tt.says {
			t.Errorf("%s: %d, %q, want %d, %q", tt.name, got, says, tt.want, tt.says)
		}
	}
}

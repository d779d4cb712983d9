package main

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
)

// TestRecordedLedgers: over all recorded findings no time is claimed twice.
// Accounts hold no more than was lost, causes no more than their accounts, and
// what a cause says it took is what it was charged with.
func TestRecordedLedgers(t *testing.T) {
	files, err := filepath.Glob("../../../record/*/*/*/evidence.jsonl*")
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string]bool{}
	for _, f := range files {
		dirs[filepath.Dir(filepath.Dir(f))] = true
	}
	n := 0
	for dir := range dirs {
		run, all := load(t, dir)
		for _, s := range all {
			for _, f := range explain.Explain(s, judge.Judge(s, run.Rule, run.Bounds), run.Prices, true) {
				if f.Accounts == nil {
					continue
				}
				n++
				if p := overdrawn(f); p != "" {
					t.Errorf("%s: %s at %d: %s", dir, f.Verdict.New.Bench, f.Verdict.New.Procs, p)
				}
			}
		}
	}
	if n < 168 {
		t.Errorf("%d findings with accounts, want 168 at least", n)
	}
}

// overdrawn says what is wrong with the accounts of a finding.
func overdrawn(f explain.Finding) string {
	const rounding = 1e-6
	much := func(a, b float64) bool { return a > b+rounding*f.Lost }
	lost, charged := 0.0, map[string]float64{}
	for _, a := range f.Accounts {
		lost += a.NS
		sum := 0.0
		for slug, ns := range a.Charged {
			sum += ns
			charged[slug] += ns
		}
		if much(sum, a.NS) {
			return "more is charged to an account than it holds"
		}
	}
	if much(lost, f.Lost) {
		return "the accounts hold more than was lost"
	}
	for _, c := range f.Causes {
		if math.Abs(charged[c.Slug]-c.NS) > rounding*f.Lost || math.Abs(c.Share-c.NS/f.Lost) > rounding {
			return "a cause is not what it was charged with: " + c.Slug
		}
	}
	return ""
}

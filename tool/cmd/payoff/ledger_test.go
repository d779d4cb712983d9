package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
)

// TestRecordedLedgers: over all recorded findings no time is claimed twice.
// Accounts hold no more than was lost, causes no more than their accounts, what
// a cause says it took is what it was charged with, and so are its losses by
// place together.
func TestRecordedLedgers(t *testing.T) {
	files, err := filepath.Glob("../../../record/*/*/*/evidence.jsonl*")
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string]bool{}
	for _, f := range files {
		dirs[filepath.Dir(filepath.Dir(f))] = true
	}
	n, planted := 0, false
	lost, nowhere := 0.0, 0.0
	for dir := range dirs {
		run, all := load(t, dir)
		for _, s := range all {
			for _, f := range explain.Explain(s, judge.Judge(s, run.Rule, run.Bounds), run.Prices, true) {
				if f.Accounts != nil {
					n++
				}
				if p := overdrawn(f); p != "" {
					t.Errorf("%s: %s at %d: %s", dir, f.Verdict.New.Bench, f.Verdict.New.Procs, p)
				}
				for _, l := range f.Losses {
					lost += l.NS
					if l.Place.IsZero() {
						nowhere += l.NS
					}
				}
				if !planted && len(f.Losses) > 0 {
					planted = true
					f.Losses = slices.Clone(f.Losses)
					f.Losses[0].NS *= 2
					if overdrawn(f) == "" {
						t.Errorf("%s: nothing is said of a line that is charged twice", dir)
					}
				}
			}
		}
	}
	if n < 168 {
		t.Errorf("%d findings with accounts, want 168 at least", n)
	}
	t.Logf("%d findings; of what causes took, %.0f%% has a place", n, 100*(1-nowhere/lost))
	if nowhere > 0.5*lost {
		t.Errorf("%.0f%% of what causes took has no place", 100*nowhere/lost)
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
	placed := map[string]float64{}
	for _, l := range f.Losses {
		placed[l.Slug] += l.NS
		if l.NS < 0 || l.Low > l.NS || l.High < l.NS {
			return fmt.Sprintf("%v lost %v [%v, %v] to %s", l.Place, l.NS, l.Low, l.High, l.Slug)
		}
	}
	for _, c := range f.Causes {
		if math.Abs(placed[c.Slug]-c.NS) > rounding*f.Lost {
			return "its losses by place are not what a cause took: " + c.Slug
		}
		if f.Accounts == nil {
			continue
		}
		if math.Abs(charged[c.Slug]-c.NS) > rounding*f.Lost || math.Abs(c.Share-c.NS/f.Lost) > rounding {
			return "a cause is not what it was charged with: " + c.Slug
		}
	}
	return ""
}

package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// TestEditFields: each field of an edit, of its finding and of its package is what it
// is named for; no two of them are the same here.
func TestEditFields(t *testing.T) {
	at := func(line int) source.Place { return source.Place{File: "/m/a/x.go", Line: line, Func: "F"} }
	answer := func(bench string, from float64, changed bool) verify.Answer {
		return verify.Answer{Cell: measure.Cell{Bench: bench, Procs: int(from)}, Base: measure.Cell{Bench: bench + "Base", Procs: int(from) + 1}, Changed: changed, Word: judge.Even,
			Estimate: stats.Estimate{Ratio: from + 2, Low: from + 3, High: from + 4}, AdjustedP: 0.5, Wall: from + 5, BaseWall: from + 6}
	}
	x := &treated{Treatment: &verify.Treatment{
		Tries: true,
		Prescription: &prescribe.Prescription{
			Package: "example.com/m", Root: "/m", Left: []string{"left"},
			Findings: []prescribe.Finding{{Finding: edit.Finding{Check: "check", Message: "message", Place: at(10), Cause: "cause", Evidence: "evidence"}, NS: 7, Share: 0.3,
				Refused: []edit.Refusal{{Name: "refused", Why: "because", Place: source.Place{File: "/m/b/y.go", Line: 4}}}}},
			Fixes: []prescribe.Fix{
				{Edit: edit.Edit{ID: "id", Name: "name", Value: 64, Says: "says", Needs: "needs", Serial: true, Parts: []string{"p", "q"}}, Check: "check", Cause: "cause", Diff: "diff" /* not shown: it changes nothing */, Place: at(10)},
				{Edit: edit.Edit{ID: "plain", Name: "other", Says: "do"}, Check: "check", Diff: "+", Place: at(10)},
				{Edit: edit.Edit{ID: "all", Name: "together", Says: "both", Parts: []string{"id", "plain"}}, Check: "check", Place: at(10)},
			},
		},
		Record: &verify.Record{Elapsed: 1500 * time.Millisecond, End: measure.Budget, Notes: []string{"note"}, Controls: []string{"control"}, Others: []string{"others"},
			Candidates: []verify.Trial{{Candidate: verify.Candidate{Edit: edit.Edit{ID: "id"}}, Checks: []verify.Check{{Name: "build", OK: true, Says: "built"}, {Name: "vet", Says: "no"}, {Name: "tests", OK: true}}}},
			Together:   &verify.Trial{Candidate: verify.Candidate{Edit: edit.Edit{ID: "all"}}, Checks: []verify.Check{{Name: "race", OK: true}}}},
	}}
	proof := verify.Proof{Candidate: "id", Word: verify.Kept, Why: "why", Fresh: true, After: []verify.Answer{answer("A", 10, true)}, Others: []verify.Answer{answer("O", 20, false)},
		Gains: []verify.Gain{{Cell: measure.Cell{Bench: "G", Procs: 30}, Estimate: stats.Estimate{Ratio: 31, Low: 32, High: 33}, AdjustedP: 0.25, Wall: 34, BaseWall: 35}}}
	got, err := json.MarshalIndent(x.fixes(proofs(proof, gain("all", verify.Trade, 1, 2)), "taken", "/m/a"), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"package": "example.com/m", "taken": "taken", "tried": true, "findings": [
 {"grade": "CONFIRMED", "check": "check", "message": "message", "file": "x.go", "line": 10, "func": "F", "cause": "cause", "evidence": "evidence", "lostNs": 7,
  "fixes": [
   {"id": "id", "name": "name", "value": 64, "says": "says", "needs": "needs", "serial": true, "parts": ["p", "q"], "word": "kept", "why": "why",
    "gains": [{"name": "G", "procs": 30, "ratio": {"value": 31, "low": 32, "high": 33}, "ns": 34, "wasNs": 35}], "fresh": true,
    "after": [{"name": "A", "procs": 10, "base": "ABase", "baseProcs": 11, "changed": true, "verdict": "even", "ratio": {"value": 12, "low": 13, "high": 14}, "ns": 15, "baseNs": 16}],
    "others": [{"name": "O", "procs": 20, "base": "OBase", "baseProcs": 21, "changed": false, "verdict": "even", "ratio": {"value": 22, "low": 23, "high": 24}, "ns": 25, "baseNs": 26}],
    "checks": ["build", "tests"], "diff": ""},
   {"id": "plain", "name": "other", "says": "do", "gains": [], "fresh": false, "after": [], "others": [], "checks": [], "diff": ""}],
  "refused": [{"name": "refused", "why": "because", "file": "../b/y.go", "line": 4}]}],
 "kept": ["id"],
 "together": {"id": "all", "name": "together", "says": "both", "parts": ["id", "plain"], "word": "trade",
  "gains": [{"name": "BenchmarkF", "procs": 1, "ratio": {"value": 1, "low": 0.9, "high": 1.1}, "ns": 0, "wasNs": 0}, {"name": "BenchmarkF", "procs": 2, "ratio": {"value": 2, "low": 1.8, "high": 2.2}, "ns": 0, "wasNs": 0}],
  "fresh": false, "after": [], "others": [], "checks": ["race"], "diff": ""},
 "notes": ["left", "note"], "seconds": 1.5, "end": "budget"}`
	if squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }; squeeze(string(got)) != squeeze(want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
	x.Tries, x.clash = false, "clash"
	if f := x.fixes(proofs(proof), "", ""); f.Tried || len(f.Kept) > 0 || !slices.Equal(f.Notes, []string{"left", "note", "clash"}) || !slices.Equal(x.Prescription.Left, []string{"left"}) {
		t.Errorf("not tried: %+v", f)
	}
	x.Record.Together = nil // then it stands where its finding is
	if f := x.fixes(nil, "", ""); f.Together != nil || len(f.Findings[0].Fixes) != 3 {
		t.Errorf("not tried together: %+v", f)
	}
	x.Record = nil
	if f := x.fixes(nil, "", ""); f.Seconds != 0 || f.End != "" || len(f.Findings[0].Fixes) != 3 {
		t.Errorf("without a record: %+v", f)
	}
}

// TestEditOrder: what was kept first, then what came closest, by the larger gain;
// findings that are confirmed before others, each in the order that they came in.
func TestEditOrder(t *testing.T) {
	words := []verify.Word{verify.Kept, verify.Trade, verify.Beaten, verify.NoGain, verify.Slower, verify.CannotSay, verify.Fails, verify.NotTried, ""}
	x := &treated{Treatment: &verify.Treatment{Prescription: &prescribe.Prescription{Findings: make([]prescribe.Finding, 3)}, Record: &verify.Record{}}}
	var all []verify.Proof
	for i, w := range slices.Backward(words) { // larger gains for what is worse: the word decides
		for _, ratio := range []float64{float64(2 + i), float64(3 + i)} {
			id := fmt.Sprintf("%s %g", w, ratio)
			x.Prescription.Fixes = append(x.Prescription.Fixes, prescribe.Fix{Edit: edit.Edit{ID: id}, Finding: 1})
			all = append(all, gain(id, w, ratio, 1))
		}
	}
	x.Prescription.Fixes = append(x.Prescription.Fixes, prescribe.Fix{Edit: edit.Edit{ID: "untouched"}, Finding: 2})
	f := x.fixes(proofs(all...), "", "")
	var got []string
	for _, y := range f.Findings[0].Fixes {
		got = append(got, y.ID)
	}
	var want []string
	for i, w := range words {
		want = append(want, fmt.Sprintf("%s %d", w, 3+i), fmt.Sprintf("%s %d", w, 2+i))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if f.Findings[0].Grade != "CONFIRMED" || len(f.Findings[1].Fixes) != 0 || len(f.Findings[2].Fixes) != 1 {
		t.Errorf("findings %+v", f.Findings)
	}
}

// TestCuredByParts: an edit of several places cures the finding of each of its parts;
// one's own edit comes first.
func TestCuredByParts(t *testing.T) {
	x := treatment()
	x.Prescription.Fixes[2].Changes = nil
	for _, test := range []struct {
		proofs map[string]verify.Proof
		want   string
	}{
		{proofs(gain("all", verify.Kept, 2, 2)), "hotslot CONFIRMED by all, recgo CONFIRMED by all of hotslot, "},
		{proofs(gain("all", verify.Kept, 2, 2), gain("G1", verify.Kept, 1.1, 1.2)), "hotslot CONFIRMED by all, recgo CONFIRMED by G1, "},
		{proofs(gain("F2", verify.Kept, 2, 2)), "hotslot CONFIRMED by F2, recgo SUSPECTED, "},
		{proofs(gain("G1", verify.Kept, 2, 2)), "recgo CONFIRMED by G1, hotslot SUSPECTED, "},
	} {
		f := x.fixes(test.proofs, "", "")
		got := ""
		for i := range f.Findings {
			y := &f.Findings[i]
			got += y.Check + " " + y.Grade
			if fix, at := f.Cure(y); fix != nil {
				got += " by " + fix.ID
				if at.Check != y.Check {
					got += " of " + at.Check
				}
			}
			got += ", "
		}
		if got != test.want {
			t.Errorf("%v: got %s want %s", test.proofs, got, test.want)
		}
	}
	// A line of that number in another file is no line of the finding.
	before := strings.Repeat("\n", 19) + "go\n"
	x.Prescription.Fixes[0].Changes = []patch.Change{{File: "/m/other.go", Before: before, After: ""}}
	if f := x.fixes(proofs(gain("F1", verify.Kept, 2, 2)), "", ""); f.Findings[1].Grade != "SUSPECTED" || f.Findings[1].CuredBy != "" {
		t.Errorf("the line of another file: %+v", f.Findings[1])
	}
}

// TestLabels: an edit by its name, its value and its places, and so where another is
// named by its ID, of which one may begin another.
func TestLabels(t *testing.T) {
	for _, tt := range []struct {
		fix  Fix
		want string
	}{
		{Fix{Edit: edit.Edit{Name: "pad"}}, "pad"}, {Fix{Edit: edit.Edit{Name: "pad", Value: 1}}, "pad 1"}, {Fix{Edit: edit.Edit{Name: "pad", Value: 64, Parts: []string{"a"}}}, "pad 64"},
		{Fix{Edit: edit.Edit{Name: "pad", Parts: []string{"a", "b"}}}, "pad at 2 places"}, {Fix{Edit: edit.Edit{Name: "pad", Value: 8, Parts: []string{"a", "b", "c"}}}, "pad 8 at 3 places"},
	} {
		if got := tt.fix.Label(); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.fix, got, tt.want)
		}
	}
	pre := &prescribe.Prescription{Fixes: []prescribe.Fix{{Edit: edit.Edit{ID: "x:1", Name: "first"}}, {Edit: edit.Edit{ID: "x:12", Name: "twelfth", Value: 5}}, {Edit: edit.Edit{ID: "y", Name: "third", Parts: []string{"x:1", "x:12"}}}}}
	if got, want := fixOf(pre, labels(pre), pre.Fixes[0], verify.Proof{Why: "x:12, x:1 and y were faster than x:12"}, nil).Why, "twelfth 5, first and third at 2 places were faster than twelfth 5"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestFaster: what is said of an edit is its gain on the most processors that is proven,
// and then whether concurrency pays with it there.
func TestFaster(t *testing.T) {
	g := func(name string, procs int, value, low float64) FixGain {
		return FixGain{Name: "Benchmark" + name, Procs: procs, Ratio: Interval{Value: &value, Low: &low}}
	}
	for _, tt := range []struct {
		gains []FixGain
		want  string
		hope  bool
	}{
		{nil, "id", false},
		{[]FixGain{g("A", 1, 3, 2), g("A", 16, 2, 1.5), g("A", 9, 5, 4)}, "A is 2.00x as fast at 16 processors", true},
		{[]FixGain{g("A", 8, 2, 1.5), g("B", 8, 3, 1.2)}, "B is 3.00x as fast at 8 processors", true},
		{[]FixGain{g("B", 8, 3, 1.2), g("A", 8, 2, 1.5)}, "B is 3.00x as fast at 8 processors", true},
		{[]FixGain{g("A", 8, 2, 1.5), g("A", 16, 3, 1)}, "A is 2.00x as fast at 8 processors", true},
		{[]FixGain{g("A", 16, 3, 1), g("A", 8, 2, 1.01)}, "A is 2.00x as fast at 8 processors", false},
		{[]FixGain{g("A", 1, 3, 0.9), g("A", 2, 2, 0.9)}, "A is 2.00x as fast at 2 processors", false},
		{[]FixGain{g("A", 1, 1.2, 1.1)}, "A is 1.20x as fast at 1 processor", false},
		{[]FixGain{g("A", 1, 0.9, 0.8), g("A", 2, 1.2, 1.101)}, "A is 1.20x as fast at 2 processors", true},
	} {
		f := &Fix{Edit: edit.Edit{ID: "id"}, Gains: tt.gains}
		if got := faster(f); got != tt.want || promising(f) != tt.hope {
			t.Errorf("%+v: %s, promising %t; want %s, %t", tt.gains, got, promising(f), tt.want, tt.hope)
		}
	}
	a := func(procs int, word judge.Word) FixAfter {
		return FixAfter{Procs: procs, BaseProcs: 17 - procs, Verdict: word}
	}
	for _, tt := range []struct {
		after []FixAfter
		want  string
	}{
		{nil, ""},
		{[]FixAfter{a(1, judge.Pays)}, ""},
		{[]FixAfter{a(2, judge.Pays)}, "; with it concurrency pays"},
		{[]FixAfter{a(2, judge.Even)}, "; with it concurrency neither pays nor loses"},
		{[]FixAfter{a(2, judge.Loses)}, "; even with it concurrency does not pay"},
		{[]FixAfter{a(2, judge.CannotSay)}, ""},
		{[]FixAfter{a(8, judge.Pays), a(9, judge.Loses), a(3, judge.Even)}, "; even with it concurrency does not pay"},
		{[]FixAfter{a(8, judge.Pays), a(8, judge.Loses)}, "; with it concurrency pays"}, // the first of its processors
		{[]FixAfter{a(8, judge.Pays), a(9, "")}, "; with it concurrency pays"},
		{[]FixAfter{a(9, "")}, ""},
	} {
		if got := afterwards(&Fix{After: tt.after}); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.after, got, tt.want)
		}
	}
}

// TestCuredEdges: of several packages and edits, the answer is about the best; and the
// command has time for what lacks it.
func TestCuredEdges(t *testing.T) {
	starved := func(p verify.Proof) verify.Proof {
		p.Starved = true
		return p
	}
	untried := verify.Proof{Candidate: "F1", Word: verify.NotTried}
	for _, test := range []struct {
		name         string
		proofs, more map[string]verify.Proof // of the first package and a second
		change       func(x, y *treated, d *Doc)
		answer, next string
	}{
		{name: "the larger of two gains", proofs: proofs(gain("F1", verify.Kept, 1, 2)), more: proofs(gain("F1", verify.Kept, 1, 3)),
			answer: "Edits pay: F is 3.00x as fast at 2 processors: do local", next: "payoff fix -apply -from run"},
		{name: "the first of two gains that are as large", proofs: proofs(gain("F1", verify.Kept, 1, 3)), more: proofs(gain("F2", verify.Kept, 1, 3)),
			answer: "Edits pay: F is 3.00x as fast at 2 processors: do local", next: "payoff fix -apply -from run"},
		{name: "one edit of several parts", proofs: proofs(gain("all", verify.Kept, 1, 3)),
			answer: "Edits pay: F is 3.00x as fast at 2 processors: do local", next: "payoff fix -apply -from run"},
		{name: "one edit of one part", proofs: proofs(gain("F1", verify.Kept, 1, 3)), change: func(x, _ *treated, _ *Doc) { x.Prescription.Fixes[0].Parts = []string{"F1"} },
			answer: "An edit pays: F is 3.00x as fast at 2 processors: do local", next: "payoff fix -apply -from run"},
		{name: "together", proofs: proofs(gain("F1", verify.Kept, 1, 3), gain("all", verify.Kept, 1, 4)),
			change: func(x, _ *treated, _ *Doc) {
				x.Record.Together = &verify.Trial{Candidate: verify.Candidate{Edit: edit.Edit{ID: "all"}}}
				x.Prescription.Fixes[3].Says = "do all"
			},
			answer: "Edits pay: F is 4.00x as fast at 2 processors: do all", next: "payoff fix -apply -from run"},
		{name: "together, which gains less", proofs: proofs(gain("F1", verify.Kept, 1, 3), gain("all", verify.Kept, 1, 2)),
			change: func(x, _ *treated, _ *Doc) {
				x.Record.Together = &verify.Trial{Candidate: verify.Candidate{Edit: edit.Edit{ID: "all"}}}
			},
			answer: "An edit pays: F is 3.00x as fast at 2 processors: do local", next: "payoff fix -apply -from run"},
		{name: "together, which is slower", proofs: proofs(gain("F1", verify.Kept, 1, 3), gain("all", verify.Slower, 1, 5)),
			change: func(x, _ *treated, _ *Doc) {
				x.Record.Together = &verify.Trial{Candidate: verify.Candidate{Edit: edit.Edit{ID: "all"}}}
			},
			answer: "An edit pays: F is 3.00x as fast at 2 processors: do local", next: "payoff fix -apply -from run"},
		{name: "one is kept in the second package", proofs: proofs(gain("F1", verify.Slower, 1, 0.5)), more: proofs(gain("G1", verify.Kept, 1, 3)),
			answer: "An edit pays: F is 3.00x as fast at 2 processors: do local", next: "payoff fix -apply -from run"},
		{name: "hope, the larger", proofs: proofs(gain("F1", verify.CannotSay, 1, 2), gain("F2", verify.NotTried, 1, 3)),
			answer: "An edit may pay: F is 3.00x as fast at 2 processors so far (do pad), and the budget was too short to prove it", next: "payoff fix -budget 10m ./..."},
		{name: "hope, the first of two that are as large", proofs: proofs(gain("F1", verify.CannotSay, 1, 3), gain("F2", verify.CannotSay, 1, 3)),
			answer: "An edit may pay: F is 3.00x as fast at 2 processors so far (do local), and the budget was too short to prove it", next: "payoff fix -budget 10m ./..."},
		{name: "no hope of what is slower", proofs: proofs(gain("F1", verify.Trade, 1, 3), gain("F2", verify.CannotSay, 1, 1.1)),
			answer: "No edit can be shown to pay: 2 were tried at 2 places, and of 1 the figures cannot say", next: "payoff fix -budget 10m ./..."},
		{name: "what was not tried is not counted", proofs: proofs(gain("F1", verify.NoGain, 1, 1), verify.Proof{Candidate: "F2", Word: verify.NotTried}),
			answer: "No edit pays: 1 was tried at 2 places", next: "payoff fix -budget 10m ./..."},
		{name: "in two packages", proofs: proofs(gain("F1", verify.NoGain, 1, 1)), more: proofs(gain("F1", verify.Slower, 1, 0.5), gain("G1", verify.Fails, 1, 1)),
			answer: "No edit pays: 3 were tried at 4 places", next: "payoff explain rmw"},
		{name: "interrupted in the second package", proofs: proofs(untried), more: proofs(untried), change: func(_, y *treated, _ *Doc) { y.Record.End = measure.Interrupted },
			answer: "No edit was tried to the end: interrupted; 8 could be tried at 4 places", next: "payoff fix ./..."},
		{name: "interrupted, though something was tried", proofs: proofs(gain("F1", verify.NoGain, 1, 1), verify.Proof{Candidate: "F2", Word: verify.NotTried}), change: func(x, _ *treated, _ *Doc) { x.Record.End = measure.Interrupted },
			answer: "No edit pays: 1 was tried at 2 places", next: "payoff fix ./..."},
		{name: "one finding", change: func(x, _ *treated, _ *Doc) {
			x.Prescription.Findings, x.Prescription.Fixes = x.Prescription.Findings[1:], nil
		}, answer: "There is nothing to try: at 1 place no edit can be offered", next: "payoff why -from run"},
		{name: "the same benchmark twice", change: func(x, _ *treated, _ *Doc) {
			x.Prescription.Fixes = nil
			for i := range x.Prescription.Findings {
				x.Prescription.Findings[i].Check, x.Prescription.Findings[i].Func = prescribe.Mismeasured, "BenchmarkA"
			}
		}, answer: "Nothing was tried: mend the benchmarks first: what they are named for is not what is measured in BenchmarkA", next: "payoff vet ./..."},
		{name: "a problem of the first package", more: proofs(gain("F1", verify.NoGain, 1, 1)), change: func(x, _ *treated, _ *Doc) {
			x.Record.Problem = &problem.Problem{Reason: "R"}
		}, answer: "Nothing could be tried: R", next: "payoff fix -budget 10m ./..."},
		{name: "it needs no more processors, whatever there are", proofs: proofs(gain("F1", verify.CannotSay, 1, 1)), change: func(_, _ *treated, d *Doc) {
			d.Capacity = []machine.Capacity{{Procs: 16, Cores: 2, Low: 1}}
		}, answer: "No edit can be shown to pay: 1 was tried at 2 places, and of 1 the figures cannot say", next: "payoff fix -budget 10m ./..."},
		{name: "what may win most lacks processors", proofs: proofs(starved(gain("F1", verify.CannotSay, 2, 3)), gain("F2", verify.CannotSay, 1.2, 1.3)), change: func(_, _ *treated, d *Doc) { d.Capacity = nil },
			answer: "An edit may pay: F is 3.00x as fast at 2 processors so far (do local), but the machine gave too few processors to prove it", next: "payoff machine"},
		{name: "what may win more lacks time", proofs: proofs(starved(gain("F1", verify.CannotSay, 1.2, 1.3)), gain("F2", verify.CannotSay, 2, 3)), change: func(_, _ *treated, d *Doc) {
			d.Capacity = []machine.Capacity{{Procs: 16, Cores: 2, Low: 1}}
		}, answer: "An edit may pay: F is 3.00x as fast at 2 processors so far (do pad), and the budget was too short to prove it", next: "payoff fix -budget 10m ./..."},
		{name: "what was not tried may win more than what lacks processors", proofs: proofs(starved(gain("F1", verify.CannotSay, 1.2, 1.3)), verify.Proof{Candidate: "G1", Word: verify.NotTried}), change: func(x, _ *treated, _ *Doc) {
			x.Prescription.Findings[0].Share, x.Prescription.Findings[1].Share = 0.9, 0.4
		}, answer: "An edit may pay: F is 1.30x as fast at 2 processors so far (do local), but the machine gave too few processors to prove it", next: "payoff fix -budget 10m ./..."},
		{name: "and less", proofs: proofs(starved(gain("F1", verify.CannotSay, 1.2, 1.3)), verify.Proof{Candidate: "G1", Word: verify.NotTried}), change: func(x, _ *treated, _ *Doc) {
			x.Prescription.Findings[0].Share, x.Prescription.Findings[1].Share = 0.9, 0.2
		}, answer: "An edit may pay: F is 1.30x as fast at 2 processors so far (do local), but the machine gave too few processors to prove it", next: "payoff machine"},
		{name: "the cause that takes most", proofs: proofs(gain("F1", verify.NoGain, 1, 1), gain("F2", verify.NoGain, 1, 1)), more: proofs(gain("F1", verify.NoGain, 1, 1)), change: func(x, y *treated, _ *Doc) {
			x.Prescription.Findings[0].Share, x.Prescription.Findings[0].Cause = 0.3, "grain"
			y.Prescription.Findings[1].Share, y.Prescription.Findings[1].Cause = 0.4, "lock"
		}, answer: "No edit pays: 3 were tried at 4 places", next: "payoff explain lock"},
		{name: "what was asked for", proofs: proofs(untried), change: func(_, _ *treated, d *Doc) {
			d.Asked = &cmdline.Asked{Packages: []string{"./a", "./b"}, Cure: "lock", Gallery: true, Plain: true, Verdicts: true, Procs: []int{1, 9}, Budget: 1e9}
		}, answer: "No edit was tried to the end: the budget was too short; 4 could be tried at 2 places", next: "payoff fix -budget 10m -procs 1,9 lock ./a ./b"},
	} {
		x, y := treatment(), treatment()
		d := &Doc{Record: "run", Asked: &cmdline.Asked{Packages: []string{"./..."}, Budget: 30e9}}
		if test.change != nil {
			test.change(x, y, d)
		}
		d.treatments, d.Fixes = []*treated{nil, x}, []Fixes{x.fixes(test.proofs, "", "/m")}
		if test.more != nil {
			d.treatments, d.Fixes = append(d.treatments, y), append(d.Fixes, y.fixes(test.more, "", "/m"))
		}
		if got := d.cured(); got != test.answer {
			t.Errorf("%s: answer %q, want %q", test.name, got, test.answer)
		}
		if got := d.nextFix(); got != test.next {
			t.Errorf("%s: next %q, want %q", test.name, got, test.next)
		}
	}
}

// TestLonger: a budget for all that was not tried to the end, or what would do where
// that is not known.
func TestLonger(t *testing.T) {
	trial := func(id string, stage verify.Stage, pairs int, needs time.Duration) verify.Trial {
		return verify.Trial{Candidate: verify.Candidate{Edit: edit.Edit{ID: id}}, Stage: stage, Pairs: pairs, Needs: needs}
	}
	for _, tt := range []struct {
		name   string
		budget []time.Duration // of each package; 0: no record
		trials [][]verify.Trial
		want   string
	}{
		{"none", nil, nil, "10m"},
		{"all known", []time.Duration{3 * time.Minute, time.Minute}, [][]verify.Trial{{trial("a", verify.Untried, 0, 4*time.Minute)}, {trial("a", verify.Untried, 0, 5*time.Minute), trial("b", verify.Untried, 0, 2*time.Minute)}}, "5m"},
		{"what went out needs none", []time.Duration{3 * time.Minute}, [][]verify.Trial{{trial("a", verify.Untried, 0, 4*time.Minute), trial("b", verify.Hopeless, 0, 0), trial("c", verify.Halved, 0, 0)}}, "4m"},
		{"one is not known", []time.Duration{3 * time.Minute}, [][]verify.Trial{{trial("a", verify.Untried, 0, 4*time.Minute), trial("b", verify.Untried, 0, 0)}}, "10m"},
		{"one is not known, and the other needs much", []time.Duration{3 * time.Minute}, [][]verify.Trial{{trial("a", verify.Untried, 0, 40*time.Minute), trial("b", verify.Untried, 0, 0)}}, "40m"},
		{"none is known, after much", []time.Duration{time.Minute, 5 * time.Minute, 0}, [][]verify.Trial{{trial("a", verify.Untried, 0, 0)}, {}, nil}, "15m"},
		{"what is undecided and not known", []time.Duration{3 * time.Minute}, [][]verify.Trial{{trial("a", verify.Untried, 0, 4*time.Minute), trial("b", "", 9, 0)}}, "10m"},
		{"all went out", []time.Duration{3 * time.Minute}, [][]verify.Trial{{trial("b", verify.Hopeless, 0, 0)}}, "10m"},
	} {
		d := &Doc{Asked: &cmdline.Asked{}}
		for i, b := range tt.budget {
			x := treatment()
			x.Record = &verify.Record{Budget: b, Candidates: tt.trials[i]}
			if b == 0 {
				x.Record = nil
			}
			d.treatments = append(d.treatments, x, nil)
		}
		if got, want := d.longer(), "payoff fix -budget "+tt.want; got != want {
			t.Errorf("%s: %s, want %s", tt.name, got, want)
		}
	}
}

// TestTreated: a report of several packages, of which some have edits: their findings,
// problems and changes are all there, each once.
func TestTreated(t *testing.T) {
	x, y, z := treatment(), treatment(), treatment()
	x.Record.Candidates = []verify.Trial{{Candidate: verify.Candidate{Edit: edit.Edit{ID: "F1"}}, Stage: verify.Hopeless, Out: "was no faster"}, {Candidate: verify.Candidate{Edit: edit.Edit{ID: "G1"}}, Stage: verify.Untried}}
	y.Prescription.Package, y.Record = "example.com/n", nil
	z.Prescription.Package, z.Record.Problem = "example.com/o", &problem.Problem{Package: "example.com/o", Reason: "fails", Next: "mend it"}
	in := Input{Record: "run", Dir: "/m/sub", Treatments: []*verify.Treatment{x.Treatment, nil, y.Treatment, z.Treatment}, Asked: &cmdline.Asked{Packages: []string{"./..."}, Base: "Old", Vs: "A"}, Base: "Serial", Vs: "B"}
	for _, pkg := range []string{"example.com/m", "example.com/k", "example.com/n", "example.com/o"} {
		in.Series = append(in.Series, &measure.Series{Package: pkg, Taken: "of " + pkg})
		in.Results = append(in.Results, judge.Result{Package: pkg})
	}
	d := New(in)
	got := ""
	for _, f := range d.Fixes {
		got += fmt.Sprintf("%s %s: %s:%d %s, ", f.Package, f.Taken, f.Findings[0].File, f.Findings[0].Line, f.Findings[0].Fixes[0].Word)
	}
	if want := "example.com/m of example.com/m: ../m.go:10 no gain, example.com/n of example.com/n: ../m.go:10 , example.com/o of example.com/o: ../m.go:10 , "; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	if len(d.Problems) != 1 || d.Problems[0].Reason != "fails" || d.Cured != "Nothing could be tried: fails" || d.Next != d.longer() {
		t.Errorf("problems %+v, %s, next %s", d.Problems, d.Cured, d.Next)
	}
	if d.Asked.Base != "Serial" || d.Asked.Vs != "B" || in.Asked.Base != "Old" {
		t.Errorf("asked %+v of %+v", d.Asked, in.Asked)
	}
	if d.Root() != "/m" || (&Doc{treatments: []*treated{nil, x}}).Root() != "/m" || (&Doc{}).Root() != "" {
		t.Errorf("root %q", d.Root())
	}

	// What is proven is written, each change once.
	cell := measure.Cell{Bench: "BenchmarkF", Procs: 2}
	for _, x := range []*treated{x, z} {
		x.Record = &verify.Record{Rule: stats.DefaultRule, Bounds: stats.DefaultBounds, Procs: []int{2}, Candidates: []verify.Trial{{Candidate: verify.Candidate{Edit: edit.Edit{ID: "F1"}, Cells: []measure.Cell{cell}}, Pairs: 24}}}
		for round := range int32(24) {
			for _, arm := range []string{"", "F1"} {
				s := verify.Sample{Phase: verify.Confirming, Arm: arm, Bench: cell.Bench, Procs: cell.Procs, Round: round, Layout: round, N: 100, Wall: 1000 + float64(round%3)}
				if arm != "" {
					s.Wall /= 2
				}
				x.Record.Samples = append(x.Record.Samples, s)
			}
		}
	}
	d = New(in)
	var files []string
	for _, c := range d.Changes() {
		files = append(files, c.File)
	}
	if want := "Edits pay: F is 2.00x as fast at 2 processors: do local"; d.Cured != want || !slices.Equal(files, []string{"/m/f.go"}) {
		t.Errorf("%s: %q", d.Cured, files)
	}
	z.Prescription.Fixes[0].Changes = append(z.Prescription.Fixes[0].Changes, patch.Change{File: "/m/z.go"})
	if got := New(in).Changes(); len(got) != 2 || got[0].File != "/m/f.go" || got[1].File != "/m/z.go" {
		t.Errorf("changes %+v", got)
	}
}

// TestUntried: that an edit pays does not hide places where none was tried to the end.
func TestUntried(t *testing.T) {
	finding := func(grade string, words ...verify.Word) (f FixFinding) {
		f.Grade = grade
		for _, w := range words {
			f.Fixes = append(f.Fixes, Fix{Word: w})
		}
		return f
	}
	a := []FixFinding{finding("SUSPECTED", verify.Kept, verify.NotTried), finding("SUSPECTED", verify.NotTried, verify.NotTried), finding("CONFIRMED", verify.NotTried), finding("SUSPECTED", verify.CannotSay)}
	for _, tt := range []struct {
		fixes []Fixes
		want  string
	}{
		{[]Fixes{{Findings: a}}, ""},
		{[]Fixes{{Findings: a, Kept: []string{"x"}}}, "2 places were not tried"},
		{[]Fixes{{Kept: []string{"x"}}, {Findings: a}}, "2 places were not tried"},
		{[]Fixes{{Findings: a}, {Kept: []string{"x"}, Findings: a}}, "4 places were not tried"},
	} {
		if got := (&Doc{Fixes: tt.fixes}).More(); !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%+v: %q, want %q", tt.fixes, got, tt.want)
		}
	}
}

// A record may say anything: IDs are replaced once, however often they are there, and a
// treatment may lack all else.
func TestDamagedTreatment(t *testing.T) {
	pre := &prescribe.Prescription{Fixes: slices.Repeat([]prescribe.Fix{{Edit: edit.Edit{ID: "x", Name: "xx"}}, {Edit: edit.Edit{ID: "", Name: "y"}}}, 40)}
	if got, want := fixOf(pre, labels(pre), pre.Fixes[0], verify.Proof{Why: "x is slower"}, nil).Why, "xx is slower"; got != want {
		t.Errorf("names in words = %.80q of %d bytes, want %q", got, len(got), want)
	}
	kept := map[string]verify.Proof{"gone": {Candidate: "gone", Word: verify.Kept}}
	for what, x := range map[string]*verify.Treatment{
		"nothing":         {},
		"a record alone":  {Record: &verify.Record{Together: &verify.Trial{Candidate: verify.Candidate{Edit: edit.Edit{ID: "gone"}}}}},
		"of what is gone": {Record: &verify.Record{Together: &verify.Trial{Candidate: verify.Candidate{Edit: edit.Edit{ID: "gone"}}}}, Prescription: &prescribe.Prescription{}},
	} {
		x := &treated{Treatment: x}
		d := &Doc{treatments: []*treated{x, nil}}
		if all := d.Changes(); len(all) > 0 || d.Root() != "" || len(d.Folders()) > 0 {
			t.Errorf("%s: changes %v, root %q, folders %v, want none", what, all, d.Root(), d.Folders())
		}
		if all := x.kept(kept); len(all) > 0 {
			t.Errorf("%s: kept are %v, want none", what, all)
		}
	}
}

package report

import (
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

// treatment is of two functions: two edits for F, one for G, and all together.
func treatment() *treated {
	at := func(line int) source.Place { return source.Place{File: "/m/m.go", Line: line} }
	fix := func(id, name string, finding int) prescribe.Fix {
		return prescribe.Fix{
			Edit: edit.Edit{ID: id, Name: name, Says: "do " + name}, Finding: finding, Place: at(10 * (finding + 1)), Diff: "+" + id + "\n",
			Changes: []patch.Change{{File: "/m/" + strings.ToLower(id[:1]) + ".go", Before: "a", After: id}},
		}
	}
	all := fix("all", "local", 0)
	all.Parts = []string{"F1", "G1"}
	return &treated{Treatment: &verify.Treatment{
		Tries: true,
		Prescription: &prescribe.Prescription{
			Package: "example.com/m", Root: "/m",
			Findings: []prescribe.Finding{{Finding: edit.Finding{Check: "hotslot", Message: "f is slow", Place: at(10), Cause: "rmw"}}, {Finding: edit.Finding{Check: "recgo", Message: "g is slow", Place: at(20)}}},
			Fixes:    []prescribe.Fix{fix("F1", "local", 0), fix("F2", "pad", 0), fix("G1", "local", 1), all},
		},
		Record: &verify.Record{},
	}}
}

// gain is a proof with a gain of so much on one and two processors.
func gain(id string, word verify.Word, one, two float64) verify.Proof {
	p := verify.Proof{Candidate: id, Word: word}
	for i, r := range []float64{one, two} {
		p.Gains = append(p.Gains, verify.Gain{Cell: measure.Cell{Bench: "BenchmarkF", Procs: i + 1}, Estimate: stats.Estimate{Ratio: r, Low: 0.9 * r, High: 1.1 * r}})
	}
	return p
}

func proofs(all ...verify.Proof) map[string]verify.Proof {
	m := map[string]verify.Proof{}
	for _, p := range all {
		m[p.Candidate] = p
	}
	return m
}

// What is written was measured as it is written: together, or the best alone.
func TestKept(t *testing.T) {
	for _, test := range []struct {
		proofs map[string]verify.Proof
		all    bool // they were tried together
		kept   []string
		grades string
		left   string // that pays as well, and is not written
	}{
		{proofs(gain("F1", verify.NoGain, 1, 1), gain("G1", verify.Slower, 1, 0.5)), false, []string{}, "SUSPECTED SUSPECTED", ""},
		{proofs(gain("F1", verify.Kept, 2, 3), gain("F2", verify.Beaten, 2, 2)), false, []string{"F1"}, "CONFIRMED SUSPECTED", ""},
		{proofs(gain("F1", verify.Kept, 1, 3), gain("G1", verify.Kept, 5, 1)), false, []string{"F1"}, "CONFIRMED CONFIRMED", "writes one, local at m.go:10: what was not confirmed as one change with it is left, local at m.go:20, and"},
		{proofs(gain("F1", verify.Kept, 5, 1.5), gain("G1", verify.Kept, 1, 2)), false, []string{"G1"}, "CONFIRMED CONFIRMED", "writes one, local at m.go:20: what was not confirmed as one change with it is left, local at m.go:10, and"},
		{proofs(gain("F1", verify.Kept, 1, 3), gain("G1", verify.Kept, 5, 1), gain("all", verify.Kept, 6, 6)), true, []string{"all"}, "CONFIRMED CONFIRMED", ""},
		{proofs(gain("F1", verify.Kept, 1, 3), gain("G1", verify.Kept, 5, 1), gain("all", verify.Slower, 1, 0.9)), true, []string{"F1"}, "CONFIRMED CONFIRMED", "writes one, local at m.go:10: what was not confirmed as one change with it is left, local at m.go:20, and"},
		{proofs(gain("all", verify.Trade, 6, 0.5)), false, []string{}, "SUSPECTED SUSPECTED", ""},
	} {
		x := treatment()
		if test.all {
			x.Record.Together = &verify.Trial{Candidate: verify.Candidate{Edit: edit.Edit{ID: "all"}}}
		}
		f := x.fixes(test.proofs, "", "/m")
		var grades []string
		for _, y := range f.Findings {
			grades = append(grades, y.Grade)
		}
		if !slices.Equal(f.Kept, test.kept) || strings.Join(grades, " ") != test.grades {
			t.Errorf("%v: kept %q, grades %q, want %q, %q", test.proofs, f.Kept, grades, test.kept, test.grades)
		}
		if notes := strings.Join(f.Notes, "; "); (notes != "") != (test.left != "") || !strings.Contains(notes, test.left) {
			t.Errorf("%v: notes %q, want %q", test.proofs, notes, test.left)
		}
		if together := f.Together != nil; together != test.all {
			t.Errorf("%v: together %v", test.proofs, f.Together)
		}
	}
}

// A finding whose line another's edit rewrites is cured by that.
func TestCuredBy(t *testing.T) {
	x := treatment()
	f := &x.Prescription.Fixes[0]
	before := strings.Repeat("\n", 9) + "loop\n" + strings.Repeat("\n", 9) + "go\n"
	f.Changes = []patch.Change{{File: "/m/m.go", Before: before, After: strings.ReplaceAll(before, "go", "")}}
	by := func(proofs map[string]verify.Proof) string {
		all := x.fixes(proofs, "", "/m")
		s := ""
		for _, y := range all.Findings {
			s += y.Grade + " " + y.Check
			if fix, at := all.Cure(&y); fix != nil {
				s += " by " + fix.ID + " of " + at.Check
			}
			s += "; "
		}
		return s
	}
	for want, word := range map[string]verify.Word{"CONFIRMED hotslot by F1 of hotslot; CONFIRMED recgo by F1 of hotslot; ": verify.Kept, "SUSPECTED hotslot; SUSPECTED recgo; ": verify.Trade} {
		if got := by(proofs(gain("F1", word, 2, 2))); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	f.Changes[0].After = before + "more\n" // the line stays
	if got, want := by(proofs(gain("F1", verify.Kept, 2, 2))), "CONFIRMED hotslot by F1 of hotslot; SUSPECTED recgo; "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What two packages make of one file is not written as a mixture: it is the same,
// or what the first one makes.
func TestClash(t *testing.T) {
	for _, test := range []struct {
		after string // what the second package makes of the file
		kept  []string
		files int
	}{{"F1", []string{"F1"}, 2}, {"other", []string{}, 1}} {
		a, b := treatment(), treatment()
		b.Prescription.Package = "example.com/n"
		b.Prescription.Fixes[0].Changes = []patch.Change{{File: "/m/f.go", Before: "a", After: test.after}, {File: "/m/n.go", Before: "a", After: "b"}}
		d, owners := &Doc{}, map[string]owner{}
		both := proofs(gain("F1", verify.Kept, 2, 2))
		for _, x := range []*treated{a, b} {
			x.settle(both, owners)
			d.Fixes = append(d.Fixes, x.fixes(both, "", "/m"))
		}
		notes := strings.Join(d.Fixes[1].Notes, "; ")
		if !slices.Equal(d.Fixes[0].Kept, []string{"F1"}) || !slices.Equal(d.Fixes[1].Kept, test.kept) || len(d.Fixes[0].Notes) > 0 {
			t.Errorf("%q: kept %q and %q, want F1 and %q", test.after, d.Fixes[0].Kept, d.Fixes[1].Kept, test.kept)
		}
		if clash := len(test.kept) == 0; clash != strings.Contains(notes, "it changes f.go, which the edit for example.com/m changes as well") || clash != strings.HasSuffix(notes, "try again: payoff fix example.com/n") {
			t.Errorf("%q: notes %q", test.after, notes)
		}
		var files []string
		for _, x := range []*treated{a, b} {
			for _, f := range x.kept(both) {
				for _, c := range f.Changes {
					if !slices.Contains(files, c.File) {
						files = append(files, c.File)
					}
				}
			}
		}
		if len(files) != test.files {
			t.Errorf("%q: files %q, want %d", test.after, files, test.files)
		}
	}
}

// Others are named as the text names them, not by their IDs.
func TestWhy(t *testing.T) {
	f := treatment().fixes(proofs(verify.Proof{Candidate: "F2", Word: verify.Beaten, Why: "F1 was faster"}), "", "/m")
	i := slices.IndexFunc(f.Findings[0].Fixes, func(x Fix) bool { return x.ID == "F2" })
	if got := f.Findings[0].Fixes[i].Why; got != "local was faster" {
		t.Errorf("why %q", got)
	}
	if at := f.Findings[0].File; at != "m.go" {
		t.Errorf("file %q, want it as seen from the folder", at)
	}
}

// The first line answers, the last is the command to type.
func TestCured(t *testing.T) {
	pays := gain("F1", verify.Kept, 4, 3)
	pays.After = []verify.Answer{{Cell: measure.Cell{Bench: "BenchmarkF", Procs: 2}, Word: judge.Loses}}
	starved := gain("F1", verify.CannotSay, 2, 3)
	starved.Starved = true
	for _, test := range []struct {
		proofs       map[string]verify.Proof
		change       func(*treated, *Doc)
		answer, next string
	}{
		{proofs(pays), nil, "An edit pays: F is 3.00x as fast at 2 processors: do local; even with it concurrency does not pay", "payoff fix -apply -from run"},
		{proofs(pays), func(x *treated, _ *Doc) { x.Prescription.Fixes[0].Serial = true }, "An edit pays: F is 3.00x as fast at 2 processors: do local; it needs no goroutine", "payoff fix -apply -from run"},
		{proofs(gain("F1", verify.NoGain, 1, 1), gain("F2", verify.Slower, 0.5, 1)), nil, "No edit pays: 2 were tried at 2 places", "payoff explain rmw"},
		{proofs(gain("F1", verify.CannotSay, 1, 1)), nil, "No edit can be shown to pay: 1 was tried at 2 places, and of 1 the figures cannot say", "payoff fix -budget 10m ./..."},
		{proofs(gain("F1", verify.CannotSay, 1, 1)), func(_ *treated, d *Doc) { d.Capacity = []machine.Capacity{{Procs: 2, Cores: 1.1}} },
			"No edit can be shown to pay: 1 was tried at 2 places, and of 1 the figures cannot say", "payoff fix -budget 10m ./..."},
		{proofs(gain("F1", verify.CannotSay, 2, 3)), nil, "An edit may pay: F is 3.00x as fast at 2 processors so far (do local), and the budget was too short to prove it", "payoff fix -budget 10m ./..."},
		{proofs(starved), func(_ *treated, d *Doc) { d.Capacity = []machine.Capacity{{Procs: 2, Cores: 1.1}} },
			"An edit may pay: F is 3.00x as fast at 2 processors so far (do local), but the machine gave too few processors to prove it", "payoff machine"},
		{proofs(verify.Proof{Candidate: "F1", Word: verify.NotTried}), nil, "No edit was tried to the end: the budget was too short; 4 could be tried at 2 places", "payoff fix -budget 10m ./..."},
		{nil, func(x *treated, _ *Doc) { x.Record.End = measure.Interrupted }, "No edit was tried to the end: interrupted; 4 could be tried at 2 places", "payoff fix ./..."},
		{nil, func(x *treated, _ *Doc) {
			x.Prescription.Fixes, x.Record = nil, nil
			for i := range x.Prescription.Findings {
				x.Prescription.Findings[i].Check, x.Prescription.Findings[i].Func = "benchvet", "example.com/m.Benchmark"+string(rune('A'+i))
			}
		}, "Nothing was tried: mend the benchmarks first: what they are named for is not what is measured in BenchmarkA, BenchmarkB", "payoff vet ./..."},
		{nil, func(x *treated, _ *Doc) {
			x.Prescription.Fixes, x.Record = nil, nil
			x.Prescription.Findings[1].Check = "benchvet"
		}, "There is nothing to try: at 2 places no edit can be offered", "payoff explain rmw"},
		{nil, func(x *treated, _ *Doc) { x.Prescription.Fixes, x.Record = nil, nil }, "There is nothing to try: at 2 places no edit can be offered", "payoff explain rmw"},
		{nil, func(x *treated, _ *Doc) { x.Prescription.Fixes, x.Prescription.Findings, x.Record = nil, nil, nil },
			"There is nothing to cure: no benchmark loses as far as is known", "payoff why -from run"},
		{nil, func(x *treated, d *Doc) {
			x.Prescription.Fixes, x.Prescription.Findings, x.Record = nil, nil, nil
			d.Comparisons = []Comparison{{Explained: true}}
		}, "There is nothing to try: no shape that payoff knows an edit for is where the time is lost", "payoff why -from run"},
		{nil, func(x *treated, d *Doc) {
			x.Record.Problem = &problem.Problem{Package: "example.com/m", Reason: "TestF fails without any edit", Next: "make go test example.com/m/in pass"}
			d.Problems, d.Asked.Tags = append(d.Problems, *x.Record.Problem), "sim"
		}, "Nothing could be tried: TestF fails without any edit", "go test -tags=sim example.com/m/in"},
		{proofs(verify.Proof{Candidate: "F1", Word: verify.NotTried}), func(x *treated, d *Doc) {
			x.Record.Problem = &problem.Problem{Package: "example.com/m", Reason: "its tests are slow", Next: "raise -budget: they may take a third of it"}
			d.Problems, x.Record.Budget = append(d.Problems, *x.Record.Problem), 5*time.Minute
			d.Capacity = []machine.Capacity{{Procs: 2, Cores: 1.1}}
		}, "Nothing could be tried: its tests are slow", "payoff fix -budget 15m ./..."},
		{proofs(verify.Proof{Candidate: "F1", Word: verify.NotTried}), func(x *treated, d *Doc) {
			x.Record.Budget, x.Record.Candidates = 3*time.Minute, []verify.Trial{{Candidate: verify.Candidate{Edit: edit.Edit{ID: "F1"}}, Stage: verify.Untried, Needs: 4 * time.Minute}}
			d.Asked.Timeout = 20e9
		}, "No edit was tried to the end: the budget was too short; 4 could be tried at 2 places", "payoff fix -budget 4m -timeout 20s ./..."},
	} {
		x := treatment()
		d := &Doc{Record: "run", Asked: &cmdline.Asked{Packages: []string{"./..."}, Budget: 30e9}}
		if test.change != nil {
			test.change(x, d)
		}
		d.treatments, d.Fixes = []*treated{x}, []Fixes{x.fixes(test.proofs, "", "/m")}
		if got := d.cured(); got != test.answer {
			t.Errorf("answer %q, want %q", got, test.answer)
		}
		if got := d.next(); got != test.next {
			t.Errorf("%s: next %q, want %q", test.answer, got, test.next)
		}
	}
}

// Where edits were only looked for, the next command tries them: with what was
// asked for, but for the budget of the run.
func TestNextFix(t *testing.T) {
	x := treatment()
	x.Tries, x.Record = false, nil
	d := &Doc{Record: "run", Asked: &cmdline.Asked{Packages: []string{"./m"}, Bench: "F", Procs: []int{1, 2}, Budget: 30e9},
		Comparisons: []Comparison{{Verdict: judge.Loses, Explained: true, Causes: []Cause{{Slug: "rmw"}}}}}
	if got := d.next(); got != "payoff explain rmw" {
		t.Errorf("without edits: next %q", got)
	}
	d.treatments, d.Fixes = []*treated{x}, []Fixes{x.fixes(nil, "", "/m")}
	if got := d.next(); got != "payoff fix -procs 1,2 -bench F ./m" {
		t.Errorf("next %q", got)
	}
	if d.Tried() || d.cured() != "" || len(d.Changes()) > 0 {
		t.Errorf("nothing was tried: %q, %v", d.cured(), d.Changes())
	}
	d.Asked.Gallery = true
	if got := d.next(); got != "payoff explain rmw" {
		t.Errorf("in the gallery: next %q", got)
	}
}

// That an edit pays does not hide that others wait.
func TestMore(t *testing.T) {
	x := treatment()
	d := &Doc{Asked: &cmdline.Asked{Packages: []string{"./m"}}, treatments: []*treated{x}}
	for _, test := range []struct {
		proofs map[string]verify.Proof
		want   string
	}{
		{proofs(gain("F1", verify.Kept, 2, 2), verify.Proof{Candidate: "G1", Word: verify.NotTried}), "1 place was not tried to the end for want of time: payoff fix -budget 10m ./m goes on, with what is measured already"},
		{proofs(gain("F1", verify.Kept, 2, 2), verify.Proof{Candidate: "F2", Word: verify.NotTried}, gain("G1", verify.NoGain, 1, 1)), ""},
		{proofs(verify.Proof{Candidate: "G1", Word: verify.NotTried}), ""},
	} {
		d.Fixes = []Fixes{x.fixes(test.proofs, "", "/m")}
		if got := d.More(); got != test.want {
			t.Errorf("%v: %q, want %q", test.proofs, got, test.want)
		}
	}
}

func TestApplied(t *testing.T) {
	d := &Doc{Record: "run", dir: "/m", Asked: &cmdline.Asked{Packages: []string{"./m"}, Budget: 30e9}, Fixes: []Fixes{{Kept: []string{"F1"}, Findings: []FixFinding{{Fixes: []Fix{{Edit: edit.Edit{ID: "F1"}}}}}}}}
	changes := []patch.Change{{File: "/m/a.go"}, {File: "/m/b/b.go"}}
	d.Apply(changes)
	if want := []string{"a.go", "b/b.go"}; !slices.Equal(d.Written, want) || d.Undo != "payoff fix -undo run" || d.Next != "payoff run ./m" {
		t.Errorf("written %q, undo %q, next %q", d.Written, d.Undo, d.Next)
	}
	d.Fixes[0].Findings[0].Fixes[0].Needs = "github.com/gopayoff/payoff/par"
	if d.Apply(changes); d.Next != "go get github.com/gopayoff/payoff" {
		t.Errorf("next %q", d.Next)
	}
}

// TestPrice: what is said in the first line of a finding is the price of the edit that
// cures it, else of the first that may yet; one that is out has none, nor has one that
// another's edit cures.
func TestPrice(t *testing.T) {
	fix := func(id string, word verify.Word, dearer string) Fix {
		return Fix{Edit: edit.Edit{ID: id, Dearer: dearer}, Word: word}
	}
	for _, tt := range []struct {
		name string
		f    FixFinding
		want string
	}{
		{"kept", FixFinding{Fixes: []Fix{fix("a", verify.NotTried, "A"), fix("b", verify.Kept, "B")}}, "B"},
		{"kept, and nothing is dearer", FixFinding{Fixes: []Fix{fix("a", verify.NotTried, "A"), fix("b", verify.Kept, "")}}, ""},
		{"not tried", FixFinding{Fixes: []Fix{fix("a", verify.Slower, "A"), fix("b", verify.NotTried, "B"), fix("c", verify.CannotSay, "C")}}, "B"},
		{"to try", FixFinding{Fixes: []Fix{fix("a", "", "A")}}, "A"},
		{"cannot say", FixFinding{Fixes: []Fix{fix("a", verify.CannotSay, "A")}}, "A"},
		{"all are out", FixFinding{Fixes: []Fix{fix("a", verify.Slower, "A"), fix("b", verify.Fails, "B")}}, ""},
		{"no edit", FixFinding{}, ""},
		{"cured by another", FixFinding{CuredBy: "z", Fixes: []Fix{fix("a", verify.NotTried, "A")}}, ""},
	} {
		x := &Fixes{Findings: []FixFinding{{Fixes: []Fix{fix("z", verify.Kept, "Z")}}, tt.f}}
		if got := x.Price(x.Findings[1]); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

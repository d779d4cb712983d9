package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// TestSaid: the line that tells most of a failure.
func TestSaid(t *testing.T) {
	for _, tt := range []struct{ output, death, want string }{
		{"--- FAIL: TestA (0.00s)\n    x_test.go:3: no\nFAIL\n", "", "x_test.go:3: no"},
		{"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/sub (0.00s)\n        x_test.go:4: sub\nFAIL\n", "", "x_test.go:4: sub"},
		{"WARNING: DATA RACE\n--- FAIL: TestA (0.00s)\n    x_test.go:3: no\n", "panic", "a data race"},
		{"--- FAIL: TestA (0.00s)\n    x_test.go:3: no\n", "panic: nil map", "panic: nil map"},
		{strings.Repeat("x", 300) + " end\n", "", strings.Repeat("x", 195) + " end"},
		{"short\n", "", "short"},
	} {
		if got := said(tt.output, tt.death); got != tt.want {
			t.Errorf("said(%q, %q) = %q, want %q", tt.output, tt.death, got, tt.want)
		}
	}
	for _, tt := range []struct {
		x    result
		want string
		ok   bool
		name string
	}{
		{result{}, "", true, "a test"},
		{result{exit: 1, says: "no"}, "no", false, "a test"},
		{result{exit: 1, failed: []string{"TestA", "TestB"}}, "TestA, TestB fails", false, "TestA"},
		{result{exit: 1, failed: []string{"TestA"}, says: "no"}, "TestA fails: no", false, "TestA"},
		{result{late: true, took: 1540 * time.Millisecond}, "the tests did not end within 1.5s", false, "a test"},
	} {
		if got := tt.x.String(); got != tt.want || tt.x.ok() != tt.ok || tt.x.names()[0] != tt.name {
			t.Errorf("%+v: %q, ok %t, names %q, want %q, %t, %q", tt.x, got, tt.x.ok(), tt.x.names(), tt.want, tt.ok, tt.name)
		}
	}
	for line, want := range map[string]string{
		"./x.go:7:2: unreachable code": "x.go: unreachable code", "/a/b/x.go:7: copies b/y.go:3:1": "x.go: copies y.go", `C:\a\x.go:1:1: no`: "x.go: no", "no place": "no place",
	} {
		if got := lineless(line); got != want {
			t.Errorf("lineless(%q) = %q, want %q", line, got, want)
		}
	}
	change := overlay.Overlay{"/m/x.go": nil, "/m/sub/y.go": nil}
	if got, want := named("/tmp/a/12-x.go:3:1: no; ../b/3-y.go:4: no; 5-x.go, z.go", change), "x.go:3:1: no; y.go:4: no; 5-x.go, z.go"; got != want {
		t.Errorf("named: %q, want %q", got, want)
	}
}

// A candidate passes the tests of the package that is measured, and of each
// other one that it touches, once.
func TestPackagesOf(t *testing.T) {
	own, a, b := Package{Path: "m", Dir: "/m"}, Package{Path: "m/a", Dir: "/m/a"}, Package{Path: "m/b", Dir: "/m/b"}
	r := &run{untouched: baseline{packages: []Package{own, a, b}}}
	for _, c := range []struct{ tests, want []Package }{
		{nil, []Package{own}},
		{[]Package{own}, []Package{own}},
		{[]Package{b}, []Package{own, b}},
		{[]Package{a, own, b, a}, []Package{own, a, b}},
	} {
		if got := r.packages(&Trial{Candidate: Candidate{Tests: c.tests}}); !slices.Equal(got, c.want) {
			t.Errorf("packages of an edit that touches %v = %v, want %v", c.tests, got, c.want)
		}
	}
}

// A check that cannot be made is not among those that a candidate passed, and
// holds it up no more than one that passes.
func TestNotMade(t *testing.T) {
	r := bare(time.Minute, Options{})
	var trial Trial
	for _, c := range []struct {
		stage Stage
		run   func(context.Context, *Trial) (string, error)
	}{
		{Vetted, r.vets}, // there is no go vet
		{Raced, func(context.Context, *Trial) (string, error) { return "", ErrNotMade }},
	} {
		if ok, err := r.passed(t.Context(), &trial, c.stage, c.run); !ok || err != nil || len(trial.Checks) > 0 {
			t.Errorf("%s: %t, %v, checks %+v, want it to go on with none made", c.stage, ok, err, trial.Checks)
		}
	}
	for _, stage := range []Stage{Resulted, Raced} {
		r := seat(t, &bench{}, "a")
		x := r.rec.trial("a")
		x.Holds = "f comes to what g does"
		ok, err := r.passed(t.Context(), x, stage, func(context.Context, *Trial) (string, error) { return "", ErrNotMade })
		if want := "nothing could tell whether f comes to what g does"; ok || err != nil || x.Stage != stage || x.Out != want {
			t.Errorf("%s of an edit with a condition: %t, %v, out %q at %s, want it out: %s", stage, ok, err, x.Out, x.Stage, want)
		}
	}
	if ok, err := r.passed(t.Context(), &trial, Tested, func(context.Context, *Trial) (string, error) { return "", nil }); !ok || err != nil || len(trial.Checks) != 1 || !trial.Checks[0].OK {
		t.Errorf("a check that passes: %t, %v, checks %+v", ok, err, trial.Checks)
	}
}

// A package without test files, which an edit changes beside the measured one, has
// nothing to fail.
func TestNoTestFiles(t *testing.T) {
	own, helper := Package{Path: "p", Dir: "/m"}, Package{Path: "q", Dir: "/m/q"}
	w := &bench{}
	w.tests = func(string, host.Source, host.Job) host.Outcome { return host.Outcome{Output: []byte("PASS\n")} }
	r := seat(t, w, "a")
	r.lab.Host = partly{r.lab.Host, helper.Path}
	trial := r.rec.trial("a")
	trial.Tests = []Package{own, helper}
	if err := r.baseline(t.Context()); err != nil || r.rec.Problem != nil {
		t.Fatalf("the code as it is: %v, %+v", err, r.rec.Problem)
	}
	if want := "q has no tests of its own: those of p alone hold an edit of it"; !slices.Equal(r.rec.Notes, []string{want}) {
		t.Errorf("notes %q, want %q", r.rec.Notes, want)
	}
	if ok, err := r.sound(t.Context(), trial); !ok || err != nil {
		t.Errorf("the edit: %t, %v, out %+v, want it to pass", ok, err, trial.Out)
	}
	var names []string
	for _, c := range trial.Checks {
		names = append(names, c.Name)
	}
	if want := []string{string(Unbuilt), string(Tested), string(Single), string(Raced)}; !slices.Equal(names, want) {
		t.Errorf("checks %q, want %q", names, want)
	}
}

// A partly host has tests of all packages but one.
type partly struct {
	host.Host
	none string
}

func (h partly) Build(ctx context.Context, s host.Source) (host.Binary, error) {
	if s.Package == h.none {
		return host.Binary{}, &host.Fault{Reason: "the package has no test files", NoTests: true}
	}
	return h.Host.Build(ctx, s)
}

// TestLimits: how long tests may take: a third of the budget without a change, and
// so many times as long as they took with one, each package its own; on one
// processor as many times longer as there are processors.
func TestLimits(t *testing.T) {
	type run struct {
		arm, pkg string
		procs    int
		race     bool
		limit    time.Duration
	}
	own, other := Package{Path: "p", Dir: "/m"}, Package{Path: "q", Dir: "/m/q"}
	took := map[string]time.Duration{"p": time.Second, "q": 2 * time.Second}
	var ran []run
	w := &bench{}
	w.tests = func(arm string, s host.Source, j host.Job) host.Outcome {
		if j.Limit != j.Timeout {
			t.Errorf("%s of %q: %v in all, %v without news, want as long", s.Package, arm, j.Limit, j.Timeout)
		}
		w.now = w.now.Add(took[s.Package])
		ran = append(ran, run{arm, s.Package, j.Procs, s.Race, j.Limit})
		return host.Outcome{Output: []byte("PASS\n")}
	}
	w.build = func(arm string, s host.Source) {
		if s.Race {
			w.now = w.now.Add(10 * time.Second)
		}
	}
	r := seat(t, w, "a")
	trial := r.rec.trial("a")
	trial.Tests = []Package{own, other}
	if err := r.baseline(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := 4*time.Second + 8*time.Second; r.single(trial) != want {
		t.Errorf("tests on one processor: %v, want %v", r.single(trial), want)
	}
	left := r.left()
	for _, check := range []func(context.Context, *Trial) (string, error){r.tests, r.alone, r.races} {
		if why, err := check(t.Context(), trial); why != "" || err != nil {
			t.Fatal(why, err)
		}
	}
	want := []run{
		{"", "p", 4, false, 20 * time.Second}, {"", "q", 4, false, (60 - 1) * time.Second / 3},
		{"a", "p", 4, false, (3*1 + 5) * time.Second}, {"a", "q", 4, false, (3*2 + 5) * time.Second},
		{"a", "p", 1, false, (3*4*1 + 5) * time.Second}, {"a", "q", 1, false, (3*4*2 + 5) * time.Second},
		{"a", "p", 4, true, (20*1 + 5) * time.Second}, {"a", "q", 4, true, (20*2 + 5) * time.Second},
	}
	if !slices.Equal(ran, want) {
		t.Errorf("runs of tests:\n%v, want\n%v", ran, want)
	}
	// The first build with the race detector compiles the standard library, the
	// next one does not.
	if spent := left - r.left(); spent != 3*3*time.Second+10*time.Second {
		t.Errorf("the checks took %v of the budget, want 9s of tests and one build of 10s", spent)
	}
	// What is measured stays, what was built for a check does not.
	slices.Sort(w.forgot)
	if want := []string{"p a 0 race=true", "q a 0 race=false", "q a 0 race=false", "q a 0 race=true"}; !slices.Equal(w.forgot, want) {
		t.Errorf("taken away: %q, want %q", w.forgot, want)
	}
	// A short budget leaves the untouched tests five seconds all the same.
	r.end = w.now.Add(time.Second)
	ran = nil
	if err := r.baseline(t.Context()); err != nil || ran[0].limit != patience {
		t.Errorf("a second is left: %v, limit %v, want %v", err, ran[0].limit, patience)
	}
}

// TestUntested: there are no tests if no package has one.
func TestUntested(t *testing.T) {
	for _, tt := range []struct {
		none  map[string]bool
		want  bool
		notes int
	}{
		{nil, false, 0}, {map[string]bool{"p": true}, false, 0}, {map[string]bool{"q": true}, false, 1}, {map[string]bool{"p": true, "q": true}, true, 1},
	} {
		w := &bench{tests: func(_ string, s host.Source, _ host.Job) host.Outcome {
			if tt.none[s.Package] {
				return host.Outcome{Output: []byte("testing: warning: no tests to run\nPASS\n")}
			}
			return host.Outcome{Output: []byte("PASS\n")}
		}}
		r := seat(t, w, "a")
		r.rec.trial("a").Tests = []Package{{Path: "q", Dir: "/m/q"}}
		if err := r.baseline(t.Context()); err != nil || r.untouched.untested != tt.want || len(r.rec.Notes) != tt.notes {
			t.Errorf("no tests in %v: %v, untested %t, notes %q, want %t", tt.none, err, r.untouched.untested, r.rec.Notes, tt.want)
		}
	}
}

// TestHeld: a test that fails with an edit counts against it if it never fails
// without, or if it fails each time with it and not each time without.
func TestHeld(t *testing.T) {
	for _, tt := range []struct {
		with, without string // of three more runs each, f fails
		fails         bool
	}{
		{"...", "...", true}, {"f..", "...", true}, {"fff", "...", true},
		{"...", "f..", false}, {"ff.", "f..", false}, {"fff", "f..", true}, {"fff", "..f", true}, {"fff", "ff.", true}, {"fff", "fff", false}, {"...", "fff", false}, {".ff", "..f", false},
	} {
		for _, race := range []bool{false, true} {
			n := map[string]int{}
			w := &bench{tests: func(arm string, s host.Source, j host.Job) host.Outcome {
				k := n[arm]
				n[arm]++
				said := "f" + tt.with
				if arm == "" {
					said = tt.without
				}
				if only := !slices.Contains(j.Args, "-test.run=."); only == (arm == "a" && k == 0) {
					t.Errorf("%q, run %d: args %q, want the failed test alone from the second on", arm, k, j.Args)
				}
				if said[k] == 'f' {
					return host.Outcome{Exit: 1, Output: []byte("--- FAIL: TestX (0.00s)\n    x_test.go:3: no\nFAIL\n")}
				}
				return host.Outcome{Output: []byte("PASS\n")}
			}}
			r := seat(t, w, "a")
			s := source(Package{Path: "p", Dir: "/m"}, r.rec.trial("a"))
			s.Race = race
			why, err := r.held(t.Context(), s, 4, time.Second)
			if err != nil || (why != "") != tt.fails || (len(r.rec.Notes) > 0) == tt.fails || n["a"] != 4 || n[""] != 3 {
				t.Errorf("with it %s, without %s: %v, %q, notes %q after %v runs, want that it fails: %t", tt.with, tt.without, err, why, r.rec.Notes, n, tt.fails)
			}
			if tt.fails && !strings.HasSuffix(why, fmt.Sprintf("(again in %d of 3 more runs, and in %d of 3 without the edit)", strings.Count(tt.with, "f"), strings.Count(tt.without, "f"))) {
				t.Errorf("with it %s, without %s: %q", tt.with, tt.without, why)
			}
			if race != slices.Equal(w.forgot, []string{"p  0 race=true"}) {
				t.Errorf("race %t: taken away %q, want the untouched code with the detector alone", race, w.forgot)
			}
		}
	}
}

// TestCheckInTime: of a claim the first candidate is checked whatever is left, as
// long as nothing was measured; the others while half is. Later claims are begun
// with a sixteenth of the budget, and not with less.
func TestCheckInTime(t *testing.T) {
	for _, tt := range []struct {
		name     string
		left     time.Duration
		measured bool
		tests    time.Duration // of a candidate
		want     []string      // that are checked
	}{
		{"time enough", time.Minute, false, time.Second, []string{"a", "b", "c"}},
		{"just half for two", time.Minute, false, 15 * time.Second, []string{"a", "b", "c"}},
		{"less for two", time.Minute, false, 16 * time.Second, []string{"a", "b"}},
		{"all for one", time.Minute, false, time.Minute, []string{"a"}},
		{"nothing left", -time.Second, false, time.Second, []string{"a"}},
		{"a sixteenth", 3750 * time.Millisecond, true, 0, []string{"a", "b", "c"}},
		{"less than that", 3749 * time.Millisecond, true, 0, nil},
		{"less, but nothing is measured", 3749 * time.Millisecond, false, 0, []string{"a", "b", "c"}},
	} {
		w := &bench{}
		w.tests = func(string, host.Source, host.Job) host.Outcome {
			w.now = w.now.Add(tt.tests)
			return host.Outcome{Output: []byte("PASS\n")}
		}
		r := seat(t, w, "a", "b", "c")
		for i := range r.rec.Candidates {
			r.rec.Candidates[i].Claim = "f"
		}
		r.untouched.packages = []Package{{Path: "p", Dir: "/m"}}
		r.end = w.now.Add(tt.left)
		if tt.measured {
			r.rec.Samples = make([]Sample, 1)
		}
		if err := r.check(t.Context(), "f"); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range r.rec.Candidates {
			if slices.ContainsFunc(c.Checks, func(x Check) bool { return x.Name == string(Tested) }) {
				got = append(got, c.ID)
			} else if c.Stage != Untried {
				t.Errorf("%s: %s is not checked, and %q", tt.name, c.ID, c.Stage)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: checked %q, want %q", tt.name, got, tt.want)
		}
	}
}

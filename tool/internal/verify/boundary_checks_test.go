package verify

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

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
	own, a, b := Package{"m", "/m"}, Package{"m/a", "/m/a"}, Package{"m/b", "/m/b"}
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
		{Raced, func(context.Context, *Trial) (string, error) { return "", errNotMade }},
	} {
		if ok, err := r.passed(t.Context(), &trial, c.stage, c.run); !ok || err != nil || len(trial.Checks) > 0 {
			t.Errorf("%s: %t, %v, checks %+v, want it to go on with none made", c.stage, ok, err, trial.Checks)
		}
	}
	if ok, err := r.passed(t.Context(), &trial, Tested, func(context.Context, *Trial) (string, error) { return "", nil }); !ok || err != nil || len(trial.Checks) != 1 || !trial.Checks[0].OK {
		t.Errorf("a check that passes: %t, %v, checks %+v", ok, err, trial.Checks)
	}
}

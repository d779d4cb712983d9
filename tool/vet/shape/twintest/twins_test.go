package twintest

import (
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// What an edit that is wrong in each function does to them is found, and of one
// that is right nothing is said.
func TestDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	want := []string{
		"(*door)", "(*gauge)", "(*words)", "at", "called", "deep", "double", "each", "ended", "first", "four", "index[int]", "index[string]",
		"least", "none", "part", "sent", "squares", "told", "total",
	}
	all := differ(t, []string{"testdata/src/planted"}, nil, 100)
	var got []string
	for _, d := range all {
		name, rest, _ := strings.Cut(d, " of ")
		if !strings.Contains(rest, " with wrong") {
			t.Errorf("a difference where there is none: %s", d)
		}
		got = append(got, name)
	}
	if stress.Long() && !slices.Contains(got, "summed") {
		t.Error("the race of summed was not seen")
	}
	// Without the race detector it differs when its goroutines happen to meet.
	got = slices.DeleteFunc(got, func(s string) bool { return s == "summed" })
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("differ: %q, want %q\n%s", got, want, strings.Join(all, "\n"))
	}
}

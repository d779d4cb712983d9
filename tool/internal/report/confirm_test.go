package report

import (
	"slices"
	"strings"
	"testing"
)

// What broke a rule stays so where another machine says the same, or cannot say, and is
// taken back where that measured it and it broke none. What is gone is gone.
func TestConfirm(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	slower := func(bench string, by float64) Change {
		return Change{Package: "p", Benchmark: bench, Procs: 1, Word: map[bool]ChangeWord{true: Slower, false: NoDifference}[by > 0.05], More: Interval{Value: number(by), Low: number(by - 0.01), High: number(by + 0.01)}}
	}
	doc := func(changes ...Change) *Doc {
		return &Doc{Summary: "a change", Packages: []Package{{Package: "p", Samples: 9, Margin: 0.03}}, Compared: &Compared{Changes: changes, Gone: []Unmatched{{Package: "p", Benchmark: "Old"}}}}
	}
	for _, tt := range []struct {
		name           string
		here, there    *Doc
		gone           bool
		failed, passed string // what the sentences of Failed and Unconfirmed contain
	}{
		{"the same", doc(slower("A", 0.3)), doc(slower("A", 0.2)), false, "confirms it: takes +20", ""},
		{"another", doc(slower("A", 0.3), slower("B", 0)), doc(slower("A", 0), slower("B", 0.3)), false, "", "A at 1 takes +30.0 % [+29.0 %, +31.0 %]; not on m2"},
		{"not measured there", doc(slower("A", 0.3)), doc(slower("B", 0)), false, "m2 could not judge it", ""},
		{"nothing measured there", doc(slower("A", 0.3)), doc(), false, "m2 could not judge it", ""},
		{"gone", doc(slower("A", 0)), doc(slower("A", 0)), true, "Old is not there any more", ""},
	} {
		rules := []Rule{{"loses", 0.1}}
		if tt.gone {
			rules = append(rules, Rule{Verb: "gone"})
		}
		tt.here.Decide(rules)
		if tt.gone != (len(tt.here.Compared.Gate.Unsettled()) == 0) {
			t.Errorf("%s: %q are to be asked again", tt.name, tt.here.Compared.Gate.Unsettled())
		}
		tt.there.Decide(rules)
		tt.here.Confirm(tt.there, "m2")
		g := tt.here.Compared.Gate
		has := func(list []string, want string) bool {
			return want == "" && len(list) == 0 || want != "" && len(list) == 1 && strings.Contains(list[0], want)
		}
		if !has(g.Failed, tt.failed) || !has(g.Unconfirmed, tt.passed) {
			t.Errorf("%s: failed %q, unconfirmed %q; want %q and %q", tt.name, g.Failed, g.Unconfirmed, tt.failed, tt.passed)
		}
		if want := map[bool]string{true: "Passed: a change", false: "Failed: a change"}[tt.failed == ""]; tt.here.Summary != want {
			t.Errorf("%s: %q, want %q", tt.name, tt.here.Summary, want)
		}
		if slices.Contains(g.Failed, "") {
			t.Errorf("%s: an empty sentence", tt.name)
		}
	}
}

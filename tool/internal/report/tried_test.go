package report

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// The answer is that of the package in which an edit comes off worst; that it makes no
// difference holds only where it does so nowhere. Of several edits the best is named.
func TestOutcome(t *testing.T) {
	gain := func(value, low, high float64) FixGain {
		return FixGain{Name: "BenchmarkA", Procs: 2, Ratio: Interval{Value: &value, Low: &low, High: &high}}
	}
	one := func(name string, w verify.Word, gains ...FixGain) Fix {
		f := Fix{Edit: edit.Edit{ID: name, Name: name, Says: "make the change of " + name}, Word: w, Gains: gains, patch: name}
		if w != verify.Kept {
			f.Why = "because"
		}
		return f
	}
	of := func(fixes ...Fix) Fixes {
		return Fixes{Tried: true, Findings: []FixFinding{{Finding: edit.Finding{Check: prescribe.Given}, Fixes: fixes}}}
	}
	a := func(w verify.Word, gains ...FixGain) Fixes { return of(one("a", w, gains...)) }
	hollow := one("a", verify.Kept, gain(2, 1.9, 2.1))
	hollow.Signs = []edit.Refusal{{Why: "BenchmarkA is edited"}, {Why: "it sets GOGC"}}
	even := one("a", verify.NoGain, gain(1, 0.94, 1.06)) // the interval from which "the same" is read is narrower
	even.even = true
	const next, repeat, longer, help = "git apply a", "payoff run ./p", "payoff try -budget 10m -patch a ./p", "payoff help try"
	for _, tt := range []struct {
		name       string
		fixes      []Fixes
		want       Answer
		says, next string
	}{
		{"faster", []Fixes{a(verify.Kept, gain(2, 1.9, 2.1))}, EditFaster, "The edit pays: A is 2.00x as fast at 2 processors: make the change of a", next},
		{"faster, with signs", []Fixes{of(hollow)}, EditFaster, "The edit pays: A is 2.00x as fast at 2 processors: make the change of a; but its gain may be hollow: BenchmarkA is edited, and 1 more", "payoff try -strict -patch a ./p"},
		{"slower", []Fixes{a(verify.Slower)}, EditSlower, "The edit is slower: because", "payoff why -from r"},
		{"a trade", []Fixes{a(verify.Trade)}, EditSlower, "The edit is slower: because", "payoff why -from r"},
		{"left out as slower", []Fixes{a(verify.NoGain, gain(1, 0.99, 1.01), gain(0.5, 0.4, 0.6))}, EditSlower, "The edit is slower: because", "payoff why -from r"},
		{"the same", []Fixes{a(verify.NoGain, gain(1, 0.99, 1.01))}, EditSame, "No difference: because", repeat},
		{"no faster, and proven to be the same", []Fixes{of(even)}, EditSame, "No difference: because", repeat},
		{"no faster, and wide", []Fixes{a(verify.NoGain, gain(1, 0.8, 1.2))}, EditUnknown, "It cannot be said whether the edit is faster: because", longer},
		{"no faster, and unmeasured", []Fixes{a(verify.NoGain)}, EditUnknown, "It cannot be said whether the edit is faster: because", longer},
		{"the same binary", []Fixes{a(verify.Same)}, EditSame, "No difference: because", repeat},
		{"the same binary in one of two", []Fixes{a(verify.Same), a(verify.Kept, gain(2, 1.9, 2.1))}, EditFaster, "The edit pays: A is 2.00x as fast at 2 processors: make the change of a", next},
		{"undecided", []Fixes{a(verify.CannotSay)}, EditUnknown, "It cannot be said whether the edit is faster: because", longer},
		{"no time", []Fixes{a(verify.NotTried)}, EditUnknown, "It cannot be said whether the edit is faster: because", longer},
		{"a gate", []Fixes{a(verify.Fails)}, EditFails, "A gate failed: because", help},
		{"a gate in one, faster in another", []Fixes{a(verify.Kept, gain(2, 1.9, 2.1)), a(verify.Fails)}, EditFails, "A gate failed: because", help},
		{"faster in one, slower in another", []Fixes{a(verify.Kept, gain(2, 1.9, 2.1)), a(verify.Slower)}, EditSlower, "The edit is slower: because", "payoff why -from r"},
		{"faster in one, undecided in another", []Fixes{a(verify.Kept, gain(2, 1.9, 2.1)), a(verify.CannotSay)}, EditUnknown, "It cannot be said whether the edit is faster: because", longer},

		{"the better of two", []Fixes{of(one("b", verify.Beaten, gain(1.2, 1.1, 1.3)), one("a", verify.Kept, gain(2, 1.9, 2.1)))}, EditFaster, "Of 2 edits the best, that of a, pays: A is 2.00x as fast at 2 processors: make the change of a", next},
		{"the faster of two, by package", []Fixes{of(one("a", verify.Kept, gain(2, 1.9, 2.1)), one("b", verify.Kept, gain(3, 2.9, 3.1))), of(one("a", verify.Kept, gain(2, 1.9, 2.1)), one("b", verify.Fails))}, EditFaster, "Of 2 edits the best, that of a, pays: A is 2.00x as fast at 2 processors: make the change of a", next},
		{"none of two", []Fixes{of(one("a", verify.Fails), one("b", verify.Same))}, EditSame, "Of 2 edits none is known to be faster; the best, that of b: no difference: because", repeat},
		{"both fail", []Fixes{of(one("a", verify.Fails), one("b", verify.Fails))}, EditFails, "Of 2 edits none is known to be faster; the best, that of a: a gate failed: because", help},
		{"the best was no faster", []Fixes{of(one("a", verify.NoGain, gain(1, 0.99, 1.01)), one("b", verify.Beaten, gain(0.8, 0.7, 0.9)))}, EditSame, "Of 2 edits none is known to be faster; the best, that of a: no difference: because", repeat},
		{"none", []Fixes{of()}, "", "", help},
	} {
		doc := &Doc{Fixes: tt.fixes, Record: "r", Asked: &cmdline.Asked{Packages: []string{"./p"}, Try: []string{"-patch", "a"}}, treatments: []*treated{{Treatment: &verify.Treatment{Tries: true}}}}
		got, _ := doc.outcome()
		if says, next := doc.cured(), doc.nextFix(); got != tt.want || says != tt.says || next != tt.next {
			t.Errorf("%s: %q, %q, next %q; want %q, %q, next %q", tt.name, got, says, next, tt.want, tt.says, tt.next)
		}
	}
	if (&Doc{Fixes: []Fixes{{Findings: []FixFinding{{Finding: edit.Finding{Check: "hotslot"}}}}}}).given() {
		t.Error("an edit of payoff's own is the user's")
	}
}

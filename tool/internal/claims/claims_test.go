package claims

import (
	"math"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// twice is a series in which the variant fast takes half the time of base.
func twice() *measure.Series {
	names := []string{"BenchmarkS/variant=serial/n=8", "BenchmarkS/variant=fast/n=8"}
	s := &measure.Series{Package: "p", Procs: []int{2}, Families: discover.Families(names, discover.Hints{})}
	for round := range 12 {
		ripple := 1 + 0.01*math.Sin(float64(round))
		s.Add(measure.Cell{Bench: names[0], Procs: 2}, measure.Sample{Round: int32(round + 1), N: 1, Wall: 100 * ripple})
		s.Add(measure.Cell{Bench: names[1], Procs: 2}, measure.Sample{Round: int32(round + 1), N: 1, Wall: 50})
	}
	return s
}

func TestHeld(t *testing.T) {
	for _, tt := range []struct {
		name  string
		claim gallery.Claim
		ok    bool
		err   string
	}{
		{"holds", gallery.Claim{Variant: "fast", Base: "serial", Procs: 2, Verdict: "pays"}, true, ""},
		{"holds at a place", gallery.Claim{Variant: "fast", Base: "serial", Procs: 2, At: "n=8", Verdict: "pays"}, true, ""},
		{"an alternative holds", gallery.Claim{Variant: "fast", Base: "serial", Procs: 2, Verdict: "even|pays"}, true, ""},
		{"fails", gallery.Claim{Variant: "fast", Base: "serial", Procs: 2, Verdict: "loses|even|cannot say"}, false, ""},
		{"the other way round", gallery.Claim{Variant: "serial", Base: "fast", Procs: 2, Verdict: "loses"}, true, ""},
		{"no such variant", gallery.Claim{Variant: "slow", Base: "serial", Procs: 2, Verdict: "pays"}, false, "nothing like it was measured"},
		{"not at this place", gallery.Claim{Variant: "fast", Base: "serial", Procs: 2, At: "n=80", Verdict: "pays"}, false, "nothing like it was measured"},
		{"not at these processors", gallery.Claim{Variant: "fast", Base: "serial", Procs: 1, Verdict: "pays"}, false, "nothing like it was measured"},
	} {
		got, not := Held(gallery.Want{Pairs: []gallery.Claim{tt.claim}}, twice(), nil, stats.DefaultRule, stats.DefaultBounds)
		if tt.err != "" {
			if len(got) != 0 || len(not) != 1 || !strings.Contains(not[0].Error(), tt.err) {
				t.Errorf("%s: Held = %+v, %v, want %q", tt.name, got, not, tt.err)
			}
			continue
		}
		if not != nil || len(got) != 1 || got[0].OK != tt.ok || got[0].Got.Word == judge.CannotSay {
			t.Errorf("%s: Held = %+v, %v; want OK %v", tt.name, got, not, tt.ok)
		}
	}
}

// The parameter of an experiment has a name of its own, and no cause found is
// wrong.
func TestHeldExperiment(t *testing.T) {
	claim := []gallery.Claim{{Variant: "fast", Base: "serial", Procs: 2, At: "depth=8", Verdict: "pays"}}
	s := twice()
	for i := range s.Families {
		s.Families[i].Name = strings.ReplaceAll(s.Families[i].Name, "n=8", "depth=8")
	}
	fam := s.Families[0]
	f := explain.Finding{Causes: []explain.Cause{{Slug: "grain"}}, Verdict: judge.Verdict{Kind: measure.Variant,
		New: measure.Cell{Bench: fam.Members[1].Bench, Procs: 2}, BaseCell: measure.Cell{Bench: fam.Members[0].Bench, Procs: 2}}}
	got, not := Held(gallery.Want{Kind: "experiment", Comparisons: claim}, s, []explain.Finding{f}, stats.DefaultRule, stats.DefaultBounds)
	if not != nil || len(got) != 1 || !got[0].OK || !got[0].CauseOK || len(got[0].Causes) != 1 {
		t.Errorf("Held = %+v, %v; want one claim that holds", got, not)
	}
}

// The first cause must be a claimed one, and the case's own cause is named
// nowhere else.
func TestHeldCauses(t *testing.T) {
	s := twice()
	fam := s.Families[0]
	verdict := judge.Verdict{Kind: measure.Variant, New: measure.Cell{Bench: fam.Members[1].Bench, Procs: 2}, BaseCell: measure.Cell{Bench: fam.Members[0].Bench, Procs: 2}}
	for _, tt := range []struct {
		claimed string
		found   []string
		ok      bool
	}{
		{"grain", []string{"grain", "alloc"}, true},
		{"lock|grain", []string{"grain"}, true},
		{"grain", []string{"alloc", "grain"}, false},
		{"grain", nil, false},
		{"", nil, true},
		{"", []string{"alloc"}, true},
		{"", []string{"alloc", "grain"}, false},
		{"alloc", []string{"alloc", "grain"}, false},
		{"alloc", []string{"alloc"}, true},
	} {
		f := explain.Finding{Verdict: verdict}
		for _, slug := range tt.found {
			f.Causes = append(f.Causes, explain.Cause{Slug: slug})
		}
		w := gallery.Want{Cause: "grain", Comparisons: []gallery.Claim{{Variant: "fast", Base: "serial", Procs: 2, Verdict: "pays", Cause: tt.claimed}}}
		got, not := Held(w, s, []explain.Finding{f}, stats.DefaultRule, stats.DefaultBounds)
		if not != nil || len(got) != 1 || got[0].CauseOK != tt.ok || len(got[0].Causes) != len(tt.found) {
			t.Errorf("claimed %q, found %v: %+v, %v; want %v", tt.claimed, tt.found, got, not, tt.ok)
		}
	}
}

// TestWrite: a claim holds if its verdict and its cause do; those that do not are
// listed, or all.
func TestWrite(t *testing.T) {
	check := func(variant string, ok, cause bool, found ...string) Check {
		return Check{Claim: gallery.Claim{Variant: variant, Base: "serial", Procs: 2, Verdict: "pays"}, Family: "S", OK: ok, CauseOK: cause, Causes: found}
	}
	cases := []Case{{"one", []Check{check("a", true, true), check("b", false, true)}}, {"two", []Check{check("c", true, false, "lock", "grain"), check("d", false, false), check("e", true, true)}}}
	for _, tt := range []struct {
		cases  []Case
		all    bool
		wrong  int
		head   string
		listed string
	}{
		{cases, false, 3, "2 of 5 claims hold\n", "bcd"}, {cases, true, 3, "2 of 5 claims hold\n", "abcde"},
		{cases[:1], false, 1, "1 of 2 claims hold\n", "b"}, {nil, true, 0, "0 of 0 claims hold\n", ""},
	} {
		var out strings.Builder
		wrong, err := Write(&out, tt.cases, tt.all)
		head, rest, _ := strings.Cut(out.String(), "\n")
		listed := ""
		for line := range strings.Lines(rest) {
			if f := strings.Fields(line); len(f) > 4 && f[0] != "claim" {
				listed += f[3]
				if fails := f[0] == "FAILS"; fails == strings.Contains("ae", f[3]) {
					t.Errorf("line %q: want that a and e hold", line)
				}
			}
		}
		if err != nil || wrong != tt.wrong || head+"\n" != tt.head || listed != tt.listed {
			t.Errorf("Write of %d cases, all %t: %d, %v, %q, lists %q; want %d, %q, %q", len(tt.cases), tt.all, wrong, err, head, listed, tt.wrong, tt.head, tt.listed)
		}
	}
	for want, k := range map[string]Check{"-": {}, "none": {Causes: []string{}}, "lock, grain": {Causes: []string{"lock", "grain"}}} {
		if got := k.found(); got != want {
			t.Errorf("found of %v = %q, want %q", k.Causes, got, want)
		}
	}
	if u := (Unmeasured{gallery.Claim{Variant: "a", Base: "b", Procs: 4}}).Error(); !strings.Contains(u, "claim a against b at any place and 4 processors") {
		t.Errorf("unmeasured: %s", u)
	}
}

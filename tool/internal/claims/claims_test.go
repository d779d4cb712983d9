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

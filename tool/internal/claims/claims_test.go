package claims

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name  string
		claim Claim
		ok    bool
		err   string
	}{
		{"holds", Claim{Variant: "fast", Base: "serial", Procs: 2, Verdict: "pays"}, true, ""},
		{"holds at a size", Claim{Variant: "fast", Base: "serial", Procs: 2, N: "8", Verdict: "pays"}, true, ""},
		{"an alternative holds", Claim{Variant: "fast", Base: "serial", Procs: 2, Verdict: "even|pays"}, true, ""},
		{"fails", Claim{Variant: "fast", Base: "serial", Procs: 2, Verdict: "loses|even|cannot say"}, false, ""},
		{"the other way round", Claim{Variant: "serial", Base: "fast", Procs: 2, Verdict: "loses"}, true, ""},
		{"no such variant", Claim{Variant: "slow", Base: "serial", Procs: 2, Verdict: "pays"}, false, "nothing like it was measured"},
		{"no such size", Claim{Variant: "fast", Base: "serial", Procs: 2, N: "80", Verdict: "pays"}, false, "nothing like it was measured"},
		{"not at these processors", Claim{Variant: "fast", Base: "serial", Procs: 1, Verdict: "pays"}, false, "nothing like it was measured"},
	} {
		got, err := Want{Pairs: []Claim{tt.claim}}.Check(twice(), nil, stats.DefaultRule, stats.DefaultBounds)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: error %v, want %q", tt.name, err, tt.err)
			}
			continue
		}
		if err != nil || len(got) != 1 || got[0].OK != tt.ok || got[0].Got.Word == judge.CannotSay {
			t.Errorf("%s: Check = %+v, %v; want OK %v", tt.name, got, err, tt.ok)
		}
	}
}

// The parameter of an experiment has the name that it says, and no cause found
// is wrong.
func TestCheckExperiment(t *testing.T) {
	claim := []Claim{{Variant: "fast", Base: "serial", Procs: 2, N: "8", Verdict: "pays"}}
	s := twice()
	for i := range s.Families {
		s.Families[i].Name = strings.ReplaceAll(s.Families[i].Name, "n=8", "depth=8")
	}
	fam := s.Families[0]
	f := explain.Finding{Causes: []explain.Cause{{Slug: "grain"}}, Verdict: judge.Verdict{Kind: measure.Variant,
		New: measure.Cell{Bench: fam.Members[1].Bench, Procs: 2}, BaseCell: measure.Cell{Bench: fam.Members[0].Bench, Procs: 2}}}
	got, err := Want{Kind: "experiment", Param: "depth", Comparisons: claim}.Check(s, []explain.Finding{f}, stats.DefaultRule, stats.DefaultBounds)
	if err != nil || len(got) != 1 || !got[0].OK || !got[0].CauseOK || len(got[0].Causes) != 1 {
		t.Errorf("Check = %+v, %v; want one claim that holds", got, err)
	}
	if _, err := (Want{Comparisons: claim}).Check(s, nil, stats.DefaultRule, stats.DefaultBounds); err == nil {
		t.Error("a claim at n=8 is held against depth=8")
	}
}

// The first cause must be a claimed one, and the case's own cause is named
// nowhere else.
func TestCheckCauses(t *testing.T) {
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
		w := Want{Cause: "grain", Comparisons: []Claim{{Variant: "fast", Base: "serial", Procs: 2, Verdict: "pays", Cause: tt.claimed}}}
		got, err := w.Check(s, []explain.Finding{f}, stats.DefaultRule, stats.DefaultBounds)
		if err != nil || len(got) != 1 || got[0].CauseOK != tt.ok || len(got[0].Causes) != len(tt.found) {
			t.Errorf("claimed %q, found %v: %+v, %v; want %v", tt.claimed, tt.found, got, err, tt.ok)
		}
	}
}

func TestLoadStrict(t *testing.T) {
	file := filepath.Join(t.TempDir(), "want.json")
	for text, ok := range map[string]bool{
		`{"case":"x","comparisons":[{"variant":"a","base":"b","procs":2,"verdict":"pays"}]}`: true,
		`{"case":"x","comparisions":[]}`: false, // a misspelt list would claim nothing
		`{"case":`:                       false,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(file); (err == nil) != ok {
			t.Errorf("Load(%s) = %v, want ok %v", text, err, ok)
		}
	}
}

package report_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// change is a verdict on a benchmark in two states of the code: ratios above 1 are
// faster.
func change(bench string, word judge.Word, ratio, low, high float64) judge.Verdict {
	return judge.Verdict{Kind: measure.Variant, Package: "m", Variant: discover.New, Base: discover.Old, Word: word,
		New: measure.Cell{Bench: discover.CodeName(bench, discover.New), Procs: 1}, BaseCell: measure.Cell{Bench: discover.CodeName(bench, discover.Old), Procs: 1},
		Estimate: stats.Estimate{Ratio: ratio, Low: low, High: high, Pairs: 12}}
}

func comparedDoc(margin float64, verdicts ...judge.Verdict) *report.Doc {
	cell := measure.Cell{Bench: discover.CodeName("BenchmarkA", discover.Old), Procs: 1}
	return report.New(report.Input{
		Codes:   &discover.Compared{Old: discover.Code{Name: "v1", Commit: "0123456789abcdef"}, New: discover.Code{Name: "v2", Commit: "fedcba9876543210"}},
		Series:  []*measure.Series{{Package: "m", Procs: []int{1}, Gone: []string{"BenchmarkG"}, Samples: map[measure.Cell][]measure.Sample{cell: {{Wall: 1}}}}},
		Results: []judge.Result{{Package: "m", Margin: margin, Even: 0.05, Verdicts: verdicts}},
	})
}

func TestCompared(t *testing.T) {
	d := comparedDoc(0.03, change("BenchmarkA", judge.Even, 1, 0.99, 1.01), change("BenchmarkB/n=1", judge.Loses, 0.8, 0.75, 0.85),
		change("BenchmarkC", judge.CannotSay, math.NaN(), 0, math.Inf(1)), change("BenchmarkD", judge.Pays, 2, 1.9, 2.1))
	if want := "v2 (fedcba987654) against v1 (0123456789ab): 1 slower (B/n=1-1 +25.0 %), of 1 nothing can be said, 1 faster, 1 without a difference"; d.Summary != want {
		t.Errorf("summary %q, want %q", d.Summary, want)
	}
	var got []string
	for _, c := range d.Compared.Changes {
		got = append(got, c.Name()+" "+string(c.Word)+" "+report.Percent(c.More.Value)+" "+c.Span())
	}
	want := []string{"B/n=1-1 slower +25.0 % [+17.6 %, +33.3 %]", "C-1 cannot say ? [-100.0 %, ?]", "D-1 faster -50.0 % [-52.4 %, -47.4 %]", "A-1 no difference +0.0 % [-1.0 %, +1.0 %]"}
	if !slices.Equal(got, want) {
		t.Errorf("changes %q, want %q", got, want)
	}
}

func TestGate(t *testing.T) {
	slower, even := change("BenchmarkA", judge.Loses, 0.9, 0.88, 0.92), change("BenchmarkB", judge.Even, 1, 0.99, 1.01)
	open, wide := change("BenchmarkC", judge.CannotSay, 0.95, 0.8, 1.1), change("BenchmarkC", judge.CannotSay, 0.95, 0.0004, 1.1)
	much := change("BenchmarkD", judge.Loses, 0.5, 0.49, 0.51)
	for _, tt := range []struct {
		name, rules     string
		margin          float64
		verdicts        []judge.Verdict
		failed, opened  int
		summary, refuse string
	}{
		{"surely slower by more", "loses:8.5%", 0.03, []judge.Verdict{slower, even}, 1, 0, "Failed: ", ""},
		{"slower by more at best", "loses:10%", 0.03, []judge.Verdict{slower, even}, 0, 1, "Passed: ", ""},
		{"slower by less", "loses:15%", 0.03, []judge.Verdict{slower, even}, 0, 0, "Passed: ", ""},
		{"one is open", "loses:10%", 0.03, []judge.Verdict{open, even}, 0, 1, "Passed: ", ""},
		{"it is closed at more", "loses:30%", 0.03, []judge.Verdict{open, even}, 0, 0, "Passed: ", ""},
		{"most are open", "loses:10%", 0.03, []judge.Verdict{open, open, even}, 0, 2, "Not judged: ", "it could resolve 25 %"},
		{"what breaks it stands, whatever is open", "loses:8.5%", 0.03, []judge.Verdict{slower, open, open, open}, 1, 3, "Failed: ", ""},
		{"less than the machine differs by itself", "loses:8.5%", 0.12, []judge.Verdict{slower}, 0, 1, "Not judged: ", "m: the machine is too noisy for loses:8.5%: the same code against itself differed by 12.0 %"},
		{"more than the machine differs by itself", "loses:8.5%", 0.12, []judge.Verdict{much}, 1, 0, "Failed: ", ""},
		{"an interval beyond all use", "loses:10%", 0.03, []judge.Verdict{wide}, 0, 1, "Not judged: ", "half of them may take more than twice as long, and it would not show"},
		{"unsure takes what is sure as well", "unsure:8.5%", 0.03, []judge.Verdict{slower, even}, 1, 0, "Failed: ", ""},
		{"unsure takes what may be more", "unsure:10%", 0.03, []judge.Verdict{slower, even}, 1, 1, "Failed: ", ""},
		{"unsure counts", "unsure:10%", 0.03, []judge.Verdict{open, even}, 1, 1, "Failed: ", ""},
		{"gone", "gone", 0.03, []judge.Verdict{even}, 1, 0, "Failed: ", ""},
		{"nothing", "loses:10%", 0.03, nil, 0, 0, "Not judged: ", "nothing was compared"},
		{"nothing, and one gone", "gone", 0.03, nil, 1, 0, "Failed: ", ""},
	} {
		var rules []report.Rule
		r, err := report.ParseRule(tt.rules)
		if err != nil || r.String() != tt.rules {
			t.Fatalf("ParseRule(%q) = %v, %v", tt.rules, r, err)
		}
		d := comparedDoc(tt.margin, tt.verdicts...)
		d.Decide(append(rules, r))
		g := d.Compared.Gate
		if len(g.Failed) != tt.failed || g.Open != tt.opened || !strings.HasPrefix(d.Summary, tt.summary) || (g.Refused != "") != (tt.refuse != "") || !strings.Contains(g.Refused, tt.refuse) {
			t.Errorf("%s: failed %q, open %d, refused %q, summary %q; want %d, %d, %q, %q", tt.name, g.Failed, g.Open, g.Refused, d.Summary, tt.failed, tt.opened, tt.refuse, tt.summary)
		}
	}
	for _, bad := range []string{"", "loses", "loses:", "loses:10", "loses:0%", "loses:x%", "loses:10%%", "loses:10 %", "loses:inf%", "gone:10%", "slower:10%"} {
		if r, err := report.ParseRule(bad); err == nil {
			t.Errorf("ParseRule(%q) = %v, want an error", bad, r)
		}
	}
}

// TestPercent: a percentage of many digits is a ratio.
func TestPercent(t *testing.T) {
	for x, want := range map[float64]string{0.123: "+12.3 %", -0.5: "-50.0 %", 8.99: "+899.0 %", 9: "10.0x", 2402.22: "2403x"} {
		if got := report.Percent(&x); got != want {
			t.Errorf("Percent(%v) = %q, want %q", x, got, want)
		}
	}
}

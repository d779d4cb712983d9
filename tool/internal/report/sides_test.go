package report_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

func num(x float64) *float64 { return &x }

// What two reports compare alike stands together, the first's on the left; what one of
// them has alone stands on its side.
func TestBeside(t *testing.T) {
	c := func(pkg, name, base string, procs, baseProcs int, word judge.Word) report.Comparison {
		return report.Comparison{Package: pkg, Name: name, BaseName: base, Procs: procs, BaseProcs: baseProcs, Verdict: word}
	}
	a := &report.Doc{Comparisons: []report.Comparison{c("m", "X", "S", 8, 8, judge.Pays), c("m", "Y", "S", 8, 8, judge.Pays), c("m", "Z", "Z", 8, 1, judge.Even), c("m", "V", "S", 8, 8, judge.Even)}}
	b := &report.Doc{Comparisons: []report.Comparison{c("m", "Z", "Z", 8, 1, judge.Loses), c("m", "X", "S", 8, 8, judge.Pays), c("n", "Y", "S", 8, 8, judge.Pays), c("m", "Y", "T", 8, 8, judge.Even), c("m", "Y", "S", 9, 8, judge.Even), c("m", "Z", "Z", 8, 2, judge.Even), c("m", "X", "S", 8, 8, judge.Loses)}}
	var got []string
	for _, x := range report.Beside(a, b) {
		side := func(c *report.Comparison) string {
			if c == nil {
				return "-"
			}
			return fmt.Sprintf("%s.%s/%s@%d/%d %s", c.Package, c.Name, c.BaseName, c.Procs, c.BaseProcs, c.Verdict)
		}
		s := side(x.A) + " | " + side(x.B)
		if x.Differ() {
			s += " !"
		}
		if of := x.Of(); of != x.A && (x.A != nil || of != x.B) {
			t.Errorf("%s is of %v", s, of)
		}
		got = append(got, s)
	}
	want := []string{
		"m.X/S@8/8 pays | m.X/S@8/8 pays", "m.Y/S@8/8 pays | -", "m.Z/Z@8/1 even | m.Z/Z@8/1 loses !", "m.V/S@8/8 even | -",
		"- | n.Y/S@8/8 pays", "- | m.Y/T@8/8 even", "- | m.Y/S@9/8 even", "- | m.Z/Z@8/2 even", "- | m.X/S@8/8 loses",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// codes are two states of the code, each with all that is known of it.
func codes() *discover.Compared {
	return &discover.Compared{Old: discover.Code{Name: "main", Commit: "0123456789abcdef", Run: ""}, New: discover.Code{Name: "HEAD", Commit: "fedcba9876543210"}}
}

// TestChangeFields: each figure of a change is what it is named for: time grows where
// the ratio is below 1, and the interval's ends change places.
func TestChangeFields(t *testing.T) {
	verdict := func(bench string, procs int, word judge.Word, ratio, low, high, wall, base float64) judge.Verdict {
		return judge.Verdict{Kind: measure.Variant, Package: "m", Benchmark: "B", Group: "G", Variant: discover.New, Base: discover.Old, Word: word, Why: "why " + bench,
			New: measure.Cell{Bench: discover.CodeName(bench, discover.New), Procs: procs}, BaseCell: measure.Cell{Bench: discover.CodeName(bench, discover.Old), Procs: procs},
			Estimate: stats.Estimate{Ratio: ratio, Low: low, High: high, Pairs: 12}, Wall: wall, BaseWall: base}
	}
	d := report.New(report.Input{
		Codes: codes(),
		Series: []*measure.Series{{Package: "m", Procs: []int{1}, Gone: []string{"BenchmarkOld"}, Added: []string{"BenchmarkNew", "BenchmarkNewer"}, Places: map[string]source.Place{"BenchmarkA": {File: "a_test.go", Line: 7, Func: "f"}}},
			{Package: "n", Gone: []string{"BenchmarkOld"}}},
		Results: []judge.Result{{Package: "m", Even: 0.07, Resolution: 0.9, Verdicts: []judge.Verdict{
			verdict("BenchmarkA/n=1", 16, judge.Loses, 0.8, 0.5, 1.25, 30, 40), verdict("BenchmarkB", 9, judge.Even, 1, 0.5, 2, 31, 41), verdict("BenchmarkC", 8, judge.Loses, 0.5, 0.4, 0.625, 32, 42), verdict("BenchmarkD", 3, judge.Pays, 2, 1, 4, math.NaN(), 43),
		}}, {Package: "n"}},
	})
	x := d.Compared
	var got []string
	for _, c := range x.Changes {
		s := fmt.Sprintf("%s %s %d %s %v [%v %v] of %d, %v to %v, within %v", c.Package, c.Benchmark, c.Procs, c.Word, report.Number(c.More.Value), report.Number(c.More.Low), report.Number(c.More.High), c.More.Pairs, report.Number(c.OldNs), report.Number(c.NewNs), c.Within)
		if c.File != "" {
			s += fmt.Sprintf(" at %s:%d", c.File, c.Line)
		}
		got = append(got, s+" "+c.Why)
		times := c.Times()
		if v := report.Number(times.Ratio); v != 1+*c.More.Value || report.Number(times.Low) != 1+*c.More.Low || report.Number(times.High) != 1+*c.More.High || times.Pairs != 12 {
			t.Errorf("%s: times %+v", c.Benchmark, times)
		}
	}
	want := []string{
		"m BenchmarkC 8 slower 1 [0.6000000000000001 1.5] of 12, 42 to 32, within 0 why BenchmarkC",
		"m BenchmarkA/n=1 16 slower 0.25 [-0.19999999999999996 1] of 12, 40 to 30, within 0 at a_test.go:7 why BenchmarkA/n=1",
		"m BenchmarkD 3 faster -0.5 [-0.75 0] of 12, 43 to NaN, within 0 why BenchmarkD",
		"m BenchmarkB 9 no difference 0 [-0.5 1] of 12, 41 to 31, within 0.07 why BenchmarkB",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s := fmt.Sprint(x.Gone, " ", x.Added, " ", x.Old.Name, " against ", x.New.Name); s != "[{m BenchmarkOld} {n BenchmarkOld}] [{m BenchmarkNew} {m BenchmarkNewer}] main against HEAD" {
		t.Errorf("gone and added %s", s)
	}
	if c := (&report.Change{}).Times(); c.Ratio != nil || c.Low != nil || c.High != nil {
		t.Errorf("times %+v of what is not known", c)
	}
}

// TestSaid: a code is named as a person named it, with its commit where that is more.
func TestSaid(t *testing.T) {
	for _, tt := range []struct {
		c    discover.Code
		want string
	}{
		{discover.Code{Name: "main"}, "main"},
		{discover.Code{Name: "main", Commit: "0123456789abcdef"}, "main (0123456789ab)"},
		{discover.Code{Name: "01234", Commit: "0123456789abcdef"}, "01234"},
		{discover.Code{Name: "HEAD", Commit: "0123456789abcdef", Dirty: true}, "HEAD (0123456789ab and changes that are not committed)"},
		{discover.Code{Name: "dir", Run: "rec"}, "dir"},
	} {
		if got := report.Said(tt.c); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.c, got, tt.want)
		}
	}
}

// TestNextOfCompared: what mends a problem, or two runs measured side by side, or why
// the worst is slower.
func TestNextOfCompared(t *testing.T) {
	slower := func(in *report.Input) {
		in.Results[0].Verdicts = []judge.Verdict{change("BenchmarkA/n=1", judge.Loses, 0.8, 0.7, 0.9), change("BenchmarkB", judge.Loses, 0.5, 0.4, 0.6)}
	}
	apart := func(in *report.Input) { in.Codes.Old.Run, in.Codes.New.Run = "old run", "newrun" }
	for _, tt := range []struct {
		name          string
		change        []func(in *report.Input)
		want, summary string
	}{
		{"no difference", nil, "payoff replay rec", "HEAD (fedcba987654) against main (0123456789ab): 1 without a difference"},
		{"slower", []func(*report.Input){slower}, "payoff run -bench '^BenchmarkB$' m", "HEAD (fedcba987654) against main (0123456789ab): 2 slower (B-1 +100.0 %)"},
		{"two runs of two commits", []func(*report.Input){slower, apart}, "payoff compare 0123456789ab fedcba987654", ""},
		{"short commits", []func(*report.Input){apart, func(in *report.Input) { in.Codes.Old.Commit, in.Codes.New.Commit = "01", "fe" }}, "payoff compare 01 fe", ""},
		{"two runs of one commit", []func(*report.Input){apart, func(in *report.Input) { in.Codes.New.Commit = in.Codes.Old.Commit }}, "payoff replay newrun", ""},
		{"two runs of one commit, slower", []func(*report.Input){slower, apart, func(in *report.Input) { in.Codes.New.Commit = in.Codes.Old.Commit }}, "payoff run -bench '^BenchmarkB$' m", ""},
		{"a run of changes that are not committed", []func(*report.Input){apart, func(in *report.Input) { in.Codes.New.Dirty = true }}, "payoff replay newrun", ""},
		{"another of changes that are not committed", []func(*report.Input){apart, func(in *report.Input) { in.Codes.Old.Dirty = true }}, "payoff replay newrun", ""},
		{"a run of no commit that is known", []func(*report.Input){apart, func(in *report.Input) { in.Codes.New.Commit = "" }}, "payoff replay newrun", ""},
		{"another of no commit that is known", []func(*report.Input){apart, func(in *report.Input) { in.Codes.Old.Commit = "" }}, "payoff replay newrun", ""},
		{"a problem", []func(*report.Input){slower, func(in *report.Input) {
			in.Problems = []problem.Problem{{Package: "q", Reason: "no", Next: "go mod tidy"}}
		}}, "go mod tidy", ""},
		{"a problem that no command mends", []func(*report.Input){slower, func(in *report.Input) {
			in.Problems = []problem.Problem{{Package: "q", Reason: "no", Next: "take it out"}}
		}}, "payoff run -bench '^BenchmarkB$' m", ""},
		{"nothing", []func(*report.Input){func(in *report.Input) { in.Results[0].Verdicts = nil }}, "payoff replay rec", "Nothing was compared: no benchmark is in both"},
		{"nothing, for a reason", []func(*report.Input){func(in *report.Input) {
			in.Results[0].Verdicts = nil
			in.Problems = []problem.Problem{{Package: "q", Reason: "does not compile", Next: "mend it"}}
		}}, "payoff replay rec", "Nothing was compared: does not compile"},
	} {
		in := report.Input{Record: "rec", Codes: codes(), Series: []*measure.Series{{Package: "m", Procs: []int{1}}}, Results: []judge.Result{{Package: "m", Verdicts: []judge.Verdict{change("BenchmarkA", judge.Even, 1, 0.99, 1.01)}}}}
		for _, f := range tt.change {
			f(&in)
		}
		d := report.New(in)
		if d.Next != tt.want || tt.summary != "" && d.Summary != tt.summary {
			t.Errorf("%s: next %s, summary %s; want %s, %s", tt.name, d.Next, d.Summary, tt.want, tt.summary)
		}
		warned := strings.Contains(strings.Join(d.Warnings, "; "), "the two runs are of different sessions")
		if warned != d.Compared.Apart {
			t.Errorf("%s: apart %t, warnings %q", tt.name, d.Compared.Apart, d.Warnings)
		}
	}
}

// TestGateEdges: rules at their sizes, each sentence of what broke one, and how many
// are open.
func TestGateEdges(t *testing.T) {
	c := func(bench string, word report.ChangeWord, more, low, high float64) report.Change {
		x := report.Change{Package: "m", Benchmark: bench, Procs: 16, Line: 3, Word: word, Why: "why", More: report.Interval{Value: num(more), Low: num(low)}}
		if !math.IsNaN(high) {
			x.More.High = num(high)
		}
		return x
	}
	rule := func(s string) report.Rule {
		r, err := report.ParseRule(s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, tt := range []struct {
		name            string
		rules           []string
		changes         []report.Change
		gone            []report.Unmatched
		packages        []report.Package
		failed, summary string
		open            int
	}{
		{"slower by its size", []string{"loses:12.5%"}, []report.Change{c("B", report.Slower, 0.15, 0.125, 0.2)}, nil, nil, "loses:12.5%: m B at 16 takes +15.0 % [+12.5 %, +20.0 %]", "Failed: S", 0},
		{"slower by less", []string{"loses:12.5%"}, []report.Change{c("B", report.Slower, 0.15, 0.1249, 0.2), c("C", report.NoDifference, 0, 0, 0)}, nil, nil, "", "Passed: S", 1},
		{"surely slower by less", []string{"loses:12.5%"}, []report.Change{c("B", report.Slower, 0.11, 0.1, 0.1249)}, nil, nil, "", "Passed: S", 0},
		{"faster by more", []string{"loses:12.5%"}, []report.Change{c("B", report.Faster, 0.5, 0.1, 0.2)}, nil, nil, "", "Passed: S", 0},
		{"slower, and perhaps by more", []string{"unsure:12.5%"}, []report.Change{c("B", report.Slower, 0.5, 0.1, 0.2)}, nil, nil, "unsure:12.5%: m B at 16 may take more: +50.0 % [+10.0 %, +20.0 %]", "Failed: S", 1},
		{"open to its size", []string{"unsure:12.5%"}, []report.Change{c("B", report.CannotSay, 0.01, -0.1, 0.125), c("C", report.NoDifference, 0, 0, 0)}, nil, nil, "unsure:12.5%: m B at 16 may take more: +1.0 % [-10.0 %, +12.5 %]", "Failed: S", 1},
		{"open to less", []string{"unsure:12.5%"}, []report.Change{c("B", report.CannotSay, 0.01, -0.1, 0.1249)}, nil, nil, "", "Passed: S", 0},
		{"open without end", []string{"unsure:12.5%"}, []report.Change{c("B", report.CannotSay, 0.01, -0.1, math.NaN()), c("C", report.NoDifference, 0, 0, 0)}, nil, nil, "unsure:12.5%: m B at 16 may take more: +1.0 % [-10.0 %, ?]", "Failed: S", 1},
		{"half are open", []string{"loses:10%"}, []report.Change{c("B", report.CannotSay, 0.01, -0.1, 0.5), c("C", report.NoDifference, 0, 0, 0)}, nil, nil, "", "Passed: S", 1},
		{"most are open", []string{"loses:10%"}, []report.Change{c("B", report.CannotSay, 0.01, -0.1, 0.502), c("C", report.CannotSay, 0.01, -0.1, 0.3), c("D", report.NoDifference, 0, 0, 0.001)}, nil, nil, "", "Not judged: the machine is too noisy, or -budget too short, for loses:10%: that is open for 2 of 3 benchmarks; it could resolve 30 %", 2},
		{"most are open, by little", []string{"loses:10%"}, []report.Change{c("B", report.CannotSay, 0.01, -0.1, 0.502), c("C", report.CannotSay, 0.01, -0.1, 0.301), c("D", report.NoDifference, 0, 0, 0.001)}, nil, nil, "", "Not judged: the machine is too noisy, or -budget too short, for loses:10%: that is open for 2 of 3 benchmarks; it could resolve 31 %", 2},
		{"most are open without end", []string{"loses:10%"}, []report.Change{c("B", report.CannotSay, 0.01, -0.1, math.NaN()), c("C", report.CannotSay, 0.01, -0.1, math.NaN()), c("D", report.NoDifference, 0, 0, 0.001)}, nil, nil, "", "Not judged: the machine is too noisy, or -budget too short, for loses:10%: that is open for 2 of 3 benchmarks; it could resolve nothing", 2},
		{"most are open, and one without end", []string{"loses:10%"}, []report.Change{c("B", report.CannotSay, 0.01, -0.1, math.NaN()), c("C", report.CannotSay, 0.01, -0.1, 0.4), c("D", report.NoDifference, 0, 0, -0.1)}, nil, nil, "", "Not judged: the machine is too noisy, or -budget too short, for loses:10%: that is open for 2 of 3 benchmarks; it could resolve 40 %", 2},
		{"most are open, of doubts", []string{"unsure:10%"}, []report.Change{c("B", report.CannotSay, 0.01, -0.1, 0.5)}, nil, nil, "unsure:10%: m B at 16 may take more: +1.0 % [-10.0 %, +50.0 %]", "Failed: S", 1},
		{"several rules", []string{"gone", "loses:10%", "unsure:5%"}, []report.Change{c("B", report.Slower, 0.2, 0.1, 0.3), c("C", report.CannotSay, 0.01, -0.1, 0.06), c("D", report.NoDifference, 0, 0, 0)}, []report.Unmatched{{Package: "m", Benchmark: "Old"}}, nil,
			"gone: m Old is not there any more; loses:10%: m B at 16 takes +20.0 % [+10.0 %, +30.0 %]; unsure:5%: m B at 16 takes +20.0 % [+10.0 %, +30.0 %]; unsure:5%: m C at 16 may take more: +1.0 % [-10.0 %, +6.0 %]", "Failed: S", 1},
		{"as steady as the rule", []string{"loses:12.5%"}, []report.Change{c("B", report.NoDifference, 0, 0, 0)}, nil, []report.Package{{Package: "m", Samples: 9, Margin: 0.125, Even: 0.7}}, "", "Passed: S", 0},
		{"not as steady", []string{"loses:12.5%"}, []report.Change{c("B", report.NoDifference, 0, 0, 0)}, nil, []report.Package{{Package: "m", Samples: 9, Margin: 0.126, Even: 0.7}}, "", "Not judged: m: the machine is too noisy for loses:12.5%: the same code against itself differed by 12.6 %", 1},
		{"not measured", []string{"loses:12.5%"}, []report.Change{c("B", report.NoDifference, 0, 0, 0)}, nil, []report.Package{{Package: "m", Layouts: 3, Margin: 0.5}}, "", "Passed: S", 0},
		{"nothing", []string{"loses:12.5%"}, nil, nil, nil, "", "Not judged: nothing was compared", 0},
		{"nothing, and not steady", []string{"loses:12.5%"}, nil, nil, []report.Package{{Package: "m", Samples: 9, Margin: 0.5}}, "", "Not judged: nothing was compared", 0},
	} {
		d := &report.Doc{Summary: "S", Packages: tt.packages, Compared: &report.Compared{Changes: tt.changes, Gone: tt.gone}}
		var rules []report.Rule
		for _, s := range tt.rules {
			rules = append(rules, rule(s))
		}
		d.Decide(rules)
		g := d.Compared.Gate
		if got := strings.Join(g.Failed, "; "); got != tt.failed || d.Summary != tt.summary || g.Open != tt.open || strings.Join(g.Rules, " ") != strings.Join(tt.rules, " ") {
			t.Errorf("%s: rules %q failed %s, summary %s, open %d\nwant %s, %s, %d", tt.name, g.Rules, got, d.Summary, g.Open, tt.failed, tt.summary, tt.open)
		}
	}
	for text, want := range map[string]string{"": "no such rule", "loses": "by how much is missing", "gone:1%": "gone has no size", "loses:0%": "the size is no percentage above 0", "loses:1e999%": "the size is no percentage above 0", "loses:-3%": "the size is no percentage above 0", "slower:3%": "no such rule"} {
		if _, err := report.ParseRule(text); err == nil || err.Error() != fmt.Sprintf("-fail-on %q: %s: want %s", text, want, report.RuleHelp) {
			t.Errorf("ParseRule(%q): %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]report.Rule{" loses:12.5% ": {Verb: "loses", By: 0.125}, "unsure:3%": {Verb: "unsure", By: 0.03}, "gone": {Verb: "gone"}} {
		if r := rule(text); r != want || r.String() != strings.TrimSpace(text) {
			t.Errorf("ParseRule(%q) = %+v, %s", text, r, r)
		}
	}
}

// TestGroupEdges: which comparisons stand together, and whose evidence is shown.
func TestGroupEdges(t *testing.T) {
	c := func(pkg, bench, name string, kind measure.Kind, procs, baseProcs int, word judge.Word, ratio *float64, explained bool) report.Comparison {
		return report.Comparison{Package: pkg, Benchmark: bench, Name: name, Kind: kind, Procs: procs, BaseProcs: baseProcs, Verdict: word, Ratio: ratio, Explained: explained}
	}
	d := &report.Doc{Comparisons: []report.Comparison{
		c("m", "A", "A/x", measure.Variant, 8, 8, judge.Pays, num(3), false),
		c("n", "A", "A/x", measure.Variant, 8, 8, judge.Loses, num(0.1), false),
		c("m", "A", "A/x", measure.Scaling, 8, 1, judge.Even, num(1), true),
		c("m", "A", "A/y", measure.Scaling, 9, 1, judge.Even, num(1), true),
		c("m", "B", "B1", measure.Scaling, 8, 1, judge.Even, num(1), false),
		c("m", "B", "B2", measure.Scaling, 8, 1, judge.Even, nil, false),
		c("m", "B", "B1", measure.Scaling, 16, 1, judge.Loses, num(0.7), false),
		c("n", "B", "B1", measure.Scaling, 8, 1, judge.Even, num(1), false),
		c("m", "C", "C/x", measure.Variant, 3, 3, judge.Even, num(0.9), true),
		c("m", "C", "C/y", measure.Variant, 8, 8, judge.CannotSay, num(0.95), false),
		c("m", "C", "C/z", measure.Variant, 8, 8, judge.Even, num(0.2), false),
		c("m", "C", "C/x", measure.Variant, 3, 1, judge.Even, num(0.9), true),
		c("m", "C", "C/x", measure.Scaling, 3, 1, judge.Even, num(0.9), true),
	}}
	show := func(groups []*report.Group) string {
		var out []string
		for _, g := range groups {
			name := func(c *report.Comparison) string {
				if c == nil {
					return "-"
				}
				return fmt.Sprintf("%s@%d/%d", c.Name, c.Procs, c.BaseProcs)
			}
			s := ""
			for _, c := range g.Of {
				s += name(c) + " "
			}
			s += "|"
			for _, c := range g.Scaling {
				s += " " + name(c)
			}
			out = append(out, s+" worst "+name(g.Worst())+" shows "+name(g.Evident()))
		}
		return strings.Join(out, "\n")
	}
	based, alone := d.Groups("m")
	if got, want := show(based), `A/x@8/8 | A/x@8/1 A/y@9/1 worst A/x@8/8 shows A/y@9/1
C/x@3/3 C/y@8/8 C/z@8/8 C/x@3/1 | C/x@3/1 worst C/y@8/8 shows C/x@3/3`; got != want {
		t.Errorf("with a base:\n%s\nwant\n%s", got, want)
	}
	if got, want := show(alone), `B1@8/1 B1@16/1 | worst B1@16/1 shows -
B2@8/1 | worst B2@8/1 shows -`; got != want {
		t.Errorf("without:\n%s\nwant\n%s", got, want)
	}
	// By the worst verdict, then by ratio; ratios that are not known come last.
	if got, want := show(report.WorstFirst(append(based, alone...))), `B1@8/1 B1@16/1 | worst B1@16/1 shows -
C/x@3/3 C/y@8/8 C/z@8/8 C/x@3/1 | C/x@3/1 worst C/y@8/8 shows C/x@3/3
B2@8/1 | worst B2@8/1 shows -
A/x@8/8 | A/x@8/1 A/y@9/1 worst A/x@8/8 shows A/y@9/1`; got != want {
		t.Errorf("worst first:\n%s\nwant\n%s", got, want)
	}
	one := func(word judge.Word, ratio *float64) *report.Group {
		x := c("m", "X", string(word), measure.Variant, 1, 1, word, ratio, false)
		return &report.Group{Of: []*report.Comparison{&x}}
	}
	all := []*report.Group{one(judge.Pays, num(2)), one(judge.Pays, nil), one(judge.Pays, num(1.5)), one(judge.Even, num(9)), one(judge.CannotSay, num(9)), one(judge.Loses, num(0.5))}
	got := ""
	for _, g := range report.WorstFirst(all) {
		got += fmt.Sprintf("%s %v, ", g.Worst().Verdict, report.Number(g.Worst().Ratio))
	}
	if want := "loses 0.5, cannot say 9, even 9, pays 1.5, pays 2, pays NaN, "; got != want {
		t.Errorf("%s want %s", got, want)
	}
	for word, want := range map[judge.Word]bool{judge.Loses: true, judge.Even: false, judge.CannotSay: false, judge.Pays: false} {
		if got := (&report.Doc{Comparisons: []report.Comparison{{Verdict: judge.Even}, {Verdict: word}}}).Loses(); got != want {
			t.Errorf("%s loses: %t", word, got)
		}
	}
	for _, tt := range []struct{ low, high, want float64 }{{1, 2, 2}, {1, math.NaN(), math.Inf(1)}, {math.NaN(), math.NaN(), math.NaN()}, {math.NaN(), 2, 2}} {
		known := func(x float64) *float64 {
			if math.IsNaN(x) {
				return nil
			}
			return &x
		}
		if got := report.Upper(known(tt.low), known(tt.high)); got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("Upper(%v, %v) = %v, want %v", tt.low, tt.high, got, tt.want)
		}
	}
}

// TestStripOrder: strips by name and processors, those that were dropped among the
// others by round, and as many as there is room for.
func TestStripOrder(t *testing.T) {
	cell := func(bench string, procs int) measure.Cell { return measure.Cell{Bench: bench, Procs: procs} }
	samples := func(from, n int) (all []measure.Sample) {
		for i := range n {
			all = append(all, measure.Sample{Round: int32(from + i), Wall: 123456.7})
		}
		return all
	}
	s := &measure.Series{Package: "m", Binary: "b", Samples: map[measure.Cell][]measure.Sample{
		cell("B", 2): samples(1, 3), cell("A", 16): samples(1, 6), cell("A", 9): samples(2, 2), {Bench: "A", Procs: 9, Twin: true}: samples(1, 9), cell("E", 1): {},
	}, Spoiled: map[measure.Cell][]measure.Sample{cell("A", 9): samples(1, 2), cell("C", 1): samples(4, 1), {Bench: "D", Procs: 1, Twin: true}: samples(1, 1)}}
	show := func(most int) string {
		var out []string
		for _, x := range report.Strips([]*measure.Series{s}, most) {
			dots := ""
			for _, p := range x.Points {
				dots += fmt.Sprint(" ", p.Round)
				if p.Dropped {
					dots += "x"
				}
				if p.NS != 123500 {
					t.Errorf("a dot of %v, want four digits", p.NS)
				}
			}
			out = append(out, fmt.Sprintf("%s %s-%d every %d:%s", x.Package, x.Name, x.Procs, x.Every, dots))
		}
		return strings.Join(out, "\n")
	}
	whole := "m A-9 every 0: 1x 2 2x 3\nm A-16 every 0: 1 2 3 4 5 6\nm B-2 every 0: 1 2 3\nm C-1 every 0: 4x"
	for most, want := range map[int]string{
		14: whole, 100: whole,
		13: "m A-9 every 2: 1x 2x\nm A-16 every 2: 1 3 5\nm B-2 every 1: 1 2 3\nm C-1 every 1: 4x", // three each
		8:  "m A-9 every 2: 1x 2x\nm A-16 every 3: 1 4\nm B-2 every 2: 1 3\nm C-1 every 1: 4x",
		2:  "m A-9 every 4: 1x\nm A-16 every 6: 1\nm B-2 every 3: 1\nm C-1 every 1: 4x",
	} {
		if got := show(most); got != want {
			t.Errorf("room for %d:\n%s\nwant\n%s", most, got, want)
		}
	}
}

package text_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/verify"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

var update = flag.Bool("update", false, "write what the tests got into testdata")

func comparison(kind measure.Kind, bench, variant, base string, procs int, word judge.Word, ratio float64) report.Comparison {
	c := report.Comparison{
		Package: "example.com/p", Benchmark: bench, Variant: variant, Base: base, Kind: kind, Procs: procs, BaseProcs: procs, Verdict: word,
		Ratio: &ratio, Low: new(ratio * 0.9), High: new(ratio * 1.1), Pairs: 12, Wall: new(1000 / ratio), BaseWall: new(1000.),
		Cores: interval(1.9), BaseCores: interval(1), Overhead: interval(1.05), Inflation: interval(1.1), Name: "Benchmark" + bench,
	}
	if variant != "" {
		c.Name += "/variant=" + variant
	}
	if kind == measure.Scaling {
		c.BaseProcs = 1
	}
	if word == judge.CannotSay {
		c.Why = "the interval is too wide after 12 pairs"
	}
	return c
}

func interval(x float64) report.Interval {
	return report.Interval{Value: &x, Low: new(x * 0.99), High: new(x * 1.01)}
}

func doc(comparisons ...report.Comparison) *report.Doc {
	return &report.Doc{
		Schema: report.Schema, Payoff: "v0", Summary: "The answer", Next: "payoff what comes next",
		Environment: machine.Env{CPU: "A CPU", UsableCPUs: 2, Go: "go1.26.8"}, Capacity: []machine.Capacity{{Procs: 2, Cores: 1.97}},
		Packages: []report.Package{{
			Package: "example.com/p", Procs: []int{1, 2}, End: measure.Decided, Samples: 5, Dropped: map[string]int{"steal": 3}, Margin: 0.03, Even: 0.051,
			Control: report.Interval{Value: new(1.), Low: new(0.99), High: new(1.01), Pairs: 12},
		}},
		Comparisons: comparisons, Record: ".payoff/runs/x",
	}
}

// written is the report of d and its pages.
func written(t *testing.T, d *report.Doc, o text.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := text.Report(&b, d, o); err != nil {
		t.Fatal(err)
	}
	if err := text.Why(&b, d, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What the machine gave is told, whatever counts were measured.
func TestGiven(t *testing.T) {
	for _, tt := range []struct {
		usable int
		caps   []machine.Capacity
		want   string
	}{
		{2, []machine.Capacity{{Procs: 1, Cores: 1}, {Procs: 2, Cores: 1.97}, {Procs: 4, Cores: 1.9}}, "A CPU, 2 processors (1.97 given)"},
		{2, []machine.Capacity{{Procs: 1, Cores: 1}, {Procs: 8, Cores: 1.8}, {Procs: 4, Cores: 1.9}}, "A CPU, 2 processors (1.90 given)"},
		{1, []machine.Capacity{{Procs: 1, Cores: 0.98}, {Procs: 2, Cores: 0.99}}, "A CPU, 1 processor (0.99 given)"},
		{4, []machine.Capacity{{Procs: 1, Cores: 1}, {Procs: 2, Cores: 1.97}}, "A CPU, 4 processors, go"},
	} {
		d := doc()
		d.Environment.UsableCPUs, d.Capacity = tt.usable, tt.caps
		if s := written(t, d, text.Options{}); !strings.Contains(s, tt.want) {
			t.Errorf("%d usable, %v: no %q in\n%s", tt.usable, tt.caps, tt.want, s)
		}
	}
}

// The size from which a variant pays is told of the processors there are.
func TestCrossoverBeyond(t *testing.T) {
	d := doc()
	at := 3440.0
	d.Crossovers = []report.Crossover{{Package: "example.com/p", Variant: "split", Base: "serial", Procs: 4, Param: "size", At: report.Interval{Value: &at}, Below: 1000, Above: 10000}}
	if s := written(t, d, text.Options{}); !strings.Contains(s, "split begins to pay at 2 processors with GOMAXPROCS=4 between size = 1000 and 10000: about 3440 by interpolation, which was not measured") {
		t.Errorf("the crossover is of 4 processors:\n%s", s)
	}
}

func TestReport(t *testing.T) {
	d := doc(
		comparison(measure.Variant, "Sum", "local", "serial", 2, judge.Pays, 1.8),
		comparison(measure.Variant, "Sum", "largename", "serial", 2, judge.CannotSay, 0.01),
		comparison(measure.Scaling, "Sum", "local", "local", 2, judge.Even, 1),
		comparison(measure.Scaling, "Alone", "", "", 2, judge.Pays, 2))
	d.Comparisons[0].BaseCores = interval(0.5)
	few := comparison(measure.Variant, "Few", "one", "serial", 2, judge.CannotSay, 1.2)
	few.Low, few.High = new(0.), nil
	none := comparison(measure.Variant, "Few", "none", "serial", 2, judge.CannotSay, 1)
	none.Ratio, none.Low, none.High, none.Pairs, none.Wall, none.Cores = nil, nil, nil, 0, nil, report.Interval{}
	d.Comparisons = append(d.Comparisons, few, none)
	gone := comparison(measure.Scaling, "Gone", "", "", 2, judge.Pays, 2.5)
	gone.Explained, gone.Page = true, report.Page{Sides: []report.Side{{}}}
	gone.Doubts = []report.Doubt{{Kind: judge.CompiledAway, Name: gone.Name, Procs: 2, Text: "no work"}}
	d.Comparisons = append(d.Comparisons, gone)
	d.Problems = []problem.Problem{
		{Package: "example.com/p", Benchmark: "BenchmarkBad", Reason: "panics \x1b[2J", Next: "mend it"},
		{Package: "example.com/p", Benchmark: "BenchmarkX", Reason: "skips itself", Next: "make it run here", Note: true},
	}
	s := written(t, d, text.Options{})
	for _, want := range []string{
		"vs serial", "1.80x  [1.62, 1.98]    pays", "cannot say: largename at 2: the interval is too wide after 12 pairs", "cannot say: one at 2, none at 2: the",
		"2.50x  [2.25, 2.75]  pays?", "in doubt: Gone at 2: no work",
		"(1.90/0.5)/(1.05×1.10)", "1.20x  [0, ∞]", "-            cannot say", "noise floor (the same code against itself): 1.000 [0.990, 1.010] over 12 pairs", "every comparison decided; 3 disturbed and taken again (steal)",
		"\nproblem: example.com/p: BenchmarkBad: panics \\x1b[2J: mend it\n", "\nnote: example.com/p: BenchmarkX: skips itself: make it run here\n", "A CPU, 2 processors (1.97 given)", "raw results: .payoff/runs/x\n", "Alone ", "\nnext: payoff what comes next\n",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("text lacks %q:\n%s", want, s)
		}
	}
	if first, _, _ := strings.Cut(s, "\n"); first != d.Summary {
		t.Errorf("first line %q, want %q", first, d.Summary)
	}
	coloured := written(t, d, text.Options{Colours: true})
	if !strings.Contains(coloured, "\x1b[32mpays\x1b[") || strings.Contains(s, "\x1b") {
		t.Error("escape codes belong in the coloured text and only there")
	}
	if plain := escape.ReplaceAllString(coloured, ""); plain != s {
		t.Errorf("colours change the text:\n%s\nwant\n%s", plain, s)
	}
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestWidth: nothing is wider than the terminal but a single word, and
// what is to be copied. Where colours begin and end changes no line.
func TestWidth(t *testing.T) {
	for name, d := range map[string]*report.Doc{"many": many(), "names": names()} {
		for _, width := range []int{70, 80, 120} {
			for _, all := range []bool{false, true} {
				o := text.Options{Width: width, All: all}
				s := written(t, d, o)
				for line := range strings.Lines(s) {
					line = strings.TrimRight(line, "\n")
					alone := !strings.Contains(strings.TrimLeft(line, " "), " ")
					if runewidth.StringWidth(line) > width && !alone && !strings.HasPrefix(line, "next: ") && !strings.HasPrefix(line, "raw results: ") {
						t.Errorf("%s at %d columns: a line of %d: %s", name, width, runewidth.StringWidth(line), line)
					}
				}
				o.Colours = true
				if plain := escape.ReplaceAllString(written(t, d, o), ""); plain != s {
					t.Errorf("%s at %d columns: colours change the text:\n%s\nwant\n%s", name, width, plain, s)
				}
			}
			golden(t, fmt.Sprintf("%s-%d.txt", name, width), written(t, d, text.Options{Width: width}))
		}
	}
}

// TestBars: where the terminal is wide enough each row has its interval and what part
// of the processors it got, and no table is divided for that.
func TestBars(t *testing.T) {
	d := doc()
	for i, ratio := range []float64{1.9, 1.02, 0.4, 0.011, 170} {
		variant := fmt.Sprint("v", i)
		for _, procs := range []int{1, 2} {
			d.Comparisons = append(d.Comparisons, comparison(measure.Variant, "Sum", variant, "serial", procs, judge.Pays, ratio))
		}
		d.Comparisons = append(d.Comparisons, comparison(measure.Scaling, "Sum", variant, variant, 2, judge.Even, ratio), comparison(measure.Scaling, fmt.Sprint("Alone", i), "", "", 4, judge.Even, 2*ratio))
	}
	d.Comparisons[0].Low, d.Comparisons[0].High = new(0.), nil
	none := comparison(measure.Variant, "Sum", "none", "serial", 2, judge.CannotSay, 1)
	none.Ratio, none.Low, none.High, none.Pairs, none.Wall = nil, nil, nil, 0, nil
	d.Comparisons = append(d.Comparisons, none)
	for _, width := range []int{70, 100, 160} {
		plain := written(t, d, text.Options{Width: width})
		for name, bars := range map[string]text.Bars{"ascii": text.ASCII, "unicode": text.Unicode} {
			s := written(t, d, text.Options{Width: width, Bars: bars})
			for line := range strings.Lines(s) {
				if line = strings.TrimRight(line, "\n"); runewidth.StringWidth(line) > width && !strings.HasPrefix(line, "next: ") && !strings.HasPrefix(line, "raw results: ") {
					t.Errorf("%s at %d columns: a line of %d: %s", name, width, runewidth.StringWidth(line), line)
				}
			}
			if bars == text.ASCII && strings.ContainsFunc(s, func(r rune) bool { return r > 127 && !strings.ContainsRune("µ×÷∞", r) }) {
				t.Errorf("at %d columns there is more than ASCII:\n%s", width, s)
			}
			if a, b := strings.Count(s, "\n"), strings.Count(plain, "\n"); a != b {
				t.Errorf("%s at %d columns: %d lines, %d without", name, width, a, b)
			}
			if width > 70 {
				golden(t, fmt.Sprintf("bars-%s-%d.txt", name, width), s)
			}
		}
	}
	if a, b := written(t, d, text.Options{Bars: text.Unicode}), written(t, d, text.Options{}); a != b {
		t.Errorf("a file has drawings:\n%s", a)
	}
}

// What became of benchmarks fits any width, with a drawing where there is room.
func TestCompareWidth(t *testing.T) {
	d := doc()
	d.Compared = &report.Compared{
		Gone: []report.Unmatched{{Package: "example.com/p", Benchmark: "BenchmarkGone"}}, Added: []report.Unmatched{{Package: "example.com/p", Benchmark: "BenchmarkAdded"}},
		Gate: &report.Gate{Rules: []string{"loses:10%"}, Failed: []string{"loses:10%: example.com/p BenchmarkHash at 1 takes +10.4 % [+8.1 %, +12.0 %]"}},
	}
	for _, c := range []report.Change{
		{Benchmark: "BenchmarkHash", Word: report.Slower, More: report.Interval{Value: new(0.104), Low: new(0.081), High: new(0.12), Pairs: 12}},
		{Benchmark: "BenchmarkWide/n=1000000", Word: report.CannotSay, Why: "the interval is too wide after 12 pairs", More: report.Interval{Value: new(0.5), Low: new(-0.3), Pairs: 12}},
		{Benchmark: "BenchmarkNever", Word: report.CannotSay, Why: "no pair"},
		{Benchmark: "BenchmarkMap", Word: report.Faster, More: report.Interval{Value: new(-0.5), Low: new(-0.52), High: new(-0.47), Pairs: 12}},
		{Benchmark: "BenchmarkSort", Word: report.NoDifference, Within: 0.051, More: report.Interval{Value: new(0.), Low: new(-0.01), High: new(0.01), Pairs: 12}},
	} {
		c.Package, c.Procs, c.OldNs = "example.com/p", 1, new(1000.)
		if c.More.Value != nil {
			c.NewNs = new(1000 * (1 + *c.More.Value))
		}
		d.Compared.Changes = append(d.Compared.Changes, c)
	}
	for name, o := range map[string]text.Options{"compare-70": {Width: 70, Bars: text.Unicode}, "compare-120": {Width: 120, Bars: text.Unicode}, "compare-ascii-120": {Width: 120, Bars: text.ASCII}} {
		var b bytes.Buffer
		if err := text.Compare(&b, d, o); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if line = strings.TrimRight(line, "\n"); runewidth.StringWidth(line) > o.Width && !strings.HasPrefix(line, "next: ") && !strings.HasPrefix(line, "raw results: ") {
				t.Errorf("%s: a line of %d: %s", name, runewidth.StringWidth(line), line)
			}
		}
		golden(t, name+".txt", b.String())
	}
}

// golden compares what was got with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != got {
		t.Errorf("%s (%v): got\n%s\nwrite it with go test ./tool/internal/report/text -run Width -update", file, err, got)
	}
}

// many is a report on 300 benchmarks without a base and 50 families with one,
// each worse than the one before it.
func many() *report.Doc {
	d := doc()
	word := func(ratio float64) judge.Word {
		switch {
		case ratio > 1.1:
			return judge.Pays
		case ratio > 1.05:
			return judge.Even
		case ratio > 0.95:
			return judge.CannotSay
		}
		return judge.Loses
	}
	for i := range 50 {
		ratio := 2 - float64(i)/40
		bench := fmt.Sprintf("Queue/n=%d", i)
		for _, procs := range []int{1, 2} {
			d.Comparisons = append(d.Comparisons, comparison(measure.Variant, bench, "ring", "channel", procs, word(ratio), ratio))
		}
		d.Comparisons = append(d.Comparisons, comparison(measure.Scaling, bench, "ring", "ring", 2, word(ratio), ratio))
	}
	for i := range 300 {
		ratio := 2 - float64(i)/200
		d.Comparisons = append(d.Comparisons, comparison(measure.Scaling, fmt.Sprintf("Parse/line=%d", i), "", "", 2, word(ratio), ratio))
	}
	for i := range 27 {
		d.Problems = append(d.Problems, problem.Problem{Package: "example.com/p", Benchmark: fmt.Sprintf("BenchmarkBad%d", i), Reason: "panics", Next: "mend it"})
		d.Warnings = append(d.Warnings, fmt.Sprintf("example.com/p%d: interrupted: judged from what there is", i))
	}
	return d
}

// names is a report on benchmarks with names that are long, wide, or begin
// alike.
func names() *report.Doc {
	long := strings.Repeat("VeryLong", 25)
	d := doc()
	for _, variant := range []string{"並列", "チャネル経由", long, "x"} {
		for _, procs := range []int{1, 2} {
			d.Comparisons = append(d.Comparisons, comparison(measure.Variant, "合計/n=1000", variant, "逐次処理", procs, judge.Loses, 0.000345))
		}
		d.Comparisons = append(d.Comparisons, comparison(measure.Scaling, "合計/n=1000", variant, variant, 2, judge.CannotSay, 0.98))
	}
	for _, variant := range []string{"ProtocolReadAllBuffered", "ProtocolReadAllDirect", "ProtocolReadEach"} {
		d.Comparisons = append(d.Comparisons, comparison(measure.Variant, "Read", variant, "ProtocolReadSerially", 2, judge.Pays, 1.5))
	}
	for _, bench := range []string{"Short", long, "合計"} {
		for _, procs := range []int{2, 4} {
			d.Comparisons = append(d.Comparisons, comparison(measure.Scaling, bench, "", "", procs, judge.Even, 1))
		}
	}
	c := &d.Comparisons[0]
	c.Explained, c.Lost, c.Unexplained = true, new(100.), new(0.5)
	c.Causes = []report.Cause{{Slug: "lock", Title: "Lock contention", Share: 0.5, Evidence: []report.Evidence{{Text: "goroutines wait for " + long + " and for nothing else, which is what such code does"}}, Do: "Hold it for less time"}}
	c.Page.Available, c.Page.Needed = new(200.), new(100.)
	d.Comparisons[9].Explained, d.Comparisons[9].Lost, d.Comparisons[9].Page = true, new(10.), c.Page
	d.Missing = []string{"governor: not readable", "hardware counters: " + long}
	d.Next = "payoff why '^Benchmark合計$|^BenchmarkRead$|^Benchmark" + long + "$' example.com/p"
	return d
}

// TestNarrow: a table that does not fit is written as several, with its rows
// named in each, and none is lost.
func TestNarrow(t *testing.T) {
	d := doc(
		comparison(measure.Variant, "Sum", "local", "serial", 2, judge.Pays, 1.8),
		comparison(measure.Variant, "Sum", "largename", "serial", 2, judge.Loses, 0.01),
		comparison(measure.Scaling, "Sum", "largename", "largename", 2, judge.Even, 1))
	var b bytes.Buffer
	if err := text.Report(&b, d, text.Options{Width: 80}); err != nil {
		t.Fatal(err)
	}
	want := `  Sum
  variant    procs  time/op  vs serial  interval        verdict
  serial         1        -
                 2  1.000µs
  local          2  555.6ns      1.80x  [1.62, 1.98]    pays
  largename      2  1.000µs      0.01x  [0.009, 0.011]  loses

  variant    procs  vs 1 proc  verdict  = cores/(ovh×infl)
  local          2                      1.90/(1.05×1.10)
  largename      2      1.00x  even     1.90/(1.05×1.10)
`
	if !strings.Contains(b.String(), want) {
		t.Errorf("got\n%s\nwant in it\n%s", b.String(), want)
	}
}

// What there is to say of many is said once, and nothing of what is not there.
func TestOnce(t *testing.T) {
	alone := func(name string, g judge.Goroutines) report.Comparison {
		c := comparison(measure.Scaling, name, "", "", 2, judge.CannotSay, 1)
		c.Goroutines = g
		return c
	}
	unmeasured := alone("Late", judge.Unknown)
	unmeasured.Ratio, unmeasured.Low, unmeasured.High, unmeasured.Pairs, unmeasured.Wall = nil, nil, nil, 0, nil
	skips := func(name, why string) problem.Problem {
		return problem.Problem{Package: "example.com/p", Benchmark: name, Reason: "skips itself (" + why + ")", Next: "make it run", Note: true}
	}
	sized := doc(comparison(measure.Variant, "Sum", "a", "serial", 2, judge.Pays, 2))
	sized.Crossovers = []report.Crossover{{Package: "example.com/p", Variant: "a", Procs: 2, Param: "n", At: report.Interval{Value: new(3441.), Low: new(2104.), High: new(5860.)}, Below: 1024, Above: 65536}}
	few := doc(sized.Comparisons...)
	few.Packages[0].Control, few.Packages[0].Resolution = report.Interval{Value: new(1.062), Low: new(0.161), High: new(6.562), Pairs: 3}, new(0.019)
	serial := doc(alone("S", judge.One))
	serial.Comparisons[0].Explained, serial.Comparisons[0].Causes = true, []report.Cause{{Slug: catalog.Serial.Slug, Title: catalog.Serial.Title}}
	two := doc(alone("Old", judge.One), alone("New", judge.Several), unmeasured)
	given := doc(two.Comparisons...)
	given.Asked = &cmdline.Asked{Base: "Old"}
	same := doc(alone("Old", judge.One), alone("New", judge.One))
	notes := doc()
	notes.Problems = []problem.Problem{skips("BenchmarkA", "a"), skips("BenchmarkB", "b"), skips("BenchmarkC", "c"), {Package: "example.com/p", Reason: "x", Next: "y"}}
	for _, tt := range []struct {
		name       string
		doc        *report.Doc
		all        bool
		want, lack string
	}{
		{"why nothing can be said", two, false, "  cannot say: Old at 2 vs 1, New at 2 vs 1: the interval", "Late "},
		{"what is not measured", two, false, "\n  1 benchmark has not one pair of samples yet\n", " - "},
		{"how to name a base", two, false, "If one of them is the base of others: payoff replay -base <its name> .payoff/runs/x\n", "no base to compare with"},
		{"a base is named", given, false, "cannot say", "-base"},
		{"no base can be", same, false, "cannot say", "-base"},
		{"skips", notes, false, "note: example.com/p: BenchmarkA: skips itself (a); likewise 2 more, which -all names: make it run\n", "BenchmarkB"},
		{"all skips", notes, true, "note: example.com/p: BenchmarkB: skips itself (b): make it run\n", "likewise"},
		{"sizes", sized, false, "between n = 1024 and 65536: about 3440 [2100, 5860] by interpolation, which was not measured", "e+"},
		{"a noise floor of few pairs", few, false, "not known after 3 pairs; differences under 3% do not count", "1.9%"},
		{"percentages", serial, false, "why S at 2: no goroutine", "percentages are"},
	} {
		var b bytes.Buffer
		if err := text.Report(&b, tt.doc, text.Options{All: tt.all}); err != nil {
			t.Fatal(err)
		}
		if s := b.String(); !strings.Contains(s, tt.want) || strings.Contains(s, tt.lack) {
			t.Errorf("%s: got\n%s\nwant %q in it, and not %q", tt.name, s, tt.want, tt.lack)
		}
	}
	var b bytes.Buffer
	if err := text.Why(&b, two, text.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "No evidence: the run collected none on Old at 2\n"; !strings.HasPrefix(b.String(), want) {
		t.Errorf("pages of what has no evidence: got\n%s\nwant %q first", b.String(), want)
	}
}

// One that is left out is one; -all leaves none out, in no list; and what is
// called like a head of the table keeps its name.
func TestCounts(t *testing.T) {
	var families, serial []report.Comparison
	for i := range 13 {
		families = append(families, comparison(measure.Variant, fmt.Sprintf("F%d", i), "new", "variant", 2, judge.Pays, 2))
		c := comparison(measure.Scaling, fmt.Sprintf("S%d", i), "", "", 2, judge.Even, 1)
		c.Explained, c.Causes = true, []report.Cause{{Slug: catalog.Serial.Slug, Title: catalog.Serial.Title}}
		serial = append(serial, c)
	}
	d := doc(families...)
	if s := written(t, d, text.Options{}); !strings.Contains(s, "and 1 more family, none worse (at the most processors 1 pays): -all shows them") {
		t.Errorf("one family more is not said to be one:\n%s", s)
	}
	if s := written(t, doc(families[0]), text.Options{}); !strings.Contains(s, "\n  variant      1") {
		t.Errorf("the base has lost its name:\n%s", s)
	}
	d = doc(serial...)
	if s := written(t, d, text.Options{}); !strings.Contains(s, "why S0, S1, S2 and 10 more at 2: no goroutine") {
		t.Errorf("a long list is not cut:\n%s", s)
	}
	if s := written(t, d, text.Options{All: true}); !strings.Contains(s, "S11, S12 at 2: no goroutine") {
		t.Errorf("-all cuts a list:\n%s", s)
	}
}

// A finding that another's edit cures says which; a package of which nothing was
// measured is told in the first line.
func TestFix(t *testing.T) {
	d := doc()
	d.Cured = "An edit pays"
	at := func(line int) source.Place { return source.Place{File: "sum.go", Line: line} }
	d.Fixes = []report.Fixes{{Tried: true, Findings: []report.FixFinding{
		{Grade: shape.Confirmed, Finding: edit.Finding{Check: "hotslot", Message: "slots are shared", Place: at(12)}, Fixes: []report.Fix{{Edit: edit.Edit{ID: "a", Name: "threshold", Value: 64, Says: "sum in a local variable", Dearer: "Put copies it"}, Word: verify.Kept}}},
		{Grade: shape.Confirmed, Finding: edit.Finding{Check: "goperelem", Message: "one for each", Place: at(14)}, CuredBy: "a"},
		{Grade: shape.Suspected, Finding: edit.Finding{Check: "rwtiny", Message: "a word", Place: at(40)}, Fixes: []report.Fix{{Edit: edit.Edit{ID: "b", Name: "cow", Dearer: "Set copies it"}, Word: verify.Slower}}},
		{Grade: shape.Suspected, Finding: edit.Finding{Check: "benchvet", Message: "nothing to offer", Place: at(50)}},
		{Grade: shape.Suspected, Finding: edit.Finding{Check: "shardpad", Message: "shards", Place: at(60)}, Fixes: []report.Fix{{Edit: edit.Edit{ID: "c", Name: "pad", Dearer: "each takes more memory: 128 bytes"}, Word: verify.NotTried}}},
	}}}
	fix := func() string {
		var b bytes.Buffer
		if err := text.Fix(&b, d, text.Options{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const cured = "CONFIRMED sum.go:14: one for each (goperelem)\n    cured by threshold 64 at sum.go:12: sum in a local variable\n"
	if s := fix(); !strings.HasPrefix(s, "An edit pays\n") || !strings.Contains(s, cured) || strings.Count(s, "cured by") != 1 {
		t.Errorf("got\n%s\nwant in it\n%s", s, cured)
	}
	for _, want := range []string{
		"CONFIRMED sum.go:12: slots are shared; but with the edit Put copies it (hotslot)\n",
		"      cow, with which Set copies it: slower\n",
		"SUSPECTED sum.go:50: nothing to offer (benchvet)\n    no edit: the check knows none for this form\n",
		"SUSPECTED sum.go:40: a word (rwtiny)\n",
		"SUSPECTED sum.go:60: shards; but with the edit each takes more memory: 128 bytes (shardpad)\n",
	} {
		if s := fix(); !strings.Contains(s, want) {
			t.Errorf("got\n%s\nwant in it\n%s", s, want)
		}
	}
	d.Fixes[0].Tried = false
	var b bytes.Buffer
	if err := text.Report(&b, d, text.Options{Width: 200}); err != nil {
		t.Fatal(err)
	}
	if want := "an edit to try at sum.go:60: shards; but with the edit each takes more memory: 128 bytes\n"; !strings.Contains(b.String(), want) {
		t.Errorf("got\n%s\nwant in it\n%s", b.String(), want)
	}
	d.Cured, d.Summary = "", "Nothing was measured: no"
	if s := fix(); !strings.HasPrefix(s, d.Summary+"\n") {
		t.Errorf("got\n%s", s)
	}
}

// TestFewSamples: where no cause is named, whether that is an answer depends on
// how much was looked at.
func TestFewSamples(t *testing.T) {
	for samples, want := range map[int]string{20: "20 samples of processor time cannot explain it: a larger -budget takes more", 29: "nothing here explains it"} {
		d := doc(comparison(measure.Variant, "Sum", "pool", "serial", 2, judge.Loses, 0.5))
		c := &d.Comparisons[0]
		c.Explained, c.Lost, c.Unexplained = true, new(100.), new(1.)
		c.Page = report.Page{Available: new(200.), Needed: new(100.), Sides: []report.Side{{Name: "BenchmarkSum/variant=pool", Procs: 2, CPU: 200, Samples: &samples}}}
		for name, write := range map[string]func(io.Writer, *report.Doc, text.Options) error{"run": text.Report, "why": text.Why} {
			var b bytes.Buffer
			if err := write(&b, d, text.Options{Width: 120}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s with %d samples:\n%s\nwant %q", name, samples, b.String(), want)
			}
		}
	}
}

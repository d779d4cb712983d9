package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
)

// drawn reads verdicts: "X at 2 pays 1.5 vs serial", and with "vs 1" what the
// benchmark does against itself on one processor. Marks after a name: + several
// goroutines, - one, nothing: not known. A name may begin with its family:
// Sum.X, which is Sum if left out. "pays?" is in doubt, "none" has no pair yet.
func drawn(t *testing.T, lines ...string) (vs []judge.Verdict) {
	several := func(s string) (string, judge.Goroutines) {
		if name, ok := strings.CutSuffix(s, "+"); ok {
			return name, judge.Several
		}
		if name, ok := strings.CutSuffix(s, "-"); ok {
			return name, judge.One
		}
		return s, judge.Unknown
	}
	for _, line := range lines {
		var name, word, base string
		var procs int
		var r float64
		if _, err := fmt.Sscanf(line, "%s at %d %s %g vs %s", &name, &procs, &word, &r, &base); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		pairs := 12
		if word == "none" {
			word, pairs = "open", 0
		}
		if word == "open" {
			word = string(judge.CannotSay)
		}
		word, doubted := strings.CutSuffix(word, "?")
		name, g := several(name)
		base, bg := several(base)
		family := "Sum"
		if f, rest, ok := strings.Cut(name, "."); ok {
			family, name = f, rest
		}
		kind := measure.Variant
		if base == "1" {
			kind, base, bg = measure.Scaling, name, g
		}
		v := verdict(kind, family, name, base, procs, judge.Word(word), r)
		v.Goroutines, v.BaseGoroutines, v.Pairs = g, bg, pairs
		if doubted {
			v.Doubts = []judge.Doubt{{Kind: judge.Superlinear, Cell: v.New, Text: "too good"}}
		}
		vs = append(vs, v)
	}
	return vs
}

// The headline answers the question that was asked: whether concurrency pays,
// only where it stands beside code of one goroutine; else which is faster, and
// what processors do to both.
func TestHeadlines(t *testing.T) {
	for _, tt := range []struct {
		verdicts []string
		want     string
	}{
		{[]string{"Split+ at 2 pays 1.9 vs Serial-", "Chan+ at 2 loses 0.1 vs Serial-"}, "Concurrency pays: Split is 1.90x as fast as Serial at 2 processors; Chan loses"},
		{[]string{"Split at 2 pays 1.9 vs Serial"}, "Concurrency pays: Split is 1.90x as fast as Serial at 2 processors"}, // not known: -plain
		{[]string{"A+ at 2 pays 1.9 vs Serial-", "B+ at 2 pays 1.2 vs Serial-"}, "Concurrency pays: A is 1.90x as fast as Serial at 2 processors (B pays too)"},

		// Both are concurrent: no word about concurrency, but about processors.
		{[]string{"Batch+ at 2 pays 8.9 vs Channel+", "Batch+ at 2 loses 0.8 vs 1", "Channel+ at 2 even 1 vs 1"},
			"Batch is 8.90x as fast as Channel at 2 processors; on 2 processors instead of 1 Batch takes 1.25x the time and Channel is even"},
		{[]string{"Batch+ at 2 pays 8.9 vs Channel+", "Batch+ at 2 pays 1.8 vs 1", "Channel+ at 2 open 1 vs 1"},
			"Batch is 8.90x as fast as Channel at 2 processors; on 2 processors instead of 1 Batch is 1.80x as fast and Channel cannot be judged"},
		{[]string{"Slow+ at 2 loses 0.5 vs Channel+", "Same+ at 2 even 1 vs Channel+"}, "Nothing is faster than Channel at 2 processors; Slow loses; Same is even"},
		{[]string{"Slow+ at 2 open 0.5 vs Channel+"}, "What is faster cannot be judged yet at 2 processors: the interval is too wide after 12 pairs"},
		// It is faster than serial code, but not by its processors.
		{[]string{"Wait+ at 2 pays 1.5 vs Serial-", "Wait+ at 2 loses 0.5 vs 1", "Serial- at 2 even 1 vs 1"},
			"Concurrency pays: Wait is 1.50x as fast as Serial at 2 processors; on 2 processors instead of 1 Wait takes 2.00x the time"},
		// None is concurrent.
		{[]string{"Table- at 2 pays 3 vs Serial-"}, "Table is 3.00x as fast as Serial at 2 processors"},
		{[]string{"Table- at 2 loses 0.5 vs Serial-"}, "Nothing is faster than Serial at 2 processors; Table loses"},

		// What pays on fewer processors only is no "0 pay".
		{[]string{"IO+ at 1 pays 16.6 vs Serial-", "IO+ at 2 loses 0.5 vs Serial-"}, "Concurrency does not pay at 2 processors; IO loses; at 1 processor IO is 16.6x as fast as Serial"},
		{[]string{"IO+ at 1 pays 16.6 vs Serial-", "IO+ at 2 loses 0.5 vs Serial-", "Max.X+ at 2 loses 0.1 vs Serial-", "Max.X+ at 1 loses 0.1 vs Serial-"},
			"At 2 processors concurrency does not pay: both comparisons lose; at 1 processor Sum/variant=IO is 16.6x as fast as Serial"},
		{[]string{"IO+ at 1 pays 16.6 vs Serial-", "IO+ at 2 pays 9 vs Serial-"}, "Concurrency pays: IO is 9.00x as fast as Serial at 2 processors"},

		// What is in doubt neither pays nor loses, and an answer is limited to what can be judged.
		{[]string{"A+ at 2 pays? 5 vs Serial-", "B+ at 2 loses 0.5 vs Serial-"}, "Concurrency does not pay at 2 processors where it can be judged; B loses; A is in doubt (superlinear)"},
		{[]string{"A+ at 2 pays? 5 vs Serial-"}, "Whether concurrency pays at 2 processors is in doubt; A is in doubt (superlinear)"},
		{[]string{"A+ at 2 pays? 5 vs 1"}, "Whether Sum gains from 2 processors is in doubt (superlinear)"},
		{[]string{"A+ at 2 pays? 5 vs Serial-", "Max.B+ at 2 loses 0.5 vs Serial-"},
			"At 2 processors concurrency does not pay where it can be judged: of 2 comparisons 1 loses (Max/variant=B), 1 is in doubt (Sum/variant=A: superlinear)"},
		{[]string{"A+ at 2 pays? 5 vs Serial-", "Max.B+ at 2 open 0.5 vs Serial-"},
			"At 2 processors concurrency cannot be judged: of 2 comparisons 1 is in doubt (Sum/variant=A: superlinear), 1 cannot be judged (Max/variant=B)"},
		{[]string{"A+ at 2 loses 0.5 vs Serial-", "B+ at 2 none 1 vs Serial-"}, "Concurrency does not pay at 2 processors where it can be judged; A loses; cannot say for B"},
		{[]string{"A+ at 2 loses 0.5 vs 1", "Max.B+ at 2 none 1 vs 1", "Min.C+ at 2 none 1 vs 1"}, "On 2 processors instead of 1: of 3 benchmarks 1 loses (Sum/variant=A), 2 cannot be judged (Max/variant=B and Min/variant=C)"},

		{[]string{"A- at 2 loses 0.5 vs Serial-", "B at 2 none 1 vs Serial-"}, "Nothing is faster than Serial at 2 processors where it can be judged; A loses; cannot say for B"},
		{[]string{"A- at 2 loses 0.5 vs Serial-", "Max.B at 2 none 1 vs Serial-"}, "At 2 processors: of 2 comparisons 1 loses (Sum/variant=A), 1 cannot be judged (Max/variant=B)"},
		{[]string{"A+ at 2 loses 0.5 vs Chan+", "Max.B at 2 none 1 vs Serial"}, "At 2 processors: of 2 comparisons 1 loses (Sum/variant=A), 1 cannot be judged (Max/variant=B)"},

		// Nothing that was measured goes without a word.
		{[]string{"A+ at 2 pays 1.9 vs Serial-", "A+ at 2 pays 1.9 vs 1", "Max.B+ at 2 pays 1.5 vs 1", "Min.C+ at 2 loses 0.5 vs 1"},
			"Concurrency pays: A is 1.90x as fast as Serial at 2 processors; without a base, on 2 processors instead of 1: of 2 benchmarks 1 pays (Max/variant=B), 1 loses (Min/variant=C)"},

		// Several families: numbers and verbs agree, and nothing is counted that is not there.
		{[]string{"X+ at 2 pays 2 vs Serial-", "Max.X+ at 2 loses 0.1 vs Serial-", "Min.X+ at 2 loses 0.1 vs Serial-", "Avg.X+ at 2 open 1 vs Serial-"},
			"At 2 processors concurrency pays in part: of 4 comparisons 1 pays (Sum/variant=X), 2 lose (Max/variant=X and Min/variant=X), 1 cannot be judged (Avg/variant=X)"},
		{[]string{"X+ at 2 pays 2 vs Serial-", "Max.X+ at 2 pays 2 vs Serial-", "Min.X+ at 2 pays 3 vs Serial-"}, "At 2 processors concurrency pays: all 3 comparisons pay"},
		{[]string{"X+ at 2 pays 2 vs Serial-", "Max.X+ at 2 open 2 vs Serial-", "Min.X+ at 2 open 3 vs Serial-"},
			"At 2 processors concurrency pays where it can be judged: of 3 comparisons 1 pays (Sum/variant=X), 2 cannot be judged (Max/variant=X and Min/variant=X)"},
		{[]string{"X+ at 2 even 1 vs Serial-", "Max.X+ at 2 open 2 vs Serial-", "Min.X+ at 2 open 3 vs Serial-"},
			"At 2 processors concurrency does not pay where it can be judged: of 3 comparisons 1 is even (Sum/variant=X), 2 cannot be judged (Max/variant=X and Min/variant=X)"},
		{[]string{"X+ at 2 open 1 vs Serial-", "Max.X+ at 2 open 2 vs Serial-"},
			"At 2 processors concurrency cannot be judged yet in any of 2 comparisons: the interval is too wide after 12 pairs"},
		{[]string{"X+ at 2 pays 2 vs Chan+", "Max.X+ at 2 loses 0.1 vs Chan+"}, "At 2 processors: of 2 comparisons 1 pays (Sum/variant=X), 1 loses (Max/variant=X)"},
		{[]string{"X+ at 2 pays 2 vs Serial-", "Max.X+ at 2 loses 0.1 vs Chan+", "Min.X+ at 2 even 1 vs Serial-"},
			"At 2 processors concurrency pays in part: of 2 comparisons 1 pays (Sum/variant=X), 1 is even (Min/variant=X); with bases that are concurrent themselves, 1 comparison loses (Max/variant=X)"},
		// What pays without concurrency does not speak for it.
		{[]string{"X+ at 2 loses 0.5 vs Serial-", "Max.X- at 2 pays 3 vs Serial-", "Min.X- at 2 pays 3 vs Serial-"},
			"At 2 processors concurrency does not pay: 1 comparison loses (Sum/variant=X); where both are of one goroutine, both comparisons pay"},
		{[]string{"X+ at 2 open 1 vs Serial-", "Max.X+ at 2 loses 0.1 vs Chan+"},
			"At 2 processors concurrency cannot be judged yet in 1 comparison: the interval is too wide after 12 pairs; with bases that are concurrent themselves, 1 comparison loses (Max/variant=X)"},
		{[]string{"X- at 2 even 1 vs Serial-", "Max.X- at 2 even 1 vs Serial-"}, "At 2 processors: both comparisons are even"},

		// No base.
		{[]string{"X+ at 2 pays 1.9 vs 1"}, "Sum is 1.90x as fast on 2 processors instead of 1; whether concurrency pays takes a base to compare with"},
		{[]string{"X- at 2 even 1 vs 1"}, "Sum, of one goroutine, is even on 2 processors instead of 1"},
		{[]string{"X+ at 2 pays 1.9 vs 1", "Max.X+ at 2 loses 0.9 vs 1", "Min.X- at 2 even 1 vs 1"},
			"On 2 processors instead of 1: of 3 benchmarks 1 pays (Sum/variant=X), 1 is even (Min/variant=X), 1 loses (Max/variant=X)"},
	} {
		if got := doc(measure.Decided, nil, drawn(t, tt.verdicts...)...).Summary; got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.verdicts, got, tt.want)
		}
	}
}

// The headline says what keeps it from an answer, from which size on something
// pays, what could not be measured, and takes a base that was given for what it
// is.
func TestHeadlineLimits(t *testing.T) {
	const loses = "A+ at 2 loses 0.5 vs Serial-"
	from := func(variant, group string, at float64) judge.Crossover {
		return judge.Crossover{Package: "example.com/p", Group: group, Variant: variant, Base: "Serial", Procs: 2, Param: "n", At: at, Low: 2100, High: 5860, Below: 1000, Above: 10000}
	}
	for _, tt := range []struct {
		name       string
		verdicts   []string
		end        measure.End
		samples    int
		crossovers []judge.Crossover
		problems   []problem.Problem
		base       string
		want       string
	}{
		{name: "interrupted", verdicts: []string{"A+ at 2 none 1 vs Serial-"}, end: measure.Interrupted, samples: 1, want: "Nothing can be judged yet: interrupted before the first pair of samples"},
		{name: "interrupted at once", end: measure.Interrupted, want: "Nothing can be judged yet: interrupted before the first pair of samples"},
		{name: "no time", verdicts: []string{"A+ at 2 none 1 vs 1"}, end: measure.Budget, samples: 1, want: "Nothing can be judged yet: the budget was spent before the first pair of samples"},
		{name: "a size", verdicts: []string{loses, "Sum/n=2.A+ at 2 pays 2 vs Serial-"}, samples: 1, crossovers: []judge.Crossover{from("A", "Sum", 3440.4)},
			want: "At 2 processors concurrency pays in part: of 2 comparisons 1 pays (Sum/n=2/variant=A), 1 loses (Sum/variant=A); A begins to pay between n = 1000 and 10000"},
		{name: "sizes of two jobs", verdicts: []string{loses, "Max.A+ at 2 pays 2 vs Serial-"}, samples: 1, crossovers: []judge.Crossover{from("A", "Sum", 3e6), from("A", "Max", 20), {Procs: 1, Package: "example.com/p", At: 3}},
			want: "At 2 processors concurrency pays in part: of 2 comparisons 1 pays (Max/variant=A), 1 loses (Sum/variant=A); 2 pay from some size on"},
		{name: "a size of one of two jobs", verdicts: []string{loses, "Max.A+ at 2 pays 2 vs Serial-"}, samples: 1, crossovers: []judge.Crossover{from("A", "Max/n=", 3e6)},
			want: "At 2 processors concurrency pays in part: of 2 comparisons 1 pays (Max/variant=A), 1 loses (Sum/variant=A); Max: A begins to pay between n = 1000 and 10000"},
		{name: "many sizes", verdicts: []string{loses}, samples: 1, crossovers: []judge.Crossover{from("A", "Sum", 1), from("B", "Sum", 1.05), from("C", "Sum", 3), from("D", "Sum", 4)},
			want: "Concurrency does not pay at 2 processors; A loses; A begins to pay between n = 1000 and 10000; B begins to pay between n = 1000 and 10000; 2 more pay from some size on"},
		{name: "a package that does not compile", verdicts: []string{loses}, samples: 1, problems: []problem.Problem{{Package: "example.com/q", Reason: "does not compile"}, {Package: "example.com/p", Benchmark: "BenchmarkX"}, {Package: "example.com/r", Note: true}},
			want: "Concurrency does not pay at 2 processors; A loses; example.com/q was not measured"},
		{name: "a base by name, and -plain", verdicts: []string{"A at 2 pays 2 vs Serial"}, samples: 1, want: "Concurrency pays: A is 2.00x as fast as Serial at 2 processors"},
		{name: "a base that was given, and -plain", verdicts: []string{"A at 2 pays 2 vs Map"}, samples: 1, base: "Map", want: "A is 2.00x as fast as Map at 2 processors"},
	} {
		in := report.Input{
			Series:   []*measure.Series{{Package: "example.com/p", Procs: []int{1, 2}, End: tt.end, Samples: map[measure.Cell][]measure.Sample{{Bench: "BenchmarkSum", Procs: 1}: make([]measure.Sample, tt.samples)}}},
			Results:  []judge.Result{{Package: "example.com/p", Verdicts: drawn(t, tt.verdicts...), Crossovers: tt.crossovers}},
			Problems: tt.problems, Base: tt.base,
		}
		if got := report.New(in).Summary; got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// What is kept of a report has a first line of its own.
func TestKeep(t *testing.T) {
	d := doc(measure.Decided, nil, drawn(t, "Split+ at 2 pays 1.9 vs Serial-", "Chan+ at 2 loses 0.1 vs Serial-")...)
	d.Keep(func(name string) bool { return strings.HasSuffix(name, "Chan") })
	if want := "Concurrency does not pay at 2 processors; Chan loses"; len(d.Comparisons) != 1 || d.Summary != want {
		t.Errorf("%d comparisons under %q, want 1 under %q", len(d.Comparisons), d.Summary, want)
	}
}

// No claim goes beyond the processors there are: the headline is about the
// largest count of them, and names what is beyond.
func TestBeyondTheProcessors(t *testing.T) {
	of := func(usable int, procs []int, lines ...string) *report.Doc {
		return report.New(report.Input{
			Env:     machine.Env{UsableCPUs: usable},
			Series:  []*measure.Series{{Package: "example.com/p", Procs: procs, Samples: map[measure.Cell][]measure.Sample{{Bench: "BenchmarkSum", Procs: 1}: make([]measure.Sample, 5)}}},
			Results: []judge.Result{{Package: "example.com/p", Verdicts: drawn(t, lines...)}},
		})
	}
	const warning = "GOMAXPROCS=4 is more than the 2 processors that can be used here"
	for _, tt := range []struct {
		procs    []int
		verdicts []string
		want     string
	}{
		{[]int{1, 4}, []string{"A+ at 1 loses 0.5 vs Serial-", "A+ at 4 loses 0.8 vs Serial-"}, "Concurrency does not pay at 2 processors with GOMAXPROCS=4; A loses"},
		{[]int{1, 4}, []string{"A+ at 4 pays 1.8 vs Serial-"}, "Concurrency pays: A is 1.80x as fast as Serial at 2 processors with GOMAXPROCS=4"},
		{[]int{1, 4}, []string{"X.A+ at 4 pays 1.8 vs Serial-", "Y.A+ at 4 pays 1.8 vs Serial-"}, "At 2 processors with GOMAXPROCS=4 concurrency pays: both comparisons pay"},
		{[]int{1, 4}, []string{"A+ at 4 pays 1.8 vs 1"}, "Sum is 1.80x as fast on 2 processors with GOMAXPROCS=4 instead of 1; whether concurrency pays takes a base to compare with"},
		{[]int{4}, []string{"A+ at 4 loses 0.8 vs Serial-"}, "Concurrency does not pay at 2 processors with GOMAXPROCS=4; A loses"},
		{[]int{1, 2, 4}, []string{"A+ at 2 pays 1.8 vs Serial-", "A+ at 4 loses 0.8 vs Serial-"}, "Concurrency pays: A is 1.80x as fast as Serial at 2 processors"},
		{[]int{1, 2, 4}, []string{"A+ at 2 loses 0.8 vs Serial-", "A+ at 4 pays 1.1 vs Serial-"}, "Concurrency does not pay at 2 processors; A loses; at 2 processors with GOMAXPROCS=4 A is 1.10x as fast as Serial"},
	} {
		d := of(2, tt.procs, tt.verdicts...)
		if d.Summary != tt.want {
			t.Errorf("%v at %v of 2: %q, want %q", tt.verdicts, tt.procs, d.Summary, tt.want)
		}
		if len(d.Warnings) != 1 || !strings.HasPrefix(d.Warnings[0], warning) {
			t.Errorf("%v of 2: warnings %q, want %q", tt.procs, d.Warnings, warning)
		}
	}
	for _, usable := range []int{0, 4} { // not known, and enough
		if d := of(usable, []int{1, 4}, "A+ at 4 loses 0.8 vs Serial-"); d.Summary != "Concurrency does not pay at 4 processors; A loses" || len(d.Warnings) > 0 {
			t.Errorf("of %d: %q, warnings %q", usable, d.Summary, d.Warnings)
		}
	}
}

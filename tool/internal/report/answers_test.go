package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// of is a report on verdicts that were taken with GOMAXPROCS 1, 3, 8 and 16 on a
// machine of 16 processors.
func of(t *testing.T, lines ...string) *report.Doc {
	return report.New(report.Input{
		Env: machine.Env{UsableCPUs: 16, PhysicalCores: 16}, Record: "rec",
		Series:  []*measure.Series{{Package: "example.com/p", Procs: []int{1, 3, 8, 16}, Samples: map[measure.Cell][]measure.Sample{{Bench: "BenchmarkSum", Procs: 1}: make([]measure.Sample, 5)}}},
		Results: []judge.Result{{Package: "example.com/p", Verdicts: drawn(t, lines...)}},
	})
}

// TestHeadlineEdges: counts of one, two and many; which is named, and beside which; on 3 to
// 16 processors.
func TestHeadlineEdges(t *testing.T) {
	const open = ": the interval is too wide after 12 pairs"
	for _, tt := range []struct {
		verdicts []string
		want     string
	}{
		// The most processors answer, whatever is said of fewer.
		{[]string{"A+ at 16 pays 9 vs Serial-", "A+ at 8 loses 0.5 vs Serial-", "B+ at 8 pays 9 vs Serial-"}, "Concurrency pays: A is 9.00x as fast as Serial at 16 processors"},
		{[]string{"A+ at 16 loses 0.9 vs Serial-", "A+ at 8 pays 1.5 vs Serial-", "B+ at 3 pays 2 vs Serial-", "C+ at 3 pays 1.2 vs Serial-"}, "Concurrency does not pay at 16 processors; A loses; at 3 processors B is 2.00x as fast as Serial"},
		{[]string{"A+ at 16 loses 0.9 vs 1", "A+ at 8 pays 5 vs 1"}, "Sum takes 1.11x the time on 16 processors instead of 1; whether concurrency pays takes a base to compare with"},

		// One family without a base.
		{[]string{"X+ at 8 even 1 vs 1"}, "Nothing can be judged"},
		{[]string{"X+ at 16 even 1 vs 1"}, "Sum is even on 16 processors instead of 1; whether concurrency pays takes a base to compare with"},
		{[]string{"X+ at 16 open 1 vs 1"}, "Cannot say yet whether Sum gains from 16 processors"},
		{[]string{"X- at 16 open 1 vs 1"}, "Cannot say yet whether Sum gains from 16 processors"},
		{[]string{"X at 16 pays 2 vs 1"}, "Sum is 2.00x as fast on 16 processors instead of 1; whether concurrency pays takes a base to compare with"},
		{[]string{"X- at 16 pays 2 vs 1"}, "Sum, of one goroutine, is 2.00x as fast on 16 processors instead of 1"},
		{[]string{"X- at 16 loses 0.5 vs 1"}, "Sum, of one goroutine, takes 2.00x the time on 16 processors instead of 1"},
		{[]string{"X+ at 16 pays 2 vs 1", "Max.X+ at 16 pays 3 vs 1"}, "On 16 processors instead of 1: both benchmarks pay"},
		{[]string{"X+ at 16 pays 2 vs 1", "Max.X+ at 16 pays 3 vs 1", "Min.X+ at 16 pays 3 vs 1"}, "On 16 processors instead of 1: all 3 benchmarks pay"},
		{[]string{"X+ at 16 open 2 vs 1", "Max.X+ at 16 open 3 vs 1"}, "On 16 processors instead of 1: none of 2 benchmarks can be judged yet" + open},
		{[]string{"X+ at 16 pays? 2 vs 1", "Max.X+ at 16 pays? 3 vs 1"}, "On 16 processors instead of 1: both benchmarks are in doubt"},

		// One family.
		{[]string{"A+ at 16 pays? 2 vs Chan+"}, "What is faster at 16 processors is in doubt; A is in doubt (superlinear)"},
		{[]string{"A+ at 16 pays? 2 vs Chan+", "B+ at 16 pays? 2 vs Chan+"}, "What is faster at 16 processors is in doubt; A and B are in doubt"},
		{[]string{"A+ at 16 pays? 2 vs Serial-", "B+ at 16 open 2 vs Serial-"}, "Whether concurrency pays at 16 processors is in doubt; A is in doubt (superlinear); cannot say for B"},
		{[]string{"A+ at 16 pays? 2 vs Chan+", "B+ at 16 open 2 vs Chan+"}, "What is faster at 16 processors is in doubt; A is in doubt (superlinear); cannot say for B"},
		{[]string{"A+ at 16 open 2 vs Serial-", "B+ at 16 open 2 vs Serial-"}, "Concurrency cannot be judged yet at 16 processors" + open},
		{[]string{"A+ at 16 open 2 vs Serial-", "B+ at 16 none 2 vs Chan+"}, "Concurrency cannot be judged yet at 16 processors" + open},
		{[]string{"A+ at 16 loses 0.5 vs Serial-", "B+ at 16 loses 0.4 vs Serial-", "C+ at 16 even 1 vs Serial-", "D+ at 16 even 1 vs Serial-"}, "Concurrency does not pay at 16 processors; A and B lose; C and D are even"},
		{[]string{"A+ at 16 pays 2 vs Serial-", "B+ at 16 pays 4 vs Serial-", "C+ at 16 pays 3 vs Serial-"}, "Concurrency pays: B is 4.00x as fast as Serial at 16 processors (A and C pay too)"},
		{[]string{"A+ at 16 loses 0.5 vs S-", "B+ at 16 loses 0.5 vs S-", "C+ at 16 loses 0.5 vs S-", "D+ at 16 loses 0.5 vs S-", "E+ at 16 loses 0.5 vs S-"}, "Concurrency does not pay at 16 processors; A, B, C, D and E lose"},
		{[]string{"A+ at 16 loses 0.5 vs S-", "B+ at 16 loses 0.5 vs S-", "C+ at 16 loses 0.5 vs S-", "D+ at 16 loses 0.5 vs S-", "E+ at 16 loses 0.5 vs S-", "F+ at 16 loses 0.5 vs S-"}, "Concurrency does not pay at 16 processors; A, B, C, D and 2 more lose"},
		{[]string{"A+ at 16 pays 2 vs Serial-", "B- at 16 pays 4 vs Serial-"}, "B is 4.00x as fast as Serial at 16 processors (A pays too)"},

		// What processors do to both sides, each by its own verdict at those processors.
		{[]string{"A+ at 16 pays 2 vs Chan+", "A+ at 8 pays 7 vs 1", "A+ at 16 loses 0.5 vs 1", "Chan+ at 16 pays 3 vs 1", "Max.A+ at 16 pays 6 vs 1"},
			"A is 2.00x as fast as Chan at 16 processors; on 16 processors instead of 1 A takes 2.00x the time and Chan is 3.00x as fast; without a base, on 16 processors instead of 1: 1 benchmark pays (Max/variant=A)"},
		{[]string{"A+ at 16 pays 2 vs Chan+", "Chan+ at 16 pays 3 vs 1"}, "A is 2.00x as fast as Chan at 16 processors; on 16 processors instead of 1 Chan is 3.00x as fast"},
		{[]string{"A+ at 16 pays 2 vs Chan+", "A+ at 16 none 1 vs 1"}, "A is 2.00x as fast as Chan at 16 processors"},
		{[]string{"A+ at 16 pays 2 vs Serial-", "A+ at 16 pays 3 vs 1", "Serial- at 16 loses 0.5 vs 1"}, "Concurrency pays: A is 2.00x as fast as Serial at 16 processors"},
		{[]string{"A- at 16 pays 2 vs Chan+", "A- at 16 even 1 vs 1", "Chan+ at 16 loses 0.5 vs 1"}, "A is 2.00x as fast as Chan at 16 processors"},

		// Several families.
		{[]string{"A+ at 16 loses 0.5 vs Serial-", "Max.A+ at 16 none 1 vs Serial-"}, "At 16 processors concurrency does not pay where it can be judged: of 2 comparisons 1 loses (Sum/variant=A), 1 cannot be judged (Max/variant=A)"},
		{[]string{"A+ at 16 open 1 vs Serial-", "Max.A+ at 16 none 1 vs Chan+"}, "At 16 processors concurrency cannot be judged yet in any of 2 comparisons" + open},
		{[]string{"A+ at 16 open 1 vs Serial-", "Max.A+ at 16 loses 0.5 vs Chan+", "Min.A- at 16 none 1 vs Serial-"},
			"At 16 processors concurrency cannot be judged yet in any of 2 comparisons" + open + "; with bases that are concurrent themselves, 1 comparison loses (Max/variant=A)"},
		{[]string{"A- at 16 even 1 vs Chan+", "Max.A+ at 16 pays 2 vs Serial-"}, "At 16 processors concurrency pays: 1 comparison pays (Max/variant=A); with bases that are concurrent themselves, 1 comparison is even (Sum/variant=A)"},
		{[]string{"A+ at 16 open 1 vs Chan+", "Max.A- at 16 open 2 vs Serial-"}, "At 16 processors: none of 2 comparisons can be judged yet" + open},
		{[]string{"A+ at 16 loses 0.9 vs Serial-", "A+ at 8 pays 1.5 vs Serial-", "Max.A+ at 16 loses 0.9 vs Serial-", "Max.A+ at 8 pays 1.6 vs Serial-"},
			"At 16 processors concurrency does not pay: both comparisons lose; at 8 processors Max/variant=A is 1.60x as fast as Serial"},
	} {
		if got := of(t, tt.verdicts...).Summary; got != tt.want && !(tt.want == "Nothing can be judged" && strings.HasPrefix(got, "Noth")) {
			t.Errorf("%q:\n got %s\nwant %s", tt.verdicts, got, tt.want)
		}
	}
}

// TestHeadlinePackages: the processors of one package are not those of another, whose
// variants of the same name are others; what was not measured is said once.
func TestHeadlinePackages(t *testing.T) {
	series := func(pkg string, samples int, procs ...int) *measure.Series {
		s := &measure.Series{Package: pkg, Procs: procs, Samples: map[measure.Cell][]measure.Sample{}}
		if samples > 0 {
			s.Samples[measure.Cell{Bench: "B", Procs: 1}] = make([]measure.Sample, samples)
		}
		return s
	}
	for _, tt := range []struct {
		name     string
		series   []*measure.Series
		verdicts map[string][]string
		problems []problem.Problem
		usable   int
		want     string
	}{
		{name: "each at its most", series: []*measure.Series{series("p", 1, 1, 8), series("q", 1, 1, 16)}, usable: 16,
			verdicts: map[string][]string{"p": {"A+ at 8 pays 2 vs Serial-"}, "q": {"A+ at 8 pays 3 vs Serial-", "A+ at 16 loses 0.5 vs Serial-"}},
			want:     "At 8 processors concurrency pays in part: of 2 comparisons 1 pays (p Sum/variant=A), 1 loses (q Sum/variant=A)"},
		{name: "the same names", series: []*measure.Series{series("p", 1, 1, 8), series("q", 1, 1, 8)}, usable: 8,
			verdicts: map[string][]string{"p": {"A+ at 8 pays 2 vs Chan+", "Chan+ at 8 pays 2 vs 1"}, "q": {"Chan+ at 8 loses 0.1 vs 1"}},
			want:     "A is 2.00x as fast as Chan at 8 processors; on 8 processors instead of 1 Chan is 2.00x as fast; without a base, on 8 processors instead of 1: 1 benchmark loses (Sum/variant=Chan)"},
		{name: "two processors", series: []*measure.Series{series("p", 1, 2, 1)}, usable: 2,
			verdicts: map[string][]string{"p": {"A+ at 2 pays 2 vs 1"}}, want: "Sum is 2.00x as fast on 2 processors instead of 1; whether concurrency pays takes a base to compare with"},
		{name: "beyond", series: []*measure.Series{series("p", 1, 1, 3, 9, 16)}, usable: 9,
			verdicts: map[string][]string{"p": {"A+ at 16 loses 0.5 vs 1", "A+ at 9 pays 2 vs 1"}}, want: "Sum is 2.00x as fast on 9 processors instead of 1; whether concurrency pays takes a base to compare with"},
		{name: "all beyond", series: []*measure.Series{series("p", 1, 1, 3, 4)}, usable: 1,
			verdicts: map[string][]string{"p": {"A+ at 3 loses 0.5 vs 1", "A+ at 4 pays 2 vs 1"}}, want: "Sum is 2.00x as fast on 1 processor with GOMAXPROCS=4 instead of 1; whether concurrency pays takes a base to compare with"},
		{name: "nothing to compare", series: []*measure.Series{series("p", 1, 8)}, want: "Nothing to compare: one processor count and no variants. Give -procs or -base"},
		{name: "nothing measured", series: []*measure.Series{series("p", 0, 1, 8)}, want: "Nothing was measured"},
		{name: "nothing measured, for a reason", series: []*measure.Series{series("p", 0, 1, 8)}, problems: []problem.Problem{{Package: "q", Reason: "first", Next: "mend"}, {Package: "q", Reason: "second"}}, want: "Nothing was measured: first"},
		{name: "some not measured", series: []*measure.Series{series("p", 1, 1, 8), series("q", 0, 1, 8)}, usable: 8, verdicts: map[string][]string{"p": {"A+ at 8 pays 2 vs 1"}},
			problems: []problem.Problem{{Package: "q", Reason: "first"}, {Package: "q", Reason: "second"}, {Reason: "of none", Benchmark: "B"}, {Package: "p", Reason: "one benchmark"}},
			want:     "Sum is 2.00x as fast on 8 processors instead of 1; whether concurrency pays takes a base to compare with; q was not measured"},
		{name: "several not measured", series: []*measure.Series{series("p", 1, 1, 8)}, usable: 8, verdicts: map[string][]string{"p": {"A+ at 8 pays 2 vs 1"}},
			problems: []problem.Problem{{Package: "q", Reason: "first"}, {Package: "r", Reason: "second"}, {Package: "q", Reason: "third"}},
			want:     "Sum is 2.00x as fast on 8 processors instead of 1; whether concurrency pays takes a base to compare with; 2 packages were not measured"},
	} {
		in := report.Input{Env: machine.Env{UsableCPUs: tt.usable}, Series: tt.series, Problems: tt.problems}
		for _, s := range tt.series {
			verdicts := drawn(t, tt.verdicts[s.Package]...)
			for i := range verdicts {
				verdicts[i].Package = s.Package
			}
			in.Results = append(in.Results, judge.Result{Package: s.Package, Verdicts: verdicts})
		}
		if got := report.New(in).Summary; got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestFromSizes: sizes that can be counted are whole, others are not rounded up; those of
// another package, of other processors and that are not known are not told.
func TestFromSizes(t *testing.T) {
	c := func(pkg, variant string, procs int, at, below, above float64) judge.Crossover {
		return judge.Crossover{Package: pkg, Group: "Sum/n=", Variant: variant, Base: "Serial", Procs: procs, Param: "n", At: at, Low: at / 2, High: 2 * at, Below: below, Above: above}
	}
	nan := func() float64 { var zero float64; return zero / zero }()
	const p = "example.com/p"
	for _, tt := range []struct {
		crossovers []judge.Crossover
		want       string
	}{
		{[]judge.Crossover{c(p, "A", 16, 2.2, 1, 10)}, "; A begins to pay between n = 1 and 10"},
		{[]judge.Crossover{c(p, "A", 16, 2.2, 0.5, 10)}, "; A begins to pay between n = 0.5 and 10"},
		{[]judge.Crossover{c(p, "A", 16, 2.2, 1, 10.5)}, "; A begins to pay between n = 1 and 10.5"},
		{[]judge.Crossover{c(p, "A", 8, 2, 1, 10)}, ""},
		{[]judge.Crossover{c("example.com/q", "A", 16, 2, 1, 10)}, ""},
		{[]judge.Crossover{c(p, "A", 16, nan, 1, 10)}, ""},
		{[]judge.Crossover{c(p, "A", 16, 2, 1, 10), c(p, "B", 16, 3, 1, 10), c(p, "C", 16, 4, 1, 10)}, "; A begins to pay between n = 1 and 10; B begins to pay between n = 1 and 10; C begins to pay between n = 1 and 10"},
		{[]judge.Crossover{c(p, "A", 16, 2, 1, 10), c(p, "B", 16, 3, 1, 10), c(p, "C", 16, 4, 1, 10), c(p, "D", 16, 4, 1, 10), c(p, "E", 16, 4, 1, 10)}, "; A begins to pay between n = 1 and 10; B begins to pay between n = 1 and 10; 3 more pay from some size on"},
	} {
		d := report.New(report.Input{
			Env:     machine.Env{UsableCPUs: 16},
			Series:  []*measure.Series{{Package: p, Procs: []int{1, 8, 16}}},
			Results: []judge.Result{{Package: p, Verdicts: drawn(t, "A+ at 16 loses 0.5 vs Serial-"), Crossovers: tt.crossovers}},
		})
		if want := "Concurrency does not pay at 16 processors; A loses" + tt.want; d.Summary != want {
			t.Errorf("%+v:\n got %s\nwant %s", tt.crossovers, d.Summary, want)
		}
	}
}

// TestNextEdges: which of several losses is looked at, and what is asked for again.
func TestNextEdges(t *testing.T) {
	asked := func(a cmdline.Asked) *cmdline.Asked { return &a }
	const low, lower = "A+ at 16 loses 0.5 vs Serial-", "B+ at 16 loses 0.4 vs Serial-"
	why := func(variant, base string) string {
		s := "payoff why '^BenchmarkSum$/^variant=" + variant + "$"
		if base != "" {
			s += "|^BenchmarkSum$/^variant=" + base + "$"
		}
		return s + "' example.com/p"
	}
	for _, tt := range []struct {
		name     string
		verdicts []string
		causes   map[int]string // of verdicts by index; "-" for none
		change   func(*report.Input)
		want     string
	}{
		{name: "the lowest", verdicts: []string{low, lower}, want: why("B", "Serial")},
		{name: "the lowest, first", verdicts: []string{lower, low}, want: why("B", "Serial")},
		{name: "the first of two as low", verdicts: []string{"A+ at 16 loses 0.5 vs Serial-", "B+ at 16 loses 0.5 vs Serial-"}, want: why("A", "Serial")},
		{name: "against a base rather than itself", verdicts: []string{"A+ at 16 loses 0.1 vs 1", low}, want: why("A", "Serial")},
		{name: "against itself", verdicts: []string{"A+ at 16 loses 0.1 vs 1"}, want: why("A", "")},
		{name: "at the most processors", verdicts: []string{"B+ at 8 loses 0.1 vs Serial-", low}, want: why("A", "Serial")},
		{name: "a base on fewer before itself on the most", verdicts: []string{"A+ at 16 loses 0.1 vs 1", "B+ at 8 loses 0.5 vs Serial-"}, want: why("B", "Serial")},
		{name: "with a cause", verdicts: []string{lower, "A+ at 8 loses 0.9 vs 1"}, causes: map[int]string{1: "rmw"}, want: "payoff explain rmw"},
		{name: "a cause of what pays is no loss", verdicts: []string{"A+ at 16 pays 2 vs Serial-", lower}, causes: map[int]string{0: "rmw"}, want: why("B", "Serial")},
		{name: "the larger of two with causes", verdicts: []string{low, lower}, causes: map[int]string{0: "rmw", 1: "lock"}, want: "payoff explain lock"},
		{name: "pages: of the loss", verdicts: []string{low, lower}, causes: map[int]string{0: "rmw", 1: "lock"}, change: func(in *report.Input) { in.Pages = true }, want: "payoff explain lock"},
		{name: "pages: of another", verdicts: []string{"A+ at 16 pays 2 vs Serial-", lower}, causes: map[int]string{0: "rmw"}, change: func(in *report.Input) { in.Pages = true }, want: "payoff explain rmw"},
		{name: "pages without evidence", verdicts: []string{"A+ at 16 pays 2 vs Serial-", "B+ at 16 pays 1.5 vs Serial-"}, change: func(in *report.Input) { in.Pages = true }, want: why("B", "Serial")},
		{name: "pages without evidence, of a loss", verdicts: []string{"A+ at 16 none 2 vs Serial-", low, lower}, change: func(in *report.Input) { in.Pages = true }, want: why("B", "Serial")},
		{name: "pages without a pair", verdicts: []string{"A+ at 16 none 2 vs Serial-"}, change: func(in *report.Input) { in.Pages = true }, want: why("A", "Serial")},
		{name: "pages of nothing", change: func(in *report.Input) { in.Pages = true }, want: "payoff explain"},
		{name: "all is well", verdicts: []string{"A+ at 16 pays 3 vs Serial-", "B+ at 16 pays 2 vs Serial-"}, want: why("B", "Serial")},
		{name: "explained, and well", verdicts: []string{"A+ at 16 pays 3 vs Serial-"}, causes: map[int]string{0: "-"}, want: "payoff why -from rec"},
		{name: "no pair, out of time", verdicts: []string{"A+ at 16 none 3 vs Serial-"}, change: func(in *report.Input) {
			in.Asked, in.Series[0].End, in.Series[0].Needs = asked(cmdline.Asked{}), measure.Budget, 90*time.Second
		}, want: "payoff run -resume rec -budget 1m30s"},
		{name: "no pair, out of time, and how much is not known", verdicts: []string{"A+ at 16 none 3 vs Serial-"}, change: func(in *report.Input) {
			in.Asked, in.Series[0].End = asked(cmdline.Asked{}), measure.Budget
		}, want: "payoff help run"},
		{name: "no pair, and time does not help", verdicts: []string{"A+ at 16 none 3 vs Serial-"}, change: func(in *report.Input) {
			in.Asked, in.Series[0].End, in.Series[0].Needs = asked(cmdline.Asked{}), measure.Exhausted, time.Minute
		}, want: "payoff help run"},

		{name: "one processor count", change: func(in *report.Input) {
			in.Series[0].Procs, in.Asked = []int{1}, asked(cmdline.Asked{Packages: []string{"./m"}})
		}, want: "payoff run -procs 1,16 ./m"},
		{name: "one processor", change: func(in *report.Input) { in.Series[0].Procs, in.Env.UsableCPUs = []int{1}, 1 }, want: "go help testfunc"},
		{name: "several counts, and nothing to compare", want: "go help testfunc"},

		{name: "open, three functions", verdicts: []string{"A+ at 16 open 1 vs Serial-", "Max.A+ at 16 open 1 vs Serial-", "Min.A+ at 16 open 1 vs Serial-"}, change: func(in *report.Input) { in.Series[0].End = measure.Budget },
			want: "payoff run -budget 10m -bench '^BenchmarkSum$|^BenchmarkMax$|^BenchmarkMin$' example.com/p"},
		{name: "open, what it needs", verdicts: []string{"A+ at 16 open 1 vs Serial-"}, change: func(in *report.Input) {
			in.Asked, in.Series[0].End, in.Series[0].Needs = asked(cmdline.Asked{}), measure.Budget, time.Hour
		}, want: "payoff run -resume rec -budget 1h"},
		{name: "open, on a machine that gives less", verdicts: []string{"A+ at 16 open 1 vs Serial-"}, change: func(in *report.Input) {
			in.Results[0].Verdicts[0].Why = "the machine gave 12.00 of 16 processors"
			in.Asked, in.Series[0].End, in.Series[0].Needs = asked(cmdline.Asked{}), measure.Budget, time.Hour
		}, want: "payoff machine"},
		{name: "open, and something else is on such a machine", verdicts: []string{"A+ at 16 open 1 vs Serial-", "B+ at 16 none 1 vs Serial-"}, change: func(in *report.Input) {
			in.Results[0].Verdicts[1].Why = "the machine gave 12.00 of 16 processors"
			in.Asked, in.Series[0].End, in.Series[0].Needs = asked(cmdline.Asked{}), measure.Budget, time.Hour
		}, want: "payoff run -resume rec -budget 1h"},
		{name: "open, an older record that did not run out", verdicts: []string{"A+ at 16 open 1 vs Serial-"}, change: func(in *report.Input) { in.Series[0].End = measure.Exhausted }, want: "payoff machine"},

		{name: "a note is no problem", verdicts: []string{low}, change: func(in *report.Input) {
			in.Problems = []problem.Problem{{Package: "q", Reason: "r", Next: "go mod tidy", Note: true}}
		}, want: why("A", "Serial")},
		{name: "the first problem that a command mends", change: func(in *report.Input) {
			in.Problems = []problem.Problem{{Package: "q", Reason: "r", Next: "going on"}, {Package: "q", Reason: "r", Next: "payoff doctor"}, {Package: "q", Reason: "r", Next: "go mod tidy"}}
		}, want: "payoff doctor"},
		{name: "a budget that was too short, while edits are tried", change: func(in *report.Input) {
			in.Problems = []problem.Problem{{Package: "q", Reason: "r", Next: cmdline.MoreBudget}}
			in.Treatments = []*verify.Treatment{{Tries: true}}
			in.Asked = asked(cmdline.Asked{})
		}, want: "payoff fix -budget 10m"},
		{name: "more budget", change: func(in *report.Input) {
			in.Problems, in.Asked = []problem.Problem{{Package: "q", Reason: "r", Next: cmdline.MoreBudget}}, asked(cmdline.Asked{Budget: 150e9, Packages: []string{"./m"}})
		}, want: "payoff run -budget 10m ./m"},
		{name: "much more budget", change: func(in *report.Input) {
			in.Problems, in.Asked = []problem.Problem{{Package: "q", Reason: "r", Next: cmdline.MoreBudget}}, asked(cmdline.Asked{Budget: 240e9, Packages: []string{"./m"}})
		}, want: "payoff run -budget 16m ./m"},
		{name: "all tests", change: func(in *report.Input) {
			in.Problems = []problem.Problem{{Package: "q", Reason: "r", Next: "make go test example.com/q pass"}}
		}, want: "go test example.com/q"},
		{name: "a benchmark, without tags", change: func(in *report.Input) {
			in.Problems = []problem.Problem{{Package: "q", Benchmark: "BenchmarkA/x", Reason: "r", Next: "make go test -bench=. pass"}}
		}, want: "go test -run='^$' -timeout=30s -bench='^BenchmarkA$/^x$' q"},
		{name: "a replay against another base, which was not asked for", verdicts: []string{"A+ at 16 loses 0.5 vs Chan+"}, change: func(in *report.Input) { in.Base, in.Vs = "Chan", "A" },
			want: "payoff why -base Chan -vs A '^BenchmarkSum$/^variant=A$|^BenchmarkSum$/^variant=Chan$' example.com/p"},
	} {
		verdicts := drawn(t, tt.verdicts...)
		in := report.Input{
			Env: machine.Env{UsableCPUs: 16}, Record: "rec",
			Series:  []*measure.Series{{Package: "example.com/p", Procs: []int{1, 8, 16}}},
			Results: []judge.Result{{Package: "example.com/p", Verdicts: verdicts}},
		}
		var findings []explain.Finding
		for i, v := range verdicts {
			if slug := tt.causes[i]; slug != "" {
				f := explain.Finding{Verdict: v}
				if slug != "-" {
					f.Causes = []explain.Cause{{Slug: slug, Title: "T", Share: 1}}
				}
				findings = append(findings, f)
			}
		}
		in.Findings = [][]explain.Finding{findings}
		if tt.change != nil {
			tt.change(&in)
		}
		if d := report.New(in); d.Next != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, d.Next, tt.want)
		}
	}
}

// TestWarningEdges: each hint at the size from which on it has changed something.
func TestWarningEdges(t *testing.T) {
	const pays, open = "X+ at 16 pays 9 vs Serial-", "X+ at 16 open 1 vs Serial-"
	host := func(change func(*machine.Env)) machine.Env {
		e := machine.Env{UsableCPUs: 16, PhysicalCores: 16, LogicalCPUs: 16, OS: "linux"}
		if change != nil {
			change(&e)
		}
		return e
	}
	slow := host(func(e *machine.Env) { e.Governor = "powersave" })
	threads := host(func(e *machine.Env) { e.PhysicalCores = 8 })
	control := func(low, high float64) stats.Estimate {
		return stats.Estimate{Ratio: (low + high) / 2, Low: low, High: high}
	}
	for _, tt := range []struct {
		name     string
		verdicts []string
		env      machine.Env
		procs    []int
		control  stats.Estimate
		dropped  int // of 90 kept
		want     []string
	}{
		{name: "steady, just", verdicts: []string{pays}, env: slow, control: control(1, 1)},
		{name: "slower than itself", verdicts: []string{pays}, env: slow, control: control(0.98, 0.999), want: []string{"governor powersave"}},
		{name: "faster than itself", verdicts: []string{pays}, env: slow, control: control(1.001, 1.1), want: []string{"governor powersave"}},
		{name: "a limit of as many", verdicts: []string{pays}, env: host(func(e *machine.Env) { e.Quota = 16 })},
		{name: "a limit of fewer", verdicts: []string{pays}, env: host(func(e *machine.Env) { e.Quota = 15.5 }), want: []string{"control group allows 15.5"}},
		{name: "a limit of more than was asked for", verdicts: []string{"X+ at 3 pays 2 vs Serial-"}, procs: []int{3}, env: host(func(e *machine.Env) { e.Quota = 3.5 })},
		{name: "threads of a core", verdicts: []string{"X+ at 9 even 1 vs 1"}, env: threads, want: []string{"16 logical processors on 8 cores"}},
		{name: "as many as there are cores", verdicts: []string{"X+ at 8 even 1 vs 1"}, env: threads},
		{name: "against a base", verdicts: []string{"X+ at 16 even 1 vs Serial-"}, env: threads},
		{name: "beyond", verdicts: []string{"X+ at 32 pays 2 vs 1"}, env: host(nil), procs: []int{1, 32, 17, 16}, want: []string{"GOMAXPROCS=17 is more than the 16 processors that can be used here: its figures are of threads that take turns, and say nothing of 17 processors", "GOMAXPROCS=32 is more"}},
		{name: "beyond, of two", verdicts: []string{"X+ at 3 pays 2 vs 1"}, env: host(func(e *machine.Env) { e.UsableCPUs = 2 }), procs: []int{1, 2, 3}, want: []string{"GOMAXPROCS=3 is more than the 2 processors"}},
		{name: "a tenth was repeated", verdicts: []string{open}, env: host(nil), dropped: 10, want: []string{"example.com/p: 10 of 100 samples were disturbed and taken again (steal 10)"}},
		{name: "less was repeated", verdicts: []string{open}, env: host(nil), dropped: 9},
		{name: "repeated, but nothing is open", verdicts: []string{pays}, env: host(nil), dropped: 50},
	} {
		if tt.procs == nil {
			tt.procs = []int{1, 3, 8, 9, 16}
		}
		if tt.control == (stats.Estimate{}) {
			tt.control = control(0.99, 1.01)
		}
		s := &measure.Series{Package: "example.com/p", Procs: tt.procs, End: measure.Budget, Samples: map[measure.Cell][]measure.Sample{{Bench: "BenchmarkSum", Procs: 1}: make([]measure.Sample, 90)}}
		if tt.dropped > 0 {
			s.Dropped = map[string]int{"steal": tt.dropped}
		}
		d := report.New(report.Input{Env: tt.env, Record: "rec", Series: []*measure.Series{s},
			Results: []judge.Result{{Package: "example.com/p", Verdicts: drawn(t, tt.verdicts...), Control: tt.control}}})
		if !slices.EqualFunc(d.Warnings, tt.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", tt.name, d.Warnings, tt.want)
		}
	}
	// Evidence is missed from half a loss on that no cause has.
	for _, tt := range []struct {
		unexplained float64
		explained   bool
		want        []string
	}{
		{0.5, true, []string{"hardware counters: none", "whether another payoff measured meanwhile: no"}},
		{0.499, true, []string{"whether another payoff measured meanwhile: no"}},
		{0.9, false, []string{"whether another payoff measured meanwhile: no"}},
	} {
		v := drawn(t, "X+ at 16 loses 0.5 vs Serial-")
		in := report.Input{Env: machine.Env{Missing: []string{"whether another payoff measured meanwhile: no"}}, Series: []*measure.Series{{Package: "example.com/p", Missing: []string{"hardware counters: none"}}}, Results: []judge.Result{{Package: "example.com/p", Verdicts: v}}}
		if tt.explained {
			in.Findings = [][]explain.Finding{{{Verdict: v[0], Unexplained: tt.unexplained}}}
		}
		d := report.New(in)
		if slices.Sort(d.Missing); !slices.Equal(d.Missing, tt.want) {
			t.Errorf("%v unexplained: %q, want %q", fmt.Sprint(tt.unexplained, tt.explained), d.Missing, tt.want)
		}
	}
}

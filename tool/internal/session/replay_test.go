package session

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/report"
)

func recordOf(run string) string { return filepath.Join("../../../record", run) }

// Headlines of recorded runs: each answers what its benchmarks ask.
func TestRecordedHeadlines(t *testing.T) {
	for run, want := range map[string]string{
		"2026-11-22-epyc-2cpu/session":        "Concurrency pays: channel is 1.45x as fast as serial at 2 processors (paddedplain pays too); packed, packedatomic, shared, sharedpadded and padded lose",
		"2026-11-22-epyc-2cpu/causes-foreign": "At 2 processors concurrency pays in part: of 13 comparisons 1 pays (Find/variant=table), 12 lose (Futures/variant=futures and 11 more); where both are of one goroutine, all 5 comparisons lose",
		// Atomics under contention against other counters under contention.
		"2026-11-21-epyc-2cpu/counter": "At 2 processors: of 60 comparisons 8 pay (Add/variant=padded/goroutines=64 and 7 more), 30 lose (Read/variant=padded/goroutines=64 and 29 more), 22 cannot be judged (Add/variant=payoff/goroutines=1 and 21 more); Add: payoff begins to pay between goroutines = 1 and 2",
		// Loops of one goroutine, some longer than others.
		"2026-11-21-epyc-2cpu/one":          "Nothing is faster than base at 1 processor; plus30 loses",
		"2026-11-21-epyc-2cpu/par-long":     "At 2 processors concurrency pays where it can be judged: of 13 comparisons 12 pay (Sort/variant=payoff/elem=int64/order=killer/n=1000000 and 11 more), 1 is in doubt (Sort/variant=payoff/elem=string/order=random/n=1000000: superlinear)",
		"2026-11-21-epyc-2cpu/modcache":     "On 2 processors instead of 1: none of 5 benchmarks can be judged yet: the machine gave 1.48 of 2 processors",
		"2026-11-22-epyc-2cpu/twins-short1": "At 1 processor: of 25 comparisons 11 are even (Twins/kernel=xor/variant=copy and 10 more), 14 cannot be judged (Twins/kernel=sum/variant=copy and 13 more)",
	} {
		end := last(t, Plan{From: recordOf(run), Causes: None})
		if end.Err != nil {
			t.Fatal(end.Err)
		}
		if end.Doc.Summary != want {
			t.Errorf("%s:\n got %s\nwant %s", run, end.Doc.Summary, want)
		}
	}
}

// Other pairs of a recorded run: the verdicts are those of its samples, with
// the evidence that was collected.
func TestOtherPairs(t *testing.T) {
	const run = "2026-11-22-epyc-2cpu/session"
	end := last(t, Plan{From: recordOf(run), Base: "variant=channel", Causes: Wanted})
	if end.Err != nil {
		t.Fatal(end.Err)
	}
	of := func(d *report.Doc, variant, base string) report.Comparison {
		i := slices.IndexFunc(d.Comparisons, func(c report.Comparison) bool {
			return c.Kind == measure.Variant && c.Variant == variant && c.Base == base && c.Procs == 2
		})
		if i < 0 {
			t.Fatalf("%s is not compared with %s", variant, base)
		}
		return d.Comparisons[i]
	}
	packed := of(end.Doc, "packed", "channel")
	if packed.Verdict != judge.Loses || len(packed.Causes) == 0 || packed.Causes[0].Slug != "falseshare" {
		t.Errorf("packed against channel %s, causes %v: want loses, for false sharing", packed.Verdict, packed.Causes)
	}
	if end.Doc.Packages[0].End != measure.Regrouped {
		t.Errorf("end = %q, want regrouped", end.Doc.Packages[0].End)
	}
	// The base of before: what was measured against it comes out as it did.
	before := last(t, Plan{From: recordOf(run)})
	again := last(t, Plan{From: recordOf(run), Base: "variant=serial"})
	for _, c := range before.Doc.Comparisons {
		if c.Kind == measure.Variant && c.Procs == 2 {
			if x := of(again.Doc, c.Variant, c.Base); *x.Ratio != *c.Ratio || x.Verdict != c.Verdict {
				t.Errorf("%s against %s: %s %g, with -base %s %g", c.Variant, c.Base, c.Verdict, *c.Ratio, x.Verdict, *x.Ratio)
			}
		}
	}
	// A run without any base.
	end = last(t, Plan{From: recordOf("2026-11-21-epyc-2cpu/sync"), Base: "BenchmarkMutexUncontended$", Vs: "BenchmarkMutex"})
	if end.Err != nil {
		t.Fatal(end.Err)
	}
	if n := len(slices.DeleteFunc(slices.Clone(end.Doc.Comparisons), func(c report.Comparison) bool { return c.Kind != measure.Variant || c.Verdict == judge.CannotSay })); n < 4 {
		t.Errorf("%d comparisons with the base are judged, want those of the other benchmarks of a mutex", n)
	}
	for _, refused := range []struct{ base, vs, want string }{
		{"serial|channel", "", "could belong to each"},
		{"Nothing", "", `-base "Nothing" matches none of `},
		{"", "channel", "-vs without -base"},
	} {
		end := last(t, Plan{From: recordOf(run), Base: refused.base, Vs: refused.vs})
		if end.Doc != nil || end.Err == nil || !strings.Contains(end.Err.Error(), refused.want) {
			t.Errorf("-base %q -vs %q: %v, want %q and no report", refused.base, refused.vs, end.Err, refused.want)
		}
	}
}

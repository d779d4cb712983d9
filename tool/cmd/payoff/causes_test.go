package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/claims"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A planted program has one known cause, or none.
type planted struct {
	Benchmark, Variant, First, Note string
	Procs                           []int
}

// sets of planted programs: folders of the record and the programs in them.
var sets = []struct{ record, dir, title string }{
	{"causes", "testdata/planted", "planted"},
	{"causes-unseen", "testdata/planted/unseen", "planted, in the style of ordinary programs"},
	{"causes-strangers", "testdata/planted/strangers", "planted without knowledge of the rules"},
	{"causes-foreign", "testdata/planted/foreign", "planted, in the way of open-source packages"},
	{"causes-spins", "testdata/planted/spins", "planted, that wait by looking"},
}

// A verdictOn is what was found on a planted program at one GOMAXPROCS.
type verdictOn struct {
	planted
	procs         int
	v             judge.Verdict
	got           []explain.Cause
	unexplained   float64
	first, second bool // the right cause is the first; is among the first two
}

func (x verdictOn) control() bool { return x.First == "none" }

// explained holds a recorded run of planted programs against what they want.
func explained(t *testing.T, dir, want string) []verdictOn {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", want, "want.json"))
	if err != nil {
		t.Fatal(err)
	}
	var programs []planted
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&programs); err != nil {
		t.Fatal(err)
	}
	run, all := load(t, dir)
	var out []verdictOn
	for _, s := range all {
		r := judge.Judge(s, run.Rule, run.Bounds)
		findings := explain.Explain(s, r, run.Prices, false)
		for _, p := range programs {
			for _, procs := range p.Procs {
				i := slices.IndexFunc(r.Verdicts, func(v judge.Verdict) bool {
					return v.Kind == measure.Variant && v.Variant == p.Variant && v.New.Procs == procs && strings.HasPrefix(v.New.Bench+"/", p.Benchmark+"/")
				})
				if i < 0 {
					t.Errorf("%s: %s/variant=%s at %d was not measured", dir, p.Benchmark, p.Variant, procs)
					continue
				}
				x := verdictOn{planted: p, procs: procs, v: r.Verdicts[i]}
				for _, f := range findings {
					if f.Verdict.New == x.v.New && f.Verdict.Kind == measure.Variant {
						x.got, x.unexplained = f.Causes, f.Unexplained
					}
				}
				right := strings.Split(p.First, "|")
				if len(x.got) == 0 {
					x.first = slices.Contains(right, "none")
					x.second = x.first
				}
				for k, c := range x.got[:min(2, len(x.got))] {
					if slices.Contains(right, c.Slug) {
						x.first = x.first || k == 0
						x.second = true
					}
				}
				out = append(out, x)
			}
		}
	}
	return out
}

// TestRecordedCauses: from the recorded evidence the right cause is named
// first for 95 % of the planted programs, among the first two for all, and
// controls have none.
func TestRecordedCauses(t *testing.T) {
	for _, set := range sets {
		for _, dir := range recorded(t, set.record) {
			first, n := 0, 0
			for _, x := range explained(t, dir, set.dir) {
				n++
				if x.first {
					first++
				}
				switch {
				case x.control() && len(x.got) > 0:
					t.Errorf("%s: %s/%s at %d is a control, and has causes %s", dir, x.Benchmark, x.Variant, x.procs, slugsOf(x.got))
				case !x.second:
					t.Errorf("%s: %s/%s at %d: %s (%.3g); causes %s, want %s", dir, x.Benchmark, x.Variant, x.procs, x.v.Word, x.v.Ratio, slugsOf(x.got), x.First)
				}
			}
			if n == 0 || float64(first) < 0.95*float64(n) {
				t.Errorf("%s: the right cause is first for %d of %d, want 95 %%", dir, first, n)
			}
		}
	}
}

func slugsOf(causes []explain.Cause) string {
	var out []string
	for _, c := range causes {
		out = append(out, fmt.Sprintf("%s %.0f %%", c.Slug, 100*c.Share))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

// causesTables sets what was planted beside what was found: in numbers, and
// program by program.
func causesTables(t *testing.T, record string) (sum, programs string) {
	var b, rows strings.Builder
	fmt.Fprintln(&rows, "| program | procs | verdict | speed against serial | planted | found, with its share of the lost processor time |")
	fmt.Fprintln(&rows, "| --- | ---: | --- | ---: | --- | --- |")
	fmt.Fprintln(&b, "| set | programs and processor counts | right cause first | among the first two | controls | controls without a cause |")
	fmt.Fprintln(&b, "| --- | ---: | ---: | ---: | ---: | ---: |")
	for _, set := range sets {
		if _, err := os.Stat(filepath.Join(record, set.record)); err != nil {
			continue // of another day
		}
		n, first, second, controls, quiet := 0, 0, 0, 0, 0
		for _, x := range explained(t, filepath.Join(record, set.record), set.dir) {
			n++
			if x.first {
				first++
			}
			if x.second {
				second++
			}
			if x.control() {
				controls++
				if len(x.got) == 0 {
					quiet++
				}
			}
			mark := ""
			if !x.first {
				mark = "**"
			}
			fmt.Fprintf(&rows, "| %s%s/%s%s | %d | %s | %.3g | %s | %s |\n", mark, strings.TrimPrefix(x.Benchmark, "Benchmark"), x.Variant, mark, x.procs, x.v.Word, x.v.Ratio,
				strings.ReplaceAll(x.First, "|", " or "), slugsOf(x.got))
		}
		fmt.Fprintf(&b, "| %s | %d | %d (%.1f %%) | %d (%.1f %%) | %d | %d |\n", set.title, n, first, 100*float64(first)/float64(n), second, 100*float64(second)/float64(n), controls, quiet)
	}
	return b.String(), rows.String()
}

// galleryCauses sets the causes that the gallery's cases claim beside those
// found.
func galleryCauses(t *testing.T, record string) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| case | benchmark | variant | procs | verdict | speed against its base | claimed | found, with its share of the lost processor time |")
	fmt.Fprintln(&b, "| --- | --- | --- | ---: | --- | ---: | --- | --- |")
	run, all := load(t, filepath.Join(record, "gallery-causes"))
	for _, s := range all {
		x, ok := gallery.Of(s.Package)
		if !ok {
			t.Fatalf("%s is no case of the gallery", s.Package)
		}
		want := x.Want
		findings := explain.Explain(s, judge.Judge(s, run.Rule, run.Bounds), run.Prices, false)
		checks, _ := claims.Held(want, s, findings, stats.DefaultRule, run.Bounds) // what is claimed today, as far as it was there
		for _, c := range checks {
			if !slices.Contains(want.Comparisons, c.Claim) {
				continue
			}
			found := "-"
			for _, f := range findings {
				if f.Verdict.New == c.Got.New && f.Verdict.Kind == measure.Variant {
					found = slugsOf(f.Causes)
				}
			}
			claimed := strings.ReplaceAll(c.Cause, "|", " or ")
			if claimed == "" && want.Cause != "" {
				claimed = "not " + want.Cause
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %.3g | %s | %s |\n", want.Case, c.Family, c.Variant, c.Procs, c.Got.Word, c.Got.Ratio, claimed, found)
		}
	}
	return b.String()
}

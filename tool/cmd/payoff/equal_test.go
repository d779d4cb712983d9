package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// equals are kinds of recorded runs that compare code with itself, by the
// beginning of their folders' names, and the table each kind stands in.
var equals = []struct{ prefix, title, table string }{
	{"aa-quiet", "ten kinds of code, 30 s for 20 comparisons", "aa.md"},
	{"aa-short", "the same in 12 s", "aa.md"},
	{"aa-load", "in 30 s, beside a process that takes one processor three quarters of the time", "aa.md"},
	{"twins-short", "renamed copies of 25 small loops, 30 s, over layouts", "aa.md"},
	{"twins-one", "in the linker's own layout", "twins.md"},
	{"twins-many", "over 24 layouts", "twins.md"},
}

// TestEquals: of what was measured of equal code, the tables say what the
// present rule makes. go test ./tool/cmd/payoff -run 'Equals|Splices' -update
// writes them.
func TestEquals(t *testing.T) {
	const head = "| code against itself | runs | comparisons | false verdicts | even | cannot say | intervals without 1 |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
	records, err := filepath.Glob("../../../record/*")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, record := range records {
		type sums struct{ runs, n, bad, even, open, outside int }
		total := map[string]*sums{}
		rows := map[string]string{}
		for _, kind := range equals {
			runs, err := filepath.Glob(filepath.Join(record, kind.prefix+"*", "run.json"))
			if err != nil {
				t.Fatal(err)
			}
			var x sums
			for _, f := range runs {
				run, all := load(t, filepath.Dir(f))
				x.runs++
				for _, s := range all {
					for _, v := range judge.Judge(s, run.Rule, run.Bounds).Verdicts {
						if v.Kind != measure.Variant {
							continue
						}
						x.n++
						switch v.Word {
						case judge.Pays, judge.Loses:
							x.bad++
						case judge.Even:
							x.even++
						default:
							x.open++
						}
						if v.Low > 1 || v.High < 1 {
							x.outside++
						}
					}
				}
			}
			if x.runs == 0 {
				continue
			}
			found++
			row := func(title string, x sums) string {
				share := func(k int) string { return fmt.Sprintf("%d (%.1f %%)", k, 100*float64(k)/float64(x.n)) }
				return fmt.Sprintf("| %s | %d | %d | %s | %s | %d | %d |\n", title, x.runs, x.n, share(x.bad), share(x.even), x.open, x.outside)
			}
			rows[kind.table] += row(kind.title, x)
			if kind.table == "twins.md" {
				continue
			}
			all := total[kind.table]
			if all == nil {
				all = &sums{}
				total[kind.table] = all
			}
			*all = sums{all.runs + x.runs, all.n + x.n, all.bad + x.bad, all.even + x.even, all.open + x.open, all.outside + x.outside}
			if kind.prefix == "twins-short" {
				rows[kind.table] += row("**all**", *all)
			}
		}
		for table, text := range rows {
			file := filepath.Join(record, table)
			if *update {
				if err := os.WriteFile(file, []byte(head+text), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if old, err := os.ReadFile(file); err != nil || string(old) != head+text {
				t.Errorf("%s is not what the raw results give (%v):\n%s", file, err, head+text)
			}
		}
		// What the house promises of real runs, over all of them.
		if all := total["aa.md"]; all != nil && all.n >= 300 && float64(all.bad) > 0.02*float64(all.n) {
			t.Errorf("%s: %d of %d comparisons of equal code are false verdicts, want at most 2 %%", record, all.bad, all.n)
		}
	}
	if found == 0 {
		t.Error("no record of comparisons of equal code")
	}
}

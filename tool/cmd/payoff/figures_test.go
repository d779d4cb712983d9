package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/claims"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// TestFigures: the tables of the record are made from its raw results, with
// the present rule. go test ./tool/cmd/payoff -run 'Figures|Splices' -update writes them.
func TestFigures(t *testing.T) {
	dirs, err := filepath.Glob("../../../record/*/aa1")
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		t.Fatal("no record of comparisons of code with itself")
	}
	for _, d := range dirs {
		dir := filepath.Dir(d)
		sum, programs := causesTables(t, dir)
		for name, text := range map[string]string{"aa.md": aaTable(t, dir), "claims.md": claimsTable(t, dir), "cost.md": costTable(t, dir), "causes.md": sum, "causes-programs.md": programs, "gallery-causes.md": galleryCauses(t, dir)} {
			file := filepath.Join(dir, name)
			if *update {
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if old, err := os.ReadFile(file); err != nil || string(old) != text {
				t.Errorf("%s is not what the raw results give (%v):\n%s\nwrite it with go test ./tool/cmd/payoff -run 'Figures|Splices' -update", file, err, text)
			}
		}
	}
}

// TestFiguresSession: the newest session, which documents show, is what payoff
// says today of the recorded run.
func TestFiguresSession(t *testing.T) {
	dir := slices.Max(recorded(t, "session"))
	t.Chdir(filepath.Dir(dir))
	var out, errs bytes.Buffer
	if code := run([]string{"payoff", "replay", "session"}, &out, &errs); code != exitOK {
		t.Fatalf("replay %s: exit code %d\n%s", dir, code, errs.String())
	}
	if *update {
		if err := os.WriteFile("session.txt", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old, err := os.ReadFile("session.txt"); err != nil || !bytes.Equal(old, out.Bytes()) {
		t.Errorf("%s.txt is not what the recorded run gives (%v): write it with go test ./tool/cmd/payoff -run 'Figures|Splices' -update", dir, err)
	}
}

func load(t *testing.T, dir string) (store.Run, []*measure.Series) {
	t.Helper()
	run, all, err := store.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run, all
}

// aaTable counts verdicts on code measured against itself, and what the usual
// comparison of two runs makes of the same code.
func aaTable(t *testing.T, dir string) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| comparisons of code with itself | comparisons | false verdicts | even | cannot say | intervals without 1 | noise floor |")
	fmt.Fprintln(&b, "| --- | ---: | ---: | ---: | ---: | ---: | --- |")
	sessions, err := filepath.Glob(filepath.Join(dir, "aa[0-9a-z]*", "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	total, wrong := 0, 0
	for _, f := range sessions {
		run, all := load(t, filepath.Dir(f))
		name := filepath.Base(filepath.Dir(f))
		words := map[judge.Word]int{}
		n, outside := 0, 0
		floor := ""
		for _, s := range all {
			r := judge.Judge(s, stats.DefaultRule, run.Bounds)
			for _, v := range r.Verdicts {
				if v.Kind != measure.Variant {
					continue
				}
				n++
				words[v.Word]++
				if v.Low > 1 || v.High < 1 {
					outside++
				}
			}
			floor = fmt.Sprintf("%.3f [%.3f, %.3f]", r.Control.Ratio, r.Control.Low, r.Control.High)
		}
		bad := words[judge.Pays] + words[judge.Loses]
		total, wrong = total+n, wrong+bad
		title := "payoff, session " + name
		if name == "aaload" {
			title = "payoff, beside a process that takes one processor three quarters of the time"
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %s |\n", title, n, bad, words[judge.Even], words[judge.CannotSay], outside, floor)
	}
	fmt.Fprintf(&b, "| **payoff, all** | **%d** | **%d (%.1f %%)** | | | | |\n", total, wrong, 100*float64(wrong)/float64(total))
	n, bad := classical(t, dir)
	fmt.Fprintf(&b, "| old run against new run, 10 counts in a process each, Mann–Whitney p < 0.05 | %d | %d (%.0f %%) | | | | |\n", n, bad, 100*float64(bad)/float64(n))
	return b.String()
}

// classical compares each pair of processes as benchstat does two files.
func classical(t *testing.T, dir string) (n, significant int) {
	files, err := filepath.Glob(filepath.Join(dir, "classical*.txt"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%v: %d processes of the classical comparison, want 2 at least", err, len(files))
	}
	var runs []map[string][]float64
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		run := map[string][]float64{}
		for r := benchfmt.NewReader(bytes.NewReader(data), f); r.Scan(); {
			if res, ok := r.Result().(*benchfmt.Result); ok {
				if v, ok := res.Value("sec/op"); ok {
					run[string(res.Name.Full())] = append(run[string(res.Name.Full())], v)
				}
			}
		}
		runs = append(runs, run)
	}
	for i := range runs {
		for j := range i {
			for _, name := range slices.Sorted(maps.Keys(runs[i])) {
				c := benchmath.AssumeNothing.Compare(
					benchmath.NewSample(runs[j][name], &benchmath.DefaultThresholds),
					benchmath.NewSample(runs[i][name], &benchmath.DefaultThresholds))
				n++
				if c.P < 0.05 {
					significant++
				}
			}
		}
	}
	return n, significant
}

// claimsTable sets what the gallery's cases claim beside what was measured.
func claimsTable(t *testing.T, dir string) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| case | benchmark | variant | against | procs | speed against it, 95 % interval | verdict |")
	fmt.Fprintln(&b, "| --- | --- | --- | --- | ---: | ---: | --- |")
	run, all := load(t, filepath.Join(dir, "gallery"))
	for _, s := range all {
		x, ok := gallery.Of(s.Package)
		if !ok {
			t.Fatalf("%s is no case of the gallery", s.Package)
		}
		checks, _ := claims.Held(x.Want, s, nil, stats.DefaultRule, run.Bounds) // what is claimed today, as far as it was there
		for _, c := range checks {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %.3g [%.3g, %.3g] | %s |\n", x.Name, c.Family, c.Variant, c.Base, c.Procs, c.Got.Ratio, c.Got.Low, c.Got.High, c.Got.Word)
		}
	}
	return b.String()
}

// costTable says how much of a run's time its samples are.
func costTable(t *testing.T, dir string) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| run | packages | samples kept | dropped | wall time | without evidence | benchmark processes | ratio |")
	fmt.Fprintln(&b, "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	files, err := filepath.Glob(filepath.Join(dir, "*", "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(a, b) })
	for _, f := range files {
		run, all := load(t, filepath.Dir(f))
		kept, dropped := 0, 0
		var processes, evidence int64
		for _, s := range all {
			for _, x := range s.Samples {
				kept += len(x)
			}
			for _, n := range s.Dropped {
				dropped += n
			}
			processes += s.Cost.Samples
			evidence += s.Cost.Evidence
		}
		measuring := run.Elapsed.Seconds() - float64(evidence)/1e9
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %.1f s | %.1f s | %.1f s | %.2f |\n", filepath.Base(filepath.Dir(f)), len(all), kept, dropped,
			run.Elapsed.Seconds(), measuring, float64(processes)/1e9, measuring*1e9/float64(processes))
	}
	return b.String()
}

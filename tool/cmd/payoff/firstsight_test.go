package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A sight is what payoff said of a program when it saw it for the first time:
// a line of a file firstsight-NAME.tsv, with the fields benchmark, variant,
// processors, verdict, ratio, and the causes with their shares, most first.
// Such a file is written once, from the report of the run, and stays as it is
// when the rules change.
type sight struct {
	bench, variant string
	procs          int
	word           string
	ratio          float64
	causes         []string // slugs
	found          string   // slugs with shares
}

// firsts are the sets of programs that were judged once: folders of planted
// programs by the name of their file.
var firsts = map[string]string{"fresh": "testdata/planted/fresh"}

var truthRow = regexp.MustCompile(`(?m)^\| (\w+)/(\w+) \| (\d+) \| [^|]* \| ([0-9.]+) `)

// TestFirstSight: the tables of first sights are made from what was said then
// and from what interventions had shown before. go test ./tool/cmd/payoff -run
// 'FirstSight|Splices' -update writes them.
func TestFirstSight(t *testing.T) {
	n := 0
	for name, dir := range firsts {
		files, err := filepath.Glob("../../../record/*/firstsight-" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			n++
			sum, programs := firstSight(t, file, filepath.Join("..", "..", dir))
			for end, text := range map[string]string{".md": sum, "-programs.md": programs} {
				out := strings.TrimSuffix(file, ".tsv") + end
				if *update {
					if err := os.WriteFile(out, []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if old, err := os.ReadFile(out); err != nil || string(old) != text {
					t.Errorf("%s is not what the raw results give (%v):\n%s", out, err, text)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no record of a first sight")
	}
}

func firstSight(t *testing.T, file, dir string) (sum, programs string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]sight{}
	key := func(bench, variant string, procs int) string { return fmt.Sprintf("%s/%s %d", bench, variant, procs) }
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 6 {
			t.Fatalf("%s: %q has %d fields, want 6", file, line, len(f))
		}
		procs, err1 := strconv.Atoi(f[2])
		ratio, err2 := strconv.ParseFloat(f[4], 64)
		if err1 != nil || err2 != nil {
			t.Fatalf("%s: %q: %v %v", file, line, err1, err2)
		}
		x := sight{bench: f[0], variant: f[1], procs: procs, word: f[3], ratio: ratio, found: f[5]}
		for c := range strings.SplitSeq(f[5], ", ") {
			if slug, _, _ := strings.Cut(c, " "); slug != "" && slug != "none" {
				x.causes = append(x.causes, slug)
			}
		}
		seen[key(x.bench, x.variant, procs)] = x
	}

	data, err = os.ReadFile(filepath.Join(dir, "want.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want []planted
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(filepath.Join(dir, "truth.md")); err != nil {
		t.Fatal(err)
	}
	speed := map[string]float64{} // by plain runs of go test
	for _, m := range truthRow.FindAllStringSubmatch(string(data), -1) {
		procs, _ := strconv.Atoi(m[3])
		r, _ := strconv.ParseFloat(m[4], 64)
		speed[key("Benchmark"+m[1], m[2], procs)] = 1 / r
	}

	var rows strings.Builder
	var n, first, second, controls, quiet, right, open, wrong int
	for _, p := range want {
		for _, procs := range p.Procs {
			k := key(p.Benchmark, p.Variant, procs)
			x, ok := seen[k]
			truth, known := speed[k]
			if !ok || !known {
				t.Errorf("%s: %s was seen: %v, its truth is known: %v", file, k, ok, known)
				continue
			}
			claims := strings.Split(p.First, "|")
			good := false
			if p.First == "none" {
				controls++
				if good = len(x.causes) == 0; good {
					quiet++
				}
			} else {
				n++
				if good = len(x.causes) > 0 && slices.Contains(claims, x.causes[0]); good {
					first++
				}
				if good || len(x.causes) > 1 && slices.Contains(claims, x.causes[1]) {
					second++
				}
			}
			verdict := ""
			switch {
			case x.word == "cannot say":
				open++
			case x.word == "pays" && truth < 0.97, x.word == "loses" && truth > 1.03, x.word == "even" && (truth < 0.93 || truth > 1.075):
				wrong++
				verdict = " **?**"
			default:
				right++
			}
			mark := ""
			if !good {
				mark = "**"
			}
			fmt.Fprintf(&rows, "| %s%s/%s%s | %d | %s%s | %.3g | %.3g | %s | %s |\n", mark, strings.TrimPrefix(p.Benchmark, "Benchmark"), p.Variant, mark, procs, x.word, verdict, x.ratio, truth,
				strings.ReplaceAll(p.First, "|", " or "), x.found)
		}
	}
	share := func(k, of int) string {
		return fmt.Sprintf("%d of %d (%.1f %%)", k, of, 100*float64(k)/float64(max(1, of)))
	}
	sum = fmt.Sprintf("| programs and processor counts with a cause | right cause first | among the first two | controls without a cause | verdicts: right | `cannot say` | against the truth |\n| ---: | --- | --- | --- | --- | --- | --- |\n| %d | %s | %s | %s | %s | %s | %s |\n",
		n, share(first, n), share(second, n), share(quiet, controls), share(right, right+open+wrong), share(open, right+open+wrong), share(wrong, right+open+wrong))
	return sum, "| program | procs | verdict | speed against serial | by go test | planted | found, with its share of the lost processor time |\n| --- | ---: | --- | ---: | ---: | --- | --- |\n" + rows.String()
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A row is one comparison, as payoff and the hand have it.
type row struct {
	stranger
	Kind              string
	Name, BaseName    string // full names of the benchmarks
	Procs, BaseProcs  int
	Verdict           string
	Ratio, Low, High  *float64
	Hand, Least, Most float64 // the median of the rounds' ratios, the smallest and the largest; NaN without
	Why               string
	Cause             string
	Contradicts       string // "" if it does not
}

// rows reads all that was measured.
func (o *options) rows(all []stranger) (rows []row, err error) {
	for _, s := range all {
		dir := filepath.Join(o.out, s.name())
		by, err := read(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out, err := exec.Command(o.payoff, "replay", "-json", filepath.Join(dir, "run")).Output()
		if err != nil {
			continue // nothing was measured; report.txt says why
		}
		var doc struct {
			Comparisons []struct {
				row
				Causes []struct{ Slug string }
			}
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for _, c := range doc.Comparisons {
			r := c.row
			r.stranger = s
			if len(c.Causes) > 0 {
				r.Cause = c.Causes[0].Slug
			}
			r.Hand, r.Least, r.Most = ratio(by[cell(r.BaseName, r.BaseProcs)], by[cell(r.Name, r.Procs)])
			r.Contradicts = contradiction(r)
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// ratio is the time of the base over that of the other, by the rounds that both have.
func ratio(base, other map[int]float64) (median, least, most float64) {
	var all []float64
	for round, b := range base {
		if x, ok := other[round]; ok && x > 0 && b > 0 {
			all = append(all, b/x)
		}
	}
	if len(all) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	slices.Sort(all)
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2, all[0], all[n-1]
}

// beyond is how far outside of an interval a ratio may be.
const beyond = 1.1

// contradiction says how payoff and the hand differ, or "".
func contradiction(r row) string {
	if math.IsNaN(r.Hand) || r.Ratio == nil || r.Low == nil || r.High == nil {
		return ""
	}
	switch {
	case r.Verdict == "pays" && r.Most < 1 || r.Verdict == "loses" && r.Least > 1:
		return "another side"
	case r.Verdict == "cannot say":
		return ""
	case outside(*r.Ratio, r.Least, r.Most) && outside(r.Hand, *r.Low, *r.High):
		return "another ratio"
	}
	return ""
}

func outside(x, low, high float64) bool { return x < low/beyond || x > high*beyond }

// markdown is the table, what contradicts first.
func markdown(rows []row) string {
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(b.Contradicts, a.Contradicts) })
	var b bytes.Buffer
	open, wrong, compared := 0, 0, 0
	for _, r := range rows {
		if r.Verdict == "cannot say" {
			open++
		}
		if r.Contradicts != "" {
			wrong++
		}
		if !math.IsNaN(r.Hand) {
			compared++
		}
	}
	fmt.Fprintf(&b, "%d comparisons, %d of them measured by hand as well; %d contradict; payoff cannot say in %d.\n\n", len(rows), compared, wrong, open)
	fmt.Fprintln(&b, "| module | benchmark | against | verdict | payoff | by hand, all rounds | cause | contradicts |\n|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		against := fmt.Sprintf("itself at %d", r.BaseProcs)
		if r.Kind == "variant" {
			against = strings.TrimPrefix(r.BaseName, "Benchmark")
		}
		by := "–"
		if !math.IsNaN(r.Hand) {
			by = fmt.Sprintf("%.3g [%.3g, %.3g]", r.Hand, r.Least, r.Most)
		}
		fmt.Fprintf(&b, "| %s | %s at %d | %s | %s | %s | %s | %s | %s |\n", strings.TrimSuffix(r.Module+"/"+r.Package, "/."), strings.TrimPrefix(r.Name, "Benchmark"), r.Procs, against, r.Verdict, interval(r), by, r.Cause, r.Contradicts)
	}
	return b.String()
}

func interval(r row) string {
	if r.Ratio == nil {
		return "–"
	}
	end := func(x *float64) string {
		if x == nil {
			return "?"
		}
		return fmt.Sprintf("%.3g", *x)
	}
	return fmt.Sprintf("%.3g [%s, %s]", *r.Ratio, end(r.Low), end(r.High))
}

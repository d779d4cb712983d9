package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
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
	Causes            []cause
	Contradicts       string // "" if it does not
}

// A cause is what payoff claims, with its share of what is lost.
type cause struct {
	Slug  string
	Share float64
}

// A reading is what a reader of the source and of a profile found of the first cause
// of a row.
type reading struct {
	Row   string `json:"row"` // its key
	Right bool   `json:"right"`
	Why   string `json:"why"`
}

// key names a row for readings.
func (r row) key() string { return r.pkg() + " " + r.at() + " against " + r.against() }

func (s stranger) pkg() string { return strings.TrimSuffix(s.Module+"/"+s.Package, "/.") }

func (r row) at() string {
	return fmt.Sprintf("%s at %d", strings.TrimPrefix(r.Name, "Benchmark"), r.Procs)
}

func (r row) against() string {
	if r.Kind == "variant" {
		return strings.TrimPrefix(r.BaseName, "Benchmark")
	}
	return fmt.Sprintf("itself at %d", r.BaseProcs)
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
		if err != nil && len(out) == 0 {
			continue // nothing was measured; report.txt says why
		}
		var doc struct {
			Comparisons []row
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		for _, r := range doc.Comparisons {
			r.stranger = s
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

// An answer is what the writer of a package says of it: which benchmark is held against
// which, whether it pays on two processors ("yes", "no" or "unsure"), and why not.
type answer struct {
	Package string
	Pairs   []struct{ Base, New, Pays, Cause string }
}

// expected compares rows with answers, and says of each pair what became of it.
func expected(rows []row, answers []answer) string {
	if len(answers) == 0 {
		return ""
	}
	made := map[[3]string]row{}
	for _, r := range rows {
		if r.Kind == "variant" && r.Procs == 2 {
			made[[3]string{filepath.Base(r.pkg()), r.BaseName, r.Name}] = r
		}
	}
	var b bytes.Buffer
	all, found, given, right := 0, 0, 0, 0
	for _, a := range answers {
		for _, p := range a.Pairs {
			all++
			r, ok := made[[3]string{a.Package, p.Base, p.New}]
			verdict, causes := "not compared", ""
			if ok {
				found++
				verdict, causes = r.Verdict, r.causes()
				if verdict != "cannot say" {
					given++
				}
				if verdict == "pays" && p.Pays != "no" || (verdict == "loses" || verdict == "even") && p.Pays != "yes" {
					right++
				}
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s: %s | %s | %s |\n", a.Package, strings.TrimPrefix(p.New, "Benchmark"), strings.TrimPrefix(p.Base, "Benchmark"), p.Pays, p.Cause, verdict, causes)
		}
	}
	return fmt.Sprintf("Of %d pairs that the writers of the packages make %d are compared; of %d verdicts on them at two processors %d are theirs.\n\n| package | benchmark | against | pays, its writer says | payoff | causes |\n|---|---|---|---|---|---|\n%s\n", all, found, given, right, b.String())
}

// markdown is the table, what contradicts first.
func markdown(rows []row, read []reading) string {
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
	fmt.Fprintf(&b, "%d comparisons, %d of them measured by hand as well; %d contradict; payoff cannot say in %d.", len(rows), compared, wrong, open)
	found := map[string]string{}
	right := 0
	for _, x := range read {
		found[x.Row] = "no: " + x.Why
		if x.Right {
			found[x.Row] = "yes"
			right++
		}
	}
	if len(read) > 0 {
		fmt.Fprintf(&b, " %d first causes were read beside source and profile; %d are right.", len(read), right)
	}
	fmt.Fprint(&b, "\n\n"+reasons(rows))
	fmt.Fprintln(&b, "| module | benchmark | against | verdict | payoff | by hand, all rounds | causes | right | contradicts |\n|---|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		by := "–"
		if !math.IsNaN(r.Hand) {
			by = fmt.Sprintf("%.3g [%.3g, %.3g]", r.Hand, r.Least, r.Most)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.pkg(), r.at(), r.against(), r.Verdict, interval(r), by, r.causes(), found[r.key()], r.Contradicts)
	}
	return b.String()
}

// reasons counts why nothing is said, by the words without their figures.
func reasons(rows []row) string {
	count := map[string]int{}
	for _, r := range rows {
		if r.Verdict == "cannot say" {
			count[figures.ReplaceAllString(aside.ReplaceAllString(r.Why, ""), "N")]++
		}
	}
	if len(count) == 0 {
		return ""
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	})
	var b strings.Builder
	b.WriteString("| cannot say, since | comparisons |\n|---|---:|\n")
	for _, why := range all {
		fmt.Fprintf(&b, "| %s | %d |\n", why, count[why])
	}
	return b.String() + "\n"
}

var (
	aside   = regexp.MustCompile(` \([^)]*\)`)
	figures = regexp.MustCompile(`[0-9][0-9.,e+-]*[0-9]|[0-9]`)
)

func (r row) causes() string {
	var all []string
	for _, c := range r.Causes {
		all = append(all, fmt.Sprintf("%s %.0f %%", c.Slug, 100*c.Share))
	}
	return strings.Join(all, ", ")
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

package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// A bill is what one go test command took.
type bill struct {
	command  string
	wall     float64   // seconds
	all      float64   // processor seconds, of building too
	speed    []float64 // seconds of the calibration, before and after
	readings []reading
	tests    []test
}

// unit is how many seconds a unit took.
func (b *bill) unit() float64 {
	sum := 0.0
	for _, s := range b.speed {
		sum += s
	}
	return sum / float64(len(b.speed))
}

// name returns the name of a package in tables and budgets: its directory
// from the current one.
func name(dir string) string {
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, dir); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(dir)
}

// A budget's entry may be passed by half, and by slack units: what is small
// may double from one run to the next.
const (
	excess = 1.5
	slack  = 1
)

// A complaint is of a package that takes more than it may.
type complaint struct{ dir, said string }

// over returns a complaint for each package that takes more than its entry
// allows or has none.
func (b *bill) over(limits map[string]float64) (all []complaint) {
	for _, r := range b.readings {
		n, units := name(r.Dir), r.CPU/b.unit()
		switch limit, ok := limits[n]; {
		case !ok && units > slack:
			all = append(all, complaint{r.Dir, fmt.Sprintf("%s takes %.1f units and has no entry in the budget", n, units)})
		case ok && units > excess*limit+slack:
			all = append(all, complaint{r.Dir, fmt.Sprintf("%s takes %.1f units (%.1f s of processor time), its entry in the budget is %.1f", n, units, r.CPU, limit)})
		}
	}
	slices.SortFunc(all, func(x, y complaint) int { return cmp.Compare(x.said, y.said) })
	return all
}

// table lists the packages, dearest first.
func (b *bill) table(limits map[string]float64) string {
	var s strings.Builder
	byCost := slices.SortedFunc(slices.Values(b.readings), func(x, y reading) int {
		return cmp.Or(cmp.Compare(y.CPU, x.CPU), cmp.Compare(x.Dir, y.Dir))
	})
	tests := 0.0
	for _, r := range byCost {
		tests += r.CPU
	}
	fmt.Fprintf(&s, "%s: %.0f s, %.0f s of processor time (tests %.0f s, building and vetting %.0f s)\n", b.command, b.wall, b.all, tests, max(0, b.all-tests))
	fmt.Fprintf(&s, "%s/%s, %s, %d processors; a unit is %.2f s (%.2f s before, %.2f s after)\n\n", runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.NumCPU(), b.unit(), b.speed[0], b.speed[len(b.speed)-1])
	fmt.Fprintf(&s, "%9s %9s %9s %9s  %-5s package\n", "processor", "wall", "units", "budget", "long")
	for _, r := range byCost {
		limit := "-"
		if x, ok := limits[name(r.Dir)]; ok {
			limit = fmt.Sprintf("%.1f", x)
		}
		long := ""
		if hasLong(r.Dir) {
			long = "yes"
		}
		fmt.Fprintf(&s, "%8.2fs %8.2fs %9.2f %9s  %-5s %s\n", r.CPU, r.Wall, r.CPU/b.unit(), limit, long, name(r.Dir))
	}
	return s.String()
}

// asksLong are the words by which tests ask whether to take their long form, by
// themselves or by what several share.
var asksLong = []string{"stress.Long()", "stress.Mutants(", "shapetest.", "twintest.", "orders.Run(", "[!long]"}

// hasLong reports whether the tests in a directory have a long form, which
// PAYOFF_LONG=1 runs.
func hasLong(dir string) bool {
	for _, pattern := range []string{"*_test.go", "testdata/script/*.txtar"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is sound
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err == nil && slices.ContainsFunc(asksLong, func(w string) bool { return strings.Contains(string(text), w) }) {
				return true
			}
		}
	}
	return false
}

// slowest lists n tests by wall time.
func (b *bill) slowest(n int) string {
	var s strings.Builder
	s.WriteString("\n")
	byWall := slices.SortedFunc(slices.Values(b.tests), func(x, y test) int { return cmp.Compare(y.wall, x.wall) })
	for _, t := range byWall[:min(n, len(byWall))] {
		fmt.Fprintf(&s, "%8.2fs  %s %s\n", t.wall, t.pkg, t.name)
	}
	return s.String()
}

const budgetHead = `# What the tests of a package may cost: units of processor time, children
# included (see house/cost). .ci/run fails where one takes more by half and a
# unit, twice. An entry is raised in a commit of its own, with the reason.
# Entries hold with nothing cached: what a test compiles for the first time counts.
`

// budget returns a budget that this bill just keeps.
func (b *bill) budget() string {
	var s strings.Builder
	s.WriteString(budgetHead)
	for _, r := range slices.SortedFunc(slices.Values(b.readings), func(x, y reading) int { return cmp.Compare(x.Dir, y.Dir) }) {
		fmt.Fprintf(&s, "%6.1f %s\n", r.CPU/b.unit(), name(r.Dir))
	}
	return s.String()
}

// parseBudget reads lines of units and a package; # begins a comment.
func parseBudget(text string) (map[string]float64, error) {
	limits := map[string]float64{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if len(f) != 2 {
			return nil, fmt.Errorf("budget line %d: %q: want units and a package", n, strings.TrimSpace(line))
		}
		units, err := strconv.ParseFloat(f[0], 64)
		if err != nil || !(units >= 0) {
			return nil, fmt.Errorf("budget line %d: units %q: want a number", n, f[0])
		}
		if _, ok := limits[f[1]]; ok {
			return nil, fmt.Errorf("budget line %d: a second entry for %s", n, f[1])
		}
		limits[f[1]] = units
	}
	return limits, nil
}

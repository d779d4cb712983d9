package fresh

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// truth.txt is what the benchmarks printed with -cures, in rounds: a line
// "# procs N" and then all programs, serial, variant and cure side by side, in a
// process of its own with that GOMAXPROCS. truth.md is computed from it.
var update = flag.Bool("update", false, "write truth.md anew")

// A claim is an entry of want.json.
type claim struct {
	Benchmark, Variant, First, Note string
	Procs                           []int
}

func readClaims(t *testing.T) []claim {
	t.Helper()
	data, err := os.ReadFile("want.json")
	if err != nil {
		t.Fatal(err)
	}
	var cs []claim
	if err := json.Unmarshal(data, &cs); err != nil {
		t.Fatal(err)
	}
	return cs
}

// A round has the nanoseconds per operation of what ran side by side.
type round struct{ serial, variant, cure float64 }

// at names the rounds of a program at a number of processors.
type at struct {
	program string
	procs   int
}

var benchLine = regexp.MustCompile(`^Benchmark(\w+)/(variant|cure)=([^\s/]+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op`)

func readTruth(t *testing.T) map[at][]round {
	t.Helper()
	data, err := os.ReadFile("truth.txt")
	if err != nil {
		t.Fatal(err)
	}
	rounds := map[at][]round{}
	procs := 0
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		if n, ok := strings.CutPrefix(s.Text(), "# procs "); ok {
			if procs, err = strconv.Atoi(n); err != nil {
				t.Fatal(err)
			}
		}
		m := benchLine.FindStringSubmatch(s.Text())
		if m == nil {
			continue
		}
		ns, err := strconv.ParseFloat(m[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		k := at{m[1], procs}
		if m[2] == "variant" && m[3] == "serial" {
			rounds[k] = append(rounds[k], round{serial: ns})
			continue
		}
		last := &rounds[k][len(rounds[k])-1]
		if m[2] == "cure" {
			last.cure = ns
		} else {
			last.variant = ns
		}
	}
	return rounds
}

// A loss is what a variant takes beyond its goal, in times of serial.
type loss struct {
	variant, cured, goal float64
	confirming           int // rounds in which the cure takes away half of it
}

// lossOf has serial as the goal where the variant is clearly slower than that,
// and the ideal where it is not. Waits overlap on one processor as well.
func lossOf(rs []round, procs int, first string) loss {
	l := loss{
		variant: medianOf(rs, func(r round) float64 { return r.variant / r.serial }),
		cured:   medianOf(rs, func(r round) float64 { return r.cure / r.serial }),
		goal:    1,
	}
	if l.variant < 1.1 {
		if first == "waiting" {
			procs = fetches
		}
		l.goal = 1 / float64(procs)
	}
	for _, r := range rs {
		if r.cure < (r.variant+l.goal*r.serial)/2 {
			l.confirming++
		}
	}
	return l
}

// removed is the share of the loss that the cure takes away.
func (l loss) removed() float64 { return (l.variant - l.cured) / (l.variant - l.goal) }

func medianOf(rs []round, f func(round) float64) float64 {
	xs := make([]float64, len(rs))
	for i, r := range rs {
		xs[i] = f(r)
	}
	slices.Sort(xs)
	return (xs[len(xs)/2] + xs[(len(xs)-1)/2]) / 2
}

// confirmed reports whether the measurement bears the claim out. A cause has to
// cost something, and its cure to take away half of that in three rounds of
// four. Without a cause the variant takes no longer than serial, but for noise.
func confirmed(rs []round, procs int, first string) bool {
	if len(rs) < 6 {
		return false
	}
	l := lossOf(rs, procs, first)
	if first == "none" {
		return l.variant <= 1.05
	}
	return l.variant > 0.97 && l.removed() >= 0.5 && 4*l.confirming >= 3*len(rs)
}

// The claims are those that the recorded measurement confirms.
func TestTruth(t *testing.T) {
	truth := readTruth(t)
	var out bytes.Buffer
	fmt.Fprintf(&out, "# The causes, by intervention\n\n")
	fmt.Fprintf(&out, "Medians over the rounds of truth.txt, of ratios within a round; in brackets the least and the greatest. ")
	fmt.Fprintf(&out, "A cure is the variant without the cause it names, in fresh_cures_test.go. ")
	fmt.Fprintf(&out, "`removed` is the share of the loss that it takes away: beyond serial where the variant is slower, beyond the ideal (serial over processors) where it is not, by a tenth; in brackets the rounds in which that is more than half.\n\n")
	fmt.Fprintf(&out, "| program | procs | serial | variant/serial | cured/serial | removed | cause |\n|---|---|---|---|---|---|---|\n")
	ills := 0
	for _, c := range readClaims(t) {
		name := strings.TrimPrefix(c.Benchmark, "Benchmark")
		for _, p := range c.Procs {
			rs := truth[at{name, p}]
			if !confirmed(rs, p, c.First) {
				t.Errorf("%s at %d: not confirmed as %s", name, p, c.First)
			}
			if len(rs) == 0 {
				continue
			}
			cured, gain := "", ""
			if _, ok := cures[name]; ok {
				cured = spread(rs, func(r round) float64 { return r.cure / r.serial })
				if c.First != "none" {
					l := lossOf(rs, p, c.First)
					gain = fmt.Sprintf("%.0f%% (%d of %d)", 100*l.removed(), l.confirming, len(rs))
				}
			}
			if c.First != "none" {
				ills++
			}
			fmt.Fprintf(&out, "| %s/%s | %d | %.0f µs | %s | %s | %s | %s |\n", name, c.Variant, p,
				medianOf(rs, func(r round) float64 { return r.serial })/1000,
				spread(rs, func(r round) float64 { return r.variant / r.serial }), cured, gain, strings.ReplaceAll(c.First, "|", " or "))
		}
	}
	fmt.Fprintf(&out, "\n%d claims of a cause, all confirmed.\n", ills)
	if *update {
		if err := os.WriteFile("truth.md", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("truth.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Error("truth.md is not what truth.txt says; run with -update")
	}
}

func spread(rs []round, f func(round) float64) string {
	lo, hi := f(rs[0]), f(rs[0])
	for _, r := range rs {
		lo, hi = min(lo, f(r)), max(hi, f(r))
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", medianOf(rs, f), lo, hi)
}

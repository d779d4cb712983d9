package judge

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Doubt is a reason why the figures of a verdict may not mean what they seem
// to. The verdict stands, since the figures do differ as it says.
type Doubt struct {
	Kind DoubtKind
	Cell measure.Cell // whose figures
	Text string       // what was seen, and what it may mean
}

// A DoubtKind says what is in doubt.
type DoubtKind string

const (
	// CompiledAway: an operation takes less time than one can.
	CompiledAway DoubtKind = "compiled away"
	// DependsOnN: the cost of an operation grows with their number, so that it
	// depends on how many the sample happened to have.
	DependsOnN DoubtKind = "depends on b.N"
	// Superlinear: more processors gain more than there are of them, with the
	// whole interval. All figures of the benchmark on so many share the doubt.
	Superlinear DoubtKind = "superlinear"
)

// Unlike reports whether operations of the sides of v are not of the same work: one
// has several times that of the other, or their time depends on how many of them a
// sample has. What they differ by is then work, set-up, or b.N itself, and has no cause in
// how the code is concurrent.
func (v Verdict) Unlike() bool {
	return v.unsettled || v.Times() > 0 || slices.ContainsFunc(v.Doubts, func(d Doubt) bool { return d.Kind == DependsOnN })
}

// Times is how many times the work of its base an operation of the new side has: their
// names differ by one number, and the processor time by the same factor where nothing
// runs at once. 0 if that is not so.
func (v Verdict) Times() float64 {
	took := v.Identity.Overhead.Value
	if v.Kind != measure.Variant || !(took > 1) {
		return 0
	}
	n, ok := numbered(v.New.Bench, v.BaseCell.Bench)
	if off := math.Abs(math.Log(took / n)); !ok || n < 2 || off > math.Log1p(min(counted, (n-1)/8)) {
		return 0
	}
	return n
}

// numbered is the number in the name a over that in b, if the names differ by it alone,
// and an s behind it.
func numbered(a, b string) (ratio float64, ok bool) {
	x, y := digits.FindAllStringIndex(a, -1), digits.FindAllStringIndex(b, -1)
	if len(x) != len(y) {
		return 0, false
	}
	n := 0
	for i := range x {
		p, q := a[x[i][0]:x[i][1]], b[y[i][0]:y[i][1]]
		if p == q {
			continue
		}
		s, e1 := strconv.ParseFloat(p, 64)
		t, e2 := strconv.ParseFloat(q, 64)
		if n++; e1 != nil || e2 != nil || s == 0 || t == 0 {
			return 0, false
		}
		ratio = s / t
	}
	words := func(name string) string { return strings.ToLower(digits.ReplaceAllString(name, "#")) }
	plain := func(name string) string { return strings.TrimSuffix(words(name), "s") }
	return ratio, n == 1 && plain(a) == plain(b)
}

var digits = regexp.MustCompile(`[0-9]+`)

const (
	counted = 0.25 // how far from the factor of their names the times may be; half of it from 2
	nothing = 0.5  // ns per operation: one or two cycles
	growing = 0.3  // power of b.N: what caches and growing maps cost stays below
	unlike  = 1.5  // factor between numbers of operations that tell a power
	surely  = 3.3  // standard deviations: 1 in 2000 by chance
)

// doubt puts doubts beside the verdicts, and into the warnings.
func (r *Result) doubt(s *measure.Series, comparisons []measure.Comparison, rule stats.Rule) {
	doubts := map[measure.Cell][]Doubt{}
	for c, samples := range s.Samples {
		if !c.Twin {
			z, _ := s.Size(c)
			doubts[c] = doubtful(c, samples, z)
		}
	}
	for i, v := range r.Verdicts {
		if v.Kind != measure.Scaling {
			continue
		}
		e := v.Estimate
		if all := rule.Read(s.Pairs(comparisons[i])); all.Low > e.Low {
			e = all // the verdict may be that of an early look, which is wide
		}
		if had := processors(s, v); e.Low > had {
			doubts[v.New] = append(doubts[v.New], Doubt{Superlinear, v.New, fmt.Sprintf(
				"%s [%s, %s] times as fast with GOMAXPROCS=%d as with 1, where the same work gains %.3g at most: what one processor pays for and more do not, like waiting in a loop or a cache that is too small, is a real gain; a cost that depends on b.N is none",
				figure.Ratio(e.Ratio), figure.Ratio(e.Low), figure.Ratio(e.High), v.New.Procs, had)})
		}
	}
	type subject struct {
		bench string
		kind  DoubtKind
	}
	said := map[subject]bool{}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		for _, c := range []measure.Cell{v.New, v.BaseCell} {
			v.Doubts = append(v.Doubts, doubts[c]...)
			for _, d := range doubts[c] {
				if x := (subject{c.Bench, d.Kind}); !said[x] {
					said[x] = true
					r.Warnings = append(r.Warnings, fmt.Sprintf("%s at %d: %s", c.Bench, c.Procs, d.Text))
				}
			}
		}
	}
}

// processors is how many of them the new side of v had: as many as it used or
// busy threads were given, if that is more, and never more than there are. Where
// neither is known, it may have had all.
func processors(s *measure.Series, v Verdict) float64 {
	most := float64(Usable(s.Usable, v.New.Procs))
	given, ok := Given(s, v.New.Procs)
	if used := v.Identity.Cores.High; ok && !math.IsNaN(used) {
		return min(most, max(given, used))
	}
	return most
}

// doubtful says what is in doubt about the samples of a cell.
func doubtful(c measure.Cell, samples []measure.Sample, size measure.Size) (out []Doubt) {
	wall, cpu := medianWall(samples), medianCPU(samples)
	if math.IsNaN(cpu) {
		cpu = wall * float64(c.Procs) // at most
	}
	if wall < nothing && cpu < nothing {
		out = append(out, Doubt{CompiledAway, c, fmt.Sprintf(
			"%.2g ns per operation is less than an operation takes: the compiler may have removed the work; use its result, or b.Loop", wall)})
	}
	power, ok := growth(samples)
	if !(power > size.Power) { // so where the samples are all of one size
		power = size.Power
	}
	if ok || size.Power > growing {
		out = append(out, Doubt{DependsOnN, c, fmt.Sprintf(
			"an operation takes longer the more of them run, as the power %.1f of b.N: the figures depend on the length of the sample; give every operation the same work", power)})
	}
	return out
}

// settling is how much the ratio may still move with the number of operations.
const settling = 0.1

// unsettled is by how much, as a logarithm, the ratio of base to new would still move
// in longer samples, and which of the cells would have taken them; 0 if that is little.
func unsettled(s *measure.Series, cells ...measure.Cell) (off float64, which string) {
	var open []string
	for i, c := range cells {
		if z, ok := s.Size(c); ok && z.Open {
			off -= z.Off * float64(1-2*i)
			open = append(open, fmt.Sprintf("%v, %s in samples of %s", c, figure.Time(medianWall(s.Samples[c])), figure.Plural(int(z.N), "operation")))
		}
	}
	if math.Abs(off) <= math.Log1p(settling) { // both may move alike
		return 0, ""
	}
	return off, strings.Join(open, "; ")
}

// changing is how much more processor time an operation may take in one sample than in
// another where nothing runs at once: in the second longest of ten against the second
// shortest. A machine that changes its speed makes that 2.
const changing = 4

// unsteady says what an operation took in samples that were not of the same work, of the
// first of the cells for which that is so; "" for none. Where goroutines begin before the
// timer does, a sample has what they left.
func unsteady(s *measure.Series, cells ...measure.Cell) string {
	for _, c := range cells {
		samples := s.Samples[measure.Cell{Bench: c.Bench, Procs: 1}]
		if len(samples) < 5 {
			continue
		}
		took := make([]float64, len(samples))
		for i := range samples {
			took[i] = samples[i].CPU
		}
		slices.Sort(took)
		if low, high := took[len(took)/10], took[(len(took)-1)*9/10]; low > 0 && high >= changing*low {
			return fmt.Sprintf("%s-1, %s to %s of processor time", c.Bench, figure.Time(low), figure.Time(high))
		}
	}
	return ""
}

// growth is the power of b.N with which the time of an operation grows, where
// the samples of a cell show that it does (Kendall's test, Biometrika 30, 1938;
// the power is the median of all pairs: Sen, JASA 63, 1968). Their numbers of
// operations differ because the first rounds correct them by the times before.
// A machine that changes its speed makes times fall with the number, not grow.
func growth(samples []measure.Sample) (power float64, ok bool) {
	var powers []float64
	score, ties := 0, map[int64]int{}
	for i, a := range samples {
		ties[a.N]++
		for _, b := range samples[:i] {
			if a.N == b.N {
				continue
			}
			if (a.N > b.N) == (a.Wall > b.Wall) {
				score++
			} else {
				score--
			}
			if r := math.Log(float64(a.N) / float64(b.N)); math.Abs(r) >= math.Log(unlike) {
				powers = append(powers, math.Log(a.Wall/b.Wall)/r)
			}
		}
	}
	spread := func(n int) float64 { return float64(n*(n-1)*(2*n+5)) / 18 }
	variance := spread(len(samples))
	for _, t := range ties {
		variance -= spread(t)
	}
	power = stats.Median(powers)
	return power, power > growing && float64(score) > surely*math.Sqrt(variance)
}

func medianCPU(s []measure.Sample) float64 {
	c := make([]float64, len(s))
	for i := range s {
		c[i] = s[i].CPU
	}
	return stats.Median(c)
}

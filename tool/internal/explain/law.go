package explain

import (
	"fmt"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Law is Gunther's universal scalability law, fitted to the speedups of one
// benchmark against itself at one processor:
//
//	S(P) = P / (1 + σ(P-1) + κP(P-1))
//
// σ is the share that is serial or contended (with κ = 0 it is Amdahl's law),
// κ what each pair of processors costs in keeping each other informed. Its
// source: N. J. Gunther, Guerrilla Capacity Planning, 2007.
type Law struct {
	Sigma, Kappa judge.Factor
	// Knee is the number of processors from which more of them make it slower;
	// +Inf where there is none.
	Knee  float64
	Curve []LawPoint // at the processor counts measured and at twice the largest
}

// A LawPoint is what the law says about P processors, with its 95 % band.
type LawPoint struct {
	Procs            int
	Value, Low, High float64
	Measured         float64 // NaN where it was not
}

// Below this a fit says nothing: from few small counts the band at 32
// processors is wider than the range from no to full speedup.
const (
	lawCounts = 5
	lawProcs  = 8
)

// lawPairs bounds the rounds that a fit is made from, lawReps its resampling:
// a few milliseconds for each benchmark.
const (
	lawPairs = 96
	lawReps  = 400
)

// FitLaw fits the law to bench. The error says why it cannot be had.
func FitLaw(s *measure.Series, bench string) (*Law, error) {
	var procs []int
	logs := map[int][]float64{}
	for _, p := range s.Procs {
		if p > 1 && s.Usable > 0 && p > s.Usable {
			continue // more than there are show the system, not the code
		}
		l := s.LogRatios(measure.Comparison{Kind: measure.Scaling, New: measure.Cell{Bench: bench, Procs: p}, Base: measure.Cell{Bench: bench, Procs: 1}})
		l = l[:min(len(l), lawPairs)]
		if p == 1 || len(l) > 1 {
			procs = append(procs, p)
			logs[p] = l
		}
	}
	slices.Sort(procs)
	if !slices.Contains(procs, 1) || len(procs) < lawCounts || procs[len(procs)-1] < lawProcs {
		top := 0
		if len(procs) > 0 {
			top = procs[len(procs)-1]
		}
		return nil, fmt.Errorf("it takes %d processor counts, 1 among them, and %d processors; have %d counts up to %d: work and span bound the speedup instead", lawCounts, lawProcs, len(procs), top)
	}
	speedup := func(p int, l []float64) float64 {
		if p == 1 {
			return 1
		}
		return math.Exp(stats.Median(l))
	}
	fit := func(at func(p int) []float64) (sigma, kappa float64) {
		// Linear in σ and κ: P/S - 1 = σ(P-1) + κP(P-1), each point weighted
		// so that relative errors of S count the same.
		var aa, ab, bb, ay, by float64
		for _, p := range procs {
			if p == 1 {
				continue
			}
			x := float64(p)
			v := speedup(p, at(p))
			w := v / x * v / x
			a, b, y := x-1, x*(x-1), x/v-1
			aa, ab, bb, ay, by = aa+w*a*a, ab+w*a*b, bb+w*b*b, ay+w*a*y, by+w*b*y
		}
		sigma = (ay*bb - by*ab) / (aa*bb - ab*ab)
		kappa = (by*aa - ay*ab) / (aa*bb - ab*ab)
		// Neither can be negative: the better of the two edges then.
		if kappa < 0 {
			sigma, kappa = max(0, ay/aa), 0
		} else if sigma < 0 {
			sigma, kappa = 0, max(0, by/bb)
		}
		return min(sigma, 1), kappa
	}
	law := &Law{Knee: math.Inf(1)}
	sigma, kappa := fit(func(p int) []float64 { return logs[p] })
	if kappa > 0 && sigma < 1 {
		law.Knee = math.Sqrt((1 - sigma) / kappa)
	}
	var flat []float64
	var owner []int
	for _, p := range procs {
		for _, l := range logs[p] {
			flat = append(flat, l)
			owner = append(owner, p)
		}
	}
	// One resampling serves all bands: they are functions of σ and κ.
	var again [][2]float64
	stats.Bootstrap(len(flat), lawReps, 0.95, 1, func(draw []int) float64 {
		drawn := map[int][]float64{}
		for _, d := range draw {
			drawn[owner[d]] = append(drawn[owner[d]], flat[d])
		}
		s, k := fit(func(p int) []float64 {
			if len(drawn[p]) == 0 {
				return logs[p]
			}
			return drawn[p]
		})
		again = append(again, [2]float64{s, k})
		return s
	})
	band := func(of func(sigma, kappa float64) float64) (low, high float64) {
		values := make([]float64, len(again))
		for i, x := range again {
			values[i] = of(x[0], x[1])
		}
		slices.Sort(values)
		k := len(values) / 40 // 2.5 %
		return values[k], values[len(values)-1-k]
	}
	law.Sigma.Value, law.Kappa.Value = sigma, kappa
	law.Sigma.Low, law.Sigma.High = band(func(s, _ float64) float64 { return s })
	law.Kappa.Low, law.Kappa.High = band(func(_, k float64) float64 { return k })
	for _, p := range append(slices.Clone(procs), 2*procs[len(procs)-1]) {
		x := LawPoint{Procs: p, Measured: math.NaN()}
		if l, ok := logs[p]; ok {
			x.Measured = speedup(p, l)
		}
		curve := func(s, k float64) float64 {
			n := float64(p)
			return n / (1 + s*(n-1) + k*n*(n-1))
		}
		x.Value = curve(sigma, kappa)
		x.Low, x.High = band(curve)
		law.Curve = append(law.Curve, x)
	}
	return law, nil
}

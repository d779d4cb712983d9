package explain

import (
	"fmt"
	"math"
	"math/rand/v2"
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
	lawReps  = 200
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
	// Linear in σ and κ: P/S - 1 = σ(P-1) + κP(P-1), each point weighted so
	// that relative errors of S count the same. speedups are those at procs.
	fit := func(speedups []float64) (sigma, kappa float64) {
		var aa, ab, bb, ay, by float64
		for i, p := range procs {
			if p == 1 {
				continue
			}
			x, v := float64(p), speedups[i]
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
	measured := make([]float64, len(procs))
	for i, p := range procs {
		measured[i] = 1
		if p > 1 {
			measured[i] = math.Exp(stats.Median(logs[p]))
		}
	}
	law := &Law{Knee: math.Inf(1)}
	sigma, kappa := fit(measured)
	if kappa > 0 && sigma < 1 {
		law.Knee = math.Sqrt((1 - sigma) / kappa)
	}
	// One resampling of the rounds at each count serves all bands: they are
	// functions of σ and κ.
	rng := rand.New(rand.NewPCG(1, 0x6c6177))
	var again [lawReps][2]float64
	drawn := make([]float64, lawPairs)
	speedups := make([]float64, len(procs))
	for r := range again {
		for i, p := range procs {
			speedups[i] = 1
			if p > 1 {
				d := drawn[:len(logs[p])]
				for k := range d {
					d[k] = logs[p][rng.IntN(len(d))]
				}
				slices.Sort(d)
				speedups[i] = math.Exp((d[(len(d)-1)/2] + d[len(d)/2]) / 2)
			}
		}
		again[r][0], again[r][1] = fit(speedups)
	}
	values := make([]float64, lawReps)
	band := func(of func(sigma, kappa float64) float64) (low, high float64) {
		for i, x := range again {
			values[i] = of(x[0], x[1])
		}
		slices.Sort(values)
		const k = lawReps / 40 // 2.5 %
		return values[k], values[lawReps-1-k]
	}
	law.Sigma.Value, law.Kappa.Value = sigma, kappa
	law.Sigma.Low, law.Sigma.High = band(func(s, _ float64) float64 { return s })
	law.Kappa.Low, law.Kappa.High = band(func(_, k float64) float64 { return k })
	for i, p := range append(slices.Clone(procs), 2*procs[len(procs)-1]) {
		x := LawPoint{Procs: p, Measured: math.NaN()}
		if i < len(procs) {
			x.Measured = measured[i]
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

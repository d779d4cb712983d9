package explain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/measure"
)

// scaled is a series whose times follow the law with noise of 3 %.
func scaled(sigma, kappa float64, procs ...int) *measure.Series {
	r := rand.New(rand.NewPCG(1, 2))
	s := &measure.Series{Procs: procs, Usable: 64}
	for round := range 24 {
		for _, p := range procs {
			n := float64(p)
			wall := 1e6 * (1 + sigma*(n-1) + kappa*n*(n-1)) / n
			s.Add(measure.Cell{Bench: "B", Procs: p}, measure.Sample{Round: int32(round + 1), Wall: wall * math.Exp(0.03*r.NormFloat64())})
		}
	}
	return s
}

func TestFitLaw(t *testing.T) {
	for _, tt := range []struct{ sigma, kappa float64 }{{0, 0}, {0.05, 0}, {0.3, 0}, {0.02, 0.001}, {0.1, 0.01}, {0, 0.005}} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			law, err := FitLaw(scaled(tt.sigma, tt.kappa, 1, 2, 4, 8, 16), "B")
			if err != nil {
				t.Fatal(err)
			}
			if d := law.Sigma.Value - tt.sigma; math.Abs(d) > 0.02 {
				t.Errorf("σ = %.4f [%.4f, %.4f], want %.4f", law.Sigma.Value, law.Sigma.Low, law.Sigma.High, tt.sigma)
			}
			if d := law.Kappa.Value - tt.kappa; math.Abs(d) > 0.002 {
				t.Errorf("κ = %.5f [%.5f, %.5f], want %.5f", law.Kappa.Value, law.Kappa.Low, law.Kappa.High, tt.kappa)
			}
			last := law.Curve[len(law.Curve)-1]
			n := 32.0
			truth := n / (1 + tt.sigma*(n-1) + tt.kappa*n*(n-1))
			if last.Procs != 32 || !math.IsNaN(last.Measured) || truth < last.Low*0.97 || truth > last.High*1.03 {
				t.Errorf("at 32: %+v, want a band around %.3f", last, truth)
			}
			if tt.kappa >= 0.001 {
				if want := math.Sqrt((1 - tt.sigma) / tt.kappa); math.Abs(math.Log(law.Knee/want)) > 0.2 {
					t.Errorf("knee %.1f, want %.1f", law.Knee, want)
				}
			}
		})
	}
}

// Where the counts are too few, too small, or beyond the machine, there is no
// law but the reason.
func TestFitLawRefuses(t *testing.T) {
	for _, procs := range [][]int{{1, 2}, {1, 2, 3, 4, 6}, {1, 2, 4, 8}, {2, 4, 8, 16, 32}, {1, 2, 4, 8, 128}, nil} {
		law, err := FitLaw(scaled(0.1, 0, procs...), "B")
		if err == nil || !strings.Contains(err.Error(), "it takes 5 processor counts") {
			t.Errorf("FitLaw at %v = %+v, %v; want the reason", procs, law, err)
		}
	}
}

// exactly is a series whose speedups are those given, without noise.
func exactly(usable, rounds int, speedups map[int]float64, procs ...int) *measure.Series {
	s := &measure.Series{Procs: procs, Usable: usable}
	for _, p := range procs {
		for round := range rounds {
			s.Add(measure.Cell{Bench: "B", Procs: p}, measure.Sample{Round: int32(round + 1), Wall: 1e6 / speedups[p]})
		}
	}
	return s
}

// The fit is the least squares of the linear form, each point weighted by its
// speedup's relative error, with neither of the two below zero: there its gradient
// vanishes, or points out of the range. The points here are on no law.
func TestFitIsLeastSquares(t *testing.T) {
	for _, tt := range []struct {
		name     string
		speedups map[int]float64
	}{
		{"both", map[int]float64{1: 1, 2: 1.7, 4: 3.2, 8: 4.2, 16: 4.5, 9: 4.6}},
		{"no κ", map[int]float64{1: 1, 2: 1.5, 4: 2.3, 8: 3.6, 16: 5.5, 9: 3.7}},
		{"no σ", map[int]float64{1: 1, 2: 1.99, 4: 3.95, 8: 6.9, 16: 9, 9: 7.2}},
		{"beyond linear", map[int]float64{1: 1, 2: 2.2, 4: 4.5, 8: 9, 16: 18, 9: 10}},
		{"worse than serial", map[int]float64{1: 1, 2: 0.5, 4: 0.3, 8: 0.2, 16: 0.15, 9: 0.2}},
	} {
		law, err := FitLaw(exactly(64, 4, tt.speedups, 16, 1, 2, 9, 4, 8), "B")
		if err != nil {
			t.Fatal(err)
		}
		sigma, kappa := law.Sigma.Value, law.Kappa.Value
		var bySigma, byKappa float64
		for p, v := range tt.speedups {
			x := float64(p)
			rest := sigma*(x-1) + kappa*x*(x-1) - (x/v - 1)
			w := v * v / (x * x)
			bySigma += w * rest * (x - 1)
			byKappa += w * rest * x * (x - 1)
		}
		const none = 1e-9
		ok := math.Abs(bySigma) < none && math.Abs(byKappa) < none && sigma >= 0 && kappa >= 0
		switch tt.name {
		case "no κ":
			ok = math.Abs(bySigma) < none && byKappa > none && kappa == 0 && sigma > 0
		case "no σ":
			ok = math.Abs(byKappa) < none && bySigma > none && sigma == 0 && kappa > 0
		case "beyond linear":
			ok = bySigma > 0 && sigma == 0 && kappa == 0
		case "worse than serial":
			ok = sigma == 1
		}
		if !ok {
			t.Errorf("%s: σ = %v, κ = %v, where the gradient is (%v, %v)", tt.name, sigma, kappa, bySigma, byKappa)
		}
		knee := math.Inf(1)
		if kappa > 0 && sigma < 1 {
			knee = math.Sqrt((1 - sigma) / kappa)
		}
		if math.Abs(law.Knee-knee) > none && law.Knee != knee {
			t.Errorf("%s: knee %v, want %v", tt.name, law.Knee, knee)
		}
		// Rounds that agree leave no doubt, and the curve is the law's.
		for _, f := range []struct{ value, low, high float64 }{{sigma, law.Sigma.Low, law.Sigma.High}, {kappa, law.Kappa.Low, law.Kappa.High}} {
			if math.Abs(f.low-f.value) > none || math.Abs(f.high-f.value) > none {
				t.Errorf("%s: %v [%v, %v], want no doubt", tt.name, f.value, f.low, f.high)
			}
		}
		for i, p := range []int{1, 2, 4, 8, 9, 16, 32} {
			n := float64(p)
			want := n / (1 + sigma*(n-1) + kappa*n*(n-1))
			x := law.Curve[i]
			if x.Procs != p || math.Abs(x.Value-want) > none || math.Abs(x.Low-want) > none || math.Abs(x.High-want) > none || p < 32 && math.Abs(x.Measured-tt.speedups[p]) > none || p == 32 && !math.IsNaN(x.Measured) {
				t.Errorf("%s: at %d %+v, want %v and measured %v", tt.name, p, x, want, tt.speedups[p])
			}
		}
		if len(law.Curve) != 7 {
			t.Errorf("%s: %d points of the curve", tt.name, len(law.Curve))
		}
	}
}

// Half of the rounds scatter to one side: bands hold the middle 95 % of what
// drawing rounds again gives.
func TestLawBands(t *testing.T) {
	s := scaled(0.1, 0.002, 1, 2, 4, 8, 16)
	law, err := FitLaw(s, "B")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range law.Curve[1:] {
		if wide := (x.High - x.Low) / x.Value; wide < 0.002 || wide > 0.3 || x.Low > x.Value || x.High < x.Value {
			t.Errorf("at %d %v [%v, %v], want a band of some per cent", x.Procs, x.Value, x.Low, x.High)
		}
	}
	if x := law.Curve[0]; x.Procs != 1 || x.Value != 1 || x.Low != 1 || x.High != 1 || x.Measured != 1 {
		t.Errorf("at 1 %+v, want 1", x)
	}
}

// Which counts make a law: five, one of them 1, up to eight processors and no more
// than there are, each with two rounds.
func TestLawCounts(t *testing.T) {
	speedups := map[int]float64{}
	for p := 1; p <= 20; p++ {
		speedups[p] = float64(p) / (1 + 0.1*float64(p-1))
	}
	for _, tt := range []struct {
		name   string
		usable int
		procs  []int
		drop   func(s *measure.Series)
		want   string // "": a law
	}{
		{"five up to eight", 8, []int{1, 2, 3, 4, 8}, nil, ""},
		{"five in any order", 8, []int{8, 2, 1, 4, 3}, nil, ""},
		{"not counted", 0, []int{1, 2, 3, 4, 8}, nil, ""},
		{"five up to seven", 8, []int{1, 2, 3, 4, 7}, nil, "have 5 counts up to 7"},
		{"four", 8, []int{1, 2, 4, 8}, nil, "have 4 counts up to 8"},
		{"without one", 9, []int{2, 3, 4, 8, 9}, func(s *measure.Series) {
			for round := range 3 {
				s.Add(measure.Cell{Bench: "B", Procs: 1}, measure.Sample{Round: int32(round + 1), Wall: 1e6})
			}
		}, "have 5 counts up to 9"},
		{"more than there are", 8, []int{1, 2, 3, 4, 9}, nil, "have 4 counts up to 4"},
		{"one round of a count", 8, []int{1, 2, 3, 4, 8}, func(s *measure.Series) {
			c := measure.Cell{Bench: "B", Procs: 8}
			s.Samples[c] = s.Samples[c][:1]
		}, "have 4 counts up to 4"},
		{"two rounds of a count", 8, []int{1, 2, 3, 4, 8}, func(s *measure.Series) {
			c := measure.Cell{Bench: "B", Procs: 8}
			s.Samples[c] = s.Samples[c][:2]
		}, ""},
		{"none", 8, nil, nil, "have 0 counts up to 0"},
	} {
		s := exactly(tt.usable, 3, speedups, tt.procs...)
		if tt.drop != nil {
			tt.drop(s)
		}
		law, err := FitLaw(s, "B")
		if tt.want == "" {
			if err != nil || math.Abs(law.Sigma.Value-0.1) > 1e-9 || law.Kappa.Value > 1e-9 {
				t.Errorf("%s: %+v, %v; want σ of 0.1", tt.name, law, err)
			}
			continue
		}
		if want := "it takes 5 processor counts, 1 among them, and 8 processors; " + tt.want + ": work and span bound the speedup instead"; err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", tt.name, err, want)
		}
	}
	// The first 96 rounds count.
	s := exactly(8, 200, speedups, 1, 2, 3, 4, 8)
	for _, p := range []int{2, 3, 4, 8} {
		xs := s.Samples[measure.Cell{Bench: "B", Procs: p}]
		for i := range xs[96:] {
			xs[96+i].Wall *= 3
		}
	}
	if law, err := FitLaw(s, "B"); err != nil || math.Abs(law.Sigma.Value-0.1) > 1e-9 {
		t.Errorf("%+v, %v; want a law of the first 96 rounds", law, err)
	}
	for _, p := range []int{2, 3, 4, 8} {
		xs := s.Samples[measure.Cell{Bench: "B", Procs: p}]
		for i := range xs[:96] {
			if i >= 47 {
				xs[i].Wall *= 3
			}
		}
	}
	if law, err := FitLaw(s, "B"); err != nil || math.Abs(law.Sigma.Value-0.1) < 0.1 {
		t.Errorf("%+v, %v; want a law of slower rounds, the 47 quick ones being fewer than half of 96", law, err)
	}
}

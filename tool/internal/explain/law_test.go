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

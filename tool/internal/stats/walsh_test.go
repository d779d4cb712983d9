package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// walshAverages is the oracle: all of them, sorted.
func walshAverages(x []float64) []float64 {
	var w []float64
	for i := range x {
		for j := range i + 1 {
			w = append(w, (x[i]+x[j])/2)
		}
	}
	slices.Sort(w)
	return w
}

// TestIntervalPublished wants the figures in the documentation of wilcox.test in
// R for the depression data: estimate 0.46, 95 % interval 0.010 to 0.786.
func TestIntervalPublished(t *testing.T) {
	if got := HodgesLehmann(depression); math.Abs(got-0.46) > 1e-9 {
		t.Errorf("HodgesLehmann(depression) = %v, want 0.46", got)
	}
	low, high := SignedRankInterval(depression, 0.95)
	if math.Abs(low-0.010) > 1e-9 || math.Abs(high-0.786) > 1e-9 {
		t.Errorf("SignedRankInterval(depression, 0.95) = (%v, %v), want (0.010, 0.786)", low, high)
	}
}

func TestWalshOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	draws := map[string]func() float64{
		"normal": rng.NormFloat64,
		"ties":   func() float64 { return float64(rng.IntN(5) - 2) },
		"wide":   func() float64 { return math.Exp(200*rng.NormFloat64()) * float64(1-2*rng.IntN(2)) },
		"zero":   func() float64 { return math.Copysign(0, rng.NormFloat64()) },
	}
	for name, draw := range draws {
		for n := 1; n <= 30; n++ {
			x := make([]float64, n)
			for i := range x {
				x[i] = draw()
			}
			w := walshAverages(x)
			y := sorted(nil, x)
			for k, want := range w {
				got := walsh(y, int64(k+1))
				if got != want {
					t.Fatalf("%s: Walsh average %d of %v = %v, want %v", name, k+1, x, got, want)
				}
				if got == 0 && math.Signbit(got) {
					t.Fatalf("%s: Walsh average %d of %v = -0", name, k+1, x)
				}
			}
			before := slices.Clone(x)
			if got, want := HodgesLehmann(x), Median(w); math.Abs(got-want) > 1e-15*math.Abs(want) {
				t.Errorf("%s: HodgesLehmann(%v) = %v, want %v", name, x, got, want)
			}
			SignedRankInterval(x, 0.9)
			if !slices.Equal(x, before) {
				t.Errorf("%s: %v was reordered to %v", name, before, x)
			}
		}
	}
}

func TestFloatKey(t *testing.T) {
	inOrder := []float64{math.Inf(-1), -math.MaxFloat64, -1, -math.SmallestNonzeroFloat64,
		math.Copysign(0, -1), 0, math.SmallestNonzeroFloat64, 1, math.MaxFloat64, math.Inf(1)}
	for i, f := range inOrder {
		if got := keyFloat(floatKey(f)); got != f || math.Signbit(got) != math.Signbit(f) {
			t.Errorf("keyFloat(floatKey(%v)) = %v", f, got)
		}
		if i > 0 && floatKey(f) <= floatKey(inOrder[i-1]) {
			t.Errorf("floatKey(%v) <= floatKey(%v)", f, inOrder[i-1])
		}
	}
}

func TestIntervalEdges(t *testing.T) {
	inf := math.Inf(1)
	six := []float64{1, 2, 3, 4, 5, 6}
	for _, tt := range []struct {
		x         []float64
		level     float64
		low, high float64
	}{
		{nil, 0.95, -inf, inf},
		{six[:5], 0.95, -inf, inf},
		{six, 0.95, 1, 6},
		{six, 0.97, -inf, inf}, // 1 - 2/64 is 0.96875
		{[]float64{1, 2, 3, 4, 5, math.NaN()}, 0.5, -inf, inf},
		{[]float64{1, 2, 3, 4, 5, inf}, 0.5, -inf, inf},
		{[]float64{2, 2, 2, 2, 2, 2}, 0.95, 2, 2},
	} {
		if low, high := SignedRankInterval(tt.x, tt.level); low != tt.low || high != tt.high {
			t.Errorf("SignedRankInterval(%v, %v) = (%v, %v), want (%v, %v)", tt.x, tt.level, low, high, tt.low, tt.high)
		}
	}
	for _, x := range [][]float64{nil, {math.NaN(), 1}, {inf, 1}} {
		if got := HodgesLehmann(x); !math.IsNaN(got) {
			t.Errorf("HodgesLehmann(%v) = %v, want NaN", x, got)
		}
	}
}

// TestIntervalAgrees wants 0 outside the interval exactly if the test rejects.
func TestIntervalAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	var outside, inside int
	for n := 1; n <= 80; n++ {
		for range 10 {
			shift := 2.4 * rng.NormFloat64() / math.Sqrt(float64(n))
			x := make([]float64, n)
			for i := range x {
				x[i] = rng.NormFloat64() + shift
			}
			p := SignedRank(x)
			for _, level := range []float64{0.5, 0.75, 0.9, 0.95, 0.9875, 0.99} {
				low, high := SignedRankInterval(x, level)
				out := low > 0 || high < 0
				if out != (p <= 1-level) {
					t.Errorf("n = %d: the %v interval (%v, %v) and p = %v disagree", n, level, low, high, p)
				}
				if out {
					outside++
				} else {
					inside++
				}
			}
		}
	}
	if outside < 1000 || inside < 1000 {
		t.Errorf("%d intervals exclude 0 and %d do not: too few of a kind to tell", outside, inside)
	}
}

// TestIntervalCoverage draws from the Cauchy distribution, where a mean has no
// standard error: the coverage must be what the null distribution says.
func TestIntervalCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{8, 12, 25, 70} {
		const samples = 2000
		covered := 0
		x := make([]float64, n)
		for range samples {
			for i := range x {
				x[i] = 3 + math.Tan(math.Pi*(rng.Float64()-0.5))
			}
			if low, high := SignedRankInterval(x, 0.95); low <= 3 && 3 <= high {
				covered++
			}
		}
		got := float64(covered) / samples
		want := 1 - nullP(n, critical(n, 0.05))
		t.Logf("n = %d: covers %.1f %%, theory %.1f %%", n, 100*got, 100*want)
		if want < 0.95 || want > 0.965 || math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/samples) {
			t.Errorf("n = %d: coverage = %v, want %v", n, got, want)
		}
	}
}

package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		x    []float64
		want float64
	}{
		{nil, math.NaN()},
		{[]float64{7}, 7},
		{[]float64{3, 1}, 2},
		{[]float64{3, 1, 2}, 2},
		{[]float64{9, 1, 3, 2}, 2.5},
		{[]float64{1, math.NaN(), 2}, math.NaN()},
		{[]float64{1, 2, math.Inf(1)}, 2},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64},
	} {
		before := slices.Clone(tt.x)
		if got := Median(tt.x); !same(got, tt.want) {
			t.Errorf("Median(%v) = %v, want %v", tt.x, got, tt.want)
		}
		if !slices.EqualFunc(tt.x, before, same) {
			t.Errorf("Median reordered %v to %v", before, tt.x)
		}
	}
}

// TestAdjustPublished uses the 15 p-values of Benjamini and Hochberg (1995,
// section 3): 4 are rejected at a false discovery rate of 0.05 (Bonferroni: 3).
// The adjusted values are those of p.adjust(method = "BH") in R.
func TestAdjustPublished(t *testing.T) {
	p := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
		0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1}
	want := []float64{0.0015, 0.0030, 0.0095, 0.035625, 0.0603, 0.06385714, 0.06385714, 0.0645,
		0.0765, 0.486, 0.58118182, 0.714875, 0.75323077, 0.81321429, 1}
	perm := rand.New(rand.NewPCG(1, 2)).Perm(len(p))
	shuffled := make([]float64, len(p))
	for i, j := range perm {
		shuffled[i] = p[j]
	}
	before := slices.Clone(shuffled)
	got := Adjust(shuffled)
	rejected := 0
	for i, j := range perm {
		if math.Abs(got[i]-want[j]) > 1e-8 {
			t.Errorf("Adjust: %v became %v, want %v", p[j], got[i], want[j])
		}
		if got[i] <= 0.05 {
			rejected++
		}
	}
	if rejected != 4 {
		t.Errorf("%d rejected at 0.05, want 4", rejected)
	}
	if !slices.Equal(shuffled, before) {
		t.Errorf("Adjust changed its argument to %v", shuffled)
	}
}

func TestAdjustEdges(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct{ p, want []float64 }{
		{nil, nil},
		{[]float64{nan}, []float64{nan}},
		{[]float64{0.03}, []float64{0.03}},
		{[]float64{nan, 0.04, nan, 0.01}, []float64{nan, 0.04, nan, 0.02}},
		{[]float64{0.5, 0.5}, []float64{0.5, 0.5}},
		{[]float64{0.9, 1, 0.8}, []float64{1, 1, 1}}, // 0.9*3/2 and 0.8*3 come down to 1
	} {
		if got := Adjust(tt.p); !slices.EqualFunc(got, tt.want, same) {
			t.Errorf("Adjust(%v) = %v, want %v", tt.p, got, tt.want)
		}
	}
}

// The example of Holm (1979, section 4) has no figures; these are by hand.
func TestHolm(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct{ p, want []float64 }{
		{nil, nil},
		{[]float64{nan}, []float64{nan}},
		{[]float64{0.03}, []float64{0.03}},
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{nan, 0.04, nan, 0.01}, []float64{nan, 0.04, nan, 0.02}},
		{[]float64{0.02, 0.021, 0.9}, []float64{0.06, 0.06, 0.9}}, // 2 * 0.021 would come before 3 * 0.02
		{[]float64{0.5, 0.6}, []float64{1, 1}},
	} {
		before := slices.Clone(tt.p)
		got := Holm(tt.p)
		if !slices.EqualFunc(got, tt.want, func(a, b float64) bool { return same(a, b) || math.Abs(a-b) < 1e-12 }) {
			t.Errorf("Holm(%v) = %v, want %v", tt.p, got, tt.want)
		}
		if !slices.EqualFunc(tt.p, before, same) {
			t.Errorf("Holm changed its argument to %v", tt.p)
		}
	}
}

func TestBootstrap(t *testing.T) {
	x := []float64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29}
	mean := func(draw []int) float64 {
		sum := 0.0
		for _, i := range draw {
			sum += x[i]
		}
		return sum / float64(len(draw))
	}
	low, high := Bootstrap(len(x), 999, 0.95, 1, mean)
	if !(2 < low && low < 12.9 && 12.9 < high && high < 29) {
		t.Errorf("Bootstrap of the mean 12.9 = (%v, %v)", low, high)
	}
	if l, h := Bootstrap(len(x), 999, 0.95, 1, mean); l != low || h != high {
		t.Errorf("Bootstrap = (%v, %v), then (%v, %v) for the same seed", low, high, l, h)
	}
	if l, h := Bootstrap(len(x), 999, 0.95, 2, mean); l == low && h == high {
		t.Errorf("Bootstrap = (%v, %v) for seeds 1 and 2", l, h)
	}
	if l, h := Bootstrap(len(x), 999, 0.5, 1, mean); !(low < l && l < h && h < high) {
		t.Errorf("Bootstrap = (%v, %v) at 50 %%, want it inside (%v, %v)", l, h, low, high)
	}
}

// TestBootstrapEnds counts the calls, so that the k-th result is k.
func TestBootstrapEnds(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct {
		reps, nans int
		level      float64
		low, high  float64
	}{
		{999, 0, 0.95, 25, 975},
		{39, 0, 0.95, 1, 39},
		{38, 0, 0.95, -inf, inf}, // too few for the level
		{19, 0, 0.90, 1, 19},
		{0, 0, 0.95, -inf, inf},
		{999, 10, 0.95, 25, 985}, // the 15th of 11, 12, …, 999 from either side
		{999, 24, 0.95, 25, 999},
		{999, 25, 0.95, -inf, inf}, // a NaN may be what the 25th is
	} {
		call := 0
		stat := func([]int) float64 {
			call++
			if call <= tt.nans {
				return math.NaN()
			}
			return float64(call)
		}
		low, high := Bootstrap(5, tt.reps, tt.level, 1, stat)
		if low != tt.low || high != tt.high {
			t.Errorf("Bootstrap(reps %d, %d NaN, level %v) = (%v, %v), want (%v, %v)",
				tt.reps, tt.nans, tt.level, low, high, tt.low, tt.high)
		}
	}
	if low, high := Bootstrap(0, 999, 0.95, 1, func([]int) float64 { return 1 }); low != -inf || high != inf {
		t.Errorf("Bootstrap of nothing = (%v, %v), want (-Inf, +Inf)", low, high)
	}
}

func TestBootstrapCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, tt := range []struct {
		n        int
		min, max float64
	}{
		{10, 0.86, 0.94}, // too narrow, as its comment says
		{40, 0.91, 0.97},
	} {
		const samples = 500
		covered := 0
		x := make([]float64, tt.n)
		for s := range samples {
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			low, high := Bootstrap(tt.n, 199, 0.95, uint64(s), func(draw []int) float64 {
				sum := 0.0
				for _, i := range draw {
					sum += x[i]
				}
				return sum / float64(len(draw))
			})
			if low <= 0 && 0 <= high {
				covered++
			}
		}
		rate := float64(covered) / samples
		t.Logf("n = %d: the 95 %% bootstrap interval of a normal mean covers %.1f %%", tt.n, 100*rate)
		if rate < tt.min || rate > tt.max {
			t.Errorf("n = %d: coverage = %v, want %v to %v", tt.n, rate, tt.min, tt.max)
		}
	}
}

func TestLevelPanics(t *testing.T) {
	for _, level := range []float64{-1, 0, 1, 2, math.NaN()} {
		wantPanic(t, "SignedRankInterval", func() { SignedRankInterval([]float64{1}, level) })
		wantPanic(t, "Bootstrap", func() { Bootstrap(1, 1, level, 1, func([]int) float64 { return 0 }) })
	}
	wantPanic(t, "Bootstrap of -1", func() { Bootstrap(-1, 1, 0.95, 1, nil) })
	for _, alpha := range []float64{-0.05, 1, math.NaN()} {
		wantPanic(t, "stats.Rule", func() { Rule{Alpha: alpha}.Level(8) })
	}
}

func wantPanic(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s did not panic", name)
		}
	}()
	f()
}

// same reports whether a and b are equal, NaN being equal to itself.
func same(a, b float64) bool { return a == b || a != a && b != b }

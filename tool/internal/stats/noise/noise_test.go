package noise

import (
	"math"
	"slices"
	"testing"
)

func TestProfiles(t *testing.T) {
	const n = 5000
	want := map[string]struct{ cv, robust, lag float64 }{
		"quiet":     {0.076, 0.024, 0.00},
		"scheduler": {0.087, 0.077, 0.67},
		"drifting":  {0.127, 0.096, 0.37},
		"alloc":     {0.143, 0.152, 0.43},
		"channel":   {0.154, 0.105, 0.73},
		"bimodal":   {0.261, 0.285, 0.31},
		"loaded":    {0.558, 0.300, 0.37},
	}
	for _, p := range All() {
		// Four sessions, so that the figures belong to the profile and not to a seed.
		var cv, robust, lag, mid float64
		const seeds = 4
		for seed := range uint64(seeds) {
			s := New(p, seed+1)
			x := make([]float64, n)
			for i := range x {
				x[i] = s.Next()
			}
			cv += coefVar(x) / seeds
			robust += robustCV(x) / seeds
			lag += lag1(x) / seeds
			mid += median(x) / seeds
		}
		w, ok := want[p.Name]
		if !ok {
			t.Errorf("profile %q has no figures to be held to", p.Name)
			continue
		}
		t.Logf("%-9s CV %4.1f%% (want %4.1f%%)  robust CV %4.1f%% (%4.1f%%)  lag-1 %5.2f (%.2f)  median %.3f",
			p.Name, 100*cv, 100*w.cv, 100*robust, 100*w.robust, lag, w.lag, mid)
		if math.Abs(cv/w.cv-1) > 0.12 {
			t.Errorf("%s: CV = %.3f, want %.3f ± 12 %%", p.Name, cv, w.cv)
		}
		if math.Abs(robust/w.robust-1) > 0.12 {
			t.Errorf("%s: robust CV = %.3f, want %.3f ± 12 %%", p.Name, robust, w.robust)
		}
		if math.Abs(lag-w.lag) > 0.06 {
			t.Errorf("%s: lag-1 autocorrelation = %.2f, want %.2f ± 0.06", p.Name, lag, w.lag)
		}
		if mid < 0.85 || mid > 1.2 {
			t.Errorf("%s: median = %.3f, want about 1", p.Name, mid)
		}
	}
}

func TestDeterministic(t *testing.T) {
	a, b, c := New(Channel, 1), New(Channel, 1), New(Channel, 2)
	differ := false
	for i := range 100 {
		x, y, z := a.Next(), b.Next(), c.Next()
		if x != y {
			t.Fatalf("factor %d = %v and %v for the same seed", i, x, y)
		}
		differ = differ || x != z
	}
	if !differ {
		t.Error("seeds 1 and 2 yield the same factors")
	}
}

func TestZeroProfile(t *testing.T) {
	s := New(Profile{}, 1)
	for i := range 10 {
		if got := s.Next(); got != 1 {
			t.Fatalf("factor %d = %v, want 1", i, got)
		}
	}
}

// TestAgain wants the mode to last as long as its process.
func TestAgain(t *testing.T) {
	s := New(Profile{Jump: 0.5, JumpFactor: 1.8}, 3)
	slow := 0
	const processes = 1000
	for range processes {
		first := s.Next()
		if math.Abs(first-1) > 1e-12 && math.Abs(first-1.8) > 1e-12 {
			t.Fatalf("Next() = %v, want 1 or 1.8", first)
		}
		if first > 1.5 {
			slow++
		}
		for range 3 {
			if got := s.Again(); got != first {
				t.Fatalf("Again() = %v, want %v as the process began", got, first)
			}
		}
	}
	if slow < 430 || slow > 570 {
		t.Errorf("%d of %d processes are slow, want about half", slow, processes)
	}
}

func TestDrift(t *testing.T) {
	s := New(Profile{Drift: 0.2}, 1)
	x := make([]float64, 401)
	for i := range x {
		x[i] = s.Next()
	}
	lo, hi := slices.Min(x), slices.Max(x)
	if got := hi/lo - 1; math.Abs(got-0.2) > 1e-9 {
		t.Errorf("drift over 100 samples = %v, want 0.2", got)
	}
	if x[1] < x[0] {
		t.Errorf("factors fall at first (%v, %v), want a rise from 1", x[0], x[1])
	}
	if got := x[0]; math.Abs(got-1) > 1e-12 {
		t.Errorf("first factor = %v, want 1", got)
	}
	if got := x[50] / x[150]; math.Abs(got-1.2) > 1e-9 {
		t.Errorf("peak over trough = %v, want 1.2", got)
	}
	for i := range 200 {
		if math.Abs(x[i]-x[i+200]) > 1e-9 {
			t.Fatalf("factor %d = %v, factor %d = %v: want a period of 200", i, x[i], i+200, x[i+200])
		}
	}
}

func TestNewPanics(t *testing.T) {
	for _, ar := range []float64{-0.1, 1, math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("New with AR %v did not panic", ar)
				}
			}()
			New(Profile{AR: ar}, 1)
		}()
	}
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func coefVar(x []float64) float64 {
	m, ss := mean(x), 0.0
	for _, v := range x {
		ss += (v - m) * (v - m)
	}
	return math.Sqrt(ss/float64(len(x))) / m
}

func lag1(x []float64) float64 {
	m, c, v := mean(x), 0.0, 0.0
	for i := range x {
		v += (x[i] - m) * (x[i] - m)
		if i > 0 {
			c += (x[i] - m) * (x[i-1] - m)
		}
	}
	return c / v
}

func median(x []float64) float64 {
	y := slices.Sorted(slices.Values(x))
	return y[len(y)/2]
}

func robustCV(x []float64) float64 {
	m := median(x)
	dev := make([]float64, len(x))
	for i, v := range x {
		dev[i] = math.Abs(v - m)
	}
	return 1.4826 * median(dev) / m
}

func BenchmarkNext(b *testing.B) {
	s := New(Channel, 1)
	b.ReportAllocs()
	for b.Loop() {
		s.Next()
	}
}

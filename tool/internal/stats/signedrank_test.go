package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// depression holds the differences x-y of Hollander and Wolfe (1973, table 3.1):
// Hamilton depression scale factors of nine patients at two visits.
var depression = differences(
	[]float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30},
	[]float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29})

// maize holds Darwin's differences in height (eighths of an inch) between
// crossed and self-fertilised maize, as in Fisher (The Design of Experiments,
// 1935, table 3).
var maize = []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}

func differences(x, y []float64) []float64 {
	d := make([]float64, len(x))
	for i := range d {
		d[i] = x[i] - y[i]
	}
	return d
}

func TestSignedRankPublished(t *testing.T) {
	for _, tt := range []struct {
		name string
		x    []float64
		want float64
	}{
		{"depression (R's wilcox.test: V = 40, p = 0.03906)", depression, 0.0390625},
		{"maize (table: P(T <= 24) = 0.0206 for n = 15)", maize, 0.04125977},
	} {
		before := slices.Clone(tt.x)
		if got := SignedRank(tt.x); math.Abs(got-tt.want) > 1e-8 {
			t.Errorf("%s: SignedRank = %v, want %v", tt.name, got, tt.want)
		}
		if !slices.Equal(tt.x, before) {
			t.Errorf("%s: SignedRank reordered its argument", tt.name)
		}
	}
}

// TestCritical compares with the table of critical values printed since Wilcoxon
// and Wilcox (1964): the largest T significant at 5 % and at 1 %, two-sided.
func TestCritical(t *testing.T) {
	for _, tt := range []struct {
		n        int
		at5, at1 int64
	}{
		{0, -1, -1},
		{1, -1, -1},
		{5, -1, -1},
		{6, 0, -1},
		{7, 2, -1},
		{8, 3, 0},
		{9, 5, 1},
		{10, 8, 3},
		{12, 13, 7},
		{15, 25, 15},
		{20, 52, 37},
		{25, 89, 68},
		{30, 137, 109},
		{40, 264, 220},
		{50, 434, 373},
	} {
		if got := critical(tt.n, 0.05); got != tt.at5 {
			t.Errorf("critical(%d, 0.05) = %d, want %d", tt.n, got, tt.at5)
		}
		if got := critical(tt.n, 0.01); got != tt.at1 {
			t.Errorf("critical(%d, 0.01) = %d, want %d", tt.n, got, tt.at1)
		}
	}
}

func TestNullTail(t *testing.T) {
	// The numbers of subsets of {1, …, 8} with sums 0, 1, 2, …: 1 1 1 2 2 3 4 5.
	sum := 0.0
	for v, count := range []float64{1, 1, 1, 2, 2, 3, 4, 5} {
		sum += count
		if got := nullTail(8)[v]; got != sum/256 {
			t.Errorf("P(V <= %d) = %v for n = 8, want %v/256", v, got, sum)
		}
	}
}

// TestPratt uses the example of Pratt (1959). Moving the sample down turns its
// zero negative, which must not make it more significantly positive.
func TestPratt(t *testing.T) {
	sample := []float64{0, 2, 3, 4, 6, 7, 8, 9, 11, 14, 15, 17, -18}
	moved := func(by float64) float64 {
		x := slices.Clone(sample)
		for i := range x {
			x[i] += by
		}
		return SignedRank(x)
	}
	up, still, down := moved(+0.1), moved(0), moved(-0.1)
	if !(up <= still && still <= down) {
		t.Errorf("SignedRank = %v moved up, %v in place, %v moved down: want no fall", up, still, down)
	}
	// 109 subsets of {1, …, 13} have a sum of at most 14.
	if want := 2 * 109.0 / (1 << 13); down != want {
		t.Errorf("SignedRank moved down = %v, want %v", down, want)
	}
	// 70 subsets of {1, …, 12} have a sum of at most 12.
	if got, want := SignedRank(sample[1:]), 2*70.0/(1<<12); got != want || got <= down {
		t.Errorf("SignedRank without the zero = %v, want %v, above %v: Wilcoxon's paradox", got, want, down)
	}
}

func TestSignedRankEdges(t *testing.T) {
	for _, tt := range []struct {
		x    []float64
		want float64
	}{
		{nil, 1},
		{[]float64{0, 0, 0}, 1},
		{[]float64{math.Copysign(0, -1), 0}, 1},
		{make([]float64, 1000), 1},
		{[]float64{5}, 1},
		{[]float64{1, 2}, 0.5},
		{[]float64{1, math.NaN()}, math.NaN()},
		{[]float64{math.Inf(1), 1, 2, 3}, 0.125},
		{[]float64{math.Inf(1), math.Inf(-1)}, 1},
		{[]float64{1, 1, 1, 1}, 0.125},
		// Two signs among many zeros are two coins, not a normal variable.
		{append(make([]float64, 1000), 1, 2), 0.5},
	} {
		if got := SignedRank(tt.x); !same(got, tt.want) {
			t.Errorf("SignedRank(%v) = %v, want %v", tt.x, got, tt.want)
		}
	}
}

// bruteSignedRank is the oracle: midranks by counting, all 2^m signs one by one.
func bruteSignedRank(x []float64) float64 {
	var ranks []float64
	plus, total := 0.0, 0.0
	for _, v := range x {
		if v == 0 {
			continue
		}
		below, equal := 0, 0
		for _, w := range x {
			switch {
			case math.Abs(w) < math.Abs(v):
				below++
			case math.Abs(w) == math.Abs(v):
				equal++
			}
		}
		rank := float64(below) + float64(equal+1)/2
		ranks = append(ranks, rank)
		total += rank
		if v > 0 {
			plus += rank
		}
	}
	extreme := 0
	for signs := range 1 << len(ranks) {
		sum := 0.0
		for i, r := range ranks {
			if signs>>i&1 == 1 {
				sum += r
			}
		}
		if math.Abs(sum-total/2) >= math.Abs(plus-total/2) {
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<len(ranks))
}

func TestSignedRankBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	check := func(x []float64) {
		t.Helper()
		if got, want := SignedRank(x), bruteSignedRank(x); got != want {
			t.Errorf("SignedRank(%v) = %v, want %v", x, got, want)
		}
	}
	check([]float64{0, 2, 3, 4, 6, 7, 8, 9, 11, 14, 15, 17, -18}) // Pratt's, with the zero
	for n := 1; n <= 11; n++ {
		for span := 1; span <= 12; span += 3 { // a small span has many ties and zeros
			for range 12 {
				x := make([]float64, n)
				for i := range x {
					x[i] = float64(rng.IntN(2*span+1)-span) + float64(rng.IntN(2))
				}
				check(x)
			}
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64() + 0.5
		}
		check(x)
	}
}

func FuzzSignedRank(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{0, 0, 1, 255, 3, 3, 253})
	f.Add([]byte{128, 127, 129, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		x := make([]float64, min(len(data), 10))
		for i := range x {
			x[i] = float64(int8(data[i]))
		}
		got := SignedRank(x)
		if want := bruteSignedRank(x); got != want {
			t.Errorf("SignedRank(%v) = %v, want %v", x, got, want)
		}
		for i := range x {
			x[i] = -x[i]
		}
		if mirrored := SignedRank(x); mirrored != got {
			t.Errorf("SignedRank(%v) = %v, but %v with the other signs", x, mirrored, got)
		}
	})
}

// TestNormalApproximation compares both methods where one hands over to the other.
func TestNormalApproximation(t *testing.T) {
	const n = exactMax
	worst := 0.0
	for v := range int64(n*(n+1)/4 + 1) {
		approx := normalP(float64(v), n*(n+1)/4.0, n*(n+1)*(2*n+1)/24.0, 0.5)
		exact := nullP(n, v)
		if exact < 0.2 {
			worst = max(worst, math.Abs(approx-exact))
		}
		if exact > 0.005 && math.Abs(approx/exact-1) > 0.12 {
			t.Errorf("n = %d, V = %d: normal p = %v, exact %v", n, v, approx, exact)
		}
	}
	t.Logf("n = %d: normal p-values below 0.2 are off by at most %.5f", n, worst)
	if worst > 0.002 {
		t.Errorf("normal approximation is off by %v, want at most 0.002", worst)
	}

	// The same with many ties and zeros.
	rng := rand.New(rand.NewPCG(2, 2))
	for range 20 {
		x := make([]float64, 0, 2*n)
		for nonzero := 0; nonzero < n; {
			v := float64(rng.IntN(8) - 3)
			if v != 0 {
				nonzero++
			}
			x = append(x, v)
		}
		exact := SignedRank(x)
		approx := approxSignedRank(x)
		if math.Abs(approx-exact) > 0.006 {
			t.Errorf("ties and zeros: normal p = %v, exact %v for %v", approx, exact, x)
		}
	}
}

// approxSignedRank is the oracle of the approximation: midranks by counting, and
// the normal tail whatever the size of x.
func approxSignedRank(x []float64) float64 {
	plus, minus, squares := 0.0, 0.0, 0.0
	for _, v := range x {
		if v == 0 {
			continue
		}
		rank := 0.5
		for _, w := range x {
			if math.Abs(w) < math.Abs(v) {
				rank++
			} else if math.Abs(w) == math.Abs(v) {
				rank += 0.5
			}
		}
		squares += rank * rank
		if v > 0 {
			plus += rank
		} else {
			minus += rank
		}
	}
	return normalP(min(plus, minus), (plus+minus)/2, squares/4, 0.5)
}

// TestSignedRankLarge wants the approximate branch of SignedRank itself, with
// and without ties, to be the formula.
func TestSignedRankLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{61, 64, 65, 100, 300} {
		for _, span := range []int{5, 1 << 30} {
			x := make([]float64, n)
			for i := range x {
				x[i] = float64(rng.IntN(span)-span/2) + 0.07*float64(span)
			}
			if span == 5 { // ties everywhere, and zeros
				x = append(x, 0, 0, 0)
			}
			if got, want := SignedRank(x), approxSignedRank(x); math.Abs(got-want) > 1e-12 {
				t.Errorf("n = %d, span %d: SignedRank = %v, want %v", n, span, got, want)
			}
		}
	}
	if got := SignedRank(make([]float64, 100)); got != 1 {
		t.Errorf("SignedRank(100 zeros) = %v, want 1", got)
	}
}

func TestSignedRankConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for n := 1; n <= exactMax; n++ {
				x := make([]float64, n)
				for i := range x {
					x[i] = float64(i + 1)
				}
				if got, want := SignedRank(x), math.Ldexp(2, -n); got != want {
					t.Errorf("goroutine %d: SignedRank(1, …, %d) = %v, want %v", g, n, got, want)
				}
			}
		})
	}
	wg.Wait()
}

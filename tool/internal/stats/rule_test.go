package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func ExampleRule_Estimate() {
	// Log ratios of eight pairs: the second variant takes about 1.5x as long.
	logRatios := []float64{0.38, 0.44, 0.41, 0.35, 0.52, 0.40, 0.43, 0.39}
	e := DefaultRule.Estimate(logRatios)
	fmt.Printf("%.2fx, %.2fx to %.2fx, p = %.3f\n", e.Ratio, e.Low, e.High, e.P)
	// Output: 1.51x, 1.42x to 1.68x, p = 0.025
}

func TestRuleAt(t *testing.T) {
	var got []int
	for n := range 195 {
		if DefaultRule.At(n) {
			got = append(got, n)
		}
	}
	if want := []int{3, 5, 10, 16, 24, 48, 96, 192, 193, 194}; !slices.Equal(got, want) {
		t.Errorf("looks = %v, want %v", got, want)
	}
}

func TestRuleLevel(t *testing.T) {
	for _, tt := range []struct {
		rule Rule
		n    int
		want float64
	}{
		{DefaultRule, 1, 0.9955},
		{DefaultRule, 3, 0.9955},
		{DefaultRule, 4, 0.99675},
		{DefaultRule, 5, 0.99675},
		{DefaultRule, 6, 0.992125},
		{DefaultRule, 10, 0.992125},
		{DefaultRule, 11, 0.9965}, // not a look: it takes the place of the one at 16
		{DefaultRule, 16, 0.9965},
		{DefaultRule, 24, 0.99775},
		{DefaultRule, 48, 0.998375},
		{DefaultRule, 96, 0.99875},
		{DefaultRule, 1000, 0.99925},
		{Rule{}, 10, 0.992125},
		{Rule{Alpha: 0.2}, 10, 0.937},
		{Rule{Alpha: 0.05, Looks: []int{10}}, 10, 0.95},
		{Rule{Alpha: 0.05, Looks: []int{10, 20}}, 20, 0.975},
	} {
		if got := tt.rule.Level(tt.n); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v.Level(%d) = %v, want %v", tt.rule, tt.n, got, tt.want)
		}
	}
	sum := 0.0
	for _, w := range DefaultRule.Weights {
		sum += w
	}
	for _, l := range DefaultRule.Early {
		sum += l.Weight
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("weights of DefaultRule sum to %v, want 1: the looks would spend more than Alpha", sum)
	}
	sum = 0
	for _, w := range DefaultRule.Even {
		sum += w
	}
	if math.Abs(sum-2) > 1e-12 {
		t.Errorf("what DefaultRule spends on \"the same\" sums to %v, want 2", sum)
	}
	wantPanic(t, "stats.Rule", func() { Rule{Alpha: 0.05, Looks: []int{8, 12}, Weights: []float64{1}}.Level(8) })
}

func TestEstimate(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{8, 12, 24, 48, 100} {
		x := make([]float64, n)
		for i := range x {
			x[i] = 0.1 + 0.2*rng.NormFloat64()
		}
		before := slices.Clone(x)
		e := DefaultRule.Estimate(x)
		low, high := SignedRankInterval(x, DefaultRule.Level(n))
		want := Estimate{
			Ratio: math.Exp(HodgesLehmann(x)),
			Low:   math.Exp(low), High: math.Exp(high),
			P:     min(1, DefaultRule.Alpha/DefaultRule.at(n).differ*SignedRank(x)),
			Pairs: n, Layouts: 1,
		}
		low, high = SignedRankInterval(x, 1-2*DefaultRule.at(n).even)
		want.EvenLow, want.EvenHigh = math.Exp(low), math.Exp(high)
		if e != want {
			t.Errorf("n = %d: Estimate = %+v, want %+v", n, e, want)
		}
		if out := e.Low > 1 || e.High < 1; out != (e.P <= 0.05) {
			t.Errorf("n = %d: interval and P disagree: %+v", n, e)
		}
		if !slices.Equal(x, before) {
			t.Errorf("n = %d: Estimate reordered its argument", n)
		}
	}
	for _, x := range [][]float64{nil, {math.NaN(), 1}, {1, math.Inf(-1)}} {
		e := DefaultRule.Estimate(x)
		if !math.IsNaN(e.Ratio) || e.Low != 0 || !math.IsInf(e.High, 1) || e.P != 1 || e.Pairs != len(x) {
			t.Errorf("Estimate(%v) = %+v, want one that says nothing", x, e)
		}
	}
}

// TestResolve tries the difference that Resolve names and wants to find it in
// about 80 % of the samples. The spread is learnt from a large sample of its own,
// so that the test is about the method; the bounds are three standard errors of
// the simulation, that inside Resolve included.
func TestResolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	jump := func() float64 {
		if rng.IntN(4) == 0 {
			return math.Log(1.8)
		}
		return 0
	}
	for _, law := range []struct {
		name string
		draw func() float64
	}{
		{"normal", func() float64 { return 0.05 * rng.NormFloat64() }},
		{"contaminated", func() float64 {
			if rng.IntN(10) == 0 {
				return 0.3 * rng.NormFloat64()
			}
			return 0.03 * rng.NormFloat64()
		}},
		{"two modes", func() float64 { return jump() - jump() + 0.02*rng.NormFloat64() }},
	} {
		for _, pairs := range []int{8, 12, 24, 48} {
			const trials = 300
			learnt := make([]float64, 1000)
			for i := range learnt {
				learnt[i] = law.draw()
			}
			diff := DefaultRule.Resolve(learnt, pairs)
			found := 0
			x := make([]float64, pairs)
			for range trials {
				for i := range x {
					x[i] = math.Log1p(diff) + law.draw()
				}
				if DefaultRule.Estimate(x).Low > 1 {
					found++
				}
			}
			power := float64(found) / trials
			t.Logf("%s, %d pairs: finds %.1f %% with power %.2f", law.name, pairs, 100*diff, power)
			if power < 0.67 || power > 0.93 {
				t.Errorf("%s, %d pairs: power at %.3f = %v, want about 0.8", law.name, pairs, diff, power)
			}
		}
	}
}

func TestResolveEdges(t *testing.T) {
	x := []float64{0.1, -0.2, 0.3, -0.1, 0.05, 0.12}
	for _, tt := range []struct {
		x     []float64
		pairs int
	}{
		{nil, 48}, {x[:4], 48}, {x, 6}, {x, 0}, {x, -1}, {append(x[:5:5], math.NaN()), 48},
	} {
		if got := DefaultRule.Resolve(tt.x, tt.pairs); !math.IsInf(got, 1) {
			t.Errorf("Resolve(%v, %d) = %v, want +Inf", tt.x, tt.pairs, got)
		}
	}
	last := math.Inf(1)
	sample := normalSample(48)
	for _, pairs := range []int{8, 12, 24, 48, 200} {
		got := DefaultRule.Resolve(sample, pairs)
		if !(got > 0 && got < last) {
			t.Errorf("Resolve at %d pairs = %v, want less than the %v of fewer", pairs, got, last)
		}
		if again := DefaultRule.Resolve(sample, pairs); again != got {
			t.Errorf("Resolve at %d pairs = %v, then %v", pairs, got, again)
		}
		last = got
	}
	if got := DefaultRule.Resolve(make([]float64, 10), 48); got != 0 {
		t.Errorf("Resolve without spread = %v, want 0", got)
	}
}

// TestEstimateAllocs keeps a replay of many estimates off the heap.
func TestEstimateAllocs(t *testing.T) {
	x := normalSample(48)
	DefaultRule.Estimate(x) // fills the cache
	if got := testing.AllocsPerRun(20, func() { DefaultRule.Estimate(x) }); got > 0 {
		t.Errorf("Estimate of 48 pairs allocates %v times, want 0", got)
	}
}

func normalSample(n int) []float64 {
	rng := rand.New(rand.NewPCG(10, 10))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func BenchmarkEstimate(b *testing.B) {
	for _, n := range []int{8, 48, 1000} {
		x := normalSample(n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				DefaultRule.Estimate(x)
			}
		})
	}
	ties := normalSample(48)
	for i := range ties {
		ties[i] = math.Round(4 * ties[i])
	}
	b.Run("n=48/ties=true", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			DefaultRule.Estimate(ties)
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	x := normalSample(48)
	for b.Loop() {
		DefaultRule.Resolve(x, 48)
	}
}

// TestSurest: what a planned look decided is not lost by a few pairs more.
func TestSurest(t *testing.T) {
	control := []float64{0.01, -0.02, 0.03, 0.01, -0.01, 0.02, 0.01}
	p := Pairs{Logs: []float64{1.9, 2, 2.1, 1.95, 2.05, -0.5, 2}, Control: control}
	e := DefaultRule.Surest(p, DefaultBounds)
	if e.Pairs != 5 || DefaultBounds.Decide(e, e.P, 0.05) != Faster {
		t.Errorf("7 pairs, of which the first 5 decide: %+v", e)
	}
	same := Pairs{Logs: make([]float64, 30)}
	for i := range same.Logs {
		same.Logs[i] = 0.01 * math.Sin(float64(i))
	}
	if e := DefaultRule.Surest(same, DefaultBounds); e.Pairs != 30 {
		t.Errorf("30 pairs of the same: read from %d", e.Pairs)
	}
	same.Logs[29] = 5 // after the look at 24
	if e := DefaultRule.Surest(same, DefaultBounds); DefaultBounds.Decide(e, e.P, 0.05) != Same {
		t.Errorf("the same and an outlier: %+v", e)
	}
}

// TestRuleWhole: what a file may hold in the place of a rule is told from one.
func TestRuleWhole(t *testing.T) {
	if !DefaultRule.Whole() {
		t.Error("the default rule is not whole")
	}
	for name, change := range map[string]func(*Rule){
		"no look":                     func(r *Rule) { r.Looks = nil },
		"looks out of order":          func(r *Rule) { r.Looks = []int{16, 10, 24, 48, 96, 192} },
		"a look at nothing":           func(r *Rule) { r.Looks = []int{0, 16, 24, 48, 96, 192} },
		"no error":                    func(r *Rule) { r.Alpha = 0 },
		"an error that is certain":    func(r *Rule) { r.Alpha = 1 },
		"an error that is no number":  func(r *Rule) { r.Alpha = math.NaN() },
		"a weight too few":            func(r *Rule) { r.Weights = r.Weights[:5] },
		"a weight of the same, alone": func(r *Rule) { r.Even = r.Even[:1] },
	} {
		r := DefaultRule
		if change(&r); r.Whole() {
			t.Errorf("%s: whole", name)
		}
	}
}

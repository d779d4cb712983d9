package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestEarlyChance counts, over all ways in which n of m+n magnitudes can be the
// pairs and over all their signs, how often the pairs look at least as extreme
// as those given: all on one side, with as few control pairs among them.
func TestEarlyChance(t *testing.T) {
	for _, tt := range []struct{ n, m, above int }{{3, 5, 0}, {3, 5, 1}, {3, 7, 2}, {5, 4, 0}, {5, 4, 1}, {2, 6, 0}} {
		control := make([]float64, tt.m)
		for i := range control {
			control[i] = 0.01 * float64(i+1)
			if i < tt.above {
				control[i] = -2 // larger than the pairs, which are 1 and more
			}
		}
		x := make([]float64, tt.n)
		for i := range x {
			x[i] = 1 + 0.1*float64(i)
		}
		extreme, all := 0, 0
		for set := range 1 << (tt.m + tt.n) {
			if bits(set) != tt.n {
				continue
			}
			// Bit i is the i-th largest magnitude. The smallest of the pairs has
			// this many control pairs above it.
			last, above := 0, 0
			for i := range tt.m + tt.n {
				if set>>i&1 == 1 {
					last = i
				}
			}
			for i := range last {
				if set>>i&1 == 0 {
					above++
				}
			}
			for signs := range 1 << tt.n {
				all++
				if above <= tt.above && (signs == 0 || signs == 1<<tt.n-1) {
					extreme++
				}
			}
		}
		want := float64(extreme) / float64(all)
		if _, _, p := earlyLook(x, control, 1); math.Abs(p-want) > 1e-12 {
			t.Errorf("n = %d, m = %d, %d above: p = %v, want %v of %d", tt.n, tt.m, tt.above, p, want, all)
		}
	}
}

func bits(x int) (n int) {
	for ; x > 0; x &= x - 1 {
		n++
	}
	return n
}

// TestEarlyInterval: the interval excludes 1 exactly where p is small enough,
// and is finite from two pairs on.
func TestEarlyInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 21))
	decided := 0
	for range 20000 {
		x := make([]float64, 2+rng.IntN(6))
		for i := range x {
			x[i] = 0.8*math.Trunc(3*rng.Float64()) + 0.2*rng.NormFloat64()
		}
		control := make([]float64, rng.IntN(20))
		for i := range control {
			control[i] = 0.3 * rng.NormFloat64()
		}
		x = sorted(nil, x)
		low, high, p := earlyLook(x, control, 0.005)
		if p <= 0.005 != (low > 0 || high < 0) && p < 1 {
			t.Fatalf("%v beside %v: [%v, %v], p = %v", x, control, low, high, p)
		}
		if !(low <= x[0] && high >= x[len(x)-1]) || math.IsInf(high-low, 0) {
			t.Fatalf("%v beside %v: [%v, %v], want finite and around the pairs", x, control, low, high)
		}
		if p <= 0.005 {
			decided++
		}
	}
	if decided < 1000 {
		t.Errorf("%d of 20000 decided: the test says nothing", decided)
	}
	if e := DefaultRule.Estimate([]float64{1}); e.Low != 0 || !math.IsInf(e.High, 1) || e.P != 1 {
		t.Errorf("one pair: %+v", e)
	}
}

// TestEarly tries the early looks where the truth is known: equal code whose
// control is as noisy as its pairs, or half or a quarter as noisy, as where one
// of the two has two modes; and differences that anyone can see.
func TestEarly(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 22))
	laws := []struct {
		name string
		draw func() float64
		five float64 // of comparisons at 5x, found in 3 pairs
	}{
		{"15 % a process", func() float64 { return 0.15 * rng.NormFloat64() }, 0.98},
		{"heavy tails", func() float64 { return 0.1 * rng.NormFloat64() / math.Sqrt((rng.ExpFloat64()+rng.ExpFloat64()/2)/1.5) }, 0.8},
		{"two modes 1.8x apart", func() float64 { return float64(rng.IntN(2))*math.Log(1.8) + 0.1*rng.NormFloat64() }, 0.95},
		{"bursts of 4x", func() float64 {
			if rng.IntN(10) == 0 {
				return math.Log(4)
			}
			return 0.05 * rng.NormFloat64()
		}, 0.5},
	}
	const m = 12
	try := func(draw func() float64, quieter, diff float64) (at int, right bool) {
		var p Pairs
		for _, l := range DefaultRule.Early {
			for len(p.Logs) < l.Pairs {
				p.Logs = append(p.Logs, diff+draw()-draw())
			}
			for len(p.Control) < m*l.Pairs/3 {
				p.Control = append(p.Control, (draw()-draw())/quieter)
			}
			e := DefaultRule.Read(p)
			if d := DefaultBounds.Decide(e, e.P, 0.05); d != Open {
				return l.Pairs, (d == Faster) == (diff > 0)
			}
		}
		return 0, false
	}
	trials := 40000
	if !stress.Long() {
		trials = 4000
	}
	for _, law := range laws {
		for _, quieter := range []float64{1, 2, 4} {
			false_ := 0
			for range trials {
				if at, _ := try(law.draw, quieter, 0); at > 0 {
					false_++
				}
			}
			rate := float64(false_) / float64(trials)
			t.Logf("%s, control %v times as quiet: %.3f%% false", law.name, quieter, 100*rate)
			if rate > 0.005 { // the early looks may spend 1 %
				t.Errorf("%s, control %v times as quiet: %.2f%% false verdicts at early looks", law.name, quieter, 100*rate)
			}
		}
		for _, times := range []float64{3, 5, 13} {
			by := map[int]int{}
			wrong := 0
			for range trials / 20 {
				at, right := try(law.draw, 1, math.Log(times))
				by[at]++
				if at > 0 && !right {
					wrong++
				}
			}
			n := float64(trials / 20)
			t.Logf("%s, %vx: %.0f%% in 3 pairs, %.0f%% in 5", law.name, times, 100*float64(by[3])/n, 100*float64(by[3]+by[5])/n)
			if times == 5 && float64(by[3])/n < law.five || wrong > 0 {
				t.Errorf("%s, %vx: found %v, %d with the wrong sign; want %.0f%% in 3 pairs", law.name, times, by, wrong, 100*law.five)
			}
		}
	}
}

// TestEven: equal code is called the same, and code that differs by the band
// is not, in more than 5 % of comparisons over all looks.
func TestEven(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 24))
	const trials = 1000
	for _, sd := range []float64{0.02, 0.04, 0.08, 0.12} {
		for _, ratio := range []float64{1, 1.03, 1 + DefaultBounds.Band()} {
			same, pairs := 0, 0
			for range trials {
				var x []float64
				for range 96 {
					x = append(x, math.Log(ratio)+sd*rng.NormFloat64())
					if !DefaultRule.At(len(x)) {
						continue
					}
					e := DefaultRule.Estimate(x)
					if d := DefaultBounds.Decide(e, e.P, 0.05); d != Open {
						if d == Same {
							same++
							pairs += len(x)
						}
						break
					}
				}
			}
			rate := float64(same) / trials
			t.Logf("pairs with sd %.0f%%, ratio %.3f: %.1f%% the same, after %.0f pairs on average", 100*sd, ratio, 100*rate, float64(pairs)/float64(max(1, same)))
			switch {
			case ratio == 1 && sd <= 0.08 && rate < 0.95, ratio == 1 && rate < 0.8:
				t.Errorf("sd %v: equal code is the same in %.2f of comparisons", sd, rate)
			case ratio > 1.04 && rate > 0.05:
				t.Errorf("sd %v: a ratio of %.3f is called the same in %.3f of comparisons", sd, ratio, rate)
			}
		}
	}
}

func ExampleRule_Read() {
	// Three pairs at 13 to 1, on a machine where code differs from itself by
	// some per cent: anyone can see it.
	p := Pairs{
		Logs:    []float64{-2.55, -2.61, -2.58},
		Control: []float64{0.02, -0.05, 0.11, -0.03, 0.04, 0.01},
	}
	e := DefaultRule.Read(p)
	fmt.Println(DefaultBounds.Decide(e, e.P, DefaultRule.Alpha) == Slower)
	// Output: true
}

package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/stats/noise"
)

// compare simulates one comparison as the tool makes it: pairs in random order
// within each pair, a look where the rule allows one, an end at the first
// interval that excludes 1. It returns the number of pairs and the verdict:
// -1 faster, +1 slower, 0 none.
func compare(rule Rule, src *noise.Source, rng *rand.Rand, ratio float64) (pairs, verdict int) {
	var logRatios, control []float64
	for last := rule.Looks[len(rule.Looks)-1]; len(logRatios) < last; {
		first, second := src.Next(), src.Next()
		if rng.IntN(2) == 0 {
			first, second = second, first
		}
		logRatios = append(logRatios, math.Log(ratio*second/first))
		control = append(control, math.Log(src.Next()/src.Next()), math.Log(src.Next()/src.Next()))
		if !rule.At(len(logRatios)) {
			continue
		}
		switch e := rule.Read(Pairs{Logs: logRatios, Control: control}); {
		case e.P > rule.Alpha:
		case e.Low > 1:
			return len(logRatios), +1
		case e.High < 1:
			return len(logRatios), -1
		}
	}
	return len(logRatios), 0
}

// TestLooksHoldAlpha compares each profile with itself: a verdict at any of the
// looks is false, and at most 5 % may be. Bonferroni's bound is not reached
// because looks overlap, so there is room for the scatter of the simulation.
func TestLooksHoldAlpha(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	const perProfile = 300
	all, wrong := 0, 0
	for i, p := range noise.All() {
		bad := 0
		for c := range uint64(perProfile) {
			if _, v := compare(DefaultRule, noise.New(p, c<<8|uint64(i)), rng, 1); v != 0 {
				bad++
			}
		}
		t.Logf("%-9s A/A: %4.1f %% false verdicts", p.Name, 100*float64(bad)/perProfile)
		if bad > perProfile*8/100 { // more than three standard errors above 4 %
			t.Errorf("%s: %d false verdicts of %d", p.Name, bad, perProfile)
		}
		all += perProfile
		wrong += bad
	}
	rate := float64(wrong) / float64(all)
	t.Logf("all %d A/A comparisons: %.2f %% false verdicts", all, 100*rate)
	if all < 2000 || rate > 0.05 {
		t.Errorf("%d comparisons, false verdicts = %v, want at most 0.05 of at least 2000", all, rate)
	}
}

// TestLooksFind plants a difference and counts how often the rule finds it.
func TestLooksFind(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 12))
	const trials = 100
	want := map[string]float64{ // the least power
		"quiet 5%": 0.95, "quiet 10%": 0.99, "quiet 50%": 0.99,
		"scheduler 10%": 0.95, "drifting 10%": 0.6, "alloc 50%": 0.99,
		"channel 10%": 0.85, "channel 50%": 0.99, "bimodal 50%": 0.8, "loaded 50%": 0.6,
	}
	for i, p := range noise.All() {
		for _, percent := range []int{5, 10, 50} {
			found, opposite, pairs := 0, 0, 0
			for c := range uint64(trials) {
				n, v := compare(DefaultRule, noise.New(p, c<<8|uint64(i)), rng, 1+float64(percent)/100)
				pairs += n
				switch v {
				case +1:
					found++
				case -1:
					opposite++
				}
			}
			power := float64(found) / trials
			t.Logf("%-9s %2d %%: power %.2f, %2d pairs on average", p.Name, percent, power, pairs/trials)
			if least := want[fmt.Sprintf("%s %d%%", p.Name, percent)]; power < least {
				t.Errorf("%s: power at %d %% = %v, want at least %v", p.Name, percent, power, least)
			}
			if opposite > trials*5/100 {
				t.Errorf("%s: %d of %d verdicts on +%d %% have the wrong sign", p.Name, opposite, trials, percent)
			}
		}
	}
}

// TestBlocksLie shows what the rule replaces: ten values of one process, then
// ten of the next, compared by the Mann–Whitney test at 5 %. The values of a
// process share its mode and the machine's state, so they are not ten
// independent values, and the test claims differences that are not there. The
// profiles that share little (quiet, loaded) or drift slowly beside 20 samples
// are listed for comparison.
func TestBlocksLie(t *testing.T) {
	const trials = 400
	noisy := map[string]bool{"scheduler": true, "alloc": true, "channel": true, "bimodal": true}
	for i, p := range noise.All() {
		bad := 0
		for c := range uint64(trials) {
			src := noise.New(p, c<<8|uint64(i))
			for range c % 100 { // begin anywhere in the drift
				src.Next()
			}
			if mannWhitney10(process(src), process(src)) {
				bad++
			}
		}
		rate := float64(bad) / trials
		t.Logf("%-9s A/A in blocks: %4.1f %% false verdicts", p.Name, 100*rate)
		if noisy[p.Name] && rate < 0.3 {
			t.Errorf("%s: false verdicts in blocks = %v, want over 0.3", p.Name, rate)
		}
		if p.Name == "quiet" && rate > 0.08 {
			t.Errorf("quiet: false verdicts in blocks = %v, want about 0.05: its samples are independent", rate)
		}
	}
}

// process returns ten values of one fresh process.
func process(src *noise.Source) []float64 {
	x := []float64{src.Next()}
	for len(x) < 10 {
		x = append(x, src.Again())
	}
	return x
}

// mannWhitney10 reports whether two samples of ten differ at 5 %, two-sided:
// U <= 23 in the table of Mann and Whitney (1947) as extended by Auble (1953).
func mannWhitney10(x, y []float64) bool {
	u := 0
	for _, a := range x {
		for _, b := range y {
			if b < a {
				u++
			}
		}
	}
	return min(u, 100-u) <= 23
}

// TestMannWhitneyNull holds the contrast to its own level where it is valid.
func TestMannWhitneyNull(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 13))
	const trials = 4000
	bad := 0
	for range trials {
		x := make([]float64, 20)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		if mannWhitney10(x[:10], x[10:]) {
			bad++
		}
	}
	// The table's exact level is 0.0433.
	if rate := float64(bad) / trials; math.Abs(rate-0.0433) > 0.014 {
		t.Errorf("Mann–Whitney of independent values: %v false, want 0.043", rate)
	}
}

package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The tables of this file have the cases at the boundary of what decides: at it,
// just inside, just outside, on either side of 1. What a simulation finds in
// seconds they find at once.

func TestDecideBoundary(t *testing.T) {
	const off = 1e-9
	b := Bounds{Margin: 0.03, Precision: 0.02}
	band := 1.03*1.02 - 1
	if math.Abs(b.Band()-band) > 1e-15 {
		t.Errorf("Band = %v, want %v", b.Band(), band)
	}
	inf := math.Inf(1)
	for _, tt := range []struct {
		name              string
		ratio, low        float64
		p                 float64
		evenLow, evenHigh float64
		want              Decision
	}{
		{"at the margin", 1.03 + off, 1.01, 0.01, 0, inf, Faster},
		{"below the margin", 1.03 - off, 1.01, 0.01, 0, inf, Open},
		{"p at alpha", 1.5, 1.01, 0.05, 0, inf, Faster},
		{"p above alpha", 1.5, 1.01, 0.05 + off, 0, inf, Open},
		{"the interval ends at 1", 1.5, 1, 0.01, 0, inf, Open},
		{"the interval ends above 1", 1.5, 1 + off, 0.01, 0, inf, Faster},
		{"the interval ends below 1", 1.5, 0.7, 0.01, 0, inf, Open},
		{"even within the band", 1.03 - off, 0.9, 0.5, 1/(1+band) + off, 1 + band - off, Same},
		{"the estimate at the margin", 1.03 + off, 0.9, 0.5, 1/(1+band) + off, 1 + band - off, Open},
		{"even, too low", 1, 0.9, 0.5, 1/(1+band) - off, 1.01, Open},
		{"even, too high", 1, 0.9, 0.5, 0.99, 1 + band + off, Open},
		{"surely a little faster", 1.02, 1.01, 0.001, 1.015, 1.025, Same},
	} {
		e := Estimate{Ratio: tt.ratio, Low: tt.low, High: 2 * tt.ratio, EvenLow: tt.evenLow, EvenHigh: tt.evenHigh}
		if got := b.Decide(e, tt.p, 0.05); got != tt.want {
			t.Errorf("%s: Decide(%+v, %v) = %v, want %v", tt.name, e, tt.p, got, tt.want)
		}
		mirror := map[Decision]Decision{Faster: Slower, Slower: Faster, Same: Same, Open: Open}[tt.want]
		e = Estimate{Ratio: 1 / e.Ratio, Low: 1 / e.High, High: 1 / e.Low, EvenLow: 1 / e.EvenHigh, EvenHigh: 1 / e.EvenLow}
		if got := b.Decide(e, tt.p, 0.05); got != mirror {
			t.Errorf("%s, mirrored: Decide(%+v, %v) = %v, want %v", tt.name, e, tt.p, got, mirror)
		}
	}
	// The margin is a ratio, not a difference of logarithms.
	wide := Bounds{Margin: 1, Precision: 0.5}
	for ratio, want := range map[float64]Decision{1.99: Same, 2.01: Faster, 1 / 1.99: Same, 1 / 2.01: Slower} {
		e := Estimate{Ratio: ratio, Low: 1.5, High: 2.1, EvenLow: 0.34, EvenHigh: 2.99}
		if ratio < 1 {
			e.Low, e.High = 0.45, 0.6
		}
		if got := wide.Decide(e, 0.001, 0.05); got != want {
			t.Errorf("margin of 100 %%: Decide(%v) = %v, want %v", ratio, got, want)
		}
	}
}

// TestEarlyLookTable: what an early look says of three pairs beside seven of the
// control, by hand. The chance that no control pair is above is 2⁻² · C(3,3)/C(10,3)
// = 1/480, that at most one is 4/480, that at most two are 10/480.
func TestEarlyLookTable(t *testing.T) {
	const two = math.Ln2
	quiet := []float64{0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.9}
	for _, tt := range []struct {
		name      string
		x         []float64
		control   []float64
		alpha     float64
		low, high float64
		p         float64
	}{
		{"all plainly faster", []float64{1, 1.2, 1.5}, quiet, 1.0 / 480, 0.1, 2.4, 1.0 / 480}, // out by the 0.9 that alpha leaves above
		{"all plainly slower", []float64{-1.5, -1.2, -1}, quiet, 1.0 / 480, -2.4, -0.1, 1.0 / 480},
		{"more error to spend", []float64{1, 1.2, 1.5}, quiet, 4.0 / 480, 1 - two, 1.5 + two, 1.0 / 480}, // 0.6 is less than a factor of 2
		{"less than that error", []float64{1, 1.2, 1.5}, quiet, 3.9 / 480, 0.1, 2.4, 1.0 / 480},
		{"a control pair above", []float64{0.8, 1.2, 1.5}, quiet, 1.0 / 480, -0.1, 2.4, 4.0 / 480},
		{"a control pair as far", []float64{0.9, 1.2, 1.5}, quiet, 1.0 / 480, 0, 2.4, 4.0 / 480},
		{"two of them", []float64{0.8, 1.2, 1.5}, []float64{-1, 0.2, 0.3, -0.4, 0.5, -0.6, 0.9}, 4.0 / 480, -0.1, 2.4, 10.0 / 480},
		{"just a factor of 2", []float64{two, 1.2, 1.5}, quiet[:6], 1, 0, 1.5 + two, 1.0 / 4 / 84}, // of 9: C(9,3) = 84
		{"less than that", []float64{two - 1e-9, 1.2, 1.5}, quiet[:6], 1, -1e-9, 1.5 + two, 1},
		{"on both sides", []float64{-1, 1.2, 1.5}, quiet[:6], 1, -1 - two, 1.5 + two, 1},
		{"without a control the signs are enough", []float64{1, 1.2, 1.5}, nil, 0.25, 1 - two, 1.5 + two, 0.25},
	} {
		low, high, p := earlyLook(tt.x, tt.control, tt.alpha)
		if math.Abs(low-tt.low) > 1e-12 || math.Abs(high-tt.high) > 1e-12 || math.Abs(p-tt.p) > 1e-12 {
			t.Errorf("%s: earlyLook(%v, alpha %v) = [%v, %v], %v, want [%v, %v], %v", tt.name, tt.x, tt.alpha, low, high, p, tt.low, tt.high, tt.p)
		}
	}
	// With too few control pairs it is Student's t, for display, and no less than
	// the pairs: t(2, 97.5 %) = 4.3027, mean 1.2, sd 0.2.
	half := 4.302652729911275 * 0.2 / math.Sqrt(3)
	low, high, p := earlyLook([]float64{1, 1.2, 1.4}, quiet[:1], 0.05)
	if math.Abs(low-(1.2-half)) > 1e-9 || math.Abs(high-(1.2+half)) > 1e-9 || p != 1 {
		t.Errorf("beside one control pair: [%v, %v], %v, want [%v, %v], 1", low, high, p, 1.2-half, 1.2+half)
	}
	low, high, p = earlyLook([]float64{1, 1.2, 1.4}, nil, 0.2)
	if low > 1 || high < 1.4 || p != 1 {
		t.Errorf("beside none: [%v, %v], %v, want around the pairs, 1", low, high, p)
	}
	low, high, p = earlyLook([]float64{3}, quiet, 0.05)
	if !math.IsInf(low, -1) || !math.IsInf(high, 1) || p != 1 {
		t.Errorf("one pair: [%v, %v], %v, want nothing", low, high, p)
	}
	if low, high, _ := earlyLook([]float64{1, 1.2}, quiet, 0.05); math.IsInf(low, 0) || math.IsInf(high, 0) {
		t.Errorf("two pairs: [%v, %v], want an interval", low, high)
	}
}

// TestReadEarly: P of an early look is that of the look over its share, and the
// ratio is still the estimate of all pairs.
func TestReadEarly(t *testing.T) {
	control := []float64{0.01, -0.01, 0.02, -0.02, 0.01, 0.03, 0.01, -0.01, 0.02, -0.02, 0.01, 0.03}
	e := DefaultRule.Read(Pairs{Logs: []float64{1, 1.2, 1.4}, Control: control})
	_, _, p := earlyLook([]float64{1, 1.2, 1.4}, control, 0.0045)
	if want := p / 0.18; math.Abs(e.P-want) > 1e-12 || math.Abs(math.Log(e.Ratio)-1.2) > 1e-12 || !(e.Low < e.Ratio && e.Ratio < e.High) || e.EvenLow != 0 || !math.IsInf(e.EvenHigh, 1) || e.Pairs != 3 || e.Layouts != 1 {
		t.Errorf("Read of 3 pairs = %+v, want p %v, e^1.2, and no interval for even", e, want)
	}
	nothing := DefaultRule.Read(Pairs{Layouts: []int32{}})
	if !math.IsNaN(nothing.Ratio) || nothing.Low != 0 || !math.IsInf(nothing.High, 1) || nothing.P != 1 || nothing.EvenLow != 0 || !math.IsInf(nothing.EvenHigh, 1) || nothing.Layouts != 1 {
		t.Errorf("Read of no pairs = %+v", nothing)
	}
}

// TestEvenShare: the interval for "the same" spends its own shares, twice on each
// side what the other spends on both.
func TestEvenShare(t *testing.T) {
	x := normalSample(24)
	e := DefaultRule.Estimate(x)
	low, high := SignedRankInterval(x, 1-2*0.025*0.40)
	if e.EvenLow != math.Exp(low) || e.EvenHigh != math.Exp(high) {
		t.Errorf("24 pairs: even [%v, %v], want [%v, %v]", e.EvenLow, e.EvenHigh, math.Exp(low), math.Exp(high))
	}
	low, high = SignedRankInterval(x, 1-0.025*0.09)
	if e.Low != math.Exp(low) || e.High != math.Exp(high) {
		t.Errorf("24 pairs: [%v, %v], want [%v, %v]", e.Low, e.High, math.Exp(low), math.Exp(high))
	}
	// The shares of every look of the default, and of what is no look: the next.
	shares := map[int][2]float64{1: {0.18, 0.20}, 3: {0.18, 0.20}, 4: {0.13, 0.20}, 5: {0.13, 0.20}, 6: {0.315, 0.20}, 10: {0.315, 0.20}, 11: {0.14, 0.26}, 16: {0.14, 0.26}, 17: {0.09, 0.40}, 24: {0.09, 0.40},
		25: {0.065, 0.40}, 48: {0.065, 0.40}, 96: {0.05, 0.40}, 192: {0.03, 0.34}, 193: {0.03, 0.34}}
	for _, rule := range []Rule{DefaultRule, {}, {Alpha: 0.1}} {
		alpha := cmp.Or(rule.Alpha, 0.025)
		for n, want := range shares {
			if got, even := rule.at(n).differ, rule.at(n).even; math.Abs(got-alpha*want[0]) > 1e-15 || math.Abs(even-alpha*want[1]) > 1e-15 {
				t.Errorf("%+v: a look at %d pairs spends %v, and %v on even; want %v of %v", rule, n, got, even, want, alpha)
			}
		}
	}
	equal := Rule{Alpha: 0.06, Looks: []int{8, 16, 32}}
	if got, even := equal.at(16).differ, equal.at(3).even; math.Abs(got-0.02) > 1e-15 || math.Abs(even-0.02) > 1e-15 {
		t.Errorf("without weights of three looks: %v and %v, want a third of 0.06", got, even)
	}
	for n, want := range map[int]bool{3: true, 4: false, 5: true, 9: false, 10: true, 16: true, 100: false, 191: false, 192: true, 193: true} {
		if got, zero := DefaultRule.At(n), (Rule{}).At(n); got != want || zero != want {
			t.Errorf("At(%d) = %t, by the zero rule %t, want %t", n, got, zero, want)
		}
	}
}

// TestFirst: the first pairs have the layouts and the control of their time.
func TestFirst(t *testing.T) {
	p := Pairs{Logs: []float64{1, 2, 3, 4}, Layouts: []int32{0, 1, 2, 0}, Rounds: []int32{1, 2, 4, 5},
		Control: []float64{0.1, 0.2, 0.3, 0.4}, ControlRounds: []int32{2, 1, 4, 5}}
	for n, want := range map[int][]float64{1: {0.2}, 2: {0.1, 0.2}, 3: {0.1, 0.2, 0.3}, 4: {0.1, 0.2, 0.3, 0.4}} {
		f := p.First(n)
		if !slices.Equal(f.Logs, p.Logs[:n]) || !slices.Equal(f.Layouts, p.Layouts[:n]) || !slices.Equal(f.Control, want) {
			t.Errorf("First(%d) = %+v, want control %v", n, f, want)
		}
	}
	// Where it is not known when, the control is that of all.
	for _, p := range []Pairs{{Logs: p.Logs, Control: p.Control, ControlRounds: p.ControlRounds}, {Logs: p.Logs, Control: p.Control, Rounds: p.Rounds}} {
		if f := p.First(1); !slices.Equal(f.Control, p.Control) || f.Layouts != nil {
			t.Errorf("First(1) of pairs without rounds: %+v, want the whole control, no layouts", f)
		}
	}
}

// TestBefore: the looks from which a verdict may come, beside that at n.
func TestBefore(t *testing.T) {
	for n, want := range map[int][]int{2: nil, 3: nil, 4: {3}, 5: {3}, 6: {5, 3}, 10: {5, 3}, 11: {10, 5, 3}, 16: {10, 5, 3}, 17: {16, 5, 3}, 48: {24, 5, 3}, 192: {96, 5, 3}, 193: {5, 3}} {
		if got := DefaultRule.before(n); !slices.Equal(got, want) {
			t.Errorf("before(%d) = %v, want %v", n, got, want)
		}
		if got := (Rule{}).before(n); !slices.Equal(got, want) {
			t.Errorf("before(%d) by the zero rule = %v, want %v", n, got, want)
		}
	}
}

// TestSurestOf: the estimate of an earlier look stands where it decides and that
// of all pairs does not, never against it.
func TestSurestOf(t *testing.T) {
	steady := func(n int, x float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = x + 0.001*float64(i%5)
		}
		return out
	}
	wild := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = 2 * math.Sin(float64(i*i))
		}
		return out
	}
	other := wild(193) // as far below as the first 192 are above, and wide
	for i := range other {
		other[i] = other[i]/4 - 0.3
	}
	for _, tt := range []struct {
		name string
		logs []float64
		want int // pairs of the look
		says Decision
	}{
		{"faster at 24, more so at 30", steady(30, 0.2), 30, Faster},
		{"slower at 24, more so at 30", steady(30, -0.2), 30, Slower},
		{"faster at 24, unknown at 30", append(steady(24, 0.2), -9, -9, -9, -9, -9, -9), 24, Faster},
		{"slower at 24, unknown at 30", append(steady(24, -0.2), 9, 9, 9, 9, 9, 9), 24, Slower},
		{"faster at 24, less surely at 25", append(steady(24, 0.2), -9), 25, Faster},
		{"even at 24 and at 30", steady(30, 0), 30, Same},
		{"even at 24, unknown at 30", append(steady(24, 0), wild(6)...), 30, Same},
		{"open at 24 and at 30", wild(30), 30, Open},
		{"faster at 10, slower at 16", append(steady(10, 0.2), steady(6, -2)...), 10, Faster},
		{"past the last look", append(steady(192, 0.2), other...), 385, Open},
	} {
		e := DefaultRule.Surest(Pairs{Logs: tt.logs}, DefaultBounds)
		if d := DefaultBounds.Decide(e, e.P, DefaultRule.Error()); e.Pairs != tt.want || d != tt.says {
			t.Errorf("%s: %v from %d pairs, want %v from %d", tt.name, d, e.Pairs, tt.says, tt.want)
		}
	}
	p := Pairs{Logs: append(steady(24, 0.2), -9)}
	if e, at24 := DefaultRule.Surest(p, DefaultBounds), DefaultRule.Read(p.First(24)); e.P != at24.P || e.P >= DefaultRule.Read(p).P {
		t.Errorf("faster at 24, less surely at 25: p %v, want that of 24, %v", e.P, at24.P)
	}
}

// TestSurestAgainst: an early look never stands against all the pairs that came
// after it, however sure it was.
func TestSurestAgainst(t *testing.T) {
	p := Pairs{Logs: []float64{0.8, 0.8, 0.8}}
	for range 21 {
		p.Logs = append(p.Logs, -2)
	}
	for i := range 200 {
		p.Control = append(p.Control, 0.001*float64(i%9-4))
	}
	early, all := DefaultRule.Read(p.First(3)), DefaultRule.Read(p)
	if d := DefaultBounds.Decide(early, early.P, 0.05); d != Faster || !(early.P < all.P) {
		t.Fatalf("the first three pairs: %+v, all: %+v; want the early look surer", early, all)
	}
	if e := DefaultRule.Surest(p, DefaultBounds); e.Pairs != 24 || DefaultBounds.Decide(e, e.P, 0.05) != Slower {
		t.Errorf("three pairs faster and 21 slower: %+v, want slower, from all", e)
	}
}

// TestLayoutEffectTable: six layouts of two pairs each, by hand. Their means are 0
// and 1 by turns, and the pairs lie 0.1 off: the mean square between layouts is
// 2 · 6 · 0.25 / 5 = 0.6, within 12 · 0.01 / 6 = 0.02, so the variance between is
// (0.6 - 0.02) / 2.
func TestLayoutEffectTable(t *testing.T) {
	var p Pairs
	for i := range 12 {
		layout := i % 6
		p.Logs = append(p.Logs, float64(layout%2)+0.1-0.2*float64(i/6)+1e-6*float64(i%5))
		p.Layouts = append(p.Layouts, int32(layout))
	}
	e, ok := p.LayoutEffect()
	if !ok || math.Abs(e.SD-math.Sqrt(0.29)) > 1e-3 || e.P > 0.08 || e.P < 0.04 {
		t.Errorf("six layouts by turns 0 and 1: %+v, %t, want sd %.3f and a p-value of about 0.06", e, ok, math.Sqrt(0.29))
	}
	// Layouts that all differ: none of the 999 permutations has more between them.
	apart := Pairs{Layouts: p.Layouts}
	for i, l := range p.Layouts {
		apart.Logs = append(apart.Logs, float64(l)+0.1*float64(i/6))
	}
	if e, ok := apart.LayoutEffect(); !ok || e.P != 0.001 {
		t.Errorf("six layouts that differ: %+v, %t, want p 0.001", e, ok)
	}
	// A layout with one pair says nothing of the scatter within: it is left out.
	with := Pairs{Logs: append(slices.Clone(p.Logs), 50), Layouts: append(slices.Clone(p.Layouts), 9)}
	if again, ok := with.LayoutEffect(); !ok || again != e {
		t.Errorf("beside a layout of one pair: %+v, %t, want %+v", again, ok, e)
	}
	// Pairs that say the same wherever they ran: no effect, and p = 1.
	flat := Pairs{Logs: []float64{0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 0}, Layouts: p.Layouts}
	if e, ok := flat.LayoutEffect(); !ok || e.SD != 0 || e.P < 0.9 {
		t.Errorf("as much within as between: %+v, %t, want sd 0 and p near 1", e, ok)
	}
	// An outlier is no layout: it is taken for three deviations of the rest.
	burst := Pairs{Logs: slices.Clone(flat.Logs), Layouts: p.Layouts}
	burst.Logs[3] = 1e6
	if e, ok := burst.LayoutEffect(); !ok || e.SD > 5 {
		t.Errorf("one burst: %+v, %t, want a small sd", e, ok)
	}
	for name, bad := range map[string]Pairs{
		"five layouts":             {Logs: p.Logs[:10], Layouts: []int32{0, 1, 2, 3, 4, 0, 1, 2, 3, 4}},
		"six, one of one pair":     {Logs: p.Logs[:11], Layouts: p.Layouts[:11]},
		"a ratio without a number": {Logs: append(slices.Clone(p.Logs[:11]), math.NaN()), Layouts: p.Layouts},
		"an infinite ratio":        {Logs: append(slices.Clone(p.Logs[:11]), math.Inf(1)), Layouts: p.Layouts},
		"no layouts":               {Logs: p.Logs},
	} {
		if e, ok := bad.LayoutEffect(); ok {
			t.Errorf("%s: %+v, want none", name, e)
		}
	}
}

func TestSquaresClipRanks(t *testing.T) {
	// Groups 1, 3 and 10: of mean 2 and 10, all of mean 14/3.
	between, within := squares([]float64{1, 3, 10}, []int{2, 1})
	if all := 14.0 / 3; math.Abs(within-2) > 1e-12 || math.Abs(between-(2*(2-all)*(2-all)+(10-all)*(10-all))) > 1e-12 {
		t.Errorf("squares of 1 3, 10 = %v, %v", between, within)
	}
	// The median is 3, that of the distances 1: 3 · 1.4826 off is the most.
	if got, most := clip([]float64{1, 2, 3, 4, 100, -100, 4}), 3*1.4826; !slices.Equal(got, []float64{1, 2, 3, 4, 3 + most, 3 - most, 4}) {
		t.Errorf("clip = %v, want 100 and -100 at 3 ± %v", got, most)
	}
	if got := ranks([]float64{5, 1, 5, 0}); !slices.Equal(got, []float64{2, 1, 3, 0}) {
		t.Errorf("ranks of 5 1 5 0 = %v, want 2 1 3 0", got)
	}
}

// TestChanceTable: the chance of a decision, with the normal law as an oracle.
func TestChanceTable(t *testing.T) {
	normal := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 } // below z
	// z is the quantile of an upper tail, by bisection.
	z := func(p float64) float64 {
		lo, hi := 0.0, 40.0
		for range 100 {
			if mid := (lo + hi) / 2; 1-normal(mid) > p {
				lo = mid
			} else {
				hi = mid
			}
		}
		return lo
	}
	for _, p := range []float64{0.5, 0.05, 0.025, 0.001} {
		if got := quantile(p); math.Abs(got-z(p)) > 1e-6 {
			t.Errorf("quantile(%v) = %v, want %v", p, got, z(p))
		}
	}
	const alpha = 0.025
	share := map[int][2]float64{10: {0.315, 0.2}, 24: {0.09, 0.4}, 48: {0.065, 0.4}, 96: {0.05, 0.4}, 192: {0.03, 0.34}}
	for _, tt := range []struct {
		centre, half float64 // of the interval at n pairs
		n, m         int
	}{
		{0, 0.05, 24, 96}, {0, 0.02, 24, 48}, {0.02, 0.05, 24, 48}, {-0.02, 0.05, 24, 48}, {0.05, 0.06, 24, 192}, {-0.05, 0.06, 24, 192},
		{0.1, 0.3, 10, 24}, {0.3, 0.5, 10, 96}, {0.028, 0.01, 24, 48}, {0, 0.3, 10, 24}, {0.2, 0.1, 24, 24}, {0.05, 0.2, 24, 24}, {0.01, 0.01, 24, 24}, {-0.2, 0.1, 24, 24}, {0.02, 0.2, 24, 24},
	} {
		for _, b := range []Bounds{DefaultBounds, {Margin: 0.1, Precision: 0.05}} {
			e := Estimate{Ratio: math.Exp(tt.centre), Low: math.Exp(tt.centre - tt.half), High: math.Exp(tt.centre + tt.half), Pairs: tt.n}
			n, m := float64(tt.n), float64(tt.m)
			sd := tt.half / z(alpha*share[tt.n][0]/2) * math.Sqrt(n) // of one pair
			// Of the mean of m pairs n are known, m-n come: it will lie around the
			// centre that there is.
			scatter := sd * math.Sqrt(m-n) / m
			within := func(lo, hi float64) float64 {
				if scatter == 0 {
					if lo < tt.centre && tt.centre <= hi {
						return 1
					}
					return 0
				}
				return normal((hi-tt.centre)/scatter) - normal((lo-tt.centre)/scatter)
			}
			margin := math.Log(1 + b.Margin)
			differ := math.Max(margin, sd/math.Sqrt(m)*z(alpha*share[tt.m][0]/2))
			want := within(differ, 99) + within(-99, -differ)
			if same := math.Min(margin, math.Log((1+b.Margin)*(1+b.Precision))-sd/math.Sqrt(m)*z(alpha*share[tt.m][1])); same > 0 {
				want += within(-same, same)
			}
			if got := DefaultRule.Chance(e, tt.m, 24, b); math.Abs(got-math.Min(1, want)) > 1e-6 {
				t.Errorf("%v ± %v after %d pairs, margin %v: chance at %d = %v, want %v", tt.centre, tt.half, tt.n, b.Margin, tt.m, got, want)
			}
		}
	}
	known := Estimate{Ratio: 2, Low: 1.9, High: 2.1, Pairs: 10}
	if got := DefaultRule.Chance(known, 10, 24, DefaultBounds); got != 1 {
		t.Errorf("chance of what is decided = %v, want 1", got)
	}
	for name, tt := range map[string]struct {
		e     Estimate
		pairs int
	}{
		"before the first full look": {Estimate{Ratio: 2, Low: 1.9, High: 2.1, Pairs: 9}, 96},
		"at a look that is past":     {Estimate{Ratio: 2, Low: 1.9, High: 2.1, Pairs: 24}, 23},
		"without a lower end":        {Estimate{Ratio: 2, Low: 0, High: 2.1, Pairs: 24}, 96},
		"without an upper end":       {Estimate{Ratio: 2, Low: 1.9, High: math.Inf(1), Pairs: 24}, 96},
	} {
		if got := DefaultRule.Chance(tt.e, tt.pairs, 24, DefaultBounds); got != 0 {
			t.Errorf("%s: chance %v, want 0", name, got)
		}
	}
	if got := (Rule{}).Chance(known, 10, 24, DefaultBounds); got != 1 {
		t.Errorf("by the zero rule: chance %v, want 1", got)
	}
}

// TestResolveTable: what a look resolves, where it can be told by hand.
func TestResolveTable(t *testing.T) {
	five := []float64{0.1, -0.2, 0.3, -0.1, 0.05}
	if got := DefaultRule.Resolve(five, 8); math.IsInf(got, 1) {
		t.Error("five pairs resolve nothing; want five to be enough")
	}
	if got := DefaultRule.Resolve(five[:4], 8); !math.IsInf(got, 1) {
		t.Errorf("four pairs resolve %v, want +Inf", got)
	}
	// Where the mean is does not matter, and twice the spread is twice the log.
	x := normalSample(20)
	moved, doubled := slices.Clone(x), slices.Clone(x)
	for i := range x {
		moved[i] += 5
		doubled[i] *= 2
	}
	at := DefaultRule.Resolve(x, 24)
	if got := DefaultRule.Resolve(moved, 24); math.Abs(got-at) > 1e-9 {
		t.Errorf("moved by 5: resolves %v, want %v", got, at)
	}
	if got := DefaultRule.Resolve(doubled, 24); math.Abs(math.Log1p(got)-2*math.Log1p(at)) > 1e-9 {
		t.Errorf("twice as spread: resolves %v, want %v squared", got, at)
	}
	// Of residuals ±a the test at 8 pairs, whose every pair must have one sign or
	// the smallest may differ by rank, finds what lies above the extreme Walsh
	// average: with probability 1 - 2⁻⁸ one of 8 is -a, so low is -a, and what is
	// resolved is a itself, with its factor for having estimated the centre.
	two := []float64{-0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1, -0.1, 0.1}
	if got, want := DefaultRule.Resolve(two, 8), math.Expm1(0.1*math.Sqrt(10.0/9)); math.Abs(got-want) > 1e-9 {
		t.Errorf("residuals ±0.1 at 8 pairs: %v, want %v", got, want)
	}
	// Elsewhere an oracle draws its own samples: residuals from the centre, of
	// either sign, and of their Walsh averages the lowest that the test leaves in.
	skewed := []float64{-0.05, -0.04, -0.06, -0.05, -0.03, -0.07, -0.05, -0.04, 0.6, 0.9}
	rng := rand.New(rand.NewPCG(5, 5))
	for _, pairs := range []int{12, 24} {
		centre := HodgesLehmann(skewed)
		k := 0
		for k < 300 && nullP(pairs, int64(k)) <= DefaultRule.at(pairs).differ {
			k++
		}
		var needed []float64
		for range 3000 {
			z := make([]float64, pairs)
			for i := range z {
				z[i] = math.Sqrt(10.0/9) * (skewed[rng.IntN(10)] - centre) * float64(1-2*rng.IntN(2))
			}
			averages := walshAverages(z)
			slices.Sort(averages)
			needed = append(needed, -averages[k])
		}
		slices.Sort(needed)
		want := math.Expm1(needed[2399])
		if got := DefaultRule.Resolve(skewed, pairs); math.Abs(got-want) > 0.1*want {
			t.Errorf("skewed pairs, at %d: resolves %v, want %v", pairs, got, want)
		}
	}
}

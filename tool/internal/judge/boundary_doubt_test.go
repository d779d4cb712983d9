package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// TestNothing: half a nanosecond of wall and of processor time is what an
// operation takes at least.
func TestNothing(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		wall, cpu float64
		procs     int
		want      bool
	}{
		{0.49, 0.49, 4, true}, {0.5, 0.49, 4, false}, {0.49, 0.5, 4, false}, {0.6, 0.1, 4, false}, {0.1, 0.6, 4, false},
		{0.1, nan, 4, true}, {0.12, nan, 4, true}, {0.125, nan, 4, false}, // all four may have been at work
		{0.3, nan, 1, true}, {0.3, nan, 2, false},
	} {
		c := of("b", tt.procs)
		var kinds []DoubtKind
		for _, d := range doubtful(c, []measure.Sample{{N: 1, Wall: tt.wall, CPU: tt.cpu}}, measure.Size{}) {
			if kinds = append(kinds, d.Kind); d.Cell != c || !strings.HasPrefix(d.Text, fmt.Sprintf("%.2g ns per operation", tt.wall)) {
				t.Errorf("%+v: doubt of %v: %q", tt, d.Cell, d.Text)
			}
		}
		if got := slices.Equal(kinds, []DoubtKind{CompiledAway}); got != tt.want || !got && len(kinds) > 0 {
			t.Errorf("%v ns, %v of processor time, at %d: doubts %q, want one: %t", tt.wall, tt.cpu, tt.procs, kinds, tt.want)
		}
	}
}

// TestGrowth: the power of b.N, from how many samples it is believed, and what is
// no growth. The score of n samples of which all grow is n(n-1)/2; 3.3 standard
// deviations are 21.97 of 7 and 26.67 of 8.
func TestGrowth(t *testing.T) {
	// by makes samples of one, two, four, … times as many operations as the first.
	by := func(power float64, n int) []measure.Sample {
		var out []measure.Sample
		for i := range n {
			out = append(out, measure.Sample{N: 10 << i, Wall: math.Pow(2, power*float64(i)), CPU: 7})
		}
		return out
	}
	swap := func(s []measure.Sample, i int) []measure.Sample {
		s[i].Wall, s[i+1].Wall = s[i+1].Wall, s[i].Wall
		return s
	}
	tied := func(groups, each int, factor float64) (out []measure.Sample) {
		for i := range groups * each {
			g := float64(i / each)
			out = append(out, measure.Sample{N: int64(math.Round(1000 * math.Pow(factor, g))), Wall: 5 + g})
		}
		return out
	}
	for _, tt := range []struct {
		name    string
		samples []measure.Sample
		power   float64
		want    bool
	}{
		{"as the number", by(1, 8), 1, true},
		{"as its square", by(2, 8), 2, true},
		{"one sample fewer", by(1, 7), 1, false},
		{"one pair against it", swap(by(1, 8), 3), 1, false},
		{"one pair of nine", swap(by(1, 9), 3), 1, true},
		{"a little", by(0.31, 8), 0.31, true},
		{"as caches do", by(0.3, 8), 0.3, false},
		{"the other way", by(-1, 12), -1, false},
		{"not at all", by(0, 12), 0, false},
		{"ten of each of two numbers", tied(2, 10, 2), math.Log(6.0/5) / math.Log(2), false},
		{"ten of each, by more", func() []measure.Sample {
			s := tied(2, 10, 2)
			for i := range s[:10] {
				s[i].Wall = 1
			}
			return s
		}(), math.Log(6) / math.Log(2), true},
		{"four of each, by more", func() []measure.Sample {
			s := tied(2, 4, 2)
			for i := range s[:4] {
				s[i].Wall = 1
			}
			return s
		}(), math.Log(6) / math.Log(2), false}, // 16 is less than 22.86
		{"half as much again", tied(8, 1, 1.5), math.NaN(), true},
		{"less than half as much again", tied(2, 10, 1.49), math.NaN(), false}, // no pair tells a power
		{"one number", tied(1, 20, 1), math.NaN(), false},
		{"nothing", nil, math.NaN(), false},
	} {
		power, ok := growth(tt.samples)
		if ok != tt.want || !math.IsNaN(tt.power) && math.Abs(power-tt.power) > 1e-9 {
			t.Errorf("%s: power %v, %t, want %v, %t", tt.name, power, ok, tt.power, tt.want)
		}
		if !ok {
			continue
		}
		d := doubtful(of("b", 1), tt.samples, measure.Size{})
		if len(d) != 1 || d[0].Kind != DependsOnN || !strings.Contains(d[0].Text, fmt.Sprintf("as the power %.1f of b.N", power)) {
			t.Errorf("%s: doubts %+v, want one of power %.1f", tt.name, d, power)
		}
		slices.Reverse(tt.samples)
		if again, ok := growth(tt.samples); !ok || math.Abs(again-power) > 1e-9 {
			t.Errorf("%s: power %v, %t in the other order, want %v", tt.name, again, ok, power)
		}
	}
	// The power is that of pairs that are far apart: two that are near tell noise.
	near := by(1, 8)
	for i := range near {
		near = append(near, measure.Sample{N: near[i].N + near[i].N/10, Wall: near[i].Wall * 1.6})
	}
	if power, ok := growth(near); !ok || math.Abs(power-1) > 0.12 {
		t.Errorf("neighbours of other times: power %v, %t, want about 1", power, ok)
	}
}

// TestProcessors: how many the new side had, of those that there are.
func TestProcessors(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		usable int
		given  map[int]float64
		used   float64
		want   float64
	}{
		{0, nil, nan, 4}, {8, nil, 2, 4}, {2, nil, 1, 2}, // nothing is known: it may have had all
		{4, map[int]float64{4: 2.5}, nan, 4},
		{4, map[int]float64{4: 2.5}, 2, 2.5}, {4, map[int]float64{4: 2.5}, 2.8, 2.8},
		{4, map[int]float64{4: 5}, 2, 4}, {4, map[int]float64{4: 2.5}, 6, 4},
		{4, map[int]float64{2: 1.5}, 2, 4}, // of another count
	} {
		s := &measure.Series{Usable: tt.usable, Given: tt.given}
		v := Verdict{New: of("b", 4), BaseCell: of("b", 1), Identity: Identity{Cores: Factor{Value: 1, Low: 1, High: tt.used}, BaseCores: Factor{9, 9, 9}}}
		if got := processors(s, v); got != tt.want {
			t.Errorf("usable %d, given %v, used %v: %v of 4, want %v", tt.usable, tt.given, tt.used, got, tt.want)
		}
	}
}

// TestDoubtOf: a doubt stands at each verdict that has the cell on either side,
// first those of the new one; a warning names it once, with its processors.
func TestDoubtOf(t *testing.T) {
	s := &measure.Series{Package: "p", Procs: []int{1, 2, 4}, Usable: 4, Families: discover.Families([]string{"BenchmarkX/variant=serial", "BenchmarkX/variant=b"}, discover.Hints{})}
	for _, n := range s.Procs {
		put(s, of("serial", n), steadily(0.4, 12)...) // compiled away
		put(s, of("b", n), steadily(map[int]float64{1: 100, 2: 60, 4: 20}[n], 12)...)
	}
	put(s, twin(of("b", 4)), steadily(0.1, 12)...) // a twin is no benchmark's figure
	r := Judge(s, stats.DefaultRule, stats.DefaultBounds)
	for _, v := range r.Verdicts {
		var want []string
		for _, c := range []measure.Cell{v.New, v.BaseCell} {
			switch {
			case c.Bench == of("serial", 1).Bench:
				want = append(want, fmt.Sprintf("%s of %v", CompiledAway, c))
			case c.Procs == 4:
				want = append(want, fmt.Sprintf("%s of %v", Superlinear, c))
			}
		}
		var got []string
		for _, d := range v.Doubts {
			got = append(got, fmt.Sprintf("%s of %v", d.Kind, d.Cell))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s of %s at %d: doubts %q, want %q", v.Kind, v.Variant, v.New.Procs, got, want)
		}
	}
	warnings := r.Warnings
	if len(warnings) != 2 || !strings.HasPrefix(warnings[0], "BenchmarkX/variant=serial at 1: ") || !strings.HasPrefix(warnings[1], "BenchmarkX/variant=b at 4: 5.00 [") ||
		!strings.Contains(warnings[1], "with GOMAXPROCS=4 as with 1, where the same work gains 4 at most") {
		t.Errorf("warnings %q, want those of serial and of b at 4", warnings)
	}
}

// TestSuperlinearBound: above what the processors give by the whole interval.
func TestSuperlinearBound(t *testing.T) {
	for gain, want := range map[float64]bool{2.01: true, 1.99: false} {
		s := &measure.Series{Package: "p", Procs: []int{1, 2}, Usable: 2, Families: discover.Families([]string{"BenchmarkX/variant=b"}, discover.Hints{})}
		put(s, of("b", 1), steadily(gain*100, 12)...)
		put(s, of("b", 2), steadily(100, 12)...)
		v := Judge(s, stats.DefaultRule, stats.DefaultBounds).Verdicts[0]
		if got := len(v.Doubts) > 0; got != want {
			t.Errorf("gains %v on two: %.3f [%.3f, %.3f] after %d pairs, in doubt %t, want %t", gain, v.Ratio, v.Low, v.High, v.Pairs, got, want)
		}
	}
}

// TestUnsettled: where samples could not be long enough, the interval holds what the
// ratio would be, and a word that depends on it is none.
func TestUnsettled(t *testing.T) {
	for _, tt := range []struct {
		name         string
		serial, b    float64 // ns per operation of those samples
		fixed, other float64 // ns of a run of serial and of b that are spent once
		want         Word
		low, high    float64 // that the interval reaches
	}{
		{"settled", 200, 100, 0, 0, Pays, 1.9, 2.1},
		{"of the base: half of it", 200, 50, 1000, 0, Pays, 2.1, 3.9},
		{"of the variant", 200, 200, 0, 1000, CannotSay, 1, 1.9},
		{"of the base, all of what pays", 200, 100, 1000, 0, CannotSay, 1.1, 1.9},
		{"of the variant, which pays the more", 200, 100, 0, 500, Pays, 2.1, 3.9},
		{"of both alike", 200, 100, 1000, 500, Pays, 1.9, 2.1},
		{"little", 200, 100, 150, 0, Pays, 1.9, 2.1},
		{"of the base, nothing else is seen", 200, 100, 2000, 0, CannotSay, 0, 2.1},
		{"of both, nothing else is seen", 200, 100, 2000, 1000, CannotSay, 0, 2.1},
	} {
		s := pair(1, steadily(tt.serial, 12), steadily(tt.b, 12)) // of 10 operations
		for bench, x := range map[string][2]float64{"serial": {tt.serial, tt.fixed}, "b": {tt.b, tt.other}} {
			each := x[0] - x[1]/10
			for _, n := range []int64{2, 2, 2, 6, 6, 6, 10} {
				s.Calibrate(of(bench, 1), measure.Sample{N: n, Wall: each + x[1]/float64(n)})
			}
		}
		v := Judge(s, stats.DefaultRule, stats.DefaultBounds).Verdicts[0]
		if v.Word != tt.want || (v.Why == "") != (tt.want == Pays) || tt.want == Pays && !(v.Low <= tt.low+0.15 && v.High >= tt.high-0.15 && v.Low > 1) {
			t.Errorf("%s: %s %.3f [%.3f, %.3f] (%s), want %s over [%v, %v]", tt.name, v.Word, v.Ratio, v.Low, v.High, v.Why, tt.want, tt.low, tt.high)
		}
	}
}

// TestUnknownSize: where nothing tells an operation from what runs once, no word is
// given, and the reason says what to do.
func TestUnknownSize(t *testing.T) {
	for _, tt := range []struct {
		name string
		list []measure.Listed
		want Word
	}{
		{"nothing before the loop", nil, Pays},
		{"a call before the loop of b", []measure.Listed{{Name: of("b", 1).Bench, Setup: true}}, CannotSay},
		{"of the other", []measure.Listed{{Name: of("serial", 1).Bench, Setup: true}}, CannotSay},
	} {
		s := pair(1, steadily(200, 12), steadily(100, 12))
		s.Listed = tt.list
		v := Judge(s, stats.DefaultRule, stats.DefaultBounds).Verdicts[0]
		if v.Word != tt.want || strings.Contains(v.Why, "b.ResetTimer") != (tt.want == CannotSay) || v.Unlike() != (tt.want == CannotSay) || !(v.Low > 1.9 && v.High < 2.1) {
			t.Errorf("%s: %s [%v, %v] (%s), moves with b.N %t, want %s in [1.9, 2.1]", tt.name, v.Word, v.Low, v.High, v.Why, v.Unlike(), tt.want)
		}
	}
}

// TestTimes: where the names differ by a number and the processor time by the same
// factor, an operation has that many times the work, and the sides are not alike.
func TestTimes(t *testing.T) {
	for _, tt := range []struct {
		base, variant string
		times, want   float64
	}{
		{"Run1Worker", "Run4Workers", 3.8, 4},
		{"Run1Worker", "Run1024Workers", 950, 1024},
		{"Run/workers=2", "Run/workers=8", 3.5, 4},
		{"Run1Worker", "Run2Workers", 1.9, 2},
		{"Run1Worker", "Run2Workers", 1.7, 0}, // chance has that too
		{"Run1Worker", "Run4Workers", 1.1, 0}, // the same work
		{"Run1Worker", "Run4Workers", 2.9, 0},
		{"Run4Workers", "Run1Worker", 0.26, 0}, // a base with more to do is no slower variant
		{"Run1Worker", "Run4Pools", 4, 0},
		{"Run", "Run4", 4, 0},
		{"Run1x1", "Run4x4", 4, 0},
		{"Run/0", "Run/4", 4, 0},
		{"Run/x", "Run/y", 4, 0},
	} {
		took := Factor{Value: tt.times}
		v := Verdict{Kind: measure.Variant, New: measure.Cell{Bench: tt.variant}, BaseCell: measure.Cell{Bench: tt.base}, Identity: Identity{Overhead: took}}
		if got := v.Times(); got != tt.want || v.Unlike() != (tt.want > 0) {
			t.Errorf("%s beside %s with %v times its time: %v, unlike %t; want %v", tt.variant, tt.base, tt.times, got, v.Unlike(), tt.want)
		}
	}
	v := Verdict{Kind: measure.Scaling, New: measure.Cell{Bench: "Run4"}, BaseCell: measure.Cell{Bench: "Run1"}, Identity: Identity{Overhead: Factor{Value: 4}}}
	if got := v.Times(); got != 0 {
		t.Errorf("of scaling: %v, want 0", got)
	}
	s := pair(1, steadily(100, 12), steadily(400, 12))
	for c, samples := range s.Samples { // the CPU time with the time
		for i := range samples {
			samples[i].CPU = samples[i].Wall
		}
		s.Samples[c] = samples
	}
	if got := Judge(s, stats.DefaultRule, stats.DefaultBounds).Verdicts[0].Word; got != Loses {
		t.Fatalf("four times as slow without a number in the names: %s, want %s", got, Loses)
	}
	s.Families = discover.Families([]string{"BenchmarkX/workers=1", "BenchmarkX/workers=4"}, discover.Hints{})
	for _, n := range []string{"1", "4"} {
		old := map[string]string{"1": "serial", "4": "b"}[n]
		s.Samples[measure.Cell{Bench: "BenchmarkX/workers=" + n, Procs: 1}] = s.Samples[of(old, 1)]
		delete(s.Samples, of(old, 1))
	}
	vs := Judge(s, stats.DefaultRule, stats.DefaultBounds).Verdicts
	if len(vs) == 0 || vs[0].Word != CannotSay || !strings.Contains(vs[0].Why, "4 times the work") {
		t.Errorf("four times as slow with 1 and 4 in the names: %+v, want %s", vs, CannotSay)
	}
}

// TestMoves: of the doubts, that a cost depends on b.N takes the causes away.
func TestMoves(t *testing.T) {
	for kind, want := range map[DoubtKind]bool{DependsOnN: true, Superlinear: false, CompiledAway: false} {
		if got := (Verdict{Doubts: []Doubt{{Kind: kind}}}).Unlike(); got != want {
			t.Errorf("%s: moves with b.N %t, want %t", kind, got, want)
		}
	}
	if (Verdict{}).Unlike() {
		t.Error("a verdict without a doubt moves with b.N")
	}
}

// TestPowerOfSizes: where the samples are all of one size, the power is that of the
// sizes that were tried.
func TestPowerOfSizes(t *testing.T) {
	samples := []measure.Sample{{N: 9, Wall: 100, CPU: 100}, {N: 9, Wall: 101, CPU: 101}}
	d := doubtful(measure.Cell{Bench: "b", Procs: 1}, samples, measure.Size{Power: 0.84})
	if len(d) != 1 || !strings.Contains(d[0].Text, "as the power 0.8 of b.N") {
		t.Errorf("doubts %+v, want one, of the power 0.8", d)
	}
	if d := doubtful(measure.Cell{Bench: "b", Procs: 1}, samples, measure.Size{}); len(d) != 0 {
		t.Errorf("doubts %+v, want none", d)
	}
}

package judge_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A cost tells the wall time per operation and the processors used.
type cost struct{ wall, cores float64 }

// series makes a series of n rounds from costs by "name-procs", with 1 %
// noise. A name ending in ~ is the twin of the cell before.
func series(n int, costs map[string]cost) *measure.Series {
	rng := rand.New(rand.NewPCG(7, 7))
	s := &measure.Series{Package: "p"}
	var names []string
	procs := map[int]bool{}
	for round := range n {
		for _, key := range slices.Sorted(maps.Keys(costs)) {
			i := strings.LastIndex(key, "-")
			var p int
			fmt.Sscan(key[i+1:], &p)
			c := measure.Cell{Bench: "Benchmark" + strings.TrimSuffix(key[:i], "~"), Procs: p, Twin: strings.HasSuffix(key[:i], "~")}
			wall := costs[key].wall * math.Exp(0.01*rng.NormFloat64())
			s.Add(c, measure.Sample{Round: int32(round + 1), Layout: int32(round), N: 10, Wall: wall, CPU: wall * costs[key].cores, Got: 1})
			if round == 0 && !c.Twin {
				if !slices.Contains(names, c.Bench) {
					names = append(names, c.Bench)
				}
				if !procs[p] {
					procs[p] = true
					s.Procs = append(s.Procs, p)
				}
			}
		}
	}
	s.Families = discover.Families(names, discover.Hints{})
	return s
}

func find(t *testing.T, r judge.Result, kind measure.Kind, variant string, procs int) judge.Verdict {
	t.Helper()
	for _, v := range r.Verdicts {
		if v.Kind == kind && v.Variant == variant && v.New.Procs == procs {
			return v
		}
	}
	t.Fatalf("no %s verdict on %s at %d", kind, variant, procs)
	return judge.Verdict{}
}

var full = map[string]cost{
	"S/variant=serial-1": {100, 1}, "S/variant=serial-2": {100, 1},
	"S/variant=good-1": {110, 1}, "S/variant=good-2": {60, 1.9}, // overhead 1.1, inflation 1.036
	"S/variant=shared-1": {600, 1}, "S/variant=shared-2": {2400, 2}, // overhead 6, inflation 8
	"S/variant=same-1": {100, 1}, "S/variant=same-2": {100, 1},
}

func TestVerdicts(t *testing.T) {
	r := judge.Judge(series(12, full), stats.DefaultRule, stats.DefaultBounds)
	for _, tt := range []struct {
		kind    measure.Kind
		variant string
		procs   int
		want    judge.Word
		ratio   float64
	}{
		{measure.Variant, "good", 1, judge.Loses, 1 / 1.1},
		{measure.Variant, "good", 2, judge.Pays, 1 / 0.6},
		{measure.Variant, "shared", 2, judge.Loses, 1.0 / 24},
		{measure.Variant, "same", 1, judge.Even, 1},
		{measure.Variant, "same", 2, judge.Even, 1},
		{measure.Scaling, "serial", 2, judge.Even, 1},
		{measure.Scaling, "good", 2, judge.Pays, 110.0 / 60},
		{measure.Scaling, "shared", 2, judge.Loses, 0.25},
	} {
		v := find(t, r, tt.kind, tt.variant, tt.procs)
		if v.Word != tt.want || math.Abs(math.Log(v.Ratio/tt.ratio)) > 0.03 || !(v.Low <= v.Ratio && v.Ratio <= v.High) {
			t.Errorf("%s %s at %d: %s %.3f [%.3f, %.3f], want %s %.3f", tt.kind, tt.variant, tt.procs, v.Word, v.Ratio, v.Low, v.High, tt.want, tt.ratio)
		}
	}
	if v := r.Verdicts[0]; v.Kind != measure.Variant {
		t.Errorf("first verdict is of kind %s, want variants first", v.Kind)
	}
}

// TestIdentity: the factors are the planted ones, and their product is the
// speedup.
func TestIdentity(t *testing.T) {
	r := judge.Judge(series(24, full), stats.DefaultRule, stats.DefaultBounds)
	for _, tt := range []struct {
		kind                       measure.Kind
		variant                    string
		procs                      int
		cores, overhead, inflation float64
	}{
		{measure.Variant, "good", 1, 1, 1.1, 1},
		{measure.Variant, "good", 2, 1.9, 1.1, 60 * 1.9 / 110},
		{measure.Variant, "shared", 2, 2, 6, 8},
		{measure.Scaling, "shared", 2, 2, 1, 8},
	} {
		v := find(t, r, tt.kind, tt.variant, tt.procs)
		id := v.Identity
		for _, f := range []struct {
			name string
			got  judge.Factor
			want float64
		}{{"cores", id.Cores, tt.cores}, {"overhead", id.Overhead, tt.overhead}, {"inflation", id.Inflation, tt.inflation}} {
			if math.Abs(math.Log(f.got.Value/f.want)) > 0.02 || f.got.Low > f.got.Value || f.got.High < f.got.Value {
				t.Errorf("%s at %d: %s = %+v, want %.3f", tt.variant, tt.procs, f.name, f.got, f.want)
			}
		}
		if product := id.Cores.Value / id.BaseCores.Value / (id.Overhead.Value * id.Inflation.Value); math.Abs(math.Log(product/v.Ratio)) > 0.02 {
			t.Errorf("%s at %d: identity gives %.4f, ratio is %.4f", tt.variant, tt.procs, product, v.Ratio)
		}
	}
}

func TestUnknownCPU(t *testing.T) {
	s := series(12, full)
	for c := range s.Samples {
		for i := range s.Samples[c] {
			s.Samples[c][i].CPU = math.NaN()
		}
	}
	v := find(t, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), measure.Variant, "good", 2)
	if v.Word != judge.Pays || v.Identity.Known() {
		t.Errorf("without CPU time: %s, identity %+v; want pays and an unknown identity", v.Word, v.Identity)
	}
}

// TestFewPairs: from three pairs a difference is judged that is large beside how far
// all pairs of the run lie apart, and from two on the interval is finite.
func TestFewPairs(t *testing.T) {
	for _, tt := range []struct {
		n       int
		variant string
		want    judge.Word
	}{{1, "shared", judge.CannotSay}, {2, "shared", judge.CannotSay}, {3, "shared", judge.Loses}, {6, "shared", judge.Loses}, {2, "good", judge.CannotSay}, {3, "good", judge.Pays}, {6, "good", judge.Pays}, {6, "same", judge.CannotSay}} {
		costs := maps.Clone(full)
		for _, name := range []string{"serial~", "good~", "shared~"} { // twins
			costs["S/variant="+name+"-2"] = costs["S/variant="+strings.TrimSuffix(name, "~")+"-2"]
		}
		v := find(t, judge.Judge(series(tt.n, costs), stats.DefaultRule, stats.DefaultBounds), measure.Variant, tt.variant, 2)
		if v.Word != tt.want || v.Word == judge.CannotSay && !strings.Contains(v.Why, "10 are needed") {
			t.Errorf("%d pairs of %s: %s (%s), want %s", tt.n, tt.variant, v.Word, v.Why, tt.want)
		}
		if infinite := math.IsInf(v.High, 1); infinite != (tt.n == 1) {
			t.Errorf("%d pairs of %s: [%v, %v]", tt.n, tt.variant, v.Low, v.High)
		}
	}
}

// TestSpoiled: where what was dropped would change the word, nothing is said.
func TestSpoiled(t *testing.T) {
	for _, tt := range []struct {
		slower float64 // the variant, in samples that others disturbed
		want   judge.Word
	}{{1.1, judge.Pays}, {2, judge.Pays}, {4, judge.CannotSay}} {
		s := series(12, full)
		for round := range int32(12) {
			for _, name := range []string{"serial", "good"} {
				c := measure.Cell{Bench: "BenchmarkS/variant=" + name, Procs: 2}
				x := s.Samples[c][round]
				x.Attempt = 1
				s.Samples[c][round] = x
				if x.Attempt, x.Others = 0, 0.3; name == "good" {
					x.Wall *= tt.slower
				}
				s.Spoil(c, x)
			}
		}
		v := find(t, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), measure.Variant, "good", 2)
		if v.Word != tt.want || v.Unclean == nil || tt.want == judge.CannotSay && !strings.Contains(v.Why, "dropped") {
			t.Errorf("disturbed samples %v times as slow: %s (%s), want %s", tt.slower, v.Word, v.Why, tt.want)
		}
		if v.Word == judge.Pays && (v.Low != min(v.Low, v.Unclean.Low) || v.High != max(v.High, v.Unclean.High)) {
			t.Errorf("disturbed samples %v times as slow: [%v, %v] does not hold [%v, %v] of all samples", tt.slower, v.Low, v.High, v.Unclean.Low, v.Unclean.High)
		}
		if v.Pairs != 12 || v.Unclean.Pairs != 24 {
			t.Errorf("%d pairs, %d in all; want 12 and 24", v.Pairs, v.Unclean.Pairs)
		}
	}
}

// TestLayoutDecides: a difference that comes and goes with the layout of the
// code is said to do so; one that every layout has is not.
func TestLayoutDecides(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 41))
	for _, tt := range []struct {
		sd      float64
		variant string
		want    bool
	}{{0.15, "same", true}, {0.003, "same", false}, {0.15, "shared", false}} {
		s := series(48, full)
		c := measure.Cell{Bench: "BenchmarkS/variant=" + tt.variant, Procs: 1}
		var move [24]float64
		for i := range move {
			move[i] = math.Exp(tt.sd * rng.NormFloat64())
		}
		for cell := range s.Samples {
			for i := range s.Samples[cell] {
				x := &s.Samples[cell][i]
				x.Layout = x.Round % 24
				if cell == c {
					x.Wall *= move[x.Layout]
				}
			}
		}
		v := find(t, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), measure.Variant, tt.variant, 1)
		if v.Layout == nil || v.ByLayout != tt.want || v.Estimate.Layouts != 24 {
			t.Errorf("%s, sd %v: layout %+v, decides %v, %d layouts; want %v", tt.variant, tt.sd, v.Layout, v.ByLayout, v.Estimate.Layouts, tt.want)
		}
		if low, high := v.LayoutRange(); !(low < v.Ratio && v.Ratio < high) {
			t.Errorf("%s: %.3f in eight of ten layouts from %.3f to %.3f", tt.variant, v.Ratio, low, high)
		}
	}
}

// TestUnsteadyMachine: when the same code differs from itself, smaller
// differences are not believed.
func TestUnsteadyMachine(t *testing.T) {
	costs := map[string]cost{}
	for k, v := range full {
		costs[k] = v
	}
	costs["S/variant=serial~-1"] = cost{120, 1} // the twin is 20 % slower
	r := judge.Judge(series(12, costs), stats.DefaultRule, stats.DefaultBounds)
	if r.Margin < 0.15 || !r.Unsteady || len(r.Warnings) > 0 {
		t.Errorf("margin %.3f, warnings %q; want about 0.2 and a word", r.Margin, r.Warnings)
	}
	if v := find(t, r, measure.Variant, "good", 1); v.Word == judge.Loses {
		t.Errorf("a 10%% difference is believed on a machine that shows 20%% for nothing")
	}
	if v := find(t, r, measure.Variant, "shared", 2); v.Word != judge.Loses {
		t.Errorf("a difference of 24 times: %s, want loses", v.Word)
	}
}

// TestNotGiven: what two threads cost each other cannot be seen while they
// take turns on one processor.
func TestNotGiven(t *testing.T) {
	turns := map[string]cost{}
	for k, c := range full {
		turns[k] = cost{c.wall, min(c.cores, 1)}
	}
	s := series(12, turns)
	s.Usable, s.Given = 2, map[int]float64{1: 0.97, 2: 1.06}
	r := judge.Judge(s, stats.DefaultRule, stats.DefaultBounds)
	if v := find(t, r, measure.Variant, "shared", 2); v.Word != judge.CannotSay || !strings.Contains(v.Why, "1.06 of 2 processors") {
		t.Errorf("at 2: %s (%s), want cannot say and what was given", v.Word, v.Why)
	}
	if v := find(t, r, measure.Variant, "shared", 1); v.Word != judge.Loses {
		t.Errorf("at 1: %s, want loses", v.Word)
	}
	// A benchmark that used them proves them given.
	s = series(12, full)
	s.Usable, s.Given = 2, map[int]float64{1: 0.97, 2: 1.06}
	if v := find(t, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), measure.Variant, "shared", 2); v.Word != judge.Loses {
		t.Errorf("at 2, which another benchmark used: %s, want loses", v.Word)
	}
	// More processors than there are: asked for so, measured so.
	s.Usable, s.Given = 1, map[int]float64{1: 0.97, 2: 0.98}
	if v := find(t, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), measure.Variant, "shared", 2); v.Word != judge.Loses {
		t.Errorf("2 on 1 processor: %s (%s), want loses", v.Word, v.Why)
	}
}

// TestNotUsed: what the code could not have used is not missing.
func TestNotUsed(t *testing.T) {
	for _, tt := range []struct {
		name           string
		serial, cores  float64 // that each side kept busy at 2
		ratio          float64
		given          float64
		word           judge.Word
		lowest, widest float64 // of the interval
	}{
		{"both sleep", 0.02, 0.04, 2, 1, judge.Pays, 1.9, 1.93},
		{"both sleep, and are alike", 0.02, 0.02, 1, 1, judge.Even, 0.95, 0.975},
		{"both sleep for half of the time, and little is gained", 0.45, 0.45, 1.1, 1, judge.CannotSay, 0, 0.9},
		{"one works", 0.04, 0.9, 2, 1, judge.CannotSay, 0, 2},
		{"the base works", 0.9, 0.04, 2, 1, judge.CannotSay, 0, 2},
		{"both sleep, and the machine gave both processors", 0.02, 0.04, 2, 1.6, judge.Pays, 1.95, 2},
		{"both compute, and the machine runs something else most of the time", 0.3, 0.3, 2, 1, judge.CannotSay, 0, 2},
		{"nobody knows what they used", math.NaN(), math.NaN(), 2, 1, judge.CannotSay, 0, 2},
	} {
		s := series(12, map[string]cost{
			"S/variant=serial-1": {100 * tt.ratio, tt.serial}, "S/variant=new-1": {100, tt.cores},
			"S/variant=serial-2": {100 * tt.ratio, tt.serial}, "S/variant=new-2": {100, tt.cores},
		})
		s.Usable, s.Given = 2, map[int]float64{1: 1, 2: tt.given}
		if strings.Contains(tt.name, "something else") {
			for _, samples := range s.Samples {
				for i := range samples {
					samples[i].Got = 0.3 // of what its threads wanted
				}
			}
		}
		v := find(t, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), measure.Variant, "new", 2)
		if v.Word != tt.word || v.Low < tt.lowest || v.Low > tt.widest {
			t.Errorf("%s: %.3f [%.3f, %.3f] is %s (%s); want %s, from %.3g to %.3g on", tt.name, v.Ratio, v.Low, v.High, v.Word, v.Why, tt.word, tt.lowest, tt.widest)
		}
	}
}

// TestManyComparisons: among many comparisons of equals the smallest p-value
// is no discovery.
func TestManyComparisons(t *testing.T) {
	costs := map[string]cost{"S/variant=serial-1": {100, 1}, "S/variant=odd-1": {100, 1}}
	for i := range 40 {
		costs[fmt.Sprintf("S/variant=v%02d-1", i)] = cost{100, 1}
	}
	s := series(10, costs)
	odd := measure.Cell{Bench: "BenchmarkS/variant=odd", Procs: 1}
	for i := range s.Samples[odd] {
		s.Samples[odd][i].Wall *= 0.92 + 0.06*math.Sin(2.4*float64(i)) // all of 10 pairs: p = 2/1024 by itself
	}
	v := find(t, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), measure.Variant, "odd", 1)
	if v.P > 0.025 || v.Word != judge.CannotSay || !strings.Contains(v.Why, "chance") {
		t.Errorf("p = %.3f, %s (%s); want significant by itself, but cannot say among 41", v.P, v.Word, v.Why)
	}
	one := judge.Compare(s, measure.Comparison{Kind: measure.Variant, Member: 1, New: odd, Base: measure.Cell{Bench: "BenchmarkS/variant=serial", Procs: 1}}, stats.DefaultRule, stats.DefaultBounds)
	if one.Word != judge.Pays {
		t.Errorf("asked on its own: %s, want pays", one.Word)
	}
}

func TestCrossover(t *testing.T) {
	costs := map[string]cost{}
	for _, n := range []float64{100, 1000, 10000, 100000} {
		// Overhead of 2000 plus half the work: pays from n = 4000.
		costs[fmt.Sprintf("S/variant=serial/n=%.0f-2", n)] = cost{n, 1}
		costs[fmt.Sprintf("S/variant=par/n=%.0f-2", n)] = cost{2000 + n/2, 2}
		costs[fmt.Sprintf("S/variant=never/n=%.0f-2", n)] = cost{2 * n, 2}
		costs[fmt.Sprintf("S/variant=always/n=%.0f-2", n)] = cost{n / 2, 2}
	}
	r := judge.Judge(series(12, costs), stats.DefaultRule, stats.DefaultBounds)
	if len(r.Crossovers) != 1 {
		t.Fatalf("crossovers = %+v, want that of par alone", r.Crossovers)
	}
	c := r.Crossovers[0]
	if c.Variant != "par" || c.Param != "n" || c.Below != 1000 || c.Above != 10000 || c.At < 3000 || c.At > 6000 || c.Low > c.At || c.High < c.At {
		t.Errorf("crossover = %+v, want about 4000 between 1000 and 10000", c)
	}
}

// Bare numbers in names are sizes, whether of functions or of sub-benchmarks.
func TestCrossoverOfBareNumbers(t *testing.T) {
	for _, names := range [][2]string{{"SumSerial/%d", "SumSplit/%d"}, {"Sum/serial/%d", "Sum/split/%d"}, {"Sum/%d/serial", "Sum/%d/split"}} {
		costs := map[string]cost{}
		for _, n := range []int{100, 10_000, 1_000_000} {
			serial, split := float64(n), float64(n)/2+1000
			for i, wall := range []float64{serial, split} {
				for _, procs := range []int{1, 2} {
					costs[fmt.Sprintf(names[i]+"-%d", n, procs)] = cost{wall, 1}
				}
			}
		}
		r := judge.Judge(series(12, costs), stats.DefaultRule, stats.DefaultBounds)
		var at []int
		for _, c := range r.Crossovers {
			if c.Param != "" || c.Below != 100 || c.Above != 10_000 || c.At < 100 || c.At > 10_000 {
				t.Errorf("%s: %+v, want a size without a key, between 100 and 10000", names[0], c)
			}
			at = append(at, c.Procs)
		}
		if len(at) != 2 {
			t.Errorf("%s: crossovers at %v processors, want one at 1 and one at 2", names[0], at)
		}
	}
}

// TestUnsteady: of a benchmark whose operations take several times as much processor time
// in some samples as in others nothing is said, of others all is.
func TestUnsteady(t *testing.T) {
	for _, tt := range []struct {
		by   float64
		want judge.Word
	}{{3.5, judge.Pays}, {6, judge.CannotSay}} {
		s := series(12, map[string]cost{
			"S/variant=serial-1": {100, 1}, "S/variant=serial-2": {100, 1},
			"S/variant=early-1": {50, 1}, "S/variant=early-2": {25, 2},
			"S/variant=good-1": {50, 1}, "S/variant=good-2": {25, 2},
		})
		at := measure.Cell{Bench: "BenchmarkS/variant=early", Procs: 1}
		for i := range s.Samples[at] {
			if i%3 == 0 {
				s.Samples[at][i].CPU *= tt.by
			}
		}
		r := judge.Judge(s, stats.DefaultRule, stats.DefaultBounds)
		v := find(t, r, measure.Variant, "early", 2)
		if v.Word != tt.want || tt.want == judge.CannotSay && !strings.Contains(v.Why, "not of the same work (BenchmarkS/variant=early-1, ") {
			t.Errorf("%v times: %v, %q", tt.by, v.Word, v.Why)
		}
		if v := find(t, r, measure.Variant, "good", 2); v.Word != judge.Pays {
			t.Errorf("%v times: another is %v, %q", tt.by, v.Word, v.Why)
		}
	}
}

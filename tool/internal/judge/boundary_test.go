package judge

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// The tables of this file have the cases at the boundary of every constant that
// decides a verdict: at it, just inside, just outside, and on either side of
// what is symmetric.

// put adds a sample for each wall time, in rounds 1, 2, …, each in a layout of its
// own; it uses one processor.
func put(s *measure.Series, c measure.Cell, walls ...float64) {
	for i, w := range walls {
		s.Add(c, measure.Sample{Round: int32(i + 1), Layout: int32(i), N: 10, Wall: w, CPU: w})
	}
}

// steadily is n wall times of about w, no two alike.
func steadily(w float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = w * (1 + 0.001*float64(i%7) + 0.0001*float64(i))
	}
	return out
}

// pair is a series of a base and a variant at one processor count.
func pair(procs int, base, variant []float64) *measure.Series {
	s := &measure.Series{Package: "p", Procs: []int{procs}, Families: discover.Families([]string{"BenchmarkX/variant=serial", "BenchmarkX/variant=b"}, discover.Hints{})}
	put(s, measure.Cell{Bench: "BenchmarkX/variant=serial", Procs: procs}, base...)
	put(s, measure.Cell{Bench: "BenchmarkX/variant=b", Procs: procs}, variant...)
	return s
}

func of(variant string, procs int) measure.Cell {
	return measure.Cell{Bench: "BenchmarkX/variant=" + variant, Procs: procs}
}

func twin(c measure.Cell) measure.Cell {
	c.Twin = true
	return c
}

// TestControlMargin: what the control shows is the margin from then on, whichever
// of its sides is further from even, and no less than the margin that was asked for.
func TestControlMargin(t *testing.T) {
	for _, tt := range []struct {
		name   string
		twins  []float64 // times as slow as their cells
		asked  float64
		far    string // the end of the interval that counts; "": the control is steady
		margin float64
	}{
		{"as fast", []float64{1.001, 0.999, 1.002, 0.998, 1, 1.001, 0.999, 1.0005, 1, 1}, 0.03, "", 0.03},
		{"slower", []float64{1.2, 1.21, 1.19, 1.22, 1.18, 1.2, 1.25, 1.15, 1.2, 1.2}, 0.03, "low", 0},
		{"faster", []float64{0.8, 0.81, 0.79, 0.82, 0.78, 0.8, 0.75, 0.85, 0.8, 0.8}, 0.03, "high", 0},
		{"less than what was asked for", []float64{1.2, 1.21, 1.19, 1.22, 1.18, 1.2, 1.25, 1.15, 1.2, 1.2}, 0.5, "", 0.5},
		{"a real difference within the margin", []float64{1.02, 1.021, 1.019, 1.022, 1.018, 1.02, 1.02, 1.02, 1.02, 1.02}, 0.03, "", 0.03},
	} {
		s := pair(1, steadily(100, 10), steadily(100, 10))
		walls := steadily(100, 10)
		for i, f := range tt.twins {
			walls[i] *= f
		}
		put(s, twin(of("serial", 1)), walls...)
		bounds := stats.Bounds{Margin: tt.asked, Precision: 0.02}
		r := Judge(s, stats.DefaultRule, bounds)
		want := tt.margin
		switch tt.far {
		case "low":
			want = 1/r.Control.Low - 1
		case "high":
			want = r.Control.High - 1
		}
		if math.Abs(r.Margin-want) > 1e-9 || r.Margin < tt.asked {
			t.Errorf("%s: margin %.4f, want %.4f; the control is %.3f [%.3f, %.3f]", tt.name, r.Margin, want, r.Control.Ratio, r.Control.Low, r.Control.High)
		}
		if band := (stats.Bounds{Margin: want, Precision: 0.02}).Band(); math.Abs(r.Even-band) > 1e-9 {
			t.Errorf("%s: even rules out %.4f, want %.4f", tt.name, r.Even, band)
		}
		if r.Unsteady != (tt.far != "") || len(r.Warnings) != 0 {
			t.Errorf("%s: unsteady: %t, warnings %q, want it unsteady: %t, and no warnings", tt.name, r.Unsteady, r.Warnings, tt.far != "")
		}
	}
}

// TestResult: what a Result says of the whole package, with the default for what
// was not asked.
func TestResult(t *testing.T) {
	s := pair(1, steadily(100, 12), steadily(100, 12))
	put(s, twin(of("b", 1)), 103, 98, 101, 99, 104, 100, 97, 102, 100, 101, 96, 100)
	r := Judge(s, stats.Rule{}, stats.DefaultBounds)
	logs := s.LogRatios(measure.Comparison{Kind: measure.Control})
	if r.Package != "p" || len(logs) != 12 || r.Control.Pairs != 12 {
		t.Errorf("package %q, control %+v of %d pairs, want p and 12", r.Package, r.Control, len(logs))
	}
	if want := stats.DefaultRule.Resolve(logs, 192); r.Resolution != want || want == 0 {
		t.Errorf("resolution %v, want %v: that of the last look", r.Resolution, want)
	}
	if same := Judge(s, stats.DefaultRule, stats.DefaultBounds); !reflect.DeepEqual(r.Verdicts, same.Verdicts) {
		t.Errorf("verdicts by the zero rule %+v\nby the default %+v", r.Verdicts, same.Verdicts)
	}
}

// TestSpoiledSide: the samples that others disturbed count, of whichever side
// they are.
func TestSpoiledSide(t *testing.T) {
	for _, tt := range []struct {
		side  string
		times float64 // as slow, where others disturbed it
		want  Word
	}{
		{"", 1, Pays},
		{"b", 1, Pays}, {"b", 8, CannotSay},
		{"serial", 1, Pays}, {"serial", 0.1, CannotSay},
	} {
		s := pair(2, steadily(200, 12), steadily(100, 12))
		for _, bench := range []string{"serial", "b"} {
			if tt.side == "" {
				break
			}
			c := of(bench, 2)
			for i := range s.Samples[c] {
				x := s.Samples[c][i]
				s.Samples[c][i].Attempt = 1
				x.Attempt = 0
				if bench == tt.side {
					x.Wall *= tt.times
					s.Spoil(c, x)
				} else { // the first attempt had its partner
					s.Samples[c] = append(s.Samples[c], x)
				}
			}
			slices.SortStableFunc(s.Samples[c], func(a, b measure.Sample) int {
				return int(2*(a.Round-b.Round) + a.Attempt - b.Attempt)
			})
		}
		check := func(how string, v Verdict) {
			t.Helper()
			if v.Word != tt.want || (v.Unclean != nil) != (tt.side != "") {
				t.Errorf("%s, %q disturbed, %v times as slow: %s (%s), unclean %v; want %s", how, tt.side, tt.times, v.Word, v.Why, v.Unclean, tt.want)
			}
			if tt.want == CannotSay {
				if words := fmt.Sprintf("it is %.3g [%.3g, %.3g], loses rather than pays", v.Unclean.Ratio, v.Unclean.Low, v.Unclean.High); !strings.Contains(v.Why, words) {
					t.Errorf("%s: %q, want %q", how, v.Why, words)
				}
			}
		}
		check("in its run", Judge(s, stats.DefaultRule, stats.DefaultBounds).Verdicts[0])
		check("by itself", Compare(s, measure.Comparisons(s.Families, s.Procs)[0], stats.DefaultRule, stats.DefaultBounds))
	}
}

// TestLastLook: what no look decided is read once more where it ends, with all of the
// error that is left; what one did keeps the interval of that look.
func TestLastLook(t *testing.T) {
	for _, tt := range []struct {
		name     string
		outliers int // of 12 pairs
		read     func(stats.Rule, stats.Pairs, stats.Bounds) stats.Estimate
		want     Word
	}{
		{"decided on the way", 0, stats.Rule.Surest, Pays},
		{"decided at the end", 3, stats.Rule.Last, Pays},
		{"not decided", 5, stats.Rule.Last, CannotSay},
	} {
		base := steadily(135, 12)
		for i := range tt.outliers {
			base[1+2*i] *= 0.6
		}
		s := pair(1, base, steadily(100, 12))
		c := measure.Comparisons(s.Families, s.Procs)[0]
		want := tt.read(stats.DefaultRule, s.Pairs(c), stats.DefaultBounds)
		for how, v := range map[string]Verdict{"in its run": Judge(s, stats.DefaultRule, stats.DefaultBounds).Verdicts[0], "by itself": Compare(s, c, stats.DefaultRule, stats.DefaultBounds)} {
			if v.Word != tt.want || v.Estimate != want || v.AdjustedP != v.P {
				t.Errorf("%s, %s: %s, %+v, corrected %v; want %s, %+v", tt.name, how, v.Word, v.Estimate, v.AdjustedP, tt.want, want)
			}
		}
	}
}

// TestCompareAlone: a comparison by itself has all that one in a run has, and no
// correction.
func TestCompareAlone(t *testing.T) {
	s := pair(2, steadily(200, 12), steadily(100, 12))
	c := measure.Comparisons(s.Families, s.Procs)[0]
	v := Compare(s, c, stats.DefaultRule, stats.DefaultBounds)
	if v.AdjustedP != v.P || v.P > 0.05 || v.Word != Pays || v.Identity.Cores.Value != 1 {
		t.Errorf("%+v, want pays with its own p-value and an identity", v)
	}
	s.Spoil(of("serial", 2), measure.Sample{Round: 1, Wall: 1e9})
	if v := Compare(s, c, stats.DefaultRule, stats.DefaultBounds); v.Unclean == nil {
		t.Error("one disturbed sample of the base is not counted")
	}
	// Two variants of which none is a base.
	s.Families[0].Base = -1
	c.Kind = measure.Variant
	if v := Compare(s, c, stats.DefaultRule, stats.DefaultBounds); v.Base != "b" || v.Word != Pays {
		t.Errorf("without a base: %s against %q, want its own name", v.Word, v.Base)
	}
}

// many is a series of a base and n variants at one processor, of which all but
// the first differ from it by nothing.
func many(n, rounds int) *measure.Series {
	names := []string{"BenchmarkX/variant=serial", "BenchmarkX/variant=b"}
	for i := 1; i < n; i++ {
		names = append(names, fmt.Sprintf("BenchmarkX/variant=v%02d", i))
	}
	s := &measure.Series{Package: "p", Procs: []int{1}, Families: discover.Families(names, discover.Hints{})}
	for k, name := range names {
		walls := steadily(100, rounds)
		for i := range walls {
			walls[i] *= 1 + 0.05*math.Sin(float64(i*k*k)) // even
		}
		put(s, measure.Cell{Bench: name, Procs: 1}, walls...)
	}
	for i := range s.Samples[of("b", 1)] {
		s.Samples[of("b", 1)][i].Wall = s.Samples[of("serial", 1)][i].Wall * (0.95 + 0.04*math.Sin(float64(i)))
	}
	return s
}

// TestManyCorrected: the correction counts what was measured.
func TestManyCorrected(t *testing.T) {
	verdict := func(s *measure.Series) Verdict { return Judge(s, stats.DefaultRule, stats.DefaultBounds).Verdicts[0] }
	if v := verdict(many(60, 8)); v.Word != CannotSay || v.P > 0.025 || v.AdjustedP < 0.025 {
		t.Errorf("one of 60, 8 pairs: %s, p %v, corrected %v; want cannot say", v.Word, v.P, v.AdjustedP)
	}
	unmeasured := many(60, 8)
	for c := range unmeasured.Samples {
		if c != of("b", 1) && c != of("serial", 1) {
			delete(unmeasured.Samples, c)
		}
	}
	if v := verdict(unmeasured); v.Word != Pays || v.AdjustedP != v.P {
		t.Errorf("59 others that were not measured: %s, p %v, corrected %v; want pays", v.Word, v.P, v.AdjustedP)
	}
}

// TestFewLayouts: what layouts that were not seen may do is part of the interval, and
// where it is most of it, that is why nothing can be said.
func TestFewLayouts(t *testing.T) {
	for _, tt := range []struct {
		layouts int32
		faster  float64
		word    Word
		why     string
	}{
		{1, 1.1, CannotSay, "after 12 pairs in 1 layout of the code: others may move it"},
		{2, 1.1, CannotSay, "in 2 layouts"},
		{12, 1.1, Pays, ""},
		{1, 1.6, Pays, ""},
		{1, 1, Even, ""}, // of those that were seen
	} {
		base, variant := steadily(100, 12), steadily(100/tt.faster, 12)
		slices.Reverse(variant)
		s := pair(1, base, variant)
		for c := range s.Samples {
			for k := range s.Samples[c] {
				s.Samples[c][k].Layout = int32(k) % tt.layouts
			}
		}
		v := Judge(s, stats.DefaultRule, stats.DefaultBounds).Verdicts[0]
		if v.Word != tt.word || !strings.Contains(v.Why, tt.why) || (tt.why == "") != (v.Why == "") {
			t.Errorf("%v times as fast in %d layouts: %s (%s), want %s (%s)", tt.faster, tt.layouts, v.Word, v.Why, tt.word, tt.why)
		}
	}
}

// TestMarginDecides: by Judge, of codes and of variants, at the margin and on both
// sides.
func TestMarginDecides(t *testing.T) {
	codes, _, _ := discover.Codes([]string{"BenchmarkX"}, []string{"BenchmarkX"})
	for ratio, want := range map[float64]Word{1.2: Pays, 1.031: Pays, 1.02: Even, 0.98: Even, 1 / 1.031: Loses, 0.8: Loses} {
		base, variant := steadily(100, 12), steadily(100/ratio, 12)
		for i := range base { // so that the interval is no point
			base[i] *= 1 + 0.0002*math.Sin(float64(i*i))
		}
		s := &measure.Series{Package: "p", Procs: []int{1}, Families: codes}
		put(s, measure.Cell{Bench: "BenchmarkX/code=old", Procs: 1}, base...)
		put(s, measure.Cell{Bench: "BenchmarkX/code=new", Procs: 1}, variant...)
		if v := Judge(s, stats.DefaultRule, stats.DefaultBounds).Verdicts[0]; v.Word != want {
			t.Errorf("codes, %.3f times as fast: %s %.3f (%s), want %s", ratio, v.Word, v.Ratio, v.Why, want)
		}
		if v := Judge(pair(1, base, variant), stats.DefaultRule, stats.DefaultBounds).Verdicts[0]; v.Word != want {
			t.Errorf("variants, %.3f times as fast: %s %.3f (%s), want %s", ratio, v.Word, v.Ratio, v.Why, want)
		}
	}
}

// TestByLayout: the layout decides where eight of ten lie further from the middle
// than the margin, and than half of the difference.
func TestByLayout(t *testing.T) {
	log := math.Log
	for _, tt := range []struct {
		p, sd, ratio, margin float64
		want                 bool
	}{
		{0.01, 0.1, 1, 0.03, true}, {0.0101, 0.1, 1, 0.03, false},
		// The margin: log 1.03 / 1.28.
		{0.001, log(1.03)/1.28 + 1e-9, 1, 0.03, true}, {0.001, log(1.03)/1.28 - 1e-9, 1, 0.03, false},
		{0.001, log(1.5)/1.28 + 1e-9, 1, 0.5, true}, {0.001, log(1.5)/1.28 - 1e-9, 1, 0.5, false},
		// Half the difference.
		{0.001, log(1.5)/2/1.28 + 1e-9, 1.5, 0.03, true}, {0.001, log(1.5)/2/1.28 - 1e-9, 1.5, 0.03, false},
		{0.001, log(1.5)/2/1.28 + 1e-9, 1 / 1.5, 0.03, true}, {0.001, log(1.5)/2/1.28 - 1e-9, 1 / 1.5, 0.03, false},
	} {
		v := Verdict{Estimate: stats.Estimate{Ratio: tt.ratio}, Layout: &stats.LayoutEffect{SD: tt.sd, P: tt.p}}
		if got := v.byLayout(tt.margin); got != tt.want {
			t.Errorf("byLayout(%v) of %v, p %v, sd %v = %t, want %t", tt.margin, tt.ratio, tt.p, tt.sd, got, tt.want)
		}
	}
	v := Verdict{Estimate: stats.Estimate{Ratio: 2}, Layout: &stats.LayoutEffect{SD: 0.1}}
	if low, high := v.LayoutRange(); math.Abs(low-2*math.Exp(-0.128)) > 1e-12 || math.Abs(high-2*math.Exp(0.128)) > 1e-12 {
		t.Errorf("LayoutRange = %v, %v, want 2 × e^∓0.128", low, high)
	}
	v.Layout = nil
	if v.byLayout(0.03) {
		t.Error("the layout decides where no layouts were seen")
	}
}

// TestSides: each field of a verdict is of the side that it names.
func TestSides(t *testing.T) {
	names := []string{"BenchmarkX/variant=serial/n=10", "BenchmarkX/variant=b/n=10"}
	s := &measure.Series{Package: "p", Procs: []int{1, 4}, Families: discover.Families(names, discover.Hints{})}
	for i, name := range names {
		for _, procs := range s.Procs {
			c := measure.Cell{Bench: name, Procs: procs}
			wall := 100 * float64(1+i) * float64(procs)
			put(s, c, wall, wall+1, wall+5)
			for k := range s.Samples[c] {
				s.Samples[c][k].Goroutines = float32(i)
				s.Samples[c][k].CPU = wall
			}
			s.Spoil(c, measure.Sample{Round: 1, Attempt: 2, Wall: 9e9})
		}
	}
	serial, b := func(n int) measure.Cell { return measure.Cell{Bench: names[0], Procs: n} }, func(n int) measure.Cell { return measure.Cell{Bench: names[1], Procs: n} }
	want := map[measure.Comparison]Verdict{
		{Kind: measure.Variant, Member: 1, New: b(1), Base: serial(1)}: {Variant: "b", Base: "serial", Wall: 201, BaseWall: 101, Goroutines: Several, BaseGoroutines: One},
		{Kind: measure.Variant, Member: 1, New: b(4), Base: serial(4)}: {Variant: "b", Base: "serial", Wall: 801, BaseWall: 401, Goroutines: Several, BaseGoroutines: One},
		{Kind: measure.Scaling, New: serial(4), Base: serial(1)}:       {Variant: "serial", Base: "serial", Wall: 401, BaseWall: 101, Goroutines: One, BaseGoroutines: One},
		{Kind: measure.Scaling, Member: 1, New: b(4), Base: b(1)}:      {Variant: "b", Base: "b", Wall: 801, BaseWall: 201, Goroutines: Several, BaseGoroutines: Several},
	}
	r := Judge(s, stats.DefaultRule, stats.DefaultBounds)
	if len(r.Verdicts) != len(want) {
		t.Fatalf("%d verdicts, want %d", len(r.Verdicts), len(want))
	}
	for _, v := range r.Verdicts {
		got := Verdict{Variant: v.Variant, Base: v.Base, Wall: v.Wall, BaseWall: v.BaseWall, Goroutines: v.Goroutines, BaseGoroutines: v.BaseGoroutines}
		if w := want[measure.Comparison{Kind: v.Kind, Member: map[string]int{"b": 1}[v.Variant], New: v.New, Base: v.BaseCell}]; !reflect.DeepEqual(got, w) {
			t.Errorf("%s of %v: %+v\nwant %+v", v.Kind, v.New, got, w)
		}
		if params := []discover.Param{{Key: "n", Value: 10}}; v.Package != "p" || v.Benchmark != "X/n=10" || v.Group != "X/n=" || !slices.Equal(v.Params, params) {
			t.Errorf("%s of %v: package %q, family %q of %q by %v, want X/n=10 of p, by %v", v.Kind, v.New, v.Package, v.Benchmark, v.Group, v.Params, params)
		}
		if v.Unclean == nil || v.Layout != nil {
			t.Errorf("%s of %v: unclean %v, layout %v, want what its disturbed samples say, and nothing of layouts", v.Kind, v.New, v.Unclean, v.Layout)
		}
	}
}

// TestWhy: what is missing, in words.
func TestWhy(t *testing.T) {
	for _, tt := range []struct {
		pairs        int
		p, low, high float64
		want         string
	}{
		{0, 1, 0.9, 1.1, "not measured"},
		{1, 1, 0.9, 1.1, "1 pair; 8 are needed"},
		{7, 0.01, 1.1, 1.2, "7 pairs; 8 are needed"},
		{8, 0.06, 1.1, 1.2, "one of many comparisons: could be chance"},
		{8, 0.06, 0.8, 0.9, "one of many comparisons: could be chance"},
		{8, 0.05, 1.1, 1.2, "there is a difference, but after 8 pairs it may be below the margin of 5 %"},
		{8, 0.05, 0.8, 0.9, "there is a difference, but after 8 pairs it may be below the margin of 5 %"},
		{8, 0.05, 1.01, 1.051, "there is a difference, but after 8 pairs it may be below the margin of 5 %"},
		{8, 0.05, 1.01, 1.05, "the difference is below the margin of 5 %, but after 8 pairs that is not sure enough for even: that interval is [0.9, 1.1]"},
		{8, 0.05, 0.96, 0.99, "the difference is below the margin of 5 %, but after 8 pairs that is not sure enough for even: that interval is [0.9, 1.1]"},
		{8, 0.05, 0.95, 0.99, "there is a difference, but after 8 pairs it may be below the margin of 5 %"},
		{8, 0.05, 1, 1.2, "the interval is too wide after 8 pairs"},
		{8, 0.06, 1, 1.2, "the interval is too wide after 8 pairs"},
		{8, 0.06, 0.8, 1, "the interval is too wide after 8 pairs"},
		{8, 0.06, 0.8, 1.2, "the interval is too wide after 8 pairs"},
	} {
		v := Verdict{AdjustedP: tt.p, Estimate: stats.Estimate{Pairs: tt.pairs, Low: tt.low, High: tt.high, EvenLow: 0.9, EvenHigh: 1.1}}
		rule := stats.Rule{Alpha: 0.05, Looks: []int{8, 12}}
		if got := why(v, rule, stats.Bounds{Margin: 0.05, Precision: 0.02}); got != tt.want {
			t.Errorf("%d pairs, p %v, [%v, %v]: %q, want %q", tt.pairs, tt.p, tt.low, tt.high, got, tt.want)
		}
	}
}

// TestFactors: the identity takes its factors from the right cells, and knows
// what it does not know.
func TestFactors(t *testing.T) {
	cpu := func(s *measure.Series, c measure.Cell, walls, cpus float64) {
		for i := range 8 {
			s.Add(c, measure.Sample{Round: int32(i), Wall: walls, CPU: cpus * (1 + 0.01*float64(i%3-1))})
			s.Spoil(c, measure.Sample{Round: int32(i), Attempt: 1, Wall: 1, CPU: 77})
		}
	}
	s := &measure.Series{}
	cpu(s, of("serial", 1), 100, 90)
	cpu(s, of("serial", 4), 100, 98)
	cpu(s, of("b", 1), 130, 117)
	cpu(s, of("b", 4), 50, 175)
	near := func(f Factor, want float64) bool {
		return math.Abs(f.Value-want) < 1e-3*want && f.Low < f.Value && f.Value < f.High
	}
	id := identity(s, measure.Comparison{Base: of("serial", 4), New: of("b", 4)})
	if !near(id.Cores, 3.5) || !near(id.BaseCores, 0.98) || !near(Factor{id.Inflation.Value, id.Inflation.Low - 1e-9, id.Inflation.High + 1e-9}, 175.0/117) || math.Abs(id.Overhead.Value-117.0/98) > 1e-3 || !id.Known() {
		t.Errorf("identity %+v, want cores 3.5 of 0.98, inflation 1.5, overhead 1.19", id)
	}
	// A benchmark against itself has no overhead, one at 1 no inflation: by
	// definition, not by measurement.
	exact := Factor{1, 1, 1}
	if id := identity(s, measure.Comparison{Base: of("b", 1), New: of("b", 4)}); id.Overhead != exact {
		t.Errorf("overhead of a benchmark against itself: %+v", id.Overhead)
	}
	if id := identity(s, measure.Comparison{Base: of("serial", 1), New: of("b", 1)}); id.Inflation != exact || id.Overhead == exact {
		t.Errorf("at 1: %+v, want no inflation, and an overhead", id)
	}
	// Six samples are the fewest that have a interval.
	for n, bounded := range map[int]bool{5: false, 6: true} {
		few := &measure.Series{Samples: map[measure.Cell][]measure.Sample{of("b", 4): s.Samples[of("b", 4)][:n]}}
		if id := identity(few, measure.Comparison{Base: of("serial", 4), New: of("b", 4)}); math.IsInf(id.Cores.High, 1) == bounded || (id.Cores.Low > 0) != bounded {
			t.Errorf("%d samples: cores %+v, bounded want %t", n, id.Cores, bounded)
		}
	}
	// What has no processor time, or none that can be told, is left out.
	odd := &measure.Series{}
	for i, c := range []float64{0, math.NaN(), math.Inf(1), 200, 200, 200} {
		odd.Add(of("b", 4), measure.Sample{Round: int32(i), Wall: 100, CPU: c})
	}
	if id := identity(odd, measure.Comparison{Base: of("serial", 4), New: of("b", 4)}); !(math.Abs(id.Cores.Value-2) < 1e-9) || id.Known() {
		t.Errorf("cores %+v, known %t; want 2, and an identity that is not known", id.Cores, id.Known())
	}
	nan := Factor{math.NaN(), math.NaN(), math.NaN()}
	for i, id := range []Identity{{nan, exact, exact, exact}, {exact, exact, nan, exact}, {exact, exact, exact, nan}} {
		if id.Known() {
			t.Errorf("identity %d of %+v is known", i, id)
		}
	}
	if !(Identity{exact, nan, exact, exact}).Known() {
		t.Error("the processors of the base alone are not known: want known")
	}
}

// TestAlone: one goroutine uses 1.3 processors at most, and one count at which it
// is seen is enough.
func TestAlone(t *testing.T) {
	for _, tt := range []struct {
		cores map[int]float64
		want  Goroutines
	}{
		{map[int]float64{1: 1, 2: 1, 4: 1.3}, One}, {map[int]float64{1: 1, 2: 1, 4: 1.31}, Several},
		{map[int]float64{1: 1, 2: 1.31, 4: 1}, Several}, {map[int]float64{2: 1}, One},
	} {
		s := &measure.Series{Procs: []int{1, 2, 4}}
		for procs, cores := range tt.cores {
			for i := range 3 {
				s.Add(of("b", procs), measure.Sample{Round: int32(i), Wall: 100, CPU: 100 * cores})
			}
		}
		if got := goroutines(s, of("b", 1).Bench); got != tt.want {
			t.Errorf("uses %v: %q, want %q", tt.cores, got, tt.want)
		}
	}
	known := &measure.Series{Procs: []int{1, 2}} // where starts are known at one count only
	known.Add(of("b", 1), measure.Sample{Wall: 100, CPU: 100})
	known.Add(of("b", 2), measure.Sample{Wall: 100, CPU: 100, Goroutines: float32(math.NaN())})
	if got := goroutines(known, of("b", 1).Bench); got != One {
		t.Errorf("starts known at one count: %q, want one", got)
	}
}

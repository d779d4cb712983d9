package measure

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/source"
)

func at(bench string, procs int) Cell { return Cell{Bench: bench, Procs: procs} }

func twinOf(c Cell) Cell {
	c.Twin = true
	return c
}

// three is a series of a family of a base and two variants, and of a benchmark
// that nothing is compared with, at three processor counts.
func three() *Series {
	names := []string{"BenchmarkX/variant=serial", "BenchmarkX/variant=b", "BenchmarkX/variant=c", "BenchmarkY"}
	return &Series{Package: "p", Procs: []int{1, 2, 8}, Families: discover.Families(names, discover.Hints{})}
}

func variant(v string, procs int) Cell { return at("BenchmarkX/variant="+v, procs) }

// TestComparisons: each variant against its base at each of three counts, then
// each benchmark against itself at 1; not where 1 is not measured, nor of codes.
func TestComparisons(t *testing.T) {
	s := three()
	var variants, scaling []Comparison
	for m, v := range []string{"serial", "b", "c"} {
		for _, p := range s.Procs {
			if m > 0 {
				variants = append(variants, Comparison{Variant, 0, m, variant(v, p), variant("serial", p)})
			}
			if p > 1 {
				scaling = append(scaling, Comparison{Scaling, 0, m, variant(v, p), variant(v, 1)})
			}
		}
	}
	for _, p := range []int{2, 8} {
		scaling = append(scaling, Comparison{Scaling, 1, 0, at("BenchmarkY", p), at("BenchmarkY", 1)})
	}
	if got, want := Comparisons(s.Families, s.Procs), slices.Concat(variants, scaling); !slices.Equal(got, want) {
		t.Errorf("comparisons\n%v\nwant\n%v", got, want)
	}
	if got := Comparisons(s.Families, []int{2, 8}); len(got) != 4 || slices.ContainsFunc(got, func(c Comparison) bool { return c.Kind != Variant }) {
		t.Errorf("without 1: %v, want variants alone", got)
	}
	codes, _, _ := discover.Codes([]string{"BenchmarkY"}, []string{"BenchmarkY"})
	if got := Comparisons(codes, s.Procs); len(got) != 3 || got[2] != (Comparison{Variant, 0, 1, at("BenchmarkY/code=new", 8), at("BenchmarkY/code=old", 8)}) {
		t.Errorf("of two codes: %v, want new against old at each count", got)
	}
	s.Families[0].Base = 2
	if got := Comparisons(s.Families, []int{8})[1]; got != (Comparison{Variant, 0, 1, variant("b", 8), variant("c", 8)}) {
		t.Errorf("where the last member is the base: %v", got)
	}
}

// TestDisturbedBy: a twentieth is what others may take of a sample that counts.
func TestDisturbedBy(t *testing.T) {
	nan := float32(math.NaN())
	for _, tt := range []struct {
		others, steal float32
		want          string
	}{
		{0, 0, ""}, {0.05, 0, ""}, {0.0501, 0, "other processes"}, {0, 0.05, ""}, {0, 0.0501, "steal"}, {0.9, 0.9, "steal"}, {nan, 0, ""}, {nan, 0.06, "steal"}, {0.05, 0.05, ""},
	} {
		if got := (Sample{Others: tt.others, Steal: tt.steal, Got: 0.1}).Disturbed(); got != tt.want {
			t.Errorf("others %v, steal %v: %q, want %q", tt.others, tt.steal, got, tt.want)
		}
	}
}

// TestPairsOf: of each round the first attempt that both sides have; of all
// samples each attempt once.
func TestPairsOf(t *testing.T) {
	s := &Series{}
	base, b := at("a", 4), at("b", 4)
	for _, x := range []struct {
		c              Cell
		round, attempt int32
		layout         int32
		wall           float64
		spoiled        bool
	}{
		{base, 1, 0, 2, 100, true}, {b, 1, 0, 2, 10, false}, {base, 1, 1, 2, 100, false}, {b, 1, 1, 2, 50, false}, {base, 1, 2, 2, 100, false}, {b, 1, 2, 2, 25, false},
		{base, 2, 0, 3, 100, false}, {b, 2, 0, 3, 20, true}, {b, 2, 1, 3, 40, false}, // its partner was not taken again
		{base, 3, 0, 4, 0, false}, {b, 3, 0, 4, 7, false}, // no logarithm
		{base, 4, 0, 5, 100, false}, {b, 4, 0, 6, 200, false},
		{b, 6, 0, 0, 1, false}, {base, 7, 0, 0, 1, false},
	} {
		add := s.Add
		if x.spoiled {
			add = s.Spoil
		}
		add(x.c, Sample{Round: x.round, Attempt: x.attempt, Layout: x.layout, Wall: x.wall, CPU: 2 * x.wall * float64(x.round)})
	}
	c := Comparison{Base: base, New: b}
	for _, tt := range []struct {
		name           string
		logs           []float64
		rounds, layout []int32
		got            func() ([]float64, []int32, []int32)
	}{
		{"kept", []float64{2, 0.5}, []int32{1, 4}, []int32{2, 5 + 7<<16}, func() ([]float64, []int32, []int32) { p := s.Pairs(c); return p.Logs, p.Rounds, p.Layouts }},
		{"all", []float64{10, 2, 4, 5, 0.5}, []int32{1, 1, 1, 2, 4}, []int32{2, 2, 2, 3, 5 + 7<<16}, func() ([]float64, []int32, []int32) { p := s.AllPairs(c); return p.Logs, p.Rounds, p.Layouts }},
	} {
		logs, rounds, layouts := tt.got()
		for i := range logs {
			logs[i] = math.Round(1000*math.Exp(logs[i])) / 1000
		}
		if !slices.Equal(logs, tt.logs) || !slices.Equal(rounds, tt.rounds) || !slices.Equal(layouts, tt.layout) {
			t.Errorf("%s: ratios %v in rounds %v and layouts %v, want %v, %v, %v", tt.name, logs, rounds, layouts, tt.logs, tt.rounds, tt.layout)
		}
	}
	turned := s.LogRatios(Comparison{Base: b, New: base})
	if len(turned) != 2 || math.Abs(math.Exp(turned[0])-0.5) > 1e-9 {
		t.Errorf("turned round: %v, want log 1/2 first", turned)
	}
	// An older record has no attempts: the sample that was dropped comes first.
	old := &Series{}
	for round := range int32(3) {
		old.Spoil(base, Sample{Round: round, Wall: 300})
		old.Add(base, Sample{Round: round, Wall: 100})
		old.Add(b, Sample{Round: round, Wall: 100})
	}
	if logs := old.AllPairs(c).Logs; len(logs) != 3 || math.Abs(math.Exp(logs[0])-3) > 1e-9 {
		t.Errorf("of an older record: %v, want three of log 3", logs)
	}
}

// TestControlPairs: the control of early looks comes from twins and from a cell in
// neighbouring rounds, of the processor counts that are compared, its own family
// first, and there is enough of it.
func TestControlPairs(t *testing.T) {
	s := three()
	add := func(c Cell, wall float64, rounds ...int32) {
		for _, r := range rounds {
			s.Add(c, Sample{Round: r, Wall: wall * float64(r)})
		}
	}
	add(variant("b", 8), 1, 1, 2, 3, 4, 5) // 1-2 and 3-4; 5 has no partner
	add(variant("b", 2), 1, 1, 7)
	add(at("BenchmarkY", 8), 1, 1, 9)
	add(twinOf(variant("b", 8)), 2, 3)
	ratios := func(c Comparison) ([]float64, []int32) {
		p := s.Pairs(c)
		var out []float64
		for _, l := range p.Control {
			out = append(out, math.Round(1000*math.Exp(l))/1000)
		}
		return out, p.ControlRounds
	}
	for _, tt := range []struct {
		name   string
		c      Comparison
		want   []float64
		rounds []int32
	}{
		{"at 8", Comparison{Variant, 0, 1, variant("b", 8), variant("serial", 8)}, []float64{2, 1.333, 0.5, 9}, []int32{2, 4, 3, 9}},
		{"at 8 against 2", Comparison{Scaling, 0, 1, variant("b", 8), variant("b", 2)}, []float64{2, 1.333, 0.5, 7, 9}, []int32{2, 4, 3, 7, 9}},
		{"of the other family", Comparison{Scaling, 1, 0, at("BenchmarkY", 8), at("BenchmarkY", 1)}, []float64{9, 2, 1.333, 0.5}, []int32{9, 2, 4, 3}},
		{"at 1", Comparison{Variant, 0, 1, variant("b", 1), variant("serial", 1)}, nil, nil},
		{"of the control itself", Comparison{Kind: Control}, nil, nil},
	} {
		got, rounds := ratios(tt.c)
		if !slices.Equal(got, tt.want) || !slices.Equal(rounds, tt.rounds) {
			t.Errorf("%s: control %v of rounds %v, want %v, %v", tt.name, got, rounds, tt.want, tt.rounds)
		}
	}
	// Ten samples of a cell serve, and 64 pairs are enough.
	for c := range s.Samples {
		delete(s.Samples, c)
	}
	for round := range int32(40) {
		s.Add(variant("b", 8), Sample{Round: round, Wall: 1})
	}
	if got, _ := ratios(Comparison{Variant, 0, 1, variant("b", 8), variant("serial", 8)}); len(got) != 5 {
		t.Errorf("%d control pairs of 40 samples of one cell, want 5", len(got))
	}
	for _, n := range []int{63, 64} {
		s := &Series{Procs: []int{1}}
		for f := range 2 {
			family := discover.Family{Base: -1}
			for range map[int]int{0: n / 5, 1: 1}[f] + (n % 5) {
				name := "Benchmark" + string(rune('A'+f)) + string(rune('a'+len(family.Members)))
				family.Members = append(family.Members, discover.Member{Bench: name})
			}
			s.Families = append(s.Families, family)
		}
		pairs := 0
		for _, m := range s.Families[0].Members {
			for round := range int32(10) {
				if pairs < n {
					s.Add(at(m.Bench, 1), Sample{Round: round, Wall: 1})
					if round%2 == 1 {
						pairs++
					}
				}
			}
		}
		s.Add(at(s.Families[1].Members[0].Bench, 1), Sample{Round: 1, Wall: 1})
		s.Add(at(s.Families[1].Members[0].Bench, 1), Sample{Round: 2, Wall: 5})
		p := s.Pairs(Comparison{Kind: Variant, New: at("BenchmarkAa", 1), Base: at("BenchmarkAb", 1)})
		if other := slices.ContainsFunc(p.Control, func(l float64) bool { return l > 1 }); pairs != n || other != (n < controlPairs) {
			t.Errorf("%d control pairs of the family, %d in all: another family's are asked for %t, want %t", pairs, len(p.Control), other, n < controlPairs)
		}
	}
	// Two attempts of one round are no two rounds.
	again := three()
	again.Add(variant("b", 1), Sample{Round: 1, Wall: 1})
	again.Add(variant("b", 1), Sample{Round: 1, Attempt: 1, Wall: 2})
	if p := again.Pairs(Comparison{Variant, 0, 1, variant("b", 1), variant("serial", 1)}); len(p.Control) > 0 {
		t.Errorf("of one round: control %v, want none", p.Control)
	}
	// The A/A control: each cell with its twin, at every count.
	twins := three()
	for i, n := range twins.Procs {
		twins.Add(variant("b", n), Sample{Round: 3, Layout: 1, Wall: 100})
		twins.Add(twinOf(variant("b", n)), Sample{Round: 3, Layout: 2, Wall: 100 / float64(i+2)})
	}
	p := twins.Pairs(Comparison{Kind: Control})
	if len(p.Logs) != 3 || p.Layouts != nil || p.Rounds != nil || !slices.IsSorted(p.Logs) || math.Abs(math.Exp(p.Logs[2])-4) > 1e-9 {
		t.Errorf("A/A control %+v, want log 2, 3, 4 of the twins", p)
	}
}

// TestPatienceTable: a share of the budget, a minute at most, but four times as
// long as usual, and a second at least.
func TestPatienceTable(t *testing.T) {
	for _, tt := range []struct{ share, usual, want time.Duration }{
		{0, 0, time.Second}, {999 * time.Millisecond, 0, time.Second}, {2 * time.Second, 0, 2 * time.Second}, {61 * time.Second, 0, time.Minute},
		{2 * time.Second, 400 * time.Millisecond, 2 * time.Second}, {2 * time.Second, 600 * time.Millisecond, 2400 * time.Millisecond}, {time.Hour, 20 * time.Second, 80 * time.Second},
	} {
		if got := Patience(tt.share, tt.usual); got != tt.want {
			t.Errorf("Patience(%v, %v) = %v, want %v", tt.share, tt.usual, got, tt.want)
		}
	}
}

// TestSessionsSides: what two runs measured goes to the side that it is of; of
// what limits a verdict the less counts, whichever has it.
func TestSessionsSides(t *testing.T) {
	side := func(usable, cores, cache int, given map[int]float64, dropped, budget int, wall float64) *Series {
		s := &Series{Package: "m", Procs: []int{1, 2, 8}, Usable: usable, Cores: cores, Cache: cache, Given: given, Dropped: map[string]int{"steal": dropped}, Budget: time.Duration(budget),
			Families: []discover.Family{{Name: "A", Base: -1, Members: []discover.Member{{Bench: "BenchmarkA"}}}}, Places: map[string]source.Place{}}
		s.Add(at("BenchmarkA", 8), Sample{Round: 1, Wall: wall})
		s.Spoil(at("BenchmarkA", 8), Sample{Round: 1, Attempt: 1, Wall: 3 * wall})
		return s
	}
	a, b := side(4, 2, 10, map[int]float64{1: 1, 2: 1.5, 8: 4}, 1, 7, 100), side(8, 3, 20, map[int]float64{2: 1.8, 8: 3}, 2, 9, 50)
	for name, tt := range map[string]struct {
		old, new *Series
		sign     float64
	}{"a, then b": {a, b, 1}, "b, then a": {b, a, -1}} {
		s := Sessions(tt.old, tt.new)
		if s.Usable != 4 || s.Budget != 7 || s.Dropped["steal"] != 3 || s.Given[1] != 1 || s.Given[2] != 1.5 || s.Given[8] != 3 || s.End != Regrouped || s.Package != "m" || s.Cores != tt.new.Cores || s.Cache != tt.new.Cache {
			t.Errorf("%s: usable %d, budget %d, dropped %v, given %v, cores %d, cache %d", name, s.Usable, s.Budget, s.Dropped, s.Given, s.Cores, s.Cache)
		}
		c := Comparisons(s.Families, []int{8})[0]
		if logs := s.LogRatios(c); len(logs) != 1 || math.Abs(logs[0]-tt.sign*math.Ln2) > 1e-9 {
			t.Errorf("%s: log ratios %v, want %v log 2", name, logs, tt.sign)
		}
		if len(s.Spoiled[c.New]) != 1 || len(s.Spoiled[c.Base]) != 1 || s.Spoiled[c.New][0].Wall != 3*s.Samples[c.New][0].Wall {
			t.Errorf("%s: disturbed samples %v", name, s.Spoiled)
		}
	}
}

// TestRegroupEnds: other pairs are read from a run that ended by itself as from
// one of which they were asked.
func TestRegroupEnds(t *testing.T) {
	for end, want := range map[End]End{Decided: Regrouped, Exhausted: Regrouped, Budget: Regrouped, Interrupted: Interrupted, Failed: Failed} {
		s := three()
		s.End, s.Needs = end, time.Minute
		s.Problems = []problem.Problem{{Package: "p", Pairs: true, Reason: "of the pairs before"}, {Package: "p", Reason: "of a benchmark"}}
		r := Regroup(s, discover.Hints{})
		if r.End != want || r.Needs != 0 || s.Needs == 0 || s.End != end {
			t.Errorf("%s: end %s, needs %v, want %s and nothing; the series has %s", end, r.End, r.Needs, want, s.End)
		}
		var told []string
		for _, p := range r.Problems {
			told = append(told, p.Reason)
		}
		if len(told) != 2 || told[0] != "of a benchmark" || len(s.Problems) != 2 {
			t.Errorf("%s: problems %q, want that of a benchmark and that there are no samples", end, told)
		}
	}
	s := three()
	for _, v := range []string{"serial", "b"} {
		s.Add(variant(v, 8), Sample{Round: 1, Wall: 1})
	}
	if r := Regroup(s, discover.Hints{}); len(r.Problems) != 0 {
		t.Errorf("with samples of one pair: %v, want no problem", r.Problems)
	}
	for _, tt := range []struct {
		procs []int
		want  string
	}{{[]int{1, 2}, ""}, {[]int{8}, "1 benchmark without a base is not measured: at one processor count nothing is compared with them"}} {
		p, ok := Unpaired("p", s.Families, tt.procs)
		if ok != (tt.want != "") || p.Reason != tt.want {
			t.Errorf("at %v: %q, %t, want %q", tt.procs, p.Reason, ok, tt.want)
		}
	}
	two := append(slices.Clone(s.Families), s.Families[1])
	if p, _ := Unpaired("p", two, []int{8}); p.Reason != "2 benchmarks without a base are not measured: at one processor count nothing is compared with them" || !p.Note || !p.Pairs {
		t.Errorf("two: %+v", p)
	}
	if _, ok := Unpaired("p", s.Families[:1], []int{8}); ok {
		t.Error("with a base: something is left out")
	}
}

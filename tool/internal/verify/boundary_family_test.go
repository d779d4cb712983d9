package verify

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// family is a record with a family of a base and three variants, and a benchmark
// beside it.
func family(others ...string) *Record {
	names := []string{"BenchmarkX/variant=serial", "BenchmarkX/variant=a", "BenchmarkX/variant=b", "BenchmarkX/variant=c", hot}
	return &Record{Procs: []int{1, 2, 4}, Bounds: stats.DefaultBounds, Families: discover.Families(names, discover.Hints{}), Others: others}
}

func variant(name string, procs int) measure.Cell { return at("BenchmarkX/variant="+name, procs) }

// TestAsks: what a cell with a change is compared with.
func TestAsks(t *testing.T) {
	r := family(variant("a", 1).Bench, variant("c", 1).Bench)
	for _, tt := range []struct {
		name  string
		cells []measure.Cell
		of    measure.Cell
		want  []side
	}{
		{"a variant", []measure.Cell{variant("b", 4)}, variant("b", 4),
			[]side{{"", variant("serial", 4)}, {"t", variant("serial", 4)}, {"", variant("a", 4)}, {"", variant("c", 4)}}},
		{"a variant that is among the others", []measure.Cell{variant("a", 4)}, variant("a", 4),
			[]side{{"", variant("serial", 4)}, {"t", variant("serial", 4)}, {"", variant("c", 4)}}},
		{"the base", []measure.Cell{variant("serial", 4)}, variant("serial", 4), nil},
		{"without a base, on one as well", []measure.Cell{at(hot, 1), at(hot, 2), at(hot, 4)}, at(hot, 4), []side{{"t", at(hot, 1)}}},
		{"without a base, at one", []measure.Cell{at(hot, 1), at(hot, 2), at(hot, 4)}, at(hot, 1), nil},
		{"without a base, nothing on one", []measure.Cell{at(hot, 2), at(hot, 4)}, at(hot, 4), nil},
		{"of no family", []measure.Cell{at(still, 1), at(still, 2)}, at(still, 2), []side{{"t", at(still, 1)}}},
	} {
		if got := r.asks(&Trial{Candidate: Candidate{Edit: edit.Edit{ID: "t"}, Cells: tt.cells}}, tt.of); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if r.base(-1) != "" || r.base(1) != "" || r.base(0) != variant("serial", 1).Bench || r.family("BenchmarkNone") != -1 || r.family(hot) != 1 {
		t.Errorf("bases %q, %q, %q; families %d, %d", r.base(-1), r.base(0), r.base(1), r.family("BenchmarkNone"), r.family(hot))
	}
}

// TestFastestOthers: of the variants the three fastest, at whichever of several
// processor counts, but those that every candidate is to speed up, and of families
// that have a base and a candidate.
func TestFastestOthers(t *testing.T) {
	names := []string{"serial", "v1", "v2", "v3", "v4", "v5"}
	var benches []string
	for _, n := range names {
		benches = append(benches, variant(n, 1).Bench)
	}
	benches = append(benches, "BenchmarkY/variant=serial", "BenchmarkY/variant=z", hot)
	s := &measure.Series{Procs: []int{1, 2, 4}, Families: discover.Families(benches, discover.Hints{})}
	for i, b := range benches {
		for _, procs := range s.Procs {
			wall := 1000 - 100*float64(i) // v5 is the fastest at 1 and 2
			if i == 1 && procs == 4 {
				wall = 10 // v1 at 4 is faster than all
			}
			for round := range int32(3) { // the median counts
				s.Add(at(b, procs), measure.Sample{Round: round, Wall: wall + 1000*float64(round-1)*float64(i%2)})
			}
		}
	}
	candidate := func(id string, cells ...measure.Cell) Candidate {
		return Candidate{Edit: edit.Edit{ID: id}, Cells: cells}
	}
	short := func(all []string) (out []string) {
		for _, b := range all {
			out = append(out, b[strings.LastIndex(b, "=")+1:])
		}
		return out
	}
	for _, tt := range []struct {
		candidates []Candidate
		want       []string
	}{
		{[]Candidate{candidate("a", variant("v5", 2))}, []string{"v1", "v4", "v3"}},
		{[]Candidate{candidate("a", variant("v5", 2)), candidate("b", variant("v4", 1), variant("v4", 4))}, []string{"v1", "v5", "v4"}},
		{[]Candidate{candidate("a", variant("v5", 2), variant("v1", 2)), candidate("b", variant("v5", 1))}, []string{"v1", "v4", "v3"}},
		{[]Candidate{candidate("a", at(hot, 2))}, nil},
		{[]Candidate{candidate("a", variant("serial", 2))}, []string{"v1", "v5", "v4"}},
	} {
		if got := short(others(s, tt.candidates)); !slices.Equal(got, tt.want) {
			t.Errorf("%v: others %q, want %q", tt.candidates, got, tt.want)
		}
	}
}

// TestAnswers: what was proven against base and variants, at each of three
// processor counts, and of the two serial times the better one.
func TestAnswers(t *testing.T) {
	var cells []measure.Cell
	for _, n := range []int{1, 2, 4} {
		cells = append(cells, variant("b", n))
	}
	for _, tt := range []struct {
		name    string
		changed float64 // the base with the change; without it takes 100
		base    float64
		isBase  bool // the changed one is the better serial time
		words   []judge.Word
	}{
		{"the change leaves the base as it is", 100, 100, false, []judge.Word{judge.Loses, judge.Even, judge.Pays}},
		{"faster by less than counts", 97.5, 100, false, []judge.Word{judge.Loses, judge.Even, judge.Pays}},
		{"faster", 60, 60, true, []judge.Word{judge.Loses, judge.Loses, judge.Pays}},
		{"slower", 300, 100, false, []judge.Word{judge.Loses, judge.Even, judge.Pays}},
	} {
		r := family(variant("a", 1).Bench)
		r.Candidates = []Trial{{Candidate: Candidate{Edit: edit.Edit{ID: "t"}, Claim: "t", Cells: cells}, Pairs: 12}, {Candidate: Candidate{Edit: edit.Edit{ID: "out"}, Cells: cells}, Stage: Halved, Out: "x"}}
		for i, c := range cells {
			r.put(Confirming, side{"", c}, 1000, 12)
			r.put(Confirming, side{"t", c}, []float64{200, 100, 50}[i], 12)
			r.put(Confirming, side{"", variant("serial", c.Procs)}, 100, 12)
			r.put(Confirming, side{"t", variant("serial", c.Procs)}, tt.changed, 12)
			r.put(Confirming, side{"", variant("a", c.Procs)}, 30, 12)
		}
		proofs := Judge(r)
		p := proofs[0]
		if len(p.After) != 3 || len(p.Others) != 3 || len(proofs[1].After)+len(proofs[1].Others) != 0 {
			t.Fatalf("%s: %d answers and %d of others, want 3 and 3", tt.name, len(p.After), len(p.Others))
		}
		for i, a := range p.After {
			c := cells[i]
			wall := []float64{200, 100, 50}[i]
			if a.Cell != c || a.Base != variant("serial", c.Procs) || a.Changed != tt.isBase || a.Word != tt.words[i] || math.Abs(a.Ratio/(tt.base/wall)-1) > 0.005 || math.Abs(a.BaseWall-tt.base) > 0.2 || math.Abs(a.Wall-wall) > 0.2 {
				t.Errorf("%s: %+v, want %s against %v, changed %t", tt.name, a, tt.words[i], tt.base, tt.isBase)
			}
			o := p.Others[i]
			if o.Cell != c || o.Base != variant("a", c.Procs) || o.Changed || o.Word != judge.Loses || math.Abs(o.BaseWall-30) > 0.1 || math.Abs(o.Wall-wall) > 0.2 {
				t.Errorf("%s: others %+v, want that it loses against a", tt.name, o)
			}
			if a.AdjustedP < a.P || o.AdjustedP < o.P {
				t.Errorf("%s: p-values %v and %v, corrected %v and %v", tt.name, a.P, o.P, a.AdjustedP, o.AdjustedP)
			}
		}
	}
	// One answer of several whose p-value the correction decides: 8 pairs, 2/256.
	r := family()
	r.Candidates = []Trial{{Candidate: Candidate{Edit: edit.Edit{ID: "t"}, Cells: cells}, Pairs: 8}}
	for i, c := range cells {
		r.put(Confirming, side{"", c}, 1000, 8)
		r.put(Confirming, side{"t", c}, []float64{50, 100, 100}[i], 8)
		r.put(Confirming, side{"", variant("serial", c.Procs)}, 100, 8)
	}
	p := Judge(r)[0]
	if p.After[0].AdjustedP <= p.After[0].P || math.Abs(p.After[0].AdjustedP-3*2.0/256) > 1e-9 || p.After[0].Word != judge.Pays {
		t.Errorf("one of three answers: %+v, want its p-value three times 2/256", p.After[0])
	}
}

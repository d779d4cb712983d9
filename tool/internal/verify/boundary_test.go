package verify

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// The tables of this file judge records that are made by hand: each decision at
// its boundary and on both its sides, without a run.

const hot, still = "BenchmarkHot", "BenchmarkStill"

func at(bench string, procs int) measure.Cell { return measure.Cell{Bench: bench, Procs: procs} }

func twinOf(c measure.Cell) measure.Cell {
	c.Twin = true
	return c
}

// made is a record of candidates of one claim each, proven at the cells.
func made(cells []measure.Cell, ids ...string) *Record {
	r := &Record{Package: "p", Procs: []int{1, 2, 4}, Bounds: stats.DefaultBounds, Controls: []string{still}, End: measure.Decided}
	for _, id := range ids {
		r.Candidates = append(r.Candidates, Trial{Candidate: Candidate{Edit: edit.Edit{ID: id}, Claim: id, Cells: cells}, Pairs: 12})
	}
	return r
}

// put adds n rounds of a side, each in a layout of its own, in which it takes the
// time, give or take a tenth of a percent that is another for each side.
func (r *Record) put(phase Phase, s side, wall float64, n int) {
	other := 0
	for _, c := range []byte(s.arm) {
		other += int(c)
	}
	for i := range n {
		k := i + other
		w := wall * (1 + 0.0007*float64(k%2) - 0.0003*float64(k%3) + 0.00001*float64(i))
		r.Samples = append(r.Samples, Sample{Phase: phase, Arm: s.arm, Bench: s.cell.Bench, Procs: s.cell.Procs, Twin: s.cell.Twin, Round: int32(i), Layout: int32(i), N: 1, Wall: w})
	}
}

// TestSameCode: what the same code shows, as a twin or where a change touches
// nothing, is no gain of a change, in whichever direction and on whichever of the
// two it shows.
func TestSameCode(t *testing.T) {
	for _, tt := range []struct {
		name      string
		twin, far float64 // times as long as the untouched code takes
		gain      float64
		want      Word
		drift     float64 // about
	}{
		{"nothing drifts", 1, 1, 1.15, Kept, 0},
		{"the twin is slower", 1.25, 1, 1.15, CannotSay, 0.25},
		{"the twin is faster", 1 / 1.25, 1, 1.15, CannotSay, 0.25},
		{"the control is slower", 1, 1.25, 1.15, CannotSay, 0.25},
		{"the control is faster", 1, 1 / 1.25, 1.15, CannotSay, 0.25},
		{"the twin drifts less than the gain", 1.12, 1, 1.15, Kept, 0.12},
		{"the control drifts less than the gain", 1, 1 / 1.12, 1.15, Kept, 0.12},
		{"the twin drifts less, the control more", 1.12, 1.25, 1.15, CannotSay, 0.25},
		{"the twin drifts more, the control less", 1.25, 1.12, 1.15, CannotSay, 0.25},
		{"the twin drifts, and it is slower by less", 1.25, 1, 1 / 1.15, NoGain, 0.25},
		{"nothing drifts, and it is slower", 1, 1, 1 / 1.15, Slower, 0},
	} {
		c := at(hot, 2)
		r := made([]measure.Cell{c}, "a")
		r.put(Confirming, side{"", c}, 100, 12)
		r.put(Confirming, side{"a", c}, 100/tt.gain, 12)
		r.put(Confirming, side{"", twinOf(c)}, 100*tt.twin, 12)
		r.put(Confirming, side{"", at(still, 4)}, 100, 12)
		r.put(Confirming, side{"a", at(still, 4)}, 100*tt.far, 12)
		p := Judge(r)[0]
		word := p.Word
		if word == NoGain && tt.want == CannotSay && tt.gain > 1 { // at the margin either is right
			word = CannotSay
		}
		if word != tt.want || math.Abs(p.Drift-tt.drift) > 0.003 {
			t.Errorf("%s: %s (%s), drift %.3f, want %s, %.3f", tt.name, p.Word, p.Why, p.Drift, tt.want, tt.drift)
		}
		if math.Abs(p.Twins.Ratio*tt.twin-1) > 0.003 || math.Abs(p.Control.Ratio*tt.far-1) > 0.003 || p.Twins.Pairs != 12 || p.Control.Pairs != 12 {
			t.Errorf("%s: twins %.3f of %d pairs, control %.3f of %d, want 1/%v and 1/%v of 12", tt.name, p.Twins.Ratio, p.Twins.Pairs, p.Control.Ratio, p.Control.Pairs, tt.twin, tt.far)
		}
	}
}

// TestDriftOf: an estimate of the same code counts as far as it lies from 1, and
// where it surely differs as far as its interval reaches.
func TestDriftOf(t *testing.T) {
	r := &Record{Bounds: stats.DefaultBounds}
	for _, tt := range []struct {
		pairs            int
		ratio, low, high float64
		p                float64
		want             float64
	}{
		{0, 2, 1.9, 2.1, 0.001, 0},
		{12, 1.1, 0.95, 1.3, 0.3, 0.1}, {12, 1 / 1.1, 0.8, 1.05, 0.3, 0.1},
		{12, 1.1, 1.05, 1.3, 0.01, 0.3}, {12, 0.9, 0.8, 0.95, 0.01, 0.25},
		{12, 1.1, 1.05, 1.3, 0.06, 0.1},   // not sure
		{12, 1.02, 1.01, 1.3, 0.01, 0.02}, // less than what counts
		{12, 1, 0.99, 1.01, 1, 0},
	} {
		e := stats.Estimate{Pairs: tt.pairs, Ratio: tt.ratio, Low: tt.low, High: tt.high, P: tt.p, EvenLow: tt.low, EvenHigh: tt.high}
		if got := r.drift(e); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("drift of %v [%v, %v], p %v, after %d pairs = %v, want %v", tt.ratio, tt.low, tt.high, tt.p, tt.pairs, got, tt.want)
		}
	}
}

// TestWords: what becomes of a candidate whose cells say so and so, with three
// processor counts.
func TestWords(t *testing.T) {
	gain := func(procs int, ratio, half, p float64) Gain {
		e := stats.Estimate{Ratio: ratio, Low: ratio / (1 + half), High: ratio * (1 + half), P: p, Pairs: 12, Layouts: 12}
		return Gain{Cell: at(hot, procs), Estimate: e, AdjustedP: p}
	}
	// laid is read from 12 pairs that agree, in so many layouts.
	laid := func(ratio float64, layouts int) Gain {
		var p stats.Pairs
		for i := range 12 {
			p.Logs = append(p.Logs, math.Log(ratio)+1e-4*float64(i%3-1))
			p.Layouts = append(p.Layouts, int32(i%layouts))
		}
		e := fixed(stats.DefaultRule, p)
		return Gain{Cell: at(hot, 2), Estimate: e, AdjustedP: e.P}
	}
	up := func(procs int) Gain { return gain(procs, 1.5, 0.05, 0.001) }
	down := func(procs int) Gain { return gain(procs, 0.7, 0.05, 0.001) }
	none := func(procs int) Gain { return gain(procs, 1.01, 0.005, 0.9) }
	perhapsUp := func(procs int) Gain { return gain(procs, 1.2, 0.3, 0.3) }
	perhapsDown := func(procs int) Gain { return gain(procs, 0.85, 0.3, 0.3) }
	const name = "BenchmarkHot-"
	for _, tt := range []struct {
		name  string
		gains []Gain
		given map[int]float64
		want  Word
		why   string
	}{
		{"faster everywhere", []Gain{up(1), up(2), up(4)}, nil, Kept, ""},
		{"faster at the last", []Gain{none(1), none(2), up(4)}, nil, Kept, ""},
		{"faster at the first", []Gain{up(1), none(2), none(4)}, nil, Kept, ""},
		{"perhaps faster besides", []Gain{up(1), perhapsUp(2)}, nil, Kept, ""},
		{"slower at the last", []Gain{up(1), up(2), down(4)}, nil, Trade, "faster at " + name + "1, " + name + "2, slower at " + name + "4"},
		{"slower at the first", []Gain{down(1), up(4)}, nil, Trade, "faster at " + name + "4, slower at " + name + "1"},
		{"perhaps slower at one", []Gain{up(1), perhapsDown(2), up(4)}, nil, CannotSay, "faster at " + name + "1, " + name + "4, but perhaps slower at " + name + "2: raise -budget"},
		{"slower, not faster", []Gain{none(1), down(2), perhapsUp(4)}, nil, Slower, "slower at " + name + "2"},
		{"perhaps faster", []Gain{none(1), perhapsUp(2), perhapsDown(4)}, nil, CannotSay, "perhaps faster at " + name + "2: the interval"},
		{"perhaps slower", []Gain{none(1), perhapsDown(2)}, nil, NoGain, "measured once more it is no faster"},
		{"nothing", []Gain{none(1), none(2)}, nil, NoGain, "measured once more it is no faster"},
		// p of a gain is corrected, at alpha it counts; that of a loss is its own.
		{"p at alpha", []Gain{gain(2, 1.5, 0.05, 0.025)}, nil, Kept, ""},
		{"p above alpha", []Gain{gain(2, 1.5, 0.05, 0.0251)}, nil, CannotSay, "perhaps faster"},
		{"a loss by its own p", []Gain{func() Gain { g := down(2); g.P, g.AdjustedP = 0.025, 0.9; return g }()}, nil, Slower, "slower"},
		{"a loss not sure", []Gain{func() Gain { g := down(2); g.P, g.AdjustedP = 0.0251, 0.001; return g }()}, nil, NoGain, "measured"},
		// The interval of a loss must not hold 1.
		{"a loss up to 1", []Gain{up(1), func() Gain { g := down(2); g.High = 1; return g }()}, nil, CannotSay, "faster at " + name + "1, but perhaps"},
		{"a loss below 1", []Gain{up(1), func() Gain { g := down(2); g.High = 0.999; return g }()}, nil, Trade, "faster"},
		// The margin of 3 %.
		{"just the margin", []Gain{gain(2, 1.0301, 0.01, 0.001)}, nil, Kept, ""},
		{"less than the margin", []Gain{gain(2, 1.0299, 0.01, 0.001)}, nil, NoGain, "measured"},
		{"slower by just the margin", []Gain{gain(2, 1/1.0301, 0.01, 0.001)}, nil, Slower, "slower"},
		{"slower by less", []Gain{gain(2, 1/1.0299, 0.01, 0.001)}, nil, NoGain, "measured"},
		// What layouts that were not seen may do: with an error of 0.025 it is
		// 2.391 · 0.0778 √(1 - 1/12) = log(1.195) of one layout, and of two that agree
		// 2.385 · 0.0778 √(24/25) √(1/2 - 1/12) = log(1.124).
		{"in one layout, more than they do", []Gain{laid(1.2, 1)}, nil, Kept, ""},
		{"in one layout, less", []Gain{laid(1.19, 1)}, nil, CannotSay, "perhaps faster at " + name + "2: the interval is too wide, or the code shows more by its layout"},
		{"in one layout, slower by less", []Gain{laid(1/1.19, 1)}, nil, NoGain, "measured"},
		{"in one layout, slower by more", []Gain{laid(1/1.2, 1)}, nil, Slower, "slower"},
		{"in two layouts, more than they do", []Gain{laid(1.13, 2)}, nil, Kept, ""},
		{"in two layouts, less", []Gain{laid(1.12, 2)}, nil, CannotSay, "perhaps faster"},
		{"in a layout for each pair", []Gain{laid(1.035, 12)}, nil, Kept, ""},
		// Processors that the machine did not give.
		{"given enough", []Gain{up(1), up(2), up(4)}, map[int]float64{1: 0.4, 2: 1.5, 4: 3}, Kept, ""},
		{"not given at the last", []Gain{up(1), up(2), up(4)}, map[int]float64{1: 1, 2: 1.5, 4: 2.99}, CannotSay, "the machine gave 2.99 of 4 processors"},
		{"not given at two", []Gain{up(1), up(2), up(4)}, map[int]float64{2: 1.49, 4: 2}, CannotSay, "the machine gave 1.49 of 2 processors"},
		{"not given, and slower elsewhere", []Gain{down(1), up(4)}, map[int]float64{4: 1}, CannotSay, "the machine gave 1.00 of 4 processors"},
	} {
		r := &Record{Bounds: stats.DefaultBounds, Given: tt.given}
		p := Proof{Gains: tt.gains}
		r.decide(&p)
		if p.Word != tt.want || !strings.HasPrefix(p.Why, tt.why) || (tt.why == "") != (p.Why == "") {
			t.Errorf("%s: %s (%s), want %s (%s)", tt.name, p.Word, p.Why, tt.want, tt.why)
		}
	}
}

// TestMissedProcessors: what both sides could not have used is not missing, and its
// gain is less sure by what they may have missed; where one wanted more, or what it
// wanted is not known, nothing can be said.
func TestMissedProcessors(t *testing.T) {
	c := at(hot, 2)
	for _, tt := range []struct {
		name          string
		given         float64
		without, with float64 // processors wanted
		ratio         float64
		want          Word
		starved       bool
	}{
		{"both sleep", 1, 0.1, 0.1, 2, Kept, false},
		{"just under half of what was given", 1.2, 0.599, 0.599, 5, Kept, false},
		{"half of what was given", 1.2, 0.6, 0.599, 5, CannotSay, true},
		{"the edit runs on more", 1, 0.1, 0.9, 2, CannotSay, true},
		{"the untouched code did", 1, 0.9, 0.1, 2, CannotSay, true},
		{"not known", 1, 0, 0, 2, CannotSay, true},
		{"given enough", 1.5, 1.9, 1.9, 2, Kept, false},
		{"less than they may have missed", 1, 0.4, 0.4, 1.2, CannotSay, false},
	} {
		r := made([]measure.Cell{c}, "a")
		r.Given, r.Usable = map[int]float64{2: tt.given}, 2
		r.put(Confirming, side{"", c}, 100, 12)
		r.put(Confirming, side{"a", c}, 100/tt.ratio, 12)
		for i := range r.Samples {
			if r.Samples[i].Wanted = tt.without; r.Samples[i].Arm == "a" {
				r.Samples[i].Wanted = tt.with
			}
		}
		x := Judge(r)[0]
		if x.Word != tt.want || x.Starved != tt.starved {
			t.Errorf("%s: %s (%s), starved %t, want %s, %t", tt.name, x.Word, x.Why, x.Starved, tt.want, tt.starved)
		}
	}
}

// TestGivenProcessors: what the machine does not have it cannot give, and what a side
// used it gave, whatever busy threads got before. The answer is that of verdicts.
func TestGivenProcessors(t *testing.T) {
	for _, tt := range []struct {
		name          string
		procs, usable int
		given, used   float64
		want          Word
		why           string
	}{
		{"all that there are", 4, 2, 1.9, 0, Kept, ""},
		{"too few of those that there are", 4, 2, 1.4, 0, CannotSay, "the machine gave 1.40 of 2 processors"},
		{"how many there are is not known", 4, 0, 1.9, 0, CannotSay, "the machine gave 1.90 of 4 processors"},
		{"there is one", 4, 1, 0.4, 0, Kept, ""},
		{"more than asked for", 2, 8, 1.4, 0, CannotSay, "the machine gave 1.40 of 2 processors"},
		{"they used more", 2, 2, 1.1, 1.9, Kept, ""},
		{"they used less", 2, 2, 1.4, 1.1, CannotSay, "the machine gave 1.40 of 2 processors"},
		{"they used more, and too little", 2, 2, 1.1, 1.3, CannotSay, "the machine gave 1.30 of 2 processors"},
	} {
		c := at(hot, tt.procs)
		r := made([]measure.Cell{c}, "a")
		r.Given, r.Usable = map[int]float64{tt.procs: tt.given}, tt.usable
		r.put(Confirming, side{"", c}, 100, 12)
		r.put(Confirming, side{"a", c}, 50, 12)
		for i := range r.Samples {
			r.Samples[i].CPU, r.Samples[i].Wanted = tt.used*r.Samples[i].Wall, 1.95
		}
		if x := Judge(r)[0]; x.Word != tt.want || x.Why != tt.why {
			t.Errorf("%s: %s (%s), want %s (%s)", tt.name, x.Word, x.Why, tt.want, tt.why)
		}
		s := &measure.Series{Package: "p", Given: r.Given, Usable: tt.usable, Samples: map[measure.Cell][]measure.Sample{c: {{Wall: 100, Got: 1, Steal: float32(1.95 / float64(tt.procs))}}}}
		if _, _, short := judge.Short(s, judge.Verdict{New: c, BaseCell: c}); tt.used == 0 && short != (tt.want == CannotSay) {
			t.Errorf("%s: too few for a verdict: %t, for a proof %s", tt.name, short, tt.want)
		}
	}
	if r := newRun(Lab{}, Options{Series: &measure.Series{Usable: 3}}).rec; r.Usable != 3 {
		t.Errorf("a run was told of 3 usable processors and keeps %d", r.Usable)
	}
}

// TestHolmOfAll: the gains of all that was proven are corrected together, over
// candidates and cells; what was not proven does not count.
func TestHolmOfAll(t *testing.T) {
	all := []measure.Cell{at(hot, 1), at(hot, 2), at(hot, 4)}
	r := made(all, "a", "b", "c")
	r.Candidates[2].Pairs, r.Candidates[2].Stage, r.Candidates[2].Out = 0, Halved, "a was faster"
	for i, c := range all {
		r.put(Confirming, side{"", c}, 100, 12)
		r.put(Confirming, side{"a", c}, 80-float64(i), 12)
		r.put(Confirming, side{"b", c}, 99.99, 12) // p of about 1
		r.put(Selecting, side{"", c}, 100, 12)
		r.put(Selecting, side{"c", c}, 50, 12)
	}
	proofs := Judge(r)
	p := 2.0 / 4096 // of twelve pairs of one sign
	for i, g := range proofs[0].Gains {
		// Six in all, the equal ones share the largest factor.
		if math.Abs(g.P-p) > 1e-12 || math.Abs(g.AdjustedP-6*p) > 1e-12 || g.Cell != all[i] || math.Abs(g.BaseWall-100) > 0.1 || math.Abs(g.Wall-(80-float64(i))) > 0.1 {
			t.Errorf("gain %d: %+v, want p %v, corrected %v, %v against 100", i, g, p, 6*p, 80-i)
		}
	}
	for i, g := range proofs[1].Gains { // with its own p, not that of the first
		if !(g.P > 0.5) || g.AdjustedP != 1 {
			t.Errorf("gain %d of what gains nothing: %+v, want p of 1, corrected or not", i, g)
		}
	}
	for i, want := range []Word{Kept, NoGain, Beaten} {
		if proofs[i].Word != want || proofs[i].Fresh != (i < 2) || proofs[i].Candidate != r.Candidates[i].ID {
			t.Errorf("%s: %s (%s), fresh %t; want %s", proofs[i].Candidate, proofs[i].Word, proofs[i].Why, proofs[i].Fresh, want)
		}
	}
	if g := proofs[2].Gains; len(g) != 3 || !math.IsNaN(g[0].AdjustedP) || math.Abs(g[0].Ratio-2) > 0.01 {
		t.Errorf("what went out: %+v, want the figures that chose, without a correction", g)
	}
}

// TestTogetherPhase: what was kept as one change is judged last, by its own samples.
func TestTogetherPhase(t *testing.T) {
	c := at(hot, 2)
	r := made([]measure.Cell{c}, "a")
	r.Together = &Trial{Candidate: Candidate{Edit: edit.Edit{ID: "both"}, Cells: []measure.Cell{c}}, Pairs: 12}
	r.put(Confirming, side{"", c}, 100, 12)
	r.put(Confirming, side{"a", c}, 80, 12)
	r.put(Combining, side{"", c}, 100, 12)
	r.put(Combining, side{"both", c}, 50, 12)
	r.put(Combining, side{"", twinOf(c)}, 110, 12)
	for _, x := range []struct {
		phase Phase
		arm   string
		wall  float64
	}{{Confirming, "", 100}, {Confirming, "a", 100}, {Confirming, "both", 150}, {Combining, "", 100}, {Combining, "both", 105}} {
		r.put(x.phase, side{x.arm, at(still, 4)}, x.wall, 12)
	}
	proofs := Judge(r)
	if got := proofs[1].Control; math.Abs(got.Ratio*1.05-1) > 0.003 {
		t.Errorf("what both does not touch: %v, want the figures of its own phase, 1/1.05", got)
	}
	if len(proofs) != 2 || proofs[1].Candidate != "both" || proofs[1].Word != Kept || math.Abs(proofs[1].Gains[0].Ratio-2) > 0.01 || proofs[1].Drift < 0.09 || proofs[0].Drift > 0.01 {
		t.Errorf("%+v\nwant a, and both twice as fast with a drift of its own", proofs)
	}
	// Disturbed samples of the combination count as those of a proof do.
	for i := range 12 {
		r.Samples = append(r.Samples,
			Sample{Phase: Combining, Bench: hot, Procs: 2, Round: int32(i), Attempt: 1, Layout: int32(i), Wall: 100, Drop: "steal"},
			Sample{Phase: Combining, Arm: "both", Bench: hot, Procs: 2, Round: int32(i), Attempt: 1, Layout: int32(i), Wall: 300, Drop: "steal"})
	}
	if p := Judge(r)[1]; p.Word != CannotSay || !strings.Contains(p.Why, "disturbed") {
		t.Errorf("with disturbed samples of both: %s (%s), want cannot say", p.Word, p.Why)
	}
}

// TestDirty: an answer that only the clean samples give, or only all of them, is
// none; whichever side others disturbed.
func TestDirty(t *testing.T) {
	for _, tt := range []struct {
		name       string
		clean      float64 // the candidate, of 100
		base, with float64 // in disturbed samples
		want       Word
	}{
		{"undisturbed", 80, 0, 0, Kept},
		{"disturbed alike", 80, 300, 240, Kept},
		{"the candidate is disturbed", 80, 100, 400, CannotSay},
		{"the base is disturbed", 99, 400, 100, CannotSay},
		{"both, and nothing gained", 99, 400, 399, NoGain},
	} {
		c := at(hot, 2)
		r := made([]measure.Cell{c}, "a")
		r.put(Confirming, side{"", c}, 100, 12)
		r.put(Confirming, side{"a", c}, tt.clean, 12)
		if tt.base > 0 {
			for i := range 24 {
				drop := []string{"steal", ""}
				if tt.base > tt.with {
					drop = []string{"", "steal"}
				}
				r.Samples = append(r.Samples,
					Sample{Phase: Confirming, Bench: hot, Procs: 2, Round: int32(i % 12), Attempt: int32(1 + i/12), Layout: int32(i % 12), Wall: tt.base, Drop: drop[1]},
					Sample{Phase: Confirming, Arm: "a", Bench: hot, Procs: 2, Round: int32(i % 12), Attempt: int32(1 + i/12), Layout: int32(i % 12), Wall: tt.with, Drop: drop[0]})
			}
		}
		p := Judge(r)[0]
		if p.Word != tt.want || tt.want == CannotSay && !strings.Contains(p.Why, "other processes disturbed") {
			t.Errorf("%s: %s (%s), want %s", tt.name, p.Word, p.Why, tt.want)
		}
		if p.Gains[0].Pairs != 12 {
			t.Errorf("%s: %d pairs, want 12: the disturbed ones are told of, not counted", tt.name, p.Gains[0].Pairs)
		}
	}
}

// TestDirtyTwin: what others did to the untouched code, its twin or what a change
// does not touch must not decide either.
func TestDirtyTwin(t *testing.T) {
	c := at(hot, 2)
	far := at(still, 4)
	for _, tt := range []struct {
		base, other side
		want        Word
	}{
		{side{"", c}, side{"", twinOf(c)}, CannotSay}, {side{"", far}, side{"a", far}, CannotSay},
		{side{"", far}, side{"b", far}, Kept}, // another one's
	} {
		r := made([]measure.Cell{c}, "a")
		for _, s := range []side{{"", c}, {"", twinOf(c)}, {"", far}, {"a", far}} {
			r.put(Confirming, s, 100, 12)
		}
		r.put(Confirming, side{"a", c}, 80, 12)
		for i, s := range []side{tt.base, tt.other} {
			for k := range int32(24) {
				r.Samples = append(r.Samples, Sample{Phase: Confirming, Arm: s.arm, Bench: s.cell.Bench, Procs: s.cell.Procs, Twin: s.cell.Twin,
					Round: k % 12, Attempt: 1 + k/12, Layout: k % 12, Wall: []float64{100, 200}[i], Drop: []string{"", "steal"}[i]})
			}
		}
		if p := Judge(r)[0]; p.Word != tt.want || p.Drift > 0.01 {
			t.Errorf("%v beside %v is disturbed: %s (%s), drift %.3f, want %s and none", tt.other, tt.base, p.Word, p.Why, p.Drift, tt.want)
		}
	}
}

// TestStages: where a candidate went out is what became of it.
func TestStages(t *testing.T) {
	for _, tt := range []struct {
		stage Stage
		pairs int
		end   measure.End
		have  int // pairs in the record
		want  Word
		why   string
	}{
		{Unbuilt, 0, measure.Decided, 0, Fails, "build: x"}, {Vetted, 0, measure.Decided, 0, Fails, "vet: x"}, {Tested, 0, measure.Decided, 0, Fails, "tests: x"},
		{Single, 0, measure.Decided, 12, Fails, "tests on one processor: x"}, {Raced, 0, measure.Decided, 12, Fails, "race: x"}, {Measure, 0, measure.Decided, 12, Fails, "measure: x"},
		{Halved, 0, measure.Decided, 12, Beaten, "x"}, {Hopeless, 0, measure.Decided, 12, NoGain, "x"}, {Untried, 0, measure.Budget, 12, NotTried, "x"},
		{"", 0, measure.Interrupted, 0, NotTried, "the run ended before it was tried"},
		{"", 0, measure.Interrupted, 12, CannotSay, "the run ended before it was proven"},
		{"", 12, measure.Interrupted, 11, CannotSay, "the run ended before it was proven"},
		{"", 12, measure.Decided, 11, CannotSay, "1 of 12 pairs could not be measured"},
		{"", 12, measure.Decided, 12, Kept, ""},
		{"", 12, measure.Decided, 13, Kept, ""},
		{"", 12, measure.Decided, 0, NotTried, "the run ended before it was tried"},
	} {
		c := at(hot, 2)
		r := made([]measure.Cell{c}, "a")
		r.End = tt.end
		r.Candidates[0].Stage, r.Candidates[0].Pairs = tt.stage, tt.pairs
		if tt.stage != "" {
			r.Candidates[0].Out = "x"
		}
		phase := Selecting
		if tt.pairs > 0 {
			phase = Confirming
		}
		r.put(phase, side{"", c}, 100, tt.have)
		r.put(phase, side{"a", c}, 50, tt.have)
		p := Judge(r)[0]
		if p.Word != tt.want || p.Why != tt.why || p.Fresh != (tt.want == Kept) {
			t.Errorf("stage %q, %d of %d pairs, %s: %s (%s), fresh %t; want %s (%s)", tt.stage, tt.have, tt.pairs, tt.end, p.Word, p.Why, p.Fresh, tt.want, tt.why)
		}
	}
	// The cell that lacks most pairs counts.
	cells := []measure.Cell{at(hot, 1), at(hot, 2), at(hot, 4)}
	r := made(cells, "a")
	for i, c := range cells {
		r.put(Confirming, side{"", c}, 100, 12)
		r.put(Confirming, side{"a", c}, 50, []int{12, 9, 11}[i])
	}
	if p := Judge(r)[0]; p.Why != "3 of 12 pairs could not be measured" {
		t.Errorf("12, 9 and 11 of 12 pairs: %s (%s)", p.Word, p.Why)
	}
}

// TestPairsOf: of a round the first attempt that both sides have, kept; with all,
// each.
func TestPairsOf(t *testing.T) {
	c := at(hot, 2)
	r := &Record{}
	add := func(arm string, round, attempt, layout int32, wall float64, drop string) {
		r.Samples = append(r.Samples, Sample{Phase: Confirming, Arm: arm, Bench: hot, Procs: 2, Round: round, Attempt: attempt, Layout: layout, Wall: wall, Drop: drop})
	}
	add("", 0, 0, 0, 100, measure.Calibration)
	add("a", 0, 0, 0, 1, measure.Calibration)
	add("", 1, 0, 3, 100, "steal") // the base is disturbed
	add("a", 1, 0, 3, 10, "")
	add("", 1, 1, 3, 100, "")
	add("a", 1, 1, 3, 50, "")
	add("", 1, 2, 3, 100, "")
	add("a", 1, 2, 3, 25, "") // a second kept pair of the round
	add("a", 2, 0, 4, 20, "other processes")
	add("", 2, 0, 4, 100, "")
	add("", 2, 1, 4, 100, "") // without a partner
	add("a", 3, 0, 5, 20, "")
	add("", 3, 1, 5, 100, "") // another attempt
	add("", 4, 0, 6, 100, "")
	add("a", 4, 0, 7, 200, "")
	add("", 5, 0, 6, 0, "") // no logarithm
	add("a", 5, 0, 6, 100, "")
	for _, tt := range []struct {
		phase           Phase
		all             bool
		logs            []float64
		rounds, layouts []int32
	}{
		{Confirming, false, []float64{2, 0.5}, []int32{1, 4}, []int32{3, 6 + 8<<16}},
		{Confirming, true, []float64{10, 2, 4, 5, 0.5}, []int32{1, 1, 1, 2, 4}, []int32{3, 3, 3, 4, 6 + 8<<16}},
		{Selecting, true, nil, nil, nil},
	} {
		p := r.pairs(tt.phase, side{"", c}, side{"a", c}, tt.all)
		var ratios []float64
		for _, l := range p.Logs {
			ratios = append(ratios, math.Round(1000*math.Exp(l))/1000)
		}
		if !slices.Equal(ratios, tt.logs) || !slices.Equal(p.Rounds, tt.rounds) || !slices.Equal(p.Layouts, tt.layouts) {
			t.Errorf("%s, all %t: %v in rounds %v, layouts %v; want %v, %v, %v", tt.phase, tt.all, ratios, p.Rounds, p.Layouts, tt.logs, tt.rounds, tt.layouts)
		}
	}
	var walls []float64
	for _, x := range r.of(Confirming, side{"a", c}, false) {
		walls = append(walls, x.Wall)
	}
	if !slices.Equal(walls, []float64{10, 50, 25, 20, 200, 100}) || r.wall(Confirming, side{"a", c}) != 37.5 {
		t.Errorf("times of the candidate %v", walls)
	}
	// A twin is another side, and so is each processor count.
	for _, other := range []measure.Cell{twinOf(c), at(hot, 4), at(still, 2)} {
		if p := r.pairs(Confirming, side{"", c}, side{"a", other}, true); len(p.Logs) > 0 {
			t.Errorf("%d pairs of %v, want none", len(p.Logs), other)
		}
	}
	joint := joined(stats.Pairs{Logs: []float64{1}, Layouts: []int32{4}}, stats.Pairs{Logs: []float64{2}, Layouts: []int32{4}})
	if !slices.Equal(joint.Logs, []float64{1, 2}) || !slices.Equal(joint.Layouts, []int32{4, 4}) {
		t.Errorf("joined pairs %+v", joint)
	}
}

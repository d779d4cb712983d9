package verify

import (
	"fmt"
	"math"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Word is what became of a candidate.
type Word string

const (
	Kept      Word = "kept"       // it is faster at a cell, and slower at none
	Trade     Word = "trade"      // faster at one, slower at another
	Slower    Word = "slower"     // slower at one, faster at none
	NoGain    Word = "no gain"    // what it changes does not count
	Beaten    Word = "beaten"     // another one of its claim was faster
	CannotSay Word = "cannot say" // it was measured, and that was not enough
	Fails     Word = "fails"      // it does not build, or fails go vet or a test
	NotTried  Word = "not tried"
	Same      Word = "same" // the test binary is what it was, byte by byte
)

// A Proof is what a record shows of one candidate. It is made of the record each
// time and kept nowhere: estimates of too few pairs have no end that JSON knows.
type Proof struct {
	Candidate string
	Word      Word
	Why       string // for each word but Kept
	// Gains are of the cells that it was to speed up: by fresh samples of what was
	// chosen, else by those that candidates were compared by, as Fresh says.
	Gains   []Gain
	Fresh   bool
	Starved bool // it cannot be said since the machine gave too few processors
	// Even says that fresh samples rule out a difference of more than [stats.Bounds.Band]
	// at each cell.
	Even bool
	// Later says where a candidate that is kept gains by the operations after the first of
	// a process alone; "" if nowhere.
	Later string
	// After says whether concurrency pays with the change: each cell against the
	// base of its family in the same session, or without one against itself on
	// one processor.
	After []Answer
	// Others are the cells against other variants of their family.
	Others []Answer
	// Drift is the relative difference that code which is the same showed: what is
	// kept is more. Control and Twins are the estimates it comes from, of untouched
	// benchmarks with the change and of the untouched code against itself.
	Drift          float64
	Control, Twins Gain
}

// A Gain is how many times as fast a cell is with a change.
type Gain struct {
	measure.Cell
	stats.Estimate
	AdjustedP      float64
	Wall, BaseWall float64 // ns per operation, medians
}

// Judge says of each candidate of a record what became of it, and last of what
// was kept as one change, if that was tried.
//
// A candidate is kept if at one of its cells at least it is faster by what
// counts, and by more than what did not change seems to have changed; and if it
// is slower by that at none. The chance that a run keeps anything at all that is
// not faster is at most the error of its rule: the p-values are corrected by
// Holm's procedure for all cells of the claims that something was proven of, and
// of a claim each proof after one that failed has half the error of that before
// it. Candidates that went out before do not count, since they are not among what
// can be kept, and what chose is no part of the proof. Holm's procedure and not
// that of Benjamini and Hochberg: of the few changes that are kept each goes into
// somebody's code, so it does not do that a share of them be false.
func Judge(r *Record) []Proof {
	var all []Proof
	for i := range r.Candidates {
		all = append(all, r.proof(&r.Candidates[i], Confirming, false))
	}
	if r.Together != nil {
		all = append(all, r.proof(r.Together, Combining, false))
	}
	dirty := make([]Proof, len(all)) // with the samples that others disturbed
	for i, x := range all {
		switch t := r.trial(x.Candidate); {
		case !x.Fresh:
		case t == r.Together:
			dirty[i] = r.proof(t, Combining, true)
		default:
			dirty[i] = r.proof(t, Confirming, true)
		}
	}
	r.correct(all)
	r.correct(dirty)
	for i := range all {
		x := &all[i]
		if !x.Fresh {
			continue
		}
		r.decide(x)
		r.decide(&dirty[i])
		if (x.Word == Kept) != (dirty[i].Word == Kept) { // what is left out must not decide
			x.Word = CannotSay
			x.Why = "with the samples that other processes disturbed the answer is another: try again on a quieter machine"
		}
		if t := r.trial(x.Candidate); x.Word == Kept && t != r.Together {
			x.Later = r.later(t, Confirming)
		}
	}
	r.answer(all)
	return all
}

// correct sets the adjusted p-values of all gains that are fresh. Of each claim
// Holm's procedure takes the last proof, since those before it have failed. A gain
// is one side of its test, so the first proofs spend half of the error at most, and
// those after them what is left: a half of that before, each time.
func (r *Record) correct(all []Proof) {
	last := map[string]int{} // of a claim, in all
	claim := func(i int) string {
		if t := r.trial(all[i].Candidate); t != r.Together {
			return "of " + t.Claim
		}
		return "together"
	}
	for i, x := range all {
		if !x.Fresh {
			continue
		}
		if k, ok := last[claim(i)]; !ok || r.trial(all[k].Candidate).After < r.trial(x.Candidate).After {
			last[claim(i)] = i
		}
	}
	var p []float64
	for i, x := range all {
		for _, g := range x.Gains {
			if x.Fresh && last[claim(i)] == i {
				p = append(p, min(1, g.P*r.trial(x.Candidate).counts()))
			}
		}
	}
	many := float64(len(p))
	p = stats.Holm(p)
	for i, x := range all {
		for k := range x.Gains {
			g := &x.Gains[k]
			switch {
			case !x.Fresh:
			case last[claim(i)] == i:
				g.AdjustedP, p = p[0], p[1:]
			default:
				g.AdjustedP = min(1, g.P*r.trial(x.Candidate).counts()*many)
			}
		}
	}
}

// counts is how many times a p-value of the proof counts, for those before it.
func (t *Trial) counts() float64 { return math.Exp2(float64(t.After)) }

// proof collects what there is of a candidate. Where it went out, the word is
// known.
func (r *Record) proof(t *Trial, phase Phase, dirty bool) Proof {
	x := Proof{Candidate: t.ID, Why: t.Out}
	switch t.Stage {
	case Alike:
		x.Word = Same
	case Formatted, Hollow, Unbuilt, Vetted, Fitting, Tested, Resulted, Single, Raced, Measure:
		x.Word, x.Why = Fails, string(t.Stage)+": "+t.Out
	case Halved:
		x.Word = Beaten
	case Hopeless:
		x.Word = NoGain
	case Untried:
		x.Word = NotTried
	}
	done := 0
	if x.Word == "" && t.Pairs > 0 {
		x.Fresh = true
		done = t.Pairs
	}
	of := Selecting
	if x.Fresh {
		of = phase
	}
	for _, c := range t.Cells {
		base, with := side{"", c}, side{t.ID, c}
		pairs := r.pairs(of, base, with, dirty)
		if len(pairs.Logs) == 0 {
			continue // the benchmark fails in the untouched code
		}
		done = min(done, len(pairs.Logs))
		x.Gains = append(x.Gains, Gain{Cell: c, Estimate: fixed(r.Rule, pairs), AdjustedP: math.NaN(),
			Wall: r.wall(of, with), BaseWall: r.wall(of, base)})
	}
	if x.Word == "" && len(x.Gains) == 0 {
		x.Word, x.Fresh, x.Why = NotTried, false, "the run ended before it was tried"
	}
	if x.Word == "" && (t.Pairs == 0 || done < t.Pairs) {
		x.Word, x.Fresh = CannotSay, false
		x.Why = "the run ended before it was proven"
		if t.Pairs > 0 && r.End != measure.Interrupted {
			x.Why = fmt.Sprintf("%d of %d pairs could not be measured", t.Pairs-done, t.Pairs)
		}
	}
	if x.Fresh {
		x.Twins.Estimate = fixed(r.Rule, r.twins(phase, t, dirty))
		x.Control.Estimate = fixed(r.Rule, r.control(phase, t, dirty))
	}
	return x
}

// twins are the pairs of the untouched code with itself at the cells of a
// candidate: the two sides are in different layouts.
func (r *Record) twins(phase Phase, t *Trial, dirty bool) (p stats.Pairs) {
	for _, c := range t.Cells {
		twin := c
		twin.Twin = true
		p = joined(p, r.pairs(phase, side{"", c}, side{"", twin}, dirty))
	}
	return p
}

// control are the pairs of benchmarks that a candidate does not touch.
func (r *Record) control(phase Phase, t *Trial, dirty bool) (p stats.Pairs) {
	for _, bench := range r.Controls {
		for _, procs := range r.Procs {
			c := measure.Cell{Bench: bench, Procs: procs}
			p = joined(p, r.pairs(phase, side{"", c}, side{t.ID, c}, dirty))
		}
	}
	return p
}

// joined is one set of pairs: those in one layout stay one observation, since
// the layout may do the same to each cell.
func joined(p, q stats.Pairs) stats.Pairs {
	p.Logs = append(p.Logs, q.Logs...)
	p.Layouts = append(p.Layouts, q.Layouts...)
	return p
}

// drift is what an estimate of code that is the same says: its distance from 1,
// or where it is sure that it differs, the far end of its interval.
func (r *Record) drift(e stats.Estimate) float64 {
	if e.Pairs == 0 {
		return 0
	}
	d := math.Abs(math.Log(e.Ratio))
	if x := r.Bounds.Decide(e, e.P, r.Rule.Error()); x == stats.Faster || x == stats.Slower {
		d = max(math.Abs(math.Log(e.Low)), math.Abs(math.Log(e.High)))
	}
	return math.Expm1(d)
}

// decide chooses the word of what was proven.
func (r *Record) decide(x *Proof) {
	x.Drift = max(r.drift(x.Twins.Estimate), r.drift(x.Control.Estimate))
	x.Even = len(x.Gains) > 0
	alpha, band := r.Rule.Error(), 1+r.Bounds.Band()
	var faster, slower, maybe, unsure, narrow []string
	for i := range x.Gains {
		g := &x.Gains[i]
		bounds := r.Bounds
		bounds.Margin = max(bounds.Margin, x.Drift)
		given, lack, short := r.short(x.Candidate, g.Cell)
		if short {
			narrow = append(narrow, fmt.Sprintf("the machine gave %.2f of %d processors", given, judge.Usable(r.Usable, g.Procs)))
			continue
		}
		g.Low, g.High = g.Low*math.Exp(-lack), g.High*math.Exp(lack)
		g.EvenLow, g.EvenHigh = g.EvenLow*math.Exp(-lack), g.EvenHigh*math.Exp(lack)
		x.Even = x.Even && g.EvenLow >= 1/band && g.EvenHigh <= band
		away := math.Log(g.Ratio)
		switch margin := math.Log1p(bounds.Margin); {
		case bounds.Decide(g.Estimate, g.AdjustedP, alpha) == stats.Faster:
			faster = append(faster, g.Cell.String())
		case away <= -margin && g.High < 1 && g.P <= alpha: // a loss needs no correction: what keeps is the claim
			slower = append(slower, g.Cell.String())
		case away <= -margin:
			maybe = append(maybe, g.Cell.String())
		case away >= margin:
			unsure = append(unsure, g.Cell.String())
		}
	}
	switch {
	case len(narrow) > 0:
		x.Word, x.Why, x.Starved, x.Even = CannotSay, narrow[0], true, false
	case len(faster) > 0 && len(slower) > 0:
		x.Word, x.Why = Trade, fmt.Sprintf("faster at %s, slower at %s", list(faster), list(slower))
	case len(slower) > 0:
		x.Word, x.Why = Slower, "slower at "+list(slower)
	case len(faster) > 0 && len(maybe) > 0:
		x.Word, x.Why = CannotSay, fmt.Sprintf("faster at %s, but perhaps slower at %s: raise -budget", list(faster), list(maybe))
	case len(faster) > 0:
		x.Word, x.Why = Kept, ""
	case x.Even:
		x.Word, x.Why = NoGain, fmt.Sprintf("measured once more any difference is smaller than %.1f %%", 100*r.Bounds.Band())
	case len(unsure) > 0:
		x.Word, x.Why = CannotSay, fmt.Sprintf("perhaps faster at %s: the interval is too wide, or the code shows more by its layout alone: raise -budget", list(unsure))
	default:
		x.Word, x.Why = NoGain, "measured once more it is no faster by what counts"
	}
}

// short reports whether the machine gave too few processors to say what a
// candidate gains at c, how many it gave, and by how much the gain may be off even
// so, as [judge.Short] does for verdicts.
func (r *Record) short(id string, c measure.Cell) (given, lack float64, short bool) {
	phase := Confirming
	if r.Together != nil && r.Together.ID == id {
		phase = Combining
	}
	given, ok := r.given(phase, c.Procs)
	if !ok {
		return given, 0, false
	}
	lack, short = judge.Missed(given, judge.Usable(r.Usable, c.Procs), r.wanted(phase, side{id, c}), r.wanted(phase, side{"", c}))
	return given, lack, short
}

// given is how many processors the machine gave at a count, as [judge.Given] has it:
// what busy threads got before the run, or what any side used, if that is more. It
// reports whether that is known.
func (r *Record) given(phase Phase, procs int) (float64, bool) {
	given, ok := r.Given[procs]
	if !ok {
		return 0, false
	}
	used := map[side][]float64{}
	for i := range r.Samples {
		if x := &r.Samples[i]; x.Phase == phase && x.Procs == procs && x.Drop == "" && x.CPU > 0 {
			used[x.side()] = append(used[x.side()], x.CPU/x.Wall)
		}
	}
	for _, cores := range used {
		given = max(given, stats.Median(cores))
	}
	return given, true
}

// wanted is how many processors a side would have used; NaN where that is not known.
func (r *Record) wanted(phase Phase, s side) float64 {
	var all []float64
	for i := range r.Samples {
		x := &r.Samples[i]
		if x.Phase != phase || x.side() != s || x.Drop != "" {
			continue
		}
		if x.Wanted == 0 {
			return math.NaN()
		}
		all = append(all, x.Wanted)
	}
	return stats.Median(all)
}

func list(names []string) string { return strings.Join(names, ", ") }

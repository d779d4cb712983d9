package verify

import (
	"context"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

const (
	mostPairs    = 48
	company      = 12   // rounds in which what else is asked is measured as well
	mostOthers   = 3    // variants of a family beside the winner and the base
	mostControls = 2    // benchmarks
	saveShare    = 0.25 // of what is left, for trying together what is kept
	sureOf       = 0.6  // of the gain that chose it a proof is to find: the gain may be less
)

// prove measures the best of a claim once more. What chose them has no part
// in it: neither samples nor layouts. How many pairs it takes is fixed before
// the first, so there is no look that could stop at a lucky moment.
//
// Where the best is not kept, the next takes its place, as long as there is one
// that seems to gain, and time.
func (r *run) prove(ctx context.Context, claim string) error {
	for failed := 0; ; failed++ {
		r.step("testing with the race detector", 0, 1)
		t, err := r.winner(ctx, claim, failed > 0)
		if err != nil || t == nil {
			return err
		}
		t.After = failed
		if err := r.confirm(ctx, Confirming, t); err != nil {
			return err
		}
		if t.Stage == Untried || slices.ContainsFunc(t.Cells, func(c measure.Cell) bool { _, _, short := r.rec.short(t.ID, c); return short }) {
			return nil // the next would not fare better
		}
		all := Judge(r.rec)
		if i := slices.IndexFunc(all, func(p Proof) bool { return p.Candidate == t.ID }); all[i].Word == Kept {
			return nil
		}
	}
}

// winner returns the best candidate of a claim that passes all checks and may be
// faster, nil if there is none. After one whose proof failed the next has to have
// seemed to gain, and to lose nowhere, as [run.next] has it.
func (r *run) winner(ctx context.Context, claim string, failed bool) (t *Trial, err error) {
	for {
		alive := slices.DeleteFunc(r.alive(claim), func(t *Trial) bool { return t.Pairs > 0 })
		if len(alive) == 0 {
			next := r.next(claim, failed)
			if next == nil {
				return nil, nil
			}
			next.Stage, next.Out = "", ""
			alive = []*Trial{next}
		}
		t = alive[0]
		centre, ok := r.rec.hope(t)
		if centre == 0 {
			r.out(t.ID, Measure, "the benchmarks that it is to speed up fail without it as well")
			return nil, nil
		}
		if !ok && (failed || !r.o.Both) {
			r.out(t.ID, Hopeless, "it is no faster: %.2f times at best, while candidates were compared", centre)
			return nil, nil // the others are slower
		}
		if ok, err = r.sound(ctx, t); err != nil || ok {
			return t, err
		}
	}
}

// likely is how little may speak for a loss of what is proved after another.
const likely = 0.5

// next is the candidate of a claim that was left out last, the best of them; if
// gains, of those that seemed to gain, and to lose nowhere.
func (r *run) next(claim string, gains bool) (best *Trial) {
	var out []*Trial
	for i := range r.rec.Candidates {
		if t := &r.rec.Candidates[i]; t.Claim == claim && t.Stage == Halved && r.arms.All[t.ID] != nil {
			out = append(out, t)
		}
	}
	// Who went later has more samples.
	most := 0
	for _, s := range r.rec.standings(out) {
		n := 0
		for i := range r.rec.Samples {
			if r.rec.Samples[i].Arm == s.ID {
				n++
			}
		}
		if n > most && (!gains || s.gains && !s.loses && s.keeps >= likely) {
			best, most = s.Trial, n
		}
	}
	return best
}

// hope reports whether a candidate may be faster anywhere by what counts, and
// its best ratio: half the margin is enough, since this is an estimate from few
// pairs.
func (r *Record) hope(t *Trial) (best float64, ok bool) {
	for _, c := range t.Cells {
		if x := r.Ratio(t.ID, c); x.Ratio > best { // NaN never
			best = x.Ratio
		}
	}
	return best, math.Log(best) > math.Log1p(r.Bounds.Margin)/2
}

// confirm takes the fresh samples of what won.
func (r *run) confirm(ctx context.Context, phase Phase, t *Trial) error {
	p := r.plan(t)
	if p.pairs < p.least && t.After == 0 { // what comes after it seems to gain less
		r.end = r.start.Add(r.o.Budget)
		p = r.plan(t)
	}
	if p.pairs < p.least {
		why := "the budget was too short to prove it: raise -budget"
		if t.Needs = r.needs(t.Claim, p.short); t.Needs > 0 {
			why += " to " + cmdline.Duration(t.Needs)
		}
		r.out(t.ID, Untried, "%s", why)
		return nil
	}
	t.Pairs = p.pairs
	r.arms.Twins = 0
	for i := range p.pairs {
		r.step("proving "+t.ID, i, p.pairs)
		k := r.fresh + i%p.layouts
		if p.layouts == 1 {
			k = 0
		}
		if err := r.visit(ctx, phase, r.rounds, k, r.proofs(t, i < company)); err != nil {
			return err
		}
		r.rounds++
		if p.layouts == p.pairs { // it was the last round to use that one
			for _, a := range r.arms.All {
				a.Unlink(func(layout int) bool { return layout == r.arms.Twins })
			}
		}
		r.arms.Twins = k
	}
	r.fresh += p.layouts
	return nil
}

// slack is for pairs that more candidates ask for, and a round too many.
const slack = 1.5

// needs is a -budget that would do for a proof which lacks so much time: with it,
// choosing may take its whole share of more, and samples may be longer. It is 0 if
// another claim was cut short before: what that would take of more is not known.
func (r *run) needs(claim string, short time.Duration) time.Duration {
	if slices.ContainsFunc(r.rec.Candidates, func(t Trial) bool { return t.Claim != claim && t.Stage == Untried }) {
		return 0
	}
	proof := slack * float64(r.left()+short) * float64(r.o.Sample) / float64(r.arms.Length)
	race := float64(r.now().Sub(r.start) - r.part.chosen)
	all := float64(r.part.checked-r.part.spent) + (race+proof)/(1-chooseShare)
	budget := max(r.part.spent+time.Duration(all/r.part.share), r.o.Budget+short)
	if r.hurried > 0 { // it would take its share of more, too
		budget = time.Duration(float64(budget-r.hurried) / (1 - glanceShare))
	}
	return cmdline.Round(time.Duration(float64(budget) / r.o.Share))
}

// A plan is how many pairs prove what won, in how many layouts.
type plan struct {
	pairs, least int
	layouts      int
	short        time.Duration // that the least takes beyond what there is
}

// plan chooses them by how noisy the pairs were that chose, and by what they
// took.
func (r *run) plan(t *Trial) plan {
	left := r.left()
	p := plan{least: fewest(r.o.Rule.Error() / (t.counts() * float64(max(1, r.many()))))}
	p.pairs = max(p.least, r.rec.needs(t, r.o.Both))
	cost := func(pairs, layouts int) time.Duration {
		return time.Duration(min(pairs, company))*r.arms.Expected(r.proofs(t, true)) + time.Duration(max(0, pairs-company))*r.arms.Expected(r.proofs(t, false)) +
			time.Duration(2*layouts)*r.arms.Layouts.Each()
	}
	for p.pairs > p.least && cost(p.pairs, p.least) > left {
		p.pairs--
	}
	p.layouts = min(p.pairs, r.o.Layouts)
	for p.layouts > 1 && cost(p.pairs, p.layouts) > left {
		p.layouts--
	}
	if r.arms.Layouts.None {
		p.layouts = 1
	}
	if p.short = cost(p.pairs, p.layouts) - left; p.short > 0 {
		p.pairs = 0
	}
	return p
}

// fewest is the smallest number of pairs that can be significant at alpha.
func fewest(alpha float64) int {
	return 1 + int(math.Ceil(-math.Log2(alpha)))
}

// needs is how many pairs will probably show the gain of a candidate, and that it
// loses nowhere, if they are as spread as those that chose it; with both, where it does
// not seem to gain, its loss, or that there is no difference.
func (r *Record) needs(t *Trial, both bool) int {
	need := 0
	margin := math.Log1p(r.Bounds.Margin)
	for _, c := range t.Cells {
		logs := r.pairs(Selecting, side{"", c}, side{t.ID, c}, false).Logs
		want := 2 * margin // a loss that it must not hide
		switch gain := stats.HodgesLehmann(logs); {
		case gain > margin:
			want = sureOf * gain
		case both && gain < -margin:
			want = -sureOf * gain
		case both:
			want = max(margin/2, sureOf*(math.Log1p(r.Bounds.Band())-math.Abs(gain))) // the centre of fresh pairs is another
		}
		i := sort.Search(len(enough)-1, func(i int) bool {
			rule := stats.Rule{Alpha: r.Rule.Error(), Looks: enough[i : i+1]}
			return math.Log1p(rule.Resolve(logs, enough[i])) <= want
		})
		need = max(need, enough[i])
	}
	return need
}

// enough are the numbers of pairs that a proof chooses from.
var enough = []int{10, 14, 20, 28, 40, mostPairs}

// proofs are the blocks of a proof: the winner beside the untouched code and its
// twin; with more, also beside the base and the variants of its family, and the
// controls with it and without it.
func (r *run) proofs(t *Trial, more bool) []contest.Block[side] {
	type key struct{ family, procs int }
	at := map[key]int{}
	var blocks []contest.Block[side]
	for _, c := range t.Cells {
		f := r.rec.family(c.Bench)
		k := key{f, c.Procs}
		if r.rec.base(f) == "" {
			k.procs = 0 // it is compared with itself on one processor
		}
		if _, ok := at[k]; !ok {
			at[k] = len(blocks)
			blocks = append(blocks, contest.Block[side]{})
		}
		b := &blocks[at[k]]
		twin := c
		twin.Twin = true
		b.Add(side{"", c}, side{t.ID, c})
		b.Add(side{"", c}, side{"", twin})
		if more {
			for _, q := range r.rec.asks(t, c) {
				b.Add(q, side{t.ID, c})
			}
		}
	}
	if more {
		for _, bench := range r.rec.Controls[:min(len(r.rec.Controls), mostControls)] {
			for _, procs := range r.rec.Procs {
				c := measure.Cell{Bench: bench, Procs: procs}
				var b contest.Block[side]
				b.Add(side{"", c}, side{t.ID, c})
				blocks = append(blocks, b)
			}
		}
	}
	return blocks
}

// combine tries what was kept as one change.
func (r *run) combine(ctx context.Context) error {
	if !r.together {
		return nil
	}
	var kept []string
	for _, p := range Judge(r.rec) {
		if p.Word == Kept {
			kept = append(kept, p.Candidate)
		}
	}
	if len(kept) < 2 {
		return nil
	}
	c, err := r.o.Together(kept)
	if err != nil {
		r.note("%v", err)
		return nil
	}
	c.Cells = nil
	for _, id := range kept {
		for _, cell := range r.rec.trial(id).Cells {
			if !slices.Contains(c.Cells, cell) {
				c.Cells = append(c.Cells, cell)
			}
		}
	}
	r.rec.Together = &Trial{Candidate: c}
	t := r.rec.Together
	r.step("testing what is kept as one change", 0, 1)
	ok, err := r.build(ctx, t)
	if err == nil && ok {
		ok, err = r.sound(ctx, t)
	}
	r.part.checked, r.part.chosen = r.now().Sub(r.start), r.now().Sub(r.start)
	if err != nil || !ok {
		return err
	}
	return r.confirm(ctx, Combining, t)
}

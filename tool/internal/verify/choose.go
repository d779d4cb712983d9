package verify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

const (
	firstRounds = 4  // of the first stage; each stage makes as many as there were before
	mostRounds  = 64 // of a stage
	leastStages = 2  // also where there is one candidate: they tell how noisy it is

	claimShare  = 0.6 // of the budget that is left, for a claim that others follow
	chooseShare = 0.4 // of that, for choosing
	fewLayouts  = 8   // to choose in; others are for the proof
)

// choose leaves candidates of a claim out by halves (successive halving: Karnin,
// Koren and Somekh, ICML 2013) until one is left: each stage takes about the same
// time, since half as many candidates are measured twice as often. It decides
// nothing but what is worth proving.
func (r *run) choose(ctx context.Context, claim string) error {
	end := r.left() - time.Duration(chooseShare*float64(r.left()))
	stages := r.stages(claim)
	done, least := 0, firstRounds
	for stage := range stages {
		alive := r.alive(claim)
		if len(alive) < 2 && stage >= leastStages {
			break // it has won
		}
		rounds := min(max(least, done), mostRounds)
		for i := range rounds {
			blocks := beside(r.alive(claim))
			if len(blocks) == 0 || done > 0 && r.left() < end {
				break
			}
			r.step("comparing", i, rounds)
			if err := r.visit(ctx, Selecting, r.rounds, r.some(done, min(2<<stage, fewLayouts)), blocks); err != nil {
				return err
			}
			r.rounds++
			done++
		}
		for id, why := range r.rec.slower(r.alive(claim), stage == stages-1, r.o.Spare) {
			r.out(id, Halved, "%s", why)
		}
		if stage == 0 {
			before := len(r.rec.Candidates)
			if err := r.compound(ctx, claim, end); err != nil {
				return err
			}
			if len(r.rec.Candidates) > before {
				least++ // fewer than 5 pairs do not tell how many prove it
			}
		}
	}
	r.part.chosen = r.now().Sub(r.start)
	return nil
}

// compound adds the best candidates of the sites of a claim as one, once all were
// measured a little: half of a disease may hide what the other half costs. It does
// not where the checks of it would take what is left until end.
func (r *run) compound(ctx context.Context, claim string, end time.Duration) error {
	if r.o.Together == nil {
		return nil
	}
	var sited []*Trial
	for i := range r.rec.Candidates {
		if t := &r.rec.Candidates[i]; t.Claim == claim && t.Site != "" && (t.Stage == "" || t.Stage == Halved) {
			sited = append(sited, t)
		}
	}
	var best []standing
	gain := 0 // of best, that do not seem to lose: they come first
	for _, s := range r.rec.standings(sited) {
		if !math.IsNaN(s.score) && !slices.ContainsFunc(best, func(x standing) bool { return x.Site == s.Site }) {
			best = append(best, s)
			if !s.loses && s.score > -math.Log1p(r.o.Bounds.Margin) {
				gain++
			}
		}
	}
	if gain > 1 {
		best = best[:gain]
	}
	for ; len(best) > 1; best = best[:len(best)-1] {
		var ids []string
		for _, t := range sited {
			if slices.ContainsFunc(best, func(s standing) bool { return s.ID == t.ID }) {
				ids = append(ids, t.ID)
			}
		}
		if slices.ContainsFunc(r.rec.Candidates, func(t Trial) bool { return slices.Equal(t.Parts, ids) }) || r.left()-took(best[0].Checks) < end {
			return nil
		}
		c, err := r.o.Together(ids)
		if err != nil {
			continue // they edit one place
		}
		c.Claim, c.Cells = claim, sited[0].Cells
		t := r.enter(c)
		r.step("building and testing "+t.ID, 0, 1)
		ok, err := r.build(ctx, t)
		if err == nil && ok {
			_, err = r.passes(ctx, t)
		}
		return err
	}
	return nil
}

func took(checks []Check) (d time.Duration) {
	for _, c := range checks {
		d += c.Took
	}
	return d
}

// stages is how many halves leave one candidate of a claim.
func (r *run) stages(claim string) int {
	return max(leastStages, 1+bits.Len(uint(max(1, len(r.alive(claim)))-1)))
}

// samples is how long samples are to be: as asked for, or shorter, so that the
// budget holds what is to be compared.
func (r *run) samples() time.Duration {
	first := 0 // samples of all first stages, as many as of the others
	for _, claim := range r.claims() {
		if alive := r.alive(claim); len(alive) > 0 {
			first += r.stages(claim) * firstRounds * (len(alive) + 1) * len(alive[0].Cells)
		}
	}
	return contest.Fits(r.o.Sample, time.Duration(chooseShare*float64(r.left())), first)
}

// beside are the blocks of a round: a cell, and what is measured there beside the
// untouched code.
func beside(alive []*Trial) []contest.Block[side] {
	var blocks []contest.Block[side]
	at := map[measure.Cell]int{}
	for _, t := range alive {
		for _, c := range t.Cells {
			if _, ok := at[c]; !ok {
				at[c] = len(blocks)
				blocks = append(blocks, contest.Block[side]{})
			}
			blocks[at[c]].Add(side{"", c}, side{t.ID, c})
		}
	}
	return blocks
}

// some returns the layout of a round that is to use so many, as long as there is
// time to make them.
func (r *run) some(round, layouts int) int {
	k := round % layouts
	if r.arms.Layouts.None || k > 0 && r.arms.Layouts.Dear(r.o.Budget) {
		return 0
	}
	return k
}

// A standing is how a candidate does while one is chosen.
type standing struct {
	*Trial
	score float64      // mean log ratio over its cells; NaN without pairs
	keeps float64      // how little speaks for a loss at any cell, from 0 to 1
	risk  measure.Cell // where most does
	worth float64      // of the score, what that leaves
	loses bool         // at a cell, plainly
	gains bool         // likewise
}

const (
	lossLevel = 0.9 // of the interval that shows a loss
	gainLevel = 0.8 // likewise a gain: four pairs can
)

// standings returns candidates of one claim, the best first: the one by which most
// is gained, as far as it will be kept, since what loses at any cell is not, and
// gains nothing then. What plainly loses somewhere comes last.
func (r *Record) standings(of []*Trial) []standing {
	all := make([]standing, len(of))
	margin := math.Log1p(r.Bounds.Margin)
	for i, t := range of {
		s := standing{Trial: t, score: math.NaN(), worth: math.NaN(), keeps: 1}
		sum, n, least := 0.0, 0, 2.0
		for _, c := range t.Cells {
			logs := r.pairs(Selecting, side{"", c}, side{t.ID, c}, false).Logs
			if len(logs) == 0 {
				continue
			}
			centre := stats.HodgesLehmann(logs)
			sum += centre
			n++
			_, high := stats.SignedRankInterval(logs, lossLevel)
			s.loses = s.loses || high < 0 && centre < -margin
			low, _ := stats.SignedRankInterval(logs, gainLevel)
			s.gains = s.gains || low > 0 && centre > margin
			x := unlikely(logs, -margin)
			if s.keeps *= x; x < least {
				least, s.risk = x, c
			}
		}
		if n > 0 {
			s.score = sum/float64(n) - float64(t.Rank)*math.Log1p(rankCosts)
			if s.worth = s.score; s.score > 0 {
				s.worth *= s.keeps
			}
		}
		all[i] = s
	}
	slices.SortStableFunc(all, func(a, b standing) int {
		if a.loses != b.loses {
			if a.loses {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.worth, a.worth) // NaN is the least
	})
	return all
}

// unlikely is how little x speaks for a centre below a bound: 1 where it does not,
// else the p-value of the signed-rank test against it.
func unlikely(x []float64, bound float64) float64 {
	if !(stats.HodgesLehmann(x) < bound) {
		return 1
	}
	above := make([]float64, len(x))
	for i := range x {
		above[i] = x[i] - bound
	}
	return stats.SignedRank(above)
}

// rankCosts is how much faster a candidate has to be for each rank.
const rankCosts = 0.01

// near is the part of what the best is worth that a simpler one has to be worth.
const near = 0.9

// simplest returns the best of standings, or the simplest of those that are not
// plainly slower than it by what counts.
func (r *Record) simplest(order []standing) standing {
	best := order[0]
	for _, s := range order[1:] {
		if !(s.worth >= near*order[0].worth) || s.simplicity(best) >= 0 {
			continue
		}
		if _, high := r.apart(order[0], s, lossLevel); high >= -math.Log1p(r.Bounds.Margin) {
			best = s
		}
	}
	return best
}

// simplicity compares two edits: what has the lower rank is simpler, and then what
// changes fewer lines.
func (c *Candidate) simplicity(than standing) int {
	return cmp.Or(cmp.Compare(c.Rank, than.Rank), cmp.Compare(lines(c.Diff), lines(than.Diff)))
}

func lines(diff string) int { return strings.Count(diff, "\n+") + strings.Count(diff, "\n-") }

// apart is the interval of how many times as fast the second is as the first, over
// all cells, as logarithms.
func (r *Record) apart(a, b standing, level float64) (low, high float64) {
	var logs []float64
	for _, c := range b.Cells {
		logs = append(logs, r.pairs(Selecting, side{a.ID, c}, side{b.ID, c}, false).Logs...)
	}
	return stats.SignedRankInterval(logs, level)
}

// slower says which candidates of one claim go after a stage, by ID, and why:
// those whose interval says that they are slower than the best by more than
// spare, and unless something is to be spared the worse half of the sweeps and of
// the values in each. The best at any cell stays: what is better on the whole may
// turn out to lose there. At the last stage the best stays alone, or what is
// simpler and as good.
func (r *Record) slower(alive []*Trial, last bool, spare float64) map[string]string {
	if len(alive) < 2 {
		return nil
	}
	order := r.standings(alive)
	best, simple := order[0], r.simplest(order)
	if last {
		best = simple
	}
	var sweeps []string
	values := map[string]int{}
	for _, s := range order {
		if values[s.Sweep]++; values[s.Sweep] == 1 {
			sweeps = append(sweeps, s.Sweep)
		}
	}
	first := map[string]bool{simple.ID: true} // and the best at a cell
	for _, c := range best.Cells {
		id, most := "", math.Inf(-1)
		for _, s := range order {
			if x := r.Ratio(s.ID, c).Ratio; x > most {
				id, most = s.ID, x
			}
		}
		first[id] = true
	}
	goes := map[string]string{}
	seen := map[string]int{}
	for _, s := range order {
		if seen[s.Sweep]++; s.ID == best.ID {
			continue
		}
		_, high := r.apart(best, s, 0.99)
		worse := slices.Index(sweeps, s.Sweep) >= (len(sweeps)+1)/2 || seen[s.Sweep] > (values[s.Sweep]+1)/2
		if last || !first[s.ID] && (high < -math.Log1p(spare) || spare == 0 && worse) {
			goes[s.ID] = r.beaten(s, best)
		}
	}
	return goes
}

// beaten says why one candidate goes and the best of its claim stays.
func (r *Record) beaten(s, best standing) string {
	if s.loses && !best.loses {
		return fmt.Sprintf("it slows %s down, which %s does not", strings.Join(r.losses(s.Trial), ", "), best.ID)
	}
	ratio := math.Exp(s.score - best.score)
	switch {
	case math.IsNaN(ratio):
		return best.ID + " was measured instead"
	case ratio > 1/0.995 && s.worth < best.worth:
		return fmt.Sprintf("it may slow %s down, and %s gains more surely", s.risk, best.ID)
	case ratio > 0.995:
		return best.ID + " was as fast"
	}
	return fmt.Sprintf("%s was faster: this has %.2f of its speed", best.ID, ratio)
}

// losses are the cells at which a candidate is slower than the untouched code.
func (r *Record) losses(t *Trial) (all []string) {
	for _, c := range t.Cells {
		if x := r.Ratio(t.ID, c); x.Ratio < 1/(1+r.Bounds.Margin) {
			all = append(all, c.String())
		}
	}
	return all
}

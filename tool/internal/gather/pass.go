package gather

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// errShare says that a verdict needs more than its share of the budget.
var errShare = errors.New("the share of the budget is spent")

// What a pass gathers, in words.
const (
	leastEvidence = "evidence"
	moreEvidence  = "more evidence"
)

// pass gathers for each verdict, in their order, within its share of what is
// left: what one does not use goes to the others, and those whose share is too
// small come again when all have had theirs. Where no share is enough, the
// first verdict takes what it needs, and so on. It returns the verdicts that
// have all they need of the pass; an error ends the gathering. Progress counts
// those of the first pass; what says what the pass is.
func (g *gathering) pass(ctx context.Context, what string, verdicts []judge.Verdict, gather func(context.Context, judge.Verdict) error) (done []judge.Verdict, err error) {
	all := len(verdicts)
	for len(verdicts) > 0 {
		var later []judge.Verdict
		for i, v := range verdicts {
			count := ""
			if what == leastEvidence {
				count = fmt.Sprintf(" (%d of %d)", len(done)+1, all)
			}
			g.o.Progress("%s: %s on %s at %d%s", g.s.Package, what, v.New.Bench, v.New.Procs, count)
			g.share(len(verdicts) - i + len(later))
			switch err := gather(ctx, v); {
			case errors.Is(err, errShare):
				later = append(later, v)
			case err != nil:
				return done, err
			default:
				done = append(done, v)
			}
		}
		if len(later) == len(verdicts) {
			g.share(1)
			switch err := gather(ctx, later[0]); {
			case err == nil:
				done = append(done, later[0])
			case !errors.Is(err, errShare):
				return done, err
			}
			later = later[1:]
		}
		verdicts = later
	}
	return done, nil
}

// share gives the next verdict the n-th part of what is left.
func (g *gathering) share(n int) {
	if !g.end.IsZero() {
		now := g.o.Now()
		g.until = now.Add(g.end.Sub(now) / time.Duration(n))
	}
}

// fits returns errShare if what takes so long is not within the share.
func (g *gathering) fits(d time.Duration) error {
	if !g.until.IsZero() && g.o.Now().Add(d).After(g.until) {
		return errShare
	}
	return nil
}

// patience is how long a process that usually takes so long may be silent: a
// minute where no share is set.
func (g *gathering) patience(usual time.Duration) time.Duration {
	share := time.Minute
	if !g.until.IsZero() {
		share = g.until.Sub(g.o.Now())
	}
	return measure.Patience(share, usual)
}

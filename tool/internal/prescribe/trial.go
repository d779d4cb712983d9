package prescribe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// worthwhile is what moving variables apart has to gain in the run's own trial, by
// what it may be at best: what that cures is a multiple.
const worthwhile = 1.1

// against is a trial of the run that speaks against an edit for these cells that does
// nothing but move variables apart: it moved what met on a line of their benchmarks,
// and that was no faster. nil: there is none, or another one speaks for it. Of an edit
// that may move something else than the trial did, all that met has to have been moved.
func (c *chemist) against(cells []measure.Cell, other bool) (trial *evidence.Trial) {
	for _, x := range worst(c.Findings) {
		set := x.Page.Evidence()
		if !slices.Contains(cells, x.Verdict.New) || set == nil || set.Sharing == nil || set.Sharing.Pad == nil {
			continue
		}
		t := set.Sharing.Pad
		if other && !set.Sharing.Whole() || t.Low > 1 || t.High >= worthwhile && t.Ratio > 1 {
			return nil
		}
		trial = t
	}
	return trial
}

// movesApart reports whether an edit does nothing but move variables apart.
func movesApart(name string) bool { return strings.HasPrefix(name, "pad") }

// noFaster says what a trial found.
func noFaster(t *evidence.Trial) error {
	return fmt.Errorf("when the run moved apart what goroutines were seen to share there, it was %sx as fast [%s, %s]", figure.Ratio(t.Ratio), figure.Ratio(t.Low), figure.Ratio(t.High))
}

package explain

import (
	"math"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// codeLayout claims the user's code beyond the base's, as far as the layout of
// the functions moves it: measured in many layouts, the difference changes its
// sign from one to the next, or by half.
func codeLayout(f *facts) claim {
	if !f.v.ByLayout {
		return claim{}
	}
	low, high := f.v.LayoutRange()
	moves := (math.Sqrt(high/low) - 1) * f.new.CPU
	return claim{ns: f.book.take(moves, at([]stack.Category{stack.User}, AtOne, AtOnce)...), evidence: f.layoutEvidence()}
}

func (f *facts) layoutEvidence() []Line {
	low, high := f.v.LayoutRange()
	return []Line{say("in eight of ten layouts of the code it is %sx to %sx as fast as %s; that the layouts are alike has p = %.2g", figure.Ratio(low), figure.Ratio(high), f.baseName(), f.v.Layout.P)}
}

// layoutAlone is the cause where no time is lost, or hardly any, and the layout
// is why one layout, or another tool, would say something else; nil elsewhere.
func (f *facts) layoutAlone() *Cause {
	if !f.v.ByLayout {
		return nil
	}
	c := whole(catalog.Layout, f.lost, f.layoutEvidence()...)
	return &c
}

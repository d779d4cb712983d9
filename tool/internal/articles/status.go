package articles

import (
	"math"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/judge"
)

// Status says what has become of a conclusion, and why it cannot be said.
//
// A difference holds if it is proven in the same direction and reaches half of
// the article's, in logarithms; less of it holds weaker; none, or one in the
// other direction, is the end of it. Where the article has no figure, the
// direction decides. Where it concludes that there is no difference, or none in one
// direction ("does not make it faster"), that holds as long as today's interval
// stays within what counts as even in articles, or beyond it in the other
// direction.
//
// How something scales is compared for each doubling of the processors: an
// article's 8 may have to be held against 2.
func Status(then Then, now Today) (status gallery.Status, why string) {
	if then.Procs != then.BaseProcs && now.Procs == now.BaseProcs {
		return gallery.CannotSay, "it was measured at one number of processors"
	}
	directions := strings.Split(then.Direction, "|")
	if slices.Contains(directions, string(judge.Even)) {
		low, high := Number(1/gallery.Even), Number(gallery.Even)
		if slices.Contains(directions, string(judge.Loses)) {
			low = 0
		}
		if slices.Contains(directions, string(judge.Pays)) {
			high = Number(math.Inf(1))
		}
		switch {
		case now.Verdict == judge.Even || now.Low >= low && now.High <= high:
			return gallery.Holds, ""
		case now.Low > high || now.High < low:
			return gallery.NoLonger, ""
		}
		return gallery.CannotSay, tooWide
	}
	switch {
	case now.Verdict == judge.CannotSay:
		return gallery.CannotSay, tooWide
	case string(now.Verdict) != then.Direction:
		return gallery.NoLonger, ""
	case then.Speed == 0 || reach(float64(now.Speed), now.Procs, now.BaseProcs) >= reach(then.Speed, then.Procs, then.BaseProcs)/2:
		return gallery.Holds, ""
	}
	return gallery.Weaker, ""
}

const tooWide = "the interval is too wide"

// reach is the size of an effect: of the speed, or of the speed for each
// doubling of the processors.
func reach(speed float64, procs, base int) float64 {
	size := math.Abs(math.Log2(speed))
	if procs != base {
		size /= math.Abs(math.Log2(float64(procs) / float64(base)))
	}
	return size
}

// worse reports whether a says less of a conclusion than b.
func worse(a, b gallery.Status) bool {
	order := []gallery.Status{gallery.Holds, gallery.Weaker, gallery.CannotSay, gallery.NoLonger}
	return slices.Index(order, a) > slices.Index(order, b)
}

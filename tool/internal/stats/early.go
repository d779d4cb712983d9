package stats

import (
	"math"
	"slices"

	moremath "github.com/aclements/go-moremath/stats"
)

// plainly is the ratio that every pair of an early look must reach, so that
// a cell far noisier than the control does not pass for a difference.
var plainly = math.Log(2)

// earlyLook is the reading of sorted pairs that are too few for a test by signs
// alone, 6 or less by the default rule. It supposes that, were the codes equal, the magnitudes of the n
// pairs and of the m control pairs could be exchanged. All n then have one sign
// and no more than j control pairs among them or above with a chance of at most
//
//	2^(1-n) C(n+j, n) / C(m+n, n)
//
// which is p for the j that was seen, if every pair lies plainly on one side; 1
// otherwise. The interval inverts that: it moves the hull of the pairs out by
// the control magnitude that leaves j above it, for the largest j with a chance
// of at most alpha, and plainly at least. With fewer control pairs than that
// takes, p is 1, and the interval is that of Student's t, for display.
func earlyLook(x, control []float64, alpha float64) (low, high, p float64) {
	n := len(x)
	if n < 2 {
		return math.Inf(-1), math.Inf(1), 1
	}
	c := make([]float64, len(control))
	for i, v := range control {
		c[i] = math.Abs(v)
	}
	slices.Sort(c)
	slices.Reverse(c)
	chance := func(j int) float64 {
		p := math.Ldexp(1, 1-n)
		for i := range n {
			p *= float64(n+j-i) / float64(len(c)+n-i)
		}
		return p
	}
	least, most := x[0], x[n-1]
	p = 1
	if near := max(least, -most); near >= plainly {
		above := 0
		for above < len(c) && c[above] >= near {
			above++
		}
		p = chance(above)
	}
	if chance(0) > alpha { // for display: as if the pairs were normal
		_, low, high = moremath.MeanCI(x, 1-alpha)
		return min(low, least), max(high, most), 1
	}
	j := 0
	for j+1 < len(c) && chance(j+1) <= alpha {
		j++
	}
	out := plainly
	if len(c) > 0 { // else the signs alone are enough
		out = max(out, c[j])
	}
	return least - out, most + out, p
}

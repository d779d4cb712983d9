package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// A LayoutEffect is what the layout of the code does to a ratio.
type LayoutEffect struct {
	// SD is the standard deviation of the log ratio from layout to layout, what
	// runs in one layout scatter taken off.
	SD float64
	// P is the p-value of "layouts do not matter".
	P float64
}

// LayoutEffect takes the scatter of the pairs apart, into that between layouts
// and that within: a one-way analysis of variance for SD, of ranks for P
// (Kruskal and Wallis, JASA 47, 1952), by permuting the pairs over the layouts. It reports false where fewer than 6 layouts have two pairs
// or more, or a log ratio is not finite. The same pairs give the same result.
func (p Pairs) LayoutEffect() (LayoutEffect, bool) {
	const (
		least   = 6
		permute = 999
	)
	if len(p.Layouts) != len(p.Logs) || !finite(p.Logs) {
		return LayoutEffect{}, false
	}
	var sizes []int
	var x []float64
	for _, logs := range p.byLayout() {
		if len(logs) >= 2 {
			sizes = append(sizes, len(logs))
			x = append(x, logs...)
		}
	}
	if len(sizes) < least {
		return LayoutEffect{}, false
	}
	between, within := squares(clip(x), sizes)
	k, n := float64(len(sizes)), float64(len(x))
	msb, msw := between/(k-1), within/(n-k)
	e := LayoutEffect{SD: math.Sqrt(max(0, msb-msw) / (n / k))}

	// The total is fixed, so the part between layouts says it all.
	x = ranks(x)
	between, _ = squares(x, sizes)
	rng := rand.New(rand.NewPCG(0, 0x6c61796f7574))
	larger := 1
	for range permute {
		rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		if b, _ := squares(x, sizes); b >= between {
			larger++
		}
	}
	e.P = float64(larger) / (permute + 1)
	return e, true
}

// squares are the sums of squares between and within groups of the sizes.
func squares(x []float64, sizes []int) (between, within float64) {
	all := 0.0
	for _, v := range x {
		all += v
	}
	all /= float64(len(x))
	for _, n := range sizes {
		mean := 0.0
		for _, v := range x[:n] {
			mean += v
		}
		mean /= float64(n)
		for _, v := range x[:n] {
			within += (v - mean) * (v - mean)
		}
		between += float64(n) * (mean - all) * (mean - all)
		x = x[n:]
	}
	return between, within
}

// clip moves outliers to three robust standard deviations from the median: one
// burst of other work is no layout.
func clip(x []float64) []float64 {
	centre := Median(x)
	off := make([]float64, len(x))
	for i, v := range x {
		off[i] = math.Abs(v - centre)
	}
	most := 3 * 1.4826 * Median(off)
	out := slices.Clone(x)
	for i, v := range out {
		out[i] = min(max(v, centre-most), centre+most)
	}
	return out
}

// ranks are the positions of the values in their order; ties are broken by place.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	out := make([]float64, len(x))
	for r, i := range order {
		out[i] = float64(r)
	}
	return out
}

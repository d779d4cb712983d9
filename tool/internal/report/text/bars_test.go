package text

import (
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/report"
)

// TestSpeedup: the bar is the part of what the processors beyond the base's could give.
func TestSpeedup(t *testing.T) {
	for _, tt := range []struct {
		base, procs int
		ratio       float64
		want        string
	}{
		{1, 2, 2, "########"}, {1, 2, 1, "####...."}, {2, 4, 2, "########"}, {2, 8, 2, "####...."}, {1, 16, 4, "##......"}, {1, 8, 9, "########"}, {1, 8, 0.01, "........"}, {1, 1, 1, ""}, {4, 4, 1, ""}, {4, 2, 1, ""}, {0, 2, 1, ""},
	} {
		c := &report.Comparison{BaseProcs: tt.base, Procs: tt.procs, Pairs: 12, Ratio: &tt.ratio}
		if got := speedup(pens[ASCII], c); got != tt.want {
			t.Errorf("%v from %d to %d: %q, want %q", tt.ratio, tt.base, tt.procs, got, tt.want)
		}
	}
}

// TestNoise: the control's interval widens what counts for nothing, if it is of enough
// pairs, and never narrows it.
func TestNoise(t *testing.T) {
	for _, tt := range []struct {
		low, high  float64
		pairs      int
		noise, far float64
	}{
		{0.5, 1.5, enough, 0.5, 1.5}, {0.5, 1.5, enough - 1, 0.8, 1.25}, {0.9, 1.1, enough, 0.8, 1.25}, {0.5, 1.1, enough, 0.5, 1.25}, {0.9, 1.5, enough, 0.8, 1.5},
	} {
		p := report.Package{Margin: 0.25}
		p.Control.Low, p.Control.High, p.Control.Pairs = &tt.low, &tt.high, tt.pairs
		if a, _ := newAxis(p, nil); a.noise != tt.noise || a.far != tt.far {
			t.Errorf("control [%v, %v] of %d: noise from %v to %v, want %v to %v", tt.low, tt.high, tt.pairs, a.noise, a.far, tt.noise, tt.far)
		}
	}
}

// TestBeyond: an end of an interval that is off the axis is an arrow there.
func TestBeyond(t *testing.T) {
	a := axis{low: 0.5, high: 2, noise: 0.99, far: 1.01, width: 13}
	for _, tt := range []struct {
		low, ratio, high float64
		want             string
	}{
		{0.5, 1, 2, "[-----o-----]"}, {0.48, 1, 2.08, "[-----o-----]"}, {0.47, 1, 2.12, "<-----o----->"}, {1, 1.4142, 2.12, "      [--o-->"}, {0.47, 0.7071, 1, "<--o--]"}, {0.1, 0.2, 0.3, "<     |"},
	} {
		c := &report.Comparison{Pairs: 12, Ratio: &tt.ratio, Low: &tt.low, High: &tt.high}
		if got := a.interval(pens[ASCII], c); got != tt.want {
			t.Errorf("%v [%v, %v]: %q, want %q", tt.ratio, tt.low, tt.high, got, tt.want)
		}
	}
}

// TestFoot: the noise floor is told of enough pairs, and not of fewer.
func TestFoot(t *testing.T) {
	for pairs, want := range map[int]string{
		enough:     "1.000 [0.990, 1.010] over 8 pairs; as noisy a comparison finds 2.0% with the pairs of the last look",
		enough - 1: "not known after 7 pairs",
	} {
		value, low, high, resolution := 1., 0.99, 1.01, 0.02
		p := report.Package{Resolution: &resolution}
		p.Control.Value, p.Control.Low, p.Control.High, p.Control.Pairs = &value, &low, &high, pairs
		var b strings.Builder
		newWriter(&b, Options{}).foot(p)
		if got, _, _ := strings.Cut(b.String(), "; differences"); got != "  noise floor (the same code against itself): "+want {
			t.Errorf("of %d pairs: %q, want %q", pairs, got, want)
		}
	}
}

package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/gopayoff/payoff/tool/internal/measure"
)

// A Strip is the samples of one benchmark at one GOMAXPROCS, in the order in which they
// were taken.
type Strip struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Procs   int    `json:"procs"`
	Points  []Dot  `json:"points"`
	Every   int    `json:"every,omitempty"` // above 1: so many were taken for each that is here
}

// A Dot is a sample: the round it was taken in, its time per operation in four digits,
// which is more than a picture shows, and whether it was dropped, since others had disturbed it.
type Dot struct {
	Round   int     `json:"round"`
	NS      float64 `json:"ns"`
	Dropped bool    `json:"dropped,omitempty"`
}

// Strips returns the samples of all benchmarks, in the order of their names, but no
// more than most of them: from long strips every second is left out, or every third,
// and so on.
func Strips(series []*measure.Series, most int) (all []Strip) {
	n := 0
	for _, s := range series {
		cells := map[measure.Cell]bool{}
		for _, m := range []map[measure.Cell][]measure.Sample{s.Samples, s.Spoiled} {
			for c := range m {
				cells[c] = cells[c] || !c.Twin
			}
		}
		for _, c := range slices.SortedFunc(maps.Keys(cells), func(a, b measure.Cell) int {
			return cmp.Or(cmp.Compare(a.Bench, b.Bench), cmp.Compare(a.Procs, b.Procs))
		}) {
			if !cells[c] {
				continue // the second run of a cell is the control's
			}
			x := Strip{Package: s.Package, Name: c.Bench, Procs: c.Procs}
			for _, k := range s.Samples[c] {
				x.Points = append(x.Points, Dot{int(k.Round), short(k.Wall), false})
			}
			for _, k := range s.Spoiled[c] {
				x.Points = append(x.Points, Dot{int(k.Round), short(k.Wall), true})
			}
			slices.SortStableFunc(x.Points, func(a, b Dot) int { return cmp.Compare(a.Round, b.Round) })
			if n += len(x.Points); len(x.Points) > 0 {
				all = append(all, x)
			}
		}
	}
	if n <= most {
		return all
	}
	each := max(1, most/len(all))
	for i := range all {
		x := &all[i]
		if x.Every = (len(x.Points) + each - 1) / each; x.Every > 1 {
			var kept []Dot
			for j := 0; j < len(x.Points); j += x.Every {
				kept = append(kept, x.Points[j])
			}
			x.Points = kept
		}
	}
	return all
}

func short(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return x
}

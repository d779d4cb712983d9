package prescribe

import (
	"slices"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/vet/heat"
)

// Times enters into a map, made of the findings of a package, how long an
// operation of each benchmark of the package takes. Those that nothing explains
// come into it by that.
func Times(m *heat.Map, s *measure.Series) {
	for _, l := range s.Listed {
		for _, procs := range s.Procs {
			ns := median(s.Samples[measure.Cell{Bench: l.Name, Procs: procs}])
			if ns == 0 {
				continue
			}
			i := slices.IndexFunc(m.Benches, func(b heat.Bench) bool { return b.Name == l.Name && b.Procs == procs })
			if i < 0 {
				i = len(m.Benches)
				m.Benches = append(m.Benches, heat.Bench{Name: l.Name, Procs: procs})
			}
			m.Benches[i].Package, m.Benches[i].NS = s.Package, ns
		}
	}
}

// median is that of the times of an operation; 0 of none.
func median(samples []measure.Sample) float64 {
	var walls []float64
	for _, s := range samples {
		walls = append(walls, s.Wall)
	}
	if len(walls) == 0 {
		return 0
	}
	slices.Sort(walls)
	return walls[len(walls)/2]
}

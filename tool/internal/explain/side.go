package explain

import (
	"math"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Side is one cell with its times per operation, ns, taken apart by the
// shares of its CPU profile.
type Side struct {
	Cell      measure.Cell
	Wall, CPU float64
	// Stolen is the time its threads stood ready while the system ran others.
	Stolen float64
	By     map[cpuprof.Category]float64 // sums to CPU; nil without a profile
	Allocs float64
	Set    *evidence.Set
}

// newSide returns the side of a cell. Its times are those of its samples; a
// cell that was not timed has those of its profiled run. It is nil if neither
// is known.
func newSide(s *measure.Series, c measure.Cell) *Side {
	x := &Side{Cell: c, Set: s.Evidence[c]}
	var wall, cpu, allocs, stolen []float64
	for _, sample := range s.Samples[c] {
		wall = append(wall, sample.Wall)
		if !math.IsNaN(sample.CPU) {
			cpu = append(cpu, sample.CPU)
			stolen = append(stolen, sample.CPU*(1/float64(sample.Got)-1))
		}
		allocs = append(allocs, float64(sample.Allocs))
	}
	if len(cpu) > 0 {
		x.Wall, x.CPU, x.Allocs, x.Stolen = stats.Median(wall), stats.Median(cpu), stats.Median(allocs), stats.Median(stolen)
	} else if x.Set != nil && x.Set.Profiled != nil && x.Set.Profiled.CPU > 0 {
		x.Wall, x.CPU = x.Set.Profiled.Wall, x.Set.Profiled.CPU
	} else {
		return nil
	}
	if x.Set != nil && x.Set.CPU != nil {
		x.By = map[cpuprof.Category]float64{}
		if x.Set.CPU.Samples == 0 {
			x.By[cpuprof.User] = x.CPU // it waits all the time
		}
		for c, share := range x.Set.CPU.Share {
			x.By[c] = share * x.CPU
		}
	}
	return x
}

// by is the time in categories; 0 for a side that is not known.
func (x *Side) by(cs ...cpuprof.Category) float64 {
	total := 0.0
	if x != nil {
		for _, c := range cs {
			total += x.By[c]
		}
	}
	return total
}

// deviation is the standard deviation of by that comes from sampling.
func (x *Side) deviation(cs ...cpuprof.Category) float64 {
	if x == nil || x.Set == nil || x.Set.CPU == nil || x.Set.CPU.Samples == 0 || x.CPU <= 0 {
		return 0
	}
	p := min(x.by(cs...)/x.CPU, 1)
	return x.CPU * math.Sqrt(p*(1-p)/float64(x.Set.CPU.Samples))
}

// kind is the time in user code on instructions of a kind that reach memory
// others can reach.
func (x *Side) kind(kinds ...instr.Kind) float64 {
	total := 0.0
	if x == nil || x.Set == nil {
		return 0
	}
	for _, h := range x.Set.Hot {
		if h.Where.Category == cpuprof.User && !h.What.Stack {
			for _, k := range kinds {
				if h.What.Kind == k {
					total += h.Where.Share * x.CPU
				}
			}
		}
	}
	return total
}

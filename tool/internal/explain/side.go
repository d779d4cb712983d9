package explain

import (
	"math"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Side is one cell with its times per operation, ns, taken apart by the
// shares of its CPU profile.
type Side struct {
	Cell      measure.Cell
	Wall, CPU float64
	// Stolen is the time its threads stood ready while the system ran others.
	Stolen float64
	By     map[stack.Category]float64 // sums to CPU; nil without a profile
	Allocs float64
	Faults float64 // of pages, per operation
	System float64 // ns of CPU in the kernel
	Live   float64 // bytes that collections leave in the heap
	Cycles float64 // collections per operation
	Set    *evidence.Set
}

// NewSide returns the side of a cell. Its times are those of its samples; a
// cell that was not timed has those of its profiled run. It is nil if neither
// is known.
func NewSide(s *measure.Series, c measure.Cell) *Side {
	x := &Side{Cell: c, Set: s.Evidence[c]}
	var wall, cpu, allocs, stolen, faults, system, live, cycles []float64
	for _, sample := range s.Samples[c] {
		wall = append(wall, sample.Wall)
		if !math.IsNaN(sample.CPU) {
			cpu = append(cpu, sample.CPU)
			stolen = append(stolen, taken(sample, c.Procs))
		}
		allocs = append(allocs, float64(sample.Allocs))
		faults = append(faults, float64(sample.Faults))
		system = append(system, float64(sample.System))
		live = append(live, float64(sample.Live))
		cycles = append(cycles, float64(sample.GC))
	}
	if len(cpu) > 0 {
		x.Wall, x.CPU, x.Allocs, x.Stolen = stats.Median(wall), stats.Median(cpu), stats.Median(allocs), stats.Median(stolen)
		x.Faults, x.System, x.Live, x.Cycles = known(faults), known(system), known(live), mean(cycles)
	} else if x.Set != nil && x.Set.Profiled != nil && x.Set.Profiled.CPU > 0 {
		x.Wall, x.CPU = x.Set.Profiled.Wall, x.Set.Profiled.CPU
	} else {
		return nil
	}
	if x.Set != nil && x.Set.Profiled != nil && x.Set.Profiled.Heap != nil {
		h := x.Set.Profiled.Heap
		if len(cpu) == 0 || x.Faults > h.Faults {
			x.Faults = h.Faults
		}
		x.Cycles, x.Live = max(x.Cycles, h.Cycles), max(x.Live, h.Live)
	}
	if x.Set != nil && x.Set.CPU != nil {
		x.By = map[stack.Category]float64{}
		if x.Set.CPU.Samples == 0 {
			x.By[stack.User] = x.CPU // it waits all the time
		}
		for c, share := range x.Set.CPU.Share {
			x.By[c] = share * x.CPU
		}
	}
	return x
}

// taken is the processor time per operation that others had of what s could have
// used. Older records tell only how long its threads stood ready, for whomever.
func taken(s measure.Sample, procs int) float64 {
	if others := float64(s.Others); !math.IsNaN(others) {
		return (others + float64(s.Steal)) * float64(procs) * s.Wall
	}
	return s.CPU * (1/float64(s.Got) - 1)
}

// known is the median, 0 if it is not known.
func known(xs []float64) float64 {
	if m := stats.Median(xs); !math.IsNaN(m) {
		return m
	}
	return 0
}

// mean is for what not every sample has.
func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	if math.IsNaN(sum) || len(xs) == 0 {
		return 0
	}
	return sum / float64(len(xs))
}

// by is the time in categories; 0 for a side that is not known.
func (x *Side) by(cs ...stack.Category) float64 {
	total := 0.0
	if x != nil {
		for _, c := range cs {
			total += x.By[c]
		}
	}
	return total
}

// deviation is the standard deviation of by that comes from sampling.
func (x *Side) deviation(cs ...stack.Category) float64 {
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
		if h.Where.Category == stack.User && !h.What.Stack {
			for _, k := range kinds {
				if h.What.Kind == k {
					total += h.Where.Share * x.CPU
				}
			}
		}
	}
	return total
}

// updated are the lines with read-modify-writes.
func (x *Side) updated() []source.Place {
	var out []source.Place
	for _, h := range x.Set.Hot {
		if h.Where.Category == stack.User && !h.What.Stack && (h.What.Kind == instr.Locked || h.What.Kind == instr.RMW) {
			out = append(out, userSite(h))
		}
	}
	return out
}

// updates is the time behind read-modify-writes. A locked one holds up what
// comes after it, so it has all of a line in which it stands out.
func (x *Side) updates() float64 {
	if x == nil || x.Set == nil {
		return 0
	}
	locked, all := map[source.Place]float64{}, map[source.Place]float64{} // by line
	plain := 0.0
	for _, h := range x.Set.Hot {
		if h.Where.Category != stack.User {
			continue
		}
		l := source.Place{File: h.Where.User.File, Line: h.Where.User.Line}
		all[l] += h.Where.Share
		switch {
		case h.What.Stack:
		case h.What.Kind == instr.Locked:
			locked[l] += h.Where.Share
		case h.What.Kind == instr.RMW:
			plain += h.Where.Share
		}
	}
	total := plain
	for l, share := range locked {
		if share > all[l]/10 {
			total += all[l]
		}
	}
	return min(total, 1) * x.CPU
}

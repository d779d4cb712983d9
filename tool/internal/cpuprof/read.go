package cpuprof

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// ErrNoSamples is the error of a sound profile in which no sample counts.
var ErrNoSamples = errors.New("cpuprof: no sample counts: let the benchmark run longer")

// As many lines and instructions as a digest holds.
const (
	maxLines   = 40
	maxCallers = 64
	maxAbove   = 16 // callers of a line
	maxHot     = 64
)

// NS returns the time of category c per operation, in the unit of perOp, the
// processor time of one operation.
func (d *Digest) NS(c stack.Category, perOp float64) float64 { return d.Share[c] * perOp }

// Read digests a CPU profile as runtime/pprof and go test -cpuprofile write it.
// The error is [ErrNoSamples] if the profile is sound and none of its samples
// counts.
func Read(r io.Reader, o Options) (*Digest, error) {
	p, err := profile.Parse(r)
	if err != nil {
		return nil, fmt.Errorf("cpuprof: no profile, or a damaged one: %w", err)
	}
	count, cpu, err := columns(p)
	if err != nil {
		return nil, err
	}

	d := &Digest{Duration: float64(p.DurationNanos), Share: map[stack.Category]float64{}}
	if p.PeriodType != nil && p.PeriodType.Unit == "nanoseconds" {
		d.Period = float64(p.Period)
	}
	stacks := stack.NewReader(o.User, o.Place)
	var frames []source.Place
	lines := map[source.Place]*Line{}
	callers := map[source.Place]float64{}
	above, roots := map[source.Place]map[source.Place]float64{}, map[source.Place]map[source.Place]float64{} // callers by line
	hot := map[hotKey]*Hot{}
	var flame call
	own, others := map[string]float64{}, map[string]float64{} // by function
	for _, s := range p.Sample {
		if s.Value[count] < 0 || s.Value[cpu] < 0 {
			return nil, errors.New("cpuprof: negative sample: this is a difference of profiles: record one run")
		}
		frames = stack.Of(s, frames[:0])
		user, shown := stacks.Mine(frames)
		category := stacks.Mechanism(frames, user)
		ns := float64(s.Value[cpu])
		d.Samples += int(s.Value[count])
		d.Total += ns
		d.Share[category] += ns
		flame.add(frames, ns)
		if user < 0 {
			continue
		}
		if category == stack.User {
			if fn := frames[user].Func; ofBenchmark(frames) {
				own[fn] += ns
			} else {
				others[fn] += ns
			}
		}
		u := frames[shown]
		l := lines[u]
		if l == nil {
			l = &Line{Place: u, By: map[stack.Category]float64{}}
			lines[u], above[u], roots[u] = l, map[source.Place]float64{}, map[source.Place]float64{}
		}
		l.Share += ns
		l.By[category] += ns
		by := stacks.Callers(frames, shown)
		for _, c := range by {
			callers[c] += ns
			above[u][c] += ns
		}
		if n := len(by); n > 0 {
			roots[u][by[n-1]] += ns
		}

		switch category {
		case stack.User, stack.Lock, stack.RWMutex, stack.Copy, stack.Map:
		default:
			continue // the instruction would say nothing that the category does not
		}
		addr := Address(s.Location[0])
		// One instruction of the library can have several callers: each wants
		// its own fix.
		at := hotKey{addr, category, u}
		h := hot[at]
		if h == nil {
			h = &Hot{Addr: addr, Place: frames[0], Category: category, User: u}
			hot[at] = h
		}
		h.Share += ns
	}
	if d.Total == 0 {
		return nil, ErrNoSamples
	}
	for fn, ns := range own {
		d.Own += ns / d.Total
		if others[fn] > 0 {
			d.Common += ns / d.Total
		}
	}
	for u, l := range lines {
		for _, c := range largest(above[u], maxAbove) {
			l.Callers = append(l.Callers, Caller{c, above[u][c] / d.Total, roots[u][c] / d.Total})
		}
	}
	d.divide(lines, hot)
	d.Flame = flame.frames(d.Total)
	d.Callers = largest(callers, maxCallers)
	return d, nil
}

// largest are the places with most time, n at most.
func largest(times map[source.Place]float64, n int) []source.Place {
	all := slices.SortedFunc(maps.Keys(times), func(a, b source.Place) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), a.Compare(b))
	})
	return all[:min(len(all), n)]
}

// ofBenchmark reports whether a stack is that of the goroutine that runs a
// benchmark, not of one that it started or of RunParallel.
func ofBenchmark(frames []source.Place) bool {
	for _, f := range slices.Backward(frames) {
		if f.Func == "testing.(*B).runN" {
			return true
		}
	}
	return false
}

type hotKey struct {
	addr     uint64
	category stack.Category
	user     source.Place
}

// divide turns times into shares and keeps the largest, ties in a fixed order.
func (d *Digest) divide(lines map[source.Place]*Line, hot map[hotKey]*Hot) {
	for c := range d.Share {
		d.Share[c] /= d.Total
	}
	for _, l := range slices.Collect(maps.Values(lines)) {
		l.Share /= d.Total
		for c := range l.By {
			l.By[c] /= d.Total
		}
		d.Lines = append(d.Lines, *l)
	}
	slices.SortFunc(d.Lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), a.Compare(b.Place))
	})
	d.Lines = d.Lines[:min(len(d.Lines), maxLines)]

	for _, h := range hot {
		h.Share /= d.Total
		d.Hot = append(d.Hot, *h)
	}
	slices.SortFunc(d.Hot, func(a, b Hot) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Addr, b.Addr), cmp.Compare(a.Category, b.Category), a.User.Compare(b.User))
	})
	d.Hot = d.Hot[:min(len(d.Hot), maxHot)]
}

// columns returns which values of a sample are the number of samples and the
// nanoseconds of processor time.
func columns(p *profile.Profile) (count, cpu int, err error) {
	count, cpu = -1, -1
	var have []string
	for i, t := range p.SampleType {
		switch {
		case t.Type == "samples" && t.Unit == "count":
			count = i
		case t.Type == "cpu" && t.Unit == "nanoseconds":
			cpu = i
		}
		have = append(have, t.Type+"/"+t.Unit)
	}
	if count < 0 || cpu < 0 {
		return 0, 0, fmt.Errorf("cpuprof: a profile of %s, not of processor time: record it with -cpuprofile", strings.Join(have, ", "))
	}
	return count, cpu, nil
}

// Address returns the Hot.Addr of the code that ran at l.
//
// Go's linker places code below 4 GiB (0x400000 and the like) except on macOS
// and Windows; systems move code above it, where those two are in any case.
// There the mapping undoes the move. Where the linker had placed the code is in
// the executable alone.
func Address(l *profile.Location) uint64 {
	m := l.Mapping
	if m == nil || m.Start < 1<<32 || l.Address < m.Start {
		return l.Address
	}
	return l.Address - m.Start + m.Offset
}

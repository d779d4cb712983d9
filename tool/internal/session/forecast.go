package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/gather"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/predict"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// A Forecast asks what the benchmarks of a recorded run would do on more processors.
type Forecast struct {
	Bench string // regexp, as in go test -bench; default: all
	Procs []int  // default [predict.DefaultProcs]
	// Upto takes of the run what was measured at so many processors, or fewer; 0: all.
	// What it leaves is there to compare with.
	Upto int
	// Machine is one to predict for; nil: that of the run.
	Machine *predict.Machine

	acts int // of a graph, at most; 0: as many as it has
}

// A Forecasted is what was predicted of a run.
type Forecasted struct {
	Machine predict.Machine
	All     []predict.Prediction
}

// Forecast predicts. It runs nothing; ctx ends it between two benchmarks. The error with
// a Forecasted is of what of the record could not be read.
func (f Forecast) Of(ctx context.Context, dir string) (*Forecasted, error) {
	run, all, damage := store.Load(dir)
	if damage != nil && len(all) == 0 {
		return nil, damage
	}
	match := func(string) bool { return true }
	if f.Bench != "" && f.Bench != "." {
		var err error
		if match, err = discover.Matcher(f.Bench); err != nil {
			return nil, fmt.Errorf("benchmark %q: %w", f.Bench, err)
		}
	}
	out := &Forecasted{}
	if f.Machine != nil {
		out.Machine = *f.Machine
	} else {
		name := "the machine of the run"
		var err error
		if out.Machine, err = predict.NewMachine(name, run.Env, run.Prices, run.Capacity); err != nil {
			return nil, err
		}
	}
	for _, s := range all {
		next := plain.Shell("payoff", "predict", s.Package)
		files, err := store.EvidenceFiles(dir, s.Package, ".trace")
		damage = errors.Join(damage, err)
		for _, bench := range benches(s) {
			if ctx.Err() != nil {
				return out, context.Cause(ctx)
			}
			if !match(bench) {
				continue
			}
			in, err := f.input(s, bench, files)
			damage = errors.Join(damage, err)
			full := in.Walls
			in.Walls = upto(full, f.Upto)
			p, err := predict.Predict(in, out.Machine, predict.Options{Procs: f.Procs, Next: next})
			if err != nil {
				return out, fmt.Errorf("%s: %w", bench, err)
			}
			p.Package = s.Package
			p.Measure(full)
			out.All = append(out.All, p)
		}
	}
	if len(out.All) == 0 && damage == nil {
		return nil, fmt.Errorf("no benchmark of %s matches %q: %s shows them", dir, f.Bench, plain.Shell("payoff", "replay", dir))
	}
	return out, damage
}

// benches are those of a series that were measured, by name.
func benches(s *measure.Series) (names []string) {
	for c := range s.Samples {
		if !slices.Contains(names, c.Bench) {
			names = append(names, c.Bench)
		}
	}
	slices.Sort(names)
	return names
}

// upto is walls at so many processors, or fewer.
func upto(walls map[int][]float64, most int) map[int][]float64 {
	out := map[int][]float64{}
	for n, x := range walls {
		if most <= 0 || n <= most {
			out[n] = x
		}
	}
	return out
}

// mostTraces is how many traces of one kind are read.
const mostTraces = 3

// named are the first files whose names end with name.
func named(files []string, name string) (out []string) {
	for _, file := range files {
		if strings.HasSuffix(filepath.Base(file), name) && len(out) < mostTraces {
			out = append(out, file)
		}
	}
	return out
}

// input is what a series and the traces of its record know of a benchmark.
func (f Forecast) input(s *measure.Series, bench string, files []string) (in predict.Input, damage error) {
	in = predict.Input{Bench: bench, Walls: map[int][]float64{}, Locks: math.NaN(), Atomics: math.NaN(), System: math.NaN(), Memory: math.NaN(), Cache: float64(s.Cache)}
	top := 0
	for c, samples := range s.Samples {
		if c.Bench != bench || s.Usable > 0 && c.Procs > s.Usable {
			continue // more than there are show the system, not the code
		}
		system, cpu := 0.0, 0.0
		for _, x := range samples {
			in.Walls[c.Procs] = append(in.Walls[c.Procs], x.Wall)
			system, cpu = system+float64(x.System), cpu+x.CPU
		}
		if c.Procs == 1 {
			in.System = system / cpu
		}
	}
	read := func(file string, t predict.Trace) {
		data, err := record.ReadFile(file)
		if err == nil {
			t.Graphs, err = exectrace.GraphsOf(data, exectrace.Options{Procs: t.Procs, Acts: f.acts})
		}
		switch {
		case err == nil:
			in.Traces = append(in.Traces, t)
		case !errors.Is(err, os.ErrNotExist):
			damage = errors.Join(damage, fmt.Errorf("%s: %w", file, err))
		}
	}
	for _, n := range slices.Sorted(maps.Keys(in.Walls)) { // traces in one order, whatever the map
		if (f.Upto <= 0 || n <= f.Upto) && n > top {
			top = n
		}
		c := measure.Cell{Bench: bench, Procs: n}
		set := s.Evidence[c]
		if f.Upto > 0 && n > f.Upto {
			continue
		}
		n64 := int64(0)
		if set != nil && set.Traced != nil {
			n64 = set.Traced.N
		}
		for _, file := range named(files, gather.TraceName(c)) {
			read(file, predict.Trace{Procs: n, N: n64})
		}
	}
	if set := s.Evidence[measure.Cell{Bench: bench, Procs: 1}]; set != nil {
		for _, t := range set.Told {
			for _, file := range named(files, gather.ToldName(measure.Cell{Bench: bench, Procs: t.Procs})) {
				read(file, predict.Trace{Procs: 1, Told: t.Procs, Longer: t.Longer, N: t.N})
			}
		}
	}
	if set := s.Evidence[measure.Cell{Bench: bench, Procs: top}]; set != nil {
		in.Touched = set.Touched
		if set.CPU != nil {
			in.Locks, in.Atomics, in.Memory = 0, 0, 0
			for _, k := range []stack.Category{stack.GC, stack.Sweep, stack.Alloc, stack.AllocWait, stack.Copy} {
				in.Memory += set.CPU.Share[k]
			}
			for _, k := range []stack.Category{stack.Lock, stack.RWMutex, stack.Cond, stack.Select} { // a select locks its channels
				in.Locks += set.CPU.Share[k]
			}
			for _, h := range set.Hot {
				if h.What.Kind == instr.Locked && h.Where.Category == stack.User {
					in.Atomics += h.Where.Share
				}
			}
			for _, l := range set.CPU.Lines {
				switch {
				case set.Shaped(evidence.Held, l.Place):
					in.Locks += l.Share
				case set.Shaped(evidence.Spin, l.Place) || set.Shaped(evidence.Look, l.Place) || set.Shaped(evidence.Retry, l.Place):
					in.Atomics = max(in.Atomics, l.Share)
				}
			}
		}
	}
	return in, damage
}

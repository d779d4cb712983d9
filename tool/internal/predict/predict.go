package predict

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// An Input is what is known of one benchmark.
type Input struct {
	Bench string
	// Walls are measured times of an operation in ns, by GOMAXPROCS. 1 is among them.
	Walls map[int][]float64
	// Traces are of runs of the benchmark, at one or more GOMAXPROCS of Walls.
	Traces []Trace
	// Locks is the share of processor time in locks and where they are held, by what
	// profiles say; Atomics that at instructions which write words that goroutines share,
	// or wait for them; System that in the system, Memory that of the allocator, the
	// collector and copies. NaN: not known.
	Locks, Atomics, System, Memory float64
	// Touched is how many bytes an operation reaches, and Cache what the last cache
	// holds; 0: not known.
	Touched, Cache float64
}

// A Trace is the graphs of one.
type Trace struct {
	Procs int
	// Told is the number of processors that the program was told, where it asks; 0: Procs.
	// With another than Procs the trace is of what the program does on so many, done on
	// Procs of them.
	Told int
	// Longer is how many times as long an operation takes so, without a tracer, as
	// Input.Walls has it for Procs; 0: as long.
	Longer float64
	N      int64 // operations; 0: not known, and the trace's own time stands for the measured one
	// Graphs are those of its windows.
	Graphs []*exectrace.Graph
}

// told is the number of processors that the trace is of a program for.
func (t Trace) told() int { return cmp.Or(t.Told, t.Procs) }

// starts is how many goroutines an operation starts.
func (t Trace) starts() (n float64) {
	for _, g := range t.Graphs {
		k, _ := g.Spawned()
		n += float64(k) * g.Whole / max(g.Window, 1)
	}
	return n / float64(max(t.N, 1))
}

// A Prediction is what is said of one benchmark. Its figures are those of a model.
type Prediction struct {
	Package   string      `json:"package,omitempty"`
	Benchmark string      `json:"benchmark"`
	Traces    map[int]int `json:"traces"`   // how many, by GOMAXPROCS
	Measured  []Point     `json:"measured"` // the speedups against one processor that were measured
	Points    []Point     `json:"points,omitempty"`
	// WorkSpan is the work of the graph over its longest chain: what no machine exceeds
	// that does the same.
	WorkSpan float64 `json:"workSpan,omitempty"`
	Knee     *Knee   `json:"knee,omitempty"`
	Cures    []Cure  `json:"cures,omitempty"`
	// Refused says why there are no points, and Next what to do.
	Refused string `json:"refused,omitempty"`
	Next    string `json:"next,omitempty"`
}

// A Point is a speedup against one processor. Of a measured one, Value is the ratio of
// medians, and the band that of their quartiles.
type Point struct {
	Procs int     `json:"procs"`
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// Wide says what makes the band too wide to be of use; "": it is not.
	Wide string `json:"wide,omitempty"`
}

// A Knee is where more processors stop to be of use.
type Knee struct {
	Procs int          `json:"procs"` // from there on the speedup is nine tenths of the largest, or more
	At    source.Place `json:"at"`    // what has most of the longest chain at the largest number of processors
	Share float64      `json:"share"` // of the time there
	Waits bool         `json:"waits"` // what it computes between two waits is less than a wake
}

// A Cure is what a change at a place would move.
type Cure struct {
	Does  string       `json:"does"`
	At    source.Place `json:"at"`
	Procs int          `json:"procs"`
	From  Point        `json:"from"`
	To    Point        `json:"to"`
}

// Options tune [Predict].
type Options struct {
	Procs []int // default [DefaultProcs]
	// Package is where the next command is to look.
	Next  string
	Order world.Order // of the scheduler
}

// DefaultProcs are those that are predicted.
var DefaultProcs = []int{2, 4, 8, 16, 32, 64, 128}

// MostProcs is how many the modelled machine has at most.
const MostProcs = 256

// What a prediction wants, and what it bears.
const (
	leastTraces = 2    // fewer say nothing of how much they differ
	mostTraces  = 4    // of each GOMAXPROCS
	unexplained = 0.22 // a logarithm: a model that is off by more where it can be held to a measurement is dropped
	// What the first doubling may cost of which nothing was measured; it seldom does.
	firstDoubling = 0.3
	slowest       = 3.0 // times that a traced run may take of an untraced one
	slowestBlind  = 1.6 // the same where nothing was measured beyond one processor: what tracing took is not in equal parts of all stretches
	widest        = 2.0 // High/Low of a band that is of use
	leastShown    = 1.1 // speedup that a trace at one processor must allow, to tell it from a program that asks how many there are
)

// A refusal is a reason for which nothing is predicted.
type refusal struct{ why, next string }

func (r refusal) Error() string { return r.why + ": " + r.next }

// Predict predicts. What it cannot know stands in the Prediction; the error is one of the
// input.
func Predict(in Input, m Machine, o Options) (Prediction, error) {
	p := Prediction{Benchmark: in.Bench, Traces: map[int]int{}}
	for _, t := range in.Traces {
		p.Traces[t.Procs]++
	}
	for _, n := range sorted(in.Walls) {
		if n > 1 {
			p.Measured = append(p.Measured, ratio(n, in.Walls[1], in.Walls[n]))
		}
	}
	if o.Procs == nil {
		o.Procs = DefaultProcs
	}
	err := p.predict(in, m, o)
	if why := (refusal{}); errors.As(err, &why) {
		p.Points, p.Knee, p.Cures = nil, nil, nil
		p.Refused, p.Next = why.why, why.next
		return p, nil
	}
	return p, err
}

func sorted(walls map[int][]float64) (procs []int) {
	for n := range walls {
		procs = append(procs, n)
	}
	slices.Sort(procs)
	return procs
}

// ratio is the measured speedup at n.
func ratio(n int, one, some []float64) Point {
	a, b := quartiles(one), quartiles(some)
	return Point{Procs: n, Value: a[1] / b[1], Low: a[0] / b[2], High: a[2] / b[0]}
}

func quartiles(x []float64) (q [3]float64) {
	s := slices.Sorted(slices.Values(x))
	if len(s) == 0 {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	for i := range q {
		at := float64(i+1) / 4 * float64(len(s)-1)
		k := int(at)
		q[i] = s[k]
		if k+1 < len(s) {
			q[i] += (at - float64(k)) * (s[k+1] - s[k])
		}
	}
	return q
}

// noise is how far the median of samples may be off, a logarithm.
func noise(x []float64) float64 {
	q := quartiles(x)
	if len(x) < 2 || !(q[0] > 0) {
		return 0.05
	}
	return math.Log(q[2]/q[0]) / 1.35 * 1.25 / math.Sqrt(float64(len(x))) * 2
}

// A member is one model of the program: a trace under a choice, with what was found of it.
type member struct {
	trace      Trace
	wall       float64 // ns that the traced operations take untraced
	ops        float64 // how many they are
	c          choice
	off, scale float64
	growth     float64 // workers of the trace for each at one processor; 1: as many
	// over is by how much longer it takes at the most processors that were measured than
	// the model says, a logarithm; 0 where the trace is of those, or none were.
	over float64
	when map[int]result
	size float64 // part of the window that the graphs have
}

// time is what the traced operations take at n processors by the model.
func (x *member) time(m Machine, n int, edit func(*exectrace.Graph) *exectrace.Graph, order world.Order) (result, error) {
	var all result
	for _, g := range x.trace.Graphs {
		if edit != nil {
			g = edit(g)
		}
		if x.c.even || x.growth > 1 {
			times := 1.0
			if x.growth > 1 {
				times = float64(n) / float64(x.trace.Procs)
			}
			g = even(g, times)
		}
		r, err := run(g, m, n, x.c, x.off, x.scale, order)
		if err != nil && x.c.channels != traced {
			// Which receives what is not for the first to decide here: replies go to
			// those that asked, for one.
			x.c.channels, x.when = traced, map[int]result{}
			r, err = run(g, m, n, x.c, x.off, x.scale, order)
		}
		if err != nil {
			return all, err
		}
		all.time += r.time
		all.wakes += r.wakes
		if all.blame == nil {
			all.blame = r.blame
		} else {
			for i := range r.blame {
				if i < len(all.blame) {
					all.blame[i] += r.blame[i]
				}
			}
		}
	}
	return all, nil
}

// at is time, once for each n.
func (x *member) at(m Machine, n int, order world.Order) (result, error) {
	if r, ok := x.when[n]; ok {
		return r, nil
	}
	r, err := x.time(m, n, nil, order)
	if err == nil {
		x.when[n] = r
	}
	return r, err
}

// calibrate finds what the stretches take without a tracer, so that the replay at the
// trace's own GOMAXPROCS takes the time that was measured there.
func (x *member) calibrate(m Machine, order world.Order) error {
	stretches := 0
	whole, part := 0.0, 0.0
	for _, g := range x.trace.Graphs {
		whole += g.Whole
		part += g.Window
		for _, th := range g.Threads {
			for _, a := range th.Acts {
				if a.Do == exectrace.DoRun {
					stretches++
				}
			}
		}
	}
	x.scale, x.off, x.size = 1, 0, part/whole
	want := x.wall * x.size
	for range 12 {
		r, err := x.time(m, x.trace.Procs, nil, order)
		if err != nil {
			return err
		}
		if math.Abs(r.time/want-1) < 0.01 {
			return nil
		}
		if more := r.time - want; x.trace.Procs == 1 && (more > 0 || x.off > 0) {
			x.off = max(0, x.off+more/float64(max(stretches, 1)))
			continue
		}
		x.scale *= want / r.time
	}
	return nil
}

// Measure puts the speedups beside the prediction that were measured, of which it may
// have known a part.
func (p *Prediction) Measure(walls map[int][]float64) {
	p.Measured = nil
	for _, n := range sorted(walls) {
		if n > 1 && len(walls[1]) > 0 && len(walls[n]) > 0 {
			p.Measured = append(p.Measured, ratio(n, walls[1], walls[n]))
		}
	}
}

// Package measure runs benchmarks so that the figures can be believed: one
// process per sample and GOMAXPROCS value, rounds that visit everything once
// in shuffled order, another layout of the code in each, pairs taken again
// where other processes disturbed one, and a stop where each comparison is
// decided.
//
// It judges nothing beyond when to stop. A sample costs one process of the
// test binary, some milliseconds plus the time asked for.
package measure

import (
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Cell is one benchmark at one GOMAXPROCS. Twin marks the second run of a
// cell in one round, for the A/A control.
type Cell struct {
	Bench string `json:"bench"`
	Procs int    `json:"procs"`
	Twin  bool   `json:"twin,omitempty"`
}

// A Sample is what one process measured of one cell. Figures are per
// operation, over exactly the timed region; those that could not be had are NaN.
type Sample struct {
	Round   int32
	Attempt int32 // in the round; above 0 where others had disturbed a pair
	Layout  int32 // of the code in the binary; 0 is the linker's own
	// ActualProcs is the GOMAXPROCS of the timed region: Cell.Procs, or the
	// negative of what the benchmark changed it to.
	ActualProcs int32
	N           int64   // operations
	Wall, CPU   float64 // ns
	Goroutines  float32 // created
	Allocs      float32
	Bytes       float32 // allocated
	Voluntary   float32 // context switches: gave the processor up
	Preempted   float32 // context switches: lost the processor
	MutexWait   float32 // ns
	GC          float32 // cycles
	System      float32 // ns of CPU in the kernel
	Faults      float32 // of pages
	// Live is what the last collection left in the heap, in bytes, not per
	// operation.
	Live float32
	// Got is the share of the processor time demanded by the process that it
	// was given: CPU time over CPU time and run delay. 1 where unknown.
	Got float32
	// Others is the share that other processes took of what this one could have
	// used: Procs processors over its time. What ran on processors that it leaves
	// free does not count. NaN where it is not known. Steal is the share that the
	// hypervisor took.
	Others, Steal float32
	// Child is the CPU time of child processes, ns per operation.
	Child float32
	// Whole is the time per operation with the work for which it stops the
	// timer, in ns; 0 if it does not stop the timer in its loop, or in a record of
	// before.
	Whole float32
	// First is the time of a run of one operation in the same process before, in ns;
	// 0 if there was none, or in a record of before.
	First float32
	// SetBytes is the b.SetBytes value, 0 if unset.
	SetBytes float32
	Extra    map[string]float64 // b.ReportMetric by unit; nil if none
}

// Cores is the processors used: CPU time over wall time. NaN if unknown.
func (s Sample) Cores() float64 { return s.CPU / s.Wall }

// Wanted is the processors that s would have used of procs: those it used, and
// those for which its threads stood ready. It is NaN or infinite if unknown.
func (s Sample) Wanted(procs int) float64 {
	return s.Cores()/float64(s.Got) + float64(s.Steal)*float64(procs)
}

// takenShare is the largest share that others may have taken of a sample that
// counts.
const takenShare = 0.05

// Disturbed says by what s was disturbed, or "": others had what it could have
// used. How long its own threads waited for each other does not count: code that
// has more threads would lose more of its slow samples.
func (s Sample) Disturbed() string {
	switch {
	case s.Steal > takenShare:
		return "steal"
	case s.Others > takenShare: // never if unknown
		return "other processes"
	}
	return ""
}

// A Kind says what a comparison asks.
type Kind string

const (
	Variant Kind = "variant" // a variant against its base, both at Procs
	Scaling Kind = "scaling" // a benchmark at Procs against itself at 1
	Control Kind = "control" // cells against themselves: the truth is "even"
)

// A Comparison is two cells to compare. For Control both are the zero Cell:
// it takes its pairs from every twin.
type Comparison struct {
	Kind      Kind
	Family    int // index in Series.Families; -1 for Control
	Member    int // index in the family's Members
	New, Base Cell
}

// Comparisons returns what a run asks of its families at the processor
// counts: first each variant against its base at each count, then each
// benchmark against itself at 1.
func Comparisons(families []discover.Family, procs []int) []Comparison {
	var out []Comparison
	for f, fam := range families {
		if fam.Base < 0 {
			continue
		}
		for m, member := range fam.Members {
			if m == fam.Base {
				continue
			}
			for _, p := range procs {
				out = append(out, Comparison{Variant, f, m, Cell{Bench: member.Bench, Procs: p}, Cell{Bench: fam.Members[fam.Base].Bench, Procs: p}})
			}
		}
	}
	for f, fam := range families {
		if fam.Codes {
			continue
		}
		for m, member := range fam.Members {
			for _, p := range procs {
				if p != 1 && slices.Contains(procs, 1) {
					out = append(out, Comparison{Scaling, f, m, Cell{Bench: member.Bench, Procs: p}, Cell{Bench: member.Bench, Procs: 1}})
				}
			}
		}
	}
	return out
}

// A Series is all that was measured of one package. It is the one input of
// the judging stage: a replayed Series is as good as a fresh one.
type Series struct {
	Package  string
	Binary   string // checksum of the test binary; "" in older records
	Procs    []int
	Families []discover.Family
	Listed   []Listed          // what the families were made of
	Samples  map[Cell][]Sample // kept ones, by rising Round and Attempt
	Spoiled  map[Cell][]Sample // those that others disturbed, likewise
	// Calibration are the samples that said how many operations others should have.
	Calibration map[Cell][]Sample
	// Evidence is what runs beside the timed ones found out; cells that need
	// no explanation have none.
	Evidence map[Cell]*evidence.Set
	Dropped  map[string]int // samples dropped because the machine was not free, by reason
	// Given is how many processors' worth of time the machine gave to as many
	// busy threads before the run; nil if it was not probed. Usable is how many
	// it is said to have.
	Given    map[int]float64
	Usable   int
	Cores    int // that the usable processors are threads of; 0 if unknown
	Cache    int // bytes of the last cache; 0 if unknown
	Problems []problem.Problem
	// Gone and Added are benchmarks that only the old and only the new state of the
	// code has, where two are compared.
	Gone, Added []string
	// Places are where benchmark functions begin, in files relative to the
	// repository, where two states of the code are compared.
	Places  map[string]source.Place
	Missing []string // what could not be measured here, a phrase each
	End     End
	Budget  time.Duration // that the samples were taken with
	Cost    Cost
	// Needs is about the budget that would decide what is open, by what the
	// rounds took; 0 if nothing is, or nothing that time would decide.
	Needs time.Duration
	// Taken is the folder of the run that the samples were taken in, if that is
	// another: the code was the same then.
	Taken string
}

// An End says why the measuring stopped.
type End string

const (
	Decided     End = "decided"     // every comparison was decided
	Exhausted   End = "exhausted"   // the last look of the plan was reached
	Budget      End = "budget"      // the budget was spent
	Interrupted End = "interrupted" // the context ended
	Failed      End = "failed"      // nothing could be measured, or recording failed
	Regrouped   End = "regrouped"   // after it had stopped, other pairs were made: see [Regroup]
)

// Cost is where the time went, in ns.
type Cost struct {
	Build    int64 `json:"build"`              // compiling
	List     int64 `json:"list"`               // listing benchmarks, with their first runs
	Samples  int64 `json:"samples"`            // processes of samples, kept and dropped
	Evidence int64 `json:"evidence,omitempty"` // runs and experiments beside the timed ones
	Total    int64 `json:"total"`
}

// Add puts a kept sample in its place.
func (s *Series) Add(c Cell, sample Sample) {
	if s.Samples == nil {
		s.Samples = map[Cell][]Sample{}
	}
	s.Samples[c] = grown(s.Samples[c], sample)
}

// StartsNone reports whether a benchmark starts no goroutine in its timed region.
func (s *Series) StartsNone(c Cell) bool {
	return len(s.Samples[c]) > 0 && !slices.ContainsFunc(s.Samples[c], func(x Sample) bool { return !(float64(x.Goroutines)*float64(x.N) < 1) })
}

// Spoil puts a sample that others disturbed in its place.
func (s *Series) Spoil(c Cell, sample Sample) {
	if s.Spoiled == nil {
		s.Spoiled = map[Cell][]Sample{}
	}
	s.Spoiled[c] = grown(s.Spoiled[c], sample)
}

// grown is append with less to spare: a replay holds half a million samples.
func grown(samples []Sample, x Sample) []Sample {
	if n := len(samples); n == cap(samples) {
		samples = append(make([]Sample, 0, n+max(8, n/4)), samples...)
	}
	return append(samples, x)
}

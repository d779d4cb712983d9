// Package evidence holds what runs beside the timed ones found out about one
// benchmark: where its processor time went, what its goroutines waited for,
// which instructions were slow, who wrote whose cache lines.
//
// It is data: the measuring stage carries it, the explaining stage reads it.
// A set takes some tens of kilobytes, the profiles and traces it was made from
// up to some megabytes.
package evidence

import (
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/sharing"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// A Set is the evidence on one benchmark at one GOMAXPROCS. Parts that were
// not collected are nil; Missing says of those that failed why.
type Set struct {
	Bench string `json:"bench"`
	Procs int    `json:"procs"`

	Profiled *Run            `json:"profiled,omitempty"` // the run under the CPU profile
	CPU      *cpuprof.Digest `json:"cpu,omitempty"`
	Hot      []Hot           `json:"hot,omitempty"` // most time first

	Traced *Run             `json:"traced,omitempty"` // the run under the execution trace
	Trace  *exectrace.Facts `json:"trace,omitempty"`

	// Told is what it does at Procs when it is told of other numbers of processors.
	Told []Told `json:"told,omitempty"`

	// Profiles and Idles are what the profile and the idle time of the traces
	// were in each process, if there were several: CPU has all profiles as one,
	// Trace is the first trace.
	Profiles []Profile `json:"profiles,omitempty"`
	Idles    []Idle    `json:"idles,omitempty"`
	// Disturbed names the evidence taken while others used the machine.
	Disturbed []string `json:"disturbed,omitempty"`

	Shapes   []Shape   `json:"shapes,omitempty"` // of the hot lines
	Locks    []Lock    `json:"locks,omitempty"`  // most delay first
	Sharing  *Sharing  `json:"sharing,omitempty"`
	Escapes  []Escape  `json:"escapes,omitempty"` // at lines that allocate
	Counters *Counters `json:"counters,omitempty"`
	Selects  []Select  `json:"selects,omitempty"` // at hot lines
	Source   []Text    `json:"source,omitempty"`  // of the hottest lines
	// Touched is how many bytes one operation reaches, by pages; 0 if unknown.
	Touched float64 `json:"touched,omitempty"`

	Missing []string `json:"missing,omitempty"`
}

// A Told is of runs of a program whose runtime told it of other processors than it had.
type Told struct {
	Procs  int     `json:"procs"`  // that it was told of
	N      int64   `json:"n"`      // operations of each run
	Longer float64 `json:"longer"` // times that an operation takes as long as when it is told of those it has
}

// A Run is what an evidence run took, per operation, disturbed as it was.
type Run struct {
	N    int64   `json:"n"`
	Wall float64 `json:"wall"` // ns
	CPU  float64 `json:"cpu"`  // ns; 0 if unknown
	Heap *Heap   `json:"heap,omitempty"`
}

// A Heap is what a run did with memory. Evidence runs are longer than timed
// ones, so that less of it is the growth of the heap at the start.
type Heap struct {
	Faults float64 `json:"faults"` // of pages, per operation
	Cycles float64 `json:"cycles"` // collections, per operation
	Live   float64 `json:"live"`   // bytes that the last collection left
}

// And is the run of two processes together; r may be nil.
func (r *Run) And(x *Run) *Run {
	if r == nil {
		return x
	}
	a, b := float64(r.N), float64(x.N)
	both := func(r, x float64) float64 { return (a*r + b*x) / (a + b) }
	out := &Run{N: r.N + x.N, Wall: both(r.Wall, x.Wall), CPU: both(r.CPU, x.CPU), Heap: x.Heap}
	if r.Heap != nil && x.Heap != nil {
		out.Heap = &Heap{Faults: both(r.Heap.Faults, x.Heap.Faults), Cycles: both(r.Heap.Cycles, x.Heap.Cycles), Live: max(r.Heap.Live, x.Heap.Live)}
	}
	return out
}

// Less reports whether x, on the same cell, is of more processes or more kinds than s.
func (s *Set) Less(x *Set) bool {
	return x != nil && (len(s.Profiles) < len(x.Profiles) || s.CPU == nil && x.CPU != nil || s.Trace == nil && x.Trace != nil || s.Sharing == nil && x.Sharing != nil)
}

// Miss says once that something could not be had.
func (s *Set) Miss(what string) {
	if !slices.Contains(s.Missing, what) {
		s.Missing = append(s.Missing, what)
	}
}

// A Profile is the part of one process in a profile of several.
type Profile struct {
	Samples int                        `json:"samples"`
	Share   map[stack.Category]float64 `json:"share"`
}

// An Idle is where the idle processor time of one trace went.
type Idle struct {
	Window float64          `json:"window"` // ns
	Idle   exectrace.Idle   `json:"idle"`
	Beside exectrace.Beside `json:"beside"`
	Late   float64          `json:"late"`
}

// A Hot is an instruction on which much time was spent: where the profile saw
// it, and what the binary has there.
type Hot struct {
	Where cpuprof.Hot `json:"where"`
	What  instr.Hot   `json:"what"`
}

// A Shape says what a line of source does with what goroutines share.
type Shape struct {
	source.Place
	Kind ShapeKind `json:"kind"`
}

// A ShapeKind is a way to use an atomic word, or a lock.
type ShapeKind string

const (
	Spin    ShapeKind = "spin"    // a loop until a lock's word changes from free to held
	Retry   ShapeKind = "retry"   // a loop of compare-and-swap on a value that was read
	Claim   ShapeKind = "claim"   // an addition whose result is used: an index, a limit
	Sum     ShapeKind = "sum"     // an addition whose result is not
	Publish ShapeKind = "publish" // a store
	Look    ShapeKind = "look"    // a loop that does nothing but look until another goroutine has stored; a line may have a shape beside it
	Held    ShapeKind = "held"    // between a Lock and its Unlock; a line may have a shape beside it
)

// Shaped reports whether a line has a shape.
func (s *Set) Shaped(kind ShapeKind, p source.Place) bool {
	return slices.ContainsFunc(s.Shapes, func(x Shape) bool { return x.Kind == kind && x.OnLine(p) })
}

// A Select is a select statement, or a call of reflect.Select, by its source.
type Select struct {
	source.Place
	Cases int `json:"cases"` // 0 if known only when it runs
}

// A Text is a line of source as it was when it was measured.
type Text struct {
	source.Place
	Text string `json:"text"` // cut if it is long
}

// Written is the text of a line, "" if that is not known.
func (s *Set) Written(p source.Place) string {
	for _, t := range s.Source {
		if t.OnLine(p) {
			return t.Text
		}
	}
	return ""
}

// A Lock sums up what one place of the user's code cost others (mutex profile:
// where a lock was given back) or itself (block profile: where it waited).
type Lock struct {
	Profile string       `json:"profile"` // mutex or block
	Site    source.Place `json:"site"`
	Call    string       `json:"call"`  // sync.(*Mutex).Unlock, runtime.chanrecv1, …
	N       int64        `json:"n"`     // events
	Delay   float64      `json:"delay"` // ns
}

// Sharing is what experiments said about goroutines that write near each other.
type Sharing struct {
	Seen    *sharing.Seen `json:"seen,omitempty"`
	Refused []string      `json:"refused,omitempty"` // what could not be watched, and why
	Pad     *Trial        `json:"pad,omitempty"`     // of moving apart what met
	Leaves  []edit.Note   `json:"leaves,omitempty"`  // what could not be moved, and why
	Why     string        `json:"why,omitempty"`     // there is no Pad
}

// Whole reports whether all that should be moved apart was.
func (s *Sharing) Whole() bool {
	return len(s.Leaves) == 0 && (s.Pad == nil || !strings.Contains(s.Pad.How, " stays: "))
}

// A Trial compares code with an edit and the user's: pairs of interleaved runs.
type Trial struct {
	Does  []edit.Note `json:"does,omitempty"` // what the edit changed
	How   string      `json:"how,omitempty"`  // the same and what it left in words, in records of before
	Ratio float64     `json:"ratio"`          // above 1: the change is faster
	Low   float64     `json:"low"`
	High  float64     `json:"high"`
	Pairs int         `json:"pairs"`
}

// An Escape is what the compiler said about a line that allocates.
type Escape struct {
	source.Place
	Message string `json:"message"`
}

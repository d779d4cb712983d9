package report

import (
	"cmp"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// A Page is the evidence on one comparison: what payoff why shows of it. Times
// are per operation unless their comment says otherwise.
type Page struct {
	// Available is the processor time of all processors in the time of one
	// operation, Needed the part of it that the base shows to be needed. What
	// is left is the comparison's lostNs.
	Available *float64 `json:"availableNs"`
	Needed    *float64 `json:"neededNs"`
	// Self says that the base of the account is the same code on one processor,
	// which needs less than the base of the comparison.
	Self bool `json:"self,omitempty"`
	// Sides are where processor time went, the variant's first. None: there
	// was no need to look.
	Sides []Side `json:"sides"`
	Trace Trace  `json:"trace,omitzero"`
	Lines []Line `json:"lines"` // of the source, most processor time first
	// Flame are the stacks of the variant's CPU profile. Records of before have none.
	Flame    []cpuprof.Frame `json:"flame,omitempty"`
	Counters Counters        `json:"counters,omitzero"`
	Missing  []string        `json:"missing"` // evidence that could not be had
}

// Spots are Lines without their functions: what several functions have on one line, as
// a function and a closure in it, is one.
func (p *Page) Spots() (all []Line) {
	for _, l := range p.Lines {
		i := slices.IndexFunc(all, func(x Line) bool { return x.Spot() == l.Spot() })
		if i < 0 {
			l.Place = l.Spot()
			all = append(all, Line{Place: l.Place, Share: l.Share, Text: l.Text})
		} else {
			all[i].Share += l.Share
		}
	}
	slices.SortStableFunc(all, func(a, b Line) int { return cmp.Compare(b.Share, a.Share) })
	return all
}

// A Side is the processor time of one benchmark at one GOMAXPROCS.
type Side struct {
	Name    string                     `json:"name"` // as go test prints it
	Procs   int                        `json:"procs"`
	CPU     float64                    `json:"cpuNs"`
	Samples *int                       `json:"samples"` // of its CPU profile
	By      map[stack.Category]float64 `json:"byNs"`    // CPU by what it was spent on
}

// A Trace is what an execution trace of the variant shows. The zero Trace is that
// of none.
type Trace struct {
	Operations  int       `json:"operations"`
	Window      float64   `json:"windowNs"` // their time, all together
	Running     []float64 `json:"running"`  // share of the window with 0, 1, 2, … processors running
	Goroutines  float64   `json:"goroutines"`
	Run         Spread    `json:"runNs"`   // of a goroutine between two waits
	Ready       Spread    `json:"readyNs"` // from ready to running
	Resumptions float64   `json:"resumptions"`
	SameProc    float64   `json:"sameProc"` // share of the resumptions
	SameThread  float64   `json:"sameThread"`
	Idle        Idle      `json:"idle"`
	Path        []Step    `json:"path"`  // the chain that makes up the span, most time first
	Waits       []Wait    `json:"waits"` // most time first
	Timeline    Timeline  `json:"timeline,omitzero"`
}

// A Timeline is a piece of the trace, cut into equal slots, with the averages of each.
// Records of before have none.
type Timeline struct {
	From float64 `json:"fromNs"` // in the window
	Slot float64 `json:"slotNs"`
	// What the processors did: four columns that add up to their number.
	Alone    []float64      `json:"alone"`    // one of them ran a goroutine of the user, the others nothing
	Together []float64      `json:"together"` // ran goroutines of the user otherwise
	System   []float64      `json:"system"`   // ran goroutines of the runtime
	Idle     []float64      `json:"idle"`
	Ready    []float64      `json:"ready"` // goroutines without a processor
	Who      []int          `json:"who"`   // who was alone for longest, in sites; -1: nobody
	Sites    []source.Place `json:"sites"`
}

// A Spread is a distribution.
type Spread struct {
	Median float64 `json:"median"`
	P10    float64 `json:"p10"`
	P90    float64 `json:"p90"`
}

// Idle is the share of the processors' time in which they ran nothing, and the
// shares of that by what happened meanwhile.
type Idle struct {
	Share     float64 `json:"share"`
	Ready     float64 `json:"ready"`
	Lock      float64 `json:"lock"`
	Handoff   float64 `json:"handoff"`
	Serial    float64 `json:"serial"`
	Imbalance float64 `json:"imbalance"`
	Waiting   float64 `json:"waiting"`
	GC        float64 `json:"gc"`
}

// A Step is a part of the critical path.
type Step struct {
	source.Place
	By    string  `json:"by"`    // the function that its goroutines started with
	Share float64 `json:"share"` // of the span
}

// A Wait is what goroutines wait for at one place.
type Wait struct {
	source.Place
	Kind  exectrace.Kind `json:"kind"`
	N     float64        `json:"n"`
	Each  float64        `json:"eachNs"`
	Share float64        `json:"share"` // of the window; more than 1 where several wait at once
}

// A Line is a line of the source with the processor time spent there.
type Line struct {
	source.Place
	Share       float64                    `json:"share"`                // of the samples
	By          map[stack.Category]float64 `json:"by"`                   // shares of the samples, by what it was spent on
	Instruction Instruction                `json:"instruction,omitzero"` // that took most of it, where that is known
	Text        string                     `json:"text,omitempty"`       // of the source as it was measured
}

// An Instruction is one of the machine's, in Go's syntax, with what it does to
// memory.
type Instruction struct {
	Text string     `json:"text"`
	Kind instr.Kind `json:"kind"`
}

// Counters are what the processor counted; all 0 where it did not.
type Counters struct {
	Instructions float64 `json:"instructions"`
	Cycles       float64 `json:"cycles"`
	CacheMisses  float64 `json:"cacheMisses"`
}

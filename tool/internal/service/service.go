// Package service says what concurrency costs in a program that runs, by the traces
// and profiles of it: what the processors' time went to, which operations it is for,
// why they take long, and what it would bring to mend that.
//
// The readers, the ledger and the causes are those of benchmarks. What differs is
// that a program that runs has no base to be held against, and that processors are
// idle for no fault of its own when nobody asks for anything.
//
// It runs nothing. Use it for a program without benchmarks; where there is one,
// payoff run says more, since it can compare. Reading takes what [exectrace.Read]
// takes, in memory for one second of the trace, plus a pass over its first second or two.
package service

import (
	"io"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Doc is what was found out, as a person or a program reads it. Times are in ns,
// over all windows.
type Doc struct {
	Schema  int      `json:"schema"` // 1
	Payoff  string   `json:"payoff"`
	Summary []string `json:"summary"` // what an owner has to know, a sentence each
	Inputs  []Input  `json:"inputs"`

	Procs  int     `json:"procs"`
	Window float64 `json:"window"` // of all traces, or profiles, together
	// Windows is how many traces there are; of one trace, parts stand for them.
	Windows int `json:"windows"`

	// Account says what all processors did all the time; the shares sum to 1. Without a
	// trace it is that of the time in the profile.
	Account []Item `json:"account"`

	Counted    exectrace.Work `json:"counted"` // what counts as an operation; "" the program as a whole
	Operations []Operation    `json:"operations,omitempty"`
	InFlight   float64        `json:"inFlight"` // operations at once, on average

	Causes []Cause `json:"causes"` // most first
	Holds  []Held  `json:"holds,omitempty"`
	Leaks  []Leak  `json:"leaks,omitempty"`
	// Waits are what goroutines wait for, longest in all first, where processors are idle
	// most of the time and no cause stands out.
	Waits []Waited `json:"waits,omitempty"`
	Lines []Line   `json:"lines,omitempty"` // with most processor time

	Flame    []cpuprof.Frame     `json:"flame,omitempty"`
	Timeline *exectrace.Timeline `json:"timeline,omitempty"`

	Unseen   []Unseen `json:"unseen,omitempty"`   // what such evidence cannot show
	Missing  []string `json:"missing,omitempty"`  // what this evidence lacks
	Overhead string   `json:"overhead,omitempty"` // what taking it cost the program
	Next     string   `json:"next"`
}

// JSON writes the document.
func (d *Doc) JSON(w io.Writer) error { return plain.JSON(w, d) }

// An Input is one file, or one window of a program.
type Input struct {
	Name   string `json:"name"`
	Kind   Kind   `json:"kind"`
	Bytes  int64  `json:"bytes"`
	Broken string `json:"broken,omitempty"` // what follows is missing, and why
}

// A Kind says what an input holds.
type Kind string

// The kinds of inputs.
const (
	Trace Kind = "trace"
	CPU   Kind = "cpu"
	Mutex Kind = "mutex"
	Block Kind = "block"
	Leaks Kind = "goroutineleak"
)

// An Item is what a part of the processors' time went to.
type Item struct {
	What  string  `json:"what"`
	Kind  Sort    `json:"kind"`
	NS    float64 `json:"ns"`
	Share float64 `json:"share"`
}

// A Sort says whether a processor worked.
type Sort string

// The sorts of items.
const (
	Work     Sort = "work"     // what the program is there for
	Overhead Sort = "overhead" // what concurrency and memory take besides
	Idle     Sort = "idle"     // though there was something to do
	Free     Sort = "free"     // for lack of anything to do
)

// An Operation is what there is to know of those of one name.
type Operation struct {
	Name  string       `json:"name"`
	Place source.Place `json:"place,omitzero"`
	N     int          `json:"n"`
	Rate  float64      `json:"rate"` // per second

	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
	Ran  float64 `json:"ran"` // running time of all its goroutines, on average

	Parts []Part `json:"parts"` // of the mean, most first
	// Path is where one operation of about P50 was, from its begin to its end.
	Path []Leg `json:"path,omitempty"`

	Slow *Slow `json:"slow,omitempty"`
}

// A Part is what an operation does in a part of its time.
type Part struct {
	What exectrace.Part `json:"what"`
	NS   float64        `json:"ns"` // on average
}

// Slow says what slow operations did that fast ones did not.
type Slow struct {
	N     int      `json:"n"`
	Mean  float64  `json:"mean"`
	Fast  float64  `json:"fast"`           // mean of the faster half
	More  []Part   `json:"more"`           // what they did for longer, most first
	Waits []Waited `json:"waits"`          // the longest wait of each
	Path  []Leg    `json:"path,omitempty"` // of one operation of about P99
}

// A Waited is what an operation waited for.
type Waited struct {
	Kind string       `json:"kind"`
	At   source.Place `json:"at,omitzero"`
	By   source.Place `json:"by,omitzero"` // what ended it
	N    int          `json:"n"`
	Mean float64      `json:"mean"`
}

// A Cause is why the program does less than its processors could.
type Cause struct {
	Slug  string  `json:"slug"`
	Title string  `json:"title"`
	NS    float64 `json:"ns"`
	Share float64 `json:"share"` // of all processors' time
	// Low and High bound Share with 95 % confidence, by what the windows differ; both 0
	// where there is one window alone.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`
	// AtMost is how many times the operations the same processors could carry out
	// without it, if there were as many to carry out, and without what no cause
	// explains, which may follow from it.
	AtMost   float64    `json:"atMost"`
	Evidence []Evidence `json:"evidence"`
	Lines    []Line     `json:"lines,omitempty"` // where it was lost
	Price    string     `json:"price,omitempty"`
	Do       string     `json:"do"`
}

// Evidence is one piece of it.
type Evidence struct {
	Text  string       `json:"text"`
	Place source.Place `json:"place,omitzero"`
}

// A Line has a share of the processors' time.
type Line struct {
	Place source.Place `json:"place"`
	Share float64      `json:"share"`
}

// A Held is a lock that others waited for.
type Held struct {
	Wait source.Place `json:"wait"` // where they waited
	Give source.Place `json:"give"` // where it was given back to them
	N    int          `json:"n"`
	NS   float64      `json:"ns"`
	From string       `json:"from"` // trace or mutex
}

// A Leak are goroutines that wait for what nothing will bring.
type Leak struct {
	N     int          `json:"n"`
	Waits source.Place `json:"waits"`
	Began source.Place `json:"began,omitzero"`
	Call  string       `json:"call"` // in which they wait
}

// An Unseen is what traces and profiles do not show, and what would.
type Unseen struct {
	What string `json:"what"`
	Next string `json:"next"`
}

func held(h exectrace.Holder) Held { return Held{h.Wait, h.Give, h.N, h.Time, string(Trace)} }

func locked(l evidence.Lock) Held {
	return Held{Give: l.Site, N: int(l.N), NS: l.Delay, From: l.Profile}
}

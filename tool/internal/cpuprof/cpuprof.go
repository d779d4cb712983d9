// Package cpuprof reads a Go CPU profile and says where the time went, by
// mechanism: the user's own code, channels, locks, starting goroutines,
// allocation, the collector, system calls and so on.
//
// It sees what burns a processor and nothing else: a goroutine that waits takes
// no sample. Use an execution trace to learn who waits for whom, and counters to
// learn that the same code costs more on two processors. A few hundred samples
// are needed before a share of a few per cent means anything.
//
// Cost: one pass over the samples; every function name is matched once.
package cpuprof

import (
	"encoding/json"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// Options say what counts. The zero Options count every sample.
type Options struct {
	// User, if set, reports whether a function of a file is the user's, which is
	// by default [stack.IsUser].
	User func(fn, file string) bool

	// Place, if set, reports of the user's functions which ones to show as the
	// place of a sample, if any is on its stack: those of the module rather
	// than those of its dependencies.
	Place func(fn, file string) bool
}

// A Digest is what a profile says.
type Digest struct {
	Samples  int     `json:"samples"`  // that count
	Total    float64 `json:"total"`    // ns of processor time in the samples that count
	Duration float64 `json:"duration"` // ns from start to end of the profile, 0 if it does not say
	Period   float64 `json:"period"`   // ns between two samples of a busy processor

	// Share is the part of Total by category; the parts sum to 1.
	Share map[stack.Category]float64 `json:"share"`

	// Own is the part of Total that the goroutine of the benchmark spent in
	// user code, Common the part of that in functions where others spend time,
	// too: there it works like them.
	Own    float64 `json:"own"`
	Common float64 `json:"common"`

	// Lines are the lines of the user's code with the most time: that of each
	// sample is the line of the user's frame nearest to the leaf.
	Lines []Line `json:"lines"`

	// Callers are the lines of the user's code that were on the stacks above
	// those of Lines: where it came from, most time first. Records of before have
	// none.
	Callers []source.Place `json:"callers,omitempty"`

	// Hot are the instructions sampled most, of the categories that can be told
	// further by looking at the instruction: User, Lock, RWMutex, Copy and Map.
	Hot []Hot `json:"hot"`

	// Flame are the stacks as one tree, most time first: each function is followed by
	// what it called. Records of before have none.
	Flame []Frame `json:"flame,omitempty"`
}

// A Line is a line of the user's code with the time spent in it and in what it
// called that was not the user's.
type Line struct {
	source.Place
	Share float64                    `json:"share"` // of Digest.Total
	By    map[stack.Category]float64 `json:"by"`    // sums to Share

	// Callers are the lines of the user's code above it on its stacks, most time
	// first, but for those of little. A sample counts for each line on its stack.
	Callers []Caller `json:"callers,omitempty"`
}

// A Caller is a line that called what took the time.
type Caller struct {
	source.Place
	Share float64 `json:"share"`          // of Digest.Total, at the called line
	Root  float64 `json:"root,omitempty"` // the part of it of stacks that begin here
}

// A Hot is an instruction that was sampled often. The sample falls on the
// instruction after the one that took the time.
type Hot struct {
	// Addr is the address as the linker placed it. For an executable that the
	// system moved it is the distance from where the file was mapped: the offset
	// in the file (ELF, Mach-O) or in the image (PE). Position-independent
	// executables are moved, as all are on macOS and Windows.
	Addr         uint64
	source.Place // of the innermost function at Addr
	Category     stack.Category
	Share        float64 // of Digest.Total

	User source.Place // the user's frame nearest to Addr
}

// A flatHot is a Hot as records have it.
type flatHot struct {
	Addr uint64 `json:"addr"`
	source.Place
	Category stack.Category `json:"category"`
	Share    float64        `json:"share"`
	UserFunc string         `json:"user_func"`
	UserFile string         `json:"user_file"`
	UserLine int            `json:"user_line"`
}

// MarshalJSON writes both places flat.
func (h Hot) MarshalJSON() ([]byte, error) {
	return json.Marshal(flatHot{h.Addr, h.Place, h.Category, h.Share, h.User.Func, h.User.File, h.User.Line})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (h *Hot) UnmarshalJSON(data []byte) error {
	var f flatHot
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*h = Hot{f.Addr, f.Place, f.Category, f.Share, source.Place{File: f.UserFile, Line: f.UserLine, Func: f.UserFunc}}
	return nil
}

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
)

// A Category is a mechanism that time is charged to.
type Category string

const (
	User      Category = "user"      // the user's own code, and library code that does its work: bytes, crypto, math, slices, strings, …
	Chan      Category = "chan"      // send, receive, close and make of a channel
	Select    Category = "select"    // select with any number of cases
	Spawn     Category = "spawn"     // start and end of goroutines
	Switch    Category = "switch"    // from one goroutine to the next: parking, preemption, iter.Pull
	Idle      Category = "idle"      // no work: stealing, spinning, putting threads to sleep and waking them
	Lock      Category = "lock"      // sync.Mutex, writers of a sync.RWMutex, and waits for those within sync.Map, sync.Pool and files
	Cond      Category = "cond"      // sync.Cond with the Lock that its Wait ends with
	RWMutex   Category = "rwmutex"   // readers of a sync.RWMutex with all that is beneath them
	WaitGroup Category = "waitgroup" // sync.WaitGroup, without the goroutines that its Go starts
	Once      Category = "once"      // sync.Once, sync.OnceFunc, …
	GC        Category = "gc"        // the collector, its assists and write barriers wherever they occur
	Sweep     Category = "sweep"     // freeing what was not marked; in records of before, a part of gc
	Alloc     Category = "alloc"     // allocation, with the clearing and copying it does
	AllocWait Category = "allocwait" // locks of the allocator, waiting included
	Pool      Category = "pool"      // sync.Pool
	PoolMiss  Category = "poolmiss"  // allocation in the New of a sync.Pool that had nothing to give
	Copy      Category = "copy"      // copying and clearing memory
	Map       Category = "map"       // maps, hashing of keys
	MapGrow   Category = "mapgrow"   // moving the entries of a map that grows into a larger table
	SyncMap   Category = "syncmap"   // sync.Map
	Syscall   Category = "syscall"   // system calls
	Cgo       Category = "cgo"       // going to C and back, not what C does there
	Net       Category = "net"       // package net and net/http with their system calls
	Stack     Category = "stack"     // growing and shrinking of stacks
	Reflect   Category = "reflect"   // reflect and what is built on it, fmt and encoding/json first of all
	Sort      Category = "sort"      // package sort's and container/heap's interfaces, with the methods they call
	Yield     Category = "yield"     // runtime.Gosched
	Timer     Category = "timers"    // timers, tickers, sleeping
	Clock     Category = "timer"     // reading the clock; in records of before, timers as well
	Defer     Category = "defer"     // deferred calls and panics
	Runtime   Category = "runtime"   // the rest of the runtime; the harness of benchmarks
)

// Options say what counts. The zero Options count every sample.
type Options struct {
	// User, if set, reports whether a function of a file is the user's. By
	// default that is all code outside of the standard library.
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
	Share map[Category]float64 `json:"share"`

	// Own is the part of Total that the goroutine of the benchmark spent in
	// user code, Common the part of that in functions where others spend time,
	// too: there it works like them.
	Own    float64 `json:"own"`
	Common float64 `json:"common"`

	// Lines are the lines of the user's code with the most time: that of each
	// sample is the line of the user's frame nearest to the leaf.
	Lines []Line `json:"lines"`

	// Hot are the instructions sampled most, of the categories that can be told
	// further by looking at the instruction: User, Lock, RWMutex, Copy and Map.
	Hot []Hot `json:"hot"`
}

// A Line is a line of the user's code with the time spent in it and in what it
// called that was not the user's.
type Line struct {
	source.Place
	Share float64              `json:"share"` // of Digest.Total
	By    map[Category]float64 `json:"by"`    // sums to Share
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
	Category     Category
	Share        float64 // of Digest.Total

	User source.Place // the user's frame nearest to Addr
}

// A flatHot is a Hot as records have it.
type flatHot struct {
	Addr uint64 `json:"addr"`
	source.Place
	Category Category `json:"category"`
	Share    float64  `json:"share"`
	UserFunc string   `json:"user_func"`
	UserFile string   `json:"user_file"`
	UserLine int      `json:"user_line"`
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

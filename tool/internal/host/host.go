// Package host is the door to running code: a machine that builds test
// binaries, runs them and says what it is.
//
// What goes through the door is data, so that the machine may be another one:
// nothing in it is a file, a process or a clock of this machine. Package local
// is the machine that payoff runs on, package sim one that tests make up.
package host

import (
	"context"
	"time"

	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/probe"
)

// A Host is a machine that runs benchmarks. Its methods are called one at a
// time. Where ctx ends, Build and Run return its cause, and Probe what it has.
// A [*Fault] concerns the package or the process alone; after any other error
// the host is of no use.
type Host interface {
	// Build compiles the test binary of a package for this host, with the
	// probe where it fits the toolchain and plainly where it does not. A Source
	// that was built before is not built again.
	Build(ctx context.Context, s Source) (Binary, error)
	// Run runs one process of a binary that Build returned.
	Run(ctx context.Context, j Job) (Outcome, error)
	// Probe says what the host is and what it can give now.
	Probe(ctx context.Context, a Ask) (Probe, error)
}

// A Source says what is compiled.
type Source struct {
	Package string // import path
	Dir     string // its folder, where the toolchain is; its processes run there, or in a copy
	// Change is what the code shall be instead, by paths where the toolchain is.
	Change overlay.Overlay
	// Layout is the order of the functions in the binary: 0 is the linker's own.
	Layout int
	Plain  bool // without the probe
	Race   bool // with the race detector
	// Bare leaves out what the linker adds of where code is from: debugging information and
	// the checksums of what is linked. Code that is the same then is the same binary.
	Bare bool
	// Askers makes a runtime that has one processor and tells callers that ask of GOMAXPROCS;
	// see [probe.Askers]. Without the probe there is none.
	Askers bool
	Image  bool // return the bytes of the binary as well
}

// A Forgetter is a host that can be told which binaries nobody runs any more.
type Forgetter interface {
	// Forget takes away the binary of s, or with Layout 0 those of all layouts.
	// It takes no time worth a context, and what is not there is no mistake.
	Forget(s Source)
}

// A Binary is a test binary on a host.
type Binary struct {
	ID     string // what the host calls it
	OS     string // GOOS it was built for
	Probed bool   // its processes tell events as they happen, and take evidence
	// Missing is what it cannot tell, a phrase each.
	Missing []string
	Image   []byte // the executable, if it was asked for
	// Files are what its processes find in their folder, by slash-separated names, where
	// the folder of the package is not on the host.
	Files map[string][]byte
}

// A Job is one process of a binary. It runs in the folder of the package.
type Job struct {
	Binary string // ID
	Args   []string
	// Env is set beside the host's own environment: NAME=value. In a value
	// [Folder] stands for a folder that the host makes for this process.
	Env     []string
	Procs   int           // GOMAXPROCS
	Timeout time.Duration // without an event, after which the process is ended
	Limit   time.Duration // in all, likewise; 0: none
}

// Folder stands for the folder of a process in the values of [Job.Env]. When
// the process has ended, the files in it are handed over and the folder goes.
const Folder = "${folder}"

// An Outcome is what a process left behind.
type Outcome struct {
	Events []probe.Event     // what became of each benchmark, in order
	Files  map[string][]byte // of its folder, by name
	Output []byte            // the last of stdout and stderr
	Death  string            // the line with which a Go program dies, wherever it stood in the output; "" if none
	Exit   int               // code; -1 where the process was ended
	State  string            // how it ended, in words
	Late   bool              // it was ended after Job.Timeout or Job.Limit
	Left   bool              // it left processes running, which were ended but for strays
	Stray  bool              // some of them are out of reach, and run on
	CPU    time.Duration     // processor time of the process
	// Others and Steal are the shares of what the process could have used that
	// other processes and the hypervisor took meanwhile; see [machine.Usage].
	Others, Steal float64
}

// An Ask says what a probe is to find out. The zero Ask wants only what takes
// no time.
type Ask struct {
	Procs []int         // processor counts whose capacity is wanted
	Spin  time.Duration // for each of them; default 60ms
	Again int           // how often capacity is probed again, after a pause, while something else runs
	Each  time.Duration // for each of the prices; 0: none is wanted
	// Batches is how many batches of the same work, of 5ms each, are timed for
	// the noise floor.
	Batches int
}

// A Probe is what a host is and can give.
type Probe struct {
	Env           machine.Env
	Procs         int // GOMAXPROCS of a process that does not set it
	Capacity      []machine.Capacity
	Prices        machine.Prices
	Batches       []float64    // ns of each
	Before, After machine.Load // around the probe, by the clock of the host
}

// A Fault is why a host could not build or run something, and what to do.
type Fault struct {
	Reason string
	Next   string // "" where Reason says it
	// NoTests says that the package has no test files, so that there is no test
	// binary: nothing can be run of it, and nothing is wrong with it.
	NoTests bool
}

func (f *Fault) Error() string { return f.Reason }

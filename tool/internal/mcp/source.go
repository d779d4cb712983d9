package mcp

import (
	"context"
	"time"

	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/vet"
)

// An Ask says what is to be found or measured. Its texts have been checked as far as
// that can be done without a look at the code.
type Ask struct {
	Packages []string // patterns as of go test; default: the package in the server's folder
	Bench    string   // regexp, as in go test -bench; "" is all
	Base, Vs string   // regexps of names; "" is by the names
	Procs    []int    // GOMAXPROCS values; nil is the default of payoff run
	Budget   time.Duration
}

// A Source is payoff as the tools use it: each method is what a command does. A method
// ends when ctx does, with all that it started; a report beside an error holds what
// there is until then. Packages that do not lie below the server's folder are errors.
type Source interface {
	// Benchmarks are those of packages, found without running any code.
	Benchmarks(ctx context.Context, a Ask) ([]discover.Target, []problem.Problem, error)
	// Measure is payoff run. tell hears how far it is.
	Measure(ctx context.Context, a Ask, tell Tell) (*report.Doc, error)
	// Compare is payoff compare, of two commits; new "" is the working tree. Where both
	// are the same code, the error is a [Same].
	Compare(ctx context.Context, a Ask, old, new string, tell Tell) (*report.Doc, error)
	// Try is payoff try of a patch. One that changes a file which does not lie below the
	// server's folder is an error.
	Try(ctx context.Context, a Ask, patch string, strict bool, tell Tell) (*report.Doc, error)
	// Runs are the recorded runs, newest first, most of them at most; 0 is all.
	Runs(ctx context.Context, most int) ([]Run, error)
	// Why is the report of a recorded run, with all evidence on the benchmarks that
	// match. It takes the names of Runs.
	Why(ctx context.Context, run, bench string) (*report.Doc, error)
	// Explain is payoff explain: the causes with these slugs, or all.
	Explain(slugs []string) (causes []Cause, text string, err error)
}

// Tell says how far a job is. What must not be missed is important.
type Tell func(line string, important bool)

// A Same says why there is nothing to compare.
type Same struct{ Why string }

func (s Same) Error() string { return s.Why }

// A Run is a recorded run.
type Run struct {
	Name    string // of its folder
	When    time.Time
	Command string
}

// A Cause is an entry of the catalogue, with the edits that payoff fix tries.
type Cause struct {
	catalog.Cause
	Edits []vet.Cure `json:"edits,omitempty"`
}

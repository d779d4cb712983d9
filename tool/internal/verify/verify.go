// Package verify tries changes to the code of a package and says which of them
// pay.
//
// A candidate has to build, to give go vet nothing new to say and to pass the
// tests. The candidates are then measured against the untouched code in
// interleaved pairs, and at each stage half of them go. What wins is measured
// once more, by samples and in layouts of the code that had no part in choosing
// it: the best of many looks better than it is, and only those figures are told.
//
// [Run] does that and writes a [Record]. [Judge] reads one and runs nothing, so
// the same record always gives the same proofs. It is the wrong tool for code
// without tests: it shows that a change is faster, and leaves it to the tests
// whether it is right.
package verify

import (
	"context"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Candidate is an edit with what a trial has to know of it.
type Candidate struct {
	edit.Edit
	Func string `json:"func,omitempty"` // that it changes
	Diff string `json:"diff,omitempty"`
	// Claim is what it competes for: of candidates with one claim one is kept at
	// most. Changes of one function, alone and together, have one claim.
	Claim string `json:"claim"`
	// Sweep is that of which the edit has a value: while candidates are left out, a
	// sweep counts as one. "" is a sweep of its own.
	Sweep string `json:"sweep,omitempty"`
	// Site is the place that it edits, of the claim's: the best of each are tried
	// as one as well.
	Site string `json:"site,omitempty"`
	// Rank says which of two is simpler: each rank has to be a percent faster than
	// the one below, and near ties go to the lower.
	Rank int `json:"rank,omitempty"`
	// Cells are the benchmarks and processor counts that it is to speed up. Those
	// of one claim are measured on the cells of all.
	Cells []measure.Cell `json:"cells"`
	// Tests are the packages whose tests have to pass besides those of the
	// package that is measured.
	Tests  []Package       `json:"tests,omitempty"`
	Change overlay.Overlay `json:"-"`
}

// A Package is an import path with its folder.
type Package = prescribe.Package

// A Lab is where candidates are tried. Its methods are called one at a time.
type Lab struct {
	Host   host.Host
	Target discover.Target // whose test binary is measured
	// Vet returns what go vet says of packages under a change, a line each.
	Vet func(ctx context.Context, change overlay.Overlay, packages []string) ([]string, error)
	// Results calls what a candidate changes in both forms and says where what comes of
	// it is another, "" if nowhere, and what is worth a word; limit is for each process.
	Results func(ctx context.Context, c Candidate, procs int, limit time.Duration) (why string, notes []string, err error)
	// Elsewhere says where a candidate does not fit together for another platform that the
	// code is for, and did without it, "" if nowhere.
	Elsewhere func(ctx context.Context, c Candidate) (why string, notes []string, err error)
	Now       func() time.Time // default time.Now
}

// Options steer a run. The zero value of each field but Candidates and Series
// has a default.
type Options struct {
	// Candidates are tried claim by claim, in the order of the first of each.
	Candidates []Candidate
	// Together makes one change of candidates, of different claims or of different
	// sites of one. nil: none are tried together.
	Together func(ids []string) (Candidate, error)
	// Series is the run that the candidates come from: its families, what its
	// benchmarks take, and what the machine gave.
	Series *measure.Series
	// Controls are benchmarks that no candidate touches.
	Controls []string
	// Both asks for what is slower and what is the same as well: where no candidate of a
	// claim seems to gain, the best of it passes all checks and is proven nevertheless.
	Both bool
	// Spare is a relative difference: a candidate that may be that close to the
	// best is not left out before the last stage.
	Spare  float64
	Rule   stats.Rule // of which the error counts: see Judge
	Bounds stats.Bounds
	Budget time.Duration // default 2 minutes
	// Share is the part of what the user gives as -budget that is sure to be Budget:
	// what is told of larger budgets is in those terms. Default 1.
	Share    float64
	Sample   time.Duration // wanted length of a sample's timed region; default 30ms
	Timeout  time.Duration // that a benchmark may be without news; default: by the budget
	Layouts  int           // orders of the functions to confirm in; default [measure.MaxLayouts]
	Seed     uint64
	Progress func(Progress) // must return soon
	// Kept hears of each candidate that is kept, as soon as that is sure.
	Kept func(Proof)
}

// Progress is where a run stands.
type Progress struct {
	Step      string // what is being done, in words
	Done, All int    // of that
	Alive     int    // candidates that may still win
	Left      time.Duration
}

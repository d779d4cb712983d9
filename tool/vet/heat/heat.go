// Package heat holds what a recorded run found out about lines of source. It
// says where benchmarks spend their processor time, and where they lose it to
// which cause.
//
// It is the evidence that the checks of package vet ask for before they say
// anything. It measures nothing: payoff run and payoff fix record it. A query
// costs a walk over the lines of the map.
package heat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/record"
)

// A Map is the evidence of a recorded run. The zero Map, and a nil one, has
// none. It must not be changed while a check reads it.
type Map struct {
	Run     string  `json:"run"` // the folder of its record
	Benches []Bench `json:"benchmarks"`
}

// A Bench is a benchmark at one GOMAXPROCS that loses, or might gain.
type Bench struct {
	Package string  `json:"package,omitempty"` // import path
	Name    string  `json:"name"`              // full: BenchmarkSum/variant=packed
	Procs   int     `json:"procs"`
	Verdict string  `json:"verdict,omitempty"` // loses if there is none
	NS      float64 `json:"ns,omitempty"`      // per operation; 0: unknown
	// Causes has the share of its lost processor time by the slug of the cause,
	// wherever that was lost.
	Causes map[string]float64 `json:"causes,omitempty"`
	Lines  []Line             `json:"lines"`
}

// A Line is what a benchmark does at one line of a file. One that has nothing
// more was on its stacks: it called what took the time, or waited.
type Line struct {
	File  string  `json:"file"` // absolute
	Line  int     `json:"line"`
	Share float64 `json:"share,omitempty"` // of the benchmark's CPU time
	// Callers are lines above it on the stacks, each with the part of Share that
	// came through it. The function that started a goroutine is
	// none of them, and records of before have none.
	Callers []Caller `json:"callers,omitempty"`
	// Causes has the share of the benchmark's lost processor time that is lost
	// here, by the slug of the cause.
	Causes map[string]float64 `json:"causes,omitempty"`
	// Above says that goroutines waited in what is called here.
	Above bool `json:"above,omitempty"`
	// Escapes are the compiler's reasons for what is allocated here.
	Escapes []string `json:"escapes,omitempty"`
}

// A Caller is a line that called what took the time.
type Caller struct {
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Share float64 `json:"share"`
	Root  float64 `json:"root,omitempty"` // the part of Share of stacks that begin here
}

// A Stretch is a run of lines of a file.
type Stretch struct {
	File     string
	From, To int // lines, both included
	// Shared says that others come there, too. It counts for a benchmark of which
	// one of the stretches beside it has a line, be it a caller's.
	Shared bool
	// Above counts what the benchmark loses in what is called here.
	Above bool
}

// StretchOf is the lines between two positions of a file.
func StretchOf(fset *token.FileSet, pos, end token.Pos) Stretch {
	from, to := fset.PositionFor(pos, false), fset.PositionFor(end, false)
	file, err := filepath.Abs(from.Filename)
	if err != nil {
		file = from.Filename
	}
	return Stretch{File: file, From: from.Line, To: max(from.Line, to.Line)}
}

// within reports whether one of the stretches has a line, whether one does that
// may be shared, and whether what is called there counts.
func within(stretches []Stretch, file string, line int) (here, shared, above bool) {
	for _, s := range stretches {
		has := file == s.File && s.From <= line && line <= s.To
		here, shared, above = here || has && !s.Shared, shared || has, above || has && s.Above
	}
	return here, shared, above
}

// Evidence is what a map says of stretches of source.
type Evidence struct {
	Bench string  // "" for none
	Procs int     // of the benchmark
	Share float64 // of the benchmark's CPU time spent there
	Cause string  // the largest of the causes asked for; "" if the run has none of them
	// Lost is the share of the benchmark's lost processor time that Cause takes
	// there. Elsewhere says that it is Cause's in the whole benchmark: the
	// evidence does not place it, as it does not what the scheduler does.
	Lost      float64
	Elsewhere bool
	Above     bool    // what is called there waits
	Other     float64 // the part of Share in stretches to which others come, too, and may have brought it
	Verdict   string  // of the benchmark
}

const (
	hotShare = 0.05 // of CPU time, from which a line is worth a word
	hotLost  = 0.1  // of lost processor time, as package explain names causes
)

// Hot reports whether the evidence is enough to suspect what is there.
func (e Evidence) Hot() bool {
	return e.Bench != "" && (e.Lost >= hotLost && (!e.Elsewhere || e.Above || e.Share >= hotShare) || e.Cause != "" && e.Share >= hotShare)
}

// String is the evidence in a phrase.
func (e Evidence) String() string {
	does := "loses"
	switch e.Verdict {
	case "cannot say":
		does = "may lose"
	case "pays", "even":
		does = "could gain"
	}
	what := fmt.Sprintf("%.0f %% of what %s %s at GOMAXPROCS=%d", 100*e.Lost, e.Bench, does, e.Procs)
	switch {
	case e.Bench == "":
		return "no evidence"
	case e.Cause == "":
		return fmt.Sprintf("%.0f %% of the CPU time of %s at GOMAXPROCS=%d", 100*e.Share, e.Bench, e.Procs)
	case e.Elsewhere && e.Other > e.Share/2:
		return fmt.Sprintf("%s takes %s; %.0f %% of its CPU time is in what is called here, and elsewhere, and %.0f %% here", e.Cause, what, 100*e.Other, 100*(e.Share-e.Other))
	case e.Elsewhere && e.Above:
		return fmt.Sprintf("%s takes %s, and it is called here", e.Cause, what)
	case e.Elsewhere:
		return fmt.Sprintf("%s takes %s; %.0f %% of its CPU time is here", e.Cause, what, 100*e.Share)
	}
	return what + ": " + e.Cause
}

// In returns what the map knows of the stretches together with regard to the
// causes: of the benchmark for which that is most.
func (m *Map) In(causes []string, stretches ...Stretch) (best Evidence) {
	if m == nil {
		return best
	}
	for _, b := range m.Benches {
		e := Evidence{Bench: b.Name, Procs: b.Procs, Verdict: b.Verdict}
		lost := map[string]float64{}
		seen := false
		for _, l := range b.Lines {
			here, shared, above := within(stretches, l.File, l.Line)
			if seen = seen || here; !shared {
				continue
			}
			e.Above = e.Above || above && l.Above
			part := 1.0
			if !here {
				came, may := l.through(stretches)
				part = came + may
				e.Other += may * l.Share
			}
			e.Share += part * l.Share
			for slug, share := range l.Causes {
				lost[slug] += part * share
			}
		}
		if !seen || e.Share == 0 && len(lost) == 0 && !e.Above {
			continue
		}
		e.Cause, e.Lost = most(lost, causes)
		if e.Lost < hotLost {
			if slug, share := most(b.Causes, causes); share > e.Lost {
				e.Cause, e.Lost, e.Elsewhere = slug, share, true
			}
		}
		if e.before(best) {
			best = e
		}
	}
	return best
}

// through says which part of a line's time, from 0 to 1, came there through the
// stretches to which others do not come, and which more may have: that of stacks
// which begin where others come, too, as those of goroutines do. The rest came
// another way.
func (l *Line) through(stretches []Stretch) (came, may float64) {
	if l.Share == 0 {
		return 0, 1 // it has a part of a loss, or none
	}
	may = 1
	for _, c := range l.Callers {
		here, shared, _ := within(stretches, c.File, c.Line)
		if here {
			came += c.Share / l.Share
		}
		if here || !shared {
			may -= c.Root / l.Share
		}
	}
	may = max(0, may)
	return min(came, 1-may), may
}

// before reports whether e says more than x.
func (e Evidence) before(x Evidence) bool {
	if e.Hot() != x.Hot() {
		return e.Hot()
	}
	return cmp.Or(cmp.Compare(e.Lost, x.Lost), cmp.Compare(e.Share, x.Share), cmp.Compare(x.Bench, e.Bench)) > 0
}

// most returns the cause with the largest share.
func most(shares map[string]float64, causes []string) (slug string, share float64) {
	for _, s := range slices.Sorted(maps.Keys(shares)) {
		if shares[s] > share && slices.Contains(causes, s) {
			slug, share = s, shares[s]
		}
	}
	return slug, share
}

// Escapes returns the compiler's reasons for what is allocated in the
// stretches, each once.
func (m *Map) Escapes(stretches ...Stretch) (reasons []string) {
	if m == nil {
		return nil
	}
	for _, b := range m.Benches {
		for _, l := range b.Lines {
			if _, has, _ := within(stretches, l.File, l.Line); has {
				reasons = append(reasons, l.Escapes...)
			}
		}
	}
	slices.Sort(reasons)
	return slices.Compact(reasons)
}

// Read reads a map that Write wrote.
func Read(file string) (*Map, error) {
	in := new(record.Reader)
	data, err := in.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := &Map{}
	if err := in.Unmarshal(file, data, m); err != nil {
		return nil, fmt.Errorf("%s holds no evidence of a run: %w", file, err)
	}
	return m, nil
}

// Write stores the map.
func (m *Map) Write(file string) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return outfile.String(file, string(data)+"\n")
}

// Given is the result of [Analyzer].
type Given struct {
	*Map       // nil without a recorded run
	Hints bool // report shapes without evidence as well
}

var (
	file, hints = "", false
	inProcess   atomic.Pointer[Given]

	cache struct { // one map serves all packages of an analysis
		sync.Mutex
		file string
		m    *Map
	}
)

// Give gives the checks of this process a map, and says whether they report
// hints, in place of the flags. The caller calls back when they have run.
func Give(m *Map, hints bool) (back func()) {
	was := inProcess.Swap(&Given{m, hints})
	return func() { inProcess.Store(was) }
}

// Analyzer gives the checks the evidence of the run whose map -heat.run names.
var Analyzer = &analysis.Analyzer{
	Name:       "heat",
	Doc:        "read the evidence of a recorded run\n\nThe checks report what it supports. Without it they report nearly nothing, but with -heat.hints.",
	ResultType: reflect.TypeFor[Given](),
	Run: func(*analysis.Pass) (any, error) {
		if g := inProcess.Load(); g != nil {
			return *g, nil
		}
		if file == "" {
			return Given{nil, hints}, nil
		}
		cache.Lock()
		defer cache.Unlock()
		if cache.m == nil || cache.file != file {
			m, err := Read(file)
			if err != nil {
				return Given{nil, hints}, err
			}
			cache.file, cache.m = file, m
		}
		return Given{cache.m, hints}, nil
	},
}

func init() {
	Analyzer.Flags.StringVar(&file, "run", "", "`file` with the evidence of a recorded run: heat.json of its folder")
	Analyzer.Flags.BoolVar(&hints, "hints", false, "report shapes without evidence, too")
}

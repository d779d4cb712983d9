package verify

import (
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Record is all that a run found out. It is plain data: as JSON it comes back
// the same.
type Record struct {
	Package    string            `json:"package"`
	Procs      []int             `json:"procs"`
	Families   []discover.Family `json:"families,omitempty"`
	Given      map[int]float64   `json:"given,omitempty"`  // see [measure.Series]
	Usable     int               `json:"usable,omitempty"` // likewise; 0 in older records
	Rule       stats.Rule        `json:"rule"`
	Bounds     stats.Bounds      `json:"bounds"`
	Budget     time.Duration     `json:"budgetNs"`
	Seed       uint64            `json:"seed"`
	Controls   []string          `json:"controls,omitempty"`
	Others     []string          `json:"others,omitempty"` // variants that a proof is compared with
	Candidates []Trial           `json:"candidates"`
	// Together is what was kept, as one change; nil: not tried.
	Together *Trial   `json:"together,omitempty"`
	Samples  []Sample `json:"samples"`
	// Problem is why nothing could be tried.
	Problem *problem.Problem `json:"problem,omitempty"`
	Notes   []string         `json:"notes,omitempty"` // what a reader should know besides
	End     measure.End      `json:"end"`
	Elapsed time.Duration    `json:"elapsedNs"`
}

// A Trial is a candidate and what became of it.
type Trial struct {
	Candidate
	Checks []Check `json:"checks,omitempty"`
	// Out is why the candidate went out, "" while it is in. Stage is where.
	Out   string `json:"out,omitempty"`
	Stage Stage  `json:"stage,omitempty"`
	Pairs int    `json:"pairs,omitempty"` // that confirm it, fixed before the first of them
	After int    `json:"after,omitempty"` // proofs of others of its claim that failed before
	// Needs is a -budget that would do for what was not tried to the end; 0: not known.
	Needs time.Duration `json:"needsNs,omitempty"`
}

// A Stage is where a candidate went out.
type Stage string

const (
	Formatted Stage = "gofmt" // before anything is built, of what somebody else wrote
	Hollow    Stage = "signs" // likewise: its gain may be none, and that was not to be
	Alike     Stage = "alike" // the test binary is what it was
	Unbuilt   Stage = "build"
	Vetted    Stage = "vet"
	Fitting   Stage = "platforms" // it does not fit together for another one
	Tested    Stage = "tests"
	Resulted  Stage = "results" // functions that it changes do not come to what they came to
	Measure   Stage = "measure" // its benchmark fails
	Halved    Stage = "halved"  // others of its claim were faster
	Single    Stage = "tests on one processor"
	Raced     Stage = "race"
	Hopeless  Stage = "hopeless" // the best of its claim, and not faster than the untouched code
	Untried   Stage = "untried"  // for lack of time
)

// A Check is one thing that a candidate had to pass.
type Check struct {
	Name string        `json:"name"` // of a Stage: build, vet, tests, race
	OK   bool          `json:"ok"`
	Says string        `json:"says,omitempty"` // why not, or what is worth a word
	Took time.Duration `json:"tookNs"`
}

// A Phase is what samples are taken for.
type Phase string

const (
	Selecting  Phase = "select"   // to choose
	Confirming Phase = "confirm"  // to prove what was chosen
	Combining  Phase = "together" // to prove what was kept, as one change
)

// A Sample is what one process measured.
type Sample struct {
	Phase   Phase   `json:"phase"`
	Arm     string  `json:"arm,omitempty"` // ID of the candidate; "" is the untouched code
	Bench   string  `json:"bench"`
	Procs   int     `json:"procs"`
	Twin    bool    `json:"twin,omitempty"` // second run of the untouched code in a round
	Round   int32   `json:"round"`
	Attempt int32   `json:"attempt,omitempty"` // in the round; above 0 where others had disturbed it
	Layout  int32   `json:"layout"`
	N       int64   `json:"n"`
	Wall    float64 `json:"ns"` // per operation
	CPU     float64 `json:"cpu,omitempty"`
	Wanted  float64 `json:"wanted,omitempty"` // processors that it would have used; 0 if unknown
	First   float64 `json:"first,omitempty"`  // of a run of one operation in the process before, ns; 0 if there was none
	Drop    string  `json:"drop,omitempty"`   // why it does not count
}

// A side is code at a cell: what a pair has two of.
type side struct {
	arm  string
	cell measure.Cell // the twin if it is marked so
}

func (x *Sample) side() side {
	return side{x.Arm, measure.Cell{Bench: x.Bench, Procs: x.Procs, Twin: x.Twin}}
}

// trial returns the candidate of that ID; nil if there is none.
func (r *Record) trial(id string) *Trial {
	if i := slices.IndexFunc(r.Candidates, func(t Trial) bool { return t.ID == id }); i >= 0 {
		return &r.Candidates[i]
	}
	if r.Together != nil && r.Together.ID == id {
		return r.Together
	}
	return nil
}

// Ratio is how many times as fast a candidate is as the untouched code, by the
// samples that it was chosen by: of one that was chosen it is too good.
func (r *Record) Ratio(id string, c measure.Cell) stats.Estimate { return r.Against(id, "", c) }

// Against is how many times as fast one candidate is as another, by the samples
// that they were chosen by.
func (r *Record) Against(id, other string, c measure.Cell) stats.Estimate {
	return fixed(r.Rule, r.pairs(Selecting, side{other, c}, side{id, c}, false))
}

// fixed reads pairs whose number does not depend on what they say: no look at
// fewer has spent any of the error.
func fixed(rule stats.Rule, p stats.Pairs) stats.Estimate {
	return stats.Rule{Alpha: rule.Error(), Looks: []int{max(1, len(p.Logs))}}.Read(p)
}

// pairs returns the pairs of two sides in a phase, of each round the first
// attempt that both have; with all, every attempt, those that others disturbed
// as well.
func (r *Record) pairs(phase Phase, base, other side, all bool) stats.Pairs {
	return contest.Append(stats.Pairs{}, r.of(phase, base, all), r.of(phase, other, all), func(x *Sample) contest.Taken {
		return contest.Taken{Round: x.Round, Attempt: x.Attempt, Layout: x.Layout, Figure: x.Wall}
	}, !all)
}

// of are the samples of one side in a phase; with all, those that do not count as well.
func (r *Record) of(phase Phase, s side, all bool) (out []Sample) {
	for i := range r.Samples {
		if x := &r.Samples[i]; x.Phase == phase && (all || x.Drop == "") && x.Drop != measure.Calibration && x.side() == s {
			out = append(out, *x)
		}
	}
	return out
}

// wall is the median time of one side in a phase.
func (r *Record) wall(phase Phase, s side) float64 {
	var walls []float64
	for _, x := range r.of(phase, s, false) {
		walls = append(walls, x.Wall)
	}
	return stats.Median(walls)
}

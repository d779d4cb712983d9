// Package report says what a run found. A [Doc] is all of it, as plain data that
// JSON holds; package text writes it for a person. It knows nothing of how the
// verdicts were reached.
package report

import (
	"io"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// Schema is the version of the JSON form; docs/json.md describes it. Fields
// are added without a new version, never renamed or taken away.
const Schema = 1

// A Doc is a report.
type Doc struct {
	Schema      int                `json:"schema"`
	Payoff      string             `json:"payoff"`
	Summary     string             `json:"summary"`
	Environment machine.Env        `json:"environment"`
	Capacity    []machine.Capacity `json:"capacity"`
	Prices      machine.Prices     `json:"prices"`
	Packages    []Package          `json:"packages"`
	Comparisons []Comparison       `json:"comparisons"`
	Crossovers  []Crossover        `json:"crossovers"`
	Laws        []Law              `json:"laws"`
	Problems    []problem.Problem  `json:"problems"`
	Warnings    []string           `json:"warnings"` // doubts about the figures
	Missing     []string           `json:"missing"`  // what could not be had here
	Record      string             `json:"record"`   // folder of the raw results
	Seconds     float64            `json:"seconds"`  // of the whole run
	Next        string             `json:"next"`
	// Predicted is what a model says of more processors, where its bands are tight; left
	// out where it says nothing.
	Predicted []Predicted `json:"predicted,omitempty"`
	// Asked is what the user asked for; left out of older records.
	Asked *cmdline.Asked `json:"asked,omitempty"`
	// Fixes are edits that were looked for, by package. Cured is the answer in one
	// sentence where they were tried, as payoff fix does.
	Fixes []Fixes `json:"fixes,omitempty"`
	Cured string  `json:"cured,omitempty"`
	// Outcome is what became of the edits that payoff try was given; left out of others.
	Outcome Answer `json:"outcome,omitempty"`
	// Compared is the answer of payoff compare and ci; left out of others.
	Compared *Compared `json:"compared,omitempty"`
	// Written are the files that payoff fix -apply has written, Undo is the command
	// that takes that back, Patch the file that -patch has written.
	Written []string `json:"written,omitempty"`
	Undo    string   `json:"undo,omitempty"`
	Patch   string   `json:"patch,omitempty"`

	dir        string // see [Input]
	treatments []*treated
	pages      bool // see [Input]
	base, vs   string
}

// A Package is what was measured of one package.
type Package struct {
	Package    string         `json:"package"`
	Procs      []int          `json:"procs"`
	End        measure.End    `json:"end"`
	Samples    int            `json:"samples"` // kept
	Layouts    int            `json:"layouts"` // of the code, that they ran in
	Dropped    map[string]int `json:"dropped"` // by reason
	Control    Interval       `json:"control"` // the same code against itself: the noise floor
	Resolution *float64       `json:"resolution"`
	Margin     float64        `json:"margin"` // smaller differences do not count
	Even       float64        `json:"even"`   // what even rules out: any difference is smaller
	Cost       measure.Cost   `json:"costNs"`
	// Needs is about the budget, ns, that would decide what is open; left out if
	// nothing is, or nothing that time would decide.
	Needs int64 `json:"needsNs,omitempty"`
}

// An Interval is an estimate with its 95 % interval; null where unknown. Of an
// interval that has no upper end, High alone is null.
type Interval struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	Pairs int      `json:"pairs,omitempty"`
}

// A Comparison is one verdict.
type Comparison struct {
	Package   string       `json:"package"`
	Benchmark string       `json:"benchmark"`
	Variant   string       `json:"variant"`
	Base      string       `json:"base"` // the base variant; for kind scaling the variant itself, at baseProcs
	Kind      measure.Kind `json:"kind"`
	Procs     int          `json:"procs"`
	BaseProcs int          `json:"baseProcs"`
	Verdict   judge.Word   `json:"verdict"`
	Ratio     *float64     `json:"ratio"` // base time / variant time: above 1 is faster
	Low       *float64     `json:"low"`
	High      *float64     `json:"high"`
	Pairs     int          `json:"pairs"`
	// PairsLow and PairsHigh are the smallest and the largest ratio of one pair; left
	// out where there are more than a few.
	PairsLow  *float64 `json:"pairsLow,omitempty"`
	PairsHigh *float64 `json:"pairsHigh,omitempty"`
	P         *float64 `json:"p"` // corrected for the number of looks and of comparisons
	// EvenLow and EvenHigh are the interval from which even is read: it must lie
	// within the margin and the precision together.
	EvenLow  *float64 `json:"evenLow"`
	EvenHigh *float64 `json:"evenHigh"`
	Layouts  int      `json:"layouts"` // of the code, that the pairs ran in
	Layout   Layout   `json:"layout"`  // what they do to the ratio; null values where that is not known
	// Unclean is the estimate from all samples, those that others disturbed too;
	// null values where none was disturbed.
	Unclean Interval `json:"unclean"`
	// Doubts say why the figures may not mean what they seem to. The verdict
	// stands, but not without them.
	Doubts    []Doubt  `json:"doubts,omitempty"`
	Why       string   `json:"why,omitempty"`
	Wall      *float64 `json:"ns"` // per operation, median
	BaseWall  *float64 `json:"baseNs"`
	Cores     Interval `json:"cores"`
	BaseCores Interval `json:"baseCores"`
	Overhead  Interval `json:"overhead"`
	Inflation Interval `json:"inflation"`
	// Goroutines is how many the variant computes with, BaseGoroutines the base.
	Goroutines     judge.Goroutines   `json:"goroutines,omitempty"`
	BaseGoroutines judge.Goroutines   `json:"baseGoroutines,omitempty"`
	Params         map[string]float64 `json:"params,omitempty"`
	Group          string             `json:"group,omitempty"` // the family without the numbers in Params
	Name           string             `json:"name"`            // as go test prints it
	BaseName       string             `json:"baseName"`

	// Explained says that causes were looked for. Causes are those found, most
	// first; none is an answer.
	Explained   bool     `json:"explained"`
	Causes      []Cause  `json:"causes"`
	Lost        *float64 `json:"lostNs"`      // processor time per operation beyond the base's
	Unexplained *float64 `json:"unexplained"` // share of it that no cause claims
	// Known is what is known of a loss without a cause.
	Known []Evidence `json:"known,omitempty"`
	Bound Bound      `json:"bound"`
	Page  Page       `json:"page,omitzero"` // there if Explained
}

// A Doubt is about the figures of one side of a comparison.
type Doubt struct {
	Kind  judge.DoubtKind `json:"kind"`
	Name  string          `json:"name"` // as go test prints it
	Procs int             `json:"procs"`
	Text  string          `json:"text"`
}

// A Layout is what the layout of the code does to a ratio.
type Layout struct {
	Low     *float64 `json:"low"` // the ratio in eight of ten layouts
	High    *float64 `json:"high"`
	P       *float64 `json:"p"`       // of "it does nothing"
	Decides bool     `json:"decides"` // the difference changes its sign, or by half
}

// A Cause is a reason for a verdict, from the catalogue (payoff explain).
type Cause struct {
	Slug     string     `json:"slug"`
	Title    string     `json:"title"`
	Share    float64    `json:"share"` // of the lost processor time
	Low      *float64   `json:"low,omitempty"`
	High     *float64   `json:"high,omitempty"`
	Tie      bool       `json:"tie,omitempty"`
	NS       float64    `json:"ns"` // per operation
	Evidence []Evidence `json:"evidence"`
	Places   []Place    `json:"places"` // most first; their times add up to NS
	Price    string     `json:"price,omitempty"`
	Do       string     `json:"do"`
}

// Evidence is what speaks for a cause, with the place it points at, if any.
type Evidence struct {
	Text string `json:"text"`
	source.Place
}

// A Place is where a cause costs time; that which no evidence places comes last,
// without a file.
type Place struct {
	source.Place
	NS   float64  `json:"ns"` // per operation
	Low  *float64 `json:"lowNs,omitempty"`
	High *float64 `json:"highNs,omitempty"`
}

// A Bound is what work and span allow on any machine; null where there is no
// trace.
type Bound struct {
	Parallelism *float64 `json:"parallelism"` // work / span
	Burdened    *float64 `json:"burdened"`    // with the prices of hand-offs and spawns on the span
	Work        *float64 `json:"workNs"`
	Span        *float64 `json:"spanNs"`
}

// A Crossover is the size from which a variant pays.
type Crossover struct {
	Package   string   `json:"package"`
	Benchmark string   `json:"benchmark"`
	Variant   string   `json:"variant"`
	Base      string   `json:"base"`
	Procs     int      `json:"procs"`
	Param     string   `json:"param"`
	At        Interval `json:"at"`
	Below     float64  `json:"below"` // the largest size measured where it does not pay
	Above     float64  `json:"above"` // the smallest from which it does
}

// A Law is the universal scalability law fitted to one benchmark's speedups.
type Law struct {
	Package string   `json:"package"`
	Name    string   `json:"name"` // as go test prints it
	Sigma   Interval `json:"sigma"`
	Kappa   Interval `json:"kappa"`
	// Knee is the number of processors from which more make it slower; null
	// where there is none.
	Knee  *float64   `json:"knee"`
	Curve []LawPoint `json:"curve"`
	Why   string     `json:"why,omitempty"` // there is no law
}

// A LawPoint is a speedup against one processor.
type LawPoint struct {
	Procs    int      `json:"procs"`
	Speedup  Interval `json:"speedup"`
	Measured *float64 `json:"measured"` // null beyond the measured counts
}

// Keep leaves out comparisons and laws of benchmarks whose names do not match.
func (d *Doc) Keep(match func(name string) bool) {
	d.Comparisons = slices.DeleteFunc(d.Comparisons, func(c Comparison) bool { return !match(c.Name) })
	d.Laws = slices.DeleteFunc(d.Laws, func(l Law) bool { return !match(l.Name) })
	d.Summary, d.Next = d.summarize(), d.next()
}

// Loses reports whether anything loses.
func (d *Doc) Loses() bool {
	return slices.ContainsFunc(d.Comparisons, func(c Comparison) bool { return c.Verdict == judge.Loses })
}

// Failed reports whether something could not be measured.
func (d *Doc) Failed() bool {
	return slices.ContainsFunc(d.Problems, func(p problem.Problem) bool { return !p.Note })
}

// JSON writes the report as JSON.
func (d *Doc) JSON(w io.Writer) error {
	return plain.JSON(w, d)
}

// Number is a number of a report, NaN where it is not known.
func Number(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// Upper is the upper end of an interval of a report, +Inf where it has none.
func Upper(low, high *float64) float64 {
	if low != nil && high == nil {
		return math.Inf(1)
	}
	return Number(high)
}

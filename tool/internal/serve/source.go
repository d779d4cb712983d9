package serve

import (
	"context"
	"time"

	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/html"
	"github.com/gopayoff/payoff/tool/internal/service"
)

// A Source has the runs. Its methods may be called at once. An ID names a run in an
// address; the source takes those alone that its Runs return.
type Source interface {
	// Runs are the runs, newest first.
	Runs(ctx context.Context) ([]Run, error)
	// Report is what a run says, and what else its page has.
	Report(ctx context.Context, id string) (*report.Doc, html.Options, error)
	// Trends are the comparisons that several runs have made.
	Trends(ctx context.Context) ([]Trend, error)
	// Gallery is what has become of the articles, by the newest run of each of
	// their cases, or nil where none is kept.
	Gallery(ctx context.Context) (*Gallery, error)
	// Traces are the reports of programs that run, newest first, and Trace is one.
	Traces(ctx context.Context) ([]Trace, error)
	Trace(ctx context.Context, id string) (*service.Doc, error)
	// Now is what is going on. It is called twice a second for each open page.
	Now() State
}

// A Run is a kept run, as the list has it.
type Run struct {
	ID       string
	When     time.Time
	Commit   string // "" where none is known
	Command  string
	Packages []string
	Machine  string
	Go       string
	Verdicts Verdicts
	Compared bool   // they are of two states of the code: faster for pays, slower for loses
	Problem  string // why the run is not whole
}

// A Trace is a kept report of a program that runs, as the list has it.
type Trace struct {
	ID      string
	Summary string // its first sentence, or why it cannot be read
}

// Verdicts are how many comparisons have which.
type Verdicts struct{ Pays, Even, Loses, Open int }

// A Trend is one comparison over runs.
type Trend struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Base    string `json:"base"` // what it is compared with
	Procs   int    `json:"procs"`
	// BaseProcs is another than Procs where it is compared with itself.
	BaseProcs int     `json:"baseProcs"`
	Points    []Point `json:"points"` // oldest first
	// Changes are the points from which on the level is another, of one machine
	// and one version of Go: to be looked at, no verdict. The server finds them.
	Changes []int `json:"changes,omitempty"`
}

// A Point is what one run says of a trend. Ratio and bounds are 0 where nothing was
// measured; an upper bound of 0 is one that nobody knows.
type Point struct {
	Run     string    `json:"run"`
	When    time.Time `json:"when"`
	Commit  string    `json:"commit,omitempty"`
	Machine string    `json:"machine"` // in words, with the version of Go
	Kind    string    `json:"kind"`    // what it is, with the version of Go: only points of one can be set beside each other
	Ratio   float64   `json:"ratio"`
	Low     float64   `json:"low"`
	High    float64   `json:"high"`
	NS      float64   `json:"ns"` // of an operation
	Verdict string    `json:"verdict"`
}

// A State is what is going on.
type State struct {
	Line string // how far the measurement is that is under way; "": none is
	Runs string // changes with the runs that there are
}

// A Gallery is what has become of articles.
type Gallery struct {
	Summary  string
	Problems []string
	Articles []Article
}

// An Article is one, in words.
type Article struct {
	Heading     string
	Conclusions []ThenNow
	Figures     []ThenNow
}

// ThenNow is what an article says, and what was measured here.
type ThenNow struct{ Case, Says, Then, Now, Holds string }

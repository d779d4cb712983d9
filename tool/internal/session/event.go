package session

import (
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/host/plug"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/internal/tune"
)

// An Event is something that happened: a [Notice], a [Step], [Rounds], or at
// last one [End].
type Event interface{ event() }

// A Notice is a word that the user should have read even if all goes well.
type Notice string

// A Step says what is being done now.
type Step string

// Rounds says how far the measuring of a package is.
type Rounds measure.Progress

// An End is the last event.
type End struct {
	Doc    *report.Doc // nil where there is nothing to report, and Err says why
	Run    store.Run
	Series []*measure.Series
	// Findings are those of each of Series, as the plan's Causes has it.
	Findings [][]explain.Finding
	// Saved and Tuned are the record and the report of constants, in place of those of
	// verdicts; nil where there is nothing to report, and Err says why.
	Saved *tune.Saved
	Tuned *tune.Doc
	// Err is what stopped the run, or what of a record could not be read. Doc
	// holds what there is all the same.
	Err error
	// At is the machine of a fleet that measured; nil: this one.
	At *plug.Hello
}

func (Notice) event() {}
func (Step) event()   {}
func (Rounds) event() {}
func (End) event()    {}

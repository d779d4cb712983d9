package pipe

import (
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/internal/outcome"
	"github.com/gopayoff/payoff/par"
)

// An Error is that a stage's function returned an error, or that a source did.
type Error struct {
	Stage string // its name
	// Index counts the items that came to the stage, or to the first of those that it
	// is fused with, from 0. In a pipe whose stages all take items one by one, it is
	// that of the item at the source.
	Index int
	// Item is what the function was called with; nil for a source.
	Item any
	Err  error
}

// Error names the stage, the index, and the error, but not the item, which may be large.
func (e *Error) Error() string { return fmt.Sprintf("%s: item %d: %v", e.Stage, e.Index, e.Err) }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// An ErrorRule says what becomes of an item for which a function returned an error.
type ErrorRule int

const (
	// stopRule is that it ends the run.
	stopRule ErrorRule = iota
	// Skip leaves the item out.
	Skip
	// Gather leaves the item out. The sink returns the error in the end, with all
	// others of the kind, as [errors.Join] does. It has the first thousand, and how
	// many there were besides. [Pipe.All] yields each when its turn comes.
	Gather
)

// mostGathered is how many errors a run keeps.
const mostGathered = 1000

type omitted int

func (n omitted) Error() string { return fmt.Sprintf("pipe: %d more errors", int(n)) }

// A Panic is what a sink panics with where a stage's function has panicked, whichever
// goroutine that ran on. With errors.As one finds the [*par.Panic] in it, and the value
// that the function panicked with, if that is an error. A panic of a source, or of a
// function that is given to a sink, goes its way as in a plain loop.
type Panic struct {
	Stage string // its name
	Index int    // as in [Error]
	Item  any
	*par.Panic
}

// Error names the stage and the index, and has what the *par.Panic says.
func (p *Panic) Error() string {
	return fmt.Sprintf("pipe: %s: item %d: %s", p.Stage, p.Index, p.Panic.Error())
}

// Unwrap returns the *par.Panic.
func (p *Panic) Unwrap() error { return p.Panic }

// asPanic returns what to panic with where v was recovered of a stage's function.
func asPanic(v any, st *stage, index int, item any) *Panic {
	switch v := v.(type) {
	case *Panic: // of a pipe that the function has run
		return v
	case *par.Panic:
		return &Panic{nameOr(st, "Merge"), index, item, v}
	}
	return &Panic{nameOr(st, "Merge"), index, item, &par.Panic{Value: v, Stack: outcome.Stack()}}
}

// nameOr returns the name of the stage, or other where there is none.
func nameOr(st *stage, other string) string {
	if st == nil {
		return other
	}
	return st.name()
}

// raised returns what the caller panics with, where that began elsewhere or not.
func (p *Panic) raised(elsewhere bool) *Panic {
	if !elsewhere {
		return p
	}
	return &Panic{p.Stage, p.Index, p.Item, &par.Panic{
		Value: p.Value, Stack: p.Stack, Callers: slices.Concat(p.Callers, outcome.Stack())}}
}

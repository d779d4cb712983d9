// Package edit holds changes of Go source: an [Edit] is one that may be worth making,
// in words, from the check that proposes it to the page that tells what came of it; a
// [Draft] is its text while it is made.
//
// Neither changes anything by itself. Whoever makes one says that the program computes
// what it did before; that it compiles is for a type check to say, and that it pays for
// a trial.
package edit

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// An Edit computes what the code did before and may be faster. Each stage puts what it
// learns of one beside it, and leaves it as it is.
type Edit struct {
	ID     string   `json:"id"`               // no two that are tried have the same: hotslot:sum.go:12:local
	Name   string   `json:"name"`             // kind of edit, a word: local, pad, threshold
	Value  int      `json:"value,omitempty"`  // of what is swept, with an Edit for each value; 0: nothing is
	Says   string   `json:"says"`             // what it does, an imperative: sum in a local variable and write it back after the loop
	Needs  string   `json:"needs,omitempty"`  // package of payoff's library that it imports; "" for the standard library alone
	Serial bool     `json:"serial,omitempty"` // it takes the goroutines away
	Dearer string   `json:"dearer,omitempty"` // what costs more with it, a clause; "" for nothing that is known
	Holds  string   `json:"holds,omitempty"`  // a condition that nothing proves, a clause: it is offered once it held on what was run; "" for none
	Parts  []string `json:"parts,omitempty"`  // IDs of those that it is made of, in order, if there are several

	// Slower are the functions that take longer, Told the functions and fields, F, T.M and
	// T.f, that come to something else by it, and Edits its texts, as the check that
	// proposes it has them.
	// A record has none of these.
	Slower []*ast.FuncDecl     `json:"-"`
	Told   []string            `json:"-"`
	Edits  []analysis.TextEdit `json:"-"`
}

// Message is what the edit does, and at what price.
func (e Edit) Message() string {
	if e.Dearer == "" {
		return e.Says
	}
	return e.Says + "; but then " + e.Dearer
}

// Alone reports whether the edit drops in by itself. Values of one parameter are
// for payoff fix to choose from, and whether a condition holds for it to try.
func (e Edit) Alone() bool { return e.Needs == "" && e.Value == 0 && e.Holds == "" }

// A Finding is code that may cost more than it need, in words, as the page has it. What
// a stage knows of it besides stands beside it.
type Finding struct {
	Check        string `json:"check"`   // slug of the analyzer
	Message      string `json:"message"` // what is there and what it costs
	source.Place        // Func is that of the declaration: Sum, T.Method
	Cause        string `json:"cause,omitempty"` // slug of the catalogue that the evidence names there; "" if it is only hot
	Evidence     string `json:"evidence"`        // in a phrase
}

// A Refusal says why an edit that was considered is not offered.
type Refusal struct {
	Name         string `json:"name"` // kind of edit
	Why          string `json:"why"`  // a clause: the loop returns early
	source.Place        // of the reason, if there is one

	Pos token.Pos `json:"-"` // likewise, while there is syntax
	// Holds is a condition under which it is no reason: the edit is there, with that.
	Holds string `json:"-"`
}

func (r *Refusal) Error() string { return r.Why }

// At returns it with its place, for what has no syntax.
func (r Refusal) At(fset *token.FileSet) Refusal {
	if r.Pos.IsValid() {
		at := fset.PositionFor(r.Pos, false)
		r.Place, r.Pos = source.Place{File: at.Filename, Line: at.Line}, token.NoPos
	}
	return r
}

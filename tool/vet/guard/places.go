package guard

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Waits is what others may depend on while the lock is held.
const Waits = flow.Lock | flow.Send | flow.Receive | flow.Close | flow.Wait | flow.Spawn

// A Place is where the guarded value is used.
type Place struct {
	inspector.Cursor                  // the expression: s.n
	In               *section.Section // nil outside the sections of the lock
}

// Alone returns why v cannot be taken from the lock, or "". It has to be all
// that the sections which touch it use of what the lock guards.
func (l *Lock) Alone(v *types.Var) (why string, at token.Pos) {
	if why, at := l.Visible(); why != "" {
		return why, at
	}
	if why := l.Uses.Unseen(v); why != "" {
		return why, v.Pos()
	}
	if v.Pkg() != l.Pass.Pkg {
		return "other packages may use " + v.Name(), v.Pos()
	}
	for _, s := range l.Sections {
		e := l.Does[s]
		if len(e.Unknown) > 0 { // it may use v
			return "what a call does under the lock is not known", e.Unknown[0].Pos()
		}
		if x := l.Hidden(s); x != nil {
			return "it writes through a pointer under the lock", x.Pos()
		}
		if !e.Touches(v) {
			continue
		}
		var others []string
		for x := range l.Guarded {
			if x != v && e.Touches(x) {
				others = append(others, x.Name())
			}
		}
		if len(others) > 0 {
			return fmt.Sprintf("%s and %s are used under the lock together", v.Name(), slices.Min(others)), s.Enter.Node().Pos()
		}
		for _, stmt := range s.Stmts {
			for call := range stmt.Preorder((*ast.CallExpr)(nil)) {
				fn := section.Callee(l.Uses.Info, call.Node().(*ast.CallExpr))
				if fn == nil {
					continue
				}
				if _, ok := l.Uses.Declaration(fn); ok && l.in.Called(fn).Touches(v) {
					return fn.Name() + ", which is called under the lock, uses " + v.Name(), call.Node().Pos()
				}
			}
		}
		if x := l.Flow(s).First(Waits); x != nil {
			return "there is a wait with the lock held", x.Pos()
		}
	}
	return "", 0
}

// Places are the uses of v, but for its declaration.
func (l *Lock) Places(v *types.Var) (all []Place) {
	for _, use := range l.Uses.Of(v) {
		if !l.Uses.Declares(use) {
			p := Place{Cursor: uses.Whole(use)}
			for at := use; at.Node() != nil && p.In == nil; at = at.Parent() {
				p.In = l.stmts[at.Node()]
			}
			all = append(all, p)
		}
	}
	return all
}

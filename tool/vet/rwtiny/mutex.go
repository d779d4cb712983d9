package rwtiny

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// mutex makes the RWMutex a Mutex, which costs less to take and lets readers
// pass one at a time.
func (c *check) mutex(*section.Section) (edits []analysis.TextEdit, why string, at token.Pos) {
	if !c.RW {
		return nil, guard.NotMeant, 0
	}
	if why := c.Uses.Unseen(c.Var); why != "" {
		return nil, why, c.Var.Pos()
	}
	for _, s := range c.Sections {
		if !s.Read {
			continue
		}
		e := c.Does[s]
		switch {
		case e.Takes[c.Var]:
			return nil, "a reader takes it again", s.Enter.Node().Pos()
		case len(e.Unknown) > 0:
			return nil, "what a reader calls may take it again", e.Unknown[0].Pos()
		case len(e.Waits) > 0:
			return nil, "a reader waits while it holds the lock", e.Waits[0].Pos()
		}
	}
	known := map[ast.Node]bool{}
	for _, s := range c.Sections {
		known[s.Enter.Node()], known[s.Leave.Node()] = true, true
		for _, x := range s.Early {
			known[x.Node()] = true
		}
	}
	for _, use := range c.Uses.Of(c.Var) {
		if c.Uses.Declares(use) {
			more, why := c.becomes(use.Node())
			if why != "" {
				return nil, why, use.Node().Pos()
			}
			edits = append(edits, more...)
			continue
		}
		sel := use
		if _, through := use.Node().(*ast.SelectorExpr); !through {
			sel = uses.Whole(use)
			if sel.ParentEdgeKind() != edge.SelectorExpr_X {
				return nil, "it is used as a whole", use.Node().Pos()
			}
			sel = sel.Parent()
		}
		if sel.ParentEdgeKind() != edge.CallExpr_Fun {
			return nil, "a method of it is used as a value", use.Node().Pos()
		}
		if c.Var.Embedded() && sel != use { // s.RWMutex.Lock
			edits = append(edits, rewrite.Replace(use.Node(), "Mutex"))
		}
		name := sel.Node().(*ast.SelectorExpr).Sel
		stmt := sel.Parent().Parent().Node()
		switch name.Name {
		case "RLock", "RUnlock":
			if !known[stmt] {
				return nil, "a read lock is given back elsewhere", name.Pos()
			}
			edits = append(edits, rewrite.Replace(name, name.Name[1:]))
		case "Lock", "Unlock", "TryLock":
		default:
			return nil, name.Name + " is used", name.Pos()
		}
	}
	return edits, "", 0
}

// becomes edits the declaration of the lock.
func (c *check) becomes(decl ast.Node) (edits []analysis.TextEdit, why string) {
	for _, use := range c.Uses.Of(c.Var) {
		if use.Node() != decl {
			continue
		}
		switch d := use.Parent().Node().(type) {
		case *ast.SelectorExpr: // embedded
			return mutexType(d)
		case *ast.Field:
			if len(d.Names) == 1 && use.Parent().Parent().ParentEdgeKind() == edge.StructType_Fields {
				return mutexType(d.Type)
			}
		case *ast.ValueSpec:
			if len(d.Names) == 1 && len(d.Values) == 0 {
				return mutexType(d.Type)
			}
		}
	}
	return nil, "it is declared together with others"
}

func mutexType(typ ast.Expr) ([]analysis.TextEdit, string) {
	if sel, ok := typ.(*ast.SelectorExpr); ok {
		return []analysis.TextEdit{rewrite.Replace(sel.Sel, "Mutex")}, ""
	}
	return nil, "its type is not written as sync.RWMutex"
}

package rwtiny

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// mutex makes the RWMutex a Mutex, which costs less to take and lets readers
// pass one at a time.
func (c *check) mutex() (edits []analysis.TextEdit, why string, at token.Pos) {
	if !c.RW {
		return nil, guard.NotMeant, 0
	}
	if why := c.Uses.Unseen(c.Var); why != "" {
		return nil, why, c.Var.Pos()
	}
	known := map[ast.Node]bool{}
	for _, s := range c.Sections {
		if s.Read && (len(c.Does[s].Unknown) > 0 || c.Flow(s).First(guard.Waits) != nil) {
			return nil, "a reader may take it again, or wait while it holds it", s.Enter.Node().Pos()
		}
		if e := c.Flow(s).First(flow.Panic); s.Read && !s.Deferred && e != nil {
			return nil, "a reader may panic and leave it locked", e.Pos()
		}
		for _, x := range append(s.Early[:len(s.Early):len(s.Early)], s.Enter, s.Leave) {
			known[x.Node()] = true
		}
	}
	for _, use := range c.Uses.Of(c.Var) {
		if c.Uses.Declares(use) {
			typ, ok := lockType(use).(*ast.SelectorExpr)
			if !ok {
				return nil, "it is declared together with others, or by another type", use.Node().Pos()
			}
			edits = append(edits, rewrite.Replace(typ.Sel, "Mutex"))
			continue
		}
		sel := use
		if _, through := use.Node().(*ast.SelectorExpr); !through {
			sel = uses.Whole(use).Parent()
		}
		method, ok := sel.Node().(*ast.SelectorExpr)
		if !ok || sel.ParentEdgeKind() != edge.CallExpr_Fun || c.Var.Embedded() && sel != use {
			return nil, "it is used otherwise than to call its methods", use.Node().Pos()
		}
		switch name := method.Sel.Name; name {
		case "RLock", "RUnlock":
			if !known[sel.Parent().Parent().Node()] {
				return nil, "a read lock is given back elsewhere", method.Sel.Pos()
			}
			edits = append(edits, rewrite.Replace(method.Sel, name[1:]))
		case "Lock", "Unlock", "TryLock":
		default:
			return nil, name + " is used", method.Sel.Pos()
		}
	}
	return edits, "", 0
}

// lockType is the type at the declaration of a lock that is declared alone and
// without a value, or nil.
func lockType(decl inspector.Cursor) ast.Expr {
	switch d := decl.Parent().Node().(type) {
	case *ast.SelectorExpr: // embedded
		return d
	case *ast.Field:
		if len(d.Names) == 1 && decl.Parent().Parent().ParentEdgeKind() == edge.StructType_Fields {
			return d.Type
		}
	case *ast.ValueSpec:
		if len(d.Names) == 1 && len(d.Values) == 0 {
			return d.Type
		}
	}
	return nil
}

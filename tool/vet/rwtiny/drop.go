package rwtiny

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
)

// drop takes away a lock under which nothing is ever written: whoever writes
// what it guards does so without it, before others read.
func (c *check) drop(*section.Section) (edits []analysis.TextEdit, why string, at token.Pos) {
	if len(c.guarded) > 0 {
		return nil, notMeant, 0
	}
	if why, at := c.visible(); why != "" {
		return nil, why, at
	}
	for _, s := range c.Sections {
		e := c.effects[s]
		switch {
		case len(e.Indirect) > 0:
			return nil, "something is written through a pointer under the lock", e.Indirect[0].Pos()
		case len(e.Unknown) > 0:
			return nil, "nobody knows what is written under the lock by a call", e.Unknown[0].Pos()
		case len(e.Calls) > 0:
			return nil, "calls under the lock may need their order", e.Calls[0].Pos()
		case len(e.Waits) > 0:
			return nil, "a reader waits while it holds the lock", e.Waits[0].Pos()
		case len(s.Stmts) == 0:
			return nil, "somebody takes the lock only to wait for others", s.Enter.Node().Pos()
		}
	}
	for _, s := range c.Sections {
		edits = append(edits, c.unlocked(s)...)
	}
	more, why := c.undeclare()
	if why != "" {
		return nil, why, c.Var.Pos()
	}
	return append(edits, more...), "", 0
}

// visible returns why not all that happens to the lock can be seen.
func (c *check) visible() (why string, at token.Pos) {
	if !c.private(c.Var) {
		return "other packages may use the lock", c.Var.Pos()
	}
	if len(c.Others) > 0 {
		return "the lock is used in another way", c.Others[0].Node().Pos()
	}
	return "", 0
}

// unlocked takes the lock away from a section.
func (c *check) unlocked(s *section.Section) (edits []analysis.TextEdit) {
	for _, x := range append(s.Early, s.Enter, s.Leave) {
		edits = append(edits, rewrite.Drop(c.Fset, x))
	}
	return edits
}

// undeclare takes the lock itself away, where nothing is left of its uses. A
// field of a struct whose values are written without field names stays.
func (c *check) undeclare() (edits []analysis.TextEdit, why string) {
	for _, use := range c.Uses.Of(c.Var) {
		if !c.Uses.Declares(use) {
			continue
		}
		switch d := use.Parent().Node().(type) {
		case *ast.Field:
			if len(d.Names) != 1 || use.Parent().Parent().ParentEdgeKind() != edge.StructType_Fields {
				return nil, "" // a parameter, or with others
			}
			if st, ok := c.struct_(use); !ok {
				return nil, ""
			} else if why, _ := st.Relied(c.Uses, c.Pass.Pkg); why != "" {
				return nil, ""
			}
			return []analysis.TextEdit{rewrite.Drop(c.Fset, use.Parent())}, ""
		case *ast.ValueSpec:
			if len(d.Names) != 1 || len(d.Values) > 0 {
				return nil, "it is declared together with others"
			}
			spec := use.Parent()
			if g := spec.Parent().Node().(*ast.GenDecl); len(g.Specs) > 1 {
				return []analysis.TextEdit{rewrite.Drop(c.Fset, spec)}, ""
			}
			if decl := spec.Parent(); decl.ParentEdgeKind() == edge.DeclStmt_Decl {
				return []analysis.TextEdit{rewrite.Drop(c.Fset, decl.Parent())}, ""
			}
			return []analysis.TextEdit{rewrite.Drop(c.Fset, spec.Parent())}, ""
		}
	}
	return nil, "" // embedded: it stays
}

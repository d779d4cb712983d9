// Package guard tells what is done under a lock, and takes away locks and variables
// that nothing uses any more.
//
// It sees one package and answers for locks that no other code can reach. What it
// refuses it gives the reason for, and where that is.
package guard

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Waits is what others may depend on while the lock is held.
const Waits = flow.Lock | flow.Send | flow.Receive | flow.Close | flow.Wait | flow.Spawn

// NotMeant is the reason why an edit is not offered where it makes no sense, so
// that there is nothing to tell.
const NotMeant = "not meant"

// A Lock is a lock with what happens under it.
type Lock struct {
	*section.Lock
	Pass    *analysis.Pass
	Uses    *uses.Index
	Does    map[*section.Section]*section.Effects
	Guarded map[*types.Var]bool // what its sections write
}

// Of looks at a lock of an index.
func Of(pass *analysis.Pass, in *section.Index, l *section.Lock) *Lock {
	g := &Lock{Lock: l, Pass: pass, Uses: in.Uses, Does: map[*section.Section]*section.Effects{}, Guarded: in.Guarded(l)}
	for _, s := range l.Sections {
		g.Does[s] = in.Does(s)
	}
	return g
}

// Visible returns why not all that happens to the lock can be seen, or "".
func (l *Lock) Visible() (why string, at token.Pos) {
	if why := l.Uses.Unseen(l.Var); why != "" {
		return why, l.Var.Pos()
	}
	if len(l.Others) > 0 {
		return "the lock is used in another way", l.Others[0].Node().Pos()
	}
	return "", 0
}

// Flow returns what is done under the lock, but for the lock itself.
func (l *Lock) Flow(s *section.Section) (all flow.Effects) {
	var own []ast.Node
	for _, x := range append(s.Early[:len(s.Early):len(s.Early)], s.Leave) {
		own = append(own, x.Node())
	}
	for _, stmt := range s.Stmts {
		all = append(all, flow.Of(l.Pass).Within(stmt.Node(), own...)...)
	}
	return all
}

// Hidden returns a write under the lock that Guarded does not tell of, through a
// pointer, or nil.
func (l *Lock) Hidden(s *section.Section) *flow.Effect {
	for _, x := range l.Flow(s) {
		if x.Kind == flow.Write && !Own(x.On) && !l.Guarded[x.Var()] {
			return &x
		}
	}
	return nil
}

// Own reports whether memory is that of a function alone, or a variable of one around it.
func Own(on flow.Roots) bool {
	known := flow.Set(flow.Fresh)
	for i := range 16 {
		known = known.Or(flow.Set(flow.Captured(i)))
	}
	return on.Without(known)[0] == 0
}

// Copied returns where a struct, or one that holds it, is copied or set as a whole, or
// nil.
func Copied(in *uses.Index, st *types.Struct) ast.Node {
	var holds func(t types.Type) bool
	holds = func(t types.Type) bool {
		switch u := t.Underlying().(type) {
		case *types.Array:
			return holds(u.Elem())
		case *types.Struct:
			return types.Identical(u, st) || slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return holds(f.Type()) })
		}
		return false
	}
	for c := range in.Root.Preorder((*ast.Ident)(nil), (*ast.SelectorExpr)(nil), (*ast.StarExpr)(nil), (*ast.IndexExpr)(nil), (*ast.RangeStmt)(nil)) {
		if r, ok := c.Node().(*ast.RangeStmt); ok {
			if r.Value != nil && in.Info.TypeOf(r.Value) != nil && holds(in.Info.TypeOf(r.Value)) {
				return r
			}
			continue
		}
		e := c.Node().(ast.Expr)
		if tv := in.Info.Types[e]; !tv.IsValue() || !holds(tv.Type) {
			continue
		}
		switch whole := uses.Whole(c); whole.ParentEdgeKind() {
		case edge.AssignStmt_Lhs, edge.AssignStmt_Rhs, edge.ValueSpec_Values, edge.CallExpr_Args, edge.ReturnStmt_Results, edge.CompositeLit_Elts, edge.KeyValueExpr_Value, edge.SendStmt_Value, edge.BinaryExpr_X, edge.BinaryExpr_Y:
			return e
		case edge.SelectorExpr_X: // of a method that gets a copy
			if f, ok := in.Info.Uses[whole.Parent().Node().(*ast.SelectorExpr).Sel].(*types.Func); ok && holds(f.Signature().Recv().Type()) {
				return e
			}
		}
	}
	return nil
}

// Settled reports whether the package sets a variable or field where it makes it, and
// never again.
func Settled(in *uses.Index, v *types.Var) bool {
	for c := range in.Root.Preorder((*ast.AssignStmt)(nil)) {
		for _, lhs := range c.Node().(*ast.AssignStmt).Lhs {
			_, named := ast.Unparen(lhs).(*ast.Ident)
			if st, ok := types.Unalias(in.Info.TypeOf(lhs)).(*types.Named); ok && !named {
				if s, ok := st.Underlying().(*types.Struct); ok && slices.Contains(slices.Collect(s.Fields()), v) {
					return false // all of it is set
				}
			}
		}
	}
	return !slices.ContainsFunc(in.Of(v), func(use inspector.Cursor) bool {
		if in.Declares(use) || use.ParentEdgeKind() == edge.KeyValueExpr_Key {
			return false
		}
		whole := uses.Whole(use)
		_, address := whole.Parent().Node().(*ast.UnaryExpr)
		return uses.Written(whole) && !(address && uses.Under[*types.Struct](v.Type()))
	})
}

// Unlocked takes the lock away from a section.
func (l *Lock) Unlocked(s *section.Section) (edits []analysis.TextEdit) {
	for _, x := range append(s.Early[:len(s.Early):len(s.Early)], s.Enter, s.Leave) {
		edits = append(edits, rewrite.Drop(l.Pass.Fset, x))
	}
	return edits
}

// Undeclare takes a variable or field itself away, where nothing is left of its uses.
// A field stays if the code relies on the layout of its struct, and so does what
// is embedded.
func Undeclare(pass *analysis.Pass, in *uses.Index, v *types.Var) (edits []analysis.TextEdit, why string) {
	for _, use := range in.Of(v) {
		if !in.Declares(use) {
			continue
		}
		decl := use.Parent()
		switch d := decl.Node().(type) {
		case *ast.Field:
			st, ok := layout.Around(in, use)
			if !ok || len(d.Names) != 1 {
				return nil, ""
			}
			if why, _ := st.Relied(in, pass.Pkg); why != "" {
				return nil, ""
			}
			return []analysis.TextEdit{rewrite.Drop(pass.Fset, decl)}, ""
		case *ast.ValueSpec:
			if len(d.Names) != 1 || len(d.Values) > 0 {
				return nil, "it is declared together with others"
			}
			if g := decl.Parent().Node().(*ast.GenDecl); len(g.Specs) == 1 {
				decl = decl.Parent()
			}
			if decl.ParentEdgeKind() == edge.DeclStmt_Decl {
				decl = decl.Parent()
			}
			return []analysis.TextEdit{rewrite.Drop(pass.Fset, decl)}, ""
		case *ast.AssignStmt:
			return nil, "it is declared with a value"
		}
	}
	return nil, ""
}

// Field returns the field of a variable that a use of it selects, or nil.
func Field(in *uses.Index, use inspector.Cursor) *types.Var {
	if use.ParentEdgeKind() != edge.SelectorExpr_X {
		return nil
	}
	sel := in.Info.Selections[use.Parent().Node().(*ast.SelectorExpr)]
	if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 {
		return nil
	}
	return sel.Obj().(*types.Var)
}

// Unshared reports whether x.f stands where x has a struct that the function makes, of
// which nothing but fields was used until then.
func Unshared(in *uses.Index, field inspector.Cursor) bool {
	sel, ok := field.Node().(*ast.SelectorExpr)
	if !ok || in.Info.Selections[sel] == nil || len(in.Info.Selections[sel].Index()) != 1 {
		return false // or it is that of a struct within
	}
	id, _ := ast.Unparen(sel.X).(*ast.Ident)
	v, _ := in.Info.Uses[id].(*types.Var)
	if v == nil || v.IsField() || uses.Global(v) {
		return false
	}
	until := field.Node().Pos() // or the end of the outermost loop around it
	for l := range field.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		until = l.Node().End()
	}
	fn, _ := uses.Func(field)
	made := false
	for _, other := range in.Of(v) {
		a, assigned := other.Parent().Node().(*ast.AssignStmt)
		switch at, _ := uses.Func(other); {
		case in.Declares(other):
			spec, is := other.Parent().Node().(*ast.ValueSpec)
			made = at == fn && (is && len(spec.Values) == 0 || assigned && len(a.Rhs) == 1 && loop.Makes(in.Info, a.Rhs[0]))
		case assigned && slices.Contains(a.Lhs, ast.Expr(other.Node().(*ast.Ident))), (at != fn || Field(in, other) == nil) && other.Node().Pos() < until:
			return false
		}
	}
	return made
}

package privatize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Copy returns the edit by which a loop calls methods of a copy of what is the
// goroutine's already, and lies beside that of others:
//
//	sum := sums[w]
//	for _, x := range xs { sum.add(x) }
//	sums[w] = sum
//
// The methods may do what they like with it but keep its address.
func (p *Package) Copy(l *local.Loop, call inspector.Cursor) (fix shape.Fix, why string, at token.Pos) {
	o := &object{Loop: l, pkg: p, fields: &field{}, adds: map[*types.Var]bool{}}
	if !o.find(call) || !o.copies() || !o.late() {
		return fix, o.why, o.at
	}
	n, x := l.At.Node(), o.place.Text()
	name := l.Name(l.Func(), n, o.place.Variable())
	if pointer(p.Pass.TypesInfo.TypeOf(o.place.Expr)) {
		x = "*" + x
	}
	for _, u := range o.place.Uses {
		fix.Edits = append(fix.Edits, rewrite.Replace(u.At.Node(), name))
	}
	fix.Edits = append(fix.Edits, rewrite.Insert(n.Pos(), fmt.Sprintf("%s := %s\n", name, x)), rewrite.Insert(n.End(), fmt.Sprintf("\n%s = %s", x, name)))
	fix.Name, fix.Says = "local", fmt.Sprintf("call %s on a copy, and write it back after the loop", strings.Join(o.called(), " and "))
	var e ast.Expr = o.place.Expr
	if x[0] == '*' {
		e = &ast.StarExpr{X: e}
	}
	if !o.Evaluates(e) {
		o.assume(x + " is there where the loop does not run")
	}
	fix.Holds = o.holds
	return fix, "", 0
}

// copies reports whether a value of the type may be copied, and no method keeps its
// address.
func (o *object) copies() bool {
	if !copied(o.typ) {
		return o.refuse(o.calls[0].Node(), "%s has what must not be copied", a(o.typ.Obj().Name(), false))
	}
	for f := range o.typ.Underlying().(*types.Struct).Fields() {
		o.adds[f.Origin()] = true
	}
	done := map[*types.Func]bool{}
	var keeps func(fn *types.Func) bool
	keeps = func(fn *types.Func) bool {
		decl, ok := o.Uses.Declaration(fn)
		if !ok || done[fn] {
			return !ok
		}
		done[fn] = true
		for _, use := range o.Uses.Of(fn.Signature().Recv()) {
			if o.Uses.Declares(use) {
				continue
			}
			sel, ok := use.Parent().Node().(*ast.SelectorExpr)
			if !ok || use.ParentEdgeKind() != edge.SelectorExpr_X {
				return true
			}
			if o.is(sel) && use.Parent().ParentEdgeKind() == edge.CallExpr_Fun {
				if keeps(section.Callee(o.Pass.TypesInfo, use.Parent().Parent().Node().(*ast.CallExpr))) {
					return true
				}
			} else if part, _ := uses.Elements(uses.Whole(use)); !o.plain(part) {
				return true
			}
		}
		for range decl.Preorder((*ast.FuncLit)(nil), (*ast.GoStmt)(nil)) {
			return true
		}
		return false
	}
	for _, c := range o.calls {
		fn := section.Callee(o.Pass.TypesInfo, c.Node().(*ast.CallExpr))
		if keeps(fn) {
			return o.refuse(c.Node(), "%s may keep its address", fn.Name())
		}
	}
	return true
}

// plain reports whether a part of the object is read or set, and nothing gets its address.
func (o *object) plain(c inspector.Cursor) bool {
	if u, ok := c.Parent().Node().(*ast.UnaryExpr); ok && u.Op == token.AND {
		return false
	}
	if _, array := o.Pass.TypesInfo.TypeOf(c.Node().(ast.Expr)).Underlying().(*types.Array); array && c.ParentEdgeKind() == edge.SliceExpr_X {
		return false
	}
	return c.ParentEdgeKind() != edge.SelectorExpr_X
}

// copied reports whether values of a type may be copied: none of package sync or
// sync/atomic is in it.
func copied(t types.Type) bool {
	switch n := types.Unalias(t).(type) {
	case *types.Named:
		if p := n.Obj().Pkg(); p != nil && (p.Path() == "sync" || p.Path() == "sync/atomic") {
			return false
		}
		return copied(n.Underlying())
	case *types.Array:
		return copied(n.Elem())
	case *types.Struct:
		for f := range n.Fields() {
			if !copied(f.Type()) {
				return false
			}
		}
	}
	return true
}

package privatize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/local"
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
	o := p.object(l)
	if !o.find(call) || !o.copies() || !o.late() || o.seen && !o.refuse(l.At.Node(), "the loop may look at %s by another name, or wait", o.place.Text()) {
		return fix, o.why, o.at
	}
	name, x := l.Name(l.Func(), l.At.Node(), o.place.Variable()), o.place.Text()
	o.there(" is there where the loop does not run")
	if o.pointer() {
		x = "*" + x
	}
	fix.Name, fix.Says = "local", fmt.Sprintf("call %s on a copy, and write it back after the loop", strings.Join(o.called(), " and "))
	why, at = o.replace(&fix, name, name+" := "+x, x+" = "+name)
	return fix, why, at
}

// copies reports whether a value of the type may be copied, and the methods have to do
// with nothing but the receiver and what is theirs: none keeps its address.
func (o *object) copies() bool {
	st := o.typ.Underlying().(*types.Struct)
	arrays := false
	for f := range st.Fields() {
		o.adds[f.Origin()] = token.ADD
		arrays = arrays || uses.Under[*types.Array](f.Type())
	}
	for f := range st.Fields() {
		switch t := f.Type().Underlying().(type) {
		case *types.Basic:
			continue
		case *types.Array:
			if uses.Basic(t.Elem()) {
				continue
			}
		case *types.Slice, *types.Map:
			if !arrays { // it may lead into one
				continue
			}
		}
		return o.refuse(o.calls[0].Node(), "%s has more than numbers, and lists of them", a(o.typ.Obj().Name(), false))
	}
	keeps := func(fn *types.Func) bool {
		decl, ok := o.Uses.Declaration(fn)
		if !ok {
			return true
		}
		for _, use := range o.Uses.Of(fn.Signature().Recv()) {
			if o.Uses.Declares(use) {
				continue
			}
			if part, _ := uses.Elements(uses.Whole(use)); use.ParentEdgeKind() != edge.SelectorExpr_X || !plain(part) {
				return true
			}
		}
		for _, e := range flow.Of(o.Pass).Func(fn).Effects {
			other := e.On.Without(flow.Set(flow.Param(0), flow.Param(0).Behind(), flow.Fresh))
			if v := e.Var(); e.Kind&apart != 0 || !other.Empty() && (e.Kind == flow.Write || v == nil || o.adds[v.Origin()] != 0) {
				return true
			}
		}
		for range decl.Preorder((*ast.FuncLit)(nil), (*ast.GoStmt)(nil), (*ast.DeferStmt)(nil)) {
			return true
		}
		return false
	}
	for _, c := range o.calls {
		fn := section.Callee(o.Pass.TypesInfo, c.Node().(*ast.CallExpr))
		if keeps(fn) {
			return o.refuse(c.Node(), "%s may have to do with more than what it is called on", fn.Name())
		}
	}
	return true
}

// plain reports whether a part of the object is read or set, and nothing gets its address.
func plain(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.UnaryExpr_X:
		return c.Parent().Node().(*ast.UnaryExpr).Op != token.AND
	case edge.SelectorExpr_X, edge.CallExpr_Fun, edge.SliceExpr_X:
		return false
	}
	return true
}

package local

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// small is the size in bytes up to which a struct is copied for its methods.
const small = 128

// method says why a method that is called on a place cannot be called on a copy.
func (l *Loop) method(p *Place, u Use, confined bool) (why string, at token.Pos) {
	call, pos := u.Call.Node().(*ast.CallExpr), u.At.Node().Pos()
	text := "a method is called on " + p.Text()
	if _, ok := p.Type.Underlying().(*types.Struct); !ok || uses.Refers(p.Type) {
		return text + ", which is not a struct of plain values", pos
	}
	fn := section.Callee(l.Pass.TypesInfo, call)
	switch {
	case !copies(p.Type):
		return p.Text() + " holds a lock or an atomic variable", pos
	case l.Pass.TypesSizes.Sizeof(p.Type) > small:
		return "it is a large struct", pos
	case fn == nil || !l.lends(fn, map[*types.Func]bool{}):
		return text + ", which may keep its address", pos
	case u.Call.ParentEdgeKind() == edge.DeferStmt_Call:
		return text + " at the end of the function", pos
	case !confined:
		return text + ", which others may see", pos
	}
	if at := spawn.Goexits(l.Pass, call); at != nil {
		return types.ExprString(call.Fun) + " may end the goroutine", at.Pos()
	}
	for _, v := range p.vars {
		if l.reset(v) {
			return v.Name() + " may change meanwhile", pos
		}
	}
	return "", 0
}

// reset reports whether a variable is written by more than the function that
// declares it.
func (l *Loop) reset(v *types.Var) bool {
	if v.Parent() == nil || v.Parent() == l.Pass.Pkg.Scope() {
		return true
	}
	for _, use := range l.Uses.Of(v) {
		if l.Uses.Declares(use) || !writtenAt(use) {
			continue
		}
		if fn, ok := uses.Func(use); !ok || fn.Node().Pos() > v.Pos() {
			return true
		}
	}
	return false
}

// copies reports whether values of a type may be copied: go vet has nothing
// against it.
func copies(t types.Type) bool {
	methods := types.NewMethodSet(types.NewPointer(t))
	if methods.Lookup(nil, "Lock") != nil && methods.Lookup(nil, "Unlock") != nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return copies(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !copies(f.Type()) {
				return false
			}
		}
	}
	return true
}

// lends reports whether a method uses what its receiver points to only while it
// runs: neither the pointer nor the address of a part of it goes anywhere but to
// such methods.
func (p *Package) lends(fn *types.Func, done map[*types.Func]bool) bool {
	fn = fn.Origin()
	decl, ok := p.Uses.Declaration(fn)
	if !ok || fn.Signature().Recv() == nil {
		return false
	}
	if done[fn] || !isPointer(fn.Signature().Recv().Type()) {
		return true
	}
	done[fn] = true
	for _, c := range p.Uses.Of(fn.Signature().Recv()) {
		if p.Uses.Declares(c) {
			continue
		}
		if around, ok := uses.Func(c); !ok || around != decl {
			return false // a literal may run later
		}
		part, whole := widen(p.Pass.TypesInfo, uses.Whole(c))
		u := use(p.Pass.TypesInfo, part)
		switch {
		case u.Kind.atomic(), u.Kind == Address:
			return false
		case u.Call.Inspector() != nil:
			callee := section.Callee(p.Pass.TypesInfo, u.Call.Node().(*ast.CallExpr))
			if callee == nil || u.Call.ParentEdgeKind() == edge.GoStmt_Call || !p.lends(callee, done) {
				return false
			}
		case whole:
			return false
		}
	}
	return true
}

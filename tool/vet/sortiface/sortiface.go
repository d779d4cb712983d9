package sortiface

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds sorting through an interface.
var Analyzer = shape.Analyzer("sortiface",
	"find sorting through package sort's interface\n\nEach comparison and each swap is an indirect call that package slices does not make.",
	find, inspect.Analyzer)

// A sorting is a call of package sort that sorts.
type sorting struct {
	pass *analysis.Pass
	file *ast.File
	at   inspector.Cursor
	call *ast.CallExpr
	// stable is what the call promises for equal elements.
	stable bool
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for c := range in.Root().Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := typeutil.StaticCallee(pass.TypesInfo, call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sort" {
			continue
		}
		s := sorting{pass: pass, file: rewrite.File(pass, call.Pos()), at: c, call: call}
		f := shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: uses.Decl(c),
			Causes: []string{"interfacesort"}, Hot: []shape.Range{shape.Of(call)},
		}
		var fix []analysis.TextEdit
		var why *shape.Refusal
		switch fn.FullName() {
		case "sort.Slice", "sort.SliceStable":
			s.stable = fn.Name() == "SliceStable"
			f.Message = "sort." + fn.Name() + " swaps through reflection and compares through a function of indexes"
			fix, why = s.slice()
		case "sort.Sort", "sort.Stable":
			s.stable = fn.Name() == "Stable"
			f.Message = "sort." + fn.Name() + " calls Len, Less and Swap through an interface"
			var methods []*ast.FuncDecl
			fix, methods, why = s.data()
			for _, m := range methods {
				f.Hot = append(f.Hot, shape.Of(m))
			}
		default:
			continue
		}
		switch {
		case why != nil:
			f.Refused = []shape.Refusal{{Name: "typed", Why: why.Why, Pos: why.Pos}}
		default:
			f.Fixes = []shape.Fix{{Name: "typed", Says: "sort with package slices, which knows the element type", Edits: fix}}
		}
		all = append(all, f)
	}
	return all, nil
}

// slice is the edit of sort.Slice(s, less).
func (s *sorting) slice() ([]analysis.TextEdit, *shape.Refusal) {
	if len(s.call.Args) != 2 {
		return nil, shape.No(s.call, "its arguments are the results of a call")
	}
	lit, ok := ast.Unparen(s.call.Args[1]).(*ast.FuncLit)
	if !ok {
		return nil, shape.No(s.call.Args[1], "its less function is not written here")
	}
	xs := s.call.Args[0]
	if p := path(s.pass.TypesInfo, xs); p == nil {
		return nil, shape.No(xs, "what it sorts is not named by a variable")
	}
	elem, why := s.element(s.pass.TypesInfo.TypeOf(xs), xs)
	if why != nil {
		return nil, why
	}
	l, why := s.less(lit.Type, lit.Body, func(e ast.Expr) bool { return same(s.pass.TypesInfo, e, xs) })
	if why != nil {
		return nil, why
	}
	fn, typ, edits, why := s.typed(xs, elem)
	if why != nil {
		return nil, why
	}
	if l.plain() && ordered(elem) && !s.stable && !rewrite.Comments(s.file, s.call) {
		return s.plain(rewrite.Text(s.pass.Fset, xs)), nil
	}
	// The literal is changed in pieces, so that its comments stay.
	edits = append(edits, rewrite.Replace(s.call.Fun, fn))
	a, b := s.names()
	edits = append(edits, rewrite.Replace(lit.Type, "func("+a+", "+b+" "+typ+") int"))
	for _, p := range l.parts {
		if rewrite.Comments(s.file, p.at) {
			return nil, shape.No(p.at, "a comment stands in a comparison")
		}
		text, more := s.text(l, p)
		edits = append(append(edits, more...), text...)
	}
	return edits, nil
}

// element is the type of the elements of a slice type, that xs has.
func (s *sorting) element(t types.Type, xs ast.Expr) (types.Type, *shape.Refusal) {
	t = t.Underlying()
	if i, ok := t.(*types.Interface); ok && i.NumEmbeddeds() == 1 {
		// S ~[]E
		if u, ok := i.EmbeddedType(0).(*types.Union); ok && u.Len() == 1 {
			t = u.Term(0).Type().Underlying()
		}
	}
	if u, ok := t.(*types.Slice); ok {
		return u.Elem(), nil
	}
	return nil, shape.No(xs, "what it sorts is no slice")
}

// typed is the function of package slices that sorts, and what it takes for an
// element, with the import.
func (s *sorting) typed(xs ast.Expr, elem types.Type) (fn, typ string, edits []analysis.TextEdit, why *shape.Refusal) {
	if !rewrite.Since(s.pass, s.file, "go1.21") {
		return "", "", nil, shape.No(s.call, "package slices came with Go 1.21, and the module asks for less")
	}
	typ, ok := rewrite.Type(s.pass.Pkg, s.file, s.call.Pos(), elem)
	if !ok {
		return "", "", nil, shape.No(xs, "the type of its elements cannot be written here")
	}
	pkg, edits := rewrite.Import(s.pass.Pkg, s.file, "slices", s.call.Pos())
	if s.stable {
		return pkg + ".SortStableFunc", typ, edits, nil
	}
	return pkg + ".SortFunc", typ, edits, nil
}

// plain is the edit for a slice that is sorted by < of its elements.
func (s *sorting) plain(xs string) []analysis.TextEdit {
	pkg, edits := rewrite.Import(s.pass.Pkg, s.file, "slices", s.call.Pos())
	return append(edits, rewrite.Replace(s.call, pkg+".Sort("+xs+")"))
}

// ordered reports whether slices.Sort takes a slice of such elements.
func ordered(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsOrdered != 0
	case *types.Interface:
		_, param := t.(*types.TypeParam)
		return param // < compiles: all of its types are ordered
	}
	return false
}

// path is the chain of variables that an expression like x or x.f.g names, nil
// if it is anything else.
func path(info *types.Info, e ast.Expr) []*types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := info.Uses[e].(*types.Var); ok {
			return []*types.Var{v}
		}
	case *ast.SelectorExpr:
		v, ok := info.Uses[e.Sel].(*types.Var)
		if !ok {
			return nil
		}
		if !v.IsField() {
			return []*types.Var{v} // of another package
		}
		if p := path(info, e.X); p != nil {
			return append(p, v)
		}
	}
	return nil
}

// same reports whether two expressions name the same variable.
func same(info *types.Info, a, b ast.Expr) bool {
	p, q := path(info, a), path(info, b)
	if p == nil || len(p) != len(q) {
		return false
	}
	for i := range p {
		if p[i] != q[i] {
			return false
		}
	}
	return true
}

package sortiface

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds sorting through an interface.
var Analyzer = shape.Analyzer("sortiface",
	"find sorting through package sort's interface\n\nEach comparison and each swap is an indirect call that package slices does not make.",
	find, uses.Analyzer)

// A sorting is a call of package sort that sorts.
type sorting struct {
	pass   *analysis.Pass
	file   *ast.File
	at     inspector.Cursor
	call   *ast.CallExpr
	stable bool            // what the call promises for equal elements
	runs   []*ast.FuncDecl // the methods that it calls
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	for c := range pass.ResultOf[uses.Analyzer].(*uses.Index).Root.Preorder((*ast.CallExpr)(nil)) {
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
			fix, why = s.data()
		default:
			continue
		}
		f.Hot = append(f.Hot, shape.All(s.runs)...)
		if why != nil {
			f.Refused = []shape.Refusal{{Name: "typed", Why: why.Why, Pos: why.Pos}}
		} else {
			f.Fixes = []shape.Fix{{Name: "typed", Says: "sort with package slices, which knows the element type", Edits: fix}}
		}
		all = append(all, f)
	}
	return all, nil
}

func (s *sorting) text(e ast.Expr) string { return rewrite.Text(s.pass.Fset, ast.Unparen(e)) }

// slice is the edit of sort.Slice(s, less).
func (s *sorting) slice() ([]analysis.TextEdit, *shape.Refusal) {
	if len(s.call.Args) != 2 {
		return nil, shape.No(s.call, "its arguments are the results of a call")
	}
	xs := s.call.Args[0]
	lit, ok := ast.Unparen(s.call.Args[1]).(*ast.FuncLit)
	if !ok {
		return nil, shape.No(s.call.Args[1], "its less function is not written here")
	}
	if !loop.Chain(ast.Unparen(xs)) {
		return nil, shape.No(xs, "what it sorts is not named by a variable")
	}
	l, why := s.less(lit.Type, lit.Body, s.text(xs))
	if why != nil {
		return nil, why
	}
	return s.edit(l, xs, s.text(xs), s.pass.TypesInfo.TypeOf(xs), false)
}

// edit sorts xs, written text, of a slice type t, by package slices.
func (s *sorting) edit(l *less, xs ast.Expr, text string, t types.Type, down bool) ([]analysis.TextEdit, *shape.Refusal) {
	slice, ok := t.Underlying().(*types.Slice)
	if !ok {
		return nil, shape.No(xs, "what it sorts is no slice")
	}
	if rewrite.Comments(s.file, s.call) {
		return nil, shape.No(s.call, "a comment stands in it")
	}
	if !rewrite.Since(s.pass, s.file, "go1.21") {
		return nil, shape.No(s.call, "package slices came with Go 1.21, and the module asks for less")
	}
	typ, ok := rewrite.Type(s.pass.Pkg, s.file, s.call.Pos(), slice.Elem())
	if !ok {
		return nil, shape.No(xs, "the type of its elements cannot be written here")
	}
	pkg, edits := rewrite.Import(s.pass.Pkg, s.file, "slices", s.call.Pos())
	if b, ok := slice.Elem().Underlying().(*types.Basic); ok && s.plain(l) {
		if down = down != l.keys[0].down; !down && !s.stable {
			return append(edits, rewrite.Replace(s.call, pkg+".Sort("+text+")")), nil
		}
		// Those that are equal are the same: up, and then turned around.
		st := s.at.Parent()
		if _, ok := st.Node().(*ast.ExprStmt); down && ok && uses.Listed(st) && b.Info()&types.IsFloat == 0 && loop.Chain(ast.Unparen(xs)) {
			return append(edits, rewrite.Replace(s.call, fmt.Sprintf("%s.Sort(%s)\n%s.Reverse(%s)", pkg, text, pkg, text))), nil
		}
		l.keys[0].down, down = down, false
	}
	fn := ".SortFunc"
	if s.stable {
		fn = ".SortStableFunc"
	}
	compare, imports := s.compare(l, typ, down)
	return append(append(edits, imports...), rewrite.Replace(s.call, pkg+fn+"("+text+", "+compare+")")), nil
}

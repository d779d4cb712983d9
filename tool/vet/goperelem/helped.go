package goperelem

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// helped finds loops that hand a literal for each element to a group that starts
// a goroutine for it: an errgroup, or a type of the package. What the group does
// with errors and limits stays its own: it gets fewer and larger tasks.
func helped(pass *analysis.Pass, weigher *spawn.Weigher) (all []shape.Finding) {
	seen := map[ast.Node]bool{}
	for _, s := range pass.ResultOf[spawn.Reached].([]*spawn.Site) {
		group := s.Up == nil && s.Kind == spawn.ErrGroup
		if !group && (s.Up == nil || s.Up.Loop != nil) || s.Func == nil || seen[s.Node] {
			continue
		}
		seen[s.Node] = true
		call, ok := s.Node.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			continue
		}
		lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit)
		if !ok || lit.Type.Params.NumFields() > 0 || !task(pass.TypesInfo, lit) {
			continue
		}
		file := rewrite.File(pass, call.Pos())
		stmt, loop := around(s.Func, call)
		if stmt == nil || loop == nil || file == nil {
			continue
		}
		if input, _ := inline.Elements(pass.TypesInfo, s.Func, loop); !input || inline.Blocks(pass, weigher, lit.Body) {
			continue
		}
		f := shape.Finding{
			Pos: call.Pos(), End: call.End(), Message: message, Func: s.Func,
			Causes: []string{"grain"},
			Hot:    []shape.Range{shape.Of(loop), shape.Of(s.Func)},
		}
		h := &helper{pass, &spawn.Site{Node: call, Call: call, File: file, Func: s.Func, Loop: loop, Lit: lit, Type: lit.Type, Body: lit.Body}, stmt}
		if group {
			h.s.Join = s.Join
		}
		h.chunk(&f)
		all = append(all, f)
	}
	return all
}

// task reports whether a literal returns nothing, or an error.
func task(info *types.Info, lit *ast.FuncLit) bool {
	sig, ok := info.TypeOf(lit).(*types.Signature)
	return ok && (sig.Results().Len() == 0 || fails(sig))
}

func fails(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Universe.Lookup("error").Type())
}

// around returns the statement that a call is, and the innermost loop of its
// function around it.
func around(decl *ast.FuncDecl, call *ast.CallExpr) (stmt, loop ast.Stmt) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > call.Pos() || n.End() < call.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			loop = nil
		case *ast.ForStmt:
			loop = n
		case *ast.RangeStmt:
			loop = n
		case *ast.ExprStmt:
			if n.X == call {
				stmt = n
			}
		}
		return true
	})
	return stmt, loop
}

// A helper makes the edits where a group starts the goroutines.
type helper struct {
	pass *analysis.Pass
	s    *spawn.Site
	stmt ast.Stmt
}

// chunk hands one task for each processor to the group.
func (h *helper) chunk(f *shape.Finding) {
	refuse := func(at token.Pos, why string) {
		f.Refused = append(f.Refused, shape.Refusal{Name: "chunk", Why: why, Pos: at})
	}
	no := inline.Meets(h.pass, h.s, false)
	if no != nil && no.Holds == "" {
		refuse(no.Pos, no.Why)
		return
	}
	if more := inline.Plain(h.pass.TypesInfo, h.s.Loop, h.stmt); more != nil {
		refuse(more.Pos(), "the loop does more than start goroutines")
		return
	}
	l, why := inline.Numbered(h.pass, h.s.File, h.s.Loop)
	if l == nil {
		refuse(h.s.Loop.Pos(), why)
		return
	}
	if at, why := l.Late(h.pass, h.s); at != nil {
		refuse(at.Pos(), why)
		return
	}
	if at := spawn.Goexits(h.pass, h.s.Lit.Body); at != nil {
		refuse(at.Pos(), "the task may end its goroutine")
		return
	}
	if _, o := h.pass.Pkg.Scope().Innermost(h.s.Loop.Pos()).LookupParent("min", token.NoPos); o == nil || o.Parent() != types.Universe {
		refuse(h.s.Loop.Pos(), "min means something else here")
		return
	}
	fresh := func(name string) string { return rewrite.Fresh(h.pass.Pkg, h.s.Func, name) }
	inner, err := inline.Source(h.pass, h.s.Lit.Pos(), h.s.Lit.End(), nil)
	if err != nil {
		refuse(h.s.Loop.Pos(), err.Error())
		return
	}
	kind, before, after := "func()", "", ""
	once := inner + "()"
	if fails(h.pass.TypesInfo.TypeOf(h.s.Lit).(*types.Signature)) {
		first, failed := fresh("first"), fresh("err")
		kind, before, after = "func() error", "var "+first+" error\n", "\nreturn "+first
		once = fmt.Sprintf("if %[1]s := %[2]s(); %[1]s != nil && %[3]s == nil {\n%[3]s = %[1]s\n}", failed, inner, first)
	}
	if text, ok := h.unwrapped(); ok {
		once = text
		if before != "" {
			before, after = "", "\nreturn nil"
		}
	}
	rest, err := inline.Source(h.pass, l.Body.Lbrace+1, l.Body.Rbrace, []analysis.TextEdit{rewrite.Replace(h.stmt, once)})
	if err != nil {
		refuse(h.s.Loop.Pos(), err.Error())
		return
	}
	runtime, edits := rewrite.Import(h.pass.Pkg, h.s.File, "runtime", h.s.Loop.Pos())
	workers, w := fresh("workers"), fresh("w")
	lo := fmt.Sprintf("%s*%s/%s", times(l.Count), w, workers)
	hi := fmt.Sprintf("%s*(%s+1)/%s", times(l.Count), w, workers)
	text := fmt.Sprintf("%s := min(%s.GOMAXPROCS(0), %s)\nfor %s := range %s {\n%s(%s {\n%s%s%s\n})\n}",
		workers, runtime, l.Count, w, workers, rewrite.Text(h.pass.Fset, h.s.Call.Fun), kind, before, l.Part(fresh, lo, hi, rest), after)
	f.Fixes = append(f.Fixes, shape.Fix{
		Name:  "chunk",
		Says:  "hand the group one task for each processor, with a part of the elements",
		Holds: holds(no),
		Edits: append(edits, rewrite.Replace(h.s.Loop, text)),
	})
}

// unwrapped is the text of the literal's statements where these can stand in the
// loop: they end by return nil or by their end alone, and declare nothing.
func (h *helper) unwrapped() (string, bool) {
	list := h.s.Lit.Body.List
	if n := len(list); n > 0 {
		if r, ok := list[n-1].(*ast.ReturnStmt); ok {
			if len(r.Results) == 1 && !h.pass.TypesInfo.Types[r.Results[0]].IsNil() {
				return "", false
			}
			list = list[:n-1]
		}
	}
	if len(list) == 0 {
		return "", false
	}
	for _, st := range list {
		if a, ok := st.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			return "", false
		}
		if _, ok := st.(*ast.DeclStmt); ok {
			return "", false
		}
		if slices.ContainsFunc(rewrite.Leaves(h.pass.TypesInfo, &ast.BlockStmt{List: []ast.Stmt{st}}, false), func(l rewrite.Leave) bool { return l.How != "panic" }) {
			return "", false
		}
		if _, ok := st.(*ast.LabeledStmt); ok {
			return "", false
		}
	}
	text, err := inline.Source(h.pass, list[0].Pos(), list[len(list)-1].End(), nil)
	return text, err == nil
}

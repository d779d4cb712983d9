package goperelem

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
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
		if !ok || lit.Type.Params.NumFields() > 0 {
			continue
		}
		task := &spawn.Site{Node: call, Stmt: s.Stmt, Call: call, File: rewrite.File(pass, call.Pos()), Func: s.Func, Lit: lit, Type: lit.Type, Body: lit.Body}
		if group {
			task.Join = s.Join
		}
		at, _ := uses.Find(pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(), call)
		around, ok := loop.Around(pass.TypesInfo, at)
		if !ok || s.Stmt == nil {
			continue
		}
		task.Loop = around.Stmt
		w := &writer{pass, task, around.Stmt, s.Stmt}
		if input, _ := inline.Elements(pass.TypesInfo, s.Func, w.loop); !input || inline.Blocks(pass, weigher, lit.Body) {
			continue
		}
		f := w.finding(s.Func)
		w.tasks(&f, s.Up)
		all = append(all, f)
	}
	return all
}

// tasks hands one task for each processor to the group. Of a type of the package, by is
// what runs them.
func (w *writer) tasks(f *shape.Finding, by *spawn.Site) {
	kind, before, after := "func()", "", ""
	no := inline.Meets(w.pass, w.s, false)
	if by != nil && no == nil {
		no = shape.No(w.s.Node, "the group may count its tasks")
		no.Holds = "how many tasks the group is handed, and how many of their errors, makes no difference"
	}
	if at := spawn.Reaches(w.pass, w.s.Func.Body, inline.Cancels); at != nil {
		no = shape.No(at, "an error ends what others do, and would come late")
	}
	if by != nil && by.Body == nil {
		by = nil // it starts the literal itself
	}
	if by != nil && spawn.Recovers(w.pass, by.Body) != nil {
		no = shape.No(w.s.Node, "the group goes on after the panic of a task")
	}
	if sel, ok := w.s.Call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "TryGo" {
		no = shape.No(w.s.Node, "the group may take no more")
	}
	if at := spawn.Goexits(w.pass, w.s.Lit.Body); at != nil {
		no = shape.No(at, "the task may end its goroutine")
	}
	literal, err := inline.Source(w.pass, w.s.Lit.Pos(), w.s.Lit.End(), nil)
	if err != nil {
		no = shape.No(w.s.Lit, err.Error())
	}
	once := cmp.Or(w.goesOn("", ""), literal+"()")
	switch results := w.pass.TypesInfo.TypeOf(w.s.Lit).(*types.Signature).Results(); {
	case results.Len() == 1 && by != nil && spawn.Reaches(w.pass, by.Body, collects) != nil:
		no = shape.No(w.s.Node, "the group keeps the errors of all tasks")
	case results.Len() == 1 && types.Identical(results.At(0).Type(), types.Universe.Lookup("error").Type()):
		first, failed := w.fresh("first"), w.fresh("err")
		kind, before, after = "func() error", "var "+first+" error\n", "\nreturn "+first
		called := fmt.Sprintf("if %[1]s := %[2]s(); %[1]s != nil && %[3]s == nil {\n%[3]s = %[1]s\n}", failed, literal, first)
		once = cmp.Or(w.goesOn(first, failed), called)
	case results.Len() > 0:
		no = shape.No(w.s.Lit, "the task returns something else than an error")
	}
	fix := shape.Fix{Name: "chunk", Says: "hand the group one task for each processor, with a part of the elements"}
	w.parts(f, fix, no, []analysis.TextEdit{rewrite.Replace(w.start, once)}, func(l *inline.Loop, rest string) (string, []analysis.TextEdit) {
		return w.processors(l, rest, func(part string) string {
			return fmt.Sprintf("%s(%s {\n%s%s%s\n})", rewrite.Text(w.pass.Fset, w.s.Call.Fun), kind, before, part, after)
		})
	})
}

// goesOn is the body of a task as that of a loop: in place of a return it keeps the first
// error, if it returns one, and goes on. It is "" where it cannot be one.
func (w *writer) goesOn(first, failed string) string {
	body := w.s.Lit.Body
	if r := w.s.Lit.Type.Results; r != nil && len(r.List[0].Names) > 0 { // the body may set it
		return ""
	}
	if inline.Apart(w.s.Func, w.s.Lit, body.List) || slices.ContainsFunc(rewrite.Leaves(w.pass.TypesInfo, body, false), func(l rewrite.Leave) bool { return l.How != "return" }) {
		return ""
	}
	end := body.List[len(body.List)-1]
	var edits []analysis.TextEdit
	plain := true
	ast.PreorderStack(body, nil, func(n ast.Node, stack []ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		ret, ok := n.(*ast.ReturnStmt)
		if !ok {
			return true
		}
		if slices.ContainsFunc(stack, func(n ast.Node) bool { return spawn.LoopBody(stmt(n)) != nil }) {
			plain = false
		}
		text := ""
		if len(ret.Results) > 0 {
			text = w.keeps(ret.Results[0], first, failed)
		}
		if n != end {
			text += "continue"
		}
		edits = append(edits, rewrite.Replace(ret, strings.TrimSpace(text)))
		return true
	})
	text, err := inline.Source(w.pass, body.Lbrace+1, body.Rbrace, edits)
	if !plain || err != nil {
		return ""
	}
	return strings.TrimSpace(text)
}

// keeps is what keeps an error that is the first.
func (w *writer) keeps(err ast.Expr, first, failed string) string {
	info, text := w.pass.TypesInfo, rewrite.Text(w.pass.Fset, err)
	_, plain := err.(*ast.Ident)
	if call, ok := err.(*ast.CallExpr); ok {
		fn := typeutil.StaticCallee(info, call)
		plain = fn != nil && (fn.FullName() == "errors.New" || fn.FullName() == "fmt.Errorf") // never nil
	}
	switch {
	case info.Types[err].IsNil():
		return ""
	case plain:
		return fmt.Sprintf("if %[1]s == nil {\n%[1]s = %[2]s\n}\n", first, text)
	}
	return fmt.Sprintf("if %[1]s := %[2]s; %[1]s != nil && %[3]s == nil {\n%[3]s = %[1]s\n}\n", failed, text, first)
}

// stmt is a node that is a statement, else nil.
func stmt(n ast.Node) ast.Stmt {
	s, _ := n.(ast.Stmt)
	return s
}

// collects reports whether a function puts a value to others.
func collects(o types.Object) bool {
	return o == types.Universe.Lookup("append") || o.Pkg() != nil && o.Pkg().Path() == "errors" && o.Name() == "Join"
}

// Package inline rewrites functions that start goroutines and wait for them, so
// that the goroutine that calls does the work itself.
//
// A task is what a goroutine runs. Run in place, it must not wait for anything
// that comes after it, and must leave by its end. What tells others of its end
// goes: the wait group. A channel gets room for what tasks send. Where that is not
// certain the rewriting is refused, with the reason. The checks of goroutines that
// are too small share it.
package inline

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A function is a declaration with tasks that are to run in place.
type function struct {
	pass  *analysis.Pass
	info  *types.Info
	decl  *ast.FuncDecl
	sites []*spawn.Site
	gone  map[ast.Stmt]bool                 // told of a task's end, and are deleted
	ok    func(ch ast.Expr, send bool) bool // channels that a task may use
	edits []analysis.TextEdit
	vars  map[*types.Var]ast.Stmt // see locals
	soft  *shape.Refusal          // one under a condition, nil for none
}

// Edits returns the edits that make the tasks of the sites run in place. All
// sites are of decl. A refusal has no name. With one that has a condition, the edits are
// there.
func Edits(pass *analysis.Pass, decl *ast.FuncDecl, sites []*spawn.Site) ([]analysis.TextEdit, *shape.Refusal) {
	f, no := of(pass, decl, sites)
	if no != nil {
		return nil, no
	}
	if no := f.recovers(); no != nil {
		return nil, no
	}
	f.leave(f.slots()...)
	if no := f.channels(); no != nil {
		return nil, no
	}
	for _, g := range f.groups() {
		f.leave(g.decl)
		f.leave(g.stmts...)
	}
	if no := f.tasks(true); no != nil {
		return nil, no
	}
	f.comment()
	return f.edits, f.soft
}

// comment takes what the comment says of goroutines where there are no others.
func (f *function) comment() {
	for _, s := range f.pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == f.decl && !slices.Contains(f.sites, s) {
			return
		}
	}
	if doc := rewrite.Serially(f.decl, ""); doc != "" {
		f.edits = append([]analysis.TextEdit{rewrite.Replace(f.decl.Doc, doc)}, f.edits...)
	}
}

// Bodies returns the edits that make the task of a site run in place within a
// goroutine that does several of them. It also returns the wait group that
// counts them. The group's declaration and the wait stay; it is "" where
// channels tell the end.
func Bodies(pass *analysis.Pass, s *spawn.Site) (edits []analysis.TextEdit, group string, no *shape.Refusal) {
	f, no := of(pass, s.Func, []*spawn.Site{s})
	if no != nil {
		return nil, "", no
	}
	f.leave(f.slots()...)
	for _, g := range f.groups() {
		if len(g.stmts) == 0 {
			continue // not of these tasks
		}
		if group != "" {
			return nil, "", shape.No(s.Node, "two wait groups count the goroutines")
		}
		group = g.v.Name()
		for _, st := range g.stmts {
			if c, ok := st.(*ast.ExprStmt); !ok || method(c) != "Wait" {
				f.leave(st)
			}
		}
	}
	if group == "" && (s.Kind == spawn.WaitGroup || f.calls(s.Loop, "Add") || f.calls(s.Body, "Done")) {
		return nil, "", shape.No(s.Node, "the wait group has other uses")
	}
	if no := f.tasks(false); no != nil {
		return nil, "", no
	}
	return f.edits, group, f.soft
}

// Waits says what the task of a site may wait for that comes after it, or in
// another goroutine. The function ok says of a channel that its sends or receives
// are no such.
func Waits(pass *analysis.Pass, s *spawn.Site, ok func(ch ast.Expr, send bool) bool) *shape.Refusal {
	f, no := of(pass, s.Func, []*spawn.Site{s})
	if no != nil {
		return no
	}
	f.ok = ok
	no = f.waits(s, false)
	return cmp.Or(no, f.soft)
}

// Meets says what a task may wait for in others of its like. They must then not
// come one after the other in a goroutine. The flag alone says that it must not
// wait for the function either, which would receive what it sends.
func Meets(pass *analysis.Pass, s *spawn.Site, alone bool) *shape.Refusal {
	f := &function{pass: pass, info: pass.TypesInfo, decl: s.Func, sites: []*spawn.Site{s}}
	f.ok = func(_ ast.Expr, send bool) bool { return send && !alone }
	no := f.waits(s, false)
	return cmp.Or(no, f.soft)
}

// Called returns the edits that make the tasks of the sites calls, whatever they wait for.
// Wait groups go that count nothing else.
func Called(pass *analysis.Pass, decl *ast.FuncDecl, sites []*spawn.Site) ([]analysis.TextEdit, *shape.Refusal) {
	f, no := of(pass, decl, sites)
	if no != nil {
		return nil, no
	}
	if gone, no := Uncount(pass, decl, sites); no == nil {
		f.leave(gone...)
	}
	no = f.place()
	f.comment()
	return f.edits, no
}

// Uncount returns the statements of wait groups that count the tasks of the
// sites and nothing else, their declarations among them.
func Uncount(pass *analysis.Pass, decl *ast.FuncDecl, sites []*spawn.Site) ([]ast.Stmt, *shape.Refusal) {
	f, no := of(pass, decl, sites)
	if no != nil {
		return nil, no
	}
	for _, g := range f.groups() {
		if len(g.stmts) > 0 {
			f.leave(g.decl)
			f.leave(g.stmts...)
		}
	}
	for _, s := range sites {
		v, _ := spawn.Object(f.info, s.Group).(*types.Var)
		if s.Kind == spawn.WaitGroup && !f.gone[f.locals()[v]] || Literal(s) != nil && f.calls(Literal(s).Body, "Done") {
			return nil, shape.No(s.Node, "a wait group counts the goroutine beside others")
		}
	}
	f.deferred()
	var out []ast.Stmt
	for st := range f.gone {
		out = append(out, st)
	}
	return out, nil
}

// of returns a function with nothing edited yet.
func of(pass *analysis.Pass, decl *ast.FuncDecl, sites []*spawn.Site) (*function, *shape.Refusal) {
	for _, s := range sites {
		switch {
		case s.Stmt == nil:
			return nil, shape.No(s.Node, "the goroutine is not started by a statement of its own")
		case s.Kind == spawn.ErrGroup:
			return nil, shape.No(s.Node, "the group keeps the first error and cancels the others")
		case s.Loop != nil && s.Lit != nil && !rewrite.Since(pass, s.File, "go1.22"):
			return nil, shape.No(s.Node, "the tasks may share the loop's variable, as all did before Go 1.22")
		}
	}
	return &function{pass: pass, info: pass.TypesInfo, decl: decl, sites: sites, gone: map[ast.Stmt]bool{}}, nil
}

// leave marks statements as going.
func (f *function) leave(stmts ...ast.Stmt) {
	for _, s := range stmts {
		f.gone[s] = true
	}
}

// tasks makes the tasks run in place. alone says that nothing else runs
// meanwhile, so that they must not send either.
func (f *function) tasks(alone bool) *shape.Refusal {
	f.deferred()
	for _, s := range f.sites {
		if no := f.waits(s, alone); no != nil {
			return no
		}
	}
	return f.place()
}

// place makes the tasks calls, without what goes.
func (f *function) place() *shape.Refusal {
	for _, s := range f.sites {
		if no := f.task(s); no != nil {
			return no
		}
	}
	for s := range f.gone {
		f.edits = append(f.edits, Line(f.pass, s))
	}
	slices.SortFunc(f.edits, func(a, b analysis.TextEdit) int { return cmp.Compare(a.Pos, b.Pos) })
	return nil
}

// Literal is the literal that a site starts, where it is written in the
// statement that does; else nil.
func Literal(s *spawn.Site) *ast.FuncLit {
	fun := s.Call.Fun
	if s.Kind != spawn.Go {
		fun = s.Call.Args[0]
	}
	lit, _ := ast.Unparen(fun).(*ast.FuncLit)
	return lit
}

// task makes the statement that starts a goroutine a call of what it runs, or the
// statements of the literal.
func (f *function) task(s *spawn.Site) *shape.Refusal {
	if s.Body != nil {
		if at := spawn.Goexits(f.pass, s.Body); at != nil {
			return shape.No(at, "the task may end its goroutine")
		}
	}
	stmt, fun := s.Stmt, s.Call.Fun
	if s.Kind == spawn.WaitGroup {
		fun = s.Call.Args[0]
	}
	cut := func(pos, end token.Pos, text string) {
		f.edits = append(f.edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
	}
	lit := Literal(s)
	names, bound := f.names(s, lit)
	if !bound || !f.plain(lit) {
		cut(stmt.Pos(), fun.Pos(), "")
		if s.Kind == spawn.WaitGroup {
			cut(fun.End(), stmt.End(), "()")
		}
		return nil
	}
	left := slices.DeleteFunc(slices.Clone(lit.Body.List), func(st ast.Stmt) bool { return f.gone[st] })
	if len(left) == 0 || Apart(f.decl, lit, left) {
		cut(stmt.Pos(), lit.Body.Lbrace, "")
		cut(lit.Body.End(), stmt.End(), "")
		return nil
	}
	first, last := left[0].Pos(), left[len(left)-1].End()
	for _, g := range s.File.Comments {
		if lit.Body.Lbrace < g.Pos() && g.End() < lit.Body.Rbrace {
			first, last = min(first, g.Pos()), max(last, g.End())
		}
	}
	cut(stmt.Pos(), first, "")
	cut(last, stmt.End(), "")
	f.edits = append(f.edits, names...)
	for _, st := range lit.Body.List {
		if st.Pos() < first || st.Pos() > last {
			delete(f.gone, st) // cut with the rest
		}
	}
	return nil
}

// names puts variables that a literal is called with in the place of its parameters, which
// must not change and be copies of them. Else it reports false, also for no literal.
func (f *function) names(s *spawn.Site, lit *ast.FuncLit) (edits []analysis.TextEdit, ok bool) {
	if lit == nil {
		return nil, false
	}
	at := 0
	for _, field := range lit.Type.Params.List {
		for _, id := range field.Names {
			if at == len(s.Call.Args) { // the literal is variadic
				return nil, false
			}
			param, arg := loop.Var(f.info, id), loop.Var(f.info, s.Call.Args[at])
			at++
			if arg == nil || !types.Identical(param.Type(), arg.Type()) || !loop.Local(arg, f.decl) || len(loop.Writes(f.info, lit, param)) > 0 ||
				slices.ContainsFunc(loop.Writes(f.info, f.decl, arg), func(w loop.Write) bool { return w.Address || w.Captured }) {
				return nil, false
			}
			ok := true
			ast.PreorderStack(lit.Body, nil, func(n ast.Node, stack []ast.Node) bool {
				use, _ := n.(*ast.Ident)
				if use == nil || f.info.Uses[use] != param {
					return true
				}
				_, means := f.pass.Pkg.Scope().Innermost(use.Pos()).LookupParent(arg.Name(), use.Pos())
				later := slices.ContainsFunc(stack, func(n ast.Node) bool { _, is := n.(*ast.FuncLit); return is })
				ok = ok && !later && (means == arg || means == param)
				if arg.Name() != param.Name() && !f.within(use.Pos()) {
					edits = append(edits, rewrite.Replace(use, arg.Name()))
				}
				return true
			})
			if !ok {
				return nil, false
			}
		}
	}
	return edits, at == len(s.Call.Args) || s.Kind != spawn.Go
}

// Apart reports whether the statements of a literal need a block around them. Others of the
// function have a name that they declare, or a goto may jump over it.
func Apart(decl *ast.FuncDecl, lit *ast.FuncLit, left []ast.Stmt) bool {
	names := map[string]bool{}
	for _, st := range left {
		for _, id := range declared(st) {
			names[id] = true
		}
	}
	return uses.Any(decl, func(id *ast.Ident) bool {
		return names[id.Name] && (id.Pos() < lit.Body.Pos() || lit.Body.End() < id.Pos())
	}) || len(names) > 0 && uses.Any(decl, func(b *ast.BranchStmt) bool { return b.Tok == token.GOTO })
}

// plain reports whether the statements of a literal that stay may stand in the function:
// they leave by their end alone.
func (f *function) plain(lit *ast.FuncLit) bool {
	ok := true
	for _, l := range rewrite.Leaves(f.info, lit.Body, false) {
		switch l.How {
		case "return", "defer", "recover", "goto", "labelled break", "labelled continue":
			ok = ok && f.within(l.Pos)
		}
	}
	return ok && !uses.Any(lit.Body, func(*ast.LabeledStmt) bool { return true }) // one may be declared once in a function
}

// within reports whether pos is in a statement that goes.
func (f *function) within(pos token.Pos) bool {
	for s := range f.gone {
		if s.Pos() <= pos && pos < s.End() {
			return true
		}
	}
	return false
}

// declared are the names that a statement declares for those after it.
func declared(s ast.Stmt) (names []string) {
	switch s := s.(type) {
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					names = append(names, id.Name)
				}
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			}
		}
	case *ast.AssignStmt:
		for _, x := range s.Lhs {
			if id, ok := x.(*ast.Ident); ok && s.Tok == token.DEFINE && id.Name != "_" {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

// recovers refuses a function that recovers: the panic of a task ended the
// program, and would be caught in place.
func (f *function) recovers() (no *shape.Refusal) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && slices.ContainsFunc(f.sites, func(s *spawn.Site) bool { return s.Lit == lit }) {
			return false
		}
		if d, ok := n.(*ast.DeferStmt); ok && spawn.Recovers(f.pass, d.Call.Fun) != nil {
			no = shape.No(d, "the function recovers, and would catch what a task panics with")
		}
		return no == nil
	})
	return no
}

// Package inline rewrites functions that start goroutines and wait for them, so
// that the goroutine that calls does the work itself.
//
// A task is what a goroutine runs. Run in place, it must not wait for anything
// that comes after it, and must leave by its end. What tells others of its end
// goes: the wait group, the channel over which a single result comes. Where
// that is not certain the rewriting is refused, with the reason. The checks of
// goroutines that are too small share it.
package inline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// A Func is a function declaration with tasks that are to run in place.
type Func struct {
	pass  *analysis.Pass
	info  *types.Info
	decls map[*types.Func]*ast.FuncDecl
	decl  *ast.FuncDecl
	sites []*spawn.Site
	stmts map[*spawn.Site]ast.Stmt
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
	return f.edits, f.soft
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
			return nil, "", refuse(s.Node, "two wait groups count the goroutines")
		}
		group = g.v.Name()
		for _, st := range g.stmts {
			if c, ok := st.(*ast.ExprStmt); !ok || method(c) != "Wait" {
				f.leave(st)
			}
		}
	}
	if s.Kind == spawn.WaitGroup && group == "" || group == "" && f.done(s) {
		return nil, "", refuse(s.Node, "the wait group has other uses")
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
	return f.either(f.waits(s, false))
}

// Meets says what a task may wait for in others of its like. They must then not
// come one after the other in a goroutine. The flag alone says that it must not
// wait for the function either, which would receive what it sends.
func Meets(pass *analysis.Pass, s *spawn.Site, alone bool) *shape.Refusal {
	f := &Func{pass: pass, info: pass.TypesInfo, decls: spawn.Decls(pass), decl: s.Func, sites: []*spawn.Site{s}, gone: map[ast.Stmt]bool{}}
	f.ok = func(_ ast.Expr, send bool) bool { return send && !alone }
	return f.either(f.waits(s, false))
}

// either is a refusal, or the one under a condition where there is none.
func (f *Func) either(no *shape.Refusal) *shape.Refusal {
	if no != nil {
		return no
	}
	return f.soft
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
		if s.Kind == spawn.WaitGroup && !f.counted(s) || f.done(s) {
			return nil, refuse(s.Node, "a wait group counts the goroutine beside others")
		}
	}
	f.deferred()
	var out []ast.Stmt
	for st := range f.gone {
		out = append(out, st)
	}
	return out, nil
}

// counted reports whether the group of a site goes.
func (f *Func) counted(s *spawn.Site) bool {
	v, _ := f.object(s.Group).(*types.Var)
	return v != nil && f.gone[f.locals()[v]]
}

// of returns a Func with nothing edited yet.
func of(pass *analysis.Pass, decl *ast.FuncDecl, sites []*spawn.Site) (*Func, *shape.Refusal) {
	f := &Func{
		pass: pass, info: pass.TypesInfo, decls: spawn.Decls(pass),
		decl: decl, sites: sites,
		stmts: map[*spawn.Site]ast.Stmt{}, gone: map[ast.Stmt]bool{},
	}
	for _, s := range sites {
		if f.stmts[s] = Statement(decl, s); f.stmts[s] == nil {
			return nil, refuse(s.Node, "the goroutine is not started by a statement of its own")
		}
		if s.Kind == spawn.ErrGroup {
			return nil, refuse(s.Node, "the group keeps the first error and cancels the others")
		}
		if at := f.sharedVar(s); at != nil {
			return nil, refuse(at, "the tasks share the loop's variable, as all did before Go 1.22")
		}
	}
	return f, nil
}

// leave marks statements as going.
func (f *Func) leave(stmts ...ast.Stmt) {
	for _, s := range stmts {
		f.gone[s] = true
	}
}

// tasks makes the tasks run in place. alone says that nothing else runs
// meanwhile, so that they must not send either.
func (f *Func) tasks(alone bool) *shape.Refusal {
	f.deferred()
	for _, s := range f.sites {
		if no := f.waits(s, alone); no != nil {
			return no
		}
		if no := f.task(s); no != nil {
			return no
		}
	}
	for s := range f.gone {
		f.edits = append(f.edits, Line(f.pass, s))
	}
	slices.SortFunc(f.edits, func(a, b analysis.TextEdit) int { return int(a.Pos - b.Pos) })
	return nil
}

// sharedVar returns a variable of the starting loop that all tasks read, in
// files of a language version where each iteration had the same.
func (f *Func) sharedVar(s *spawn.Site) (at ast.Node) {
	if v := f.info.FileVersions[s.File]; s.Loop == nil || s.Lit == nil || v == "" || version.Compare(v, "go1.22") >= 0 {
		return nil
	}
	ast.Inspect(s.Lit.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && at == nil {
			if v, ok := f.info.Uses[id].(*types.Var); ok && v.Pos() >= s.Loop.Pos() && v.Pos() < spawn.LoopBody(s.Loop).Pos() {
				at = id
			}
		}
		return at == nil
	})
	return at
}

func refuse(at ast.Node, format string, args ...any) *shape.Refusal {
	return shape.No(at, fmt.Sprintf(format, args...))
}

// Statement returns the statement of decl that does nothing but start the
// site's goroutine, nil if there is none.
func Statement(decl *ast.FuncDecl, s *spawn.Site) (stmt ast.Stmt) {
	if g, ok := s.Node.(*ast.GoStmt); ok {
		return g
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		if e, ok := n.(*ast.ExprStmt); ok && ast.Unparen(e.X) == s.Node {
			stmt = e
		}
		return stmt == nil
	})
	return stmt
}

// task makes the statement that starts a goroutine a call of what it runs.
func (f *Func) task(s *spawn.Site) *shape.Refusal {
	stmt := f.stmts[s]
	cut := func(pos, end token.Pos, text string) {
		f.edits = append(f.edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
	}
	fun := s.Call.Fun // what runs
	if s.Kind == spawn.WaitGroup {
		fun = s.Call.Args[0]
	}
	lit := f.lit(s)
	if lit == nil {
		if s.Body != nil {
			if at := spawn.Goexits(f.pass, s.Body); at != nil {
				return refuse(at, "the task may end its goroutine")
			}
		}
		if s.Kind == spawn.Go {
			cut(stmt.Pos(), s.Call.Pos(), "")
		} else {
			cut(stmt.Pos(), fun.Pos(), "")
			cut(fun.End(), stmt.End(), "()")
		}
		return nil
	}
	unwrap := f.sameNames(s, lit)
	for _, l := range rewrite.Leaves(f.info, lit.Body, false) {
		switch l.How {
		case "return", "defer", "recover", "goto", "labelled break", "labelled continue":
			if !f.within(l.Pos) {
				unwrap = false
			}
		case "panic", "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln":
		default:
			return &shape.Refusal{Why: "the task ends its goroutine by " + l.How, Pos: l.Pos}
		}
	}
	if at := spawn.Goexits(f.pass, lit.Body); at != nil {
		return refuse(at, "the task may end its goroutine")
	}
	var labels bool
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		_, l := n.(*ast.LabeledStmt)
		labels = labels || l
		return true
	})
	if labels {
		unwrap = false // a label may be declared once in a function
	}
	switch {
	case !unwrap && s.Kind == spawn.Go:
		cut(stmt.Pos(), s.Call.Pos(), "")
	case !unwrap:
		cut(stmt.Pos(), lit.Pos(), "")
		cut(lit.End(), stmt.End(), "()")
	default:
		left := slices.DeleteFunc(slices.Clone(lit.Body.List), func(st ast.Stmt) bool { return f.gone[st] })
		if n := len(left); n > 0 && !slices.ContainsFunc(left, declares) {
			first, last := left[0], left[n-1]
			if !f.commented(lit.Body.Lbrace, first.Pos()) && !f.commented(last.End(), lit.Body.Rbrace) {
				cut(stmt.Pos(), first.Pos(), "")
				cut(last.End(), stmt.End(), "")
				for _, st := range lit.Body.List {
					if st.Pos() < first.Pos() || st.Pos() > last.Pos() {
						delete(f.gone, st) // cut with the rest
					}
				}
				break
			}
		}
		cut(stmt.Pos(), lit.Body.Lbrace, "")
		cut(lit.Body.End(), stmt.End(), "")
	}
	return nil
}

// sameNames reports whether the parameters of a literal are bound to variables
// of their names, and keep their values: the body means the same without them.
func (f *Func) sameNames(s *spawn.Site, lit *ast.FuncLit) bool {
	i := 0
	for _, field := range lit.Type.Params.List {
		for _, p := range field.Names {
			if s.Kind != spawn.Go || i >= len(s.Call.Args) {
				return false
			}
			arg, ok := s.Call.Args[i].(*ast.Ident)
			if !ok || arg.Name != p.Name || p.Name == "_" || !types.Identical(f.info.TypeOf(arg), f.info.TypeOf(p)) || Sets(f.info, lit.Body, f.info.Defs[p]) || captured(f.info, lit.Body, f.info.Defs[p]) {
				return false
			}
			i++
		}
		if field.Names == nil {
			return false
		}
	}
	return true
}

// captured reports whether a literal in a body uses a variable: it may live longer.
func captured(info *types.Info, body ast.Node, o types.Object) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			ast.Inspect(lit, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || ok && info.Uses[id] == o
				return !found
			})
		}
		return !found
	})
	return found
}

// Sets reports whether a body gives a variable, or a part of it, another value, or its
// address away.
func Sets(info *types.Info, body ast.Node, o types.Object) (found bool) {
	is := func(e ast.Expr) bool {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.Ident:
				return info.Uses[x] == o
			case *ast.SelectorExpr:
				if _, pointer := info.TypeOf(x.X).Underlying().(*types.Pointer); pointer {
					return false
				}
				e = x.X
			case *ast.IndexExpr:
				if _, array := info.TypeOf(x.X).Underlying().(*types.Array); !array {
					return false
				}
				e = x.X
			default:
				return false
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		case *ast.SliceExpr:
			_, array := info.TypeOf(n.X).Underlying().(*types.Array)
			found = found || array && is(n.X)
		case *ast.SelectorExpr: // a method that takes its address
			m := info.Selections[n]
			if m != nil && m.Kind() == types.MethodVal && is(n.X) {
				_, value := info.TypeOf(n.X).Underlying().(*types.Pointer)
				_, pointer := m.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
				found = found || pointer && !value
			}
		case *ast.RangeStmt:
			found = found || n.Tok == token.ASSIGN && (n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value))
		}
		return !found
	})
	return found
}

// within reports whether pos is in a statement that goes.
func (f *Func) within(pos token.Pos) bool {
	for s := range f.gone {
		if s.Pos() <= pos && pos < s.End() {
			return true
		}
	}
	return false
}

// declares reports whether a statement declares something, and so needs a block
// around it.
func declares(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.DeclStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok == token.DEFINE
	}
	return false
}

// commented reports whether there is a comment between two positions.
func (f *Func) commented(pos, end token.Pos) bool {
	for _, file := range f.pass.Files {
		for _, g := range file.Comments {
			if pos <= g.Pos() && g.End() <= end {
				return true
			}
		}
	}
	return false
}

// recovers refuses a function that recovers: the panic of a task ended the
// program, and would be caught in place.
func (f *Func) recovers() (no *shape.Refusal) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		for _, s := range f.sites {
			if s.Lit != nil && n == s.Lit {
				return false
			}
		}
		if d, ok := n.(*ast.DeferStmt); ok && no == nil && spawn.Recovers(f.pass, d.Call.Fun) != nil {
			no = refuse(d, "the function recovers, and would catch what a task panics with")
		}
		if c, ok := n.(*ast.CallExpr); ok && no == nil {
			if b, ok := f.object(c.Fun).(*types.Builtin); ok && b.Name() == "recover" {
				no = refuse(c, "the function recovers, and would catch what a task panics with")
			}
		}
		return true
	})
	return no
}

func (f *Func) object(e ast.Expr) types.Object { return Object(f.info, e) }

// Object is [spawn.Object].
func Object(info *types.Info, e ast.Expr) types.Object { return spawn.Object(info, e) }

package serialmerge

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// single returns goroutines that each lock once, to append one result.
func (c *check) single(s *spawn.Site) (all []shape.Finding) {
	if s.Up != nil || s.Lit == nil {
		return nil
	}
	body, ok := c.Find(s.Body)
	if !ok {
		return nil
	}
	for _, sec := range local.SectionsIn(c.sections, body) {
		if _, loop := local.Innermost(sec.Enter); loop || c.seen[sec.Enter.Node()] || sec.Read || !s.SharedExpr(sec.X) {
			continue
		}
		a, ok := c.append(sec)
		if !ok {
			continue
		}
		c.seen[sec.Enter.Node()] = true
		out := types.ExprString(a.Lhs[0])
		f := shape.Finding{
			Pos: sec.Enter.Node().Pos(), End: sec.Enter.Node().End(),
			Message: fmt.Sprintf("each goroutine locks %s to append one result to %s", types.ExprString(sec.X), out),
			Func:    s.Func,
			Causes:  []string{"lock", "serial", "trueshare", "rmw"},
			Hot:     []shape.Range{shape.Of(s.Body)},
		}
		if edits, why, at := c.index(s, sec, a); why != "" {
			f.Refused = []shape.Refusal{{Name: "index", Why: why, Pos: at}}
		} else {
			f.Fixes = []shape.Fix{{Name: "index", Says: "store each result at the index of the loop, without a lock", Edits: edits}}
		}
		all = append(all, f)
	}
	return all
}

// append returns the statement of a section that is s = append(s, e).
func (c *check) append(sec *section.Section) (a *ast.AssignStmt, ok bool) {
	if len(sec.Stmts) != 1 {
		return nil, false
	}
	a, ok = sec.Stmts[0].Node().(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, false
	}
	call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || call.Ellipsis.IsValid() || types.ExprString(call.Args[0]) != types.ExprString(a.Lhs[0]) {
		return nil, false
	}
	id, ok := call.Fun.(*ast.Ident)
	if !ok {
		return nil, false
	}
	b, ok := c.Pass.TypesInfo.Uses[id].(*types.Builtin)
	return a, ok && b.Name() == "append"
}

// index stores the result at the index of the loop that starts the goroutines.
func (c *check) index(s *spawn.Site, sec *section.Section, a *ast.AssignStmt) (edits []analysis.TextEdit, why string, at token.Pos) {
	info := c.Pass.TypesInfo
	id, ok := a.Lhs[0].(*ast.Ident)
	if !ok {
		return nil, types.ExprString(a.Lhs[0]) + " is no local variable", a.Pos()
	}
	v := info.Uses[id].(*types.Var)
	if sec.Enter.Parent().Node() != ast.Node(s.Body) {
		return nil, "a goroutine may have no result", sec.Enter.Node().Pos()
	}
	if loops := leaves(info, s.Body, sec.Enter.Node().Pos()); loops.Pos.IsValid() {
		return nil, "a goroutine may have no result: it has a " + loops.How, loops.Pos
	}
	if at := recovers(c.Pass, s.Body); at != nil {
		return nil, "a goroutine may have no result: it recovers", at.Pos()
	}
	if at := spawn.Goexits(c.Pass, s.Body); at != nil {
		return nil, "a goroutine may have no result: it may end by runtime.Goexit", at.Pos()
	}
	if s.Join == nil || s.Func == nil || v.Pos() < s.Func.Pos() || s.Func.End() <= v.Pos() {
		return nil, "others may look at " + v.Name() + " meanwhile", a.Pos()
	}
	loop, ok := c.Find(s.Loop)
	if !ok {
		return nil, "the loop is not to be found", a.Pos()
	}
	if why, at := always(info, s, loop); why != "" {
		return nil, why, at
	}
	key, size, header, why := c.counted(s, loop, a.Pos())
	if why != "" {
		return nil, why, s.Loop.Pos()
	}
	// The slice must be empty when the loop begins, and nobody look meanwhile.
	var decl inspector.Cursor
	for _, use := range c.Uses.Of(v) {
		pos := use.Node().Pos()
		switch {
		case c.Uses.Declares(use):
			decl = use
		case pos > s.Join.Pos(), a.Pos() <= pos && pos < a.End():
		default:
			return nil, v.Name() + " is used elsewhere as well", pos
		}
	}
	stmt, ok := uses.Statement(decl)
	if !ok || stmt.Parent() != loop.Parent() {
		return nil, v.Name() + " is not declared beside the loop", v.Pos()
	}
	text := rewrite.Text(c.Pass.Fset, size)
	if _, number := info.TypeOf(size).Underlying().(*types.Basic); !number {
		text = "len(" + text + ")"
	}
	for _, w := range c.variables(size) {
		if c.set(w) || w.Pos() > stmt.Node().Pos() {
			return nil, w.Name() + " may change", size.Pos()
		}
	}
	edits = append(edits, header...)
	switch d := decl.Parent().Node().(type) {
	case *ast.AssignStmt:
		call, ok := ast.Unparen(d.Rhs[0]).(*ast.CallExpr)
		if !ok || len(d.Lhs) != 1 || len(call.Args) < 2 || info.Types[call.Args[1]].Value == nil || info.Types[call.Args[1]].Value.ExactString() != "0" {
			return nil, v.Name() + " does not begin empty", v.Pos()
		}
		edits = append(edits, analysis.TextEdit{Pos: call.Args[1].Pos(), End: call.Args[len(call.Args)-1].End(), NewText: []byte(text)})
	case *ast.ValueSpec:
		if d.Values != nil || d.Type == nil {
			return nil, v.Name() + " does not begin empty", v.Pos()
		}
		// It stays nil where there is nothing to do.
		edits = append(edits, rewrite.Insert(s.Loop.Pos(), fmt.Sprintf("if %s > 0 {\n%s = make(%s, %s)\n}\n", text, v.Name(), rewrite.Text(c.Pass.Fset, d.Type), text)))
	default:
		return nil, v.Name() + " does not begin empty", v.Pos()
	}
	m := (&local.Loop{Package: c.Package, Site: s, At: loop}).NewMerger(c.sections, sec.Lock)
	edits = append(edits, m.Unlocked(sec)...)
	edits = append(edits, c.undeclared(sec)...)
	call := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	return append(edits,
		rewrite.Insert(id.End(), "["+key+"]"),
		analysis.TextEdit{Pos: call.Pos(), End: call.Args[1].Pos()},
		analysis.TextEdit{Pos: call.Args[1].End(), End: call.End()}), "", 0
}

// undeclared takes away the declaration of a lock that nothing else takes.
func (c *check) undeclared(sec *section.Section) []analysis.TextEdit {
	var decl inspector.Cursor
	for _, use := range c.Uses.Of(sec.Lock.Var) {
		if c.Uses.Declares(use) {
			decl = use
		} else if n := use.Node(); !spawn.Within(sec.Enter.Node(), n) && !spawn.Within(sec.Leave.Node(), n) {
			return nil
		}
	}
	if decl.Inspector() == nil {
		return nil
	}
	stmt, ok := uses.Statement(decl)
	d, isDecl := decl.Parent().Node().(*ast.ValueSpec)
	if !ok || !isDecl || len(d.Names) > 1 {
		return nil
	}
	if _, alone := stmt.Node().(*ast.DeclStmt); !alone || len(stmt.Node().(*ast.DeclStmt).Decl.(*ast.GenDecl).Specs) > 1 {
		return nil
	}
	return []analysis.TextEdit{rewrite.Drop(c.Pass.Fset, stmt)}
}

// leaves returns how the body may end before pos.
func leaves(info *types.Info, body *ast.BlockStmt, pos token.Pos) rewrite.Leave {
	for _, x := range rewrite.Leaves(info, body, false) {
		if x.Pos < pos && x.How != "defer" {
			return x
		}
	}
	return rewrite.Leave{}
}

// recovers returns a deferred call of a body that may stop a panic. A function of
// another module may.
func recovers(pass *analysis.Pass, body *ast.BlockStmt) (at ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit || at != nil {
			return false
		}
		d, ok := n.(*ast.DeferStmt)
		if !ok {
			return true
		}
		if spawn.Recovers(pass, d) != nil {
			at = d
			return false
		}
		if _, lit := ast.Unparen(d.Call.Fun).(*ast.FuncLit); lit {
			return false // what it calls cannot stop the panic
		}
		switch o := typeutil.Callee(pass.TypesInfo, d.Call).(type) {
		case *types.Builtin:
		case *types.Func:
			if o.Pkg() != nil && o.Pkg() != pass.Pkg && !section.Standard(o) {
				at = d
			}
		default:
			if !uses.Is(pass.TypesInfo.TypeOf(d.Call.Fun), "context", "CancelFunc") {
				at = d
			}
		}
		return false
	})
	return at
}

// always says why not every iteration of the loop starts a goroutine.
func always(info *types.Info, s *spawn.Site, loop inspector.Cursor) (why string, at token.Pos) {
	const sometimes = "not every iteration starts a goroutine"
	body := local.Body(loop)
	for _, x := range rewrite.Leaves(info, body, false) {
		return sometimes, x.Pos
	}
	for _, stmt := range body.List {
		switch stmt := stmt.(type) {
		case *ast.GoStmt:
			if ast.Node(stmt) == s.Node {
				return "", 0
			}
		case *ast.ExprStmt:
			if ast.Node(stmt.X) == s.Node {
				return "", 0
			}
		}
	}
	return sometimes, s.Node.Pos()
}

// counted returns the index of a loop for use at a position, with the edits that
// give it one, and what
// it counts up to: a number or what it ranges over.
func (c *check) counted(s *spawn.Site, loop inspector.Cursor, at token.Pos) (key string, size ast.Expr, edits []analysis.TextEdit, why string) {
	info := c.Pass.TypesInfo
	r, ok := loop.Node().(*ast.RangeStmt)
	if !ok {
		return "", nil, nil, "the loop is no range over a slice or a number"
	}
	switch t := info.TypeOf(r.X).Underlying().(type) {
	case *types.Slice:
	case *types.Basic:
		if t.Info()&types.IsInteger == 0 {
			return "", nil, nil, "the loop is no range over a slice or a number"
		}
	default:
		return "", nil, nil, "the loop is no range over a slice or a number"
	}
	if r.Key != nil && r.Tok != token.DEFINE {
		return "", nil, nil, "the loop variables are declared outside"
	}
	id, _ := r.Key.(*ast.Ident)
	switch {
	case id != nil && id.Name != "_":
		v := info.Defs[id].(*types.Var)
		if c.set(v) || !s.Differs(v) {
			return "", nil, nil, v.Name() + " may change"
		}
		if _, o := c.Pass.Pkg.Scope().Innermost(at).LookupParent(id.Name, at); o != nil && o != types.Object(v) {
			return "", nil, nil, id.Name + " is something else in the goroutine"
		}
		return id.Name, r.X, nil, ""
	case id != nil:
		key = c.Name(s.Func, r, "i")
		return key, r.X, []analysis.TextEdit{rewrite.Replace(id, key)}, ""
	}
	key = c.Name(s.Func, r, "i")
	return key, r.X, []analysis.TextEdit{rewrite.Insert(r.Range, key+" := ")}, ""
}

// variables returns those an expression mentions.
func (c *check) variables(e ast.Expr) (all []*types.Var) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := c.Pass.TypesInfo.Uses[id].(*types.Var); ok {
				all = append(all, v)
			}
		}
		if _, call := n.(*ast.CallExpr); call {
			all = append(all, types.NewVar(e.End(), nil, "a call", types.Typ[types.Int])) // declared too late
		}
		return true
	})
	return all
}

// set reports whether a variable is set again.
func (c *check) set(v *types.Var) bool {
	for _, use := range c.Uses.Of(v) {
		if !c.Uses.Declares(use) && uses.Written(uses.Whole(use)) {
			return true
		}
	}
	return false
}

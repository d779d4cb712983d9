package inline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Loop numbers its iterations from 0, so that parts of it can be handed out.
// It runs over the indexes of a slice, or a counter.
type Loop struct {
	Stmt  ast.Stmt // *ast.ForStmt or *ast.RangeStmt
	Body  *ast.BlockStmt
	Count string // an expression: len(xs), n
	Over  string // the slice, "" for a counter

	key, value string                // names of the variables, "" without
	again      bool                  // the body declares one of the names again
	bound      map[types.Object]bool // what the count is made of
}

// Outermost returns the loop that starts the goroutines of a site, or the one
// furthest out around it that does nothing else.
func Outermost(s *spawn.Site) ast.Stmt {
	out := s.Loop
	path, _ := astutil.PathEnclosingInterval(s.File, out.Pos(), out.End())
	for i := 1; i+1 < len(path); i += 2 {
		body, ok := path[i].(*ast.BlockStmt)
		around, isStmt := path[i+1].(ast.Stmt)
		if !ok || !isStmt || len(body.List) != 1 || spawn.LoopBody(around) != body {
			break
		}
		out = around
	}
	return out
}

// Numbered returns the loop with its count, or why there is none.
func Numbered(pass *analysis.Pass, file *ast.File, stmt ast.Stmt) (*Loop, string) {
	info := pass.TypesInfo
	if !rewrite.Since(pass, file, "go1.22") {
		return nil, "the file's version of Go has no range over integers"
	}
	if !rewrite.Universal(pass.Pkg, stmt.Pos(), "int", "len", "max", "min") {
		return nil, "int, len, max or min means something else here"
	}
	if r, ok := stmt.(*ast.RangeStmt); ok {
		if _, slice := info.TypeOf(r.X).Underlying().(*types.Slice); !slice && !number(info.TypeOf(r.X)) {
			return nil, "the iterations of the loop have no numbers"
		}
	}
	n, ok := loop.Numbered(info, stmt)
	if !ok || n.Lo != nil {
		return nil, "the loop does not count one by one from 0, in int"
	}
	l := &Loop{Stmt: stmt, Body: spawn.LoopBody(stmt), bound: map[types.Object]bool{}}
	if n.Key != nil {
		l.key = n.Key.Name
	}
	if n.Value != nil {
		l.value = n.Value.Name
	}
	bound := n.Hi
	if n.Over != nil {
		bound = n.Over
		l.Over = rewrite.Text(pass.Fset, n.Over)
		l.Count = "len(" + l.Over + ")"
	} else {
		l.Count = rewrite.Text(pass.Fset, n.Hi)
	}
	if Calls(bound, info) {
		return nil, "the bound of the loop is the result of a call"
	}
	ast.Inspect(bound, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.ObjectOf(id).(*types.Var); ok {
				l.bound[v] = true
			}
		}
		return true
	})
	if no := l.changes(info); no != "" {
		return nil, no
	}
	for _, st := range l.Body.List {
		if a, ok := st.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, e := range a.Lhs {
				id, ok := e.(*ast.Ident)
				l.again = l.again || ok && id.Name != "_" && (id.Name == l.value || id.Name == l.key)
			}
		}
	}
	return l, ""
}

func number(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// changes says that the loop sets its variables, or what its bound is made of.
func (l *Loop) changes(info *types.Info) (why string) {
	ast.Inspect(l.Body, func(n ast.Node) bool {
		changed(info, n, func(e ast.Expr) {
			o := last(info, e)
			_, star := ast.Unparen(e).(*ast.StarExpr)
			switch {
			case o != nil && !star && o.Pos() >= l.Stmt.Pos() && o.Pos() < l.Body.Pos():
				why = fmt.Sprintf("the loop sets its variable %s", o.Name())
			case l.bound[o]:
				why = fmt.Sprintf("the loop sets %s, which bounds it", o.Name())
			default:
				x := base(e)
				if x == nil || l.value == "" || !l.bound[last(info, x.X)] {
					break
				}
				if i, ok := ast.Unparen(x.Index).(*ast.Ident); !ok || i.Name != l.key {
					why = fmt.Sprintf("the loop sets elements of %s, of which later iterations may be at the same time", last(info, x.X).Name())
				}
			}
		})
		return why == ""
	})
	return why
}

// Late says what would be seen by goroutines that look only then at what the
// loop goes over. It is a change of it between the loop and the join.
func (l *Loop) Late(pass *analysis.Pass, s *spawn.Site) (at ast.Node, why string) {
	info := pass.TypesInfo
	from, to := l.meanwhile(s)
	var lits []*ast.FuncLit // that may be called meanwhile
	ast.Inspect(s.Func.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && !spawn.Within(lit, l.Stmt) {
			lits = append(lits, lit)
		}
		return n != l.Stmt
	})
	sets := l.setBy(pass)
	ast.Inspect(s.Func.Body, func(n ast.Node) bool {
		if n == nil || at != nil {
			return false
		}
		in := spawn.Within(l.Stmt, n)
		if !in && !(from <= n.Pos() && n.Pos() < to) && !slices.ContainsFunc(lits, func(lit *ast.FuncLit) bool { return spawn.Within(lit, n) }) {
			return true
		}
		if id, ok := n.(*ast.Ident); ok && sets != nil && spawn.Reaches(pass, id, sets) != nil {
			at, why = id, "what the loop goes over may be set in a function that is called before all goroutines have ended"
		}
		if in {
			return true
		}
		changed(info, n, func(e ast.Expr) {
			if o := l.hit(info, e); o != nil {
				at, why = n, o.Name()+" changes before all goroutines have ended"
			}
		})
		if c, ok := n.(*ast.CallExpr); ok && l.value != "" && !info.Types[c.Fun].IsType() && Calls(c, info) {
			for _, a := range c.Args {
				if o := last(info, a); o != nil && l.bound[o] && !number(o.Type()) {
					at, why = c, o.Name()+" is handed on before all goroutines have ended"
				}
			}
		}
		return true
	})
	return at, why
}

// settled reports whether what the loop goes over is known where the function is at from.
func (l *Loop) settled(pass *analysis.Pass, in *ast.FuncDecl, from token.Pos) bool {
	ok, sets := true, l.setBy(pass)
	for o := range l.bound {
		ok = ok && (o.(*types.Var).IsField() || o.Pos() < from)
	}
	ast.Inspect(in.Body, func(n ast.Node) bool {
		if n != nil && from <= n.Pos() && n.End() <= l.Stmt.Pos() {
			changed(pass.TypesInfo, n, func(e ast.Expr) { ok = ok && !l.bound[last(pass.TypesInfo, e)] })
			ok = ok && (sets == nil || spawn.Reaches(pass, n, sets) == nil)
		}
		return ok
	})
	return ok
}

// hit is what the loop goes over, where an operand that is set is that, or one of the
// elements that it takes; else nil.
func (l *Loop) hit(info *types.Info, e ast.Expr) types.Object {
	if o := last(info, e); l.bound[o] {
		return o
	}
	if x := base(e); x != nil && l.value != "" && l.bound[last(info, x.X)] {
		return last(info, x.X)
	}
	return nil
}

// meanwhile is where the goroutines of the site may run, outside of the loop:
// from its end to the join, and all of a loop around it that has not the join.
func (l *Loop) meanwhile(s *spawn.Site) (from, to token.Pos) {
	from, to = l.Stmt.End(), s.Func.End()
	after := s.Join != nil && s.Join.Pos() > l.Stmt.End()
	if after {
		end := s.Join.End()
		path, _ := astutil.PathEnclosingInterval(s.File, s.Join.Pos(), end)
		for _, n := range path {
			if spawn.Within(n, l.Stmt) {
				break
			}
			switch n.(type) {
			case *ast.FuncLit, *ast.DeferStmt:
				after = false // run at no known time
			case *ast.ForStmt, *ast.RangeStmt:
				end = n.End()
			}
		}
		if after {
			to = end
		}
	}
	path, _ := astutil.PathEnclosingInterval(s.File, l.Stmt.Pos(), l.Stmt.End())
	for _, n := range path[1:] {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if !after || !spawn.Within(n, s.Join) {
				from = n.Pos()
			}
		}
	}
	return from, to
}

// setBy returns what is asked of the functions that are called: whether they set
// a field or a variable of the package that the loop's bound is made of. It is
// nil where there is none.
func (l *Loop) setBy(pass *analysis.Pass) func(types.Object) bool {
	far := false
	for o := range l.bound {
		far = far || o.(*types.Var).IsField() || o.Parent() == pass.Pkg.Scope()
	}
	if !far {
		return nil
	}
	sets := map[types.Object]bool{}
	for fn, d := range spawn.Decls(pass) {
		if !spawn.Within(d, l.Stmt) {
			ast.Inspect(d.Body, func(n ast.Node) bool {
				changed(pass.TypesInfo, n, func(e ast.Expr) { sets[fn] = sets[fn] || l.hit(pass.TypesInfo, e) != nil })
				return true
			})
		}
	}
	return func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		return ok && sets[fn.Origin()]
	}
}

// changed calls f with the operands that a node sets, or has the address of.
func changed(info *types.Info, n ast.Node, f func(ast.Expr)) {
	if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
		f(u.X)
	}
	if a, ok := n.(*ast.AssignStmt); ok {
		for _, l := range a.Lhs {
			if id, ok := l.(*ast.Ident); !ok || info.Defs[id] == nil {
				f(l)
			}
		}
		return
	}
	for _, e := range rewrite.Assigned(n) {
		f(e)
	}
}

// last is the variable or field that an operand is: xs of b.xs, p of *p.
func last(info *types.Info, e ast.Expr) types.Object {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.Uses[x]
	case *ast.SelectorExpr:
		return info.Uses[x.Sel]
	case *ast.StarExpr:
		return last(info, x.X)
	case *ast.SliceExpr:
		return last(info, x.X)
	}
	return nil
}

// base is the first index in an operand: b.xs[i] of b.xs[i].y; nil where there is none.
func base(e ast.Expr) (of *ast.IndexExpr) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			of, e = x, x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return of
		}
	}
}

// Part is the loop over the iterations from lo to hi with the rest of the body.
func (l *Loop) Part(fresh func(string) string, lo, hi, rest string) string {
	if l.Over != "" && l.key == "" {
		value := ""
		if l.value != "" {
			value = "_, " + l.value + " := "
		}
		return fmt.Sprintf("for %srange %s[%s:%s] {%s}", value, l.Over, lo, hi, rest)
	}
	key := l.key
	if key == "" {
		key = fresh("i")
	}
	return fmt.Sprintf("for %s := %s; %s < %s; %s++ {", key, lo, key, hi, key) + l.body(key, rest)
}

// body is what follows once key has the number of the iteration, to the brace.
func (l *Loop) body(key, rest string) string {
	if l.again {
		rest = "\n{" + rest + "}\n"
	}
	if l.value != "" {
		rest = fmt.Sprintf("\n%s := %s[%s]", l.value, l.Over, key) + rest
	}
	return rest + "}"
}

// Plain reports whether the body of the loop does nothing but start the
// goroutine of the site. Beside it stand what counts it, and names for values.
// It returns the statement that does more.
func Plain(info *types.Info, loop ast.Stmt, start ast.Stmt) (more ast.Stmt) {
	for _, st := range spawn.LoopBody(loop).List {
		switch {
		case st == start:
		case spawn.LoopBody(st) != nil:
			if more := Plain(info, st, start); more != nil {
				return more
			}
		case !aside(info, st):
			return st
		}
	}
	return nil
}

// aside reports whether a statement counts a goroutine, takes a slot for it, or gives a
// name to a value that is computed without calls.
func aside(info *types.Info, st ast.Stmt) bool {
	switch s := st.(type) {
	case *ast.SendStmt:
		return idle(s.Value)
	case *ast.ExprStmt:
		return method(s) == "Add"
	case *ast.AssignStmt:
		return s.Tok == token.DEFINE && !slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool { return Calls(e, info) || Receives(e) })
	}
	return false
}

// Received returns the channel that a statement does nothing but to receive from, or nil.
func Received(st ast.Stmt) ast.Expr {
	var e ast.Expr
	switch st := st.(type) {
	case *ast.ExprStmt:
		e = st.X
	case *ast.AssignStmt:
		e = st.Rhs[0]
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return ast.Unparen(u.X)
	}
	return nil
}

// Receives reports whether evaluating e receives from a channel.
func Receives(e ast.Expr) bool {
	return uses.Any(e, func(u *ast.UnaryExpr) bool { return u.Op == token.ARROW })
}

// Start is the statement that starts a goroutine with the body and counts it in
// the wait group, "" for none.
func Start(info *types.Info, file *ast.File, group, body string) string {
	v := info.FileVersions[file]
	switch {
	case group == "":
		return "go func() {\n" + body + "\n}()"
	case v == "" || version.Compare(v, "go1.25") >= 0:
		return group + ".Go(func() {\n" + body + "\n})"
	}
	return group + ".Add(1)\ngo func() {\ndefer " + group + ".Done()\n" + body + "\n}()"
}

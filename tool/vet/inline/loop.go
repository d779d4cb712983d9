package inline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// A Loop numbers its iterations from 0, so that parts of it can be handed out.
// It runs over the indexes of a slice, or a counter.
type Loop struct {
	Stmt  ast.Stmt // *ast.ForStmt or *ast.RangeStmt
	Body  *ast.BlockStmt
	Count string // an expression: len(xs), n

	over       string                // the slice, "" for a counter
	key, value string                // names of the variables, "" without
	index      bool                  // the slice is an array, which is not to be cut
	again      bool                  // the body declares the value's name again
	keyAgain   bool                  // and the key's
	bound      map[types.Object]bool // what the count is made of
}

// Outermost returns the loop that starts the goroutines of a site, or the one
// furthest out around it that does nothing else.
func Outermost(s *spawn.Site) ast.Stmt {
	out := s.Loop
	for _, n := range enclosing(s.Func.Body, s.Loop) {
		b := body2(n)
		if b == nil || n.Pos() >= out.Pos() {
			continue
		}
		// From outside in: every loop down to out holds the next alone.
		inner := ast.Stmt(n)
		for inner != out {
			l := spawn.LoopBody(inner).List
			if len(l) != 1 || body2(l[0]) == nil {
				inner = nil
				break
			}
			inner = l[0]
		}
		if inner == out {
			return n
		}
	}
	return out
}

func body2(n ast.Stmt) *ast.BlockStmt {
	if n == nil {
		return nil
	}
	return spawn.LoopBody(n)
}

// enclosing returns the statements from root to n.
func enclosing(root ast.Node, n ast.Stmt) (out []ast.Stmt) {
	ast.Inspect(root, func(x ast.Node) bool {
		if x == nil || x.Pos() > n.Pos() || x.End() < n.End() {
			return false
		}
		if s, ok := x.(ast.Stmt); ok {
			out = append(out, s)
		}
		if _, lit := x.(*ast.FuncLit); lit {
			out = nil
		}
		return true
	})
	return out
}

// Numbered returns the loop with its count, or why there is none.
func Numbered(pass *analysis.Pass, file *ast.File, loop ast.Stmt) (*Loop, string) {
	info := pass.TypesInfo
	if v := info.FileVersions[file]; v != "" && version.Compare(v, "go1.22") < 0 {
		return nil, "the file's version of Go has no range over integers"
	}
	text := func(n ast.Node) string { return rewrite.Text(pass.Fset, n) }
	name := func(e ast.Expr) string {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			return id.Name
		}
		return ""
	}
	l := &Loop{Stmt: loop, Body: spawn.LoopBody(loop)}
	var bound ast.Expr
	switch s := loop.(type) {
	case *ast.RangeStmt:
		if s.Tok == token.ASSIGN {
			return nil, "the loop assigns to variables from outside"
		}
		l.key, bound = "", s.X
		if s.Key != nil {
			l.key = name(s.Key)
		}
		if s.Value != nil {
			l.value = name(s.Value)
		}
		switch t := types.Unalias(info.TypeOf(s.X)).Underlying().(type) {
		case *types.Slice:
			l.over, l.Count = text(s.X), "len("+text(s.X)+")"
		case *types.Array:
			l.over, l.Count, l.index = text(s.X), "len("+text(s.X)+")", true
		case *types.Pointer:
			return nil, "the loop ranges over an array by its pointer"
		case *types.Basic:
			if t.Info()&types.IsInteger == 0 {
				return nil, "the loop ranges over the runes of a string"
			}
			if !types.Identical(t, types.Typ[types.Int]) && t.Kind() != types.UntypedInt {
				return nil, "the loop counts in " + t.Name()
			}
			l.Count = text(s.X)
		default:
			return nil, "the iterations of the loop have no numbers"
		}
	case *ast.ForStmt:
		init, ok := s.Init.(*ast.AssignStmt)
		cond, ok2 := s.Cond.(*ast.BinaryExpr)
		post, ok3 := s.Post.(*ast.IncDecStmt)
		if !ok || !ok2 || !ok3 || init.Tok != token.DEFINE || len(init.Lhs) != 1 || cond.Op != token.LSS || post.Tok != token.INC {
			return nil, "the loop does not count one by one up to a bound"
		}
		v := Object(info, init.Lhs[0])
		zero := info.Types[init.Rhs[0]].Value
		if Object(info, cond.X) != v || Object(info, post.X) != v || zero == nil || zero.ExactString() != "0" {
			return nil, "the loop does not count one by one from 0"
		}
		if !types.Identical(v.Type(), types.Typ[types.Int]) {
			return nil, "the loop counts in " + v.Type().String()
		}
		l.key, bound = v.Name(), cond.Y
		l.Count = text(cond.Y)
	}
	if Calls(bound, info) {
		return nil, "the bound of the loop is the result of a call"
	}
	if no := l.changes(info, bound); no != "" {
		return nil, no
	}
	for _, st := range l.Body.List {
		if a, ok := st.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, e := range a.Lhs {
				l.again = l.again || name(e) != "" && name(e) == l.value
				l.keyAgain = l.keyAgain || name(e) != "" && name(e) == l.key
			}
		}
	}
	return l, ""
}

// changes says that the loop sets its variables, or what its bound is made of.
func (l *Loop) changes(info *types.Info, bound ast.Expr) (why string) {
	l.bound = map[types.Object]bool{}
	ast.Inspect(bound, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.ObjectOf(id).(*types.Var); ok {
				l.bound[v] = true
			}
		}
		return true
	})
	elem := func(e ast.Expr) {
		x := base(e)
		if x == nil || l.value == "" {
			return
		}
		var i *ast.Ident
		ast.Inspect(e, func(n ast.Node) bool {
			if ix, ok := n.(*ast.IndexExpr); ok && ix.X == x {
				i, _ = ast.Unparen(ix.Index).(*ast.Ident)
			}
			return true
		})
		if o := last(info, x); o != nil && l.bound[o] && (i == nil || l.key == "" || i.Name != l.key) {
			why = fmt.Sprintf("the loop sets elements of %s, of which later iterations may be at the same time", o.Name())
		}
	}
	own := func(e ast.Expr) {
		elem(e)
		id, ok := ast.Unparen(e).(*ast.Ident)
		if sel, field := ast.Unparen(e).(*ast.SelectorExpr); field {
			id, ok = sel.Sel, true
		}
		if !ok {
			return
		}
		o := info.Uses[id]
		switch {
		case o == nil:
		case o.Pos() >= l.Stmt.Pos() && o.Pos() < l.Body.Pos():
			why = fmt.Sprintf("the loop sets its variable %s", id.Name)
		case l.bound[o]:
			why = fmt.Sprintf("the loop sets %s, which bounds it", id.Name)
		}
	}
	ast.Inspect(l.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				own(e)
			}
		case *ast.IncDecStmt:
			own(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				own(n.X)
			}
		}
		return true
	})
	return why
}

// Part is the loop over the iterations from lo to hi with the rest of the body.
func (l *Loop) Part(fresh func(string) string, lo, hi, rest string) string {
	head := l.head(fresh, lo, hi)
	if l.again && strings.Contains(head, "\n") {
		return head + "\n{" + rest + "}\n}"
	}
	return head + rest + "}"
}

// head is the head of the loop, with the brace and what comes first in the body.
func (l *Loop) head(fresh func(string) string, lo, hi string) string {
	key := l.key
	switch {
	case l.over != "" && !l.index && key == "":
		value := l.value
		if value == "" {
			return fmt.Sprintf("for range %s[%s:%s] {", l.over, lo, hi)
		}
		return fmt.Sprintf("for _, %s := range %s[%s:%s] {", value, l.over, lo, hi)
	case key == "":
		key = fresh("i")
	}
	head := fmt.Sprintf("for %s := %s; %s < %s; %s++ {", key, lo, key, hi, key)
	if l.value != "" {
		head += fmt.Sprintf("\n%s := %s[%s]", l.value, l.over, key)
	}
	return head
}

// Plain reports whether the body of the loop does nothing but start the
// goroutine of the site. Beside it stand what counts it, and names for values.
// It returns the statement that does more.
func Plain(info *types.Info, loop ast.Stmt, start ast.Stmt) (more ast.Stmt) {
	for _, st := range spawn.LoopBody(loop).List {
		switch {
		case st == start:
		case body2(st) != nil:
			if more := Plain(info, st, start); more != nil {
				return more
			}
		case named(info, st):
		case groupOrSlot(info, st):
		default:
			return st
		}
	}
	return nil
}

// named reports whether a statement gives a name to a value that is computed
// without calls.
func named(info *types.Info, st ast.Stmt) bool {
	a, ok := st.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE {
		return false
	}
	for _, e := range a.Rhs {
		if Calls(e, info) || Receives(e) {
			return false
		}
	}
	return true
}

// Receives reports whether evaluating e receives from a channel.
func Receives(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		found = found || ok && u.Op == token.ARROW
		return !found
	})
	return found
}

func groupOrSlot(info *types.Info, st ast.Stmt) bool {
	switch s := st.(type) {
	case *ast.SendStmt:
		return idle(s.Value)
	case *ast.ExprStmt:
		return method(s) == "Add"
	}
	return false
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

// Key and Value are the names of the loop's variables, Over the slice that it
// goes over; "" where there is none.
func (l *Loop) Key() string   { return l.key }
func (l *Loop) Value() string { return l.value }
func (l *Loop) Over() string  { return l.over }

// Claim is the loop over those iterations that no other goroutine takes from
// the counter next, an atomic.Int64, with the rest of the body.
func (l *Loop) Claim(fresh func(string) string, next, rest string) string {
	key := l.key
	if key == "" {
		key = fresh("i")
	}
	head := fmt.Sprintf("for {\n%s := int(%s.Add(1)) - 1\nif %s >= %s {\nreturn\n}", key, next, key, l.Count)
	if l.value != "" {
		head += fmt.Sprintf("\n%s := %s[%s]", l.value, l.over, key)
	}
	if l.again || l.keyAgain {
		return head + "\n{" + rest + "}\n}"
	}
	return head + rest + "}"
}

// Literal is the literal that a site starts, where it is written in the
// statement that does; else nil.
func Literal(s *spawn.Site) *ast.FuncLit { return (*Func)(nil).lit(s) }

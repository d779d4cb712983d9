package spinwait

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// local returns the statement that declares a word as a variable of a function,
// without a value, and the text that declares what else it does.
func (c *check) local(w *word) (st inspector.Cursor, others string, ok bool) {
	for _, at := range c.uses.Of(w.v) {
		if !c.uses.Declares(at) {
			continue
		}
		spec, is := at.Parent().Node().(*ast.ValueSpec)
		st = at.Parent().Parent().Parent()
		d, stmt := st.Node().(*ast.DeclStmt)
		if !is || !stmt || len(d.Decl.(*ast.GenDecl).Specs) != 1 || spec.Type == nil || len(spec.Values) > 0 {
			return st, "", false
		}
		for _, id := range spec.Names {
			if id == at.Node() {
				continue
			}
			if others == "" {
				others = "var "
			} else {
				others += ", "
			}
			others += id.Name
		}
		if others != "" {
			others += " " + c.text(spec.Type) + "\n"
		}
		return st, others, true
	}
	return st, "", false
}

// ends returns the number up to which the goroutines of a function count when
// they end, nil if the loop waits for something else: the only one, until a word
// is no longer less than the number.
func (c *check) ends(w *word) (number ast.Expr) {
	if len(w.spins) != 1 {
		return nil
	}
	x, ok := ast.Unparen(w.spins[0].Node().(*ast.ForStmt).Cond).(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	loads := func(e ast.Expr) bool {
		o, ok := c.op(c.plainly(e))
		return ok && o.v == w.v && o.name == "Load"
	}
	switch {
	case (x.Op == token.LSS || x.Op == token.NEQ) && loads(x.X):
		number = x.Y
	case (x.Op == token.GTR || x.Op == token.NEQ) && loads(x.Y):
		number = x.X
	default:
		return nil
	}
	return c.plainly(number)
}

// plainly is an expression without parentheses and conversions.
func (c *check) plainly(e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && c.info.Types[call.Fun].IsType() {
		return c.plainly(call.Args[0])
	}
	return e
}

// group makes the word a sync.WaitGroup that counts the goroutines of a loop, which
// are as many as the number.
func (c *check) group(w *word, number ast.Expr) (edits []analysis.TextEdit, why string, at token.Pos) {
	const other = "the loop waits for more than one event"
	name, spin := w.v.Name(), w.spins[0]
	decl, others, ok := c.local(w)
	switch {
	case !ok:
		return nil, name + " is no variable of the function with a declaration of its own", w.v.Pos()
	case decl.Parent() != spin.Parent() || !uses.Listed(spin.Cursor):
		return nil, other, spin.Node().Pos()
	}
	back := c.elsewhere(w)
	if len(back) != 1 || back[0].v == nil || back[0].name != "Add" || c.info.Types[back[0].args[0]].Value == nil ||
		c.info.Types[back[0].args[0]].Value.ExactString() != "1" {
		return nil, other, spin.Node().Pos()
	}
	add := back[0]
	fn, ok := uses.Func(add.stmt)
	if !ok || add.stmt.Parent().Parent() != fn {
		return nil, "a goroutine may count itself several times", add.Node().Pos()
	}
	i := slices.IndexFunc(c.sites, func(s *spawn.Site) bool { return s.Lit != nil && ast.Node(s.Lit) == fn.Node() })
	if i < 0 {
		return nil, other, spin.Node().Pos()
	}
	s := c.sites[i]
	loop, start, ok := c.starts(s, spin.Cursor)
	switch {
	case !ok || c.count(loop) != c.text(number):
		return nil, "it cannot be seen that " + c.text(number) + " goroutines start", spin.Node().Pos()
	case loop.Node().Pos() < decl.Node().Pos() || spin.Node().Pos() < loop.Node().Pos():
		return nil, other, spin.Node().Pos()
	}
	if at := c.changes(number, decl); at != nil {
		return nil, "the number of goroutines may change", at.Pos()
	}
	var file *ast.File
	for f := range decl.Enclosing((*ast.File)(nil)) {
		file = f.Node().(*ast.File)
	}
	sync, edits := rewrite.Import(c.pass.Pkg, file, "sync", decl.Node().Pos())
	edits = append(edits,
		rewrite.Replace(decl.Node(), others+"var "+name+" "+sync+".WaitGroup"),
		rewrite.Insert(start.Node().Pos(), name+".Add(1)\n"),
		c.put(spin, name+".Wait()"))
	for call := range add.Enclosing((*ast.CallExpr)(nil)) {
		edits = append(edits, rewrite.Replace(call.Node(), name+".Done()"))
		break
	}
	return edits, "", 0
}

// starts returns the loop before another that starts the goroutine of a site in
// each iteration, and the statement that does.
func (c *check) starts(s *spawn.Site, before inspector.Cursor) (loop, start inspector.Cursor, ok bool) {
	if s.Loop == nil {
		return loop, start, false
	}
	for at := range c.uses.Root.Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if at.Node() != ast.Node(s.Loop) || at.Parent() != before.Parent() {
			continue
		}
		body := spawn.LoopBody(s.Loop)
		for _, l := range rewrite.Leaves(c.info, body, false) {
			if l.How != "panic" {
				return loop, start, false
			}
		}
		for st := range at.Preorder((*ast.GoStmt)(nil), (*ast.ExprStmt)(nil)) {
			x, call := st.Node().(*ast.ExprStmt)
			if (st.Node() == s.Node || call && x.X == s.Node) && st.ParentEdgeKind() == edge.BlockStmt_List && st.Parent().Node() == ast.Node(body) {
				return at, st, true
			}
		}
	}
	return loop, start, false
}

// count is how often a loop runs, "" where its head does not tell.
func (c *check) count(at inspector.Cursor) string {
	switch l := at.Node().(type) {
	case *ast.RangeStmt:
		switch t := c.info.TypeOf(l.X).Underlying().(type) {
		case *types.Slice, *types.Array:
			return "len(" + c.text(l.X) + ")"
		case *types.Basic:
			if t.Info()&types.IsInteger != 0 {
				return c.text(l.X)
			}
		}
	case *ast.ForStmt:
		init, ok := l.Init.(*ast.AssignStmt)
		cond, ok2 := l.Cond.(*ast.BinaryExpr)
		post, ok3 := l.Post.(*ast.IncDecStmt)
		if !ok || !ok2 || !ok3 || len(init.Lhs) != 1 || cond.Op != token.LSS || post.Tok != token.INC {
			return ""
		}
		v := c.uses.Var(init.Lhs[0])
		zero := c.info.Types[init.Rhs[0]].Value
		if v == nil || init.Tok != token.DEFINE || zero == nil || zero.ExactString() != "0" || c.uses.Var(cond.X) != v || c.uses.Var(post.X) != v {
			return ""
		}
		for _, u := range c.uses.Of(v) {
			if uses.Written(uses.Whole(u)) && u.Parent().Node() != ast.Node(init) && u.Parent().Node() != ast.Node(post) {
				return ""
			}
		}
		return c.text(cond.Y)
	}
	return ""
}

// changes returns where a variable of a number is set after a statement, or may be
// by others.
func (c *check) changes(number ast.Expr, decl inspector.Cursor) (at ast.Node) {
	ast.Inspect(number, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if b, ok := c.info.Uses[ident(n.Fun)].(*types.Builtin); !ok || b.Name() != "len" {
				at = n
			}
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
			at = n
		case *ast.Ident:
			v, ok := c.info.Uses[n].(*types.Var)
			if !ok {
				break
			}
			if c.uses.Unseen(v) != "" {
				at = n
			}
			for _, u := range c.uses.Of(v) {
				if uses.Written(uses.Whole(u)) && !c.uses.Declares(u) && (v.Parent() == c.pass.Pkg.Scope() || u.Node().Pos() > decl.Node().Pos()) {
					at = u.Node()
				}
			}
		}
		return at == nil
	})
	return at
}

func ident(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

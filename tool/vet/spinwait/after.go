package spinwait

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// An inOrder is a stretch of what goroutines do that comes in the order of numbers:
// each waits until the one before it has counted.
type inOrder struct {
	*check
	spin inspector.Cursor
	i    *types.Var // the number
	n    ast.Expr   // how many there are
	of   ast.Expr   // what that is made of
	site *spawn.Site
	add  inspector.Cursor // the statement that counts

	list, body []ast.Stmt // all, and those between the loop and the count
	part       *types.Var // what the stretch is about
}

// turns returns the stretch that a word orders, nil where it does something else.
func (c *check) turns(w *word) *inOrder {
	if len(w.spins) != 1 || !uses.Listed(w.spins[0].Cursor) {
		return nil
	}
	q := &inOrder{check: c, spin: w.spins[0].Cursor}
	cond, ok := ast.Unparen(q.spin.Node().(*ast.ForStmt).Cond).(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ {
		return nil
	}
	for _, e := range [][2]ast.Expr{{cond.X, cond.Y}, {cond.Y, cond.X}} {
		if o, ok := c.op(c.plainly(e[0])); ok && o.v == w.v && o.name == "Load" {
			q.i = c.uses.Var(c.plainly(e[1]))
		}
	}
	fn, ok := uses.Func(q.spin)
	if q.i == nil || !ok || !types.Identical(q.i.Type(), types.Typ[types.Int]) {
		return nil
	}
	for _, s := range c.sites {
		if s.Lit != nil && ast.Node(s.Lit) == fn.Node() {
			q.site = s
		}
	}
	if q.site == nil || q.site.Loop == nil {
		return nil
	}
	return q
}

// after has the goroutines keep what the stretch is about, and does it in the order
// of the numbers when all have ended.
func (c *check) after(w *word, q *inOrder) (edits []analysis.TextEdit, why string, at token.Pos) {
	name := w.v.Name()
	decl, others, ok := c.local(w)
	if !ok {
		return nil, name + " is no variable of the function with a declaration of its own", w.v.Pos()
	}
	back := c.elsewhere(w)
	if len(back) != 1 || back[0].v == nil || !q.counts(back[0]) {
		return nil, "it cannot be seen that each turn ends by the next", q.spin.Node().Pos()
	}
	q.add = back[0].stmt
	block, ok := q.spin.Parent().Node().(*ast.BlockStmt)
	if !ok || q.add.Parent() != q.spin.Parent() || block.List[len(block.List)-1] != q.add.Node() {
		return nil, "it cannot be seen that each turn ends by the next", q.spin.Node().Pos()
	}
	for i, st := range block.List {
		if st == q.spin.Node() {
			q.list, q.body = block.List[:i], block.List[i+1:len(block.List)-1]
		}
	}
	loop, join, ok := q.joined()
	if !ok || loop.Parent() != decl.Parent() {
		return nil, "it cannot be seen that the function waits for all turns, and does nothing meanwhile", q.spin.Node().Pos()
	}
	if !q.numbered() || len(q.body) == 0 {
		return nil, "it cannot be seen that there is a turn for each number", q.spin.Node().Pos()
	}
	if at := c.changes(q.of, decl); at != nil {
		return nil, "the number of turns may change", at.Pos()
	}
	if at, why := q.alone(); at != nil {
		return nil, why, at.Pos()
	}
	var file *ast.File
	for f := range decl.Enclosing((*ast.File)(nil)) {
		file = f.Node().(*ast.File)
	}
	typ, ok := rewrite.Type(c.pass.Pkg, file, loop.Node().Pos(), q.part.Type())
	if !ok {
		return nil, "the type of " + q.part.Name() + " has no name here", q.spin.Node().Pos()
	}
	kept := rewrite.Fresh(c.pass.Pkg, uses.Decl(decl), "kept")
	number := c.text(q.n)
	if c.info.Types[q.n].Value == nil && !strings.HasPrefix(number, "len(") {
		number = "max(0, " + number + ")"
	}
	var body strings.Builder
	key := "_"
	for _, st := range q.body {
		body.WriteString(c.text(st) + "\n")
		if c.has(st, q.i) {
			key = q.i.Name()
		}
	}
	edits = append(edits,
		rewrite.Insert(loop.Node().Pos(), fmt.Sprintf("%s := make([]%s, %s)\n", kept, typ, number)),
		analysis.TextEdit{Pos: q.spin.Node().Pos(), End: q.add.Node().End(), NewText: fmt.Appendf(nil, "%s%s[%s] = %s", comments(file, q.spin.Node().Pos(), q.add.Node().End()), kept, q.i.Name(), q.part.Name())},
		rewrite.Insert(join.Node().End(), fmt.Sprintf("\nfor %s, %s := range %s {\n%s}", key, q.part.Name(), kept, body.String())))
	if others == "" {
		return append(edits, rewrite.Drop(c.pass.Fset, decl)), "", 0
	}
	return append(edits, rewrite.Replace(decl.Node(), strings.TrimSuffix(others, "\n"))), "", 0
}

// counts reports whether a use makes the word the next number.
func (q *inOrder) counts(u use) bool {
	v := q.info.Types[u.args[0]].Value
	switch u.name {
	case "Add":
		return v != nil && v.ExactString() == "1"
	case "Store":
		b, ok := q.plainly(u.args[0]).(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD || q.uses.Var(q.plainly(b.X)) != q.i {
			return false
		}
		v := q.info.Types[b.Y].Value
		return v != nil && v.ExactString() == "1"
	}
	return false
}

// joined returns the loop that starts the goroutines, and the next statement, which
// waits for them.
func (q *inOrder) joined() (loop, join inspector.Cursor, ok bool) {
	for at := range q.uses.Root.Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if at.Node() != ast.Node(q.site.Loop) || !uses.Listed(at) {
			continue
		}
		next, more := at.NextSibling()
		x, is := next.Node().(*ast.ExprStmt)
		return at, next, more && is && q.site.Join != nil && ast.Node(x.X) == q.site.Join
	}
	return loop, join, false
}

// numbered reports whether there is one turn for each number from 0, and sets how
// many there are.
func (q *inOrder) numbered() bool {
	body := q.spin.Parent()
	start := func(list []ast.Stmt) bool {
		for _, st := range list {
			x, call := st.(*ast.ExprStmt)
			if ast.Node(st) == q.site.Node || call && ast.Node(x.X) == q.site.Node {
				return true
			}
		}
		return false
	}
	for _, b := range []*ast.BlockStmt{spawn.LoopBody(q.site.Loop), body.Node().(*ast.BlockStmt)} {
		for _, l := range rewrite.Leaves(q.info, b, false) {
			if l.How != "panic" && l.How != "defer" {
				return false
			}
		}
	}
	outer, ok := q.site.Loop.(*ast.RangeStmt)
	if !ok || outer.Key == nil || outer.Tok != token.DEFINE || !start(outer.Body.List) {
		return false
	}
	key := q.uses.Var(outer.Key)
	if body.ParentEdgeKind() == edge.FuncLit_Body { // a goroutine for each
		switch q.info.TypeOf(outer.X).Underlying().(type) {
		case *types.Slice, *types.Array:
			q.n = &ast.CallExpr{Fun: ast.NewIdent("len"), Args: []ast.Expr{outer.X}}
		case *types.Basic:
			q.n = outer.X
		}
		q.of = outer.X
		return key == q.i && q.n != nil
	}
	l, ok := body.Parent().Node().(*ast.ForStmt)
	if !ok || body.ParentEdgeKind() != edge.ForStmt_Body || body.Parent().Parent().ParentEdgeKind() != edge.FuncLit_Body {
		return false
	}
	init, ok := l.Init.(*ast.AssignStmt)
	cond, ok2 := l.Cond.(*ast.BinaryExpr)
	post, ok3 := l.Post.(*ast.AssignStmt)
	if !ok || !ok2 || !ok3 || len(init.Lhs) != 1 || cond.Op != token.LSS || post.Tok != token.ADD_ASSIGN {
		return false
	}
	workers := q.info.Types[outer.X].Value
	q.n, q.of = cond.Y, cond.Y
	return workers != nil && constant.Sign(workers) > 0 && q.text(post.Rhs[0]) == q.text(outer.X) &&
		q.uses.Var(init.Lhs[0]) == q.i && q.uses.Var(init.Rhs[0]) == key && key != nil &&
		q.uses.Var(cond.X) == q.i && q.uses.Var(post.Lhs[0]) == q.i
}

func (q *inOrder) within(v *types.Var, n ast.Node) bool {
	return n.Pos() <= v.Pos() && v.Pos() < n.End()
}

// has reports whether code has a variable.
func (c *check) has(code ast.Node, v *types.Var) (found bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && c.info.ObjectOf(id) == types.Object(v)
		return !found
	})
	return found
}

// alone says what the stretch has to do with that a goroutine does besides: it is
// to compute with one variable of the goroutine, and change others than that looks
// at.
func (q *inOrder) alone() (at ast.Node, why string) {
	no := func(n ast.Node, s string) {
		if at == nil {
			at, why = n, s
		}
	}
	sets := map[*types.Var]bool{}
	looks := map[*types.Var]*ast.Ident{}
	stretch := &ast.BlockStmt{Lbrace: q.body[0].Pos(), List: q.body, Rbrace: q.body[len(q.body)-1].End()}
	for _, st := range q.body {
		for _, l := range rewrite.Leaves(q.info, &ast.BlockStmt{List: []ast.Stmt{st}}, false) {
			if l.How != "panic" {
				no(st, "the turn may end early, by "+l.How)
			}
		}
		ast.Inspect(st, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit, *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
				no(n, "the turn does more than compute")
			case *ast.UnaryExpr:
				if n.Op == token.ARROW || n.Op == token.AND {
					no(n, "the turn does more than compute")
				}
			case *ast.CallExpr:
				if t := q.info.Types[n.Fun]; !t.IsType() && !t.IsBuiltin() {
					no(n, "the turn calls "+q.text(n.Fun))
				}
			case *ast.Ident:
				v, ok := q.info.ObjectOf(n).(*types.Var)
				switch {
				case !ok || v.IsField() || v == q.i || q.within(v, stretch):
				case v.Parent() == q.pass.Pkg.Scope():
					no(n, "the turn uses "+v.Name()+", which others may change")
				case !q.within(v, q.site.Lit):
					looks[v] = n
				case q.part == nil || q.part == v:
					q.part = v
				default:
					no(n, "the turn uses several variables of the goroutine")
				}
			}
			for _, x := range rewrite.Assigned(n) {
				for {
					if i, ok := ast.Unparen(x).(*ast.IndexExpr); ok {
						x = i.X
						continue
					}
					break
				}
				v := q.uses.Var(x)
				if _, name := ast.Unparen(x).(*ast.Ident); !name || v == nil || v == q.i || v == q.part {
					no(x, "the turn changes more than variables")
				} else if !q.within(v, stretch) {
					sets[v] = true
				}
			}
			return at == nil
		})
	}
	if at == nil && q.part == nil {
		no(q.body[0], "the turn uses no variable of the goroutine")
	}
	if at == nil && uses.Refers(q.part.Type()) {
		no(q.body[0], "what "+q.part.Name()+" leads to may change")
	}
	// The goroutines, and others that run meanwhile, see nothing of it, and change
	// nothing that it looks at.
	for v, id := range looks {
		for _, u := range q.uses.Of(v) {
			if stretch.Pos() <= u.Node().Pos() && u.Node().End() <= stretch.End() || q.uses.Declares(u) {
				continue
			}
			whole := uses.Whole(u)
			part, _ := uses.Elements(whole)
			fn, _ := uses.Func(u)
			_, function := fn.Node().(*ast.FuncDecl)
			meanwhile := !function || spawn.Within(q.site.Loop, u.Node())
			switch {
			case meanwhile && (sets[v] || uses.Written(part)):
				no(u.Node(), v.Name()+" is used elsewhere while the goroutines run")
			case whole.ParentEdgeKind() == edge.UnaryExpr_X && uses.Written(whole):
				no(u.Node(), "others may change "+v.Name())
			}
		}
		if sets[v] && uses.Refers(v.Type()) && !slice(v.Type()) {
			no(id, "what "+v.Name()+" leads to may be looked at")
		}
	}
	return at, why
}

func slice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

package unbuffered

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// A row is a slice of bytes that a loop writes from its beginning to its end, a
// piece in each iteration.
type row struct {
	*stream
	of    *types.Var
	size  int64      // of a piece
	key   *types.Var // the number of the iteration; nil where the loop has its own byte of it
	count loop.Numbers
}

// row returns what the loop writes, nil if that is no row.
func (s *stream) row() *row {
	if len(s.ops) != 1 {
		return nil
	}
	call := s.ops[0].Node().(*ast.CallExpr)
	fn := section.Callee(s.info, call)
	n, ok := loop.Numbered(s.info, s.loop.Stmt)
	if !ok || n.Lo != nil || s.helper(call) != nil || fn.Name() != "Write" || len(call.Args) != 1 {
		return nil
	}
	r := &row{stream: s, size: 1, count: n}
	var key *types.Var
	if n.Key != nil {
		key = s.info.Defs[n.Key].(*types.Var)
	}
	switch e := ast.Unparen(call.Args[0]).(type) {
	case *ast.SliceExpr: // p[i:i+1]
		if e.Low == nil || e.High == nil || e.Slice3 || key == nil {
			return nil
		}
		from, first, ok := s.steps(e.Low, key)
		to, end, ok2 := s.steps(e.High, key)
		if !ok || !ok2 || from != to || first != 0 || end != from {
			return nil
		}
		r.of, r.size, r.key = loop.Var(s.info, e.X), from, key
	case *ast.CompositeLit: // []byte{b}
		if len(e.Elts) != 1 {
			return nil
		}
		if x, ok := e.Elts[0].(*ast.IndexExpr); ok && key != nil && loop.Var(s.info, x.Index) == key {
			r.of, r.key = loop.Var(s.info, x.X), key
		} else if n.Value != nil && loop.Var(s.info, e.Elts[0]) == s.info.Defs[n.Value] {
			r.of = loop.Var(s.info, n.Over)
		}
	}
	if r.of == nil || !s.loop.Constant(r.of) || !isBytes(r.of.Type()) || r.size <= 0 || !r.all() {
		return nil
	}
	for _, id := range []*ast.Ident{n.Key, n.Value} {
		if id != nil && len(loop.Writes(s.info, s.loop.Body, s.info.Defs[id].(*types.Var))) > 0 {
			return nil
		}
	}
	return r
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Byte])
}

// all reports whether the loop comes to the end of the slice, and no further.
func (r *row) all() bool {
	isLen := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && loop.Builtin(r.info, call) == "len" && loop.Var(r.info, call.Args[0]) == r.of
	}
	if r.count.Over != nil {
		return r.size == 1 && loop.Var(r.info, r.count.Over) == r.of
	}
	if r.size == 1 && isLen(r.count.Hi) {
		return true
	}
	div, ok := ast.Unparen(r.count.Hi).(*ast.BinaryExpr)
	if !ok || div.Op != token.QUO || !isLen(div.X) || r.info.Types[div.Y].Value == nil {
		return false
	}
	k, ok := constant.Int64Val(r.info.Types[div.Y].Value)
	return ok && k == r.size
}

// inside reports whether an element is one of the iteration's piece.
func (r *row) inside(e *ast.IndexExpr) bool {
	if r.key == nil || loop.Var(r.info, e.X) != r.of {
		return false
	}
	k, at, ok := r.steps(e.Index, r.key)
	return ok && k == r.size && 0 <= at && at < r.size
}

// steps returns k and at of k*key+at.
func (s *stream) steps(e ast.Expr, key *types.Var) (k, at int64, ok bool) {
	sum, ok := s.linear(e, key)
	for name, n := range sum {
		ok = ok && (n == 0 || name == "" || name == key.Name())
	}
	return sum[key.Name()], sum[""], ok
}

// once writes the row after the loop.
func (s *stream) once(fix *shape.Fix) (at token.Pos, why string) {
	if pos, _, why := s.before(); why != "" {
		return pos, why
	}
	r, list := s.row(), s.loop.Body.List
	f := s.fate(s.ops[0])
	k := slices.IndexFunc(list, func(st ast.Stmt) bool { return st.End() > f.call.Pos() })
	whole := r.of.Name()
	if r.size > 1 {
		whole = fmt.Sprintf("%[1]s[:len(%[1]s)/%[2]d*%[2]d]", whole, r.size)
	}
	edits := []analysis.TextEdit{rewrite.Replace(f.call.Args[0], whole)}
	handled, at, why := r.handled(f)
	if why != "" {
		return at, why
	}
	if at, why := r.last(f, list[k:]); why != "" {
		return at, why
	}
	c := &computes{row: r, seen: map[*types.Func]bool{}}
	for _, st := range list[:k] {
		c.walk(st, s.loop.Body)
	}
	if c.at != nil {
		return c.at.Pos(), "what else the loop does may fail, or be seen by others"
	}
	for _, id := range []*ast.Ident{r.count.Key, r.count.Value} {
		if k > 0 && id != nil && !slices.ContainsFunc(list[:k], func(st ast.Stmt) bool { return slices.Contains(s.vars(st), s.info.Defs[id].(*types.Var)) }) {
			return id.Pos(), "nothing else needs " + id.Name
		}
	}
	text, err := inline.Source(s.pass, list[k].Pos(), list[len(list)-1].End(), append(edits, handled...))
	if err != nil {
		return f.call.Pos(), err.Error()
	}
	text = fmt.Sprintf("if len(%s) > %d {\n%s\n}", r.of.Name(), r.size-1, text)
	fix.Says = "write all after the loop"
	if k == 0 {
		fix.Edits = []analysis.TextEdit{rewrite.Replace(s.loop.Whole().Node(), text)}
		return 0, ""
	}
	cut := analysis.TextEdit{Pos: inline.Line(s.pass, list[k]).Pos, End: inline.Line(s.pass, list[len(list)-1]).End}
	fix.Edits = []analysis.TextEdit{cut, rewrite.Insert(s.loop.Whole().Node().End(), "\n"+text)}
	return 0, ""
}

// handled are the edits of what is done about an error: what has got out before is
// counted.
func (r *row) handled(f fate) (edits []analysis.TextEdit, at token.Pos, why string) {
	if f.why != "" || len(f.body) > 1 || f.passed != nil {
		return nil, f.call.Pos(), "what becomes of an error is not seen"
	}
	sum, at, why := r.stream.count(f)
	if why != "" || len(f.body) == 0 {
		return nil, at, why
	}
	if at, why := r.leaves(f.body[0]); why != "" {
		return nil, at, why
	}
	body := f.body[0].Node().(*ast.BlockStmt)
	if _, brk := body.List[len(body.List)-1].(*ast.BranchStmt); brk {
		return nil, body.Pos(), "an error ends the loop and nothing else"
	}
	if sum != "" && r.size > 1 {
		return nil, f.count.Pos(), "a piece that gets out in part is not counted"
	}
	if sum != "" {
		edits = append(edits, rewrite.Insert(body.Lbrace+1, fmt.Sprintf("\n%s += %s", sum, f.count.Name)))
	}
	return edits, 0, ""
}

// last says why the statements from the write on are not the last that the loop
// does, or cannot stand behind it.
func (r *row) last(f fate, list []ast.Stmt) (at token.Pos, why string) {
	for i, st := range list {
		as, assigns := st.(*ast.AssignStmt)
		_, calls := st.(*ast.ExprStmt)
		test := len(f.body) == 1 && st == f.body[0].Parent().Node()
		adds := assigns && f.count != nil && loop.Var(r.info, as.Rhs[0]) == r.info.ObjectOf(f.count)
		if !test && !adds && (i > 0 || !assigns && !calls) {
			return st.Pos(), "the loop does more than to write at its end"
		}
		for _, id := range r.names(st, f.call.Args[0]) {
			v := r.info.Uses[id]
			if r.loop.Stmt.Pos() <= v.Pos() && v.Pos() < list[0].Pos() {
				return id.Pos(), v.Name() + " is one of the loop"
			}
		}
	}
	for _, l := range rewrite.Leaves(r.info, r.loop.Body, false) {
		if l.Pos < list[0].Pos() {
			return l.Pos, "the loop has a " + l.How
		}
	}
	return 0, ""
}

// names are the variables that a statement uses, those of but left out.
func (r *row) names(st ast.Stmt, but ast.Expr) (all []*ast.Ident) {
	ast.Inspect(st, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := r.info.Uses[id].(*types.Var); ok && !v.IsField() {
				all = append(all, id)
			}
		}
		return n != ast.Node(but)
	})
	return all
}

// computes finds what in code may fail, or changes more than its own variables
// and the piece of the iteration.
type computes struct {
	*row
	seen map[*types.Func]bool
	at   ast.Node // nil if there is none
}

// walk looks at code, whose variables are those that own declares.
func (c *computes) walk(code, own ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		if n == nil || c.at != nil {
			return false
		}
		ok := true
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.LabeledStmt, *ast.CompositeLit,
			*ast.IndexListExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			ok = false
		case *ast.IndexExpr:
			ok = own == ast.Node(c.loop.Body) && c.inside(n)
		case *ast.RangeStmt:
			switch c.info.TypeOf(n.X).Underlying().(type) {
			case *types.Basic, *types.Slice, *types.Array:
				ok = n.Tok != token.ASSIGN
			default:
				ok = false
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				ok = ok && c.mine(l, own)
			}
			switch n.Tok {
			case token.QUO_ASSIGN, token.REM_ASSIGN, token.SHL_ASSIGN, token.SHR_ASSIGN:
				ok = ok && c.constant(n.Rhs[0])
			}
		case *ast.IncDecStmt:
			ok = c.mine(n.X, own)
		case *ast.UnaryExpr:
			ok = n.Op != token.ARROW && n.Op != token.AND
		case *ast.BinaryExpr:
			switch n.Op {
			case token.QUO, token.REM, token.SHL, token.SHR:
				ok = c.constant(n.Y)
			case token.EQL, token.NEQ:
				ok = !types.IsInterface(c.info.TypeOf(n.X)) && !types.IsInterface(c.info.TypeOf(n.Y))
			}
		case *ast.SelectorExpr:
			sel := c.info.Selections[n]
			ok = sel == nil || sel.Kind() == types.FieldVal && !sel.Indirect()
		case *ast.CallExpr:
			ok = c.call(n)
		}
		if !ok {
			c.at = n
		}
		return ok
	})
}

// mine reports whether what is assigned to is a variable that own declares, or in
// the piece.
func (c *computes) mine(e ast.Expr, own ast.Node) bool {
	if _, ok := e.(*ast.IndexExpr); ok {
		return true // walk looks at it
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	o := c.info.ObjectOf(id)
	return o == nil || own.Pos() <= o.Pos() && o.Pos() < own.End() // nil: the blank
}

func (c *computes) constant(e ast.Expr) bool {
	v := c.info.Types[e].Value
	return v != nil && v.ExactString() != "0"
}

// call reports whether a call is of a conversion, of a builtin that cannot fail, or
// of a function that computes, too.
func (c *computes) call(call *ast.CallExpr) bool {
	if tv := c.info.Types[call.Fun]; tv.IsType() {
		_, basic := tv.Type.Underlying().(*types.Basic)
		return basic
	}
	switch loop.Builtin(c.info, call) {
	case "len", "cap", "min", "max":
		return true
	}
	fn := section.Callee(c.info, call)
	if fn == nil || c.decls[fn.Origin()] == nil {
		return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "math"
	}
	d := c.decls[fn.Origin()]
	if d.Recv != nil || d.Body == nil || c.seen[fn] { // what calls itself may not end
		return false
	}
	c.seen[fn] = true
	c.walk(d.Body, d)
	delete(c.seen, fn)
	return c.at == nil
}

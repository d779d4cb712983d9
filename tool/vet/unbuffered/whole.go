package unbuffered

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// whole reads before the loop what its iterations read one after another: one
// slice, piece by piece, from one place of the file on. Each iteration looks
// whether its piece is there.
func (s *stream) whole(fix *shape.Fix) (at token.Pos, why string) {
	pos, _, why := s.before()
	if why != "" {
		return pos, why
	}
	if len(s.ops) > 1 {
		return s.ops[1].Node().Pos(), "the loop reads at several places"
	}
	n, ok := loop.Numbered(s.info, s.loop.Stmt)
	if !ok || n.Key == nil || n.Hi == nil || !s.loop.Invariant(n.Hi) || n.Lo != nil && !s.loop.Invariant(n.Lo) {
		return s.loop.Stmt.Pos(), "the loop does not count to what is known before it"
	}
	key, _ := s.info.Defs[n.Key].(*types.Var)
	if key == nil || len(loop.Writes(s.info, s.loop.Body, key)) > 0 {
		return n.Key.Pos(), "the loop changes " + n.Key.Name
	}
	call := s.ops[0].Node().(*ast.CallExpr)
	test, body, at, why := s.test(s.ops[0])
	if why != "" {
		return at, why
	}
	piece, at, why := s.piece(call.Args[0])
	if why != "" {
		return at, why
	}
	from, ok := s.linear(piece.Low, key)
	to, ok2 := s.linear(piece.High, key)
	off, ok3 := s.linear(call.Args[1], key)
	size := from[n.Key.Name]
	to[""] -= size
	zero := func(_ string, k int64) bool { return k == 0 }
	maps.DeleteFunc(from, zero)
	maps.DeleteFunc(to, zero)
	if !ok || !ok2 || !ok3 || size <= 0 || off[n.Key.Name] != size || !maps.Equal(from, to) {
		return call.Pos(), "nothing says that each piece begins where the last one ended"
	}

	got, failed := s.fresh("got"), "_"
	first := s.with(piece.Low, key, n.Lo)
	some, behind := s.text(n.Hi)+" > 0", "-"+first
	if n.Lo != nil {
		some = s.text(n.Lo) + " < " + s.text(n.Hi)
	}
	if low, ok := ast.Unparen(piece.Low).(*ast.BinaryExpr); ok && low.Op != token.MUL {
		behind = "-(" + first + ")"
	}
	if n.Lo == nil && len(from) == 1 {
		first, behind = "", ""
	}
	made := "var " + got + " int // bytes of what the loop reads\n"
	head := fmt.Sprintf("%s < %s%s ", got, s.text(piece.High), behind)
	if err := s.fate(s.ops[0]).err; slices.Contains(s.vars(body), s.info.ObjectOf(err).(*types.Var)) {
		failed = s.fresh("failed")
		made += "var " + failed + " error\n"
		head = err.Name + " := " + failed + "; " + head
	}
	made += fmt.Sprintf("if %s {\n%s, %s = %s(%s[%s:%s], %s)\n}\n", some, got, failed,
		s.text(call.Fun), s.text(piece.X), first, s.with(piece.Low, key, n.Hi), s.with(call.Args[1], key, n.Lo))
	fix.Says = "read all before the loop"
	fix.Edits = []analysis.TextEdit{
		rewrite.Insert(pos, made),
		{Pos: test.Init.Pos(), End: body.Pos(), NewText: []byte(head)},
	}
	return 0, ""
}

// test returns the statement that reads and looks whether it failed, if every
// iteration comes to it and the loop ends where it did, and nowhere else.
func (s *stream) test(op inspector.Cursor) (test *ast.IfStmt, body *ast.BlockStmt, at token.Pos, why string) {
	f := s.fate(op)
	if f.why != "" || len(f.body) != 1 || f.count != nil {
		return nil, nil, op.Node().Pos(), "what becomes of an error is not seen"
	}
	body = f.body[0].Node().(*ast.BlockStmt)
	test, _ = f.body[0].Parent().Node().(*ast.IfStmt)
	cond, _ := ast.Unparen(test.Cond).(*ast.BinaryExpr)
	if test.Init == nil || cond == nil || cond.Op != token.NEQ || s.info.Defs[f.err] == nil {
		return nil, nil, test.Pos(), "what becomes of an error is not seen"
	}
	if f.body[0].Parent().Parent().Node() != ast.Node(s.loop.Body) {
		return nil, nil, test.Pos(), "not every iteration reads"
	}
	if at, why := s.leaves(f.body[0]); why != "" {
		return nil, nil, at, why
	}
	for _, l := range rewrite.Leaves(s.info, s.loop.Body, false) {
		if l.Pos < body.Pos() || body.End() <= l.Pos {
			return nil, nil, l.Pos, "the loop has a " + l.How
		}
	}
	return test, body, 0, ""
}

// piece returns the part of a slice that is read, if the loop sees nothing else of
// the slice.
func (s *stream) piece(e ast.Expr) (piece *ast.SliceExpr, at token.Pos, why string) {
	v := loop.Var(s.info, e)
	piece, _ = ast.Unparen(e).(*ast.SliceExpr)
	if v != nil && len(loop.Writes(s.info, s.decl, v)) == 0 {
		for _, st := range s.loop.Body.List {
			if as, ok := st.(*ast.AssignStmt); ok && len(as.Lhs) == 1 && len(as.Rhs) == 1 && loop.Var(s.info, as.Lhs[0]) == v {
				piece, _ = as.Rhs[0].(*ast.SliceExpr)
			}
		}
	}
	if piece == nil || piece.Low == nil || piece.High == nil || piece.Slice3 {
		return nil, e.Pos(), "what is read is no part of one slice"
	}
	of := loop.Var(s.info, piece.X)
	if of == nil || !s.loop.Constant(of) {
		return nil, piece.Pos(), "what is read is no part of one slice"
	}
	for c := range s.loop.At.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		w, ok := s.info.Uses[id].(*types.Var)
		if !ok || w == v || id == ast.Unparen(piece.X) || !isSlice(w.Type()) {
			continue
		}
		if call, ok := c.Parent().Node().(*ast.CallExpr); ok && loop.Builtin(s.info, call) == "len" {
			continue
		}
		if c.ParentEdgeKind() == edge.IndexExpr_X && !types.Identical(w.Type(), of.Type()) {
			continue
		}
		return nil, id.Pos(), id.Name + " may be a part of " + of.Name()
	}
	return piece, 0, ""
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// linear returns the factors of what is added up in an expression: of variables
// that stay the same in the loop, and of key; "" for a constant.
func (s *stream) linear(e ast.Expr, key *types.Var) (sum map[string]int64, ok bool) {
	sum = map[string]int64{}
	if v := s.info.Types[e].Value; v != nil {
		sum[""], ok = constant.Int64Val(constant.ToInt(v))
		return sum, ok
	}
	add := func(e ast.Expr, k int64) bool {
		part, ok := s.linear(e, key)
		for name, n := range part {
			sum[name] += k * n
		}
		return ok
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD:
			return sum, add(e.X, 1) && add(e.Y, 1)
		case token.SUB:
			return sum, add(e.X, 1) && add(e.Y, -1)
		case token.MUL:
			x, y := e.X, e.Y
			if s.info.Types[x].Value != nil {
				x, y = y, x
			}
			k, ok := s.linear(y, key)
			return sum, ok && s.info.Types[y].Value != nil && add(x, k[""])
		}
	case *ast.CallExpr:
		t, basic := s.info.TypeOf(e).Underlying().(*types.Basic)
		return sum, basic && s.info.Types[e.Fun].IsType() && (t.Kind() == types.Int || t.Kind() == types.Int64) && add(e.Args[0], 1)
	case *ast.Ident, *ast.SelectorExpr:
		sum[types.ExprString(e)] = 1
		return sum, loop.Var(s.info, e) == key || s.loop.Invariant(e)
	}
	return sum, false
}

// with is the text of an expression with something in the place of key, 0 where
// that is nil.
func (s *stream) with(e ast.Expr, key *types.Var, by ast.Expr) string {
	text := "0"
	if by != nil {
		text = s.text(by)
		if _, binary := ast.Unparen(by).(*ast.BinaryExpr); binary {
			text = "(" + text + ")"
		}
	}
	var edits []analysis.TextEdit
	for _, use := range s.x.Of(key) {
		if n := use.Node(); e.Pos() <= n.Pos() && n.End() <= e.End() {
			edits = append(edits, rewrite.Replace(n, text))
		}
	}
	out, err := inline.Source(s.pass, e.Pos(), e.End(), edits)
	if err != nil {
		return s.text(e)
	}
	return out
}

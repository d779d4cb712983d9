package unbuffered

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// reader reads through a buffer. That reads ahead, so nobody may go on reading
// after the loop, unless the loop ends only where a read fails: nothing is left in
// the buffer then.
func (s *stream) reader(fix *shape.Fix) (at token.Pos, why string) {
	pos, _, why := s.before()
	if why != "" {
		return pos, why
	}
	for _, op := range s.ops {
		call := op.Node().(*ast.CallExpr)
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "Read" && s.info.Selections[sel] != nil && s.size(call.Args[0]) != 1 {
			return call.Pos(), "a read of a buffer may return less than one of the file"
		}
	}
	if at, why = s.drained(); why != "" {
		if later, reason := s.later(); reason != "" {
			return at, why + ", and " + reason + s.line(later)
		}
	}
	in := s.fresh("br")
	bufio, imports := rewrite.Import(s.pass.Pkg, s.file, "bufio", pos)
	fix.Says = "read through a buffer"
	fix.Edits = append(imports, rewrite.Insert(pos, fmt.Sprintf("%s := %s.NewReader(%s)\n", in, bufio, s.text(s.of))))
	fix.Edits = append(fix.Edits, s.replace(in)...)
	return 0, ""
}

func (s *stream) line(pos token.Pos) string {
	if !pos.IsValid() {
		return ""
	}
	return fmt.Sprintf(" in line %d", s.pass.Fset.Position(pos).Line)
}

// size is the length of a slice, 0 if nothing says it.
func (s *stream) size(e ast.Expr) int64 {
	length := func(e ast.Expr) int64 {
		if e == nil || s.info.Types[e].Value == nil {
			return 0
		}
		n, _ := constant.Int64Val(constant.ToInt(s.info.Types[e].Value))
		return n
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		t := s.info.TypeOf(e.X).Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		if a, ok := t.(*types.Array); ok && e.Low == nil && e.High == nil {
			return a.Len()
		}
		if e.Low == nil {
			return length(e.High)
		}
	case *ast.Ident:
		v := loop.Var(s.info, e)
		if v == nil || len(loop.Writes(s.info, s.decl, v)) > 0 {
			return 0
		}
		var n int64
		ast.Inspect(s.decl, func(d ast.Node) bool {
			as, ok := d.(*ast.AssignStmt)
			if !ok || len(as.Lhs) != len(as.Rhs) {
				return true
			}
			for i, l := range as.Lhs {
				if call, ok := as.Rhs[i].(*ast.CallExpr); ok && loop.Var(s.info, l) == v && loop.Builtin(s.info, call) == "make" && len(call.Args) > 1 {
					n = length(call.Args[1])
				}
			}
			return true
		})
		return n
	}
	return 0
}

// drained says why the loop may end otherwise than by a read that failed, so that
// there may be something in the buffer.
func (s *stream) drained() (at token.Pos, why string) {
	l, ok := s.loop.Stmt.(*ast.ForStmt)
	if !ok || l.Cond != nil {
		return s.loop.Stmt.Pos(), "the loop may end before the file"
	}
	var handled []inspector.Cursor
	for _, op := range s.ops {
		// What a function of the package says is an error need not be one of a read.
		if f := s.fate(op); f.why == "" && s.helper(f.call) == nil {
			handled = append(handled, f.body...)
		}
	}
	for _, leave := range rewrite.Leaves(s.info, s.loop.Body, false) {
		in := slices.ContainsFunc(handled, func(b inspector.Cursor) bool { return b.Node().Pos() <= leave.Pos && leave.Pos < b.Node().End() })
		if !in && leave.How != "continue" {
			return leave.Pos, "the loop may end before the file"
		}
	}
	return 0, ""
}

// later says who may go on reading where the loop ended.
func (s *stream) later() (at token.Pos, why string) {
	name := types.ExprString(s.of)
	if loop.Var(s.info, s.of) == nil {
		return 0, "others may go on reading " + name
	}
	if at := s.after(s.root, s.decl, s.loop.Stmt); at.IsValid() {
		return at, name + " is used"
	}
	param := s.decl.Type.Pos() <= s.root.Pos() && s.root.Pos() < s.decl.Type.End()
	if !param {
		return 0, ""
	}
	fn, _ := s.info.Defs[s.decl.Name].(*types.Func)
	if fn == nil || fn.Exported() && s.pass.Pkg.Name() != "main" || s.x.Left.Calls(fn) != "" || s.named(fn) {
		return 0, "callers may go on reading " + name
	}
	for _, a := range s.arguments() {
		v := loop.Var(s.info, a.arg)
		c, ok := s.pkg.Find(a.call)
		if !ok || v == nil || v.IsField() || v.Parent() == s.pass.Pkg.Scope() {
			return a.arg.Pos(), "callers may go on reading " + types.ExprString(a.arg)
		}
		var in ast.Node
		for d := range c.Enclosing((*ast.FuncDecl)(nil)) {
			in = d.Node()
		}
		d, ok := in.(*ast.FuncDecl)
		if !ok || d.Type.Pos() <= v.Pos() && v.Pos() < d.Type.End() || s.after(v, d, a.call).IsValid() {
			return a.arg.Pos(), "callers may go on reading " + v.Name()
		}
	}
	return 0, ""
}

// named reports whether a function is used otherwise than to call it.
func (s *stream) named(fn *types.Func) bool {
	n := 0
	for _, o := range s.info.Uses {
		if o == fn {
			n++
		}
	}
	return n != len(s.calls[fn])
}

// after is where a variable, which is a file, is used after code, or again with
// it, for more than to be closed.
func (s *stream) after(v *types.Var, in *ast.FuncDecl, code ast.Node) token.Pos {
	for _, use := range s.x.Of(v) {
		if n := use.Node(); n.Pos() >= code.End() && !closes(use) || s.escapes(use) {
			return n.Pos()
		}
	}
	at := token.NoPos
	ast.Inspect(in, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			if n != code && spawn.Within(n, code) && !(n.Pos() <= v.Pos() && v.Pos() < n.End()) {
				at = code.Pos()
			}
		}
		return true
	})
	return at
}

// escapes reports whether a use of a file keeps it: as a field, in another
// variable, with a goroutine.
func (s *stream) escapes(use inspector.Cursor) bool {
	if s.x.Declares(use) {
		return false
	}
	switch p := use.Parent().Node().(type) {
	case *ast.SelectorExpr:
		return p.X != use.Node()
	case *ast.CallExpr:
		return use.Parent().ParentEdgeKind() == edge.GoStmt_Call
	case *ast.BinaryExpr:
		return false
	}
	return true
}

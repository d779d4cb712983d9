package deferloop

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
)

// A safety knows what cannot panic: few things, and what was done once already.
type safety struct {
	info    *types.Info
	body    ast.Node
	checked map[string]bool // pointers that were followed, and that body does not assign
}

// before notes the pointers that a statement follows whatever happens: a
// statement behind it may follow them, too.
func (s *safety) before(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.ExprStmt:
		s.follows(st.X)
	case *ast.DeferStmt:
		s.follows(st.Call)
	}
}

func (s *safety) follows(e ast.Expr) {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || assigned(s.info, s.body, sel.X) != nil {
		return
	}
	for x := sel.X; ; {
		f, ok := ast.Unparen(x).(*ast.SelectorExpr)
		if !ok {
			return
		}
		if s.info.Selections[f] != nil {
			s.checked[types.ExprString(f.X)] = true
		}
		x = f.X
	}
}

// panics returns what in n may panic, or call what does, and how.
func (s *safety) panics(n ast.Node) (at ast.Node, why string) {
	set := func(n ast.Node, how string) {
		if at == nil {
			at, why = n, how
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if at != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			switch b := loop.Builtin(s.info, n); b {
			case "len", "cap", "append", "min", "max", "delete", "copy", "clear":
				return true
			case "":
			default:
				set(n, b+" may panic")
				return false
			}
			if s.info.Types[n.Fun].IsType() {
				if _, ok := s.info.TypeOf(n).Underlying().(*types.Basic); !ok {
					set(n, "a conversion may panic")
				}
				return true
			}
			fn := typeutil.StaticCallee(s.info, n)
			if fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == "sync/atomic" || fn.Pkg().Path() == "math/bits") {
				return true
			}
			set(n, "a call may panic")
		case *ast.BinaryExpr:
			switch n.Op {
			case token.QUO, token.REM:
				if v := s.info.Types[n.Y].Value; v == nil && !isFloat(s.info.TypeOf(n)) {
					set(n, "a division may panic")
				}
			case token.SHL, token.SHR:
				if t, ok := s.info.TypeOf(n.Y).Underlying().(*types.Basic); ok && t.Info()&types.IsUnsigned == 0 && s.info.Types[n.Y].Value == nil {
					set(n, "a shift may panic")
				}
			case token.EQL, token.NEQ:
				if !simple(s.info.TypeOf(n.X)) || !simple(s.info.TypeOf(n.Y)) {
					set(n, "a comparison may panic")
				}
			}
		case *ast.AssignStmt:
			switch n.Tok {
			case token.QUO_ASSIGN, token.REM_ASSIGN:
				if s.info.Types[n.Rhs[0]].Value == nil && !isFloat(s.info.TypeOf(n.Lhs[0])) {
					set(n, "a division may panic")
				}
			case token.SHL_ASSIGN, token.SHR_ASSIGN:
				if s.info.Types[n.Rhs[0]].Value == nil {
					set(n, "a shift may panic")
				}
			}
			for _, e := range n.Lhs {
				if ix, ok := ast.Unparen(e).(*ast.IndexExpr); ok && isMap(s.info.TypeOf(ix.X)) {
					set(e, "a map may be nil")
				}
			}
		case *ast.IncDecStmt:
			if ix, ok := ast.Unparen(n.X).(*ast.IndexExpr); ok && isMap(s.info.TypeOf(ix.X)) {
				set(n, "a map may be nil")
			}
		case *ast.IndexExpr:
			if t := s.info.TypeOf(n.X); !isMap(t) {
				set(n, "an index may panic")
			} else if !simple(t.Underlying().(*types.Map).Key()) {
				set(n, "a key may panic")
			}
		case *ast.SliceExpr:
			set(n, "an index may panic")
		case *ast.StarExpr:
			set(n, "a pointer may be nil")
		case *ast.SelectorExpr:
			sel := s.info.Selections[n]
			if sel == nil || !sel.Indirect() && !isPointer(s.info.TypeOf(n.X)) {
				return true
			}
			if len(sel.Index()) > 1 || !s.checked[types.ExprString(n.X)] {
				set(n, "a pointer may be nil")
			}
		case *ast.TypeAssertExpr:
			set(n, "an assertion may panic")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				set(n, "it waits for a channel")
			}
		case *ast.SendStmt, *ast.SelectStmt:
			set(n, "it waits for a channel")
		case *ast.GoStmt:
			set(n, "it starts a goroutine")
		case *ast.RangeStmt:
			switch t := s.info.TypeOf(n.X).Underlying().(type) {
			case *types.Slice, *types.Map, *types.Array, *types.Basic:
				_ = t
			default:
				set(n, "what it ranges over may panic or wait")
			}
		case *ast.FuncLit:
			return false // what it does is not done here
		}
		return at == nil
	})
	return at, why
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// simple reports whether values of the type are compared without a look at what
// an interface holds.
func simple(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Pointer, *types.Chan:
		return true
	case *types.Slice, *types.Map, *types.Signature:
		return true // with nil
	case *types.Struct:
		for f := range u.Fields() {
			if !simple(f.Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return simple(u.Elem())
	}
	return false
}

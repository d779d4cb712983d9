package poolreset

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds objects that are put back with what is in them.
var Analyzer = shape.Analyzer("poolreset",
	"find objects that grow and are put into a pool without a reset\n\nThe next user appends to what is there.",
	find, inspect.Analyzer, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	info := pass.TypesInfo
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	index := pass.ResultOf[uses.Analyzer].(*uses.Index)
	for c := range in.Root().Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := typeutil.StaticCallee(info, call)
		if fn == nil || fn.FullName() != "(*sync.Pool).Put" || len(call.Args) != 1 {
			continue
		}
		v := loop.Var(info, call.Args[0])
		decl := uses.Decl(c)
		if v == nil || decl == nil || !loop.Local(v, decl) {
			continue
		}
		l := life{index: index, v: v}
		if !l.look() {
			continue
		}
		all = append(all, shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: decl,
			Message: v.Name() + " is put back with what is in it: it grows with each use",
			Causes:  []string{"alloc", "gc", "pool", "work"}, Hot: []shape.Range{shape.Of(decl)},
			Refused: []shape.Refusal{{Name: "reset", Why: "what the next Get finds would change: put " + l.reset(rewrite.Text(pass.Fset, call.Args[0])) + " before it if nothing counts on that", Pos: call.Pos()}},
		})
	}
	return all, nil
}

// A life is what a function does with an object of a pool.
type life struct {
	index *uses.Index
	v     *types.Var
	got   bool // from a pool
	grown bool
}

// look reports whether the object comes from a pool, grows, and is not emptied.
func (l *life) look() bool {
	info := l.index.Info
	for _, c := range l.index.Of(l.v) {
		if l.index.Declares(c) {
			a, ok := c.Parent().Node().(*ast.AssignStmt)
			if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
				return false
			}
			as, ok := a.Rhs[0].(*ast.TypeAssertExpr)
			if !ok {
				return false
			}
			get, ok := ast.Unparen(as.X).(*ast.CallExpr)
			if !ok {
				return false
			}
			fn := typeutil.StaticCallee(info, get)
			l.got = fn != nil && fn.FullName() == "(*sync.Pool).Get"
			continue
		}
		if !l.use(c) {
			return false
		}
	}
	return l.got && l.grown
}

// use reports whether a use leaves in the object what is there.
func (l *life) use(c inspector.Cursor) bool {
	info := l.index.Info
	parent := c.Parent()
	switch c.ParentEdgeKind() {
	case edge.CallExpr_Args:
		fn := typeutil.StaticCallee(info, parent.Node().(*ast.CallExpr))
		if fn == nil || fn.Pkg() == nil {
			return false
		}
		if fn.FullName() == "(*sync.Pool).Put" {
			return true
		}
		if !source.Standard(fn.Pkg().Path()) {
			return false // it may reset it
		}
		l.grown = l.grown || isBuffer(l.v.Type())
		return true
	case edge.SelectorExpr_X:
		sel := parent.Node().(*ast.SelectorExpr)
		if fn, ok := info.Uses[sel.Sel].(*types.Func); ok {
			if !isBuffer(l.v.Type()) {
				return false // the methods of others may reset it
			}
			switch name := fn.Name(); {
			case name == "WriteTo", name == "Reset", name == "Truncate", name == "Next":
				return false
			case name == "ReadFrom", strings.HasPrefix(name, "Write"):
				l.grown = true
			case strings.HasPrefix(name, "Read"):
				return false
			}
			return true
		}
		return l.part(parent)
	case edge.StarExpr_X:
		return l.part(parent)
	}
	return false
}

// part looks at *v or v.f: whether it is appended to, or emptied.
func (l *life) part(c inspector.Cursor) bool {
	info := l.index.Info
	parent := c.Parent()
	switch c.ParentEdgeKind() {
	case edge.ParenExpr_X:
		return l.part(parent)
	case edge.SliceExpr_X:
		s := parent.Node().(*ast.SliceExpr)
		return s.High == nil
	case edge.AssignStmt_Lhs:
		a := parent.Node().(*ast.AssignStmt)
		if a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		if _, ok := info.TypeOf(c.Node().(ast.Expr)).Underlying().(*types.Slice); !ok {
			return !isStar(c.Node()) // *v = T{} empties it
		}
		call, ok := ast.Unparen(a.Rhs[c.ParentEdgeIndex()]).(*ast.CallExpr)
		if !ok || loop.Builtin(info, call) != "append" || !sameText(call.Args[0], c.Node().(ast.Expr)) {
			return false
		}
		l.grown = true
	case edge.CallExpr_Args:
		call := parent.Node().(*ast.CallExpr)
		if b := loop.Builtin(info, call); b == "clear" || b == "" && !info.Types[call.Fun].IsType() && isStar(c.Node()) {
			return false
		}
	}
	return true
}

func isStar(n ast.Node) bool {
	_, ok := n.(*ast.StarExpr)
	return ok
}

func sameText(a, b ast.Expr) bool { return types.ExprString(a) == types.ExprString(b) }

func isBuffer(t types.Type) bool {
	_, ptr := t.Underlying().(*types.Pointer)
	return ptr && uses.Is(uses.Deref(t), "bytes", "Buffer")
}

// reset is what empties the object.
func (l *life) reset(name string) string {
	if isBuffer(l.v.Type()) {
		return name + ".Reset()"
	}
	if p, ok := l.v.Type().Underlying().(*types.Pointer); ok {
		if _, ok := p.Elem().Underlying().(*types.Slice); ok {
			return "*" + name + " = (*" + name + ")[:0]"
		}
	}
	return "what empties " + name
}

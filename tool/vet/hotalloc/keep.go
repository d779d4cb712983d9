package hotalloc

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A keeper knows whether what a variable refers to may be kept elsewhere:
// the array of a slice, a map, what a pointer points to.
type keeper struct {
	*uses.Index
	asking map[*types.Var]bool // those asked now, whose other uses decide
}

// A manner is how a variable is used.
type manner struct {
	grown    bool // appended to
	resliced bool // sliced to a given end, perhaps beyond its length
	asked    bool // compared with nil
	cut      bool // its beginning is cut off
	asksCap  bool // its capacity is asked for
	aliased  bool // another variable has its array
	parted   bool // it is appended to after that, and may get another array
}

// join adds how something else that refers to the same is used.
func (m *manner) join(x manner) {
	m.resliced = m.resliced || x.resliced
	m.asked = m.asked || x.asked
	m.asksCap = m.asksCap || x.asksCap
}

// kept says how what v refers to may be kept beyond the statements that use v.
func (k *keeper) kept(v *types.Var) (m manner, why *shape.Refusal) {
	for _, c := range k.Of(v) {
		if k.Declares(c) {
			continue
		}
		if why := k.later(v, c); why != nil {
			return m, why
		}
		if why := k.use(v, c, &m); why != nil {
			return m, why
		}
	}
	return m, nil
}

// later refuses a use that happens when others have happened.
func (k *keeper) later(v *types.Var, c inspector.Cursor) *shape.Refusal {
	for up := range c.Enclosing((*ast.FuncLit)(nil), (*ast.GoStmt)(nil), (*ast.DeferStmt)(nil), (*ast.FuncDecl)(nil)) {
		n := up.Node()
		if n.Pos() <= v.Pos() && v.Pos() < n.End() {
			return nil // its own function
		}
		switch n.(type) {
		case *ast.FuncLit:
			return shape.No(c.Node(), "a function literal uses "+v.Name())
		case *ast.GoStmt, *ast.DeferStmt:
			return shape.No(c.Node(), v.Name()+" is used later")
		}
	}
	return nil
}

// use looks at what happens to an expression that refers to what v does.
func (k *keeper) use(v *types.Var, c inspector.Cursor, m *manner) *shape.Refusal {
	parent, at := c.Parent(), c.ParentEdgeKind()
	if at == edge.ParenExpr_X {
		return k.use(v, parent, m)
	}
	if uses.Is(k.Info.TypeOf(c.Node().(ast.Expr)), "bytes", "Buffer") { // and no pointer: a copy has its array
		switch {
		case at == edge.SelectorExpr_X:
			return k.method(v, parent, m)
		case at == edge.UnaryExpr_X && parent.ParentEdgeKind() == edge.CallExpr_Args:
			return k.argument(v, parent, parent.Parent(), m)
		}
		return shape.No(c.Node(), v.Name()+" is kept or copied")
	}
	switch at {
	case edge.ExprStmt_X, edge.RangeStmt_X:
		return nil
	case edge.IndexExpr_X, edge.StarExpr_X:
		return k.part(v, parent)
	case edge.SelectorExpr_X:
		if _, ok := k.Info.Uses[parent.Node().(*ast.SelectorExpr).Sel].(*types.Func); ok {
			return k.method(v, parent, m)
		}
		return k.part(v, parent)
	case edge.SliceExpr_X:
		s := parent.Node().(*ast.SliceExpr)
		m.resliced = m.resliced || s.High != nil && !isZero(k.Info, s.High)
		m.cut = m.cut || s.Low != nil && !isZero(k.Info, s.Low) && k.back(v, parent)
		return k.use(v, parent, m)
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		m.asked = true // nothing else compiles
		return nil
	case edge.AssignStmt_Lhs:
		a := parent.Node().(*ast.AssignStmt)
		if len(a.Lhs) != len(a.Rhs) || k.root(a.Rhs[c.ParentEdgeIndex()]) != v {
			return shape.No(a, v.Name()+" becomes another")
		}
		return nil // what it is assigned is looked at itself
	case edge.AssignStmt_Rhs:
		if k.back(v, c) {
			return nil
		}
		a := parent.Node().(*ast.AssignStmt)
		if len(a.Lhs) != len(a.Rhs) {
			break
		}
		id, _ := a.Lhs[c.ParentEdgeIndex()].(*ast.Ident)
		alias, ok := k.Info.Defs[id].(*types.Var)
		if !ok || k.asking[alias] {
			break
		}
		more, why := k.alias(alias)
		m.join(more)
		m.aliased = true
		if more.grown {
			return shape.No(a, "what "+alias.Name()+" appends may lie in "+v.Name())
		}
		return why
	case edge.CallExpr_Args:
		return k.argument(v, c, parent, m)
	}
	return shape.No(c.Node(), v.Name()+" is kept or passed on")
}

// alias looks at the uses of another variable that refers to the same.
func (k *keeper) alias(v *types.Var) (manner, *shape.Refusal) {
	k.asking[v] = true
	defer delete(k.asking, v)
	return k.kept(v)
}

// back reports whether the expression at c is assigned to v itself.
func (k *keeper) back(v *types.Var, c inspector.Cursor) bool {
	a, ok := c.Parent().Node().(*ast.AssignStmt)
	return ok && c.ParentEdgeKind() == edge.AssignStmt_Rhs && len(a.Lhs) == len(a.Rhs) && loop.Var(k.Info, a.Lhs[c.ParentEdgeIndex()]) == v
}

// root is the variable whose array an expression is of: of v[:n], append(v, x)
// and fmt.Appendf(v, …).
func (k *keeper) root(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return loop.Var(k.Info, e)
	case *ast.SliceExpr:
		return k.root(e.X)
	case *ast.CallExpr:
		if len(e.Args) > 0 && rewrite.Appends(k.Info, e) {
			return k.root(e.Args[0])
		}
	}
	return nil
}

// part looks at an element or field, which is a copy where it is read.
func (k *keeper) part(v *types.Var, c inspector.Cursor) *shape.Refusal {
	for ; ; c = c.Parent() {
		parent, t := c.Parent(), k.Info.TypeOf(c.Node().(ast.Expr)).Underlying()
		_, array := t.(*types.Array)
		addressed := false
		switch c.ParentEdgeKind() {
		case edge.ParenExpr_X:
		case edge.SelectorExpr_X:
			if _, ok := t.(*types.Pointer); ok {
				return nil // what the part points to is not of v
			}
			addressed = loop.ImplicitAddress(k.Info, parent.Node().(*ast.SelectorExpr))
		case edge.IndexExpr_X:
			if !array {
				return nil // another array, or map
			}
		case edge.SliceExpr_X:
			if !array {
				return nil
			}
			addressed = true
		case edge.UnaryExpr_X:
			addressed = parent.Node().(*ast.UnaryExpr).Op == token.AND
		default:
			if uses.Is(k.Info.TypeOf(c.Node().(ast.Expr)), "bytes", "Buffer") {
				return shape.No(c.Node(), v.Name()+" is kept or copied")
			}
			return nil
		}
		if addressed {
			return shape.No(parent.Node(), "the address of a part of "+v.Name()+" is taken")
		}
	}
}

func (k *keeper) method(v *types.Var, c inspector.Cursor, m *manner) *shape.Refusal {
	sel := c.Node().(*ast.SelectorExpr)
	call, ok := c.Parent().Node().(*ast.CallExpr)
	if !ok || c.ParentEdgeKind() != edge.CallExpr_Fun {
		return shape.No(sel, "a method value of "+v.Name()+" is kept")
	}
	fn := typeutil.StaticCallee(k.Info, call)
	if fn == nil {
		return shape.No(sel, "a method of "+v.Name()+" may keep it")
	}
	recv := fn.Origin().Signature().Recv()
	if uses.Is(uses.Deref(recv.Type()), "bytes", "Buffer") {
		switch fn.Name() {
		case "Bytes", "AvailableBuffer", "Next", "Peek":
			return k.use(v, c.Parent(), m)
		case "Cap", "Available":
			m.asksCap = true
		}
		return nil
	}
	if loop.ImplicitAddress(k.Info, sel) {
		return shape.No(sel, "a method gets the address of "+v.Name())
	}
	return k.param(fn, recv, m)
}

func (k *keeper) argument(v *types.Var, c, parent inspector.Cursor, m *manner) *shape.Refusal {
	call, i := parent.Node().(*ast.CallExpr), c.ParentEdgeIndex()
	if k.Info.Types[call.Fun].IsType() {
		if t, ok := k.Info.TypeOf(call).Underlying().(*types.Basic); ok && t.Info()&types.IsString != 0 {
			return nil // a copy
		}
		if types.IsInterface(k.Info.TypeOf(call)) {
			return shape.No(call, v.Name()+" is kept or passed on")
		}
		return k.use(v, parent, m)
	}
	switch b := loop.Builtin(k.Info, call); {
	case i == 0 && rewrite.Appends(k.Info, call):
		m.grown, m.parted = true, m.parted || m.aliased
		return k.use(v, parent, m)
	case b == "append" && call.Ellipsis.IsValid(), b == "len", b == "cap", b == "copy", b == "clear", b == "delete":
		m.asksCap = m.asksCap || b == "cap"
		return nil
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && k.Info.Selections[sel] != nil && k.Info.Selections[sel].Kind() == types.MethodExpr {
		return shape.No(call, "a method gets its receiver as an argument")
	}
	fn, _ := typeutil.Callee(k.Info, call).(*types.Func)
	if fn == nil {
		return shape.No(c.Node(), v.Name()+" is kept or passed on")
	}
	_, here := k.Declaration(fn)
	if !here && contract(fn) {
		return nil // of an interface, too
	}
	if typeutil.StaticCallee(k.Info, call) == nil {
		return shape.No(c.Node(), v.Name()+" is kept or passed on")
	}
	sig := fn.Origin().Signature()
	if here && !call.Ellipsis.IsValid() && i < sig.Params().Len() && (!sig.Variadic() || i < sig.Params().Len()-1) {
		return k.param(fn, sig.Params().At(i), m)
	}
	// Errorf wraps, and a Reset makes its receiver read from the argument.
	path := fn.Pkg().Path()
	if !reads[path] && path != "fmt" || fn.Name() == "Errorf" || fn.Name() == "Reset" || path != "fmt" && !holdsNothing(fn.Signature().Results()) {
		return shape.No(call, fn.Name()+" may keep "+v.Name())
	}
	// The methods that it can call of what it gets as an interface.
	for s := range types.NewMethodSet(k.Info.TypeOf(c.Node().(ast.Expr))).Methods() {
		method := s.Obj().(*types.Func)
		if method.Pkg() == nil || !source.Standard(method.Pkg().Path()) {
			if why := k.param(method, method.Origin().Signature().Recv(), m); why != nil {
				return why
			}
		}
	}
	return nil
}

// param says whether a function of the package keeps what it gets as p, or appends
// to it.
func (k *keeper) param(fn *types.Func, p *types.Var, m *manner) *shape.Refusal {
	if _, ok := k.Declaration(fn); !ok {
		return &shape.Refusal{Why: fn.Name() + " may keep it", Pos: fn.Pos()}
	}
	if p.Name() == "" || p.Name() == "_" || k.asking[p] {
		return nil // if it is being asked, its other uses decide
	}
	more, why := k.alias(p)
	m.join(more)
	switch {
	case why != nil:
		return &shape.Refusal{Why: fn.Name() + " may keep it: " + why.Why, Pos: why.Pos}
	case more.grown:
		return &shape.Refusal{Why: fn.Name() + " appends to it", Pos: p.Pos()}
	}
	return nil
}

// transfers is the signature of Write of an io.Writer and of Read of an io.Reader.
var transfers = types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "", types.NewSlice(types.Typ[types.Byte]))),
	types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Int]), types.NewVar(0, nil, "", types.Universe.Lookup("error").Type())), false)

// contract reports whether a method is one of those two, which must not retain what
// they get.
func contract(f *types.Func) bool {
	return f.Signature().Recv() != nil && (f.Name() == "Write" || f.Name() == "Read") && types.Identical(f.Signature(), transfers)
}

// reads are packages whose functions keep nothing but what they return.
var reads = map[string]bool{
	"bytes": true, "crypto/md5": true, "crypto/sha1": true, "crypto/sha256": true, "crypto/sha512": true,
	"encoding/base64": true, "encoding/binary": true, "encoding/hex": true,
	"hash/adler32": true, "hash/crc32": true, "hash/crc64": true, "hash/maphash": true,
	"io": true, "slices": true, "sort": true, "strconv": true, "strings": true, "unicode/utf8": true,
}

// holdsNothing reports whether results cannot refer to an argument.
func holdsNothing(results *types.Tuple) bool {
	for r := range results.Variables() {
		if uses.Refers(r.Type()) && !types.Identical(r.Type(), types.Universe.Lookup("error").Type()) {
			return false
		}
	}
	return true
}

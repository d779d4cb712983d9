package hotalloc

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A keeper knows whether what a variable refers to may be kept by somebody:
// the array of a slice, a map, what a pointer points to.
type keeper struct {
	*uses.Index
	asking map[*types.Var]bool // those asked now, whose other uses decide
}

// A manner is how a variable is used.
type manner struct {
	grown    bool // assigned what was appended to it
	resliced bool // sliced to a given end, perhaps beyond its length
	asked    bool // compared with nil
	written  bool // something in it is assigned
	cut      bool // its beginning is cut off
	asksCap  bool // its capacity is asked for
	handed   bool // passed to a function that the compiler does not know: it is on the heap
}

// join adds how something else that refers to the same is used.
func (m *manner) join(x manner) {
	m.resliced = m.resliced || x.resliced
	m.asked = m.asked || x.asked
	m.written = m.written || x.written
	m.asksCap = m.asksCap || x.asksCap
	m.handed = m.handed || x.handed
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
	keeps := func() *shape.Refusal { return shape.No(c.Node(), v.Name()+" is kept or passed on") }
	parent := c.Parent()
	switch c.ParentEdgeKind() {
	case edge.ParenExpr_X:
		return k.use(v, parent, m)
	case edge.ExprStmt_X, edge.RangeStmt_X:
		return nil
	case edge.IndexExpr_X, edge.StarExpr_X:
		return k.part(v, parent, m)
	case edge.SelectorExpr_X:
		if _, ok := k.Info.Uses[parent.Node().(*ast.SelectorExpr).Sel].(*types.Func); ok {
			return k.method(v, parent, m)
		}
		return k.part(v, parent, m)
	case edge.SliceExpr_X:
		s := parent.Node().(*ast.SliceExpr)
		if s.High != nil && !isZero(k.Info, s.High) {
			m.resliced = true
		}
		if s.Low != nil && !isZero(k.Info, s.Low) && k.back(v, parent) {
			m.cut = true
		}
		return k.use(v, parent, m)
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		m.asked = true // nothing else compiles
		return nil
	case edge.AssignStmt_Lhs:
		a := parent.Node().(*ast.AssignStmt)
		if len(a.Lhs) != len(a.Rhs) {
			return shape.No(a, v.Name()+" becomes another")
		}
		i := slices.Index(a.Lhs, c.Node().(ast.Expr))
		if k.root(a.Rhs[i]) != v {
			return shape.No(a, v.Name()+" becomes another")
		}
		return nil // what it is assigned is looked at itself
	case edge.AssignStmt_Rhs:
		if k.back(v, c) {
			return nil
		}
		a := parent.Node().(*ast.AssignStmt)
		i := slices.Index(a.Rhs, c.Node().(ast.Expr))
		if len(a.Lhs) != len(a.Rhs) {
			return keeps()
		}
		if id, ok := a.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
			return nil
		} else if ok && a.Tok == token.DEFINE {
			if alias, ok := k.Info.Defs[id].(*types.Var); ok && alias != nil && !k.asking[alias] {
				k.asking[alias] = true
				more, why := k.kept(alias)
				delete(k.asking, alias)
				m.join(more)
				if more.grown {
					return shape.No(a, "what "+alias.Name()+" appends may lie in "+v.Name())
				}
				return why
			}
		}
		return keeps()
	case edge.CallExpr_Args:
		return k.argument(v, c, parent, m)
	}
	return keeps()
}

// back reports whether the expression at c is assigned to v itself.
func (k *keeper) back(v *types.Var, c inspector.Cursor) bool {
	a, ok := c.Parent().Node().(*ast.AssignStmt)
	if !ok || c.ParentEdgeKind() != edge.AssignStmt_Rhs || len(a.Lhs) != len(a.Rhs) {
		return false
	}
	return loop.Var(k.Info, a.Lhs[slices.Index(a.Rhs, c.Node().(ast.Expr))]) == v
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
func (k *keeper) part(v *types.Var, c inspector.Cursor, m *manner) *shape.Refusal {
	for {
		parent := c.Parent()
		switch c.ParentEdgeKind() {
		case edge.ParenExpr_X:
		case edge.SelectorExpr_X:
			sel := parent.Node().(*ast.SelectorExpr)
			if _, ok := k.Info.TypeOf(sel.X).Underlying().(*types.Pointer); ok {
				return nil // what the part points to is not of v
			}
			if loop.ImplicitAddress(k.Info, sel) {
				return shape.No(sel, "a method gets the address of a part of "+v.Name())
			}
			if _, ok := k.Info.Uses[sel.Sel].(*types.Func); ok {
				return nil
			}
		case edge.IndexExpr_X:
			if _, ok := k.Info.TypeOf(c.Node().(ast.Expr)).Underlying().(*types.Array); !ok {
				return nil // another array, or map
			}
		case edge.SliceExpr_X:
			if _, ok := k.Info.TypeOf(c.Node().(ast.Expr)).Underlying().(*types.Array); ok {
				return shape.No(parent.Node(), "a part of "+v.Name()+" is sliced")
			}
			return nil
		case edge.UnaryExpr_X:
			if parent.Node().(*ast.UnaryExpr).Op == token.AND {
				return shape.No(parent.Node(), "the address of a part of "+v.Name()+" is taken")
			}
			return nil
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
			m.written = true
			return nil
		default:
			return nil
		}
		c = parent
	}
}

// method looks at a method that is selected from v.
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
	recv := fn.Signature().Recv()
	if uses.Is(uses.Deref(recv.Type()), "bytes", "Buffer") {
		switch fn.Name() {
		case "Bytes", "AvailableBuffer", "Next":
			return k.use(v, c.Parent(), m)
		}
		return nil
	}
	if _, ok := recv.Type().Underlying().(*types.Pointer); !ok {
		if _, ok := recv.Type().Underlying().(*types.Struct); ok {
			return nil // a copy
		}
	}
	more, why := k.param(fn, recv)
	m.join(more)
	return why
}

// argument looks at an argument of a call.
func (k *keeper) argument(v *types.Var, c, parent inspector.Cursor, m *manner) *shape.Refusal {
	call := parent.Node().(*ast.CallExpr)
	i := c.ParentEdgeIndex()
	if k.Info.Types[call.Fun].IsType() {
		if b, ok := k.Info.TypeOf(call).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			return nil // a copy
		}
		return k.use(v, parent, m)
	}
	switch b := loop.Builtin(k.Info, call); {
	case b == "append" && i == 0:
		m.grown = true
		return k.use(v, parent, m)
	case b == "append" && call.Ellipsis.IsValid(), b == "len", b == "cap", b == "copy", b == "clear", b == "delete":
		m.asksCap = m.asksCap || b == "cap"
		m.written = m.written || i == 0 && (b == "copy" || b == "clear" || b == "delete")
		return nil
	case b != "":
		return shape.No(call, v.Name()+" is kept or passed on")
	}
	if i == 0 && rewrite.Appends(k.Info, call) {
		m.grown = true
		return k.use(v, parent, m)
	}
	fn := typeutil.StaticCallee(k.Info, call)
	if fn == nil {
		m.handed = true
		if f, ok := typeutil.Callee(k.Info, call).(*types.Func); ok && contract(f) {
			m.written = m.written || f.Name() == "Read"
			return nil
		}
		return k.value(v, call, i, m)
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && k.Info.Selections[sel] != nil && k.Info.Selections[sel].Kind() == types.MethodExpr {
		return shape.No(call, fn.Name()+" is called with its receiver as an argument")
	}
	if contract(fn) {
		m.written = m.written || fn.Name() == "Read"
		return nil
	}
	sig := fn.Signature()
	if _, here := k.Declaration(fn); here && !call.Ellipsis.IsValid() && i < sig.Params().Len() && (!sig.Variadic() || i < sig.Params().Len()-1) {
		more, why := k.param(fn, fn.Origin().Signature().Params().At(i))
		m.join(more)
		return why
	}
	if fn.Pkg() == nil {
		return shape.No(call, fn.Name()+" may keep "+v.Name())
	}
	switch path := fn.Pkg().Path(); {
	case reads[path] && holdsNothing(sig.Results()):
		m.written = true
		return k.methods(v, c, m)
	case path == "fmt" && (fn.Name() != "Errorf" || types.NewMethodSet(v.Type()).Len() == 0):
		m.handed = true
		return k.methods(v, c, m)
	}
	return shape.No(call, fn.Name()+" may keep "+v.Name())
}

// methods looks at those that a function can call of what it gets as an
// interface.
func (k *keeper) methods(v *types.Var, c inspector.Cursor, m *manner) *shape.Refusal {
	for s := range types.NewMethodSet(k.Info.TypeOf(c.Node().(ast.Expr))).Methods() {
		fn := s.Obj().(*types.Func)
		if fn.Pkg() != nil && source.Standard(fn.Pkg().Path()) {
			continue
		}
		if len(s.Index()) > 1 {
			return shape.No(c.Node(), fn.Name()+" may keep "+v.Name())
		}
		more, why := k.param(fn, fn.Signature().Recv())
		if why != nil {
			return why
		}
		m.join(more)
	}
	return nil
}

// value looks at an argument of the function that a variable holds, where it
// always holds the same.
func (k *keeper) value(v *types.Var, call *ast.CallExpr, i int, m *manner) (why *shape.Refusal) {
	unknown := shape.No(call, "what it calls with "+v.Name()+" may keep it")
	f := k.Var(call.Fun)
	if f == nil || f.IsField() || call.Ellipsis.IsValid() {
		return unknown
	}
	value, why := k.only(f)
	if value == nil {
		return cmp.Or(why, unknown)
	}
	sig, ok := k.Info.TypeOf(value).(*types.Signature)
	if !ok || i >= sig.Params().Len() || sig.Variadic() && i == sig.Params().Len()-1 {
		return unknown
	}
	var more manner
	switch e := ast.Unparen(value).(type) {
	case *ast.FuncLit:
		more, why = k.asParam(f.Name(), sig.Params().At(i))
	case *ast.Ident:
		fn, ok := k.Info.Uses[e].(*types.Func)
		if !ok || fn.Signature().TypeParams().Len() > 0 {
			return unknown
		}
		more, why = k.param(fn, fn.Signature().Params().At(i))
	default:
		return unknown
	}
	m.join(more)
	return why
}

// only is what a variable is declared to be, where nothing changes it. It is nil
// where that is not known.
func (k *keeper) only(f *types.Var) (value ast.Expr, why *shape.Refusal) {
	if f.Exported() && f.Parent() == f.Pkg().Scope() {
		return nil, &shape.Refusal{Why: "other packages may assign " + f.Name(), Pos: f.Pos()}
	}
	for _, c := range k.Of(f) {
		if !k.Declares(c) {
			if uses.Written(uses.Whole(c)) {
				return nil, shape.No(c.Node(), f.Name()+" is assigned, too: it may be a function that keeps what it gets")
			}
			continue
		}
		switch st := c.Parent().Node().(type) {
		case *ast.ValueSpec:
			if len(st.Names) == len(st.Values) {
				value = st.Values[slices.Index(st.Names, c.Node().(*ast.Ident))]
			}
		case *ast.AssignStmt:
			if len(st.Lhs) == len(st.Rhs) {
				value = st.Rhs[slices.Index(st.Lhs, c.Node().(ast.Expr))]
			}
		}
	}
	return value, nil
}

// param says whether a function of the package keeps what it gets as p.
func (k *keeper) param(fn *types.Func, p *types.Var) (m manner, why *shape.Refusal) {
	decl, ok := k.Declaration(fn)
	if !ok || decl.Node().(*ast.FuncDecl).Body == nil {
		return m, &shape.Refusal{Why: fn.Name() + " may keep it", Pos: fn.Pos()}
	}
	if fn.Origin() != fn {
		p = origin(fn, p)
	}
	return k.asParam(fn.Name(), p)
}

// asParam says it of a parameter or receiver of a function with a body.
func (k *keeper) asParam(name string, p *types.Var) (m manner, why *shape.Refusal) {
	if p.Name() == "" || p.Name() == "_" {
		return m, nil
	}
	if k.asking[p] {
		return m, nil // its other uses decide
	}
	k.asking[p] = true
	defer delete(k.asking, p)
	m, why = k.kept(p)
	switch {
	case why != nil:
		return m, &shape.Refusal{Why: name + " may keep it: " + why.Why, Pos: why.Pos}
	case m.grown:
		return m, &shape.Refusal{Why: name + " appends to it", Pos: p.Pos()}
	}
	return m, nil
}

// origin is the parameter or receiver of the generic function that p is one of.
func origin(fn *types.Func, p *types.Var) *types.Var {
	sig, generic := fn.Signature(), fn.Origin().Signature()
	if sig.Recv() == p {
		return generic.Recv()
	}
	for i := range sig.Params().Len() {
		if sig.Params().At(i) == p {
			return generic.Params().At(i)
		}
	}
	return p
}

// contract reports whether a method is Write of an io.Writer or Read of an
// io.Reader, which must not retain what they get.
func contract(f *types.Func) bool {
	sig := f.Signature()
	return sig.Recv() != nil && (f.Name() == "Write" || f.Name() == "Read") && sig.Params().Len() == 1 && sig.Results().Len() == 2 && !sig.Variadic() &&
		types.Identical(sig.Params().At(0).Type(), types.NewSlice(types.Typ[types.Byte])) &&
		types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) &&
		types.Identical(sig.Results().At(1).Type(), types.Universe.Lookup("error").Type())
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

func isZero(info *types.Info, e ast.Expr) bool {
	tv := info.Types[e]
	return tv.Value != nil && tv.Value.ExactString() == "0"
}

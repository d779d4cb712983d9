package hotalloc

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// reuse looks at a buffer that is declared in a loop, or at the top of a
// function.
func (s *search) reuse(d declaration) {
	info := s.pass.TypesInfo
	b := buffer{search: s, declaration: d}
	if !b.known() {
		return
	}
	why := b.own()
	if b.of != nil && !b.how.handed {
		return // the compiler knows what becomes of it
	}
	l, ok := loop.Around(info, d.at)
	if ok {
		f := s.finding(d.at, l.Stmt, b.v.Name()+" is made anew in each iteration")
		var edits []analysis.TextEdit
		if why == nil {
			edits, why = b.hoist(l)
		}
		s.add(f, shape.Fix{Name: "hoist", Says: "make it once before the loop and empty it in each iteration", Edits: edits}, why)
		return
	}
	decl := uses.Decl(d.at)
	if decl == nil || d.at.Parent().Node() != decl.Body || len(b.args) == 0 && !b.buf && b.of == nil && !isMap(b.v.Type()) {
		return
	}
	if why != nil && b.of == nil {
		return // what the call makes for others
	}
	f := s.finding(d.at, decl, b.v.Name()+" is made anew in each call")
	var edits []analysis.TextEdit
	if why == nil {
		edits, why = b.pool(decl)
	}
	fix := shape.Fix{Name: "pool", Says: "keep it in a sync.Pool between calls", Edits: edits}
	if why == nil {
		if edits, w := b.recycle(decl); w == nil {
			says := "keep its array in a recycle.Slices between calls"
			if b.of != nil {
				says = "keep it in a recycle.Pool between calls"
			}
			f.Fixes = append(f.Fixes, shape.Fix{Name: "recycle", Says: says, Needs: library, Edits: edits})
		}
	}
	s.add(f, fix, why)
}

const library = "github.com/gopayoff/payoff/recycle"

// A buffer is a slice, a map or a bytes.Buffer that is declared empty, or of a
// length with zeros; or a pointer to a new struct.
type buffer struct {
	*search
	declaration
	args  []ast.Expr // of make
	empty bool       // its length is 0
	buf   bool       // it is a bytes.Buffer
	ptr   bool       // or a pointer to one
	of    ast.Expr   // the type of the struct, nil if it is none
	value string     // and its value at first, "" for zero
	how   manner
	// alone is an argument that the statement makes for one call, nil where the
	// statement declares the buffer.
	alone ast.Expr
}

// known reports whether the declaration is that of a buffer.
func (b *buffer) known() bool {
	info := b.pass.TypesInfo
	switch b.v.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		if b.init == nil {
			b.empty = true
			_, slice := b.v.Type().Underlying().(*types.Slice)
			return slice
		}
		args, ok := b.makes(info)
		b.args = args
		b.empty = len(args) == 0 || isMap(b.v.Type()) || isZero(info, args[0])
		return ok
	}
	if uses.Is(uses.Deref(b.v.Type()), "bytes", "Buffer") {
		b.buf, b.empty = true, true
		if _, b.ptr = b.v.Type().Underlying().(*types.Pointer); !b.ptr {
			return b.init == nil
		}
		switch e := b.init.(type) {
		case *ast.CallExpr:
			return loop.Builtin(info, e) == "new"
		case *ast.UnaryExpr:
			lit, ok := e.X.(*ast.CompositeLit)
			return ok && len(lit.Elts) == 0
		}
	}
	return b.pointer()
}

// made is the declaration, or the argument.
func (b *buffer) made() ast.Node {
	if b.alone != nil {
		return b.alone
	}
	return b.at.Node()
}

// pointer reports whether the declaration is that of a pointer to a new struct.
func (b *buffer) pointer() bool {
	info := b.pass.TypesInfo
	p, ok := types.Unalias(b.v.Type()).(*types.Pointer)
	if !ok || b.typ != nil {
		return false
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 {
		return false
	}
	if call, ok := b.init.(*ast.CallExpr); ok {
		if loop.Builtin(info, call) == "new" && info.Types[call.Args[0]].IsType() {
			b.of = call.Args[0]
		}
	} else if lit := literal(b.init); lit != nil {
		b.of = lit.Type
		if len(lit.Elts) > 0 {
			b.value = b.text(lit)
		}
	}
	return b.of != nil
}

// own looks at the uses: whether the buffer can be used again once they are over.
func (b *buffer) own() (why *shape.Refusal) {
	if b.buf && !b.ptr {
		return b.bufferOwn()
	}
	if b.how, why = b.keeper().kept(b.v); why != nil {
		return why
	}
	return b.again()
}

// again says why what nobody keeps cannot be used again.
func (b *buffer) again() *shape.Refusal {
	switch {
	case b.of != nil && locks(uses.Deref(b.v.Type()), map[types.Type]bool{}):
		return shape.No(b.at.Node(), "the struct must not be copied, nor set to zero")
	case b.of != nil && b.value != "" && b.another():
		return shape.No(b.at.Node(), "its value at first is made of another "+b.v.Name())
	case b.how.asksCap:
		return &shape.Refusal{Why: "the capacity of " + b.v.Name() + " is asked for, which would be that of the largest", Pos: b.v.Pos()}
	case b.how.cut:
		return &shape.Refusal{Why: b.v.Name() + " is cut off at its beginning", Pos: b.v.Pos()}
	case b.how.asked && b.init == nil:
		return &shape.Refusal{Why: b.v.Name() + " is compared with nil, which it would not be", Pos: b.v.Pos()}
	case b.empty && b.how.resliced:
		return &shape.Refusal{Why: b.v.Name() + " may be sliced beyond its length, where older elements would be", Pos: b.v.Pos()}
	}
	return nil
}

// another reports whether what the struct is made of has the name of the variable.
func (b *buffer) another() (found bool) {
	ast.Inspect(b.init, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == b.v.Name()
		return !found
	})
	return found
}

// bufferOwn looks at the uses of a bytes.Buffer that is no pointer.
func (b *buffer) bufferOwn() *shape.Refusal {
	k := b.keeper()
	for _, c := range b.index.Of(b.v) {
		if b.index.Declares(c) {
			continue
		}
		if why := k.later(b.v, c); why != nil {
			return why
		}
		switch c.ParentEdgeKind() {
		case edge.SelectorExpr_X:
			if why := k.method(b.v, c.Parent(), &b.how); why != nil {
				return why
			}
			continue
		case edge.UnaryExpr_X:
			up := c.Parent()
			if up.ParentEdgeKind() == edge.CallExpr_Args {
				if why := k.argument(b.v, up, up.Parent(), &b.how); why != nil {
					return why
				}
				continue
			}
		}
		return shape.No(c.Node(), b.v.Name()+" is kept or copied")
	}
	return nil
}

// hoist are the edits that declare the buffer before the outermost loop that
// allows it.
func (b *buffer) hoist(in loop.Loop) ([]analysis.TextEdit, *shape.Refusal) {
	info := b.pass.TypesInfo
	if made := b.made(); b.comments(b.at, made) {
		return nil, shape.No(made, "a comment stands in its declaration")
	}
	if b.of == nil && !b.empty || isMap(b.v.Type()) {
		if !rewrite.Universal(b.pass.Pkg, b.at.Node().Pos(), "clear") || !rewrite.Since(b.pass, b.file(b.at), "go1.21") {
			return nil, shape.No(b.at.Node(), "there is no clear, which came with Go 1.21")
		}
	}
	// As far out as its size stays the same and its type is known.
	var out *loop.Loop
	for l, ok := in, true; ok; l, ok = loop.Around(info, l.At) {
		if !uses.Listed(l.Whole()) || !b.outside(l) {
			break
		}
		out = &l
	}
	if out == nil {
		return nil, shape.No(b.at.Node(), "its size or type belongs to the iteration")
	}
	before, why := out.Before()
	if why != "" {
		return nil, shape.No(out.Stmt, why)
	}
	fn := loop.Func(b.at)
	name, rename := b.v.Name(), false
	if b.alone != nil {
		name = b.fresh(fn, name)
	} else if b.taken(fn) {
		name, rename = b.fresh(fn, name), true
	}
	decl := name + " := "
	if _, ok := b.made().(*ast.DeclStmt); ok {
		decl = "var " + name
		if b.typ != nil {
			decl += " " + b.text(b.typ)
		}
		if b.init != nil {
			decl += " = "
		}
	}
	switch {
	case b.of != nil:
		if !rewrite.Universal(b.pass.Pkg, before, "new") {
			return nil, shape.No(b.at.Node(), "a predeclared name means something else here")
		}
		decl += "new(" + b.text(b.of) + ")"
	case b.init != nil:
		decl += b.text(b.init)
	}
	again := name + " = " + name + "[:0]"
	switch {
	case b.of != nil:
		again = "*" + name + " = " + cmp.Or(b.value, b.text(b.of)+"{}")
	case b.buf:
		again = name + ".Reset()"
	case isMap(b.v.Type()):
		again = "clear(" + name + ")"
	case !b.empty && (b.how.grown || b.assigned()):
		again = fmt.Sprintf("%s = %s[:%s]\nclear(%s)", name, name, b.text(b.args[0]), name)
	case !b.empty:
		again = "clear(" + name + ")"
	}
	if b.alone != nil {
		return []analysis.TextEdit{rewrite.Insert(before, decl+"\n"), rewrite.Insert(b.at.Node().Pos(), again+"\n"), rewrite.Replace(b.alone, name)}, nil
	}
	edits := []analysis.TextEdit{rewrite.Insert(before, decl+"\n"), rewrite.Replace(b.at.Node(), again)}
	if rename {
		for _, c := range b.index.Of(b.v) {
			if !b.index.Declares(c) {
				edits = append(edits, rewrite.Replace(c.Node(), name))
			}
		}
	}
	return edits, nil
}

// assigned reports whether the variable itself is assigned anywhere.
func (b *buffer) assigned() bool {
	for _, c := range b.index.Of(b.v) {
		if c.ParentEdgeKind() == edge.AssignStmt_Lhs && !b.index.Declares(c) {
			return true
		}
	}
	return false
}

// outside reports whether the declaration means the same before the loop.
func (b *buffer) outside(l loop.Loop) bool {
	info := b.pass.TypesInfo
	for _, a := range b.args {
		if !l.Invariant(a) || !sized(info, a) {
			return false
		}
	}
	ok := true
	what := b.made()
	if b.of != nil {
		what = b.of
	}
	ast.Inspect(what, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is && id != b.name {
			if o := info.Uses[id]; o != nil && l.Stmt.Pos() <= o.Pos() && o.Pos() < l.Stmt.End() {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// sized reports whether a size cannot be negative, so that making the buffer
// without an iteration does not panic.
func sized(info *types.Info, e ast.Expr) bool {
	if info.Types[e].Value != nil {
		return true // negative does not compile
	}
	if b, ok := info.TypeOf(e).Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return false // may be too large
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		b := loop.Builtin(info, e)
		return b == "len" || b == "cap"
	case *ast.BinaryExpr:
		return e.Op == token.ADD && sized(info, e.X) && sized(info, e.Y)
	}
	return false
}

// taken reports whether the function has the name for something else, too.
func (b *buffer) taken(fn ast.Node) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == b.v.Name() {
			if o, ok := b.pass.TypesInfo.ObjectOf(id).(*types.Var); !ok || o != b.v && !o.IsField() {
				found = true
			}
		}
		return !found
	})
	return found || b.names[fn][b.v.Name()]
}

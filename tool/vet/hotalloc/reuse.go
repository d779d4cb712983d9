package hotalloc

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// reuse looks at a buffer that is declared in a loop, or at the top of a
// function.
func (s *search) reuse(c inspector.Cursor) {
	d, ok := s.declaration(c)
	b := buffer{search: s, declaration: d}
	if !ok || !b.known() {
		return
	}
	why := b.own()
	if l, ok := loop.Around(s.pass.TypesInfo, d.at); ok {
		f := s.finding(d.at, l.Stmt, b.v.Name()+" is made anew in each iteration")
		var edits []analysis.TextEdit
		if why == nil {
			edits, why = b.hoist(l)
		}
		s.add(f, shape.Fix{Name: "hoist", Says: "make it once before the loop and empty it in each iteration", Edits: edits}, why)
		return
	}
	decl := uses.Decl(d.at)
	if why != nil || decl == nil || d.at.Parent().Node() != decl.Body || len(b.args) == 0 && !b.buf && !uses.Under[*types.Map](b.v.Type()) {
		return // what the call makes for others
	}
	f := s.finding(d.at, decl, b.v.Name()+" is made anew in each call")
	edits, why := b.pool(decl)
	s.add(f, shape.Fix{Name: "pool", Says: "keep it in a sync.Pool between calls", Edits: edits}, why)
}

// A buffer is a slice, a map or a bytes.Buffer that is declared empty, or of a
// length with zeros.
type buffer struct {
	*search
	declaration
	args  []ast.Expr // of make
	empty bool       // its length is 0
	buf   bool       // it is a bytes.Buffer
	ptr   bool       // or a pointer to one
	how   manner
}

// known reports whether the declaration is that of a buffer.
func (b *buffer) known() (ok bool) {
	info := b.pass.TypesInfo
	switch b.v.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		if b.init == nil {
			b.empty = true
			return !uses.Under[*types.Map](b.v.Type())
		}
		b.args, ok = b.makes(info)
		b.empty = len(b.args) == 0 || uses.Under[*types.Map](b.v.Type()) || isZero(info, b.args[0])
		return ok
	}
	if !uses.Is(uses.Deref(b.v.Type()), "bytes", "Buffer") {
		return false
	}
	b.buf, b.empty = true, true
	if _, b.ptr = b.v.Type().Underlying().(*types.Pointer); b.ptr {
		return b.init != nil && zero(info, b.init)
	}
	return b.init == nil
}

// own looks at the uses: whether the buffer can be used again once they are over.
func (b *buffer) own() (why *shape.Refusal) {
	if b.how, why = b.keeper.kept(b.v); why != nil {
		return why
	}
	no := func(why string) *shape.Refusal { return &shape.Refusal{Why: b.v.Name() + why, Pos: b.v.Pos()} }
	switch {
	case b.how.asksCap:
		return no(" is asked for its capacity, which would be that of the largest")
	case b.how.cut:
		return no(" is cut off at its beginning")
	case b.how.parted:
		return no(" is appended to while another variable has its array, which it may leave or not")
	case b.how.asked && b.init == nil:
		return no(" is compared with nil, which it would not be")
	case b.how.resliced && (b.empty || len(b.args) > 1):
		return no(" may be sliced beyond its length, where older elements would be")
	}
	return nil
}

// hoist are the edits that declare the buffer before the outermost loop that
// allows it.
func (b *buffer) hoist(in loop.Loop) ([]analysis.TextEdit, *shape.Refusal) {
	at, name := b.at.Node(), b.v.Name()
	if b.comments(b.at, at) {
		return nil, shape.No(at, "a comment stands in its declaration")
	}
	clears := !b.empty || uses.Under[*types.Map](b.v.Type())
	if clears && (!rewrite.Universal(b.pass.Pkg, at.Pos(), "clear") || !rewrite.Since(b.pass, b.file(b.at), "go1.21")) {
		return nil, shape.No(at, "there is no clear, which came with Go 1.21")
	}
	if clears && b.assigned() {
		return nil, shape.No(at, "its length changes")
	}
	// As far out as its size stays the same and its type is known.
	var out *loop.Loop
	for l, ok := in, true; ok && b.outside(l); l, ok = loop.Around(b.pass.TypesInfo, l.At) {
		out = &l
	}
	if out == nil {
		return nil, shape.No(at, "its size or type belongs to the iteration")
	}
	before, why := out.Before()
	if why != "" {
		return nil, shape.No(out.Stmt, why)
	}
	if uses.Any(loop.Func(b.at), func(id *ast.Ident) bool {
		o, ok := b.pass.TypesInfo.ObjectOf(id).(*types.Var)
		return id.Name == name && (!ok || o != b.v && !o.IsField())
	}) {
		return nil, shape.No(b.name, "something else has its name")
	}
	decl, is := name, " := "
	if b.typ != nil {
		decl, is = "var "+name+" "+b.text(b.typ), " = "
	}
	if b.init != nil {
		decl += is + b.text(b.init)
	}
	again := name + " = " + name + "[:0]"
	if b.buf {
		again = name + ".Reset()"
	} else if clears {
		again = "clear(" + name + ")"
	}
	return []analysis.TextEdit{rewrite.Insert(before, decl+"\n"), rewrite.Replace(at, again)}, nil
}

// assigned reports whether the variable itself is assigned anywhere.
func (b *buffer) assigned() bool {
	return len(loop.Writes(b.pass.TypesInfo, loop.Func(b.at), b.v)) > 0
}

// outside reports whether the declaration means the same before the loop.
func (b *buffer) outside(l loop.Loop) bool {
	info := b.pass.TypesInfo
	for _, a := range b.args {
		if !l.Invariant(a) || !sized(info, a) {
			return false
		}
	}
	return !uses.Any(b.at.Node(), func(id *ast.Ident) bool { o := info.Uses[id]; return o != nil && uses.Holds(l.Stmt, o.Pos()) })
}

// sized reports whether a size cannot be negative, so that making the buffer
// without an iteration does not panic.
func sized(info *types.Info, e ast.Expr) bool {
	if info.Types[e].Value != nil {
		return true // negative does not compile
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

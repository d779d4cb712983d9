package hotalloc

import (
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
	l, ok := loop.Around(info, d.at)
	if ok {
		f := s.finding(d.at, l.Stmt, b.v.Name()+" is made anew in each iteration")
		edits, why := b.hoist(l)
		s.add(f, shape.Fix{Name: "hoist", Says: "make it once before the loop and empty it in each iteration", Edits: edits}, why)
		return
	}
	decl := uses.Decl(d.at)
	if decl == nil || d.at.Parent().Node() != decl.Body || len(b.args) == 0 && !b.buf && !isMap(b.v.Type()) {
		return
	}
	if b.own() != nil {
		return // what the call makes for others
	}
	f := s.finding(d.at, decl, b.v.Name()+" is made anew in each call")
	edits, why := b.pool(decl)
	fix := shape.Fix{Name: "pool", Says: "keep it in a sync.Pool between calls", Edits: edits}
	if why == nil {
		if edits, w := b.recycle(decl); w == nil {
			f.Fixes = append(f.Fixes, shape.Fix{Name: "recycle", Says: "keep its array in a recycle.Slices between calls", Needs: library, Edits: edits})
		}
	}
	s.add(f, fix, why)
}

const library = "github.com/gopayoff/payoff/recycle"

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
	return false
}

// own looks at the uses: whether the buffer can be used again once they are over.
func (b *buffer) own() (why *refusal) {
	if b.buf && !b.ptr {
		return b.bufferOwn()
	}
	if b.how, why = b.keeper().kept(b.v); why != nil {
		return why
	}
	switch {
	case b.how.asksCap:
		return &refusal{"the capacity of " + b.v.Name() + " is asked for, which would be that of the largest", b.v.Pos()}
	case b.how.cut:
		return &refusal{b.v.Name() + " is cut off at its beginning", b.v.Pos()}
	case b.how.asked && b.init == nil:
		return &refusal{b.v.Name() + " is compared with nil, which it would not be", b.v.Pos()}
	case b.empty && b.how.resliced:
		return &refusal{b.v.Name() + " may be sliced beyond its length, where older elements would be", b.v.Pos()}
	}
	return nil
}

// bufferOwn looks at the uses of a bytes.Buffer that is no pointer.
func (b *buffer) bufferOwn() *refusal {
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
		return no(c.Node(), b.v.Name()+" is kept or copied")
	}
	return nil
}

// hoist are the edits that declare the buffer before the outermost loop that
// allows it.
func (b *buffer) hoist(in loop.Loop) ([]analysis.TextEdit, *refusal) {
	if why := b.own(); why != nil {
		return nil, why
	}
	info := b.pass.TypesInfo
	if b.comments(b.at, b.at.Node()) {
		return nil, no(b.at.Node(), "a comment stands in its declaration")
	}
	if !b.empty || isMap(b.v.Type()) {
		if !b.universal(b.at.Node().Pos(), "clear") || !rewrite.Since(b.pass, b.file(b.at), "go1.21") {
			return nil, no(b.at.Node(), "there is no clear, which came with Go 1.21")
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
		return nil, no(b.at.Node(), "its size or type belongs to the iteration")
	}
	before, why := out.Before()
	if why != "" {
		return nil, no(out.Stmt, why)
	}
	fn := loop.Func(b.at)
	name, rename := b.v.Name(), false
	if b.taken(fn) {
		name, rename = b.fresh(fn, name), true
	}
	decl := name + " := "
	if _, ok := b.at.Node().(*ast.DeclStmt); ok {
		decl = "var " + name
		if b.typ != nil {
			decl += " " + b.text(b.typ)
		}
		if b.init != nil {
			decl += " = "
		}
	}
	if b.init != nil {
		decl += b.text(b.init)
	}
	again := name + " = " + name + "[:0]"
	switch {
	case b.buf:
		again = name + ".Reset()"
	case isMap(b.v.Type()):
		again = "clear(" + name + ")"
	case !b.empty && (b.how.grown || b.assigned()):
		again = fmt.Sprintf("%s = %s[:%s]\nclear(%s)", name, name, b.text(b.args[0]), name)
	case !b.empty:
		again = "clear(" + name + ")"
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
	ast.Inspect(b.at.Node(), func(n ast.Node) bool {
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

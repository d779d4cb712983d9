package hotalloc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// pool are the edits that keep the buffer of a function in a sync.Pool of
// pointers.
func (b *buffer) pool(decl *ast.FuncDecl) ([]analysis.TextEdit, *shape.Refusal) {
	if why := b.poolable(decl); why != nil {
		return nil, why
	}
	at, file := b.at.Node(), b.file(b.at)
	typ, ok := rewrite.Type(b.pass.Pkg, file, decl.Pos(), uses.Deref(b.v.Type()))
	if !ok || !rewrite.Universal(b.pass.Pkg, decl.Pos(), "any", "new") {
		return nil, shape.No(at, "its type is unknown outside of the function")
	}
	sync, edits := rewrite.Import(b.pass.Pkg, file, "sync", decl.Pos())
	name := b.v.Name()
	pool := b.fresh(decl, rewrite.Lower(decl.Name.Name)+"Pool")
	edits = append(edits, between(decl, pool, fmt.Sprintf(" = %s.Pool{New: func() any { return new(%s) }}", sync, typ)))
	if b.buf {
		return append(edits, rewrite.Replace(at, fmt.Sprintf("%s := %s.Get().(*%s)\n%s.Reset()\ndefer %s.Put(%s)", name, pool, typ, name, pool, name))), nil
	}
	kept := b.fresh(decl, name+"Pool")
	get := fmt.Sprintf("%s := %s.Get().(*%s)\n", kept, pool, typ)
	put := fmt.Sprintf("defer %s.Put(%s)", pool, kept)
	if uses.Under[*types.Map](b.v.Type()) {
		size := ""
		if len(b.args) > 0 {
			size = ", " + b.text(b.args[0])
		}
		return append(edits, rewrite.Replace(at, get+fmt.Sprintf("if *%s == nil {\n*%s = make(%s%s)\n}\n%s := *%s\nclear(%s)\n", kept, kept, typ, size, name, kept, name)+put)), nil
	}
	if b.assigned() {
		// The larger array is the one to keep.
		put = fmt.Sprintf("defer func() { *%s = %s; %s.Put(%s) }()", kept, name, pool, kept)
	}
	grow, more := rewrite.Import(b.pass.Pkg, file, "slices", at.Pos())
	get += fmt.Sprintf("*%s = %s.Grow((*%s)[:0], %s)", kept, grow, kept, b.text(b.args[len(b.args)-1]))
	if b.empty {
		get += fmt.Sprintf("\n%s := *%s\n", name, kept)
	} else {
		get += fmt.Sprintf("[:%s]\n%s := *%s\nclear(%s)\n", b.text(b.args[0]), name, kept, name)
	}
	return append(append(edits, more...), rewrite.Replace(at, get+put)), nil
}

// between is the edit that declares a pool above a function.
func between(decl *ast.FuncDecl, pool, is string) analysis.TextEdit {
	return rewrite.Insert(rewrite.Begin(decl), fmt.Sprintf("// %s keeps what calls of %s need, between them.\nvar %s%s\n\n", pool, decl.Name.Name, pool, is))
}

// poolable says why a buffer of which nothing is kept cannot wait for the next
// call.
func (b *buffer) poolable(decl *ast.FuncDecl) *shape.Refusal {
	fn, ok := b.pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || fn.Signature().TypeParams().Len() > 0 || fn.Signature().RecvTypeParams().Len() > 0 {
		return shape.No(decl, "the function is generic")
	}
	if b.buf && !b.ptr {
		return shape.No(b.at.Node(), b.v.Name()+" is no pointer")
	}
	if b.comments(b.at, b.at.Node()) {
		return shape.No(b.at.Node(), "a comment stands in its declaration")
	}
	for _, a := range b.args {
		if !b.cheap(a) {
			return shape.No(a, "its size is computed by a call, or no int")
		}
	}
	if !rewrite.Universal(b.pass.Pkg, b.at.Node().Pos(), "clear", "make") || !rewrite.Since(b.pass, b.file(b.at), "go1.21") {
		return shape.No(b.at.Node(), "there is no clear, which came with Go 1.21")
	}
	return nil
}

// cheap reports whether a size can be evaluated twice.
func (b *buffer) cheap(e ast.Expr) bool {
	info := b.pass.TypesInfo
	ok := types.Identical(info.TypeOf(e), types.Typ[types.Int])
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			call := loop.Builtin(info, n)
			ok = ok && (call == "len" || call == "cap")
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

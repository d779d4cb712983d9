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

// pool are the edits that keep the buffer of a function in a sync.Pool of
// pointers. What lies in the pool of a struct is zero, so that the pool keeps
// nothing else alive.
func (b *buffer) pool(decl *ast.FuncDecl) ([]analysis.TextEdit, *shape.Refusal) {
	if why := b.poolable(decl); why != nil {
		return nil, why
	}
	file := b.file(b.at)
	typ, ok := rewrite.Type(b.pass.Pkg, file, decl.Pos(), uses.Deref(b.v.Type()))
	if !ok {
		return nil, shape.No(b.at.Node(), "its type is unknown outside of the function")
	}
	if !rewrite.Universal(b.pass.Pkg, decl.Pos(), "any", "new") {
		return nil, shape.No(b.at.Node(), "a predeclared name means something else here")
	}
	sync, edits := rewrite.Import(b.pass.Pkg, file, "sync", decl.Pos())
	pool := b.fresh(decl, lower(decl.Name.Name)+"Pool")
	edits = append(edits, rewrite.Insert(above(decl), fmt.Sprintf("// %s keeps what calls of %s need, between them.\nvar %s = %s.Pool{New: func() any { return new(%s) }}\n\n", pool, decl.Name.Name, pool, sync, typ)))
	name := b.v.Name()
	if b.of != nil {
		put := fmt.Sprintf("*%s = %s{}\n%s.Put(%s)\n", name, b.text(b.of), pool, name)
		get := b.gotten(fmt.Sprintf("%s.Get().(*%s)", pool, b.text(b.of)))
		return append(edits, b.letGo(decl, get, put, "defer func() {\n"+put+"}()")...), nil
	}
	if b.buf {
		get := fmt.Sprintf("%s := %s.Get().(*%s)\n%s.Reset()\ndefer %s.Put(%s)", name, pool, typ, name, pool, name)
		return append(edits, b.lines(get)...), nil
	}
	kept := b.fresh(decl, name+"Pool")
	get := fmt.Sprintf("%s := %s.Get().(*%s)\n", kept, pool, typ)
	put := fmt.Sprintf("defer %s.Put(%s)\n", pool, kept)
	if b.how.grown {
		// The larger array is the one to keep.
		put = fmt.Sprintf("defer func() { *%s = %s; %s.Put(%s) }()\n", kept, name, pool, kept)
	}
	if isMap(b.v.Type()) {
		size := ""
		if len(b.args) > 0 {
			size = ", " + b.text(b.args[0])
		}
		return append(edits, b.lines(get+fmt.Sprintf("if *%s == nil {\n*%s = make(%s%s)\n}\n%s := *%s\nclear(%s)\ndefer %s.Put(%s)", kept, kept, typ, size, name, kept, name, pool, kept))...), nil
	}
	grow, more := rewrite.Import(b.pass.Pkg, file, "slices", b.at.Node().Pos())
	edits = append(edits, more...)
	length := b.text(b.args[0])
	room := b.text(b.args[len(b.args)-1])
	if b.empty {
		get += fmt.Sprintf("*%s = %s.Grow((*%s)[:0], %s)\n%s := *%s\n", kept, grow, kept, room, name, kept)
	} else {
		get += fmt.Sprintf("*%s = %s.Grow((*%s)[:0], %s)[:%s]\n%s := *%s\nclear(%s)\n", kept, grow, kept, room, length, name, kept, name)
	}
	return append(edits, b.lines(get+put[:len(put)-1])...), nil
}

// gotten declares a struct that lay in a pool.
func (b *buffer) gotten(get string) string {
	text := b.v.Name() + " := " + get + "\n"
	if b.value != "" {
		text += "*" + b.v.Name() + " = " + b.value + "\n"
	}
	return text
}

// recycle are the edits that keep its array in a recycle.Slices, or the struct in
// a recycle.Pool.
func (b *buffer) recycle(decl *ast.FuncDecl) ([]analysis.TextEdit, *shape.Refusal) {
	if b.of != nil {
		return b.recyclePool(decl)
	}
	u, ok := b.v.Type().Underlying().(*types.Slice)
	if !ok || len(b.args) == 0 {
		return nil, shape.No(b.at.Node(), "it is no slice")
	}
	if _, named := types.Unalias(b.v.Type()).(*types.Named); named {
		return nil, shape.No(b.at.Node(), "its type has a name")
	}
	file := b.file(b.at)
	elem, ok := rewrite.Type(b.pass.Pkg, file, decl.Pos(), u.Elem())
	if !ok {
		return nil, shape.No(b.at.Node(), "its type is unknown outside of the function")
	}
	pkg, edits := rewrite.Import(b.pass.Pkg, file, library, decl.Pos())
	pool := b.fresh(decl, lower(decl.Name.Name)+"Arrays")
	edits = append(edits, rewrite.Insert(above(decl), fmt.Sprintf("// %s keeps what calls of %s need, between them.\nvar %s %s.Slices[%s]\n\n", pool, decl.Name.Name, pool, pkg, elem)))
	name := b.v.Name()
	get := fmt.Sprintf("%s := %s.Get(%s)", name, pool, b.text(b.args[len(b.args)-1]))
	if !b.empty {
		get += fmt.Sprintf("[:%s]\nclear(%s)", b.text(b.args[0]), name)
	}
	put := fmt.Sprintf("defer %s.Put(%s)", pool, name)
	if b.how.grown || b.assigned() {
		put = fmt.Sprintf("defer func() { %s.Put(%s) }()", pool, name)
	}
	return append(edits, b.lines(get+"\n"+put)...), nil
}

func (b *buffer) recyclePool(decl *ast.FuncDecl) ([]analysis.TextEdit, *shape.Refusal) {
	file := b.file(b.at)
	typ, ok := rewrite.Type(b.pass.Pkg, file, decl.Pos(), uses.Deref(b.v.Type()))
	if !ok {
		return nil, shape.No(b.at.Node(), "its type is unknown outside of the function")
	}
	pkg, edits := rewrite.Import(b.pass.Pkg, file, library, decl.Pos())
	pool := b.fresh(decl, lower(decl.Name.Name)+"Structs")
	edits = append(edits, rewrite.Insert(above(decl), fmt.Sprintf("// %s keeps what calls of %s need, between them.\nvar %s %s.Pool[%s]\n\n", pool, decl.Name.Name, pool, pkg, typ)))
	put := fmt.Sprintf("%s.Put(%s)", pool, b.v.Name())
	return append(edits, b.letGo(decl, b.gotten(pool+".Get()"), put+"\n", "defer "+put)...), nil
}

// poolable says why a buffer of which nothing is kept cannot wait for the next
// call.
func (b *buffer) poolable(decl *ast.FuncDecl) *shape.Refusal {
	info := b.pass.TypesInfo
	if decl.Type.TypeParams != nil || decl.Recv != nil && generic(info, decl) {
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
			return shape.No(a, "its size is computed by a call")
		}
	}
	if len(b.args) == 0 && !b.buf && b.of == nil && !isMap(b.v.Type()) {
		return shape.No(b.at.Node(), "its size is not known")
	}
	if b.of == nil && !(rewrite.Universal(b.pass.Pkg, b.at.Node().Pos(), "clear", "make") && rewrite.Since(b.pass, b.file(b.at), "go1.21")) {
		return shape.No(b.at.Node(), "there is no clear, which came with Go 1.21")
	}
	jumps := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		br, ok := n.(*ast.BranchStmt)
		jumps = jumps || ok && br.Tok == token.GOTO
		return !jumps
	})
	if jumps {
		return shape.No(decl, "the function has a goto")
	}
	for _, c := range b.index.Of(b.v) {
		if c.ParentEdgeKind() == edge.AssignStmt_Lhs && !b.index.Declares(c) && !b.how.grown && isMap(b.v.Type()) {
			return shape.No(c.Node(), b.v.Name()+" is assigned")
		}
	}
	return nil
}

// cheap reports whether a size can be evaluated twice.
func (b *buffer) cheap(e ast.Expr) bool {
	info := b.pass.TypesInfo
	if info.Types[e].Value != nil {
		return true
	}
	t, ok := info.TypeOf(e).Underlying().(*types.Basic)
	if !ok || t.Kind() != types.Int {
		return false
	}
	ok = true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && (loop.Builtin(info, n) == "len" || loop.Builtin(info, n) == "cap")
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

func generic(info *types.Info, decl *ast.FuncDecl) bool {
	f, ok := info.Defs[decl.Name].(*types.Func)
	return ok && f.Signature().RecvTypeParams().Len() > 0
}

// above is where a declaration is put before that of a function.
func above(decl *ast.FuncDecl) token.Pos {
	if decl.Doc != nil {
		return decl.Doc.Pos()
	}
	return decl.Pos()
}

func lower(name string) string {
	if c := name[0]; 'A' <= c && c <= 'Z' {
		return string(c+'a'-'A') + name[1:]
	}
	return name
}

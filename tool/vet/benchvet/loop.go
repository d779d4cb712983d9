package benchvet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// A bench is a function that has a *testing.B: a benchmark, a part of one given
// to b.Run, or a helper of some.
type bench struct {
	pass  *analysis.Pass
	file  *ast.File
	decl  *ast.FuncDecl // the declaration it is in
	node  ast.Node      // the FuncDecl or FuncLit
	b     *types.Var
	body  *ast.BlockStmt
	loops []loop
}

// A loop repeats its body b.N times, or until b.Loop says that it is enough.
type loop struct {
	stmt  ast.Stmt // *ast.ForStmt or *ast.RangeStmt
	body  *ast.BlockStmt
	index *ast.Ident // its variable; nil if it has none
	byN   bool       // over b.N, and so not b.Loop
}

// benches returns the functions of a package that measure.
func benches(pass *analysis.Pass) (all []*bench) {
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				var typ *ast.FuncType
				var body *ast.BlockStmt
				switch n := n.(type) {
				case *ast.FuncDecl:
					typ, body = n.Type, n.Body
				case *ast.FuncLit:
					typ, body = n.Type, n.Body
				default:
					return true
				}
				if v := param(pass, typ, "B"); v != nil {
					x := &bench{pass: pass, file: file, decl: decl, node: n, b: v, body: body}
					x.findLoops()
					all = append(all, x)
				}
				return true
			})
		}
	}
	return all
}

// param returns the parameter of type *testing.name.
func param(pass *analysis.Pass, typ *ast.FuncType, name string) *types.Var {
	for _, f := range typ.Params.List {
		for _, id := range f.Names {
			v, ok := pass.TypesInfo.Defs[id].(*types.Var)
			if !ok {
				continue
			}
			p, ok := v.Type().(*types.Pointer)
			if !ok {
				continue
			}
			if n, ok := p.Elem().(*types.Named); ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing" {
				return v
			}
		}
	}
	return nil
}

// walk visits the nodes of the function that are not those of a function with
// a *testing.B of its own.
func (x *bench) walk(root ast.Node, visit func(ast.Node) bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && n != x.node && param(x.pass, lit.Type, "B") != nil {
			return false
		}
		return n == nil || visit(n)
	})
}

func (x *bench) findLoops() {
	x.walk(x.body, func(n ast.Node) bool {
		if l, ok := x.loop(n); ok {
			x.loops = append(x.loops, l)
		}
		return true
	})
}

// loop is n as a loop that the benchmark's result is divided by.
func (x *bench) loop(n ast.Node) (loop, bool) {
	switch n := n.(type) {
	case *ast.ForStmt:
		if call, ok := ast.Unparen(n.Cond).(*ast.CallExpr); n.Cond != nil && ok && x.method(call) == "Loop" {
			return loop{stmt: n, body: n.Body}, true
		}
		cond, ok := n.Cond.(*ast.BinaryExpr)
		if !ok || cond.Op != token.LSS || !x.isN(cond.Y) {
			return loop{}, false
		}
		l := loop{stmt: n, body: n.Body, byN: true}
		if init, ok := n.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE && len(init.Lhs) == 1 {
			l.index, _ = init.Lhs[0].(*ast.Ident)
		}
		return l, true
	case *ast.RangeStmt:
		if !x.isN(n.X) {
			return loop{}, false
		}
		l := loop{stmt: n, body: n.Body, byN: true}
		if id, ok := n.Key.(*ast.Ident); ok && id.Name != "_" {
			l.index = id
		}
		return l, true
	}
	return loop{}, false
}

// isN reports whether e is b.N.
func (x *bench) isN(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "N" && x.isB(sel.X)
}

func (x *bench) isB(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && x.pass.TypesInfo.Uses[id] == x.b
}

// method is the name of the method of b that is called, "" for other calls.
func (x *bench) method(call *ast.CallExpr) string {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && x.isB(sel.X) {
		return sel.Sel.Name
	}
	return ""
}

// calls reports whether there is a call of one of b's methods within root.
func (x *bench) calls(root ast.Node, names ...string) (found *ast.CallExpr) {
	x.walk(root, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && found == nil {
			for _, name := range names {
				if x.method(call) == name {
					found = call
				}
			}
		}
		return found == nil
	})
	return found
}

// uses reports whether v is used within root, and whether it is written to.
func uses(info *types.Info, root ast.Node, v types.Object) (used, written bool) {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.ObjectOf(id) == v
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			used = used || info.Uses[n] == v
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				written = written || is(e)
			}
		case *ast.IncDecStmt:
			written = written || is(n.X)
		case *ast.UnaryExpr:
			written = written || n.Op == token.AND && is(n.X)
		case *ast.RangeStmt:
			written = written || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		}
		return true
	})
	return used, written
}

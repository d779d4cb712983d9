// Package spawn finds where a package starts goroutines. It tells what each of
// them runs, the loop that starts it and what joins it. It also tells which
// variables hold another value in each goroutine. The checks of concurrent
// code share it.
//
// It looks at one function at a time and uses no facts: a goroutine that a
// library starts with a callback is not seen.
package spawn

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/unbuilt"
)

// Analyzer returns the places that start goroutines, a []*Site in the order of
// the source. It reports nothing.
var Analyzer = &analysis.Analyzer{
	Name:       "payoffspawn",
	Doc:        "find where goroutines start, for the checks that need it",
	Requires:   []*analysis.Analyzer{inspect.Analyzer, unbuilt.Analyzer},
	ResultType: reflect.TypeFor[[]*Site](),
	Run:        func(pass *analysis.Pass) (any, error) { return find(pass), nil },
}

// A Kind is how a goroutine is started.
type Kind int

const (
	Go        Kind = iota // go statement
	WaitGroup             // (*sync.WaitGroup).Go
	ErrGroup              // Go or TryGo of golang.org/x/sync/errgroup
)

// A Site is a place that starts a goroutine.
type Site struct {
	Kind  Kind
	Node  ast.Node      // the go statement, or the call of Go
	Call  *ast.CallExpr // the call that a go statement starts, or the call of Go
	Group ast.Expr      // what Go is called on, nil for a go statement
	File  *ast.File
	Func  *ast.FuncDecl // the declared function around it, nil in a variable's initializer
	In    ast.Node      // the innermost function around it: *ast.FuncDecl, *ast.FuncLit, or nil
	Loop  ast.Stmt      // the innermost loop of In around it: *ast.ForStmt, *ast.RangeStmt, or nil
	Stmt  ast.Stmt      // that does nothing but start the goroutine, or nil

	// What the goroutine runs: a literal, one bound to a variable that is
	// assigned once, or a function or method declared in the package. Lit and
	// Decl are nil if it is something else; Type and Body are nil then.
	Lit  *ast.FuncLit
	Decl *ast.FuncDecl
	Type *ast.FuncType
	Body *ast.BlockStmt

	// Args has the argument that each parameter and receiver of the body
	// is bound to. A variadic parameter is not in it.
	Args map[*types.Var]ast.Expr

	// Join is what waits for the goroutines after the site in In. It is Wait of their
	// group, a receive from a channel that the body sends to or closes, or a range
	// over one. It is nil if none was found.
	Join ast.Node

	// Up is set of what Reach adds: the site whose body makes the call Node, or
	// that calls what Node hands to it. Also are the other calls of the same body.
	Up   *Site
	Also []*Site

	info    *types.Info
	differs map[*types.Var]bool
	defs    map[*types.Var]ast.Expr // sole initializers of variables of loop and body
}

// finder is what one pass over a package looks up.
type finder struct {
	pass  *analysis.Pass
	info  *types.Info
	root  inspector.Cursor
	decls map[*types.Func]*ast.FuncDecl

	literals map[*types.Var]*ast.FuncLit // see literal
}

func newFinder(pass *analysis.Pass) *finder {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	return &finder{pass: pass, info: pass.TypesInfo, root: in.Root(), decls: Decls(pass)}
}

func find(pass *analysis.Pass) []*Site {
	f := newFinder(pass)
	var sites []*Site
	for cur := range f.root.Preorder((*ast.GoStmt)(nil), (*ast.CallExpr)(nil)) {
		s := &Site{Node: cur.Node(), info: f.info}
		switch n := s.Node.(type) {
		case *ast.GoStmt:
			s.Call = n.Call
			f.runs(s, n.Call.Fun, n.Call.Args)
		case *ast.CallExpr:
			kind, group := goMethod(f.info, n)
			if kind == Go || len(n.Args) != 1 {
				continue
			}
			s.Kind, s.Call, s.Group = kind, n, group
			f.runs(s, n.Args[0], nil)
		}
		f.around(s, cur)
		s.bind()
		s.join()
		sites = append(sites, s)
	}
	return sites
}

// Decls returns the declarations of the package's functions and methods that
// have a body, the same in all builds. The map must not be changed.
func Decls(pass *analysis.Pass) map[*types.Func]*ast.FuncDecl { return funcs(pass).Decls }

func funcs(pass *analysis.Pass) *unbuilt.Funcs {
	left, _ := pass.ResultOf[unbuilt.Analyzer].(*unbuilt.Files)
	return left.Funcs(pass)
}

// goMethod says of a call whether it is that of a group's Go, and which group;
// the kind is Go if not.
func goMethod(info *types.Info, call *ast.CallExpr) (Kind, ast.Expr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return Go, nil
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	switch {
	case !ok || fn.Pkg() == nil:
	case IsMethod(fn, "sync", "WaitGroup", "Go"):
		return WaitGroup, sel.X
	case strings.HasSuffix(fn.Pkg().Path(), "golang.org/x/sync/errgroup") &&
		fn.Signature().Recv() != nil && (fn.Name() == "Go" || fn.Name() == "TryGo"):
		return ErrGroup, sel.X
	}
	return Go, nil
}

// IsMethod reports whether fn is the named method of the named type of a
// package. An empty type stands for any, an empty name for any method.
func IsMethod(fn *types.Func, pkg, typ, name string) bool {
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != pkg || name != "" && fn.Name() != name {
		return false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	return ok && (typ == "" || named.Obj().Name() == typ)
}

// around fills in where the site is.
func (f *finder) around(s *Site, cur inspector.Cursor) {
	switch n := cur.Parent().Node().(type) {
	case *ast.ExprStmt:
		s.Stmt = n
	default:
		s.Stmt, _ = s.Node.(ast.Stmt)
	}
	for c := range cur.Enclosing((*ast.File)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil), (*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		switch n := c.Node().(type) {
		case *ast.File:
			s.File = n
		case *ast.FuncDecl:
			s.Func = n
			if s.In == nil {
				s.In = n
			}
		case *ast.FuncLit:
			if s.In == nil {
				s.In = n
			}
		case ast.Stmt:
			if s.In == nil && s.Loop == nil && Within(LoopBody(n), s.Node) {
				s.Loop = n
			}
		}
	}
}

// runs fills in what the goroutine runs when fun is called with args.
func (f *finder) runs(s *Site, fun ast.Expr, args []ast.Expr) {
	fun = ast.Unparen(fun)
	switch x := fun.(type) {
	case *ast.FuncLit:
		s.Lit = x
	case *ast.Ident:
		if v, ok := f.info.Uses[x].(*types.Var); ok {
			s.Lit = f.literal(v)
		}
	case *ast.SelectorExpr:
		if sel := f.info.Selections[x]; sel != nil && sel.Kind() == types.MethodExpr {
			return // its receiver is an argument
		}
	}
	if s.Lit != nil {
		s.Type, s.Body = s.Lit.Type, s.Lit.Body
		s.Args = bound(f.info.TypeOf(s.Lit), args)
		return
	}
	// typeutil.StaticCallee wants a call; a method value is none.
	fn := typeutil.StaticCallee(f.info, &ast.CallExpr{Fun: fun, Args: args})
	if fn == nil {
		return
	}
	if d := f.decls[fn.Origin()]; d != nil {
		s.Decl, s.Type, s.Body = d, d.Type, d.Body
		s.Args = bound(fn.Origin().Type(), args)
		if sel, ok := fun.(*ast.SelectorExpr); ok && d.Recv != nil {
			s.Args[fn.Origin().Signature().Recv()] = sel.X
		}
	}
}

// literal returns the function literal that v is declared with, nil if there
// is none or v is assigned again.
func (f *finder) literal(v *types.Var) *ast.FuncLit {
	if f.literals == nil {
		f.literals = map[*types.Var]*ast.FuncLit{}
		for _, file := range f.pass.Files {
			eachAssign(f.info, file, func(v *types.Var, rhs ast.Expr, _ bool) {
				lit, _ := rhs.(*ast.FuncLit)
				if _, again := f.literals[v]; again {
					lit = nil
				}
				f.literals[v] = lit
			})
		}
	}
	return f.literals[v]
}

// bound returns the arguments of a function by the parameters they are bound to.
func bound(fn types.Type, args []ast.Expr) map[*types.Var]ast.Expr {
	m := map[*types.Var]ast.Expr{}
	sig := fn.(*types.Signature)
	for i := range min(len(args), sig.Params().Len()) {
		if !sig.Variadic() || i < sig.Params().Len()-1 {
			m[sig.Params().At(i)] = args[i]
		}
	}
	return m
}

// Within reports whether a node lies in another.
func Within(outer, n ast.Node) bool {
	return outer.Pos() <= n.Pos() && n.End() <= outer.End()
}

package spawn

import (
	"go/ast"
	"go/types"
	"maps"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/unbuilt"
)

// reachDepth is how many calls Reach follows from where a goroutine starts.
const reachDepth = 4

// Reached returns the sites of Analyzer, []*Site, as Reach extends them.
var Reached = &analysis.Analyzer{
	Name:       "payoffreach",
	Doc:        "find what goroutines run, for the checks that need it",
	Requires:   []*analysis.Analyzer{Analyzer, unbuilt.Analyzer},
	ResultType: reflect.TypeFor[[]*Site](),
	Run: func(pass *analysis.Pass) (any, error) {
		sites := pass.ResultOf[Analyzer].([]*Site)
		if len(sites) == 0 {
			return sites, nil
		}
		return Reach(pass, sites), nil
	},
}

// Loops returns the sites of Reached that start in a loop.
func Loops(pass *analysis.Pass) (sites []*Site) {
	for _, s := range pass.ResultOf[Reached].([]*Site) {
		if s.Loop != nil {
			sites = append(sites, s)
		}
	}
	return sites
}

// Reach returns the sites and, each as a site of its own with Up set, what
// their goroutines run besides. These are functions of the package that a body
// calls. They are also function literals that a body hands to a function which
// calls them in the goroutines it starts, such as each in
//
//	func each(n int, f func(w int)) {
//		var wg sync.WaitGroup
//		for w := range n {
//			wg.Go(func() { f(w) })
//		}
//		wg.Wait()
//	}
//
// The Node of such a site is the call; its Loop is that of the place where
// goroutines start, often in another function. Of several ways from a site to a
// function the shortest counts, and the others are its Also.
func Reach(pass *analysis.Pass, sites []*Site) []*Site {
	r := &reacher{
		finder: &finder{pass: pass, info: pass.TypesInfo, decls: Decls(pass)},
		calls:  map[*types.Func][]callIn{},
	}
	for _, file := range pass.Files {
		r.collect(file)
	}
	out := slices.Clone(sites)
	type way struct {
		root *Site
		body *ast.BlockStmt
	}
	seen := map[way]*Site{}
	for i := 0; i < len(out); i++ {
		if out[i].depth() == reachDepth {
			continue
		}
		for _, s := range r.from(out[i]) {
			w := way{s.root(), s.Body}
			if first := seen[w]; first != nil {
				first.Also = append(first.Also, s)
				continue
			}
			seen[w] = s
			out = append(out, s)
		}
	}
	return out
}

type reacher struct {
	*finder
	calls map[*types.Func][]callIn // of each function of the package
}

// A callIn is a call and the functions around it.
type callIn struct {
	call *ast.CallExpr
	file *ast.File
	decl *ast.FuncDecl
	in   ast.Node
}

func (s *Site) depth() (n int) {
	for s.Up != nil {
		s, n = s.Up, n+1
	}
	return n
}

// root is where the goroutine starts.
func (s *Site) root() *Site {
	for s.Up != nil {
		s = s.Up
	}
	return s
}

func (r *reacher) collect(file *ast.File) {
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if fn := typeutil.StaticCallee(r.info, call); fn != nil && r.decls[fn.Origin()] != nil {
				c := callIn{call: call, file: file}
				for _, up := range stack {
					switch up := up.(type) {
					case *ast.FuncDecl:
						c.decl, c.in = up, up
					case *ast.FuncLit:
						c.in = up
					}
				}
				r.calls[fn.Origin()] = append(r.calls[fn.Origin()], c)
			}
		}
		stack = append(stack, n)
		return true
	})
}

// from returns the sites one call further than s.
func (r *reacher) from(s *Site) (out []*Site) {
	if s.Body == nil {
		// go f(w), wg.Go(f): the parameter itself is started.
		fun, args := s.Call.Fun, s.Call.Args
		if s.Kind != Go {
			fun, args = s.Call.Args[0], nil
		}
		return r.handed(s, fun, args)
	}
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			out = append(out, r.handed(s, n.Fun, n.Args)...)
			c := &Site{Kind: s.Kind, Node: n, Call: n, File: rewrite.File(r.pass, n.Pos()), Func: s.Func, In: s.Lit, Loop: s.Loop, Join: s.Join, Up: s, info: s.info}
			if s.Decl != nil {
				c.Func, c.In = s.Decl, s.Decl
			}
			r.runs(c, n.Fun, n.Args)
			if c.Body == nil || c.again() {
				return true
			}
			c.inherit(s)
			out = append(out, c)
		}
		return true
	})
	return out
}

// handed returns what runs where s calls fun, if that is a parameter of the
// function that s is in: what the package's calls of that function hand to it.
func (r *reacher) handed(s *Site, fun ast.Expr, args []ast.Expr) (out []*Site) {
	around := s.Func
	if s.Decl != nil {
		around = s.Decl
	}
	id, ok := ast.Unparen(fun).(*ast.Ident)
	if !ok || around == nil {
		return nil
	}
	at := paramIndex(r.info, around, r.info.Uses[id])
	if at < 0 {
		return nil
	}
	fn, _ := r.info.Defs[around.Name].(*types.Func)
	for _, from := range r.calls[fn] {
		if at >= len(from.call.Args) {
			continue
		}
		c := &Site{Kind: s.Kind, Node: from.call, Call: from.call, File: from.file, Func: from.decl, In: from.in, Loop: s.Loop, Up: s, info: s.info}
		if s.Join != nil {
			c.Join = from.call
		}
		r.runs(c, from.call.Args[at], args)
		if c.Body == nil || c.again() {
			continue
		}
		c.inherit(s)
		for v, arg := range r.bound(nil, around.Type, nil, from.call.Args) {
			c.Args[v] = arg // for callers that ask what the function was called with
		}
		out = append(out, c)
	}
	return out
}

// again reports whether the body runs further up already.
func (s *Site) again() bool {
	for up := s.Up; up != nil; up = up.Up {
		if up.Body == s.Body {
			return true
		}
	}
	return false
}

// inherit takes over what is known of variables further up, and adds those of
// the body.
func (s *Site) inherit(up *Site) {
	args := s.Args
	s.Args = maps.Clone(up.Args)
	if s.Args == nil {
		s.Args = map[*types.Var]ast.Expr{}
	}
	s.differs, s.defs = maps.Clone(up.differs), maps.Clone(up.defs)
	for v, arg := range args {
		s.Args[v] = arg
		if up.Loop != nil && up.DiffersExpr(arg) {
			s.differs[v] = true
		}
	}
	s.spread(s.Body)
}

// paramIndex returns the position of a parameter of fn, -1 if it is none.
func paramIndex(info *types.Info, fn *ast.FuncDecl, o types.Object) int {
	i := 0
	for _, field := range fn.Type.Params.List {
		for _, name := range field.Names {
			if o != nil && info.Defs[name] == o {
				if _, variadic := field.Type.(*ast.Ellipsis); variadic {
					return -1
				}
				return i
			}
			i++
		}
		if field.Names == nil {
			i++
		}
	}
	return -1
}

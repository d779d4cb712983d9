package spawn

import (
	"go/ast"
	"go/types"
	"maps"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
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
	Requires:   []*analysis.Analyzer{inspect.Analyzer, Analyzer, unbuilt.Analyzer},
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
	r := &reacher{newFinder(pass), map[*types.Func][]inspector.Cursor{}}
	for c := range r.root.Preorder((*ast.CallExpr)(nil)) {
		if fn := typeutil.StaticCallee(r.info, c.Node().(*ast.CallExpr)); fn != nil && r.decls[fn.Origin()] != nil {
			r.calls[fn.Origin()] = append(r.calls[fn.Origin()], c)
		}
	}
	out := slices.Clone(sites)
	type way struct {
		root *Site
		body *ast.BlockStmt
	}
	seen := map[way]*Site{}
	for i := 0; i < len(out); i++ {
		root, depth := out[i].root()
		if depth == reachDepth {
			continue
		}
		for _, s := range r.from(out[i]) {
			w := way{root, s.Body}
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
	calls map[*types.Func][]inspector.Cursor // of each function of the package
}

// root is where the goroutine starts, and how many calls that is away.
func (s *Site) root() (root *Site, depth int) {
	for s.Up != nil {
		s, depth = s.Up, depth+1
	}
	return s, depth
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
			if r.further(c, n.Fun, n.Args) {
				out = append(out, c)
			}
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
	fn, ok := r.info.Defs[around.Name].(*types.Func)
	if !ok {
		return nil
	}
	sig := fn.Signature()
	at := slices.Index(slices.Collect(sig.Params().Variables()), s.use(id))
	if at < 0 || sig.Variadic() && at == sig.Params().Len()-1 {
		return nil
	}
	for _, from := range r.calls[fn] {
		call := from.Node().(*ast.CallExpr)
		if at >= len(call.Args) {
			continue
		}
		c := &Site{Kind: s.Kind, Node: call, Call: call, Up: s, info: s.info}
		r.around(c, from)
		if c.Join = r.waits(c, s); s.Join != nil {
			c.Join = call
		}
		if s.Loop != nil {
			c.Loop = s.Loop
		}
		if r.further(c, call.Args[at], args) {
			if s.Loop == nil {
				c.bind()
			}
			maps.Copy(c.Args, bound(fn.Type(), call.Args)) // for callers that ask what the function was called with
			out = append(out, c)
		}
	}
	return out
}

// waits returns what waits, after a call of a method that starts a goroutine, for that: a
// call on the same object of a method which waits for the group that the goroutine
// announces itself to.
func (r *reacher) waits(c, s *Site) (join ast.Node) {
	sel, ok := ast.Unparen(c.Call.Fun).(*ast.SelectorExpr)
	if !ok || c.object(sel.X) == nil {
		return nil
	}
	root, _ := s.root()
	groups := map[types.Object]bool{}
	if root.Group != nil {
		groups[root.object(root.Group)] = true
	}
	if root.Body != nil {
		root.announces(groups, map[types.Object]bool{})
	}
	delete(groups, nil)
	calls := func(n ast.Node) (x ast.Expr, fn *types.Func) {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				return sel.X, typeutil.StaticCallee(r.info, call)
			}
		}
		return nil, nil
	}
	return c.after(func(n ast.Node) bool {
		x, fn := calls(n)
		if fn == nil || c.object(x) != c.object(sel.X) || r.decls[fn.Origin()] == nil {
			return false
		}
		d := r.decls[fn.Origin()]
		return (&Site{In: d, Node: d.Name}).after(func(n ast.Node) bool {
			x, fn := calls(n)
			return IsMethod(fn, "sync", "WaitGroup", "Wait") && groups[c.object(x)]
		}) != nil
	})
}

// further fills in what a site runs that has Up, and reports whether that is known, and
// does not run further up already.
func (r *reacher) further(s *Site, fun ast.Expr, args []ast.Expr) bool {
	r.runs(s, fun, args)
	if s.Body == nil {
		return false
	}
	for up := s.Up; up != nil; up = up.Up {
		if up.Body == s.Body {
			return false
		}
	}
	own := s.Args
	s.Args = map[*types.Var]ast.Expr{}
	maps.Copy(s.Args, s.Up.Args)
	maps.Copy(s.Args, own)
	s.differs, s.defs = maps.Clone(s.Up.differs), maps.Clone(s.Up.defs)
	for v, arg := range own {
		if s.Up.Loop != nil && s.Up.DiffersExpr(arg) {
			s.differs[v] = true
		}
	}
	s.spread(s.Body)
	return true
}

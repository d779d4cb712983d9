package chanperitem

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A stream is a channel that a function makes, with what is done with it.
type stream struct {
	v     *types.Var
	decl  ast.Stmt      // declares it, perhaps with others
	make  *ast.CallExpr // make(chan T, 8)
	elem  ast.Expr      // T
	sends []end
	// ranges loop over it, receives are <-v elsewhere.
	ranges, receives, closes []end
	other                    []ast.Node // uses of any other kind
	handed                   []end      // calls of the package's functions that get it
	in                       *reader
	cured                    bool // by the edit of another finding
}

// An end is a place where a goroutine uses a channel.
type end struct {
	node ast.Node       // *ast.SendStmt, *ast.RangeStmt, *ast.UnaryExpr, *ast.CallExpr
	stmt ast.Stmt       // that it is, or is in
	fn   ast.Node       // the goroutine: the literal that a site starts, or the declaration
	site *spawn.Site    // that starts fn, nil for the declaration
	path []ast.Node     // from fn's body to node
	lits []*ast.FuncLit // literals between fn and node
	use  *ast.Ident     // the channel
	// again are those of lits that are called again and again, later one that may be
	// called after what gets it has returned, or by another goroutine.
	again []*ast.FuncLit
	later *ast.FuncLit
}

// chosen reports whether the end is the communication of a select's case.
func (e end) chosen() bool {
	for i, n := range e.path {
		if c, ok := n.(*ast.CommClause); ok && i+1 < len(e.path) && e.path[i+1] == c.Comm {
			return true
		}
	}
	return false
}

// loop is the innermost loop around the end in its function, nil without one.
// A literal that is called again and again counts as one.
func (e end) loop() (loop ast.Node) {
	for _, n := range e.path {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n != e.node {
				loop = n
			}
		case *ast.FuncLit:
			if slices.Contains(e.again, n) {
				loop = n
			}
		}
	}
	return loop
}

// repeated is the code that the innermost loop around the end repeats: of a
// literal, the whole statement that has what calls it.
func (e end) repeated() ast.Node {
	if _, lit := e.loop().(*ast.FuncLit); lit {
		return e.path[0]
	}
	return e.loop()
}

// many reports whether several goroutines do what the end does.
func (e end) many() bool { return e.site != nil && e.site.Loop != nil }

// A reader finds the streams of a function.
type reader struct {
	pass  *analysis.Pass
	x     *uses.Index
	info  *types.Info
	decls map[*types.Func]*ast.FuncDecl
	decl  *ast.FuncDecl
	sites []*spawn.Site
	lits  map[*ast.FuncLit]*spawn.Site // that sites start
	alias map[types.Object]*stream
	all   []*stream
}

// streams returns the channels that the function makes, in their order.
func (r *reader) streams() []*stream {
	r.lits, r.alias = map[*ast.FuncLit]*spawn.Site{}, map[types.Object]*stream{}
	for _, s := range r.sites {
		if lit := inline.Literal(s); lit != nil {
			r.lits[lit] = s
		}
	}
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == len(a.Rhs) {
			for i := range a.Lhs {
				if s := r.made(a, a.Lhs[i], a.Rhs[i]); s != nil {
					r.all = append(r.all, s)
					r.alias[s.v] = s
				}
			}
		}
		return true
	})
	for _, s := range r.all {
		for _, c := range r.x.Of(s.v) {
			if !r.x.Declares(c) {
				r.use(s, c)
			}
		}
	}
	return r.all
}

func (r *reader) made(decl ast.Stmt, name, value ast.Expr) *stream {
	v, ok := spawn.Object(r.info, name).(*types.Var)
	c, ok2 := ast.Unparen(value).(*ast.CallExpr)
	if !ok || !ok2 || loop.Builtin(r.info, c) != "make" {
		return nil
	}
	t, ok := c.Args[0].(*ast.ChanType)
	if !ok {
		return nil
	}
	return &stream{in: r, v: v, decl: decl, make: c, elem: t.Value}
}

// use enters a use of a stream.
func (r *reader) use(s *stream, c inspector.Cursor) {
	id := c.Node().(*ast.Ident)
	e := end{node: c.Parent().Node(), use: id, fn: r.decl}
	for up := c.Parent(); up.Node() != e.fn; {
		n := up.Node()
		if lit, ok := n.(*ast.FuncLit); ok {
			if site := r.lits[lit]; site != nil {
				e.fn, e.site = lit, site
				continue // which ends here
			}
			e.lits = append(e.lits, lit)
		}
		if st, ok := n.(ast.Stmt); ok && e.stmt == nil {
			e.stmt = st
		}
		e.path = append(e.path, n)
		up = up.Parent()
	}
	slices.Reverse(e.path)
	e.path = e.path[1:] // without the body of the function
	for i, n := range e.path {
		if lit, ok := n.(*ast.FuncLit); ok {
			now, again := r.calls(e.path[:i], lit)
			if !now {
				e.later = lit
			}
			if again {
				e.again = append(e.again, lit)
			}
		}
	}
	switch p := e.node.(type) {
	case *ast.SendStmt:
		if p.Chan == id {
			s.sends = append(s.sends, e)
			return
		}
	case *ast.UnaryExpr:
		if p.Op == token.ARROW {
			s.receives = append(s.receives, e)
			return
		}
	case *ast.RangeStmt:
		if p.X == id && p.Tok != token.ASSIGN {
			s.ranges = append(s.ranges, e)
			return
		}
	case *ast.CallExpr:
		if loop.Builtin(r.info, p) == "close" {
			s.closes = append(s.closes, e)
			return
		}
		if fn := typeutil.StaticCallee(r.info, p); fn != nil && r.decls[fn.Origin()] != nil {
			s.handed = append(s.handed, e)
			return
		}
	}
	s.other = append(s.other, id)
}

// calls reports what becomes of a function that is a value in what the path leads
// to: whether it is called before that is done, and by nothing else, and whether
// again and again.
func (r *reader) calls(path []ast.Node, value ast.Expr) (now, again bool) {
	var c *ast.CallExpr
	if len(path) > 1 {
		c, _ = path[len(path)-1].(*ast.CallExpr)
	}
	if c == nil {
		return false, false
	}
	switch path[len(path)-2].(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return false, true
	}
	if c.Fun == value {
		return true, false
	}
	if fn := typeutil.StaticCallee(r.info, c); fn == nil || r.decls[fn.Origin()] == nil {
		// What functions of other packages and methods do with a literal is not
		// known, and many call it once.
		_, foreign := ast.Unparen(c.Fun).(*ast.SelectorExpr)
		return false, !foreign
	}
	return r.given(c, value, nil)
}

// given reports the same of an argument of a call. seen are the parameters on the way.
func (r *reader) given(c *ast.CallExpr, arg ast.Expr, seen []*types.Var) (now, again bool) {
	fn := typeutil.StaticCallee(r.info, c)
	i := slices.Index(c.Args, arg)
	if fn == nil || r.decls[fn.Origin()] == nil || i < 0 || fn.Signature().Variadic() || fn.Signature().Params().Len() != len(c.Args) {
		return false, false
	}
	p := fn.Origin().Signature().Params().At(i)
	if slices.Contains(seen, p) {
		return true, true
	}
	now = true
	for _, u := range inline.Uses(r.info, r.decls[fn.Origin()], p) {
		a, b := r.passed(u.Around, u.ID, append(slices.Clip(seen), p))
		now, again = now && a, again || b
	}
	return now, again
}

// passed reports the same of one use of a parameter.
func (r *reader) passed(around []ast.Node, id *ast.Ident, seen []*types.Var) (now, again bool) {
	now = true
	for _, n := range around {
		switch n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
			now = false
		case *ast.ForStmt, *ast.RangeStmt:
			again = true
		}
	}
	switch p := around[0].(type) {
	case *ast.BinaryExpr: // with nil
		return now, false
	case *ast.CallExpr:
		if p.Fun != ast.Expr(id) {
			a, b := r.given(p, id, seen)
			now, again = now && a, again || b
		}
		return now, again
	}
	return false, again
}

// ends are all of them.
func (s *stream) ends() []end {
	return slices.Concat(s.sends, s.ranges, s.receives, s.closes)
}

// one reports whether the ends are of one goroutine.
func one(ends []end) bool {
	for _, e := range ends {
		if e.many() || e.fn != ends[0].fn || e.later != nil {
			return false
		}
	}
	return true
}

package chanperitem

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// A stream is a channel that a function makes, with what is done with it.
type stream struct {
	v     *types.Var
	decl  ast.Stmt      // declares it, perhaps with others
	make  *ast.CallExpr // make(chan T, 8)
	elem  ast.Expr      // T
	room  int64         // the capacity, -1 if it is no constant
	sends []end
	// ranges loop over it, receives are <-v elsewhere.
	ranges, receives, closes []end
	other                    []ast.Node // uses of any other kind
	handed                   []end      // calls of the package's functions that get it
	callees                  []*callee  // of such calls, those whose functions are read
	// Of a reader of what a function gets as well:
	returned []end
	param    *ast.Field    // it is a parameter, and not made
	from     *ast.CallExpr // what the function calls returns it
}

// at is where the function has it from.
func (s *stream) at() ast.Node {
	if s.param != nil {
		return s.param
	}
	return s.decl
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
	in   *callee        // the function that the end stands in, nil for the reader's; path begins in it
	// again are those of lits that are called again and again, later one that may be
	// called after what gets it has returned, or by another goroutine.
	again []*ast.FuncLit
	later *ast.FuncLit
}

// chosen reports whether the end is a case of a select.
func (e end) chosen() bool {
	return slices.ContainsFunc(e.path, func(n ast.Node) bool { _, ok := n.(*ast.CommClause); return ok }) && e.comm()
}

// comm reports whether the end is the communication of a case, not in its body.
func (e end) comm() bool {
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
	if loop == nil && e.in != nil {
		for _, c := range e.in.calls {
			if l := c.loop(); l != nil {
				return l
			}
		}
		if len(e.in.own) > 0 {
			return e.in.decl
		}
	}
	return loop
}

// repeated is the code that the innermost loop around the end repeats: of a
// literal, the call that gets it.
func (e end) repeated() ast.Node {
	if _, lit := e.loop().(*ast.FuncLit); !lit {
		return e.loop()
	}
	if st := around(e); st != nil {
		return st
	}
	return around(e.in.calls[0])
}

// foreign reports whether a call is of the form pkg.F or x.M: what those do with
// a literal is not known if they are of another package, and many call it once.
func foreign(c *ast.CallExpr) bool {
	_, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	return ok
}

// many reports whether several goroutines do what the end does.
func (e end) many() bool { return e.site != nil && e.site.Loop != nil }

// A reader finds the streams of a function.
type reader struct {
	pass  *analysis.Pass
	info  *types.Info
	decls map[*types.Func]*ast.FuncDecl
	decl  *ast.FuncDecl
	sites []*spawn.Site
	lits  map[*ast.FuncLit]*spawn.Site // that sites start
	alias map[types.Object]*stream
	all   []*stream
	gets  bool // streams are also those that the function gets
	ways  *ways
	// Callees are those that send, or all of them. Their parameters are aliases, or
	// stand for memory of the function.
	consumers bool
	fields    map[*stream][]*ast.Field // of literals whose parameter it is
	params    map[types.Object]bool    // whose type an edit changes
	stands    map[types.Object][]types.Object
	// turns says of a channel that its sends or receives turn into those of iterators.
	turns func(ch ast.Expr, send bool) bool
}

// streams returns the channels that the function makes, in their order.
func (r *reader) streams() (out []*stream) {
	r.lits, r.alias = map[*ast.FuncLit]*spawn.Site{}, map[types.Object]*stream{}
	r.fields = map[*stream][]*ast.Field{}
	r.params, r.stands = map[types.Object]bool{}, map[types.Object][]types.Object{}
	for _, s := range r.sites {
		fun := s.Call.Fun
		if s.Kind != spawn.Go {
			fun = s.Call.Args[0]
		}
		if lit, ok := ast.Unparen(fun).(*ast.FuncLit); ok {
			r.lits[lit] = s
		}
	}
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
				for i := range n.Lhs {
					if s := r.made(n, n.Lhs[i], n.Rhs[i]); s != nil {
						out = append(out, s)
					} else if s := r.got(n, n.Lhs[i], n.Rhs[i]); s != nil {
						out = append(out, s)
					}
				}
			}
		case *ast.DeclStmt:
			if d, ok := n.Decl.(*ast.GenDecl); ok && len(d.Specs) == 1 {
				if v, ok := d.Specs[0].(*ast.ValueSpec); ok && len(v.Names) == 1 && len(v.Values) == 1 {
					if s := r.made(n, v.Names[0], v.Values[0]); s != nil {
						out = append(out, s)
					}
				}
			}
		}
		return true
	})
	if r.gets {
		for _, field := range r.decl.Type.Params.List {
			for _, name := range field.Names {
				if v, ok := r.info.Defs[name].(*types.Var); ok && receiving(field.Type) {
					out = append(out, &stream{v: v, param: field})
				}
			}
		}
	}
	for _, s := range out {
		r.alias[s.v] = s
	}
	for lit, site := range r.lits {
		if site.Kind != spawn.Go {
			continue
		}
		for p, arg := range site.Args {
			if s := r.alias[inline.Object(r.info, arg)]; s != nil && lit.Pos() <= p.Pos() && p.Pos() < lit.End() {
				r.alias[p] = s
				for _, f := range lit.Type.Params.List {
					if _, ok := f.Type.(*ast.ChanType); ok && len(f.Names) == 1 && r.info.Defs[f.Names[0]] == types.Object(p) {
						r.fields[s] = append(r.fields[s], f)
						r.params[p] = r.consumers
					}
				}
			}
		}
	}
	r.walk(nil)
	for _, s := range out {
		r.enter(s)
	}
	r.all = out
	return out
}

func (r *reader) made(decl ast.Stmt, name, value ast.Expr) *stream {
	v, ok := inline.Object(r.info, name).(*types.Var)
	c, ok2 := ast.Unparen(value).(*ast.CallExpr)
	if !ok || !ok2 || len(c.Args) == 0 {
		return nil
	}
	if b, ok := inline.Object(r.info, c.Fun).(*types.Builtin); !ok || b.Name() != "make" {
		return nil
	}
	t, ok := c.Args[0].(*ast.ChanType)
	if !ok {
		return nil
	}
	s := &stream{v: v, decl: decl, make: c, elem: t.Value}
	if len(c.Args) > 1 {
		s.room = -1
		if k := r.info.Types[c.Args[1]].Value; k != nil {
			s.room, _ = constant.Int64Val(constant.ToInt(k))
		}
	}
	return s
}

// got returns the stream that a variable has from a function of the package.
func (r *reader) got(decl ast.Stmt, name, value ast.Expr) *stream {
	v, ok := r.info.Defs[ident(name)].(*types.Var)
	c, call := value.(*ast.CallExpr)
	if !r.gets || !ok || !call {
		return nil
	}
	_, is := v.Type().(*types.Chan)
	if fn := typeutil.StaticCallee(r.info, c); !is || fn == nil || r.decls[fn.Origin()] == nil {
		return nil
	}
	return &stream{v: v, decl: decl, from: c}
}

func ident(e ast.Expr) *ast.Ident {
	id, _ := e.(*ast.Ident)
	return id
}

// walk enters each use of a stream in the function, or of its own in a callee.
func (r *reader) walk(in *callee) {
	decl := r.decl
	if in != nil {
		decl = in.decl
	}
	var stack []ast.Node
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok {
			o := r.info.Uses[id]
			if s := r.alias[o]; s != nil && (in == nil || o == types.Object(in.param) && !slices.Contains(in.own, id)) {
				r.use(s, id, stack, in)
			}
		}
		stack = append(stack, n)
		return true
	})
}

func (r *reader) use(s *stream, id *ast.Ident, stack []ast.Node, in *callee) {
	parent := stack[len(stack)-1]
	e := end{node: parent, use: id, in: in}
	from := 0
	e.fn = r.decl
	if in != nil {
		c := in.calls[0]
		e.fn, e.site, e.lits, e.again, e.later = c.fn, c.site, slices.Clone(c.lits), slices.Clone(c.again), c.later
	}
	for i, n := range stack {
		if lit, ok := n.(*ast.FuncLit); ok {
			if site := r.lits[lit]; site != nil {
				e.fn, e.site, e.lits, from = lit, site, nil, i+2
				continue
			}
			e.lits = append(e.lits, lit)
		}
		if st, ok := n.(ast.Stmt); ok {
			e.stmt = st
		}
	}
	if from == 0 {
		from = 2 // the declaration and its body
	}
	e.path = slices.Clone(stack[min(from, len(stack)):])
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
	switch p := parent.(type) {
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
		if p.X == id {
			s.ranges = append(s.ranges, e)
			return
		}
	case *ast.CallExpr:
		if b, ok := inline.Object(r.info, p.Fun).(*types.Builtin); ok && b.Name() == "close" {
			s.closes = append(s.closes, e)
			return
		}
		if site := r.started(p); site != nil && r.lits[litOf(p)] == site {
			return // the literal's parameter stands for it
		}
		if fn := typeutil.StaticCallee(r.info, p); fn != nil && r.decls[fn.Origin()] != nil && p.Fun != id {
			if site := r.started(p); site != nil {
				e.fn, e.site = r.decls[fn.Origin()], site
			}
			s.handed = append(s.handed, e)
			return
		}
	case *ast.ReturnStmt:
		if r.gets && in == nil && len(p.Results) == 1 {
			s.returned = append(s.returned, e)
			return
		}
	}
	s.other = append(s.other, id)
}

// calls reports what becomes of a function that is a value in what the path leads
// to: whether it is called before that is done, and by nobody else, and whether
// again and again.
func (r *reader) calls(path []ast.Node, value ast.Expr) (now, again bool) {
	if len(path) < 2 {
		return false, false
	}
	c, ok := path[len(path)-1].(*ast.CallExpr)
	if !ok {
		return false, false
	}
	switch path[len(path)-2].(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return false, true
	}
	if c.Fun == value {
		return true, false
	}
	if fn := typeutil.StaticCallee(r.info, c); fn != nil && r.decls[fn.Origin()] != nil {
		return r.given(c, value, nil)
	}
	return false, !foreign(c)
}

// given reports the same of an argument of a call of a function of the package.
// seen are the parameters on the way.
func (r *reader) given(c *ast.CallExpr, arg ast.Expr, seen []*types.Var) (now, again bool) {
	fn := typeutil.StaticCallee(r.info, c)
	if fn == nil || r.decls[fn.Origin()] == nil {
		return false, false
	}
	i, params := slices.Index(c.Args, arg), fn.Origin().Signature().Params()
	if i < 0 || params.Len() != len(c.Args) || fn.Signature().Variadic() {
		return false, false
	}
	p := params.At(i)
	if slices.Contains(seen, p) {
		return true, true
	}
	seen = append(slices.Clip(seen), p)
	now = true
	var stack []ast.Node
	ast.Inspect(r.decls[fn.Origin()].Body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && r.info.Uses[id] == types.Object(p) {
			a, b := r.passed(stack, id, seen)
			now, again = now && a, again || b
		}
		stack = append(stack, n)
		return true
	})
	return now, again
}

// passed reports the same of one use of a parameter.
func (r *reader) passed(stack []ast.Node, id *ast.Ident, seen []*types.Var) (now, again bool) {
	now = true
	for _, n := range stack {
		switch n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
			now = false
		case *ast.ForStmt, *ast.RangeStmt:
			again = true
		}
	}
	switch p := stack[len(stack)-1].(type) {
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

func litOf(c *ast.CallExpr) *ast.FuncLit {
	lit, _ := ast.Unparen(c.Fun).(*ast.FuncLit)
	return lit
}

// started returns the site whose go statement makes the call.
func (r *reader) started(c *ast.CallExpr) *spawn.Site {
	for _, s := range r.sites {
		if s.Kind == spawn.Go && s.Call == c {
			return s
		}
	}
	return nil
}

// ends are all of them.
func (s *stream) ends() []end {
	return slices.Concat(s.sends, s.ranges, s.receives, s.closes)
}

// named reports whether the channel is used under its own name alone, not as a
// parameter of a literal.
func (r *reader) named(s *stream) bool {
	for o, t := range r.alias {
		if t == s && o != s.v && !r.params[o] {
			return false
		}
	}
	return true
}

package chanperitem

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// A pipeline is the streams that become iterators together, where functions of the
// package make them, return them and get them:
//
//	for x := range squares(numbers(n)) {
//
// Each of them has one loop over it in the end, so that the types of parameters and
// results are all that changes outside of what fills it.
type pipeline struct {
	w       *ways
	streams []*stream
	of      map[*stream]*reader
	results []*types.Func // return such a stream
	why     reason
}

// ways are the functions of a package with what they hand to each other.
type ways struct {
	pass    *analysis.Pass
	decls   map[*types.Func]*ast.FuncDecl
	sites   map[*ast.FuncDecl][]*spawn.Site
	readers map[*ast.FuncDecl]*reader
	calls   map[*types.Func][]call
	values  map[*types.Func]bool // used in another way than to be called
	asked   map[string]bool      // the methods of interfaces
}

// A call is a use of a function that calls it.
type call struct {
	expr *ast.CallExpr
	in   *ast.FuncDecl
	path []ast.Node // from the declaration to the call
}

func waysOf(pass *analysis.Pass, decls map[*types.Func]*ast.FuncDecl, sites map[*ast.FuncDecl][]*spawn.Site) *ways {
	w := &ways{pass: pass, decls: decls, sites: sites, readers: map[*ast.FuncDecl]*reader{}, calls: map[*types.Func][]call{}, values: map[*types.Func]bool{}, asked: map[string]bool{}}
	for _, file := range pass.Files {
		var stack []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			if x, ok := n.(*ast.InterfaceType); ok {
				for m := range pass.TypesInfo.TypeOf(x).(*types.Interface).Methods() {
					w.asked[m.Name()] = true
				}
			}
			if id, ok := n.(*ast.Ident); ok {
				if fn, ok := pass.TypesInfo.Uses[id].(*types.Func); ok && decls[fn.Origin()] != nil {
					fun, top := ast.Expr(id), len(stack)-1
					if sel, ok := stack[top].(*ast.SelectorExpr); ok && pass.TypesInfo.Selections[sel] != nil && pass.TypesInfo.Selections[sel].Kind() == types.MethodVal {
						fun, top = sel, top-1
					}
					c, ok := stack[top].(*ast.CallExpr)
					d, in := stack[1].(*ast.FuncDecl)
					if ok && in && c.Fun == fun {
						w.calls[fn.Origin()] = append(w.calls[fn.Origin()], call{c, d, slices.Clone(stack[1:top])})
					} else {
						w.values[fn.Origin()] = true
					}
				}
			}
			stack = append(stack, n)
			return true
		})
	}
	return w
}

// reader returns what reads a function with the streams that it gets.
func (w *ways) reader(decl *ast.FuncDecl) *reader {
	r := w.readers[decl]
	if r == nil {
		r = &reader{pass: w.pass, info: w.pass.TypesInfo, decls: w.decls, decl: decl, sites: w.sites[decl], gets: true, ways: w}
		r.streams()
		w.readers[decl] = r
	}
	return r
}

// fn is the function that a call calls, if it is one of the package.
func (w *ways) fn(e ast.Expr) *types.Func {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	if fn := typeutil.StaticCallee(w.pass.TypesInfo, c); fn != nil && w.decls[fn.Origin()] != nil {
		return fn.Origin()
	}
	return nil
}

// pipeline returns the one that a stream of a function belongs to, or why it cannot
// become iterators.
func (w *ways) pipeline(decl *ast.FuncDecl, v *types.Var) *pipeline {
	p := &pipeline{w: w, of: map[*stream]*reader{}}
	r := w.reader(decl)
	p.visit(r, r.alias[v])
	if p.why.why != "" {
		return p
	}
	// What ends a loop early, ends all that is before it.
	var stops ast.Node
	for _, s := range p.streams {
		for _, e := range s.ranges {
			if at := p.of[s].stops(e.node.(*ast.RangeStmt)); at != nil && stops == nil {
				stops = at
			}
		}
	}
	for _, fn := range p.results {
		for _, c := range w.calls[fn] {
			if loop, ok := c.path[len(c.path)-1].(*ast.RangeStmt); ok && stops == nil {
				stops = w.reader(c.in).stops(loop)
			}
		}
	}
	sets := p.sets()
	for _, s := range p.streams {
		if s.make == nil {
			continue
		}
		r := p.of[s]
		if p.why = r.filled(s, stops); p.why.why != "" {
			return p
		}
		for _, e := range slices.Concat(s.ranges, s.handed, s.returned) {
			if e.node.Pos() < inline.Statement(r.decl, s.sends[0].site).Pos() {
				p.why = reason{"what receives from " + s.v.Name() + " comes before the goroutine that sends", e.node}
				return p
			}
		}
		r.turns = func(ch ast.Expr, send bool) bool {
			if !send && slices.Contains(p.results, w.fn(ch)) {
				return true
			}
			o := inline.Object(r.info, ch)
			return slices.ContainsFunc(p.streams, func(t *stream) bool {
				return types.Object(t.v) == o && (!send || t == s || p.of[t] != r) // who is called does it in an iterator
			})
		}
		if p.why = r.depends(s, sets[r]); p.why.why != "" {
			return p
		}
	}
	return p
}

// sets are the streams by what reads them.
func (p *pipeline) sets() map[*reader]map[*stream]bool {
	sets := map[*reader]map[*stream]bool{}
	for _, s := range p.streams {
		r := p.of[s]
		if sets[r] == nil {
			sets[r] = map[*stream]bool{}
		}
		sets[r][s] = true
	}
	return sets
}

func (p *pipeline) refuse(why string, at ast.Node) {
	if p.why.why == "" {
		p.why = reason{why, at}
	}
}

// visit enters a stream, and those that it comes from and goes to.
func (p *pipeline) visit(r *reader, s *stream) {
	if s == nil || p.of[s] != nil || p.why.why != "" {
		return
	}
	p.of[s] = r
	p.streams = append(p.streams, s)
	name := s.v.Name()
	switch {
	case len(s.other) > 0:
		p.refuse(name+" is used in another way than to send, receive and close", s.other[0])
	case !r.named(s):
		p.refuse(name+" is a parameter of the goroutine", s.at())
	case len(s.receives) > 0:
		p.refuse(name+" is received from without a loop over it", s.receives[0].node)
	case s.make == nil && len(s.sends) > 0:
		p.refuse(name+" comes from elsewhere, and is sent on", s.sends[0].node)
	case s.make == nil && len(s.closes) > 0:
		p.refuse(name+" comes from elsewhere, and is closed", s.closes[0].node)
	}
	for _, e := range s.handed {
		c := e.node.(*ast.CallExpr)
		if _, got := p.get(c, e.use); got == nil {
			p.refuse(name+" is handed to a function", c)
		}
	}
	if p.why.why == "" && len(s.ranges)+len(s.handed)+len(s.returned) != 1 {
		p.refuse(name+" has not one loop over it", s.at())
	}
	for _, e := range slices.Concat(s.ranges, s.handed, s.returned) {
		if e.many() {
			p.refuse("several goroutines use one end of "+name, e.node)
		}
		if w := r.once(s, e); w.why != "" {
			p.refuse(w.why, w.at)
		}
		switch n := e.node.(type) {
		case *ast.CallExpr:
			p.hand(n, e.use, e.path[len(e.path)-2])
		case *ast.ReturnStmt:
			p.returned(r, e)
		}
	}
	switch {
	case p.why.why != "":
	case s.from != nil:
		p.result(p.w.fn(s.from))
	case s.param != nil:
		p.param(r, s)
	}
}

// get returns the parameter that an argument of a call is for, if it is a stream,
// and what reads its function.
func (p *pipeline) get(c *ast.CallExpr, arg ast.Expr) (*reader, *stream) {
	fn, at := p.w.fn(c), slices.Index(c.Args, arg)
	if fn == nil || at < 0 || fn.Signature().Params().Len() != len(c.Args) {
		return nil, nil
	}
	r := p.w.reader(p.w.decls[fn])
	return r, r.alias[fn.Signature().Params().At(at)]
}

// hand goes on with the parameter that an argument of a call is for. around is what
// the call is in.
func (p *pipeline) hand(c *ast.CallExpr, arg ast.Expr, around ast.Node) {
	r, s := p.get(c, arg)
	if _, later := around.(*ast.DeferStmt); s == nil || later {
		p.refuse("a channel is handed to a function in another way", c)
	} else if p.free(p.w.fn(c), c) {
		p.visit(r, s)
	}
}

// returned goes on with the calls of the function that returns a stream.
func (p *pipeline) returned(r *reader, e end) {
	fn, _ := r.info.Defs[r.decl.Name].(*types.Func)
	if fn == nil || e.site != nil || len(e.lits) > 0 {
		p.refuse("a channel is returned by a literal", e.node)
		return
	}
	p.result(fn)
}

// free says whether the type of a function may change: nobody but the package calls
// it, and does nothing else with it.
func (p *pipeline) free(fn *types.Func, at ast.Node) bool {
	if !p.w.closed(fn) || !rewrite.Since(p.w.pass, rewrite.File(p.w.pass, p.w.decls[fn].Pos()), "go1.23") {
		p.refuse(fn.Name()+" may be used by others, with channels", at)
		return false
	}
	return true
}

// result enters a function that returns a stream: what it returns, and its calls.
func (p *pipeline) result(fn *types.Func) {
	if slices.Contains(p.results, fn) || p.why.why != "" {
		return
	}
	d := p.w.decls[fn]
	if !p.free(fn, d) {
		return
	}
	if results := d.Type.Results; results == nil || len(results.List) != 1 || len(results.List[0].Names) > 0 || !receiving(results.List[0].Type) {
		p.refuse(fn.Name()+" returns more than a channel", d.Type)
		return
	}
	p.results = append(p.results, fn)
	r := p.w.reader(d)
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		if ret, ok := n.(*ast.ReturnStmt); ok {
			p.value(r, ret.Results[0])
		}
		return true
	})
	for _, c := range p.w.calls[fn] {
		p.call(c)
	}
}

// call goes on where a call returns a stream.
func (p *pipeline) call(c call) {
	r := p.w.reader(c.in)
	switch to := c.path[len(c.path)-1].(type) {
	case *ast.RangeStmt:
		if to.Tok == token.ASSIGN {
			p.refuse("the loop over "+r.text(c.expr)+" assigns to a variable from outside", to)
		}
	case *ast.CallExpr: // of a function that has another stream of the pipeline
		p.hand(to, c.expr, c.path[len(c.path)-2])
	case *ast.AssignStmt:
		var s *stream
		if len(to.Lhs) == 1 && to.Tok == token.DEFINE {
			s = r.alias[inline.Object(r.info, to.Lhs[0])]
		}
		if s == nil || s.from != c.expr {
			p.refuse("a channel that is returned is assigned", to)
		}
		p.visit(r, s)
	case *ast.ReturnStmt:
		for _, n := range c.path {
			if _, lit := n.(*ast.FuncLit); lit {
				p.refuse("a channel is returned by a literal", to)
			}
		}
		fn, _ := r.info.Defs[r.decl.Name].(*types.Func)
		p.result(fn)
	default:
		p.refuse("a channel that is returned is used in another way than in a loop", c.expr)
	}
}

// value enters what is returned or an argument.
func (p *pipeline) value(r *reader, x ast.Expr) {
	if id, ok := x.(*ast.Ident); ok && r.alias[r.info.Uses[id]] != nil {
		p.visit(r, r.alias[r.info.Uses[id]])
	} else if fn := p.w.fn(x); fn != nil {
		p.result(fn)
	} else {
		p.refuse("a channel comes from elsewhere", x)
	}
}

// param enters what calls hand to a parameter.
func (p *pipeline) param(r *reader, s *stream) {
	fn := r.info.Defs[r.decl.Name].(*types.Func)
	if !p.free(fn, r.decl) || p.why.why != "" {
		return
	}
	for _, name := range s.param.Names { // they have one type
		p.visit(r, r.alias[r.info.Defs[name]])
	}
	if len(s.param.Names) > 1 && slices.ContainsFunc(s.param.Names, func(id *ast.Ident) bool { return r.alias[r.info.Defs[id]] == nil }) {
		p.refuse("a channel has its type with another parameter", s.param)
		return
	}
	i := 0
	for i < fn.Signature().Params().Len() && fn.Signature().Params().At(i) != s.v {
		i++
	}
	for _, c := range p.w.calls[fn] {
		if i < len(c.expr.Args) {
			p.value(p.w.reader(c.in), c.expr.Args[i])
		}
	}
}

// receiving reports whether a type is written as that of a channel to receive from.
func receiving(t ast.Expr) bool {
	c, ok := t.(*ast.ChanType)
	return ok && c.Dir != ast.SEND
}

// edits make the pipeline iterators.
func (p *pipeline) edits() (edits []analysis.TextEdit, w reason) {
	names := map[*ast.File]string{}
	seq := func(t ast.Expr) {
		file := rewrite.File(p.w.pass, t.Pos())
		name, more := rewrite.Import(p.w.pass.Pkg, file, "iter", t.Pos())
		switch had, ok := names[file]; {
		case !ok:
			names[file] = name
			edits = append(edits, more...)
		case had != name:
			w = reason{"iter means something else there", t}
		}
		edits = append(edits, rewrite.Replace(t, name+".Seq["+rewrite.Text(p.w.pass.Fset, t.(*ast.ChanType).Value)+"]"))
	}
	made := map[*reader]map[*stream]bool{}
	var order []*reader
	fields := map[*ast.Field]bool{}
	for _, s := range p.streams {
		switch r := p.of[s]; {
		case s.make != nil:
			if made[r] == nil {
				made[r] = map[*stream]bool{}
				order = append(order, r)
			}
			made[r][s] = true
		case s.param != nil && !fields[s.param]:
			fields[s.param] = true
			seq(s.param.Type)
		}
	}
	for _, fn := range p.results {
		seq(p.w.decls[fn].Type.Results.List[0].Type)
	}
	for _, r := range order {
		more, why := r.iterators(made[r])
		if why.why != "" {
			return nil, why
		}
		edits = append(edits, more...)
	}
	slices.SortFunc(edits, func(a, b analysis.TextEdit) int { return int(a.Pos - b.Pos) })
	return edits, w
}

// first reports whether a stream is the first that the pipeline makes, so that it
// is offered once.
func (p *pipeline) first(v *types.Var) bool {
	for _, s := range p.streams {
		if s.make != nil && s.v.Pos() < v.Pos() {
			return false
		}
	}
	return true
}

// across offers direct for a stream that goes through functions of the package.
func (r *reader) across(f *shape.Finding, hot []*stream, w *ways) {
	for _, s := range hot {
		if len(s.handed) == 0 && len(s.other) == 0 {
			continue
		}
		p := w.pipeline(r.decl, s.v)
		if p.why.why == "" {
			edits, why := p.edits()
			if why.why == "" {
				if p.first(s.v) {
					f.Fixes = append(f.Fixes, shape.Fix{
						Name: "direct", Serial: true,
						Says:  "let the loops that receive call what sends, as iterators",
						Edits: edits,
					})
				}
				return
			}
			p.why = why
		}
		r.refuse(f, "direct", p.why.at, "%s", p.why.why)
	}
}

package chanperitem

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A pipeline is the streams that functions of the package return and hand to each other,
// with all variables and results that they go through. It is followed both ways. Each
// holds its stream alone and passes it on once, to one loop in the end.
type pipeline struct {
	*reader
	readers map[*ast.FuncDecl]*reader
	seen    map[types.Object]bool
	order   []*stream
	loops   []*ast.RangeStmt    // over them
	edits   []analysis.TextEdit // of types
	no      *shape.Refusal
}

func (p *pipeline) refuse(n ast.Node, format string, args ...any) {
	if p.no == nil {
		p.no = shape.No(n, fmt.Sprintf(format, args...))
	}
}

// direct makes the goroutines that fill the channels of a pipeline iterators: what they
// send is what they yield, and the loops over the channels stay as they are. So everything
// runs in the goroutine that ranges over the last of them, and break, return, defer and
// panic in the loop mean what they meant.
func (r *reader) direct(f *shape.Finding, hot []*stream, readers map[*ast.FuncDecl]*reader) {
	if !rewrite.Since(r.pass, rewrite.File(r.pass, r.decl.Pos()), "go1.23") {
		return
	}
	fix := shape.Fix{Name: "direct", Serial: true, Says: "let the loop that receives call what sends, as an iterator"}
	for _, s := range hot {
		if s.cured {
			continue
		}
		p := &pipeline{reader: r, readers: readers, seen: map[types.Object]bool{}}
		p.stream(s)
		for _, s := range p.order {
			p.fills(s.in, s)
		}
		for rest := p.order; len(rest) > 0 && p.no == nil; {
			var here []*stream // of one function
			in := rest[0].in
			rest = slices.DeleteFunc(slices.Clone(rest), func(s *stream) bool {
				if s.in == in {
					here = append(here, s)
				}
				return s.in == in
			})
			edits, no := in.iterators(here)
			p.edits, p.no = append(p.edits, edits...), no
		}
		if p.no != nil {
			refuse(f, "direct", p.no)
			continue
		}
		fix.Edits = append(fix.Edits, p.edits...)
		for _, s := range p.order {
			s.cured = true
			for _, e := range s.ends() {
				f.Hot = append(f.Hot, shape.Of(e.stmt))
			}
		}
	}
	if fix.Edits != nil {
		slices.SortFunc(fix.Edits, func(a, b analysis.TextEdit) int { return int(a.Pos - b.Pos) })
		f.Fixes = append(f.Fixes, fix)
	}
}

// fills refuses a stream that its goroutine does not fill as an iterator could.
func (p *pipeline) fills(r *reader, s *stream) {
	name := s.v.Name()
	if len(s.sends) == 0 || len(s.closes) != 1 || s.sends[0].site == nil || !one(slices.Concat(s.sends, s.closes)) {
		p.refuse(s.decl, "%s is not filled by one goroutine, which closes it", name)
		return
	}
	from := s.sends[0]
	own := func(e end) bool { return e.fn == from.fn }
	stops := slices.ContainsFunc(p.loops, func(l *ast.RangeStmt) bool { return rewrite.Stops(p.info, l.Body) != nil })
	no := r.filled(s, stops)
	if no == nil {
		no = inline.Waits(r.pass, from.site, func(ch ast.Expr, send bool) bool {
			o := spawn.Object(r.info, ch)
			return o == s.v || !send && (p.seen[o] || p.seen[p.callee(ch)])
		})
	}
	if no != nil && p.no == nil {
		p.no = &shape.Refusal{Why: no.Why, Pos: no.Pos}
	}
	if e := flow.Of(r.pass).Within(from.site.Body).First(flow.Lock); e != nil && slices.ContainsFunc(p.loops, func(l *ast.RangeStmt) bool {
		return flow.Of(r.pass).Within(l.Body).First(flow.Lock|flow.Call|flow.Unknown) != nil
	}) {
		p.refuse(from.node, "the goroutine that sends on %s may have a lock that the loop takes", name)
	}
	if others := func(c *ast.CallExpr) bool {
		return loop.Builtin(p.info, c) == "close" && spawn.Object(p.info, c.Args[0]) != s.v
	}; flow.Of(r.pass).Within(from.site.Body).First(flow.Sync) != nil || uses.Any(from.site.Body, others) {
		p.refuse(from.node, "others may wait for what the goroutine that sends on %s does beside that", name)
	}
	for _, x := range s.decl.(*ast.AssignStmt).Lhs {
		if !p.seen[spawn.Object(p.info, x)] {
			p.refuse(s.decl, "%s is declared together with what stays", name)
		}
	}
	if slices.ContainsFunc(s.ranges, func(e end) bool { return own(e) || e.node.Pos() < from.site.Node.Pos() }) {
		p.refuse(from.node, "one goroutine has both ends of %s, or the loop over it comes first", name)
	}
}

// stream goes on from a stream of a function: to what has it next, and to what its
// goroutine receives from.
func (p *pipeline) stream(s *stream) {
	if p.no != nil || p.seen[s.v] {
		return
	}
	p.order = append(p.order, s)
	p.holder(s.v, true)
	for _, e := range s.sends {
		for n := range ast.Preorder(e.fn) {
			if l, ok := n.(*ast.RangeStmt); ok && uses.Under[*types.Chan](p.info.TypeOf(l.X)) {
				p.source(l.X)
			}
		}
	}
}

// holder goes on from a variable that holds a stream: to the one place that passes it on,
// beside those that fill it where it was made.
func (p *pipeline) holder(v *types.Var, made bool) {
	p.seen[v] = true
	once := false
	for _, use := range p.x.Of(v) {
		c := uses.Whole(use)
		call, _ := c.Parent().Node().(*ast.CallExpr)
		if p.x.Declares(use) || made && (c.ParentEdgeKind() == edge.SendStmt_Chan || call != nil && loop.Builtin(p.info, call) == "close") {
			continue
		}
		for up := c.Parent(); !uses.Holds(up.Node(), v.Pos()); up = up.Parent() {
			switch n := up.Node().(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				once = once || spawn.Within(spawn.LoopBody(n.(ast.Stmt)), c.Node())
			case *ast.FuncLit:
				r := p.readers[uses.Decl(up)]
				once = once || r == nil || r.lits[n] == nil || r.lits[n].Loop != nil
			}
		}
		if once {
			p.refuse(c.Node(), "%s may be gone through more than once", v.Name())
		}
		once = true
		p.use(c)
	}
}

// use goes on from an expression that is a stream.
func (p *pipeline) use(c inspector.Cursor) {
	switch n := c.Parent().Node().(type) {
	case *ast.RangeStmt:
		decl := uses.Decl(c)
		if n.X == c.Node() && n.Tok != token.ASSIGN && decl != nil && p.no == nil {
			p.loops = append(p.loops, n)
			if r := p.readers[decl]; r != nil {
				for _, s := range r.all { // that is filled of what it brings
					if slices.ContainsFunc(s.sends, func(e end) bool { return e.site != nil && spawn.Within(e.fn, n) }) {
						p.stream(s)
					}
				}
			}
			return
		}
	case *ast.CallExpr:
		if fn := typeutil.StaticCallee(p.info, n); fn != nil && c.ParentEdgeKind() == edge.CallExpr_Args && !fn.Signature().Variadic() {
			p.param(fn.Origin(), c.ParentEdgeIndex())
			return
		}
	case *ast.AssignStmt:
		if v := loop.Var(p.info, n.Lhs[0]); n.Tok == token.DEFINE && len(n.Lhs) == 1 && v != nil {
			if !p.seen[v] {
				p.holder(v, false)
			}
			return
		}
	case *ast.ReturnStmt:
		if in, _ := uses.Func(c); uses.Decl(c) != nil && in.Node() == uses.Decl(c) && len(n.Results) == 1 {
			p.result(p.info.Defs[uses.Decl(c).Name].(*types.Func))
			return
		}
	}
	p.refuse(c.Node(), "%s is used in another way than to send, receive and close", types.ExprString(c.Node().(ast.Expr)))
}

// callee is the function that an expression calls, or nil.
func (p *pipeline) callee(e ast.Expr) types.Object {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if fn := typeutil.StaticCallee(p.info, call); fn != nil {
			return fn.Origin()
		}
	}
	return nil
}

// source goes back to where an expression has its stream from.
func (p *pipeline) source(e ast.Expr) {
	if fn, ok := p.callee(e).(*types.Func); ok {
		p.result(fn)
		return
	}
	v := loop.Var(p.info, e)
	if v == nil {
		p.refuse(e, "%s comes from elsewhere", types.ExprString(e))
	}
	if v == nil || p.seen[v] {
		return
	}
	for _, use := range p.x.Of(v) {
		decl := uses.Decl(use)
		if decl == nil || !p.x.Declares(use) {
			continue
		}
		fn := p.info.Defs[decl.Name].(*types.Func)
		i := slices.Index(slices.Collect(fn.Signature().Params().Variables()), v)
		def, ok := use.Parent().Node().(*ast.AssignStmt)
		switch r := p.readers[decl]; {
		case r != nil && r.alias[v] != nil:
			p.stream(r.alias[v])
			return
		case i >= 0:
			p.param(fn, i)
			return
		case ok && len(def.Rhs) == 1:
			p.holder(v, false)
			p.source(def.Rhs[0])
			return
		}
	}
	p.refuse(e, "%s comes from elsewhere", types.ExprString(e))
}

// known returns the declaration of a function of which all calls are seen, and calls f with
// each of them.
func (p *pipeline) known(fn *types.Func, f func(inspector.Cursor)) *ast.FuncDecl {
	calls, why, at := p.x.Calls(fn)
	if why != "" {
		if at == nil {
			at = p.decl.Name
		}
		p.refuse(at, "%s", why)
		return nil
	}
	for _, c := range calls {
		f(c)
	}
	return p.decls[fn]
}

// param goes on from a parameter: to its use, and back to what each call hands over.
func (p *pipeline) param(fn *types.Func, i int) {
	v := fn.Signature().Params().At(i)
	if p.no != nil || p.seen[v] {
		return
	}
	p.seen[v] = true
	decl := p.known(fn, func(c inspector.Cursor) { p.source(c.Node().(*ast.CallExpr).Args[i]) })
	if decl != nil {
		p.holder(v, false)
		for _, field := range decl.Type.Params.List {
			if slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return p.info.Defs[id] == v }) {
				p.retype(field)
			}
		}
	}
}

// result goes on from the result of a function: to the use of each call, and back to what
// it returns.
func (p *pipeline) result(fn *types.Func) {
	if p.no != nil || p.seen[fn] {
		return
	}
	p.seen[fn] = true
	decl := p.known(fn, p.use)
	if decl == nil || decl.Type.Results.NumFields() != 1 {
		p.refuse(p.decl.Name, "%s returns more than a stream", fn.Name())
		return
	}
	for _, l := range rewrite.Leaves(p.info, decl.Body, false) {
		c, _ := p.x.Root.FindByPos(l.Pos, l.Pos)
		if st, ok := c.Node().(*ast.ReturnStmt); ok && len(st.Results) == 1 {
			p.source(st.Results[0])
		} else {
			p.refuse(decl.Name, "%s does not return a stream alone", fn.Name())
		}
	}
	p.retype(decl.Type.Results.List[0])
}

// retype makes the channel of a parameter or result an iterator.
func (p *pipeline) retype(field *ast.Field) {
	t, ok := field.Type.(*ast.ChanType)
	if !ok || len(field.Names) > 1 {
		p.refuse(field, "the type of the channel cannot be changed here")
		return
	}
	p.edits = append(p.edits, rewrite.Replace(t, "func(func("+p.text(t.Value)+") bool)"))
}

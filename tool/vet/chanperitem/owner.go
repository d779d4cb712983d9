package chanperitem

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// lock makes the goroutine that answers requests, one at a time, a function that
// those who ask call, with a mutex in the place of the one goroutine.
func (r *reader) lock(f *shape.Finding, hot []*stream) {
	for _, s := range hot {
		o := &owner{reader: r, s: s}
		if !o.found() {
			continue
		}
		if w := o.serves(); w.why != "" {
			r.refuse(f, "lock", w.at, "%s", w.why)
			continue
		}
		asks, w := o.asks()
		if w.why != "" {
			r.refuse(f, "lock", w.at, "%s", w.why)
			continue
		}
		edits, w := o.edits(asks)
		if w.why != "" {
			r.refuse(f, "lock", w.at, "%s", w.why)
			continue
		}
		f.Fixes = append(f.Fixes, shape.Fix{
			Name:  "lock",
			Says:  "let who asks do what the goroutine does, under a mutex",
			Edits: edits,
		})
	}
}

// An owner is a goroutine that receives requests and answers each of them on a
// channel that comes with it.
type owner struct {
	*reader
	s      *stream
	loop   *ast.RangeStmt
	answer *ast.SendStmt
	field  *types.Var // of the request, for the channel
	start  ast.Stmt   // of the goroutine
	body   *ast.BlockStmt
}

// found reports whether a stream carries requests to a loop that answers them.
func (o *owner) found() bool {
	if len(o.s.ranges) != 1 || len(o.s.receives) > 0 {
		return false
	}
	o.loop = o.s.ranges[0].node.(*ast.RangeStmt)
	v, ok := inline.Object(o.info, o.loop.Key).(*types.Var)
	if !ok {
		return false
	}
	ast.Inspect(o.loop.Body, func(n ast.Node) bool {
		if send, ok := n.(*ast.SendStmt); ok && o.answer == nil {
			if sel, ok := send.Chan.(*ast.SelectorExpr); ok && inline.Object(o.info, sel.X) == v {
				o.answer, o.field = send, o.info.Uses[sel.Sel].(*types.Var)
			}
		}
		return true
	})
	return o.answer != nil
}

// serves says why the goroutine is more than a function that is called by one at a
// time.
func (o *owner) serves() reason {
	if w := o.s.lent(); w.why != "" {
		return w
	}
	e := o.s.ranges[0]
	name := o.s.v.Name()
	switch {
	case !o.named(o.s):
		return reason{name + " is a parameter of the goroutine", o.s.decl}
	case e.site == nil || e.site.Kind != spawn.Go || e.many() || len(e.site.Args) > 0:
		return reason{"who answers is not one goroutine of a go statement", o.loop}
	}
	o.body = e.fn.(*ast.FuncLit).Body
	o.start = inline.Statement(o.decl, e.site)
	if o.start == nil || !together(o.decl, o.s.decl, o.start) {
		return reason{"the goroutine does not start where " + name + " is made", e.site.Node}
	}
	if len(e.lits) > 0 || o.body.List[len(o.body.List)-1] != ast.Stmt(o.loop) {
		return reason{"the goroutine does more than to answer", o.loop}
	}
	for _, st := range o.body.List[:len(o.body.List)-1] {
		if !o.declares(st) {
			return reason{"the goroutine does more than to answer", st}
		}
	}
	if l := rewrite.Leaves(o.info, o.loop.Body, false); len(l) > 0 {
		return reason{"a request may stay without an answer", &ast.BadExpr{From: l[0].Pos, To: l[0].Pos}}
	}
	list := o.loop.Body.List
	if list[len(list)-1] != ast.Stmt(o.answer) {
		return reason{"the answer is not the last that is done for a request", o.answer}
	}
	// Nothing but the fields of the request, and of those the channel once.
	part := map[*ast.Ident]bool{}
	var at ast.Node
	ast.Inspect(o.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && (o.info.Uses[n.Sel] != types.Object(o.field) || n == o.answer.Chan) {
				part[id] = true
			}
		case *ast.Ident:
			if o.info.Uses[n] != nil && o.info.Uses[n] == inline.Object(o.info, o.loop.Key) && !part[n] {
				at = n
			}
		case *ast.SendStmt:
			if n != o.answer {
				at = n
			}
		case *ast.GoStmt, *ast.DeferStmt:
			at = n
		}
		return at == nil
	})
	if at != nil {
		return reason{"the request is kept, or something else is sent", at}
	}
	for _, why := range []ast.Node{o.blocks(o.body), o.looks(o.body), o.waits(o.body)} {
		if why != nil {
			return reason{"who answers waits for something else", why}
		}
	}
	if at := spawn.Goexits(o.pass, o.body); at != nil {
		return reason{"who answers may end by runtime.Goexit", at}
	}
	if at := o.recovers(); at != nil {
		return reason{"a panic of who answers might be stopped", at}
	}
	return reason{}
}

// declares reports whether a statement makes variables of the goroutine, whose
// names mean nothing else in the function.
func (o *owner) declares(st ast.Stmt) bool {
	switch st := st.(type) {
	case *ast.AssignStmt:
		if st.Tok != token.DEFINE {
			return false
		}
	case *ast.DeclStmt:
		if st.Decl.(*ast.GenDecl).Tok != token.VAR {
			return false
		}
	default:
		return false
	}
	own := map[string]types.Object{}
	for id, v := range o.info.Defs {
		if v != nil && st.Pos() <= id.Pos() && id.Pos() < st.End() && v.Parent() == o.info.Scopes[o.s.ranges[0].fn.(*ast.FuncLit).Type] {
			own[id.Name] = v
		}
	}
	ok := true
	ast.Inspect(o.decl, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is && own[id.Name] != nil && o.info.ObjectOf(id) != own[id.Name] {
			f, field := o.info.ObjectOf(id).(*types.Var)
			ok = ok && field && f.IsField()
		}
		return ok
	})
	return ok
}

// An ask is a request with the statement that receives the answer.
type ask struct {
	send   *ast.SendStmt
	answer *ast.UnaryExpr
	on     *stream
	use    *ast.Ident // of the channel, in the request
}

// asks returns the requests, each of which is sent by a statement whose next one
// does nothing but receive the answer.
func (o *owner) asks() (all []ask, no reason) {
	closes := map[ast.Stmt]bool{}
	for _, e := range o.s.closes {
		closes[e.stmt] = true
	}
	block := o.around()
	answers := map[*stream]int{}
	for _, e := range o.s.sends {
		a := ask{send: e.node.(*ast.SendStmt)}
		if a.send.Pos() < o.start.End() || block == nil || !spawn.Within(block, a.send) {
			return nil, reason{"a request is sent before the goroutine is started", a.send}
		}
		lit, ok := ast.Unparen(a.send.Value).(*ast.CompositeLit)
		if !ok || e.comm() {
			return nil, reason{"a request is not made where it is sent", a.send}
		}
		if a.use = o.channel(lit); a.use != nil {
			a.on = o.alias[o.info.Uses[a.use]]
		}
		if a.on == nil || !o.named(a.on) {
			return nil, reason{"the answer comes over a channel that is not made in the function", lit}
		}
		list := listOf(e)
		i := slices.Index(list, ast.Stmt(a.send)) + 1
		for i > 0 && i < len(list) && closes[list[i]] {
			i++
		}
		if i > 0 && i < len(list) {
			a.answer = received(list[i])
		}
		if a.answer == nil || o.alias[inline.Object(o.info, a.answer.X)] != a.on {
			return nil, reason{"who asks does not receive the answer at once", a.send}
		}
		answers[a.on]++
		all = append(all, a)
	}
	for _, a := range all {
		// All its uses are in requests, and each of them is received.
		on, n := a.on, answers[a.on]
		if len(on.receives) != n || len(on.other) != n || len(on.ends()) != n || len(on.handed) > 0 {
			return nil, reason{on.v.Name() + " is used for something else as well", on.decl}
		}
	}
	return all, reason{}
}

// around is the block that the goroutine is started in.
func (o *owner) around() (block *ast.BlockStmt) {
	ast.Inspect(o.decl.Body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok && slices.Contains(b.List, o.start) {
			block = b
		}
		return block == nil
	})
	return block
}

// channel returns the identifier that a request has in the field of the channel.
func (o *owner) channel(lit *ast.CompositeLit) *ast.Ident {
	t, ok := o.info.TypeOf(lit).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i, x := range lit.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if o.info.Uses[kv.Key.(*ast.Ident)] != types.Object(o.field) {
				continue
			}
			x = kv.Value
		} else if t.Field(i) != o.field {
			continue
		}
		id, _ := x.(*ast.Ident)
		return id
	}
	return nil
}

// listOf is the list of statements that the statement of an end is one of.
func listOf(e end) []ast.Stmt {
	in := e.fn
	if i := slices.Index(e.path, ast.Node(e.stmt)); i > 0 {
		in = e.path[i-1]
	}
	return listIn(in)
}

// listIn is the list of statements that a node has.
func listIn(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Body.List
	case *ast.FuncLit:
		return n.Body.List
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// received returns the receive that a statement is, and does nothing before.
func received(st ast.Stmt) *ast.UnaryExpr {
	var x ast.Expr
	switch st := st.(type) {
	case *ast.ExprStmt:
		x = st.X
	case *ast.AssignStmt:
		if len(st.Lhs) != 1 || len(st.Rhs) != 1 {
			return nil
		}
		if _, name := st.Lhs[0].(*ast.Ident); !name {
			return nil
		}
		x = st.Rhs[0]
	case *ast.ReturnStmt:
		if len(st.Results) != 1 {
			return nil
		}
		x = st.Results[0]
	}
	u, ok := ast.Unparen(x).(*ast.UnaryExpr)
	if !ok || u.Op != token.ARROW {
		return nil
	}
	return u
}

func (o *owner) edits(asks []ask) (edits []analysis.TextEdit, no reason) {
	cut := func(pos, end token.Pos, text string) {
		edits = append(edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
	}
	elem := o.field.Type().Underlying().(*types.Chan).Elem()
	typ, ok := rewrite.Type(o.pass.Pkg, o.file(), o.start.Pos(), elem)
	if !ok {
		return nil, reason{"the type of the answer cannot be written there", o.answer}
	}
	fresh := func(name string) string { return rewrite.Fresh(o.pass.Pkg, o.decl, name) }
	sync, edits := rewrite.Import(o.pass.Pkg, o.file(), "sync", o.start.Pos())
	mu, serve, answer := fresh("mu"), fresh("serve"), fresh("answer")
	// The goroutine: its variables stay where they are, its loop is the function.
	cut(o.start.Pos(), o.opening(), "")
	cut(o.loop.Pos(), o.loop.Body.Lbrace+1, "var "+mu+" "+sync+".Mutex\n"+
		serve+" := func("+o.text(o.loop.Key)+" "+o.text(o.s.elem)+") ("+answer+" "+typ+") {\n"+mu+".Lock()")
	cut(o.answer.Pos(), o.answer.Value.Pos(), answer+" = ")
	cut(o.answer.End(), o.answer.End(), "\n"+mu+".Unlock()\nreturn "+answer)
	cut(o.loop.End(), o.start.End(), "")
	gone := map[ast.Stmt][]*stream{o.s.decl: {o.s}}
	for _, a := range asks {
		edits = append(edits,
			inline.Line(o.pass, a.send),
			rewrite.Replace(a.answer, serve+"("+o.request(a)+")"))
		if !slices.Contains(gone[a.on.decl], a.on) {
			gone[a.on.decl] = append(gone[a.on.decl], a.on)
		}
	}
	for _, e := range o.s.closes {
		edits = append(edits, inline.Line(o.pass, e.stmt))
	}
	for st, streams := range gone {
		edits = append(edits, o.undeclare(st, streams))
	}
	slices.SortFunc(edits, func(a, b analysis.TextEdit) int { return int(a.Pos - b.Pos) })
	return edits, reason{}
}

// opening is where the goroutine's statements begin, with their comments.
func (o *owner) opening() token.Pos {
	tf := o.pass.Fset.File(o.body.Lbrace)
	next := tf.LineStart(tf.PositionFor(o.body.Lbrace, false).Line + 1)
	for _, g := range o.file().Comments {
		if o.body.Lbrace < g.Pos() && g.Pos() < next {
			return g.Pos()
		}
	}
	return min(next, o.body.List[0].Pos())
}

// request is what is asked, without the channel for the answer.
func (o *owner) request(a ask) string {
	lit := ast.Unparen(a.send.Value).(*ast.CompositeLit)
	without := *lit
	without.Elts = nil
	for _, x := range lit.Elts {
		kv, keyed := x.(*ast.KeyValueExpr)
		switch {
		case keyed && kv.Value == ast.Expr(a.use):
			continue
		case x == ast.Expr(a.use):
			x = &ast.Ident{NamePos: x.Pos(), Name: "nil"}
		}
		without.Elts = append(without.Elts, x)
	}
	return o.text(&without)
}

package owner

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
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds goroutines that answer requests one by one.
var Analyzer = shape.Analyzer("owner", doc, find, spawn.Analyzer, uses.Analyzer)

// An owner is a goroutine that answers what is sent on the channel of a struct.
type owner struct {
	pass *analysis.Pass
	uses *uses.Index
	info *types.Info
	does *flow.Index

	start  inspector.Cursor // *ast.GoStmt
	decl   *ast.FuncDecl    // the method that it starts, nil for a literal
	self   *types.Var       // the struct, as the goroutine knows it
	typ    *types.TypeName  // of the struct
	before []ast.Stmt       // the loop
	after  []ast.Stmt
	stop   *types.Var   // the field whose end ends the loop, or nil
	gone   *types.Var   // the field that is closed in the end, or nil
	told   []*types.Var // the fields that tell the end
	ranges bool         // the loop ends when the channel is closed
	ports  []*port

	known map[ast.Node]bool // the identifiers that the edit has seen to
	edits []analysis.TextEdit
	holds []string // conditions

	as      *types.Var            // the struct, where the goroutine is started
	mu      string                // the field of the lock
	shut    string                // the field that says that the channel would be closed, or ""
	kept    []*types.Var          // the variables and fields that have channels of answers
	made    inspector.Cursor      // the literal that makes it
	parts   []inspector.Cursor    // the elements of literals that go
	fields  map[*types.Var]string // for the variables of the goroutine
	sets    [][2]string           // the fields that are set where it started, and to what
	refers  bool                  // whether that takes the struct
	names   map[string]bool       // of fields that are new
	declare string                // the fields that come with the lock
}

// A port is a channel that requests come through, and what is done for them.
type port struct {
	*owner
	ch   *types.Var // the field
	name string     // the method that answers

	// What is done with a request: the text of a function's body and the node that has
	// it, but for some of it.
	req      *ast.Ident
	code     ast.Node
	but      []ast.Node
	list     []ast.Stmt
	from, to token.Pos

	reply   *types.Var // the field of a request that its answer goes through
	gives   types.Type // what the answers are, nil if they say nothing
	asks    []*ask
	inner   []analysis.TextEdit // within the code that answers
	answer  string              // the name that the answer has until it is returned
	named   bool                // whether it has
	tail    string              // what returns it in the end
	wraps   *ask                // what the method that answers is put in the place of, or nil
	request *types.TypeName     // the type of the requests
	looks   bool                // the method that answers looks at stop, and says whether it goes on
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[uses.Analyzer].(*uses.Index)
	for c := range in.Root.Preorder((*ast.GoStmt)(nil)) {
		o := &owner{pass: pass, uses: in, info: pass.TypesInfo, does: flow.Of(pass), start: c, known: map[ast.Node]bool{}, fields: map[*types.Var]string{}, names: map[string]bool{}}
		if !o.serves() {
			continue
		}
		replies := false
		for _, p := range o.ports {
			p.replies()
			replies = replies || p.reply != nil
		}
		if !replies || slices.ContainsFunc(o.ports, func(p *port) bool { return !p.sent() }) {
			continue
		}
		first := o.ports[0].asks[0].send
		f := shape.Finding{
			Pos: first.Node().Pos(), End: first.Node().End(), Func: uses.Decl(first),
			Message: fmt.Sprintf("a goroutine answers what comes through %s, one by one: a lock costs less than the two hand-overs of a request", o.ports[0].ch.Name()),
			Causes:  []string{"handoff", "select"},
		}
		for _, p := range o.ports {
			f.Hot = append(f.Hot, shape.Of(p.code))
			for _, a := range p.asks {
				f.Hot = append(f.Hot, shape.Of(uses.Decl(a.send)))
			}
		}
		fix, no := o.mutex()
		if no != nil {
			no.Name = "mutex"
			f.Refused = []shape.Refusal{*no}
		} else {
			f.Fixes = []shape.Fix{fix}
		}
		all = append(all, f)
	}
	return all, nil
}

// serves reports whether the goroutine does nothing but to receive from the channel of
// a struct again and again, until it is told to stop.
func (o *owner) serves() bool {
	call := o.start.Node().(*ast.GoStmt).Call
	var body *ast.BlockStmt
	if lit, ok := call.Fun.(*ast.FuncLit); ok && len(call.Args) == 0 {
		body = lit.Body
	} else if fn := typeutil.StaticCallee(o.info, call); fn != nil {
		if d, ok := o.uses.Declaration(fn); ok && fn.Signature().Recv() != nil {
			o.decl = d.Node().(*ast.FuncDecl)
			body = o.decl.Body
		}
	}
	if body == nil {
		return false
	}
	for i, st := range body.List {
		o.before, o.after = body.List[:i], body.List[i+1:]
		switch l := st.(type) {
		case *ast.RangeStmt:
			id, ok := l.Key.(*ast.Ident)
			if ok && l.Value == nil && l.Tok == token.DEFINE && o.receives(l.X, id) {
				o.ranges = true
				o.ports[0].set(l.Body, l.Body.List, l.Body.Lbrace+1, l.Body.Rbrace)
				return true
			}
		case *ast.ForStmt:
			if l.Init == nil && l.Cond == nil && l.Post == nil && len(l.Body.List) > 0 {
				first := l.Body.List[0]
				if s, ok := first.(*ast.SelectStmt); ok && len(l.Body.List) == 1 {
					return o.chooses(s)
				}
				if o.comes(first) {
					o.ports[0].set(l.Body, l.Body.List[1:], first.End(), l.Body.Rbrace, first)
					return true
				}
			}
		}
	}
	return false
}

// part is the variable of which an expression is a field, and that field, or nil.
func (o *owner) part(e ast.Expr) (of, field *types.Var) {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	return loop.Var(o.info, sel.X), o.uses.Var(sel)
}

// set sets what is done with a request.
func (o *port) set(code ast.Node, list []ast.Stmt, from, to token.Pos, but ...ast.Node) {
	o.code, o.list, o.from, o.to, o.but = code, list, from, to, but
}

// chooses reports whether a select waits for requests and for the end.
func (o *owner) chooses(s *ast.SelectStmt) bool {
	var of *types.Var
	for i, st := range s.Body.List {
		c := st.(*ast.CommClause)
		to := s.Body.Rbrace
		if i+1 < len(s.Body.List) {
			to = s.Body.List[i+1].Pos()
		}
		switch {
		case c.Comm == nil:
			return false
		case o.comes(c.Comm):
			o.ports[len(o.ports)-1].set(c, c.Body, c.Colon+1, to, c.Comm)
		case o.stop == nil && len(c.Body) == 1:
			r, ok := c.Body[0].(*ast.ReturnStmt)
			if of, o.stop = o.part(inline.Received(c.Comm)); !ok || len(r.Results) > 0 || o.stop == nil {
				return false
			}
		default:
			return false
		}
	}
	return len(o.ports) > 0 && (o.stop == nil || of == o.self)
}

// comes reports whether a statement receives a request.
func (o *owner) comes(st ast.Stmt) bool {
	a, ok := st.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 {
		return false
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	from := inline.Received(a)
	return ok && from != nil && o.receives(from, id)
}

// receives reports whether requests come from an expression: a channel in a field of a
// struct of the package, of which there may be several.
func (o *owner) receives(e ast.Expr, req *ast.Ident) bool {
	self, ch := o.part(e)
	if self == nil || ch == nil || !ch.IsField() || o.self != nil && o.self != self {
		return false
	}
	n := uses.Named(self.Type())
	_, points := self.Type().(*types.Pointer)
	if n == nil || !points || n.Obj().Pkg() != o.pass.Pkg || n.TypeParams().Len() > 0 || o.carries(ch) {
		return false
	}
	o.self, o.typ = self, n.Obj()
	o.through(e)
	o.ports = append(o.ports, &port{owner: o, ch: ch, req: req})
	return true
}

// carries reports whether requests come through a field.
func (o *owner) carries(v *types.Var) bool {
	return slices.ContainsFunc(o.ports, func(p *port) bool { return p.ch == v })
}

// replies finds the channel that the goroutine answers a request through, if there is one.
func (o *port) replies() {
	for n := range ast.Preorder(o.code) {
		if st, ok := n.(ast.Stmt); ok && o.reply == nil {
			o.reply = o.answers(st)
		}
	}
}

// channel is what a statement sends on or closes, or nil.
func (o *port) channel(st ast.Stmt) ast.Expr {
	switch st := st.(type) {
	case *ast.SendStmt:
		return st.Chan
	case *ast.ExprStmt:
		if c, ok := st.X.(*ast.CallExpr); ok && loop.Builtin(o.info, c) == "close" {
			return c.Args[0]
		}
	}
	return nil
}

// answers is the field of the request that a statement sends on or closes, or the request
// itself, or nil.
func (o *port) answers(st ast.Stmt) *types.Var {
	to := o.channel(st)
	of, field := o.part(to)
	switch v := loop.Var(o.info, to); o.asked() {
	case v:
		return v
	case of:
		return field
	}
	return nil
}

// asked is the variable that has a request.
func (o *port) asked() *types.Var {
	v, _ := o.info.Defs[o.req].(*types.Var)
	return v
}

// bare reports whether a request is nothing but the channel of its answer.
func (o *port) bare() bool { return o.reply != nil && o.reply == o.asked() }

// sent finds what sends requests, and reports whether something waits for the answers.
func (o *port) sent() bool {
	for _, c := range o.uses.Of(o.ch) {
		if sel := uses.Whole(c); sel.ParentEdgeKind() == edge.SendStmt_Chan && uses.Decl(sel) != nil {
			o.asks = append(o.asks, &ask{port: o, send: sel.Parent(), use: c})
		}
	}
	waits := false
	for _, a := range o.asks {
		waits = a.waits() || waits
		o.looks = o.looks || a.chosen
	}
	return waits || o.reply == nil && len(o.asks) > 0
}

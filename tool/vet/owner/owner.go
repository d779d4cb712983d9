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
	ch     *types.Var // the field that requests come through
	stop   *types.Var // the field whose end ends the loop, or nil
	ranges bool       // the loop ends when ch is closed

	// What is done with a request: the text of a function's body and the node that has
	// it, but for some of it.
	req      *ast.Ident
	code     ast.Node
	but      []ast.Node
	list     []ast.Stmt
	from, to token.Pos

	reply *types.Var // the field of a request that its answer goes through
	gives types.Type // what the answers are, nil if they say nothing
	asks  []*ask
	known map[ast.Node]bool // the identifiers that the edit has seen to
	edits []analysis.TextEdit
	inner []analysis.TextEdit // within the code that answers
	holds []string            // conditions
	on    map[token.Pos]bool  // the statements that go on after an answer

	as      *types.Var            // the struct, where the goroutine is started
	request *types.TypeName       // the type of the requests
	mu      string                // the field of the lock
	shut    string                // the field that says that ch would be closed, or ""
	held    bool                  // what asks takes the lock, before it looks at stop
	locals  []*types.Var          // that have channels of answers
	fields  map[*types.Var]string // for the variables of the goroutine
	names   map[string]bool       // of fields that are new
	declare string                // the fields that come with the lock
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[uses.Analyzer].(*uses.Index)
	for c := range in.Root.Preorder((*ast.GoStmt)(nil)) {
		o := &owner{pass: pass, uses: in, info: pass.TypesInfo, does: flow.Of(pass), start: c, known: map[ast.Node]bool{}, on: map[token.Pos]bool{}, fields: map[*types.Var]string{}, names: map[string]bool{}}
		if !o.serves() || !o.replies() || !o.asked() {
			continue
		}
		first := o.asks[0].send
		f := shape.Finding{
			Pos: first.Node().Pos(), End: first.Node().End(), Func: uses.Decl(first),
			Message: fmt.Sprintf("a goroutine answers what comes through %s, one by one: a lock costs less than the two hand-overs of a request", o.ch.Name()),
			Causes:  []string{"handoff", "select"},
			Hot:     []shape.Range{shape.Of(o.code)},
		}
		for _, a := range o.asks {
			f.Hot = append(f.Hot, shape.Of(uses.Decl(a.send)))
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
			if ok && l.Value == nil && l.Tok == token.DEFINE && o.receives(l.X) {
				o.ranges, o.req, o.code = true, id, l.Body
				o.list, o.from, o.to = l.Body.List, l.Body.Lbrace+1, l.Body.Rbrace
				return true
			}
		case *ast.ForStmt:
			if l.Init == nil && l.Cond == nil && l.Post == nil && len(l.Body.List) > 0 {
				if s, ok := l.Body.List[0].(*ast.SelectStmt); ok && len(l.Body.List) == 1 {
					return o.chooses(s)
				}
				if o.comes(l.Body.List[0]) {
					o.code, o.but = l.Body, []ast.Node{l.Body.List[0]}
					o.list, o.from, o.to = l.Body.List[1:], l.Body.List[0].End(), l.Body.Rbrace
					return true
				}
			}
		}
	}
	return false
}

// chooses reports whether a select waits for requests and for the end.
func (o *owner) chooses(s *ast.SelectStmt) bool {
	var of *types.Var
	for i, st := range s.Body.List {
		c := st.(*ast.CommClause)
		switch {
		case c.Comm == nil:
			return false
		case o.code == nil && o.comes(c.Comm):
			o.code, o.but = c, []ast.Node{c.Comm}
			o.list, o.from, o.to = c.Body, c.Colon+1, s.Body.Rbrace
			if i+1 < len(s.Body.List) {
				o.to = s.Body.List[i+1].Pos()
			}
		case o.stop == nil && len(c.Body) == 1:
			r, ok := c.Body[0].(*ast.ReturnStmt)
			if !ok || len(r.Results) > 0 {
				return false
			}
			if x, ok := inline.Received(c.Comm).(*ast.SelectorExpr); ok {
				o.stop, of = o.uses.Var(x), loop.Var(o.info, x.X)
			}
			if o.stop == nil {
				return false
			}
		default:
			return false
		}
	}
	return o.code != nil && (o.stop == nil || of == o.self)
}

// comes reports whether a statement receives a request.
func (o *owner) comes(st ast.Stmt) bool {
	a, ok := st.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 {
		return false
	}
	from := inline.Received(a)
	if from == nil || !o.receives(from) {
		return false
	}
	o.req, ok = a.Lhs[0].(*ast.Ident)
	return ok
}

// receives reports whether an expression is a channel in a field of a struct of the package.
func (o *owner) receives(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o.self, o.ch = loop.Var(o.info, sel.X), o.uses.Var(sel)
	if o.self == nil || o.ch == nil || !o.ch.IsField() {
		return false
	}
	n := uses.Named(o.self.Type())
	_, points := o.self.Type().(*types.Pointer)
	if n == nil || !points || n.Obj().Pkg() != o.pass.Pkg || n.TypeParams().Len() > 0 {
		return false
	}
	o.typ = n.Obj()
	return true
}

// replies reports whether the goroutine answers a request through a channel that it has.
func (o *owner) replies() bool {
	for n := range ast.Preorder(o.code) {
		if st, ok := n.(ast.Stmt); ok {
			if v := o.answers(st); v != nil {
				o.reply = v
				return true
			}
		}
	}
	return false
}

// answers is the field of the request that a statement sends on or closes, or nil.
func (o *owner) answers(st ast.Stmt) *types.Var {
	var to ast.Expr
	switch st := st.(type) {
	case *ast.SendStmt:
		to = st.Chan
	case *ast.ExprStmt:
		if c, ok := st.X.(*ast.CallExpr); ok && loop.Builtin(o.info, c) == "close" {
			to = c.Args[0]
		}
	}
	sel, ok := to.(*ast.SelectorExpr)
	if !ok || loop.Var(o.info, sel.X) != o.info.Defs[o.req] {
		return nil
	}
	return o.uses.Var(sel)
}

// asked reports whether something sends requests and waits for the answers.
func (o *owner) asked() bool {
	for _, c := range o.uses.Of(o.ch) {
		if sel := uses.Whole(c); sel.ParentEdgeKind() == edge.SendStmt_Chan && uses.Decl(sel) != nil {
			o.asks = append(o.asks, &ask{owner: o, send: sel.Parent(), use: c})
		}
	}
	return slices.ContainsFunc(o.asks, func(a *ask) bool { return a.waits() })
}

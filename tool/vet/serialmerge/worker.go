package serialmerge

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// consumer returns the loop that receives what the goroutines of a site send,
// if it works on each value.
func (c *check) consumer(s *spawn.Site) []shape.Finding {
	r, ok := s.Join.(*ast.RangeStmt)
	if !ok || s.Up != nil || c.seen[r] || s.Func == nil {
		return nil
	}
	w := c.weigher.Weigh(r.Body)
	if w.Loops+w.Unknown == 0 || w.Blocking > 0 {
		return nil // it only collects, or waits
	}
	loop, ok := c.Find(r)
	if !ok {
		return nil
	}
	c.seen[r] = true
	f := shape.Finding{
		Pos: r.Pos(), End: r.Body.Lbrace,
		Message: fmt.Sprintf("one goroutine receives from %s and works on each value", types.ExprString(r.X)),
		Func:    s.Func,
		Causes:  []string{"serial", "imbalance", "handoff"},
		Hot:     []shape.Range{shape.Of(r)},
	}
	if edits, why, at := c.worker(r, loop); why != "" {
		f.Refused = []shape.Refusal{{Name: "worker", Why: why, Pos: at}}
	} else {
		f.Fixes = []shape.Fix{{Name: "worker", Says: "let the goroutines that send do the work", Edits: edits}}
	}
	return []shape.Finding{f}
}

// worker moves the call of a function that only looks at its operand from who
// receives to who sends.
func (c *check) worker(r *ast.RangeStmt, loop inspector.Cursor) (edits []analysis.TextEdit, why string, at token.Pos) {
	info := c.Pass.TypesInfo
	id, ok := r.Key.(*ast.Ident)
	if !ok || r.Tok != token.DEFINE || id.Name == "_" {
		return nil, "the values are not used", r.Pos()
	}
	v := info.Defs[id].(*types.Var)
	if c.Recovers() {
		return nil, "a panic would be another goroutine's", r.Pos()
	}
	// The one use of the value: f(v).
	var call inspector.Cursor
	for _, use := range c.Uses.Of(v) {
		if c.Uses.Declares(use) {
			continue
		}
		if call.Inspector() != nil || use.ParentEdgeKind() != edge.CallExpr_Args {
			return nil, v.Name() + " is used for more than one call", use.Node().Pos()
		}
		call = use.Parent()
	}
	if call.Inspector() == nil {
		return nil, v.Name() + " is not handed to a function", r.Pos()
	}
	x := call.Node().(*ast.CallExpr)
	fn := section.Callee(info, x)
	decl, ok := inspector.Cursor{}, false
	if fn != nil {
		decl, ok = c.Uses.Declaration(fn)
	}
	if !ok || len(x.Args) != 1 || x.Ellipsis.IsValid() || fn.Signature().Recv() != nil || fn.Signature().Variadic() || fn.Signature().Results().Len() != 1 || fn.Signature().TypeParams() != nil || fn.Parent() != c.Pass.Pkg.Scope() {
		return nil, types.ExprString(x.Fun) + " is no function of the package from a value to a value", x.Pos()
	}
	for at := range call.Enclosing((*ast.IfStmt)(nil), (*ast.SwitchStmt)(nil), (*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if at != loop && loop.Contains(at) {
			return nil, "not every value is handed to " + fn.Name(), x.Pos()
		}
		if at == loop {
			break
		}
	}
	body, _ := decl.FindNode(decl.Node().(*ast.FuncDecl).Body)
	e := c.sections.Effects(body)
	if len(e.Unknown)+len(e.Calls)+len(e.Waits)+len(e.Indirect)+len(e.Takes) > 0 {
		return nil, fn.Name() + " does more than look at its operand", x.Pos()
	}
	for _, set := range []map[*types.Var]bool{e.Reads, e.Writes} {
		for w := range set {
			// Where nothing leads elsewhere, fields are those of values.
			if !w.IsField() && (w.Parent() == c.Pass.Pkg.Scope() || reference(w.Type())) {
				return nil, fn.Name() + " looks at " + w.Name(), x.Pos()
			}
		}
	}
	// The channel carries the values from here to there and nothing else.
	ch, ok := ast.Unparen(r.X).(*ast.Ident)
	if !ok {
		return nil, types.ExprString(r.X) + " is no local variable", r.X.Pos()
	}
	chv := info.Uses[ch].(*types.Var)
	from, to := info.TypeOf(x.Args[0]), fn.Signature().Results().At(0).Type()
	sends := 0
	for _, use := range c.Uses.Of(chv) {
		switch use.ParentEdgeKind() {
		case edge.SendStmt_Chan:
			send := use.Parent().Node().(*ast.SendStmt)
			if !types.Identical(info.TypeOf(send.Value), from) {
				return nil, "a value is converted when it is sent", send.Pos()
			}
			sends++
			edits = append(edits, rewrite.Insert(send.Value.Pos(), fn.Name()+"("), rewrite.Insert(send.Value.End(), ")"))
			if _, o := c.Pass.Pkg.Scope().Innermost(send.Pos()).LookupParent(fn.Name(), send.Pos()); o != types.Object(fn) {
				return nil, fn.Name() + " is something else where the values are sent", send.Pos()
			}
		case edge.RangeStmt_X:
			if use.Parent() != loop {
				return nil, "others receive from " + ch.Name, use.Node().Pos()
			}
		case edge.AssignStmt_Lhs:
			d := use.Parent().Node().(*ast.AssignStmt)
			more, ok := c.carries(d, use.ParentEdgeIndex(), from, to)
			if !ok || !c.Uses.Declares(use) {
				return nil, ch.Name + " is not made in the function", use.Node().Pos()
			}
			edits = append(edits, more...)
		case edge.CallExpr_Args:
			f, ok := use.Parent().Node().(*ast.CallExpr).Fun.(*ast.Ident)
			if !ok || f.Name != "close" {
				return nil, ch.Name + " is handed on", use.Node().Pos()
			}
		default:
			return nil, ch.Name + " is used for more", use.Node().Pos()
		}
	}
	if sends == 0 {
		return nil, "the values are sent elsewhere", r.Pos()
	}
	return append(edits,
		analysis.TextEdit{Pos: x.Pos(), End: x.Args[0].Pos()},
		analysis.TextEdit{Pos: x.Args[0].End(), End: x.End()}), "", 0
}

// carries changes the type of the values in ch := make(chan T).
func (c *check) carries(d *ast.AssignStmt, i int, from, to types.Type) (edits []analysis.TextEdit, ok bool) {
	if len(d.Lhs) != len(d.Rhs) {
		return nil, false
	}
	call, ok := d.Rhs[i].(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil, false
	}
	typ, ok := call.Args[0].(*ast.ChanType)
	if !ok || types.Identical(from, to) {
		return nil, ok
	}
	name, ok := "", true
	name = types.TypeString(to, func(p *types.Package) string {
		ok = ok && p == c.Pass.Pkg
		return ""
	})
	return []analysis.TextEdit{rewrite.Replace(typ.Value, name)}, ok
}

// reference reports whether a value leads to memory that others may change.
func reference(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		for f := range u.Fields() {
			if reference(f.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return reference(u.Elem())
	}
	return true
}

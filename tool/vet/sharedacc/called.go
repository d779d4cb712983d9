package sharedacc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// called returns the finding of a call, in a loop, of a function that takes a
// lock which the goroutines share.
func (c *check) called(s *spawn.Site) []shape.Finding {
	call, loop, ok := c.Caller(s)
	if !ok || c.seen[s.Node] {
		return nil
	}
	light := local.Light(c.weigher, loop)
	body, ok := c.Find(s.Body)
	if !ok {
		return nil
	}
	for _, sec := range local.SectionsIn(c.sections, body) {
		if _, in := local.Innermost(sec.Enter); in || sec.Read || !s.SharedExpr(sec.X) {
			continue
		}
		f := shape.Finding{
			Pos: s.Node.Pos(), End: s.Node.End(),
			Message: fmt.Sprintf("%s locks %s in each iteration, and the goroutines share it", types.ExprString(s.Call.Fun), types.ExprString(sec.X)),
			Func:    uses.Decl(loop),
			Causes:  []string{"lock", "trueshare", "rmw"},
			Hot:     []shape.Range{shape.Of(loop.Node()), shape.Of(s.Decl)},
		}
		o := own{check: c, site: s, sec: sec, l: &local.Loop{Package: c.Package, Site: s.Up, At: loop}, method: body, room: map[*types.Var]string{}}
		if edits, why, at := o.edits(call); why == "" {
			f.Fixes = append(f.Fixes, shape.Fix{Name: "local", Says: fmt.Sprintf("give each goroutine a %s and add them up after the loop", o.typ.Name()), Edits: edits,
				Dearer: shape.Memory("each goroutine", "a "+o.typ.Name()+" of its own")})
		} else if o.batch(&f, call); light {
			f.Refused = append(f.Refused, shape.Refusal{Name: "local", Why: why, Pos: at})
		}
		if light {
			c.atomically(&f, sec.Lock)
		} else if len(f.Fixes) == 0 {
			return nil // the lock is little of what the loop does
		}
		c.seen[s.Node] = true
		return []shape.Finding{f}
	}
	return nil
}

// atomically offers an atomic for the one integer that a lock guards.
func (c *check) atomically(f *shape.Finding, lock *section.Lock) {
	g := guard.Of(c.Pass, c.sections, lock)
	var v *types.Var
	for w := range g.Guarded {
		b, ok := w.Type().Underlying().(*types.Basic)
		if !ok || b.Info()&types.IsInteger == 0 || v != nil {
			return
		}
		v = w
	}
	if v == nil {
		return
	}
	switch edits, why, at := g.Atomic(v); {
	case why == "":
		f.Fixes = append(f.Fixes, shape.Fix{Name: "atomic", Says: fmt.Sprintf("keep %s in an atomic and take the lock away", v.Name()), Edits: edits})
	case why != guard.NotMeant:
		f.Refused = append(f.Refused, shape.Refusal{Name: "atomic", Why: why, Pos: at})
	}
}

// An own gives each goroutine a value of the type whose method locks, and adds
// these up: to the numbers that the method does nothing with but add to them.
type own struct {
	*check
	site   *spawn.Site // of the method
	sec    *section.Section
	l      *local.Loop // that calls it
	method inspector.Cursor

	typ    *types.TypeName
	v      *types.Var // that the goroutines share
	fields []*types.Var
	room   map[*types.Var]string // of maps, see local.Room
}

func (o *own) edits(call inspector.Cursor) (edits []analysis.TextEdit, why string, at token.Pos) {
	x := call.Node().(*ast.CallExpr)
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok || call.ParentEdgeKind() != edge.ExprStmt_X || o.site.Decl.Recv == nil {
		return nil, types.ExprString(x.Fun) + " is no method without a result", x.Pos()
	}
	recv := o.Pass.TypesInfo.Defs[o.site.Decl.Name].(*types.Func)
	n := uses.Named(recv.Signature().Recv().Type())
	if n == nil || n.TypeParams().Len() > 0 {
		return nil, "its type is generic", x.Pos()
	}
	o.typ = n.Obj()
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok || uses.Named(o.Pass.TypesInfo.TypeOf(sel.X)) != n {
		return nil, types.ExprString(sel.X) + " is no local variable", sel.X.Pos()
	}
	if _, other := o.Pass.Pkg.Scope().Innermost(x.Pos()).LookupParent(o.typ.Name(), x.Pos()); other != types.Object(o.typ) {
		return nil, o.typ.Name() + " is something else in the goroutine", x.Pos()
	}
	o.v = o.Pass.TypesInfo.Uses[id].(*types.Var)
	if why, at = o.adds(recv); why != "" {
		return nil, why, at
	}
	if why, at = o.l.Leaves(); why != "" {
		return nil, why, at
	}
	place, ok := local.PlaceOf(o.Uses, id, o.l.At)
	if !ok {
		return nil, id.Name + " is not the same in all iterations", id.Pos()
	}
	if why, at = o.l.Rescued(place); why != "" {
		return nil, why, at
	}
	mine, why, at := o.mine(o.l.At.Node(), recv)
	if why != "" {
		return nil, why, at
	}
	if !o.l.ConfinedBut(o.v, mine) {
		return nil, "others may look at " + id.Name + " while the loop runs", id.Pos()
	}
	name := o.Name(o.l.Func(), o.l.At.Node(), id.Name)
	var lit, sums []string
	for _, f := range o.fields {
		switch t := f.Type().Underlying().(type) {
		case *types.Basic:
			sums = append(sums, fmt.Sprintf("%s.%s += %s.%s", id.Name, f.Name(), name, f.Name()))
		case *types.Array, *types.Map:
			key, n := o.Name(o.l.Func(), o.l.At.Node(), "key"), o.Name(o.l.Func(), o.l.At.Node(), "n")
			sums = append(sums, fmt.Sprintf("for %s, %s := range %s.%s {\n%s.%s[%s] += %s\n}", key, n, name, f.Name(), id.Name, f.Name(), key, n))
			if _, isMap := t.(*types.Map); isMap {
				typ, ok := o.l.Spell(f.Type())
				if !ok {
					return nil, "its type has no name here", f.Pos()
				}
				lit = append(lit, fmt.Sprintf("%s: make(%s%s)", f.Name(), typ, o.room[f]))
			}
		}
	}
	begin := fmt.Sprintf("var %s %s\n", name, o.typ.Name())
	if lit != nil {
		begin = fmt.Sprintf("%s := %s{%s}\n", name, o.typ.Name(), strings.Join(lit, ", "))
	}
	lock := id.Name + strings.TrimPrefix(types.ExprString(o.sec.X), o.site.Decl.Recv.List[0].Names[0].Name)
	for _, use := range mine {
		if text := o.unlocked(use.Parent().Parent().Node().(*ast.CallExpr), recv, name); text != "" {
			edits = append(edits, rewrite.Replace(use.Parent().Parent().Node(), text))
		} else {
			edits = append(edits, rewrite.Replace(use.Node(), name))
		}
	}
	loop := o.l.At.Node()
	return append(edits, rewrite.Insert(loop.Pos(), begin),
		rewrite.Insert(loop.End(), fmt.Sprintf("\n%s.Lock()\n%s\n%s.Unlock()", lock, strings.Join(sums, "\n"), lock))), "", 0
}

// unlocked returns what a call of the method does to the value of that name: its
// one statement under the lock, which nobody else wants. It is "" where that
// statement cannot stand in place of the call.
func (o *own) unlocked(call *ast.CallExpr, fn *types.Func, name string) string {
	sig := fn.Signature()
	if len(o.sec.Stmts) != 1 || len(o.method.Node().(*ast.BlockStmt).List) != 3 || sig.Variadic() || sig.Params().Len() != len(call.Args) {
		return ""
	}
	stmt := o.sec.Stmts[0]
	switch stmt.Node().(type) {
	case *ast.IncDecStmt, *ast.AssignStmt:
	default:
		return ""
	}
	info := o.Pass.TypesInfo
	put := map[types.Object]ast.Expr{}
	calls := 0
	for i, arg := range call.Args {
		if !types.Identical(info.TypeOf(arg), sig.Params().At(i).Type()) {
			return "" // the call converts it
		}
		put[sig.Params().At(i)] = arg
		if _, simple := arg.(*ast.Ident); !simple && info.Types[arg].Value == nil {
			calls++
		}
	}
	if calls > 1 {
		return "" // they are evaluated in their order
	}
	used := map[types.Object]int{}
	var edits []analysis.TextEdit
	for c := range stmt.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		obj := info.Uses[id]
		arg, ok := put[obj]
		k := c.ParentEdgeKind()
		switch {
		case obj == types.Object(sig.Recv()):
			edits = append(edits, rewrite.Replace(id, name))
		case ok:
			whole := k == edge.IndexExpr_Index || k == edge.AssignStmt_Rhs
			text := rewrite.Text(o.Pass.Fset, arg)
			if _, simple := arg.(*ast.Ident); !simple {
				if used[obj] > 0 || info.Types[arg].Value != nil && !whole {
					return "" // evaluated again, or as a constant of another type
				}
				if !whole {
					text = "(" + text + ")"
				}
			}
			edits = append(edits, rewrite.Replace(id, text))
			used[obj]++
		case k == edge.SelectorExpr_Sel:
		default:
			if _, here := o.Pass.Pkg.Scope().Innermost(call.Pos()).LookupParent(id.Name, call.Pos()); here == nil || here != obj {
				return ""
			}
		}
	}
	for p := range put {
		if used[p] == 0 {
			return "" // it may do something, or be used only here
		}
	}
	text, err := inline.Source(o.Pass, stmt.Node().Pos(), stmt.Node().End(), edits)
	if err != nil {
		return ""
	}
	return text
}

// mine returns where the loop calls the method on the value, which is all that it
// may do with it.
func (o *own) mine(loop ast.Node, method *types.Func) (mine []inspector.Cursor, why string, at token.Pos) {
	for _, use := range o.Uses.Of(o.v) {
		if pos := use.Node().Pos(); pos < loop.Pos() || loop.End() <= pos {
			continue
		}
		c := use.Parent()
		if c.ParentEdgeKind() != edge.CallExpr_Fun || section.Callee(o.Pass.TypesInfo, c.Parent().Node().(*ast.CallExpr)) != method || c.Parent().ParentEdgeKind() != edge.ExprStmt_X {
			return nil, "the loop uses " + o.v.Name() + " in other ways", use.Node().Pos()
		}
		if fn, ok := uses.Func(use); ok && fn.Node().Pos() > loop.Pos() {
			return nil, "a function literal in the loop uses " + o.v.Name(), use.Node().Pos()
		}
		mine = append(mine, use)
	}
	return mine, "", 0
}

// adds finds the fields that the method adds to. It must do nothing else with
// the value.
func (o *own) adds(fn *types.Func) (why string, at token.Pos) {
	info := o.Pass.TypesInfo
	e := o.sections.Effects(o.method)
	for _, list := range [][]ast.Node{e.Unknown, e.Calls, e.Waits, e.Indirect} {
		if len(list) > 0 {
			return fn.Name() + " does more than add up", list[0].Pos()
		}
	}
	if len(e.Takes) > 1 {
		return fn.Name() + " takes several locks", fn.Pos()
	}
	recv := fn.Signature().Recv()
	if x := types.ExprString(o.sec.X); x != recv.Name() && x != recv.Name()+"."+o.sec.Lock.Var.Name() {
		return x + " is not its own lock", o.sec.X.Pos()
	}
	added := map[*types.Var]bool{}
	for _, use := range o.Uses.Of(recv) {
		if o.Uses.Declares(use) {
			continue
		}
		f := use.Parent()
		if use.ParentEdgeKind() != edge.SelectorExpr_X {
			return fn.Name() + " hands " + recv.Name() + " on", use.Node().Pos()
		}
		sel := info.Selections[f.Node().(*ast.SelectorExpr)]
		if sel == nil || sel.Kind() == types.MethodVal {
			if section.Locks(calleeOf(info, f)) {
				continue // of an embedded lock
			}
			return fn.Name() + " calls another method", use.Node().Pos()
		}
		v := sel.Obj().(*types.Var).Origin()
		if v == o.sec.Lock.Var {
			continue
		}
		if len(sel.Index()) > 1 {
			return fn.Name() + " reaches into an embedded field", use.Node().Pos()
		}
		part := f
		switch v.Type().Underlying().(type) {
		case *types.Basic:
		case *types.Array, *types.Map:
			if f.ParentEdgeKind() != edge.IndexExpr_X {
				return fn.Name() + " does more with " + v.Name() + " than add to it", use.Node().Pos()
			}
			part = f.Parent()
			key := part.Node().(*ast.IndexExpr).Index
			if arg, ok := o.site.Args[o.Uses.Var(key)]; ok {
				key = arg
			}
			o.room[v] = local.Room(info, key)
		default:
			return fn.Name() + " does more with " + v.Name() + " than add to it", use.Node().Pos()
		}
		b, ok := info.TypeOf(part.Node().(ast.Expr)).Underlying().(*types.Basic)
		if !ok || b.Info()&types.IsInteger == 0 || !adds(part) {
			return fn.Name() + " does more with " + v.Name() + " than add to it", use.Node().Pos()
		}
		if !added[v] {
			added[v] = true
			o.fields = append(o.fields, v)
		}
	}
	for v := range e.Writes {
		if v.IsField() && !added[v] || v.Parent() == o.Pass.Pkg.Scope() {
			return fn.Name() + " sets " + v.Name(), fn.Pos()
		}
	}
	if len(o.fields) == 0 {
		return fn.Name() + " adds to nothing", fn.Pos()
	}
	return "", 0
}

func calleeOf(info *types.Info, sel inspector.Cursor) *types.Func {
	fn, _ := info.Uses[sel.Node().(*ast.SelectorExpr).Sel].(*types.Func)
	return fn
}

// adds reports whether an operand is added to or subtracted from.
func adds(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.IncDecStmt_X:
		return true
	case edge.AssignStmt_Lhs:
		tok := c.Parent().Node().(*ast.AssignStmt).Tok
		return tok == token.ADD_ASSIGN || tok == token.SUB_ASSIGN
	}
	return false
}

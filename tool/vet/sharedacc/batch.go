package sharedacc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// batches are how many calls wait for one lock.
var batches = []int{64, 1024}

// An own is the call of a method that takes a lock, in a loop.
type own struct {
	*check
	site *spawn.Site // of the method
	sec  *section.Section
	v    *types.Var // that the goroutines share, and it is called on
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

// batch offers to make several calls of the method under one lock, a little
// later than they are made now. They could have come so late: nobody can tell
// as long as the goroutine does nothing else meanwhile that shows.
func (o *own) batch(f *shape.Finding, call inspector.Cursor) {
	m, ok := o.held(call)
	if !ok {
		return
	}
	var loops []inspector.Cursor
	for loop, ok := local.Innermost(call); ok; loop, ok = local.Innermost(loop) {
		loops = append(loops, loop)
	}
	why, at := "", token.NoPos
	for _, loop := range slices.Backward(loops) {
		l := &local.Loop{Package: o.Package, Site: o.site.Up, At: loop}
		if why, at = m.late(l, call); why != "" {
			continue
		}
		for _, k := range batches {
			edits, ok := m.edits(l, k)
			if !ok {
				return
			}
			f.Fixes = append(f.Fixes, shape.Fix{
				Name: "batch", Value: k,
				Says:  fmt.Sprintf("make %d calls of %s under one lock; others that look meanwhile see them only then", k, m.decl.Name.Name),
				Edits: edits,
			})
		}
		for _, use := range m.calls {
			o.seen[use.Parent().Parent().Node()] = true
		}
		return
	}
	f.Refused = append(f.Refused, shape.Refusal{Name: "batch", Why: why, Pos: at})
}

// A held is a method all of which runs under the lock, and that tells its caller
// nothing.
type held struct {
	*own
	decl  *ast.FuncDecl
	fn    *types.Func
	id    *ast.Ident // what it is called on
	calls []inspector.Cursor
}

// held takes the method of a call.
func (o *own) held(call inspector.Cursor) (m held, ok bool) {
	x, decl := call.Node().(*ast.CallExpr), o.site.Decl
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok || call.ParentEdgeKind() != edge.ExprStmt_X || decl.Recv == nil || o.site.Up == nil {
		return m, false
	}
	m = held{own: o, decl: decl, fn: o.Pass.TypesInfo.Defs[decl.Name].(*types.Func)}
	sig := m.fn.Signature()
	n := uses.Named(sig.Recv().Type())
	if m.id, ok = ast.Unparen(sel.X).(*ast.Ident); !ok || n == nil || n.TypeParams().Len() > 0 || uses.Named(o.Pass.TypesInfo.TypeOf(sel.X)) != n {
		return m, false
	}
	if o.v, ok = o.Pass.TypesInfo.Uses[m.id].(*types.Var); !ok || o.v.Parent() == o.Pass.Pkg.Scope() {
		return m, false
	}
	if sig.Results().Len() > 0 || sig.Params().Len() == 0 || sig.Variadic() || !types.Identical(sig.Recv().Type(), types.NewPointer(n)) {
		return m, false
	}
	for p := range sig.Params().Variables() {
		if p.Name() == "" || p.Name() == "_" || uses.Refers(p.Type()) {
			return m, false // what it leads to may change until then
		}
	}
	for _, name := range m.names() {
		if have, _, _ := types.LookupFieldOrMethod(sig.Recv().Type(), true, o.Pass.Pkg, name); have != nil {
			return m, false
		}
	}
	return m, m.whole()
}

// whole reports whether the section is all of the method, and its body can be
// one of its own.
func (m *held) whole() bool {
	list, s := m.decl.Body.List, m.sec
	if len(s.Stmts) == 0 || len(s.Early) > 0 || s.Enter.Node() != ast.Node(list[0]) {
		return false
	}
	if s.Deferred && s.Leave.Node() != ast.Node(list[1]) || !s.Deferred && s.Leave.Node() != ast.Node(list[len(list)-1]) {
		return false
	}
	for _, x := range rewrite.Leaves(m.Pass.TypesInfo, m.decl.Body, false) {
		switch {
		case x.How == "panic", x.How == "return" && s.Deferred, x.Pos == s.Leave.Node().Pos():
		default:
			return false
		}
	}
	return true
}

// late says why the calls of a loop cannot be made later.
func (m *held) late(l *local.Loop, call inspector.Cursor) (why string, at token.Pos) {
	if why, at = l.Leaves(); why != "" {
		return why, at
	}
	if pos := m.v.Pos(); l.At.Node().Pos() <= pos && pos < l.At.Node().End() {
		return m.id.Name + " is not the same in all iterations", m.id.Pos()
	}
	p, ok := local.PlaceOf(m.Uses, m.id, l.At)
	if !ok {
		return m.id.Name + " is not the same in all iterations", m.id.Pos()
	}
	if m.calls, why, at = m.mine(l.At.Node(), m.fn); why != "" {
		return why, at
	}
	if why, at = l.Rescued(p); why != "" {
		return why, at
	}
	return l.Quiet(p, m.fn)
}

// names are those of the methods that are added: for several calls, and for what
// one does.
func (m *held) names() [2]string {
	name := strings.ToLower(m.decl.Name.Name[:1]) + m.decl.Name.Name[1:]
	return [2]string{name + "All", name + "Held"}
}

// edits have the loop collect k calls.
func (m *held) edits(l *local.Loop, k int) (edits []analysis.TextEdit, ok bool) {
	names := m.names()
	elem, before, after := "", "", ""
	file := rewrite.File(m.Pass, m.decl.Pos())
	args := names[0] + "Call"
	sig := m.fn.Signature()
	if sig.Params().Len() == 1 {
		if elem, ok = l.Spell(sig.Params().At(0).Type()); !ok {
			return nil, false
		}
	} else {
		args = rewrite.Fresh(m.Pass.Pkg, file, args)
		elem, before, after = args, args+"{", "}"
	}
	batch := m.Name(l.Func(), l.At.Node(), "batch")
	for _, use := range m.calls {
		x := use.Parent().Parent().Node().(*ast.CallExpr)
		first, last := x.Args[0], x.Args[len(x.Args)-1]
		edits = append(edits,
			analysis.TextEdit{Pos: x.Pos(), End: first.Pos(), NewText: fmt.Appendf(nil, "if %[1]s = append(%[1]s, %[2]s", batch, before)},
			analysis.TextEdit{Pos: last.End(), End: x.End(), NewText: fmt.Appendf(nil, "%[1]s); len(%[2]s) == cap(%[2]s) {\n%[3]s.%[4]s(%[2]s)\n%[2]s = %[2]s[:0]\n}", after, batch, m.id.Name, names[0])})
	}
	edits = append(edits,
		rewrite.Insert(l.At.Node().Pos(), fmt.Sprintf("%s := make([]%s, 0, %d)\n", batch, elem, k)),
		rewrite.Insert(l.At.Node().End(), fmt.Sprintf("\n%s.%s(%s)", m.id.Name, names[0], batch)))
	return append(edits, m.split(args)...), true
}

// split makes a method of what the method does under the lock, and another one
// that does it several times.
func (m *held) split(args string) (edits []analysis.TextEdit) {
	names, s := m.names(), m.sec
	text := func(n ast.Node) string { return rewrite.Text(m.Pass.Fset, n) }
	recv := m.decl.Recv.List[0]
	this, fields := recv.Names[0].Name, []string{}
	all, one := rewrite.Fresh(m.Pass.Pkg, m.decl, "all"), rewrite.Fresh(m.Pass.Pkg, m.decl, "one")
	var given, each []string
	for _, p := range m.decl.Type.Params.List {
		for _, id := range p.Names {
			fields = append(fields, id.Name+" "+text(p.Type))
			given, each = append(given, id.Name), append(each, one+"."+id.Name)
		}
	}
	elem, typ := args, ""
	if len(given) == 1 {
		elem, each = text(m.decl.Type.Params.List[0].Type), []string{one}
	} else {
		typ = fmt.Sprintf("// A %s is a call of %s.\ntype %s struct {\n%s\n}\n\n", args, m.decl.Name.Name, args, strings.Join(fields, "\n"))
	}
	head, tail := text(s.Enter.Node())+"\n", text(s.Leave.Node())+"\n"
	if s.Deferred {
		head, tail = head+tail, ""
	}
	at, leave := s.Enter.Node().End(), ""
	if s.Deferred {
		at = s.Leave.Node().End()
	} else {
		leave = tail
		edits = append(edits, rewrite.Drop(m.Pass.Fset, s.Leave))
	}
	method := func(name, doc, params, body string) string {
		return fmt.Sprintf("// %s is %s %s\nfunc (%s %s) %s(%s) {%s", name, m.decl.Name.Name, doc, this, text(recv.Type), name, params, body)
	}
	return append(edits, rewrite.Insert(at, fmt.Sprintf("\n%s.%s(%s)\n%s}\n\n", this, names[1], strings.Join(given, ", "), leave)+typ+
		method(names[0], "for several calls, under one lock.", all+" []"+elem,
			fmt.Sprintf("\nif len(%s) == 0 {\nreturn\n}\n%sfor _, %s := range %s {\n%s.%s(%s)\n}\n%s}\n\n", all, head, one, all, this, names[1], strings.Join(each, ", "), tail))+
		method(names[1], "while the lock is held.", strings.Join(fields, ", "), "")))
}

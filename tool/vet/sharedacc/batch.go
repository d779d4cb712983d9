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

// A held is a method all of which runs under a lock. It takes one value, tells its
// caller nothing, and a loop calls it on a variable.
type held struct {
	*check
	site  *spawn.Site // of the method
	sec   *section.Section
	decl  *ast.FuncDecl
	fn    *types.Func
	id    *ast.Ident // what it is called on
	calls []inspector.Cursor
}

// batch offers to make several calls of the method of a site under one lock, a little
// later than they are made now. They could have come so late: nobody can tell
// as long as the goroutine does nothing else meanwhile that shows.
func (c *check) batch(f *shape.Finding, s *spawn.Site, sec *section.Section, call inspector.Cursor) {
	m, ok := c.held(s, sec, call)
	if !ok {
		return
	}
	var loops []inspector.Cursor
	for loop, ok := local.Innermost(call); ok; loop, ok = local.Innermost(loop) {
		loops = append(loops, loop)
	}
	why, at := "", token.NoPos
	for _, loop := range slices.Backward(loops) {
		l := &local.Loop{Package: c.Package, Site: s.Up, At: loop}
		if why, at = m.late(l); why != "" {
			continue
		}
		elem, ok := l.Spell(m.fn.Signature().Params().At(0).Type())
		if !ok {
			return
		}
		name := m.Name(l.Func(), loop.Node(), "batch")
		for _, k := range batches {
			f.Fixes = append(f.Fixes, shape.Fix{
				Name: "batch", Value: k,
				Says:  fmt.Sprintf("make %d calls of %s under one lock; others that look meanwhile see them only then", k, m.decl.Name.Name),
				Edits: m.edits(l, name, elem, k),
			})
		}
		for _, use := range m.calls {
			c.seen[use.Parent().Parent().Node()] = true
		}
		return
	}
	f.Refused = append(f.Refused, shape.Refusal{Name: "batch", Why: why, Pos: at})
}

// held takes the method of a call.
func (c *check) held(s *spawn.Site, sec *section.Section, call inspector.Cursor) (m held, ok bool) {
	x, info := call.Node().(*ast.CallExpr), c.Pass.TypesInfo
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok || call.ParentEdgeKind() != edge.ExprStmt_X || s.Decl.Recv == nil || s.Up == nil {
		return m, false
	}
	m = held{check: c, site: s, sec: sec, decl: s.Decl, fn: info.Defs[s.Decl.Name].(*types.Func)}
	sig := m.fn.Signature()
	n := uses.Named(sig.Recv().Type())
	if m.id, ok = ast.Unparen(sel.X).(*ast.Ident); !ok || n == nil || n.TypeParams().Len() > 0 || uses.Named(info.TypeOf(m.id)) != n {
		return m, false
	}
	if sig.Results().Len() > 0 || sig.Params().Len() != 1 || sig.Variadic() || !types.Identical(sig.Recv().Type(), types.NewPointer(n)) {
		return m, false
	}
	for _, v := range []*types.Var{sig.Recv(), sig.Params().At(0)} {
		if v.Name() == "" || v.Name() == "_" {
			return m, false
		}
	}
	if uses.Refers(sig.Params().At(0).Type()) {
		return m, false // what it leads to may change until then
	}
	for _, name := range m.names() {
		if have, _, _ := types.LookupFieldOrMethod(sig.Recv().Type(), true, m.fn.Pkg(), name); have != nil {
			return m, false
		}
	}
	return m, m.whole()
}

// whole reports whether the section is all of the method, and its body can be
// one of its own.
func (m *held) whole() bool {
	list, s := m.decl.Body.List, m.sec
	leave := list[len(list)-1]
	if s.Deferred && len(list) > 1 {
		leave = list[1]
	}
	if len(s.Stmts) == 0 || len(s.Early) > 0 || s.Enter.Node() != ast.Node(list[0]) || s.Leave.Node() != ast.Node(leave) {
		return false
	}
	return !slices.ContainsFunc(rewrite.Leaves(m.Pass.TypesInfo, m.decl.Body, false), func(x rewrite.Leave) bool {
		return x.How != "panic" && !(x.How == "return" && s.Deferred) && x.Pos != leave.Pos()
	})
}

// late says why the calls of a loop cannot be made later.
func (m *held) late(l *local.Loop) (why string, at token.Pos) {
	if why, at = l.Leaves(); why != "" {
		return why, at
	}
	v, _ := m.Pass.TypesInfo.Uses[m.id].(*types.Var)
	p, ok := local.PlaceOf(m.Uses, m.id, l.At)
	if !ok || v == nil || uses.Global(v) {
		return m.id.Name + " is not the same in all iterations", m.id.Pos()
	}
	if exits := l.Exits(); len(exits) > 0 {
		return "the loop may end early", exits[0]
	}
	m.calls = nil
	for _, use := range m.Uses.Of(v) {
		if !spawn.Within(l.At.Node(), use.Node()) {
			continue
		}
		c := use.Parent()
		if fn, _ := uses.Func(use); spawn.Within(l.At.Node(), fn.Node()) || c.ParentEdgeKind() != edge.CallExpr_Fun ||
			section.Callee(m.Pass.TypesInfo, c.Parent().Node().(*ast.CallExpr)) != m.fn || c.Parent().ParentEdgeKind() != edge.ExprStmt_X {
			return "the loop uses " + v.Name() + " in other ways", use.Node().Pos()
		}
		m.calls = append(m.calls, use)
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
	all := name + "All"
	if pkg, _ := rewrite.Around(m.Pass.Pkg, m.id.Pos()); pkg != m.fn.Pkg() {
		all = m.decl.Name.Name + "All"
	}
	return [2]string{all, name + "Held"}
}

// edits have the loop collect the values of k calls.
func (m *held) edits(l *local.Loop, batch, elem string, k int) (edits []analysis.TextEdit) {
	all := m.names()[0]
	for _, use := range m.calls {
		x := use.Parent().Parent().Node().(*ast.CallExpr)
		edits = append(edits,
			analysis.TextEdit{Pos: x.Pos(), End: x.Args[0].Pos(), NewText: fmt.Appendf(nil, "if %[1]s = append(%[1]s, ", batch)},
			analysis.TextEdit{Pos: x.Args[0].End(), End: x.End(), NewText: fmt.Appendf(nil, "); len(%[1]s) == cap(%[1]s) {\n%[2]s.%[3]s(%[1]s)\n%[1]s = %[1]s[:0]\n}", batch, m.id.Name, all)})
	}
	after, _, _ := l.After(fmt.Sprintf("%s.%s(%s)", m.id.Name, all, batch))
	edits = append(append(edits, after...), rewrite.Insert(l.At.Node().Pos(), fmt.Sprintf("%s := make([]%s, 0, %d)\n", batch, elem, k)))
	return append(edits, m.split()...)
}

// split makes a method of what the method does under the lock, and another one
// that does it several times.
func (m *held) split() (edits []analysis.TextEdit) {
	names, s := m.names(), m.sec
	text := func(n ast.Node) string { return rewrite.Text(m.Pass.Fset, n) }
	recv, param := m.decl.Recv.List[0], m.decl.Type.Params.List[0]
	this, value, typ := recv.Names[0].Name, param.Names[0].Name, text(param.Type)
	all, one := rewrite.Fresh(m.Pass.Pkg, m.decl, "all"), rewrite.Fresh(m.Pass.Pkg, m.decl, "one")
	head, tail := text(s.Enter.Node())+"\n", text(s.Leave.Node())+"\n"
	at, leave := s.Enter.Node().End(), tail
	if s.Deferred {
		head, tail = head+tail, ""
		at, leave = s.Leave.Node().End(), ""
	} else {
		edits = append(edits, rewrite.Drop(m.Pass.Fset, s.Leave))
	}
	method := func(name, doc, params, body string) string {
		return fmt.Sprintf("// %s is %s %s\nfunc (%s %s) %s(%s) {%s", name, m.decl.Name.Name, doc, this, text(recv.Type), name, params, body)
	}
	return append(edits, rewrite.Insert(at, fmt.Sprintf("\n%s.%s(%s)\n%s}\n\n", this, names[1], value, leave)+
		method(names[0], "for several calls, under one lock.", all+" []"+typ,
			fmt.Sprintf("\nif len(%s) == 0 {\nreturn\n}\n%sfor _, %s := range %s {\n%s.%s(%s)\n}\n%s}\n\n", all, head, one, all, this, names[1], one, tail))+
		method(names[1], "while the lock is held.", value+" "+typ, "")))
}

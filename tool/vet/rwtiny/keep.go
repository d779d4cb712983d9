package rwtiny

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A copier is a method that copies under a lock, with the calls that only read the copy.
type copier struct {
	decl   *ast.FuncDecl
	fn     *types.Func
	calls  []inspector.Cursor
	abroad bool // another package calls it
}

// copies finds the methods that copy what the lock guards for calls that only read.
func (c *check) copies() (all []shape.Finding) {
	w := &cow{check: c, names: rewrite.Names{}}
	var f shape.Finding
	for _, s := range c.Sections {
		m, ok := w.copier(s)
		if !ok {
			continue
		}
		if len(w.copiers) == 0 {
			f = c.finding(s)
			f.Hot, f.Causes = nil, append(f.Causes, "alloc", "gc")
			f.Message = fmt.Sprintf("%s copies under %s for each call, and %s only reads the copy", m.fn.Name(), types.ExprString(s.X), uses.Decl(m.calls[0]).Name.Name)
		}
		f.Hot, f.Shared = append(f.Hot, shape.Of(m.decl)), append(f.Shared, shape.All(spawn.Called(c.Pass, m.decl.Body))...)
		w.copiers = append(w.copiers, m)
	}
	if len(w.copiers) == 0 {
		return nil
	}
	fix, why, at := w.keep()
	if why == guard.NotMeant {
		return nil
	}
	f.Offer(fix, why, at)
	return []shape.Finding{f}
}

// copier returns the method that a section is in, if it makes what it returns, of its
// receiver alone.
func (c *cow) copier(s *section.Section) (m copier, ok bool) {
	m.decl = uses.Decl(s.Enter)
	if m.decl == nil || m.decl.Recv == nil || slices.ContainsFunc(c.copiers, func(o copier) bool { return o.decl == m.decl }) {
		return m, false
	}
	m.fn, _ = c.Uses.Info.Defs[m.decl.Name].(*types.Func)
	if m.fn.Signature().Params().Len() > 0 {
		return m, false
	}
	if st, ok := uses.Deref(m.fn.Signature().Recv().Type()).Underlying().(*types.Struct); !ok || !slices.Contains(slices.Collect(st.Fields()), c.Var) {
		return m, false
	}
	sum := flow.Of(c.Pass).Func(m.fn)
	if sum == nil || sum.Effects.First(^(flow.Read|flow.Lock|flow.Panic)) != nil {
		return m, false
	}
	if !slices.ContainsFunc(sum.Results, func(r flow.Result) bool { return r.Is.Has(flow.Fresh) }) {
		return m, false
	}
	for at := range c.Uses.Root.Preorder((*ast.CallExpr)(nil)) {
		call := at.Node().(*ast.CallExpr)
		if !c.of(call, m.fn) || uses.Decl(at) == nil || rewrite.InTest(c.Pass.Fset, call) {
			continue
		}
		if flow.Of(c.Pass).ReadOnly(call, m.fn) == "" {
			m.calls = append(m.calls, at)
		}
	}
	m.abroad = slices.ContainsFunc(m.calls, func(at inspector.Cursor) bool { return c.Uses.Info.Defs[uses.Decl(at).Name].Pkg() != c.Var.Pkg() })
	return m, len(m.calls) > 0 && (m.abroad || c.Var.Pkg() == c.Pass.Pkg)
}

// of reports whether a call is of a method, or may be as it is of an interface.
func (c *cow) of(call *ast.CallExpr, fn *types.Func) bool {
	if section.Callee(c.Uses.Info, call) == fn {
		return true
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != fn.Name() {
		return false
	}
	in, ok := c.Uses.Info.TypeOf(sel.X).(*types.Named)
	return ok && types.IsInterface(in) && types.Implements(fn.Signature().Recv().Type(), in.Underlying().(*types.Interface))
}

// keep has calls that only read share one copy, until the next section that writes.
func (c *cow) keep() (fix shape.Fix, why string, where token.Pos) {
	fix.Name = "keep"
	if !c.around() {
		return fix, c.why, c.at
	}
	for _, m := range c.copiers {
		if !c.only(m) {
			return fix, c.why, c.at
		}
	}
	if !c.closed() {
		return fix, c.why, c.at
	}
	return c.kept()
}

// only adds the fields that a copier reads, and reports whether it reads nothing else that
// may change.
func (c *cow) only(m copier) bool {
	for _, e := range flow.Of(c.Pass).Func(m.fn).Effects {
		v := e.Var()
		switch {
		case e.Kind == flow.Lock && e.On != flow.Set(flow.Param(0)):
			return c.no(m.decl, "%s takes another lock", m.fn.Name())
		case slices.Contains(slices.Collect(c.st.Type.Fields()), v):
			if !slices.Contains(c.fields, v) {
				c.fields = append(c.fields, v)
			}
			if slices.Contains(slices.Collect(uses.LeadsTo(v.Type(), 4)), c.st.Name.Type()) {
				return c.no(m.decl, "%s leads to other values of %s", v.Name(), c.st.Name.Name())
			}
		case e.On.Has(flow.Globals):
			return c.no(m.decl, "%s %s", m.fn.Name(), e.String())
		default:
			c.deep = true
		}
	}
	return true
}

// shared are a type, and a method that has its callers share a copy.
const shared = `

// %[1]s is what %[2]s returned. It is only read.
type %[1]s struct {
	%[3]s uint64
%[4]s}

// %[5]s returns what %[2]s does, to be read only. The first call after a change copies it.
func (%[6]s *%[7]s) %[5]s() %[8]s {
	n := %[6]s.%[3]s.Load()
	last := %[6]s.%[9]s.Load()
	if last == nil || last.%[3]s != n {
		last = &%[1]s{%[3]s: n}
		%[10]s = %[6]s.%[2]s()
		%[6]s.%[9]s.Store(last)
	}
	return %[10]s
}
`

// asked is a function that does the same for values of an interface.
const asked = `

// %[1]s returns what %[2]s of from does, to be read only.
func %[1]s(from %[3]s) (%[4]s) {
	if %[6]s, ok := from.(%[5]s); ok {
		return %[6]s.%[7]s()
	}
	return from.%[2]s()
}
`

// kept writes the edit.
func (c *cow) kept() (fix shape.Fix, why string, where token.Pos) {
	fix.Name = "keep"
	spec := c.st.Under.Parent()
	file := rewrite.File(c.Pass, spec.Node().Pos())
	if !rewrite.Since(c.Pass, file, "go1.19") {
		return fix, "it needs Go 1.19", spec.Node().Pos()
	}
	free := c.Uses.Free()
	pkg, edits := rewrite.Import(c.Pass.Pkg, file, "sync/atomic", spec.Node().Pos())
	changes := free("changes")
	fields := fmt.Sprintf("%s %s.Uint64 // how often %s was taken to write\n", changes, pkg, c.Var.Name())
	var names []string
	for _, m := range c.copiers {
		name := m.fn.Name()
		method, last, copyType := free(map[bool]string{true: "Shared", false: "shared"}[m.abroad]+rewrite.Title(name)), free("last"+rewrite.Title(name)), free(rewrite.Lower(name)+"Copy")
		me := "x"
		if n := m.decl.Recv.List[0].Names; len(n) == 1 && !slices.Contains([]string{"_", "n", "last", "from", "ok"}, n[0].Name) {
			me = n[0].Name
		}
		var have, values, results []string
		i := 0
		for _, list := range m.decl.Type.Results.List {
			text := rewrite.Text(c.Pass.Fset, list.Type)
			for range max(1, len(list.Names)) {
				i++
				part := "value"
				if i > 1 {
					part = fmt.Sprint(part, i)
				}
				have = append(have, part+" "+text+"\n")
				values = append(values, "last."+part)
				results = append(results, text)
			}
		}
		result := strings.Join(results, ", ")
		if i > 1 {
			result = "(" + result + ")"
		}
		fields += fmt.Sprintf("%s %s.Pointer[%s]\n", last, pkg, copyType)
		text := fmt.Sprintf(shared, copyType, name, changes, strings.Join(have, ""), method, me, c.st.Name.Name(), result, last, strings.Join(values, ", "))
		of := map[[2]any]string{} // by the interface, and the package that asks
		for _, at := range m.calls {
			call, decl := at.Node().(*ast.CallExpr), uses.Decl(at)
			sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if section.Callee(c.Uses.Info, call) == m.fn {
				edits = append(edits, rewrite.Replace(sel.Sel, method))
				continue
			}
			from := c.Uses.Info.TypeOf(sel.X)
			k := [2]any{from, c.Uses.Info.Defs[decl.Name].Pkg()}
			if of[k] == "" {
				of[k] = free("shared" + rewrite.Title(name) + "Of")
				all := []types.Type{from, m.fn.Signature().Recv().Type()}
				for r := range m.fn.Signature().Results().Variables() {
					all = append(all, r.Type())
				}
				var typed []string
				for _, t := range all {
					text, ok := rewrite.Type(c.Pass.Pkg, rewrite.File(c.Pass, decl.Pos()), decl.End(), t)
					if !ok {
						return fix, "a type cannot be written here", decl.Pos()
					}
					typed = append(typed, text)
				}
				edits = append(edits, rewrite.Insert(decl.End(), fmt.Sprintf(asked, of[k], name, typed[0], strings.Join(typed[2:], ", "), typed[1], me, method)))
			}
			edits = append(edits, rewrite.Insert(call.Pos(), of[k]+"("), analysis.TextEdit{Pos: sel.X.End(), End: call.End(), NewText: []byte(")")})
		}
		edits = append(edits, rewrite.Insert(m.decl.End(), text))
		names = append(names, name)
	}
	fix.Edits = append(edits, c.declare(fields))
	c.mark(&fix, changes+".Add(1)")
	fix.Says = "share one copy among calls that only read it, until something is written"
	fix.Dearer = "what " + strings.Join(names, " and ") + " copied last stays in memory"
	return fix, "", 0
}

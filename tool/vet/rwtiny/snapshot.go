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

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// methods are those of the type with the copy.
const methods = `

// %[7]s returns %[2]s, which nothing changes.
// The first call after a change copies.
func (%[3]s *%[1]s) %[7]s() %[8]s {
	if now := %[3]s.%[10]s.Load(); now != nil {
		return %[11]snow
	}
	return %[3]s.%[9]s()
}

// %[9]s copies %[2]s, unless another reader has.
func (%[3]s *%[1]s) %[9]s() %[8]s {
	%[3]s.%[4]s.%[5]s()
	defer %[3]s.%[4]s.%[6]s()
	now := %[3]s.%[10]s.Load()
	if now == nil {
		%[12]s
		%[3]s.%[10]s.Store(now)
	}
	return %[11]snow
}
`

// fix writes the edit.
func (c *cow) fix() (fix shape.Fix, why string, where token.Pos) {
	no := func(n ast.Node, why string) (shape.Fix, string, token.Pos) { return fix, why, n.Pos() }
	spec := c.st.Under.Parent()
	decl := spec.Parent()
	file := rewrite.File(c.Pass, spec.Node().Pos())
	if !rewrite.Since(c.Pass, file, "go1.21") {
		return no(spec.Node(), "it needs Go 1.21")
	}
	free := c.Uses.Free()
	c.copied, c.current = free("snapshot"), free("current")
	renew := free("renew")
	pkg, edits := rewrite.Import(c.Pass.Pkg, file, "sync/atomic", spec.Node().Pos())
	x, _ := c.object(c.readers[0])
	me := types.ExprString(x)
	if slices.Contains([]string{"now", "was", "maps", "slices", "atomic"}, me) {
		me = "x"
	}
	var fields, values strings.Builder
	var big []string
	var typ, value string // of the last
	for _, f := range c.fields {
		text, ok := c.written(f)
		if !ok {
			return no(at(f.Pos()), f.Name()+" is declared in another way")
		}
		typ, value = text, me+"."+f.Name()
		if clone := copied(f.Type()); clone != "" {
			name, imports := rewrite.Import(c.Pass.Pkg, file, clone, spec.Node().Pos())
			edits = append(edits, imports...)
			value = fmt.Sprintf("%s.Clone(%s)", name, value)
			big = append(big, f.Name())
		}
		fmt.Fprintf(&fields, "%s %s\n", f.Name(), typ)
		fmt.Fprintf(&values, "%s: %s,\n", f.Name(), value)
	}
	lock, unlock := "Lock", "Unlock"
	if c.RW {
		lock, unlock = "RLock", "RUnlock"
	}
	if c.alone = len(c.fields) == 1 && !large(c.fields[0].Type()); !c.alone {
		typ = free(rewrite.Lower(c.st.Name.Name()) + "Snapshot")
		edits = append(edits, rewrite.Insert(decl.Node().End(), fmt.Sprintf("\n\n// %s is what readers see of %s. It never changes.\ntype %[1]s struct {\n%[3]s}", typ, c.st.Name.Name(), &fields)))
	}
	text := []any{c.st.Name.Name(), "what readers see of " + me, me, c.Var.Name(), lock, unlock, c.copied, "*" + typ, renew, c.current, "", fmt.Sprintf("now = &%s{\n%s}", typ, &values)}
	if c.alone {
		text[1], text[7], text[10], text[11] = c.fields[0].Name(), typ, "*", "was := "+value+"\nnow = &was"
	}
	edits = append(edits,
		c.declare(fmt.Sprintf("%s %s.Pointer[%s] // nil after a change\n", c.current, pkg, typ)),
		rewrite.Insert(decl.Node().End(), fmt.Sprintf(methods, text...)))
	for _, s := range c.readers {
		edits = append(edits, c.reads(s)...)
	}
	fix.Edits = edits
	c.mark(&fix, c.current+".Store(nil)")
	fix.Name = "cow"
	fix.Says = "read a copy that never changes, which a write takes away and the next reader makes"
	if len(big) > 0 {
		fix.Dearer = fmt.Sprintf("the first read after a write copies all of %s, which is in memory twice", strings.Join(big, " and "))
	} else {
		fix.Dearer = "the first read after a write allocates"
	}
	return fix, "", 0
}

// large reports whether values of a type are not to be copied with each read.
func large(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Array, *types.Struct:
		return true
	}
	return false
}

// declare adds fields to the struct.
func (c *cow) declare(fields string) analysis.TextEdit {
	list := c.st.Node.Fields
	if at := c.Pass.Fset.Position; at(list.Opening).Line == at(list.Closing).Line {
		fields = "\n" + fields
	}
	return rewrite.Insert(list.Closing, fields)
}

// mark has the sections that write do something to the struct first.
func (c *cow) mark(fix *shape.Fix, what string) {
	for _, s := range c.writers {
		x, _ := c.object(s)
		after := s.Enter
		if s.Deferred {
			after = s.Leave
		}
		fix.Edits = append(fix.Edits, rewrite.Insert(after.Node().End(), "\n"+rewrite.Text(c.Pass.Fset, x)+"."+what))
		if d := uses.Decl(s.Enter); d != nil && !slices.Contains(fix.Slower, d) {
			fix.Slower = append(fix.Slower, d)
		}
	}
	if c.st.Name.Exported() && c.Pass.Pkg.Name() != "main" {
		c.assume("other packages neither print nor compare what " + c.st.Name.Name() + " has")
	}
	fix.Holds = strings.Join(c.holds, ", and ")
}

// written is the type of a field as it is declared.
func (c *cow) written(f *types.Var) (text string, ok bool) {
	for _, use := range c.Uses.Of(f) {
		if field, is := use.Parent().Node().(*ast.Field); is && c.Uses.Declares(use) && len(field.Names) > 0 {
			return rewrite.Text(c.Pass.Fset, field.Type), true
		}
	}
	return "", false
}

// reads has a section look at the copy: what it reads once, without a name.
func (c *cow) reads(s *section.Section) (edits []analysis.TextEdit) {
	x, _ := c.object(s)
	v := c.Uses.Info.Uses[ast.Unparen(x).(*ast.Ident)]
	var places []inspector.Cursor
	repeated := false
	for _, stmt := range s.Stmts {
		for use := range stmt.Preorder((*ast.Ident)(nil)) {
			if f := guard.Field(c.Uses, use); c.Uses.Info.Uses[use.Node().(*ast.Ident)] == v && f != nil && c.Guarded[f] {
				places = append(places, use)
				for loop := range use.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil)) {
					r, ranged := loop.Node().(*ast.RangeStmt)
					repeated = repeated || stmt.Contains(loop) && !(ranged && r.X.Pos() <= use.Node().Pos() && use.Node().End() <= r.X.End())
				}
			}
		}
	}
	copied := rewrite.Text(c.Pass.Fset, x) + "." + c.copied + "()"
	edits = c.Unlocked(s)
	if name := copied; len(places) > 1 || repeated {
		fn, _ := uses.Func(s.Enter)
		copied = c.names.Fresh(c.Pass.Pkg, fn.Node(), "now")
		edits = slices.DeleteFunc(edits, func(e analysis.TextEdit) bool { return e.Pos <= s.Enter.Node().Pos() && s.Enter.Node().End() <= e.End })
		edits = append(edits, rewrite.Replace(s.Enter.Node(), copied+" := "+name))
	}
	for _, p := range places {
		if c.alone {
			p = p.Parent() // the field
		}
		edits = append(edits, rewrite.Replace(p.Node(), copied))
	}
	return edits
}

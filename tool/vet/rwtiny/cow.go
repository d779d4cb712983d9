package rwtiny

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A cow has readers look at a copy of what the lock guards, which never changes. A
// section that writes takes the copy away. The next reader makes another, under the
// lock as before: so no reader sees less than it did, and none waits for more.
type cow struct {
	*check
	st              layout.Struct
	fields          []*types.Var // of the copy
	readers         []*section.Section
	writers         []*section.Section
	deep            bool     // a copy has what pointers, and slices and maps within others, lead to
	copiers         []copier // what they read is asked of flow
	names           rewrite.Names
	copied, current string   // names of a method, and of a field
	alone           bool     // one field, copied as it is
	holds           []string // what nothing proves
	why             string   // the edit is refused, or a reader stays as it is
	at              token.Pos
}

func (c *cow) no(n ast.Node, format string, args ...any) bool {
	if c.why == "" {
		c.why, c.at = fmt.Sprintf(format, args...), n.Pos()
	}
	return false
}

// assume enters a condition.
func (c *cow) assume(what string) {
	if !slices.Contains(c.holds, what) {
		c.holds = append(c.holds, what)
	}
}

// cow is the edit.
func (c *check) cow() (fix shape.Fix, why string, at token.Pos) {
	fix.Name = "cow"
	w := &cow{check: c, names: rewrite.Names{}}
	if !w.around() || !w.sections() || !w.closed() {
		return fix, w.why, w.at
	}
	return w.fix()
}

// around finds the struct that has the lock, and the sections that write.
func (c *cow) around() bool {
	if !c.Var.IsField() || len(c.Guarded) == 0 {
		c.why = guard.NotMeant
		return false
	}
	if c.why, c.at = c.Visible(); c.why != "" {
		return false
	}
	for _, use := range c.Uses.Of(c.Var) {
		if c.Uses.Declares(use) {
			c.st, _ = layout.Around(c.Uses, use)
		}
	}
	if c.st.Name == nil || !uses.Global(c.st.Name) {
		return c.no(at(c.Var.Pos()), "the lock is not that of a type of the package")
	}
	if types.Unalias(c.st.Name.Type()).(*types.Named).TypeParams().Len() > 0 {
		return c.no(at(c.Var.Pos()), "%s is generic", c.st.Name.Name())
	}
	for _, s := range c.Sections {
		if _, ok := c.object(s); !ok {
			return c.no(s.X, "%s is not a variable", types.ExprString(s.X))
		}
		writes := slices.ContainsFunc(c.Flow(s), func(e flow.Effect) bool { return e.Kind == flow.Write && !guard.Own(e.On) })
		if s.Read && writes {
			return c.no(s.Enter.Node(), "a reader writes")
		}
		if writes {
			c.writers = append(c.writers, s)
		}
	}
	return true
}

// sections tells those that look at a copy instead.
func (c *cow) sections() bool {
	var read []*types.Var
	for _, s := range c.Sections {
		if slices.Contains(c.writers, s) {
			continue
		}
		if fields, ok := c.read(s); ok {
			c.readers = append(c.readers, s)
			read = append(read, fields...)
		}
	}
	for f := range c.st.Type.Fields() {
		if slices.Contains(read, f) {
			c.fields = append(c.fields, f)
		}
	}
	if len(c.fields) == 1 && uses.Basic(c.fields[0].Type()) {
		c.why = guard.NotMeant // an atomic is what it takes
		return false
	}
	if len(c.readers) == 0 {
		return c.no(c.Sections[0].Enter.Node(), "no section only reads")
	}
	c.why = "" // the others keep the lock
	return !slices.ContainsFunc(c.fields, func(f *types.Var) bool { return !c.plain(f) })
}

// object is the struct whose lock a section takes, as it is written.
func (c *cow) object(s *section.Section) (x ast.Expr, ok bool) {
	x = s.X
	if sel, is := ast.Unparen(x).(*ast.SelectorExpr); is && c.Uses.Var(sel) == c.Var {
		x = sel.X
	}
	if t := uses.Deref(c.Uses.Info.TypeOf(x)); t != c.st.Name.Type() {
		return nil, false // it is promoted from within another
	}
	for e := ast.Unparen(x); ; {
		switch n := e.(type) {
		case *ast.Ident:
			return x, true
		case *ast.SelectorExpr:
			e = ast.Unparen(n.X)
		default:
			return nil, false
		}
	}
}

// apart is what a reader must not do: others may depend on the lock then.
const apart = guard.Waits | flow.Call | flow.Unknown | flow.Sync | flow.Look | flow.Exit | flow.Tell | flow.Ask

// read returns the fields that a section would take from the copy, and reports whether
// it may as well look at that.
func (c *cow) read(s *section.Section) (fields []*types.Var, ok bool) {
	x, _ := c.object(s)
	id, _ := ast.Unparen(x).(*ast.Ident)
	v := c.Uses.Info.Uses[id]
	for _, stmt := range s.Stmts {
		if !c.flat(stmt, v) {
			return nil, false
		}
		for use := range stmt.Preorder((*ast.Ident)(nil)) {
			if c.Uses.Info.Uses[use.Node().(*ast.Ident)] != v || c.leaves(s, use) {
				continue
			}
			f := guard.Field(c.Uses, use)
			if f == nil {
				return nil, c.no(use.Node(), "%s is used as a whole under the lock", v.Name())
			}
			if c.Guarded[f] {
				if !slices.Contains(fields, f) {
					fields = append(fields, f)
				}
				if !c.looks(use.Parent(), f) {
					return nil, false
				}
			}
		}
	}
	if len(fields) == 0 {
		return nil, c.no(s.Enter.Node(), "it reads nothing of what the lock guards")
	}
	for _, e := range c.Flow(s) {
		if e.Kind&apart != 0 {
			return nil, c.no(s.Enter.Node(), "what is done under the lock %s", e.String())
		}
		if r := e.Var(); r != nil && !r.IsField() && !c.constant(r) {
			return nil, c.no(s.Enter.Node(), "%s may be written meanwhile", r.Name())
		}
	}
	return fields, true
}

// constant reports whether a variable of the package is never set, and leads nowhere.
func (c *cow) constant(v *types.Var) bool {
	return uses.Global(v) && !leads(v.Type(), false) && c.Uses.Unseen(v) == "" && !slices.ContainsFunc(c.Uses.Of(v), func(use inspector.Cursor) bool {
		part, _ := uses.Elements(uses.Whole(use))
		return uses.Written(part)
	})
}

// flat reports whether code of a reader follows no pointer but that to the struct, whose
// variable is v: what others lead to may be written without the lock as soon as no reader
// is under it.
func (c *cow) flat(stmt inspector.Cursor, v types.Object) bool {
	info := c.Uses.Info
	for at := range stmt.Preorder() {
		bad := false
		switch n := at.Node().(type) {
		case *ast.DeferStmt, *ast.FuncLit:
			return c.no(n, "something may be called after the lock is given back")
		case *ast.SliceExpr:
			if n.High != nil {
				return c.no(n, "a part is read that a copy may not have")
			}
		case *ast.SelectorExpr:
			s := info.Selections[n]
			bad = s != nil && len(s.Index()) > 1
		case *ast.CallExpr:
			args := n.Args
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				args = append(args[:len(args):len(args)], sel.X)
			}
			bad = loop.Builtin(info, n) == "" && !clones(info, n) && slices.ContainsFunc(args, func(e ast.Expr) bool { return leads(info.TypeOf(e), true) })
		}
		switch at.ParentEdgeKind() {
		case edge.StarExpr_X, edge.SelectorExpr_X, edge.IndexExpr_X, edge.SliceExpr_X, edge.RangeStmt_X:
			e := at.Node().(ast.Expr)
			id, _ := ast.Unparen(e).(*ast.Ident)
			bad = bad || uses.Under[*types.Pointer](info.TypeOf(e)) && info.Uses[id] != v
		}
		if bad {
			return c.no(at.Node(), "memory is read through a pointer")
		}
	}
	return true
}

// clones reports whether a call is of the Clone of package maps or slices.
func clones(info *types.Info, call *ast.CallExpr) bool {
	fn := section.Callee(info, call)
	return fn != nil && (fn.FullName() == "maps.Clone" || fn.FullName() == "slices.Clone")
}

// leads reports whether a value has pointers in it, but for those of a time. The first
// slice or map does not count.
func leads(t types.Type, top bool) bool {
	if uses.Is(t, "time", "Time") {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Slice:
		return !top || leads(u.Elem(), false)
	case *types.Map:
		return !top || leads(u.Key(), false) || leads(u.Elem(), false)
	case *types.Array:
		return leads(u.Elem(), false)
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return leads(f.Type(), false) })
	}
	return true
}

// leaves reports whether a use is of the lock where the section ends early.
func (c *cow) leaves(s *section.Section, use inspector.Cursor) bool {
	return slices.ContainsFunc(s.Early, func(e inspector.Cursor) bool { return e.Contains(use) })
}

// uses returns the uses of a field, and those of variables that lead into it.
func (c *cow) uses(f *types.Var) []inspector.Cursor {
	all := slices.Clone(c.Uses.Of(f))
	for i := 0; i < len(all); i++ {
		part, whole := uses.Elements(uses.Whole(all[i]))
		if v := c.into(part, whole); v != nil {
			all = append(all, slices.DeleteFunc(slices.Clone(c.Uses.Of(v)), c.Uses.Declares)...)
		}
	}
	return all
}

// into returns the variable that is declared with the address of a part of something or,
// where what that leads to counts, with the part; or nil.
func (c *cow) into(part inspector.Cursor, whole bool) *types.Var {
	at := part
	if u, ok := part.Parent().Node().(*ast.UnaryExpr); ok && u.Op == token.AND {
		at = part.Parent()
	} else if !c.deep || !leads(c.Uses.Info.TypeOf(part.Node().(ast.Expr)), whole) {
		return nil
	}
	var to ast.Expr
	switch n := at.Parent().Node().(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE && len(n.Rhs) == 1 {
			to = n.Lhs[0]
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			to = n.Value
		}
	}
	return c.Uses.Var(to)
}

// looks reports whether a use of a field gives nothing away by which it could be
// written, or kept while it changes.
func (c *cow) looks(use inspector.Cursor, f *types.Var) bool {
	part, whole := uses.Elements(use)
	if c.into(part, whole) != nil {
		return true
	}
	switch part.ParentEdgeKind() {
	case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.BinaryExpr_X, edge.BinaryExpr_Y:
		return true
	case edge.RangeStmt_X:
		return part.Parent().Node().(*ast.RangeStmt).Tok != token.ASSIGN || c.no(part.Node(), "%s is used as a whole", f.Name())
	case edge.UnaryExpr_X:
		if uses.Written(part) {
			return c.no(part.Node(), "the address of %s is taken", f.Name())
		}
	case edge.CallExpr_Args:
		return c.argument(part, f)
	case edge.AssignStmt_Rhs:
		if a := part.Parent().Node().(*ast.AssignStmt); len(a.Lhs) == 1 {
			to := ast.Unparen(a.Lhs[0])
			if at, ok := to.(*ast.IndexExpr); ok {
				to = at.X
			}
			if c.Uses.Var(to) == f {
				return true // x.f = x.f[1:], x.f[i] = x.f[j]
			}
		}
	}
	if sel, ok := part.Node().(*ast.SelectorExpr); ok { // x.f.method(…)
		if c.Uses.Info.Selections[sel].Kind() != types.FieldVal {
			if part.ParentEdgeKind() != edge.CallExpr_Fun {
				return c.no(part.Node(), "a method of %s is used as a value", f.Name())
			}
			return c.apart(part.Parent(), f)
		}
	}
	t := c.Uses.Info.TypeOf(part.Node().(ast.Expr))
	_, local := part.Node().(*ast.Ident) // a pointer into it
	return !embeds(t) && !(c.deep && leads(t, false)) && !local || c.no(part.Node(), "%s is used as a whole", f.Name())
}

// argument reports whether a call that gets a field, or a part of it, keeps nothing of it.
func (c *cow) argument(part inspector.Cursor, f *types.Var) bool {
	call := part.Parent()
	n := call.Node().(*ast.CallExpr)
	if a, ok := call.Parent().Node().(*ast.AssignStmt); ok && strings.HasPrefix(types.ExprString(part.Node().(ast.Expr))+"[", types.ExprString(a.Lhs[0])+"[") {
		return true
	}
	if tv := c.Uses.Info.Types[n.Fun]; tv.IsType() {
		return !embeds(tv.Type) || c.no(n, "%s is used as a whole", f.Name())
	}
	switch loop.Builtin(c.Uses.Info, n) {
	case "":
		return c.apart(call, f)
	case "append":
		return n.Args[0] != part.Node() || c.no(n, "%s is appended to elsewhere", f.Name())
	case "cap":
		return c.no(n, "the capacity of %s is asked for", f.Name())
	}
	return true
}

// apart reports whether the result of a call does not lead to what it got.
func (c *cow) apart(call inspector.Cursor, f *types.Var) bool {
	n := call.Node().(*ast.CallExpr)
	all := flow.Of(c.Pass).Call(n)
	if all.First(flow.Call|flow.Unknown|flow.Spawn|flow.Send) != nil || uses.Refers(c.Uses.Info.TypeOf(n)) && !flow.Of(c.Pass).Made(n) {
		return c.no(n, "%s may keep %s", types.ExprString(n.Fun), f.Name())
	}
	return true
}

// embeds reports whether a value has a slice or a map in it, which others may write to.
func embeds(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Array:
		return embeds(u.Elem())
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return embeds(f.Type()) })
	}
	return false
}

// copied is the package whose Clone copies a value of a type, or "".
func copied(t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Map:
		return "maps"
	case *types.Slice:
		return "slices"
	}
	return ""
}

// closed reports whether the fields of the copy change in the sections that write alone,
// or before other code can see them.
func (c *cow) closed() bool {
	if why, at := c.st.Relied(c.Uses, c.Pass.Pkg); why != "" {
		c.why, c.at = why, at
		return false
	}
	if n := guard.Copied(c.Uses, c.st.Type); n != nil {
		return c.no(n, "%s is copied", c.st.Name.Name())
	}
	for _, f := range c.fields {
		if why := c.Uses.Unseen(f); why != "" {
			return c.no(at(f.Pos()), "%s", why)
		}
		if c.deep && leads(f.Type(), true) {
			c.assume("nothing else writes to what " + f.Name() + " leads to")
		}
		for _, use := range c.uses(f) {
			if c.Uses.Declares(use) {
				continue
			}
			if e := value(use); e != nil && copied(f.Type()) != "" && !c.itself(e, f) && !c.fresh(e) {
				c.assume("nothing else writes to what is put into " + f.Name())
			}
			if use.ParentEdgeKind() == edge.KeyValueExpr_Key || slices.ContainsFunc(c.copiers, func(m copier) bool { return m.decl == uses.Decl(use) }) {
				continue
			}
			if !c.looks(uses.Whole(use), f) || !c.guarded(use, f) {
				return false
			}
		}
	}
	return true
}

// value is what a use of a field sets it to, or nil.
func value(use inspector.Cursor) ast.Expr {
	if use.ParentEdgeKind() == edge.KeyValueExpr_Key {
		return use.Parent().Node().(*ast.KeyValueExpr).Value
	}
	whole := uses.Whole(use)
	if whole.ParentEdgeKind() != edge.AssignStmt_Lhs {
		return nil
	}
	a := whole.Parent().Node().(*ast.AssignStmt)
	if len(a.Lhs) != len(a.Rhs) {
		return a.Rhs[0]
	}
	return a.Rhs[slices.Index(a.Lhs, whole.Node().(ast.Expr))]
}

// itself reports whether a value is part of a field, or made of it by a call that gets it
// first, as slices.Delete does.
func (c *cow) itself(e ast.Expr, f *types.Var) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return len(e.Args) > 0 && (c.Uses.Var(e.Args[0]) == f || c.itself(e.Args[0], f))
	case *ast.SliceExpr:
		return c.Uses.Var(e.X) == f
	}
	return false
}

// fresh reports whether no other code has a value.
func (c *cow) fresh(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := c.Uses.Info.Uses[e].(*types.Var)
		if v == nil {
			return true // nil
		}
		if v.IsField() || uses.Global(v) {
			return false
		}
		for _, use := range c.Uses.Of(v) { // it is made here, and nothing else has it as a whole, or later
			if use.Node().Pos() > e.Pos() {
				return false
			}
			if _, whole := uses.Elements(use); c.Uses.Declares(use) {
				if a, ok := use.Parent().Node().(*ast.AssignStmt); !ok || len(a.Rhs) != 1 || len(a.Lhs) != 1 || !c.fresh(a.Rhs[0]) {
					return false
				}
			} else if whole && use.Node() != ast.Node(e) && use.ParentEdgeKind() != edge.RangeStmt_X && !c.counted(use) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		if loop.Builtin(c.Uses.Info, e) == "append" {
			return c.fresh(e.Args[0])
		}
		if tv := c.Uses.Info.Types[e.Fun]; tv.IsType() {
			return c.Uses.Info.Types[e.Args[0]].IsNil()
		}
		if clones(c.Uses.Info, e) {
			return true
		}
	}
	return loop.Makes(c.Uses.Info, e)
}

// counted reports whether a use is an argument of a predeclared function that keeps
// nothing of it, like len.
func (c *cow) counted(use inspector.Cursor) bool {
	call, ok := use.Parent().Node().(*ast.CallExpr)
	return ok && use.ParentEdgeKind() == edge.CallExpr_Args && !slices.Contains([]string{"", "append"}, loop.Builtin(c.Uses.Info, call))
}

// at is a place.
type at token.Pos

func (p at) Pos() token.Pos { return token.Pos(p) }
func (p at) End() token.Pos { return token.Pos(p) }

// plain reports whether a copy of a field shares nothing with it that is written to.
func (c *cow) plain(f *types.Var) bool {
	elems := []types.Type{f.Type()}
	switch u := f.Type().Underlying().(type) {
	case *types.Map:
		elems = []types.Type{u.Key(), u.Elem()}
	case *types.Slice:
		elems = []types.Type{u.Elem()}
	}
	if slices.ContainsFunc(elems, embeds) {
		return c.no(at(f.Pos()), "%s holds slices or maps", f.Name())
	}
	return true
}

// guarded reports whether a use of a field is in a section, in a function that is called
// in sections alone, or of a struct that no other code has yet. Others may read it while
// nothing writes, which is theirs to know.
func (c *cow) guarded(use inspector.Cursor, f *types.Var) bool {
	return !c.changes(use) || c.under(use, 3) || guard.Unshared(c.Uses, uses.Whole(use)) || c.no(use.Node(), "%s is written without the lock", f.Name())
}

// changes reports whether a use may write the field, or part of it.
func (c *cow) changes(use inspector.Cursor) bool {
	part, whole := uses.Elements(uses.Whole(use))
	if c.into(part, whole) != nil {
		return false
	}
	if uses.Written(part) {
		return true
	}
	n, ok := part.Parent().Node().(*ast.CallExpr)
	if !ok || loop.Builtin(c.Uses.Info, n) != "" && n.Args[0] != part.Node() {
		return false
	}
	return flow.Of(c.Pass).Call(n).First(flow.Write|flow.Call|flow.Unknown) != nil
}

// under reports whether code runs in sections that write, while they last, and nowhere
// else.
func (c *cow) under(code inspector.Cursor, deep int) bool {
	fn, ok := uses.Func(code)
	if !ok {
		return false
	}
	for later := range code.Enclosing((*ast.DeferStmt)(nil), (*ast.GoStmt)(nil)) {
		if at, _ := uses.Func(later); at == fn {
			return false
		}
	}
	if slices.ContainsFunc(c.writers, func(s *section.Section) bool {
		at, _ := uses.Func(s.Enter)
		return at == fn && slices.ContainsFunc(s.Stmts, func(stmt inspector.Cursor) bool { return stmt.Contains(code) })
	}) {
		return true
	}
	decl, ok := fn.Node().(*ast.FuncDecl)
	if !ok || deep == 0 {
		return false
	}
	calls, why, _ := c.Uses.Calls(c.Uses.Info.Defs[decl.Name].(*types.Func))
	return why == "" && len(calls) > 0 && !slices.ContainsFunc(calls, func(call inspector.Cursor) bool { return !c.under(call, deep-1) })
}

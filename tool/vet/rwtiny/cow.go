package rwtiny

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/layout"
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
	indirect        bool // something is written through a pointer
	names           rewrite.Names
	copied, current string // names of a method, and of a field
	holds           string // what nothing proves
	why             string // the edit is refused, or a reader stays as it is
	at              token.Pos
}

func (c *cow) no(n ast.Node, format string, args ...any) bool {
	if c.why == "" {
		c.why, c.at = fmt.Sprintf(format, args...), n.Pos()
	}
	return false
}

// cow is the edit.
func (c *check) cow() (fix shape.Fix, why string, at token.Pos) {
	fix.Name = "cow"
	w := &cow{check: c, names: rewrite.Names{}}
	if !w.sections() || !w.closed() {
		return fix, w.why, w.at
	}
	return w.fix()
}

// sections tells those that write, and those that look at a copy instead.
func (c *cow) sections() bool {
	decl := slices.IndexFunc(c.Uses.Of(c.Var), c.Uses.Declares)
	if !c.Var.IsField() || decl < 0 {
		c.why = guard.NotMeant
		return false
	}
	if c.why, c.at = c.Visible(); c.why != "" {
		return false
	}
	spec := c.Uses.Of(c.Var)[decl]
	ok := false
	if c.st, ok = layout.Around(c.Uses, spec); !ok || c.st.Name == nil || c.st.Name.Parent() != c.Pass.Pkg.Scope() {
		return c.no(spec.Node(), "the lock is not that of a type of the package")
	}
	if types.Unalias(c.st.Name.Type()).(*types.Named).TypeParams().Len() > 0 {
		return c.no(spec.Node(), "%s is generic", c.st.Name.Name())
	}
	for _, s := range c.Sections {
		if _, ok := c.object(s); !ok {
			return c.no(s.X, "%s is not a variable", types.ExprString(s.X))
		}
		if s.Read && some(c.Does[s].Writes, s.Shares) {
			return c.no(s.Enter.Node(), "a reader writes")
		}
		if !s.Read && c.writes(s) {
			c.writers = append(c.writers, s)
			c.indirect = c.indirect || len(c.Does[s].Indirect) > 0
		}
	}
	if len(c.writers) == 0 || len(c.Guarded) == 0 {
		c.why = guard.NotMeant // nothing is written
		return false
	}
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
	return true
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

// writes reports whether a section may write what others see.
func (c *cow) writes(s *section.Section) bool {
	e := c.Does[s]
	return some(e.Writes, s.Shares) || len(e.Indirect)+len(e.Unknown) > 0 || c.Hidden(s) != nil || c.Flow(s).First(flow.Call|flow.Unknown) != nil
}

// apart is what a reader must not do: others may depend on the lock then.
const apart = guard.Waits | flow.Call | flow.Unknown | flow.Sync | flow.Look | flow.Exit | flow.Tell | flow.Ask

// read returns the fields that a section would take from the copy, and reports whether
// it may as well look at that.
func (c *cow) read(s *section.Section) (fields []*types.Var, ok bool) {
	x, _ := c.object(s)
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return nil, c.no(x, "%s is not a variable", types.ExprString(x))
	}
	v := c.Uses.Info.Uses[id]
	for _, stmt := range s.Stmts {
		for n := range stmt.Preorder((*ast.Ident)(nil), (*ast.DeferStmt)(nil), (*ast.CallExpr)(nil)) {
			switch n := n.Node().(type) {
			case *ast.DeferStmt:
				return nil, c.no(n, "something is deferred under the lock")
			case *ast.CallExpr:
				for _, e := range flow.Of(c.Pass).Call(n) {
					if e.Kind == flow.Read && c.Guarded[e.Var()] && !c.handed(n, e.Var()) {
						return nil, c.no(n, "%s reads %s as well", types.ExprString(n.Fun), e.Var().Name())
					}
				}
			}
		}
		for use := range stmt.Preorder((*ast.Ident)(nil)) {
			if c.Uses.Info.Uses[use.Node().(*ast.Ident)] != v || c.leaves(s, use) {
				continue
			}
			f := c.field(use)
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
		switch r := e.Var(); {
		case e.Kind != flow.Read:
		case r == nil && c.indirect && slices.ContainsFunc(fields, pointers),
			r != nil && c.Guarded[r] && !slices.Contains(fields, r) && !c.within(fields, r):
			return nil, c.no(s.Enter.Node(), "%s is read through a pointer", cmp.Or(e.Name, "memory"))
		}
	}
	if e := c.Hidden(s); e != nil {
		return nil, c.no(s.Enter.Node(), "it %s", e.String())
	}
	return fields, true
}

// handed reports whether a call is of a method of a field, or gets it.
func (c *cow) handed(call *ast.CallExpr, v *types.Var) bool {
	found := false
	ast.Inspect(call, func(n ast.Node) bool {
		e, ok := n.(*ast.SelectorExpr)
		found = found || ok && c.Uses.Var(e) == v
		return !found
	})
	return found
}

// leaves reports whether a use is of the lock where the section ends early.
func (c *cow) leaves(s *section.Section, use inspector.Cursor) bool {
	return slices.ContainsFunc(s.Early, func(e inspector.Cursor) bool { return e.Contains(use) })
}

// field returns the field that is selected of a struct, or nil.
func (c *cow) field(use inspector.Cursor) *types.Var {
	if use.ParentEdgeKind() != edge.SelectorExpr_X {
		return nil
	}
	sel := c.Uses.Info.Selections[use.Parent().Node().(*ast.SelectorExpr)]
	if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 {
		return nil
	}
	return sel.Obj().(*types.Var)
}

// within reports whether a field is part of what some others hold by value.
func (c *cow) within(fields []*types.Var, v *types.Var) bool {
	var holds func(t types.Type, top bool) bool
	holds = func(t types.Type, top bool) bool {
		switch u := t.Underlying().(type) {
		case *types.Array:
			return holds(u.Elem(), false)
		case *types.Struct:
			return slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return f == v || holds(f.Type(), false) })
		case *types.Slice:
			return top && holds(u.Elem(), false)
		case *types.Map:
			return top && (holds(u.Elem(), false) || holds(u.Key(), false))
		}
		return false
	}
	return slices.ContainsFunc(fields, func(f *types.Var) bool { return holds(f.Type(), true) })
}

// looks reports whether a use of a field gives nothing away by which it could be
// written, or kept while it changes.
func (c *cow) looks(use inspector.Cursor, f *types.Var) bool {
	part, _ := uses.Elements(use)
	switch part.ParentEdgeKind() {
	case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_X, edge.BinaryExpr_X, edge.BinaryExpr_Y:
		return true
	case edge.UnaryExpr_X:
		if uses.Written(part) {
			return c.no(part.Node(), "the address of %s is taken", f.Name())
		}
	case edge.CallExpr_Args:
		return c.argument(part, f)
	}
	if sel, ok := part.Node().(*ast.SelectorExpr); ok { // x.f.method(…)
		if s := c.Uses.Info.Selections[sel]; s != nil && s.Kind() != types.FieldVal {
			if part.ParentEdgeKind() != edge.CallExpr_Fun {
				return c.no(part.Node(), "a method of %s is used as a value", f.Name())
			}
			return c.apart(part.Parent(), f)
		}
	}
	return !embeds(c.Uses.Info.TypeOf(part.Node().(ast.Expr))) || c.no(part.Node(), "%s is used as a whole", f.Name())
}

// argument reports whether a call that gets a field, or a part of it, keeps nothing of it.
func (c *cow) argument(part inspector.Cursor, f *types.Var) bool {
	call := part.Parent()
	n := call.Node().(*ast.CallExpr)
	if a, ok := call.Parent().Node().(*ast.AssignStmt); ok && len(a.Lhs) == 1 && c.Uses.Var(a.Lhs[0]) == f {
		return true
	}
	if tv := c.Uses.Info.Types[n.Fun]; tv.IsType() {
		return !embeds(tv.Type) || c.no(n, "%s is used as a whole", f.Name())
	}
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
		if b, ok := c.Uses.Info.Uses[id].(*types.Builtin); ok {
			if b.Name() == "append" && n.Args[0] == part.Node() {
				return c.no(n, "%s is appended to elsewhere", f.Name())
			}
			return b.Name() != "cap" || c.no(n, "the capacity of %s is asked for", f.Name())
		}
	}
	return c.apart(call, f)
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
	if t == nil {
		return true
	}
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

// pointers reports whether what a field holds leads to other memory.
func pointers(f *types.Var) bool {
	switch u := f.Type().Underlying().(type) {
	case *types.Map:
		return uses.Refers(u.Key()) || uses.Refers(u.Elem())
	case *types.Slice:
		return uses.Refers(u.Elem())
	}
	return uses.Refers(f.Type())
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
		if !c.plain(f) {
			return false
		}
		for _, use := range c.Uses.Of(f) {
			if c.Uses.Declares(use) {
				continue
			}
			if e := value(use); e != nil && copied(f.Type()) != "" && !c.itself(e, f) && !c.fresh(e) {
				c.holds = "nothing else writes to what is put into " + f.Name()
			}
			if use.ParentEdgeKind() == edge.KeyValueExpr_Key {
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
	a, ok := whole.Parent().Node().(*ast.AssignStmt)
	if !ok || whole.ParentEdgeKind() != edge.AssignStmt_Lhs {
		return nil
	}
	if len(a.Lhs) != len(a.Rhs) {
		return a.Rhs[0]
	}
	return a.Rhs[slices.Index(a.Lhs, whole.Node().(ast.Expr))]
}

// itself reports whether a value is made of a field by a call that gets it first, as
// slices.Delete does.
func (c *cow) itself(e ast.Expr, f *types.Var) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && len(call.Args) > 0 && c.Uses.Var(call.Args[0]) == f
}

// fresh reports whether no other code has a value.
func (c *cow) fresh(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.Ident:
		v, _ := c.Uses.Info.Uses[e].(*types.Var)
		if v == nil {
			return true // nil
		}
		if v.IsField() || v.Parent() == c.Pass.Pkg.Scope() {
			return false
		}
		for _, use := range c.Uses.Of(v) { // it is made here, and nothing else has it as a whole
			if _, whole := uses.Elements(use); c.Uses.Declares(use) {
				if a, ok := use.Parent().Node().(*ast.AssignStmt); !ok || len(a.Rhs) != 1 || len(a.Lhs) != 1 || !c.fresh(a.Rhs[0]) {
					return false
				}
			} else if whole && use.Node() != ast.Node(e) && use.ParentEdgeKind() != edge.RangeStmt_X && !builtin(c.Uses.Info, use) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			if b, ok := c.Uses.Info.Uses[id].(*types.Builtin); ok {
				return b.Name() == "make" || b.Name() == "append"
			}
		}
		fn := section.Callee(c.Uses.Info, e)
		return flow.Of(c.Pass).Made(e) || fn != nil && (fn.FullName() == "maps.Clone" || fn.FullName() == "slices.Clone")
	}
	return false
}

// builtin reports whether an expression is an argument of a predeclared function.
func builtin(info *types.Info, e inspector.Cursor) bool {
	if e.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	id, ok := ast.Unparen(e.Parent().Node().(*ast.CallExpr).Fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[id].(*types.Builtin)
	return ok
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
	if !c.changes(use, f) {
		return true
	}
	if c.pointed(uses.Whole(use)) {
		return c.no(use.Node(), "what %s leads to is written", f.Name())
	}
	if c.under(use, 3) {
		return true
	}
	if whole := uses.Whole(use); whole != use { // x.f
		if id, ok := ast.Unparen(whole.Node().(*ast.SelectorExpr).X).(*ast.Ident); ok && c.made(id) {
			return true
		}
	}
	return c.no(use.Node(), "%s is written without the lock", f.Name())
}

// changes reports whether a use may write the field, or part of it.
func (c *cow) changes(use inspector.Cursor, f *types.Var) bool {
	part, _ := uses.Elements(uses.Whole(use))
	if uses.Written(part) {
		return true
	}
	call := part.Parent()
	n, ok := call.Node().(*ast.CallExpr)
	if !ok {
		return false
	}
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
		if b, ok := c.Uses.Info.Uses[id].(*types.Builtin); ok {
			return slices.Contains([]string{"delete", "clear", "copy"}, b.Name()) && n.Args[0] == part.Node()
		}
	}
	return flow.Of(c.Pass).Call(n).First(flow.Write|flow.Call|flow.Unknown) != nil
}

// pointed reports whether the part of a field that is used lies where a pointer leads
// that has no field's name.
func (c *cow) pointed(use inspector.Cursor) bool {
	part, _ := uses.Elements(use)
	for n := use; n != part; n = n.Parent() {
		_, pointer := c.Uses.Info.TypeOf(n.Node().(ast.Expr)).Underlying().(*types.Pointer)
		if k := n.ParentEdgeKind(); k == edge.StarExpr_X || pointer && (k == edge.IndexExpr_X || k == edge.SliceExpr_X) {
			return true
		}
	}
	return false
}

// under reports whether code runs in sections that write, and nowhere else.
func (c *cow) under(code inspector.Cursor, deep int) bool {
	if slices.ContainsFunc(c.writers, func(s *section.Section) bool {
		return slices.ContainsFunc(s.Stmts, func(stmt inspector.Cursor) bool { return stmt.Contains(code) })
	}) {
		return true
	}
	decl := uses.Decl(code)
	if decl == nil || deep == 0 {
		return false
	}
	fn, _ := c.Uses.Info.Defs[decl.Name].(*types.Func)
	if fn == nil || fn.Exported() {
		return false
	}
	calls := 0
	for id := range c.Uses.Root.Preorder((*ast.Ident)(nil)) {
		if c.Uses.Info.Uses[id.Node().(*ast.Ident)] != fn {
			continue
		}
		if uses.Whole(id).ParentEdgeKind() != edge.CallExpr_Fun || !c.under(id, deep-1) {
			return false
		}
		calls++
	}
	return calls > 0
}

// made reports whether a variable has a struct that its function makes.
func (c *cow) made(id *ast.Ident) bool {
	v, _ := c.Uses.Info.Uses[id].(*types.Var)
	if v == nil || v.IsField() || v.Parent() == c.Pass.Pkg.Scope() {
		return false
	}
	made := false
	for _, use := range c.Uses.Of(v) {
		switch a := use.Parent().Node().(type) {
		case *ast.ValueSpec:
			made = c.Uses.Declares(use) && len(a.Values) == 0
		case *ast.AssignStmt:
			if !slices.Contains(a.Lhs, ast.Expr(use.Node().(*ast.Ident))) {
				continue
			}
			if !c.Uses.Declares(use) || len(a.Lhs) != 1 {
				return false
			}
			e := ast.Unparen(a.Rhs[0])
			if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
				e = ast.Unparen(u.X)
			}
			if call, ok := e.(*ast.CallExpr); ok {
				fun, _ := ast.Unparen(call.Fun).(*ast.Ident)
				made = fun != nil && c.Uses.Info.Uses[fun] == types.Universe.Lookup("new")
			} else {
				_, made = e.(*ast.CompositeLit)
			}
		}
	}
	return made
}

// methods are those of the type with the copy, and the type of the copy.
const methods = `

// %[1]s is what a %[2]s holds at one time. It never changes.
type %[1]s struct {
%[3]s}

// %[9]s returns what %[5]s holds. The first call after a change copies it.
func (%[5]s *%[2]s) %[9]s() *%[1]s {
	if now := %[5]s.%[11]s.Load(); now != nil {
		return now
	}
	return %[5]s.%[10]s()
}

func (%[5]s *%[2]s) %[10]s() *%[1]s {
	%[5]s.%[6]s.%[7]s()
	defer %[5]s.%[6]s.%[8]s()
	now := %[5]s.%[11]s.Load()
	if now == nil {
		now = &%[1]s{
%[4]s}
		%[5]s.%[11]s.Store(now)
	}
	return now
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
	runes := []rune(c.st.Name.Name())
	runes[0] = unicode.ToLower(runes[0])
	used := map[string]bool{} // anywhere in the package: an embedded type may have it
	for n := range c.Uses.Root.Preorder((*ast.Ident)(nil)) {
		used[n.Node().(*ast.Ident).Name] = true
	}
	free := func(name string) string {
		for try, i := name, 2; ; try, i = name+strconv.Itoa(i), i+1 {
			if !used[try] {
				return try
			}
		}
	}
	c.copied, c.current = free("snapshot"), free("current")
	copyType := free(string(runes) + "Snapshot")
	pkg, edits := rewrite.Import(c.Pass.Pkg, file, "sync/atomic", spec.Node().Pos())
	me := string(runes[0])
	if d := uses.Decl(c.readers[0].Enter); d != nil && d.Recv != nil && len(d.Recv.List[0].Names) == 1 {
		me = d.Recv.List[0].Names[0].Name
	}
	var fields, values strings.Builder
	var big []string
	for _, f := range c.fields {
		text, ok := c.written(f)
		if !ok {
			return no(at(f.Pos()), f.Name()+" is declared in another way")
		}
		fmt.Fprintf(&fields, "%s %s\n", f.Name(), text)
		if clone := copied(f.Type()); clone != "" {
			name, imports := rewrite.Import(c.Pass.Pkg, file, clone, spec.Node().Pos())
			edits = append(edits, imports...)
			fmt.Fprintf(&values, "%s: %s.Clone(%s.%[1]s),\n", f.Name(), name, me)
			big = append(big, f.Name())
		} else {
			fmt.Fprintf(&values, "%s: %s.%[1]s,\n", f.Name(), me)
		}
	}
	lock, unlock := "Lock", "Unlock"
	if c.RW {
		lock, unlock = "RLock", "RUnlock"
	}
	edits = append(edits,
		rewrite.Insert(c.st.Node.Fields.Closing, fmt.Sprintf("%s %s.Pointer[%s] // nil after a change\n", c.current, pkg, copyType)),
		rewrite.Insert(decl.Node().End(), fmt.Sprintf(methods, copyType, c.st.Name.Name(), fields.String(), values.String(), me, c.Var.Name(), lock, unlock, c.copied, free("renew"), c.current)))
	for _, s := range c.readers {
		edits = append(edits, c.reads(s)...)
	}
	for _, s := range c.writers {
		x, _ := c.object(s)
		after := s.Enter
		if s.Deferred {
			after = s.Leave
		}
		edits = append(edits, rewrite.Insert(after.Node().End(), "\n"+rewrite.Text(c.Pass.Fset, x)+"."+c.current+".Store(nil)"))
		if d := uses.Decl(s.Enter); d != nil && !slices.Contains(fix.Slower, d) {
			fix.Slower = append(fix.Slower, d)
		}
	}
	fix.Name, fix.Edits, fix.Holds = "cow", edits, c.holds
	fix.Says = "read a copy that never changes, which a write takes away and the next reader makes"
	if len(big) > 0 {
		fix.Dearer = fmt.Sprintf("the first read after a write copies all of %s, which is in memory twice", strings.Join(big, " and "))
	} else {
		fix.Dearer = "the first read after a write allocates"
	}
	return fix, "", 0
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
			if f := c.field(use); c.Uses.Info.Uses[use.Node().(*ast.Ident)] == v && f != nil && c.Guarded[f] {
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
		edits = append(edits, rewrite.Replace(p.Node(), copied))
	}
	return edits
}

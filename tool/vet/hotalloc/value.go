package hotalloc

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// largest is the size of a struct in bytes up to which a copy is offered for a
// pointer. What it costs is measured.
const largest = 256

// A maker is a function that returns a pointer to a new struct.
type maker struct {
	*search
	decl  *ast.FuncDecl
	star  *ast.StarExpr // its result
	typ   types.Type
	edits []analysis.TextEdit
	loops []ast.Node // that call it
}

// constructor looks at func newT(…) *T, where all callers use what T holds.
func (s *search) constructor(c inspector.Cursor, decl *ast.FuncDecl) {
	info := s.pass.TypesInfo
	if decl.Recv != nil || decl.Name.IsExported() || decl.Body == nil || decl.Type.Results == nil || len(decl.Type.Results.List) != 1 || len(decl.Type.Results.List[0].Names) > 0 {
		return
	}
	star, ok := decl.Type.Results.List[0].Type.(*ast.StarExpr)
	if !ok {
		return
	}
	m := maker{search: s, decl: decl, star: star, typ: info.TypeOf(star.X)}
	if _, ok := m.typ.Underlying().(*types.Struct); !ok {
		return
	}
	body, ok := firstChild(c, decl.Body)
	if !ok || !m.makes(body) {
		return
	}
	why := m.edit(body)
	f := s.finding(c, decl, decl.Name.Name+" returns a pointer to what it makes, which is allocated for it")
	f.Pos, f.End = decl.Name.Pos(), decl.Name.End()
	for _, l := range m.loops {
		f.Hot = append(f.Hot, shape.Of(l))
	}
	s.add(f, shape.Fix{Name: "value", Says: "return the struct itself", Edits: m.edits}, why)
}

func firstChild(c inspector.Cursor, n ast.Node) (inspector.Cursor, bool) {
	return c.FindNode(n)
}

// makes reports whether each return gives &T{…}, &v of a local v, or a variable that
// was declared as &T{…} or as new(T).
func (m *maker) makes(body inspector.Cursor) bool {
	n := 0
	for c := range body.Preorder((*ast.ReturnStmt)(nil)) {
		if loop.Func(c) != ast.Node(m.decl) {
			continue
		}
		n++
		r := c.Node().(*ast.ReturnStmt).Results
		if len(r) != 1 {
			return false
		}
		if literal(r[0]) != nil || m.behind(r[0]) != nil {
			continue
		}
		if v := loop.Var(m.pass.TypesInfo, r[0]); v == nil || !m.local(v) {
			return false
		}
	}
	return n > 0
}

// behind is the v of &v, a variable of the function that is declared alone; nil if
// e is none.
func (m *maker) behind(e ast.Expr) *types.Var {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return nil
	}
	v := loop.Var(m.pass.TypesInfo, u.X)
	if v == nil || !types.Identical(v.Type(), m.typ) {
		return nil
	}
	if _, ok := m.of(v); !ok {
		return nil
	}
	return v
}

// apart refuses a variable whose address, or that of a part of it, is known to
// others than those who get what the function returns.
func (m *maker) apart(v *types.Var) *shape.Refusal {
	k := m.keeper()
	for _, c := range m.index.Of(v) {
		if m.index.Declares(c) {
			continue
		}
		if why := k.later(v, c); why != nil {
			return why
		}
		if up := uses.Whole(c); up.ParentEdgeKind() == edge.UnaryExpr_X && uses.Whole(up.Parent()).ParentEdgeKind() == edge.ReturnStmt_Results {
			continue
		}
		var how manner
		if why := k.part(v, c, &how); why != nil {
			return why
		}
	}
	return nil
}

// literal is the T{…} of &T{…}, nil if e is none.
func literal(e ast.Expr) *ast.CompositeLit {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return nil
	}
	lit, _ := ast.Unparen(u.X).(*ast.CompositeLit)
	return lit
}

// of is the declaration of a variable.
func (s *search) of(v *types.Var) (declaration, bool) {
	for _, c := range s.index.Of(v) {
		if !s.index.Declares(c) {
			continue
		}
		st := c.Parent()
		if _, ok := st.Node().(*ast.ValueSpec); ok {
			st = st.Parent().Parent()
		}
		d, ok := s.declaration(st)
		return d, ok && d.v == v
	}
	return declaration{}, false
}

// local reports whether v is declared as new(T) or &T{…}.
func (m *maker) local(v *types.Var) bool {
	d, ok := m.of(v)
	if !ok || d.init == nil || d.typ != nil {
		return false
	}
	if call, ok := d.init.(*ast.CallExpr); ok {
		return loop.Builtin(m.pass.TypesInfo, call) == "new"
	}
	return literal(d.init) != nil
}

func (m *maker) edit(body inspector.Cursor) *shape.Refusal {
	info := m.pass.TypesInfo
	if layout.Sized(m.typ) && m.pass.TypesSizes.Sizeof(m.typ) > largest {
		return shape.No(m.star, "the struct is large to copy")
	}
	if locks(m.typ, map[types.Type]bool{}) {
		return shape.No(m.star, "the struct must not be copied")
	}
	m.edits = append(m.edits, analysis.TextEdit{Pos: m.star.Pos(), End: m.star.X.Pos()})
	made := map[*types.Var]bool{}
	for c := range body.Preorder((*ast.ReturnStmt)(nil)) {
		if loop.Func(c) != ast.Node(m.decl) {
			continue
		}
		r := c.Node().(*ast.ReturnStmt).Results[0]
		if literal(r) != nil {
			m.edits = append(m.edits, unary(r))
			continue
		}
		if v := m.behind(r); v != nil {
			m.edits = append(m.edits, unary(r))
			if why := m.apart(v); why != nil {
				return why
			}
			continue
		}
		v := loop.Var(info, r)
		if made[v] {
			continue
		}
		made[v] = true
		d, _ := m.of(v)
		if call, ok := d.init.(*ast.CallExpr); ok {
			m.edits = append(m.edits, rewrite.Replace(d.at.Node(), "var "+v.Name()+" "+m.text(call.Args[0])))
		} else {
			m.edits = append(m.edits, unary(d.init))
		}
		if why := m.holds(v, true); why != nil {
			return why
		}
	}
	// All calls.
	fn, _ := info.Defs[m.decl.Name].(*types.Func)
	for _, c := range m.calls(fn) {
		call := c.Parent()
		if c.ParentEdgeKind() == edge.IndexExpr_X {
			call = call.Parent()
		}
		if e, ok := call.Node().(*ast.CallExpr); !ok || ast.Unparen(e.Fun).Pos() != c.Node().Pos() || c.ParentEdgeKind() == edge.CallExpr_Args {
			return shape.No(c.Node(), m.decl.Name.Name+" is used as a value")
		}
		m.loops = append(m.loops, uses.Around(call))
		if why := m.result(call); why != nil {
			return why
		}
	}
	return nil
}

// calls are the places that name a function of the package.
func (s *search) calls(fn *types.Func) []inspector.Cursor {
	if s.named == nil {
		s.named = map[*types.Func][]inspector.Cursor{}
		for c := range s.index.Root.Preorder((*ast.Ident)(nil)) {
			if f, ok := s.pass.TypesInfo.Uses[c.Node().(*ast.Ident)].(*types.Func); ok {
				s.named[f.Origin()] = append(s.named[f.Origin()], c)
			}
		}
	}
	return s.named[fn]
}

func unary(e ast.Expr) analysis.TextEdit {
	u := ast.Unparen(e).(*ast.UnaryExpr)
	return analysis.TextEdit{Pos: u.OpPos, End: u.X.Pos()}
}

// result looks at what a caller does with it.
func (m *maker) result(call inspector.Cursor) *shape.Refusal {
	info := m.pass.TypesInfo
	switch call.ParentEdgeKind() {
	case edge.SelectorExpr_X:
		sel := call.Parent().Node().(*ast.SelectorExpr)
		if v, ok := info.Uses[sel.Sel].(*types.Var); ok && v.IsField() && !uses.Written(call.Parent()) {
			return nil
		}
		if f, ok := info.Uses[sel.Sel].(*types.Func); ok {
			if _, ptr := f.Signature().Recv().Type().Underlying().(*types.Pointer); !ptr {
				return nil
			}
		}
		return shape.No(sel, "a method needs a pointer to what a caller gets")
	case edge.StarExpr_X:
		star := call.Parent().Node().(*ast.StarExpr)
		m.edits = append(m.edits, analysis.TextEdit{Pos: star.Pos(), End: star.X.Pos()})
		return nil
	case edge.ExprStmt_X:
		return nil
	case edge.AssignStmt_Rhs:
		a := call.Parent().Node().(*ast.AssignStmt)
		if len(a.Lhs) == 1 && a.Tok == token.DEFINE {
			if v, ok := info.Defs[a.Lhs[0].(*ast.Ident)].(*types.Var); ok && v != nil {
				return m.holds(v, false)
			}
		}
	}
	return shape.No(call.Node(), "a caller keeps the pointer or passes it on")
}

// holds checks that v may be the struct in place of a pointer to it, and makes
// the edits of its uses. The maker returns it.
func (m *maker) holds(v *types.Var, made bool) *shape.Refusal {
	info := m.pass.TypesInfo
	k := m.keeper()
	for _, c := range m.index.Of(v) {
		if m.index.Declares(c) {
			continue
		}
		if why := k.later(v, c); why != nil {
			return why
		}
		parent := c.Parent()
		switch c.ParentEdgeKind() {
		case edge.ReturnStmt_Results:
			if made && loop.Func(c) == ast.Node(m.decl) {
				continue
			}
		case edge.SelectorExpr_X:
			var how manner
			sel := parent.Node().(*ast.SelectorExpr)
			if _, ok := info.Uses[sel.Sel].(*types.Func); ok {
				if why := k.method(v, parent, &how); why != nil {
					return why
				}
				continue
			}
			// A field is of the variable then, and was not before.
			if why := k.part(v, parent, &how); why != nil {
				return why
			}
			if _, ok := info.TypeOf(sel).Underlying().(*types.Array); ok && parent.ParentEdgeKind() == edge.SliceExpr_X {
				return shape.No(sel, "a part of "+v.Name()+" is sliced")
			}
			continue
		case edge.StarExpr_X:
			var how manner
			if why := k.part(v, parent, &how); why != nil {
				return why
			}
			star := parent.Node().(*ast.StarExpr)
			m.edits = append(m.edits, analysis.TextEdit{Pos: star.Pos(), End: star.X.Pos()})
			continue
		case edge.CallExpr_Args:
			var how manner
			if k.Info.Types[parent.Node().(*ast.CallExpr).Fun].IsType() {
				break
			}
			if why := k.argument(v, c, parent, &how); why != nil {
				return why
			}
			m.edits = append(m.edits, rewrite.Insert(c.Node().Pos(), "&"))
			continue
		case edge.BinaryExpr_X, edge.BinaryExpr_Y:
			return shape.No(c.Node(), v.Name()+" is compared")
		}
		return shape.No(c.Node(), v.Name()+" is kept or passed on")
	}
	return nil
}

// locks reports whether a value of the type must not be copied.
func locks(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() {
		case "sync", "sync/atomic", "strings", "bytes":
			return true
		}
	}
	for _, name := range []string{"Lock", "Unlock"} {
		if o, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, nil, name); o != nil && !types.IsInterface(t) {
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if locks(f.Type(), seen) {
				return true
			}
		}
	case *types.Array:
		return locks(u.Elem(), seen)
	}
	return false
}

// pointers looks at a local slice of pointers to structs that are made when
// they are appended, and reports whether it is one.
func (s *search) pointers(d declaration) bool {
	info := s.pass.TypesInfo
	slice, ok := types.Unalias(d.v.Type()).(*types.Slice)
	if !ok {
		return false
	}
	ptr, ok := slice.Elem().(*types.Pointer)
	if !ok {
		return false
	}
	if _, ok := ptr.Elem().Underlying().(*types.Struct); !ok {
		return false
	}
	var put inspector.Cursor
	found := false
	for _, c := range s.index.Of(d.v) {
		if call, ok := c.Parent().Node().(*ast.CallExpr); ok && c.ParentEdgeKind() == edge.CallExpr_Args && c.ParentEdgeIndex() == 0 &&
			loop.Builtin(info, call) == "append" && !call.Ellipsis.IsValid() && len(call.Args) == 2 && literal(call.Args[1]) != nil && !found {
			put, found = c.Parent(), true
		}
	}
	if !found {
		return false
	}
	l, ok := loop.Around(info, put)
	if !ok {
		return false
	}
	p := pointed{search: s, declaration: d}
	why := p.edit(ptr)
	f := s.finding(put, l.Stmt, "each element of "+d.v.Name()+" is allocated by itself")
	s.add(f, shape.Fix{Name: "value", Says: "keep the structs in the slice", Edits: p.edits}, why)
	return true
}

// pointed is a slice of pointers to structs that nothing changes.
type pointed struct {
	*search
	declaration
	edits []analysis.TextEdit
}

func (p *pointed) edit(ptr *types.Pointer) *shape.Refusal {
	info := p.pass.TypesInfo
	if layout.Sized(ptr.Elem()) && p.pass.TypesSizes.Sizeof(ptr.Elem()) > largest {
		return shape.No(p.at.Node(), "the struct is large to copy")
	}
	if locks(ptr.Elem(), map[types.Type]bool{}) {
		return shape.No(p.at.Node(), "the struct must not be copied")
	}
	var typ ast.Expr
	switch e := p.init.(type) {
	case nil:
		typ = p.typ
	case *ast.CompositeLit:
		if len(e.Elts) == 0 {
			typ = e.Type
		}
	case *ast.CallExpr:
		if loop.Builtin(info, e) == "make" && isZero(info, e.Args[1]) {
			typ = e.Args[0]
		}
	}
	list, ok := typ.(*ast.ArrayType)
	if !ok || p.init != nil && p.typ != nil {
		return shape.No(p.at.Node(), p.v.Name()+" is declared in a way of its own")
	}
	star, ok := list.Elt.(*ast.StarExpr)
	if !ok {
		return shape.No(p.at.Node(), p.v.Name()+" is declared in a way of its own")
	}
	p.edits = append(p.edits, analysis.TextEdit{Pos: star.Pos(), End: star.X.Pos()})
	for _, c := range p.index.Of(p.v) {
		if p.index.Declares(c) {
			continue
		}
		if why := p.keeper().later(p.v, c); why != nil {
			return why
		}
		if why := p.use(c); why != nil {
			return why
		}
	}
	return nil
}

func (p *pointed) use(c inspector.Cursor) *shape.Refusal {
	info := p.pass.TypesInfo
	parent := c.Parent()
	switch c.ParentEdgeKind() {
	case edge.CallExpr_Args:
		call := parent.Node().(*ast.CallExpr)
		switch loop.Builtin(info, call) {
		case "len", "cap":
			return nil
		case "append":
			if c.ParentEdgeIndex() != 0 || call.Ellipsis.IsValid() || !p.keeper().back(p.v, parent) {
				return shape.No(call, p.v.Name()+" is kept or passed on")
			}
			for _, a := range call.Args[1:] {
				if literal(a) == nil {
					return shape.No(a, "what is put into "+p.v.Name()+" is known elsewhere")
				}
				p.edits = append(p.edits, unary(a))
			}
			return nil
		}
	case edge.AssignStmt_Lhs:
		return nil // what is assigned is seen itself
	case edge.SliceExpr_X:
		if p.keeper().back(p.v, parent) && p.shorter(parent.Node().(*ast.SliceExpr)) {
			return nil
		}
	case edge.IndexExpr_X:
		return p.read(parent, p.v.Name())
	case edge.RangeStmt_X:
		r := parent.Node().(*ast.RangeStmt)
		if r.Value == nil {
			return nil
		}
		id := identOf(r.Value)
		if id == nil || r.Tok != token.DEFINE {
			return shape.No(r, "an element of "+p.v.Name()+" is kept")
		}
		if id.Name == "_" {
			return nil
		}
		v := info.Defs[id].(*types.Var)
		for _, u := range p.index.Of(v) {
			if p.index.Declares(u) {
				continue
			}
			if why := p.keeper().later(v, u); why != nil {
				return why
			}
			if why := p.read(u, v.Name()); why != nil {
				return why
			}
		}
		return nil
	}
	return shape.No(c.Node(), p.v.Name()+" is kept or passed on")
}

// shorter reports whether x[:high] is no longer than x: beyond it is nil, which
// is no value of the type.
func (p *pointed) shorter(e *ast.SliceExpr) bool {
	info := p.pass.TypesInfo
	if e.High == nil || isZero(info, e.High) {
		return true
	}
	sub, ok := ast.Unparen(e.High).(*ast.BinaryExpr)
	if !ok || sub.Op != token.SUB || info.Types[sub.Y].Value == nil {
		return false
	}
	call, ok := ast.Unparen(sub.X).(*ast.CallExpr)
	return ok && loop.Builtin(info, call) == "len" && loop.Var(info, call.Args[0]) == p.v
}

// read checks that of an element only fields are read: a copy has the same.
func (p *pointed) read(c inspector.Cursor, name string) *shape.Refusal {
	info := p.pass.TypesInfo
	parent := c.Parent()
	if c.ParentEdgeKind() != edge.SelectorExpr_X {
		return shape.No(c.Node(), "an element of "+p.v.Name()+" is kept, compared or passed on")
	}
	sel := parent.Node().(*ast.SelectorExpr)
	if f, ok := info.Uses[sel.Sel].(*types.Func); ok {
		if _, ptr := f.Signature().Recv().Type().Underlying().(*types.Pointer); ptr || parent.ParentEdgeKind() != edge.CallExpr_Fun {
			return shape.No(sel, "a method gets a pointer to an element")
		}
		return nil
	}
	var how manner
	if why := p.keeper().part(p.v, parent, &how); why != nil {
		return why
	}
	if how.written {
		return shape.No(sel, "an element of "+p.v.Name()+" is changed")
	}
	return nil
}

func identOf(e ast.Expr) *ast.Ident {
	id, _ := e.(*ast.Ident)
	return id
}

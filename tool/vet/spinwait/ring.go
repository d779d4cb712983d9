package spinwait

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A ring is a struct with two indexes and an array between them, by which one
// method hands values to the other. Each of them looks until it can go on.
type ring struct {
	*check
	decl             inspector.Cursor // *ast.TypeSpec
	st               *ast.StructType
	head, tail, slot *types.Var
	size             int64
	put, take        *ast.FuncDecl
}

// rings finds those of the package.
func (c *check) rings() (all []shape.Finding) {
	for at := range c.uses.Root.Preorder((*ast.TypeSpec)(nil)) {
		r := &ring{check: c, decl: at}
		if !r.fields() || !r.methods() {
			continue
		}
		f := shape.Finding{
			Pos: at.Node().Pos(), End: r.st.Struct,
			Message: "who finds the ring full or empty looks again and again: that takes a processor from the other side",
			Causes:  []string{"oversubscription", "waiting", "lock", "work", "handoff", "rmw", "trueshare"},
			Hot:     []shape.Range{shape.Of(r.put), shape.Of(r.take)},
		}
		if why, at := r.seen(); why != "" {
			f.Refused = []shape.Refusal{{Name: "channel", Why: why, Pos: at}}
		} else {
			r.channel(&f)
		}
		all = append(all, f)
	}
	return all
}

// fields finds the indexes and the array, and reports whether there is nothing
// else but what keeps them apart.
func (r *ring) fields() bool {
	spec := r.decl.Node().(*ast.TypeSpec)
	st, ok := spec.Type.(*ast.StructType)
	if !ok || spec.Assign.IsValid() {
		return false
	}
	r.st = st
	words := 0
	for _, f := range st.Fields.List {
		for _, name := range f.Names {
			v, _ := r.info.Defs[name].(*types.Var)
			switch t := r.info.TypeOf(f.Type).Underlying().(type) {
			case *types.Array:
				if name.Name == "_" {
					continue
				}
				if r.slot != nil || t.Len() < 1 {
					return false
				}
				r.slot, r.size = v, t.Len()
			case *types.Struct, *types.Basic:
				if name.Name != "_" {
					words++
				}
			default:
				return false
			}
		}
		if f.Names == nil {
			return false
		}
	}
	return r.slot != nil && words == 2
}

// methods finds those that put and take values, as the only ones that use the
// fields.
func (r *ring) methods() bool {
	var fns []*ast.FuncDecl
	for _, use := range r.uses.Of(r.slot) {
		if d := uses.Decl(use); d != nil && d.Recv != nil && !slices.Contains(fns, d) {
			fns = append(fns, d)
		}
	}
	if len(fns) != 2 {
		return false
	}
	for _, d := range fns {
		if d.Body == nil || len(d.Recv.List[0].Names) != 1 {
			return false
		}
		if _, ok := d.Recv.List[0].Type.(*ast.StarExpr); !ok {
			return false
		}
	}
	r.put, r.take = fns[0], fns[1]
	if r.put.Type.Results.NumFields() > 0 {
		r.put, r.take = r.take, r.put
	}
	return r.puts() && r.gets()
}

// steps are what a method does beside looking: idle loops with their condition,
// and the values that its variables have.
type steps struct {
	cond  ast.Expr
	names map[types.Object]ast.Expr
	rest  []ast.Stmt
}

func (r *ring) steps(d *ast.FuncDecl) (s steps, ok bool) {
	s.names = map[types.Object]ast.Expr{}
	for _, st := range d.Body.List {
		switch st := st.(type) {
		case *ast.ForStmt:
			if s.cond != nil || len(s.rest) > 0 || st.Init != nil || st.Post != nil || st.Cond == nil {
				return s, false
			}
			for _, in := range st.Body.List {
				if !r.idle(st, nil, in) {
					return s, false
				}
			}
			s.cond = st.Cond
		case *ast.AssignStmt:
			if st.Tok != token.DEFINE || len(st.Lhs) != 1 || len(st.Rhs) != 1 {
				s.rest = append(s.rest, st)
				continue
			}
			if len(s.rest) > 0 {
				return s, false // the indexes have moved
			}
			if o := r.info.Defs[ident(st.Lhs[0])]; o != nil {
				s.names[o] = st.Rhs[0]
			}
		default:
			s.rest = append(s.rest, st)
		}
	}
	return s, s.cond != nil
}

// value is an expression without names and conversions.
func (r *ring) value(s steps, e ast.Expr) ast.Expr {
	e = r.plainly(e)
	if id, ok := e.(*ast.Ident); ok && s.names[r.info.Uses[id]] != nil {
		return r.value(s, s.names[r.info.Uses[id]])
	}
	return e
}

// index returns the field of the receiver that an expression loads.
func (r *ring) index(s steps, d *ast.FuncDecl, e ast.Expr) *types.Var {
	o, ok := r.op(r.value(s, e))
	if !ok || o.name != "Load" || !r.own(d, o.word) {
		return nil
	}
	return o.v
}

// own reports whether an operand is a field of the receiver.
func (r *ring) own(d *ast.FuncDecl, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && r.info.Uses[nameOf(sel.X)] == r.info.Defs[d.Recv.List[0].Names[0]]
}

func nameOf(e ast.Expr) *ast.Ident {
	if id := ident(e); id != nil {
		return id
	}
	return ast.NewIdent("_")
}

// number is a constant number, or the length of the array.
func (r *ring) number(s steps, e ast.Expr) (int64, bool) {
	e = r.value(s, e)
	if v := r.info.Types[e].Value; v != nil && v.Kind() == constant.Int {
		return constant.Int64Val(v)
	}
	return 0, false
}

// at returns the index that an operand is the array's element of: head of
// slot[head%len(slot)].
func (r *ring) at(s steps, d *ast.FuncDecl, e ast.Expr) *types.Var {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok || r.uses.Var(x.X) != r.slot || !r.own(d, x.X) {
		return nil
	}
	b, ok := r.value(s, x.Index).(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	n, ok := r.number(s, b.Y)
	if ok && (b.Op == token.REM && n == r.size || b.Op == token.AND && n == r.size-1 && n&r.size == 0) {
		return r.index(s, d, b.X)
	}
	return nil
}

// moves reports whether a statement moves an index by one.
func (r *ring) moves(s steps, d *ast.FuncDecl, st ast.Stmt, v *types.Var) bool {
	x, ok := st.(*ast.ExprStmt)
	if !ok {
		return false
	}
	o, ok := r.op(x.X)
	if !ok || o.v != v || !r.own(d, o.word) {
		return false
	}
	one := func(e ast.Expr) bool { n, ok := r.number(s, e); return ok && n == 1 }
	switch o.name {
	case "Add":
		return one(o.args[0])
	case "Store":
		b, ok := r.value(s, o.args[0]).(*ast.BinaryExpr)
		return ok && b.Op == token.ADD && one(b.Y) && r.index(s, d, b.X) == v
	}
	return false
}

// puts reports whether a method waits while the ring is full, and then puts in
// what it is given.
func (r *ring) puts() bool {
	d := r.put
	s, ok := r.steps(d)
	if !ok || d.Type.Results.NumFields() > 0 || d.Type.Params.NumFields() != 1 || len(d.Type.Params.List[0].Names) != 1 || len(s.rest) != 2 {
		return false
	}
	full, ok := ast.Unparen(s.cond).(*ast.BinaryExpr)
	if !ok || full.Op != token.EQL && full.Op != token.GEQ {
		return false
	}
	used, ok := r.value(s, full.X).(*ast.BinaryExpr)
	if n, is := r.number(s, full.Y); !ok || !is || n != r.size || used.Op != token.SUB {
		return false
	}
	r.tail, r.head = r.index(s, d, used.X), r.index(s, d, used.Y)
	if r.tail == nil || r.head == nil || r.tail == r.head {
		return false
	}
	set, ok := s.rest[0].(*ast.AssignStmt)
	return ok && set.Tok == token.ASSIGN && len(set.Lhs) == 1 && r.at(s, d, set.Lhs[0]) == r.tail &&
		r.info.Uses[nameOf(set.Rhs[0])] == r.info.Defs[d.Type.Params.List[0].Names[0]] && r.moves(s, d, s.rest[1], r.tail)
}

// gets reports whether a method waits while the ring is empty, and then returns
// the value that was put in first.
func (r *ring) gets() bool {
	d := r.take
	s, ok := r.steps(d)
	if !ok || d.Type.Results.NumFields() != 1 || d.Type.Params.NumFields() != 0 || len(s.rest) != 2 {
		return false
	}
	empty, ok := ast.Unparen(s.cond).(*ast.BinaryExpr)
	if !ok || empty.Op != token.EQL {
		return false
	}
	a, b := r.index(s, d, empty.X), r.index(s, d, empty.Y)
	if !(a == r.head && b == r.tail || a == r.tail && b == r.head) {
		return false
	}
	ret, ok := s.rest[1].(*ast.ReturnStmt)
	return ok && r.moves(s, d, s.rest[0], r.head) && len(ret.Results) == 1 && r.at(s, d, r.value(s, ret.Results[0])) == r.head && ident(ret.Results[0]) != nil
}

// seen says who else sees what is in the ring.
func (r *ring) seen() (why string, at token.Pos) {
	for _, v := range []*types.Var{r.head, r.tail, r.slot} {
		if why := r.uses.Unseen(v); why != "" {
			return why, v.Pos()
		}
		for _, u := range r.uses.Of(v) {
			if d := uses.Decl(u); !r.uses.Declares(u) && d != r.put && d != r.take {
				return v.Name() + " is looked at elsewhere", u.Node().Pos()
			}
		}
	}
	spec := r.decl.Node().(*ast.TypeSpec)
	obj, _ := r.info.Defs[spec.Name].(*types.TypeName)
	for _, l := range r.uses.Literals(obj) {
		if len(l.Node().(*ast.CompositeLit).Elts) > 0 {
			return "a ring is made with something in it", l.Node().Pos()
		}
	}
	for _, u := range r.uses.Of(r.slot) {
		if r.uses.Declares(u) {
			st, ok := layout.Around(r.uses, u)
			if !ok {
				return "its type has no name here", u.Node().Pos()
			}
			if why, at := st.Relied(r.uses, r.pass.Pkg); why != "" {
				return why, at
			}
		}
	}
	for _, d := range []*ast.FuncDecl{r.put, r.take} {
		if rewrite.Comments(rewrite.File(r.pass, d.Pos()), d.Body) {
			return "a comment in " + d.Name.Name + " would be lost", d.Pos()
		}
	}
	return "", 0
}

// channel puts a channel in the place of the ring's array and indexes.
func (r *ring) channel(f *shape.Finding) {
	spec := r.decl.Node().(*ast.TypeSpec)
	file := rewrite.File(r.pass, spec.Pos())
	var elem ast.Expr
	for _, field := range r.st.Fields.List {
		for _, name := range field.Names {
			if r.info.Defs[name] == types.Object(r.slot) {
				if t, ok := field.Type.(*ast.ArrayType); ok {
					elem = t.Elt
				}
			}
		}
	}
	obj := r.info.Defs[spec.Name]
	if file == nil || elem == nil || file != rewrite.File(r.pass, r.put.Pos()) || file != rewrite.File(r.pass, r.take.Pos()) {
		f.Refused = []shape.Refusal{{Name: "channel", Why: "its methods stand in another file", Pos: spec.Pos()}}
		return
	}
	values := "values"
	for i := 2; ; i++ {
		o, _, _ := types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, r.pass.Pkg, values)
		if o == nil {
			break
		}
		values = fmt.Sprintf("values%d", i)
	}
	sizes := []int{int(r.size)}
	if !uses.Refers(r.slot.Type()) {
		for _, k := range []int{64, 1024} {
			if int64(k) > r.size {
				sizes = append(sizes, k)
			}
		}
	}
	typ := "chan " + r.text(elem)
	head := func(d *ast.FuncDecl) (name, recv string) {
		return d.Recv.List[0].Names[0].Name, r.text(d.Recv.List[0].Type)
	}
	for _, k := range sizes {
		sync, edits := rewrite.Import(r.pass.Pkg, file, "sync", spec.Pos())
		put, recv := head(r.put)
		take, _ := head(r.take)
		edits = append(edits,
			rewrite.Replace(r.st, fmt.Sprintf("struct {\nonce %s.Once\nroom %s // made when it is first asked for\n}", sync, typ)),
			analysis.TextEdit{Pos: r.put.Body.Pos(), End: r.put.Body.End(), NewText: fmt.Appendf(nil, "{ %s.%s() <- %s }", put, values, r.put.Type.Params.List[0].Names[0].Name)},
			analysis.TextEdit{Pos: r.take.Body.Pos(), End: r.take.Body.End(), NewText: fmt.Appendf(nil, "{ return <-%s.%s() }", take, values)},
			rewrite.Insert(r.put.Body.End(), fmt.Sprintf("\n\nfunc (%[1]s %[2]s) %[3]s() %[4]s {\n%[1]s.once.Do(func() { %[1]s.room = make(%[4]s, %[5]d) })\nreturn %[1]s.room\n}", put, recv, values, typ, k)))
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "channel", Value: k,
			Says:  fmt.Sprintf("hand the values on by a channel with room for %d", k),
			Edits: edits,
		})
	}
}

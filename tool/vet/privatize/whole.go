package privatize

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

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Whole returns the edit by which functions that a goroutine hands an object to get one
// of its own, of the same type. They may go through an interface, and the object may
// have others in it:
//
//	ownStats := new(Stats)
//	consume(lines, ownStats)
//	ownStats.addTo(stats)
//
// The loop is that of the goroutine which has e, or the statement. It is for calls that
// come to a loop.
func (p *Package) Whole(l *local.Loop, e ast.Expr) (fix shape.Fix, hot []shape.Range, why string, at token.Pos) {
	o := p.object(l)
	o.whole = &whole{same: map[ast.Expr]bool{}}
	if !o.handed(e) || !o.steady(e) || !o.late() || !o.silent() {
		return fix, nil, o.why, o.at
	}
	for _, x := range o.objects() {
		if !x.consistent() {
			return fix, nil, x.why, x.at
		}
		for _, m := range x.methods {
			hot = append(hot, shape.Of(m.decl))
		}
	}
	for _, h := range o.whole.helpers {
		hot = append(hot, shape.Of(h.Node()))
	}
	if o.behind() {
		o.whole = nil
		fix, why, at = o.fix(true)
	} else {
		fix, why, at = o.own()
	}
	return fix, hot, why, at
}

// whole is what is known of objects that stay of their type.
type whole struct {
	subs    []*object          // within the object, by their types
	helpers []inspector.Cursor // bodies of functions that get the object
	same    map[ast.Expr]bool  // expressions there that stand for it
	params  []types.Type       // as which functions have it
	looped  bool               // a call is in a loop
}

// behind reports whether functions have the object by interfaces alone, of whose methods
// a part has all. It needs neither locks nor atomics.
func (o *object) behind() bool {
	return len(o.whole.subs) == 0 && !slices.ContainsFunc(o.whole.params, func(t types.Type) bool {
		i, ok := t.Underlying().(*types.Interface)
		for n := 0; ok && n < i.NumMethods(); n++ {
			f := i.Method(n)
			ok = slices.ContainsFunc(o.methods, func(m *method) bool { return m.fn.Name() == f.Name() })
		}
		return !ok
	})
}

// objects are the object and those within.
func (o *object) objects() []*object {
	return append([]*object{o}, o.whole.subs...)
}

// handed takes all that the goroutine does with the object.
func (o *object) handed(e ast.Expr) bool {
	o.typ = uses.Named(o.Pass.TypesInfo.TypeOf(e))
	if o.typ == nil || o.typ.TypeParams().Len() > 0 || !o.declared(o.typ) {
		return o.refuse(e, "%s is no struct of the package", types.ExprString(e))
	}
	if !o.stands(e) {
		return false
	}
	fn, _ := uses.Func(o.At)
	for _, u := range o.place.Uses {
		if !o.literal(u.At, fn) || !o.follow(u.At) {
			return false
		}
	}
	return o.whole.looped || o.refuse(e, "no loop calls methods of %s", o.place.Text())
}

// silent reports whether the goroutine tells no other that it is done before it adds its
// own to the shared object.
func (o *object) silent() bool {
	var calls []ast.Node
	for _, c := range o.calls {
		calls = append(calls, c.Node())
	}
	for _, code := range append([]inspector.Cursor{o.At}, o.whole.helpers...) {
		if e := o.effects(code.Node(), calls).First(flow.Send | flow.Close); e != nil {
			return o.refuse(at(e.Pos()), "it %s before the goroutine adds its own", e.String())
		}
		for call := range code.Preorder((*ast.CallExpr)(nil)) {
			if fn := section.Callee(o.Pass.TypesInfo, call.Node().(*ast.CallExpr)); fn != nil && spawn.IsMethod(fn, "sync", "WaitGroup", "Done") {
				return o.refuse(call.Node(), "it is told to be done before the goroutine adds its own")
			}
		}
	}
	return true
}

// declared reports whether a type is a struct that the package declares.
func (o *object) declared(t *types.Named) bool {
	return uses.Under[*types.Struct](t) && o.Uses.Owns(t.Obj().Pkg()) && uses.Global(t.Obj())
}

// follow takes a use of the object: a call of a method, or one that hands it on.
func (o *object) follow(use inspector.Cursor) bool {
	if p := use.Parent(); use.ParentEdgeKind() == edge.UnaryExpr_X && p.Node().(*ast.UnaryExpr).Op == token.AND {
		o.whole.same[use.Node().(ast.Expr)] = true
		use = p
	}
	info, c := o.Pass.TypesInfo, use
	o.whole.same[c.Node().(ast.Expr)] = true
	var path []*types.Var
	for c.ParentEdgeKind() == edge.SelectorExpr_X {
		c = c.Parent()
		s := info.Selections[c.Node().(*ast.SelectorExpr)]
		if s == nil || len(s.Index()) > 1 || s.Kind() == types.MethodExpr {
			break
		}
		if s.Kind() == types.FieldVal {
			path = append(path, s.Obj().(*types.Var).Origin())
			o.whole.same[c.Node().(ast.Expr)] = true
			continue
		}
		call := c.Parent()
		switch _, in := local.Innermost(call); {
		case !now(call):
		case c.ParentEdgeKind() == edge.CallExpr_Fun:
			o.whole.looped = o.whole.looped || in
			o.calls = append(o.calls, call)
			return o.reads(call.Node().(*ast.CallExpr), path, s.Obj().Name(), false)
		case c.ParentEdgeKind() == edge.CallExpr_Args && o.meanwhile(call.Node().(*ast.CallExpr), c.ParentEdgeIndex()): // a method value
			o.whole.looped = true
			o.calls = append(o.calls, call)
			return o.reads(call.Node().(*ast.CallExpr), path, s.Obj().Name(), false)
		}
		break
	}
	call := c.Parent()
	if c != use || c.ParentEdgeKind() != edge.CallExpr_Args || !now(call) {
		return o.refuse(use.Node(), "%s is used in another way than to call methods", types.ExprString(use.Node().(ast.Expr)))
	}
	n := call.Node().(*ast.CallExpr)
	fn := section.Callee(info, n)
	if fn == nil || fn.Signature().Variadic() || fn.Signature().TypeParams().Len() > 0 {
		return o.refuse(n, "it is not known what %s does", types.ExprString(n.Fun))
	}
	decl, ok := o.Uses.Declaration(fn)
	if !ok {
		return o.refuse(n, "it is not known what %s does", types.ExprString(n.Fun))
	}
	_, in := local.Innermost(call)
	o.whole.looped = o.whole.looped || in
	o.calls = append(o.calls, call)
	v := fn.Signature().Params().At(c.ParentEdgeIndex())
	o.whole.params = append(o.whole.params, v.Type())
	body, _ := decl.FindNode(decl.Node().(*ast.FuncDecl).Body)
	if !slices.Contains(o.whole.helpers, body) {
		o.whole.helpers = append(o.whole.helpers, body)
	}
	for _, use := range o.Uses.Of(v) {
		if o.Uses.Declares(use) || o.whole.same[use.Node().(ast.Expr)] {
			continue
		}
		if !o.literal(use, decl) || !o.follow(use) {
			return false
		}
	}
	return true
}

// literal takes the literals of a function that a use is in: each is called meanwhile.
func (o *object) literal(use, fn inspector.Cursor) bool {
	for in, ok := uses.Func(use); ok && in != fn; in, ok = uses.Func(in) {
		call := in.Parent()
		if in.ParentEdgeKind() != edge.CallExpr_Args || !now(call) || !o.meanwhile(call.Node().(*ast.CallExpr), in.ParentEdgeIndex()) {
			return o.refuse(use.Node(), "a function literal has %s", o.typ.Obj().Name())
		}
		body, _ := in.FindNode(in.Node().(*ast.FuncLit).Body)
		if o.whole.looped = true; !slices.Contains(o.whole.helpers, body) {
			o.whole.helpers = append(o.whole.helpers, body)
			o.calls = append(o.calls, call)
		}
	}
	return true
}

// now reports whether a call is made where it stands.
func now(call inspector.Cursor) bool {
	return call.ParentEdgeKind() != edge.GoStmt_Call && call.ParentEdgeKind() != edge.DeferStmt_Call
}

// reads takes the method, of that name, of the object or of what a path of fields leads
// to in it.
func (o *object) reads(call *ast.CallExpr, path []*types.Var, name string, held bool) bool {
	x, t := o, o.typ
	if len(path) > 0 {
		f := o.fields.at(path)
		if t = o.declaredAt(path); f == nil || t == nil {
			return o.refuse(call, "%s is no struct of the package", path[len(path)-1].Name())
		}
		x = o.sub(t)
		f.sub = x
	}
	m, index, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), name)
	fn, ok := m.(*types.Func)
	if !ok || len(index) > 1 {
		return o.refuse(call, "it is not known what %s does", types.ExprString(call.Fun))
	}
	return x.method(fn.Origin(), call, held, true) || o.refuse(at(x.at), "%s", x.why)
}

// sub is the object that stands for those of a type within the object.
func (o *object) sub(t *types.Named) *object {
	t = t.Origin()
	for _, x := range o.whole.subs {
		if x.typ == t {
			return x
		}
	}
	x := &object{Loop: o.Loop, pkg: o.pkg, typ: t, place: o.place, fields: &field{}, adds: o.adds, whole: o.whole}
	o.whole.subs = append(o.whole.subs, x)
	return x
}

// own writes the edit.
func (o *object) own() (fix shape.Fix, why string, where token.Pos) {
	no := func(n ast.Node, why string) (shape.Fix, string, token.Pos) { return shape.Fix{}, why, n.Pos() }
	n, x := o.At.Node(), o.place.Text()
	from, made, where := x, []string(nil), n.Pos() // out of what, and where, another is made
	if o.abroad() {
		from, where = "from", o.typ.Obj().Pos()
	}
	if why := o.here(n); why != "" {
		return no(n, why)
	}
	for _, f := range o.fields.ends() {
		if !f.needed() {
			continue
		}
		text, ok := rewrite.Type(o.Pass.Pkg, rewrite.File(o.Pass, where), where, f.v.Type())
		if !ok || !slices.Contains(o.fields.kids, f) {
			return no(at(f.v.Pos()), f.v.Name()+" cannot be made here")
		}
		if !f.sized {
			made = append(made, fmt.Sprintf("%s: make(%s)", f.v.Name(), text))
		} else {
			made = append(made, fmt.Sprintf("%s: make(%s, len(%s.%[1]s))", f.v.Name(), text, from))
		}
	}
	for _, v := range o.copied {
		made = append(made, fmt.Sprintf("%s: %s.%[1]s", v.Name(), from))
	}
	if o.maybe && slices.ContainsFunc(made, func(text string) bool { return strings.Contains(text, from+".") }) {
		return no(n, x+" may be nil, and another is made out of it")
	}
	var edits []analysis.TextEdit
	var end token.Pos // of what declares the object
	for _, s := range o.objects() {
		more, why, n := s.adding(s != o)
		if why != "" {
			return no(n, why)
		}
		if edits = append(edits, more...); s == o {
			end = more[len(more)-1].Pos
		}
	}
	typ, ok := o.Spell(o.typ)
	if !ok {
		return no(n, o.typ.Obj().Name()+" means something else here")
	}
	name := o.Name(o.Func(), n, "own"+rewrite.Title(o.typ.Obj().Name()))
	first, value := name+" := new("+typ+")", !o.pointer()
	if value {
		first = "var " + name + " " + typ
	}
	switch another := "&" + o.typ.Obj().Name() + "{" + strings.Join(made, ", ") + "}"; {
	case made != nil && o.abroad():
		if value || o.member("Another") != nil {
			return no(n, "another "+o.typ.Obj().Name()+" cannot be made here")
		}
		first = name + " := " + x + ".Another()"
		text := fmt.Sprintf("\n\n// Another returns a %[1]s that has nothing yet, for [%[1]s.AddTo].\nfunc (from *%[1]s) Another() *%[1]s {\nreturn %[2]s\n}", o.typ.Obj().Name(), another)
		edits = append(edits, rewrite.Insert(end, text))
	case made != nil && value:
		first = name + " := " + another[1:]
	case made != nil:
		first = name + " := " + another
	}
	o.there(" is not nil where the loop calls nothing")
	p := part{object: o}
	fix = shape.Fix{
		Name: "own", Edits: edits,
		Says:   fmt.Sprintf("give each goroutine %s of its own, and add that to %s afterwards; what looks at %s meanwhile sees it grow only then", a(o.typ.Obj().Name(), false), x, x),
		Dearer: shape.Memory("each goroutine", p.own()),
	}
	for _, s := range o.objects() {
		o.pkg.added[s.typ] = true // another would declare the same
		for _, h := range s.holds {
			o.assume(h)
		}
	}
	why, where = o.replace(&fix, name, first, fmt.Sprintf("%s.%s(%s)", name, o.adder(), o.address()))
	return fix, why, where
}

// needed reports whether another object needs a field that is made.
func (f *field) needed() bool { return f.sized || uses.Under[*types.Map](f.v.Type()) && !f.lazy }

// adding declares the method that adds one object to another.
func (o *object) adding(sub bool) (edits []analysis.TextEdit, why string, where ast.Node) {
	var spec *ast.TypeSpec
	var decl *ast.GenDecl
	for c := range o.Uses.Root.Preorder((*ast.TypeSpec)(nil)) {
		if s := c.Node().(*ast.TypeSpec); o.Pass.TypesInfo.Defs[s.Name] == o.typ.Obj() {
			spec, decl = s, c.Parent().Node().(*ast.GenDecl)
		}
	}
	if o.member(o.adder()) != nil || o.pkg.added[o.typ] {
		return nil, o.adder() + " is declared already", spec
	}
	p := part{object: o, file: rewrite.File(o.Pass, decl.Pos()), at: decl}
	recv := o.typ.Obj().Name()
	if spec.TypeParams != nil {
		var names []string
		for _, f := range spec.TypeParams.List {
			for _, id := range f.Names {
				if names = append(names, id.Name); slices.Contains(texts, id.Name) {
					return nil, id.Name + " is declared already", id
				}
			}
		}
		recv += "[" + strings.Join(names, ", ") + "]"
	}
	var first, sums strings.Builder // without the lock, and under it
	var empty []string              // conditions that nothing was added to a field
	all := true
	for _, f := range o.fields.ends() {
		if sub && (f.needed() || len(o.copied) > 0) {
			return nil, "one of " + o.typ.Obj().Name() + " would have to be made", spec
		}
		b := &sums
		if f.sub != nil || atomicOf(f.v.Type()) != "" {
			b = &first // a lock that others hold meanwhile is their own
		} else if !f.sized {
			empty = append(empty, p.unchanged(f))
		} else if all = false; o.locked != nil {
			o.assume("the lock of " + o.place.Text() + " is free afterwards")
		}
		if f.key != nil || f.by != "" || !p.merge(b, f, "to"+f.path, "p"+f.path) {
			return nil, f.v.Name() + " cannot be added up", at(f.v.Pos())
		}
	}
	guard := ""
	if o.locked != nil {
		if uses.Under[*types.Pointer](o.locked.Type()) {
			return nil, "the lock of " + o.typ.Obj().Name() + " is elsewhere", spec
		}
		if all {
			guard = "if " + strings.Join(empty, " && ") + " {\nreturn\n}\n"
		}
		guard += fmt.Sprintf("to%[1]s.Lock()\ndefer to%[1]s.Unlock()\n", o.guard)
	}
	if sums.Len() == 0 {
		guard = ""
	}
	text := fmt.Sprintf("\n\n// %[1]s adds p to another. Nothing else uses p.\nfunc (p *%[2]s) %[1]s(to *%[2]s) {\n%[3]s%[4]s%[5]s%[6]s}\n", o.adder(), recv, o.none(), first.String(), guard, sums.String())
	return []analysis.TextEdit{rewrite.Insert(decl.End(), strings.TrimRight(text, "\n"))}, "", nil
}

// Package privatize gives a goroutine an object of its own where a loop adds to one
// that goroutines share, call by call. What it has is added to the shared one after
// the loop.
//
// Before:
//
//	for _, v := range visits { t.note(v) }   note adds under a lock of t, or to its atomics
//
// After:
//
//	var part trafficPart
//	for _, v := range visits { part.note(v) }
//	part.addTo(t)
//
// A part has the fields that are added to, without locks and atomics. It has the
// methods that the loop calls, and what these call. They may count, add up, append, keep
// the largest or smallest, and put a constant into a map. They may make elements of a map
// that are not there yet. Nothing that they do may depend on what was added before. So the order of
// the calls of different goroutines makes no difference. Those of one may come together,
// at its end. Compilers know this as privatization (Tu and Padua, Automatic Array
// Privatization, 1993).
//
// Others see the object grow only then. A scheduler that lets the goroutine run alone
// shows them the same. That is so if the loop waits for nothing, tells others nothing and
// looks at nothing that they set. Of other loops the edit says that nothing may look.
//
// Where functions get the object, and not by interfaces alone, the part is one of its
// type: see [Package.Whole]. To ask costs what package flow takes for the methods.
package privatize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Package is one whose loops get objects of their own.
type Package struct {
	*local.Package
	sections *section.Index
	names    map[string]bool       // that the package has, and that edits declare
	Covered  map[ast.Node]bool     // calls of an edit
	added    map[*types.Named]bool // types that an edit gives a method addTo
}

// New returns the Package of a pass, with the sections of its locks.
func New(p *local.Package, sections *section.Index) *Package {
	names := map[string]bool{}
	for c := range p.Uses.Root.Preorder((*ast.Ident)(nil)) {
		names[c.Node().(*ast.Ident).Name] = true
	}
	return &Package{p, sections, names, map[ast.Node]bool{}, map[*types.Named]bool{}}
}

// An object is what a loop calls methods of.
type object struct {
	*local.Loop
	pkg      *Package
	typ      *types.Named
	place    *local.Place
	calls    []inspector.Cursor         // of the loop, of what they are called on
	fields   *field                     // that are added to; the object itself
	copied   []*types.Var               // fields that are read, and never change
	sets     []*types.Var               // fields of new elements that are set
	adds     map[*types.Var]token.Token // what changes: fields, and those of elements of maps, and by what
	locked   *types.Var                 // the lock, nil for none
	guard    string                     // how it is written after the name of the object
	floats   bool
	seen     bool     // it may be, while the loop runs
	maybe    bool     // it may be nil, which its methods ask
	holds    []string // what nothing proves
	methods  []*method
	inner    []*object // that stand for elements, whose methods are called
	captures *captures // it is no object, but variables that the loop names; nil for others
	whole    *whole    // the part is of the same type; nil if it gets one of its own

	why string
	at  token.Pos
}

// object returns what a loop has to do with, of which nothing is known.
func (p *Package) object(l *local.Loop) *object {
	return &object{Loop: l, pkg: p, fields: &field{}, adds: map[*types.Var]token.Token{}}
}

// Edit returns the edit by which a loop calls methods of a part, or why there is none.
// The call is one that the loop has; what it calls is hot.
func (p *Package) Edit(l *local.Loop, call inspector.Cursor) (fix shape.Fix, hot []shape.Range, why string, at token.Pos) {
	o := p.object(l)
	if !o.find(call) || !o.steady(o.place.Expr) || !o.understood() || !o.late() {
		return fix, nil, o.why, o.at
	}
	for _, m := range o.methods {
		hot = append(hot, shape.Of(m.decl))
	}
	fix, why, at = o.fix(false)
	return fix, hot, why, at
}

func (o *object) refuse(n ast.Node, format string, args ...any) bool {
	if o.why == "" {
		o.why, o.at = fmt.Sprintf(format, args...), n.Pos()
	}
	return false
}

// because refuses for a reason, if there is one.
func (o *object) because(why string, at token.Pos) bool {
	if o.why == "" {
		o.why, o.at = why, at
	}
	return o.why == ""
}

// find takes the object of a call, and all that the loop does with it.
func (o *object) find(call inspector.Cursor) bool {
	x := call.Node().(*ast.CallExpr)
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok || !o.is(sel) {
		return o.refuse(x, "%s is no method of a struct of the package", types.ExprString(x.Fun))
	}
	if o.typ = uses.Named(o.Pass.TypesInfo.TypeOf(sel.X)); !o.stands(sel.X) {
		return false
	}
	for _, u := range o.place.Uses {
		c := u.At.Parent()
		sel, ok := c.Node().(*ast.SelectorExpr)
		if !ok || !o.is(sel) || c.ParentEdgeKind() != edge.CallExpr_Fun || c.Parent().ParentEdgeKind() == edge.GoStmt_Call {
			return o.refuse(u.At.Node(), "the loop uses %s in another way", o.place.Text())
		}
		o.calls = append(o.calls, c.Parent())
	}
	return true
}

// stands reports whether an expression is of the same object in all iterations.
func (o *object) stands(e ast.Expr) (ok bool) {
	if o.Func() == nil {
		return o.refuse(e, "it is in no function")
	}
	o.place, ok = local.PlaceOf(o.Uses, e, o.At)
	return ok && len(o.place.Uses) > 0 || o.refuse(e, "%s is not the same in all iterations", types.ExprString(e))
}

// steady reports whether an expression stands for one object as long as the package
// runs what it was first set in: a variable or field of one that is set once.
func (o *object) steady(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := o.Pass.TypesInfo.ObjectOf(x).(*types.Var)
		if v != nil && !slices.ContainsFunc(o.Uses.Of(v), func(use inspector.Cursor) bool {
			return !o.Uses.Declares(use) && (assigned(use) || uses.Under[*types.Pointer](v.Type()) && uses.Written(uses.Whole(use)))
		}) && (!uses.Global(v) || o.Uses.Unseen(v) == "") {
			return true
		}
	case *ast.SelectorExpr:
		v := o.Uses.Var(x)
		if v != nil && v.IsField() && o.settled(v) {
			return o.steady(x.X)
		}
	}
	return o.refuse(e, "%s may be another meanwhile", types.ExprString(e))
}

// assigned reports whether a use sets a variable, other than by its address.
func assigned(use inspector.Cursor) bool {
	whole := uses.Whole(use)
	if u, ok := whole.Parent().Node().(*ast.UnaryExpr); ok && u.Op == token.AND {
		return false
	}
	return uses.Written(whole)
}

// is reports whether a selector names a method of a struct of the package.
func (o *object) is(sel *ast.SelectorExpr) bool {
	n := uses.Named(o.Pass.TypesInfo.TypeOf(sel.X))
	if o.selected(sel, types.MethodVal) == nil || n == nil || n.TypeParams().Len() > 0 {
		return false
	}
	return uses.Under[*types.Struct](n) && (o.typ == nil || o.typ == n) && uses.Global(n.Obj())
}

// selected returns the field or method that a selector names, unless it is of another
// kind, or of what is embedded.
func (o *object) selected(sel *ast.SelectorExpr, kind types.SelectionKind) types.Object {
	if s := o.Pass.TypesInfo.Selections[sel]; s != nil && s.Kind() == kind && len(s.Index()) == 1 {
		return s.Obj()
	}
	return nil
}

// understood reads the methods.
func (o *object) understood() bool {
	for _, c := range o.calls {
		call := c.Node().(*ast.CallExpr)
		if !o.method(section.Callee(o.Pass.TypesInfo, call), call, false, true) {
			return false
		}
	}
	for _, m := range o.methods {
		if m.gives != nil && m.loop {
			return o.refuse(m.decl, "%s hands out a part of the object", m.fn.Name())
		}
	}
	return o.consistent()
}

// consistent reports whether what the methods do comes to the same in any order.
func (o *object) consistent() bool {
	if len(o.fields.kids) == 0 {
		return o.refuse(o.place.Expr, "it adds to nothing that the goroutines share")
	}
	// What one method adds to another may read.
	guarded := map[*types.Var]bool{}
	if o.locked != nil {
		for _, l := range o.pkg.sections.Locks {
			if l.Var == o.locked {
				if guarded = o.pkg.sections.Guarded(l); len(l.Others) > 0 {
					o.assume(o.place.Text() + guardsNothing)
				}
			}
		}
	}
	for _, m := range o.methods {
		if !o.apart(guarded, m.body.Node(), m.does...) {
			return false
		}
		for _, e := range m.operands {
			if !o.apart(guarded, e) {
				return false
			}
		}
		for _, b := range m.blocks {
			if !o.apart(guarded, b, m.does...) {
				return false
			}
		}
	}
	return o.once()
}

// once reports whether what is added to is not set or read as well, and what keeps an
// extreme begins with 0.
func (o *object) once() bool {
	for _, x := range o.inner {
		if !x.consistent() {
			return o.refuse(at(x.at), "%s", x.why)
		}
	}
	for _, v := range append(o.sets, o.copied...) {
		if o.adds[v] != 0 {
			return o.refuse(at(v.Pos()), "%s is set or read, and added to", v.Name())
		}
	}
	for v, op := range o.adds {
		if (op == token.GTR || op == token.LSS) && !o.begins(v, op) {
			return false
		}
	}
	return true
}

// late reports whether the calls may come after the loop.
func (o *object) late() bool {
	if _, statement := o.At.Node().(*ast.ExprStmt); !statement {
		if !o.because(o.Leaves()) {
			return false
		}
	}
	var calls []ast.Node
	for _, c := range o.calls {
		for up := range c.Enclosing((*ast.ReturnStmt)(nil)) {
			return o.refuse(up.Node(), "what is returned comes of a call")
		}
		calls = append(calls, c.Node())
	}
	for _, c := range o.calls {
		for _, arg := range c.Node().(*ast.CallExpr).Args {
			if _, lit := arg.(*ast.FuncLit); !(lit && o.whole != nil) && !o.around(arg) { // of that the body is read
				return false
			}
		}
	}
	if !o.around(o.At.Node(), calls...) {
		return false
	}
	if o.locked != nil && o.Holding(calls...) {
		return o.refuse(o.At.Node(), "another lock may be held where the loop is left")
	}
	if o.whole != nil {
		for _, h := range o.whole.helpers {
			if !o.around(h.Node(), calls...) {
				return false
			}
		}
		for _, s := range o.whole.subs {
			o.floats = o.floats || s.floats
		}
	}
	if o.locked != nil && uses.Mentions(o.Pass.TypesInfo, o.Func(), o.locked) { // it may be held there
		return o.refuse(o.At.Node(), "the function of the loop has to do with the lock of %s", o.place.Text())
	}
	if o.seen {
		o.assume("nothing looks at " + o.place.Text() + " before the loop is done")
	}
	if o.floats {
		if !o.AtOnce() {
			return o.refuse(o.At.Node(), "the order in which floats are added is fixed")
		}
		o.assume("the order in which floats are added makes no difference")
	}
	if o.Recovers {
		o.assume("no panic of the loop is stopped")
	}
	return o.because(o.Rescued(o.place))
}

// around reports whether code of the loop does not look at what is added to. Where it
// waits for others, or others may, none may look before the loop is done.
func (o *object) around(code ast.Node, but ...ast.Node) bool {
	for _, e := range o.effects(code, but) {
		if v := e.Var(); v != nil && o.adds[v.Origin()] != 0 {
			return o.refuse(at(e.Pos()), "the loop %s", e.String())
		}
		switch {
		case e.Kind&flow.Exit != 0:
			return o.refuse(at(e.Pos()), "the loop may end the goroutine")
		case e.Kind&apart != 0:
			if o.seen = true; o.ordered() {
				o.assume("the order in which goroutines add makes no difference")
			}
		}
	}
	// What is added to may have another name.
	ast.Inspect(code, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if t := o.Pass.TypesInfo.TypeOf(e); t != nil && o.leads(t) && !o.receiver(e) && !slices.Contains(but, n) {
			o.seen = true
		}
		sel, ok := n.(*ast.SelectorExpr) // of x.f only f counts
		return !ok || !loop.Chain(sel)
	})
	return true
}

// effects are those of code, without some nodes of it. What it stands in is none of them.
func (o *object) effects(code ast.Node, but []ast.Node) flow.Effects {
	inner := slices.DeleteFunc(slices.Clone(but), func(n ast.Node) bool { return !spawn.Within(code, n) })
	return flow.Of(o.Pass).Within(code, inner...)
}

// ordered reports whether what comes of the calls shows in which order they were made.
func (o *object) ordered() bool {
	return o.floats || len(o.sets) > 0 || slices.ContainsFunc(o.fields.ends(), func(f *field) bool {
		return uses.Under[*types.Slice](f.v.Type()) && !f.sized
	})
}

// leads reports whether a value of a type may be the object, what it adds to or what has
// that as an element.
func (o *object) leads(t types.Type) bool {
	for range 2 {
		if uses.Named(t) == o.typ {
			return true
		}
		if slices.ContainsFunc(o.fields.ends(), func(f *field) bool {
			elem := f.val
			switch u := f.v.Type().Underlying().(type) {
			case *types.Map:
				if elem = u.Elem(); types.Identical(u, t.Underlying()) {
					return true
				}
			case *types.Slice:
				return types.Identical(u, t.Underlying())
			}
			return elem != nil && uses.Under[*types.Pointer](elem) && types.Identical(uses.Deref(elem), uses.Deref(t))
		}) {
			return true
		}
		e, ok := t.Underlying().(interface{ Elem() types.Type })
		if !ok {
			return false
		}
		t = e.Elem()
	}
	return false
}

// receiver reports whether an expression is what the loop calls methods on.
func (o *object) receiver(e ast.Expr) bool {
	return o.whole != nil && o.whole.same[e] || slices.ContainsFunc(o.place.Uses, func(u local.Use) bool {
		return u.At.Node().Pos() <= e.Pos() && e.End() <= u.At.Node().End()
	})
}

// apart is what makes it count when code runs, or shows it.
const apart = flow.Sync | flow.Look | flow.Call | flow.Unknown | flow.Lock | flow.Send | flow.Receive | flow.Close | flow.Wait | flow.Spawn | flow.Exit | flow.Ask | flow.Tell

// guardsNothing is said of an object whose lock may be for what its methods read.
const guardsNothing = " guards nothing by its lock but what it adds to"

// fresh is memory that a method makes.
var fresh = flow.Roots{1 << flow.Fresh, ^uint64(0)}

// apart reports whether code of a method may run at another time than what others do, and
// without the lock: it does not look at what is added to, nor at what others write under
// the lock.
func (o *object) apart(guarded map[*types.Var]bool, code ast.Node, but ...ast.Node) bool {
	for _, e := range o.effects(code, but) {
		others := !e.On.Without(fresh).Empty()
		switch v := e.Var(); {
		case e.Kind&apart != 0, others && (e.Kind == flow.Write || v != nil && (o.adds[v.Origin()] != 0 || guarded[v])):
			return o.refuse(at(max(e.Pos(), code.Pos())), "what stands around the calls %s", e.String())
		case e.Kind == flow.Read && v == nil && o.locked != nil && others:
			o.assume(o.place.Text() + guardsNothing)
		}
	}
	return true
}

// at is a node of no length.
type at token.Pos

func (p at) Pos() token.Pos { return token.Pos(p) }
func (p at) End() token.Pos { return token.Pos(p) }

// fix writes the edit; handed is whether functions get a pointer to the part.
func (o *object) fix(handed bool) (fix shape.Fix, why string, at token.Pos) {
	no := func(n ast.Node, why string) (shape.Fix, string, token.Pos) { return shape.Fix{}, why, n.Pos() }
	st, ok := layout.Of(o.Uses, o.typ)
	if !ok {
		return no(o.calls[0].Node(), "the declaration of "+o.typ.Obj().Name()+" was not found")
	}
	spec := st.Under.Parent().Parent().Node().(*ast.GenDecl)
	name, maker := rewrite.Lower(o.typ.Obj().Name()), "new"
	if o.abroad() {
		name, maker = rewrite.Title(name), "New"
	}
	p := part{object: o, file: rewrite.File(o.Pass, spec.Pos()), at: spec}
	for i := 1; p.name == "" || o.pkg.names[p.name] || o.pkg.names[p.make]; i++ {
		p.name = name + "Part"
		if i > 1 {
			p.name += strconv.Itoa(i)
		}
		p.make = maker + rewrite.Title(p.name)
	}
	if o.member(o.adder()) != nil {
		return no(spec, o.typ.Obj().Name()+" has an "+o.adder()+" of its own")
	}
	for _, name := range texts {
		if _, scope := rewrite.Around(o.Pass.Pkg, spec.Pos()); scope != nil {
			if _, found := scope.LookupParent(name, spec.Pos()); found != nil {
				return no(spec, name+" is declared already")
			}
		}
	}
	if why := o.here(spec); why != "" {
		return no(spec, why)
	}
	edits, ok := p.edits()
	if !ok {
		return no(spec, "its fields cannot be added up where "+o.typ.Obj().Name()+" is declared")
	}
	n, x := o.At.Node(), o.place.Text()
	if o.maybe && p.from {
		return no(n, x+" may be nil, and a part is made out of it")
	}
	part, to := o.Name(o.Func(), n, "part"), o.address()
	from, ok := o.qualifier()
	if !ok {
		return no(n, o.typ.Obj().Name()+" means something else here")
	}
	first := "var " + part + " " + from + p.name
	if handed && to == x {
		first = part + " := new(" + from + p.name + ")"
	}
	if p.makes() {
		star := "" // where its address is handed on
		if handed && to != x {
			star = "*"
		}
		first = part + " := " + star + from + p.make + "()"
		if p.from {
			first = part + " := " + star + from + p.make + "(" + to + ")"
		}
	}
	o.pkg.names[p.name], o.pkg.names[p.make] = true, true
	for _, c := range o.calls {
		o.pkg.Covered[c.Node()] = true
	}
	if p.from || p.empty() == "" || o.seen {
		o.there(" is not nil where the loop calls nothing")
	}
	fix = shape.Fix{
		Name: "local", Edits: edits,
		Says: fmt.Sprintf("give each goroutine a part of its own to call %s on, and add that to %s after the loop; what looks at %s meanwhile sees it grow only then",
			strings.Join(o.called(), " and "), x, x),
		Dearer: shape.Memory("each goroutine", p.own()),
	}
	why, at = o.replace(&fix, part, first, fmt.Sprintf("%s.%s(%s)", part, o.adder(), to))
	return fix, why, at
}

// here says why what is written may mean something else where a node is.
func (o *object) here(n ast.Node) string {
	if rewrite.InTest(o.Pass.Fset, o.At.Node()) {
		return "a test is to call what it tests"
	}
	if !rewrite.Universal(o.Pass.Pkg, n.Pos(), "make", "len", "append", "nil", "new", "int32", "int64", "uint32", "uint64") {
		return "a predeclared name means something else"
	}
	return ""
}

// member returns the field or method of the object that has a name.
func (o *object) member(name string) types.Object {
	have, _, _ := types.LookupFieldOrMethod(types.NewPointer(o.typ), true, o.typ.Obj().Pkg(), name)
	return have
}

// pointer reports whether the loop names the object by a pointer.
func (o *object) pointer() bool {
	return uses.Under[*types.Pointer](o.Pass.TypesInfo.TypeOf(o.place.Expr))
}

// address is a pointer to the object, as the loop has it.
func (o *object) address() string {
	if o.pointer() {
		return o.place.Text()
	}
	return "&" + o.place.Text()
}

// there assumes that there is an object where the loop does not run, unless that is clear.
func (o *object) there(what string) {
	e := o.place.Expr
	if o.pointer() {
		e = &ast.StarExpr{X: e}
	}
	if !o.maybe && !o.Evaluates(e) {
		o.assume(o.place.Text() + what)
	}
}

// replace lets the loop use a variable, that is declared before it, in the place of the
// object. Another text stands after the loop.
func (o *object) replace(fix *shape.Fix, name, before, after string) (why string, at token.Pos) {
	more, why, at := o.After(after, o.place.Expr)
	for _, u := range o.place.Uses {
		more = append(more, rewrite.Replace(u.At.Node(), name))
	}
	fix.Edits = append(append(fix.Edits, more...), rewrite.Insert(o.At.Node().Pos(), before+"\n"))
	fix.Holds = strings.Join(o.holds, ", and ")
	return why, at
}

// abroad reports whether the object is of another package than the loop.
func (o *object) abroad() bool {
	pkg, _ := rewrite.Around(o.Pass.Pkg, o.At.Node().Pos())
	return pkg != o.typ.Obj().Pkg()
}

// adder is the name of the method that adds one object to another.
func (o *object) adder() string {
	if o.abroad() {
		return "AddTo"
	}
	return "addTo"
}

// qualifier is what stands before names of the object's package, where the loop is.
func (o *object) qualifier() (text string, ok bool) {
	if !o.abroad() {
		return "", true
	}
	text, ok = o.Spell(o.typ)
	return strings.TrimSuffix(text, o.typ.Obj().Name()), ok
}

// texts are the names that what is written has.
var texts = []string{"p", "to", "from", "k", "e", "n", "had", "have", "old", "ok", "i", "j"}

// assume adds what nothing proves.
func (o *object) assume(what string) {
	if !slices.Contains(o.holds, what) {
		o.holds = append(o.holds, what)
	}
}

// called are the names of the methods that the loop calls.
func (o *object) called() (names []string) {
	for _, m := range o.methods {
		if m.loop {
			names = append(names, m.fn.Name())
		}
	}
	if names != nil {
		return names
	}
	for _, c := range o.calls {
		if n := section.Callee(o.Pass.TypesInfo, c.Node().(*ast.CallExpr)).Name(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// A part is what stands for an object in a goroutine, as it is written.
type part struct {
	*object
	name string
	make string // what makes one, if that is more than the zero value
	from bool   // out of the object
	file *ast.File
	at   *ast.GenDecl // of the type of the object
}

// edits declare the part.
func (p *part) edits() (edits []analysis.TextEdit, ok bool) {
	whole := p.typ.Obj().Name()
	var fields, made, sums strings.Builder
	for _, f := range p.fields.kids {
		text, ok := p.text(f)
		if !ok {
			return nil, false
		}
		fmt.Fprintf(&fields, "%s %s\n", f.v.Name(), text)
		if f.hashed() {
			fmt.Fprintf(&made, "%s: make(%s),\n", f.v.Name(), text)
		} else if f.sized {
			fmt.Fprintf(&made, "%[1]s: make(%[2]s, len(from.%[1]s)),\n", f.v.Name(), text)
		}
	}
	for _, f := range p.fields.ends() {
		if !p.merge(&sums, f, "to"+f.path, "p"+f.path) {
			return nil, false
		}
	}
	for _, v := range p.copied {
		text, ok := rewrite.Type(p.Pass.Pkg, p.file, p.at.Pos(), v.Type())
		if !ok {
			return nil, false
		}
		fmt.Fprintf(&fields, "%s %s\n", v.Name(), text)
		fmt.Fprintf(&made, "%[1]s: from.%[1]s,\n", v.Name())
	}
	guard := ""
	if empty := p.empty(); empty != "" {
		guard = "if " + empty + " {\nreturn\n}\n"
	} else if p.locked != nil {
		p.assume("the lock of " + p.place.Text() + " is free after the loop")
	}
	if p.locked != nil {
		guard += fmt.Sprintf("to%[1]s.Lock()\ndefer to%[1]s.Unlock()\n", p.guard)
	}
	text := fmt.Sprintf("\n\n// %s is what one goroutine adds to %s, until it does so.\ntype %s struct {\n%s}\n", a(p.name, true), a(whole, false), p.name, fields.String())
	if p.makes() {
		from := ""
		if p.from = strings.Contains(made.String(), "from."); p.from {
			from = "from *" + whole
		}
		if p.abroad() {
			text += fmt.Sprintf("\n// %s returns an empty part.", p.make)
		}
		text += fmt.Sprintf("\nfunc %s(%s) *%s {\nreturn &%[3]s{\n%[4]s}\n}\n", p.make, from, p.name, made.String())
	}
	text += fmt.Sprintf("\n// %[1]s adds the part to the whole. A part is added once.\nfunc (p *%[2]s) %[1]s(to *%[3]s) {\n%[4]s%[5]s%[6]s}\n", p.adder(), p.name, whole, p.none(), guard, sums.String())
	name, more := "", []analysis.TextEdit(nil)
	if strings.Contains(text, "atomic.") {
		name, more = rewrite.Import(p.Pass.Pkg, p.file, "sync/atomic", p.at.Pos())
		if name != "atomic" {
			return nil, false
		}
	}
	edits = append(more, rewrite.Insert(p.at.End(), strings.TrimRight(text, "\n")))
	for _, m := range p.methods {
		d := m.decl
		was := []analysis.TextEdit{rewrite.Replace(d.Recv.List[0].Type, "*"+p.name)}
		src, err := inline.Source(p.Pass, d.Pos(), d.End(), append(was, m.edits...))
		if err != nil {
			return nil, false
		}
		text := fmt.Sprintf("\n\n// %[1]s is %[2]s.%[1]s for a part.\n%[3]s", d.Name.Name, whole, src)
		edits = append(edits, rewrite.Insert(d.End(), text))
	}
	return edits, true
}

// none returns where there is no object to add to.
func (o *object) none() string {
	if !o.maybe {
		return ""
	}
	return "if to == nil {\nreturn\n}\n"
}

// empty is the condition that nothing was added to the part, "" if that is more than an
// expression.
func (p *part) empty() string {
	var all []string
	for _, f := range p.fields.ends() {
		if f.sized {
			return ""
		}
		all = append(all, p.unchanged(f))
	}
	return strings.Join(all, " && ")
}

// unchanged is the condition that nothing was added to a field.
func (p *part) unchanged(f *field) string {
	name := "p" + f.path
	switch {
	case f.hashed(), uses.Under[*types.Slice](f.v.Type()):
		return "len(" + name + ") == 0"
	case uses.Under[*types.Array](f.v.Type()):
		text, _ := p.text(f)
		return name + " == (" + text + "{})"
	}
	return name + " == 0"
}

// makes reports whether a part is more than its zero value.
func (p *part) makes() bool {
	return len(p.copied) > 0 || slices.ContainsFunc(p.fields.kids, func(f *field) bool { return f.hashed() || f.sized })
}

// own is what each goroutine has for itself, "" if that is no more than some words.
func (p *part) own() string {
	var own []string
	for _, f := range p.fields.kids {
		switch t := f.v.Type(); {
		case f.hashed():
			own = append(own, "a map like "+f.v.Name())
		case uses.Under[*types.Slice](t):
			own = append(own, "a slice of what it appends to "+f.v.Name())
		case uses.Under[*types.Array](t):
			own = append(own, "an array like "+f.v.Name())
		}
	}
	return strings.Join(own, " and ")
}

// a is a name with its article.
func a(name string, first bool) string {
	article := "a"
	if first {
		article = "A"
	}
	if strings.ContainsRune("aeioAEIO", rune(name[0])) {
		article += "n"
	}
	return article + " " + name
}

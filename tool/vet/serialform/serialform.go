package serialform

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds concurrent functions beside their serial form.
var Analyzer = shape.Analyzer("serialform",
	"find concurrent functions whose serial form stands beside them\n\nWhere the goroutines do not pay, the function can call it.",
	find, inspect.Analyzer, spawn.Analyzer)

// sizes are those below which the serial form may be called.
var sizes = []int{64, 1024, 16384}

// concurrent is what no serial form does.
const concurrent = flow.Spawn | flow.Send | flow.Receive | flow.Close | flow.Wait

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	for _, x := range forms(pass, nil) {
		all = append(all, x.finding())
	}
	return all, nil
}

// Below is the text by which a function ends with a call of its serial form, and what that
// holds under. It is "" where none stands beside it that could take its place.
func Below(pass *analysis.Pass, decl *ast.FuncDecl) (text, holds string) {
	for _, x := range forms(pass, decl) {
		if x.lacks() == nil {
			return x.returns(x.call), x.holds()
		}
	}
	return "", ""
}

func (x *form) holds() string { return fmt.Sprintf("%s comes to what %s does", x.name(), x.p.Name()) }

// forms are the concurrent functions beside their serial form, only the one of a
// declaration where that is not nil.
func forms(pass *analysis.Pass, only *ast.FuncDecl) (all []*form) {
	does := flow.Of(pass)
	decls := spawn.Decls(pass)
	var parallel, serial []*types.Func
	for n := range pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).PreorderSeq((*ast.FuncDecl)(nil)) {
		decl := n.(*ast.FuncDecl)
		fn, _ := pass.TypesInfo.Defs[decl.Name].(*types.Func)
		if decls[fn] == nil || rewrite.InTest(pass.Fset, decl) {
			continue
		}
		s := does.Func(fn)
		switch {
		case s == nil || s.Endless:
		case s.Effects.First(flow.Spawn) != nil:
			if only != nil && decl != only {
				continue
			}
			parallel = append(parallel, fn)
		case s.Effects.First(concurrent) == nil:
			serial = append(serial, fn)
		}
	}
	for _, p := range parallel {
		var forms []*form
		for _, s := range serial {
			if x := match(pass, p, s, decls[p]); x != nil {
				forms = append(forms, x)
			}
		}
		slices.SortStableFunc(forms, func(a, b *form) int { return cmp.Compare(b.alike, a.alike) })
		if i := slices.IndexFunc(forms, (*form).compiles); i >= 0 {
			all = append(all, forms[i])
		}
	}
	return all
}

func (x *form) finding() shape.Finding {
	f := shape.Finding{
		Pos: x.decl.Name.Pos(), End: x.decl.Name.End(), Func: x.decl,
		Message: fmt.Sprintf("%s starts goroutines, and %s is its serial form", x.p.Name(), x.name()),
		Common:  true,
		// What goroutines do and a loop need not.
		Causes: []string{"alloc", "falseshare", "gc", "grain", "handoff", "imbalance", "lock", "oversubscription", "pool", "rmw", "rwmutex", "select", "syncmap", "timer", "trueshare", "waiting", "work"},
		Hot:    []shape.Range{shape.Of(x.decl)}, Shared: shape.All(spawn.Called(x.pass, x.decl.Body)),
	}
	whole := shape.Fix{
		Name: "serial", Serial: true, Says: "call " + x.name() + ", its serial form",
		Holds: x.holds(), Slower: []*ast.FuncDecl{x.decl},
	}
	if r := x.lacks(); r != nil {
		f.Refused = append(f.Refused, *r)
		return f
	}
	call := x.returns(x.call)
	pays, known := seen(x.pass, &f)
	if !pays {
		serial := whole
		serial.Edits = x.whole(strings.TrimSuffix(call, "\nreturn"), rewrite.Serially(x.decl, x.p.Name()+" is the same as ["+x.name()+"].", x.unused...))
		if idle, doc := slices.Concat(x.unused, x.idle()), x.decl.Doc; doc != nil && len(idle) > 0 {
			serial.Edits = append(serial.Edits, rewrite.Insert(doc.End(), "\n// "+strings.Join(idle, " and ")+" has no effect."))
		}
		f.Fixes = append(f.Fixes, serial)
	}
	if x.chooses() {
		return f
	}
	if parts, no := x.parts(); no == nil {
		f.Fixes = append(f.Fixes, parts)
	} else {
		no.Name = "parts"
		f.Refused = append(f.Refused, *no)
	}
	if known && !pays {
		return f
	}
	size := x.size()
	if size == "" {
		f.Refused = append(f.Refused, shape.Refusal{Name: "threshold", Why: "nothing that it takes tells how much there is to do", Pos: x.decl.Pos()})
		return f
	}
	first, _ := uses.Find(x.pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(), x.decl.Body.List[0])
	for _, n := range sizes {
		below := whole
		below.Name, below.Value, below.Serial = "threshold", n, false
		below.Says = fmt.Sprintf("call %s where %s is below %d", x.name(), size, n)
		below.Edits = []analysis.TextEdit{rewrite.Insert(rewrite.Above(x.pass.Fset, first), fmt.Sprintf("if %s < %d { // less than goroutines cost\n%s\n}\n", size, n, call))}
		f.Fixes = append(f.Fixes, below)
	}
	return f
}

// chooses reports whether the function calls its serial form under a condition already.
func (x *form) chooses() (found bool) {
	for _, st := range x.decl.Body.List {
		if cond, ok := st.(*ast.IfStmt); ok {
			for n := range ast.Preorder(cond.Body) {
				id, _ := n.(*ast.Ident)
				fn, ok := x.pass.TypesInfo.Uses[id].(*types.Func)
				found = found || ok && fn.Origin() == x.s
			}
		}
	}
	return found
}

// seen reports whether a run saw a benchmark of the function that does not lose, and
// whether there is a run.
func seen(pass *analysis.Pass, f *shape.Finding) (pays, known bool) {
	given := pass.ResultOf[heat.Analyzer].(heat.Given)
	if given.Map == nil {
		return false, false
	}
	return slices.ContainsFunc(given.Benches, func(b heat.Bench) bool {
		e := f.Evidence(pass.Fset, &heat.Map{Benches: []heat.Bench{b}})
		return e.Bench != "" && (b.Verdict == "pays" || b.Verdict == "even")
	}), true
}

// returns is the text that ends the function with a call.
func (x *form) returns(call string) string {
	if x.p.Signature().Results().Len() == 0 {
		return call + "\nreturn"
	}
	return "return " + call
}

// whole are the edits by which the function is but calls of its serial form, with another
// comment if there is one.
func (x *form) whole(body, doc string) []analysis.TextEdit {
	edits := []analysis.TextEdit{rewrite.Replace(x.decl.Body, "{\n"+body+"\n}")}
	if doc != "" {
		edits = append(edits, rewrite.Replace(x.decl.Doc, doc))
	}
	return append(edits, unreached(x.pass, x.decl, x.s)...)
}

// size is an expression for how much there is to do, "" if the parameters tell none: the
// length of the first that has one, else the first number.
func (x *form) size() (number string) {
	for _, v := range x.taken {
		length := false
		switch t := v.Type().Underlying().(type) {
		case *types.Slice, *types.Map:
			length = true
		case *types.Basic:
			length = t.Info()&types.IsString != 0
			if number == "" && t.Info()&types.IsInteger != 0 && x.pass.TypesSizes.Sizeof(t) >= 4 {
				number = v.Name()
			}
		}
		if length && rewrite.Universal(x.pass.Pkg, x.decl.Body.Lbrace+1, "len") {
			return "len(" + v.Name() + ")"
		}
	}
	return number
}

// heeds reports whether a body looks at a context in a loop, or hands it on.
func (x *form) heeds(body ast.Node, ctx *types.Var) (does bool) {
	ast.PreorderStack(body, nil, func(n ast.Node, stack []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && x.pass.TypesInfo.Uses[id] == ctx {
			call, given := stack[len(stack)-1].(*ast.CallExpr)
			does = does || given && slices.Contains(call.Args, ast.Expr(id)) || slices.ContainsFunc(stack, func(n ast.Node) bool {
				l, ok := n.(ast.Stmt)
				return ok && spawn.LoopBody(l) != nil
			})
		}
		return true
	})
	return does
}

// lacks says what one of the two looks at or changes and the other does not. Numbers that
// are only read say how many goroutines there are.
func (x *form) lacks() *shape.Refusal {
	given := x.given()
	var first *shape.Refusal
	no := func(pos token.Pos, why string, args ...any) {
		r := &shape.Refusal{Name: "serial", Why: fmt.Sprintf(why, args...), Pos: pos}
		if first == nil || cmp.Or(cmp.Compare(r.Pos, first.Pos), cmp.Compare(r.Why, first.Why)) < 0 {
			first = r
		}
	}
	own, by := x.fields(x.p), x.fields(x.s)
	for v, use := range own {
		if given[v] && by[v] == nil && (use.written || !integer(v.Type())) && !ofGoroutines(v.Type()) {
			no(use.at.Pos(), "%s does nothing with %s", x.name(), v.Name())
		}
	}
	for v, use := range by {
		if given[v] && own[v] == nil && use.written {
			no(use.at.Pos(), "%s changes %s, and it does not", x.name(), v.Name())
		}
	}
	body := spawn.Decls(x.pass)[x.s].Body
	if at := spawn.Reaches(x.pass, body, x.leads); at != nil {
		no(at.Pos(), "%s may call it", x.name())
	}
	if at := spawn.Recovers(x.pass, x.decl.Body); at != nil && spawn.Recovers(x.pass, body) == nil {
		no(at.Pos(), "it stops panics, and %s does not", x.name())
	}
	for i, v := range x.taken {
		if uses.Is(v.Type(), "context", "Context") && uses.Mentions(x.pass.TypesInfo, x.decl.Body, v) && !x.heeds(body, x.s.Signature().Params().At(i)) {
			no(body.Pos(), "%s does not look at %s meanwhile", x.name(), v.Name())
		}
	}
	params := slices.Collect(x.p.Signature().Params().Variables())
	does, is := x.changes(x.p, params), x.changes(x.s, x.taken)
	for k, e := range does {
		if all := k.on != nil || k.kind&(flow.Tell|flow.Lock) != 0 || e.On.Has(flow.Globals); all && !is.has(k) {
			no(e.Pos(), "it %s, and %s does not", e.String(), x.name())
		}
	}
	for k, e := range is {
		if wrote := k.on != nil || k.name != "" && e.On == flow.Set(flow.Globals); wrote && k.kind&(flow.Write|flow.Sync) != 0 && !does.has(k) {
			no(x.decl.Pos(), "%s %s, and it does not", x.name(), e.String())
		}
	}
	return first
}

// leads reports whether a name of the package may be the function, or is a variable that
// begins with what comes to it.
func (x *form) leads(o types.Object) bool {
	is := func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		return ok && slices.Contains(spawn.Callees(x.pass, fn), x.decl)
	}
	if v, ok := o.(*types.Var); !ok || v.Parent() != x.pass.Pkg.Scope() {
		return is(o)
	}
	return slices.ContainsFunc(x.pass.TypesInfo.InitOrder, func(in *types.Initializer) bool {
		return slices.ContainsFunc(in.Lhs, func(v *types.Var) bool { return v == o }) && spawn.Reaches(x.pass, in.Rhs, is) != nil
	})
}

// A change is of the world, of memory by its name, or of what a parameter leads to.
type change struct {
	kind flow.Kind
	name string
	on   *types.Var // the parameter of the concurrent function
}

type changes map[change]flow.Effect

// anything is a change of memory that may be that of any parameter.
var anything = change{flow.Write, "anything", nil}

func (all changes) has(k change) bool {
	_, is := all[k]
	_, any := all[anything]
	return is || any && k.on != nil && k.kind == flow.Write
}

// changes are those of a function that takes parameters of the concurrent one. A lock of
// the receiver, which is nil, is one.
func (x *form) changes(fn *types.Func, params []*types.Var) changes {
	all := changes{}
	if fn.Signature().Recv() != nil {
		params = append([]*types.Var{nil}, params...)
	}
	for _, e := range flow.Of(x.pass).Func(fn).Effects {
		if e.Kind&(flow.Write|flow.Sync|flow.Tell) != 0 {
			all[change{e.Kind, e.Name, nil}] = e
		}
		if e.On.Has(flow.Anywhere) {
			if e.Kind&(flow.Write|flow.Sync) != 0 {
				all[anything] = flow.Effect{}
			}
			continue
		}
		for i, v := range params {
			if !e.On.Has(flow.Param(i)) && !e.On.Has(flow.Param(i).Behind()) {
				continue
			}
			switch {
			case e.Kind == flow.Lock:
				all[change{flow.Lock, "", v}] = e
			case v != nil && e.Kind&(flow.Write|flow.Sync) != 0:
				all[change{flow.Write, "", v}] = e
			}
		}
	}
	return all
}

// enter notes the fields of a type of the package and of what it leads to.
func (x *form) enter(t types.Type, given map[*types.Var]bool) {
	for t := range uses.LeadsTo(t, 8) {
		if st, ok := t.Underlying().(*types.Struct); ok {
			for v := range st.Fields() {
				given[v.Origin()] = v.Pkg() == x.pass.Pkg
			}
		}
	}
}

// A use is the first of a field.
type use struct {
	at      ast.Node
	written bool
}

// given are the fields of what the function takes.
func (x *form) given() map[*types.Var]bool {
	all := map[*types.Var]bool{}
	for _, v := range append(slices.Collect(x.p.Signature().Params().Variables()), x.p.Signature().Recv()) {
		if v != nil {
			x.enter(v.Type(), all)
		}
	}
	return all
}

// idle are the fields that others may set and only the concurrent form reads: they say how
// many goroutines there are.
func (x *form) idle() (names []string) {
	given, own, by := x.given(), x.fields(x.p), x.fields(x.s)
	for v := range own {
		if given[v] && by[v] == nil && v.Exported() && integer(v.Type()) {
			names = append(names, v.Name())
		}
	}
	slices.Sort(names)
	return names
}

// fields are those that a function names, and the functions of the package that it comes
// to. What flow knows of does not have those of a value.
func (x *form) fields(fn *types.Func) map[*types.Var]*use {
	all := map[*types.Var]*use{}
	decl := spawn.Decls(x.pass)[fn]
	for _, d := range append(spawn.Called(x.pass, decl.Body), decl) {
		at, _ := uses.Find(x.pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(), d)
		for id := range at.Preorder((*ast.Ident)(nil)) {
			v, ok := x.pass.TypesInfo.Uses[id.Node().(*ast.Ident)].(*types.Var)
			if !ok || !v.IsField() {
				continue
			}
			if v = v.Origin(); all[v] == nil {
				all[v] = &use{at: id.Node()}
			}
			all[v].written = all[v].written || uses.Written(uses.Whole(id))
		}
	}
	return all
}

// ofGoroutines reports whether a type serves goroutines alone.
func ofGoroutines(t types.Type) bool {
	t = uses.Deref(t)
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync"
	}
	_, ok := t.(*types.Chan)
	return ok
}

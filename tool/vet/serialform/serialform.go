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
)

// Analyzer finds concurrent functions beside their serial form.
var Analyzer = shape.Analyzer("serialform",
	"find concurrent functions whose serial form stands beside them\n\nWhere the goroutines do not pay, the function can call it.",
	find, inspect.Analyzer, spawn.Analyzer)

// sizes are those below which the serial form may be called.
var sizes = []int{64, 1024, 16384}

// concurrent is what no serial form does.
const concurrent = flow.Spawn | flow.Send | flow.Receive | flow.Close | flow.Wait

// A function is a declaration with its object.
type function struct {
	*types.Func
	decl *ast.FuncDecl
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	does := flow.Of(pass)
	var parallel, serial []function
	for fn, d := range spawn.Decls(pass) {
		if inTest(pass, d) {
			continue
		}
		s := does.Func(fn)
		switch {
		case s == nil || s.Endless:
		case s.Effects.First(flow.Spawn) != nil:
			parallel = append(parallel, function{fn, d})
		case s.Effects.First(concurrent) == nil:
			serial = append(serial, function{fn, d})
		}
	}
	inOrder := func(a, b function) int { return cmp.Compare(a.decl.Pos(), b.decl.Pos()) }
	slices.SortFunc(parallel, inOrder)
	slices.SortFunc(serial, inOrder)
	for _, p := range parallel {
		var best *form
		for _, s := range serial {
			if x := match(pass.Pkg, p, s); x != nil && (best == nil || x.alike > best.alike) {
				best = x
			}
		}
		if best != nil {
			all = append(all, best.finding(pass))
		}
	}
	return all, nil
}

func inTest(pass *analysis.Pass, n ast.Node) bool {
	return strings.HasSuffix(pass.Fset.Position(n.Pos()).Filename, "_test.go")
}

func (x *form) finding(pass *analysis.Pass) shape.Finding {
	f := shape.Finding{
		Pos: x.p.decl.Name.Pos(), End: x.p.decl.Name.End(), Func: x.p.decl,
		Message: fmt.Sprintf("%s starts goroutines, and %s is its serial form", x.p.Name(), x.name()),
		Common:  true,
		// What goroutines do and a loop need not.
		Causes: []string{"alloc", "falseshare", "gc", "grain", "handoff", "imbalance", "lock", "oversubscription", "pool", "rmw", "rwmutex", "select", "syncmap", "timer", "trueshare", "waiting", "work"},
		Hot:    []shape.Range{shape.Of(x.p.decl)}, Shared: shape.All(spawn.Called(pass, x.p.decl.Body)),
	}
	whole := shape.Fix{
		Name: "serial", Serial: true, Says: "call " + x.name() + ", its serial form",
		Holds: fmt.Sprintf("%s comes to what %s does", x.name(), x.p.Name()), Slower: []*ast.FuncDecl{x.p.decl},
	}
	if r := x.lacks(pass); r != nil {
		r.Name = whole.Name
		f.Refused = append(f.Refused, *r)
		return f
	}
	pays, known := seen(pass, &f)
	if !pays {
		serial := whole
		serial.Edits = x.whole(pass)
		f.Fixes = append(f.Fixes, serial)
	}
	if known && !pays || x.chooses(pass.TypesInfo) {
		return f
	}
	size := x.size(pass)
	if size == "" {
		f.Refused = append(f.Refused, shape.Refusal{Name: "threshold", Why: "nothing that it takes tells how much there is to do", Pos: x.p.decl.Pos()})
		return f
	}
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	first, ok := in.Root().FindNode(x.p.decl.Body.List[0])
	if !ok {
		return f
	}
	for _, n := range sizes {
		below := whole
		below.Name, below.Value, below.Serial = "threshold", n, false
		below.Says = fmt.Sprintf("call %s where %s is below %d", x.name(), size, n)
		text := "return " + x.call
		if x.p.Signature().Results().Len() == 0 {
			text = x.call + "\n\t\treturn"
		}
		below.Edits = []analysis.TextEdit{rewrite.Insert(rewrite.Above(pass.Fset, first), fmt.Sprintf("if %s < %d { // less than goroutines cost\n\t\t%s\n\t}\n\t", size, n, text))}
		f.Fixes = append(f.Fixes, below)
	}
	return f
}

// chooses reports whether the function calls its serial form under a condition already.
func (x *form) chooses(info *types.Info) (found bool) {
	for _, st := range x.p.decl.Body.List {
		if st, ok := st.(*ast.IfStmt); ok {
			ast.Inspect(st.Body, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				fn, ok := info.Uses[id].(*types.Func)
				found = found || ok && fn.Origin() == x.s.Func
				return !found
			})
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

// whole are the edits by which the function is a call of its serial form. What is said
// of it is said of its goroutines, unless the same is said of both.
func (x *form) whole(pass *analysis.Pass) []analysis.TextEdit {
	text := "{\n\treturn " + x.call + "\n}"
	if x.p.Signature().Results().Len() == 0 {
		text = "{\n\t" + x.call + "\n}"
	}
	edits := []analysis.TextEdit{rewrite.Replace(x.p.decl.Body, text)}
	if doc := x.p.decl.Doc; doc != nil && (x.s.decl.Doc == nil || x.s.decl.Doc.Text() != doc.Text()) {
		says := fmt.Sprintf("// %s is [%s]: goroutines cost more than they gain.", x.p.Name(), x.name())
		if len(x.unused) > 0 {
			be := "is"
			if len(x.unused) > 1 {
				be = "are"
			}
			says += fmt.Sprintf("\n// It takes %s, which %s not used.", strings.Join(x.unused, " and "), be)
		}
		edits = append(edits, rewrite.Replace(doc, says))
	}
	return append(edits, unreached(pass, x.p.decl, x.s.Func)...)
}

// size is an expression for how much there is to do, "" if the parameters tell none: the
// length of the first that has one, else the first number.
func (x *form) size(pass *analysis.Pass) (number string) {
	for v := range x.p.Signature().Params().Variables() {
		if slices.Contains(x.unused, v.Name()) {
			continue
		}
		basic, _ := v.Type().Underlying().(*types.Basic)
		_, slice := v.Type().Underlying().(*types.Slice)
		_, keyed := v.Type().Underlying().(*types.Map)
		switch {
		case slice || keyed || basic != nil && basic.Info()&types.IsString != 0:
			if rewrite.Universal(pass.Pkg, x.p.decl.Body.Lbrace+1, "len") {
				return "len(" + v.Name() + ")"
			}
		case basic != nil && number == "":
			switch basic.Kind() {
			case types.Int, types.Int32, types.Int64, types.Uint, types.Uint32, types.Uint64:
				number = v.Name()
			}
		}
	}
	return number
}

// lacks says what the function looks at or writes and its serial form does not. Numbers
// that are only read say how many goroutines there are.
func (x *form) lacks(pass *analysis.Pass) *shape.Refusal {
	given := map[*types.Var]bool{} // fields of what it takes
	var enter func(t types.Type)
	seen := map[types.Type]bool{}
	enter = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Pointer:
			enter(t.Elem())
		case *types.Slice:
			enter(t.Elem())
		case *types.Map:
			enter(t.Elem())
		case *types.Named:
			if t.Obj().Pkg() == pass.Pkg {
				enter(t.Underlying())
			}
		case *types.Struct:
			for v := range t.Fields() {
				given[v.Origin()] = true
				enter(v.Type())
			}
		}
	}
	for _, t := range parameters(x.p.Signature(), true) {
		enter(t)
	}
	by := fields(pass, x.s)
	for v, use := range fields(pass, x.p) {
		t, basic := v.Type().(*types.Basic)
		number := basic && t.Info()&types.IsInteger != 0 && !use.written
		if given[v] && by[v] == nil && !number && !ofGoroutines(v.Type()) {
			return shape.No(use.at, fmt.Sprintf("%s does nothing with %s", x.name(), v.Name()))
		}
	}
	does := flow.Of(pass)
	is := does.Func(x.s.Func).Effects
	for _, e := range does.Func(x.p.Func).Effects {
		if e.Kind&(flow.Write|flow.Sync|flow.Tell) == 0 || !e.On.Has(flow.Globals) && e.Kind != flow.Tell {
			continue
		}
		if !slices.ContainsFunc(is, func(y flow.Effect) bool { return y.Kind == e.Kind && y.Name == e.Name }) {
			return &shape.Refusal{Why: fmt.Sprintf("it %s, and %s does not", e.String(), x.name()), Pos: e.Pos()}
		}
	}
	return nil
}

// A use is the first of a field.
type use struct {
	at      ast.Node
	written bool
}

// fields are those that a function uses, and the functions of the package that it comes
// to.
func fields(pass *analysis.Pass, f function) map[*types.Var]*use {
	all := map[*types.Var]*use{}
	for _, d := range append(spawn.Called(pass, f.decl.Body), f.decl) {
		written := map[ast.Node]bool{}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			for _, to := range rewrite.Assigned(n) {
				if s, ok := ast.Unparen(to).(*ast.SelectorExpr); ok {
					written[s.Sel] = true
				}
			}
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
				if s, ok := ast.Unparen(u.X).(*ast.SelectorExpr); ok {
					written[s.Sel] = true
				}
			}
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := pass.TypesInfo.Uses[id].(*types.Var); ok && v.IsField() {
					v = v.Origin()
					if all[v] == nil {
						all[v] = &use{at: id}
					}
					all[v].written = all[v].written || written[id]
				}
			}
			return true
		})
	}
	return all
}

// ofGoroutines reports whether a type serves goroutines alone.
func ofGoroutines(t types.Type) bool {
	switch t := t.(type) {
	case *types.Pointer:
		return ofGoroutines(t.Elem())
	case *types.Chan:
		return true
	case *types.Named:
		return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "sync"
	}
	return false
}

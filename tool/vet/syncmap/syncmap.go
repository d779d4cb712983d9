package syncmap

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds maps of type sync.Map.
var Analyzer = shape.Analyzer("syncmap",
	"find maps of package sync where a plain map would do\n\nIts keys and values are interface values, hashed and allocated through their types.",
	find, section.Analyzer, uses.Analyzer)

// A call is the use of a method.
type call struct {
	inspector.Cursor        // the call, or the selector that a loop ranges over
	of               string // the method
	args             []ast.Expr
	on               *types.Var
}

// A group is the variables that may have the same map.
type group struct {
	pass  *analysis.Pass
	index *uses.Index
	funcs map[*types.Func][]inspector.Cursor // where functions are named
	vars  []*types.Var
	done  map[any]bool // variables, results and expressions looked at
	types []ast.Expr   // where its type is written: sync.Map
	calls []call
	leaks map[*types.Var][]inspector.Cursor // uses as a value
	made  map[*types.Var]bool               // begins with a map of its own
	again map[*types.Var]bool               // gets another value later
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	sections := pass.ResultOf[section.Analyzer].(*section.Index)
	index := sections.Uses
	var funcs map[*types.Func][]inspector.Cursor
	done, names := map[*types.Var]bool{}, map[string]bool{}
	for c := range index.Root.Preorder((*ast.SelectorExpr)(nil)) {
		sel := c.Node().(*ast.SelectorExpr)
		if method(pass.TypesInfo, sel) == "" {
			continue
		}
		v := index.Var(sel.X)
		if v == nil || v.Pkg() != pass.Pkg || done[v] {
			continue
		}
		if funcs == nil {
			funcs = named(index)
		}
		g := &group{pass: pass, index: index, funcs: funcs, done: map[any]bool{}, leaks: map[*types.Var][]inspector.Cursor{}, made: map[*types.Var]bool{}, again: map[*types.Var]bool{}}
		why := g.flow(v)
		for _, v := range g.vars {
			done[v] = true
		}
		f := shape.Finding{
			Pos: sel.Pos(), End: sel.End(), Func: uses.Decl(c),
			Message: fmt.Sprintf("%s is a sync.Map: each use boxes, hashes and compares interface values", types.ExprString(sel.X)),
			Causes:  []string{"syncmap"},
		}
		for _, use := range g.calls {
			if r := shape.Of(uses.Around(use.Cursor)); !slices.Contains(f.Hot, r) {
				f.Hot = append(f.Hot, r)
			}
		}
		if len(f.Hot) == 0 {
			f.Hot = []shape.Range{shape.Of(uses.Around(c))}
		}
		var t *typed
		if why == nil {
			t, why = g.typed(names)
		}
		switch {
		case why != nil:
			f.Refused = []shape.Refusal{{Name: "locked", Why: why.Why, Pos: why.Pos}}
		case g.settled():
			for _, t.room = range rooms {
				f.Fixes = append(f.Fixes, shape.Fix{Name: "plain", Value: t.room, Says: "make it a plain map" + t.roomy() + ", which nobody writes that is not alone", Edits: t.edits(plain)})
			}
		default:
			f.Fixes = []shape.Fix{{Name: "locked", Says: "make it a plain map behind a sync.Mutex", Edits: t.edits(mutex)}}
			if g.has("Load") {
				f.Fixes = append(f.Fixes, shape.Fix{Name: "rwlocked", Says: "make it a plain map behind a sync.RWMutex", Edits: t.edits(rwmutex)})
				if !g.writesInLoop() {
					f.Fixes = append(f.Fixes, shape.Fix{Name: "copied", Says: "make it a plain map that is copied to be written", Edits: t.edits(copied),
						Dearer: shape.Slower(g.writers(), "copies all of it"), Slower: g.writers()})
				}
			}
		}
		all = append(all, f)
	}
	return all, nil
}

// rooms are how many elements a map is made with room for. Nobody knows how many
// it will have; one that grows, or in which keys come and go, moves them.
var rooms = []int{0, 64, 512}

// roomy says how much room a map is made with.
func (t *typed) roomy() string {
	if t.room == 0 {
		return ""
	}
	return fmt.Sprintf(" with room for %d", t.room)
}

// method names the method of a sync.Map that is selected, "" if it is none.
func method(info *types.Info, sel *ast.SelectorExpr) string {
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Signature().Recv() == nil || !isMap(f.Signature().Recv().Type()) || !isMap(info.TypeOf(sel.X)) {
		return ""
	}
	return f.Name()
}

func isMap(t types.Type) bool { return t != nil && uses.Is(uses.Deref(t), "sync", "Map") }

// named finds where the functions of a package are named.
func named(x *uses.Index) map[*types.Func][]inspector.Cursor {
	all := map[*types.Func][]inspector.Cursor{}
	for c := range x.Root.Preorder((*ast.Ident)(nil)) {
		if f, ok := x.Info.Uses[c.Node().(*ast.Ident)].(*types.Func); ok {
			all[f] = append(all[f], c)
		}
	}
	return all
}

// flow looks at all uses of a variable, and of those that get the map from it or
// give it to it.
func (g *group) flow(v *types.Var) *shape.Refusal {
	if g.done[v] {
		return nil
	}
	g.done[v] = true
	g.vars = append(g.vars, v)
	at := &ast.Ident{NamePos: v.Pos()}
	switch {
	case v.Pkg() != g.pass.Pkg:
		return shape.No(at, "it is a variable of another package")
	case v.Embedded():
		return shape.No(at, v.Name()+" is embedded")
	case !isMap(v.Type()):
		return shape.No(at, v.Name()+" is not of type sync.Map or *sync.Map")
	}
	if why := g.index.Unseen(v); why != "" {
		return shape.No(at, why)
	}
	for _, c := range g.index.Of(v) {
		if g.index.Declares(c) {
			if why := g.declared(v, c); why != nil {
				return why
			}
			continue
		}
		if why := g.use(v, uses.Whole(c)); why != nil {
			return why
		}
	}
	return nil
}

// declared looks at the declaration of a variable.
func (g *group) declared(v *types.Var, c inspector.Cursor) *shape.Refusal {
	switch d := c.Parent().Node().(type) {
	case *ast.Field:
		return g.field(v, c.Parent())
	case *ast.ValueSpec:
		if d.Type != nil {
			if why := g.ofOne(d.Type, d.Names); why != nil {
				return why
			}
		}
		g.made[v] = !pointer(v) && len(d.Values) == 0
		return g.value(v, c, d.Names, d.Values)
	case *ast.AssignStmt:
		return g.value(v, c, d.Lhs, d.Rhs)
	}
	return shape.No(c.Node(), v.Name()+" gets its value in a way of its own")
}

func pointer(v *types.Var) bool {
	_, is := v.Type().Underlying().(*types.Pointer)
	return is
}

// value looks at what a variable of a list gets.
func (g *group) value(v *types.Var, c inspector.Cursor, to any, from []ast.Expr) *shape.Refusal {
	_, i := c.ParentEdge()
	n := 0
	switch to := to.(type) {
	case []*ast.Ident:
		n = len(to)
	case []ast.Expr:
		n = len(to)
	}
	switch {
	case len(from) == 0:
		return nil
	case len(from) == n:
		g.made[v] = creates(g.index.Info, from[i])
		return g.from(from[i], 0)
	}
	return g.from(from[0], i)
}

// creates reports whether an expression makes a map.
func creates(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok && e.Op == token.AND && isMap(info.TypeOf(lit))
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := info.Uses[id].(*types.Builtin)
		return ok && b.Name() == "new"
	}
	return false
}

// typ notes where the type is written.
func (g *group) typ(e ast.Expr) *shape.Refusal {
	t := ast.Unparen(e)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	if tv := g.index.Info.Types[t]; !tv.IsType() || !uses.Is(tv.Type, "sync", "Map") {
		return shape.No(e, "its type is not written as sync.Map or *sync.Map")
	}
	if !slices.Contains(g.types, t) {
		g.types = append(g.types, t)
	}
	return nil
}

// ofOne notes the one type of several variables.
func (g *group) ofOne(e ast.Expr, names []*ast.Ident) *shape.Refusal {
	for _, id := range names {
		if v, ok := g.index.Info.Defs[id].(*types.Var); ok && id.Name != "_" {
			if why := g.flow(v); why != nil {
				return why
			}
		}
	}
	return g.typ(e)
}

// from looks at an expression that a variable gets: its i-th value.
func (g *group) from(e ast.Expr, i int) *shape.Refusal {
	e = ast.Unparen(e)
	info := g.index.Info
	if info.Types[e].IsNil() {
		return nil
	}
	if creates(info, e) {
		switch e := e.(type) {
		case *ast.UnaryExpr:
			return g.from(e.X, 0)
		case *ast.CompositeLit:
			if e.Type == nil {
				return shape.No(e, "its type is not written")
			}
			return g.typ(e.Type)
		case *ast.CallExpr:
			return g.typ(e.Args[0])
		}
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if v := g.index.Var(e); v != nil && pointer(v) {
			return g.flow(v)
		}
	case *ast.UnaryExpr:
		if v := g.index.Var(e.X); v != nil && e.Op == token.AND {
			return g.flow(v)
		}
	case *ast.CallExpr:
		if lit, ok := ast.Unparen(e.Fun).(*ast.FuncLit); ok {
			at, _ := g.index.Root.FindNode(lit)
			return g.result(at, i)
		}
		if fn := typeutil.StaticCallee(info, e); fn != nil {
			if decl, why := g.closed(fn, e); why != nil {
				return why
			} else {
				return g.result(decl, i)
			}
		}
	}
	return shape.No(e, "the map comes from an expression that does not tell which it is")
}

// closed returns the declaration of a function whose calls are all known.
func (g *group) closed(fn *types.Func, at ast.Node) (decl inspector.Cursor, why *shape.Refusal) {
	decl, ok := g.index.Declaration(fn)
	switch {
	case !ok || fn.Exported() && g.pass.Pkg.Name() != "main":
		return decl, shape.No(at, "other packages may call "+fn.Name()+", or have written it")
	case fn.Signature().Recv() != nil || fn.Signature().TypeParams().Len() > 0 || fn.Signature().Variadic():
		return decl, shape.No(at, fn.Name()+" is a method, generic or variadic")
	}
	if why := g.index.Left.Calls(fn); why != "" {
		return decl, shape.No(at, why)
	}
	for _, c := range g.funcs[fn] {
		if uses.Whole(c).ParentEdgeKind() != edge.CallExpr_Fun {
			return decl, shape.No(c.Node(), fn.Name()+" is used as a value")
		}
	}
	return decl, nil
}

// callsOf returns the calls of a function, declared or literal.
func (g *group) callsOf(fn inspector.Cursor) (all []inspector.Cursor, why *shape.Refusal) {
	switch n := fn.Node().(type) {
	case *ast.FuncLit:
		at := uses.Whole(fn)
		if at.ParentEdgeKind() != edge.CallExpr_Fun {
			return nil, shape.No(n, "a function that has the map is not called where it is written")
		}
		return append(all, at.Parent()), nil
	case *ast.FuncDecl:
		f, _ := g.index.Info.Defs[n.Name].(*types.Func)
		if _, why := g.closed(f, n); why != nil {
			return nil, why
		}
		for _, c := range g.funcs[f] {
			all = append(all, uses.Whole(c).Parent())
		}
	}
	return all, nil
}

// result looks at the i-th result of a function: at what it returns, and who
// gets it.
func (g *group) result(fn inspector.Cursor, i int) *shape.Refusal {
	type key struct {
		ast.Node
		int
	}
	if g.done[key{fn.Node(), i}] {
		return nil
	}
	g.done[key{fn.Node(), i}] = true
	ft := typeOf(fn.Node())
	n := 0
	for _, f := range ft.Results.List {
		if len(f.Names) > 0 {
			return shape.No(f, "a result that has the map has a name")
		}
		if n == i {
			if why := g.typ(f.Type); why != nil {
				return why
			}
		}
		n++
	}
	for c := range fn.Preorder((*ast.ReturnStmt)(nil)) {
		if in, _ := uses.Func(c); in.Node() != fn.Node() {
			continue
		}
		r := c.Node().(*ast.ReturnStmt)
		if len(r.Results) != n {
			return shape.No(r, "a function returns what another does")
		}
		if why := g.from(r.Results[i], 0); why != nil {
			return why
		}
	}
	calls, why := g.callsOf(fn)
	for _, c := range calls {
		if why := g.to(c, i, n); why != nil {
			return why
		}
	}
	return why
}

func typeOf(fn ast.Node) *ast.FuncType {
	switch fn := fn.(type) {
	case *ast.FuncLit:
		return fn.Type
	case *ast.FuncDecl:
		return fn.Type
	}
	return nil
}

// to looks at who gets a value of an expression, the i-th of n.
func (g *group) to(e inspector.Cursor, i, n int) *shape.Refusal {
	for e.ParentEdgeKind() == edge.ParenExpr_X {
		e = e.Parent()
	}
	kind, at := e.ParentEdge()
	parent := e.Parent()
	if n == 1 {
		i = at
	}
	target := func(to ast.Expr) *shape.Refusal {
		if id, ok := ast.Unparen(to).(*ast.Ident); ok && id.Name == "_" {
			return nil
		}
		if v := g.index.Var(to); v != nil {
			return g.flow(v)
		}
		return shape.No(to, "the map is given to what is no variable")
	}
	switch p := parent.Node().(type) {
	case *ast.ExprStmt:
		return nil
	case *ast.AssignStmt:
		if kind == edge.AssignStmt_Rhs {
			return target(p.Lhs[i])
		}
	case *ast.ValueSpec:
		return target(p.Names[i])
	case *ast.KeyValueExpr:
		if kind == edge.KeyValueExpr_Value && n == 1 {
			if id, ok := p.Key.(*ast.Ident); ok {
				if v, ok := g.index.Info.Uses[id].(*types.Var); ok && v.IsField() {
					return g.flow(v.Origin())
				}
			}
		}
	case *ast.ReturnStmt:
		fn, ok := uses.Func(e)
		if ok && n == 1 && typeOf(fn.Node()).Results.NumFields() == len(p.Results) {
			return g.result(fn, i)
		}
	case *ast.CallExpr:
		if kind != edge.CallExpr_Args || n != 1 {
			break
		}
		var fn inspector.Cursor
		if lit, ok := ast.Unparen(p.Fun).(*ast.FuncLit); ok {
			fn, _ = g.index.Root.FindNode(lit)
		} else {
			f := typeutil.StaticCallee(g.index.Info, p)
			if f == nil {
				break
			}
			var why *shape.Refusal
			if fn, why = g.closed(f, p); why != nil {
				return why
			}
		}
		nth := 0
		for _, f := range typeOf(fn.Node()).Params.List {
			for _, id := range f.Names {
				if nth == i {
					if v, ok := g.index.Info.Defs[id].(*types.Var); ok {
						return g.flow(v)
					}
				}
				nth++
			}
		}
	}
	return shape.No(e.Node(), "the map is passed on")
}

// use looks at one use of a variable.
func (g *group) use(v *types.Var, c inspector.Cursor) *shape.Refusal {
	switch parent := c.Parent(); c.ParentEdgeKind() {
	case edge.SelectorExpr_X:
		of := method(g.index.Info, parent.Node().(*ast.SelectorExpr))
		up := uses.Whole(parent)
		switch up.ParentEdgeKind() {
		case edge.CallExpr_Fun:
			n := up.Parent().Node().(*ast.CallExpr)
			if of != "" {
				g.calls = append(g.calls, call{up.Parent(), of, n.Args, v})
				return nil
			}
		case edge.RangeStmt_X:
			if of == "Range" {
				g.calls = append(g.calls, call{up, of, nil, v})
				return nil
			}
		}
		return shape.No(c.Node(), "a method is used as a value")
	case edge.UnaryExpr_X:
		if parent.Node().(*ast.UnaryExpr).Op == token.AND && !pointer(v) {
			g.leaks[v] = append(g.leaks[v], parent)
			return g.to(parent, 0, 1)
		}
	case edge.AssignStmt_Lhs:
		a := parent.Node().(*ast.AssignStmt)
		g.leaks[v] = append(g.leaks[v], c)
		g.again[v] = true
		if !pointer(v) && !(len(a.Lhs) == len(a.Rhs) && creates(g.index.Info, a.Rhs[slices.IndexFunc(a.Lhs, func(e ast.Expr) bool { return e == c.Node() })])) {
			return shape.No(a, "the map is copied")
		}
		made := g.made[v]
		why := g.value(v, c, a.Lhs, a.Rhs)
		g.made[v] = made
		return why
	case edge.KeyValueExpr_Key:
		if !v.IsField() {
			return shape.No(c.Node(), "the map is passed on")
		}
		return g.from(parent.Node().(*ast.KeyValueExpr).Value, 0)
	}
	if !pointer(v) {
		return shape.No(c.Node(), "the map is copied")
	}
	g.leaks[v] = append(g.leaks[v], c)
	return g.to(c, 0, 1)
}

// has reports whether a method is called.
func (g *group) has(of string) bool {
	return slices.ContainsFunc(g.calls, func(c call) bool { return c.of == of })
}

func (c call) writes() bool { return c.of != "Load" && c.of != "Range" }

// writesInLoop reports whether a call that writes is in a loop of its function.
func (g *group) writesInLoop() bool {
	return slices.ContainsFunc(g.calls, func(c call) bool {
		return c.writes() && len(loops(c.Cursor)) > 0
	})
}

// writers are the functions with a call that writes.
func (g *group) writers() (all []*ast.FuncDecl) {
	for _, c := range g.calls {
		if d := uses.Decl(c.Cursor); c.writes() && d != nil && !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}

// loops are those around a node, in its function.
func loops(c inspector.Cursor) (all []ast.Node) {
	for at := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		switch at.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			all = append(all, at.Node())
		default:
			if at != c {
				return all
			}
		}
	}
	return all
}

// field looks at the declaration of a field or a parameter.
func (g *group) field(v *types.Var, field inspector.Cursor) *shape.Refusal {
	d := field.Node().(*ast.Field)
	if why := g.ofOne(d.Type, d.Names); why != nil {
		return why
	}
	if v.IsField() {
		st, ok := layout.Around(g.index, field)
		if !ok {
			return shape.No(d, v.Name()+" is declared in a way of its own")
		}
		if st.Name != nil && uses.Named(st.Name.Type()).TypeParams().Len() > 0 {
			return shape.No(d, "its struct is generic")
		}
		if why, at := st.Relied(g.index, g.pass.Pkg); why != "" {
			return &shape.Refusal{Why: why, Pos: at}
		}
		return g.copied(st.Type)
	}
	fn, ok := uses.Func(field)
	if !ok || !pointer(v) || field.Parent().ParentEdgeKind() != edge.FuncType_Params {
		return shape.No(d, v.Name()+" is a parameter or result that is no pointer")
	}
	calls, why := g.callsOf(fn)
	if why != nil {
		return why
	}
	nth := slices.IndexFunc(slices.Collect(signature(g.index.Info, fn.Node()).Params().Variables()), func(p *types.Var) bool { return p == v })
	for _, c := range calls {
		args := c.Node().(*ast.CallExpr).Args
		if nth < 0 || nth >= len(args) {
			return shape.No(c.Node(), "a call gets the results of another")
		}
		if why := g.from(args[nth], 0); why != nil {
			return why
		}
	}
	return nil
}

func signature(info *types.Info, fn ast.Node) *types.Signature {
	if d, ok := fn.(*ast.FuncDecl); ok {
		return info.Defs[d.Name].(*types.Func).Signature()
	}
	return info.TypeOf(fn.(*ast.FuncLit)).(*types.Signature)
}

// copied refuses a struct whose values are copied: the copies would share the
// map and have a lock each.
func (g *group) copied(st *types.Struct) *shape.Refusal {
	var holds func(t types.Type) bool
	holds = func(t types.Type) bool {
		switch u := t.Underlying().(type) {
		case *types.Array:
			return holds(u.Elem())
		case *types.Struct:
			return types.Identical(u, st) || slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return holds(f.Type()) })
		}
		return false
	}
	for c := range g.index.Root.Preorder((*ast.Ident)(nil), (*ast.SelectorExpr)(nil), (*ast.StarExpr)(nil), (*ast.IndexExpr)(nil)) {
		e := c.Node().(ast.Expr)
		if tv := g.index.Info.Types[e]; tv.Type == nil || tv.IsType() || !tv.IsValue() || !holds(tv.Type) {
			continue
		}
		switch kind := uses.Whole(c).ParentEdgeKind(); kind {
		case edge.AssignStmt_Rhs, edge.ValueSpec_Values, edge.CallExpr_Args, edge.ReturnStmt_Results, edge.CompositeLit_Elts, edge.KeyValueExpr_Value, edge.SendStmt_Value, edge.BinaryExpr_X, edge.BinaryExpr_Y:
			return shape.No(e, "its struct is copied")
		case edge.SelectorExpr_X: // of a method that gets a copy
			if f, ok := g.index.Info.Uses[uses.Whole(c).Parent().Node().(*ast.SelectorExpr).Sel].(*types.Func); ok && holds(f.Signature().Recv().Type()) {
				return shape.No(e, "its struct is copied")
			}
		case edge.RangeStmt_X:
			if r := uses.Whole(c).Parent().Node().(*ast.RangeStmt); r.Value != nil {
				return shape.No(e, "its struct is copied")
			}
		}
	}
	for c := range g.index.Root.Preorder((*ast.RangeStmt)(nil)) {
		if r := c.Node().(*ast.RangeStmt); r.Value != nil && g.index.Info.TypeOf(r.Value) != nil && holds(g.index.Info.TypeOf(r.Value)) {
			return shape.No(r, "its struct is copied")
		}
	}
	return nil
}

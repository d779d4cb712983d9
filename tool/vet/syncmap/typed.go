package syncmap

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// typed is a group whose keys, and values if that goes, are of one type.
type typed struct {
	*group
	file       *ast.File // that gets the new type
	at         token.Pos // before a declaration
	name       string    // of the new type
	key, value types.Type
	k, v       string // as the file has them
	anyRange   bool   // a function that is no literal gets the elements
	asserts    bool   // a value may be asserted that there is not
	room       int    // that a map is made with; 0: none
	changes    []analysis.TextEdit
	vars       map[*types.Var]*kept
	given      rewrite.Names
}

// A kept variable has a key or a value of the map.
type kept struct {
	typ     types.Type
	there   bool             // there is one in any case
	element bool             // of a Range
	ok      *types.Var       // tells whether there is
	blank   *ast.Ident       // stands for it
	fresh   string           // its new name
	calls   inspector.Cursor // that gave it
}

var anyType = types.Universe.Lookup("any").Type()

// typed finds the types.
func (g *group) typed(names map[string]bool) (*typed, *shape.Refusal) {
	t := &typed{group: g}
	if len(g.types) == 0 || len(g.calls) == 0 {
		return nil, shape.No(&ast.Ident{NamePos: g.vars[0].Pos()}, "its type is not written")
	}
	decl, _ := g.index.Root.FindNode(g.types[0])
	for decl.ParentEdgeKind() != edge.File_Decls {
		decl = decl.Parent()
	}
	t.file, t.at = decl.Parent().Node().(*ast.File), rewrite.Begin(decl.Node())
	for _, name := range []string{"any", "bool", "clear", "delete", "len", "append", "make", "nil", "true"} {
		if _, o := g.pass.TypesInfo.Scopes[t.file].LookupParent(name, token.NoPos); o.Parent() != types.Universe {
			return nil, &shape.Refusal{Why: "the package has a meaning of its own for " + name, Pos: o.Pos()}
		}
	}
	t.name = g.called() + "Map"
	t.name = string(t.name[0]|0x20) + t.name[1:]
	for base, n := t.name, 2; ; n++ { // a type, and a function beside it
		free := !names[t.name]
		for _, f := range g.pass.Files {
			free = free && rewrite.Fresh(g.pass.Pkg, f, t.name) == t.name && rewrite.Fresh(g.pass.Pkg, f, t.name+"Value") == t.name+"Value"
		}
		if free {
			break
		}
		t.name = base + strconv.Itoa(n)
	}
	for _, c := range g.calls {
		if c.of == "Range" && c.args != nil {
			if len(c.args) != 1 {
				return nil, shape.No(c.Node(), "a call gets the results of another")
			}
			if _, ok := ast.Unparen(c.args[0]).(*ast.FuncLit); !ok {
				t.anyRange = true
			}
		}
	}
	for _, c := range g.calls {
		if c.of == "Range" && c.args == nil && t.anyRange {
			return nil, shape.No(c.Node(), "the map is ranged over in several ways")
		}
		if n := map[string]int{"Range": len(c.args), "Clear": 0, "Store": 2, "LoadOrStore": 2, "Swap": 2, "CompareAndSwap": 3, "CompareAndDelete": 2}[c.of]; n > len(c.args) {
			return nil, shape.No(c.Node(), "a call gets the results of another")
		}
	}
	values := t.elements()
	if t.key == nil {
		return nil, shape.No(g.calls[0].Node(), "nothing tells the type of its keys")
	}
	if !exact(t.key) {
		return nil, shape.No(g.calls[0].Node(), "its keys have interface values, or floating point numbers, within")
	}
	var ok bool
	if t.k, ok = rewrite.Type(g.pass.Pkg, t.file, t.file.Name.End(), t.key); !ok {
		return nil, shape.No(g.calls[0].Node(), "the type of its keys cannot be written there")
	}
	if values != nil && exactOr(values, !g.has("CompareAndSwap") && !g.has("CompareAndDelete")) {
		if t.v, ok = rewrite.Type(g.pass.Pkg, t.file, t.file.Name.End(), values); ok {
			t.value = values
			if t.clash() == "" && t.change() == nil {
				names[t.name] = true
				return t, nil
			}
		}
	}
	t.value, t.v, t.asserts = anyType, "any", false
	if name := t.clash(); name != "" {
		return nil, &shape.Refusal{Why: "the type of its keys is named " + name, Pos: t.at}
	}
	if why := t.change(); why != nil {
		return nil, why
	}
	names[t.name] = true
	return t, nil
}

// called is what to name the type after: the variable, or the struct of a field
// that is named m.
func (g *group) called() string {
	v := g.vars[0]
	if !v.IsField() || len(v.Name()) > 2 {
		return v.Name()
	}
	for _, c := range g.index.Of(v) {
		if st, ok := layout.Around(g.index, c); ok && st.Name != nil && g.index.Declares(c) {
			return st.Name.Name()
		}
	}
	return v.Name()
}

func exactOr(t types.Type, or bool) bool { return or || exact(t) }

// exact reports whether values of a type can be compared, always, and equal
// themselves.
func exact(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex|types.IsUntyped) == 0
	case *types.Pointer, *types.Chan:
		return true
	case *types.Array:
		return exact(u.Elem())
	case *types.Struct:
		return !slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return !exact(f.Type()) })
	}
	return false
}

// elements finds the type of the keys, and returns that of the values, or nil.
func (t *typed) elements() (value types.Type) {
	info := t.index.Info
	same := true
	for _, c := range t.calls {
		if len(c.args) == 0 || c.of == "Range" {
			continue
		}
		if k := info.TypeOf(c.args[0]); t.key == nil && !types.IsInterface(k) {
			t.key = k
		}
		for _, e := range stored(c) {
			switch v := info.TypeOf(e); {
			case info.Types[e].IsNil():
				same = false
			case types.IsInterface(v): // looked at later
			case value == nil:
				value = v
			case !types.Identical(v, value):
				same = false
			}
		}
	}
	if !same {
		return nil
	}
	return value
}

// stored are the arguments of a call that are values.
func stored(c call) []ast.Expr {
	switch c.of {
	case "Store", "LoadOrStore", "Swap", "CompareAndSwap", "CompareAndDelete":
		return c.args[1:]
	}
	return nil
}

// change makes the edits of what uses the keys and values.
func (t *typed) change() *shape.Refusal {
	t.changes, t.vars, t.given = nil, map[*types.Var]*kept{}, rewrite.Names{}
	for _, c := range t.calls {
		if why := t.gives(c); why != nil {
			return why
		}
	}
	info := t.index.Info
	fits := func(e ast.Expr, want types.Type) bool {
		if k := t.vars[t.index.Var(e)]; k != nil {
			return types.Identical(k.typ, want)
		}
		return types.Identical(info.TypeOf(e), want)
	}
	for _, c := range t.calls {
		if len(c.args) == 0 || c.of == "Range" {
			continue
		}
		if !fits(c.args[0], t.key) {
			return shape.No(c.args[0], "its keys are of several types, or interface values")
		}
		for _, e := range stored(c) {
			if t.value != anyType && !fits(e, t.value) {
				return shape.No(e, "its values are of several types, or interface values")
			}
		}
	}
	byPlace := slices.SortedFunc(maps.Keys(t.vars), func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, v := range byPlace {
		k := t.vars[v]
		for _, c := range t.index.Of(v) {
			if !t.index.Declares(c) {
				if why := t.used(k, c); why != nil {
					return why
				}
			}
		}
	}
	return nil
}

// keep notes a variable with a key or value.
func (t *typed) keep(e ast.Expr, k *kept) {
	if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
		if v, ok := t.index.Info.Defs[id].(*types.Var); ok {
			t.vars[v] = k
		}
	}
}

// gives looks at who gets the results of a call, or the elements.
func (t *typed) gives(c call) *shape.Refusal {
	typedValue := t.value != anyType
	switch c.of {
	case "Range":
		if t.anyRange {
			return nil
		}
		if r, ok := c.Parent().Node().(*ast.RangeStmt); ok && c.args == nil {
			if r.Tok == token.ASSIGN {
				return shape.No(r, "a loop gives the elements to variables that it does not declare")
			}
			if r.Key != nil {
				t.keep(r.Key, &kept{typ: t.key, there: true, element: true})
			}
			if r.Value != nil && typedValue {
				t.keep(r.Value, &kept{typ: t.value, there: true, element: true})
			}
			return nil
		}
		params := ast.Unparen(c.args[0]).(*ast.FuncLit).Type.Params
		file := rewrite.File(t.pass, params.Pos())
		k, ok := rewrite.Type(t.pass.Pkg, file, params.Pos(), t.key)
		v, too := rewrite.Type(t.pass.Pkg, file, params.Pos(), t.value)
		if !ok || !too || rewrite.Comments(file, params) {
			return shape.No(params, "the types of the elements cannot be written there")
		}
		names := []string{"_", "_"}
		i := 0
		for _, f := range params.List {
			for _, id := range f.Names {
				names[i] = id.Name
				if i == 0 {
					t.keep(id, &kept{typ: t.key, there: true, element: true})
				} else if typedValue {
					t.keep(id, &kept{typ: t.value, there: true, element: true})
				}
				i++
			}
		}
		t.changes = append(t.changes, rewrite.Replace(params, "("+names[0]+" "+k+", "+names[1]+" "+v+")"))
	case "Load", "LoadOrStore", "LoadAndDelete", "Swap":
		if !typedValue {
			return nil
		}
		switch c.ParentEdgeKind() {
		case edge.ExprStmt_X, edge.GoStmt_Call, edge.DeferStmt_Call:
			return nil
		case edge.AssignStmt_Rhs:
		default:
			return shape.No(c.Node(), "a value is passed on")
		}
		a := c.Parent().Node().(*ast.AssignStmt)
		first, ok := a.Lhs[0].(*ast.Ident)
		if !ok || len(a.Lhs) != 2 {
			return shape.No(a, "a value is kept elsewhere than in a variable")
		}
		v, _ := t.index.Info.Defs[first].(*types.Var)
		if first.Name == "_" || v == nil && c.of == "LoadOrStore" { // of which used tells
			if v == nil && first.Name != "_" {
				if k := t.index.Var(first); k == nil {
					return shape.No(a, "a value is kept elsewhere than in a variable")
				} else if len(t.index.Of(k)) > 0 && !t.begins(k) {
					return shape.No(a, "a value is given to a variable that has others")
				}
			}
			return nil
		}
		if v == nil {
			return shape.No(a, "a value is given to a variable that has others")
		}
		k := &kept{typ: t.value, there: c.of == "LoadOrStore", calls: c.Cursor}
		if id, isID := a.Lhs[1].(*ast.Ident); isID && id.Name == "_" {
			k.blank = id
		} else if isID {
			if o, _ := t.index.Info.Defs[id].(*types.Var); o != nil && !slices.ContainsFunc(t.index.Of(o), func(c inspector.Cursor) bool {
				return !t.index.Declares(c) && uses.Written(uses.Whole(c))
			}) {
				k.ok = o
			}
		}
		t.vars[v] = k
	}
	return nil
}

// begins reports whether a variable is declared with a value of the map.
func (t *typed) begins(v *types.Var) bool {
	return slices.ContainsFunc(t.calls, func(c call) bool {
		if a, ok := c.Parent().Node().(*ast.AssignStmt); ok && c.ParentEdgeKind() == edge.AssignStmt_Rhs && c.of != "Range" {
			id, ok := a.Lhs[0].(*ast.Ident)
			return ok && t.index.Info.Defs[id] == types.Object(v)
		}
		return false
	})
}

// used makes the edit of one use of a key or value.
func (t *typed) used(k *kept, c inspector.Cursor) *shape.Refusal {
	info := t.index.Info
	id := c.Node().(*ast.Ident)
	e := uses.Whole(c)
	there := k.there || t.there(k, c)
	boxed := func() *shape.Refusal {
		if !there {
			return shape.No(id, "a value is used where there may be none")
		}
		if _, ok := rewrite.Type(t.pass.Pkg, rewrite.File(t.pass, id.Pos()), id.Pos(), anyType); !ok {
			return shape.No(id, "any means something else there")
		}
		t.changes = append(t.changes, rewrite.Replace(id, "any("+id.Name+")"))
		return nil
	}
	switch e.ParentEdgeKind() {
	case edge.AssignStmt_Lhs:
		a := e.Parent().Node().(*ast.AssignStmt)
		if !k.element && len(a.Rhs) == 1 && a.Lhs[0] == e.Node() && slices.ContainsFunc(t.calls, func(c call) bool { return c.of == "LoadOrStore" && c.Node() == a.Rhs[0] }) {
			return nil
		}
		return shape.No(a, "a variable with an element gets other values")
	case edge.RangeStmt_Key, edge.RangeStmt_Value:
		return shape.No(id, "a variable with an element gets other values")
	case edge.UnaryExpr_X:
		return shape.No(id, "the address of an element's variable is taken")
	case edge.CallExpr_Args:
		n := e.Parent().Node()
		if i := slices.IndexFunc(t.calls, func(c call) bool { return c.Node() == n }); i >= 0 {
			if !there {
				return shape.No(id, "a value is used where there may be none")
			}
			key := t.calls[i].args[0] == e.Node()
			if want := t.value; key && types.Identical(k.typ, t.key) || !key && types.Identical(k.typ, want) {
				return nil
			}
		}
	case edge.TypeAssertExpr_X:
		x := e.Parent()
		n := x.Node().(*ast.TypeAssertExpr)
		if n.Type == nil || !types.Identical(info.TypeOf(n.Type), k.typ) {
			return boxed()
		}
		_, two := info.TypeOf(n).(*types.Tuple)
		text := id.Name
		switch {
		case two && there:
			text += ", true"
		case there:
		default:
			ok, why := t.okName(k, c)
			if why != nil {
				return why
			}
			text += ", " + ok
			if !two {
				t.asserts = true
				text = t.name + "Value(" + text + ")"
			}
		}
		t.changes = append(t.changes, rewrite.Replace(n, text))
		return nil
	}
	return boxed()
}

// okName is the name, at a place, of what tells whether there is a value.
func (t *typed) okName(k *kept, c inspector.Cursor) (string, *shape.Refusal) {
	v := t.index.Var(c.Node().(ast.Expr))
	if slices.ContainsFunc(t.index.Of(v), func(c inspector.Cursor) bool {
		return !t.index.Declares(c) && uses.Written(uses.Whole(c))
	}) {
		return "", shape.No(c.Node(), "a variable with a value gets another")
	}
	if k.ok != nil {
		if _, o := t.pass.Pkg.Scope().Innermost(c.Node().Pos()).LookupParent(k.ok.Name(), c.Node().Pos()); o == types.Object(k.ok) {
			return k.ok.Name(), nil
		}
		return "", shape.No(c.Node(), "what tells whether there is a value is hidden there")
	}
	if k.blank == nil {
		return "", shape.No(c.Node(), "what tells whether there is a value changes")
	}
	if k.fresh == "" {
		file := rewrite.File(t.pass, k.blank.Pos())
		var within ast.Node = file
		if d := uses.Decl(k.calls); d != nil {
			within = d
		}
		k.fresh = t.given.Fresh(t.pass.Pkg, within, "ok")
		t.changes = append(t.changes, rewrite.Replace(k.blank, k.fresh))
	}
	return k.fresh, nil
}

// there reports whether control comes to a place only where there is a value.
func (t *typed) there(k *kept, c inspector.Cursor) bool {
	if k.ok == nil {
		return false
	}
	v := t.index.Var(c.Node().(ast.Expr))
	if jumps(c) {
		return false
	}
	for at := c; at.Node() != nil; at = at.Parent() {
		parent := at.Parent()
		switch n := parent.Node().(type) {
		case *ast.IfStmt:
			if at.ParentEdgeKind() == edge.IfStmt_Body && t.says(k, n.Cond) || at.ParentEdgeKind() == edge.IfStmt_Else && t.denies(k, n.Cond) {
				return true
			}
		case *ast.BinaryExpr:
			if at.ParentEdgeKind() == edge.BinaryExpr_Y && (n.Op == token.LAND && t.says(k, n.X) || n.Op == token.LOR && t.denies(k, n.X)) {
				return true
			}
		}
		if !uses.Listed(at) {
			continue
		}
		for s, ok := at.PrevSibling(); ok; s, ok = s.PrevSibling() {
			n, is := s.Node().(*ast.IfStmt)
			if s.ParentEdgeKind() != at.ParentEdgeKind() || !is || n.Else != nil || !t.denies(k, n.Cond) {
				continue
			}
			for _, st := range n.Body.List {
				if a, ok := st.(*ast.AssignStmt); ok && t.index.Var(a.Lhs[0]) == v && v != nil {
					return true // LoadOrStore, as used sees to
				}
			}
			if len(n.Body.List) > 0 && t.ends(n.Body.List[len(n.Body.List)-1]) {
				return true
			}
		}
	}
	return false
}

// ends reports whether a statement does not go on to the next.
func (t *typed) ends(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Label == nil && (s.Tok == token.BREAK || s.Tok == token.CONTINUE)
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok {
				b, ok := t.index.Info.Uses[id].(*types.Builtin)
				return ok && b.Name() == "panic"
			}
		}
	}
	return false
}

// says reports whether a condition holds only if there is a value.
func (t *typed) says(k *kept, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return t.index.Info.Uses[e] == types.Object(k.ok)
	case *ast.UnaryExpr:
		return e.Op == token.NOT && t.denies(k, e.X)
	case *ast.BinaryExpr:
		return e.Op == token.LAND && (t.says(k, e.X) || t.says(k, e.Y))
	}
	return false
}

// denies reports whether a condition fails only if there is a value.
func (t *typed) denies(k *kept, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.NOT && t.says(k, e.X)
	case *ast.BinaryExpr:
		return e.Op == token.LOR && (t.denies(k, e.X) || t.denies(k, e.Y))
	}
	return false
}

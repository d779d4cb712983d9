package syncmap

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

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds maps of type sync.Map.
var Analyzer = shape.Analyzer("syncmap",
	"find maps of package sync where a plain map would do\n\nIts keys and values are interface values, hashed and allocated through their types.",
	find, uses.Analyzer)

// A call is one of a method.
type call struct {
	inspector.Cursor
	on   inspector.Cursor // the map
	of   string           // the method
	args []ast.Expr
}

// A check looks at one variable or field.
type check struct {
	*analysis.Pass
	index *uses.Index
	v     *types.Var
	decl  inspector.Cursor // the identifier that declares it
	typ   ast.Expr         // its type, as it is declared
	calls []call
	name  string // of the new type
	key   string // the types of its keys and values, as they are written there
	value string
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	index := pass.ResultOf[uses.Analyzer].(*uses.Index)
	done, free := map[*types.Var]bool{}, index.Free()
	for c := range index.Root.Preorder((*ast.SelectorExpr)(nil)) {
		sel := c.Node().(*ast.SelectorExpr)
		if f, ok := pass.TypesInfo.Uses[sel.Sel].(*types.Func); !ok || f.Signature().Recv() == nil || !isMap(f.Signature().Recv().Type()) || !isMap(pass.TypesInfo.TypeOf(sel.X)) {
			continue // another method, or that of a struct with a map
		}
		v := index.Var(sel.X)
		if v == nil || v.Pkg() != pass.Pkg || done[v] {
			continue
		}
		done[v] = true
		x := &check{Pass: pass, index: index, v: v}
		why := x.look()
		f := shape.Finding{
			Pos: sel.Pos(), End: sel.End(), Func: uses.Decl(c),
			Message: fmt.Sprintf("%s is a sync.Map: each use boxes, hashes and compares interface values", types.ExprString(sel.X)),
			Causes:  []string{"syncmap"}, Hot: []shape.Range{shape.Of(uses.Around(c))},
		}
		for _, use := range x.calls {
			if r := shape.Of(uses.Around(use.Cursor)); !slices.Contains(f.Hot, r) {
				f.Hot = append(f.Hot, r)
			}
		}
		if why == nil {
			why = x.types(free)
		}
		if why == nil {
			why = x.shared()
		}
		if why != nil {
			f.Refused = []shape.Refusal{{Name: "plain", Why: why.Why, Pos: why.Pos}}
		} else {
			f.Fixes = []shape.Fix{{Name: "plain", Says: "make it a plain map, which nothing writes while another goroutine has it", Edits: x.edits()}}
		}
		all = append(all, f)
	}
	return all, nil
}

func isMap(t types.Type) bool { return uses.Is(uses.Deref(t), "sync", "Map") }

// look finds the declaration and the calls. Nothing else may use the map.
func (x *check) look() *shape.Refusal {
	at := &ast.Ident{NamePos: x.v.Pos()}
	if why := x.index.Unseen(x.v); why != "" {
		return shape.No(at, why)
	}
	if !uses.Is(x.v.Type(), "sync", "Map") || x.v.Embedded() {
		return shape.No(at, x.v.Name()+" is embedded, or leads to the map")
	}
	var why *shape.Refusal
	for _, c := range x.index.Of(x.v) {
		sel := uses.Whole(c).Parent()
		switch at := uses.Whole(sel); {
		case x.index.Declares(c):
			x.decl = c
			why = x.declared()
		case uses.Whole(c).ParentEdgeKind() == edge.SelectorExpr_X && at.ParentEdgeKind() == edge.CallExpr_Fun:
			n := at.Parent().Node().(*ast.CallExpr)
			if x.TypesInfo.TypeOf(n.Fun).(*types.Signature).Params().Len() != len(n.Args) {
				return shape.No(n, "a call gets the results of another")
			}
			x.calls = append(x.calls, call{at.Parent(), uses.Whole(c), sel.Node().(*ast.SelectorExpr).Sel.Name, n.Args})
		default:
			why = shape.No(c.Node(), "the map is used otherwise than to call its methods")
		}
		if why != nil {
			return why
		}
	}
	return nil
}

func (x *check) declared() *shape.Refusal {
	switch d := x.decl.Parent().Node().(type) {
	case *ast.ValueSpec:
		if len(d.Names) == 1 && d.Type != nil && len(d.Values) == 0 {
			x.typ = d.Type
			return nil
		}
	case *ast.Field:
		st, ok := layout.Around(x.index, x.decl)
		if !ok || len(d.Names) != 1 {
			break
		}
		if st.Name != nil && uses.Named(st.Name.Type()).TypeParams().Len() > 0 {
			return shape.No(d, "its struct is generic")
		}
		if why, at := st.Relied(x.index, x.Pkg); why != "" {
			return &shape.Refusal{Why: why, Pos: at}
		}
		if at := guard.Copied(x.index, st.Type); at != nil {
			return shape.No(at, "its struct is copied")
		}
		x.typ = d.Type
		return nil
	}
	return shape.No(x.decl.Node(), x.v.Name()+" is declared with a value, or together with others")
}

// types finds the types of the keys and the values, and names the new type.
func (x *check) types(free func(string) string) *shape.Refusal {
	file := rewrite.File(x.Pass, x.v.Pos())
	if !rewrite.Universal(x.Pkg, file.Name.End(), "any", "bool", "clear", "comparable", "delete", "nil", "true") || !rewrite.Since(x.Pass, file, "go1.19") {
		return shape.No(x.typ, "the package has a meaning of its own for what Go predeclares, or is of a Go before 1.19")
	}
	var key, value types.Type
	typed := true // the values are of one type, which no code looks at
	for _, c := range x.calls {
		if c.of == "Range" || len(c.args) == 0 {
			continue
		}
		k := x.TypesInfo.TypeOf(c.args[0])
		if key != nil && !types.Identical(k, key) {
			return shape.No(c.args[0], "its keys are of several types, or interface values")
		}
		key = k
		typed = typed && !gives(c)
		if strings.HasPrefix(c.of, "Load") && c.of != "LoadOrStore" || c.of == "Delete" {
			continue
		}
		for _, e := range c.args[1:] {
			v := x.TypesInfo.TypeOf(e)
			typed = typed && (value == nil || types.Identical(v, value))
			value = v
		}
	}
	if key == nil || !exact(key) {
		return shape.No(x.decl.Node(), "its keys are, or have within, interface values or floating point numbers")
	}
	ok := false
	if x.key, ok = rewrite.Type(x.Pkg, file, x.typ.Pos(), key); !ok {
		return shape.No(x.typ, "the type of its keys cannot be written there")
	}
	x.value = "any"
	if typed && value != nil && !types.IsInterface(value) {
		if text, ok := rewrite.Type(x.Pkg, file, x.typ.Pos(), value); ok {
			x.value = text
		}
	}
	base := x.v.Name()
	if st, ok := layout.Around(x.index, x.decl); ok && len(base) <= 2 && st.Name != nil {
		base = st.Name.Name()
	}
	x.name = free(rewrite.Lower(base) + "Map")
	return nil
}

// gives reports whether code gets a value of the map from a call.
func gives(c call) bool {
	switch c.of {
	case "Load", "LoadOrStore", "LoadAndDelete", "Swap":
		a, ok := c.Parent().Node().(*ast.AssignStmt)
		if !ok {
			return c.ParentEdgeKind() != edge.ExprStmt_X
		}
		id, ok := a.Lhs[0].(*ast.Ident)
		return !ok || id.Name != "_"
	}
	return false
}

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

// shared refuses a map that a goroutine may have while another writes to it. A map of the
// package is written by init alone, a field before another has the struct, and a variable
// of a function before a literal gets it.
func (x *check) shared() *shape.Refusal {
	fn, local := uses.Func(x.decl)
	local = local && !x.v.IsField()
	away := func(c call) bool {
		at, _ := uses.Func(c.Cursor)
		return at != fn || c.ParentEdgeKind() == edge.GoStmt_Call
	}
	no := func(c call) *shape.Refusal {
		return shape.No(c.Node(), "nothing proves that only one goroutine has it while one writes")
	}
	var last token.Pos // of the writes, or of the loops around them
	for _, c := range x.calls {
		if c.of == "Load" || c.of == "Range" {
			continue
		}
		at, _ := uses.Func(c.Cursor)
		decl, declared := at.Node().(*ast.FuncDecl)
		ok := false
		switch {
		case c.ParentEdgeKind() == edge.GoStmt_Call || c.ParentEdgeKind() == edge.DeferStmt_Call:
		case x.v.IsField():
			ok = guard.Unshared(x.index, c.on)
		case !local:
			ok = declared && decl.Recv == nil && decl.Name.Name == "init" && !x.starts()
		default:
			ok = !uses.Any(fn.Node(), func(b *ast.BranchStmt) bool { return b.Tok == token.GOTO })
		}
		if !ok {
			return no(c)
		}
		last = max(last, c.Node().End())
		for l := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
			last = max(last, l.Node().End())
		}
	}
	for _, c := range x.calls {
		if local && away(c) && c.Node().Pos() < last {
			return no(c)
		}
	}
	return nil
}

// starts reports whether what is done before main may start a goroutine.
func (x *check) starts() bool {
	may := func(code ast.Node) bool {
		return uses.Any(code, func(*ast.GoStmt) bool { return true }) || uses.Any(code, func(call *ast.CallExpr) bool {
			return slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return uses.Under[*types.Signature](x.TypesInfo.TypeOf(e)) })
		})
	}
	var first []ast.Node
	for c := range x.index.Root.Preorder((*ast.FuncDecl)(nil)) {
		if fn := c.Node().(*ast.FuncDecl); fn.Name.Name == "init" {
			first = append(first, fn)
		}
	}
	for _, v := range x.TypesInfo.InitOrder {
		first = append(first, v.Rhs)
	}
	return slices.ContainsFunc(first, func(code ast.Node) bool {
		return may(code) || slices.ContainsFunc(spawn.Called(x.Pass, code), func(d *ast.FuncDecl) bool { return may(d.Body) })
	})
}

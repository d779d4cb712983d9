package poolvalue

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds pools of values that are no pointers, and pools that get nothing back.
var Analyzer = shape.Analyzer("poolvalue",
	"find values that are no pointers in a pool, or do not come back\n\nPut allocates for each: an interface holds a pointer. So does Get where nothing is put.",
	find, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	index := pass.ResultOf[uses.Analyzer].(*uses.Index)
	done, free := map[*types.Var]bool{}, index.Free()
	for c := range index.Root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		v, name := method(index, call)
		says := ""
		switch {
		case v != nil && done[v]:
		case name == "Put" && len(call.Args) == 1 && boxed(pass.TypesInfo.TypeOf(call.Args[0])):
			says = "gets a value and not a pointer: each Put allocates"
		case name == "Get" && v != nil && lost(index, v, c):
			says = "lends what may not come back: each Get makes another"
		case name == "Get" && v != nil:
			e, ok := c.Parent().Node().(*ast.TypeAssertExpr)
			if _, in := loop.Around(pass.TypesInfo, c); in && !(ok && boxed(pass.TypesInfo.TypeOf(e))) {
				says = "is called in each iteration: to make what is small costs less"
			}
		}
		if says == "" {
			continue
		}
		done[v] = true
		f := shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: uses.Decl(c),
			Message: rewrite.Text(pass.Fset, call.Fun) + " " + says,
			Causes:  []string{"alloc", "pool", "gc"}, Hot: []shape.Range{shape.Of(uses.Around(c))},
		}
		if v != nil {
			for _, use := range index.Of(v) {
				f.Hot = append(f.Hot, shape.Of(uses.Around(use)))
			}
			p := pool{pass: pass, index: index, v: v, free: free}
			why, at := p.edit()
			f.Offer(shape.Fix{Name: "plain", Says: "make what is needed each time, without the pool", Edits: p.edits, Holds: p.holds}, why, at)
		}
		all = append(all, f)
	}
	return all, nil
}

// method names the method of a pool that is called, and the variable that has the pool.
func method(index *uses.Index, call *ast.CallExpr) (v *types.Var, name string) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	fn := typeutil.StaticCallee(index.Info, call)
	if !ok || !spawn.IsMethod(fn, "sync", "Pool", "") {
		return nil, ""
	}
	return index.Var(sel.X), fn.Name()
}

// boxed reports whether an interface that holds a value of the type has to
// point to a copy of it.
func boxed(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Struct, *types.Array:
		return true
	case *types.Basic:
		return u.Info()&types.IsUntyped == 0 && u.Kind() != types.UnsafePointer
	}
	return false
}

// lost reports whether what a pool lends is never put back, or not where the function
// returns before.
func lost(index *uses.Index, v *types.Var, get inspector.Cursor) bool {
	var puts []inspector.Cursor
	for _, use := range index.Of(v) {
		call := uses.Whole(use).Parent().Parent()
		if n, ok := call.Node().(*ast.CallExpr); ok {
			if _, name := method(index, n); name == "Put" {
				puts = append(puts, call.Parent())
			}
		}
	}
	list, ok := uses.Statement(get)
	for _, put := range puts {
		if _, later := put.Node().(*ast.ExprStmt); !later || !ok || put.Parent() != list.Parent() {
			continue
		}
		for _, x := range rewrite.Leaves(index.Info, put.Parent().Node(), false) {
			before := func(put inspector.Cursor) bool {
				return get.Node().End() <= put.Node().Pos() && put.Node().Pos() < x.Pos
			}
			if x.How == "return" && get.Node().End() <= x.Pos && x.Pos < put.Node().Pos() && !slices.ContainsFunc(puts, before) {
				return true
			}
		}
	}
	return len(puts) == 0 && index.Unseen(v) == ""
}

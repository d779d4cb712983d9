package forcegc

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds collections that are asked for.
var Analyzer = shape.Analyzer("forcegc",
	"find collections that the program asks for\n\nruntime.GC waits until all that is alive has been marked.",
	find, inspect.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for c := range in.Root().Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := typeutil.StaticCallee(pass.TypesInfo, call)
		if fn == nil || fn.FullName() != "runtime.GC" || rewrite.InTest(pass.Fset, call) {
			continue
		}
		f := shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: uses.Decl(c),
			Message: "a collection is forced: all that is alive is marked for it",
			Causes:  []string{"gc"}, Hot: []shape.Range{shape.Of(uses.Around(c)), shape.Of(call)},
		}
		st := c.Parent()
		why, at := watches(pass)
		if _, starts := st.Node().(*ast.GoStmt); why == "" && (starts || !uses.Listed(st)) {
			why, at = "the call is no statement of its own", call
		} else if why == "" && alone(pass.TypesInfo, c) {
			why, at = "it is all that the function does", call
		} else if x, ok := st.Parent().Parent().Node().(*ast.IfStmt); why == "" && ok && len(x.Body.List) == 1 {
			why, at = "a condition is there for it", x.Cond
		}
		if why != "" {
			f.Refused = []shape.Refusal{{Name: "drop", Why: why, Pos: at.Pos()}}
		} else {
			f.Fixes = []shape.Fix{{Name: "drop", Says: "leave it to the collector when to run", Edits: []analysis.TextEdit{rewrite.Drop(pass.Fset, st)}}}
		}
		all = append(all, f)
	}
	return all, nil
}

// alone reports whether a call is all that its function does, which returns nothing or
// the same each time.
func alone(info *types.Info, c inspector.Cursor) bool {
	fn, ok := uses.Func(c)
	if !ok {
		return false
	}
	body := &ast.BlockStmt{}
	switch fn := fn.Node().(type) {
	case *ast.FuncDecl:
		body = fn.Body
	case *ast.FuncLit:
		body = fn.Body
	}
	for _, st := range body.List {
		r, returns := st.(*ast.ReturnStmt)
		if !returns && st != c.Parent().Node() || returns && slices.ContainsFunc(r.Results, func(e ast.Expr) bool { tv := info.Types[e]; return !tv.IsNil() && tv.Value == nil }) {
			return false
		}
	}
	return true
}

// watchers are what tells a program of collections, or decides on them.
var watchers = map[string]string{
	"runtime":         "SetFinalizer AddCleanup ReadMemStats MemProfile",
	"runtime/debug":   "ReadGCStats SetGCPercent SetMemoryLimit FreeOSMemory",
	"runtime/metrics": "Read",
	"runtime/pprof":   "WriteHeapProfile Lookup", // of what the last collection left
	"weak":            "Make",
}

// watches finds what sees in this package whether something has been collected.
// Tests say so themselves.
func watches(pass *analysis.Pass) (why string, at ast.Node) {
	for id, o := range pass.TypesInfo.Uses {
		fn, ok := o.(*types.Func)
		if !ok || fn.Pkg() == nil || at != nil && at.Pos() < id.Pos() {
			continue
		}
		for name := range strings.FieldsSeq(watchers[fn.Pkg().Path()]) {
			if fn.Name() == name && fn.Signature().Recv() == nil && !rewrite.InTest(pass.Fset, id) {
				why, at = fn.Pkg().Name()+"."+name+" sees or decides what is collected", id
			}
		}
	}
	return why, at
}

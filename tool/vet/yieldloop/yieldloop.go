package yieldloop

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops that yield in each iteration.
var Analyzer = shape.Analyzer("yieldloop", doc, find, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	root := pass.ResultOf[uses.Analyzer].(*uses.Index).Root
	looks := map[*ast.FuncDecl][]shape.Range{} // loops that give up the processor, as others show what one of them costs
	for at := range root.Preorder((*ast.ExprStmt)(nil)) {
		if decl := uses.Decl(at); yields(pass.TypesInfo, at.Node().(ast.Stmt)) {
			looks[decl] = append(looks[decl], shape.Of(uses.Around(at)))
		}
	}
	for at := range root.Preorder((*ast.ExprStmt)(nil)) {
		if !yields(pass.TypesInfo, at.Node().(ast.Stmt)) {
			continue
		}
		loop, body := around(at)
		if loop == nil || !slices.ContainsFunc(body.List, func(st ast.Stmt) bool { return !yields(pass.TypesInfo, st) }) {
			continue
		}
		f := shape.Finding{
			Pos: at.Node().Pos(), End: at.Node().End(), Func: uses.Decl(at),
			Message: "each iteration gives up the processor: all others have their turn before the next one",
			Causes:  []string{"oversubscription", "handoff", "grain", "work"},
			Hot:     looks[uses.Decl(at)],
		}
		if pos, why := tries(pass, loop, body); why != "" {
			f.Refused = []shape.Refusal{{Name: "drop", Why: why, Pos: pos}}
		} else {
			f.Fixes = []shape.Fix{{Name: "drop", Says: "go on without giving up the processor", Edits: []analysis.TextEdit{rewrite.Drop(pass.Fset, at)}}}
		}
		all = append(all, f)
	}
	return all, nil
}

// yields reports whether a statement is a call of runtime.Gosched.
func yields(info *types.Info, st ast.Stmt) bool {
	x, ok := st.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := typeutil.StaticCallee(info, call)
	return fn != nil && fn.FullName() == "runtime.Gosched"
}

// around returns the loop that a statement is in each iteration of, if that counts
// or goes over something.
func around(at inspector.Cursor) (loop ast.Stmt, body *ast.BlockStmt) {
	switch l := at.Parent().Parent().Node().(type) {
	case *ast.RangeStmt:
		loop, body = l, l.Body
	case *ast.ForStmt:
		if l.Cond != nil && l.Post != nil {
			loop, body = l, l.Body
		}
	}
	if body == nil || ast.Node(body) != at.Parent().Node() {
		return nil, nil
	}
	return loop, body
}

// tries says what in a loop looks at what others may set.
func tries(pass *analysis.Pass, loop ast.Stmt, body *ast.BlockStmt) (at token.Pos, why string) {
	for _, l := range rewrite.Leaves(pass.TypesInfo, body, false) {
		if l.How != "continue" && l.How != "panic" {
			return l.Pos, "the loop may end early, by " + l.How
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if n, ok := n.(*ast.CommClause); ok && n.Comm == nil {
			at, why = n.Pos(), "the loop tries a channel"
		}
		return why == ""
	})
	if n := spawn.Reaches(pass, loop, looks); n != nil {
		at, why = n.Pos(), "the loop looks at what others may set"
	}
	return at, why
}

// looks reports whether a function tells what others have set.
func looks(o types.Object) bool {
	fn, ok := o.(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false
	}
	path, name := fn.Pkg().Path(), fn.Name()
	return path == "sync/atomic" && (strings.HasPrefix(name, "Load") || strings.HasPrefix(name, "CompareAndSwap")) ||
		path == "sync" && strings.HasPrefix(name, "Try")
}

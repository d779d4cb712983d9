package benchvet

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// worth is the share of a benchmark's processor time from which its preparation
// is told of.
const worth = 0.05

// setup finds preparation that the timer runs through.
func (x *bench) setup(decls map[types.Object]*ast.FuncDecl, m *heat.Map) (all []shape.Finding) {
	if len(x.loops) != 1 || !x.loops[0].byN || x.calls(x.body, "ResetTimer", "StopTimer", "StartTimer") != nil {
		return nil
	}
	l := x.loops[0]
	var first, last ast.Stmt
	for _, s := range x.body.List {
		if s == l.stmt {
			break
		}
		if x.long(decls, s) {
			if first == nil {
				first = s
			}
			last = s
		}
	}
	if first == nil || !slices.Contains(x.body.List, l.stmt) {
		return nil
	}
	f := shape.Finding{
		Pos: first.Pos(), End: last.End(),
		Message: "the timer runs through this preparation: it is part of what the benchmark reports",
		Causes:  own, Hot: []shape.Range{{Pos: first.Pos(), End: last.End()}},
	}
	// Its time is in the functions that it calls, where the loop does not.
	measured := x.called(decls, l.body)
	for _, s := range x.body.List {
		if s.Pos() < first.Pos() || s.Pos() > last.Pos() {
			continue
		}
		for _, d := range x.called(decls, s) {
			if !slices.Contains(measured, d) {
				f.Hot = append(f.Hot, shape.Of(d))
			}
		}
	}
	if e := f.Evidence(x.pass.Fset, m); e.Share >= worth {
		f.Seen = fmt.Sprintf("it takes %.0f %% of the CPU time of %s", 100*e.Share, e.Bench)
	}
	f.Fixes = append(f.Fixes, shape.Fix{Name: "reset", Says: "reset the timer before the loop", Edits: edits(rewrite.Insert(l.stmt.Pos(), x.b.Name()+".ResetTimer()\n"))})
	x.offerLoop(&f, l)
	return append(all, f)
}

// called are the functions of the package that something calls.
func (x *bench) called(decls map[types.Object]*ast.FuncDecl, root ast.Node) (all []*ast.FuncDecl) {
	ast.Inspect(root, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if d := decls[callee(x.pass.TypesInfo, call)]; d != nil && !slices.Contains(all, d) {
				all = append(all, d)
			}
		}
		return true
	})
	return all
}

// long reports whether a statement may take long: it loops, calls a function of
// the package that does, or one of the standard library that is known to.
func (x *bench) long(decls map[types.Object]*ast.FuncDecl, s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		case *ast.CallExpr:
			o := callee(x.pass.TypesInfo, n)
			if fn, ok := o.(*types.Func); ok {
				found = found || slow(fn) || decls[o] != nil && loops(decls[o].Body)
			}
		}
		return !found
	})
	return found
}

func loops(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}

// slow reports whether a function of the standard library reads, writes, waits
// or makes much.
func slow(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch path := fn.Pkg().Path(); path {
	case "os", "net", "os/exec", "net/http", "database/sql", "encoding/json", "encoding/gob", "compress/gzip":
		return !strings.HasPrefix(fn.Name(), "Get") && fn.Signature().Results().Len() > 0
	case "strings", "bytes":
		return fn.Name() == "Repeat"
	case "math/rand", "math/rand/v2":
		return fn.Name() == "Perm"
	case "time":
		return fn.Name() == "Sleep"
	}
	return false
}

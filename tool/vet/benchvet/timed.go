package benchvet

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

const (
	// empty is the time, ns, of a loop in which nothing is left. A processor of 3 GHz
	// takes a third of a nanosecond for its addition and jump.
	empty = 0.4
	// brief is the time of an operation, ns, below which stopping and starting the timer
	// takes longer.
	brief = 10_000
	// worth is the share of a benchmark's processor time from which its preparation is
	// told of.
	worth = 0.05
)

// dropped finds calls whose results are not used.
func (x *bench) dropped(times []heat.Bench) (all []shape.Finding) {
	seen := below(times, empty)
	for _, l := range x.loops {
		for _, s := range l.body.List {
			call := dropped(s)
			if !l.byN || call == nil {
				continue
			}
			fn, ok := spawn.Object(x.pass.TypesInfo, call.Fun).(*types.Func)
			if !ok || fn.Signature().Results().Len() == 0 {
				continue
			}
			sure := flow.Of(x.pass).Idle(call)
			if !sure && seen == "" {
				continue
			}
			f := shape.Finding{
				Pos: call.Pos(), End: call.End(),
				Message: fmt.Sprintf("the result of %s is not used: the compiler inlines the call and leaves it out, and an empty loop is measured", rewrite.Text(x.pass.Fset, call.Fun)),
				Causes:  own, Hot: []shape.Range{shape.Of(l.stmt)}, Sure: sure, Seen: seen,
			}
			x.offerLoop(&f, l)
			all = append(all, f)
		}
	}
	return all
}

// dropped is the call of a statement that does nothing with its result.
func dropped(s ast.Stmt) (call *ast.CallExpr) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(s.X).(*ast.CallExpr)
	case *ast.AssignStmt:
		blank := func(e ast.Expr) bool {
			id, ok := e.(*ast.Ident)
			return ok && id.Name == "_"
		}
		if len(s.Rhs) == 1 && !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return !blank(e) }) {
			call, _ = ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		}
	}
	return call
}

// stopped finds loops that stop the timer in each iteration.
func (x *bench) stopped(times []heat.Bench) (all []shape.Finding) {
	for _, l := range x.loops {
		stop := x.calls(l.body, "StopTimer")
		if stop == nil || x.calls(l.body, "StartTimer") == nil {
			continue
		}
		f := shape.Finding{
			Pos: stop.Pos(), End: stop.End(),
			Message: "the timer is stopped in each iteration, which takes microseconds and leaves the caches cold: a short operation is measured as it never runs",
			Causes:  own, Hot: []shape.Range{shape.Of(l.stmt)}, Seen: below(times, brief),
		}
		offer(&f, "loop", "", "what is between the stop and the start has to stay out of the time: prepare for many operations at once")
		all = append(all, f)
	}
	return all
}

// setup finds preparation that the timer runs through.
func (x *bench) setup(m *heat.Map) []shape.Finding {
	if len(x.loops) != 1 || !x.loops[0].byN || x.calls(x.body, "ResetTimer", "StopTimer", "StartTimer") != nil {
		return nil
	}
	l := x.loops[0]
	before := slices.Index(x.body.List, l.stmt)
	if before < 0 {
		return nil
	}
	long := slices.DeleteFunc(slices.Clone(x.body.List[:before]), func(s ast.Stmt) bool { return !x.long(s, true) })
	if len(long) == 0 {
		return nil
	}
	first, last := long[0], long[len(long)-1]
	f := shape.Finding{
		Pos: first.Pos(), End: last.End(),
		Message: "the timer runs through this preparation: it is part of what the benchmark reports",
		Causes:  own, Hot: []shape.Range{{Pos: first.Pos(), End: last.End()}},
	}
	// Its time is in the functions that it calls, where the loop does not.
	measured := spawn.Called(x.pass, l.body)
	for _, s := range long {
		for _, d := range spawn.Called(x.pass, s) {
			if !slices.Contains(measured, d) {
				f.Hot = append(f.Hot, shape.Of(d))
			}
		}
	}
	if e := f.Evidence(x.pass.Fset, m); e.Share >= worth {
		f.Seen = fmt.Sprintf("it takes %.0f %% of the CPU time of %s", 100*e.Share, e.Bench)
	}
	offer(&f, "reset", "reset the timer before the loop", "", rewrite.Insert(l.stmt.Pos(), x.b.Name()+".ResetTimer()\n"))
	x.offerLoop(&f, l)
	return []shape.Finding{f}
}

// long reports whether a statement may take long: it loops, calls a function of the
// package that does, or one of the standard library that is known to.
func (x *bench) long(s ast.Node, calls bool) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		case *ast.CallExpr:
			if fn, ok := spawn.Object(x.pass.TypesInfo, n.Fun).(*types.Func); ok && calls {
				d := spawn.Decls(x.pass)[fn]
				found = found || slow(fn) || d != nil && x.long(d.Body, false)
			}
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
	switch fn.Pkg().Path() {
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

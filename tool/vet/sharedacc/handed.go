package sharedacc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// handed returns the findings of literals that update a variable atomically, take a
// lock or call what does, and that are handed to a function which calls them again and
// again in goroutines that it starts.
func (c *check) handed() (all []shape.Finding) {
	pass := c.Pass
	for at := range c.Uses.Root.Preorder((*ast.CallExpr)(nil)) {
		call := at.Node().(*ast.CallExpr)
		fn := section.Callee(pass.TypesInfo, call)
		if fn == nil || !slices.ContainsFunc(call.Args, func(a ast.Expr) bool { _, lit := ast.Unparen(a).(*ast.FuncLit); return lit }) {
			continue
		}
		s := flow.Of(pass).Func(fn)
		if s == nil {
			continue
		}
		first := 0
		if fn.Signature().Recv() != nil {
			first = 1
		}
		for i, a := range call.Args {
			lit, ok := ast.Unparen(a).(*ast.FuncLit)
			if !ok || !slices.ContainsFunc(s.Effects, func(e flow.Effect) bool {
				return e.Kind == flow.Call && e.Apart && e.Often && e.On.Has(flow.Param(first+i))
			}) || !c.each(fn, i) {
				continue
			}
			for i, u := range c.updates(lit) {
				if c.seen[u.by.Node()] || c.seen[u.by.Parent().Node()] {
					continue
				}
				f := shape.Finding{
					Pos: u.at.Pos(), End: u.at.End(),
					Message: fmt.Sprintf("%s %s in each call of the function by goroutines that %s starts", types.ExprString(u.at), u.does, types.ExprString(call.Fun)),
					Func:    uses.Decl(at),
					Causes:  []string{"trueshare", "rmw", "falseshare"},
					Hot:     []shape.Range{shape.Of(lit)},
				}
				if u.lock {
					f.Causes = []string{"lock", "trueshare", "rmw"}
				}
				switch fix, why, pos := c.across.Edit("local", at); {
				case why != "":
					f.Refused = append(f.Refused, shape.Refusal{Name: "local", Why: why, Pos: pos})
				case i == 0: // one edit serves all
					f.Fixes = append(f.Fixes, fix)
				}
				all = append(all, f)
			}
		}
	}
	return all
}

// each reports whether the goroutines that a function starts call its i-th parameter
// in a loop of theirs, and not once; of one that is declared elsewhere it is not known.
func (c *check) each(fn *types.Func, i int) bool {
	if fn.Pkg() != c.Pass.Pkg {
		return true
	}
	for _, use := range c.Uses.Of(fn.Signature().Params().At(min(i, fn.Signature().Params().Len()-1))) {
		in, _ := uses.Func(use)
		_, lit := in.Node().(*ast.FuncLit)
		if _, loop := local.Innermost(use); lit && loop {
			return true
		}
	}
	return false
}

// An update is what a literal does to what is shared.
type update struct {
	at   ast.Expr
	does string
	lock bool
	by   inspector.Cursor // the call that does it
}

// updates returns what a literal changes from outside of it by a lock or atomically,
// each at its first place. What is in a function or a loop of the literal's own is not
// looked at.
func (c *check) updates(lit *ast.FuncLit) (all []update) {
	pass, info := c.Pass, c.Pass.TypesInfo
	seen := map[string]bool{}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt: // loops are found by themselves
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := section.Callee(info, call)
		if fn == nil {
			return true
		}
		u := update{does: "is updated atomically"}
		sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		switch method := fn.Signature().Recv() != nil; {
		case atomically(fn) && strings.HasPrefix(fn.Name(), "Load"):
		case atomically(fn) && method:
			u.at = sel.X
		case atomically(fn):
			if a, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && a.Op == token.AND {
				u.at = a.X
			}
		case section.Locks(fn) && fn.Name() == "Lock" && method:
			u.at, u.does, u.lock = sel.X, "is locked", true
		case fn.Pkg() == pass.Pkg && method:
			if s := flow.Of(pass).Func(fn); s != nil {
				if e := s.Effects.First(flow.Lock | flow.Sync); e != nil && e.On.Has(flow.Param(0)) {
					u.at, u.does, u.lock = sel, "takes a lock or updates an atomic", e.Kind == flow.Lock
				}
			}
		}
		if u.at == nil {
			return true
		}
		root := ast.Unparen(u.at)
		for x, ok := root.(*ast.SelectorExpr); ok; x, ok = root.(*ast.SelectorExpr) {
			root = ast.Unparen(x.X)
		}
		id, ok := root.(*ast.Ident)
		if !ok {
			return true
		}
		if o := info.Uses[id]; o != nil && (o.Pos() < lit.Pos() || lit.End() <= o.Pos()) && !seen[types.ExprString(u.at)] {
			seen[types.ExprString(u.at)] = true
			u.by, _ = c.Find(call)
			all = append(all, u)
		}
		return true
	})
	return all
}

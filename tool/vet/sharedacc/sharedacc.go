package sharedacc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/privatize"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("sharedacc", "find shared accumulators that goroutines update item by item\n\nA lock or an atomic operation for each item makes goroutines wait for each other, and for the cache line.", find, spawn.Reached, uses.Analyzer, section.Analyzer)

type check struct {
	*local.Package
	sections *section.Index
	weigher  *spawn.Weigher
	parts    *privatize.Package
	seen     map[ast.Node]bool // what has a finding: loops, sections, calls
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	sites := spawn.Loops(pass)
	if len(sites) == 0 {
		return nil, nil
	}
	pkg, sections := local.New(pass), pass.ResultOf[section.Analyzer].(*section.Index)
	c := &check{pkg, sections, spawn.NewWeigher(pass), privatize.New(pkg, sections), map[ast.Node]bool{}}
	for _, s := range sites {
		if s.Body == nil {
			continue
		}
		for _, h := range c.Hoists(s, c.seen, func(loop inspector.Cursor) []*local.Place { return c.targets(s, loop) }) {
			if h.Edits != nil || slices.ContainsFunc(h.Places, func(p *local.Place) bool { return p.Light(c.weigher) }) {
				all = append(all, c.atomic(h))
			}
		}
		all = append(all, c.captured(s)...)
		for _, s := range append([]*spawn.Site{s}, s.Also...) {
			all = append(all, c.called(s)...)
		}
		all = append(all, c.owned(s)...)
	}
	return append(all, c.unread()...), nil
}

// targets returns what a loop updates atomically.
func (c *check) targets(s *spawn.Site, loop inspector.Cursor) (targets []*local.Place) {
	if privatize.Keeps(c.Pass.TypesInfo, loop) {
		return nil
	}
	for _, p := range local.Places(c.Uses, loop) {
		if p.Changes() && c.shared(s, p) && p.Repeats(loop) {
			targets = append(targets, p)
		}
	}
	return targets
}

// shared reports whether a place is the same memory in all goroutines, or may be
// as a pointer leads to it that can point there in each.
func (c *check) shared(s *spawn.Site, p *local.Place) bool {
	if s.SharedExpr(p.Expr) {
		return true
	}
	return p.Deref() && !s.Differs(p.Root()) && slices.ContainsFunc(c.Uses.Of(p.Root()), func(use inspector.Cursor) bool {
		a, ok := use.Parent().Node().(*ast.AssignStmt)
		if !ok || use.ParentEdgeKind() != edge.AssignStmt_Lhs || len(a.Lhs) != len(a.Rhs) {
			return false
		}
		u, ok := ast.Unparen(a.Rhs[use.ParentEdgeIndex()]).(*ast.UnaryExpr)
		return ok && u.Op == token.AND && s.SharedExpr(u.X)
	})
}

func (c *check) atomic(h local.Hoist) shape.Finding {
	p := h.Places[0]
	f := shape.Finding{
		Pos: p.Expr.Pos(), End: p.Expr.End(),
		Message: p.Text() + " is updated atomically in each iteration by goroutines that share it",
		Func:    h.Func(),
		Causes:  []string{"trueshare", "rmw", "falseshare"},
		Hot:     []shape.Range{shape.Of(h.At.Node())},
	}
	f.Offer(shape.Fix{Name: "local", Says: fmt.Sprintf("add up in a local variable and add that to %s after the loop", p.Text()) + local.Caveat(h.Places), Edits: h.Edits, Holds: h.Holds}, h.Why, h.Reason)
	return f
}

// captured returns the findings of loops that lock for each item what they add up, or
// append to, or look for it in a sync.Map.
func (c *check) captured(s *spawn.Site) (all []shape.Finding) {
	for _, h := range c.parts.Captured(s, c.weigher) {
		if c.seen[h.Enter] {
			continue
		}
		c.seen[h.Enter] = true
		f := shape.Finding{
			Pos: h.Enter.Pos(), End: h.Enter.End(),
			Message: types.ExprString(h.X) + " is locked in each iteration by goroutines that share it",
			Func:    h.Func(),
			Causes:  []string{"lock", "trueshare", "rmw"},
			Hot:     []shape.Range{shape.Of(h.At.Node())},
		}
		if _, hash := h.Enter.(*ast.CallExpr); hash {
			f.Message = fmt.Sprintf("the loop looks in the map %s for something to add to in each iteration, and the goroutines share it", types.ExprString(h.X))
			f.Causes = append(f.Causes, "syncmap", "alloc")
		}
		if h.Appends {
			f.Causes = append(f.Causes, "serial")
		}
		f.Offer(h.Fix, h.Why, h.Reason)
		all = append(all, f)
	}
	return all
}

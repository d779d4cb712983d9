package hotslot

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/layout"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/privatize"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/room"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("hotslot", "find slots of goroutines that a loop updates in memory\n\nA slot of a slice that one goroutine owns and updates in a loop costs a load and a store each time, and its neighbours share the cache line.", find, spawn.Reached, uses.Analyzer)

type check struct {
	*local.Package
	weigher *spawn.Weigher
	seen    map[ast.Node]bool // loops that have a finding
	parts   *privatize.Package
	names   rewrite.Names
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	sites := spawn.Loops(pass)
	if len(sites) == 0 {
		return nil, nil
	}
	pkg := local.New(pass)
	c := &check{pkg, spawn.NewWeigher(pass), map[ast.Node]bool{}, privatize.New(pkg, nil), rewrite.Names{}}
	for _, s := range sites {
		if s.Body == nil {
			continue
		}
		for _, h := range c.Hoists(s, c.seen, func(loop inspector.Cursor) []*local.Place { return c.slots(s, loop) }) {
			all = append(all, c.finding(h))
		}
		all = append(all, c.called(s)...)
	}
	return all, nil
}

// called returns the finding of a call, in a loop, of a function that updates a
// slot.
func (c *check) called(s *spawn.Site) []shape.Finding {
	if s.Up == nil || s.Decl == nil || c.seen[s.Node] {
		return nil
	}
	call, _ := c.Find(s.Node)
	loop, ok := local.Innermost(call)
	if !ok || c.seen[loop.Node()] || !local.Light(c.weigher, loop) || c.own(call.Node().(*ast.CallExpr)) {
		return nil
	}
	body, _ := c.Find(s.Body)
	var slots []*local.Place
	for _, p := range local.Places(c.Uses, body) {
		if p.Slot(s) != nil && p.OutOfLoops() {
			slots = append(slots, p)
		}
	}
	if len(slots) == 0 {
		return nil
	}
	c.seen[s.Node] = true
	fix, why, at := c.parts.Copy(&local.Loop{Package: c.Package, Site: s.Up, At: loop}, call)
	f := c.finding(local.Hoist{Loop: &local.Loop{Package: c.Package, Site: s, At: loop}, Places: slots, Edits: fix.Edits, Why: why, Reason: at})
	if why == "" {
		f.Fixes[0] = fix
	}
	f.Pos, f.End = s.Node.Pos(), s.Node.End()
	f.Message = types.ExprString(s.Call.Fun) + " updates the slot of a goroutine in each iteration"
	f.Hot = append(f.Hot, shape.Of(s.Decl))
	return []shape.Finding{f}
}

// own reports whether a call is of a method of a variable of the function.
func (c *check) own(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return false
	}
	return uses.Under[*types.Struct](c.Pass.TypesInfo.TypeOf(id))
}

// slots returns what the goroutines of a site each have one of, side by side,
// and update in the loop.
func (c *check) slots(s *spawn.Site, loop inspector.Cursor) (slots []*local.Place) {
	for _, p := range local.Places(c.Uses, loop) {
		if p.Slot(s) != nil && p.Light(c.weigher) && !slices.ContainsFunc(p.Uses, func(u local.Use) bool { return u.Kind == local.Method }) {
			slots = append(slots, p)
		}
	}
	return slots
}

func (c *check) finding(h local.Hoist) shape.Finding {
	p := h.Places[0]
	f := shape.Finding{
		Pos: p.Expr.Pos(), End: p.Expr.End(),
		Message: p.Text() + " is updated in memory in each iteration",
		Func:    h.Func(),
		Causes:  []string{"falseshare", "rmw"},
		Hot:     []shape.Range{shape.Of(h.At.Node())},
	}
	if p.Atomic {
		f.Message = p.Text() + " is updated atomically in each iteration"
	}
	var small []types.Type // that share a cache line
	for _, p := range h.Places {
		t := p.Slot(h.Site)
		if layout.Sized(t) && c.Pass.TypesSizes.Sizeof(t) >= layout.Line {
			continue
		}
		if !slices.ContainsFunc(small, func(s types.Type) bool { return types.Identical(s, t) }) {
			small = append(small, t)
		}
	}
	if len(small) > 0 {
		f.Message += ", and its neighbours on the cache line by other goroutines"
	}
	f.Offer(shape.Fix{Name: "local", Says: fmt.Sprintf("keep %s in a local variable and write it back after the loop", p.Text()) + local.Caveat(h.Places), Edits: h.Edits, Holds: h.Holds}, h.Why, h.Reason)
	c.pad(&f, h, small)
	return f
}

// pad offers to fill the structs that slots are in up to a cache line, or to give each
// element of the slice that they are in a line.
func (c *check) pad(f *shape.Finding, h local.Hoist, slots []types.Type) {
	var edits []analysis.TextEdit
	why, at := "", token.NoPos
	for _, t := range slots {
		if !layout.Sized(t) {
			return
		}
		if why != "" {
			continue
		}
		size := c.Pass.TypesSizes.Sizeof(t)
		var more []analysis.TextEdit
		if st, ok := layout.Of(c.Uses, t); ok {
			more, why, at = st.Fill(c.Uses, c.Pass.Pkg, c.Pass.Fset, size)
		} else if len(slots) > 1 {
			return
		}
		if more == nil && len(slots) == 1 {
			others, no, where := c.elements(h, t, size)
			if why == "" && no == notMeant {
				return
			} else if no == "" {
				more, why = others, ""
			} else if why == "" {
				why, at = no, where
			}
		}
		edits = append(edits, more...)
	}
	if len(slots) > 0 {
		f.Offer(shape.Fix{Name: "pad", Says: fmt.Sprintf("give each of the slots %d bytes", layout.Line), Edits: edits,
			Dearer: shape.Memory("each", fmt.Sprintf("%d bytes instead of %d", layout.Line, c.Pass.TypesSizes.Sizeof(slots[0])))}, why, at)
	}
}

const notMeant = "not meant"

// elements gives what lies in a slice or array of the package a type with room.
func (c *check) elements(h local.Hoist, elem types.Type, size int64) (edits []analysis.TextEdit, why string, at token.Pos) {
	v := h.Places[0].Table(h.Site, c.Uses)
	named, _ := types.Unalias(elem).(*types.Named)
	if _, st := elem.Underlying().(*types.Struct); v == nil || !st || named == nil || named.TypeArgs().Len() > 0 || h.Places[0].Atomic {
		return nil, notMeant, 0 // an atomic is added to in a variable
	}
	decl := slices.IndexFunc(c.Uses.Of(v), c.Uses.Declares)
	if decl < 0 {
		return nil, notMeant, 0
	}
	m := room.Elements(c.Uses, v)
	if why, at = m.Find(); why != "" {
		return nil, why, at
	}
	t, edits := room.Declare(c.names, c.Pass.Pkg, c.Uses.Of(v)[decl], elem, size)
	return append(edits, room.Edits(m.Changes(c.Pass.Fset, t))...), "", 0
}

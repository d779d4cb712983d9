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
	"github.com/gopayoff/payoff/tool/vet/localise"
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
	across  *localise.Across
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	sites := spawn.Loops(pass)
	if len(sites) == 0 {
		return nil, nil
	}
	c := &check{local.New(pass), spawn.NewWeigher(pass), map[ast.Node]bool{}, localise.New(pass, find)}
	for _, s := range sites {
		if s.Body == nil {
			continue
		}
		if body, ok := c.Find(s.Body); ok {
			for _, loop := range local.Outermost(body) {
				c.Hoisted(s, loop, c.seen, func(loop inspector.Cursor) []*local.Place { return c.slots(s, loop) },
					func(l *local.Loop, slots []*local.Place, edits []analysis.TextEdit, why string, at token.Pos) {
						all = append(all, c.finding(l, slots, edits, why, at))
					})
			}
			all = append(all, c.called(s, body)...)
		}
	}
	return all, nil
}

// called returns the finding of a call, in a loop, of a function that updates a
// slot.
func (c *check) called(s *spawn.Site, body inspector.Cursor) []shape.Finding {
	if s.Up == nil || s.Decl == nil || c.seen[s.Node] {
		return nil
	}
	call, ok := c.Find(s.Node)
	if !ok {
		return nil
	}
	loop, ok := local.Innermost(call)
	if !ok || c.seen[loop.Node()] || !local.Light(c.weigher, loop) {
		return nil
	}
	var slots []*local.Place
	for _, p := range local.Places(c.Uses, body) {
		if c.slot(s, p) && p.OutOfLoops() {
			slots = append(slots, p)
		}
	}
	if len(slots) == 0 {
		return nil
	}
	c.seen[s.Node] = true
	l := &local.Loop{Package: c.Package, Site: s, At: loop}
	fix, why, at := c.across.Edit("local", c.across.Calls(loop, call)...)
	f := c.finding(l, slots, fix.Edits, why, at)
	if why == "" {
		f.Fixes[0].Says = fix.Says
	}
	f.Pos, f.End = s.Node.Pos(), s.Node.End()
	f.Message = types.ExprString(s.Call.Fun) + " updates the slot of a goroutine in each iteration"
	f.Hot = append(f.Hot, shape.Of(s.Decl))
	return []shape.Finding{f}
}

// slots returns what the goroutines of a site each have one of, side by side,
// and update in the loop.
func (c *check) slots(s *spawn.Site, loop inspector.Cursor) (slots []*local.Place) {
	for _, p := range local.Places(c.Uses, loop) {
		if c.slot(s, p) && p.Light(c.weigher) && !slices.ContainsFunc(p.Uses, func(u local.Use) bool { return u.Kind == local.Method }) {
			slots = append(slots, p)
		}
	}
	return slots
}

// slot reports whether each goroutine has a place of its own beside those of the
// others: an element of a shared slice or array chosen by what differs between
// goroutines, or what a pointer that differs points to.
func (c *check) slot(s *spawn.Site, p *local.Place) bool {
	for _, x := range p.Indexes() {
		if s.DiffersExpr(x.Expr) {
			return !x.Beyond
		}
	}
	for _, x := range p.Indexes() {
		if x.Beyond || x.Slice {
			return false // a slice of its own
		}
	}
	v := p.Root()
	_, pointer := types.Unalias(v.Type()).Underlying().(*types.Pointer)
	return pointer && s.Own(v) && s.Differs(v) && p.Deref()
}

func (c *check) finding(l *local.Loop, slots []*local.Place, edits []analysis.TextEdit, why string, at token.Pos) shape.Finding {
	p := slots[0]
	f := shape.Finding{
		Pos: p.Expr.Pos(), End: p.Expr.End(),
		Message: p.Text() + " is updated in memory in each iteration",
		Func:    l.Func(),
		Causes:  []string{"falseshare", "rmw"},
		Hot:     []shape.Range{shape.Of(l.At.Node())},
	}
	if p.Atomic {
		f.Message = p.Text() + " is updated atomically in each iteration"
	}
	small := slices.DeleteFunc(slices.Clone(slots), func(p *local.Place) bool {
		t := element(l.Site, p)
		return layout.Sized(t) && c.Pass.TypesSizes.Sizeof(t) >= layout.Line
	})
	if len(small) > 0 {
		f.Message += ", and its neighbours on the cache line by other goroutines"
	}
	if edits != nil {
		f.Fixes = append(f.Fixes, shape.Fix{Name: "local", Says: fmt.Sprintf("keep %s in a local variable and write it back after the loop", p.Text()) + local.Caveat(slots), Edits: edits})
	} else {
		f.Refused = append(f.Refused, shape.Refusal{Name: "local", Why: why, Pos: at})
	}
	if len(small) > 0 && !slices.ContainsFunc(small, func(p *local.Place) bool { return !c.padded(element(l.Site, p)) }) {
		if edits, why, at := c.pads(l, small); why == "" {
			f.Fixes = append(f.Fixes, shape.Fix{Name: "pad", Says: fmt.Sprintf("give each of the slots %d bytes", layout.Line), Edits: edits,
				Dearer: shape.Memory("each", fmt.Sprintf("%d bytes instead of %d", layout.Line, c.Pass.TypesSizes.Sizeof(element(l.Site, small[0]))))})
		} else {
			f.Refused = append(f.Refused, shape.Refusal{Name: "pad", Why: why, Pos: at})
		}
	}
	return f
}

// element returns the type of what lies side by side.
func element(s *spawn.Site, p *local.Place) types.Type {
	for _, x := range p.Indexes() {
		if s.DiffersExpr(x.Expr) {
			return uses.Deref(x.Elem)
		}
	}
	return uses.Deref(p.Root().Type())
}

package sharedacc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// called returns the finding of a call, in a loop, of a function that takes a lock
// or adds to an atomic which the goroutines share, itself or by what it calls.
func (c *check) called(s *spawn.Site) []shape.Finding {
	up, call, loop, ok := c.way(s)
	if !ok || c.seen[call.Node()] || c.parts.Covered[call.Node()] {
		return nil
	}
	body, _ := c.Find(s.Body)
	f := shape.Finding{
		Pos: call.Node().Pos(), End: call.Node().End(),
		Func:   uses.Decl(loop),
		Causes: []string{"trueshare", "rmw", "falseshare"},
		Hot:    []shape.Range{shape.Of(loop.Node()), shape.Of(s.Body)},
	}
	does := types.ExprString(call.Node().(*ast.CallExpr).Fun)
	sec := c.once(s, body)
	if sec != nil {
		f.Message = fmt.Sprintf("%s locks %s in each iteration, and the goroutines share it", does, types.ExprString(sec.X))
		f.Causes = []string{"lock", "trueshare", "rmw"}
	} else if p := c.added(s, body); p == nil {
		at, hash := c.element(s, body)
		if at == nil {
			return nil
		}
		f.Message = fmt.Sprintf("%s updates an element of %s atomically in each iteration, and the goroutines share it", does, types.ExprString(at))
		if hash {
			f.Message = fmt.Sprintf("%s looks in the map %s for something to add to in each iteration, and the goroutines share it", does, types.ExprString(at))
			f.Causes = append(f.Causes, "syncmap", "alloc")
		}
	} else {
		f.Message = fmt.Sprintf("%s updates %s atomically in each iteration, and the goroutines share it", does, p.Text())
	}
	light := local.Light(c.weigher, loop)
	fix, hot, why, at := c.part(up, loop, call)
	if why == "" {
		f.Hot = append(f.Hot, hot...)
		f.Fixes = append(f.Fixes, fix)
	} else if light {
		f.Refused = append(f.Refused, shape.Refusal{Name: "local", Why: why, Pos: at})
	}
	if sec != nil && s.Node == call.Node() {
		c.batch(&f, s, sec, call)
	}
	if len(f.Fixes) == 0 && !light {
		return nil // the lock is little of what the loop does
	}
	c.seen[call.Node()] = true
	return []shape.Finding{f}
}

// part has the outermost loop that can call methods of an object of its own.
func (c *check) part(up *spawn.Site, loop, call inspector.Cursor) (fix shape.Fix, hot []shape.Range, why string, at token.Pos) {
	var loops []inspector.Cursor
	for ok := true; ok; loop, ok = local.Innermost(loop) {
		loops = append(loops, loop)
	}
	for _, loop := range slices.Backward(loops) {
		if fix, hot, why, at = c.parts.Edit(&local.Loop{Package: c.Package, Site: up, At: loop}, call); why == "" {
			break
		}
	}
	return fix, hot, why, at
}

// way returns the call on the way to what a site runs that a loop is around, and the
// loop: none may be around what that calls.
func (c *check) way(s *spawn.Site) (up *spawn.Site, call, loop inspector.Cursor, ok bool) {
	for ; s != nil && s.Up != nil; s = s.Up {
		if s.Lit != nil && section.Callee(c.Pass.TypesInfo, s.Call) != nil {
			return nil, call, loop, false // it was handed over
		}
		call, _ = c.Find(s.Node)
		if loop, ok = local.Innermost(call); ok {
			return s.Up, call, loop, true
		}
	}
	return nil, call, loop, false
}

// once returns the first section, in no loop, of a lock that the goroutines share.
func (c *check) once(s *spawn.Site, body inspector.Cursor) *section.Section {
	for _, sec := range local.SectionsIn(c.sections, body) {
		if _, in := local.Innermost(sec.Enter); !in && !sec.Read && s.SharedExpr(sec.X) {
			return sec
		}
	}
	return nil
}

// element returns what the goroutines share whose elements a body adds to atomically: hash
// for a sync.Map, of which it makes them where they are not there.
func (c *check) element(s *spawn.Site, body inspector.Cursor) (x ast.Expr, hash bool) {
	for call := range body.Preorder((*ast.CallExpr)(nil)) {
		fn := section.Callee(c.Pass.TypesInfo, call.Node().(*ast.CallExpr))
		sel, ok := ast.Unparen(call.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
		if !ok || fn == nil || fn.Pkg() == nil {
			continue
		}
		x, hash = sel.X, spawn.IsMethod(fn, "sync", "Map", "LoadOrStore")
		if i, ok := ast.Unparen(x).(*ast.IndexExpr); ok && fn.Pkg().Path() == "sync/atomic" && fn.Name() == "Add" {
			x = i.X
		} else if !hash {
			continue
		}
		if s.SharedExpr(x) {
			return x, hash
		}
	}
	return nil, false
}

// added returns what is updated atomically, in no loop, that the goroutines share.
func (c *check) added(s *spawn.Site, body inspector.Cursor) *local.Place {
	for _, p := range local.Places(c.Uses, body) {
		if p.Changes() && p.OutOfLoops() && c.shared(s, p) {
			return p
		}
	}
	return nil
}

// owned returns the findings of calls that hand on an object, which the goroutines share,
// to what calls its methods in a loop.
func (c *check) owned(s *spawn.Site) (all []shape.Finding) {
	body, ok := c.Find(s.Body)
	if !ok || s.Up != nil && s.Lit == nil { // of a function that is called the goroutine has the call
		return nil
	}
	for call := range body.Preorder((*ast.CallExpr)(nil)) {
		n := call.Node().(*ast.CallExpr)
		fn := section.Callee(c.Pass.TypesInfo, n)
		if fn == nil || !c.Uses.Owns(fn.Pkg()) || c.seen[n] {
			continue
		}
		for _, arg := range n.Args {
			arg = ast.Unparen(arg)
			if u, is := arg.(*ast.UnaryExpr); is && u.Op == token.AND {
				arg = ast.Unparen(u.X)
			}
			id, ok := arg.(*ast.Ident)
			if !ok || !s.SharedExpr(id) {
				continue
			}
			fix, hot, at, ok := c.own(s, call, id)
			if !ok {
				continue
			}
			c.seen[n] = true
			all = append(all, shape.Finding{
				Pos: n.Pos(), End: n.End(), Func: uses.Decl(call),
				Message: fmt.Sprintf("%s calls methods of %s in a loop, and the goroutines share it", types.ExprString(n.Fun), id.Name),
				Causes:  []string{"lock", "trueshare", "rmw", "falseshare"},
				Hot:     append(hot, shape.Of(at)),
				Fixes:   []shape.Fix{fix},
			})
		}
	}
	return all
}

// own has the outermost loop around a call, or its statement, that can do with an object
// of the goroutine's own.
func (c *check) own(s *spawn.Site, call inspector.Cursor, id *ast.Ident) (fix shape.Fix, hot []shape.Range, at ast.Node, ok bool) {
	var places []inspector.Cursor
	if stmt := call.Parent(); stmt.ParentEdgeKind() != 0 && uses.Listed(stmt) {
		if _, is := stmt.Node().(*ast.ExprStmt); is {
			places = append(places, stmt)
		}
	}
	for loop, ok := local.Innermost(call); ok; loop, ok = local.Innermost(loop) {
		places = append(places, loop)
	}
	for _, at := range slices.Backward(places) {
		fix, hot, why, _ := c.parts.Whole(&local.Loop{Package: c.Package, Site: s, At: at}, id)
		if why == "" {
			return fix, hot, at.Node(), true
		}
	}
	return fix, nil, nil, false
}

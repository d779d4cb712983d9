package lockslow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("lockslow", "find locks that are held over slow work\n\nWhile a goroutine reads, writes, encodes or waits with a lock in its hand, all others that want the lock wait as well.", find, section.Analyzer)

// A check looks at one section.
type check struct {
	*analysis.Pass
	*section.Index
	*section.Section
	guarded map[*types.Var]bool // what is written under its lock
	speed   *speed
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[section.Analyzer].(*section.Index)
	speed := &speed{in: in, kinds: map[*types.Func]kind{}}
	for _, l := range in.Locks {
		if l.Var.Pkg() != pass.Pkg {
			continue
		}
		var guarded map[*types.Var]bool
		for _, s := range l.Sections {
			slow := speed.first(s.Stmts)
			if slow == nil {
				continue
			}
			if guarded == nil {
				guarded = in.Guarded(l)
			}
			c := &check{Pass: pass, Index: in, Section: s, guarded: guarded, speed: speed}
			if c.once(slow.at) {
				continue
			}
			f := shape.Finding{
				Pos: slow.at.Node().Pos(), End: slow.at.Node().End(),
				Message: fmt.Sprintf("%s is held over %s: all that want the lock wait for it", types.ExprString(s.X), slow.what),
				Func:    uses.Decl(s.Enter),
				Causes:  []string{"lock", "rwmutex", "serial", "waiting"},
			}
			for _, x := range l.Sections {
				f.Hot = append(f.Hot, shape.Range{Pos: x.Enter.Node().Pos(), End: end(x)})
			}
			edits, why, at := c.shorter(slow)
			if why != "" {
				f.Refused = append(f.Refused, shape.Refusal{Name: "shorter", Why: why, Pos: at})
			} else if !rewrite.Overlap(edits, nil) {
				f.Fixes = append(f.Fixes, shape.Fix{Name: "shorter", Says: "take the lock later, so that " + slow.what + " runs without it", Edits: edits})
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// once reports whether the slow part makes something that is made once: it is
// made where the section finds that it is not there.
func (c *check) once(slow inspector.Cursor) bool {
	writes := c.Does(c.Section).Writes
	tests := func(s *ast.IfStmt) (found bool) { // what the section writes
		ast.Inspect(s.Cond, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr, *ast.CallExpr:
				return false
			case ast.Expr:
				v := c.Uses.Var(n)
				found = found || v != nil && c.guarded[v] && writes[v]
			}
			return !found
		})
		return found
	}
	for _, stmt := range c.Stmts {
		if s, ok := stmt.Node().(*ast.IfStmt); ok && s.End() <= slow.Node().Pos() && tests(s) && len(rewrite.Leaves(c.Uses.Info, s.Body, false)) > 0 {
			return true // if there { return }
		}
		for s := range slow.Enclosing((*ast.IfStmt)(nil)) {
			if stmt.Contains(s) && tests(s.Node().(*ast.IfStmt)) {
				return true
			}
		}
	}
	return false
}

// A slow part of a section.
type part struct {
	at   inspector.Cursor
	what string
	kind kind
}

// A kind says why code is slow.
type kind int

const (
	quick  kind = iota
	work        // a loop in a function of the package, or a function of another
	encode      // from memory to memory
	wait        // for the world, other goroutines or the clock
)

// A speed knows which calls are slow.
type speed struct {
	in    *section.Index
	kinds map[*types.Func]kind // of functions of the package
}

// first returns the first slow part of statements, or nil.
func (p *speed) first(stmts []inspector.Cursor) (found *part) {
	for _, stmt := range stmts {
		stmt.Inspect([]ast.Node{(*ast.CallExpr)(nil), (*ast.SendStmt)(nil), (*ast.UnaryExpr)(nil), (*ast.SelectStmt)(nil), (*ast.RangeStmt)(nil), (*ast.GoStmt)(nil), (*ast.DeferStmt)(nil), (*ast.FuncLit)(nil)}, func(c inspector.Cursor) bool {
			if found != nil {
				return false
			}
			switch n := c.Node().(type) {
			case *ast.GoStmt, *ast.DeferStmt:
				return false // runs beside it, or after
			case *ast.FuncLit:
				return c.ParentEdgeKind() == edge.CallExpr_Fun
			case *ast.SelectStmt:
				if !hasDefault(n) {
					found = &part{c, "a select", wait}
				}
				return false
			case *ast.SendStmt:
				found = &part{c, "a send", wait}
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					found = &part{c, "a receive", wait}
				}
			case *ast.RangeStmt:
				if _, ok := p.in.Uses.Info.TypeOf(n.X).Underlying().(*types.Chan); ok {
					found = &part{c, "receives", wait}
				}
			case *ast.CallExpr:
				if k := p.call(n); k != quick {
					found = &part{c, types.ExprString(n.Fun), k}
				}
			}
			return found == nil
		})
		if found != nil {
			return found
		}
	}
	return nil
}

func hasDefault(s *ast.SelectStmt) bool {
	for _, c := range s.Body.List {
		if c.(*ast.CommClause).Comm == nil {
			return true
		}
	}
	return false
}

// call says what kind of call it is. Functions of the package are what they do.
func (p *speed) call(call *ast.CallExpr) kind {
	fn := section.Callee(p.in.Uses.Info, call)
	if fn == nil {
		return quick
	}
	if decl, ok := p.in.Uses.Declaration(fn); ok {
		return p.declared(fn.Origin(), decl)
	}
	if !section.Standard(fn) {
		return work
	}
	return library(fn)
}

func (p *speed) declared(fn *types.Func, decl inspector.Cursor) kind {
	if k, ok := p.kinds[fn]; ok {
		return k
	}
	p.kinds[fn] = quick // while it is looked at
	body := decl.Node().(*ast.FuncDecl).Body
	k := quick
	at, _ := decl.FindNode(body)
	if slow := p.first([]inspector.Cursor{at}); slow != nil {
		k = slow.kind
	} else {
		for range at.Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
			k = work
		}
	}
	p.kinds[fn] = k
	return k
}

// end is where the lock is given back, or the last statement under it.
func end(s *section.Section) token.Pos {
	if s.Deferred && len(s.Stmts) > 0 {
		return s.Stmts[len(s.Stmts)-1].Node().End()
	}
	return s.Leave.Node().End()
}

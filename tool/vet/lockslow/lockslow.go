package lockslow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/guard"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("lockslow", "find locks that are held over slow work\n\nWhile a goroutine reads, writes, encodes or waits with a lock in its hand, all others that want the lock wait as well.", find, section.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[section.Analyzer].(*section.Index)
	speed := &speed{in: in, slow: map[*types.Func]bool{}}
	for _, l := range in.Locks {
		if l.Var.Pkg() != pass.Pkg {
			continue
		}
		var lock *guard.Lock
		for _, s := range l.Sections {
			slow := speed.first(s.Stmts)
			if slow == nil {
				continue
			}
			if lock == nil {
				lock = guard.Of(pass, in, l)
			}
			if speed.once(s, lock.Guarded, slow.at.Node()) {
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
			fix, no := speed.before(lock, s, slow.at)
			if no == nil {
				no = &shape.Refusal{}
			}
			f.Offer(fix, no.Why, no.Pos)
			all = append(all, f)
		}
	}
	return all, nil
}

// once reports whether the slow part makes something that is made once: it is
// made where the section finds that it is not there.
func (p *speed) once(sec *section.Section, guarded map[*types.Var]bool, slow ast.Node) bool {
	writes := p.in.Does(sec).Writes
	tests := func(s *ast.IfStmt) (found bool) { // what the section writes
		ast.Inspect(s.Cond, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr, *ast.CallExpr:
				return false
			case ast.Expr:
				v := p.in.Uses.Var(n)
				found = found || guarded[v] && writes[v]
			}
			return true
		})
		return found
	}
	for _, stmt := range sec.Stmts {
		for c := range stmt.Preorder((*ast.IfStmt)(nil)) {
			s := c.Node().(*ast.IfStmt)
			leaves := s.End() <= slow.Pos() && len(rewrite.Leaves(p.in.Uses.Info, s.Body, false)) > 0
			if (leaves || uses.Holds(s, slow.Pos())) && tests(s) {
				return true
			}
		}
	}
	return false
}

// A part of a section is slow.
type part struct {
	at   inspector.Cursor
	what string
}

// A speed knows which calls are slow.
type speed struct {
	in   *section.Index
	slow map[*types.Func]bool // functions of the package
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
				if !slices.ContainsFunc(n.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == nil }) {
					found = &part{c, "a select"}
				}
				return false
			case *ast.SendStmt:
				found = &part{c, "a send"}
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					found = &part{c, "a receive"}
				}
			case *ast.RangeStmt:
				if _, ok := p.in.Uses.Info.TypeOf(n.X).Underlying().(*types.Chan); ok {
					found = &part{c, "receives"}
				}
			case *ast.CallExpr:
				if p.call(n) {
					found = &part{c, types.ExprString(n.Fun)}
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

// call reports whether a call is slow. Functions of the package are what they do, and those
// of other modules are.
func (p *speed) call(call *ast.CallExpr) bool {
	fn := section.Callee(p.in.Uses.Info, call)
	if fn == nil { // a value, of which nothing is known
		tv := p.in.Uses.Info.Types[call.Fun]
		_, lit := ast.Unparen(call.Fun).(*ast.FuncLit)
		return tv.IsValue() && !lit
	}
	if decl, ok := p.in.Uses.Declaration(fn); ok {
		return p.declared(fn.Origin(), decl)
	}
	return !section.Standard(fn) || library(fn)
}

// declared reports whether a function of the package has a slow part or a loop.
func (p *speed) declared(fn *types.Func, decl inspector.Cursor) bool {
	if slow, ok := p.slow[fn]; ok {
		return slow
	}
	p.slow[fn] = false // while it is looked at
	at, _ := decl.FindNode(decl.Node().(*ast.FuncDecl).Body)
	for range at.Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		p.slow[fn] = true
	}
	p.slow[fn] = p.slow[fn] || p.first([]inspector.Cursor{at}) != nil
	return p.slow[fn]
}

// end is where the lock is given back, or the last statement under it.
func end(s *section.Section) token.Pos {
	at := s.Leave.Node().End()
	for _, st := range s.Stmts {
		at = max(at, st.Node().End())
	}
	return at
}

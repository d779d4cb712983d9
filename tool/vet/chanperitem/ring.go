package chanperitem

import (
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

const library = "github.com/gopayoff/payoff/queue"

// leastRoom is the capacity below which a channel does as well as a ring, by
// the documentation of package queue.
const leastRoom = 1024

// ring puts a queue of the library in the place of each channel whose ends can
// be counted.
func (r *reader) ring(f *shape.Finding, hot []*stream) {
	var edits []analysis.TextEdit
	for _, s := range hot {
		if w := r.ringable(s); w.why != "" {
			r.refuse(f, "ring", w.at, "%s", w.why)
			continue
		}
		edits = append(edits, r.ringed(s)...)
	}
	if edits == nil {
		return
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "ring", Needs: library,
		Says:  "hand the items over through a ring of package queue",
		Edits: edits,
	})
}

// ringable says why a stream cannot be a ring.
func (r *reader) ringable(s *stream) reason {
	if w := s.lent(); w.why != "" {
		return w
	}
	name := s.v.Name()
	switch {
	case !r.named(s):
		return reason{name + " is a parameter of the goroutine", s.decl}
	}
	if w := r.ahead(s); w.why != "" {
		return w
	}
	for _, e := range s.ends() {
		if e.chosen() {
			return reason{name + " is a case of a select", e.node}
		}
		if loop, ok := e.node.(*ast.RangeStmt); ok && loop.Tok == token.ASSIGN {
			return reason{"the loop over " + name + " assigns to a variable from outside", loop}
		}
	}
	for _, e := range s.receives {
		if r.received(e) == nil {
			return reason{"a value of " + name + " is received within an expression", e.node}
		}
	}
	return reason{}
}

// received returns the assignment or statement that is nothing but a receive.
func (r *reader) received(e end) ast.Stmt {
	switch st := e.stmt.(type) {
	case *ast.AssignStmt:
		if (st.Tok == token.ASSIGN || st.Tok == token.DEFINE) && len(st.Rhs) == 1 && ast.Unparen(st.Rhs[0]) == e.node {
			return st
		}
	case *ast.ExprStmt:
		if ast.Unparen(st.X) == e.node {
			return st
		}
	}
	return nil
}

func (r *reader) ringed(s *stream) (edits []analysis.TextEdit) {
	pkg, edits := rewrite.Import(r.pass.Pkg, rewrite.File(r.pass, r.decl.Pos()), library, s.decl.Pos())
	room := fmt.Sprint(max(s.room, leastRoom))
	if s.room < 0 {
		room = fmt.Sprintf("max(%d, %s)", leastRoom, r.text(s.make.Args[1]))
	}
	edits = append(edits, rewrite.Replace(s.make, fmt.Sprintf("%s.New%s[%s](%s)", pkg, kind(s), r.text(s.elem), room)))
	cut := func(pos, end token.Pos, text string) {
		edits = append(edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
	}
	for _, e := range s.sends {
		send := e.node.(*ast.SendStmt)
		cut(send.Chan.End(), send.Value.Pos(), ".Send(")
		cut(send.End(), send.End(), ")")
	}
	for _, e := range s.ranges {
		x := e.node.(*ast.RangeStmt).X
		cut(x.End(), x.End(), ".All()")
	}
	for _, e := range s.closes {
		c := e.node.(*ast.CallExpr)
		edits = append(edits, rewrite.Replace(c, r.text(c.Args[0])+".Close()"))
	}
	for _, e := range s.receives {
		u := e.node.(*ast.UnaryExpr)
		if a, ok := r.received(e).(*ast.AssignStmt); ok && len(a.Lhs) == 1 {
			cut(a.Lhs[0].End(), a.Lhs[0].End(), ", _")
		}
		cut(u.Pos(), u.X.Pos(), "")
		cut(u.X.End(), u.X.End(), ".Recv()")
	}
	return edits
}

// kind is the ring for as many senders and receivers as the stream has.
func kind(s *stream) string {
	switch {
	case !one(append(s.ranges[:len(s.ranges):len(s.ranges)], s.receives...)):
		return "MPMC"
	case !one(s.sends):
		return "MPSC"
	}
	return "SPSC"
}

// one reports whether the ends are of one goroutine.
func one(ends []end) bool {
	for _, e := range ends {
		if e.many() || e.fn != ends[0].fn || e.later != nil {
			return false
		}
	}
	return true
}

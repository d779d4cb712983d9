package staticsplit

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// sharded are the queues of workers that are numbered by w.
type sharded struct {
	split
	all   *types.Var     // the queues
	make  *ast.CallExpr  // of one of them
	over  *ast.Ident     // the queues in the loop's head
	close *ast.RangeStmt // closes all
}

// finding is that of workers that take items from a queue of their own each, into
// which a key puts them: a key that most items have keeps one worker busy.
func (q *sharded) finding(r *atonce.Reader) shape.Finding {
	f := shape.Finding{
		Pos: q.loop.Pos(), End: q.body().Lbrace,
		Message: "each worker has a queue of its own: while one has most of the items, the others wait for it",
		Func:    q.s.Func,
		Causes:  []string{"imbalance"},
		Hot:     []shape.Range{shape.Of(q.loop)},
		Shared:  shape.All(spawn.Called(q.pass, q.body())),
	}
	q.one(&f, r)
	return f
}

func channel(info *types.Info, e ast.Expr) bool {
	_, ok := info.TypeOf(e).Underlying().(*types.Chan)
	return ok
}

// newQueues returns nil where the site's workers have no queues of their own.
func newQueues(pass *analysis.Pass, s *spawn.Site) *sharded {
	q := &sharded{split: split{pass: pass, info: pass.TypesInfo, s: s}}
	l, ok := s.Loop.(*ast.RangeStmt)
	if !ok || l.Key == nil || l.Value != nil || l.Tok != token.DEFINE {
		return nil
	}
	q.w, _ = inline.Object(q.info, l.Key).(*types.Var)
	q.over, _ = l.X.(*ast.Ident)
	q.all, _ = inline.Object(q.info, l.X).(*types.Var)
	if q.w == nil || q.over == nil || q.all == nil {
		return nil
	}
	switch q.all.Type().Underlying().(type) {
	case *types.Slice, *types.Array:
	default:
		return nil
	}
	for _, st := range inline.Literal(s).Body.List {
		if r, ok := st.(*ast.RangeStmt); ok && channel(q.info, r.X) && q.mine(r.X) && r.Tok != token.ASSIGN {
			q.loop = r
			return q
		}
	}
	return nil
}

// mine reports whether an operand is the worker's queue.
func (q *sharded) mine(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	return ok && inline.Object(q.info, x.X) == types.Object(q.all) && inline.Object(q.info, x.Index) == types.Object(q.w)
}

// one has all workers take from one queue.
func (q *sharded) one(f *shape.Finding, r *atonce.Reader) {
	refuse := func(at ast.Node, format string, args ...any) {
		f.Refused = append(f.Refused, shape.Refusal{Name: "together", Why: fmt.Sprintf(format, args...), Pos: at.Pos()})
	}
	if at, why := q.kept(); why != "" {
		refuse(at, "%s", why)
		return
	}
	// What items of one key do to something would not come one after the other.
	if b := r.Read(&atonce.Code{Own: q.loop, Write: func(ast.Expr, ast.Node) bool { return true }}, q.body()); b != nil {
		refuse(b.At, "the worker %s", b.Why)
		return
	}
	if at := q.others(); at != nil {
		refuse(at, "the queues are used in another way, too")
		return
	}
	if q.make == nil || q.close == nil {
		refuse(q.loop, "it cannot be seen where the queues are made and closed")
		return
	}
	fresh := func(name string) string { return rewrite.Fresh(q.pass.Pkg, q.s.Func, name) }
	queue := fresh("queue")
	made := q.text(q.make.Args[0])
	if len(q.make.Args) > 1 {
		if inline.Calls(q.make.Args[1], q.info) || q.s.DiffersExpr(q.make.Args[1]) {
			refuse(q.make, "the queues differ in length")
			return
		}
		made += ", len(" + q.over.Name + ")*" + factor(q.text(q.make.Args[1]))
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "together",
		Says: "let all workers take from one queue",
		Edits: []analysis.TextEdit{
			rewrite.Insert(q.s.Loop.Pos(), fmt.Sprintf("%s := make(%s) // of all workers\n", queue, made)),
			rewrite.Replace(q.make, queue),
			rewrite.Replace(q.close, "close("+queue+")"),
		},
	})
}

func factor(s string) string {
	for _, c := range s {
		if c == ' ' {
			return "(" + s + ")"
		}
	}
	return s
}

// others returns a use of the queues but those that are known: the loop that makes
// them and starts the workers, what sends on one of them, and the loop that closes
// all.
func (q *sharded) others() (at ast.Node) {
	body := q.s.Func.Body
	if q.all.Pos() < body.Pos() || body.End() <= q.all.Pos() {
		return q.s.Func.Name // others see them
	}
	q.uses(q.all, func(id *ast.Ident, around []ast.Node) {
		above := func(i int) ast.Node { return around[max(0, len(around)-i)] }
		known := false
		switch n := above(1).(type) {
		case *ast.CallExpr:
			b, ok := inline.Object(q.info, n.Fun).(*types.Builtin)
			known = ok && b.Name() == "len"
		case *ast.RangeStmt:
			known = n.X == ast.Expr(id) && (n.Value == nil || q.close == nil && q.closes(n))
		case *ast.IndexExpr:
			switch up := above(2).(type) {
			case *ast.RangeStmt:
				known = up == q.loop && up.X == ast.Expr(n)
			case *ast.SendStmt:
				known = up.Chan == ast.Expr(n)
			case *ast.AssignStmt:
				if len(up.Lhs) != 1 || up.Lhs[0] != ast.Expr(n) || !q.mine(n) || q.make != nil ||
					!slices.Contains(spawn.LoopBody(q.s.Loop).List, ast.Stmt(up)) || up.Pos() > q.s.Node.Pos() {
					break
				}
				c, ok := up.Rhs[0].(*ast.CallExpr)
				if b, is := inline.Object(q.info, rhs(c)).(*types.Builtin); ok && is && b.Name() == "make" {
					q.make, known = c, true
				}
			}
		}
		if !known && at == nil {
			at = id
		}
	})
	return at
}

func rhs(c *ast.CallExpr) ast.Expr {
	if c == nil {
		return ast.NewIdent("_")
	}
	return c.Fun
}

// closes reports whether a loop closes each of the queues, and does nothing else.
func (q *sharded) closes(l *ast.RangeStmt) bool {
	v, ok := l.Value.(*ast.Ident)
	if !ok || l.Tok != token.DEFINE || len(l.Body.List) != 1 {
		return false
	}
	if k, ok := l.Key.(*ast.Ident); !ok || k.Name != "_" {
		return false
	}
	st, ok := l.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	c, ok := st.X.(*ast.CallExpr)
	if !ok || len(c.Args) != 1 || inline.Object(q.info, c.Args[0]) != q.info.Defs[v] {
		return false
	}
	b, ok := inline.Object(q.info, c.Fun).(*types.Builtin)
	if ok && b.Name() == "close" {
		q.close = l
		return true
	}
	return false
}

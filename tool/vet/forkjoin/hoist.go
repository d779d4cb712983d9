package forkjoin

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// A round is a loop around a call of a helper, over numbers from 0 or a slice.
type round struct {
	stmt  ast.Stmt // *ast.ForStmt or *ast.RangeStmt
	body  *ast.BlockStmt
	count string // of iterations, an expression

	plain *inline.Loop // one by one; or
	key   string       // from 0
	bound string       // up to this
	step  string       // by a constant
}

// hoist starts goroutines once, for parts of the loop that the call is in.
func (w *writer) hoist(f *shape.Finding) {
	loop := w.around()
	if loop == nil || inLiteral(w.decl, w.call) {
		return
	}
	refuse := func(at ast.Node, why string) {
		f.Refused = append(f.Refused, shape.Refusal{Name: "hoist", Why: why, Pos: at.Pos()})
	}
	st := w.statement()
	text, ok := w.inPlace(w.h, w.call, w.decl)
	if st == nil || !ok {
		refuse(w.call, "the tasks are no loop in place of the call")
		return
	}
	r, why := w.round(loop)
	if r == nil {
		refuse(loop, why)
		return
	}
	sums, at, why := w.independent(r)
	if at != nil {
		refuse(at, why)
		return
	}
	if _, o := w.pass.Pkg.Scope().Innermost(w.call.Pos()).LookupParent("min", token.NoPos); o == nil || o.Parent() != types.Universe {
		refuse(loop, "min means something else here")
		return
	}
	edits, text, why := w.rounds(r, sums, rewrite.Replace(st, text))
	if why != "" {
		refuse(loop, why)
		return
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name:  "hoist",
		Says:  "start one goroutine for each processor, with a part of the loop around the call",
		Edits: append(edits, rewrite.Replace(loop, text)),
	})
}

// around is the innermost loop around the call, nil if there is none.
func (w *writer) around() (loop ast.Stmt) {
	ast.Inspect(w.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if within(n.Body, w.call) {
				loop = n
			}
		case *ast.RangeStmt:
			if within(n.Body, w.call) {
				loop = n
			}
		}
		return true
	})
	return loop
}

// round returns what the head of a loop says, or why that is not enough.
func (w *writer) round(loop ast.Stmt) (*round, string) {
	r := &round{stmt: loop}
	var bound ast.Expr
	switch l := loop.(type) {
	case *ast.RangeStmt:
		r.body, bound = l.Body, l.X
	case *ast.ForStmt:
		r.body = l.Body
		if c, ok := l.Cond.(*ast.BinaryExpr); ok {
			bound = c.Y
		}
		if post, ok := l.Post.(*ast.AssignStmt); ok && bound != nil {
			why := w.steps(r, l, post)
			if why != "" {
				return nil, why
			}
		}
	}
	if r.step == "" {
		var why string
		if r.plain, why = inline.Numbered(w.pass, w.file, loop); r.plain == nil {
			return nil, why
		}
		r.count = r.plain.Count
	}
	if p := (&place{call: w.call, decl: w.decl}); !w.stable(p, bound, &env{}) || mentionsSet(w.info, bound, r.body) {
		return nil, "what the loop goes up to may change"
	}
	return r, ""
}

// steps enters a loop from 0 by a constant.
func (w *writer) steps(r *round, l *ast.ForStmt, post *ast.AssignStmt) (why string) {
	init, ok := l.Init.(*ast.AssignStmt)
	cond := l.Cond.(*ast.BinaryExpr)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 || cond.Op != token.LSS {
		return "the loop does not count up to a bound"
	}
	v := inline.Object(w.info, init.Lhs[0])
	zero, k := w.info.Types[init.Rhs[0]].Value, w.info.Types[post.Rhs[0]].Value
	switch {
	case inline.Object(w.info, cond.X) != v || zero == nil || zero.ExactString() != "0" || !types.Identical(v.Type(), types.Typ[types.Int]):
		return "the loop does not count from 0"
	case post.Tok != token.ADD_ASSIGN || inline.Object(w.info, post.Lhs[0]) != v || k == nil || constant.Sign(k) <= 0:
		return "the loop does not count by a constant"
	case inline.Sets(w.info, l.Body, v):
		return "the loop sets its own counter"
	}
	r.key, r.bound, r.step = v.Name(), factor(rewrite.Text(w.pass.Fset, cond.Y)), factor(rewrite.Text(w.pass.Fset, post.Rhs[0]))
	r.count = "(" + r.bound + " + " + r.step + " - 1) / " + r.step
	return ""
}

func factor(s string) string {
	if strings.ContainsAny(s, " +-*/%") {
		return "(" + s + ")"
	}
	return s
}

// mentionsSet reports whether code sets a variable of an expression.
func mentionsSet(info *types.Info, e ast.Expr, code ast.Node) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] != nil {
			found = found || inline.Sets(info, code, info.Uses[id])
		}
		return !found
	})
	return found
}

// rounds is the text of goroutines that each do a part of the loop, and add up
// for themselves.
func (w *writer) rounds(r *round, sums map[*types.Var]token.Token, task analysis.TextEdit) (edits []analysis.TextEdit, text, why string) {
	taken := map[string]bool{}
	fresh := func(name string) string {
		name = w.fresh(name)
		for taken[name] {
			name += "b"
		}
		taken[name] = true
		return name
	}
	runtime, edits := rewrite.Import(w.pass.Pkg, w.file, "runtime", w.call.Pos())
	sync, more := rewrite.Import(w.pass.Pkg, w.file, "sync", w.call.Pos())
	edits = append(edits, more...)
	workers, i, wg, mu := fresh("workers"), fresh("w"), fresh("wg"), fresh("mu")
	own := &env{names: map[types.Object]string{}}
	var before, after strings.Builder
	for _, v := range slices.SortedFunc(maps.Keys(sums), func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) }) {
		t, ok := rewrite.Type(w.pass.Pkg, w.file, w.call.Pos(), v.Type())
		if !ok {
			return nil, "", "the type of " + v.Name() + " has no name here"
		}
		own.names[v] = fresh("part")
		fmt.Fprintf(&before, "var %s %s\n", own.names[v], t)
		fmt.Fprintf(&after, "%s %s %s\n", v.Name(), sums[v], own.names[v])
	}
	body, err := w.source(r.body, r.body.Lbrace+1, r.body.Rbrace, own, []analysis.TextEdit{task})
	if err != nil {
		return nil, "", err.Error()
	}
	count, lines := factor(r.count), ""
	if r.step != "" {
		count = fresh("n")
		lines = fmt.Sprintf("%s := %s\n", count, r.count)
		r.count = count
	}
	lo, hi := fmt.Sprintf("%s*%s/%s", count, i, workers), fmt.Sprintf("%s*(%s+1)/%s", count, i, workers)
	var loop string
	if r.plain != nil {
		loop = r.plain.Part(fresh, lo, hi, body)
	} else {
		loop = fmt.Sprintf("for %s := %s * %s; %[1]s < min(%[4]s*%[3]s, %[5]s); %[1]s += %[3]s {%[6]s}", r.key, lo, r.step, hi, r.bound, body)
	}
	locks := ""
	if after.Len() > 0 {
		locks = fmt.Sprintf("var %s %s.Mutex\n", mu, sync)
		fmt.Fprintf(&before, "%s\n%s.Lock()\n%s%s.Unlock()", loop, mu, after.String(), mu)
	} else {
		before.WriteString(loop)
	}
	text = lines + fmt.Sprintf("%s := min(%s.GOMAXPROCS(0), %s)\nvar %s %s.WaitGroup\n%sfor %s := range %s {\n%s\n}\n%s.Wait()",
		workers, runtime, r.count, wg, sync, locks, i, workers, inline.Start(w.info, w.file, wg, before.String()), wg)
	return edits, text, ""
}

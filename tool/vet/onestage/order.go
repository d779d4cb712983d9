package onestage

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// An order looks for what depends on the order in which a channel brings its
// items: it follows the channel from where it is made into the functions of the
// package that get it.
type order struct {
	info *types.Info
	uses *uses.Index
	r    *atonce.Reader
	seen map[*types.Var]bool
	at   ast.Node
	why  string
}

// sent says what depends on the order of what a statement sends.
func sent(pass *analysis.Pass, r *atonce.Reader, s *ast.SendStmt) (at ast.Node, why string) {
	o := &order{info: pass.TypesInfo, uses: pass.ResultOf[uses.Analyzer].(*uses.Index), r: r, seen: map[*types.Var]bool{}}
	o.channel(s.Chan)
	if o.why != "" {
		return o.at, "the order of what " + rewrite.Text(pass.Fset, s.Chan) + " brings may matter: " + o.why
	}
	return nil, ""
}

func (o *order) refuse(at ast.Node, why string) {
	if o.why == "" {
		o.at, o.why = at, why
	}
}

// elsewhere is why what code of others may have is left.
const elsewhere = "others may have it"

// channel looks at the channel that is sent on: a function has to make it.
func (o *order) channel(e ast.Expr) {
	v := loop.Var(o.info, e)
	if v == nil {
		o.refuse(e, elsewhere)
		return
	}
	for _, use := range o.uses.Of(v) {
		if !o.seen[v] && o.uses.Declares(use) && !o.made(use) {
			o.refuse(use.Node(), elsewhere)
		}
	}
	o.variable(v)
}

// made reports whether a variable is declared by x := make(…) in a function.
func (o *order) made(at inspector.Cursor) bool {
	d, ok := at.Parent().Node().(*ast.AssignStmt)
	if !ok || len(d.Lhs) != len(d.Rhs) {
		return false
	}
	call, ok := ast.Unparen(d.Rhs[at.ParentEdgeIndex()]).(*ast.CallExpr)
	return ok && loop.Builtin(o.info, call) == "make"
}

// variable looks at the uses of a variable or parameter.
func (o *order) variable(v *types.Var) {
	if o.seen[v] {
		return
	}
	o.seen[v] = true
	for _, use := range o.uses.Of(v) {
		if !o.uses.Declares(use) {
			o.use(uses.Whole(use))
		}
	}
}

// use looks at what is done with a channel.
func (o *order) use(c inspector.Cursor) {
	switch parent := c.Parent(); c.ParentEdgeKind() {
	case edge.SendStmt_Chan:
	case edge.RangeStmt_X:
		l := parent.Node().(*ast.RangeStmt)
		o.body(l, l.Body)
	case edge.UnaryExpr_X:
		o.refuse(parent.Node(), "what takes so many of them takes the first")
	case edge.CallExpr_Args:
		o.handed(parent.Node().(*ast.CallExpr), c.ParentEdgeIndex())
	default:
		o.refuse(c.Node(), elsewhere)
	}
}

// handed goes on with the parameter that a channel is bound to.
func (o *order) handed(call *ast.CallExpr, i int) {
	if b := loop.Builtin(o.info, call); b == "close" {
		return
	}
	if fn := section.Callee(o.info, call); fn != nil && !fn.Signature().Variadic() && i < fn.Signature().Params().Len() {
		if _, ok := o.uses.Declaration(fn); ok {
			o.variable(fn.Origin().Signature().Params().At(i))
			return
		}
	}
	o.refuse(call, elsewhere)
}

// body looks at what a loop does with the items: what it keeps must be the same
// in any order.
func (o *order) body(stmt ast.Stmt, body *ast.BlockStmt) {
	if l := rewrite.Stops(o.info, body); l != nil {
		o.refuse(body, "what takes them may stop")
		return
	}
	k := &keeper{info: o.info, uses: o.uses, loop: stmt, how: map[*types.Var]string{}}
	var sends []*ast.SendStmt
	code := &atonce.Code{
		Own:   stmt,
		Write: k.write,
		Send: func(s *ast.SendStmt) bool {
			sends = append(sends, s)
			return true
		},
	}
	if l, ok := stmt.(*ast.RangeStmt); ok && l.Tok == token.ASSIGN {
		o.refuse(l, "the last item is kept")
	} else if b := o.r.Read(code, body); b != nil {
		o.refuse(b.At, "what takes them "+b.Why)
	} else if at, what := k.looks(code); at != nil {
		o.refuse(at, "what takes them looks at "+what+", which it changes")
	}
	for _, s := range sends {
		o.channel(s.Chan)
	}
}

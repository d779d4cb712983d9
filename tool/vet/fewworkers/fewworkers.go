package fewworkers

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds numbers of workers that do not fit what they do.
var Analyzer = shape.Analyzer("fewworkers", doc, find, spawn.Analyzer, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	weigher := spawn.NewWeigher(pass)
	seen := map[ast.Node]bool{}
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == nil || s.Loop == nil || s.Body == nil || s.In != s.Func {
			continue
		}
		r := &reader{pass, pass.TypesInfo, pass.ResultOf[uses.Analyzer].(*uses.Index), s}
		n := r.number()
		if n == nil || seen[n.at] {
			continue
		}
		switch blocks := inline.Blocks(pass, weigher, s.Body); {
		case blocks && !n.many:
			all = append(all, r.few(n, weigher))
		case !blocks && r.runtime(n.call) == "NumCPU":
			all = append(all, r.cpus(n))
		default:
			continue
		}
		seen[n.at] = true
	}
	return all, nil
}

// A number is where a function says how many workers there are.
type number struct {
	at   ast.Expr // the expression: 4 * runtime.NumCPU(), 8
	call ast.Expr // of package runtime in it, nil for a constant
	many bool     // it is a multiple of the call
	v    ast.Expr // the variable that it is the value of, nil for none
}

// A reader looks at one site.
type reader struct {
	pass *analysis.Pass
	info *types.Info
	uses *uses.Index
	s    *spawn.Site
}

// number returns what bounds the site's workers. It is nil if that is neither the number
// of processors nor a small constant.
func (r *reader) number() *number {
	l, ok := loop.Numbered(r.info, r.s.Loop)
	if !ok || l.Over != nil || l.Hi == nil {
		return nil
	}
	if n := r.parse(l.Hi); n != nil {
		if l.Key != nil && uses.Mentions(r.info, spawn.LoopBody(r.s.Loop), loop.Var(r.info, l.Key)) {
			return nil // what has a place for each worker has one for each processor
		}
		return n
	}
	if def := r.definition(l.Hi); def != nil {
		if n := r.parse(def); n != nil {
			n.v = l.Hi
			return n
		}
	}
	return nil
}

// definition returns what a local variable of the function is declared with,
// nil if it is set elsewhere.
func (r *reader) definition(e ast.Expr) (def ast.Expr) {
	v := loop.Var(r.info, e)
	if v == nil {
		return nil
	}
	for _, use := range r.uses.Of(v) {
		a, ok := use.Parent().Node().(*ast.AssignStmt)
		switch {
		case ok && r.uses.Declares(use) && len(a.Lhs) == len(a.Rhs):
			def = a.Rhs[slices.Index(a.Lhs, ast.Expr(use.Node().(*ast.Ident)))]
		case uses.Written(use):
			return nil
		}
	}
	return def
}

// mostConstant is the constant number of workers from which there are many.
const mostConstant = 16

// parse returns the number that an expression is, nil if it is no such.
func (r *reader) parse(e ast.Expr) *number {
	e = ast.Unparen(e)
	if r.runtime(e) != "" {
		return &number{at: e, call: e}
	}
	switch x := e.(type) {
	case *ast.BinaryExpr:
		if k, ok := r.constant(x.X); ok && x.Op == token.MUL && r.runtime(x.Y) != "" {
			return &number{at: e, call: ast.Unparen(x.Y), many: k > 1}
		}
	case *ast.BasicLit:
		if k, ok := r.constant(x); ok && k <= mostConstant {
			return &number{at: e}
		}
	}
	return nil
}

func (r *reader) constant(e ast.Expr) (int64, bool) {
	v := r.info.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(v)
}

// runtime is the name of the function of package runtime that a call asks for
// the number of processors, or "".
func (r *reader) runtime(e ast.Expr) string {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	fn := typeutil.StaticCallee(r.info, c)
	if _, named := c.Fun.(*ast.SelectorExpr); !named || fn == nil {
		return ""
	}
	switch fn.FullName() {
	case "runtime.NumCPU":
		return "NumCPU"
	case "runtime.GOMAXPROCS":
		if k, ok := r.constant(c.Args[0]); ok && k < 1 {
			return "GOMAXPROCS"
		}
	}
	return ""
}

// finding is what there is to say of a number, with edits that put texts in its place or
// why they are refused.
func (r *reader) finding(n *number, message string, no *shape.Refusal, fixes ...shape.Fix) shape.Finding {
	f := shape.Finding{Pos: n.at.Pos(), End: n.at.End(), Message: message, Func: r.s.Func}
	switch again, says := r.again(n), r.says(n); {
	case again != nil:
		no = shape.No(again, "the number stands in another place as well")
	case says != nil:
		no = shape.No(says, "the number says something else as well")
	}
	if no != nil {
		no.Name = fixes[0].Name
		f.Refused = []shape.Refusal{*no}
		return f
	}
	for i := range fixes {
		fixes[i].Holds = "how many workers there are makes no difference to what they do together"
	}
	f.Fixes = fixes
	return f
}

// again returns where the same number stands in another place.
func (r *reader) again(n *number) (at ast.Node) {
	ast.Inspect(r.s.Func.Body, func(x ast.Node) bool {
		e, ok := x.(ast.Expr)
		if !ok || at != nil || e == n.at {
			return at == nil && (!ok || e != n.at)
		}
		v, k := r.info.Types[e].Value, r.info.Types[n.at].Value
		if f := r.runtime(e); f != "" && f == r.runtime(n.call) || v != nil && k != nil && v.ExactString() == k.ExactString() {
			at = e
		}
		return true
	})
	return at
}

// says returns where the variable that has the number says more than how many goroutines
// there are, which part each has, and how much room for what they have.
func (r *reader) says(n *number) ast.Node {
	v := loop.Var(r.info, n.v)
	if v == nil {
		return nil
	}
	for _, use := range r.uses.Of(v) {
		switch up := use.Parent(); p := up.Node().(type) {
		case *ast.RangeStmt:
			continue
		case *ast.BinaryExpr:
			if up.ParentEdgeKind() == edge.ForStmt_Cond || p.Pos() < r.s.Loop.End() {
				continue
			}
		case *ast.CallExpr:
			fn, _ := inline.Object(r.info, p.Fun).(*types.Func)
			if loop.Builtin(r.info, p) == "make" || spawn.IsMethod(fn, "sync", "WaitGroup", "Add") {
				continue
			}
		}
		if !r.uses.Declares(use) {
			return use.Node()
		}
	}
	return nil
}

// full returns where a worker sends on a channel that has room for a constant number, and
// that nothing may take from before all workers have ended.
func (r *reader) full() (at ast.Node) {
	if _, waits := r.s.Join.(*ast.CallExpr); !waits {
		return nil
	}
	ast.Inspect(r.s.Body, func(n ast.Node) bool {
		if n, ok := n.(*ast.SendStmt); ok {
			if c, ok := r.definition(n.Chan).(*ast.CallExpr); ok && len(c.Args) == 2 {
				if k, ok := r.constant(c.Args[1]); ok && k > 1 {
					at = n
				}
			}
		}
		return at == nil
	})
	return at
}

// few is the finding of workers that wait, and of which there are as many as
// processors or a few.
func (r *reader) few(n *number, w *spawn.Weigher) shape.Finding {
	var fixes []shape.Fix
	for _, k := range []int{2, 4, 8, 16} {
		fixes = append(fixes, shape.Fix{
			Name: "workers", Value: k,
			Says:  fmt.Sprintf("start %d times as many workers", k),
			Edits: []analysis.TextEdit{rewrite.Replace(n.at, fmt.Sprintf("%d * %s", k, rewrite.Text(r.pass.Fset, n.at)))},
		})
	}
	var no *shape.Refusal
	if at := r.full(); at != nil {
		no = shape.No(at, "a channel may have no room for what more workers send")
	}
	if !r.takes() {
		no = shape.No(n.at, "what each worker does is its own: more of them do more")
	}
	f := r.finding(n, "the workers wait, and are few: while all of them wait, the processors idle", no, fixes...)
	f.Causes = []string{"waiting", "network", "syscalls"}
	f.Hot = []shape.Range{shape.Of(r.s.Loop), shape.Of(r.s.Body)}
	for _, d := range spawn.Called(r.pass, r.s.Body) {
		if inline.Blocks(r.pass, w, d.Body) {
			f.Shared = append(f.Shared, shape.Of(d))
		}
	}
	return f
}

// takes reports whether the workers may have their work from one place: they receive, or
// call a function that may hand it out.
func (r *reader) takes() (found bool) {
	ast.Inspect(r.s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.RangeStmt:
			_, is := r.info.TypeOf(n.X).Underlying().(*types.Chan)
			found = found || is
		case *ast.CallExpr:
			fn := typeutil.StaticCallee(r.info, n)
			found = found || fn != nil && fn.Pkg() != nil && (fn.Pkg() == r.pass.Pkg || fn.Pkg().Path() == "sync/atomic")
		}
		return !found
	})
	return found
}

// cpus is the finding of workers that compute, and number as the machine's CPUs.
func (r *reader) cpus(n *number) shape.Finding {
	pkg := rewrite.Text(r.pass.Fset, n.call.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X)
	f := r.finding(n, "the workers number as the machine's CPUs, not as the processors that the program may use: those above wait, and cost what each worker does", nil, shape.Fix{
		Name:  "procs",
		Says:  "start as many workers as GOMAXPROCS",
		Edits: []analysis.TextEdit{rewrite.Replace(n.at, pkg+".GOMAXPROCS(0)")},
	})
	f.Causes = []string{"oversubscription", "alloc", "gc", "pagefault", "grain", "serial", "lock"}
	f.Hot = []shape.Range{shape.Of(r.s.Func)}
	return f
}

package fewworkers

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Analyzer finds numbers of workers that do not fit what they do.
var Analyzer = shape.Analyzer("fewworkers", doc, find, spawn.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	weigher := spawn.NewWeigher(pass)
	seen := map[ast.Node]bool{}
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == nil || s.Loop == nil || s.Body == nil || s.In != s.Func {
			continue
		}
		r := &reader{pass: pass, info: pass.TypesInfo, s: s}
		blocks := inline.Blocks(pass, weigher, s.Body)
		n := r.number()
		if n == nil || seen[n.at] {
			continue
		}
		switch {
		case blocks && n.factor <= 1:
			seen[n.at] = true
			all = append(all, r.few(n, weigher))
		case !blocks && n.cpus:
			seen[n.at] = true
			all = append(all, r.cpus(n))
		}
	}
	return all, nil
}

// A number is where a function says how many workers there are.
type number struct {
	at     ast.Expr // the expression: 4 * runtime.NumCPU(), 8
	call   ast.Expr // of package runtime in it, nil for a constant
	cpus   bool     // the call is of NumCPU
	factor int64    // of the call; 1 for a constant
}

// A reader looks at one site.
type reader struct {
	pass *analysis.Pass
	info *types.Info
	s    *spawn.Site
}

// number returns what bounds the site's workers: of the loop, or of the slots
// that they wait for. It is nil if that is neither the number of processors nor
// a small constant.
func (r *reader) number() *number {
	var bound ast.Expr
	uses := false // of the loop's variable
	switch l := r.s.Loop.(type) {
	case *ast.RangeStmt:
		if t, ok := r.info.TypeOf(l.X).Underlying().(*types.Basic); !ok || t.Info()&types.IsInteger == 0 {
			return r.slots()
		}
		bound, uses = l.X, l.Key != nil
	case *ast.ForStmt:
		c, ok := l.Cond.(*ast.BinaryExpr)
		if !ok || c.Op != token.LSS {
			return nil
		}
		bound, uses = c.Y, r.mentions(c.X)
	}
	n := r.parse(bound)
	if n != nil {
		if uses {
			return nil // what has a place for each worker has one for each processor
		}
		return n
	}
	id, ok := ast.Unparen(bound).(*ast.Ident)
	if !ok {
		return nil
	}
	def := r.definition(id)
	if def == nil {
		return r.slots()
	}
	return r.parse(def)
}

// mentions reports whether the body of the loop has the variable.
func (r *reader) mentions(e ast.Expr) (found bool) {
	o := inline.Object(r.info, e)
	ast.Inspect(r.s.Loop.(*ast.ForStmt).Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && o != nil && r.info.Uses[id] == o
		return !found
	})
	return found
}

// slots returns the capacity of a channel of slots that the loop takes from.
func (r *reader) slots() *number {
	var body *ast.BlockStmt
	switch l := r.s.Loop.(type) {
	case *ast.RangeStmt:
		body = l.Body
	case *ast.ForStmt:
		body = l.Body
	}
	for _, st := range body.List {
		send, ok := st.(*ast.SendStmt)
		if !ok || st.Pos() > r.s.Node.Pos() {
			continue
		}
		id, ok := send.Chan.(*ast.Ident)
		if !ok {
			continue
		}
		c, ok := r.definition(id).(*ast.CallExpr)
		if !ok || len(c.Args) != 2 {
			continue
		}
		if n := r.parse(c.Args[1]); n != nil {
			return n
		}
		if id, ok := c.Args[1].(*ast.Ident); ok {
			if def := r.definition(id); def != nil {
				return r.parse(def)
			}
		}
	}
	return nil
}

// definition returns what a local variable of the function is declared with,
// nil if it is set elsewhere.
func (r *reader) definition(id *ast.Ident) (def ast.Expr) {
	v, ok := r.info.Uses[id].(*types.Var)
	if !ok {
		return nil
	}
	sets := 0
	ast.Inspect(r.s.Func.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, l := range a.Lhs {
			if x, ok := ast.Unparen(l).(*ast.Ident); ok && r.info.ObjectOf(x) == v {
				sets++
				if len(a.Lhs) == len(a.Rhs) && a.Tok == token.DEFINE {
					def = a.Rhs[i]
				}
			}
		}
		return true
	})
	if sets != 1 {
		return nil
	}
	return def
}

// mostConstant is the constant number of workers from which there are many.
const mostConstant = 16

// parse returns the number that an expression is, nil if it is no such.
func (r *reader) parse(e ast.Expr) *number {
	e = ast.Unparen(e)
	if r.runtime(e) != "" {
		return &number{at: e, call: e, cpus: r.runtime(e) == "NumCPU", factor: 1}
	}
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.MUL {
		for _, p := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if k, ok := r.constant(p[0]); ok && r.runtime(p[1]) != "" {
				return &number{at: e, call: ast.Unparen(p[1]), cpus: r.runtime(p[1]) == "NumCPU", factor: k}
			}
		}
	}
	if lit, ok := e.(*ast.BasicLit); ok {
		if k, ok := r.constant(lit); ok && k <= mostConstant {
			return &number{at: e, factor: 1}
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
// the number of processors.
func (r *reader) runtime(e ast.Expr) string {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	fn := typeutil.StaticCallee(r.info, c)
	if _, named := c.Fun.(*ast.SelectorExpr); !named || fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "runtime" {
		return ""
	}
	switch fn.Name() {
	case "NumCPU":
		return "NumCPU"
	case "GOMAXPROCS":
		if k, ok := r.constant(c.Args[0]); ok && k < 1 {
			return "GOMAXPROCS"
		}
	}
	return ""
}

// few is the finding of workers that wait, and of which there are as many as
// processors or a few.
func (r *reader) few(n *number, w *spawn.Weigher) shape.Finding {
	f := shape.Finding{
		Pos: n.at.Pos(), End: n.at.End(),
		Message: "the workers wait, and are few: while all of them wait, the processors idle",
		Func:    r.s.Func,
		Causes:  []string{"waiting", "network", "syscalls"},
		Hot:     []shape.Range{shape.Of(r.s.Loop), shape.Of(r.s.Body)},
	}
	for _, d := range spawn.Called(r.pass, r.s.Body) {
		if inline.Blocks(r.pass, w, d.Body) {
			f.Shared = append(f.Shared, shape.Of(d))
		}
	}
	if at, why := r.counted(n); at != nil {
		f.Refused = []shape.Refusal{{Name: "workers", Why: why, Pos: at.Pos()}}
		return f
	}
	if r.slots() == nil && !r.takes() {
		f.Refused = []shape.Refusal{{Name: "workers", Why: "what each worker does is its own: more of them do more", Pos: n.at.Pos()}}
		return f
	}
	for _, k := range []int{2, 4, 8, 16} {
		base := n.at // a constant
		if n.call != nil {
			base = n.call
		}
		text := fmt.Sprintf("%d * %s", k, rewrite.Text(r.pass.Fset, base))
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "workers", Value: k,
			Says:  fmt.Sprintf("start %d times as many workers", k),
			Edits: []analysis.TextEdit{rewrite.Replace(n.at, text)},
		})
	}
	return f
}

// takes reports whether the workers may have their work from one place: they
// receive, or call a function that may hand it out.
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
	c := ast.Unparen(n.call).(*ast.CallExpr)
	pkg := rewrite.Text(r.pass.Fset, c.Fun.(*ast.SelectorExpr).X)
	f := shape.Finding{
		Pos: n.at.Pos(), End: n.at.End(),
		Message: "the workers number as the machine's CPUs, not as the processors that the program may use: those above wait, and cost what each worker does",
		Func:    r.s.Func,
		Causes:  []string{"oversubscription", "alloc", "gc", "pagefault", "grain", "serial", "lock"},
		Hot:     []shape.Range{shape.Of(r.s.Func)},
	}
	if at, why := r.counted(n); at != nil {
		f.Refused = []shape.Refusal{{Name: "procs", Why: why, Pos: at.Pos()}}
		return f
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name:  "procs",
		Says:  "start as many workers as GOMAXPROCS",
		Edits: []analysis.TextEdit{rewrite.Replace(n.at, pkg+".GOMAXPROCS(0)")},
	})
	return f
}

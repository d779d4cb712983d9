package fewworkers

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/flow"
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
	in := pass.ResultOf[uses.Analyzer].(*uses.Index)
	sites := pass.ResultOf[spawn.Analyzer].([]*spawn.Site)
	for _, s := range append(slices.Clip(sites), semaphores(pass.TypesInfo, in)...) {
		if s.Func == nil || s.Loop == nil || s.Body == nil || s.In != s.Func {
			continue
		}
		r := &reader{pass, pass.TypesInfo, in, s, nil}
		blocks := inline.Blocks(pass, weigher, s.Body)
		for _, n := range r.numbers() {
			if seen[n.at] {
				continue
			}
			seen[n.at] = true
			if !n.many && (blocks || r.hands()) {
				all = append(all, r.few(n, weigher, !blocks))
			}
			k, _ := r.constant(n.at)
			if !blocks && n.direct && r.runtime(n.call) == "NumCPU" {
				all = append(all, r.cpus(n, "the workers number as the machine's CPUs, not as the processors that the program may use: those above wait, and cost what each worker does"))
			} else if !blocks && !n.slots && k == 1 && r.takes() {
				all = append(all, r.cpus(n, "one worker takes the items, one after the other: while it is at one, the others wait for it"))
			}
		}
	}
	return all, nil
}

// A reader looks at one site.
type reader struct {
	pass *analysis.Pass
	info *types.Info
	uses *uses.Index
	s    *spawn.Site
	seen map[types.Object]bool // that numbers came through
}

// hands reports whether a worker calls what it was given, or comes to a call of that: it
// may wait.
func (r *reader) hands() bool {
	return r.calls(r.s.Body) || slices.ContainsFunc(spawn.Called(r.pass, r.s.Body), func(d *ast.FuncDecl) bool { return r.calls(d.Body) })
}

// calls reports whether code calls a value that is a function, or a method of an interface.
func (r *reader) calls(code ast.Node) bool {
	return uses.Any(code, func(c *ast.CallExpr) bool {
		fn, known := typeutil.Callee(r.info, c).(*types.Func)
		_, literal := ast.Unparen(c.Fun).(*ast.FuncLit)
		if known {
			recv := fn.Signature().Recv()
			return recv != nil && types.IsInterface(recv.Type())
		}
		return !literal && !r.info.Types[c.Fun].IsType() && loop.Builtin(r.info, c) == ""
	})
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
		fixes[i].Told = r.told(n)
	}
	f.Fixes = fixes
	return f
}

// full returns where a worker sends on a channel that has room for a constant number, and
// that nothing may take from before all workers have ended.
func (r *reader) full() (at ast.Node) {
	if _, waits := r.s.Join.(*ast.CallExpr); !waits {
		return nil
	}
	ast.Inspect(r.s.Body, func(n ast.Node) bool {
		if n, ok := n.(*ast.SendStmt); ok {
			v := loop.Var(r.info, n.Chan)
			if v == nil {
				return true
			}
			for _, e := range r.set(v) {
				if c, ok := e.(*ast.CallExpr); ok && len(c.Args) == 2 {
					if k, ok := r.constant(c.Args[1]); ok && k > 1 {
						at = n
					}
				}
			}
		}
		return at == nil
	})
	return at
}

// few is the finding of workers that wait, and of which there are as many as
// processors or a few.
func (r *reader) few(n *number, w *spawn.Weigher, hands bool) shape.Finding {
	var fixes []shape.Fix
	says := "start %d times as many workers"
	if n.slots {
		says = "let %d times as many run at once"
	}
	for _, k := range []int{2, 4, 8, 16} {
		text := fmt.Sprintf("%d * %s", k, rewrite.Text(r.pass.Fset, n.at))
		if c, ok := r.constant(n.at); ok && int64(k)*c > mostConstant { // else it would be found again
			text = fmt.Sprint(int64(k) * c)
		}
		fixes = append(fixes, shape.Fix{
			Name: "workers", Value: k,
			Says:  fmt.Sprintf(says, k),
			Edits: []analysis.TextEdit{rewrite.Replace(n.at, text)},
		})
	}
	var no *shape.Refusal
	if at := r.full(); at != nil {
		no = shape.No(at, "a channel may have no room for what more workers send")
	}
	if !n.slots && !r.takes() {
		no = shape.No(n.at, "what each worker does is its own: more of them do more")
	}
	message := "the workers wait, and are few: while all of them wait, the processors idle"
	if hands {
		message = "the workers call what they are given, and are few: while all of them wait in it, the processors idle"
	}
	f := r.finding(n, message, no, fixes...)
	f.Causes = []string{"waiting", "network", "syscalls"}
	f.Hot = []shape.Range{shape.Of(r.s.Loop), shape.Of(r.s.Body)}
	if hands {
		f.Above = []shape.Range{shape.Of(r.s.Body)}
	}
	for _, d := range spawn.Called(r.pass, r.s.Body) {
		if inline.Blocks(r.pass, w, d.Body) {
			f.Shared = append(f.Shared, shape.Of(d))
		}
	}
	return f
}

// takes reports whether the workers may have their work from one place: they receive, or
// call a function that may hand it out, as it locks, receives or calls what it was given.
// Or each has its share by their number.
func (r *reader) takes() (found bool) {
	if l, ok := loop.Numbered(r.info, r.s.Loop); ok && l.Hi != nil {
		v := loop.Var(r.info, l.Hi)
		if found = v != nil && uses.Mentions(r.info, spawn.LoopBody(r.s.Loop), v); found {
			return true
		}
	}
	ast.Inspect(r.s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.RangeStmt:
			found = found || uses.Under[*types.Chan](r.info.TypeOf(n.X))
		case *ast.CallExpr:
			fn := typeutil.StaticCallee(r.info, n)
			if fn == nil || fn.Pkg() == nil {
				break
			}
			does := flow.Of(r.pass).Func(fn)
			found = found || fn.Pkg().Path() == "sync/atomic" ||
				r.uses.Owns(fn.Pkg()) && (does == nil || does.Effects.First(flow.Lock|flow.Receive|flow.Sync|flow.Call) != nil)
		}
		return !found
	})
	return found
}

// cpus is the finding of workers that compute, and are not as many as processors.
func (r *reader) cpus(n *number, message string) shape.Finding {
	pkg, edits := rewrite.Import(r.pass.Pkg, rewrite.File(r.pass, n.at.Pos()), "runtime", n.at.Pos())
	f := r.finding(n, message, nil, shape.Fix{
		Name:  "procs",
		Says:  "start as many workers as GOMAXPROCS",
		Edits: append(edits, rewrite.Replace(n.at, pkg+".GOMAXPROCS(0)")),
	})
	f.Causes = []string{"oversubscription", "alloc", "gc", "pagefault", "grain", "imbalance", "serial", "lock"}
	f.Hot = []shape.Range{shape.Of(r.s.Func)}
	f.Shared = shape.All(spawn.Called(r.pass, r.s.Body))
	return f
}

package onestage

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds stages of pipelines that are one goroutine.
var Analyzer = shape.Analyzer("onestage", doc, find, spawn.Analyzer, uses.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	weigher := spawn.NewWeigher(pass)
	r := atonce.New(pass)
	seen := map[ast.Node]bool{}
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func != nil && s.Loop != nil {
			all = append(all, counted(pass, s, weigher, r)...)
		}
		if s.Func == nil || s.Loop != nil || s.Body == nil || seen[s.Body] {
			continue
		}
		seen[s.Body] = true
		for _, st := range s.Body.List {
			p := newStage(pass, s, st)
			if p == nil {
				continue
			}
			waits := inline.Blocks(pass, weigher, p.loop.Body)
			if w := weigher.Weigh(p.loop.Body); !waits && w.Unknown == 0 && w.Loops == 0 {
				continue // too little to be the slowest; chanperitem has it
			}
			f := shape.Finding{
				Pos: p.loop.Pos(), End: p.loop.Body.Lbrace,
				Message: "one goroutine does what this stage does, one item after the other: the slowest stage sets the pace, and the others wait for it",
				Func:    p.decl,
				Causes:  []string{"imbalance", "serial", "waiting", "network", "syscalls"},
				Hot:     []shape.Range{shape.Of(p.loop)},
				Shared:  shape.All(spawn.Called(pass, p.loop.Body)),
			}
			p.workers(&f, r, waits)
			all = append(all, f)
		}
	}
	return all, nil
}

// A stage is the loop of a goroutine that takes items from a channel and sends
// what it makes of them.
type stage struct {
	pass  *analysis.Pass
	info  *types.Info
	s     *spawn.Site
	file  *ast.File
	decl  *ast.FuncDecl // that the loop is in
	loop  *ast.RangeStmt
	sends []*ast.SendStmt
}

func newStage(pass *analysis.Pass, s *spawn.Site, st ast.Stmt) *stage {
	loop, ok := st.(*ast.RangeStmt)
	if !ok {
		return nil
	}
	if _, ok := pass.TypesInfo.TypeOf(loop.X).Underlying().(*types.Chan); !ok {
		return nil
	}
	p := &stage{pass: pass, info: pass.TypesInfo, s: s, decl: s.Func, loop: loop}
	if s.Decl != nil {
		p.decl = s.Decl
	}
	p.file = rewrite.File(pass, loop.Pos())
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		if send, ok := n.(*ast.SendStmt); ok {
			p.sends = append(p.sends, send)
		}
		return true
	})
	if p.sends == nil || p.file == nil {
		return nil
	}
	return p
}

// workers has several goroutines do what the stage does.
func (p *stage) workers(f *shape.Finding, r *atonce.Reader, waits bool) {
	refuse := func(at token.Pos, format string, args ...any) {
		f.Refused = append(f.Refused, shape.Refusal{Name: "workers", Why: fmt.Sprintf(format, args...), Pos: at})
	}
	if p.loop.Tok == token.ASSIGN {
		refuse(p.loop.Pos(), "the loop assigns to variables from outside")
		return
	}
	for _, l := range rewrite.Leaves(p.info, p.loop.Body, false) {
		if l.How != "continue" && l.How != "panic" {
			refuse(l.Pos, "the stage ends early, by %s", l.How)
			return
		}
	}
	for _, st := range p.loop.Body.List {
		if x, ok := st.(*ast.ExprStmt); ok && sleeps(p.info, x.X) {
			refuse(st.Pos(), "the stage sets the pace")
			return
		}
	}
	if b := r.Read(&atonce.Code{Own: p.loop, Send: func(*ast.SendStmt) bool { return true }}, p.loop.Body); b != nil {
		refuse(b.At.Pos(), "the stage %s", b.Why)
		return
	}
	if at := spawn.Goexits(p.pass, p.loop.Body); at != nil {
		refuse(at.Pos(), "the stage may end its goroutine")
		return
	}
	if at := spawn.Recovers(p.pass, p.s.Body); at != nil {
		refuse(at.Pos(), "the goroutine stops panics")
		return
	}
	o := newOrder(p.pass, r)
	for _, s := range p.sends {
		if at, why := o.sent(s); why != "" {
			refuse(at.Pos(), "the order of what %s brings may matter: %s", rewrite.Text(p.pass.Fset, s.Chan), why)
			return
		}
	}
	numbers, value := []string{"runtime.GOMAXPROCS(0)"}, []int{0}
	if waits {
		numbers, value = []string{"4", "16", "64"}, []int{4, 16, 64}
	}
	for i, n := range numbers {
		sync, edits := rewrite.Import(p.pass.Pkg, p.file, "sync", p.loop.Pos())
		many := "as many goroutines as processors"
		if !waits {
			runtime, more := rewrite.Import(p.pass.Pkg, p.file, "runtime", p.loop.Pos())
			n, edits = runtime+".GOMAXPROCS(0)", append(edits, more...)
		} else {
			many = n + " goroutines"
		}
		group := rewrite.Fresh(p.pass.Pkg, p.decl, "stage")
		first, again := "", []analysis.TextEdit(nil)
		if in, ok := ast.Unparen(p.loop.X).(*ast.Ident); !ok || p.info.Uses[in] == nil {
			name := rewrite.Fresh(p.pass.Pkg, p.decl, "in")
			first = name + " := " + rewrite.Text(p.pass.Fset, p.loop.X) + "\n"
			again = []analysis.TextEdit{rewrite.Replace(p.loop.X, name)}
		}
		text, err := inline.Source(p.pass, p.loop.Pos(), p.loop.End(), again)
		if err != nil {
			refuse(p.loop.Pos(), "%v", err)
			return
		}
		text = fmt.Sprintf("%svar %s %s.WaitGroup\nfor range %s {\n%s\n}\n%s.Wait()", first, group, sync, n, inline.Start(p.info, p.file, group, text), group)
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "workers", Value: value[i],
			Says:  "let " + many + " do what the stage does",
			Edits: append(edits, rewrite.Replace(p.loop, text)),
		})
	}
}

// sleeps reports whether an expression is a call of time.Sleep.
func sleeps(info *types.Info, e ast.Expr) bool {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := section.Callee(info, c)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time" && fn.Name() == "Sleep"
}

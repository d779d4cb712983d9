package onestage

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
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
		if s.Func == nil || s.Loop != nil || s.Body == nil || seen[s.Body] {
			continue
		}
		seen[s.Body] = true
		for _, st := range s.Body.List {
			loop, ok := st.(*ast.RangeStmt)
			if !ok || rewrite.File(pass, st.Pos()) == nil {
				continue
			}
			p := &stage{pass: pass, info: pass.TypesInfo, r: r, s: s, loop: loop}
			if !uses.Under[*types.Chan](p.info.TypeOf(loop.X)) || loop.Tok == token.ASSIGN || !uses.Any(loop.Body, func(*ast.SendStmt) bool { return true }) {
				continue // the stage sends what it makes of the items of a channel
			}
			decl := s.Func
			if s.Decl != nil {
				decl = s.Decl
			}
			waits := inline.Blocks(pass, weigher, p.loop.Body)
			if w := weigher.Weigh(p.loop.Body); !waits && w.Unknown == 0 && w.Loops == 0 {
				continue // too little to be the slowest; chanperitem has it
			}
			f := shape.Finding{
				Pos: loop.Pos(), End: loop.Body.Lbrace,
				Message: "one goroutine does what this stage does, one item after the other: the slowest stage sets the pace, and the others wait for it",
				Func:    decl,
				Causes:  []string{"imbalance", "serial", "waiting", "network", "syscalls"},
				Hot:     []shape.Range{shape.Of(loop)},
				Shared:  shape.All(spawn.Called(pass, loop.Body)),
			}
			p.workers(&f, decl, waits)
			all = append(all, f)
		}
	}
	return all, nil
}

// A stage is the loop of a goroutine that takes items from a channel.
type stage struct {
	pass *analysis.Pass
	info *types.Info
	r    *atonce.Reader
	s    *spawn.Site
	loop *ast.RangeStmt
}

// workers has several goroutines do what the stage does, in a function.
func (p *stage) workers(f *shape.Finding, decl *ast.FuncDecl, waits bool) {
	file := rewrite.File(p.pass, p.loop.Pos())
	sync, edits := rewrite.Import(p.pass.Pkg, file, "sync", p.loop.Pos())
	group := rewrite.Fresh(p.pass.Pkg, decl, "stage")
	text, err := inline.Source(p.pass, p.loop.Pos(), p.loop.End(), nil)
	if err != nil {
		return
	}
	at, why := p.early()
	if why == "" {
		at, why = p.single()
	}
	if why != "" {
		f.Refused = []shape.Refusal{{Name: "workers", Why: why, Pos: at.Pos()}}
		return
	}
	start := inline.Start(p.info, file, group, text)
	offer := func(n string, value int, says string) {
		text := fmt.Sprintf("var %s %s.WaitGroup\nfor range %s {\n%s\n}\n%s.Wait()", group, sync, n, start, group)
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "workers", Value: value, Says: says,
			Edits: append(slices.Clip(edits), rewrite.Replace(p.loop, text)),
		})
	}
	if !waits {
		runtime, more := rewrite.Import(p.pass.Pkg, file, "runtime", p.loop.Pos())
		edits = append(more, edits...)
		offer(runtime+".GOMAXPROCS(0)", 0, "start as many workers as there are processors")
		return
	}
	for _, n := range []int{4, 16, 64} {
		offer(fmt.Sprint(n), n, fmt.Sprintf("start %d workers", n))
	}
}

// early says where the loop ends before its channel, or sets the pace.
func (p *stage) early() (at ast.Node, why string) {
	if l := rewrite.Stops(p.info, p.loop.Body); l != nil {
		return &ast.BadStmt{From: l.Pos, To: l.Pos}, "the stage ends early, by " + l.How
	}
	ast.Inspect(p.loop.Body, func(n ast.Node) bool {
		if x, ok := n.(*ast.ExprStmt); ok {
			if c, ok := x.X.(*ast.CallExpr); ok {
				if fn := section.Callee(p.info, c); fn != nil && fn.FullName() == "time.Sleep" {
					at, why = n, "the stage sets the pace"
				}
			}
		}
		return at == nil
	})
	return at, why
}

// single says what relies on the stage being one goroutine.
func (p *stage) single() (at ast.Node, why string) {
	switch {
	case loop.Var(p.info, p.loop.X) == nil:
		return p.loop, "what the loop is over has no name"
	case !rewrite.Since(p.pass, rewrite.File(p.pass, p.loop.Pos()), "go1.22"):
		return p.loop, "before Go 1.22 no loop ranges over a number"
	}
	var sends []*ast.SendStmt
	b := p.r.Read(&atonce.Code{Own: p.loop, Send: func(s *ast.SendStmt) bool {
		sends = append(sends, s)
		return true
	}}, p.loop.Body)
	if b != nil {
		return b.At, "the stage " + b.Why
	}
	for _, at := range []ast.Node{spawn.Goexits(p.pass, p.loop.Body), spawn.Recovers(p.pass, p.s.Body)} {
		if at != nil {
			return at, "the stage may end its goroutine, or stops panics"
		}
	}
	for _, s := range sends {
		if at, why := sent(p.pass, p.r, s); why != "" {
			return at, why
		}
	}
	return nil, ""
}

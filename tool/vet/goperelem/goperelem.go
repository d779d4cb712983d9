package goperelem

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Analyzer finds loops that start a goroutine for each element.
var Analyzer = shape.Analyzer("goperelem", doc, find, spawn.Analyzer, spawn.Reached)

const library = "github.com/gopayoff/payoff/par"

const message = "a goroutine starts for each element: its start and join cost some hundred nanoseconds, and more than a small element's work"

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	weigher := spawn.NewWeigher(pass)
	sites := pass.ResultOf[spawn.Analyzer].([]*spawn.Site)
	for _, s := range sites {
		if s.Func == nil || s.Loop == nil || s.Body == nil || s.Join == nil || s.Kind == spawn.ErrGroup {
			continue
		}
		if inline.Blocks(pass, weigher, s.Body) || !inline.OverInput(pass, s) {
			continue
		}
		loop := inline.Outermost(s)
		f := shape.Finding{
			Pos: s.Node.Pos(), End: s.Node.End(),
			Message: message,
			Func:    s.Func,
			Causes:  []string{"grain"},
			Hot:     []shape.Range{shape.Of(loop), shape.Of(s.Body)},
		}
		w := &writer{pass, s, loop}
		if spawn.Within(s.Loop, s.Join) {
			if waitsFor(s) {
				f.Message = "a goroutine is started and awaited at once in a loop: nothing runs beside it, and each costs a start and two hand-overs"
				f.Causes = append(f.Causes, "handoff")
				w.serial(&f)
				all = append(all, f)
			}
			continue
		}
		w.chunk(&f)
		w.serial(&f)
		w.par(&f)
		all = append(all, f)
	}
	return slices.Concat(all, helped(pass, weigher), futures(pass, weigher, sites)), nil
}

// waitsFor reports whether the loop waits for each goroutine before it does
// anything else: the join is in the next statement.
func waitsFor(s *spawn.Site) (next bool) {
	ast.Inspect(s.Loop, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok {
			for i, st := range b.List {
				if spawn.Within(st, s.Node) && i+1 < len(b.List) && spawn.Within(b.List[i+1], s.Join) && !spawn.Within(st, s.Join) {
					_, loop := b.List[i+1].(*ast.ForStmt)
					_, each := b.List[i+1].(*ast.RangeStmt)
					next = !loop && !each
				}
			}
		}
		return !next
	})
	return next
}

// A writer makes the edits of a finding.
type writer struct {
	pass *analysis.Pass
	s    *spawn.Site
	loop ast.Stmt
}

func (w *writer) refuse(f *shape.Finding, name string, at ast.Node, why string) {
	f.Refused = append(f.Refused, shape.Refusal{Name: name, Why: why, Pos: at.Pos()})
}

// numbered returns the loop if its parts can be handed out.
func (w *writer) numbered(f *shape.Finding, name string) *inline.Loop {
	start := inline.Statement(w.s.Func, w.s)
	if more := inline.Plain(w.pass.TypesInfo, w.loop, start); more != nil {
		w.refuse(f, name, more, "the loop does more than start goroutines")
		return nil
	}
	l, why := inline.Numbered(w.pass, w.s.File, w.loop)
	if l == nil {
		w.refuse(f, name, w.loop, why)
	}
	return l
}

func (w *writer) fresh(name string) string { return rewrite.Fresh(w.pass.Pkg, w.s.Func, name) }

// rest is what the body holds after the edits, from behind its brace to before
// the other.
func (w *writer) rest(l *inline.Loop, edits []analysis.TextEdit) (string, error) {
	return inline.Source(w.pass, l.Body.Lbrace+1, l.Body.Rbrace, edits)
}

// chunk starts one goroutine for each processor, with a part of the range.
func (w *writer) chunk(f *shape.Finding) {
	bodies, group, no := inline.Bodies(w.pass, w.s)
	if no != nil && no.Holds == "" {
		no.Name = "chunk"
		f.Refused = append(f.Refused, *no)
		return
	}
	l := w.numbered(f, "chunk")
	if l == nil {
		return
	}
	if at, why := l.Late(w.pass, w.s); at != nil {
		w.refuse(f, "chunk", at, why)
		return
	}
	if _, o := w.pass.Pkg.Scope().Innermost(w.loop.Pos()).LookupParent("min", token.NoPos); o == nil || o.Parent() != types.Universe {
		w.refuse(f, "chunk", w.loop, "min means something else here")
		return
	}
	rest, err := w.rest(l, bodies)
	if err != nil {
		w.refuse(f, "chunk", w.loop, err.Error())
		return
	}
	runtime, edits := rewrite.Import(w.pass.Pkg, w.s.File, "runtime", w.loop.Pos())
	workers, i := w.fresh("workers"), w.fresh("w")
	lo := fmt.Sprintf("%s*%s/%s", times(l.Count), i, workers)
	hi := fmt.Sprintf("%s*(%s+1)/%s", times(l.Count), i, workers)
	text := fmt.Sprintf("%s := min(%s.GOMAXPROCS(0), %s)\nfor %s := range %s {\n%s\n}",
		workers, runtime, l.Count, i, workers,
		inline.Start(w.pass.TypesInfo, w.s.File, group, l.Part(w.fresh, lo, hi, rest)))
	for _, e := range bodies {
		if !spawn.Within(w.loop, span(e)) {
			edits = append(edits, e)
		}
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name:  "chunk",
		Says:  "start one goroutine for each processor, with a part of the elements",
		Holds: holds(no),
		Edits: append(edits, rewrite.Replace(w.loop, text)),
	})
}

// holds is the condition of an edit.
func holds(no *shape.Refusal) string {
	if no == nil {
		return ""
	}
	return no.Holds
}

// times is a count as a factor.
func times(count string) string {
	for _, c := range count {
		if c == ' ' {
			return "(" + count + ")"
		}
	}
	return count
}

// span is where an edit is.
func span(e analysis.TextEdit) ast.Node { return &ast.BadExpr{From: e.Pos, To: max(e.Pos, e.End)} }

func (w *writer) serial(f *shape.Finding) {
	edits, no := inline.Edits(w.pass, w.s.Func, []*spawn.Site{w.s})
	if no != nil && no.Holds == "" {
		no.Name = "serial"
		f.Refused = append(f.Refused, *no)
		return
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "serial", Serial: true,
		Says:  "do the elements one after the other in the loop",
		Holds: holds(no),
		Edits: edits,
	})
}

// par hands the loop to par.For.
func (w *writer) par(f *shape.Finding) {
	serial, no := inline.Edits(w.pass, w.s.Func, []*spawn.Site{w.s})
	if no != nil && no.Holds == "" {
		no.Name = "par"
		f.Refused = append(f.Refused, *no)
		return
	}
	l := w.numbered(f, "par")
	if l == nil {
		return
	}
	rest, err := w.rest(l, serial)
	if err != nil {
		w.refuse(f, "par", w.loop, err.Error())
		return
	}
	par, edits := rewrite.Import(w.pass.Pkg, w.s.File, library, w.loop.Pos())
	lo, hi := w.fresh("lo"), w.fresh("hi")
	count := l.Count
	if l.Over() == "" && !l.Natural(w.pass.TypesInfo) {
		if _, o := w.pass.Pkg.Scope().Innermost(w.loop.Pos()).LookupParent("max", token.NoPos); o == nil || o.Parent() != types.Universe {
			w.refuse(f, "par", w.loop, "max means something else here")
			return
		}
		count = "max(0, " + count + ")" // par.For panics where the loop does nothing
	}
	text := fmt.Sprintf("%s.For(%s, func(%s, %s int) {\n%s\n})", par, count, lo, hi, l.Part(w.fresh, lo, hi, rest))
	for _, e := range serial {
		if !spawn.Within(w.loop, span(e)) {
			edits = append(edits, e)
		}
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "par", Needs: library,
		Says:  "hand parts of the range to par.For, which starts nothing where it does not pay",
		Holds: holds(no),
		Edits: append(edits, rewrite.Replace(w.loop, text)),
	})
}

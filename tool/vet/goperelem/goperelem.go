package goperelem

import (
	"fmt"
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Analyzer finds loops that start a goroutine for each element.
var Analyzer = shape.Analyzer("goperelem", doc, find, inspect.Analyzer, spawn.Analyzer, spawn.Reached)

const library = "github.com/gopayoff/payoff/par"

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	weigher := spawn.NewWeigher(pass)
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == nil || s.Loop == nil || s.Body == nil || s.Join == nil || s.Kind == spawn.ErrGroup || spawn.Within(s.Loop, s.Join) {
			continue
		}
		if inline.Blocks(pass, weigher, s.Body) || !inline.OverInput(pass, s) {
			continue
		}
		w := &writer{pass, s, inline.Outermost(s), s.Stmt}
		f := w.finding(s.Body)
		w.chunk(&f)
		w.serial(&f)
		all = append(all, f)
	}
	return append(all, helped(pass, weigher)...), nil
}

// A writer makes the edits of a finding.
type writer struct {
	pass  *analysis.Pass
	s     *spawn.Site
	loop  ast.Stmt
	start ast.Stmt // what starts the goroutine
}

// finding has no edits yet. What runs is either the body of a task or the function around.
func (w *writer) finding(runs ast.Node) shape.Finding {
	return shape.Finding{
		Pos: w.s.Node.Pos(), End: w.s.Node.End(),
		Message: "a goroutine starts for each element: its start and join cost some hundred nanoseconds, and more than a small element's work",
		Func:    w.s.Func,
		Causes:  []string{"grain"},
		Hot:     []shape.Range{shape.Of(w.loop), shape.Of(runs)},
	}
}

func (w *writer) fresh(name string) string { return rewrite.Fresh(w.pass.Pkg, w.s.Func, name) }

// offer enters an edit, or why it is refused. Where no is a condition it is there under that.
func (w *writer) offer(f *shape.Finding, fix shape.Fix, no *shape.Refusal) {
	if no != nil && no.Holds == "" {
		no.Name = fix.Name
		f.Refused = append(f.Refused, *no)
		return
	}
	if no != nil {
		fix.Holds = no.Holds
	}
	f.Fixes = append(f.Fixes, fix)
}

// parts offers an edit that hands out parts of the loop. The text is of the loop with its
// body after edits.
func (w *writer) parts(f *shape.Finding, fix shape.Fix, no *shape.Refusal, edits []analysis.TextEdit, text func(l *inline.Loop, rest string) (string, []analysis.TextEdit)) {
	if no == nil || no.Holds != "" {
		var why *shape.Refusal
		if fix.Edits, why = w.handed(edits, text); why != nil {
			no = why
		}
	}
	w.offer(f, fix, no)
}

func (w *writer) handed(edits []analysis.TextEdit, text func(l *inline.Loop, rest string) (string, []analysis.TextEdit)) ([]analysis.TextEdit, *shape.Refusal) {
	if more := inline.Plain(w.pass.TypesInfo, w.loop, w.start); more != nil {
		return nil, shape.No(more, "the loop does more than start goroutines")
	}
	l, why := inline.Numbered(w.pass, w.s.File, w.loop)
	if l == nil {
		return nil, shape.No(w.loop, why)
	}
	if at, why := l.Late(w.pass, w.s); at != nil {
		return nil, shape.No(at, why)
	}
	rest, err := inline.Source(w.pass, l.Body.Lbrace+1, l.Body.Rbrace, edits)
	if err != nil {
		return nil, shape.No(w.loop, err.Error())
	}
	whole, all := text(l, rest)
	for _, e := range edits {
		if e.Pos < w.loop.Pos() || e.End > w.loop.End() {
			all = append(all, e)
		}
	}
	return append(all, rewrite.Replace(w.loop, whole)), nil
}

// processors is a loop over the processors: start has the text of what gets a part of l.
func (w *writer) processors(l *inline.Loop, rest string, start func(part string) string) (string, []analysis.TextEdit) {
	runtime, edits := rewrite.Import(w.pass.Pkg, w.s.File, "runtime", w.loop.Pos())
	workers, i, count := w.fresh("workers"), w.fresh("w"), l.Count
	if strings.Contains(count, " ") {
		count = "(" + count + ")"
	}
	lo := fmt.Sprintf("%s*%s/%s", count, i, workers)
	hi := fmt.Sprintf("%s*(%s+1)/%s", count, i, workers)
	return fmt.Sprintf("%s := min(%s.GOMAXPROCS(0), %s)\nfor %s := range %s {\n%s\n}",
		workers, runtime, l.Count, i, workers, start(l.Part(w.fresh, lo, hi, rest))), edits
}

// chunk starts one goroutine for each processor, with a part of the range.
func (w *writer) chunk(f *shape.Finding) {
	bodies, group, no := inline.Bodies(w.pass, w.s)
	fix := shape.Fix{Name: "chunk", Says: "start one goroutine for each processor, with a part of the elements"}
	w.parts(f, fix, no, bodies, func(l *inline.Loop, rest string) (string, []analysis.TextEdit) {
		return w.processors(l, rest, func(part string) string { return inline.Start(w.pass.TypesInfo, w.s.File, group, part) })
	})
}

// serial makes the loop do the elements itself, or hands it to par.For.
func (w *writer) serial(f *shape.Finding) {
	edits, no := inline.Edits(w.pass, w.s.Func, []*spawn.Site{w.s})
	w.offer(f, shape.Fix{Name: "serial", Serial: true, Says: "do the elements one after the other in the loop", Edits: edits}, no)
	fix := shape.Fix{Name: "par", Needs: library, Says: "hand parts of the range to par.For, which starts nothing where it does not pay"}
	w.parts(f, fix, no, edits, func(l *inline.Loop, rest string) (string, []analysis.TextEdit) {
		par, imports := rewrite.Import(w.pass.Pkg, w.s.File, library, w.loop.Pos())
		lo, hi, count := w.fresh("lo"), w.fresh("hi"), l.Count
		if l.Over == "" {
			count = "max(0, " + count + ")" // par.For panics where the loop does nothing
		}
		return fmt.Sprintf("%s.For(%s, func(%s, %s int) {\n%s\n})", par, count, lo, hi, l.Part(w.fresh, lo, hi, rest)), imports
	})
}

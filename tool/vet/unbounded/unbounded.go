package unbounded

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Analyzer finds loops that start goroutines without bound.
var Analyzer = shape.Analyzer("unbounded", doc, find, spawn.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	weigher := spawn.NewWeigher(pass)
	for _, s := range pass.ResultOf[spawn.Analyzer].([]*spawn.Site) {
		if s.Func == nil || s.Loop == nil || s.Body == nil || s.Join == nil || spawn.Within(s.Loop, s.Join) {
			continue
		}
		if !inline.OverInput(pass, s) || inline.Bounded(pass, s) || inline.Recursive(pass, s) {
			continue
		}
		blocks := inline.Blocks(pass, weigher, s.Body)
		if w := weigher.Weigh(s.Body); !blocks && w.Unknown == 0 && w.Loops == 0 {
			continue // too little to hold anything; goperelem has it
		}
		f := shape.Finding{
			Pos: s.Node.Pos(), End: s.Node.End(),
			Message: "goroutines start for all elements at once: what each holds is in memory together, and they queue for processors, locks and connections",
			Func:    s.Func,
			Causes:  []string{"oversubscription", "alloc", "gc", "pagefault", "lock", "trueshare", "network", "syscalls", "bandwidth", "grain"},
			Hot:     []shape.Range{shape.Of(s.Loop), shape.Of(s.Body)},
		}
		w := &writer{pass, s}
		if blocks {
			offer(&f, "bound", w.bound, 4, 16, 64)
		} else {
			offer(&f, "bound", w.bound, 1, 4)
			offer(&f, "dynamic", w.dynamic)
		}
		all = append(all, f)
	}
	return all, nil
}

// offer adds the edits of a name for some values, perhaps under a condition, or why there
// are none.
func offer(f *shape.Finding, name string, make func(values ...int) ([]shape.Fix, *shape.Refusal), values ...int) {
	fixes, no := make(values...)
	for _, x := range fixes {
		if x.Name = name; no != nil {
			x.Holds = no.Holds
		}
		f.Fixes = append(f.Fixes, x)
	}
	if no != nil && no.Holds == "" {
		no.Name = name
		f.Refused = append(f.Refused, *no)
	}
}

// A writer makes the edits of a finding.
type writer struct {
	pass *analysis.Pass
	s    *spawn.Site
}

func (w *writer) fresh(name string) string { return rewrite.Fresh(w.pass.Pkg, w.s.Func, name) }

// bound has each goroutine wait for a slot before it starts.
func (w *writer) bound(perProcessor ...int) (fixes []shape.Fix, no *shape.Refusal) {
	start, lit := inline.Statement(w.s.Func, w.s), inline.Literal(w.s)
	if start == nil || lit == nil {
		return nil, shape.No(w.s.Node, "what the goroutine runs is not written in a statement that starts it")
	}
	// The loop waits for tasks now: none may wait for what comes after it.
	if w.s.Kind == spawn.ErrGroup {
		no = inline.Meets(w.pass, w.s, true)
	} else {
		_, no = inline.Edits(w.pass, w.s.Func, []*spawn.Site{w.s})
	}
	if no != nil && no.Holds == "" {
		return nil, no
	}
	loop := inline.Outermost(w.s)
	for _, n := range perProcessor {
		runtime, edits := rewrite.Import(w.pass.Pkg, w.s.File, "runtime", loop.Pos())
		slots := w.fresh("slots")
		size := runtime + ".GOMAXPROCS(0)"
		if n > 1 {
			size = fmt.Sprintf("%d*%s", n, size)
		}
		fixes = append(fixes, shape.Fix{
			Value: n,
			Says:  fmt.Sprintf("let at most %s goroutines run at once", size),
			Edits: append(edits,
				rewrite.Insert(loop.Pos(), fmt.Sprintf("%s := make(chan struct{}, %s)\n", slots, size)),
				rewrite.Insert(start.Pos(), slots+" <- struct{}{}\n"),
				rewrite.Insert(lit.Body.Lbrace+1, fmt.Sprintf("\ndefer func() { <-%s }()\n", slots)),
			),
		})
	}
	return fixes, no
}

// dynamic starts one goroutine for each processor, which take the next element.
func (w *writer) dynamic(...int) ([]shape.Fix, *shape.Refusal) {
	bodies, group, no := inline.Bodies(w.pass, w.s)
	if no != nil && no.Holds == "" {
		return nil, no
	}
	loop := inline.Outermost(w.s)
	if more := inline.Plain(w.pass.TypesInfo, loop, inline.Statement(w.s.Func, w.s)); more != nil {
		return nil, shape.No(more, "the loop does more than start goroutines")
	}
	l, why := inline.Numbered(w.pass, w.s.File, loop)
	if l == nil {
		return nil, shape.No(loop, why)
	}
	if at, why := l.Late(w.pass, w.s); at != nil {
		return nil, shape.No(at, why)
	}
	rest, err := inline.Source(w.pass, l.Body.Lbrace+1, l.Body.Rbrace, bodies)
	if err != nil {
		return nil, shape.No(loop, err.Error())
	}
	runtime, edits := rewrite.Import(w.pass.Pkg, w.s.File, "runtime", loop.Pos())
	atomic, more := rewrite.Import(w.pass.Pkg, w.s.File, "sync/atomic", loop.Pos())
	next := w.fresh("next")
	text := fmt.Sprintf("var %s %s.Int64 // the first element that no goroutine has taken\nfor range %s.GOMAXPROCS(0) {\n%s\n}",
		next, atomic, runtime, inline.Start(w.pass.TypesInfo, w.s.File, group, l.Claim(w.fresh, next, rest)))
	edits = append(append(edits, more...), rewrite.Replace(loop, text))
	for _, e := range bodies {
		if e.Pos < loop.Pos() || e.End > loop.End() {
			edits = append(edits, e)
		}
	}
	return []shape.Fix{{Says: "start one goroutine for each processor, which take the next element", Edits: edits}}, no
}

package unbounded

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Analyzer finds loops that start goroutines without bound.
var Analyzer = shape.Analyzer("unbounded", doc, find, spawn.Analyzer)

const library = "github.com/gopayoff/payoff/pool"

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
			w.bound(&f, 4, 16, 64)
			w.pool(&f)
		} else {
			w.bound(&f, 1, 4)
			w.dynamic(&f)
		}
		all = append(all, f)
	}
	return all, nil
}

// A writer makes the edits of a finding.
type writer struct {
	pass *analysis.Pass
	s    *spawn.Site
}

func (w *writer) refuse(f *shape.Finding, name string, at ast.Node, why string) {
	f.Refused = append(f.Refused, shape.Refusal{Name: name, Why: why, Pos: at.Pos()})
}

func (w *writer) fresh(name string) string { return rewrite.Fresh(w.pass.Pkg, w.s.Func, name) }

// bound has each goroutine wait for a slot before it starts.
func (w *writer) bound(f *shape.Finding, perProcessor ...int) {
	start := inline.Statement(w.s.Func, w.s)
	lit := inline.Literal(w.s)
	switch {
	case start == nil:
		w.refuse(f, "bound", w.s.Node, "the goroutine is not started by a statement of its own")
		return
	case lit == nil:
		w.refuse(f, "bound", w.s.Node, "what the goroutine runs is not written where it starts")
		return
	}
	// The loop waits for tasks now: none may wait for what comes after it.
	no := inline.Meets(w.pass, w.s, true)
	if w.s.Kind != spawn.ErrGroup {
		_, no = inline.Edits(w.pass, w.s.Func, []*spawn.Site{w.s})
	}
	if no != nil {
		no.Name = "bound"
		f.Refused = append(f.Refused, *no)
		return
	}
	loop := inline.Outermost(w.s)
	for _, n := range perProcessor {
		runtime, edits := rewrite.Import(w.pass.Pkg, w.s.File, "runtime", loop.Pos())
		slots := w.fresh("slots")
		size := runtime + ".GOMAXPROCS(0)"
		if n > 1 {
			size = fmt.Sprintf("%d*%s", n, size)
		}
		edits = append(edits,
			rewrite.Insert(loop.Pos(), fmt.Sprintf("%s := make(chan struct{}, %s)\n", slots, size)),
			rewrite.Insert(start.Pos(), slots+" <- struct{}{}\n"),
			rewrite.Insert(lit.Body.Lbrace+1, fmt.Sprintf("\ndefer func() { <-%s }()\n", slots)),
		)
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "bound", Value: n,
			Says:  fmt.Sprintf("let at most %s goroutines run at once", size),
			Edits: edits,
		})
	}
}

// dynamic starts one goroutine for each processor, which take the next element.
func (w *writer) dynamic(f *shape.Finding) {
	bodies, group, no := inline.Bodies(w.pass, w.s)
	if no != nil {
		no.Name = "dynamic"
		f.Refused = append(f.Refused, *no)
		return
	}
	loop := inline.Outermost(w.s)
	if more := inline.Plain(w.pass.TypesInfo, loop, inline.Statement(w.s.Func, w.s)); more != nil {
		w.refuse(f, "dynamic", more, "the loop does more than start goroutines")
		return
	}
	l, why := inline.Numbered(w.pass, w.s.File, loop)
	if l == nil {
		w.refuse(f, "dynamic", loop, why)
		return
	}
	if at, why := l.Late(w.pass, w.s); at != nil {
		w.refuse(f, "dynamic", at, why)
		return
	}
	rest, err := inline.Source(w.pass, l.Body.Lbrace+1, l.Body.Rbrace, bodies)
	if err != nil {
		w.refuse(f, "dynamic", loop, err.Error())
		return
	}
	runtime, edits := rewrite.Import(w.pass.Pkg, w.s.File, "runtime", loop.Pos())
	atomic, more := rewrite.Import(w.pass.Pkg, w.s.File, "sync/atomic", loop.Pos())
	edits = append(edits, more...)
	next := w.fresh("next")
	text := fmt.Sprintf("var %s %s.Int64 // the first element that no goroutine has taken\nfor range %s.GOMAXPROCS(0) {\n%s\n}",
		next, atomic, runtime, inline.Start(w.pass.TypesInfo, w.s.File, group, l.Claim(w.fresh, next, rest)))
	for _, e := range bodies {
		if e.Pos < loop.Pos() || e.End > loop.End() {
			edits = append(edits, e)
		}
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name:  "dynamic",
		Says:  "start one goroutine for each processor, which take the next element",
		Edits: append(edits, rewrite.Replace(loop, text)),
	})
}

// pool gives the elements to a pool that finds its size.
func (w *writer) pool(f *shape.Finding) {
	serial, no := inline.Edits(w.pass, w.s.Func, []*spawn.Site{w.s})
	if no != nil {
		no.Name = "pool"
		f.Refused = append(f.Refused, *no)
		return
	}
	loop, ok := w.s.Loop.(*ast.RangeStmt)
	if more := inline.Plain(w.pass.TypesInfo, w.s.Loop, inline.Statement(w.s.Func, w.s)); more != nil {
		w.refuse(f, "pool", more, "the loop does more than start goroutines")
		return
	}
	l, why := inline.Numbered(w.pass, w.s.File, w.s.Loop)
	switch {
	case l == nil:
		w.refuse(f, "pool", w.s.Loop, why)
		return
	case !ok || l.Value() == "" || l.Key() != "" || l.Over() == "":
		w.refuse(f, "pool", w.s.Loop, "the loop does not go over the values of a slice alone")
		return
	}
	elem, ok := rewrite.Type(w.pass.Pkg, w.s.File, loop.Pos(), w.pass.TypesInfo.TypeOf(loop.Value))
	if !ok {
		w.refuse(f, "pool", loop, "the type of the elements has no name here")
		return
	}
	rest, err := inline.Source(w.pass, l.Body.Lbrace+1, l.Body.Rbrace, serial)
	if err != nil {
		w.refuse(f, "pool", loop, err.Error())
		return
	}
	context, edits := rewrite.Import(w.pass.Pkg, w.s.File, "context", loop.Pos())
	pool, more := rewrite.Import(w.pass.Pkg, w.s.File, library, loop.Pos())
	edits = append(edits, more...)
	tasks, failed := w.fresh("tasks"), w.fresh("failed")
	text := fmt.Sprintf(`%[1]s := %[2]s.New(func(_ %[3]s.Context, %[4]s %[5]s) (struct{}, error) {%[6]sreturn struct{}{}, nil
})
if _, %[7]s := %[1]s.SubmitAll(%[3]s.Background(), %[8]s); %[7]s != nil {
panic(%[7]s) // one of the tasks panicked
}
%[1]s.Close()`, tasks, pool, context, l.Value(), elem, rest, failed, l.Over())
	for _, e := range serial {
		if e.Pos < loop.Pos() || e.End > loop.End() {
			edits = append(edits, e)
		}
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "pool", Needs: library,
		Says:  "give the elements to a pool, which finds out how many are best at once",
		Edits: append(edits, rewrite.Replace(loop, text)),
	})
}

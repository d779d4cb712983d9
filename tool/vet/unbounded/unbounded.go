package unbounded

import (
	"fmt"
	"slices"

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
		perProcessor := []int{1, 4}
		if blocks {
			perProcessor = []int{4, 16, 64}
		}
		bound(pass, s, &f, perProcessor)
		all = append(all, f)
	}
	return all, nil
}

// bound has each goroutine wait for a slot before it starts.
func bound(pass *analysis.Pass, s *spawn.Site, f *shape.Finding, perProcessor []int) {
	start, lit := s.Stmt, inline.Literal(s)
	var no *shape.Refusal
	var room []analysis.TextEdit // for what they send
	// The loop waits for tasks now: none may wait for what comes after it.
	switch {
	case start == nil || lit == nil:
		no = shape.No(s.Node, "what the goroutine runs is not written in a statement that starts it")
	case s.Kind == spawn.ErrGroup:
		no = inline.Meets(pass, s, true)
	default:
		room, no = inline.Edits(pass, s.Func, []*spawn.Site{s})
		room = slices.DeleteFunc(room, func(e analysis.TextEdit) bool { return e.Pos != e.End })
	}
	holds := ""
	if no != nil {
		if holds = no.Holds; holds == "" {
			no.Name = "bound"
			f.Refused = append(f.Refused, *no)
			return
		}
	}
	loop := inline.Outermost(s)
	for _, n := range perProcessor {
		runtime, edits := rewrite.Import(pass.Pkg, s.File, "runtime", loop.Pos())
		slots := rewrite.Fresh(pass.Pkg, s.Func, "slots")
		size := runtime + ".GOMAXPROCS(0)"
		if n > 1 {
			size = fmt.Sprintf("%d*%s", n, size)
		}
		f.Fixes = append(f.Fixes, shape.Fix{
			Name: "bound", Value: n, Holds: holds,
			Says: fmt.Sprintf("let at most %s goroutines run at once", size),
			Edits: append(append(edits, room...),
				rewrite.Insert(loop.Pos(), fmt.Sprintf("%s := make(chan struct{}, %s)\n", slots, size)),
				rewrite.Insert(start.Pos(), slots+" <- struct{}{}\n"),
				rewrite.Insert(lit.Body.Lbrace+1, fmt.Sprintf("\ndefer func() { <-%s }()\n", slots)),
			),
		})
	}
}

package serialmerge

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer is the check.
var Analyzer = shape.Analyzer("serialmerge", "find results of goroutines that pass through one place\n\nA slice behind a lock is where the goroutines queue.", find, spawn.Reached, uses.Analyzer, section.Analyzer)

type check struct {
	*local.Package
	sections *section.Index
	weigher  *spawn.Weigher
	seen     map[ast.Node]bool
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	sites := spawn.Loops(pass)
	if len(sites) == 0 {
		return nil, nil
	}
	c := &check{local.New(pass), pass.ResultOf[section.Analyzer].(*section.Index), spawn.NewWeigher(pass), map[ast.Node]bool{}}
	for _, s := range sites {
		if s.Body == nil {
			continue
		}
		all = append(all, c.items(s)...)
	}
	return all, nil
}

// items returns the loops that lock for each result.
func (c *check) items(s *spawn.Site) (all []shape.Finding) {
	for _, h := range c.Held(s, c.sections, c.weigher) {
		if c.seen[h.Section.Enter.Node()] || !h.Appends() {
			continue
		}
		c.seen[h.Section.Enter.Node()] = true
		out := h.Merges[0].Text()
		f := shape.Finding{
			Pos: h.Section.Enter.Node().Pos(), End: h.Section.Enter.Node().End(),
			Message: fmt.Sprintf("%s is locked in each iteration to append to %s", types.ExprString(h.Section.X), out),
			Func:    h.Func(),
			Causes:  []string{"lock", "serial", "trueshare", "rmw"},
			Hot:     []shape.Range{shape.Of(h.Loop.At.Node())},
		}
		if h.Whole {
			f.Message = fmt.Sprintf("%s is held for the whole loop that appends to %s, so that one goroutine works at a time", types.ExprString(h.Section.X), out)
		}
		if h.Why != "" {
			f.Refused = append(f.Refused, shape.Refusal{Name: "local", Why: h.Why, Pos: h.Reason})
		} else {
			f.Fixes = append(f.Fixes, shape.Fix{Name: "local", Says: fmt.Sprintf("append to a slice of the goroutine, and that to %s after the loop", out), Edits: h.Edits, Dearer: shape.Memory("each goroutine", h.Own())})
		}
		all = append(all, f)
	}
	return all
}

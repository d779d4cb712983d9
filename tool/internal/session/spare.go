package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/results"
)

// spare takes from each fix the cells at which nothing runs that it changes, as a process
// of each shows: there is no gain to find, and a loss that chance shows would stand against
// the gains of others. It returns what is worth a word. What cannot be told stays.
func (p *pack) spare(ctx context.Context, pre *prescribe.Prescription) (notes []string, err error) {
	edits := make([][]results.Pair, len(pre.Fixes))
	unsure := false
	for i := range pre.Fixes {
		f := &pre.Fixes[i]
		if _, out := p.out[f.ID]; out || !slices.ContainsFunc(f.Cells, func(c measure.Cell) bool { return c.Bench != f.Cells[0].Bench }) {
			continue
		}
		if slices.ContainsFunc(f.Changes, func(c patch.Change) bool { return strings.HasSuffix(c.File, "_test.go") }) {
			continue
		}
		e, err := p.edited(ctx, f)
		if err != nil {
			return nil, ctx.Err()
		}
		edits[i], unsure = e.pairs, true
	}
	if !unsure {
		return nil, nil
	}
	marks, err := results.Mark(edits)
	if err != nil {
		return nil, nil // a trial says what does not parse
	}
	p.step("%s: looking which benchmarks run what changes", p.target.Package)
	s, err := measure.Build(ctx, p.host, p.target, measure.BuildOptions{Plain: p.plan.Plain, Change: marks.Code})
	if broken := (*measure.Broken)(nil); errors.As(err, &broken) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer s.Forget(0)
	left := map[measure.Cell]map[string][]byte{}
	for i := range pre.Fixes {
		f := &pre.Fixes[i]
		if !marks.Tell(i) {
			continue
		}
		var runs []measure.Cell
		var spared []string
		for _, c := range f.Cells {
			files, known := left[c]
			if z, _ := p.series.Size(c); !known && z.N > 0 {
				files, err = s.Left(ctx, c, z.N, results.Touched)
				if ctx.Err() != nil {
					return nil, context.Cause(ctx)
				}
				if known = err == nil; known {
					left[c] = files
				}
			}
			if known && !marks.Of(i, files) {
				if name := strings.TrimPrefix(c.Bench, "Benchmark"); !slices.Contains(spared, name) {
					spared = append(spared, name)
				}
				continue
			}
			runs = append(runs, c)
		}
		if len(runs) == 0 || len(spared) == 0 {
			continue
		}
		f.Cells = runs
		if n := fmt.Sprintf("%s: not measured where nothing runs that it changes: %s", f.Name, someOf(spared)); !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	return notes, nil
}

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
	for i := range pre.Fixes {
		if edits[i], err = p.whole(ctx, &pre.Fixes[i]); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(edits, func(x []results.Pair) bool { return x != nil }) {
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
	s.Timeout = p.plan.Timeout
	left := map[measure.Cell]map[string][]byte{} // nil: not known
	runs := func(i int, c measure.Cell) (bool, error) {
		files, asked := left[c]
		if z, _ := p.series.Size(c); !asked && z.N > 0 {
			x, all, err := s.Left(ctx, c, z.N, results.Touched)
			if ctx.Err() != nil {
				return true, context.Cause(ctx)
			}
			if err == nil && x.Child == 0 { // other processes may run it, and tell nothing
				if files = all; files == nil {
					files = map[string][]byte{}
				}
			}
		}
		left[c] = files
		return files == nil || marks.Of(i, files), nil
	}
	for i := range pre.Fixes {
		f := &pre.Fixes[i]
		if !marks.Tell(i) {
			continue
		}
		var kept []measure.Cell
		var spared []string
		for _, c := range f.Cells {
			yes, err := runs(i, c)
			if err != nil {
				return nil, err
			}
			if yes {
				kept = append(kept, c)
			} else if name := strings.TrimPrefix(c.Bench, "Benchmark"); !slices.Contains(spared, name) {
				spared = append(spared, name)
			}
		}
		if len(kept) == 0 || len(spared) == 0 {
			continue
		}
		f.Cells = kept
		if n := fmt.Sprintf("%s: not measured where nothing runs that it changes: %s", f.Name, someOf(spared)); !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	return notes, nil
}

// whole are the packages that a fix changes, where they are all that it changes, its tests
// are none of it, and there is another benchmark beside that which it is for; else nil. Of
// other packages those that use them are not known.
func (p *pack) whole(ctx context.Context, f *prescribe.Fix) ([]results.Pair, error) {
	if _, out := p.out[f.ID]; out || !slices.ContainsFunc(f.Cells, func(c measure.Cell) bool { return c.Bench != f.Cells[0].Bench }) {
		return nil, nil
	}
	var pairs []results.Pair
	if i := slices.IndexFunc(p.plan.Cure.Edits, func(e *Edit) bool { return e.id() == f.ID }); i >= 0 {
		pairs = p.plan.Cure.Edits[i].pairs
	} else {
		e, err := p.edited(ctx, f)
		if err != nil {
			return nil, context.Cause(ctx)
		}
		pairs = e.pairs
	}
	in := func(c patch.Change) bool {
		return slices.ContainsFunc(pairs, func(x results.Pair) bool {
			_, old := x.Old[c.File]
			_, new := x.New[c.File]
			return old || new
		})
	}
	for _, c := range f.Changes {
		if !in(c) {
			return nil, nil
		}
	}
	if len(f.Module) > 0 || slices.ContainsFunc(pairs, func(x results.Pair) bool { return x.Path != p.target.Package }) {
		return nil, nil
	}
	return pairs, nil
}

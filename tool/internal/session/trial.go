package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// early finds the edits of the plan about which the package can say all without
// measuring: those that fail a gate which costs nothing, and those that leave its test
// binary as it is. Where that is so of all, the package is done.
func (p *pack) early(ctx context.Context) error {
	edits := p.plan.Cure.Edits
	if len(edits) == 0 {
		return nil
	}
	p.out = map[string]verify.Trial{}
	for _, e := range edits {
		stage, why := e.gate(p.plan.Cure.Strict)
		if stage == "" {
			alike, err := p.alike(ctx, e)
			if err != nil {
				return err
			}
			if alike {
				stage, why = verify.Alike, "with it the test binary is the same, byte by byte"
			}
		}
		if stage != "" {
			p.out[e.id()] = verify.Trial{Candidate: verify.Candidate{Edit: edit.Edit{ID: e.id(), Name: e.Name}}, Stage: stage, Out: why}
		}
	}
	if len(p.out) < len(edits) {
		return nil
	}
	if err := p.open(); err != nil {
		return err
	}
	pre := p.given()
	t := &verify.Treatment{Tries: true, Prescription: pre, Record: &verify.Record{Package: p.target.Package, Procs: p.series.Procs, Candidates: p.decided(pre), Samples: []verify.Sample{}, End: measure.Decided}}
	p.session.treated[p.target.Package] = t
	if err := p.rec.Part(curePart, t); err != nil {
		return p.recording(err)
	}
	return errNothing
}

// gate is the first gate that an edit does not pass, of those that only look at it.
func (e *Edit) gate(strict bool) (stage verify.Stage, why string) {
	if file := e.unformatted(); file != "" {
		return verify.Formatted, file + " is not formatted with it: gofmt -w mends that"
	}
	if strict && len(e.signs) > 0 {
		var all []string
		for _, s := range e.signs {
			all = append(all, fmt.Sprintf("%s (%s)", s.Says, s.Short()))
		}
		return verify.Hollow, strings.Join(all, "; ")
	}
	return "", ""
}

// alike reports whether an edit leaves the test binary of the package as it is. It is the
// whole of it that counts: what the linker leaves out, since every call is inlined, is code
// that the edit changes as well.
func (p *pack) alike(ctx context.Context, e *Edit) (bool, error) {
	if !e.reaches[p.target.Package] {
		return true, nil
	}
	s, err := measure.Build(ctx, p.host, p.target, measure.BuildOptions{Plain: p.plan.Plain, Change: e.overlay()})
	if broken := (*measure.Broken)(nil); errors.As(err, &broken) {
		return false, nil // the trial says it
	}
	if err != nil {
		return false, err
	}
	defer s.Forget(0)
	sum, err := s.Sum(ctx)
	return sum == p.sum, err
}

// decided are the trials of what [pack.early] decided, in the order of the fixes.
func (p *pack) decided(pre *prescribe.Prescription) (all []verify.Trial) {
	for _, f := range pre.Fixes {
		if t, ok := p.out[f.ID]; ok {
			all = append(all, t)
		}
	}
	return all
}

// given makes a prescription of the edits of the plan: that they make the benchmarks
// faster which spend time where they change something is what is to be shown.
func (p *pack) given() *prescribe.Prescription {
	edits := p.plan.Cure.Edits
	pre := &prescribe.Prescription{Package: p.target.Package, Root: patch.Root(p.target.Dir, cmp.Or(p.tc.Work, p.target.Dir))}
	var names, left []string
	for _, e := range edits {
		names, left = append(names, e.Name), append(left, e.left...)
		pre.Fixes = append(pre.Fixes, prescribe.Fix{
			Edit: edit.Edit{ID: e.id(), Name: e.Name, Says: "make the change of " + e.Name}, Check: prescribe.Given, Place: e.first(),
			Packages: e.packages, Changes: e.Changes, Diff: patch.Diff(pre.Root, e.Changes), Patch: e.Patch, Signs: e.signs,
		})
	}
	cells := p.aims(pre)
	for i := range pre.Fixes {
		pre.Fixes[i].Cells = cells
	}
	if len(left) > 0 {
		pre.Left = append(pre.Left, "left out of what is tried, since no build sees it: "+someOf(left))
	}
	of := "the edit of "
	if len(names) > 1 {
		of = "the edits of "
	}
	pre.Findings = []prescribe.Finding{{Finding: edit.Finding{Check: prescribe.Given, Message: of + strings.Join(names, ", "), Place: edits[0].first()}, Cells: cells}}
	return pre
}

// someOf names files: of many the first, and hidden ones last.
func someOf(files []string) string {
	const some = 4
	hidden := func(file string) int {
		if strings.HasPrefix(file, ".") {
			return 1
		}
		return 0
	}
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(hidden(a), hidden(b)), strings.Compare(a, b))
	})
	files = slices.Compact(files)
	if rest := len(files) - some; rest > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(files[:some], ", "), rest)
	}
	return strings.Join(files, ", ")
}

// first is the first line that an edit changes.
func (e *Edit) first() source.Place {
	c := e.Changes[0]
	was, is := strings.Split(c.Before, "\n"), strings.Split(c.After, "\n")
	line := 0
	for line < len(was)-1 && line < len(is) && was[line] == is[line] {
		line++
	}
	return source.Place{File: c.File, Line: line + 1}
}

// aims are the cells that edits are to make faster: of the benchmarks that spend time in
// a file that one changes; of all, where none was seen to.
func (p *pack) aims(pre *prescribe.Prescription) (cells []measure.Cell) {
	free, _ := untouched(p.series, pre.Fixes)
	if n := len(p.series.Listed); n > 0 && len(free) == n {
		free = nil
		pre.Left = append(pre.Left, "none of these benchmarks was seen in a file that changes: name packages whose benchmarks spend time there")
	}
	for _, l := range p.series.Listed {
		if slices.Contains(free, l.Name) || !p.plan.Cure.wants(l.Name) {
			continue // a control
		}
		for _, procs := range slices.Backward(p.series.Procs) {
			cells = append(cells, measure.Cell{Bench: l.Name, Procs: procs})
		}
	}
	return cells
}

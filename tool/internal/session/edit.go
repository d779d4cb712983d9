package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// An Edit is a change of the code that payoff did not propose.
type Edit struct {
	Name    string // of what it comes from: a file, a commit
	Changes []patch.Change
	Tree    string // of the user, where the code lies elsewhere: records go there

	packages []prescribe.Package // of the main modules, that are built of what changes
	reaches  map[string]bool     // their import paths
	same     map[string]bool     // of packages whose test binary it leaves as it is
}

// Same is of how many packages the test binary is the same with the edit.
func (e *Edit) Same() int { return len(e.same) }

// Edited is the check that an Edit's finding has.
const Edited = "try"

// A Gate is a check that an edit does not pass before anything is measured.
type Gate struct{ Name, Says string }

func (g *Gate) Error() string { return g.Name + ": " + g.Says }

// overlay is the edit as the go command takes it.
func (e *Edit) overlay() overlay.Overlay {
	o := overlay.Overlay{}
	for _, c := range e.Changes {
		o[c.File] = nil
		if !c.Gone {
			o[c.File] = []byte(c.After)
		}
	}
	return o
}

// formatted returns a Gate if a file is formatted and would not be with the edit.
func (e *Edit) formatted() error {
	for _, c := range e.Changes {
		if filepath.Ext(c.File) != ".go" || c.Gone {
			continue
		}
		is := func(src string) (yes, known bool) {
			out, err := format.Source([]byte(src))
			return bytes.Equal(out, []byte(src)), err == nil
		}
		if was, known := is(c.Before); !c.New && (!was || !known) {
			continue
		}
		if yes, known := is(c.After); known && !yes { // what does not parse does not build
			return &Gate{"gofmt", fmt.Sprintf("%s is not formatted with it: gofmt -w mends that", filepath.Base(c.File))}
		}
	}
	return nil
}

// reach finds the packages of the main modules that are built of what an edit
// changes: their tests have to pass, and their benchmarks may change.
func (s *session) reach(ctx context.Context) error {
	e := s.plan.Cure.Edit
	patterns, err := s.tc.Everything(ctx)
	if err != nil {
		return err
	}
	pkgs, err := s.tc.List(ctx, patterns)
	if err != nil {
		return err
	}
	dirs := map[string]string{}
	for _, p := range pkgs {
		dirs[p.ImportPath] = p.Dir
	}
	inputs, err := s.tc.Inputs(ctx, slices.Sorted(maps.Keys(dirs)))
	if err != nil {
		return err
	}
	e.reaches, e.same = map[string]bool{}, map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(dirs)) {
		if slices.ContainsFunc(inputs[path], e.within) || slices.ContainsFunc(e.Changes, func(c patch.Change) bool { return filepath.Dir(c.File) == dirs[path] }) {
			e.packages, e.reaches[path] = append(e.packages, prescribe.Package{Path: path, Dir: dirs[path]}), true
		}
	}
	if len(e.packages) == 0 {
		return fmt.Errorf("%s changes no package of the module here: give a patch for this one, or go to the module that it is for", e.Name)
	}
	if slices.ContainsFunc(s.targets, func(t discover.Target) bool { return e.reaches[t.Package] }) {
		return nil
	}
	var others []string
	var paths []string
	for _, p := range e.packages {
		paths = append(paths, p.Path)
	}
	if all, _, err := discover.Targets(ctx, s.tc, paths, s.plan.Bench); err == nil { // else there is none
		for _, t := range all {
			others = append(others, t.Package)
		}
	}
	if len(others) == 0 {
		return fmt.Errorf("no benchmark reaches what %s changes: write one in a package that is built of it, like %s", e.Name, e.packages[0].Path)
	}
	return fmt.Errorf("no benchmark of these packages reaches what %s changes: those of %s do: %s", e.Name, strings.Join(others, ", "), plain.Shell(append([]string{"payoff", "try"}, others...)...))
}

// within reports whether an edit changes a file of what a binary is built of.
func (e *Edit) within(in gocmd.Input) bool {
	return !in.Standard && slices.ContainsFunc(e.Changes, func(c patch.Change) bool { return filepath.Dir(c.File) == in.Dir })
}

// unchanged ends the stages of a package whose test binary an edit leaves as it is.
func (p *pack) unchanged(ctx context.Context) error {
	e := p.plan.Cure.Edit
	if e == nil {
		return nil
	}
	s, err := measure.Build(ctx, p.host, p.target, measure.BuildOptions{Plain: p.plan.Plain, Change: e.overlay()})
	if broken := (*measure.Broken)(nil); errors.As(err, &broken) {
		return nil // the trial says it
	}
	if err != nil {
		return err
	}
	defer s.Forget(0)
	sum, err := s.Sum(ctx)
	if err != nil || sum != p.sum {
		return err
	}
	e.same[p.target.Package] = true
	p.note(problem.Problem{Package: p.target.Package, Note: true, Reason: "no difference: with the edit its test binary is the same, byte by byte", Next: "nothing is to be measured"})
	return errNothing
}

// given makes a prescription of the edit: that it makes all benchmarks of the
// package faster is what is to be shown.
func (p *pack) given() *prescribe.Prescription {
	e := p.plan.Cure.Edit
	pre := &prescribe.Prescription{Package: p.target.Package, Root: patch.Root(p.target.Dir, cmp.Or(p.tc.Work, p.target.Dir))}
	first := e.Changes[0]
	at := source.Place{File: first.File, Line: 1}
	for i, line := range strings.Split(first.Before, "\n") {
		if after := strings.Split(first.After, "\n"); i >= len(after) || after[i] != line {
			at.Line = i + 1
			break
		}
	}
	fix := prescribe.Fix{Changes: e.Changes}
	free := untouched(p.series, []prescribe.Fix{fix})
	if len(free) == len(p.series.Listed) { // all may be: nothing is left out
		free = nil
		pre.Left = append(pre.Left, fmt.Sprintf("none of these benchmarks was seen in a file that %s changes: name packages whose benchmarks spend time there", e.Name))
	}
	var cells []measure.Cell
	for _, l := range p.series.Listed {
		if slices.Contains(free, l.Name) {
			continue // a control
		}
		for _, procs := range slices.Backward(p.series.Procs) {
			cells = append(cells, measure.Cell{Bench: l.Name, Procs: procs})
		}
	}
	pre.Findings = []prescribe.Finding{{Check: Edited, Message: "the edit of " + e.Name, Place: at, Cells: cells}}
	pre.Fixes = []prescribe.Fix{{
		ID: Edited + ":" + e.Name, Check: Edited, Name: "edit", Says: "make the change of " + e.Name, Place: at, Cells: cells,
		Packages: e.packages, Changes: e.Changes, Diff: patch.Diff(pre.Root, e.Changes),
	}}
	return pre
}

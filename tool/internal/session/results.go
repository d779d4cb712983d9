package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/results"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// paired finds the source in both forms of the packages in which the edit changes
// functions.
func (e *Edit) paired(before, after view) {
	e.pairs = nil
	o := e.overlay()
	for path, was := range before.pkgs {
		is, ok := after.pkgs[path]
		if !ok || !slices.ContainsFunc(e.Changes, func(c patch.Change) bool {
			return filepath.Dir(c.File) == was.Dir && filepath.Ext(c.File) == ".go" && !strings.HasSuffix(c.File, "_test.go")
		}) {
			continue
		}
		x := results.Pair{Path: path, Old: map[string][]byte{}, New: map[string][]byte{}, Told: e.told}
		for _, name := range was.GoFiles {
			file := filepath.Join(was.Dir, name)
			x.Old[file], _ = os.ReadFile(file) // what cannot be read is not compared: it does not parse
		}
		for _, name := range is.GoFiles {
			file := filepath.Join(is.Dir, name)
			if text, changed := o[file]; changed {
				x.New[file] = text
			} else {
				x.New[file], _ = os.ReadFile(file)
			}
		}
		if was.Module != nil {
			e.module, e.moduleDir = was.Module.Path, was.Module.Dir
		}
		e.pairs = append(e.pairs, x)
	}
	slices.SortFunc(e.pairs, func(a, b results.Pair) int { return strings.Compare(a.Path, b.Path) })
}

// results compares what the functions come to that an edit of the user's changes, in the
// tests and the benchmarks of the package.
func (p *pack) results(ctx context.Context, c verify.Candidate, procs int, limit time.Duration) (why string, notes []string, err error) {
	i := slices.IndexFunc(p.plan.Cure.Edits, func(e *Edit) bool { return e.id() == c.ID })
	if i < 0 { // several as one
		return "", nil, nil
	}
	e := p.plan.Cure.Edits[i]
	why, notes, _, err = p.compared(ctx, e, c, p.plan.Cure.Strict, procs, limit)
	return why, notes, err
}

// holds compares results where an edit of a prescription has a condition: that holds if
// functions came to the same, with all inputs of tests and benchmarks and those made of
// them.
func (p *pack) holds(pre *prescribe.Prescription) func(context.Context, verify.Candidate, int, time.Duration) (string, []string, error) {
	return func(ctx context.Context, c verify.Candidate, procs int, limit time.Duration) (why string, notes []string, err error) {
		fix := pre.Find(c.ID)
		if c.Holds == "" || fix == nil {
			return "", nil, verify.ErrNotMade
		}
		e, err := p.edited(ctx, fix)
		if err != nil {
			return "", nil, err
		}
		why, notes, n, err := p.compared(ctx, e, c, true, procs, limit)
		if err == nil && why == "" && n == 0 {
			return "no function was called twice with the same input, so it is not known whether " + c.Holds, notes, nil
		}
		return why, notes, err
	}
}

// edited is a fix of a prescription as an edit, with the packages that it changes.
func (p *pack) edited(ctx context.Context, fix *prescribe.Fix) (*Edit, error) {
	e := &Edit{Name: fix.ID, Changes: fix.Changes, told: fix.Told}
	var paths []string
	for _, x := range fix.Packages {
		paths = append(paths, x.Path)
	}
	pkgs, err := p.tc.List(ctx, paths)
	if err != nil {
		return nil, err
	}
	before, after := view{pkgs: map[string]gocmd.Package{}}, view{pkgs: map[string]gocmd.Package{}}
	for _, x := range pkgs {
		before.pkgs[x.ImportPath] = x
		x.GoFiles = slices.DeleteFunc(slices.Clone(x.GoFiles), func(name string) bool {
			return slices.ContainsFunc(fix.Changes, func(c patch.Change) bool { return c.Gone && c.File == filepath.Join(x.Dir, name) })
		})
		after.pkgs[x.ImportPath] = x
	}
	e.paired(before, after)
	return e, nil
}

// compared compares what functions come to that an edit changes, and says with how many
// inputs of tests and benchmarks. Strict counts what is not surely wrong as a difference.
func (p *pack) compared(ctx context.Context, e *Edit, c verify.Candidate, strict bool, procs int, limit time.Duration) (why string, notes []string, inputs int, err error) {
	cannot := func(err error) (string, []string, int, error) {
		return "", []string{"results were not compared: " + err.Error()}, 0, nil
	}
	if len(e.pairs) == 0 {
		return cannot(errors.New("no function of a package changes"))
	}
	plan, err := results.Make(e.pairs, e.overlay(), e.module, e.moduleDir)
	if err != nil {
		return cannot(err)
	}
	pkgs, err := p.tc.List(ctx, []string{p.target.Package})
	if err != nil || len(pkgs) != 1 {
		return cannot(errors.Join(err, ctx.Err()))
	}
	name := pkgs[0].Name
	if len(pkgs[0].XTestGoFiles) > 0 {
		name += "_test"
	}
	lab := results.Lab{Host: p.host, Package: p.target.Package, Name: name, Dir: p.target.Dir, Args: p.target.Args, Procs: procs, Limit: limit}
	for _, cell := range c.Cells {
		if fn, _, _ := strings.Cut(cell.Bench, "/"); !slices.Contains(lab.Benches, fn) {
			lab.Benches = append(lab.Benches, fn)
		}
	}
	r, err := plan.Run(ctx, lab)
	if f, ok := p.host.(host.Forgetter); ok {
		f.Forget(host.Source{Package: lab.Package, Dir: lab.Dir, Change: plan.Old, Plain: true})
		f.Forget(host.Source{Package: lab.Package, Dir: lab.Dir, Change: plan.New, Plain: true})
	}
	if fault := (*host.Fault)(nil); errors.As(err, &fault) {
		return cannot(err)
	}
	if err != nil {
		return "", nil, 0, err
	}
	if r.Compared > 0 {
		notes = append(notes, fmt.Sprintf("results compared: %s, with %s of tests and benchmarks and %d that payoff made of those", figure.Plural(r.Compared, "function"), figure.Plural(r.Inputs, "input"), r.Made))
	}
	for _, s := range r.Left {
		notes = append(notes, "results not compared: "+s)
	}
	for _, s := range r.Perhaps {
		notes = append(notes, "another result, which may be right: "+s)
	}
	if r.Leaks != "" {
		return r.Leaks, notes, r.Inputs, nil
	}
	if len(r.Differs) > 0 {
		why = r.Differs[0]
		if n := len(r.Differs); n > 1 {
			why += fmt.Sprintf("; and %s more", figure.Plural(n-1, "function"))
		}
	} else if strict && len(r.Perhaps) > 0 {
		why = r.Perhaps[0]
	}
	return why, notes, r.Inputs, nil
}

// elsewhere type-checks the packages whose files an edit changes for the other platforms
// that their files are for.
func (p *pack) elsewhere(ctx context.Context, c verify.Candidate) (why string, notes []string, err error) {
	i := slices.IndexFunc(p.plan.Cure.Edits, func(e *Edit) bool { return e.id() == c.ID })
	if i < 0 || len(p.plan.Cure.Edits[i].pairs) == 0 {
		return "", nil, verify.ErrNotMade
	}
	e := p.plan.Cure.Edits[i]
	var paths, dirs, good []string
	for _, x := range e.pairs {
		paths = append(paths, x.Path)
	}
	for _, c := range e.Changes {
		if dir := filepath.Dir(c.File); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	all := program.Platforms(p.tc, e.overlay(), dirs...)
	if len(all) == 0 {
		return "", nil, verify.ErrNotMade
	}
	for _, at := range all {
		says, err := program.Elsewhere(ctx, p.tc, at, e.overlay(), paths...)
		was := ""
		if err == nil && says != "" {
			was, err = program.Elsewhere(ctx, p.tc, at, nil, paths...)
		}
		switch {
		case ctx.Err() != nil:
			return "", nil, context.Cause(ctx)
		case err != nil:
			notes = append(notes, fmt.Sprintf("it was not type-checked for %s: %v", at, err))
		case says != "" && was == "":
			return fmt.Sprintf("for %s: %s", at, says), notes, nil
		case says != "":
			notes = append(notes, fmt.Sprintf("for %s it does not type-check, with the edit or without: %s", at, was))
		default:
			good = append(good, at.String())
		}
	}
	if len(good) > 0 {
		notes = append(notes, "type-checked for "+strings.Join(good, ", ")+" as well")
	}
	return "", notes, nil
}

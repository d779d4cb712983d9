package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/repo"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// A Compare names the two states of the code that are compared: refs of the
// repository that holds the plan's folder, or recorded runs.
type Compare struct {
	Old, New string // refs; New "" is the working tree
	// MergeBase says that the old code is that at which HEAD and Old parted. An Old
	// of "" is then the branch that HEAD is to be merged into.
	MergeBase bool

	// All asks for all packages of the modules beneath the plan's folder, in place of
	// the plan's.
	All bool

	OldRun, NewRun string // folders of recorded runs, in place of refs
}

// ErrSame says that the two states of the code are one.
var ErrSame = errors.New("nothing to compare")

// The codes are two states of the code, where they can be built.
type codes struct {
	discover.Compared
	tree    string // of the user, for the record
	oldDir  string // that stands for the plan's folder
	newDir  string
	oldTop  string   // of the folder of the repository that oldDir is in
	newTop  string   // likewise
	changed []string // files, by their paths in the repository
	old     *gocmd.Toolchain
	targets []discover.Target // of the old code
}

// findCodes finds what is to be measured of both states of the code.
func (s *session) findCodes(ctx context.Context) error {
	if s.codes == nil {
		if err := s.takeCodes(ctx); err != nil {
			return err
		}
	}
	c := s.codes
	home, err := gocmd.Find(ctx, s.plan.Dir, s.plan.Tags)
	if err != nil {
		return err
	}
	c.tree = home.OwnTree()
	oldPackages, newPackages := s.plan.Packages, s.plan.Packages
	if s.plan.Compare.All {
		if oldPackages, err = everything(ctx, c.oldDir, s.plan.Tags); err != nil {
			return fmt.Errorf("in the old code, %s: %w", c.Old.Name, err)
		}
		if newPackages, err = everything(ctx, c.newDir, s.plan.Tags); err != nil {
			return err
		}
		s.plan.Packages = newPackages
	}
	var old []discover.Target
	var absent []problem.Problem
	if c.old, old, _, err = s.findIn(ctx, c.oldDir, oldPackages); err != nil {
		return fmt.Errorf("in the old code, %s: %w", c.Old.Name, err)
	}
	if s.tc, s.targets, absent, err = s.findIn(ctx, c.newDir, newPackages); err != nil {
		return fmt.Errorf("in the new code, %s: %w", c.New.Name, err)
	}
	c.targets, s.absent = old, absent
	has := func(all []discover.Target, pkg string) bool {
		return slices.ContainsFunc(all, func(t discover.Target) bool { return t.Package == pkg })
	}
	only := func(in []discover.Target, than []discover.Target, where, not discover.Code) {
		for _, t := range in {
			if !has(than, t.Package) {
				s.absent = append(s.absent, problem.Problem{Package: t.Package, Note: true,
					Reason: fmt.Sprintf("has benchmarks in %s and none in %s: there is nothing to compare", where.Name, not.Name),
					Next:   "payoff run measures it alone"})
			}
		}
	}
	only(s.targets, old, c.New, c.Old)
	only(old, s.targets, c.Old, c.New)
	s.targets = slices.DeleteFunc(s.targets, func(t discover.Target) bool { return !has(old, t.Package) })
	if len(s.targets) == 0 {
		return fmt.Errorf("no package has benchmarks both in %s and in %s: %w", c.Old.Name, c.New.Name, ErrSame)
	}
	c.Same = c.unchanged(ctx, c.old, s.tc, s.targets)
	if len(c.Same) == len(s.targets) {
		return c.allSame()
	}
	s.targets = slices.DeleteFunc(s.targets, func(t discover.Target) bool { return slices.Contains(c.Same, t.Package) })
	s.share()
	if c.old.Version != s.tc.Version {
		s.absent = append(s.absent, problem.Problem{Package: s.targets[0].Package, Note: true,
			Reason: fmt.Sprintf("the old code is built by %s and the new by %s: what that changes counts as well", c.old.Version, s.tc.Version),
			Next:   "set GOTOOLCHAIN to one version to compare the code alone"})
	}
	return nil
}

// everything returns patterns for all packages of the modules in a folder.
func everything(ctx context.Context, dir, tags string) ([]string, error) {
	tc, err := gocmd.Find(ctx, dir, tags)
	if err != nil {
		return nil, err
	}
	return tc.Everything(ctx)
}

// takeCodes finds the two states of the code, and writes those that are commits to
// folders outside the user's tree.
func (s *session) takeCodes(ctx context.Context) error {
	ask := *s.plan.Compare
	r, err := repo.Find(ctx, s.plan.Dir)
	if err != nil {
		return fmt.Errorf("%s: %w: payoff compare takes refs of a git repository, or folders that payoff run recorded", s.plan.Dir, err)
	}
	c := &codes{newDir: s.plan.Dir, newTop: r.Top}
	if ask.MergeBase {
		if ask.Old == "" {
			if ask.Old, err = r.Trunk(ctx); err != nil {
				return err
			}
		}
		c.Old.Name = ask.Old
		if c.Old.Commit, err = r.MergeBase(ctx, ask.Old); err != nil {
			return err
		}
		c.Old.Name = "the merge base with " + ask.Old
	} else {
		c.Old.Name = ask.Old
		if c.Old.Commit, err = r.Commit(ctx, ask.Old); err != nil {
			return err
		}
	}
	c.New.Name = cmp.Or(ask.New, "the working tree")
	if c.New.Commit, err = r.Commit(ctx, cmp.Or(ask.New, "HEAD")); err != nil {
		return err
	}
	if ask.New == "" {
		c.New.Dirty, _ = r.Dirty(ctx) // to be said only
	}
	if c.Old.Commit == c.New.Commit && !c.New.Dirty {
		return fmt.Errorf("%w: %s and %s are both commit %.12s", ErrSame, c.New.Name, c.Old.Name, c.New.Commit)
	}
	if c.changed, err = r.Changed(ctx, c.Old.Commit, ask.New); err != nil {
		return err
	}
	if err := s.workshop(); err != nil {
		return err
	}
	s.step("taking %s out of the repository", c.Old.Name)
	out := func(x discover.Code, as string) (string, error) {
		dir, err := r.CheckOut(ctx, x.Commit, filepath.Join(s.work.Path, as))
		if err != nil {
			return "", fmt.Errorf("%s, commit %.12s: %w", x.Name, x.Commit, err)
		}
		return dir, nil
	}
	if c.oldDir, err = out(c.Old, discover.Old); err != nil {
		return err
	}
	c.oldTop = filepath.Join(s.work.Path, discover.Old, repo.Tree)
	if ask.New != "" {
		if c.newDir, err = out(c.New, discover.New); err != nil {
			return err
		}
		c.newTop = filepath.Join(s.work.Path, discover.New, repo.Tree)
	}
	s.codes = c
	return nil
}

// places are where the functions of a package begin.
func (c *codes) places(t discover.Target) map[string]source.Place {
	at := map[string]source.Place{}
	for _, fn := range t.Funcs {
		i := strings.LastIndexByte(fn.Pos, ':')
		line, err := strconv.Atoi(fn.Pos[i+1:])
		file, err2 := filepath.Rel(c.newTop, fn.Pos[:max(i, 0)])
		if err == nil && err2 == nil && filepath.IsLocal(file) {
			at[fn.Name] = source.Place{File: filepath.ToSlash(file), Line: line}
		}
	}
	return at
}

// buildOld builds the test binary of the old code.
func (p *pack) buildOld(ctx context.Context) (err error) {
	p.step("%s: building %s", p.target.Package, p.codes.Old.Name)
	began := time.Now()
	i := slices.IndexFunc(p.codes.targets, func(t discover.Target) bool { return t.Package == p.target.Package })
	p.old, err = measure.Build(ctx, p.hostOf(p.codes.old, p.dir), p.codes.targets[i], measure.BuildOptions{Plain: p.plan.Plain})
	p.series.Cost.Build += time.Since(began).Nanoseconds()
	if broken := (*measure.Broken)(nil); errors.As(err, &broken) {
		broken.Problem.Reason = fmt.Sprintf("the old code, %s, %s", p.codes.Old.Name, broken.Problem.Reason)
		broken.Problem.Next = "name another commit that builds"
	}
	if err == nil {
		p.old.Timeout = p.plan.Timeout
	}
	return err
}

// listCodes lists the benchmarks of both states of the code, and begins the
// record.
func (p *pack) listCodes(ctx context.Context) error {
	began := time.Now()
	names := func(all []measure.Listed, code string) (names []string) {
		for _, l := range all {
			names = append(names, l.Name)
			l.Name = discover.CodeName(l.Name, code)
			p.series.Listed = append(p.series.Listed, l)
		}
		return names
	}
	before := len(p.series.Problems)
	old, err := p.listed(ctx, p.old, p.plan.Budget/2)
	if err != nil {
		return err
	}
	between := len(p.series.Problems)
	new, err := p.listed(ctx, p.bin, p.plan.Budget/2)
	if err != nil {
		return err
	}
	all := p.series.Problems
	p.series.Problems = append(all[:before:before], inBoth(all[before:between], all[between:])...)
	p.listing = time.Since(began)
	p.series.Cost.List = p.listing.Nanoseconds()
	p.series.Families, p.series.Gone, p.series.Added = discover.Codes(names(old, discover.Old), names(new, discover.New))
	p.series.Places = p.codes.places(p.target)
	p.series.Binary = p.sum
	if err := p.open(); err != nil {
		return err
	}
	if len(p.series.Families) == 0 {
		return errNothing
	}
	return nil
}

// inBoth makes one list of the problems that the listings of both states of the code
// had. What could not be measured before is no problem of the new code: a note says
// so.
func inBoth(old, new []problem.Problem) (all []problem.Problem) {
	has := func(in []problem.Problem, x problem.Problem) bool {
		return slices.ContainsFunc(in, func(y problem.Problem) bool {
			return x.Benchmark == y.Benchmark && (x.Benchmark != "" || x.Reason == y.Reason)
		})
	}
	for _, x := range new {
		if x.Note {
			all = append(all, x)
			continue
		}
		if x.Note = has(old, x); x.Note {
			x.Reason += ", before the change as well"
		} else if x.Benchmark != "" {
			x.Reason += ", in the new code alone"
		}
		all = append(all, x)
	}
	for _, x := range old {
		if !has(new, x) {
			if !x.Note {
				x.Reason += ", in the old code alone: there is nothing to compare with"
			}
			x.Note = true
			all = append(all, x)
		}
	}
	return all
}

// sessions compares two recorded runs.
func (s *session) sessions() error {
	ask := s.plan.Compare
	olds, err := s.load(ask.OldRun)
	if err != nil {
		return err
	}
	oldRun := s.run
	news, err := s.load(ask.NewRun)
	if err != nil {
		return err
	}
	code := func(dir string, r store.Run) discover.Code {
		return discover.Code{Name: relative(s.plan.Dir, dir), Commit: r.Env.Commit, Dirty: r.Env.Dirty, Run: relative(s.plan.Dir, dir)}
	}
	s.run.Codes = &discover.Compared{Old: code(ask.OldRun, oldRun), New: code(ask.NewRun, s.run)}
	s.run.Asked, s.run.Problems = nil, nil
	for _, d := range []struct{ what, old, new string }{
		{"processor", oldRun.Env.CPU, s.run.Env.CPU}, {"Go", oldRun.Env.Go, s.run.Env.Go},
	} {
		if d.old != d.new {
			s.run.Problems = append(s.run.Problems, problem.Problem{Package: ask.NewRun, Note: true,
				Reason: fmt.Sprintf("the two runs do not have the same %s (%q and %q): what that changes counts as well", d.what, d.old, d.new), Next: "compare the commits instead: both are then measured here, side by side"})
		}
	}
	for _, x := range news {
		i := slices.IndexFunc(olds, func(o *measure.Series) bool { return o.Package == x.Package })
		if i < 0 {
			continue
		}
		both := measure.Sessions(olds[i], x)
		if len(both.Families) == 0 || len(both.Procs) == 0 {
			continue
		}
		s.series = append(s.series, both)
		s.results = append(s.results, s.verdicts(both))
	}
	if len(s.series) == 0 {
		return fmt.Errorf("%w: %s and %s have no benchmark of one package in common, at one number of processors", ErrSame, ask.OldRun, ask.NewRun)
	}
	s.known = true
	return nil
}

// load reads a recorded run to be compared with another.
func (s *session) load(dir string) (series []*measure.Series, err error) {
	s.run, series, err = store.Load(dir)
	switch {
	case err != nil:
		return nil, err
	case s.run.Codes != nil:
		return nil, fmt.Errorf("%s is a comparison itself: %s shows it", dir, plain.Shell("payoff", "replay", dir))
	}
	return series, nil
}

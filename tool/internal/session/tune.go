package session

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/tune"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// A Tune says which constants are to be tuned. Of its plan the fields about
// comparisons and causes do not matter, and Budget is for each constant.
type Tune struct {
	Asks   []tune.Ask // none: those that //payoff:tune comments mark
	Values int        // of a range that are tried; default 13
}

const defaultValues = 13

// tune finds the best value of each constant, one after the other. What was measured
// where ctx ends is recorded and reported. It changes no file of the user.
func (s *session) tune(ctx context.Context) End {
	t := &tuning{session: s, Tune: *s.plan.Tune}
	end := End{Err: t.carryOut(ctx)}
	if t.folder != "" {
		end.Saved, end.Tuned = &t.saved, tune.NewDoc(&t.saved, relative(s.plan.Dir, t.folder), s.plan.Dir)
	}
	return end
}

// A tuning is one being carried out.
type tuning struct {
	Tune
	*session
	folder   string // of the record; "" until there is one
	saved    tune.Saved
	procs    []int
	parts    []*part
	settled  []*tune.Constant // that others come after, with the values recommended
	values   []int64
	packages []*program.Package
}

// A part is one package whose benchmarks are measured.
type part struct {
	target discover.Target
	prog   *program.Program
	bin    *measure.Subject
	listed []measure.Listed
}

// A knob is a constant with the values to try.
type knob struct {
	*tune.Constant
	grid tune.Grid
}

func (s *tuning) carryOut(ctx context.Context) (err error) {
	if s.plan.Dir == "" {
		if s.plan.Dir, err = os.Getwd(); err != nil {
			return err
		}
	}
	if s.plan.Budget == 0 {
		s.plan.Budget = tune.DefaultBudget
	}
	if _, err = s.plan.check(); err != nil {
		return err
	}
	if err = s.find(ctx); err != nil {
		return err
	}
	knobs, err := s.knobs(ctx)
	if err != nil {
		return err
	}
	release, waited, err := s.turn(ctx)
	if err != nil {
		return err
	}
	defer release()
	if waited { // the code may be another by now
		if knobs, err = s.knobs(ctx); err != nil {
			return err
		}
	}
	if s.work, err = local.NewFolder(); err != nil {
		return &stopError{err, "set TMPDIR to a folder that can be written"}
	}
	defer s.work.Remove()
	if err := s.describe(ctx); err != nil {
		return err
	}
	defer func() {
		s.saved.Elapsed = time.Since(s.began)
		if e := s.saved.Save(s.folder); e != nil && err == nil {
			err = fmt.Errorf("recording in %s: %w: free some space, or name another folder with -o", s.folder, e)
		}
	}()
	if err := s.list(ctx); err != nil || ctx.Err() != nil {
		return s.end(ctx, err)
	}
	for _, k := range knobs {
		if err := s.one(ctx, k); err != nil || ctx.Err() != nil {
			return s.end(ctx, err)
		}
	}
	return s.recommend()
}

func (s *tuning) end(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.Join(errors.New("interrupted: the report holds what was measured until then"), s.recommend())
	}
	return err
}

// knobs finds the constants. They are sought in the packages that are measured.
// Those of other packages of the module, marks, and who else uses an exported
// one, are sought in all that their test binaries are made of.
func (s *tuning) knobs(ctx context.Context) (knobs []knob, err error) {
	s.parts = nil
	var tested []string
	for _, t := range s.targets {
		s.step("%s: reading", t.Package)
		p, err := program.List(ctx, s.tc, t.Package)
		if err != nil {
			return nil, err
		}
		s.parts = append(s.parts, &part{target: t, prog: p})
		tested = append(tested, t.Package)
	}
	all := func(paths func(p *part) []string) error {
		s.packages = nil
		seen := map[string]bool{}
		for _, p := range s.parts {
			pkgs, err := p.prog.Typed(paths(p))
			if err != nil {
				return err
			}
			for _, q := range pkgs {
				if !seen[q.ID] {
					seen[q.ID] = true
					s.packages = append(s.packages, q)
				}
			}
		}
		return nil
	}
	own := func(p *part) []string {
		return slices.DeleteFunc(p.prog.Editable(), func(path string) bool { return path != p.target.Package })
	}
	if err := all(own); err != nil {
		return nil, err
	}
	far := len(s.Asks) == 0 || slices.ContainsFunc(s.Asks, func(a tune.Ask) bool {
		_, err := tune.Find(s.packages, a.Name, tested[0])
		return err != nil || token.IsExported(a.Name[strings.LastIndexByte(a.Name, '.')+1:])
	})
	if far {
		if err := all(func(p *part) []string { return p.prog.Editable() }); err != nil {
			return nil, err
		}
	}
	for _, a := range s.Asks {
		c, err := tune.Find(s.packages, a.Name, tested[0])
		if err != nil {
			return nil, err
		}
		knobs = append(knobs, knob{c, a.Grid})
	}
	if len(s.Asks) == 0 {
		for _, m := range tune.Comments(s.packages) {
			if m.Err != nil {
				return nil, m.Err
			}
			knobs = append(knobs, knob{m.Constant, m.Grid})
		}
		if len(knobs) == 0 {
			return nil, fmt.Errorf("%s: nothing to tune: name a constant, like -const Threshold=16..65536, or mark one with //payoff:tune 16..65536", strings.Join(tested, " "))
		}
	}
	for i, k := range knobs {
		switch {
		case k.Duration && !k.grid.Duration:
			return nil, fmt.Errorf("%s at %s is a time.Duration: want values like 1ms..1s", k.Name, k.Place)
		case !k.Duration && k.grid.Duration:
			return nil, fmt.Errorf("%s at %s is a number: want values like 16..65536", k.Name, k.Place)
		case slices.ContainsFunc(knobs[:i], func(o knob) bool { return o.Place == k.Place && o.Name == k.Name }):
			return nil, fmt.Errorf("%s is named twice", k.Name)
		}
	}
	return knobs, nil
}

// describe begins the record.
func (s *tuning) describe(ctx context.Context) error {
	found, err := s.host(s.work.Path).Probe(ctx, host.Ask{})
	if err != nil {
		return err
	}
	s.procs = s.plan.Procs
	if len(s.procs) == 0 {
		if s.procs, err = cmdline.Procs("", found.Procs); err != nil {
			return err
		}
	}
	if s.folder, err = s.session.folder(); err != nil {
		return err
	}
	if err := os.MkdirAll(s.folder, 0o755); err != nil {
		return fmt.Errorf("%w: name a folder that can be written with -o", err)
	}
	if tune.Recorded(s.folder) {
		s.folder, err = "", fmt.Errorf("%s holds a run already: name another folder with -o", s.folder)
		return err
	}
	asked := s.plan.repeat(s.plan.Packages...)
	s.saved = tune.Saved{Payoff: s.plan.Payoff, Environment: found.Env, Problems: s.absent, Asked: tune.Asked{Packages: asked.Packages, Bench: asked.Bench, Tags: asked.Tags, Procs: asked.Procs, Args: asked.Args}}
	if s.plan.Budget != tune.DefaultBudget {
		s.saved.Asked.Budget = s.plan.Budget
	}
	for _, a := range s.Asks {
		s.saved.Asked.Consts = append(s.saved.Asked.Consts, a.Text)
	}
	s.saved.Environment.Time = time.Now().Round(0)
	s.saved.Environment.Go = s.tc.Version
	if s.alone != "" {
		s.saved.Missing = append(s.saved.Missing, s.alone)
	}
	return nil
}

// list runs each benchmark function once to see what benchmarks it has.
func (s *tuning) list(ctx context.Context) error {
	for _, p := range s.parts {
		s.step("%s: building", p.target.Package)
		bin, err := s.build(ctx, p.target.Package, nil)
		if broken := (*measure.Broken)(nil); errors.As(err, &broken) && ctx.Err() == nil {
			s.saved.Problems = append(s.saved.Problems, broken.Problem)
			continue
		}
		if err != nil {
			return err
		}
		p.bin = bin
		for _, m := range bin.Missing {
			if !slices.Contains(s.saved.Missing, m) {
				s.saved.Missing = append(s.saved.Missing, m)
			}
		}
		l := measure.Listing{Package: p.target.Package, Procs: slices.Max(s.procs), Budget: s.plan.Budget / 2, Timeout: s.plan.Timeout, Now: time.Now,
			Begin: func(fn discover.Func, done, all int) {
				s.step("%s: listing %s (%d of %d)", p.target.Package, fn.Name, done+1, all)
			}}
		found, problems, err := l.List(ctx, bin, p.target.Funcs)
		s.saved.Problems = append(s.saved.Problems, problems...)
		if err != nil {
			return err
		}
		p.listed = found
	}
	return nil
}

// build compiles the test binary of a package in a folder of its own.
func (s *tuning) build(ctx context.Context, pkg string, change overlay.Overlay) (*measure.Subject, error) {
	dir, err := os.MkdirTemp(s.work.Path, "value-")
	if err != nil {
		return nil, &stopError{err, "set TMPDIR to a folder that can be written"}
	}
	i := slices.IndexFunc(s.parts, func(p *part) bool { return p.target.Package == pkg })
	b, err := measure.Build(ctx, s.host(dir), s.parts[i].target, measure.BuildOptions{Change: change, Plain: s.plan.Plain})
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	b.Timeout = s.plan.Timeout
	return b, nil
}

// change is the code with the constants settled so far, and c with a value.
func (s *tuning) change(c *tune.Constant, value int64) (overlay.Overlay, error) {
	var e edit.Draft
	for i, k := range s.settled {
		k.Set(&e, s.values[i])
	}
	c.Set(&e, value)
	return e.Overlay()
}

// one tunes a constant.
func (s *tuning) one(ctx context.Context, k knob) error {
	r := &tune.Record{Constant: *k.Constant, Procs: s.procs, Margin: s.plan.Bounds.Margin, Alpha: stats.DefaultRule.Alpha, Budget: s.plan.Budget}
	n := s.Values
	if n == 0 {
		n = defaultValues
	}
	for _, v := range k.grid.Values(n, k.Present) {
		r.Trials = append(r.Trials, tune.Trial{Value: v, Text: k.Text(v)})
	}
	s.saved.Records = append(s.saved.Records, r)
	seed := s.plan.Seed
	if seed == 0 {
		seed = rand.Uint64() | 1
	}
	plan := tune.Plan{Budget: s.plan.Budget, Sample: s.plan.Sample, Layouts: s.plan.Layouts, Seed: seed, PerOp: map[tune.Cell]time.Duration{}}
	if err := s.cells(ctx, k, r, plan.PerOp); err != nil || ctx.Err() != nil {
		return err
	}
	if len(r.Cells) == 0 {
		r.Cut = fmt.Sprintf("no benchmark of %s reaches it", strings.Join(s.targetNames(), " "))
		return nil
	}
	err := tune.Run(ctx, r, tune.Lab{
		Build:  s.build,
		Change: func(v int64) (overlay.Overlay, error) { return s.change(k.Constant, v) },
		Test:   func(ctx context.Context, change overlay.Overlay) (string, error) { return s.test(ctx, k, change) },
		Now:    time.Now,
		Step:   func(format string, args ...any) { s.step(k.Name+": "+format, args...) },
		Keep:   func(*tune.Record) error { return s.saved.Save(s.folder) },
	}, plan)
	if res := tune.Judge(r); err == nil && res.Word == tune.Better {
		s.settled, s.values = append(s.settled, k.Constant), append(s.values, res.Value)
	}
	return err
}

func (s *tuning) targetNames() (names []string) {
	for _, t := range s.targets {
		names = append(names, t.Package)
	}
	return names
}

// cells finds out which benchmarks reach the constant, by running each once with
// a mark where it is used.
func (s *tuning) cells(ctx context.Context, k knob, r *tune.Record, perOp map[tune.Cell]time.Duration) error {
	for _, p := range s.parts {
		if p.bin == nil || len(p.listed) == 0 {
			continue
		}
		if q, _ := p.prog.Find(k.File); q == nil {
			continue // no part of this binary
		}
		var marked *measure.Subject
		o, err := tune.Reach(s.packages, k.Constant)
		if err == nil {
			s.step("%s: what reaches %s", p.target.Package, k.Name)
			if marked, err = s.build(ctx, p.target.Package, o); err == nil {
				defer marked.Forget(0)
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			r.Unknown = err.Error()
		}
		for _, b := range p.listed {
			reached := false
			for _, procs := range s.procs {
				if !reached && marked != nil {
					_, err := marked.Run(ctx, measure.Cell{Bench: b.Name, Procs: procs}, 1)
					if ctx.Err() != nil {
						return nil
					}
					broken := (*measure.Broken)(nil)
					reached = errors.As(err, &broken) && broken.Failed
				}
			}
			if marked != nil && !reached {
				r.Unreached = append(r.Unreached, b.Name)
				continue
			}
			for _, procs := range s.procs {
				c := tune.Cell{Package: p.target.Package, Bench: b.Name, Procs: procs}
				r.Cells = append(r.Cells, c)
				perOp[c] = time.Duration(b.PerOp)
			}
		}
	}
	return nil
}

// test runs the tests of the packages that are measured, and of the constant's,
// and returns what they say, "" if they pass.
func (s *tuning) test(ctx context.Context, k knob, change overlay.Overlay) (string, error) {
	dir, err := os.MkdirTemp(s.work.Path, "tests-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	c := verify.Candidate{Edit: edit.Edit{ID: k.Name, Name: "tune"}, Claim: k.Name, Change: change}
	for _, t := range s.targets[1:] {
		c.Tests = append(c.Tests, verify.Package{Path: t.Package, Dir: t.Dir})
	}
	if !slices.Contains(s.targetNames(), k.Package) {
		c.Tests = append(c.Tests, verify.Package{Path: k.Package, Dir: filepath.Dir(k.File)})
	}
	rec, err := verify.Checks(ctx, verify.Lab{Host: s.host(dir), Target: s.targets[0], Vet: verify.GoVet(s.tc, dir)},
		verify.Options{Candidates: []verify.Candidate{c}, Series: &measure.Series{Package: s.targets[0].Package, Procs: s.procs}, Budget: s.plan.Budget})
	switch {
	case err != nil || ctx.Err() != nil:
		return "", err
	case rec.Problem != nil:
		return rec.Problem.Reason + ": " + rec.Problem.Next, nil
	}
	return rec.Candidates[0].Out, nil
}

// recommend makes the change of what is recommended.
func (s *tuning) recommend() error {
	var e edit.Draft
	was := map[string][]byte{}
	for i, c := range s.settled {
		c.Set(&e, s.values[i])
		was[c.File] = c.Source()
	}
	o, err := e.Overlay()
	if err != nil {
		return err
	}
	for name, is := range o {
		s.saved.Changes = append(s.saved.Changes, patch.Change{File: name, Before: string(was[name]), After: string(is)})
	}
	slices.SortFunc(s.saved.Changes, func(a, b patch.Change) int { return strings.Compare(a.File, b.File) })
	s.saved.Patch = patch.Diff(patch.Root(s.plan.Dir, s.tc.OwnTree()), s.saved.Changes)
	return nil
}

package session

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/gather"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// A pack is one package on its way through the stages.
type pack struct {
	*session
	target  discover.Target
	series  *measure.Series
	began   time.Time      // of its stages, once it was built
	resumed bool           // series has what a run measured before
	rec     *store.Package // nil until there is something to record

	dir  string // for what nobody needs after this package
	host host.Host
	bin  *measure.Subject // the test binary
	old  *measure.Subject // that of the old code, where two are compared
	sum  string           // of it
	// recalled says that the series is of a recorded run of the same code.
	recalled  bool
	result    *judge.Result     // nil until it is judged
	explained []explain.Finding // nil until it is
	listing   time.Duration     // that the listing took
	// out are the edits of the plan that went out before anything was measured, by ID.
	out map[string]verify.Trial
}

func (p *pack) note(x problem.Problem) { p.series.Problems = append(p.series.Problems, x) }

// measure builds, lists and measures the package and gathers evidence on it.
// What is wrong with the package stands in its Series; an error ends the whole
// run.
func (p *pack) measure(ctx context.Context) (err error) {
	began := time.Now()
	p.run.Tell(p.series)
	defer func() {
		p.series.Cost.Total += time.Since(began).Nanoseconds()
		err = p.close(err)
	}()
	if p.dir, err = os.MkdirTemp(p.work.Path, "package-"); err != nil {
		return &stopError{err, "set TMPDIR to a folder that can be written"}
	}
	defer os.RemoveAll(p.dir)
	p.host = p.session.host(p.dir)
	stages := []func(context.Context) error{p.build, p.list, p.group, p.sample, p.judge, p.gather, p.explain, p.foresee}
	switch {
	case p.resumed:
		stages = []func(context.Context) error{p.build, p.resume, p.sample, p.judge, p.gather, p.explain, p.foresee}
	case p.codes != nil:
		stages = []func(context.Context) error{p.buildOld, p.build, p.listCodes, p.sample}
	case p.plan.Cure != nil && p.plan.Cure.Budget > 0:
		unless := func(stage func(context.Context) error) func(context.Context) error {
			return func(ctx context.Context) error {
				if p.recalled {
					return nil
				}
				return stage(ctx)
			}
		}
		stages = []func(context.Context) error{p.build, p.early, p.recall, unless(p.list), unless(p.group), unless(p.sample), p.judge, p.gather, p.explain}
	}
	if p.plan.Cure != nil {
		stages = append(stages, p.cure)
	}
	for _, stage := range stages {
		err := stage(ctx)
		var broken *measure.Broken
		var stop *stopError
		switch {
		case errors.As(err, &stop):
			return err
		case errors.Is(err, errNothing):
			return nil
		case ctx.Err() != nil:
			if p.series.End == measure.Failed {
				p.series.End = measure.Interrupted
			}
			return nil
		case errors.As(err, &broken):
			p.note(broken.Problem)
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// errNothing ends the stages of a package of which nothing is left to do.
var errNothing = errors.New("nothing left to do")

// close completes the record of the package. What ends the run stands among the
// problems of the package.
func (p *pack) close(err error) error {
	if err != nil {
		p.note(p.stopped(err))
	}
	e := err
	if p.rec == nil && p.resumed {
		return err // nothing came to what is there
	}
	if p.rec == nil && err == nil { // nothing could be measured: the record says why
		p.rec, e = p.session.rec.Package(p.run, p.series)
	}
	if p.rec != nil {
		e = p.rec.Close(p.series)
	}
	if e != nil && err == nil {
		err = p.recording(e)
		p.note(p.stopped(err)) // the record cannot say it
	}
	return err
}

// stopped is an error that ends the run as a problem of the package.
func (p *pack) stopped(err error) problem.Problem {
	return stopped(p.target.Package, err, p.plan.repeat(p.target.Package).Command())
}

func (p *pack) build(ctx context.Context) (err error) {
	began := time.Now()
	p.step("%s: building", p.target.Package)
	p.bin, err = measure.Build(ctx, p.host, p.target, measure.BuildOptions{Plain: p.plan.Plain, Note: p.note})
	p.series.Cost.Build += time.Since(began).Nanoseconds()
	if err != nil {
		return err
	}
	p.bin.Timeout = p.plan.Timeout
	if !p.resumed {
		p.series.Missing = p.bin.Missing
	}
	p.began = time.Now()
	p.sum, err = p.bin.Sum(ctx)
	return err
}

// list runs each function once to see what benchmarks it has.
func (p *pack) list(ctx context.Context) error {
	began := time.Now()
	defer func() {
		p.listing = time.Since(began)
		p.series.Cost.List = p.listing.Nanoseconds()
	}()
	found, err := p.listed(ctx, p.bin, p.plan.Budget)
	p.series.Listed = found
	if err == nil && len(p.series.Listed) == 0 {
		err = errNothing
	}
	return err
}

// listed lists the benchmarks of a test binary, in half of a budget.
func (p *pack) listed(ctx context.Context, bin *measure.Subject, budget time.Duration) ([]measure.Listed, error) {
	l := measure.Listing{
		Package: p.target.Package, Procs: slices.Max(p.series.Procs), Budget: budget, Timeout: p.plan.Timeout, Now: time.Now,
		Begin: func(fn discover.Func, done, all int) {
			p.step("%s: listing %s (%d of %d)", p.target.Package, fn.Name, done+1, all)
		},
	}
	found, problems, err := l.List(ctx, bin, bin.Target.Funcs)
	p.series.Problems = append(p.series.Problems, problems...)
	if broken := (*measure.Broken)(nil); errors.As(err, &broken) {
		p.note(broken.Problem)
		err = nil
	}
	return found, err
}

// group finds bases and variants among the names, and what the budget can do
// for so many.
func (p *pack) group(context.Context) (err error) {
	var names []string
	for _, b := range p.series.Listed {
		names = append(names, b.Name)
	}
	hints := p.hints
	hints.Funcs, hints.Starts = p.target.Funcs, measure.Starts(p.series.Listed)
	families, problems := discover.Pair(p.target.Package, names, hints)
	if x, ok := measure.Unpaired(p.target.Package, families, p.series.Procs); ok {
		problems = append(problems, x)
	}
	p.series.Problems = append(p.series.Problems, problems...)
	if hints.Base != nil && !slices.ContainsFunc(families, func(f discover.Family) bool { return f.Base >= 0 }) {
		families = nil // it was asked for a comparison with the base: there is none
	}
	p.series.Families = families
	if c := p.plan.Cure; !slices.ContainsFunc(names, c.wants) {
		return &measure.Broken{Problem: problem.Problem{Package: p.target.Package, Reason: "no benchmark is " + c.Bench, Next: "name one of " + strings.Join(names, ", ")}}
	}
	for _, pair := range discover.Pairs(families) {
		p.tell(Notice(p.target.Package + ": " + pair))
	}
	for _, x := range problems {
		p.tell(Notice(x.String()))
	}
	if len(families) == 0 {
		return errNothing
	}
	p.series.Binary = p.sum
	return p.open()
}

// open begins the record of the package, or goes on with it.
func (p *pack) open() (err error) {
	p.series.Budget = p.plan.Budget
	if p.rec, err = p.session.rec.Package(p.run, p.series); err != nil {
		return p.recording(err)
	}
	return nil
}

// resume takes the place of list and group in a run that goes on.
func (p *pack) resume(context.Context) error {
	if p.series.Binary != p.sum {
		return &measure.Broken{Problem: problem.Problem{Package: p.target.Package,
			Reason: "the code or the toolchain is not what it was when the run began: its samples cannot be continued", Next: p.plan.repeat(p.target.Package).Command()}}
	}
	p.listing = time.Duration(p.series.Cost.List)
	return p.open()
}

func (p *pack) sample(ctx context.Context) error {
	var bin measure.Runner = p.bin
	if p.old != nil {
		bin = measure.Codes{Old: p.old, New: p.bin}
	}
	defer func() { p.series.Problems = append(p.series.Problems, spentOnce(p.series, p.target.Funcs)...) }()
	return measure.Run(ctx, p.series, bin, measure.Options{
		Sample: p.plan.Sample, Budget: p.plan.Budget, Spent: p.listing, Rule: p.run.Rule, Bounds: p.run.Bounds, Seed: p.run.Seed,
		MaxLayouts: p.plan.Layouts,
		Progress:   func(m measure.Progress) { p.tell(Rounds(m)) },
		Record: func(c measure.Cell, x measure.Sample, drop string) error {
			if err := p.rec.Sample(c, x, drop); err != nil {
				return p.recording(err)
			}
			return nil
		},
	})
}

// asked says of which verdicts -base, -vs and the benchmark to cure ask for
// causes; nil without them.
func (p *pack) asked() func(judge.Verdict) bool {
	cure := p.plan.Cure
	if p.hints.Base == nil && (cure == nil || cure.Bench == "") {
		return nil
	}
	return func(v judge.Verdict) bool {
		if p.hints.Base != nil && (v.Kind != measure.Variant || p.hints.Vs != nil && !p.hints.Vs.MatchString(v.New.Bench)) {
			return false
		}
		return cure.wants(v.New.Bench)
	}
}

// judge judges the samples, once.
func (p *pack) judge(context.Context) error {
	if p.result == nil {
		r := p.verdicts(p.series)
		p.result = &r
	}
	return nil
}

// explain explains the verdicts, once.
func (p *pack) explain(context.Context) error {
	if p.explained == nil {
		p.explained = append([]explain.Finding{}, p.causes(p.series, *p.result)...)
	}
	return nil
}

// gather collects the evidence, after the last timed sample.
func (p *pack) gather(ctx context.Context) error {
	s := p.series
	lacks := func(v judge.Verdict) bool { return explain.Scales(s, *p.result, v) && s.Evidence[v.New] == nil }
	if p.plan.Causes == None || p.recalled && len(s.Evidence) > 0 && !(p.cures() && slices.ContainsFunc(p.result.Verdicts, lacks)) {
		return nil
	}
	s.Missing = slices.Clone(p.bin.Missing) // what a run before lacked may be found now
	if !p.bin.CanCollect() {
		s.Missing = append(s.Missing, "causes: evidence cannot be confined to the timed region without the probe")
		return nil
	}
	began := time.Now()
	defer func() { s.Cost.Evidence += time.Since(began).Nanoseconds() }()
	build := func(ctx context.Context, o measure.BuildOptions) (*measure.Subject, error) {
		s, err := measure.Build(ctx, p.host, p.target, o)
		if err == nil {
			s.Timeout = p.plan.Timeout
		}
		return s, err
	}
	lab := &gather.Lab{Toolchain: p.tc, Package: p.target.Package, Dir: p.dir,
		Build: func(ctx context.Context, change overlay.Overlay) (*measure.Subject, error) {
			return build(ctx, measure.BuildOptions{Change: change})
		},
		Askers: func(ctx context.Context) (*measure.Subject, error) {
			return build(ctx, measure.BuildOptions{Askers: true})
		}}
	err := gather.Collect(ctx, s, *p.result, p.bin, gather.Options{
		Source: p.target.Dir, Budget: p.plan.Budget, Asked: p.asked(), All: p.plan.Causes == All, Costs: p.cures(), Told: p.plan.Told, Prices: p.run.Prices, Rule: p.run.Rule, Lab: lab, Progress: p.step,
		File: func(name string, data []byte) error {
			if err := p.rec.EvidenceFile(name, data); err != nil {
				return p.recording(err)
			}
			return nil
		},
		Keep: func(set *evidence.Set) error {
			if err := p.rec.Evidence(set); err != nil {
				return p.recording(err)
			}
			return nil
		},
	})
	if ctx.Err() != nil {
		s.Missing = append(s.Missing, gather.CutShort)
	}
	return err
}

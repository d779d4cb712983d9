package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/host/local"
	"github.com/gopayoff/payoff/tool/internal/host/plug"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/predict"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// Run carries out a plan on this machine. The last event is an [End], also where
// ctx ends: what was measured until then is recorded and reported. Who stops
// ranging ends the run.
func Run(ctx context.Context, p Plan) iter.Seq[Event] { return RunOn(ctx, p, nil) }

// Hosts returns the host of a package, which runs what the compiler builds; what
// that writes is gone when the package is done.
type Hosts func(*local.Compiler) host.Host

// RunOn is [Run] on other hosts; nil is this machine.
func RunOn(ctx context.Context, p Plan, hosts Hosts) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		var s *session
		tell := func(e Event) {
			if ctx.Err() != nil && !isEnd(e) {
				return
			}
			s.keepProgress(e)
			if !yield(e) {
				yield = func(Event) bool { return false }
				stop()
			}
		}
		for left := moves; ; left-- {
			s = &session{plan: p, hosts: hosts, began: time.Now(), treated: map[string]*verify.Treatment{}, foreseen: map[string][]predict.Prediction{}, tell: tell}
			if p.Tune != nil {
				tell(s.tune(ctx))
				return
			}
			err := s.carryOut(ctx)
			if left == 0 || p.On == "" || !errors.Is(err, plug.ErrMoved) {
				tell(s.end(err))
				return
			}
			tell(Notice(err.Error() + ": what it measured is left, and all is measured anew"))
			if s.rec != nil {
				s.rec.Ended()
			}
			if p.Record != "" {
				p.Record += "-again"
			}
		}
	}
}

// moves is how often a run is begun anew because its machine is gone.
const moves = 3

// end is the last event of a session that ended with err.
func (s *session) end(err error) End {
	end := End{At: s.at, Run: s.run, Series: s.series, Findings: s.findings, Err: err}
	if s.known {
		end.Doc = s.doc()
		if err := s.keepPatch(end.Doc); err != nil {
			err = s.recording(err)
			end.Doc.Problems = append(end.Doc.Problems, stopped(s.lastPackage(), err, ""))
			end.Err = cmp.Or(end.Err, err)
		}
	}
	return end
}

// lastPackage is the package after which the run ended.
func (s *session) lastPackage() string {
	if len(s.series) == 0 {
		return ""
	}
	return s.series[len(s.series)-1].Package
}

func isEnd(e Event) bool { _, ok := e.(End); return ok }

// progressEvery is seldom enough not to disturb what is measured.
const progressEvery = time.Second

// keepProgress keeps in the record how far the run is, for who looks on.
func (s *session) keepProgress(e Event) {
	if s.rec == nil {
		return
	}
	var p store.Progress
	switch e := e.(type) {
	case End:
		s.rec.Ended()
		return
	case Step:
		p.Step = string(e)
	case Rounds:
		m := measure.Progress(e)
		p.Rounds = &m
	default:
		return
	}
	if now := time.Now(); now.Sub(s.told) >= progressEvery {
		s.told = now
		s.rec.Progress(p)
	}
}

// A session is one plan being carried out.
type session struct {
	plan  Plan
	hosts Hosts
	began time.Time
	tell  func(Event)
	told  time.Time // in the record

	hints   discover.Hints
	codes   *codes           // that are compared; nil where they are not
	tc      *gocmd.Toolchain // nil for a recorded run
	at      *plug.Hello      // the machine that measures; nil: this one
	env     []string         // for the go command: what the machine that measures is
	rec     *store.Dir       // likewise
	work    *local.Folder    // likewise; for what nobody needs after the run
	run     store.Run
	before  []*measure.Series      // of the run that goes on
	alone   string                 // why it is not known whether others measured meanwhile; "" if it is
	known   bool                   // run describes a run that can be reported
	match   func(name string) bool // what is reported of a recorded run; nil: all
	targets []discover.Target      // to be measured
	absent  []problem.Problem      // what of the packages asked for cannot be

	series   []*measure.Series
	results  []judge.Result
	findings [][]explain.Finding
	notes    []problem.Problem // of the report alone
	lacks    []lack            // of time
	treated  map[string]*verify.Treatment
	foreseen map[string][]predict.Prediction // by package
}

func (s *session) step(format string, args ...any) { s.tell(Step(fmt.Sprintf(format, args...))) }

func (s *session) carryOut(ctx context.Context) (err error) {
	if s.plan.Dir == "" {
		if s.plan.Dir, err = os.Getwd(); err != nil {
			return err
		}
	}
	if s.plan.Resume == "" {
		if s.hints, err = s.plan.check(); err != nil {
			return err
		}
	}
	if s.plan.From != "" {
		return s.replay()
	}
	if c := s.plan.Compare; c != nil && c.OldRun != "" {
		return s.sessions()
	}
	defer func() {
		if s.work != nil {
			s.work.Remove()
		}
	}()
	if s.plan.Resume == "" { // a mistake is told before anybody is waited for
		if err = s.find(ctx); err != nil {
			return err
		}
		s.barred()
	}
	back, err := s.away(ctx)
	if back != nil {
		defer back()
	}
	if err != nil {
		return err
	}
	release, waited, err := s.turn(ctx)
	if err != nil {
		return err
	}
	defer release()
	if s.plan.Resume != "" { // read in turn: the run that goes on may have had it
		if err = s.reopen(); err != nil {
			return err
		}
	}
	if s.plan.Resume != "" || waited || len(s.env) > 0 {
		if err = s.find(ctx); err != nil {
			return err
		}
	}
	if s.codes != nil {
		if err = s.alike(ctx); err != nil {
			return err
		}
	}
	return s.measure(ctx)
}

// workshop makes the folder for what nobody needs after the run, if there is none
// yet.
func (s *session) workshop() (err error) {
	if s.work != nil {
		return nil
	}
	if s.work, err = local.NewFolder(); err != nil {
		return &stopError{err, "set TMPDIR to a folder that can be written"}
	}
	return nil
}

// find finds what is to be measured. That there is nothing is an error.
func (s *session) find(ctx context.Context) (err error) {
	var env []string
	if s.plan.Gallery != nil {
		env = s.plan.Gallery.Env
	}
	if s.plan.Compare != nil {
		return s.findCodes(ctx)
	}
	s.tc, s.targets, s.absent, err = s.findIn(ctx, s.plan.Dir, s.plan.Packages, env...)
	if c := s.plan.Cure; err == nil && c != nil && len(c.Edits) > 0 {
		err = s.reach(ctx)
	}
	s.share()
	return err
}

// share gives each package its part of the time for all.
func (s *session) share() {
	if d := s.plan.Within; d > 0 && len(s.targets) > 0 {
		s.plan.Budget = max(d/time.Duration(len(s.targets)), time.Second)
		if c := s.plan.Cure; c != nil && len(c.Edits) > 0 {
			c.Budget, s.plan.Budget = s.plan.Budget, s.plan.Budget/TryShare
		}
	}
}

// findIn finds what is to be measured of the code in a folder.
func (s *session) findIn(ctx context.Context, dir string, packages []string, env ...string) (tc *gocmd.Toolchain, targets []discover.Target, absent []problem.Problem, err error) {
	if tc, err = gocmd.Find(ctx, dir, s.plan.Tags, slices.Concat(env, s.env)...); err != nil {
		return nil, nil, nil, err
	}
	if flag := tc.Instruments(); flag != "" {
		return nil, nil, nil, fmt.Errorf("GOFLAGS has %s, and what that puts into the code would be measured with it: leave it out", flag)
	}
	if targets, absent, err = discover.Targets(ctx, tc, packages, s.plan.Bench); err != nil {
		return nil, nil, nil, err
	}
	if s.plan.Below {
		if err = discover.Below(dir, targets); err != nil {
			return nil, nil, nil, err
		}
	}
	for i := range targets {
		targets[i].Args = s.plan.Args
	}
	if len(targets) == 0 {
		var all []error
		for _, p := range absent {
			all = append(all, errors.New(p.String()))
		}
		return nil, nil, nil, errors.Join(all...)
	}
	return tc, targets, absent, nil
}

// verdicts are what the samples of a package say.
func (s *session) verdicts(x *measure.Series) judge.Result {
	return judge.Judge(x, s.run.Rule, s.run.Bounds)
}

// causes are what explains them.
func (s *session) causes(x *measure.Series, r judge.Result) []explain.Finding {
	all := explain.Explain(x, r, s.run.Prices, s.plan.Causes == All)
	if s.cures() {
		all = append(all, explain.Costs(x, r, s.run.Prices)...)
	}
	return all
}

// cures reports whether edits are sought.
func (s *session) cures() bool { return s.plan.Cure != nil && s.plan.Cure.Edits == nil }

// conclude puts a package into the report.
func (s *session) conclude(x *measure.Series, r judge.Result, causes []explain.Finding) {
	s.series = append(s.series, x)
	s.results = append(s.results, r)
	s.findings = append(s.findings, causes)
	s.short(x, r)
}

// take takes a package to its end that is measured.
func (s *session) take(x *measure.Series) {
	r := s.verdicts(x)
	s.conclude(x, r, s.causes(x, r))
}

// A lack is that of a package whose budget was too short for a full look at
// everything: at few of all.
type lack struct {
	pkg           string
	budget, needs time.Duration
	few, all      int
}

// short notes that the budget was too short for a full look at everything, and
// which would do, by what the rounds took.
func (s *session) short(x *measure.Series, r judge.Result) {
	if x.End != measure.Budget || x.Needs <= x.Budget {
		return
	}
	few := 0
	for _, v := range r.Verdicts {
		if v.Word == judge.CannotSay && v.Pairs < s.run.Rule.Looks[0] {
			few++
		}
	}
	if few > 0 {
		s.lacks = append(s.lacks, lack{x.Package, x.Budget, x.Needs, few, len(r.Verdicts)})
	}
}

// tooShort are the notes of packages whose budget was too short, in the same words for
// all, so that they are told once: a budget is for each.
func (s *session) tooShort() (notes []problem.Problem) {
	of, few, all, needs := "", 0, 0, time.Duration(0)
	for _, x := range s.lacks {
		few, all, needs = few+x.few, all+x.all, max(needs, x.needs)
	}
	if len(s.lacks) > 1 {
		of = " of these packages"
	}
	for _, x := range s.lacks {
		notes = append(notes, problem.Problem{Package: x.pkg, Note: true, Reason: fmt.Sprintf("the budget of %v was spent before %d of %d comparisons%s had a full look", x.budget, few, all, of),
			Next: cmdline.Needs(cmdline.Duration(needs))})
	}
	return notes
}

func (s *session) doc() *report.Doc {
	dir := s.plan.From
	if s.rec != nil {
		dir = s.rec.Path
	}
	doc := report.New(report.Input{
		Payoff: s.run.Payoff, Env: s.run.Env, Capacity: s.run.Capacity, Prices: s.run.Prices,
		Series: s.series, Results: s.results, Findings: s.findings, Dir: s.plan.Dir, Problems: slices.Concat(s.run.Problems, s.tooShort(), s.notes),
		Record: relative(s.plan.Dir, dir), Seconds: s.run.Elapsed.Seconds(), Asked: s.run.Asked, Pages: s.plan.Causes == All,
		Base: s.plan.Base, Vs: s.plan.Vs, Treatments: s.treatments(), Codes: s.run.Codes, Predictions: s.predictions(),
	})
	if s.match != nil {
		doc.Keep(s.match)
	}
	return doc
}

// measure goes through all stages for each package.
func (s *session) measure(ctx context.Context) (err error) {
	if s.rec == nil {
		dir, err := s.folder()
		if err != nil {
			return err
		}
		if s.rec, err = store.Create(dir); err != nil {
			return err
		}
	}
	if err := s.workshop(); err != nil {
		return err
	}
	procs, found, err := s.probe(ctx)
	if err != nil {
		return err
	}
	if s.plan.Resume == "" {
		s.describe(ctx, found)
	} else if err := s.same(found); err != nil {
		return err
	}
	if s.alone != "" && !slices.Contains(s.run.Env.Missing, s.alone) {
		s.run.Env.Missing = append(s.run.Env.Missing, s.alone)
	}
	s.run.Problems = s.absent
	if err := s.rec.Put(s.run); err != nil {
		return s.recording(err)
	}
	s.known = true
	if !slices.ContainsFunc(s.targets, func(t discover.Target) bool { x := s.measured(t.Package); return x == nil || !s.over(x) }) {
		s.tell(Notice(fmt.Sprintf("nothing was left to do in %s with a budget of %s: its report follows", s.plan.Resume, cmdline.Duration(s.plan.Budget))))
	}
	var failed error
	for _, t := range s.targets {
		before := s.measured(t.Package)
		switch {
		case before != nil && (ctx.Err() != nil || failed != nil || s.over(before)):
			s.take(before)
			continue
		case ctx.Err() != nil || failed != nil:
			s.run.Problems = append(s.run.Problems, problem.Problem{Package: t.Package, Reason: "not measured: the run ended before",
				Next: s.run.Asked.Resume(relative(s.plan.Dir, s.rec.Path))})
			continue
		case before == nil || len(before.Families) == 0: // what went wrong then may not now
			before = &measure.Series{Package: t.Package, Procs: procs.of(t.Package), Dropped: map[string]int{}, End: measure.Failed}
		}
		p := &pack{session: s, target: t, series: before, resumed: len(before.Families) > 0}
		failed = p.measure(ctx)
		p.judge(ctx) // what it did not come to
		p.explain(ctx)
		s.conclude(p.series, *p.result, p.explained)
	}
	if failed == nil && ctx.Err() == nil {
		s.unmatched()
	}
	s.run.Elapsed += time.Since(s.began)
	if err := s.rec.Put(s.run); err != nil && failed == nil {
		failed = s.recording(err)
		s.notes = append(s.notes, stopped(s.lastPackage(), failed, "")) // the record cannot say it
	}
	if failed == nil && ctx.Err() != nil {
		failed = errors.New("interrupted: the report holds what was measured until then")
	}
	return failed
}

// unmatched says that -bench asks for sub-benchmarks that no package has, which
// only running the functions tells.
func (s *session) unmatched() {
	if len(s.series) == 0 || len(s.run.Problems)+len(s.treated) > 0 || slices.ContainsFunc(s.series, func(x *measure.Series) bool { return len(x.Listed)+len(x.Families)+len(x.Problems) > 0 }) {
		return
	}
	command := []string{"go", "test", "-run=^$", "-benchtime=1x", "-bench=."}
	for _, t := range s.targets {
		command = append(command, t.Package)
	}
	s.run.Problems = append(s.run.Problems, problem.Problem{Package: s.targets[0].Package, Next: cmdline.Asked{Args: s.plan.Args}.Line(command...),
		Reason: fmt.Sprintf("no sub-benchmark matches -bench %q", s.plan.Bench)})
}

// host returns the host whose binaries are compiled in dir.
func (s *session) host(dir string) host.Host { return s.hostOf(s.tc, dir) }

func (s *session) hostOf(tc *gocmd.Toolchain, dir string) host.Host {
	cache := ""
	if home, err := os.UserCacheDir(); err == nil {
		cache = filepath.Join(home, "payoff")
	}
	c := local.NewCompiler(tc, dir, cache)
	if s.hosts != nil {
		return s.hosts(c)
	}
	return local.New(dir, c)
}

// counts are the processor counts to measure at.
type counts struct {
	all  []int            // of packages that have none of their own
	each map[string][]int // by package
}

func (c counts) of(pkg string) []int {
	if own := c.each[pkg]; len(own) > 0 {
		return own
	}
	return c.all
}

// union are the counts of all packages.
func (c counts) union() []int {
	all := slices.Clone(c.all)
	for _, own := range c.each {
		all = append(all, own...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// counts chooses the processor counts on a machine that has so many.
func (s *session) counts(usable int) (c counts, err error) {
	switch {
	case len(s.plan.Procs) > 0:
		c.all = s.plan.Procs
	case s.plan.Gallery != nil:
		c.each = map[string][]int{}
		for pkg, procs := range s.plan.Gallery.Procs {
			if !slices.ContainsFunc(s.targets, func(t discover.Target) bool { return t.Package == pkg }) {
				continue
			}
			c.each[pkg] = slices.DeleteFunc(slices.Clone(procs), func(n int) bool { return n > usable })
			if len(c.each[pkg]) == 0 {
				c.each[pkg] = []int{usable}
			}
		}
	case len(s.before) > 0:
		c.all = s.before[0].Procs
	default:
		c.all, err = cmdline.Procs("", usable)
	}
	return c, err
}

// probe finds out what the host is and what it can give, and returns the processor counts to measure at.
func (s *session) probe(ctx context.Context) (procs counts, found host.Probe, err error) {
	h := s.host(s.work.Path)
	if found, err = h.Probe(ctx, host.Ask{}); err != nil {
		return procs, found, err
	}
	if procs, err = s.counts(found.Procs); err != nil {
		return procs, found, err
	}
	if !s.plan.Unasked {
		s.step("probing the machine")
		found, err = h.Probe(ctx, host.Ask{Procs: procs.union(), Again: 3, Each: 10 * time.Millisecond})
	}
	return procs, found, err
}

// describe fills in what is known of a new run.
func (s *session) describe(ctx context.Context, found host.Probe) {
	seed := s.plan.Seed
	if seed == 0 {
		seed = rand.Uint64() | 1
	}
	asked := s.plan.repeat(s.plan.Packages...)
	rule := s.plan.Rule
	if len(rule.Looks) == 0 {
		rule = stats.DefaultRule
	}
	if s.plan.Gallery != nil {
		// Articles compare two that both lose as well. Against the base each would
		// be decided by an early look, after three pairs, which are too few to tell
		// them apart.
		rule.Early = nil
	}
	s.run = store.Run{
		Payoff: s.plan.Payoff, Command: s.plan.Command, Rule: rule, Bounds: s.plan.Bounds, Budget: s.plan.Budget, Seed: seed, Asked: &asked,
		Env: found.Env, Capacity: found.Capacity, Prices: found.Prices,
	}
	if s.codes != nil {
		s.run.Codes = &s.codes.Compared
	}
	s.run.Env.Time = time.Now().Round(0) // the host's clock may be another
	s.run.Env.Go = s.tc.Version
	s.run.Env.Commit, s.run.Env.Dirty, _ = machine.GitState(ctx, s.plan.Dir) // for the record only: it need not be there
}

// A stopError ends a run.
type stopError struct {
	err  error
	next string // what to do
}

func (e *stopError) Error() string { return e.err.Error() + ": " + e.next }
func (e *stopError) Unwrap() error { return e.err }

// problem is an error that ends the run as the report has it. next is what to do where
// the error does not say it.
func stopped(pkg string, err error, next string) problem.Problem {
	x := problem.Problem{Package: pkg, Reason: err.Error(), Next: next}
	if stop := (*stopError)(nil); errors.As(err, &stop) {
		x.Reason, x.Next = stop.err.Error(), stop.next
	}
	return x
}

func (s *session) recording(err error) error {
	return &stopError{fmt.Errorf("recording in %s: %w", s.rec.Path, err), "free some space, or name another folder with -o"}
}

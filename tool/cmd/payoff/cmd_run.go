package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/store"
)

func runCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "measure benchmarks and say whether concurrency pays",
		ArgsUsage: "[flags] [packages]",
		Description: `Run measures the benchmarks of the packages over a range of processors and
says, for each, whether concurrency pays. Default package: the current one.

Variants are found by their names: sub-benchmarks variant=…, or Serial,
Sequential, Seq, Single, Naive or Baseline against the benchmarks that share
the rest of the name; a //payoff:base comment, or -base and -vs, tell it.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "bench", Value: ".", Usage: "run only benchmarks matching `regexp`, as in go test -bench"},
		}, measureFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "verdicts", Usage: "verdicts only: do not look for causes"},
		}, outputFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			o, err := outputOf(c)
			if err != nil {
				return err
			}
			return measureAndReport(ctx, c, job{packages: c.Args().Slice(), bench: c.String("bench"), explain: !c.Bool("verdicts"), out: o}, stdout, stderr)
		},
	}
}

// measureFlags are those of every command that measures.
func measureFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "base", Usage: "benchmarks matching `regexp` are what the others are compared with"},
		&cli.StringFlag{Name: "vs", Usage: "compare only benchmarks matching `regexp` with the base"},
		&cli.StringFlag{Name: "procs", Usage: "GOMAXPROCS values to try, a `list` like 1,2,4 (default 1,2,4,… up to the usable processors)"},
		&cli.DurationFlag{Name: "budget", Value: 2 * time.Minute, Usage: "`time` to measure each package at most, and again to look for causes (default 2m)"},
		&cli.DurationFlag{Name: "sample", Usage: "`time` of one sample (default 50ms, down to 10ms where the budget is short)"},
		&cli.DurationFlag{Name: "timeout", Value: time.Minute, Usage: "`time` after which a benchmark that gives no result is ended (default 1m)"},
		&cli.FloatFlag{Name: "margin", Value: 100 * stats.DefaultBounds.Margin, Usage: "differences smaller than this many `percent` do not count (default 3)"},
		&cli.FloatFlag{Name: "precision", Value: 100 * stats.DefaultBounds.Precision, Usage: "what even may leave open beyond the margin, in `percent` (default 2)"},
		&cli.IntFlag{Name: "layouts", Value: measure.MaxLayouts, Usage: "layouts of the code to measure in, a `number`; 1 keeps to the linker's own (default 24)"},
		&cli.StringFlag{Name: "tags", Usage: "build `tags`, as in go build"},
		&cli.StringFlag{Name: "o", Usage: "keep the raw results in `dir` (default .payoff/runs/…)"},
		&cli.Uint64Flag{Name: "seed", Usage: "`number` that fixes the order of the samples (default: random)"},
		&cli.BoolFlag{Name: "plain", Usage: "do not probe the testing package: wall time only"},
	}
}

// A job is what a measuring command is to do.
type job struct {
	packages []string
	bench    string
	explain  bool // look for causes
	all      bool // of every verdict, and show the evidence pages
	out      output
}

// measureAndReport is the main job as one stream:
// discover → measure → judge → explain → report.
func measureAndReport(ctx context.Context, c *cli.Command, j job, stdout, stderr io.Writer) error {
	began := time.Now()
	hints, bounds, err := asked(c)
	if err != nil {
		return err
	}
	procs, err := discover.Procs(c.String("procs"), runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	tc, err := gocmd.Find(ctx, cwd, c.String("tags"))
	if err != nil {
		return err
	}
	targets, problems, err := discover.Targets(ctx, tc, j.packages, j.bench)
	if err != nil {
		return err
	}
	dir, unlock, err := recordDir(c.String("o"), tc, stderr)
	if err != nil {
		return err
	}
	defer unlock()
	rec, err := store.Create(dir)
	if err != nil {
		return err
	}

	seed := c.Uint64("seed")
	if seed == 0 {
		seed = rand.Uint64() | 1
	}
	run := store.Run{Payoff: version(), Command: c.Root().Args().Slice(), Rule: stats.DefaultRule, Bounds: bounds, Budget: c.Duration("budget"), Seed: seed, Problems: problems}
	before := machine.ReadLoad()
	run.Env = machine.Describe()
	run.Env.Go = tc.Version
	if commit, dirty, err := machine.GitState(ctx, cwd); err != nil {
		run.Env.Missing = append(run.Env.Missing, "commit: "+err.Error())
	} else {
		run.Env.Commit, run.Env.Dirty = commit, dirty
	}
	if len(targets) > 0 {
		run.Capacity = probeCapacity(ctx, procs)
		run.Prices = machine.ProbePrices(ctx, 10*time.Millisecond, run.Env)
	}
	run.Advice = machine.Advice(run.Env, run.Capacity, before, machine.ReadLoad())
	if err := rec.Put(run); err != nil {
		return recording(rec, err)
	}

	show := newProgress(stderr)
	var all []*measure.Series
	var results []judge.Result
	var findings [][]explain.Finding
	var failed error
	for i, t := range targets {
		if ctx.Err() != nil || failed != nil {
			for _, t := range targets[i:] {
				problems = append(problems, discover.Problem{Package: t.Package, Reason: "not measured: the run ended before", Next: "payoff run " + t.Package})
			}
			run.Problems = problems
			break
		}
		s, err := measurePackage(ctx, c, j, tc, t, procs, hints, run, rec, show)
		if s != nil {
			r := judge.Judge(s, run.Rule, run.Bounds)
			all = append(all, s)
			results = append(results, r)
			findings = append(findings, explain.Explain(s, r, run.Prices, j.all))
		}
		if err != nil {
			failed = err
		}
	}
	show.done()
	run.Elapsed = time.Since(began)
	if err := rec.Put(run); err != nil && failed == nil {
		failed = recording(rec, err)
	}
	doc := report.New(report.Input{
		Payoff: run.Payoff, Env: run.Env, Capacity: run.Capacity, Prices: run.Prices, Advice: run.Advice,
		Series: all, Results: results, Findings: findings, Dir: cwd, Problems: problems, Record: relative(cwd, dir), Seconds: run.Elapsed.Seconds(),
	})
	if err := j.write(doc, run, all, stdout); err != nil {
		return fmt.Errorf("writing the report: %w: payoff replay %s writes it again", err, relative(cwd, dir))
	}
	switch {
	case failed != nil:
		return failed
	case ctx.Err() != nil:
		return errors.New("interrupted: the report holds what was measured until then")
	}
	return j.out.result(doc, stderr)
}

func (j job) write(doc *report.Doc, run store.Run, all []*measure.Series, stdout io.Writer) error {
	if j.all && j.out.format == "text" {
		return doc.Why(stdout, colours(stdout), func(string) bool { return true })
	}
	return j.out.write(doc, run, all, stdout)
}

// probeCapacity probes again after a pause when the machine gave less than it
// has: a compiler that just ends must not decide the run.
func probeCapacity(ctx context.Context, procs []int) []machine.Capacity {
	best := machine.ProbeCapacity(ctx, procs, 0)
	for range 3 {
		short := slices.ContainsFunc(best, func(c machine.Capacity) bool {
			return c.Cores < 0.9*float64(min(c.Procs, runtime.GOMAXPROCS(0)))
		})
		if !short {
			break
		}
		select {
		case <-ctx.Done():
			return best
		case <-time.After(400 * time.Millisecond):
		}
		for i, c := range machine.ProbeCapacity(ctx, procs, 0) {
			if c.Cores > best[i].Cores {
				best[i] = c
			}
		}
	}
	return best
}

// measurePackage builds, lists and measures one package. What is wrong with
// the package stands in the Series; an error ends the whole run.
func measurePackage(ctx context.Context, c *cli.Command, j job, tc *gocmd.Toolchain, t discover.Target, procs []int, hints discover.Hints, run store.Run, rec *store.Dir, show *progress) (s *measure.Series, err error) {
	began := time.Now()
	s = &measure.Series{Package: t.Package, Procs: procs, Dropped: map[string]int{}, End: measure.Failed}
	note := func(p discover.Problem) { s.Problems = append(s.Problems, p) }
	run.Tell(s)
	var p *store.Package
	defer func() {
		s.Cost.Total = time.Since(began).Nanoseconds()
		if err != nil {
			p := discover.Problem{Package: t.Package, Reason: err.Error(), Next: "payoff run " + t.Package}
			if stop := (*stopError)(nil); errors.As(err, &stop) {
				p.Reason, p.Next = stop.err.Error(), stop.next
			}
			note(p)
		}
		e := err
		if p == nil && err == nil { // nothing could be measured: the record says why
			p, e = rec.Package(run, s)
		}
		if p != nil {
			e = p.Close(s)
		}
		if e != nil && err == nil {
			err = recording(rec, e)
		}
	}()
	tmp, err := os.MkdirTemp("", "payoff-")
	if err != nil {
		return s, &stopError{err, "set TMPDIR to a folder that can be written"}
	}
	defer os.RemoveAll(tmp)
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = tmp
	}

	show.say("%s: building", t.Package)
	l, err := measure.Build(ctx, tc, t, measure.BuildOptions{Dir: tmp, Cache: filepath.Join(cache, "payoff"), Plain: c.Bool("plain"), Note: note})
	s.Cost.Build = time.Since(began).Nanoseconds()
	var broken *measure.Broken
	switch {
	case ctx.Err() != nil:
		s.End = measure.Interrupted
		return s, nil
	case errors.As(err, &broken):
		note(broken.Problem)
		return s, nil
	case err != nil:
		return s, err
	}
	l.Timeout = c.Duration("timeout")
	s.Missing = l.Missing

	listing := time.Now()
	var listed []measure.Listed
	for i, fn := range t.Funcs {
		if time.Since(listing) > run.Budget/2 {
			note(discover.Problem{Package: t.Package, Reason: fmt.Sprintf("half the budget went into first runs; the last %d of %d benchmarks were left out", len(t.Funcs)-i, len(t.Funcs)), Next: "raise -budget, or choose with -bench"})
			break
		}
		show.say("%s: listing %s (%d of %d)", t.Package, fn.Name, i+1, len(t.Funcs))
		found, problems, err := l.List(ctx, fn, procs[len(procs)-1])
		listed = append(listed, found...)
		s.Problems = append(s.Problems, problems...)
		if ctx.Err() != nil {
			s.End = measure.Interrupted
			return s, nil
		}
		if errors.As(err, &broken) {
			note(broken.Problem)
			break
		}
		if err != nil {
			return s, err
		}
	}
	spent := time.Since(listing)
	s.Cost.List = spent.Nanoseconds()
	if len(listed) == 0 {
		return s, nil
	}
	var names []string
	for _, b := range listed {
		names = append(names, b.Name)
	}
	hints.Funcs = t.Funcs
	s.Families = discover.Families(names, hints)
	if hints.Base != nil && !slices.ContainsFunc(s.Families, func(f discover.Family) bool { return f.Base >= 0 }) {
		note(discover.Problem{Package: t.Package, Reason: fmt.Sprintf("-base %q and -vs %q make no pair of %s", hints.Base, c.String("vs"), some(names)), Next: "match the names shown, like -base 'variant=serial'"})
	}

	if need := leastBudget(len(listed)*len(procs), spent); need > run.Budget {
		note(discover.Problem{Package: t.Package, Note: true, Reason: fmt.Sprintf("%d benchmarks at %d processor counts need more than the budget of %v for a verdict", len(listed), len(procs), run.Budget),
			Next: fmt.Sprintf("payoff run -budget %dm %s, or choose with -bench", int(need.Minutes())+1, t.Package)})
	}
	if p, err = rec.Package(run, s); err != nil {
		return s, recording(rec, err)
	}
	err = measure.Run(ctx, s, listed, l, measure.Options{
		Sample: c.Duration("sample"), Budget: run.Budget, Spent: spent, Rule: run.Rule, Bounds: run.Bounds, Seed: run.Seed,
		Layouts: l, MaxLayouts: c.Int("layouts"), Progress: show.rounds, Record: func(c measure.Cell, x measure.Sample, drop string) error {
			if err := p.Sample(c, x, drop); err != nil {
				return recording(rec, err)
			}
			return nil
		},
	})
	if err != nil || ctx.Err() != nil || !j.explain {
		return s, err
	}
	return s, gather(ctx, s, l, j, tc, t, filepath.Join(cache, "payoff"), tmp, run, rec, p, show)
}

// gather collects the evidence on a measured package, after its last timed
// sample.
func gather(ctx context.Context, s *measure.Series, l *measure.Local, j job, tc *gocmd.Toolchain, t discover.Target, cache, tmp string, run store.Run, rec *store.Dir, p *store.Package, show *progress) error {
	if !l.CanCollect() {
		s.Missing = append(s.Missing, "causes: evidence cannot be confined to the timed region without the probe")
		return nil
	}
	began := time.Now()
	defer func() { s.Cost.Evidence = time.Since(began).Nanoseconds() }()
	lab := &explain.Lab{Toolchain: tc, Package: t.Package, Dir: tmp, Build: func(ctx context.Context, change overlay.Overlay) (explain.Subject, error) {
		dir, err := os.MkdirTemp(tmp, "variant-")
		if err != nil {
			return nil, err
		}
		return measure.Build(ctx, tc, t, measure.BuildOptions{Dir: dir, Cache: cache, Change: change})
	}}
	err := explain.Collect(ctx, s, judge.Judge(s, run.Rule, run.Bounds), l, explain.Options{
		Dir: p.EvidenceDir(), Source: t.Dir, Budget: run.Budget, All: j.all, Prices: run.Prices, Rule: run.Rule, Lab: lab, Progress: show.say,
		Keep: func(set *evidence.Set) error {
			if err := p.Evidence(set); err != nil {
				return recording(rec, err)
			}
			return nil
		},
	})
	if ctx.Err() != nil {
		s.Missing = append(s.Missing, "some causes: interrupted while evidence was collected")
		return nil
	}
	return err
}

// leastBudget is about what the first look at so many cells takes, after a
// listing that took spent: a process runs for 30ms and more, however short its
// sample.
func leastBudget(cells int, spent time.Duration) time.Duration {
	const process = 30 * time.Millisecond
	rounds := stats.DefaultRule.Looks[0] + 1 // and the calibration
	return spent + time.Duration(cells*rounds)*process
}

// A stopError ends a run.
type stopError struct {
	err  error
	next string // what to do
}

func (e *stopError) Error() string { return e.err.Error() + ": " + e.next }
func (e *stopError) Unwrap() error { return e.err }

func recording(rec *store.Dir, err error) error {
	return &stopError{fmt.Errorf("recording in %s: %w", rec.Path, err), "free some space, or name another folder with -o"}
}

func some(names []string) string {
	if len(names) > 4 {
		return strings.Join(names[:4], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

func asked(c *cli.Command) (h discover.Hints, b stats.Bounds, err error) {
	for _, f := range []struct {
		name string
		re   **regexp.Regexp
	}{{"base", &h.Base}, {"vs", &h.Vs}} {
		if s := c.String(f.name); s != "" {
			if *f.re, err = regexp.Compile(s); err != nil {
				return h, b, fmt.Errorf("-%s %q: %w", f.name, s, err)
			}
		}
	}
	if h.Vs != nil && h.Base == nil {
		return h, b, errors.New("-vs without -base: name the base too, like -base Serial -vs Parallel")
	}
	b = stats.Bounds{Margin: c.Float("margin") / 100, Precision: c.Float("precision") / 100}
	if !(b.Margin > 0 && b.Margin < 1) || !(b.Precision > 0 && b.Precision < 1) {
		return h, b, errors.New("-margin and -precision: want percent between 0 and 100")
	}
	if c.Int("layouts") < 1 {
		return h, b, fmt.Errorf("-layouts %d: want 1 or more", c.Int("layouts"))
	}
	if c.IsSet("sample") && c.Duration("sample") <= 0 {
		return h, b, fmt.Errorf("-sample %v: want more than 0, like 20ms", c.Duration("sample"))
	}
	for _, name := range []string{"budget", "timeout"} {
		if c.Duration(name) <= 0 {
			return h, b, fmt.Errorf("-%s %v: want more than 0, like 30s", name, c.Duration(name))
		}
	}
	return h, b, nil
}

// recordDir chooses the folder of the run and keeps other runs out of the
// tree: two at once would measure each other.
func recordDir(asked string, tc *gocmd.Toolchain, stderr io.Writer) (dir string, unlock func(), err error) {
	root := tc.Work
	if root == "" {
		root = tc.Dir
	}
	home := filepath.Join(root, ".payoff")
	if err := writable(home); err != nil {
		// The module cache and GOROOT are read-only.
		cache, e := os.UserCacheDir()
		if e != nil {
			return "", nil, fmt.Errorf("%w: name a folder that can be written with -o", err)
		}
		home = filepath.Join(cache, "payoff")
		if e := writable(home); e != nil {
			return "", nil, fmt.Errorf("%w: name a folder that can be written with -o", e)
		}
		if asked == "" {
			fmt.Fprintf(stderr, "payoff: %v: recording in %s\n", err, home)
		}
	}
	lock := flock.New(filepath.Join(home, "lock"))
	ok, err := lock.TryLock()
	if err != nil {
		return "", nil, fmt.Errorf("lock %s: %w: make the file one that can be written", lock.Path(), err)
	}
	if !ok {
		return "", nil, fmt.Errorf("another payoff run holds %s: wait until it ends, two at once would disturb each other", lock.Path())
	}
	unlock = func() { lock.Unlock() }
	if asked != "" {
		return asked, unlock, nil
	}
	runs := filepath.Join(home, "runs")
	if err := os.MkdirAll(runs, 0o755); err != nil {
		unlock()
		return "", nil, fmt.Errorf("%w: name a folder that can be written with -o", err)
	}
	name := time.Now().Format("20060102-150405")
	dir = filepath.Join(runs, name)
	for i := 2; ; i++ {
		err := os.Mkdir(dir, 0o755)
		if err == nil {
			return dir, unlock, nil
		}
		if !errors.Is(err, os.ErrExist) {
			unlock()
			return "", nil, fmt.Errorf("%w: name a folder that can be written with -o", err)
		}
		dir = filepath.Join(runs, fmt.Sprintf("%s-%d", name, i))
	}
}

// writable makes the folder, which git shall not see.
func writable(home string) error {
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(home, ".gitignore"), []byte("*\n"), 0o644)
}

// relative is dir as it is best shown to someone in cwd.
func relative(cwd, dir string) string {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(cwd, dir)
	}
	if rel, err := filepath.Rel(cwd, dir); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return dir
}

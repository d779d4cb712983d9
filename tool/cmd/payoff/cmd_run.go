package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/vet"
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
the rest of the name; and by their source, where it differs in what is called.
A //payoff:base comment, or -base and -vs, tell it.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "bench", Value: ".", Usage: "run only benchmarks matching `regexp`, as in go test -bench"},
		}, pairFlags(), measureFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "verdicts", Usage: "verdicts only: do not look for causes"},
			onEachFlag(),
			&cli.StringFlag{Name: "resume", Usage: "go on with the run in `dir`, that was interrupted or has more budget now, as it was asked for then"},
		}, outputFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			p, err := planOf(c)
			if err != nil {
				return err
			}
			p.Packages, p.Bench, p.Causes = c.Args().Slice(), c.String("bench"), session.Wanted
			if c.Bool("verdicts") {
				p.Causes = session.None
			} else if !p.Plain {
				p.Cure = &session.Cure{Checks: vet.All()}
			}
			if p.Resume = c.String("resume"); p.Resume != "" {
				if err := goesOn(c, &p); err != nil {
					return err
				}
			}
			o, err := outputOf(c)
			if err != nil {
				return err
			}
			if wish := c.String("on-each"); wish != "" {
				return onEach(ctx, p, wish, o, stdout, stderr)
			}
			return carryOut(ctx, p, o, stdout, stderr)
		},
	}
}

// goesOn refuses what a run that goes on has otherwise in its record. The
// command that began it may be given again.
func goesOn(c *cli.Command, p *session.Plan) error {
	run, err := store.About(p.Resume)
	if err != nil {
		return err
	}
	for _, f := range slices.Concat(pairFlags(), measureFlags()) {
		if name := f.Names()[0]; c.IsSet(name) && !asBefore(name, p, run) {
			return fmt.Errorf("-resume goes on as the run was asked for: leave out -%s", name)
		}
	}
	// What the test binary is handed can name files for it to write, and who wrote the
	// record may be anybody: it has to be said again.
	if a := run.Asked; a != nil && !slices.Equal(p.Args, a.Args) {
		return fmt.Errorf("-resume goes on as the run was asked for, with the same arguments to the test binary: %s", a.Resume(p.Resume))
	}
	if a := run.Asked; a != nil && a.On != "" {
		return fmt.Errorf("%s was measured on a machine of a fleet: another one does not go on with it: %s", p.Resume, a.Command())
	}
	if a := run.Asked; a != nil && (c.IsSet("bench") && p.Bench != cmp.Or(a.Bench, ".") || len(p.Packages) > 0 && !slices.Equal(p.Packages, a.Packages)) {
		return errors.New("-resume takes packages and benchmarks from the run: name none")
	}
	if !c.IsSet("budget") {
		p.Budget = 0
	}
	return nil
}

// asBefore reports whether a flag that a plan has is as in the record, or free.
func asBefore(flag string, p *session.Plan, run store.Run) bool {
	a := run.Asked
	if a == nil {
		return true // the session refuses such a record
	}
	switch flag {
	case "budget", "wait":
		return true
	case "base":
		return p.Base == a.Base
	case "vs":
		return p.Vs == a.Vs
	case "procs":
		return slices.Equal(p.Procs, a.Procs)
	case "sample":
		return p.Sample.Nanoseconds() == a.Sample
	case "timeout":
		return p.Timeout.Nanoseconds() == a.Timeout
	case "margin":
		return p.Bounds.Margin == run.Bounds.Margin
	case "precision":
		return p.Bounds.Precision == run.Bounds.Precision
	case "layouts":
		return p.Layouts == cmp.Or(a.Layouts, measure.MaxLayouts)
	case "tags":
		return p.Tags == a.Tags
	case "seed":
		return p.Seed == run.Seed
	case "plain":
		return p.Plain == a.Plain
	case "o":
		return filepath.Clean(p.Record) == filepath.Clean(p.Resume)
	}
	return false
}

// pairFlags are those of every command that compares.
func pairFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "base", Usage: "benchmarks matching `regexp` are what the others are compared with"},
		&cli.StringFlag{Name: "vs", Usage: "compare only benchmarks matching `regexp` with the base"},
	}
}

// measureFlags are those of every command that measures.
func measureFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "procs", Usage: "GOMAXPROCS values to try, a `list` like 1,2,4 (default 1,2,4,… up to the usable processors)"},
		&cli.DurationFlag{Name: "budget", Value: 2 * time.Minute, Usage: "`time` to measure each package at most once it is built, and again to look for causes (default 2m)"},
		&cli.DurationFlag{Name: "sample", Usage: "`time` of one sample (default 50ms, down to 10ms where the budget is short)"},
		&cli.DurationFlag{Name: "timeout", Usage: "`time` after which a benchmark that gives no result is ended (default: its share of the budget, at most 1m)"},
		&cli.FloatFlag{Name: "margin", Value: 100 * stats.DefaultBounds.Margin, Usage: "differences smaller than this many `percent` do not count (default 3)"},
		&cli.FloatFlag{Name: "precision", Value: 100 * stats.DefaultBounds.Precision, Usage: "what even may leave open beyond the margin, in `percent` (default 2)"},
		&cli.IntFlag{Name: "layouts", Value: measure.MaxLayouts, Usage: "layouts of the code to measure in, a `number`; 1 keeps to the linker's own (default 24)"},
		&cli.StringFlag{Name: "tags", Usage: "build `tags`, as in go build"},
		&cli.StringFlag{Name: "o", Usage: "keep the raw results in `dir` (default .payoff/runs/… of the module, or the user's cache)"},
		&cli.Uint64Flag{Name: "seed", Usage: "`number` that fixes the order of the samples (default: random)"},
		waitFlag(),
		onFlag(),
		argsFlagUsage(),
		&cli.BoolFlag{Name: "plain", Usage: "do not probe the testing package: wall time only"},
	}
}

func waitFlag() cli.Flag {
	return &cli.DurationFlag{Name: "wait", Usage: "`time` to wait for others that measure on this machine, 0 for none (default: until they end)"}
}

// argsFlagUsage tells of -args. The parser never sees it: see cutArgs.
func argsFlagUsage() cli.Flag {
	return &cli.BoolFlag{Name: argsFlag, Usage: "hand all that follows to the test binary, as go test does"}
}

// waitOf is what [session.Plan] calls Wait.
func waitOf(c *cli.Command) time.Duration {
	if c.IsSet("wait") && c.Duration("wait") <= 0 {
		return -1
	}
	return c.Duration("wait")
}

// adjust changes each plan that measures. Tests set it.
var adjust = func(*session.Plan) {}

// planOf makes a plan of the flags that every measuring command has.
func planOf(c *cli.Command) (session.Plan, error) {
	p := session.Plan{
		Payoff: version(), Command: typed(c), Args: testArgs(c),
		Tags: c.String("tags"), Base: c.String("base"), Vs: c.String("vs"),
		Budget: c.Duration("budget"), Sample: c.Duration("sample"), Timeout: c.Duration("timeout"),
		Bounds:  stats.Bounds{Margin: c.Float("margin") / 100, Precision: c.Float("precision") / 100},
		Layouts: c.Int("layouts"), Seed: c.Uint64("seed"), Plain: c.Bool("plain"), Record: c.String("o"), Wait: waitOf(c), On: c.String("on"),
	}
	// A plan has defaults where it is zero; on the command line zero is a mistake.
	for _, f := range [][2]string{{"budget", "30s"}, {"timeout", "30s"}, {"sample", "20ms"}} {
		if name := f[0]; c.IsSet(name) && c.Duration(name) <= 0 {
			return p, cmdline.Wrong(name, c.Duration(name), "more than 0, like "+f[1])
		}
	}
	if p.Layouts < 1 {
		return p, cmdline.Wrong("layouts", p.Layouts, "1 or more")
	}
	if p.Bounds == (stats.Bounds{}) {
		return p, cmdline.ErrBounds
	}
	if list := c.String("procs"); list != "" {
		var err error
		if p.Procs, err = cmdline.Procs(list, runtime.GOMAXPROCS(0)); err != nil {
			return p, err
		}
	}
	adjust(&p)
	return p, nil
}

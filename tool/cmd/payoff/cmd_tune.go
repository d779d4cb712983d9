package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/tune"
)

func tuneCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:                      "tune",
		Usage:                     "find the best value of a constant, and the region in which it does not matter",
		ArgsUsage:                 "[flags] -const Name=low..high [packages]",
		DisableSliceFlagSeparator: true, // -const n=1,2,4 is one
		Description: `Tune measures the benchmarks that reach a constant under other values of it, and
says which is best at each GOMAXPROCS, how far around it nothing changes, and
what the present value costs. Default package: the current one.

It takes constants and variables that begin with a constant, of a package
(Threshold) or in a function (Sort.threshold): whole numbers and durations, in
geometric steps. Without -const it takes those under a comment like
//payoff:tune 16..65536. Several are tuned one after the other.

Nothing is written to the source without -apply.`,
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "const", Usage: "`Name=low..high` of a constant to tune, or Name=v,w,x; may be repeated"},
			&cli.IntFlag{Name: "values", Value: 13, Usage: "`number` of values to try of a range (default 13)"},
			&cli.StringFlag{Name: "bench", Value: ".", Usage: "measure only benchmarks matching `regexp`, as in go test -bench"},
			&cli.StringFlag{Name: "procs", Usage: "GOMAXPROCS values to tune for, a `list` like 1,2,4 (default 1,2,4,… up to the usable processors)"},
			&cli.DurationFlag{Name: "budget", Value: tune.DefaultBudget, Usage: "`time` to measure each constant at most, tests aside (default 1m50s)"},
			&cli.FloatFlag{Name: "margin", Value: 100 * stats.DefaultBounds.Margin, Usage: "differences smaller than this many `percent` do not count (default 3)"},
			&cli.DurationFlag{Name: "sample", Usage: "`time` of one sample (default 25ms, down to 10ms where the budget is short)"},
			&cli.DurationFlag{Name: "timeout", Usage: "`time` after which a benchmark that gives no result is ended (default: its share of the budget, at most 1m)"},
			&cli.IntFlag{Name: "layouts", Value: defaultTuneLayouts, Usage: "layouts of the code to compare in, a `number` (default 4)"},
			&cli.StringFlag{Name: "tags", Usage: "build `tags`, as in go build"},
			&cli.StringFlag{Name: "o", Usage: "keep the raw results in `dir` (default .payoff/runs/… of the module, or the user's cache)"},
			&cli.Uint64Flag{Name: "seed", Usage: "`number` that fixes the order of the samples (default: random)"},
			waitFlag(),
			&cli.StringFlag{Name: "from", Usage: "measure nothing: take the recorded run in `dir`"},
			&cli.BoolFlag{Name: "apply", Usage: "write what is recommended into the source"},
			&cli.StringFlag{Name: "undo", Usage: "take back what -apply wrote from the record in `dir`"},
			&cli.StringFlag{Name: "patch", Usage: "write what is recommended to `file`, as git apply takes it"},
			argsFlagUsage(),
			&cli.BoolFlag{Name: "json", Usage: "write the report as JSON (docs/tune.md)"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if dir := c.String("undo"); dir != "" {
				return undo(ctx, dir, stdout)
			}
			out := tuneOutput{json: c.Bool("json"), apply: c.Bool("apply"), patch: c.String("patch")}
			if from := c.String("from"); from != "" {
				for _, f := range c.FlagNames() {
					if !slices.Contains([]string{"from", "apply", "patch", "json"}, f) {
						return fmt.Errorf("-from measures nothing: leave out -%s", f)
					}
				}
				if testArgs(c) != nil {
					return errors.New("-from measures nothing: leave out -args")
				}
				if c.Args().Present() {
					return errors.New("-from takes the packages from the run: name none")
				}
				return replayTune(ctx, from, out, stdout, stderr)
			}
			t, err := tuningOf(c)
			if err != nil {
				return err
			}
			return carryOutTune(ctx, t, out, stdout, stderr)
		},
	}
}

const defaultTuneLayouts = 4

func tuningOf(c *cli.Command) (t session.Plan, err error) {
	t = session.Plan{
		Payoff: version(), Command: typed(c), Args: testArgs(c), Packages: c.Args().Slice(), Bench: c.String("bench"), Tags: c.String("tags"),
		Budget: c.Duration("budget"), Sample: c.Duration("sample"), Timeout: c.Duration("timeout"),
		Bounds:  stats.Bounds{Margin: c.Float("margin") / 100, Precision: stats.DefaultBounds.Precision},
		Layouts: c.Int("layouts"), Seed: c.Uint64("seed"), Record: c.String("o"), Wait: waitOf(c),
		Tune: &session.Tune{Values: c.Int("values")},
	}
	for _, f := range [][2]string{{"budget", "90s"}, {"timeout", "30s"}, {"sample", "20ms"}} {
		if name := f[0]; c.IsSet(name) && c.Duration(name) <= 0 {
			return t, cmdline.Wrong(name, c.Duration(name), "more than 0, like "+f[1])
		}
	}
	if !c.IsSet("sample") {
		t.Sample = 25 * time.Millisecond
	}
	if n := t.Tune.Values; n < 2 {
		return t, fmt.Errorf("-values %d: want 2 or more", n)
	}
	if t.Layouts < 1 {
		return t, cmdline.Wrong("layouts", t.Layouts, "1 or more")
	}
	if list := c.String("procs"); list != "" {
		if t.Procs, err = cmdline.Procs(list, runtime.GOMAXPROCS(0)); err != nil {
			return t, err
		}
		if !slices.Contains(strings.Split(strings.ReplaceAll(list, " ", ""), ","), "1") {
			t.Procs = t.Procs[1:] // a run compares with 1; here each counts for itself
		}
	}
	adjust(&t)
	for _, s := range c.StringSlice("const") {
		a, err := tune.ParseAsk(s)
		if err != nil {
			return t, fmt.Errorf("-const %w", err)
		}
		t.Tune.Asks = append(t.Tune.Asks, a)
	}
	return t, nil
}

// A tuneOutput says what becomes of a result.
type tuneOutput struct {
	json, apply bool
	patch       string
}

func carryOutTune(ctx context.Context, t session.Plan, o tuneOutput, stdout, stderr io.Writer) error {
	show := newProgress(stderr)
	var end session.End
	for e := range session.Run(ctx, t) {
		switch e := e.(type) {
		case session.Notice:
			show.notice(string(e))
		case session.Step:
			show.draw(string(e))
		case session.End:
			end = e
		}
	}
	show.done()
	if end.Tuned == nil {
		return end.Err
	}
	if err := o.write(end.Tuned, stdout); err != nil {
		return err
	}
	if end.Err != nil {
		return end.Err
	}
	return o.use(ctx, end.Saved, end.Tuned, stderr)
}

// replayTune reports a recorded run again.
func replayTune(ctx context.Context, dir string, o tuneOutput, stdout, stderr io.Writer) error {
	saved, err := tune.Load(dir)
	if err != nil {
		return err
	}
	at, err := os.Getwd()
	if err != nil {
		return err
	}
	doc := tune.NewDoc(saved, dir, at)
	if err := o.write(doc, stdout); err != nil {
		return err
	}
	return o.use(ctx, saved, doc, stderr)
}

func (o tuneOutput) write(doc *tune.Doc, w io.Writer) error {
	var err error
	if o.json {
		err = doc.JSON(w)
	} else {
		err = text.Tune(w, doc, text.Options{Width: columns(w), Colours: colours(w)})
	}
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		return fmt.Errorf("writing the report: %w: %s writes it again", err, plain.Shell("payoff", "replay", doc.Record))
	}
	return nil
}

// use applies what is recommended, and turns what was found into the exit code.
func (o tuneOutput) use(ctx context.Context, saved *tune.Saved, doc *tune.Doc, stderr io.Writer) error {
	if doc.Failed() {
		return errReported
	}
	if o.patch != "" {
		if err := writePatch(o.patch, saved.Root(), saved.Changes); err != nil {
			return err
		}
	}
	if !o.apply {
		return nil
	}
	if len(saved.Changes) == 0 {
		fmt.Fprintln(stderr, "payoff: nothing to apply: no other value is recommended")
		return nil
	}
	_, tree, err := here(ctx, saved.Changes, nil)
	if err != nil {
		return err
	}
	if err := patch.Replace(filepath.Join(doc.Record, session.TunedFile), saved.Patch); err != nil {
		return err
	}
	if err := apply("tune", doc.Record, tree, saved.Changes); err != nil {
		return err
	}
	for _, c := range saved.Changes {
		fmt.Fprintln(stderr, "payoff: wrote", plain.Clean(c.File))
	}
	fmt.Fprintln(stderr, "payoff: to undo it:", plain.Shell("payoff", "tune", "-undo", doc.Record))
	return nil
}

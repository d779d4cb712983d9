package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/cmdline"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/predict"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/tune"
)

// A predictDoc is what payoff predict writes as JSON.
type predictDoc struct {
	Schema      int                  `json:"schema"`
	Run         string               `json:"run"`
	Machine     string               `json:"machine"`
	Upto        int                  `json:"upto,omitempty"`
	Predictions []predict.Prediction `json:"predictions"`
}

func predictCommand(stdout, stderr io.Writer) *cli.Command {
	measuring := measureFlags()[1:] // without -procs, which is what is predicted
	return &cli.Command{
		Name:      "predict",
		Usage:     "say what more processors would do, with a band",
		ArgsUsage: "[flags] [run | packages]",
		Description: `Predict runs the task graphs of a recorded run's traces on a modelled scheduler
and says how fast its benchmarks would be on more processors: a speedup with a
band, where more processors stop to help, and what would move that. Packages
are measured first, with the traces that it needs. A run is its folder, or what
payoff show takes. Default: the newest run. All figures are those of a model.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "bench", Value: ".", Usage: "predict only benchmarks matching `regexp`, as in go test -bench"},
			&cli.StringFlag{Name: "procs", Usage: "processors to predict for, a `list` like 4,16,64 (default 2,4,8,… up to 128)"},
			&cli.StringFlag{Name: "machine", Usage: "take the prices from `file`, which payoff machine -json wrote (default: those of the run)", TakesFile: true},
			&cli.IntFlag{Name: "upto", Usage: "use what was measured at this `number` of processors or fewer, and show the rest beside it (default: all)"},
			&cli.BoolFlag{Name: "json", Usage: "write JSON (docs/predict.md)"},
		}, measuring),
		Action: func(ctx context.Context, c *cli.Command) error {
			f, err := forecastOf(c)
			if err != nil {
				return err
			}
			dir, err := predicted(ctx, c, f.Procs, measuring, stderr)
			if err != nil {
				return err
			}
			if tune.Recorded(dir) {
				return fmt.Errorf("%s is a run of payoff tune, which keeps no traces: payoff predict takes one of payoff run, or packages", dir)
			}
			found, err := f.Of(ctx, dir)
			if found == nil {
				return err
			}
			doc := predictDoc{Schema: 1, Run: dir, Machine: found.Machine.Name, Upto: f.Upto, Predictions: found.All}
			if c.Bool("json") {
				return errors.Join(plain.JSON(stdout, doc), err)
			}
			return errors.Join(doc.text(stdout), err)
		},
	}
}

func (d predictDoc) text(w io.Writer) error {
	d = plain.All(d)
	fmt.Fprintf(w, "Predicted from %s for %s; all speedups are those of a model.\n\n", d.Run, d.Machine)
	for _, p := range d.Predictions {
		if err := p.Text(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "next: %s\n", plain.Shell("payoff", "why", "-from", d.Run))
	return err
}

func forecastOf(c *cli.Command) (f session.Forecast, err error) {
	f = session.Forecast{Bench: c.String("bench"), Upto: c.Int("upto")}
	if c.IsSet("upto") && f.Upto < 1 {
		return f, cmdline.Wrong("upto", f.Upto, "1 or more")
	}
	if list := c.String("procs"); list != "" {
		if f.Procs, err = cmdline.Procs(list, 1); err != nil {
			return f, err
		}
		if most := slices.Max(f.Procs); most > predict.MostProcs {
			return f, fmt.Errorf("-procs %q: the modelled machine has %d processors at most", list, predict.MostProcs)
		}
	}
	if file := c.String("machine"); file != "" {
		data, err := record.ReadFile(file)
		if err != nil {
			return f, fmt.Errorf("-machine: %w: payoff machine -json > FILE makes one on that machine", err)
		}
		m, err := predict.ReadMachine(file, data)
		if err != nil {
			return f, fmt.Errorf("-machine: %w", err)
		}
		f.Machine = &m
	}
	return f, nil
}

// predicted is the run to predict from: the one named, or one that is made of packages.
func predicted(ctx context.Context, c *cli.Command, procs []int, measuring []cli.Flag, stderr io.Writer) (string, error) {
	args := c.Args().Slice()
	if len(args) == 0 || len(args) == 1 && isRun(args[0]) {
		for _, f := range measuring {
			if name := f.Names()[0]; c.IsSet(name) || name == argsFlag && testArgs(c) != nil {
				return "", fmt.Errorf("predict measures nothing where it has a run: leave out -%s, or name packages", name)
			}
		}
		return runDir(ctx, append(args, "")[0], stderr)
	}
	p := session.Plan{}
	p, err := planOf(c)
	if err != nil {
		return "", err
	}
	if p.Plain {
		return "", errors.New("-plain takes no traces: leave it out")
	}
	p.Procs = nil // those to predict for
	told := slices.DeleteFunc(slices.Clone(procs), func(n int) bool { return n == 1 })
	if len(told) == 0 {
		told = predict.DefaultProcs
	}
	p.Packages, p.Bench, p.Causes, p.Told = args, c.String("bench"), session.All, told
	end := follow(ctx, p, stderr)
	if end.Doc == nil {
		return "", end.Err
	}
	if end.Doc.Failed() {
		tellProblems(end.Doc, stderr)
	}
	if end.Err != nil {
		return "", end.Err
	}
	return end.Doc.Record, nil
}

// isRun reports whether a word names a run and no package: a folder that holds one, or
// what payoff log calls it.
func isRun(word string) bool {
	if _, err := os.Stat(filepath.Join(word, "run.json")); err == nil {
		return true
	}
	if st, err := os.Stat(word); err == nil && !st.IsDir() {
		return true // no package: what reads it says what it is
	}
	return len(word) > 0 && word[0] >= '0' && word[0] <= '9' && !strings.ContainsAny(word, "/.")
}

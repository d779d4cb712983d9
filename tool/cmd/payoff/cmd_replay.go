package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/tune"
)

func replayCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "report a recorded run again, without running anything",
		ArgsUsage: "[flags] dir",
		Description: `Replay reads a folder that payoff run wrote and gives the same report: the
stream of payoff run from judging on. With -base and -vs it compares other
benchmarks of the run with each other: all were measured.`,
		Flags: slices.Concat(pairFlags(), outputFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Len() != 1 {
				return errors.New("replay wants one folder that payoff run wrote, like .payoff/runs/…")
			}
			return replay(ctx, c, c.Args().First(), stdout, stderr)
		},
	}
}

func showCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "report a run that is kept again, by its name",
		ArgsUsage: "[flags] [run]",
		Description: `Show reports a run that payoff log lists, without running anything: by its name
or the beginning of that, or by a commit, of which it is the newest run.
Default: the newest run. It is payoff replay otherwise.`,
		Flags: slices.Concat(pairFlags(), outputFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Len() > 1 {
				return errors.New("show wants one run: payoff log lists them")
			}
			dir, err := runDir(ctx, c.Args().First(), stderr)
			if err != nil {
				return err
			}
			return replay(ctx, c, dir, stdout, stderr)
		},
	}
}

// replay reports the run in a folder again.
func replay(ctx context.Context, c *cli.Command, dir string, stdout, stderr io.Writer) error {
	o, err := outputOf(c)
	if err != nil {
		return err
	}
	if tune.Recorded(dir) {
		if c.String("base")+c.String("vs") != "" || o.format == "benchfmt" {
			return fmt.Errorf("%s is a run of payoff tune: -base, -vs and benchfmt say nothing of it", dir)
		}
		return replayTune(ctx, dir, tuneOutput{json: o.format == "json"}, stdout, stderr)
	}
	o.text = text.Any
	return carryOut(ctx, session.Plan{From: dir, Base: c.String("base"), Vs: c.String("vs"), Causes: session.Wanted}, o, stdout, stderr)
}

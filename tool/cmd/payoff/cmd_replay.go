package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/store"
)

func replayCommand(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "report a recorded run again, without running anything",
		ArgsUsage: "[flags] dir",
		Description: `Replay reads a folder that payoff run wrote and gives the same report: the
stream of payoff run from judging on.`,
		Flags: outputFlags(),
		Action: func(_ context.Context, c *cli.Command) error {
			o, err := outputOf(c)
			if err != nil {
				return err
			}
			if c.Args().Len() != 1 {
				return errors.New("replay wants one folder that payoff run wrote, like .payoff/runs/…")
			}
			dir := c.Args().First()
			run, all, damage := store.Load(dir)
			if damage != nil && len(all) == 0 {
				return damage
			}
			var results []judge.Result
			for _, s := range all {
				results = append(results, judge.Judge(s, run.Rule, run.Bounds))
			}
			cwd, err := os.Getwd()
			if err != nil {
				return err
			}
			doc := report.New(report.Input{
				Payoff: run.Payoff, Env: run.Env, Capacity: run.Capacity, Prices: run.Prices, Advice: run.Advice,
				Series: all, Results: results, Problems: run.Problems, Record: relative(cwd, dir), Seconds: run.Elapsed.Seconds(),
			})
			if err := o.write(doc, run, all, stdout); err != nil {
				return fmt.Errorf("writing the report: %w", err)
			}
			if damage != nil {
				return damage
			}
			return o.result(doc, c.Root().ErrWriter)
		},
	}
}

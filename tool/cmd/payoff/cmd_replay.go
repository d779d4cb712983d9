package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
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
			doc, run, all, damage, err := replay(c.Args().First(), false)
			if err != nil {
				return err
			}
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

// replay makes the report of a recorded run. damage is what could not be read
// beside it. everything asks for findings on every verdict.
func replay(dir string, everything bool) (doc *report.Doc, run store.Run, all []*measure.Series, damage, err error) {
	run, all, damage = store.Load(dir)
	if damage != nil && len(all) == 0 {
		return nil, run, nil, nil, damage
	}
	var results []judge.Result
	var findings [][]explain.Finding
	for _, s := range all {
		r := judge.Judge(s, run.Rule, run.Bounds)
		results = append(results, r)
		findings = append(findings, explain.Explain(s, r, run.Prices, everything))
	}
	cwd, err := os.Getwd()
	if err != nil {
		return nil, run, nil, nil, err
	}
	doc = report.New(report.Input{
		Payoff: run.Payoff, Env: run.Env, Capacity: run.Capacity, Prices: run.Prices, Advice: run.Advice,
		Series: all, Results: results, Findings: findings, Dir: cwd, Problems: run.Problems, Record: relative(cwd, dir), Seconds: run.Elapsed.Seconds(),
	})
	return doc, run, all, damage, nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/tune"
)

func reportCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write a recorded run as one page for a browser",
		ArgsUsage: "[flags] [run]",
		Description: `Report writes a run that payoff run recorded as one HTML file, which opens
anywhere: it needs no network, and holds the report as JSON and the samples for
benchstat. A run is its folder, or what payoff show takes. Default: the newest
run of this module.`,
		Flags: append(pairFlags(),
			&cli.StringFlag{Name: "o", Usage: "write the page to `file` (default report.html in dir)", TakesFile: true}),
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Len() > 1 {
				return errors.New("report wants one run: payoff log lists them")
			}
			dir, err := runDir(ctx, c.Args().First(), stderr)
			if err != nil {
				return err
			}
			if tune.Recorded(dir) {
				return fmt.Errorf("%s is a run of payoff tune: payoff replay shows it", dir)
			}
			end := follow(ctx, session.Plan{From: dir, Base: c.String("base"), Vs: c.String("vs"), Causes: session.Wanted}, stderr)
			if end.Doc == nil {
				return end.Err
			}
			file := cmp.Or(c.String("o"), filepath.Join(dir, "report.html"))
			if err := writeHTML(file, end); err != nil {
				return fmt.Errorf("writing the page: %w: name another file with -o", err)
			}
			if _, err := fmt.Fprintln(stdout, plain.Clean(file)); err != nil {
				return err
			}
			return end.Err
		},
	}
}

// newestRun is the folder of the newest run that is not one of payoff tune.
func newestRun(ctx context.Context) (string, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	tc, err := gocmd.Find(ctx, cwd, "")
	if err != nil {
		return "", err
	}
	dirs, unread := session.Recorded(tc)
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "run.json")); err == nil && !tune.Recorded(dir) {
			return dir, nil
		}
	}
	if unread != nil {
		return "", unread
	}
	return "", errors.New("no run is recorded here yet: payoff run makes one")
}

package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/vet"
)

func whyCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "why",
		Usage:     "show the evidence: where the time of a benchmark went",
		ArgsUsage: "[flags] [benchmark [packages]]",
		Description: `Why measures the benchmarks that match, a regexp as in go test -bench, and
shows all evidence on each: where its processor time went beside that of its
base, what its goroutines waited for, work and span, the causes. With -from it
measures nothing and reads what payoff run recorded.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "from", Usage: "take the evidence from `dir`, that payoff run wrote"},
		}, pairFlags(), measureFlags(), outputFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			p, err := planOf(c)
			if err != nil {
				return err
			}
			p.Bench, p.Causes = ".", session.All
			if c.Args().Present() {
				p.Bench, p.Packages = c.Args().First(), c.Args().Tail()
			}
			if !p.Plain {
				p.Cure = &session.Cure{Checks: vet.All()}
			}
			if p.From = c.String("from"); p.From != "" {
				if err := nothingMeasured(c, "-from", p.Packages); err != nil {
					return err
				}
			}
			o, err := outputOf(c)
			if err != nil {
				return err
			}
			o.text = text.Why
			return carryOut(ctx, p, o, stdout, stderr)
		},
	}
}

// nothingMeasured refuses what says how to measure where that is not done.
func nothingMeasured(c *cli.Command, what string, packages []string) error {
	for _, f := range measureFlags() {
		if name := f.Names()[0]; c.IsSet(name) || name == argsFlag && testArgs(c) != nil {
			return fmt.Errorf("%s measures nothing: leave out -%s", what, name)
		}
	}
	if len(packages) > 0 {
		return fmt.Errorf("%s takes the packages from the run: name none", what)
	}
	return nil
}

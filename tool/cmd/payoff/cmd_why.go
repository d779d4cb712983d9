package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/report"
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
		}, measureFlags(), outputFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			o, err := outputOf(c)
			if err != nil {
				return err
			}
			bench, packages := ".", []string(nil)
			if c.Args().Present() {
				bench, packages = c.Args().First(), c.Args().Tail()
			}
			if c.String("from") != "" {
				for _, f := range measureFlags() {
					if name := f.Names()[0]; c.IsSet(name) {
						return fmt.Errorf("-from measures nothing: leave out -%s", name)
					}
				}
				return whyFrom(c.String("from"), bench, packages, o, stdout, stderr)
			}
			return measureAndReport(ctx, c, job{packages: packages, bench: bench, explain: true, all: true, out: o}, stdout, stderr)
		},
	}
}

func whyFrom(dir, bench string, packages []string, o output, stdout, stderr io.Writer) error {
	if len(packages) > 0 {
		return errors.New("-from takes the packages from the run: name none")
	}
	match, err := discover.Matcher(bench)
	if err != nil {
		return fmt.Errorf("benchmark %q: %w", bench, err)
	}
	doc, run, all, damage, err := replay(dir, true)
	if err != nil {
		return err
	}
	any := func() bool {
		return slices.ContainsFunc(doc.Comparisons, func(c report.Comparison) bool { return match(c.Name) })
	}
	if !any() { // by what reports call it, perhaps: the variant
		if re, err := regexp.Compile(bench); err == nil {
			match = re.MatchString
		}
	}
	if !any() {
		return fmt.Errorf("no benchmark of %s matches %q: payoff replay %s shows them", dir, bench, dir)
	}
	if o.format == "text" {
		err = doc.Why(stdout, colours(stdout), match)
	} else {
		doc.Keep(match)
		err = o.write(doc, run, all, stdout)
	}
	if err != nil {
		return err
	}
	if damage != nil {
		return damage
	}
	return o.result(doc, stderr)
}

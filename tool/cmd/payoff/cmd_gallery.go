package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/claims"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/store"
)

func galleryCommand(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "gallery",
		Usage:     "hold a recorded run of gallery cases against what they must show",
		ArgsUsage: "[flags] dir",
		Description: `Gallery reads a folder that payoff run wrote and compares the verdicts with the
claims in the want.json of each measured package that has one. Measure first:
payoff run -o dir ./gallery/...`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "list the claims that hold, too"},
		},
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Args().Len() != 1 {
				return errors.New("gallery wants one folder that payoff run wrote: payoff run -o dir ./gallery/... makes it")
			}
			return checkGallery(c.Args().First(), func(string) bool { return true }, c.Bool("all"), stdout)
		},
	}
}

// checkGallery holds the packages in dir that are to be held.
func checkGallery(dir string, held func(pkg string) bool, all bool, stdout io.Writer) error {
	run, series, err := store.Load(dir)
	if err != nil {
		return err
	}
	total, wrong := 0, 0
	var rows [][]any
	for _, s := range series {
		if !held(s.Package) {
			continue
		}
		x, ok := gallery.Of(s.Package)
		if !ok {
			return fmt.Errorf("%s is no case of the gallery: payoff replay %s reports it", s.Package, plain.Shell(dir))
		}
		checks, not := claims.Held(x.Want, s, explain.Explain(s, judge.Judge(s, run.Rule, run.Bounds), run.Prices, false), run.Rule, run.Bounds)
		if len(not) > 0 {
			return fmt.Errorf("%s: %w: measure it with payoff run -procs %s", s.Package, not[0], strings.Trim(strings.Join(strings.Fields(fmt.Sprint(x.Want.Procs)), ","), "[]"))
		}
		for _, k := range checks {
			total++
			mark := "holds"
			if !k.OK || !k.CauseOK {
				wrong++
				mark = "FAILS"
			}
			if all || mark == "FAILS" {
				rows = append(rows, []any{mark, x.Name, k.Family, k.Variant, k.Base, k.Procs, k.Verdict, k.Got.Word, k.Got.Ratio, k.Got.Low, k.Got.High, k.Got.Pairs, cmp.Or(k.Cause, "-"), causeWords(k)})
			}
		}
	}
	fmt.Fprintf(stdout, "%d of %d claims hold\n", total-wrong, total)
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	if len(rows) > 0 {
		fmt.Fprintln(w, "\nclaim\tcase\tbenchmark\tvariant\tagainst\tprocs\twanted\tmeasured\tratio\tpairs\tcause\tfound")
	}
	for _, r := range plain.All(rows) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%.3g [%.3g, %.3g]\t%d\t%s\t%s\n", r...)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "next: %s\n", plain.Clean(plain.Shell("payoff", "replay", dir)))
	if wrong > 0 {
		return errFindings
	}
	return nil
}

// causeWords are the causes found, "-" where nobody looked.
func causeWords(k claims.Check) string {
	switch {
	case k.Causes == nil:
		return "-"
	case len(k.Causes) == 0:
		return "none"
	}
	return strings.Join(k.Causes, ", ")
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/spell"
)

func galleryCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "gallery",
		Usage:     "measure what five articles measured: then and now",
		ArgsUsage: "[command]",
		Description: `Gallery lists cases in which concurrency loses, with their cures, and
experiments that ask what something costs. They travel inside payoff. Each is
from an article: gallery run measures it here and sets the article's figures
beside today's.`,
		Commands: []*cli.Command{galleryRun(stdout, stderr), galleryShow(stdout, stderr), galleryCheck(stdout, stderr)},
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Args().Present() {
				name := c.Args().First()
				if _, err := findCases([]string{name}); err == nil {
					return fmt.Errorf("gallery has no command %q: payoff gallery run %[1]s measures that case", name)
				}
				return fmt.Errorf("gallery has no command %q: it has run, show and check, as payoff gallery check %s", name, plain.Shell(name))
			}
			return listCases(stdout)
		},
	}
}

// ofRun are the flags of payoff run that gallery run has as well.
var ofRun = []string{"sample", "timeout", "margin", "precision", "layouts", "o", "seed", "wait", "on"}

func galleryRun(stdout, stderr io.Writer) *cli.Command {
	flags := slices.DeleteFunc(measureFlags(), func(f cli.Flag) bool { return !slices.Contains(ofRun, f.Names()[0]) })
	return &cli.Command{
		Name:      "run",
		Usage:     "measure cases and say what of their articles holds",
		ArgsUsage: "[flags] case ...",
		Description: `Run measures cases of the gallery as payoff run measures packages, each at the
processors that it is made for, and says of each conclusion of its article
whether it holds, holds weaker or no longer holds. It needs a go command; the
sources of the cases and of the library are unpacked into the user's cache
directory, payoff/gallery-…, and raw results go to payoff/runs beside it.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "measure all cases"},
			&cli.DurationFlag{Name: "budget", Value: 40 * time.Second, Usage: "`time` to measure each case at most once it is built, and again to look for causes (default 40s)"},
			&cli.StringFlag{Name: "procs", Usage: "GOMAXPROCS values to try, a `list` like 1,2,4 (default: those of each case, as far as there are so many processors)"},
			&cli.BoolFlag{Name: "verdicts", Usage: "verdicts only: do not look for causes"},
			&cli.StringFlag{Name: "resume", Usage: "go on with the run in `dir`, that was interrupted or has more budget now"},
		}, flags, pageFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			p, err := planOf(c)
			if err != nil {
				return err
			}
			p.Causes = session.Wanted
			if c.Bool("verdicts") {
				p.Causes = session.None
			}
			r := caseRun{plan: p, names: c.Args().Slice(), all: c.Bool("all")}
			if p.Resume = c.String("resume"); p.Resume != "" {
				if err := goesOn(c, &p); err != nil {
					return err
				}
				r.plan = p
			}
			if r.format, err = pageFormat(c); err != nil {
				return err
			}
			return r.carryOut(ctx, stdout, stderr)
		},
	}
}

func galleryShow(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "say it again of a recorded run",
		ArgsUsage: "[flags] dir",
		Description: `Show reads a folder that payoff gallery run or payoff run wrote and sets its
cases beside their articles, without running anything.`,
		Flags: pageFlags(),
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Len() != 1 {
				return errors.New("gallery show wants one folder that payoff gallery run wrote")
			}
			format, err := pageFormat(c)
			if err != nil {
				return err
			}
			return showRun(ctx, c.Args().First(), format, stdout, stderr)
		},
	}
}

func galleryCheck(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "hold a recorded run against what the cases must show",
		ArgsUsage: "[flags] dir",
		Description: `Check reads a folder that payoff gallery run or payoff run wrote and compares
its verdicts and causes with the claims of the cases. The exit code is 1 where
one does not hold.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "list the claims that hold, too"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Len() != 1 {
				return errors.New("gallery check wants one folder that payoff gallery run wrote")
			}
			return checkRun(ctx, c.Args().First(), func(string) bool { return true }, c.Bool("all"), stdout, stderr)
		},
	}
}

// pageFlags are those of what sets articles beside a run.
func pageFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "write it as JSON (docs/gallery.md)"},
		&cli.StringFlag{Name: "format", Value: "text", Usage: "write it as text, json or markdown: a `name` (default text)"},
	}
}

func pageFormat(c *cli.Command) (string, error) {
	format := c.String("format")
	if c.Bool("json") {
		if c.IsSet("format") && format != "json" {
			return "", fmt.Errorf("-json and -format %s exclude each other: give one", format)
		}
		format = "json"
	}
	if !slices.Contains([]string{"text", "json", "markdown"}, format) {
		return "", fmt.Errorf("-format %q: want text, json or markdown", format)
	}
	return format, nil
}

func listCases(out io.Writer) error {
	cases, err := gallery.Cases()
	if err != nil {
		return err
	}
	articles, err := gallery.Articles()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s from %s:\n\n", figure.Plural(len(cases), "case"), figure.Plural(len(articles), "article"))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range cases {
		kind := c.Want.Cause
		if c.Want.Kind == "experiment" {
			kind = "experiment"
		}
		// What a case shows, its cause says.
		what, _, _ := strings.Cut(c.Synopsis, ", and shows ")
		fmt.Fprintf(w, "  %s\t%s\t%s\n", c.Name, kind, strings.TrimSuffix(what, "."))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\nnext: payoff gallery run %s\n", cases[0].Name)
	return err
}

// findCases returns the cases with these names, all or none.
func findCases(names []string) (found []gallery.Case, err error) {
	all, err := gallery.Cases()
	if err != nil {
		return nil, err
	}
	var known []string
	for _, c := range all {
		known = append(known, c.Name)
	}
	for _, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			if near := spell.Nearest(name, known); len(near) > 0 {
				return nil, fmt.Errorf("no case %q: did you mean %s? payoff gallery lists them", name, strings.Join(near, " or "))
			}
			return nil, fmt.Errorf("no case %q: payoff gallery lists them", name)
		}
		found = append(found, all[i])
	}
	return found, nil
}

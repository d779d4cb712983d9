package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// An output says how a report leaves the program.
type output struct {
	format   string // text, json or benchfmt
	exitCode bool
}

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "write the report as JSON (docs/json.md)"},
		&cli.StringFlag{Name: "format", Value: "text", Usage: "write the report as text, json or benchfmt (for benchstat): a `name` (default text)"},
		&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 when something loses"},
	}
}

func outputOf(c *cli.Command) (output, error) {
	o := output{format: c.String("format"), exitCode: c.Bool("exit-code")}
	if c.Bool("json") {
		if c.IsSet("format") && o.format != "json" {
			return o, fmt.Errorf("-json and -format %s exclude each other: give one", o.format)
		}
		o.format = "json"
	}
	switch o.format {
	case "text", "json", "benchfmt":
		return o, nil
	}
	return o, fmt.Errorf("-format %q: want text, json or benchfmt", o.format)
}

func (o output) write(doc *report.Doc, run store.Run, all []*measure.Series, w io.Writer) error {
	switch o.format {
	case "json":
		return doc.JSON(w)
	case "benchfmt":
		for _, s := range all {
			if err := store.WriteBench(w, run, s); err != nil {
				return err
			}
		}
		return nil
	}
	return doc.Text(w, colours(w))
}

func colours(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// result turns what the report found into the exit code.
func (o output) result(doc *report.Doc, stderr io.Writer) error {
	if doc.Failed() {
		if o.format != "text" { // the text has them
			for _, p := range doc.Problems {
				if !p.Note {
					fmt.Fprintln(stderr, "payoff:", plain.Clean(p.String()))
				}
			}
		}
		return errReported
	}
	if len(doc.Comparisons) == 0 || !slices.ContainsFunc(doc.Packages, func(p report.Package) bool { return p.Samples > 0 }) {
		return errors.New("nothing was compared: the report says why; -procs 1,2 compares processors, -base names a benchmark to compare with")
	}
	if o.exitCode && doc.Loses() {
		return errFindings
	}
	return nil
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

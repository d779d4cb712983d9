package main

import (
	"context"
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
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// An output says how a report leaves the program.
type output struct {
	format   string // text, json or benchfmt
	text     func(d *report.Doc, w io.Writer) error
	exitCode bool
}

func verdicts(d *report.Doc, w io.Writer) error { return d.Text(w, colours(w)) }

func pages(d *report.Doc, w io.Writer) error {
	return d.Why(w, colours(w), func(string) bool { return true })
}

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "write the report as JSON (docs/json.md)"},
		&cli.StringFlag{Name: "format", Value: "text", Usage: "write the report as text, json or benchfmt (for benchstat): a `name` (default text)"},
		&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 when something loses"},
	}
}

func outputOf(c *cli.Command) (output, error) {
	o := output{text: verdicts, format: c.String("format"), exitCode: c.Bool("exit-code")}
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

// carryOut carries out a plan and writes its report.
func carryOut(ctx context.Context, p session.Plan, o output, stdout, stderr io.Writer) error {
	show := newProgress(stderr)
	var end session.End
	for e := range session.Run(ctx, p) {
		switch e := e.(type) {
		case session.Notice:
			show.notice(string(e))
		case session.Step:
			show.draw(string(e))
		case session.Rounds:
			show.rounds(measure.Progress(e))
		case session.End:
			end = e
		}
	}
	show.done()
	if end.Doc == nil {
		return end.Err
	}
	if err := o.write(end, stdout); err != nil {
		return fmt.Errorf("writing the report: %w: %s writes it again", err, plain.Shell("payoff", "replay", end.Doc.Record))
	}
	if end.Err != nil {
		return end.Err
	}
	return o.result(end.Doc, stderr)
}

func (o output) write(end session.End, w io.Writer) error {
	switch o.format {
	case "json":
		return end.Doc.JSON(w)
	case "benchfmt": // not the report but its raw results
		for _, s := range end.Series {
			if err := store.WriteBench(w, end.Run, s); err != nil {
				return err
			}
		}
		return nil
	}
	return o.text(end.Doc, w)
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

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/mattn/go-runewidth"
	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/html"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/store"
)

// An output says how a report leaves the program.
type output struct {
	format   string // text, json or benchfmt
	text     func(io.Writer, *report.Doc, text.Options) error
	all      bool   // long lists in full
	html     string // file for the page, as well; "": none
	exitCode bool
}

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "write the report as JSON (docs/json.md)"},
		&cli.StringFlag{Name: "format", Value: "text", Usage: "write the report as text, json or benchfmt (for benchstat): a `name` (default text)"},
		htmlFlag(),
		&cli.BoolFlag{Name: "all", Usage: "show every benchmark and message in the text, however many"},
		&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 when something loses"},
	}
}

func htmlFlag() cli.Flag {
	return &cli.StringFlag{Name: "html", Usage: "write the report as a page for a browser to `file`, as well", TakesFile: true}
}

func outputOf(c *cli.Command) (output, error) {
	o := output{text: text.Report, format: c.String("format"), all: c.Bool("all"), html: c.String("html"), exitCode: c.Bool("exit-code")}
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

// follow carries out a plan and shows how far it is.
func follow(ctx context.Context, p session.Plan, stderr io.Writer) session.End {
	show := newProgress(stderr)
	defer show.done()
	return watch(ctx, p, show.notice, show.draw)
}

// watch carries out a plan. notice gets what must be read, step how far it is.
func watch(ctx context.Context, p session.Plan, notice, step func(string)) (end session.End) {
	if p.On != "" {
		var err error
		if p.Plug, err = fleetLine("door"); err != nil {
			return session.End{Err: fmt.Errorf("-on %s: %w", p.On, err)}
		}
	}
	for e := range session.Run(ctx, p) {
		switch e := e.(type) {
		case session.Notice:
			notice(string(e))
		case session.Step:
			step(string(e))
		case session.Rounds:
			step(roundLine(measure.Progress(e)))
		case session.End:
			end = e
		}
	}
	return end
}

// carryOut carries out a plan and writes its report.
func carryOut(ctx context.Context, p session.Plan, o output, stdout, stderr io.Writer) error {
	end := follow(ctx, p, stderr)
	if end.Doc == nil {
		return end.Err
	}
	if err := o.write(end, stdout); err != nil && !errors.Is(err, syscall.EPIPE) {
		return fmt.Errorf("writing the report: %w: %s writes it again", err, plain.Shell("payoff", "replay", end.Doc.Record))
	}
	if err := o.page(end, stderr); err != nil {
		return err
	}
	if end.Err != nil {
		return end.Err
	}
	return o.result(end.Doc, stderr)
}

// page writes the report as a page, if it was asked for.
func (o output) page(end session.End, stderr io.Writer) error {
	if o.html == "" {
		return nil
	}
	if err := writeHTML(o.html, end); err != nil {
		return fmt.Errorf("writing the page: %w: %s writes it again", err, plain.Shell("payoff", "replay", "-html", o.html, end.Doc.Record))
	}
	fmt.Fprintln(stderr, "page:", plain.Clean(o.html))
	return nil
}

func (o output) write(end session.End, w io.Writer) error {
	switch o.format {
	case "json":
		return end.Doc.JSON(w)
	case "benchfmt":
		return writeBench(w, end)
	}
	return o.text(w, end.Doc, text.Options{Width: columns(w), Colours: colours(w), All: o.all, Bars: bars(w)})
}

// writeBench writes not the report but its raw results.
func writeBench(w io.Writer, end session.End) error {
	for _, s := range end.Series {
		if err := store.WriteBench(w, end.Run, s); err != nil {
			return err
		}
	}
	return nil
}

// mostSamples are how many a page has: so many that it stays small.
const mostSamples = 30_000

// onPage is what a page has beside the report.
func onPage(end session.End) (html.Options, error) {
	var bench bytes.Buffer
	err := writeBench(&bench, end)
	return html.Options{Bench: bench.Bytes(), Strips: report.Strips(end.Series, mostSamples)}, err
}

// writeHTML writes the report as a page. What is in the file stays until all of it
// is there.
func writeHTML(file string, end session.End) error {
	o, err := onPage(end)
	if err != nil {
		return err
	}
	return outfile.Write(file, func(w io.Writer) error { return html.Write(w, end.Doc, o) })
}

// columns is how many columns the text may take: those of the terminal, or what
// COLUMNS says. A file has no width: what reads it, grep and diff among others,
// wants a line for a line.
func columns(w io.Writer) int {
	n, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if size, _, err := term.GetSize(int(f.Fd())); err == nil && size > 0 {
			n = size
		} else if n <= 0 {
			n = 80
		}
	}
	return max(n, 0)
}

func colours(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// bars are the drawings for where the text goes: none in a file or a pipe.
func bars(w io.Writer) text.Bars {
	if !terminal(w) {
		return text.NoBars
	}
	return drawings(os.Getenv, runewidth.DefaultCondition.EastAsianWidth)
}

// drawings are what a terminal can draw: characters other than ASCII where its locale
// has them, and none of them takes two columns, as some do in East Asia.
func drawings(getenv func(string) string, wide bool) text.Bars {
	locale := strings.ToLower(cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")))
	utf8 := strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8") || getenv("WT_SESSION") != "" // Windows Terminal
	switch {
	case getenv("TERM") == "dumb":
		return text.NoBars
	case utf8 && !wide:
		return text.Unicode
	}
	return text.ASCII
}

// result turns what the report found into the exit code.
func (o output) result(doc *report.Doc, stderr io.Writer) error {
	if doc.Failed() {
		if o.format != "text" { // the text has them
			tellProblems(doc, stderr)
		}
		return errReported
	}
	if doc.Outcome != "" { // of edits of the user's, which may be told without figures
		return nil
	}
	if len(doc.Comparisons) == 0 || !slices.ContainsFunc(doc.Packages, func(p report.Package) bool { return p.Samples > 0 }) {
		return errors.New("nothing was compared: the report says why; -procs 1,2 compares processors, -base names a benchmark to compare with")
	}
	if o.exitCode && doc.Loses() {
		return errFindings
	}
	return nil
}

// tellProblems writes what could not be measured.
func tellProblems(doc *report.Doc, stderr io.Writer) {
	for _, p := range doc.Problems {
		if !p.Note {
			fmt.Fprintln(stderr, "payoff:", plain.Clean(p.String()))
		}
	}
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

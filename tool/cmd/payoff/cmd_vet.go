package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/lint"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

func vetCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "vet",
		Usage:     "show shapes in the source that a recorded run says cost time",
		ArgsUsage: "[flags] [packages]",
		Description: `Vet looks in the packages for shapes that can keep concurrency from paying and
tells those that the evidence of the newest recorded run of each package points
at; it names the runs. Default package: the current one. Nothing is measured.

CONFIRMED: payoff fix measured an edit there to be faster. SUSPECTED: evidence
points there. HINT: the shape alone, shown with -hints; most of those do not
matter. A comment //payoff:ignore CHECK REASON on the line or above silences one.

The same checks run as go vet -vettool=$(which payoff) (docs/vet.md).`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from", Usage: "take the evidence from `dir`, that payoff run wrote, alone"},
			&cli.StringFlag{Name: "only", Usage: "run only the checks in `list`, like hotslot,recgo"},
			&cli.BoolFlag{Name: "hints", Usage: "show what no evidence points at, too"},
			&cli.BoolFlag{Name: "json", Usage: "write the report as JSON"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "write the report as text, json, sarif (SARIF 2.1.0) or github (annotations): a `name` (default text)"},
			&cli.StringFlag{Name: "tags", Usage: "build `tags`, as in go build"},
			&cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 when something is confirmed or suspected"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			v := vetting{tags: c.String("tags"), from: c.String("from"), packages: c.Args().Slice(), format: c.String("format"), stderr: stderr}
			v.options.Hints = c.Bool("hints")
			if list := c.String("only"); list != "" {
				v.options.Only = strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
			}
			if c.Bool("json") {
				if c.IsSet("format") && v.format != "json" {
					return fmt.Errorf("-json and -format %s exclude each other: give one", v.format)
				}
				v.format = "json"
			}
			r, err := v.run(ctx)
			if err != nil {
				return err
			}
			if err := v.write(r, stdout); err != nil && !errors.Is(err, syscall.EPIPE) {
				return fmt.Errorf("writing the report: %w", err)
			}
			return vetted(r, c.Bool("exit-code"))
		},
	}
}

// vetted turns what was found into the exit code.
func vetted(r *lint.Report, exitCode bool) error {
	switch {
	case len(r.Problems) > 0:
		return errReported
	case exitCode && r.Count(shape.Confirmed, shape.Suspected) > 0:
		return errFindings
	}
	return nil
}

// A vetting is one payoff vet.
type vetting struct {
	dir, tags, from, format string
	packages                []string
	options                 lint.Options
	stderr                  io.Writer
}

func (v *vetting) run(ctx context.Context) (r *lint.Report, err error) {
	if !slices.Contains([]string{"text", "json", "sarif", "github"}, v.format) {
		return nil, fmt.Errorf("-format %q: want text, json, sarif or github", v.format)
	}
	if _, err := lint.Checks(v.options.Only); err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	if v.dir, err = os.Getwd(); err != nil {
		return nil, err
	}
	code, err := lint.Load(ctx, v.dir, v.tags, v.packages)
	if err != nil {
		return nil, err
	}
	runs, err := v.runs(ctx, code.Paths())
	if err != nil {
		return nil, err
	}
	v.options.Heat = &heat.Map{}
	var names []string
	for _, run := range runs {
		has, err := v.read(ctx, run, code)
		if err != nil {
			return nil, err
		}
		if has {
			names = append(names, near(v.dir, run.dir))
		}
	}
	if r, err = code.Check(ctx, v.options); err != nil {
		return nil, err
	}
	r.Runs = append(r.Runs, names...)
	r.Next = v.next(r)
	return r, nil
}

// next is the command that gets further from here.
func (v *vetting) next(r *lint.Report) string {
	switch {
	case len(r.Runs) == 0:
		return plain.Shell(slices.Concat([]string{"payoff", "run"}, v.packages)...)
	case r.Count(shape.Suspected) > 0:
		return plain.Shell(slices.Concat([]string{"payoff", "fix"}, v.packages)...)
	case r.Count(shape.Confirmed) > 0:
		return plain.Shell("payoff", "fix", "-apply", "-from", r.Runs[0])
	}
	return ""
}

// An evidenced is a recorded run with the packages whose newest it is.
type evidenced struct {
	dir      string
	packages []string
}

// runs finds the newest recorded run of each package, newest first.
func (v *vetting) runs(ctx context.Context, paths []string) (all []evidenced, err error) {
	if v.from != "" {
		if _, err := store.About(v.from); err != nil {
			return nil, err
		}
		dir, err := filepath.Abs(v.from)
		return []evidenced{{dir, paths}}, err
	}
	tc, err := gocmd.Find(ctx, v.dir, v.tags)
	if err != nil {
		return nil, err
	}
	left := slices.Clone(paths)
	dirs, unread := session.Recorded(tc)
	if unread != nil {
		fmt.Fprintf(v.stderr, "payoff: recorded runs cannot be read: %s\n", plain.Clean(unread.Error()))
	}
	for _, dir := range dirs {
		e := evidenced{dir: dir}
		if _, err := record.Folder(dir); errors.Is(err, fs.ErrPermission) { // as of another user
			fmt.Fprintf(v.stderr, "payoff: %s cannot be read: %s\n", plain.Clean(near(v.dir, dir)), plain.Clean(err.Error()))
			continue
		}
		for _, p := range store.Packages(dir) {
			if i := slices.Index(left, p); i >= 0 {
				left = slices.Delete(left, i, i+1)
				e.packages = append(e.packages, p)
			}
		}
		if len(e.packages) > 0 {
			all = append(all, e)
		}
		if len(left) == 0 {
			break
		}
	}
	return all, nil
}

// read enters what a run says of its packages into the map, and reports whether it says
// anything.
func (v *vetting) read(ctx context.Context, run evidenced, code *lint.Code) (has bool, err error) {
	end := follow(ctx, session.Plan{From: run.dir, Dir: v.dir, Causes: session.Wanted}, v.stderr)
	if end.Doc == nil {
		if ctx.Err() != nil {
			return false, end.Err
		}
		fmt.Fprintf(v.stderr, "payoff: %s has no evidence: %v\n", plain.Clean(run.dir), plain.Lines(fmt.Sprint(end.Err)))
		return false, nil
	}
	v.options.Confirmed = append(v.options.Confirmed, confirmed(end.Doc, v.dir)...)
	v.options.Heat.Run = cmp.Or(v.options.Heat.Run, run.dir)
	for i, s := range end.Series {
		if !slices.Contains(run.packages, s.Package) {
			continue
		}
		m := prescribe.Heat(run.dir, end.Findings[i])
		prescribe.Times(m, s)
		v.options.Heat.Benches = append(v.options.Heat.Benches, m.Benches...)
	}
	if n := since(code.Files(), end.Run.Env.Time, v.options.Heat); n != "" {
		fmt.Fprintf(v.stderr, "payoff: %s was changed after %s was recorded: lines may be others; payoff run records anew\n", plain.Clean(near(v.dir, n)), plain.Clean(near(v.dir, run.dir)))
	}
	return true, nil
}

// confirmed are the edits that payoff fix found to be faster, in a report whose
// places are named from dir.
func confirmed(doc *report.Doc, dir string) (all []lint.Confirmed) {
	for _, x := range doc.Fixes {
		for _, f := range x.Findings {
			if f.Grade != shape.Confirmed {
				continue
			}
			c := lint.Confirmed{Check: f.Check, File: f.File, Line: f.Line}
			if !filepath.IsAbs(c.File) {
				c.File = filepath.Join(dir, c.File)
			}
			if fix, _ := x.Cure(&f); fix != nil {
				var gains []string
				for _, g := range fix.Gains {
					gains = append(gains, fmt.Sprintf("%sx as fast at GOMAXPROCS=%d", figure.Ratio(report.Number(g.Ratio.Value)), g.Procs))
				}
				c.Says = fix.Says + ": " + strings.Join(gains, ", ")
			}
			all = append(all, c)
		}
	}
	return all
}

// since returns a file with evidence that was changed after a time.
func since(files []string, t time.Time, m *heat.Map) string {
	for _, b := range m.Benches {
		for _, l := range b.Lines {
			if !slices.Contains(files, l.File) {
				continue
			}
			if info, err := os.Stat(l.File); err == nil && info.ModTime().After(t) {
				return l.File
			}
		}
	}
	return ""
}

// near is a path as it is best shown to someone in dir.
func near(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

func (v *vetting) write(r *lint.Report, w io.Writer) error {
	switch v.format {
	case "json":
		return plain.JSON(w, r)
	case "sarif":
		checks, err := lint.Checks(v.options.Only)
		if err != nil {
			return err
		}
		return r.SARIF(w, v.dir, version(), checks)
	case "github":
		return r.GitHub(w, cmp.Or(os.Getenv("GITHUB_WORKSPACE"), v.dir))
	}
	return r.Text(w, v.dir)
}

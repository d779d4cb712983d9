package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/ci"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/service"
	"github.com/gopayoff/payoff/tool/internal/session"
)

func compareCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "compare",
		Usage:     "say which benchmarks are faster or slower in another state of the code",
		ArgsUsage: "[flags] old [new] [-- packages]",
		Description: `Compare builds two commits beside each other, measures the benchmarks of both in
one session as interleaved pairs, in many layouts of the code, and says of each
whether it is faster, slower, no different, or cannot be told. Without new it is
the working tree as it stands. Your files and your repository stay as they are.
Default package: the current one, as -- ./... names all.

Old and new may be folders that payoff run recorded: then nothing is measured,
and what changed with the machine between the two counts as well. Of two reports of
payoff trace -json, or two traces, it says what differs.`,
		Flags: slices.Concat(codeFlags(), outputFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			refs, packages := cutPackages(c)
			if len(refs) == 2 && isFile(refs[0]) && isFile(refs[1]) {
				return compareTraces(c, refs[0], refs[1], stdout)
			}
			if len(refs) < 1 || len(refs) > 2 {
				return errors.New("compare wants one or two commits or recorded runs, and packages after --: payoff compare HEAD~1 -- ./cmd")
			}
			p, err := codePlan(c, packages)
			if err != nil {
				return err
			}
			if p.Compare, err = compared(refs); err != nil {
				return err
			}
			if p.Compare.OldRun != "" {
				if err := nothingMeasured(c, "to compare recorded runs", packages); err != nil {
					return err
				}
			}
			o, err := outputOf(c)
			if err != nil {
				return err
			}
			o.text = text.Compare
			return carryOut(ctx, p, o, stdout, stderr)
		},
	}
}

func isFile(name string) bool {
	about, err := os.Stat(name)
	return err == nil && about.Mode().IsRegular()
}

// compareTraces says what two reports of a program that runs differ by.
func compareTraces(c *cli.Command, old, now string, stdout io.Writer) error {
	if err := nothingMeasured(c, "to compare traces", nil); err != nil {
		return err
	}
	a, err := traceDoc(old)
	if err != nil {
		return fmt.Errorf("%s: %w", old, err)
	}
	b, err := traceDoc(now)
	if err != nil {
		return fmt.Errorf("%s: %w", now, err)
	}
	d := service.Compare(a, b, old, now)
	if c.Bool("json") || c.String("format") == "json" {
		return d.JSON(stdout)
	}
	return text.Services(stdout, d, text.Options{Width: columns(stdout), Colours: colours(stdout), All: c.Bool("all")})
}

// codeFlags are those of the commands that compare two states of the code.
func codeFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "bench", Value: ".", Usage: "run only benchmarks matching `regexp`, as in go test -bench"},
	}, measureFlags())
}

// cutPackages returns the arguments before -- and those after it.
func cutPackages(c *cli.Command) (refs, packages []string) {
	args := c.Args().Slice()
	// The parser takes -- away: what came after it is what the command line has there.
	line := c.Root().Args().Slice()
	if i := slices.Index(line, "--"); i >= 0 {
		packages = line[i+1:]
	}
	refs = args[:max(0, len(args)-len(packages))]
	if len(refs) > 0 && refs[len(refs)-1] == "--" {
		refs = refs[:len(refs)-1]
	}
	return refs, packages
}

// codePlan is a plan for a comparison of two states of the code.
func codePlan(c *cli.Command, packages []string) (session.Plan, error) {
	p, err := planOf(c)
	p.Packages, p.Bench, p.Causes = packages, c.String("bench"), session.None
	return p, err
}

// compared says what the arguments name.
func compared(refs []string) (*session.Compare, error) {
	isRun := func(s string) bool { return exists(filepath.Join(s, "run.json")) }
	switch runs := slices.IndexFunc(refs, isRun) >= 0; {
	case !runs && len(refs) == 1:
		return &session.Compare{Old: refs[0]}, nil
	case !runs:
		return &session.Compare{Old: refs[0], New: refs[1]}, nil
	case len(refs) == 2 && isRun(refs[0]) && isRun(refs[1]):
		return &session.Compare{OldRun: refs[0], NewRun: refs[1]}, nil
	}
	return nil, errors.New("a recorded run is compared with another one: name two folders, or two commits")
}

func ciCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "ci",
		Usage:     "hold a change of the code to rules, as payoff compare measures it",
		ArgsUsage: "[flags] [packages]",
		Description: `Ci compares the working tree with the commit at which it left the branch that it
is to be merged into, and exits with 1 where a rule of -fail-on is broken, and with
2 where it failed itself. Where the machine is too noisy for the rules it says what
it could resolve, judges nothing, and exits with 0: unsure:10% makes that a failure.
Packages whose test binary is the same before and after are not measured. Default
packages: all of the module, or of all modules of go.work.

Rules: ` + wrapped(report.RuleHelp) + `

With -format github the summary goes to the file that GITHUB_STEP_SUMMARY names,
and annotations to standard output. docs/ci has workflows for GitHub and GitLab.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "base", Usage: "compare with the merge base with this `ref` (default: the target of the pull or merge request, else origin/HEAD, origin/main or origin/master)"},
			&cli.StringSliceFlag{Name: "fail-on", Usage: "exit with 1 when a `rule` is broken, like loses:10% or gone; may be repeated (default loses:10%)"},
			&cli.BoolFlag{Name: "confirm", Usage: "with -on: measure what breaks a rule again on another machine of the kind, and fail only where that says the same"},
			&cli.DurationFlag{Name: "within", Usage: "`time` to measure all packages in, which share it, in place of -budget for each"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "write the report as text, markdown, github, json or sarif: a `name` (default text)"},
			&cli.BoolFlag{Name: "all", Usage: "show every benchmark and message in the text, however many"},
		}, codeFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			write, ok := ciFormats[c.String("format")]
			if !ok {
				return fmt.Errorf("-format %q: want text, markdown, github, json or sarif", c.String("format"))
			}
			var rules []report.Rule
			for s := range strings.SplitSeq(cmp.Or(strings.Join(c.StringSlice("fail-on"), ","), "loses:10%"), ",") {
				r, err := report.ParseRule(s)
				if err != nil {
					return err
				}
				rules = append(rules, r)
			}
			packages := c.Args().Slice()
			within := c.Duration("within")
			switch {
			case c.IsSet("within") && within <= 0:
				return fmt.Errorf("-within %v: want more than 0, like 30m", within)
			case c.IsSet("within") && c.IsSet("budget"):
				return errors.New("-within and -budget exclude each other: give one")
			}
			p, err := codePlan(c, packages)
			if err != nil {
				return err
			}
			if c.Bool("confirm") && p.On == "" {
				return errors.New("-confirm asks another machine of the fleet: name the first one with -on, like -on any")
			}
			p.Base = "" // -base is a ref here
			p.Within = within
			p.Compare = &session.Compare{Old: c.String("base"), MergeBase: true, All: len(packages) == 0}
			end := follow(ctx, p, stderr)
			if errors.Is(end.Err, session.ErrSame) && end.Doc == nil {
				fmt.Fprintln(stderr, "payoff:", plain.Lines(end.Err.Error()))
				if c.String("format") == "text" {
					return nil
				}
				return write(stdout, report.Unchanged(p.Payoff, end.Err.Error(), rules), false) // what reads it wants a report
			}
			if end.Doc == nil {
				return end.Err
			}
			end.Doc.Decide(rules)
			if c.Bool("confirm") {
				confirm(ctx, p, end, rules, stderr)
			}
			if err := write(stdout, end.Doc, c.Bool("all")); err != nil {
				return err
			}
			return gated(end, c.String("format"), stderr)
		},
	}
}

// confirm measures the packages in which a rule was broken again, on another machine of
// the kind. Where there is none, or it fails, what was broken stays so, and it is said.
func confirm(ctx context.Context, p session.Plan, end session.End, rules []report.Rule, stderr io.Writer) {
	packages := end.Doc.Compared.Gate.Unsettled()
	if len(packages) == 0 || end.At == nil || ctx.Err() != nil {
		return
	}
	p.On, p.Packages, p.Seed = fmt.Sprintf("kind=%s,machine!=%s", end.At.Kind, end.At.Name), packages, 0
	ask := *p.Compare
	ask.All, p.Compare = false, &ask
	if p.Record != "" {
		p.Record += "-confirm"
	}
	again := follow(ctx, p, stderr)
	if again.Doc == nil || again.At == nil {
		fmt.Fprintln(stderr, "payoff: not confirmed:", plain.Lines(again.Err.Error()))
		return
	}
	again.Doc.Decide(rules)
	end.Doc.Confirm(again.Doc, again.At.Name)
}

// gated turns what the rules said into the exit code. What surely breaks a rule
// comes first: no benchmark that fails hides it. That a machine was too noisy to
// judge is no fault of the change, and no failure.
func gated(end session.End, format string, stderr io.Writer) error {
	g := end.Doc.Compared.Gate
	if format != "text" { // the text has them
		tellProblems(end.Doc, stderr)
		if g.Refused != "" {
			fmt.Fprintln(stderr, "payoff: not judged:", plain.Clean(g.Refused))
		}
	}
	switch {
	case end.Err != nil:
		return end.Err
	case len(g.Failed) > 0:
		return errFindings
	case end.Doc.Failed():
		return errReported
	}
	return nil
}

// wrapped breaks a list at its commas between entries.
func wrapped(s string) string { return "\n  " + strings.ReplaceAll(s, "), ", ")\n  ") }

// ciFormats write the report for a CI system.
var ciFormats = map[string]func(w io.Writer, d *report.Doc, all bool) error{
	"text": func(w io.Writer, d *report.Doc, all bool) error {
		return text.Compare(w, d, text.Options{Width: columns(w), Colours: colours(w), All: all, Bars: bars(w)})
	},
	"markdown": func(w io.Writer, d *report.Doc, _ bool) error { return ci.Markdown(w, d, ci.CommentLimit) },
	"github":   func(w io.Writer, d *report.Doc, _ bool) error { return toGitHub(w, d) },
	"json":     func(w io.Writer, d *report.Doc, _ bool) error { return d.JSON(w) },
	"sarif":    func(w io.Writer, d *report.Doc, _ bool) error { return ci.SARIF(w, d) },
}

// toGitHub writes annotations, and the summary of the step where one is wanted.
func toGitHub(w io.Writer, d *report.Doc) error {
	if file := os.Getenv("GITHUB_STEP_SUMMARY"); file != "" {
		f, err := outfile.Append(file)
		if err != nil {
			return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
		}
		left := ci.SummaryLimit
		if about, err := f.Stat(); err == nil { // steps of one job have one each, commands of a step share it
			left -= int(about.Size())
		}
		if err := errors.Join(ci.Markdown(f, d, max(left, 0)), f.Close()); err != nil {
			return err
		}
	}
	return ci.GitHub(w, d)
}

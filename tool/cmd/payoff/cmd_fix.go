package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/vet"
)

func fixCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "fix",
		Usage:     "try edits against what loses, and keep what measurably pays",
		ArgsUsage: "[flags] [benchmark] [packages]",
		Description: `Fix measures the benchmarks of the packages, finds out why they lose, and tries
edits where the evidence points: each has to build, to pass go vet and the tests,
and to be faster in interleaved pairs against the untouched code. It prints what
pays, with the gain, and what does not. It writes nothing without -apply.
Default package: the current one. A benchmark, like BenchmarkSum/variant=channel,
is cured alone, and compared with the others of its family.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "apply", Usage: "write the edits that pay into the files"},
			&cli.StringFlag{Name: "patch", Usage: "write the edits that pay to `file`, as git apply takes them"},
			&cli.StringFlag{Name: "from", Usage: "take what payoff fix recorded in `dir`, and measure nothing"},
			&cli.StringFlag{Name: "undo", Usage: "take back what -apply wrote from the record in `dir`"},
			&cli.StringFlag{Name: "only", Usage: "try edits of these checks or against these causes alone, a `list` of slugs"},
			&cli.BoolFlag{Name: "lib", Usage: "try edits that use payoff's library, too"},
			&cli.BoolFlag{Name: "fresh", Usage: "measure again what is recorded already"},
			&cli.StringFlag{Name: "bench", Value: ".", Usage: "run only benchmarks matching `regexp`, as in go test -bench"},
			&cli.DurationFlag{Name: "budget", Value: 3 * time.Minute, Usage: "`time` for each package once it is built: a third at most to measure and explain (default 3m)"},
			&cli.BoolFlag{Name: "json", Usage: "write the report as JSON (docs/json.md)"},
			htmlFlag(),
			&cli.BoolFlag{Name: "all", Usage: "show everything that was tried in the text, however much"},
		}, pairFlags(), slices.DeleteFunc(measureFlags(), func(f cli.Flag) bool { return f.Names()[0] == "budget" || f.Names()[0] == "plain" })),
		Action: func(ctx context.Context, c *cli.Command) error {
			if dir := c.String("undo"); dir != "" {
				return undo(ctx, dir, stdout)
			}
			p, err := fixPlan(c)
			if err != nil {
				return err
			}
			x := fixing{apply: c.Bool("apply"), patch: c.String("patch"), output: output{text: text.Fix, format: "text", all: c.Bool("all"), html: c.String("html")}}
			if c.Bool("json") {
				x.format = "json"
			}
			return x.carryOut(ctx, p, stdout, stderr)
		},
	}
}

// fixPlan is the plan that the flags ask for.
func fixPlan(c *cli.Command) (session.Plan, error) {
	if dir := c.String("from"); dir != "" {
		for _, name := range []string{"only", "lib", "fresh", "budget"} {
			if c.IsSet(name) {
				return session.Plan{}, fmt.Errorf("-from measures nothing: leave out -%s", name)
			}
		}
		p := session.Plan{From: dir, Causes: session.Wanted}
		return p, nothingMeasured(c, "-from", c.Args().Slice())
	}
	p, err := planOf(c)
	if err != nil {
		return p, err
	}
	only, err := slugs(c.String("only"))
	if err != nil {
		return p, err
	}
	p.Packages, p.Bench, p.Causes = c.Args().Slice(), c.String("bench"), session.Wanted
	name := c.Args().First()
	if strings.HasPrefix(name, "Benchmark") {
		p.Packages = p.Packages[1:]
		if fn, _, _ := strings.Cut(name, "/"); !c.IsSet("bench") {
			p.Bench = "^" + regexp.QuoteMeta(fn) + "$"
		}
	} else {
		name = ""
	}
	p.Cure = &session.Cure{Checks: vet.All(), Only: only, Bench: name, Budget: p.Budget, Library: c.Bool("lib"), Fresh: c.Bool("fresh")}
	p.Budget /= 6 // to measure, and again to explain: see -budget
	return p, nil
}

// slugs reads a list of checks and causes.
func slugs(list string) (all []string, err error) {
	known := map[string]bool{}
	for _, a := range vet.All() {
		known[a.Name] = true
	}
	for s := range strings.SplitSeq(list, ",") {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		if !known[s] {
			if _, err := findCauses([]string{s}); err != nil {
				return nil, fmt.Errorf("-only %s: no check has that name, and %w", s, err)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// A fixing is what is to be done with the edits that pay.
type fixing struct {
	output
	apply bool
	patch string // file
}

func (x fixing) carryOut(ctx context.Context, p session.Plan, stdout, stderr io.Writer) error {
	end := follow(ctx, p, stderr)
	if end.Doc == nil {
		return end.Err
	}
	if p.From != "" && !end.Doc.Tried() {
		return fmt.Errorf("%s holds no edits that were tried: payoff fix tries them", p.From)
	}
	if err := x.write(ctx, end.Doc, stderr); err != nil {
		return err
	}
	if err := x.output.write(end, stdout); err != nil {
		return err
	}
	if err := x.page(end, stderr); err != nil {
		return err
	}
	if end.Err != nil {
		return end.Err
	}
	if end.Doc.Failed() {
		return x.result(end.Doc, stderr)
	}
	return nil
}

// write writes what pays as it was asked for, and tells the report. What comes from a
// record may be of another copy of the code.
func (x fixing) write(ctx context.Context, doc *report.Doc, stderr io.Writer) error {
	changes := doc.Changes()
	if len(changes) == 0 || ctx.Err() != nil {
		return nil
	}
	if x.patch != "" {
		if err := writePatch(x.patch, doc.Root(), changes); err != nil {
			return err
		}
		doc.Patch = x.patch
	}
	if !x.apply {
		return nil
	}
	moved, tree, err := here(ctx, changes, doc.Folders())
	if err != nil {
		return err
	}
	if err := apply("fix", doc.Record, tree, moved); err != nil {
		return err
	}
	foreign(changes, moved, stderr)
	doc.Apply(moved)
	return nil
}

// writePatch writes changes as a patch to a file that the user named.
func writePatch(file, root string, changes []patch.Change) error {
	if err := patch.Named(root, changes); err != nil {
		return fmt.Errorf("-patch: %w", err)
	}
	if err := outfile.String(file, patch.Diff(root, changes)); err != nil {
		return fmt.Errorf("-patch: %w", err)
	}
	return nil
}

// appliedFile holds, in the folder of a run, the changes that -apply made.
const appliedFile = "applied.json"

// apply makes changes in a tree for a verb. The record of the run then has what it takes to
// undo them.
func apply(verb, record string, tree patch.Tree, changes []patch.Change) error {
	undo := plain.Shell("payoff", verb, "-undo", record)
	file := filepath.Join(record, appliedFile)
	switch err := patch.Apply(file, tree, changes); {
	case errors.Is(err, patch.ErrApplied):
		return fmt.Errorf("the edits of %s are applied already: %s takes them back", record, undo)
	case errors.Is(err, patch.ErrInterrupted):
		return fmt.Errorf("writing the edits of %s was interrupted: %s takes back what is written", record, undo)
	case err != nil && exists(file):
		return fmt.Errorf("%w: %s takes back what is written", err, undo)
	default:
		return err
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// undo takes back what apply did.
func undo(ctx context.Context, record string, stdout io.Writer) error {
	changes, err := patch.Undo(filepath.Join(record, appliedFile), func(changes []patch.Change) (patch.Tree, error) {
		edits, err := session.Edits(record)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			if !slices.ContainsFunc(edits, func(e patch.Change) bool { return sameEdit(e, c) }) {
				return nil, fmt.Errorf("no edit of %s makes this change of %s: nothing is written", record, plain.Clean(c.File))
			}
		}
		_, tree, err := here(ctx, changes, nil) // the record may have been copied with the code
		return tree, err
	})
	if errors.Is(err, patch.ErrNone) {
		return fmt.Errorf("%s holds no edits that were applied", record)
	}
	if err != nil {
		for _, name := range []string{session.PatchFile, session.TunedFile} {
			if file := filepath.Join(record, name); exists(file) {
				return fmt.Errorf("%w: %s may take back a part", err, plain.Shell("git", "apply", "-R", file))
			}
		}
		return err
	}
	for _, c := range changes {
		if _, err := fmt.Fprintf(stdout, "restored %s\n", plain.Clean(c.File)); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(stdout, "next:", plain.Shell("payoff", "replay", record))
	return err
}

// sameEdit reports whether two changes are one edit, in any copy of the code.
func sameEdit(a, b patch.Change) bool {
	a.File, b.File = filepath.Base(a.File), filepath.Base(b.File)
	return a == b
}

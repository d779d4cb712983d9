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

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/outfile"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/repo"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
)

// Exit codes of payoff try, beside those of all commands.
const (
	exitSame    = 3 // no difference
	exitUnknown = 4 // it cannot be said
	exitGate    = 5 // it does not build, or fails a test, go vet, gofmt, the race detector
)

// An exitCode asks for an exit code without a message: the report has it.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// mostPatch is how large a patch may be.
const mostPatch = 10 << 20

func tryCommand(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:                      "try",
		Usage:                     "judge an edit of yours: gates, and pairs against the code without it",
		ArgsUsage:                 "[flags] [benchmarks] [packages]",
		DisableSliceFlagSeparator: true, // a comma may be in the name of a file
		Description: `Try holds an edit that payoff did not write to what it holds its own to: it has to
pass gofmt, build, go vet and the tests of all packages that are built of what it
changes, also with the race detector, the functions that it changes have to come to the
same with what tests and benchmarks give them, and it has to be faster in interleaved pairs against
the code without it, confirmed by fresh ones. The edit is a patch, several of which
compete, or what the working tree has beside a commit. No file of the tree is
written. Default package: the current one; of its benchmarks those are measured that
spend time in a file which changes, or those that are named, like BenchmarkSum.

Exit codes: 0 faster, 1 slower, 3 no difference, 4 cannot say, 5 a gate failed, 2
anything else: bad input, or nothing could be measured.

The tests say whether the edit is right, and no more than they call. What only a
test that runs can read, files in testdata among them, cannot be changed by the edit,
and no module is fetched for it. Signs that a gain is hollow are facts of the change,
and a change without any can be hollow: docs/try.md has what is looked for.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringSliceFlag{Name: "patch", Usage: "try the patch in `file`, - for standard input; may be repeated: the best is named"},
			&cli.StringFlag{Name: "against", Value: "HEAD", Usage: "without -patch: try what the working tree has beside this `commit`, or with old..new what one commit has beside another (default HEAD)"},
			&cli.BoolFlag{Name: "strict", Usage: "let a sign of a hollow gain be a gate that failed"},
			&cli.StringFlag{Name: "bench", Value: ".", Usage: "run only benchmarks matching `regexp`, as in go test -bench"},
			&cli.DurationFlag{Name: "budget", Value: time.Minute, Usage: "`time` for each package once it is built (default 1m)"},
			&cli.BoolFlag{Name: "json", Usage: "write the report as JSON (docs/json.md)"},
			&cli.BoolFlag{Name: "all", Usage: "show everything in the text, however much"},
			&cli.StringFlag{Name: "receipt", Usage: "write what was tried, and what became of it, to `file`, for -check"},
			&cli.StringFlag{Name: "check", Usage: "try again what the receipt in `file` tells of, and say whether the same comes of it"},
		}, slices.DeleteFunc(measureFlags(), func(f cli.Flag) bool { return f.Names()[0] == "budget" || f.Names()[0] == "plain" })),
		Action: func(ctx context.Context, c *cli.Command) error {
			p, err := tryPlan(c)
			if err != nil {
				return err
			}
			if name := c.String("check"); name != "" {
				return check(ctx, c, name, p, stdout, stderr)
			}
			patches, clean, commit := c.StringSlice("patch"), func() {}, ""
			if len(patches) > 0 {
				if c.IsSet("against") {
					return errors.New("-patch and -against exclude each other: give one")
				}
				p.Cure.Edits, err = patched(patches)
			} else {
				clean, commit, err = beside(ctx, c.String("against"), &p)
			}
			defer func() { clean() }()
			if err != nil {
				return err
			}
			x := output{text: text.Fix, format: "text", all: c.Bool("all")}
			if c.Bool("json") {
				x.format = "json"
			}
			return try(ctx, p, x, stdout, stderr, func(end session.End) error {
				name := c.String("receipt")
				if name == "" {
					return nil
				}
				r, err := receiptOf(p, end, commit)
				if err == nil {
					err = outfile.Write(name, r.Write)
				}
				if err != nil {
					return fmt.Errorf("-receipt %s: %w", name, err)
				}
				return nil
			})
		},
	}
}

// tryPlan is the plan that the flags ask for, without the edits.
func tryPlan(c *cli.Command) (session.Plan, error) {
	p, err := planOf(c)
	if err != nil {
		return p, err
	}
	p.Packages, p.Bench, p.Causes = c.Args().Slice(), c.String("bench"), session.All // evidence says what an edit touches
	var names, functions []string
	for len(p.Packages) > 0 && strings.HasPrefix(p.Packages[0], "Benchmark") {
		fn, _, _ := strings.Cut(p.Packages[0], "/")
		names, functions, p.Packages = append(names, p.Packages[0]), append(functions, "^"+regexp.QuoteMeta(fn)+"$"), p.Packages[1:]
	}
	if len(names) > 0 && !c.IsSet("bench") {
		p.Bench = strings.Join(functions, "|")
	}
	p.Cure = &session.Cure{Bench: strings.Join(names, " "), Budget: p.Budget, Strict: c.Bool("strict")}
	for _, name := range c.StringSlice("patch") {
		p.Cure.Asked = append(p.Cure.Asked, "-patch", name)
	}
	if c.IsSet("against") {
		p.Cure.Asked = append(p.Cure.Asked, "-against", c.String("against"))
	}
	if c.Bool("strict") {
		p.Cure.Asked = append(p.Cure.Asked, "-strict")
	}
	p.Budget /= session.TryShare
	return p, nil
}

// try carries out a plan, has done see its end, and answers by an exit code.
func try(ctx context.Context, p session.Plan, x output, stdout, stderr io.Writer, done func(session.End) error) error {
	end := follow(ctx, p, stderr)
	if end.Doc == nil {
		return end.Err
	}
	if err := errors.Join(x.write(end, stdout), done(end)); err != nil {
		return err
	}
	if end.Err != nil {
		return end.Err
	}
	code := answered(end.Doc)
	if code == exitFailed && x.format != "text" { // the text has them
		tellProblems(end.Doc, stderr)
	}
	if code != exitOK {
		return exitCode(code)
	}
	return nil
}

// answered is the exit code of a report.
func answered(doc *report.Doc) int {
	if doc.Failed() {
		return exitFailed
	}
	switch doc.Outcome {
	case report.EditFaster:
		return exitOK
	case report.EditSlower:
		return exitFindings
	case report.EditSame:
		return exitSame
	case report.EditUnknown:
		return exitUnknown
	case report.EditFails:
		return exitGate
	}
	return exitFailed
}

// patched reads the edits of patches. Each is of the tree as it is.
func patched(names []string) (edits []*session.Edit, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if slices.ContainsFunc(edits, func(e *session.Edit) bool { return e.Patch == name || name == "-" && e.Patch == "" }) {
			return nil, fmt.Errorf("-patch %s is given twice: give it once", name)
		}
		text, err := patchText(name)
		if err != nil {
			return nil, fmt.Errorf("-patch %s: %w", name, err)
		}
		e := &session.Edit{Name: filepath.ToSlash(name), Patch: name}
		if name == "-" {
			e.Name, e.Patch = "standard input", ""
		}
		if e.Changes, err = patch.Read(patch.Root(dir, dir), text, readRegular); err != nil {
			return nil, fmt.Errorf("-patch %s: %w", name, err)
		}
		edits = append(edits, e)
	}
	return edits, nil
}

// patchText reads a patch.
func patchText(name string) (string, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, mostPatch+1))
	if err == nil && len(data) > mostPatch {
		err = fmt.Errorf("it has more than %d MiB: leave out what is no source", mostPatch>>20)
	}
	return string(data), err
}

// readRegular reads a file that may be changed.
func readRegular(name string) (string, error) {
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		return "", errors.New("it is no regular file")
	}
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(name)
	return string(data), err
}

// beside gives a plan the edit that the working tree, or a commit, is beside another
// one. That one is taken out of the repository to a folder, which clean takes away: the
// plan is carried out there. commit is its checksum.
func beside(ctx context.Context, refs string, p *session.Plan) (clean func(), commit string, err error) {
	clean = func() {}
	r, err := repo.Find(ctx, ".")
	if err != nil {
		return clean, "", fmt.Errorf("%w: give the edit by -patch", err)
	}
	e := &session.Edit{Name: "the working tree"}
	old, new, two := strings.Cut(refs, "..")
	commits := []string{old}
	if two {
		commits, e.Name = append(commits, new), new
	}
	var trees []string // of the commits
	temp, err := os.MkdirTemp("", "payoff-try-")
	if err != nil {
		return clean, "", err
	}
	clean = func() { os.RemoveAll(temp) }
	for i, ref := range commits {
		if commits[i], err = r.Commit(ctx, ref); err != nil {
			return clean, "", err
		}
	}
	names, err := r.Changed(ctx, commits[0], strings.Join(commits[1:], ""))
	if err != nil {
		return clean, "", err
	}
	if len(names) == 0 {
		return clean, "", fmt.Errorf("%s is what %s is: change something, or give a patch by -patch", e.Name, old)
	}
	for i, commit := range commits {
		dir, err := r.CheckOut(ctx, commit, filepath.Join(temp, fmt.Sprint(i)))
		if err != nil {
			return clean, "", fmt.Errorf("%s: %w", []string{old, new}[i], err)
		}
		if i == 0 {
			p.Dir = dir
		}
		trees = append(trees, filepath.Join(temp, fmt.Sprint(i), repo.Tree))
	}
	e.Root, trees = trees[0], append(trees, r.Top)
	for _, name := range names {
		c := patch.Change{File: filepath.Join(trees[0], filepath.FromSlash(name))}
		was, err1 := readRegular(c.File)
		is, err2 := readRegular(filepath.Join(trees[1], filepath.FromSlash(name)))
		c.New, c.Gone = errors.Is(err1, os.ErrNotExist), errors.Is(err2, os.ErrNotExist)
		if err := errors.Join(unless(c.New, err1), unless(c.Gone, err2)); err != nil {
			return clean, "", fmt.Errorf("%s: %w: only regular files can be tried: give the rest by -patch", name, err)
		}
		c.Before, c.After = was, is
		if !c.New || !c.Gone {
			e.Changes = append(e.Changes, c)
		}
	}
	tc, err := gocmd.Find(ctx, ".", "")
	if err != nil {
		return clean, "", err
	}
	p.Cure.Edits, p.Cure.Tree = []*session.Edit{e}, tc.OwnTree()
	return clean, commits[0], nil
}

func unless(not bool, err error) error {
	if not {
		return nil
	}
	return err
}

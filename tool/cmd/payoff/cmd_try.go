package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/repo"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/verify"
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
		Name:      "try",
		Usage:     "judge an edit of yours: gates, and pairs against the code without it",
		ArgsUsage: "[flags] [packages]",
		Description: `Try holds an edit that payoff did not write to what it holds its own to: it has to
build, to pass go vet and the tests, also with the race detector, and to be faster
in interleaved pairs against the code without it, confirmed by fresh ones. The edit
is a patch, or what the working tree has beside a commit. No file of the tree is
written. Exit codes: 0 faster, 1 slower, 3 no difference, 4 cannot say, 5 a gate
failed, 2 anything else. Default package: the current one.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "patch", Usage: "try the patch in `file`, - for standard input"},
			&cli.StringFlag{Name: "against", Value: "HEAD", Usage: "without -patch: try what the working tree has beside this `commit` (default HEAD)"},
			&cli.StringFlag{Name: "bench", Value: ".", Usage: "run only benchmarks matching `regexp`, as in go test -bench"},
			&cli.DurationFlag{Name: "budget", Value: time.Minute, Usage: "`time` for each package once it is built (default 1m)"},
			&cli.BoolFlag{Name: "json", Usage: "write the report as JSON (docs/json.md)"},
			&cli.BoolFlag{Name: "all", Usage: "show everything in the text, however much"},
		}, slices.DeleteFunc(measureFlags(), func(f cli.Flag) bool { return f.Names()[0] == "budget" || f.Names()[0] == "plain" })),
		Action: func(ctx context.Context, c *cli.Command) error {
			p, err := planOf(c)
			if err != nil {
				return err
			}
			p.Packages, p.Bench, p.Causes = c.Args().Slice(), c.String("bench"), session.All // evidence says what an edit touches
			p.Cure = &session.Cure{Budget: p.Budget}
			p.Budget /= 6
			clean := func() {}
			if name := c.String("patch"); name != "" {
				if c.IsSet("against") {
					return errors.New("-patch and -against exclude each other: give one")
				}
				p.Cure.Edit, err = patched(name)
			} else {
				p.Cure.Edit, p.Dir, clean, err = beside(ctx, c.String("against"))
			}
			defer func() { clean() }()
			if err != nil {
				return err
			}
			x := trying{output{text: text.Fix, format: "text", all: c.Bool("all")}, c.String("patch")}
			if c.Bool("json") {
				x.format = "json"
			}
			return x.carryOut(ctx, p, stdout, stderr)
		},
	}
}

// A trying is how the answer to an edit leaves the program.
type trying struct {
	output
	patch string // file, - or "": the working tree
}

// carryOut carries out a plan and answers by an exit code.
func (x trying) carryOut(ctx context.Context, p session.Plan, stdout, stderr io.Writer) error {
	end := follow(ctx, p, stderr)
	if gate := (*session.Gate)(nil); errors.As(end.Err, &gate) {
		fmt.Fprintln(stdout, "A gate failed:", gate)
		return exitCode(exitGate)
	}
	if end.Doc == nil {
		return end.Err
	}
	code := answered(end.Doc, p.Cure.Edit.Same())
	if says := headline(end.Doc, code); says != "" && end.Err == nil {
		end.Doc.Cured = says
	}
	switch {
	case code == exitOK && x.patch != "" && x.patch != "-":
		end.Doc.Next = plain.Shell("git", "apply", x.patch)
	case code == exitOK || code == exitSame:
		end.Doc.Next = plain.Shell(append([]string{"payoff", "run"}, p.Packages...)...)
	}
	if err := x.write(end, stdout); err != nil {
		return err
	}
	if end.Err != nil {
		return end.Err
	}
	if code != exitOK {
		return exitCode(code)
	}
	return nil
}

// headline is the answer in a sentence; "" where the report has one that fits.
func headline(doc *report.Doc, code int) string {
	why := ""
	for _, x := range doc.Fixes {
		for _, f := range x.Findings {
			for _, fix := range f.Fixes {
				if answers(fix) == code && why == "" {
					why = ": " + fix.Why
				}
			}
		}
	}
	switch {
	case code == exitOK:
		return strings.Replace(doc.Cured, "An edit pays", "The edit pays", 1)
	case code == exitGate:
		return "A gate failed" + why
	case code == exitFindings:
		return "The edit is slower" + why
	case code == exitUnknown:
		return "It cannot be said whether the edit is faster" + why
	case code == exitSame && why == "":
		return "No difference: with the edit the test binary is the same, byte by byte"
	case code == exitSame:
		return "No difference" + why
	}
	return ""
}

// answers is the exit code of what became of an edit. That it is no faster is not
// yet that it is the same: an edit that is plainly slower is not proven to be that,
// since nobody would keep it.
func answers(f report.Fix) int {
	switch f.Word {
	case verify.Fails:
		return exitGate
	case verify.Slower, verify.Trade:
		return exitFindings
	case verify.Kept:
		return exitOK
	case verify.NoGain:
		b := stats.DefaultBounds
		same := len(f.Gains) > 0
		for _, g := range f.Gains {
			value, low, high := report.Number(g.Ratio.Value), report.Number(g.Ratio.Low), report.Upper(g.Ratio.Low, g.Ratio.High)
			if value <= 1/(1+b.Margin) && high < 1 {
				return exitFindings
			}
			same = same && low >= 1/(1+b.Band()) && high <= 1+b.Band()
		}
		if same {
			return exitSame
		}
	}
	return exitUnknown
}

// answered is the exit code of a report: what is worst of the packages, and that
// nothing differs only where that is so of all.
func answered(doc *report.Doc, same int) int {
	codes := map[int]bool{}
	for _, x := range doc.Fixes {
		for _, f := range x.Findings {
			for _, fix := range f.Fixes {
				codes[answers(fix)] = true
			}
		}
	}
	if doc.Failed() {
		codes[exitFailed] = true
	}
	for _, code := range []int{exitFailed, exitGate, exitFindings, exitUnknown, exitOK} {
		if codes[code] {
			return code
		}
	}
	if same > 0 || codes[exitSame] {
		return exitSame
	}
	return exitFailed
}

// patched reads the edit of a patch.
func patched(name string) (*session.Edit, error) {
	in, called := io.Reader(os.Stdin), "standard input"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("-patch: %w", err)
		}
		defer f.Close()
		in, called = f, filepath.Base(name)
	}
	data, err := io.ReadAll(io.LimitReader(in, mostPatch+1))
	if err != nil {
		return nil, fmt.Errorf("-patch: %w", err)
	}
	if len(data) > mostPatch {
		return nil, fmt.Errorf("-patch %s: it has more than %d MiB: leave out what is no source", name, mostPatch>>20)
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	changes, err := patch.Read(patch.Root(dir, dir), string(data), readRegular)
	if err != nil {
		return nil, fmt.Errorf("-patch %s: %w", name, err)
	}
	return edit(called, changes)
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

// beside is what the working tree has beside a commit, which it takes out of the
// repository to a folder; dir stands there for the one that payoff runs in.
func beside(ctx context.Context, ref string) (e *session.Edit, dir string, clean func(), err error) {
	clean = func() {}
	r, err := repo.Find(ctx, ".")
	if err != nil {
		return nil, "", clean, fmt.Errorf("%w: give the edit by -patch", err)
	}
	commit, err := r.Commit(ctx, ref)
	if err != nil {
		return nil, "", clean, err
	}
	names, err := r.Changed(ctx, commit, "")
	if err != nil {
		return nil, "", clean, err
	}
	if len(names) == 0 {
		return nil, "", clean, fmt.Errorf("the working tree is what %s is: change something, or give a patch by -patch", ref)
	}
	temp, err := os.MkdirTemp("", "payoff-try-")
	if err != nil {
		return nil, "", clean, err
	}
	clean = func() { os.RemoveAll(temp) }
	if dir, err = r.CheckOut(ctx, commit, temp); err != nil {
		return nil, "", clean, err
	}
	tree := filepath.Join(temp, repo.Tree)
	var changes []patch.Change
	for _, name := range names {
		c := patch.Change{File: filepath.Join(tree, filepath.FromSlash(name))}
		was, err1 := readRegular(c.File)
		is, err2 := readRegular(filepath.Join(r.Top, filepath.FromSlash(name)))
		c.New, c.Gone = errors.Is(err1, os.ErrNotExist), errors.Is(err2, os.ErrNotExist)
		if err := errors.Join(unless(c.New, err1), unless(c.Gone, err2)); err != nil {
			return nil, "", clean, fmt.Errorf("%s: %w: only regular files can be tried", name, err)
		}
		c.Before, c.After = was, is
		if !c.New || !c.Gone {
			changes = append(changes, c)
		}
	}
	if e, err = edit("the working tree", changes); err != nil {
		return nil, "", clean, err
	}
	tc, err := gocmd.Find(ctx, ".", "")
	if err != nil {
		return nil, "", clean, err
	}
	e.Tree = tc.OwnTree()
	return e, dir, clean, nil
}

func unless(not bool, err error) error {
	if not {
		return nil
	}
	return err
}

// edit leaves out of changes what no build sees, and refuses what an overlay cannot
// change.
func edit(name string, changes []patch.Change) (*session.Edit, error) {
	e := &session.Edit{Name: name}
	for _, c := range changes {
		if strings.ContainsRune(c.Before+c.After, 0) {
			return nil, fmt.Errorf("%s: it is a binary file: leave that out: it is no source", c.File)
		}
		if slices.Contains(strings.Split(filepath.ToSlash(c.File), "/"), "testdata") {
			return nil, fmt.Errorf("%s: tests read it when they run, and an edit is tried without writing it: leave that out", c.File)
		}
		switch filepath.Ext(c.File) {
		case ".go", ".s", ".h", ".c", ".mod", ".sum":
			e.Changes = append(e.Changes, c)
		}
	}
	if len(e.Changes) == 0 {
		return nil, fmt.Errorf("%s changes no source: there is nothing to try", name)
	}
	return e, nil
}

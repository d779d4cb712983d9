package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/receipt"
	"github.com/gopayoff/payoff/tool/internal/report"
	"github.com/gopayoff/payoff/tool/internal/report/text"
	"github.com/gopayoff/payoff/tool/internal/session"
)

// receiptOf is the receipt of a plan that was carried out, of the tree of a commit if
// that was taken out of the repository.
func receiptOf(p session.Plan, end session.End, commit string) (*receipt.Receipt, error) {
	if end.Doc.Outcome == "" {
		return nil, errors.New("nothing was judged: there is nothing to write down")
	}
	r := receipt.Of(end.Doc, p.Command)
	if commit != "" {
		r.Commit, r.Dirty = commit, false
	}
	r.Seed, r.Rule, r.Bounds = end.Run.Seed, end.Run.Rule, end.Run.Bounds
	c := p.Cure
	r.Asked = receipt.Asked{Packages: p.Packages, Names: strings.Fields(c.Bench), Bench: p.Bench, Procs: p.Procs, Tags: p.Tags, Args: p.Args, Budget: c.Budget, Strict: c.Strict,
		Layouts: p.Layouts, Sample: p.Sample, Timeout: p.Timeout}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for _, e := range c.Edits {
		root := cmp.Or(e.Root, patch.Root(dir, dir))
		x := receipt.Edit{Name: e.Name, Patch: patch.Diff(root, e.Changes), Before: e.Before, After: e.After}
		x.Sum = receipt.Sum(x.Patch)
		for _, ch := range e.Changes {
			rel, err := filepath.Rel(root, ch.File)
			if err != nil {
				return nil, err
			}
			f := receipt.File{Name: filepath.ToSlash(rel)}
			if !ch.New {
				f.Before = receipt.Sum(ch.Before)
			}
			if !ch.Gone {
				f.After = receipt.Sum(ch.After)
			}
			x.Files = append(x.Files, f)
		}
		r.Edits = append(r.Edits, x)
	}
	return r, nil
}

// check tries again what a receipt tells of, and says what of it is the same here. It
// exits with 0 where it is, 1 where it is not, 4 where that cannot be said.
func check(ctx context.Context, c *cli.Command, name string, now session.Plan, stdout, stderr io.Writer) error {
	for _, flag := range []string{"patch", "against", "strict", "bench", "receipt", "procs", "tags", "json"} {
		if c.IsSet(flag) {
			return fmt.Errorf("-check repeats what was asked for then: leave out -%s", flag)
		}
	}
	if c.Args().Present() {
		return fmt.Errorf("-check repeats what was asked for then: leave out %s", c.Args().First())
	}
	was, err := receipt.Read(name)
	if err != nil {
		return fmt.Errorf("-check %s: %w", name, err)
	}
	p, err := again(was, now)
	if err != nil {
		return fmt.Errorf("-check %s: %w", name, err)
	}
	p.Cure.Asked = []string{"-check", name}
	end := follow(ctx, p, stderr)
	if end.Doc == nil {
		return end.Err
	}
	x := output{text: text.Fix, format: "text", all: c.Bool("all")}
	is, err := receiptOf(p, end, "")
	if err != nil {
		return errors.Join(x.write(end, stdout), end.Err, err)
	}
	code, says := held(was, is)
	for _, s := range says {
		fmt.Fprintln(stdout, plain.Clean(s))
	}
	fmt.Fprintln(stdout)
	if err := errors.Join(x.write(end, stdout), end.Err); err != nil {
		return err
	}
	if code != exitOK {
		return exitCode(code)
	}
	return nil
}

// held is what is said of a receipt beside that of the trial which repeats it, the answer
// first, and its exit code.
func held(was, is *receipt.Receipt) (code int, says []string) {
	differs := was.Differs(is)
	switch {
	case was.Outcome != is.Outcome && (was.Outcome == report.EditUnknown || is.Outcome == report.EditUnknown):
		code, says = exitUnknown, []string{fmt.Sprintf("It cannot be said whether the receipt holds: the answer was %s, and here it is %s", was.Outcome, is.Outcome)}
	case len(differs) > 0:
		code, says = exitFindings, []string{"The receipt does not hold here: " + differs[0]}
		differs = differs[1:]
	default:
		says = []string{fmt.Sprintf("The receipt holds: the answer is %s, here too", is.Outcome)}
	}
	for _, s := range differs {
		says = append(says, "    "+s)
	}
	for i, e := range is.Edits {
		if e.Before != was.Edits[i].Before || e.After != was.Edits[i].After {
			says = append(says, fmt.Sprintf("note: what is built beside the edit of %s is not what it was: check out %s", e.Name, state(was)))
		}
	}
	processor := func(r *receipt.Receipt) string { return fmt.Sprintf("%s with %d to use", r.CPU, r.CPUs) }
	for _, d := range []struct{ what, was, is string }{
		{"processor", processor(was), processor(is)}, {"toolchain", was.Go, is.Go}, {"system", was.OS + "/" + was.Arch, is.OS + "/" + is.Arch}, {"payoff", was.Payoff, is.Payoff},
	} {
		if d.was != d.is {
			says = append(says, fmt.Sprintf("note: the %s was %s, and is %s here: gates repeat, figures need not", d.what, d.was, d.is))
		}
	}
	return code, says
}

// state names the code that a receipt was written for.
func state(r *receipt.Receipt) string {
	switch {
	case r.Commit == "":
		return "the code that the receipt was written for"
	case r.Dirty:
		return fmt.Sprintf("commit %.12s, with the changes that the tree had", r.Commit)
	}
	return fmt.Sprintf("commit %.12s", r.Commit)
}

// again is the plan that tries once more what a receipt tells of, on the tree here.
func again(r *receipt.Receipt, now session.Plan) (session.Plan, error) {
	dir, err := os.Getwd()
	if err != nil {
		return now, err
	}
	root := patch.Root(dir, dir)
	const own = "name a receipt that payoff wrote"
	now.Cure.Edits = nil
	for _, e := range r.Edits {
		for _, f := range e.Files {
			if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
				return now, fmt.Errorf("it names %s, which lies outside: %s", f.Name, own)
			}
			is := ""
			switch text, err := readRegular(filepath.Join(root, filepath.FromSlash(f.Name))); {
			case err == nil:
				is = receipt.Sum(text)
			case !errors.Is(err, os.ErrNotExist):
				return now, fmt.Errorf("%s: %w: check out %s", f.Name, err, state(r))
			}
			switch is {
			case f.Before:
			case f.After:
				return now, fmt.Errorf("%s has the edit of %s already: check out %s", f.Name, e.Name, state(r))
			case "":
				return now, fmt.Errorf("there is no %s here: go to the module that it was written for, and check out %s", f.Name, state(r))
			default:
				return now, fmt.Errorf("%s is not the file that it was written for: check out %s", f.Name, state(r))
			}
		}
		x := &session.Edit{Name: e.Name}
		if x.Changes, err = patch.Read(root, e.Patch, readRegular); err != nil {
			return now, fmt.Errorf("the patch of %s: %w", e.Name, err)
		}
		if len(x.Changes) != len(e.Files) {
			return now, fmt.Errorf("the patch of %s is of other files than it names: %s", e.Name, own)
		}
		now.Cure.Edits = append(now.Cure.Edits, x)
	}
	a := r.Asked
	if _, err := regexp.Compile(a.Bench); err != nil || a.Budget <= 0 || slices.ContainsFunc(a.Procs, func(n int) bool { return n < 1 }) ||
		slices.ContainsFunc(a.Packages, func(s string) bool { return strings.HasPrefix(s, "-") }) {
		return now, errors.New("what it was asked for cannot be asked: " + own)
	}
	now.Packages, now.Bench, now.Procs, now.Tags, now.Args = a.Packages, a.Bench, a.Procs, a.Tags, a.Args
	now.Layouts, now.Sample, now.Timeout, now.Seed, now.Bounds = a.Layouts, a.Sample, a.Timeout, r.Seed, r.Bounds
	now.Budget = a.Budget / session.TryShare
	now.Cure.Bench, now.Cure.Budget, now.Cure.Strict, now.Cure.Fresh = strings.Join(a.Names, " "), a.Budget, a.Strict, true
	return now, nil
}

package lint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/program"
)

// A Code is packages with their syntax, types and tests.
type Code struct {
	root     string // folder that diffs name files from
	pkgs     []*packages.Package
	problems []problem.Problem
}

// Load loads the packages that match the patterns, as of go vet; none is the
// package in dir. What does not load is a problem of the report, and an error if
// nothing does.
func Load(ctx context.Context, dir, tags string, patterns []string) (*Code, error) {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	all, err := program.Match(ctx, dir, tags, patterns...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: payoff vet takes packages as go vet does, like ./... for all", err)
	}
	c := &Code{root: patch.Root(dir, dir), pkgs: all}
	for _, p := range all {
		if len(p.Errors) > 0 {
			c.problems = append(c.problems, unloaded(p))
		}
	}
	if len(c.pkgs) == 0 {
		return nil, fmt.Errorf("no packages match %s: name some as for go vet, like ./... for all", strings.Join(patterns, " "))
	}
	if len(c.sound()) == 0 {
		var all []error
		for _, p := range c.problems {
			all = append(all, errors.New(p.String()))
		}
		return nil, errors.Join(all...)
	}
	return c, nil
}

// unloaded says what stands in the way of a package.
func unloaded(p *packages.Package) problem.Problem {
	e := p.Errors[0]
	if i := slices.IndexFunc(p.Errors, func(e packages.Error) bool { return e.Kind != packages.ListError }); i >= 0 {
		e = p.Errors[i] // more to the point
	}
	reason := e.Msg
	if e.Pos != "" && e.Pos != "-" {
		reason = e.Pos + ": " + reason
	}
	reason, _, _ = strings.Cut(reason, "\n")
	if n := len(p.Errors) - 1; n > 0 {
		reason += " (and more)"
	}
	next := "mend it; " + plain.Shell("go", "vet", path(p)) + " shows all"
	if e.Kind == packages.ListError {
		next = plain.Shell("go", "list", path(p)) + " says the same"
	}
	return problem.Problem{Package: path(p), Reason: reason, Next: next}
}

// path is the import path that runs have: external tests come with the package
// that they test.
func path(p *packages.Package) string {
	if p.ForTest != "" {
		return p.ForTest
	}
	return p.PkgPath
}

// sound are the packages that can be checked.
func (c *Code) sound() (out []*packages.Package) {
	for _, p := range c.pkgs {
		if len(p.Errors) == 0 && !p.IllTyped && len(p.Syntax) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// Paths are the import paths of the packages that can be checked.
func (c *Code) Paths() (out []string) {
	out = []string{}
	for _, p := range c.sound() {
		out = append(out, path(p))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Files are those of the packages, absolute.
func (c *Code) Files() (out []string) {
	for _, p := range c.sound() {
		for _, f := range p.Syntax {
			out = append(out, p.Fset.PositionFor(f.FileStart, false).Filename)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *Code) lines() (n int) {
	seen := map[string]bool{}
	for _, p := range c.sound() {
		for _, f := range p.Syntax {
			if tf := p.Fset.File(f.FileStart); tf != nil && !seen[tf.Name()] {
				seen[tf.Name()] = true
				n += tf.LineCount()
			}
		}
	}
	return n
}

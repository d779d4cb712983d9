package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/gallery"
	"github.com/gopayoff/payoff/tool/internal/articles"
	"github.com/gopayoff/payoff/tool/internal/claims"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/session"
	"github.com/gopayoff/payoff/tool/internal/store"
	"github.com/gopayoff/payoff/tool/internal/unpack"
)

// A caseRun is what gallery run was asked for.
type caseRun struct {
	plan   session.Plan // as payoff run would have it, without packages
	names  []string
	all    bool
	format string
}

// carryOut measures the cases and writes what has become of their articles.
func (r caseRun) carryOut(ctx context.Context, stdout, stderr io.Writer) error {
	asked := cmp.Or(r.plan.Record, r.plan.Resume)
	if err := r.complete(ctx); err != nil {
		return err
	}
	end := follow(ctx, r.plan, stderr)
	if end.Doc == nil {
		return end.Err
	}
	dir := cmp.Or(asked, end.Doc.Record)
	next := plain.Shell("payoff", "replay", dir)
	if slices.ContainsFunc(end.Series, func(s *measure.Series) bool { return s.End == measure.Interrupted }) || end.Err != nil {
		next = end.Run.Asked.Resume(dir)
	}
	if err := writePage(end, dir, next, r.format, stdout, stderr); err != nil {
		return err
	}
	if end.Err != nil {
		return end.Err
	}
	if end.Doc.Failed() {
		return errReported
	}
	return nil
}

// complete makes the plan one that measures the cases where they are unpacked.
func (r *caseRun) complete(ctx context.Context) error {
	p := &r.plan
	cases, err := findCases(r.names)
	if err != nil {
		return err
	}
	every, err := gallery.Cases()
	if err != nil {
		return err
	}
	switch {
	case r.all && len(cases) > 0:
		return errors.New("-all takes all cases: name none")
	case r.all:
		cases = every
	case p.Resume == "" && len(cases) == 0:
		return errors.New("gallery run wants the names of cases, or -all: payoff gallery lists them")
	}
	for _, c := range cases {
		p.Packages = append(p.Packages, c.Package())
	}
	if p.Resume != "" && len(cases) > 0 {
		if run, err := store.About(p.Resume); err == nil && run.Asked != nil && !slices.Equal(p.Packages, run.Asked.Packages) {
			return errors.New("-resume takes the cases from the run: name none")
		}
	}
	root, err := workspace()
	if err != nil {
		return err
	}
	p.Dir = filepath.Join(root, "gallery")
	work := "GOWORK=" + filepath.Join(root, "go.work")
	tc, err := gocmd.Find(ctx, p.Dir, "", work)
	if err != nil {
		return err
	}
	// What GOFLAGS says of the user's modules cannot be done in a workspace. The
	// last flag counts.
	p.Gallery = &session.Gallery{Procs: map[string][]int{}, Env: []string{work, strings.TrimSpace("GOFLAGS=" + tc.Flags + " -mod=readonly")}}
	for _, c := range every {
		p.Gallery.Procs[c.Package()] = c.Want.Procs
	}
	for _, dir := range []*string{&p.Record, &p.Resume} { // the session is in another folder
		if *dir != "" {
			if *dir, err = filepath.Abs(*dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// showRun writes what has become of the articles by a recorded run.
func showRun(ctx context.Context, dir, format string, stdout, stderr io.Writer) error {
	end := follow(ctx, session.Plan{From: dir}, stderr)
	if end.Doc == nil {
		return end.Err
	}
	if !slices.ContainsFunc(end.Series, isCase) {
		return fmt.Errorf("%s has no case of the gallery: %s reports it", dir, plain.Shell("payoff", "replay", dir))
	}
	if err := writePage(end, dir, plain.Shell("payoff", "replay", dir), format, stdout, stderr); err != nil {
		return err
	}
	return end.Err
}

func isCase(s *measure.Series) bool {
	_, ok := gallery.Of(s.Package)
	return ok
}

// writePage writes the articles of a run that is in a folder.
func writePage(end session.End, dir, next, format string, stdout, stderr io.Writer) error {
	var cases []gallery.Case
	var runs []articles.Run
	for _, s := range end.Series {
		c, ok := gallery.Of(s.Package)
		if !ok {
			continue
		}
		cases = append(cases, c)
		runs = append(runs, articles.Run{Name: dir, Dir: dir, Rule: end.Run.Rule, Bounds: end.Run.Bounds, Series: s})
	}
	page, err := articles.New(cases, runs)
	if err != nil {
		return err
	}
	page.Record, page.Next = dir, next
	for _, p := range end.Doc.Problems {
		if !p.Note {
			page.Problems = append(page.Problems, caseProblem(p))
		}
	}
	switch format {
	case "json":
		err = plain.JSON(stdout, page)
	case "markdown":
		err = page.Markdown(stdout)
	default:
		err = page.Text(stdout)
	}
	if format != "text" { // the text has them
		for _, p := range page.Problems {
			fmt.Fprintln(stderr, "payoff:", plain.Clean(p))
		}
	}
	return err
}

// unmeasured says of the cases that a run was asked for, or began, and has nothing
// of, why.
func unmeasured(run store.Run, series []*measure.Series, held func(pkg string) bool) (all []string) {
	why := map[string]problem.Problem{}
	if run.Asked != nil {
		for _, pkg := range run.Asked.Packages {
			why[pkg] = problem.Problem{Package: pkg, Reason: "not measured", Next: run.Asked.Command()}
		}
	}
	problems := slices.Clone(run.Problems)
	for _, s := range series {
		problems = append(problems, s.Problems...)
	}
	for _, p := range problems {
		if !p.Note {
			why[p.Package] = p
		}
	}
	for _, s := range series {
		if len(s.Families) > 0 {
			delete(why, s.Package)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(why)) {
		if _, ok := gallery.Of(pkg); ok && held(pkg) {
			all = append(all, caseProblem(why[pkg]))
		}
	}
	return all
}

// caseProblem says what went wrong with a case. One that is of other modules as
// well could not be compiled because they are missing, as a rule.
func caseProblem(p problem.Problem) string {
	c, ok := gallery.Of(p.Package)
	if !ok {
		return p.String()
	}
	p.Package = c.Name
	root, err := workspace()
	if err != nil || len(c.Requires) == 0 || !strings.HasPrefix(p.Reason, measure.NoCompile) {
		return p.String()
	}
	p.Next = fmt.Sprintf("it needs %s: with a network, %s fetches what is missing", strings.Join(c.Requires, " and "), plain.Shell("go", "-C", filepath.Join(root, "gallery"), "mod", "download"))
	return p.String()
}

// workspace is where the cases are unpacked.
func workspace() (dir string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder to unpack the cases to: %w: set HOME or XDG_CACHE_HOME", err)
	}
	if dir, err = unpack.Gallery(filepath.Join(cache, "payoff")); err != nil {
		return "", fmt.Errorf("unpacking the cases: %w: set XDG_CACHE_HOME to a folder that can be written", err)
	}
	return dir, nil
}

// checkRun holds the cases of a recorded run that are to be held against their
// claims.
func checkRun(ctx context.Context, dir string, held func(pkg string) bool, all bool, stdout, stderr io.Writer) error {
	end := follow(ctx, session.Plan{From: dir}, stderr)
	if end.Err != nil {
		return end.Err
	}
	var cases []claims.Case
	for i, s := range end.Series {
		if !held(s.Package) || len(s.Families) == 0 {
			continue
		}
		x, ok := gallery.Of(s.Package)
		if !ok {
			return fmt.Errorf("%s is no case of the gallery: %s reports it", s.Package, plain.Shell("payoff", "replay", dir))
		}
		checks, not := claims.Held(x.Want, s, end.Findings[i], end.Run.Rule, end.Run.Bounds)
		if len(not) > 0 {
			return fmt.Errorf("%s: %w: measure it with payoff gallery run -procs %s %[1]s", x.Name, not[0], strings.Trim(strings.Join(strings.Fields(fmt.Sprint(x.Want.Procs)), ","), "[]"))
		}
		cases = append(cases, claims.Case{Name: x.Name, Checks: checks})
	}
	wrong, err := claims.Write(stdout, cases, all)
	if err != nil {
		return err
	}
	for _, why := range unmeasured(end.Run, end.Series, held) {
		wrong++
		fmt.Fprintf(stdout, "not held against anything: %s\n", plain.Clean(why))
	}
	fmt.Fprintf(stdout, "next: %s\n", plain.Clean(plain.Shell("payoff", "replay", dir)))
	if wrong > 0 {
		return errFindings
	}
	return nil
}

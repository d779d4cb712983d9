package session

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/hollow"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/plain"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
	"github.com/gopayoff/payoff/tool/internal/results"
)

// An Edit is a change of the code that payoff did not propose.
type Edit struct {
	Name    string // of what it comes from: a file, a commit; no two of a plan have the same
	Patch   string // the file that holds it, "" for none
	Changes []patch.Change
	Root    string // of the tree that Changes are of, where that is not the user's

	// Before and After are checksums of all that the packages which it reaches are built of in
	// the modules here, as a trial finds them.
	Before, After string

	left     []string            // of its files, that nothing reads
	packages []prescribe.Package // of the main modules, that are built of what changes, before and after
	reaches  map[string]bool     // their import paths
	signs    []hollow.Sign

	// pairs are the packages whose functions may change, of a module that lies in a folder.
	pairs             []results.Pair
	told              []string // see [results.Pair]
	module, moduleDir string
}

// id is that of the fix that the edit is.
func (e *Edit) id() string { return prescribe.Given + ":" + e.Name }

// overlay is the edit as the go command takes it.
func (e *Edit) overlay() overlay.Overlay {
	o := overlay.Overlay{}
	for _, c := range e.Changes {
		o[c.File] = nil
		if !c.Gone {
			o[c.File] = []byte(c.After)
		}
	}
	return o
}

// unformatted names a file that is formatted and would not be with the edit, "" if there
// is none.
func (e *Edit) unformatted() string {
	for _, c := range e.Changes {
		if filepath.Ext(c.File) != ".go" || c.Gone {
			continue
		}
		is := func(src string) (yes, known bool) {
			out, err := format.Source([]byte(src))
			return bytes.Equal(out, []byte(src)), err == nil
		}
		if was, known := is(c.Before); !c.New && (!was || !known) {
			continue
		}
		if yes, known := is(c.After); known && !yes { // what does not parse does not build
			return filepath.Base(c.File)
		}
	}
	return ""
}

// A view is what the go command says of the packages of the main modules, in one state
// of the code.
type view struct {
	pkgs   map[string]gocmd.Package
	inputs map[string][]gocmd.Input
	faults []string
}

func look(ctx context.Context, tc *gocmd.Toolchain, patterns []string) (v view, err error) {
	pkgs, err := tc.List(ctx, patterns)
	if err != nil {
		return v, err
	}
	v.pkgs = map[string]gocmd.Package{}
	for _, p := range pkgs {
		if p.Dir != "" { // else it is a pattern that matches nothing
			v.pkgs[p.ImportPath] = p
		}
	}
	if len(v.pkgs) > 0 {
		v.inputs, v.faults, err = tc.Loaded(ctx, slices.Sorted(maps.Keys(v.pkgs)))
	}
	return v, err
}

// embedded reports whether a file is compiled into a package by an embed directive, or
// is another file that one is built of.
func (v view) embedded(file string) bool {
	for _, all := range v.inputs {
		for _, in := range all {
			if rel, err := filepath.Rel(in.Dir, file); err == nil && !in.Standard && slices.Contains(in.Other, filepath.ToSlash(rel)) {
				return true
			}
		}
	}
	return false
}

// absent is what the go command says where a module is not here.
var absent = regexp.MustCompile(`no required module provides package|missing go\.sum entry|module lookup disabled|cannot find module providing|updates to go\.mod needed|toolchain not available|inconsistent vendoring`)

// reach finds the packages of the main modules that are built of what the edits change:
// their tests have to pass, and their benchmarks may change. What cannot be tried is an
// error with the next step.
func (s *session) reach(ctx context.Context) error {
	c := s.plan.Cure
	patterns, err := s.tc.Everything(ctx)
	if err != nil {
		return err
	}
	before, err := look(ctx, s.tc, patterns)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "payoff-try-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for i, e := range c.Edits {
		dir := filepath.Join(temp, strconv.Itoa(i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		index, err := e.overlay().Write(dir)
		if err != nil {
			return err
		}
		after, err := look(ctx, s.tc.Under(index), patterns)
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			after.faults = append(after.faults, err.Error())
		}
		for _, f := range after.faults {
			if absent.MatchString(f) && !slices.Contains(before.faults, f) {
				says, _, _ := strings.Cut(f, "\n")
				return fmt.Errorf("%s needs a module that is not here, and none is fetched to try an edit: %s: in a copy with the edit go mod tidy fetches it: then give its go.mod and go.sum with the edit", e.Name, says)
			}
		}
		if err != nil {
			return fmt.Errorf("with %s the go command finds no packages: %w: mend that first", e.Name, err)
		}
		if err := e.sift(cmp.Or(s.tc.Work, s.tc.Dir), before, after); err != nil {
			return err
		}
		e.find(before, after)
		e.paired(before, after)
		e.Before, e.After = e.sum(before, nil), e.sum(after, e.overlay())
		if len(e.reaches) == 0 {
			return fmt.Errorf("%s changes no package of the module here: give a patch for this one, or go to the module that it is for", e.Name)
		}
		if err := s.benchmarked(ctx, e); err != nil {
			return err
		}
		if !e.tested(after) {
			return fmt.Errorf("no test runs what %s changes, and nothing else says whether it is right: write a test in a package that is built of it, like %s", e.Name, slices.Min(slices.Collect(maps.Keys(e.reaches))))
		}
		e.signs = hollow.Signs(e.Changes)
	}
	return nil
}

// compiled are the ends of names of files that the go command compiles.
var compiled = regexp.MustCompile(`\.(go|c|cc|cpp|cxx|m|h|hh|hpp|hxx|f|F|for|f90|s|S|sx|swig|swigcxx|syso)$`)

// modular reports whether a file says of which modules code is built.
func modular(file string) bool {
	switch filepath.Base(file) {
	case "go.mod", "go.sum", "go.work", "go.work.sum":
		return true
	case "modules.txt":
		return filepath.Base(filepath.Dir(file)) == "vendor"
	}
	return false
}

// sift leaves in the edit what a build sees. What only a test that runs could read
// cannot be tried, since no file is written: it is refused, but for documents and new
// files, which are left out and named.
func (e *Edit) sift(root string, before, after view) error {
	var kept []patch.Change
	for _, c := range e.Changes {
		name := c.File
		if rel, err := filepath.Rel(root, c.File); err == nil {
			name = filepath.ToSlash(rel)
		}
		parts := strings.Split(name, "/")
		data := slices.Contains(parts, "testdata")
		hidden := slices.ContainsFunc(parts, dotted)
		switch {
		case modular(c.File), compiled.MatchString(c.File) && !data && !hidden, before.embedded(c.File), after.embedded(c.File):
			if strings.ContainsRune(c.Before+c.After, 0) {
				return fmt.Errorf("%s: %s is a binary file: only text can be tried: leave it out", e.Name, name)
			}
			kept = append(kept, c)
		case !data && (c.New || filepath.Ext(c.File) == ".md" || hidden):
			e.left = append(e.left, name)
		default:
			return fmt.Errorf("%s: a test may read %s when it runs, and an edit is tried without writing files: leave it out: git diff -- '*.go' go.mod go.sum makes such a patch", e.Name, name)
		}
	}
	if len(kept) == 0 {
		return fmt.Errorf("%s changes nothing that a build sees: there is nothing to try: give a patch of source", e.Name)
	}
	e.Changes = kept
	return nil
}

// dotted reports whether a part of a path is hidden.
func dotted(part string) bool { return strings.HasPrefix(part, ".") && part != "." && part != ".." }

// find notes the packages that are built of what changes.
func (e *Edit) find(before, after view) {
	e.reaches, e.packages = map[string]bool{}, nil
	for _, v := range []view{before, after} {
		for path, p := range v.pkgs {
			here := func(c patch.Change) bool { return !modular(c.File) && filepath.Dir(c.File) == p.Dir }
			if slices.ContainsFunc(v.inputs[path], e.within) || slices.ContainsFunc(e.Changes, here) {
				e.reaches[path] = true
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(e.reaches)) {
		was, is := before.pkgs[path], after.pkgs[path]
		if was.Dir != "" && is.Dir != "" { // else there is nothing to hold its tests to
			e.packages = append(e.packages, prescribe.Package{Path: path, Dir: was.Dir})
		}
	}
}

// sum is a checksum of what the packages that the edit reaches are built of, in one state
// of the code: files of the modules here by their content, others by their folder.
func (e *Edit) sum(v view, o overlay.Overlay) string {
	files := map[string]string{} // by names that are the same wherever the modules lie
	for path := range e.reaches {
		for _, in := range v.inputs[path] {
			switch {
			case in.Standard:
			case in.Module == nil || !in.Module.Main:
				files[filepath.Base(in.Dir)+" "+in.ImportPath] = "" // of a module with its version
			default:
				for _, name := range slices.Concat(in.Go, in.Other) {
					files[in.ImportPath+" "+name] = filepath.Join(in.Dir, name)
				}
				files[in.Module.Path+" go.mod"] = in.Module.GoMod
			}
		}
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		var text []byte
		if file := files[name]; file != "" {
			var changed bool
			if text, changed = o[file]; !changed {
				text, _ = os.ReadFile(file) // what cannot be read is not built
			}
		}
		fmt.Fprintf(h, "%s\x00%d\x00", name, len(text))
		h.Write(text)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// within reports whether an edit changes a file of what a binary is built of.
func (e *Edit) within(in gocmd.Input) bool {
	if in.Standard {
		return false
	}
	return slices.ContainsFunc(e.Changes, func(c patch.Change) bool {
		dir := filepath.Dir(c.File)
		switch filepath.Base(c.File) {
		case "go.mod", "go.sum":
			return in.Module != nil && in.Module.GoMod != "" && filepath.Dir(in.Module.GoMod) == dir
		}
		rel, err := filepath.Rel(in.Dir, c.File)
		return modular(c.File) || dir == in.Dir || err == nil && slices.Contains(in.Other, filepath.ToSlash(rel))
	})
}

// benchmarked returns an error with the next step if no benchmark that is asked for
// reaches an edit.
func (s *session) benchmarked(ctx context.Context, e *Edit) error {
	if slices.ContainsFunc(s.targets, func(t discover.Target) bool { return e.reaches[t.Package] }) {
		return nil
	}
	var others, paths []string
	for _, p := range e.packages {
		paths = append(paths, p.Path)
	}
	if len(paths) > 0 {
		if all, _, err := discover.Targets(ctx, s.tc, paths, s.plan.Bench); err == nil { // else there is none
			for _, t := range all {
				others = append(others, t.Package)
			}
		}
	}
	if len(others) == 0 {
		return fmt.Errorf("no benchmark reaches what %s changes: write one in a package that is built of it, like %s", e.Name, slices.Min(slices.Collect(maps.Keys(e.reaches))))
	}
	return fmt.Errorf("no benchmark of these packages reaches what %s changes: those of %s do: %s", e.Name, strings.Join(others, ", "), plain.Shell(append([]string{"payoff", "try"}, others...)...))
}

// isTest is the head of a function that go test runs to say whether code is right.
var isTest = regexp.MustCompile(`(?m)^func (Test|Fuzz|Example)\w*\(`)

// tested reports whether a package that is built of what changes has a test.
func (e *Edit) tested(after view) bool {
	o := e.overlay()
	for path := range e.reaches {
		p := after.pkgs[path]
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			file := filepath.Join(p.Dir, name)
			text, changed := o[file]
			if !changed {
				text, _ = os.ReadFile(file) // what cannot be read has none
			}
			for _, m := range isTest.FindAllString(string(text), -1) {
				if m != "func TestMain(" {
					return true
				}
			}
		}
	}
	return false
}

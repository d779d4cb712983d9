package prescribe

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// Place is shorter to embed.
type Place = source.Place

// fill makes the changed files of a fix from its texts.
func (c *chemist) fill(fix *Fix, pkg *program.Package, edits []analysis.TextEdit) error {
	if len(edits) == 0 {
		return errors.New("the check offers an edit without texts")
	}
	byFile := map[*program.File][]analysis.TextEdit{}
	var files []*program.File
	for _, e := range edits {
		f := pkg.FileOf(e.Pos)
		if f == nil {
			return &edit.Refusal{Why: "it would change a file that uses cgo, or one of another package", Place: placeOf(pkg, e.Pos)}
		}
		if ast.IsGenerated(f.File) {
			return &edit.Refusal{Why: "it would change a generated file", Place: placeOf(pkg, e.Pos)}
		}
		if d := benchmark(f, e); d != nil {
			return &edit.Refusal{Why: "it would change the benchmark itself: what measures has to stay", Place: placeOf(pkg, d.Pos())}
		}
		if byFile[f] == nil {
			files = append(files, f)
		}
		byFile[f] = append(byFile[f], e)
	}
	for _, f := range files {
		after, err := rewrite.Apply(pkg.Fset.File(f.FileStart), f.Src, byFile[f])
		if err != nil {
			return err
		}
		if string(after) != string(f.Src) {
			fix.Changes = append(fix.Changes, patch.Edited(f.Name, f.Src, after))
			fix.Packages = append(fix.Packages, Package{program.ListPath(pkg.Owner(f)), filepath.Dir(f.Name)})
		}
	}
	if len(fix.Changes) == 0 {
		return errors.New("it changes nothing")
	}
	slices.SortFunc(fix.Packages, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	fix.Packages = slices.Compact(fix.Packages)
	fix.Diff = patch.Diff(c.p.Root, fix.Changes)
	return c.library(fix, pkg)
}

func packageOf(pkg *program.Package) Package {
	return Package{program.ListPath(pkg.Package), filepath.Dir(pkg.GoFiles[0])}
}

// within reports whether all edits are in a declaration, imports aside.
func within(d *ast.FuncDecl, f *program.File, edits []analysis.TextEdit) bool {
	if d == nil {
		return false
	}
	head := f.File.Name.End() // of the file: imports follow
	for _, x := range f.File.Decls {
		if g, ok := x.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			head = g.End()
		}
	}
	return !slices.ContainsFunc(edits, func(e analysis.TextEdit) bool { return e.Pos > head && (e.Pos < d.Pos() || e.End > d.End()) })
}

// benchmark returns the benchmark function that an edit lies in, or nil.
func benchmark(f *program.File, e analysis.TextEdit) *ast.FuncDecl {
	if !strings.HasSuffix(f.Name, "_test.go") {
		return nil
	}
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if ok && d.Recv == nil && strings.HasPrefix(d.Name.Name, "Benchmark") && d.Pos() <= e.Pos && e.Pos < d.End() {
			return d
		}
	}
	return nil
}

// check type-checks a fix.
func (c *chemist) check(fix Fix) error {
	o := fix.Overlay()
	for _, pkg := range c.pkgs {
		if !slices.ContainsFunc(fix.Changes, func(x patch.Change) bool { return slices.Contains(pkg.GoFiles, x.File) }) {
			continue
		}
		var err error
		known := !slices.ContainsFunc(fix.Packages, func(p Package) bool { return pkg.Imports[p.Path] != nil })
		if known {
			known, err = pkg.Check(o)
		}
		if !known { // it imports what the package does not yet, or what the fix changes too
			err = c.prog.Check(o, []string{program.ListPath(pkg.Package)})
		}
		if err != nil {
			return fmt.Errorf("the edited code does not type-check, a defect of the check %s: %s", fix.Check, plainly(err))
		}
	}
	return nil
}

// plainly is what a type checker says, without the names of folders that are gone
// tomorrow.
func plainly(err error) string {
	var said types.Error
	if errors.As(err, &said) {
		return said.Msg
	}
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	last := lines[len(lines)-1]
	if _, msg, ok := strings.Cut(last, ".go:"); ok {
		if _, text, ok := strings.Cut(msg, ": "); ok {
			return text
		}
	}
	return last
}

// compound adds to the fixes of single findings those of several: of all
// findings of one function the same edit, since half of a disease may hide what
// the other half costs.
func (c *chemist) compound() {
	byFunc := map[string][]int{}
	var funcs []string
	for i, f := range c.p.Findings {
		if c.sites[i].Func == nil {
			continue
		}
		if byFunc[f.Func] == nil {
			funcs = append(funcs, f.Func)
		}
		byFunc[f.Func] = append(byFunc[f.Func], i)
	}
	for _, fn := range funcs {
		c.compoundOf(byFunc[fn])
	}
}

// compoundOf makes the compounds of some findings: where several of them offer the
// same edit. Those of different edits are for a trial to choose.
func (c *chemist) compoundOf(findings []int) {
	groups := map[string][]string{} // IDs by kind of edit
	var kinds []string
	for _, i := range findings {
		seen := map[string]bool{}
		for _, fix := range c.p.Fixes {
			kind := named(fix.Edit)
			if fix.Finding != i || len(fix.Parts) > 0 || seen[kind] {
				continue
			}
			seen[kind] = true
			if groups[kind] == nil {
				kinds = append(kinds, kind)
			}
			groups[kind] = append(groups[kind], fix.ID)
		}
	}
	for _, kind := range kinds {
		if len(groups[kind]) < 2 {
			continue
		}
		if fix, err := c.together(groups[kind]); err == nil { // edits at one place are alternatives
			c.p.Fixes = append(c.p.Fixes, fix)
		}
	}
}

// together makes a fix of several, which may be made of several themselves.
func (c *chemist) together(ids []string) (Fix, error) {
	var fix Fix
	ids = slices.Clone(ids)
	for i := len(ids) - 1; i >= 0; i-- {
		if x := c.p.Find(ids[i]); x != nil && len(x.Parts) > 0 {
			ids = slices.Replace(ids, i, i+1, x.Parts...)
		}
	}
	byPackage := map[*program.Package][]analysis.TextEdit{}
	needs := map[*program.Package]string{} // what the edits of a package import of the library
	var pkgs []*program.Package
	var says, names, dearer, holds []string
	for n, id := range ids {
		x := c.p.Find(id)
		if x == nil {
			return fix, fmt.Errorf("no fix %q", id)
		}
		s := c.sites[x.Finding]
		if s == nil {
			return fix, fmt.Errorf("%s is not made of texts", id)
		}
		if n == 0 {
			fix = Fix{Edit: edit.Edit{Name: x.Name, Value: x.Value}, Check: x.Check, Cause: x.Cause, Place: x.Place, Finding: x.Finding, Within: true}
		}
		if fix.Name != x.Name || fix.Value != x.Value {
			fix.Value = 0
		}
		if !slices.Contains(names, x.Name) {
			names = append(names, x.Name)
		}
		if !slices.Contains(says, x.Says) {
			says = append(says, x.Says)
		}
		if x.Needs != "" {
			fix.Needs, needs[s.pkg] = x.Needs, x.Needs
		}
		fix.Serial = fix.Serial || x.Serial
		if x.Dearer != "" && !slices.Contains(dearer, x.Dearer) {
			dearer = append(dearer, x.Dearer)
		}
		if x.Holds != "" && !slices.Contains(holds, x.Holds) {
			holds = append(holds, x.Holds)
		}
		fix.Within = fix.Within && x.Within && x.Func == fix.Func
		fix.Told = append(fix.Told, x.Told...)
		fix.NS += x.NS
		for _, cell := range x.Cells {
			if !slices.Contains(fix.Cells, cell) {
				fix.Cells = append(fix.Cells, cell)
			}
		}
		if byPackage[s.pkg] == nil {
			pkgs = append(pkgs, s.pkg)
		}
		byPackage[s.pkg] = append(byPackage[s.pkg], x.Edits...)
	}
	fix.Parts, fix.Name, fix.Says = ids, strings.Join(names, "+"), strings.Join(says, "; ")
	fix.Dearer, fix.Holds = strings.Join(dearer, ", and "), strings.Join(holds, ", and ")
	if len(ids) == 0 {
		return fix, errors.New("no fixes to put together")
	}
	if len(says) == 1 {
		fix.Says += fmt.Sprintf(", at %d places", len(ids))
	}
	fix.ID = c.id(strings.Join(ids, "+"))
	for _, pkg := range pkgs {
		edits, err := rewrite.Complete(&analysis.Pass{Fset: pkg.Fset, Files: pkg.Syntax, Pkg: pkg.Types, TypesInfo: pkg.TypesInfo, ReadFile: loaded(pkg)}, byPackage[pkg])
		if err != nil {
			return fix, err
		}
		part := Fix{Edit: edit.Edit{Needs: needs[pkg]}}
		if err := c.fill(&part, pkg, edits); err != nil {
			return fix, err
		}
		fix.Changes, fix.Packages = append(fix.Changes, part.Changes...), append(fix.Packages, part.Packages...)
		if len(part.Module) > 0 && fix.Module == nil {
			fix.Module = map[string]string{}
		}
		maps.Copy(fix.Module, part.Module) // packages may be of several modules
	}
	slices.SortFunc(fix.Packages, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	fix.Packages = slices.Compact(fix.Packages)
	fix.Diff = patch.Diff(c.p.Root, fix.Changes)
	return fix, c.check(fix)
}

// loaded reads the files of a package as they were loaded.
func loaded(pkg *program.Package) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		for _, f := range pkg.Files {
			if f.Name == name {
				return f.Src, nil
			}
		}
		return nil, fmt.Errorf("%s is no file that may be changed", name)
	}
}

func packagesOf(all []*program.Package) (out []*packages.Package) {
	for _, p := range all {
		out = append(out, p.Package)
	}
	return out
}

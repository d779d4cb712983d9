package gocmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// An Input is a package that a test binary is built of.
type Input struct {
	ImportPath string
	Dir        string
	Standard   bool
	Module     *struct {
		Path, Version, Dir, GoMod string
		Main                      bool
	}
	// Go are source files in Dir, Other what else is compiled or embedded.
	Go, Other []string
}

// Inputs returns what the test binaries of packages are built of, by the import path
// of the package. A package that cannot be loaded is left out.
func (t *Toolchain) Inputs(ctx context.Context, pkgs []string) (map[string][]Input, error) {
	inputs, _, err := t.Loaded(ctx, pkgs)
	return inputs, err
}

// Loaded is Inputs, with what the go command says of packages that it cannot load, each
// once.
func (t *Toolchain) Loaded(ctx context.Context, pkgs []string) (inputs map[string][]Input, faults []string, err error) {
	args := []string{"list", "-e", "-deps", "-test", "-json=ImportPath,Dir,Standard,Module,GoFiles,CgoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles,Deps,Error,DepsErrors"}
	if t.Tags != "" {
		args = append(args, "-tags", t.Tags)
	}
	if t.index != "" {
		args = append(args, "-overlay", t.index)
	}
	out, err := t.run(ctx, append(append(args, "--"), pkgs...)...)
	if err != nil {
		return nil, nil, fmt.Errorf("go list %s: %w", strings.Join(pkgs, " "), err)
	}
	type listed struct {
		Input
		GoFiles, CgoFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles, SwigFiles, SwigCXXFiles, SysoFiles, EmbedFiles, Deps []string

		Error      *struct{ Err string }
		DepsErrors []struct{ Err string }
	}
	all := map[string]listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, fmt.Errorf("go list %s: %w", strings.Join(pkgs, " "), err)
		}
		if p.Error != nil && !slices.Contains(faults, p.Error.Err) {
			faults = append(faults, p.Error.Err)
		}
		p.Go = p.GoFiles
		p.Other = slices.Concat(p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles, p.EmbedFiles)
		all[p.ImportPath] = p
	}
	inputs = map[string][]Input{}
	for _, pkg := range pkgs {
		main, ok := all[pkg+".test"] // whose own file go test makes of the names in the others
		for _, dep := range main.Deps {
			p := all[dep]
			if p.ImportPath == "" || p.Error != nil || len(p.DepsErrors) > 0 {
				ok = false
			}
			inputs[pkg] = append(inputs[pkg], p.Input)
		}
		if !ok {
			delete(inputs, pkg)
		}
	}
	return inputs, faults, nil
}

// Everything returns patterns for all packages of the modules that lie in the folder
// where the go command was asked: of the main module, or of those that go.work has.
func (t *Toolchain) Everything(ctx context.Context) ([]string, error) {
	out, err := t.run(ctx, "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	here, err := filepath.EvalSymlinks(t.Dir)
	if err != nil {
		return nil, err
	}
	var patterns []string
	for dir := range strings.Lines(string(out)) {
		dir = strings.TrimSpace(dir)
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		switch rel, err := filepath.Rel(here, dir); {
		case err != nil:
		case !filepath.IsLocal(rel): // the module holds this folder, or has nothing to do with it
			if Within(dir, here) {
				patterns = append(patterns, "./...")
			}
		case rel == ".":
			patterns = append(patterns, "./...")
		default:
			patterns = append(patterns, "./"+filepath.ToSlash(rel)+"/...")
		}
	}
	slices.Sort(patterns)
	if patterns = slices.Compact(patterns); len(patterns) == 0 {
		patterns = []string{"./..."} // the go command says what is wrong
	}
	return patterns, nil
}

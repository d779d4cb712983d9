package prescribe

import (
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/gopayoff/payoff/tool/internal/program"
)

const libraryModule = "github.com/gopayoff/payoff"

// library sees to it that what the fix imports of payoff's library can be had:
// the overlay of the fix has another go.mod, which takes it from a folder. No
// file of the user's changes, nor is anything fetched.
func (c *chemist) library(fix *Fix, pkg *program.Package) error {
	if fix.Needs == "" {
		return nil
	}
	if c.Library == nil {
		return fmt.Errorf("it imports %s, of payoff's library: -lib tries it", fix.Needs)
	}
	if err := c.take(fix, pkg); err != nil {
		return &unavailable{err}
	}
	return nil
}

// An unavailable is why a module cannot have an edit, for what that imports.
type unavailable struct{ error }

// take puts a go.mod that has the library into the overlay of a fix.
func (c *chemist) take(fix *Fix, pkg *program.Package) error {
	if pkg.Module == nil || pkg.Module.GoMod == "" {
		return errors.New("it imports payoff's library, and the package is in no module that could require it")
	}
	if pkg.Module.Path == libraryModule {
		return nil
	}
	dir := filepath.Dir(pkg.Module.GoMod)
	if file, ok := c.modules[dir]; ok {
		if file != nil {
			fix.Module = file
		}
		return nil
	}
	file, err := c.require(pkg.Module.GoMod)
	if err != nil {
		return err
	}
	if c.modules == nil {
		c.modules = map[string]map[string]string{}
	}
	c.modules[dir], fix.Module = file, file
	return nil
}

// require returns a go.mod that has the library, or nil where it has already.
func (c *chemist) require(gomod string) (map[string]string, error) {
	data, err := os.ReadFile(gomod)
	if err != nil {
		return nil, err
	}
	f, err := modfile.Parse(gomod, data, nil)
	if err != nil {
		return nil, err
	}
	if requires(f) {
		return nil, nil // in whatever version: the build says what it lacks
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(gomod), "vendor", "modules.txt")); err == nil {
		return nil, errors.New("it imports payoff's library, which the module's vendor folder does not have: go get " + libraryModule + " and go mod vendor, and then again")
	}
	for _, flag := range strings.Fields(c.Toolchain.Flags) {
		if strings.HasPrefix(strings.TrimLeft(flag, "-"), "mod=vendor") {
			return nil, errors.New("it imports payoff's library, and GOFLAGS has -mod=vendor")
		}
	}
	dir, err := c.Library()
	if err != nil {
		return nil, err
	}
	if wants, err := newer(f, dir); err != nil {
		return nil, err
	} else if wants != "" {
		return nil, fmt.Errorf("it imports payoff's library, which wants go %s in go.mod: raise it and try again", wants)
	}
	const any = "v0.0.0" // what it is replaced by has no version
	if err := f.AddRequire(libraryModule, any); err != nil {
		return nil, err
	}
	if err := f.AddReplace(libraryModule, "", dir, ""); err != nil {
		return nil, err
	}
	out, err := f.Format()
	return map[string]string{gomod: string(out)}, err
}

func requires(f *modfile.File) bool {
	return slices.ContainsFunc(f.Require, func(r *modfile.Require) bool { return r.Mod.Path == libraryModule })
}

// newer is the version of Go that the library in dir wants of a module whose go.mod
// has an older one, else "".
func newer(f *modfile.File, dir string) (wants string, err error) {
	if wants, err = goLine(filepath.Join(dir, "go.mod")); err != nil {
		return "", err
	}
	if f.Go != nil && version.Compare("go"+f.Go.Version, "go"+wants) >= 0 {
		return "", nil
	}
	return wants, nil
}

// Barred says why the module of a folder cannot have edits that import the library,
// which library returns, as far as its go.mod says it before anything is measured;
// "" if it can.
func Barred(dir string, library func() (string, error)) string {
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		gomod := filepath.Join(dir, "go.mod")
		data, err := os.ReadFile(gomod)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		f, err := modfile.ParseLax(gomod, data, nil)
		if err != nil || f.Module != nil && f.Module.Mod.Path == libraryModule || requires(f) {
			return ""
		}
		lib, err := library()
		if err != nil {
			return ""
		}
		if wants, err := newer(f, lib); err == nil && wants != "" {
			has := "no go line"
			if f.Go != nil {
				has = "go " + f.Go.Version
			}
			return fmt.Sprintf("payoff's library wants go %s, and %s has %s", wants, gomod, has)
		}
		return ""
	}
	return ""
}

// goLine is the version of Go that a go.mod wants.
func goLine(gomod string) (string, error) {
	data, err := os.ReadFile(gomod)
	if err != nil {
		return "", err
	}
	f, err := modfile.ParseLax(gomod, data, nil)
	if err != nil {
		return "", err
	}
	if f.Go == nil {
		return "", fmt.Errorf("%s does not say which Go it wants", gomod)
	}
	return f.Go.Version, nil
}

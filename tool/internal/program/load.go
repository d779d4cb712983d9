package program

import (
	"context"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// typed is what is loaded of packages whose source is read with types.
const typed = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedModule

// Match loads the packages that match patterns, as of go vet, with types and
// tests: each once, with its tests if it has any. What does not load has errors.
func Match(ctx context.Context, dir, tags string, patterns ...string) ([]*packages.Package, error) {
	all, err := query(ctx, dir, tags, typed|packages.NeedForTest, true, nil, token.NewFileSet(), patterns...)
	return once(all), err
}

// query asks the go command for packages, as o has their files.
func query(ctx context.Context, dir, tags string, mode packages.LoadMode, tests bool, o overlay.Overlay, fset *token.FileSet, patterns ...string) ([]*packages.Package, error) {
	cfg := &packages.Config{Mode: mode, Context: ctx, Dir: dir, Tests: tests, Overlay: o, Fset: fset}
	if tags != "" {
		cfg.BuildFlags = []string{"-tags=" + tags}
	}
	all, err := packages.Load(cfg, patterns...)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return all, err
}

// once leaves out the main packages of tests, and of a package that is there with
// its tests the variant without.
func once(all []*packages.Package) (out []*packages.Package) {
	for _, p := range all {
		if !strings.HasSuffix(p.ID, ".test") && !slices.ContainsFunc(all, func(q *packages.Package) bool {
			return q.PkgPath == p.PkgPath && q.ForTest != "" && p.ForTest == ""
		}) {
			out = append(out, p)
		}
	}
	return out
}

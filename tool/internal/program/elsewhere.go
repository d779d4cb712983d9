package program

import (
	"context"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// A Platform is a GOOS with a GOARCH.
type Platform struct{ OS, Arch string }

func (p Platform) String() string { return p.OS + "/" + p.Arch }

// systems are those that constraints name, each with a processor that all its releases
// have had, and processors are those with a system.
var (
	systems    = map[string]string{"linux": "amd64", "windows": "amd64", "darwin": "arm64", "freebsd": "amd64", "netbsd": "amd64", "openbsd": "amd64", "js": "wasm", "wasip1": "wasm"}
	processors = map[string]string{"386": "linux", "amd64": "linux", "arm": "linux", "arm64": "linux", "loong64": "linux", "ppc64le": "linux", "riscv64": "linux", "s390x": "linux", "wasm": "js"}
)

// Platforms are those that names and build constraints of the Go files in folders tell
// apart, but for the one that the toolchain builds for; o is what the files are.
func Platforms(tc *gocmd.Toolchain, o overlay.Overlay, dirs ...string) (all []Platform) {
	named := map[string]bool{}
	file := func(name string, text []byte) {
		if filepath.Ext(name) != ".go" {
			return
		}
		parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".go"), "_test"), "_")
		for _, p := range parts[1:] {
			named[p] = true
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return
		}
		for _, g := range f.Comments {
			for _, c := range g.List {
				if e, err := constraint.Parse(c.Text); err == nil && c.Pos() < f.Package {
					e.Eval(func(tag string) bool { named[tag] = true; return true })
					e.Eval(func(tag string) bool { named[tag] = true; return false }) // what the other order leaves out
				}
			}
		}
	}
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir) // one that is new has what the overlay has
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if _, changed := o[name]; !changed && e.Type().IsRegular() {
				text, _ := os.ReadFile(name) // what cannot be read names nothing
				file(name, text)
			}
		}
		for name, text := range o {
			if filepath.Dir(name) == dir && text != nil {
				file(name, text)
			}
		}
	}
	if named["unix"] || named["bsd"] {
		named["darwin"] = true
	}
	for name := range named {
		p := Platform{name, systems[name]}
		if p.Arch == "" {
			p = Platform{processors[name], name}
		}
		if p.OS != "" && p.Arch != "" && p != (Platform{tc.OS, tc.Arch}) && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b Platform) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// Elsewhere type-checks packages for a platform under an overlay and returns the first
// complaint, "" if there is none. Nothing is compiled: all that
// they import is read from source, without the bodies of functions, which takes a second
// or two. A package that has no file for the platform is as good as any.
func Elsewhere(ctx context.Context, tc *gocmd.Toolchain, p Platform, o overlay.Overlay, paths ...string) (string, error) {
	texts := map[string][]byte{}
	for name, text := range o {
		switch {
		case text != nil:
			texts[name] = text
		case filepath.Ext(name) == ".go": // it cannot be hidden, and can be left out
			texts[name] = []byte("//go:build ignore\n\npackage ignore\n")
		}
	}
	var flags []string
	if tc.Tags != "" {
		flags = append(flags, "-tags="+tc.Tags)
	}
	cfg := &packages.Config{Context: ctx, Dir: tc.Dir, BuildFlags: flags, Overlay: texts,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedModule,
		Env:  append(os.Environ(), "GOOS="+p.OS, "GOARCH="+p.Arch, "CGO_ENABLED=0", "GOPROXY=off"),
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if f != nil && (gocmd.Within(tc.Root, name) || gocmd.Within(tc.ModCache, name)) {
				for _, d := range f.Decls {
					if fn, ok := d.(*ast.FuncDecl); ok {
						fn.Body = nil
					}
				}
			}
			return f, err
		}}
	all, err := packages.Load(cfg, paths...)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("for %s: %w", p, err)
	}
	for _, q := range all {
		for _, e := range q.Errors {
			if len(q.GoFiles) == 0 || strings.Contains(e.Msg, "build constraints exclude all Go files") {
				continue
			}
			at := e.Pos
			if i := strings.LastIndexAny(at, `/\`); i >= 0 {
				at = at[i+1:]
			}
			says, _, _ := strings.Cut(e.Msg, "\n")
			return fmt.Sprintf("%s: %s", at, says), nil
		}
	}
	return "", nil
}

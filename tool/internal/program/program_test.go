package program

import (
	"context"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/overlay"
)

var files = map[string]string{
	"go.mod":        "module example.com/m\n\ngo 1.22\n",
	"m.go":          "package m\n\nimport \"example.com/m/far\"\n\nfunc F() int { return far.G() }\n",
	"m_test.go":     "package m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F() }\n",
	"x_test.go":     "package m_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m\"\n)\n\nfunc TestX(t *testing.T) { m.F() }\n",
	"far/far.go":    "package far\n\nfunc G() int { return 1 }\n",
	"beside/b.go":   "package beside\n",
	"old/go.mod":    "module example.com/old\n\ngo 1.17\n",
	"old/o.go":      "package old\n",
	"old/o_test.go": "package old\n",
}

func load(t *testing.T) (dir string, p *Program) {
	t.Helper()
	dir, tc := gocmdtest.Module(t, files)
	return dir, list(t, tc, "example.com/m")
}

func list(t *testing.T, tc *gocmd.Toolchain, pkg string) *Program {
	t.Helper()
	p, err := List(context.Background(), tc, pkg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What a package imports of its module has its syntax, for analyzers whose facts it
// needs, and is among the packages if it was asked for alone.
func TestLinked(t *testing.T) {
	_, p := load(t)
	for _, paths := range [][]string{{"example.com/m"}, {"example.com/m", "example.com/m/far"}, {"example.com/m/far"}} {
		pkgs, err := p.Linked(paths)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, s := range pkgs {
			seen[ListPath(s.Package)] = true
			if far := s.Imports["example.com/m/far"]; s.PkgPath == "example.com/m" && (far == nil || len(far.Syntax) != 1) {
				t.Errorf("%s: what it imports has no syntax", s.ID)
			}
			if s.PkgPath == "example.com/m" && len(s.Files) != 2 {
				t.Errorf("%s: %d files, want that of its tests, too", s.ID, len(s.Files))
			}
		}
		if len(seen) != len(paths) {
			t.Errorf("%q: got %v", paths, seen)
		}
	}
}

// Where a package that is imported has tests that do not compile, all is as without them.
func TestLinkedBroken(t *testing.T) {
	more := maps.Clone(files)
	more["far/far_test.go"] = "package far\n\nvar x int = nil\n"
	_, tc := gocmdtest.Module(t, more)
	p := list(t, tc, "example.com/m")
	pkgs, err := p.Linked([]string{"example.com/m"})
	if err != nil || len(pkgs) != 2 {
		t.Errorf("%d packages, %v, want the package and its tests", len(pkgs), err)
	}
}

// The packages are those of the test binary, tests included, each once.
func TestTyped(t *testing.T) {
	dir, p := load(t)
	if got, want := p.Editable(), []string{"example.com/m", "example.com/m/far"}; !slices.Equal(got, want) {
		t.Errorf("Editable = %q, want %q", got, want)
	}
	pkgs, err := p.Typed(p.Editable())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range pkgs {
		line := s.Name + ":"
		for _, f := range s.Files {
			rel, _ := filepath.Rel(dir, f.Name)
			line += " " + filepath.ToSlash(rel)
			if string(f.Src) != files[filepath.ToSlash(rel)] {
				t.Errorf("%s has %q", f.Name, f.Src)
			}
		}
		extra, _ := filepath.Rel(dir, s.Extra("more"))
		got = append(got, line+" + "+filepath.ToSlash(extra))
	}
	slices.Sort(got)
	if want := []string{"far: far/far.go + far/more.go", "m: m.go m_test.go + more.go", "m_test: x_test.go + more_test.go"}; !slices.Equal(got, want) {
		t.Errorf("Typed = %q, want %q", got, want)
	}

	// One package sees an object of the other under the key that it has there.
	var declared, called string
	for _, s := range pkgs {
		for _, f := range s.Files {
			for n := range ast.Preorder(f.File) {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if n.Name.Name == "G" {
						declared = s.Key(s.TypesInfo.Defs[n.Name])
						if from, to := s.Offsets(n); string(f.Src[from:to]) != "func G() int { return 1 }" {
							t.Errorf("G is %q", f.Src[from:to])
						}
					}
				case *ast.CallExpr:
					if fn, ok := s.Callee(n).(*types.Func); ok && fn.Name() == "G" {
						called = s.Key(fn)
					}
				}
			}
		}
	}
	if declared == "" || declared != called {
		t.Errorf("G is declared as %q and called as %q", declared, called)
	}
}

// Check says whether the packages compile as an overlay has them.
func TestCheck(t *testing.T) {
	dir, p := load(t)
	file := filepath.Join(dir, "far", "far.go")
	if err := p.Check(overlay.Overlay{file: []byte("package far\n\nfunc G() int { return 2 }\n")}, p.Editable()); err != nil {
		t.Errorf("Check of what compiles = %v", err)
	}
	if err := p.Check(overlay.Overlay{file: []byte("package far\n\nfunc G() string { return \"\" }\n")}, p.Editable()); err == nil || !strings.Contains(err.Error(), "m.go:5") {
		t.Errorf("Check of what does not compile = %v, want where", err)
	}
	pkgs, err := p.Typed([]string{"example.com/m/far"})
	if err != nil || len(pkgs) != 1 {
		t.Fatalf("%d packages, %v, want one", len(pkgs), err)
	}
	if known, err := pkgs[0].Check(overlay.Overlay{file: nil}); !known || err != nil {
		t.Errorf("Check without the only file = %t, %v, want nothing to say", known, err)
	}
}

func TestEditable(t *testing.T) {
	dir, p := load(t)
	old := list(t, gocmdtest.Find(t, filepath.Join(dir, "old")), "example.com/old")
	for _, test := range []struct {
		p          *Program
		file, want string
	}{
		{p, filepath.Join(dir, "m.go"), ""},
		{p, filepath.Join(dir, "x_test.go"), ""},
		{p, filepath.Join(dir, "beside", "b.go"), "no file of the test binary"},
		{p, filepath.Join(dir, "absent.go"), "no file of the test binary"},
		{p, filepath.Join(p.tc.Root, "src", "testing", "testing.go"), "is in no module"},
		{old, filepath.Join(dir, "old", "o.go"), "raise go in its go.mod to 1.18"},
	} {
		q, name := test.p.Find(test.file)
		switch err := Editable(q); {
		case test.want == "" && (err != nil || name != test.file):
			t.Errorf("%s: %v, and it is called %q", test.file, err, name)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v, want %s", test.file, err, test.want)
		}
	}
	// Another name of a file that the go command knows.
	link := filepath.Join(t.TempDir(), "far.go")
	if err := os.Symlink(filepath.Join(dir, "far", "far.go"), link); err != nil {
		t.Skip(err)
	}
	if q, name := p.Find(link); q == nil || name != filepath.Join(dir, "far", "far.go") {
		t.Errorf("a link to far.go is found as %q", name)
	}
}

// TestEditableModules: a main module may be changed if its Go has generics, and it is not
// the standard library.
func TestEditableModules(t *testing.T) {
	for _, tt := range []struct {
		path, version string
		main, ok      bool
	}{
		{"m", "1.18", true, true}, {"m", "1.17", true, false}, {"m", "1.9", true, false}, {"m", "1.26.1", true, true}, {"m", "", true, false},
		{"m", "1.26", false, false}, {"std", "1.26", true, false}, {"cmd", "1.26", true, false},
	} {
		q := &packages.Package{PkgPath: "p", Module: &packages.Module{Path: tt.path, Main: tt.main, GoVersion: tt.version}}
		if err := Editable(q); (err == nil) != tt.ok {
			t.Errorf("module %s of Go %q, main: %v: %v; want it editable: %v", tt.path, tt.version, tt.main, err, tt.ok)
		}
	}
}

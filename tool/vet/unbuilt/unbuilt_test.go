package unbuilt

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// of reads a package of one file with others beside it: those with a system in
// their name are left out, tests are just there.
func of(t *testing.T, src string, beside map[string]string) (*Files, *ast.File) {
	t.Helper()
	dir := t.TempDir()
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, filepath.Join(dir, "p.go"), src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pass := &analysis.Pass{Fset: fset, Files: []*ast.File{tree}, Pkg: types.NewPackage("p", tree.Name.Name), ReadFile: os.ReadFile}
	for name, text := range beside {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(name, "_test.go"):
		case strings.HasSuffix(name, ".s"):
			pass.OtherFiles = append(pass.OtherFiles, path)
		default:
			pass.IgnoredFiles = append(pass.IgnoredFiles, path)
		}
	}
	return &Files{of: pass}, tree
}

const before = `package p
import "sync"
type S struct {
	mu sync.RWMutex
	N  int
}
var total int
var Open = make([]int, 3)
func f(x int) *S { return nil }
func (s *S) Get() int { return s.N }
`

// An edit is held off by what it changes of what such a file uses.
func TestBreaks(t *testing.T) {
	const windows, test = "x_windows.go", "x_test.go"
	edits := map[string][2]string{
		"field":  {"sync.RWMutex", "sync.Mutex"},
		"gone":   {"\tmu sync.RWMutex\n", ""},
		"pad":    {"N  int", "N int; _ [56]byte"},
		"var":    {"total int", "total atomic.Int64"},
		"infer":  {"make([]int", "make([]padded"},
		"result": {"*S {", "S {"},
		"method": {"Get() int", "Get() int64"},
		"new":    {"var total", "type padded struct{}\nvar total"},
		"import": {`import "sync"`, `import "sync"; import "slices"`},
		"body":   {"return nil", "return &S{N: 1}"},
	}
	for _, tt := range []struct {
		file, src string
		want      string // names of the edits that it holds off
	}{
		{windows, "func g(s *S) { s.mu.RLock() }", "field gone"},
		{windows, "func g(s *T) { s.other.RLock(); mu := 1; _ = mu }", ""},
		{windows, "func (s *S) g() int { s = &S{}; return s.N }", ""},
		{windows, "var s = S{sync.RWMutex{}, 1}", "field gone pad"},
		{windows, "var s = S{N: 1}", ""},
		{windows, "var s = [1]S{{N: 1}}", "field gone pad"},
		{windows, "type S struct{ N int32 }", "field gone pad"},
		{windows, "func (s *S) Get() int { return 1 }", "method"},
		{windows, "type getter interface{ Get() int }", "method"},
		{windows, "func g() { total++ }", "var"},
		{windows, "func g(total int) { total++ }", ""},
		{windows, "func g() int { return len(Open) }", "infer"},
		{windows, "func g() { f(1).Close() }", "result"},
		{windows, "type padded int", "new"},
		{windows, "import padded \"sync\"; var mu padded.Mutex", "new"},
		{windows, "var n = padded{}", "new"},
		{windows, "import . \"sync\"", "new"},
		{windows, "var slices []int", "import"},
		{windows, "import \"slices\"; var i = slices.Max(nil)", ""},
		{windows, "import \"unsafe\"; func g(s *S) uintptr { return unsafe.Sizeof(*s) }", "field gone pad"},
		{windows, "func {", "field gone import infer method new pad result var"},
		{"x_amd64.s", "MOVQ ·total(SB), AX", "var"},
		{"x_amd64.s", "MOVQ S_N(AX), BX", "field gone pad"},
		{"x_amd64.s", "MOVQ total+8(FP), AX", "var"},
		{test, "func g() { total++; f(2) }", "result var"},
		{test, "package p_test\nimport \"p\"; var s = p.S{1}", "field gone pad"},
		{test, "package p_test\nimport \"p\"; var s = p.S{N: 1}", ""},
		{test, "package p_test\nimport \"p\"; var x = p.Open[0]; var total = x; type padded int", "infer"},
		{"main.go", "//go:build ignore\n\npackage p\nfunc g() { total++ }", ""},
		{"main.go", "//go:build never\n\npackage p\nfunc g() { total++ }", "var"},
		{"other.go", "package other\nfunc g() { total++ }", ""},
	} {
		src := tt.src
		if !strings.Contains(src, "package ") && strings.HasSuffix(tt.file, ".go") {
			src = "package p\n" + src
		}
		left, was := of(t, before, map[string]string{tt.file: src})
		var got []string
		for _, name := range []string{"body", "field", "gone", "import", "infer", "method", "new", "pad", "result", "var"} {
			after := strings.Replace(before, edits[name][0], edits[name][1], 1)
			if after == before {
				t.Fatalf("edit %s changes nothing", name)
			}
			is, err := parser.ParseFile(token.NewFileSet(), "", after, 0)
			if err != nil {
				t.Fatal(err)
			}
			if why := left.Breaks(was, is); why != "" {
				got = append(got, name)
				if !strings.HasPrefix(why, tt.file+", ") {
					t.Errorf("with %q in %s: %q, want the name of the file", tt.src, tt.file, why)
				}
			}
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s with %q holds off %q, want %q", tt.file, tt.src, got, tt.want)
		}
	}
}

// A function may be another one in another build.
func TestDeclares(t *testing.T) {
	left, _ := of(t, before, map[string]string{"x_windows.go": "package p\nfunc f(x int) *S { return nil }\nfunc (s S) Get() int { return 1 }\nfunc (t T) Set() {}\n"})
	pkg := types.NewPackage("p", "p")
	named := func(name string) *types.Named {
		return types.NewNamed(types.NewTypeName(0, pkg, name, nil), types.NewStruct(nil, nil), nil)
	}
	fn := func(recv types.Type, name string) *types.Func {
		var r *types.Var
		if recv != nil {
			r = types.NewParam(0, pkg, "", recv)
		}
		return types.NewFunc(0, pkg, name, types.NewSignatureType(r, nil, nil, nil, nil, false))
	}
	for _, tt := range []struct {
		fn   *types.Func
		want bool
	}{
		{fn(nil, "f"), true},
		{fn(nil, "Get"), false},
		{fn(types.NewPointer(named("S")), "Get"), true},
		{fn(named("T"), "Get"), false},
		{fn(named("T"), "Set"), true},
	} {
		if got := left.Declares(tt.fn) != ""; got != tt.want {
			t.Errorf("Declares(%v) = %t, want %t", tt.fn, got, tt.want)
		}
	}
	if (*Files)(nil).Declares(fn(nil, "f")) != "" {
		t.Error("nil declares f")
	}
}

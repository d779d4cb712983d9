package payoff

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var updateAPI = flag.Bool("update", false, "write api.txt anew")

// TestAPI: what the library's packages export is what api.txt says, so that no
// name comes, goes or changes unseen.
func TestAPI(t *testing.T) {
	lines, err := api(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(lines, "\n") + "\n"
	if *updateAPI {
		if err := os.WriteFile("api.txt", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile("api.txt")
	if err != nil {
		t.Fatal(err)
	}
	was := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for _, l := range lines {
		if !slices.Contains(was, l) {
			t.Errorf("new: %s", l)
		}
	}
	for _, l := range was {
		if !slices.Contains(lines, l) {
			t.Errorf("gone: %s", l)
		}
	}
	if t.Failed() {
		t.Log("a change that is meant: go test -run TestAPI -update . and a line in CHANGELOG.md")
	}
}

// api returns what the packages of the root module export, a line for each name,
// sorted. It reads syntax: files of every platform count.
func api(root fs.FS) (lines []string, err error) {
	err = fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, nested := fs.Stat(root, path.Join(p, "go.mod"))
			if name := d.Name(); p != "." && (nested == nil || name == "internal" || name == "testdata" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		src, err := fs.ReadFile(root, p)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, p, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if f.Name.Name == "main" {
			return nil
		}
		for _, l := range exported(fset, f) {
			lines = append(lines, fmt.Sprintf("pkg %s, %s", path.Dir(p), l))
		}
		return nil
	})
	slices.Sort(lines)
	return slices.Compact(lines), err
}

// exported returns what a file exports, as source in one line each.
func exported(fset *token.FileSet, f *ast.File) (lines []string) {
	say := func(what string, n any) {
		var b strings.Builder
		if err := (&printer.Config{Mode: printer.RawFormat}).Fprint(&b, fset, n); err != nil {
			panic(err) // of a tree that was parsed
		}
		lines = append(lines, strings.Join(strings.Fields(what+" "+b.String()), " "))
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
				say("", &ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type})
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for i, n := range s.Names {
						if !n.IsExported() {
							continue
						}
						one := &ast.ValueSpec{Names: []*ast.Ident{n}, Type: s.Type}
						if d.Tok == token.CONST && i < len(s.Values) {
							one.Values = s.Values[i : i+1]
						}
						say(d.Tok.String(), one)
					}
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						exportedType(s, say)
					}
				}
			}
		}
	}
	return lines
}

// exportedType says a type without what it hides: of a struct each exported field
// by itself.
func exportedType(s *ast.TypeSpec, say func(string, any)) {
	fields, ok := s.Type.(*ast.StructType)
	if !ok {
		say("type", &ast.TypeSpec{Name: s.Name, TypeParams: s.TypeParams, Assign: s.Assign, Type: s.Type})
		return
	}
	say("type", &ast.TypeSpec{Name: s.Name, TypeParams: s.TypeParams, Assign: s.Assign, Type: ast.NewIdent("struct")})
	for _, field := range fields.Fields.List {
		if len(field.Names) == 0 && ast.IsExported(receiver(field.Type)) {
			say("type "+s.Name.Name+" struct,", field.Type)
		}
		for _, n := range field.Names {
			if n.IsExported() {
				say("type "+s.Name.Name+" struct, "+n.Name, field.Type)
			}
		}
	}
}

// receiver is the name of the type that a receiver or an embedded field is of.
func receiver(x ast.Expr) string {
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.SelectorExpr:
			return y.Sel.Name
		case *ast.Ident:
			return y.Name
		default:
			return ""
		}
	}
}

// TestAPILines: what is exported, and nothing else.
func TestAPILines(t *testing.T) {
	lines, err := api(fstest.MapFS{
		"p/p.go": {Data: []byte(`package p

// Max is a limit.
const Max, least = 3, 1

var Err = errors.New("x")

type T[K comparable] struct {
	A, b int // of both
	sync.Mutex
	hidden
}

type I interface{ M(); n() }

type Alias = T[int]

func (t *T[K]) Do(
	x int,
) error {
	return nil
}
func (h *hidden) Do() {}
func F[E any](e ...E) {}
func g()               {}
`)},
		"p/p_test.go":      {Data: []byte("package p\nfunc Test() {}")},
		"internal/q/q.go":  {Data: []byte("package q\nfunc Q() {}")},
		"nested/go.mod":    {Data: []byte("module nested")},
		"nested/n.go":      {Data: []byte("package n\nfunc N() {}")},
		"cmd/main.go":      {Data: []byte("package main\nfunc Main() {}")},
		"p/p_windows.go":   {Data: []byte("package p\nfunc F[E any](e ...E) {}\nfunc W() {}")},
		"p/testdata/td.go": {Data: []byte("package td\nfunc TD() {}")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"pkg p, const Max = 3",
		"pkg p, func (t *T[K]) Do( x int, ) error",
		"pkg p, func F[E any](e ...E)",
		"pkg p, func W()",
		"pkg p, type Alias = T[int]",
		"pkg p, type I interface { M() n() }",
		"pkg p, type T struct, A int",
		"pkg p, type T struct, sync.Mutex",
		"pkg p, type T[K comparable] struct",
		"pkg p, var Err",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

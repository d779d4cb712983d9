package uses_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

var (
	fset     = token.NewFileSet()
	packages = importer.ForCompiler(fset, "source", nil) // remembers what it read
)

// indexed type-checks a file of a package and makes its index.
func indexed(t *testing.T, src string) (*uses.Index, *types.Package) {
	t.Helper()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	pkg, err := (&types.Config{Importer: packages}).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return uses.New(inspector.New([]*ast.File{file}), info), pkg
}

// TestWrittenBy: what changes a variable, in each place of a statement; and what a use widens
// to.
func TestWrittenBy(t *testing.T) {
	for _, tt := range []struct {
		stmt    string // x is an int, s a struct with a field x of ints, p leads to one
		of      string
		written bool
		whole   bool
	}{
		{"x = 1", "x", true, true}, {"y = x", "x", false, true}, {"x++", "x", true, true}, {"x--", "x", true, true}, {"x += y", "x", true, true}, {"y += x", "x", false, true}, {"(x) = 1", "x", true, true}, {"y, x = 1, 2", "x", true, true},
		{"use(x)", "x", false, true}, {"use(&x)", "x", true, true}, {"use(-x)", "x", false, true}, {"use(&y, x)", "x", false, true},
		{"for x = range 3 {}", "x", true, true}, {"for _, x = range xs {}", "x", true, true}, {"for range x {}", "x", false, true},
		{"xs[1] = 2", "xs", true, false}, {"use(xs[1])", "xs", false, false}, {"y = xs[x]", "x", false, true}, {"xs[x] = 1", "x", false, true}, {"use(&xs[1])", "xs", true, false}, {"use(xs[1:])", "xs", false, false}, {"xs = nil", "xs", true, true}, {"(xs)[1]++", "xs", true, false},
		{"p.x[1] = 2", "p", true, false}, {"*p = S{}", "p", true, false}, {"use(*p)", "p", false, false}, {"p = nil", "p", true, true}, {"use(p.x)", "p", false, false}, {"(*p).x = nil", "p", true, false},
	} {
		x, _ := indexed(t, "package p\n\ntype S struct{ x []int }\n\nfunc use(...any) {}\n\nfunc f(x, y int, xs []int, p *S) {\n\t"+tt.stmt+"\n}\n")
		n := 0
		for c := range x.Root.Preorder((*ast.Ident)(nil)) {
			v, ok := x.Info.Uses[c.Node().(*ast.Ident)].(*types.Var)
			if !ok || v.Name() != tt.of || v.IsField() {
				continue
			}
			n++
			part, whole := uses.Elements(uses.Whole(c))
			if got := uses.Written(part); got != tt.written || whole != tt.whole {
				t.Errorf("%s: %s is written %t, whole %t, want %t, %t", tt.stmt, tt.of, got, whole, tt.written, tt.whole)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d uses of %s, want 1", tt.stmt, n, tt.of)
		}
	}
}

// TestRefersTo: what leads to memory that others may share.
func TestRefersTo(t *testing.T) {
	_, pkg := indexed(t, `package p

import ("sync"; "unsafe")

type T struct{ m sync.Mutex }
type A = *T

var (
	no1 int; no2 string; no3 [3]bool; no4 struct{ a int; b [2]string }; no5 [0]complex128
	yes1 []int; yes2 *int; yes3 map[int]int; yes4 chan int; yes5 func(); yes6 any; yes7 [2][]int; yes8 struct{ a int; b *int }; yes9 unsafe.Pointer; yes10 struct{ a [1]struct{ b func() } }
	alias A
)
`)
	for _, name := range pkg.Scope().Names() {
		v, ok := pkg.Scope().Lookup(name).(*types.Var)
		if !ok || name == "alias" {
			continue
		}
		if got := uses.Refers(v.Type()); got != strings.HasPrefix(name, "yes") {
			t.Errorf("Refers(%s) = %t", v.Type(), got)
		}
	}
	if !uses.Refers(nil) {
		t.Error("of what has no type it is not known")
	}
	named := pkg.Scope().Lookup("T").Type()
	alias := pkg.Scope().Lookup("alias").Type()
	mutex := named.Underlying().(*types.Struct).Field(0).Type()
	if uses.Deref(alias) != named || uses.Deref(named) != named || uses.Named(alias) != named || uses.Named(nil) != nil || uses.Named(types.Typ[types.Int]) != nil {
		t.Error("an alias of a pointer leads to its named type, and nothing else does")
	}
	for _, tt := range []struct {
		path, name string
		want       bool
	}{{"sync", "Mutex", true}, {"sync", "RWMutex", false}, {"sync2", "Mutex", false}} {
		if got := uses.Is(mutex, tt.path, tt.name); got != tt.want {
			t.Errorf("Is(%s, %s, %s) = %t, want %t", mutex, tt.path, tt.name, got, tt.want)
		}
	}
	if uses.Is(types.NewPointer(mutex), "sync", "Mutex") || uses.Is(types.Universe.Lookup("error").Type(), "", "error") {
		t.Error("a pointer, or a type of no package, is one of package sync")
	}
}

// TestUnseenBy: what other packages may use: exported variables and fields of the package,
// but for what is embedded in a type that they cannot name.
func TestUnseenBy(t *testing.T) {
	const src = `package p

type In struct{ Y, y int }
type hidden struct { In; Z int }
type Shown struct { In; z int }

var X, x int

func F(P int) { V := P; _ = V }
`
	for _, name := range []string{"p", "main"} {
		x, _ := indexed(t, strings.Replace(src, "package p", "package "+name, 1))
		seen := map[string]string{}
		for id, o := range x.Info.Defs {
			v, ok := o.(*types.Var)
			if !ok {
				continue
			}
			key := id.Name
			for c := range x.Root.Preorder((*ast.TypeSpec)(nil)) {
				if s := c.Node().(*ast.TypeSpec); s.Pos() <= v.Pos() && v.Pos() < s.End() {
					key = s.Name.Name + "." + key
				}
			}
			seen[key] = x.Unseen(v)
		}
		for c := range x.Root.Preorder((*ast.TypeSpec)(nil)) { // embedded fields are no definitions
			s := c.Node().(*ast.TypeSpec)
			for f := range x.Info.Defs[s.Name].Type().Underlying().(*types.Struct).Fields() {
				seen[s.Name.Name+"."+f.Name()] = x.Unseen(f)
			}
		}
		for _, v := range []string{"In.Y", "In.y", "hidden.Z", "Shown.z", "Shown.In", "X", "x", "P", "V", "hidden.In"} {
			bare := v[strings.LastIndexByte(v, '.')+1:]
			want := ""
			if name == "p" && (v == "In.Y" || v == "hidden.Z" || v == "Shown.In" || v == "X") {
				want = "other packages may use " + bare
			}
			if got, ok := seen[v]; got != want || !ok {
				t.Errorf("%s of package %s: %q, %t, want %q", v, name, got, ok, want)
			}
		}
	}
}

// TestHolders: the function, the statement and the loop that a call is in.
func TestHolders(t *testing.T) {
	for _, tt := range []struct{ body, around, fn, stmt string }{ // of the call of mark
		{"mark()", "decl", "decl", "mark()"}, {"for { mark() }", "for", "decl", "mark()"}, {"for range 3 { for { mark() } }", "for", "decl", "mark()"}, {"for { for range 3 { mark() } }", "range", "decl", "mark()"},
		{"for { func() { mark() }() }", "lit", "lit", "mark()"}, {"func() { for { mark() } }()", "for", "lit", "mark()"}, {"if true { _ = mark() + 1 }", "decl", "decl", "_ ="}, {"switch { case true: mark() }", "decl", "decl", "mark()"},
		{"select { default: mark() }", "decl", "decl", "mark()"}, {"for range mark() {}", "range", "decl", "for range"}, {"if mark() > 1 {}", "decl", "decl", "if mark"}, {"go mark()", "decl", "decl", "go mark"},
	} {
		src := "package p\n\nfunc mark() int { return 1 }\n\nfunc f() {\n\t" + tt.body + "\n}\n"
		x, _ := indexed(t, src)
		kind := func(n ast.Node) string {
			switch n.(type) {
			case *ast.ForStmt:
				return "for"
			case *ast.RangeStmt:
				return "range"
			case *ast.FuncLit:
				return "lit"
			case *ast.FuncDecl:
				return "decl"
			}
			return "none"
		}
		for c := range x.Root.Preorder((*ast.CallExpr)(nil)) {
			if id, ok := c.Node().(*ast.CallExpr).Fun.(*ast.Ident); !ok || id.Name != "mark" {
				continue
			}
			at := func(pos token.Pos) int { return fset.Position(pos).Offset }
			fn, ok := uses.Func(c)
			stmt, listed := uses.Statement(c)
			if got := kind(uses.Around(c)); got != tt.around || !ok || kind(fn.Node()) != tt.fn || !listed || !uses.Listed(stmt) || !strings.HasPrefix(src[at(stmt.Node().Pos()):], tt.stmt) || uses.Decl(c).Name.Name != "f" {
				t.Errorf("%s: around %s, in %s, statement %q, want %+v", tt.body, got, kind(fn.Node()), src[at(stmt.Node().Pos()):at(stmt.Node().End())], tt)
			}
		}
	}
	x, _ := indexed(t, "package p\n\nvar v = f()\n\nfunc f() int\n\nfunc g() int { return 1 }\n")
	for c := range x.Root.Preorder((*ast.CallExpr)(nil)) {
		if _, ok := uses.Func(c); ok || uses.Decl(c) != nil {
			t.Error("a call of a declaration is in a function")
		}
		if _, ok := uses.Statement(c); ok {
			t.Error("a call of a declaration is in a statement of a list")
		}
	}
	for c := range x.Root.Preorder((*ast.FuncDecl)(nil)) {
		d := c.Node().(*ast.FuncDecl)
		if _, ok := x.Declaration(x.Info.Defs[d.Name].(*types.Func)); ok != (d.Body != nil) {
			t.Errorf("%s is declared with a body: %t, want %t", d.Name.Name, ok, d.Body != nil)
		}
	}
}

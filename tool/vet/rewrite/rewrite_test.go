package rewrite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// bare imports packages that have an Exit and nothing else.
type bare struct{}

func (bare) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, base(path))
	p.Scope().Insert(types.NewFunc(token.NoPos, p, "Exit", types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(token.NoPos, p, "code", types.Typ[types.Int])), nil, false)))
	p.MarkComplete()
	return p, nil
}

// check type-checks a file as far as that goes and returns a pass over it.
func check(t *testing.T, src string) *analysis.Pass {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "a.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{}}
	conf := types.Config{Importer: bare{}, Error: func(error) {}}
	pkg, _ := conf.Check("a", fset, []*ast.File{f}, info)
	return &analysis.Pass{Fset: fset, Files: []*ast.File{f}, Pkg: pkg, TypesInfo: info, ReadFile: func(string) ([]byte, error) { return []byte(src), nil }}
}

// at is where the first identifier with a name is used.
func at(p *analysis.Pass, name string) (pos token.Pos) {
	ast.Inspect(p.Files[0], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name && !pos.IsValid() {
			pos = id.Pos()
		}
		return true
	})
	return pos
}

func TestImport(t *testing.T) {
	const body = "\nfunc f() { here() }\n\nfunc here() {}\n"
	for _, tt := range []struct{ name, path, src, want, as string }{
		{"none", "slices", "package a\n" + body, "package a\n\nimport \"slices\"\n" + body, "slices"},
		{"there", "fmt", "package a\n\nimport \"fmt\"\n\nfunc f() { here(); fmt.Println() }\n\nfunc here() {}\n", "", "fmt"},
		{"renamed", "fmt", "package a\n\nimport p \"fmt\"\n\nfunc f() { here(); p.Println() }\n\nfunc here() {}\n", "", "p"},
		{"after", "slices", "package a\n\nimport _ \"fmt\"\n" + body, "package a\n\nimport (\n\t_ \"fmt\"\n\t\"slices\"\n)\n" + body, "slices"},
		{"before", "cmp", "package a\n\nimport _ \"fmt\"\n" + body, "package a\n\nimport (\n\t\"cmp\"\n\t_ \"fmt\"\n)\n" + body, "cmp"},
		{"block", "slices", "package a\n\nimport (\n\t_ \"fmt\"\n\t_ \"sort\"\n)\n" + body, "package a\n\nimport (\n\t_ \"fmt\"\n\t\"slices\"\n\t_ \"sort\"\n)\n" + body, "slices"},
		{"other group", "example.com/x/par", "package a\n\nimport (\n\t_ \"fmt\"\n)\n" + body, "package a\n\nimport (\n\t_ \"fmt\"\n\n\t\"example.com/x/par\"\n)\n" + body, "par"},
		{"standard first", "fmt", "package a\n\nimport _ \"example.com/x\"\n" + body, "package a\n\nimport (\n\t\"fmt\"\n\n\t_ \"example.com/x\"\n)\n" + body, "fmt"},
		{"second version", "math/rand/v2", "package a\n" + body, "package a\n\nimport \"math/rand/v2\"\n" + body, "rand"},
		{"taken", "slices", "package a\n\nvar slices = 1\n" + body, "package a\n\nimport slices2 \"slices\"\n\nvar slices = 1\n" + body, "slices2"},
		{"shadowed", "fmt", "package a\n\nimport \"fmt\"\n\nfunc f(fmt int) { here() }\n\nfunc here() { fmt.Println() }\n", "package a\n\nimport (\n\t\"fmt\"\n\tfmt2 \"fmt\"\n)\n\nfunc f(fmt int) { here() }\n\nfunc here() { fmt.Println() }\n", "fmt2"},
		{"cgo", "fmt", "package a\n\nimport \"C\"\n" + body, "package a\n\nimport \"fmt\"\n\nimport \"C\"\n" + body, "fmt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := check(t, tt.src)
			as, edits := Import(p.Pkg, p.Files[0], tt.path, at(p, "here"))
			if as != tt.as {
				t.Errorf("name %q, want %q", as, tt.as)
			}
			got, err := Apply(p.Fset.File(p.Files[0].FileStart), []byte(tt.src), edits)
			if want := tt.want; err != nil || want != "" && string(got) != want || want == "" && string(got) != tt.src {
				t.Errorf("makes\n%s%v\nwant\n%s", got, err, tt.want)
			}
		})
	}
}

// Edits that import two packages go together.
func TestImportTwice(t *testing.T) {
	for _, tt := range []struct{ imports, want string }{
		{"", "import (\n\t\"slices\"\n\n\t\"example.com/x/par\"\n)\n\n"},
		{"import _ \"fmt\"\n\n", "import (\n\t_ \"fmt\"\n\t\"slices\"\n\n\t\"example.com/x/par\"\n)\n\n"},
		{"import (\n\t_ \"fmt\"\n)\n\n", "import (\n\t_ \"fmt\"\n\t\"slices\"\n\n\t\"example.com/x/par\"\n)\n\n"},
		{"import _ \"fmt\" // why\n\n", "import (\n\t\"slices\"\n\n\t\"example.com/x/par\"\n)\n\nimport _ \"fmt\" // why\n\n"},
	} {
		src := "package a\n\n" + tt.imports + "func f() { here() }\n\nfunc here() {}\n"
		p := check(t, src)
		_, one := Import(p.Pkg, p.Files[0], "example.com/x/par", at(p, "here"))
		_, two := Import(p.Pkg, p.Files[0], "slices", at(p, "here"))
		got, err := Apply(p.Fset.File(p.Files[0].FileStart), []byte(src), append(one, two...))
		if want := "package a\n\n" + tt.want + "func f() { here() }\n\nfunc here() {}\n"; err != nil || string(got) != want {
			t.Errorf("%q becomes\n%s%v\nwant\n%s", src, got, err, want)
		}
	}
}

// What an edit leaves unused goes, and nothing else.
func TestComplete(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"package a\n\nimport \"sort\"\n\nfunc f() { sort.Ints(nil) }\n", "package a\n\nfunc f() { g(nil) }\n"},
		{"package a\n\nimport (\n\t\"fmt\"\n\t\"sort\"\n)\n\nfunc f() { sort.Ints(nil); fmt.Println() }\n", "package a\n\nimport \"fmt\"\n\nfunc f() { g(nil); fmt.Println() }\n"},
		{"package a\n\nimport \"sort\"\n\nfunc f() { sort.Ints(nil) }\n\nfunc h() { sort.Ints(nil) }\n", "package a\n\nimport \"sort\"\n\nfunc f() { g(nil) }\n\nfunc h() { sort.Ints(nil) }\n"},
		{"package a\n\nimport s \"sort\"\n\nfunc f() { s.Ints(nil) }\n", "package a\n\nfunc f() { g(nil) }\n"},
		{"package a\n\nimport _ \"sort\"\n\nfunc f() { s.Ints(nil) }\n", "package a\n\nimport _ \"sort\"\n\nfunc f() { g(nil) }\n"},
	} {
		p := check(t, tt.src)
		var call ast.Expr
		ast.Inspect(p.Files[0], func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && call == nil {
				call = c.Fun
			}
			return true
		})
		edits, err := Complete(p, []analysis.TextEdit{Replace(call, "g")})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Apply(p.Fset.File(p.Files[0].FileStart), []byte(tt.src), edits)
		if g, w := strings.ReplaceAll(string(got), "; ", "\n\t"), strings.ReplaceAll(tt.want, "; ", "\n\t"); err != nil || strings.Join(strings.Fields(g), " ") != strings.Join(strings.Fields(w), " ") {
			t.Errorf("of\n%smakes\n%s%v\nwant\n%s", tt.src, got, err, tt.want)
		}
	}
}

func TestApply(t *testing.T) {
	p := check(t, "package a\n\nvar a, b = 1, 2\n")
	f, tf := p.Files[0], p.Fset.File(p.Files[0].FileStart)
	spec := f.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
	one, two := Replace(spec.Values[0], "3"), Replace(spec.Values[1], "4")
	for _, tt := range []struct {
		src, want string
		edits     []analysis.TextEdit
	}{
		{"package a\n\nvar a, b = 1, 2\n", "package a\n\nvar a, b = 3, 4\n", []analysis.TextEdit{two, one}},
		{"package a\n\nvar a, b = 1, 2\n", "package a\n\nvar a, b = 3, 2\n", []analysis.TextEdit{one, one}},
		{"package a\n\nvar a, b = 1, 2\n", "", []analysis.TextEdit{one, Replace(spec, "c")}},
		{"package a\n\nvar a, b = 1, 2\n", "", []analysis.TextEdit{Replace(spec, "= =")}},
		{"package a\n\nvar a,b =  1, 2", "package a\n\nvar a,b =  x2", []analysis.TextEdit{{Pos: spec.Values[0].Pos() + 0, End: spec.Values[1].Pos(), NewText: []byte("x")}}}, // was not formatted: stays
	} {
		got, err := Apply(tf, []byte(tt.src), tt.edits)
		if (err != nil) != (tt.want == "") || err == nil && string(got) != tt.want {
			t.Errorf("%q: %q, %v; want %q", tt.src, got, err, tt.want)
		}
	}
}

func TestFresh(t *testing.T) {
	p := check(t, "package a\n\nvar sum int\n\nfunc f(local int) { local2 := local; _ = local2 }\n")
	fn := p.Files[0].Decls[1].(*ast.FuncDecl)
	for name, want := range map[string]string{"sum": "sum2", "local": "local3", "x": "x", "len": "len2"} {
		if got := Fresh(p.Pkg, fn.Body, name); got != want {
			t.Errorf("Fresh(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestLeaves(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{"x++", ""},
		{"return", "return"},
		{"break", ""},
		{"continue", ""},
		{"for { break }; switch { case true: break }", ""},
		{"switch { case true: continue }", ""},
		{"continue outer", "labelled continue"},
		{"inner: for { break inner }", ""},
		{"goto outer", "goto"},
		{"defer f()", "defer"},
		{"panic(1)", "panic"},
		{"recover()", "recover"},
		{"os.Exit(1)", "os.Exit"},
		{"func() { return }()", ""},
		{"if x > 0 { for { return } }", "return"},
	} {
		p := check(t, "package a\n\nimport \"os\"\n\nvar x int\n\nfunc f() {\nouter:\n\tfor {\n"+tt.body+"\n\t}\n}\n\nvar _ = os.Exit\n")
		var loop *ast.ForStmt
		ast.Inspect(p.Files[0], func(n ast.Node) bool {
			if l, ok := n.(*ast.ForStmt); ok && loop == nil {
				loop = l
			}
			return true
		})
		var got []string
		for _, l := range Leaves(p.TypesInfo, loop.Body, true) {
			got = append(got, l.How)
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.body, s, tt.want)
		}
	}
	// A body that is not a loop's is left by break and continue.
	p := check(t, "package a\n\nfunc f() {\n\tfor {\n\t\tif true {\n\t\t\tbreak\n\t\t}\n\t\tif true {\n\t\t\tcontinue\n\t\t}\n\t}\n}\n")
	var got []string
	ast.Inspect(p.Files[0], func(n ast.Node) bool {
		if i, ok := n.(*ast.IfStmt); ok {
			for _, l := range Leaves(p.TypesInfo, i.Body, false) {
				got = append(got, fmt.Sprint(l.How))
			}
		}
		return true
	})
	if !slices.Equal(got, []string{"break", "continue"}) {
		t.Errorf("%q, want break and continue", got)
	}
}

// Two edits that each leave a use of an import leave none together.
func TestApplyTogether(t *testing.T) {
	for _, tt := range []struct{ imports, want string }{
		{"import \"fmt\"\n", ""},
		{"import (\n\t\"errors\"\n\t\"fmt\"\n)\n", "import \"errors\"\n"},
		{"import (\n\t// of ours\n\t\"errors\"\n\t\"fmt\"\n)\n", "import (\n\t// of ours\n\t\"errors\"\n)\n"},
		{"import (\n\tp \"fmt\" // for both\n)\n", ""},
		{"import _ \"fmt\"\n", "import _ \"fmt\"\n"},
	} {
		name := "fmt"
		if strings.Contains(tt.imports, "p ") {
			name = "p"
		}
		src := "package a\n\n" + tt.imports + "\nfunc f() {\n\t" + name + ".Exit(1)\n\t" + name + ".Exit(2)\n}\n"
		p := check(t, src)
		var edits []analysis.TextEdit
		ast.Inspect(p.Files[0], func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				edits = append(edits, Replace(call, "g()"))
			}
			return true
		})
		got, err := Apply(p.Fset.File(p.Files[0].FileStart), []byte(src), edits)
		if err != nil {
			t.Fatal(err)
		}
		want := "package a\n\n" + tt.want + "\nfunc f() {\n\tg()\n\tg()\n}\n"
		if tt.want == "" {
			want = "package a\n\nfunc f() {\n\tg()\n\tg()\n}\n"
		}
		if string(got) != want {
			t.Errorf("%q becomes %q, want %q", src, got, want)
		}
	}
}

func TestType(t *testing.T) {
	p := check(t, "package a\n\nimport \"fmt\"\n\ntype (\n\tt[E any] []E\n\tlocal int\n\thidden = local\n)\n\nfunc f(x t[map[string]*local], y []fmt.T, z struct{ n int }, e any) {\n\there()\n}\n\nfunc g(local int) { there() }\n\nfunc here() {}\n")
	f := p.Pkg.Scope().Lookup("f").(*types.Func).Signature().Params()
	for i, tt := range []struct{ text, there string }{
		{"t[map[string]*local]", ""}, {"", ""}, {"", ""}, {"any", "any"},
	} {
		text, ok := Type(p.Pkg, p.Files[0], at(p, "here"), f.At(i).Type())
		if ok != (tt.text != "") || ok && text != tt.text {
			t.Errorf("%v: %q, %t, want %q", f.At(i).Type(), text, ok, tt.text)
		}
		text, ok = Type(p.Pkg, p.Files[0], at(p, "there"), f.At(i).Type())
		if ok != (tt.there != "") || ok && text != tt.there {
			t.Errorf("%v where local is a variable: %q, %t, want %q", f.At(i).Type(), text, ok, tt.there)
		}
	}
}

// What an edit leaves of a condition goes, if asking does nothing.
func TestApplyEmpty(t *testing.T) {
	for _, tt := range []struct{ cond, want string }{
		{"a", ""},
		{"!a && len(b) > 1", ""},
		{"a == (c.d != nil)", ""},
		{"c.f()", "if c.f() {"},
		{"<-e", "if <-e {"},
		{"here", "if here {"}, // it would be unused
		{"b[0] > 1", "if b[0] > 1 {"},
	} {
		src := "package a\n\nfunc f(a bool, b []int, c t, e chan bool) {\n\there := a && len(b) > 0 && c.d != nil\n\tif " + tt.cond + " {\n\t\tgone()\n\t}\n\tstays(c.f(), <-e)\n}\n"
		p := check(t, src)
		var edits []analysis.TextEdit
		ast.Inspect(p.Files[0], func(n ast.Node) bool {
			if st, ok := n.(*ast.ExprStmt); ok && strings.HasPrefix(Text(p.Fset, st), "gone") {
				edits = append(edits, Replace(st, ""))
			}
			return true
		})
		got, err := Apply(p.Fset.File(p.Files[0].FileStart), []byte(src), edits)
		if err != nil {
			t.Fatal(err)
		}
		if tt.want == "" && strings.Contains(string(got), "if ") || !strings.Contains(string(got), tt.want) {
			t.Errorf("%s: %s", tt.cond, got)
		}
	}
}

package room_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/room"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// bare imports unsafe alone.
type bare struct{}

func (bare) Import(path string) (*types.Package, error) {
	if path != "unsafe" {
		return nil, errors.New("not here")
	}
	return types.Unsafe, nil
}

// A source is a file with its types.
type source struct {
	fset *token.FileSet
	file *ast.File
	pkg  *types.Package
	*uses.Index
}

func check(t *testing.T, src string) *source {
	t.Helper()
	s := &source{fset: token.NewFileSet()}
	var err error
	if s.file, err = parser.ParseFile(s.fset, "p.go", src, parser.ParseComments); err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	if s.pkg, err = (&types.Config{Importer: bare{}}).Check("p", s.fset, []*ast.File{s.file}, info); err != nil {
		t.Fatal(err)
	}
	s.Index = uses.New(inspector.New([]*ast.File{s.file}), info)
	return s
}

// variable is the variable or field that is declared first under a name.
func (s *source) variable(t *testing.T, name string) *types.Var {
	t.Helper()
	for n := range ast.Preorder(s.file) {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			if v, ok := s.Info.Defs[id].(*types.Var); ok {
				return v
			}
		}
	}
	t.Fatalf("no variable %s", name)
	return nil
}

// A source whose elements or variables move, and what becomes of it. Where flows is
// set the type is generic, as the experiments have it.
var moves = []struct {
	name, src, of string
	whole, flows  bool
	want          string // lines that are there then
	why           string // or why nothing moves
}{
	{"made, indexed, measured", "func f() int { xs := make([]int, 4); xs[1]++; return len(xs) + xs[0] }", "xs", false, false,
		"xs := make([]R, 4)|xs[1].n++|return len(xs) + xs[0].n", ""},
	{"made anew and cut", "func f() { xs := make([]int, 4); xs = make([]int, 2); xs = xs[:1]; xs = nil; xs[0]++ }", "xs", false, false,
		"xs = make([]R, 2)|xs = xs[:1]|xs = nil", ""},
	{"a literal, with keys", "var xs = [...]int{1, 2: 5}", "xs", false, false, "var xs = [...]R{{n: 1}, 2: {n: 5}}", ""},
	{"its own element in a literal", "func f(n int) { xs := []int{n}; xs = []int{xs[0]} }", "xs", false, false, "xs = []R{{n: xs[0].n}}", ""},
	{"a loop over copies", "func f() (s int) { xs := make([]int, 4); for _, x := range xs { s += x }; return s }", "xs", false, false, "s += x.n", ""},
	{"a loop over indexes", "func f() (s int) { xs := make([]int, 4); for i := range xs { s += xs[i] }; return s }", "xs", false, false, "s += xs[i].n", ""},
	{"two in a declaration", "var xs, ys []int\n\nfunc f() { xs[0]++ }", "xs", false, false, "var xs, ys []R", ""},
	{"a field by its name", "type s struct{ xs []int }\n\nfunc f() *s { return &s{xs: make([]int, 4)} }", "xs", false, false, "xs []R|xs: make([]R, 4)", ""},
	{"a field, from elsewhere", "type s struct{ xs []int }\n\nfunc f(g func() []int) *s { return &s{xs: g()} }", "xs", false, false, "", "its elements come from g()"},
	{"used as a whole", "func f() []int { xs := make([]int, 4); return xs }", "xs", false, false, "", "it is used as a whole"},
	{"handed on", "func f() { xs := make([]int, 4); g(xs) }\n\nfunc g(ys []int) { ys[0]++ }", "xs", false, false, "", "it is handed to g"},
	{"handed on, and followed", "func f() { xs := make([]int, 4); g(xs[1:]) }\n\nfunc g(ys []int) { ys[0]++ }", "xs", false, true, "make([]R[int], 4)|g(ys []R[int])|ys[0].n++", ""},
	{"another name", "func f() { xs := make([]int, 4); ys := xs; ys[0]++ }", "xs", false, false, "", "it is used as a whole"},
	{"another name, followed", "func f() { xs := make([]int, 4); ys := xs; ys[0]++ }", "xs", false, true, "ys[0].n++", ""},
	{"a parameter", "func f(xs []int) { xs[0]++ }", "xs", false, false, "", "it is a parameter or a result"},
	{"a parameter of a value", "var _ = func(xs []int) { xs[0]++ }", "xs", false, true, "", "it is a parameter of a function value"},
	{"a type with a name", "type t []int\n\nvar xs t", "xs", false, false, "", "its type t is not written as a slice or array"},
	{"elements without a type", "var xs = [][]int{{1}, {2}}", "xs", false, false, "", "its literal has elements without a type"},
	{"several results", "func f(g func() ([]int, int)) { xs, _ := g(); xs[0]++ }", "xs", false, false, "", "it is set by a call with several results, or by its statement"},
	{"a loop that sets another", "func f() { var x int; xs := make([]int, 4); for _, x = range xs { _ = x } }", "xs", false, false, "", "a range clause sets a variable from it"},
	{"a variable", "var x int; var y int\n\nfunc f() { y++; x = y; g(&y) }\n\nfunc g(*int) {}", "y", true, false, "var x int|var y R|y.n++|x = y.n|g(&y.n)", ""},
	{"a variable with a value", "var x = 1", "x", true, false, "", "it is declared with a value"},
	{"a variable with a value, made", "func f() { var x, y int64 = 1, 2; x += y }", "x", true, true, "var x, y R[int64] = mk[int64](1), mk[int64](2)|x.n += y.n", ""},
	{"too large", "var xs [1 << 20]int", "xs", false, false, "", room.Large},
	{"one that other packages see", "var Xs []int", "Xs", false, false, "", "other packages may use Xs"},
	{"beside unsafe", "import \"unsafe\"\n\nfunc f() unsafe.Pointer { xs := make([]int, 4); return unsafe.Pointer(&xs[1]) }", "xs", false, false, "", "the address of an element is taken beside package unsafe"},
}

func TestMove(t *testing.T) {
	for _, tt := range moves {
		src := "package p\n\n" + tt.src + "\n"
		s := check(t, src)
		m := &room.Move{Index: s.Index, Elements: !tt.whole, Flows: tt.flows, Values: tt.flows}
		if !tt.flows && !tt.whole {
			m = room.Elements(s.Index, s.variable(t, tt.of))
		}
		m.Join(s.variable(t, tt.of))
		why, at := m.Find()
		if why != tt.why || (why != "") != at.IsValid() {
			t.Errorf("%s: %q at %v, want %q", tt.name, why, s.fset.Position(at), tt.why)
			continue
		}
		if why != "" {
			continue
		}
		out, err := rewrite.Apply(s.fset.File(s.file.FileStart), []byte(src), room.Edits(m.Changes(s.fset, room.Type{Name: "R", Generic: tt.flows, Field: "n", Make: "mk"})))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		for want := range strings.SplitSeq(tt.want, "|") {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: no %q in\n%s", tt.name, want, out)
			}
		}
	}
}

// A name through which the package changes is no element of its own: what is selected
// of an embedded T stays as it is written.
func TestEmbedded(t *testing.T) {
	const src = "package p\n\ntype t struct{ hits int }\n\nfunc (x *t) inc() { x.hits++ }\n\nvar xs [4]t\n\nfunc f() {\n\txs[0].inc()\n\txs[1].hits++\n\tg(&xs[2])\n}\n\nfunc g(*t) {}\n"
	s := check(t, src)
	m := room.Elements(s.Index, s.variable(t, "xs"))
	if why, _ := m.Find(); why != "" {
		t.Fatal(why)
	}
	out, err := rewrite.Apply(s.fset.File(s.file.FileStart), []byte(src), room.Edits(m.Changes(s.fset, room.Type{Name: "R", Field: "t", Embedded: true})))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"var xs [4]R", "xs[0].inc()", "xs[1].hits++", "g(&xs[2].t)"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// Room is put before the fields that are asked for, once; names that are declared
// together part with their tag.
func TestBetween(t *testing.T) {
	const src = "package p\n\ntype e struct{}\n\ntype s struct {\n\ta, b, c int `x:\"y\"`\n\t// d is last.\n\td int\n\te\n\tf int; g int\n}\n"
	for _, tt := range []struct {
		fields string
		lines  bool
		want   string
	}{
		{"b", true, "a int `x:\"y\"` _ [128]byte b, c int `x:\"y\"`"}, {"a c", false, "_ [128]byte a, b int `x:\"y\"` _ [128]byte c int"},
		{"d", true, "_ [128]byte // keeps what follows off the cache line // d is last. d int"}, {"d", false, "// d is last. _ [128]byte d int"},
		{"e", true, "d int _ [128]byte // keeps what follows off the cache line e"}, {"g", true, "f int _ [128]byte g int"},
	} {
		s := check(t, src)
		st := s.pkg.Scope().Lookup("s").Type().Underlying().(*types.Struct)
		before := map[*types.Var]int64{}
		for f := range st.Fields() {
			for name := range strings.FieldsSeq(tt.fields) {
				if f.Name() == name {
					before[f] = 128
				}
			}
		}
		for n := range ast.Preorder(s.file) {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != "s" {
				continue
			}
			out, err := rewrite.Apply(s.fset.File(s.file.FileStart), []byte(src), room.Between(s.Info, s.fset, spec.Type.(*ast.StructType), before, tt.lines))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(string(out), "[128]byte"); got != len(before) {
				t.Errorf("%s: %d rooms, want %d:\n%s", tt.fields, got, len(before), out)
			}
			got := strings.Join(strings.Fields(strings.ReplaceAll(string(out), ";", "")), " ")
			for want := range strings.SplitSeq(tt.want, "|") {
				if !strings.Contains(got, want) {
					t.Errorf("%s: no %q in\n%s", tt.fields, want, out)
				}
			}
		}
	}
}

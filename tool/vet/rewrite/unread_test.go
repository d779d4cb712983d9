package rewrite

import (
	"go/ast"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// What edits leave without a use becomes _: here they take the calls of use away.
func TestUnread(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{"for i := range xs {\n\t\tuse(i)\n\t}\n\tkeep()", "for range xs {\n\t}\n\tkeep()"},
		{"for i := range xs {\n\t\tuse(i)\n\t\tkeep()\n\t}", "for range xs {\n\t\tkeep()\n\t}"},
		{"for i, x := range xs {\n\t\tuse(i)\n\t\tkeep(x)\n\t}", "for _, x := range xs {\n\t\tkeep(x)\n\t}"},
		{"for i, x := range xs {\n\t\tuse(x)\n\t\tkeep(i)\n\t}", "for i, _ := range xs {\n\t\tkeep(i)\n\t}"},
		{"for i, x := range xs {\n\t\tuse(i, x)\n\t\tkeep()\n\t}", "for range xs {\n\t\tkeep()\n\t}"},
		{"for i := range all() {\n\t\tuse(i)\n\t}", "for range all() {\n\t}"},
		{"for x := range ch {\n\t\tuse(x)\n\t}", "for range ch {\n\t}"},
		{"x := 1\n\tuse(x)\n\tkeep()", "keep()"},
		{"x := 1 // of them\n\tuse(x)\n\tkeep()", "keep()"},
		{"x := len(xs) / 2\n\ty := (x + 1) * 2\n\tuse(y)\n\tkeep()", "keep()"},
		{"x := 1 / len(xs)\n\tuse(x)\n\tkeep()", "_ = 1 / len(xs)\n\tkeep()"},
		{"x := 1 << len(xs)\n\tuse(x)\n\tkeep()", "_ = 1 << len(xs)\n\tkeep()"},
		{"if x := 1; len(xs) > 0 {\n\t\tuse(x)\n\t\tkeep()\n\t}", "if len(xs) > 0 {\n\t\tkeep()\n\t}"},
		{"x := xs[0]\n\tuse(x)\n\tkeep()", "_ = xs[0]\n\tkeep()"},
		{"x := xs\n\ty := x\n\tuse(y)\n\tkeep()", "keep()"},
		{"x := all()\n\tuse(x)", "_ = all()"},
		{"x, y := two()\n\tuse(x)\n\tkeep(y)", "_, y := two()\n\tkeep(y)"},
		{"x, y := two()\n\tuse(x, y)", "_, _ = two()"},
		{"y := 1\n\tx, y := two()\n\tuse(x)\n\tkeep(y)", "y := 1\n\t_, y = two()\n\tkeep(y)"},
		{"if x := all(); len(xs) > 0 {\n\t\tuse(x)\n\t\tkeep()\n\t}", "if _ = all(); len(xs) > 0 {\n\t\tkeep()\n\t}"},
		{"x := 1\n\tuse(x)\n\tx = 2\n\tkeep(x)", "x := 1\n\tx = 2\n\tkeep(x)"},
		{"x := 1\n\tkeep(func() { use(x) })\n\tkeep(x)", "x := 1\n\tkeep(func() {})\n\tkeep(x)"},
		{"for i := range xs {\n\t\tkeep(i)\n\t}", "for i := range xs {\n\t\tkeep(i)\n\t}"},
	} {
		const head = "package a\n\nfunc f(xs []int, ch chan int, all func() []int, two func() (int, int), keep func(...any), use func(...any)) {\n\t"
		src := head + tt.body + "\n}\n"
		p := check(t, src)
		var edits []analysis.TextEdit
		ast.Inspect(p.Files[0], func(n ast.Node) bool {
			if st, ok := n.(*ast.ExprStmt); ok && strings.HasPrefix(Text(p.Fset, st), "use(") {
				edits = append(edits, Replace(st, ""))
			}
			return true
		})
		edits, err := Complete(p, edits)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Apply(p.Fset.File(p.Files[0].FileStart), []byte(src), edits)
		plain := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		if want := head + tt.want + "\n}"; err != nil || plain(string(got)) != plain(want) {
			t.Errorf("of\n%s\nis left\n%s%v\nwant\n%s", tt.body, strings.TrimPrefix(string(got), head), err, tt.want)
		}
	}
}

// A text that an edit puts there may use a variable.
func TestUnreadSaid(t *testing.T) {
	const src = "package a\n\nfunc f(use func(int)) {\n\tx := 1\n\tuse(x)\n}\n"
	p := check(t, src)
	var edits []analysis.TextEdit
	ast.Inspect(p.Files[0], func(n ast.Node) bool {
		if st, ok := n.(*ast.ExprStmt); ok {
			edits = append(edits, Replace(st, "use(x + 1)"))
		}
		return true
	})
	if edits, err := Complete(p, edits); err != nil || len(edits) != 1 {
		t.Errorf("%d edits, %v, want the one", len(edits), err)
	}
}

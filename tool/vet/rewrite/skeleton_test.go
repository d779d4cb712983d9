package rewrite

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Bodies that are left out come back as they were, and what they use stays imported.
func TestSkeleton(t *testing.T) {
	names, err := filepath.Glob("../*/*.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no files: %v", err)
	}
	const odd = "package p\r\n\r\nimport \"os\"\r\n\r\n// f is.\r\nfunc f() {\r\n\tos.Exit(1)\r\n}\r\n\r\nfunc g() {\r\n\tos.Exit(2)\r\n}\r\n"
	texts := [][]byte{[]byte(odd), []byte("package p\nfunc f() {\n  x :=  1\n  _ = x\n}\nfunc g() { // a\n}\n\nfunc h() {}\n"),
		[]byte("package p\n\nfunc g() {\n\tpayoffBody1()\n}\n\nfunc f() {\n\tprintln(1)\n}\n\nfunc payoffBody1() {}\n"),
		[]byte("package p\n\nfunc (x s) Len() int           { return len(x) }\nfunc (x s) Less(i, j int) bool { return x[i] < x[j] }\n\nfunc f() {\n\t// Nothing.\n}\n\ntype s []int\n")}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, src)
	}
	holes := 0
	for _, src := range texts {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		tf := fset.File(f.FileStart)
		var edits []span // of each function that it is emptied, of all between that something is declared
		for _, d := range f.Decls {
			edits = append(edits, span{tf.Offset(d.Pos()), tf.Offset(d.Pos()), []byte("var added = 1\n\n")})
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				edits = append(edits, span{tf.Offset(fn.Body.Lbrace), tf.Offset(fn.Body.Rbrace) + 1, []byte("{ panic(0)}")})
			}
		}
		s := skeletonOf(src)
		holes += len(s.bodies)
		whole := &skeleton{src: src, formatted: s.formatted}
		for i := range edits {
			if len(src) > 1000 && i%8 != 0 {
				continue // all of them take seconds
			}
			some := slices.Clone(edits[i : i+1])
			if i > 2 && i%16 == 0 {
				some = slices.Concat(edits[i/2:i/2+1], some)
			}
			want, err := whole.apply(some)
			got, err2 := s.apply(slices.Clone(some))
			if (err == nil) != (err2 == nil) || !bytes.Equal(got, want) {
				t.Fatalf("%v, %v: with holes\n%s\nand without\n%s", err2, err, got, want)
			}
		}
	}
	if holes < 1000 {
		t.Errorf("%d bodies were left out", holes)
	}
}

package queue_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	gotoken "go/token"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/queue"
)

// Documentation made of the source has all methods of the queues, each with its
// words. It sees what is embedded, but not what is embedded in that.
func TestDocumented(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	fset := gotoken.NewFileSet()
	var files []*ast.File
	tests := map[string]bool{} // methods that only these tests have
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		f, err := parser.ParseFile(fset, e.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != "export_test.go" {
			if !strings.HasSuffix(e.Name(), "_test.go") {
				files = append(files, f)
			}
			continue
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv != nil {
				tests[d.Name.Name] = true
			}
		}
	}
	pkg, err := doc.NewFromFiles(fset, files, "queue")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{} // Type.Method
	for _, typ := range pkg.Types {
		for _, m := range typ.Methods {
			documented[typ.Name+"."+m.Name] = strings.HasPrefix(m.Doc, m.Name+" ")
		}
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[*queue.SPSC[int]](), reflect.TypeFor[*queue.MPSC[int]](), reflect.TypeFor[*queue.MPMC[int]]()} {
		name, _, _ := strings.Cut(typ.Elem().Name(), "[")
		for m := range methods(typ) {
			if !tests[m] && !documented[name+"."+m] {
				t.Errorf("%s.%s is not documented", name, m)
			}
		}
	}
}

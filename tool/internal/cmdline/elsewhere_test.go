package cmdline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// flag is what looks like one in a text, or like a command of payoff.
var flag = regexp.MustCompile(`(^|[ "(])(-[a-z]{2,}|payoff [a-z]+)`)

// What finds benchmarks, and what a plan is, know no flags and no command of payoff:
// they take the words from here.
func TestElsewhere(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "discover", "*.go"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files of discover, %v", len(files), err)
	}
	for _, name := range append(files, filepath.Join("..", "session", "plan.go")) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for n := range ast.Preorder(f) {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				continue
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			if said := flag.FindString(strings.ReplaceAll(text, "-list=Benchmark", "")); said != "" { // of the go command
				t.Errorf("%v: %q names %q", fset.Position(lit.Pos()), text, strings.Trim(said, ` "(`))
			}
		}
	}
}

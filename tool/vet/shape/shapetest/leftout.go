package shapetest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// leftOut runs the check with a file beside the package that this build leaves
// out, and that holds it to all its types and takes the names that edits would
// add: with the edits that are offered then, that file has to type-check, too.
func leftOut(t *testing.T, a *analysis.Analyzer, p *packages.Package, edits []edit) {
	t.Helper()
	if len(edits) == 0 {
		return
	}
	here := beside(t, p)
	files := sources(t, p)
	files["left.go"] = holder(t, p, added(t, p, edits))
	pkgs := load(t, here, "", put(t, here, "was", files))
	q := pkgs[len(pkgs)-1]
	var patterns []string
	for _, e := range of(find(t, a, pkgs)[q]) {
		if !e.all {
			made, _ := e.result(t, q)
			patterns = append(patterns, put(t, here, e.name, made))
		}
	}
	if len(patterns) == 0 {
		return
	}
	for _, q := range load(t, here, "payoffleft", patterns...) {
		for _, err := range q.Errors {
			t.Errorf("with edit %s a file that is left out does not compile: %v", filepath.Base(q.PkgPath), err)
		}
	}
}

// added are the names that edits bring to files or to the package, and that it
// does not have.
func added(t *testing.T, p *packages.Package, edits []edit) (names []string) {
	t.Helper()
	has := map[string]bool{"_": true}
	enter := func(fset *token.FileSet, files []*ast.File) {
		conf := types.Config{Error: func(error) {}} // it need not know the imports
		pkg, _ := conf.Check("p", fset, files, nil)
		all := pkg.Scope().Names()
		for _, f := range files {
			for _, s := range f.Imports {
				all = append(all, rewrite.ImportName(s))
			}
		}
		for _, name := range all {
			if !has[name] {
				has[name] = true
				names = append(names, name)
			}
		}
	}
	enter(p.Fset, p.Syntax)
	names = nil
	for _, e := range edits {
		made, _ := e.result(t, p)
		fset := token.NewFileSet()
		var files []*ast.File
		for name, src := range made {
			if f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution); err == nil { // it is Go
				files = append(files, f)
			}
		}
		enter(fset, files)
	}
	return names
}

// holder is the source of a file that needs all functions, variables and fields
// of a package to have the types that they have, and declares names.
func holder(t *testing.T, p *packages.Package, names []string) []byte {
	t.Helper()
	imports := map[string]string{}
	write := func(typ types.Type) string {
		return types.TypeString(typ, func(q *types.Package) string {
			if q == p.Types {
				return ""
			}
			if imports[q.Path()] == "" {
				imports[q.Path()] = fmt.Sprintf("left%d", len(imports))
			}
			return imports[q.Path()]
		})
	}
	var b bytes.Buffer
	for _, name := range names {
		fmt.Fprintf(&b, "const %s = 0\n\n", name)
	}
	for _, name := range p.Types.Scope().Names() {
		switch o := p.Types.Scope().Lookup(name).(type) {
		case *types.Func:
			if o.Signature().TypeParams() == nil && name != "main" && !strings.HasPrefix(name, "_") {
				fmt.Fprintf(&b, "var _ %s = %s\n\n", write(o.Type()), name)
			}
		case *types.Var:
			fmt.Fprintf(&b, "var _ *%s = &%s\n\n", write(o.Type()), name)
		case *types.TypeName:
			st, ok := o.Type().Underlying().(*types.Struct)
			if n, named := o.Type().(*types.Named); !ok || !named || n.TypeParams() != nil || o.IsAlias() {
				continue
			}
			fmt.Fprintf(&b, "func _(x *%s) {\n", name)
			blank := false
			for f := range st.Fields() {
				if blank = blank || f.Name() == "_"; f.Name() != "_" {
					fmt.Fprintf(&b, "\t{\n\t\tvar _ *%s = &x.%s\n\t}\n", write(f.Type()), f.Name())
				}
			}
			if !blank && st.NumFields() > 0 {
				b.WriteString("\t_ = " + name + "{")
				for f := range st.Fields() {
					b.WriteString("x." + f.Name() + ", ")
				}
				b.WriteString("}\n")
			}
			b.WriteString("}\n\n")
		}
	}
	var head strings.Builder
	fmt.Fprintf(&head, "//go:build payoffleft\n\npackage %s\n\n", p.Types.Name())
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&head, "import %s %q\n", imports[path], path)
	}
	src, err := format.Source([]byte(head.String() + "\n" + b.String()))
	if err != nil {
		t.Fatalf("%v in\n%s%s", err, head.String(), b.String())
	}
	return src
}

// sources are the files of a package as they are, with those that tags leave
// out and those that are not Go.
func sources(t *testing.T, p *packages.Package) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	names := slices.Concat(p.IgnoredFiles, p.OtherFiles)
	for _, f := range p.Syntax {
		names = append(names, p.Fset.PositionFor(f.FileStart, false).Filename)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = src
	}
	return files
}

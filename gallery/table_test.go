package gallery

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A table is what case_test.go offers to be measured.
type table struct {
	variants map[string]bool // names in the table variants
	funcs    []string        // names of its benchmarks, without Benchmark
	keys     []string        // KEY of the parts KEY=VALUE in names of sub-benchmarks
	literals []string        // what stands in the benchmarks and in the variables of the package: values among them
}

// has returns an error that says what of a place no benchmark has.
func (tab *table) has(place string) error {
	if place == "" {
		return nil
	}
	for i, part := range strings.Split(place, "/") {
		key, value, ok := strings.Cut(part, "=")
		switch {
		case !ok && i > 0:
			return fmt.Errorf("at %q: no part KEY=VALUE: %q", place, part)
		case !ok && !slices.Contains(tab.funcs, part):
			return fmt.Errorf("at %q: no function Benchmark%s", place, part)
		case !ok:
		case !slices.Contains(tab.keys, key):
			return fmt.Errorf("at %q: no benchmark has a part %s=", place, key)
		case !slices.Contains(tab.literals, value):
			return fmt.Errorf("at %q: no benchmark has %q", place, value)
		}
	}
	return nil
}

// benchmark is the format of the name of a sub-benchmark.
var benchmark = regexp.MustCompile(`^variant=%s(/[a-zA-Z]+=[^/]+)*$`)

// readTable reads the source of case_test.go. The names of variants are the
// first field of each element of the variable variants. Benchmarks are the
// functions of that name, and all that take a *testing.B.
func readTable(root fs.FS, file string) (*table, error) {
	src, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	tab := &table{variants: make(map[string]bool)}
	named := false
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if err := tab.readVariants(d); err != nil {
				return nil, err
			}
		case *ast.FuncDecl:
			if name, ok := strings.CutPrefix(d.Name.Name, "Benchmark"); ok {
				tab.funcs = append(tab.funcs, name)
			}
			if !takesB(d) {
				continue
			}
		}
		for _, lit := range literals(d) {
			tab.literals = append(tab.literals, lit)
			if !strings.HasPrefix(lit, "variant=") {
				continue
			}
			if !benchmark.MatchString(lit) {
				return nil, fmt.Errorf("benchmark named %s, want variant=%%s and then /KEY=VALUE, any number of them", lit)
			}
			named = true
			for _, part := range strings.Split(lit, "/")[1:] {
				key, value, _ := strings.Cut(part, "=")
				tab.keys = append(tab.keys, key)
				tab.literals = append(tab.literals, value)
			}
		}
	}
	if len(tab.variants) == 0 {
		return nil, errors.New("no table variants")
	}
	if !named {
		return nil, errors.New("no benchmark named variant=%s")
	}
	return tab, nil
}

// readVariants reads the table variants where it is declared here.
func (tab *table) readVariants(d *ast.GenDecl) error {
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || v.Names[0].Name != "variants" || len(v.Values) != 1 {
			continue
		}
		lit, ok := v.Values[0].(*ast.CompositeLit)
		if !ok {
			return errors.New("variants is not a literal")
		}
		for i, e := range lit.Elts {
			name, err := firstString(e)
			if err != nil {
				return fmt.Errorf("variants[%d]: %w", i, err)
			}
			if tab.variants[name] {
				return fmt.Errorf("variants[%d]: %q again", i, name)
			}
			tab.variants[name] = true
		}
	}
	return nil
}

// firstString returns the string that the composite literal e begins with.
func firstString(e ast.Expr) (string, error) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok || len(lit.Elts) == 0 {
		return "", errors.New("not a literal with a name")
	}
	b, ok := lit.Elts[0].(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return "", errors.New("does not begin with a name")
	}
	return strconv.Unquote(b.Value)
}

// takesB reports whether a function has a parameter of type *testing.B.
func takesB(d *ast.FuncDecl) bool {
	return slices.ContainsFunc(d.Type.Params.List, func(p *ast.Field) bool {
		star, ok := p.Type.(*ast.StarExpr)
		if !ok {
			return false
		}
		sel, ok := star.X.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "B"
	})
}

// literals returns the strings and integers in a piece of source, integers as
// benchmarks print them.
func literals(n ast.Node) (all []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		b, ok := n.(*ast.BasicLit)
		if !ok {
			return true
		}
		switch b.Kind {
		case token.INT:
			if i, err := strconv.ParseInt(b.Value, 0, 64); err == nil {
				all = append(all, strconv.FormatInt(i, 10))
			}
		case token.STRING:
			if s, err := strconv.Unquote(b.Value); err == nil {
				all = append(all, s)
			}
		}
		return true
	})
	return all
}

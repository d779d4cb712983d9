package explain

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/catalog"
)

// A cause is entered once, in the catalogue. This walks the catalogue and
// demands the rooms that each needs here: one rule, a file for it, and a
// program in the tables of these tests of which it is the first cause.
func TestRooms(t *testing.T) {
	files, err := parse("*.go")
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]int{catalog.Machine.Slug: 1} // unfit
	elsewhere := catalog.Delay.Slug                // of time in which nothing is asked for, in package service
	for _, r := range rules {
		has[r.cause.Slug]++
	}
	first := wantedFirst(files)
	for _, c := range catalog.All() {
		if c.Slug == elsewhere {
			continue
		}
		if has[c.Slug] != 1 {
			t.Errorf("%s: %d rules, want 1: enter it in rules.go", c.Slug, has[c.Slug])
		}
		delete(has, c.Slug)
		if files["rule_"+c.Slug+".go"] == nil {
			t.Errorf("%s: no rule_%s.go", c.Slug, c.Slug)
		}
		if !first[c.Slug] {
			t.Errorf("%s: no program of a table has it first", c.Slug)
		}
	}
	for slug := range has {
		t.Errorf("%s: a rule for what is not in the catalogue", slug)
	}
	for name := range files {
		if slug, ok := strings.CutPrefix(strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test"), "rule_"); ok {
			if _, ok := catalog.Find(slug); !ok {
				t.Errorf("%s: no cause %q in the catalogue", name, slug)
			}
		}
	}
}

// wantedFirst are the first causes that the programs of tables want at one processor
// and at two: the first words of the columns "one" and "two".
func wantedFirst(files map[string]*ast.File) map[string]bool {
	out := map[string]bool{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			table, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			list, ok := table.Type.(*ast.ArrayType)
			if !ok {
				return true
			}
			row, ok := list.Elt.(*ast.StructType)
			if !ok {
				return true
			}
			var columns []string
			for _, f := range row.Fields.List {
				for _, id := range f.Names {
					columns = append(columns, id.Name)
				}
			}
			for _, column := range []string{"one", "two"} {
				at := slices.Index(columns, column)
				for _, x := range table.Elts {
					row, ok := x.(*ast.CompositeLit)
					if !ok || at < 0 || at >= len(row.Elts) {
						continue
					}
					if lit, ok := row.Elts[at].(*ast.BasicLit); ok && lit.Kind == token.STRING {
						if text, err := strconv.Unquote(lit.Value); err == nil {
							word, _, _ := strings.Cut(text, " ")
							out[word] = true
						}
					}
				}
			}
			return true
		})
	}
	return out
}

// A cause is wanted where a table wants it first, and nowhere else.
func TestWantedFirst(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "x_test.go", `package explain
func TestX(t *testing.T) {
	_ = "said"
	for _, tt := range []struct {
		name, one string
		two       string
	}{{"named", "wanted second", "both"}, {"more", "", ""}} {
	}
	for range []struct{ name, slug string }{{"one", "other"}} {
	}
}`, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"": true, "wanted": true, "both": true}
	if got := wantedFirst(map[string]*ast.File{"x_test.go": file}); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Rules share facts and do not call each other: what one declares, no other
// rule's file uses.
func TestRulesApart(t *testing.T) {
	files, err := parse("rule_*.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < len(rules) {
		t.Fatalf("%d files with rules, want %d or more", len(files), len(rules))
	}
	for _, p := range together(files) {
		t.Error(p)
	}
	// The check finds a planted call, of a function and of a method, and a
	// constant.
	for _, body := range []string{"var _ = handoff(nil)", "func (f *facts) planted() { f.siblings() }", "const planted = cacheLine + 1"} {
		planted, err := parser.ParseFile(token.NewFileSet(), "rule_planted.go", "package explain\n"+body, 0)
		if err != nil {
			t.Fatal(err)
		}
		with := maps.Clone(files)
		with["rule_planted.go"] = planted
		if got := together(with); len(got) != 1 || !strings.HasPrefix(got[0], "rule_planted.go: uses ") {
			t.Errorf("%s: %q, want that it is found", body, got)
		}
	}
}

// together says which files use what others declare at their top. It goes by
// name: a local name that another file has at its top must have a different one.
func together(files map[string]*ast.File) []string {
	home := map[string]string{} // file by name declared
	for name, file := range files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				home[d.Name.Name] = name
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							home[id.Name] = name
						}
					case *ast.TypeSpec:
						home[spec.Name.Name] = name
					}
				}
			}
		}
	}
	delete(home, "_")
	var found []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		ast.Inspect(files[name], func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && home[id.Name] != "" && home[id.Name] != name {
				found = append(found, fmt.Sprintf("%s: uses %s of %s: move it to a file that holds no rule", name, id.Name, home[id.Name]))
			}
			return true
		})
	}
	return found
}

// parse reads files of this package, tests only where the pattern is for all.
func parse(pattern string) (map[string]*ast.File, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	out := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") && pattern != "*.go" {
			continue
		}
		if out[name], err = parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
	}
	return out, nil
}

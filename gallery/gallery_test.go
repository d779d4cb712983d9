package gallery

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// layouts are the files of each kind. Of an experiment the code may stand in
// any.
var layouts = map[string][]string{
	"case":       {"doc.go", "serial.go", "disease.go", "cure_*.go", "case_test.go", "want.json", "then.json"},
	"experiment": {"doc.go", "case_test.go", "want.json", "then.json"},
}

func TestCases(t *testing.T) {
	root := os.DirFS(".")
	dirs, err := caseDirs(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		t.Fatal("no case found")
	}
	articles, err := readArticles(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		for _, p := range checkCase(root, dir, articles) {
			t.Error(p)
		}
	}
}

// Problems collects what is wrong with a case, a line each.
type problems struct {
	dir   string
	lines []string
}

func (p *problems) add(file, format string, args ...any) {
	p.lines = append(p.lines, path.Join(p.dir, file)+": "+fmt.Sprintf(format, args...))
}

// checkCase returns what is wrong with the case in directory dir.
func checkCase(root fs.FS, dir string, articles []Article) []string {
	p := &problems{dir: dir}
	if _, err := fs.Stat(root, path.Join(dir, "want.json")); err != nil {
		p.add("want.json", "missing; every case has one")
		return p.lines
	}
	w, err := readWant(root, path.Join(dir, "want.json"))
	if err != nil {
		p.add("want.json", "%v", err)
		return p.lines
	}
	layout, ok := layouts[w.Kind]
	if !ok {
		p.add("want.json", "kind is %q, want case or experiment", w.Kind)
		return p.lines
	}
	for _, pattern := range layout {
		if found, _ := fs.Glob(root, path.Join(dir, pattern)); len(found) == 0 {
			p.add(pattern, "missing; every %s has one", w.Kind)
		}
	}
	if p.lines != nil {
		return p.lines
	}
	c, err := readCase(root, dir)
	if err != nil {
		p.add("", "%v", err)
		return p.lines
	}
	if c.Synopsis == "" {
		p.add("doc.go", "no package comment: its first sentence is what payoff gallery says of the case")
	}
	tab, err := readTable(root, path.Join(dir, "case_test.go"))
	if err != nil {
		p.add("case_test.go", "%v", err)
		return p.lines
	}
	checkWant(p, c, tab)
	checkThen(p, c, tab, articles)
	return p.lines
}

// A fault is a change of a file of a sound case.
type fault struct {
	file     string // file to change; removed where old is empty
	old, new string
	problem  string // part of the one problem found; none where empty
}

// findsFaults plants each fault in the sound case grain.
func findsFaults(t *testing.T, sound map[string]string, faults []fault) {
	t.Helper()
	for _, test := range faults {
		root := make(fstest.MapFS)
		for name, content := range sound {
			if name == test.file {
				if test.old == "" {
					continue
				}
				if !strings.Contains(content, test.old) {
					t.Fatalf("%s does not contain %q", name, test.old)
				}
				content = strings.ReplaceAll(content, test.old, test.new)
			}
			root["grain/"+name] = &fstest.MapFile{Data: []byte(content)}
		}
		got := checkCase(root, "grain", []Article{{Key: "a", Cases: []string{"grain"}}, {Key: "b2"}})
		if test.problem == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || test.problem == "" || !strings.Contains(got[0], test.problem) {
			t.Errorf("%s with %q for %q: problems %q, want one with %q", test.file, test.new, test.old, got, test.problem)
		}
	}
}

func TestCaseDirs(t *testing.T) {
	root := fstest.MapFS{
		"go.mod": {}, "grain/doc.go": {}, "testdata/x/doc.go": {}, "internal/x/doc.go": {}, ".git/x": {}, "_old/x": {},
	}
	got, err := caseDirs(root)
	if err != nil || !slices.Equal(got, []string{"grain"}) {
		t.Errorf("caseDirs = %q, %v, want grain alone", got, err)
	}
}

// What travels with the package is what stands in its directories.
func TestFiles(t *testing.T) {
	here := os.DirFS(".")
	err := fs.WalkDir(here, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Dir(name) == "." && path.Ext(name) == ".go" || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		want, err := fs.ReadFile(here, name)
		if err != nil {
			return err
		}
		if got, err := fs.ReadFile(Files, name); err != nil || string(got) != string(want) {
			t.Errorf("%s does not travel: %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	all, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		got, ok := Of(c.Package())
		if !ok || got.Want.Case != c.Name || got.Synopsis == "" || strings.HasPrefix(got.Synopsis, "Package") {
			t.Errorf("Of(%s) = %+v, %t", c.Package(), got, ok)
		}
	}
	for _, pkg := range []string{Module, Module + "/", Module + "/nothing", "example.com/grain"} {
		if _, ok := Of(pkg); ok {
			t.Errorf("Of(%s) is a case", pkg)
		}
	}
}

func TestRequires(t *testing.T) {
	for _, tt := range []struct{ mod, want string }{
		{"module g\n\ngo 1.26\n", ""},
		{"module g\nrequire a.b/c v1.0.0\n", "a.b/c"},
		{"module g\nrequire (\n\ta.b/c v1.0.0\n\ta.b/cd v1.0.0\n\ta.b/e v1.0.0 // indirect\n\ta.b/f/g v0.1.0\n)\n", "a.b/c a.b/f/g"},
	} {
		root := fstest.MapFS{"go.mod": {Data: []byte(tt.mod)}, "x/x.go": {Data: []byte("package x\nimport (\"fmt\"; \"a.b/c/d\")")}, "x/x_test.go": {Data: []byte("package x\nimport \"a.b/f/g\"")}}
		got, err := requires(root, "x")
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("requires of %q = %q, %v, want %q", tt.mod, got, err, tt.want)
		}
	}
}

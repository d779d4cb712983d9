package gallery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// A want is the content of a want.json.
type want struct {
	Kind        string  `json:"kind"`
	Case        string  `json:"case"`
	Cause       string  `json:"cause"`
	Source      string  `json:"source"`
	Procs       []int   `json:"procs"`
	Param       string  `json:"param"`
	Comparisons []claim `json:"comparisons"`
	Pairs       []claim `json:"pairs"`
}

// A claim is one expected verdict; doc.go tells how it reads.
type claim struct {
	Variant string `json:"variant"`
	Base    string `json:"base"`
	Procs   int    `json:"procs"`
	N       string `json:"n"`
	Verdict string `json:"verdict"`
	Cause   string `json:"cause,omitempty"`
}

var verdicts = []string{"pays", "even", "loses", "cannot say"}

// layouts are the files of each kind. Of an experiment the code may stand in
// any.
var layouts = map[string][]string{
	"case":       {"doc.go", "serial.go", "disease.go", "cure_*.go", "case_test.go", "want.json"},
	"experiment": {"doc.go", "case_test.go", "want.json"},
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
	for _, dir := range dirs {
		for _, p := range checkCase(root, dir) {
			t.Error(p)
		}
	}
}

// caseDirs returns the directories of root that must be cases.
func caseDirs(root fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() && name != "testdata" && name != "internal" && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_") {
			dirs = append(dirs, name)
		}
	}
	return dirs, nil
}

// checkCase returns what is wrong with the case in directory dir, a line each.
func checkCase(root fs.FS, dir string) (problems []string) {
	problem := func(file, format string, args ...any) {
		problems = append(problems, path.Join(dir, file)+": "+fmt.Sprintf(format, args...))
	}

	if _, err := fs.Stat(root, path.Join(dir, "want.json")); err != nil {
		problem("want.json", "missing; every case has one")
		return problems
	}
	w, err := readWant(root, path.Join(dir, "want.json"))
	if err != nil {
		problem("want.json", "%v", err)
		return problems
	}
	layout, ok := layouts[w.Kind]
	if !ok {
		problem("want.json", "kind is %q, want case or experiment", w.Kind)
		return problems
	}
	for _, pattern := range layout {
		if found, _ := fs.Glob(root, path.Join(dir, pattern)); len(found) == 0 {
			problem(pattern, "missing; every %s has one", w.Kind)
		}
	}
	if problems != nil {
		return problems
	}
	tab, err := readTable(root, path.Join(dir, "case_test.go"), w.benchmark())
	if err != nil {
		problem("case_test.go", "%v", err)
		return problems
	}

	if w.Case != dir {
		problem("want.json", "case is %q, want the name of the directory", w.Case)
	}
	if w.Kind == "case" && !slices.Contains(causes, w.Cause) {
		problem("want.json", "cause is %q, want one of %v", w.Cause, causes)
	}
	if w.Kind == "experiment" && w.Cause != "" {
		problem("want.json", "cause is %q, but nothing was planted in an experiment", w.Cause)
	}
	if w.Source == "" {
		problem("want.json", "source is empty")
	}
	if len(w.Comparisons) == 0 {
		problem("want.json", "no comparisons")
	}

	unjudged := maps.Clone(tab.variants)
	seen := make(map[claim]bool)
	check := func(list string, i int, c claim) {
		at := fmt.Sprintf("%s[%d]", list, i)
		for _, v := range []string{c.Variant, c.Base} {
			if !tab.variants[v] {
				problem("want.json", "%s: no variant %q in case_test.go", at, v)
			}
		}
		if c.Variant == c.Base {
			problem("want.json", "%s: %q is compared with itself", at, c.Variant)
		}
		if !slices.Contains(w.Procs, c.Procs) {
			problem("want.json", "%s: procs is %d, want one of %d", at, c.Procs, w.Procs)
		}
		if c.N != "" && !tab.sizes[c.N] {
			problem("want.json", "%s: no benchmark of size %s=%s", at, w.Param, c.N)
		}
		for v := range strings.SplitSeq(c.Verdict, "|") {
			if !slices.Contains(verdicts, v) {
				problem("want.json", "%s: verdict %q, want some of %q", at, v, verdicts)
			}
		}
		switch {
		case w.Kind == "experiment":
			if c.Cause != "" {
				problem("want.json", "%s: an experiment claims no cause", at)
			}
		case c.Cause == "":
			if c.Verdict == "loses" {
				problem("want.json", "%s: loses without a cause", at)
			}
		default:
			for s := range strings.SplitSeq(c.Cause, "|") {
				if !slices.Contains(causes, s) {
					problem("want.json", "%s: cause %q, want some of %q", at, s, causes)
				}
			}
		}
		key := claim{Variant: c.Variant, Base: c.Base, Procs: c.Procs, N: c.N}
		if seen[key] {
			problem("want.json", "%s: claimed twice", at)
		}
		seen[key] = true
	}
	for i, c := range w.Comparisons {
		check("comparisons", i, c)
		if base := w.Comparisons[0].Base; c.Base != base {
			problem("want.json", "comparisons[%d]: base is %q, want %q as before it", i, c.Base, base)
		}
		delete(unjudged, c.Variant)
		delete(unjudged, c.Base)
	}
	for i, c := range w.Pairs {
		check("pairs", i, c)
	}
	for _, v := range slices.Sorted(maps.Keys(unjudged)) {
		problem("want.json", "comparisons: nothing is said of variant %q", v)
	}
	return problems
}

// benchmark returns how the benchmarks of the case are named.
func (w *want) benchmark() string {
	if w.Param == "" {
		return "variant=%s"
	}
	return "variant=%s/" + w.Param + "=%d"
}

// readWant reads a want.json, allowing nothing that it does not know. What an
// experiment may say of itself, a case has by default.
func readWant(root fs.FS, file string) (*want, error) {
	data, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	w := new(want)
	if err := dec.Decode(w); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one JSON value")
	}
	switch w.Kind {
	case "", "case":
		if w.Procs != nil || w.Param != "" {
			return nil, fmt.Errorf("procs and param are for experiments: a case has 1, 2 and n")
		}
		w.Kind, w.Procs, w.Param = "case", []int{1, 2}, "n"
	case "experiment":
		if len(w.Procs) == 0 {
			return nil, fmt.Errorf("procs is empty: an experiment says at which processors it is measured")
		}
	}
	return w, nil
}

// A table is what case_test.go offers to be measured.
type table struct {
	variants map[string]bool // names in the table variants
	sizes    map[string]bool // values of the parameter, as benchmarks print them
}

// readTable reads the source of case_test.go: the names are the first field of
// each element of the variable variants, the sizes are the integers listed in
// the benchmarks, which are named as the format benchmark says.
func readTable(root fs.FS, file, benchmark string) (*table, error) {
	src, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}

	tab := &table{variants: make(map[string]bool), sizes: make(map[string]bool)}
	named := false
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok || v.Names[0].Name != "variants" || len(v.Values) != 1 {
					continue
				}
				lit, ok := v.Values[0].(*ast.CompositeLit)
				if !ok {
					return nil, fmt.Errorf("variants is not a literal")
				}
				for i, e := range lit.Elts {
					name, err := firstString(e)
					if err != nil {
						return nil, fmt.Errorf("variants[%d]: %w", i, err)
					}
					if tab.variants[name] {
						return nil, fmt.Errorf("variants[%d]: %q again", i, name)
					}
					tab.variants[name] = true
				}
			}
		case *ast.FuncDecl:
			if !strings.HasPrefix(d.Name.Name, "Benchmark") {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					for _, e := range n.Elts {
						if b, ok := e.(*ast.BasicLit); ok && b.Kind == token.INT {
							if i, err := strconv.ParseInt(b.Value, 0, 64); err == nil {
								tab.sizes[strconv.FormatInt(i, 10)] = true
							}
						}
					}
				case *ast.BasicLit:
					if n.Kind == token.STRING && n.Value == strconv.Quote(benchmark) {
						named = true
					}
				}
				return true
			})
		}
	}
	if len(tab.variants) == 0 {
		return nil, fmt.Errorf("no table variants")
	}
	if !named {
		return nil, fmt.Errorf("no benchmark named %s", benchmark)
	}
	return tab, nil
}

// firstString returns the string that the composite literal e begins with.
func firstString(e ast.Expr) (string, error) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok || len(lit.Elts) == 0 {
		return "", fmt.Errorf("not a literal with a name")
	}
	b, ok := lit.Elts[0].(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return "", fmt.Errorf("does not begin with a name")
	}
	return strconv.Unquote(b.Value)
}

// Every rule of checkCase finds its fault in a case that is sound otherwise.
func TestCheckCase(t *testing.T) {
	const (
		test = `package grain
import ("fmt"; "testing")
var variants = []struct { name string; f func() }{{"serial", nil}, {"bad", nil}, {"good", nil}}
func BenchmarkX(b *testing.B) {
	for _, n := range []int{1_000} { b.Run(fmt.Sprintf("variant=%s/n=%d", "", n), nil) }
}`
		wants = `{"case":"grain","cause":"grain","source":"s","comparisons":[
{"variant":"bad","base":"serial","procs":1,"n":"","verdict":"loses","cause":"grain"},
{"variant":"good","base":"serial","procs":2,"n":"1000","verdict":"pays|even"}],
"pairs":[{"variant":"good","base":"bad","procs":2,"n":"","verdict":"pays"}]}`
	)
	sound := map[string]string{
		"doc.go": "", "serial.go": "", "disease.go": "", "cure_good.go": "",
		"case_test.go": test, "want.json": wants,
	}

	findsFaults(t, sound, []fault{
		{"want.json", "s", "s", ""},
		{"doc.go", "", "", "grain/doc.go: missing"},
		{"serial.go", "", "", "grain/serial.go: missing"},
		{"disease.go", "", "", "grain/disease.go: missing"},
		{"cure_good.go", "", "", "grain/cure_*.go: missing"},
		{"case_test.go", "", "", "grain/case_test.go: missing"},
		{"want.json", "", "", "grain/want.json: missing"},
		{"case_test.go", "package", "pakcage", "grain/case_test.go: "},
		{"case_test.go", "variants", "versions", "no table variants"},
		{"case_test.go", `"bad"`, `"good"`, `"good" again`},
		{"case_test.go", "variant=%s", "v=%s", "no benchmark named"},
		{"case_test.go", `{"good", nil}`, `{"good", nil}, {"new", nil}`, `nothing is said of variant "new"`},
		{"want.json", `"source"`, `"sauce"`, `unknown field "sauce"`},
		{"want.json", `"pairs"`, `"pears"`, `unknown field "pears"`},
		{"want.json", "]}", "]} {}", "more than one JSON value"},
		{"want.json", `"case":"grain"`, `"case":"grane"`, "name of the directory"},
		{"want.json", `"cause":"grain","source"`, `"cause":"grane","source"`, "cause is"},
		{"want.json", `"source":"s"`, `"source":""`, "source is empty"},
		{"want.json", `"good","base":"bad"`, `"goods","base":"bad"`, `pairs[0]: no variant "goods"`},
		{"want.json", `"good","base":"bad"`, `"bad","base":"bad"`, "compared with itself"},
		{"want.json", `"good","base":"serial"`, `"good","base":"bad"`, `comparisons[1]: base is "bad"`},
		{"want.json", `"procs":1`, `"procs":4`, "procs is 4, want one of [1 2]"},
		{"want.json", `"source"`, `"procs":[1],"source"`, "procs and param are for experiments"},
		{"want.json", `"source"`, `"param":"m","source"`, "procs and param are for experiments"},
		{"want.json", `"source"`, `"kind":"case","source"`, ""},
		{"want.json", `"source"`, `"kind":"cases","source"`, `kind is "cases"`},
		{"want.json", `"comparisons"`, `"comparisions"`, `unknown field "comparisions"`},
		{"want.json", `"n":"1000"`, `"n":"1_000"`, "no benchmark of size n=1_000"},
		{"want.json", "pays|even", "pays|evens", `verdict "evens"`},
		{"want.json", `,"cause":"grain"}`, `}`, "loses without a cause"},
		{"want.json", `"cause":"grain"}`, `"cause":"grain|grane"}`, `cause "grane"`},
		{"want.json", `"verdict":"pays"}]`, `"verdict":"pays"},{"variant":"good","base":"bad","procs":2,"n":"","verdict":"even"}]`, "pairs[1]: claimed twice"},
	})
}

// The same for an experiment.
func TestCheckExperiment(t *testing.T) {
	sound := map[string]string{
		"doc.go": "",
		"case_test.go": `package grain
import ("fmt"; "testing")
var variants = []struct { name string; f func() }{{"direct", nil}, {"other", nil}}
func BenchmarkX(b *testing.B) {
	for _, n := range []int{8} { b.Run(fmt.Sprintf("variant=%s/depth=%d", "", n), nil) }
}`,
		"want.json": `{"kind":"experiment","case":"grain","source":"s","procs":[1,8],"param":"depth","comparisons":[
{"variant":"other","base":"direct","procs":8,"n":"8","verdict":"loses"}],"pairs":[]}`,
	}
	findsFaults(t, sound, []fault{
		{"want.json", "s", "s", ""},
		{"doc.go", "", "", "grain/doc.go: missing"},
		{"case_test.go", "", "", "grain/case_test.go: missing"},
		{"case_test.go", "depth=", "n=", "no benchmark named variant=%s/depth=%d"},
		{"want.json", `,"param":"depth"`, "", "no benchmark named variant=%s"},
		{"want.json", `"n":"8"`, `"n":"9"`, "no benchmark of size depth=9"},
		{"want.json", `[1,8]`, `[]`, "procs is empty"},
		{"want.json", `"procs":8`, `"procs":2`, "procs is 2, want one of [1 8]"},
		{"want.json", `"source"`, `"cause":"grain","source"`, "nothing was planted"},
		{"want.json", `"loses"`, `"loses","cause":"grain"`, "an experiment claims no cause"},
		{"case_test.go", `{"other", nil}`, `{"other", nil}, {"new", nil}`, `nothing is said of variant "new"`},
	})
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
		got := checkCase(root, "grain")
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

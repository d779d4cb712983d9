package payoff

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// A tree is a checkout with all its documents.
type tree struct {
	*house
	fs.FS
	paths []string        // from the root, all but hidden ones
	docs  []string        // of them the documents, but those of testdata and of recorded runs
	dirs  []string        // that hold a Go file
	tests map[string]bool // by name
}

// TestDocuments: what documents say of the repository is so. A downloaded library
// has not all that they tell of.
//
// It stands in this module since the go command remembers what a test has said until
// a file of its own module changes: those of others it does not look at.
func TestDocuments(t *testing.T) {
	if _, err := os.Stat("tool/go.mod"); err != nil {
		t.Skip("this is the library alone")
	}
	x, err := here()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range x.problems() {
		t.Error(problem)
	}
}

// here is this checkout, which is read once.
var here = sync.OnceValues(func() (*tree, error) { return readTree(os.DirFS(".")) })

func readTree(root fs.FS) (*tree, error) {
	h, err := readHouse(root)
	if err != nil {
		return nil, err
	}
	x := &tree{house: h, FS: root, tests: map[string]bool{}}
	for _, f := range h.files {
		if dir := path.Dir(f.name); !slices.Contains(x.dirs, dir) {
			x.dirs = append(x.dirs, dir)
		}
		if strings.HasSuffix(f.name, "_test.go") {
			for _, m := range testFunc.FindAllStringSubmatch(x.read(f.name), -1) {
				x.tests[m[1]] = true
			}
		}
	}
	return x, fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return err
		case path.Base(name)[0] == '.' && d.IsDir():
			return fs.SkipDir
		case path.Base(name)[0] == '.':
			return nil
		}
		x.paths = append(x.paths, name)
		elems := strings.Split(name, "/")
		recorded := elems[0] == "record" && len(elems) > 2 && (len(elems) > 3 || elems[2] != "README.md")
		if path.Ext(name) == ".md" && !recorded && !slices.Contains(elems, "testdata") {
			x.docs = append(x.docs, name)
		}
		return nil
	})
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

func (x *tree) problems() (all []string) {
	for _, doc := range x.docs {
		all = append(all, x.deadLinks(doc)...)
		if doc != "CHANGELOG.md" { // which tells of what was
			all = append(all, x.falseNames(doc)...)
		}
	}
	return slices.Concat(all, x.rooms(), x.layout(), x.imports(), x.readme(), x.chosen(), x.told())
}

func (x *tree) read(name string) string {
	data, err := fs.ReadFile(x, name)
	if err != nil {
		return ""
	}
	return string(data)
}

// has reports whether a file or a directory has a name. An element that has
// capitals, like NAME, or a star may stand for any.
func (x *tree) has(name string) bool {
	pattern := wild(name)
	return slices.ContainsFunc(x.paths, func(p string) bool {
		ok, err := path.Match(pattern, p)
		return ok && err == nil
	})
}

// hasNear reports whether a name is one, or the end of one: documents name things
// from where they are.
func (x *tree) hasNear(name string) bool {
	pattern := wild(name)
	n := strings.Count(pattern, "/") + 1
	return slices.ContainsFunc(x.paths, func(p string) bool {
		of := strings.Split(p, "/")
		ok, err := path.Match(pattern, path.Join(of[max(0, len(of)-n):]...))
		return ok && err == nil
	})
}

// wild has stars for the elements of a name that stand for any.
func wild(name string) string {
	elems := strings.Split(path.Clean(name), "/")
	for i, e := range elems {
		if e != "README.md" && strings.ToLower(e) != e {
			elems[i] = "*"
		}
	}
	return path.Join(elems...)
}

var (
	fence   = regexp.MustCompile("(?ms)^```.*?^```")
	code    = regexp.MustCompile("`([^`\n]+)`")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	scheme  = regexp.MustCompile(`^[a-z]+:`)
	marks   = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// deadLinks are the links of a document within the repository that lead nowhere.
func (x *tree) deadLinks(doc string) (broken []string) {
	text := code.ReplaceAllString(fence.ReplaceAllString(x.read(doc), ""), "")
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		if scheme.MatchString(m[1]) {
			continue
		}
		file, anchor, _ := strings.Cut(m[1], "#")
		to := doc
		if file != "" {
			to = path.Join(path.Dir(doc), file)
		}
		if _, err := fs.Stat(x, to); err != nil {
			broken = append(broken, fmt.Sprintf("%s links to %s, which is not there", doc, m[1]))
		} else if anchor != "" && !slices.Contains(anchors(x.read(to)), anchor) {
			broken = append(broken, fmt.Sprintf("%s links to %s: there is no such heading", doc, m[1]))
		}
	}
	return broken
}

// anchors are the headings of a document as links name them.
func anchors(text string) (all []string) {
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		title := link.ReplaceAllString(m[1], "") // [title](to) is shown as its title
		title = marks.ReplaceAllString(strings.ToLower(title), "")
		all = append(all, strings.ReplaceAll(title, " ", "-"))
	}
	return all
}

var (
	testName  = regexp.MustCompile(`^Test[A-Z]\w*$`)
	qualified = regexp.MustCompile(`^([a-z]\w*)\.([A-Z]\w*)`)
)

// falseNames are what a document has in code that looks like a test, like a name
// of one of our packages, or like a path from the root, and is not there.
func (x *tree) falseNames(doc string) (broken []string) {
	say := func(name, what string) {
		broken = append(broken, fmt.Sprintf("%s: %s: there is no such %s", doc, name, what))
	}
	for _, m := range code.FindAllStringSubmatch(fence.ReplaceAllString(x.read(doc), ""), -1) {
		name := m[1]
		first, _, below := strings.Cut(name, "/")
		switch q := qualified.FindStringSubmatch(name); {
		case testName.MatchString(name):
			if !x.tests[name] {
				say(name, "test")
			}
		case q != nil:
			if dirs := x.packages(q[1]); len(dirs) > 0 && !slices.ContainsFunc(dirs, func(dir string) bool { return x.declares(dir, q[2]) }) {
				say(name, "name")
			}
		case strings.ContainsAny(name, " ()[]{},…:\"") || strings.HasPrefix(name, "."):
			// a command, or code
		case below && x.isDir(first) || path.Ext(name) == ".go" && doc != "docs/json.md": // where environment.go is a field
			if !x.hasNear(name) {
				say(name, "file")
			}
		}
	}
	return broken
}

func (x *tree) isDir(name string) bool {
	info, err := fs.Stat(x, name)
	return err == nil && info.IsDir()
}

// packages are the directories of our packages of a name.
func (x *tree) packages(name string) (dirs []string) {
	for _, dir := range x.dirs {
		if path.Base(dir) == name || dir == "." && name == "payoff" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// declares reports whether a package has an exported name.
func (x *tree) declares(dir, name string) bool {
	for _, f := range x.files {
		if path.Dir(f.name) != dir || strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		whole, err := parser.ParseFile(token.NewFileSet(), f.name, x.read(f.name), parser.SkipObjectResolution)
		if err != nil {
			continue // a compiler says it better
		}
		for _, d := range whole.Decls {
			if slices.Contains(declared(d), name) {
				return true
			}
		}
	}
	return false
}

// declared are the names that a declaration gives to its package.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// chosen are the blocks of the library that the table of docs/choosing.md does not have
// once.
func (x *tree) chosen() (broken []string) {
	text := x.read("docs/choosing.md")
	for _, dir := range x.dirs {
		if dir == "." || strings.Contains(dir, "/") || !x.has(dir+"/README.md") || x.has(dir+"/go.mod") {
			continue
		}
		n := 0
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "|") {
				n += strings.Count(line, "](../"+dir+"/README.md)")
			}
		}
		if n != 1 {
			broken = append(broken, fmt.Sprintf("docs/choosing.md has %d rows for %s, want one", n, dir))
		}
	}
	return broken
}

// Each lie is found, and nothing in a tree that is as its documents say.
func TestLies(t *testing.T) {
	sound := map[string]string{
		"README.md":             "# x\n\n[s](docs/s.md#the-whole-one), [a](docs/architecture.md), [q](q/README.md), [c](docs/choosing.md), [w](https://example.com/none), `q.New`\n\n![p](p.png)\n",
		"p.png":                 "",
		"docs/choosing.md":      "# c\n\n[q](../q/README.md)\n\n| [`q.New`](../q/README.md) | r |\n",
		"docs/s.md":             "# S\n\n## The whole `one`\n\n[r](../README.md), `slices.Sort`, `TestQ`, `q.Q.Put`, `record/DATE/README.md`, `q/*.go`, `q.go`, `internal/a`, `./none`\n\n```\n[d](none.md) `q.None`\n```\n",
		"q/README.md":           "# q\n",
		"q/q.go":                "package q\n\nimport _ \"m/r\"\n\nfunc New() *Q { return nil }\n\ntype Q struct{}\n\nfunc (*Q) Put() {}\n",
		"q/q_test.go":           "package q\n\nfunc TestQ(t *testing.T) {}\n",
		"tool/internal/a/a.go":  "package a\n",
		"tool/internal/b/b.go":  "package b\n",
		"tool/vet/c/c.go":       "package c\n",
		"tool/go.mod":           "module m/tool\n",
		"tool/testdata/go.mod":  "module none\n",
		"record/one/README.md":  "# one\n",
		"record/one/run/x.md":   "[d](none.md)\n",
		"record/one/figures.md": "[d](none.md)\n",
		"go.mod":                "module m\n\ngo 1.26\n",
		"docs/architecture.md": "# a\n\n## What goes from stage to stage\n\n| `find.Target` | find | t |\n| `tell.Doc` | tell | for `tell/text` |\n\n" +
			"## Leaves\n\n| `num`, `num/sim` | n |\n| `vet` | v |\n\n## Edges\n\n| `keep` | find | k |\n\n```go\ntype Host interface {\n}\n```\n\n" +
			"## The library\n\n| Package | Imports | What |\n|---|---|---|\n| `q` | `r` | q |\n| `r` | | r |\n",
		"tool/layers_test.go": "package tool\n\nvar order = layout{\n\tstages: []string{\"find\", \"tell\", \"tell/text\"},\n\tstream: \"all\",\n" +
			"\tleaves: map[string][]string{\"num\": {\"num/sim\"}, \"num/sim\": nil, \"vet\": nil, \"vet/c\": nil},\n\tedges: map[string]string{\"keep\": \"find\"},\n}\n",
		"tool/internal/host/host.go": "package host\n\ntype Host interface {\n}\n",
		"r/r.go":                     "package r\n",
		"doc.go":                     "// Package x has modules:\n//\n//   - tool: the tool.\npackage x\n",
		"CONTRIBUTING.md":            "# c\n\n## Where things live\n\n| Room | What | Tests |\n|---|---|---|\n| root | r | t |\n| `q`, `r` | q | `TestQ` |\n| `tool/internal/a`, `b`, `host` | a | t |\n| `tool/vet` | v | t |\n| `tool/internal/NAME` | v | t |\n\n## More\n",
	}
	lies := []struct {
		file, old, new string
		says           string
	}{
		{"", "", "", ""},
		{"README.md", "q/README.md", "q/readme.md", "README.md links to q/readme.md, which is not there"},
		{"README.md", "#the-whole-one", "#the-whole", "README.md links to docs/s.md#the-whole: there is no such heading"},
		{"README.md", "[q](q/README.md)", "", "README.md does not link to q/README.md"},
		{"README.md", "[s](docs/s.md#the-whole-one)", "[s](docs/s.md)", ""},
		{"docs/more.md", "", "# more\n", "README.md does not link to docs/more.md"},
		{"README.md", "\n![p](p.png)", strings.Repeat("\n![p](p.png)", 2), "README.md has 2 pictures, want one at most"},
		{"README.md", "# x\n", "# x\n" + strings.Repeat("\n", 150), "README.md has 155 lines, want 150 at most: the rest belongs to docs"},
		{"README.md", "# x\n", "# x" + strings.Repeat(" x", 1300) + "\n", "README.md has 1309 words, want 1300 at most: the rest belongs to docs"},
		{"docs/choosing.md", "| [`q.New`](../q/README.md) | r |\n", "", "docs/choosing.md has 0 rows for q, want one"},
		{"docs/choosing.md", "| r |\n", "| [q](../q/README.md) |\n", "docs/choosing.md has 2 rows for q, want one"},
		{"docs/s.md", "`TestQ`", "`TestR`", "docs/s.md: TestR: there is no such test"},
		{"docs/s.md", "`q.Q.Put`", "`q.R`", "docs/s.md: q.R: there is no such name"},
		{"docs/s.md", "`q/*.go`", "`q/*.txt`", "docs/s.md: q/*.txt: there is no such file"},
		{"docs/s.md", "`record/DATE/README.md`", "`record/two/README.md`", "docs/s.md: record/two/README.md: there is no such file"},
		{"CONTRIBUTING.md", "`r` | q", "`house_test.go` | q", "CONTRIBUTING.md: house_test.go: there is no such file"},
		{"CONTRIBUTING.md", "| `tool/vet` | v | t |\n", "| `tool/vet` | v | t |\n| `r` | q | t |\n", "CONTRIBUTING.md has two rows for r"},
		{"CONTRIBUTING.md", "`r` | q", "`internal/a` | q", "CONTRIBUTING.md: internal/a: there is no such directory"},
		{"docs/architecture.md", "`q` | `r`", "`q` | ", "docs/architecture.md, imports of the library: q has \"\", want \"`r`\""},
		{"docs/architecture.md", "| `r` | | r |\n", "", "docs/architecture.md, imports of the library: no row for r"},
		{"docs/architecture.md", "\n| `r` |", "\n| `r`, `s` |", "docs/architecture.md, imports of the library: a row for s, which is no such thing"},
		{"docs/architecture.md", ", `num/sim`", "", "docs/architecture.md, leaves: no row for num/sim"},
		{"docs/architecture.md", "`vet`", "`vet`, `vets`", "docs/architecture.md, leaves: a row for vets, which is no such thing"},
		{"docs/architecture.md", "| find | k |", "| tell | k |", "docs/architecture.md, edges: keep has \"tell\", want \"find\""},
		{"docs/architecture.md", "`tell.Doc`", "", "docs/architecture.md, types of stages: no row for tell"},
		{"docs/architecture.md", " for `tell/text`", "", "docs/architecture.md does not name the stage tell/text"},
		{"tool/internal/host/host.go", "Host", "House", "docs/architecture.md shows \"type Host interface {\\n\", which is not in tool/internal/host/host.go"},
		{"tool/layers_test.go", "edges", "rims", "tool/layers_test.go: no stages, leaves or edges in var order"},
		{"CONTRIBUTING.md", ", `b`", "", "CONTRIBUTING.md has no row for tool/internal/b"},
		{"CONTRIBUTING.md", "| `tool/vet` | v | t |\n", "", "CONTRIBUTING.md has no row for tool/vet/c"},
		{"house/go.mod", "", "module m/house\n", "doc.go does not tell of the module house"},
	}
	for _, lie := range lies {
		files := maps.Clone(sound)
		if lie.old != "" && !strings.Contains(files[lie.file], lie.old) {
			t.Fatalf("%s has no %q to change", lie.file, lie.old)
		}
		if lie.file != "" {
			files[lie.file] = strings.Replace(files[lie.file], lie.old, lie.new, 1)
		}
		root := fstest.MapFS{}
		for name, text := range files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		x, err := readTree(root)
		if err != nil {
			t.Fatal(err)
		}
		got := x.problems()
		if lie.says == "" && len(got) > 0 || lie.says != "" && !slices.Contains(got, lie.says) {
			t.Errorf("%s with %.40q for %q: problems %q, want %q", lie.file, lie.new, lie.old, got, lie.says)
		}
	}
}

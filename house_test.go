package payoff

import (
	"errors"
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
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// A rule returns what breaks it in a tree, a line each that names the file.
type rule func(h *house) []string

// rules are the house's rules by name. Those about several modules hold for
// the modules that are there: a downloaded library has only the root.
var rules = map[string]rule{
	"the library requires nothing":           requiresNothing,
	"one package comment for each directory": onePackageComment,
	"imports run one way":                    importsRunOneWay,
	"no go.mod replaces a module":            replacesNothing,
	"modules require each other":             requiresEachOther,
}

func TestHouse(t *testing.T) {
	h, err := readHouse(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			for _, p := range rule(h) {
				t.Errorf("%s (rule: %s)", p, name)
			}
		})
	}
}

// requiresNothing: the root's go.mod has no require, so that whoever uses the
// library gets the library alone.
func requiresNothing(h *house) (broken []string) {
	for _, r := range h.modules["."].directives("require") {
		broken = append(broken, fmt.Sprintf("go.mod:%d: require in the root module", r.line))
	}
	return broken
}

// replacesNothing: go install refuses a module that has a replace, and users
// of the library would not get what was tested.
func replacesNothing(h *house) (broken []string) {
	for dir, m := range h.modules {
		for _, r := range m.directives("replace") {
			broken = append(broken, fmt.Sprintf("%s:%d: replace", path.Join(dir, "go.mod"), r.line))
		}
	}
	return broken
}

// requiresEachOther: a module requires each module of the house that it imports,
// all at one version, which is or will be tagged: go install takes what go.mod
// says, or the latest where it says nothing, and never go.work. In a checkout
// go.work stands in for that version, so that nothing is asked for it.
func requiresEachOther(h *house) (broken []string) {
	version, first := "", ""             // the one version, and where it stands
	required := make(map[[2]string]bool) // module's directory, that of what it requires
	replaces := h.work.directives("replace")
	for _, dir := range slices.Sorted(maps.Keys(h.modules)) {
		for _, r := range h.modules[dir].directives("require") {
			to := h.named(r.args[0])
			if to == "" || len(r.args) < 2 {
				continue
			}
			v, at := r.args[1], fmt.Sprintf("%s:%d", path.Join(dir, "go.mod"), r.line)
			if version == "" {
				version, first = v, at
			}
			replace := []string{r.args[0], v, "=>", place(to)}
			switch {
			case !h.mayRequire(dir, to):
				broken = append(broken, fmt.Sprintf("%s: requires %s, which it may not import", at, r.args[0]))
			case !released.MatchString(v):
				broken = append(broken, fmt.Sprintf("%s: requires %s at %s, which is never tagged", at, r.args[0], v))
			case v != version:
				broken = append(broken, fmt.Sprintf("%s: requires %s at %s, and %s another at %s", at, r.args[0], v, first, version))
			case !slices.ContainsFunc(replaces, func(r directive) bool { return slices.Equal(r.args, replace) }):
				broken = append(broken, fmt.Sprintf("%s: go.work has no line replace %s", at, strings.Join(replace, " ")))
			}
			required[[2]string{dir, to}] = true
		}
	}
	for _, f := range h.files {
		from := h.moduleDir(f.name)
		for _, spec := range f.syntax.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if to, ours := h.moduleOf(imp); ours && h.mayRequire(from, to) && !required[[2]string{from, to}] {
				broken = append(broken, fmt.Sprintf("%s: imports %s, and %s does not require its module", f.name, imp, path.Join(from, "go.mod")))
			}
		}
	}
	for _, r := range replaces {
		if h.named(r.args[0]) != "" && version != "" && !slices.Contains(r.args, version) {
			broken = append(broken, fmt.Sprintf("go.work:%d: replaces %s at a version that no module requires", r.line, r.args[0]))
		}
	}
	return broken
}

// released matches versions that are tagged: no pseudo-version, which names a
// commit, and not v0.0.0.
var released = regexp.MustCompile(`^v(0\.0\.[1-9]\d*|0\.[1-9]\d*\.\d+|[1-9]\d*\.\d+\.\d+)(-(alpha|beta|rc)\.\d+)?$`)

// mayRequire reports whether a module may import another of the house.
func (h *house) mayRequire(dir, to string) bool {
	may := mayImport[dir]
	return slices.Contains(may.rooms, to) || slices.Contains(may.doors, to)
}

// place is a directory of the house as go.work names it.
func place(dir string) string {
	if dir == "." {
		return "."
	}
	return "./" + dir
}

// onePackageComment: the package comment is the door of a directory. None is a
// wall, and of two the reader does not know which to take.
func onePackageComment(h *house) (broken []string) {
	dirs := make(map[string][]string) // directory → its files with a package comment
	for _, f := range h.files {
		dir := path.Dir(f.name)
		// Directives such as //go:build are no comment.
		if f.syntax.Doc.Text() != "" {
			dirs[dir] = append(dirs[dir], f.name)
		} else if _, ok := dirs[dir]; !ok {
			dirs[dir] = nil
		}
	}
	for dir, files := range dirs {
		switch len(files) {
		case 0:
			broken = append(broken, dir+": no package comment")
		case 1:
		default:
			broken = append(broken, fmt.Sprintf("%s: %d package comments (%s)", dir, len(files), strings.Join(files, ", ")))
		}
	}
	return broken
}

// mayImport tells for each module, by directory, which modules of the house it
// may import beside itself, of which it may import the package in their root
// alone, and whether it may import modules from elsewhere.
var mayImport = map[string]struct {
	rooms     []string
	doors     []string
	elsewhere bool
}{
	".":       {nil, nil, false},
	"gallery": {[]string{"."}, nil, true}, // what its cases compare
	"peers":   {[]string{".", "gallery", "pipe/jetstream"}, nil, true},
	"house":   {nil, nil, true}, // commands that read the others as files
	// A stage of a pipeline elsewhere, over a network.
	"pipe/jetstream": {[]string{"."}, nil, true},
	"docs/img":       {nil, nil, false}, // no code
	"record":         {nil, nil, false}, // likewise
	"tool":           {[]string{"."}, []string{"gallery"}, true},
	// A second host for the tool, with a network. It lies beneath the tool, whose door is
	// internal to it; its tests measure, and so require what that requires.
	"tool/fleet": {[]string{".", "tool"}, []string{"gallery"}, true},
}

// importsRunOneWay: the library knows nobody, the gallery of the house only the
// library, the tool of the gallery only its package, and nobody builds on the
// tool but its fleet. Tests are held to it too.
func importsRunOneWay(h *house) (broken []string) {
	for dir := range h.modules {
		if _, ok := mayImport[dir]; !ok {
			broken = append(broken, path.Join(dir, "go.mod")+": no rule says what this module may import")
		}
	}
	for _, f := range h.files {
		from := h.moduleDir(f.name)
		may, ok := mayImport[from]
		if !ok {
			continue // reported above
		}
		for _, spec := range f.syntax.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				broken = append(broken, fmt.Sprintf("%s: import %s: %v", f.name, spec.Path.Value, err))
				continue
			}
			to, ours := h.moduleOf(imp)
			switch {
			case ours && (to == from || slices.Contains(may.rooms, to)):
				// its own, or a room it may enter
			case ours && slices.Contains(may.doors, to) && imp == h.modules[to].path:
				// a room at whose door it may ask
			case !ours && (isStd(imp) || may.elsewhere):
				// not of this house
			case ours && to == "tool" && strings.Contains(imp+"/", "/internal/"):
				broken = append(broken, fmt.Sprintf("%s: imports %s, which is internal to the tool", f.name, imp))
			default:
				broken = append(broken, fmt.Sprintf("%s: imports %s, which module %s may not", f.name, imp, h.modules[from].path))
			}
		}
	}
	return broken
}

// isStd reports whether the import path is one of the standard library: those
// have no dot in their first element, those from elsewhere need one.
func isStd(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return !strings.Contains(first, ".")
}

// A house is what the rules look at: the modules by directory ("." for the
// root) and the Go files of all of them.
type house struct {
	modules map[string]*module
	work    module // go.work, without a path; a downloaded library uses none
	files   []file
}

type module struct {
	path  string   // as other modules import it
	lines []string // of go.mod
}

// A directive is one of go.mod or go.work.
type directive struct {
	line int
	args []string // without the verb and the comment
}

type file struct {
	name   string // slash-separated, from the root
	syntax *ast.File
}

// readHouse reads the go.mod files and the package clauses, comments and
// imports of the Go files under root. It skips what the go command skips:
// testdata, vendor, and names that begin with a dot or an underscore.
func readHouse(root fs.FS) (*house, error) {
	h := &house{modules: make(map[string]*module)}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if name != "." && (base[0] == '.' || base[0] == '_') || d.IsDir() && (base == "testdata" || base == "vendor") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() || base != "go.mod" && name != "go.work" && path.Ext(base) != ".go" {
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if name == "go.work" {
			h.work.lines = strings.Split(string(src), "\n")
			return nil
		}
		if base == "go.mod" {
			m, err := readModule(string(src))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			h.modules[path.Dir(name)] = m
			return nil
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		h.files = append(h.files, file{name, syntax})
		return nil
	})
	if err == nil && h.modules["."] == nil {
		err = errors.New("no go.mod in the root")
	}
	return h, err
}

func readModule(src string) (*module, error) {
	m := &module{lines: strings.Split(src, "\n")}
	for _, line := range m.lines {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "module" {
			m.path = strings.Trim(f[1], "\"`")
			return m, nil
		}
	}
	return nil, errors.New("no module line")
}

// directives returns those of a verb, be each on a line with it or in a block.
func (m *module) directives(verb string) (all []directive) {
	block := ""
	for i, line := range m.lines {
		line, _, _ = strings.Cut(line, "//")
		f := strings.Fields(strings.Replace(line, "(", " ( ", 1))
		switch {
		case len(f) == 0:
		case f[0] == ")":
			block = ""
		case len(f) == 2 && f[1] == "(":
			block = f[0]
		case block == verb:
			all = append(all, directive{i + 1, f})
		case f[0] == verb && len(f) > 1:
			all = append(all, directive{i + 1, f[1:]})
		}
	}
	return all
}

// moduleDir returns the directory of the module that the named file belongs to.
func (h *house) moduleDir(name string) string {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if h.modules[dir] != nil || dir == "." {
			return dir
		}
	}
}

// named returns the directory of the module with a path, "" where the house has
// none.
func (h *house) named(modulePath string) string {
	for dir, m := range h.modules {
		if m.path == modulePath {
			return dir
		}
	}
	return ""
}

// moduleOf returns the directory of the module of the house that an import
// path belongs to, and whether there is one. Where one module's path is the
// start of another's, the longest counts.
func (h *house) moduleOf(imp string) (dir string, ours bool) {
	longest := ""
	for d, m := range h.modules {
		if (imp == m.path || strings.HasPrefix(imp, m.path+"/")) && len(m.path) > len(longest) {
			dir, longest = d, m.path
		}
	}
	return dir, longest != ""
}

// Each rule finds a planted breach and names the file, and finds nothing in a
// house that is in order.
func TestRules(t *testing.T) {
	const (
		toolMod = "module example.com/lib/tool\nrequire (\n\tgithub.com/a/b v1.0.0\n\texample.com/lib v0.1.0\n\texample.com/lib/gallery v0.1.0 // the command has its cases\n)\n"
		work    = "use (\n\t.\n\t./gallery\n)\nreplace (\n\texample.com/lib v0.1.0 => . // not from elsewhere\n\texample.com/lib/gallery v0.1.0 => ./gallery\n\tgithub.com/a/b v1.0.0 => ./b\n)\n"
	)
	order := map[string]string{
		"go.mod":                   "module example.com/lib // require nothing\n\ngo 1.26\n",
		"doc.go":                   "// Package lib is a library.\npackage lib\n",
		"lib_test.go":              "//go:build linux\n\n//go:debug x=1\npackage lib_test\nimport (\"testing\"; \"go/ast\"; \"example.com/lib/queue\")\n",
		"queue/queue.go":           "// Copyright of somebody.\n\n// Package queue is a queue.\npackage queue\nimport \"example.com/lib/internal/line\"\n",
		"internal/line/a.go":       "// Package line is a leaf.\npackage line\n",
		"go.work":                  work,
		"gallery/go.mod":           "module example.com/lib/gallery\nrequire example.com/lib v0.1.0\n",
		"gallery/doc.go":           "// Package gallery is a collection.\npackage gallery\n",
		"gallery/x/doc.go":         "// Package x is a case.\npackage x\nimport (\"example.com/lib/queue\"; \"github.com/a/b\")\n",
		"peers/go.mod":             "module example.com/lib/peers\nrequire github.com/a/b v1.0.0\nrequire example.com/lib/gallery v0.1.0\n",
		"peers/doc.go":             "// Package peers compares.\npackage peers\nimport (\"example.com/lib/gallery/x\"; \"github.com/a/b\")\n",
		"tool/go.mod":              toolMod,
		"tool/main.go":             "// Command tool measures.\npackage main\nimport (\"example.com/lib/queue\"; \"example.com/lib/gallery\"; \"github.com/a/b\"; \"example.com/lib/tool/internal/stats\")\n",
		"tool/internal/stats/s.go": "// Package stats knows numbers.\npackage stats\n",
		"testdata/bad.go":          "package bad\nimport \"github.com/a/b\"\n",
		"tool/testdata/go.mod":     "module bad\nreplace a => b\n",
		"_old/bad.go":              "package bad\n",
		".git/bad.go":              "package bad\n",
		"queue/_bad.go":            "package bad\n",
	}

	tests := []struct {
		rule      string // the rule that must be broken; none where empty
		file, src string // the file to put in place, by which
		broken    string // what the rule must say, a line each
	}{
		{},
		{"", "tool/go.mod", toolMod + "exclude github.com/a/b v0.9.0\n", ""},
		{"the library requires nothing", "go.mod", "module example.com/lib\nrequire a.b/c v1.0.0\n", "go.mod:2: require in the root module"},
		{"the library requires nothing", "go.mod", "module example.com/lib\n\nrequire(\n\ta.b/c v1.0.0 // indirect\n)\n", "go.mod:4: require in the root module"},

		{"no go.mod replaces a module", "go.mod", "module example.com/lib\nreplace a.b/c => ../c\n", "go.mod:2: replace"},
		{"no go.mod replaces a module", "tool/go.mod", toolMod + "\treplace (\n a.b/c => ../c\n)\n", "tool/go.mod:8: replace"},

		{"modules require each other", "tool/go.mod", "module example.com/lib/tool\nrequire example.com/lib v0.1.0\n", "tool/main.go: imports example.com/lib/gallery, and tool/go.mod does not require its module"},
		{"modules require each other", "tool/go.mod", strings.Replace(toolMod, "gallery v0.1.0", "gallery v0.2.0", 1), "tool/go.mod:5: requires example.com/lib/gallery at v0.2.0, and gallery/go.mod:2 another at v0.1.0"},
		{"modules require each other", "tool/go.mod", strings.ReplaceAll(toolMod, "lib v0.1.0", "lib v0.0.0"), "tool/go.mod:4: requires example.com/lib at v0.0.0, which is never tagged"},
		{"modules require each other", "tool/go.mod", strings.ReplaceAll(toolMod, "lib v0.1.0", "lib v0.1.1-0.20261127015740-b2c5b7c03c77"), "tool/go.mod:4: requires example.com/lib at v0.1.1-0.20261127015740-b2c5b7c03c77, which is never tagged"},
		{"modules require each other", "tool/go.mod", toolMod + "require example.com/lib/peers v0.1.0\n", "tool/go.mod:7: requires example.com/lib/peers, which it may not import"},
		{"modules require each other", "go.work", strings.Replace(work, "./gallery\n\tgithub", "./case\n\tgithub", 1), "peers/go.mod:3: go.work has no line replace example.com/lib/gallery v0.1.0 => ./gallery\ntool/go.mod:5: go.work has no line replace example.com/lib/gallery v0.1.0 => ./gallery"},
		{"modules require each other", "go.work", work + "replace example.com/lib v0.0.9 => .\n", "go.work:10: replaces example.com/lib at a version that no module requires"},

		{"one package comment for each directory", "queue/queue.go", "package queue\n", "queue: no package comment"},
		{"one package comment for each directory", "queue/queue.go", "// Not of the package.\n\npackage queue\n", "queue: no package comment"},
		{"one package comment for each directory", "queue/queue.go", "//go:build linux\npackage queue\n", "queue: no package comment"},
		{"one package comment for each directory", "par/par_test.go", "package par\n", "par: no package comment"},
		{"one package comment for each directory", "queue/queue_test.go", "// Package queue again.\npackage queue_test\n", "queue: 2 package comments (queue/queue.go, queue/queue_test.go)"},

		{"imports run one way", "lib_test.go", "package lib\nimport _ \"github.com/a/b\"\n", "lib_test.go: imports github.com/a/b, which module example.com/lib may not"},
		{"imports run one way", "queue/more.go", "package queue\nimport _ \"example.com/lib/gallery/x\"\n", "queue/more.go: imports example.com/lib/gallery/x, which module example.com/lib may not"},
		{"imports run one way", "queue/more.go", "package queue\nimport _ \"example.com/lib/peers\"\n", "queue/more.go: imports example.com/lib/peers, which module example.com/lib may not"},
		{"imports run one way", "queue/more.go", "package queue\nimport _ \"example.com/lib/tool\"\n", "queue/more.go: imports example.com/lib/tool, which module example.com/lib may not"},
		{"imports run one way", "queue/more.go", "package queue\nimport _ \"example.com/library\"\n", "queue/more.go: imports example.com/library, which module example.com/lib may not"},
		{"imports run one way", "gallery/x/more.go", "package x\nimport _ \"example.com/lib/tool/catalog\"\n", "gallery/x/more.go: imports example.com/lib/tool/catalog, which module example.com/lib/gallery may not"},
		{"imports run one way", "gallery/x/more.go", "package x\nimport _ \"example.com/lib/peers\"\n", "gallery/x/more.go: imports example.com/lib/peers, which module example.com/lib/gallery may not"},
		{"imports run one way", "peers/more.go", "package peers\nimport _ \"example.com/lib/tool/catalog\"\n", "peers/more.go: imports example.com/lib/tool/catalog, which module example.com/lib/peers may not"},
		{"imports run one way", "tool/more.go", "package main\nimport _ \"example.com/lib/gallery/x\"\n", "tool/more.go: imports example.com/lib/gallery/x, which module example.com/lib/tool may not"},
		{"imports run one way", "tool/more.go", "package main\nimport _ \"example.com/lib/peers\"\n", "tool/more.go: imports example.com/lib/peers, which module example.com/lib/tool may not"},
		{"imports run one way", "peers/more.go", "package peers\nimport _ \"example.com/lib/tool/internal/stats\"\n", "peers/more.go: imports example.com/lib/tool/internal/stats, which is internal to the tool"},
		{"imports run one way", "fifth/go.mod", "module example.com/lib/fifth\n", "fifth/go.mod: no rule says what this module may import"},
	}
	for _, test := range tests {
		root := make(fstest.MapFS)
		for name, src := range order {
			root[name] = &fstest.MapFile{Data: []byte(src)}
		}
		if test.file != "" {
			root[test.file] = &fstest.MapFile{Data: []byte(test.src)}
		}
		h, err := readHouse(root)
		if err != nil {
			t.Fatal(err)
		}
		for name, rule := range rules {
			var want []string
			if name == test.rule {
				want = strings.Split(test.broken, "\n")
			}
			if got := rule(h); !slices.Equal(got, want) {
				t.Errorf("%s = %q: rule %q says %q, want %q", test.file, test.src, name, got, want)
			}
		}
	}
}

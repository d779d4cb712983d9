// Package tool holds what is tested of the module as a whole, like the order
// of its rooms. The command is in cmd/payoff, everything else in internal.
package tool

import (
	"fmt"
	"go/parser"
	"go/token"
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

// A layout says which room of the module may import which. Rooms under
// internal go by their path below it.
type layout struct {
	// stages are in the order of the stream. Each owns the type it returns,
	// and the later ones take it: a stage may import any stage before it and
	// every leaf, never one that comes after.
	stages []string
	// planned are the stages that need no directory yet.
	planned []string
	// leaves know no stage. Each may import the leaves listed for it; "vet/*" is
	// all those beneath vet.
	leaves map[string][]string
	// edges plug into one stage: they may import it, what it may import, and
	// nothing that comes after. No stage and no leaf imports an edge.
	edges map[string]string
	// stream holds the stages together: it may import every room but commands,
	// and only commands may import it.
	stream string
	// commands may import every room.
	commands []string
}

// order is the layout of this module. A new room has to be entered here.
var order = layout{
	stages: []string{"discover", "measure", "judge", "judge/judgetest", "explain", "gather", "service", "predict", "prescribe", "verify", "tune", "report", "report/text", "report/html", "report/ci"},
	leaves: map[string][]string{
		"browsertest":     nil,
		"catalog":         {"spell"},
		"change":          nil,
		"cmdline":         {"plain"},
		"contest":         {"stats"},
		"cpuprof":         {"source", "stack"},
		"edit":            {"overlay", "source"},
		"endpoint":        nil,
		"evidence":        {"cpuprof", "edit", "exectrace", "instr", "sharing", "source", "stack"},
		"exectrace":       {"record", "source", "stack"}, // its tests read records,
		"figure":          nil,
		"gocmd":           {"source"},
		"gocmd/gocmdtest": {"gocmd"},
		"hollow":          {"patch", "source"},
		"hotcode":         {"cpuprof", "evidence", "source", "stack"},
		"host":            {"machine", "overlay", "probe"},
		"host/plug":       {"host"},
		"host/sim":        {"host", "overlay", "probe"},
		"instr":           {"source"},
		"lint":            {"edit", "patch", "plain", "problem", "program", "sarif", "source", "spell", "vet", "vet/heat", "vet/rewrite", "vet/shape"},
		"machine":         {"repo"},
		"outfile":         {"record"},
		"overlay":         nil,
		"patch":           {"record"},
		"padding":         {"edit", "gocmd", "gocmd/gocmdtest", "program", "sharing", "source", "vet/layout", "vet/room", "vet/uses"},
		"plain":           nil,
		"probe":           {"overlay"},
		"problem":         nil,
		"program":         {"gocmd", "gocmd/gocmdtest", "overlay", "source"},
		"record":          nil,
		"repo":            nil,
		"results":         {"edit", "gocmd", "gocmd/gocmdtest", "host", "overlay", "results/record"},
		"results/record":  nil,
		"sarif":           nil,
		"sharing":         {"edit", "gocmd", "gocmd/gocmdtest", "overlay", "program", "source"},
		"source":          nil,
		"spell":           nil,
		"stack":           {"source"},
		"stats":           {"stats/noise"}, // its tests simulate
		"stats/noise":     nil,
		"turn":            {"record"},
		"unpack":          nil,

		"vet":                     {"vet/*", "vet/shape/twintest"},
		"vet/adjatomic":           {"vet/layout", "vet/room", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/atonce":              {"vet/flow", "vet/loop", "vet/rewrite", "vet/section", "vet/spawn", "vet/uses"},
		"vet/benchvet":            {"vet/flow", "vet/heat", "vet/local", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/chanperitem":         {"vet/flow", "vet/inline", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/deferloop":           {"vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/uses"},
		"vet/fewworkers":          {"vet/flow", "vet/inline", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/flow":                {"machine", "source", "vet/rewrite", "vet/unbuilt", "vet/uses"},
		"vet/forcegc":             {"vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/uses"},
		"vet/fuzz":                {"vet", "vet/rewrite", "vet/shape"},
		"vet/golangci":            {"vet", "vet/heat"},
		"vet/goperelem":           {"vet/inline", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/guard":               {"vet/flow", "vet/layout", "vet/loop", "vet/rewrite", "vet/section", "vet/uses"},
		"vet/heat":                {"outfile", "record"},
		"vet/hotalloc":            {"source", "vet/flow", "vet/guard", "vet/heat", "vet/layout", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/hotslot":             {"vet/layout", "vet/local", "vet/privatize", "vet/rewrite", "vet/room", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/inplace":             {"vet/flow", "vet/goperelem", "vet/inline", "vet/loop", "vet/recgo", "vet/rewrite", "vet/section", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/inline":              {"vet/loop", "vet/rewrite", "vet/shape", "vet/spawn", "vet/uses"},
		"vet/layout":              {"vet/rewrite", "vet/uses"},
		"vet/local":               {"vet/flow", "vet/loop", "vet/rewrite", "vet/section", "vet/spawn", "vet/uses"},
		"vet/lockslow":            {"vet/flow", "vet/guard", "vet/inline", "vet/rewrite", "vet/section", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/loop":                {"vet/rewrite", "vet/uses"},
		"vet/onestage":            {"vet/atonce", "vet/flow", "vet/inline", "vet/loop", "vet/rewrite", "vet/section", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/owner":               {"vet/flow", "vet/guard", "vet/inline", "vet/layout", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/poolreset":           {"vet/loop", "vet/rewrite", "vet/section", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/poolvalue":           {"vet/flow", "vet/guard", "vet/layout", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/privatize":           {"vet/flow", "vet/guard", "vet/inline", "vet/layout", "vet/local", "vet/loop", "vet/rewrite", "vet/section", "vet/shape", "vet/spawn", "vet/uses"},
		"vet/recgo":               {"vet/flow", "vet/inline", "vet/rewrite", "vet/serialform", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/reflecthot":          {"vet/flow", "vet/inline", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/uses"},
		"vet/rewrite":             {"source"},
		"vet/room":                {"vet/layout", "vet/rewrite", "vet/uses"},
		"vet/rwtiny":              {"vet/flow", "vet/guard", "vet/layout", "vet/loop", "vet/rewrite", "vet/section", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/section":             {"source", "vet/flow", "vet/uses"},
		"vet/selecteach":          {"vet/inline", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/uses"},
		"vet/selectspin":          {"vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/uses"},
		"vet/serialform":          {"vet/flow", "vet/heat", "vet/inline", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/shape":               {"edit", "vet/flow", "vet/heat", "vet/rewrite", "vet/unbuilt", "vet/uses"},
		"vet/shape/shapetest":     {"overlay", "patch", "vet/heat", "vet/rewrite", "vet/shape", "vet/shape/twintest"},
		"vet/shape/twintest":      {"overlay", "patch", "results", "vet/shape/twintest/twin"},
		"vet/shape/twintest/twin": nil,
		"vet/shardpad":            {"vet/layout", "vet/rewrite", "vet/room", "vet/shape", "vet/shape/shapetest", "vet/uses"},
		"vet/sharedacc":           {"vet/guard", "vet/layout", "vet/local", "vet/loop", "vet/privatize", "vet/rewrite", "vet/section", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/sortiface":           {"vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/uses"},
		"vet/spawn":               {"vet/rewrite", "vet/unbuilt"},
		"vet/spinwait":            {"vet/flow", "vet/loop", "vet/rewrite", "vet/section", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/staticsplit":         {"vet/flow", "vet/inline", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/syncmap":             {"vet/guard", "vet/layout", "vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/timerloop":           {"vet/loop", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/uses"},
		"vet/traps":               {"vet", "vet/shape/shapetest"},
		"vet/unbounded":           {"vet/inline", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn"},
		"vet/unbuffered":          {"vet/flow", "vet/local", "vet/loop", "vet/rewrite", "vet/section", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
		"vet/unbuilt":             {"vet/rewrite"},
		"vet/uses":                {"vet/unbuilt"},
		"vet/yieldloop":           {"vet/heat", "vet/rewrite", "vet/shape", "vet/shape/shapetest", "vet/spawn", "vet/uses"},
	},
	edges: map[string]string{
		"articles":   "gather",
		"claims":     "explain",
		"history":    "report",
		"receipt":    "report",
		"host/local": "measure", // its tests measure; it knows leaves alone
		"mcp":        "report/text",
		"serve":      "report/html",
		"store":      "measure",
	},
	stream:   "session",
	commands: []string{"cmd/payoff"},
}

func TestLayers(t *testing.T) {
	imports, err := readImports(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range order.check(imports) {
		t.Error(p)
	}
}

// check returns what breaks the layout, a line each that names the file.
// imports are those within the module by importing file; both by path from
// the module's root. Tests are held to the layout as well.
func (l layout) check(imports map[string][]string) (broken []string) {
	there := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(imports)) {
		from := room(path.Dir(file))
		if !there[from] {
			there[from] = true
			if l.kind(from) == "" {
				broken = append(broken, fmt.Sprintf("%s: a room that the layout does not know: enter it in layers_test.go", path.Dir(file)))
			}
		}
		for _, imp := range imports[file] {
			if to := room(imp); to != from && l.kind(from) != "" {
				if why := l.forbids(from, to); why != "" {
					broken = append(broken, fmt.Sprintf("%s: imports %s: %s", file, imp, why))
				}
			}
		}
	}
	for _, r := range l.rooms() {
		if !there[r] && !slices.Contains(l.planned, r) {
			broken = append(broken, fmt.Sprintf("layers_test.go: %s is in the layout and has no Go file", r))
		}
	}
	return broken
}

// forbids says why room from may not import room to, "" if it may.
func (l layout) forbids(from, to string) string {
	kind, of := l.kind(from), l.kind(to)
	switch {
	case kind == "command":
		return ""
	case kind == "stream" && of != "command" && of != "":
		return ""
	case of == "stream":
		return "only commands carry out plans"
	case of == "":
		return "the layout does not know it"
	case of == "command":
		return "nothing imports a command"
	case kind == "root":
		return "the root of the module holds the layout alone"
	case kind == "leaf":
		switch {
		case of != "leaf":
			return fmt.Sprintf("a leaf knows no %s", of)
		case !slices.Contains(l.leaves[from], to) && !slices.Contains(l.leaves[from], path.Dir(to)+"/*"):
			return "the layout lists no such import between leaves"
		}
	case of == "edge":
		return "an edge plugs into its stage; only commands know it"
	case of == "stage":
		stage := from
		if kind == "edge" {
			stage = l.edges[from]
		}
		if slices.Index(l.stages, to) > slices.Index(l.stages, stage) {
			return fmt.Sprintf("it comes after %s in the stream", stage)
		}
	}
	return ""
}

// kind is what a room is: stage, leaf, edge, stream, command, root, or "" if unknown.
func (l layout) kind(room string) string {
	_, leaf := l.leaves[room]
	_, edge := l.edges[room]
	switch {
	case slices.Contains(l.stages, room):
		return "stage"
	case leaf:
		return "leaf"
	case edge:
		return "edge"
	case room == l.stream:
		return "stream"
	case slices.Contains(l.commands, room):
		return "command"
	case room == ".":
		return "root"
	}
	return ""
}

func (l layout) rooms() []string {
	return slices.Concat(l.stages, slices.Sorted(maps.Keys(l.leaves)), slices.Sorted(maps.Keys(l.edges)), []string{l.stream}, l.commands)
}

// room is the name of a directory in the layout.
func room(dir string) string { return strings.TrimPrefix(dir, "internal/") }

// readImports returns, for each Go file of the module at root, the packages of
// the module that it imports. It skips what the go command skips.
func readImports(root fs.FS) (map[string][]string, error) {
	gomod, err := fs.ReadFile(root, "go.mod")
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(string(gomod), "\n")
	module, ok := strings.CutPrefix(strings.TrimSpace(first), "module ")
	if !ok {
		return nil, fmt.Errorf("go.mod does not begin with its module: %q", first)
	}
	imports := map[string][]string{}
	return imports, fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() {
			if name != "." && (base[0] == '.' || base[0] == '_' || base == "testdata" || base == "vendor") {
				return fs.SkipDir
			}
			if _, err := fs.Stat(root, path.Join(name, "go.mod")); err == nil && name != "." { // a module of its own
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(base) != ".go" || base[0] == '.' || base[0] == '_' {
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			return err
		}
		imports[name] = nil
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
			}
			if rel, ok := strings.CutPrefix(imp, module+"/"); ok {
				imports[name] = append(imports[name], rel)
			}
		}
		return nil
	})
}

// The layout itself is in order: each room has one kind, each edge a stage,
// and leaves that import each other make no circle.
func TestLayout(t *testing.T) {
	rooms := order.rooms()
	slices.Sort(rooms)
	for i := 1; i < len(rooms); i++ {
		if rooms[i] == rooms[i-1] {
			t.Errorf("%s is in the layout twice", rooms[i])
		}
	}
	for _, stage := range append(slices.Collect(maps.Values(order.edges)), order.planned...) {
		if !slices.Contains(order.stages, stage) {
			t.Errorf("%q is an edge's stage or planned, and not among the stages", stage)
		}
	}
	var visit func(leaf string, above []string)
	visit = func(leaf string, above []string) {
		if slices.Contains(above, leaf) {
			t.Errorf("leaves import each other in a circle: %v", append(above, leaf))
			return
		}
		for _, l := range order.leaves[leaf] {
			if l == leaf+"/*" { // which may not import it: they are listed themselves
				continue
			}
			if _, ok := order.leaves[l]; !ok {
				t.Errorf("leaf %s may import %s, which is no leaf", leaf, l)
			}
			visit(l, append(slices.Clone(above), leaf))
		}
	}
	for leaf := range order.leaves {
		visit(leaf, nil)
	}
}

// The check finds each planted breach, and nothing in a module in order.
func TestCheck(t *testing.T) {
	l := layout{
		stages:   []string{"find", "run", "fix", "tell"},
		planned:  []string{"fix"},
		leaves:   map[string][]string{"num": {"num/sim"}, "num/sim": nil, "sys": nil, "kit": {"kit/*"}, "kit/a": nil},
		edges:    map[string]string{"keep": "run"},
		stream:   "all",
		commands: []string{"cmd/x"},
	}
	sound := map[string]string{
		"go.mod":                     "module example.com/x/tool\n\ngo 1.26\n",
		"layers_test.go":             "package tool\n",
		"internal/find/find.go":      "package find\nimport _ \"example.com/x/tool/internal/sys\"\n",
		"internal/run/run.go":        "package run\nimport (_ \"example.com/x/tool/internal/find\"; _ \"example.com/x/tool/internal/num\"; _ \"github.com/a/b\")\n",
		"internal/run/run_test.go":   "package run_test\nimport _ \"example.com/x/tool/internal/run\"\n",
		"internal/tell/tell.go":      "package tell\nimport (_ \"example.com/x/tool/internal/find\"; _ \"example.com/x/tool/internal/run\")\n",
		"internal/num/num.go":        "package num\nimport _ \"math\"\n",
		"internal/num/num_test.go":   "package num\nimport _ \"example.com/x/tool/internal/num/sim\"\n",
		"internal/num/sim/sim.go":    "package sim\n",
		"internal/sys/sys.go":        "package sys\n",
		"internal/kit/kit.go":        "package kit\nimport _ \"example.com/x/tool/internal/kit/a\"\n",
		"internal/kit/a/a.go":        "package a\n",
		"internal/keep/keep.go":      "package keep\nimport (_ \"example.com/x/tool/internal/find\"; _ \"example.com/x/tool/internal/run\"; _ \"example.com/x/tool/internal/sys\")\n",
		"internal/all/all.go":        "package all\nimport (_ \"example.com/x/tool/internal/keep\"; _ \"example.com/x/tool/internal/tell\"; _ \"example.com/x/tool/internal/sys\")\n",
		"cmd/x/main.go":              "package main\nimport (_ \"example.com/x/tool/internal/all\"; _ \"example.com/x/tool/internal/find\"; _ \"example.com/x/tool/internal/keep\"; _ \"example.com/x/tool/internal/tell\")\n",
		"internal/run/testdata/a.go": "package bad\nimport _ \"example.com/x/tool/internal/tell\"\n",
		"internal/_old/a.go":         "package old\n",
	}
	tests := []struct {
		file, imports string // put in place; with no import the file is taken away
		broken        []string
	}{
		{"", "", nil},
		{"internal/find/a.go", "internal/run", []string{"internal/find/a.go: imports internal/run: it comes after find in the stream"}},
		{"internal/find/a_test.go", "internal/tell", []string{"internal/find/a_test.go: imports internal/tell: it comes after find in the stream"}},
		{"internal/find/a.go", "internal/fix", []string{"internal/find/a.go: imports internal/fix: it comes after find in the stream"}},
		{"internal/fix/a.go", "internal/run", nil},
		{"internal/tell/a.go", "internal/find", nil},
		{"internal/tell/a.go", "internal/num", nil},
		{"internal/tell/a.go", "internal/keep", []string{"internal/tell/a.go: imports internal/keep: an edge plugs into its stage; only commands know it"}},
		{"internal/tell/a.go", "cmd/x", []string{"internal/tell/a.go: imports cmd/x: nothing imports a command"}},
		{"internal/tell/a.go", "internal/all", []string{"internal/tell/a.go: imports internal/all: only commands carry out plans"}},
		{"internal/all/a.go", "cmd/x", []string{"internal/all/a.go: imports cmd/x: nothing imports a command"}},
		{"internal/tell/a.go", "more", []string{"internal/tell/a.go: imports more: the layout does not know it"}},
		{"internal/sys/a.go", "internal/find", []string{"internal/sys/a.go: imports internal/find: a leaf knows no stage"}},
		{"internal/sys/a.go", "internal/keep", []string{"internal/sys/a.go: imports internal/keep: a leaf knows no edge"}},
		{"internal/sys/a.go", "internal/num", []string{"internal/sys/a.go: imports internal/num: the layout lists no such import between leaves"}},
		{"internal/num/sim/a.go", "internal/num", []string{"internal/num/sim/a.go: imports internal/num: the layout lists no such import between leaves"}},
		{"internal/kit/a/b.go", "internal/kit", []string{"internal/kit/a/b.go: imports internal/kit: the layout lists no such import between leaves"}},
		{"internal/kit/b.go", "internal/num", []string{"internal/kit/b.go: imports internal/num: the layout lists no such import between leaves"}},
		{"internal/keep/a.go", "internal/tell", []string{"internal/keep/a.go: imports internal/tell: it comes after run in the stream"}},
		{"a.go", "internal/run", []string{"a.go: imports internal/run: the root of the module holds the layout alone"}},
		{"cmd/x/a.go", "internal/run", nil},
		{"internal/util/a.go", "internal/sys", []string{"internal/util: a room that the layout does not know: enter it in layers_test.go"}},
		{"internal/num/more/a.go", "math", []string{"internal/num/more: a room that the layout does not know: enter it in layers_test.go"}},
		{"vet/a.go", "internal/run", []string{"vet: a room that the layout does not know: enter it in layers_test.go"}},
		{"internal/keep/keep.go", "", []string{"layers_test.go: keep is in the layout and has no Go file"}},
		{"internal/tell/tell.go", "", []string{"layers_test.go: tell is in the layout and has no Go file"}},
	}
	for _, test := range tests {
		root := fstest.MapFS{}
		for name, src := range sound {
			root[name] = &fstest.MapFile{Data: []byte(src)}
		}
		switch {
		case test.imports != "":
			imp := test.imports
			if imp != "math" {
				imp = "example.com/x/tool/" + imp
			}
			root[test.file] = &fstest.MapFile{Data: []byte("package p\nimport _ \"" + imp + "\"\n")}
		case test.file != "":
			delete(root, test.file)
		}
		imports, err := readImports(root)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.check(imports); !slices.Equal(got, test.broken) {
			t.Errorf("%s importing %s: %q, want %q", test.file, test.imports, got, test.broken)
		}
	}
}

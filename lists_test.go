package payoff

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// rows yields the first two cells of the rows in a section of a document: the names
// in the first, and the second as it stands.
func (x *tree) rows(doc, section string) iter.Seq2[[]string, string] {
	_, text, _ := strings.Cut(x.read(doc), "\n## "+section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	return func(yield func([]string, string) bool) {
		for line := range strings.Lines(text) {
			cells := strings.Split(line, "|")
			if len(cells) < 4 {
				continue
			}
			var names []string
			for _, m := range code.FindAllStringSubmatch(cells[1], -1) {
				names = append(names, m[1])
			}
			if len(names) > 0 && !yield(names, strings.TrimSpace(cells[2])) {
				return
			}
		}
	}
}

// table are the rows of a section by name.
func (x *tree) table(doc, section string) map[string]string {
	all := map[string]string{}
	for names, second := range x.rows(doc, section) {
		for _, name := range names {
			all[name] = second
		}
	}
	return all
}

// differences are what a document has in a list and the code has not, and the other
// way round.
func differences(list string, told, is map[string]string) (broken []string) {
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if t, ok := told[name]; !ok {
			broken = append(broken, fmt.Sprintf("%s: no row for %s", list, name))
		} else if t != is[name] {
			broken = append(broken, fmt.Sprintf("%s: %s has %q, want %q", list, name, t, is[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(told)) {
		if _, ok := is[name]; !ok {
			broken = append(broken, fmt.Sprintf("%s: a row for %s, which is no such thing", list, name))
		}
	}
	return broken
}

// rooms says which directories the table of CONTRIBUTING.md lacks or has twice, and
// which of its rows are of nothing. A row holds for the directories below as well; those after
// the first in a row may be named from beside it.
func (x *tree) rooms() (broken []string) {
	const doc = "CONTRIBUTING.md"
	known := map[string]bool{}
	for names := range x.rows(doc, "Where things live") {
		for i, name := range names {
			if next := path.Join(path.Dir(names[0]), name); i > 0 && slices.Contains(x.paths, next) {
				name = next
			}
			if !x.has(name) {
				broken = append(broken, fmt.Sprintf("%s: %s: there is no such directory", doc, name))
			}
			if known[name] {
				broken = append(broken, fmt.Sprintf("%s has two rows for %s", doc, name))
			}
			known[name] = true
		}
	}
	for _, dir := range x.dirs {
		told := dir == "." || dir == "tool" // the root, in words; what has rows for its tests
		for up := dir; up != "."; up = path.Dir(up) {
			told = told || known[up]
		}
		if !told {
			broken = append(broken, fmt.Sprintf("%s has no row for %s", doc, dir))
		}
	}
	return broken
}

// layout says where the lists of docs/architecture.md are not those of order in
// tool/layers_test.go, and what it shows of the door that is not in the code.
func (x *tree) layout() (broken []string) {
	const doc = "docs/architecture.md"
	order, err := x.order()
	if err != nil {
		return []string{err.Error()}
	}
	types := map[string]string{}
	for name := range x.table(doc, "What goes from stage to stage") {
		stage, _, _ := strings.Cut(name, ".") // discover.Target is of discover
		types[stage] = ""
	}
	stages := map[string]string{}
	for stage := range order["stages"] {
		if !strings.Contains(stage, "/") {
			stages[stage] = ""
		} else if !strings.Contains(x.read(doc), "`"+stage+"`") { // it has no type of its own
			broken = append(broken, fmt.Sprintf("%s does not name the stage %s", doc, stage))
		}
	}
	leaves := x.table(doc, "Leaves")
	for leaf := range leaves {
		leaves[leaf] = ""
	}
	maps.DeleteFunc(order["leaves"], func(leaf, _ string) bool { return strings.HasPrefix(leaf, "vet/") }) // the row of vet stands for them
	broken = slices.Concat(broken,
		differences(doc+", types of stages", types, stages),
		differences(doc+", leaves", leaves, order["leaves"]),
		differences(doc+", edges", x.table(doc, "Edges"), order["edges"]))

	_, shown, _ := strings.Cut(x.read(doc), "```go\n")
	shown, _, _ = strings.Cut(shown, "```")
	for line := range strings.Lines(shown) {
		if !strings.Contains(x.read("tool/internal/host/host.go"), line) {
			broken = append(broken, fmt.Sprintf("%s shows %q, which is not in tool/internal/host/host.go", doc, line))
		}
	}
	return broken
}

// order are the names in the lists of the tool's layout; edges have their stages.
func (x *tree) order() (map[string]map[string]string, error) {
	const file = "tool/layers_test.go"
	f, err := parser.ParseFile(token.NewFileSet(), file, x.read(file), parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	lists := map[string]map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || v.Names[0].Name != "order" || len(v.Values) != 1 {
			return !ok
		}
		for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
			list := e.(*ast.KeyValueExpr)
			lit, ok := list.Value.(*ast.CompositeLit)
			if !ok {
				continue
			}
			names := map[string]string{}
			for _, e := range lit.Elts {
				if of, ok := e.(*ast.KeyValueExpr); ok {
					names[text(of.Key)] = text(of.Value)
				} else {
					names[text(e)] = ""
				}
			}
			lists[list.Key.(*ast.Ident).Name] = names
		}
		return false
	})
	if len(lists["stages"]) == 0 || len(lists["leaves"]) == 0 || len(lists["edges"]) == 0 {
		return nil, fmt.Errorf("%s: no stages, leaves or edges in var order", file)
	}
	return lists, nil
}

// text is the value of a string literal, "" of anything else.
func text(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return s
}

// imports says where the table of docs/architecture.md is not what the packages of
// the library import of each other. What is beneath internal/world, and scenes, are
// programs for tests.
func (x *tree) imports() []string {
	is := map[string]string{}
	for _, dir := range x.dirs {
		if dir == "." || x.moduleDir(dir+"/") != "." || strings.HasPrefix(dir, "internal/world") || path.Base(dir) == "scenes" {
			continue
		}
		var all []string
		for _, f := range x.files {
			if path.Dir(f.name) != dir || strings.HasSuffix(f.name, "_test.go") {
				continue
			}
			for _, spec := range f.syntax.Imports {
				if of, ok := strings.CutPrefix(text(spec.Path), x.modules["."].path+"/"); ok {
					all = append(all, "`"+of+"`")
				}
			}
		}
		slices.Sort(all)
		is[dir] = strings.Join(slices.Compact(all), ", ")
	}
	const doc = "docs/architecture.md"
	return differences(doc+", imports of the library", x.table(doc, "The library"), is)
}

// The README is what somebody reads who has five minutes.
const (
	mostLines = 150
	mostWords = 1300
)

// readme says what is wrong with the README as the door to the documents.
func (x *tree) readme() (broken []string) {
	const doc = "README.md"
	text := x.read(doc)
	if n := strings.Count(text, "\n"); n > mostLines {
		broken = append(broken, fmt.Sprintf("%s has %d lines, want %d at most: the rest belongs to docs", doc, n, mostLines))
	}
	if n := len(strings.Fields(text)); n > mostWords {
		broken = append(broken, fmt.Sprintf("%s has %d words, want %d at most: the rest belongs to docs", doc, n, mostWords))
	}
	if n := strings.Count(text, "!["); n > 1 {
		broken = append(broken, fmt.Sprintf("%s has %d pictures, want one at most", doc, n))
	}
	for _, file := range x.docs {
		named := path.Dir(file) == "docs" || strings.Count(file, "/") == 1 && path.Base(file) == "README.md"
		if named && !strings.Contains(text, "]("+file+")") && !strings.Contains(text, "]("+file+"#") {
			broken = append(broken, fmt.Sprintf("%s does not link to %s", doc, file))
		}
	}
	return broken
}

// told says which modules the library's package comment does not tell of.
func (x *tree) told() (broken []string) {
	for _, dir := range slices.Sorted(maps.Keys(x.modules)) {
		if dir != "." && !strings.Contains(x.read("doc.go"), "//   - "+dir+": ") {
			broken = append(broken, "doc.go does not tell of the module "+dir)
		}
	}
	return broken
}

package results

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// Touched names the folder in which a process of [Marks.Code] leaves a file for each mark
// that it comes to.
const Touched = "PAYOFF_TOUCHED"

// Marks is a program as it is, with a mark in each function whose body an edit changes, and
// in those of the package that use it: a benchmark that comes to none runs the same code
// with the edit, in another layout at most.
type Marks struct {
	Code  overlay.Overlay
	edits [][]int // the marks of each; nil where it changes more than bodies
}

// Mark makes the program for edits, each by the packages that it changes.
func Mark(edits [][]Pair) (*Marks, error) {
	m := &Marks{edits: make([][]int, len(edits))}
	var e edit.Draft
	marks := map[string]int{} // by function
	for i, pairs := range edits {
		var of []int
		for _, x := range pairs {
			old, new, err := x.forms()
			if err != nil {
				return nil, err
			}
			names, ok := bodies(old, new)
			if !ok {
				of = nil
				break
			}
			for _, name := range names {
				fn, key := old.funcs[name], x.Path+"."+name
				if _, ok := marks[key]; !ok {
					marks[key] = len(marks)
					e.File(fn.file, old.texts[fn.file]).Insert(old.fset.Position(fn.decl.Body.Lbrace).Offset+1, fmt.Sprintf(" payoffTouched(%d); ", marks[key]))
					e.Add(filepath.Join(filepath.Dir(fn.file), "zz_payoff_touched.go"), []byte(marker(old.files[fn.file].Name.Name)))
				}
				of = append(of, marks[key])
			}
		}
		m.edits[i] = of
	}
	var err error
	m.Code, err = e.Overlay()
	return m, err
}

// Of reports whether a process that left these files ran what the i-th edit changes. It
// may have where the edit changes more than bodies of functions.
func (m *Marks) Of(i int, files map[string][]byte) bool {
	for _, mark := range m.edits[i] {
		if _, ok := files[strconv.Itoa(mark)]; ok {
			return true
		}
	}
	return m.edits[i] == nil
}

// Tell reports whether anything can be told of the i-th edit.
func (m *Marks) Tell(i int) bool { return m.edits[i] != nil }

// bodies are the functions whose bodies differ, with those that use them, into which the
// compiler may inline them or whose variables it may keep elsewhere; and false where
// anything differs that others are made of: then they may run otherwise, and be the same
// text.
func bodies(old, new *form) (names []string, ok bool) {
	for name := range old.files {
		if new.files[name] != nil && renamed(old, new, name) {
			return nil, false
		}
	}
	var queue []string
	for _, name := range slices.Sorted(maps.Keys(old.decls)) {
		was, is := old.decls[name], new.decls[name]
		a, b := old.funcs[name], new.funcs[name]
		switch {
		case a == nil && b == nil && was == is:
		case is == "":
			if ast.IsExported(bare(name)) || new.named(name) {
				return nil, false // others may use it, or come to mean something else by its name
			}
		case a == nil || b == nil:
			return nil, false
		case was == is && slices.Equal(old.directives(a), new.directives(b)):
		case a.decl.Body == nil || b.decl.Body == nil:
			return nil, false
		default:
			queue = append(queue, name)
		}
	}
	for name := range new.decls {
		if _, known := old.decls[name]; !known && (name == "init" || bare(name) != name && ast.IsExported(bare(name)) || old.named(name)) {
			return nil, false
		}
	}
	seen := map[string]bool{}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		use := selected(name)
		for user, fn := range old.funcs {
			if old.uses[user][use] {
				if fn.decl.Body == nil {
					return nil, false
				}
				queue = append(queue, user)
			}
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names, len(names) > 0
}

// bare is the name of a function or a method without its type.
func bare(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// selected is a name as those that use it have it in form.uses.
func selected(name string) string {
	if bare(name) != name {
		return "." + bare(name)
	}
	return name
}

// named reports whether a declaration other than its own uses a name, or has it for
// something else.
func (f *form) named(name string) bool {
	for user, uses := range f.uses {
		if user != name && uses[selected(name)] {
			return true
		}
	}
	return false
}

// renamed reports whether a package that is named in what two forms of a file have the
// same is another one, or comes or goes without being named.
func renamed(old, new *form, file string) bool {
	a, b := imported(old.files[file]), imported(new.files[file])
	for name := range a {
		if _, both := b[name]; !both {
			b[name] = ""
		}
	}
	for name, path := range b {
		if a[name] == path {
			continue
		}
		if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			return true
		}
		for _, d := range new.in[file] {
			if old.decls[d] == new.decls[d] && new.uses[d][name] {
				return true
			}
		}
	}
	return false
}

var version = regexp.MustCompile(`[./]v[0-9]+$`)

// imported are the paths of a file's imports by the names that it has for them, as far as
// a path tells; without a name of their own those that are not named.
func imported(file *ast.File) map[string]string {
	by := map[string]string{}
	for _, s := range file.Imports {
		p, _ := strconv.Unquote(s.Path.Value)
		switch {
		case s.Name == nil:
			by[path.Base(version.ReplaceAllString(p, ""))] = p
		case s.Name.Name == "_" || s.Name.Name == ".":
			by[s.Name.Name+p] = p
		default:
			by[s.Name.Name] = p
		}
	}
	return by
}

// directives are those of a function to the compiler.
func (f *form) directives(fn *function) []string {
	return slices.DeleteFunc(f.comments(fn), func(c string) bool { return !strings.HasPrefix(c, "//go:") })
}

// marker is the file with the function that marks call.
func marker(name string) string {
	return fmt.Sprintf(`package %s

import (
	payoffOS "os"
	payoffPath "path/filepath"
	payoffText "strconv"
	payoffSync "sync"
)

var (
	payoffMarks  payoffSync.Map
	payoffFolder = payoffOS.Getenv(%q)
)

func payoffTouched(mark int) {
	if _, known := payoffMarks.Load(mark); known || payoffFolder == "" {
		return
	}
	if _, known := payoffMarks.LoadOrStore(mark, true); !known {
		if err := payoffOS.WriteFile(payoffPath.Join(payoffFolder, payoffText.Itoa(mark)), nil, 0o666); err != nil {
			panic(err)
		}
	}
}
`, name, Touched)
}

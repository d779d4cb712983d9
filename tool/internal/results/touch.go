package results

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/overlay"
)

// Touched names the folder in which a process of [Marks.Code] leaves a file for each mark
// that it comes to.
const Touched = "PAYOFF_TOUCHED"

// Marks is a program as it is, with a mark in each function whose body an edit changes: a
// benchmark that comes to none is the same code with the edit, in another layout at most.
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

// bodies are the functions whose bodies differ, and false where anything differs that
// others are made of: then they may run otherwise, and be the same text.
func bodies(old, new *form) (names []string, ok bool) {
	for _, name := range slices.Sorted(maps.Keys(old.decls)) {
		was := old.decls[name]
		a, b := old.funcs[name], new.funcs[name]
		switch {
		case a == nil && new.decls[name] != was, a != nil && b == nil && strings.Contains(name, "."):
			return nil, false // a type, a variable, init; or a type has lost a method
		case a == nil || b == nil || new.decls[name] == was && slices.Equal(old.directives(a), new.directives(b)):
		case a.decl.Body == nil || b.decl.Body == nil:
			return nil, false
		default:
			names = append(names, name)
		}
	}
	for name := range new.decls {
		if _, known := old.decls[name]; !known && (name == "init" || new.funcs[name] != nil && strings.Contains(name, ".")) {
			return nil, false
		}
	}
	return names, len(names) > 0
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

var payoffMarks payoffSync.Map

func payoffTouched(mark int) {
	if _, known := payoffMarks.Load(mark); known {
		return
	}
	if _, known := payoffMarks.LoadOrStore(mark, true); !known {
		payoffOS.WriteFile(payoffPath.Join(payoffOS.Getenv(%q), payoffText.Itoa(mark)), nil, 0o666)
	}
}
`, name, Touched)
}

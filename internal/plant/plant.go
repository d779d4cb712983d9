// Package plant puts many faults into one copy of a program's sources, of which
// each run of the program has one: so tests of tests compile and link once.
//
// A function that faults change is there in each of its forms, and begins with a
// switch that calls the form of the fault that the environment names.
package plant

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
)

// A Change makes New of Old, which File has once.
type Change struct{ File, Old, New string }

// Apply returns source, which is that of the file, with the change made.
func (c Change) Apply(source string) (string, error) {
	if n := strings.Count(source, c.Old); n != 1 {
		return "", fmt.Errorf("%s has %q %d times, want once: the fault is out of date", c.File, c.Old, n)
	}
	return strings.Replace(source, c.Old, c.New, 1), nil
}

// Env is the variable with the number of the fault that a program has, from 0 on.
// Without it a program has none.
const Env = "PAYOFF_FAULT"

// Merge returns the sources of a program that can have each of the faults, by file:
// those that are changed, and one more for each of their directories. Read returns a
// file as it is.
//
// What a fault changes outside of functions cannot be switched. Such a fault is in
// apart, with the reason, and not in the program.
func Merge(read func(file string) ([]byte, error), faults [][]Change) (sources map[string][]byte, apart map[int]string, err error) {
	files := make(map[string]*file)
	apart = make(map[int]string)
	for i, changes := range faults {
		changed := make(map[string]string)
		for _, c := range changes {
			if files[c.File] == nil {
				source, err := read(c.File)
				if err != nil {
					return nil, nil, err
				}
				if files[c.File], err = parse(c.File, string(source)); err != nil {
					return nil, nil, err
				}
			}
			now, ok := changed[c.File]
			if !ok {
				now = files[c.File].source
			}
			if changed[c.File], err = c.Apply(now); err != nil {
				return nil, nil, err
			}
		}
		var all []*forms
		for name, source := range changed {
			f, err := files[name].formsOf(i, source)
			if err != nil {
				return nil, nil, err
			}
			if f.apart != "" {
				apart[i] = f.apart
			}
			all = append(all, f)
		}
		if apart[i] == "" {
			for _, f := range all {
				f.of.take(f)
			}
		}
	}
	sources = make(map[string][]byte)
	for name, f := range files {
		if !f.switched {
			continue
		}
		sources[name] = []byte(f.text())
		sources[path.Join(path.Dir(name), File)] = []byte(fmt.Sprintf(choice, f.syntax.Name.Name, Env))
	}
	return sources, apart, nil
}

// File is the name of the file that each directory gets.
const File = "planted.go"

// choice is that file: it says which fault a package has.
const choice = `package %s

import (
	"os"
	"strconv"
)

var planted_ = func() int {
	if n, err := strconv.Atoi(os.Getenv(%q)); err == nil {
		return n
	}
	return -1
}()
`

// A file is a source that faults change.
type file struct {
	name, source string
	fset         *token.FileSet
	syntax       *ast.File
	texts        map[string]bool          // of declarations
	functions    map[string]*ast.FuncDecl // by receiver and name

	switched bool
	edits    []edit                       // of signatures
	calls    map[*ast.FuncDecl][]string   // that the function has parameters for
	cases    map[*ast.FuncDecl]([]string) // of its switch
	more     strings.Builder              // declarations
}

// An edit puts text in the place of the bytes [from, to).
type edit struct {
	from, to int
	text     string
}

func parse(name, source string) (*file, error) {
	f := &file{name: name, source: source, fset: token.NewFileSet(), texts: map[string]bool{}, functions: map[string]*ast.FuncDecl{},
		calls: map[*ast.FuncDecl][]string{}, cases: map[*ast.FuncDecl][]string{}}
	var err error
	if f.syntax, err = parser.ParseFile(f.fset, name, source, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	for _, d := range f.syntax.Decls {
		f.texts[f.of(d)] = true
		if d, ok := d.(*ast.FuncDecl); ok {
			f.functions[key(d)] = d
		}
	}
	return f, nil
}

func (f *file) at(p token.Pos) int { return f.fset.Position(p).Offset }

// of returns the text of a node.
func (f *file) of(n ast.Node) string { return f.source[f.at(n.Pos()):f.at(n.End())] }

// key is the name of a function, with that of its receiver.
func key(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return "?." + d.Name.Name
		}
	}
}

// names are those that a declaration makes.
func names(d ast.Decl) (all []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{key(d)}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				all = append(all, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					all = append(all, n.Name)
				}
			}
		}
	}
	return all
}

// forms are what a fault makes of a file.
type forms struct {
	of    *file
	fault int
	apart string // why this cannot be switched
	took  []taken
	more  []string // declarations
}

// A taken is a function with the text of its other form: a function as well, or the
// body alone, which then is part of the switch.
type taken struct {
	d      *ast.FuncDecl
	text   string
	inline bool
}

// formsOf returns what differs in source, which is f's with a fault.
func (f *file) formsOf(fault int, source string) (*forms, error) {
	m, err := parse(f.name, source)
	if err != nil {
		return nil, err
	}
	fs := &forms{of: f, fault: fault}
	there := make(map[string]bool)
	for _, d := range f.syntax.Decls {
		for _, n := range names(d) {
			there[n] = true
		}
	}
	for _, d := range m.syntax.Decls {
		if f.texts[m.of(d)] {
			continue
		}
		switch fn, isFunc := d.(*ast.FuncDecl); {
		case isFunc && f.functions[key(fn)] != nil:
			was := f.functions[key(fn)]
			if why := f.unfit(was, m, fn); why != "" {
				fs.apart = why
				return fs, nil
			}
			if recovers(fn.Body) { // for the function that defers it: one that it calls could not
				fs.took = append(fs.took, taken{was, m.of(fn.Body), true})
				continue
			}
			name := form(fn, fault)
			text := m.source[m.at(fn.Pos()):m.at(fn.Name.Pos())] + name + m.source[m.at(fn.Name.End()):m.at(fn.End())]
			fs.took = append(fs.took, taken{was, directives(fn) + text, false})
		case slices.ContainsFunc(names(d), func(n string) bool { return there[n] }) || len(names(d)) == 0:
			fs.apart = "it changes what is no function"
			return fs, nil
		default:
			fs.more = append(fs.more, m.of(d))
		}
	}
	if len(fs.took) == 0 {
		fs.apart = "it changes no function"
	}
	return fs, nil
}

// form is the name of a function's other form.
func form(d *ast.FuncDecl, fault int) string { return fmt.Sprintf("%s_planted%d", d.Name.Name, fault) }

// unfit says why d, which a fault makes of was, cannot be called in its place.
func (f *file) unfit(was *ast.FuncDecl, m *file, d *ast.FuncDecl) string {
	signature := func(f *file, d *ast.FuncDecl) string { return f.source[f.at(d.Pos()):f.at(d.Type.End())] }
	switch {
	case was.Body == nil || d.Body == nil:
		return "a function has no body"
	case was.Recv == nil && (was.Name.Name == "init" || was.Name.Name == "_"):
		return "it changes " + was.Name.Name
	case signature(f, was) != signature(m, d):
		return "it changes a signature"
	}
	return ""
}

// recovers reports whether recover is called, but for functions within.
func recovers(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "recover" {
				found = true
			}
		}
		return true
	})
	return found
}

// directives are those to the compiler that a function has.
func directives(d *ast.FuncDecl) (lines string) {
	if d.Doc == nil {
		return ""
	}
	for _, c := range d.Doc.List {
		if strings.HasPrefix(c.Text, "//go:") && !strings.HasPrefix(c.Text, "//go:linkname") {
			lines += c.Text + "\n"
		}
	}
	return lines
}

// take adds what a fault makes of f.
func (f *file) take(fs *forms) {
	f.switched = true
	for _, t := range fs.took {
		if t.inline {
			f.cases[t.d] = append(f.cases[t.d], fmt.Sprintf("case %d: %s", fs.fault, t.text+returns(t.d)))
			continue
		}
		f.cases[t.d] = append(f.cases[t.d], fmt.Sprintf("case %d: %s", fs.fault, f.call(t.d, form(t.d, fs.fault))))
		f.more.WriteString("\n" + t.text + "\n")
	}
	for _, d := range fs.more {
		f.more.WriteString("\n" + d + "\n")
	}
}

// call calls another form of d with what d was called with.
func (f *file) call(d *ast.FuncDecl, name string) string {
	args, ok := f.calls[d]
	if !ok {
		if d.Recv != nil {
			args = append(args, f.named(d.Recv, "r_")...)
		}
		args = append(args, f.named(d.Type.Params, "p_")...)
		f.calls[d] = args
	}
	to := name
	if d.Recv != nil {
		to, args = args[0]+"."+name, args[1:]
	}
	if d.Type.TypeParams != nil {
		var types []string
		for _, p := range d.Type.TypeParams.List {
			for _, n := range p.Names {
				types = append(types, n.Name)
			}
		}
		to += "[" + strings.Join(types, ", ") + "]"
	}
	to += "(" + strings.Join(args, ", ") + ")"
	if d.Type.Results != nil {
		return "return " + to
	}
	return to + returns(d)
}

// returns ends a case of a function that returns nothing.
func returns(d *ast.FuncDecl) string {
	if d.Type.Results != nil {
		return ""
	}
	return "; return"
}

// named returns how parameters are passed on, and gives names to those without.
func (f *file) named(list *ast.FieldList, name string) (args []string) {
	for _, p := range list.List {
		dots := ""
		if _, ok := p.Type.(*ast.Ellipsis); ok {
			dots = "..."
		}
		if len(p.Names) == 0 {
			n := fmt.Sprint(name, len(args))
			f.edits = append(f.edits, edit{f.at(p.Pos()), f.at(p.Pos()), n + " "})
			args = append(args, n+dots)
		}
		for _, id := range p.Names {
			n := id.Name
			if n == "_" {
				n = fmt.Sprint(name, len(args))
				f.edits = append(f.edits, edit{f.at(id.Pos()), f.at(id.End()), n})
			}
			args = append(args, n+dots)
		}
	}
	return args
}

// text is the file with switches.
func (f *file) text() string {
	edits := slices.Clone(f.edits)
	for _, d := range slices.SortedFunc(maps.Keys(f.cases), func(a, b *ast.FuncDecl) int { return cmp.Compare(a.Pos(), b.Pos()) }) {
		at := f.at(d.Body.Lbrace) + 1
		edits = append(edits, edit{at, at, " switch planted_ { " + strings.Join(f.cases[d], "; ") + " }; "})
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out strings.Builder
	last := 0
	for _, e := range edits {
		out.WriteString(f.source[last:e.from] + e.text)
		last = e.to
	}
	out.WriteString(f.source[last:])
	out.WriteString(f.more.String())
	return out.String()
}

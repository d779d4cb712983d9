// Package unbuilt knows the files of a package that an analysis does not see,
// so that no edit breaks them. They are those that build tags, or the system
// and processor in their names, leave out, tests that were not loaded, and
// assembly.
//
// The package knows them by their syntax alone, so a name in them may mean
// something else: where in doubt, they use it. Files that only the tag ignore
// leaves out are programs of their own, and do not count. To parse them costs
// what parsing does, once for a package; most packages have none.
package unbuilt

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// Analyzer makes the [*Files] of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "unbuilt",
	Doc:        "read the files that the build leaves out for other analyzers",
	ResultType: reflect.TypeFor[*Files](),
	Run:        func(pass *analysis.Pass) (any, error) { return &Files{of: pass}, nil },
}

// Files are those of a package that an analysis does not see. They are read when
// something is first asked; nil has none. It is safe for concurrent use.
type Files struct {
	of   *analysis.Pass // nil once they are read
	read sync.Once
	list []*file

	once  sync.Once
	funcs *Funcs
}

// Funcs are the declarations of a package's functions and methods that have a
// body, the same in all builds. They must not be changed.
type Funcs struct {
	Decls   map[*types.Func]*ast.FuncDecl
	Methods map[string][]*ast.FuncDecl // by name, in the order of the source
}

// Funcs returns those of the package of a pass; it looks for them once.
func (f *Files) Funcs(pass *analysis.Pass) *Funcs {
	if f == nil {
		return f.find(pass)
	}
	f.once.Do(func() { f.funcs = f.find(pass) })
	return f.funcs
}

// all reads the files.
func (f *Files) all() []*file {
	f.read.Do(func() {
		if f.of != nil {
			f.list, f.of = read(f.of), nil
		}
	})
	return f.list
}

func (f *Files) find(pass *analysis.Pass) *Funcs {
	all := &Funcs{map[*types.Func]*ast.FuncDecl{}, map[string][]*ast.FuncDecl{}}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			if obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func); ok && f.Declares(obj) == "" {
				all.Decls[obj] = fn
				if fn.Recv != nil {
					all.Methods[fn.Name.Name] = append(all.Methods[fn.Name.Name], fn)
				}
			}
		}
	}
	return all
}

// A file is one of them, with the names in it by what they may stand for.
type file struct {
	name, what string          // x_windows.go, which this build leaves out
	outside    bool            // a test in a package of its own: it sees exported names alone
	opaque     bool            // not to be read: it may use anything
	dot        bool            // it has names of another package without naming them
	free       map[string]bool // used and not declared in the file
	selected   map[string]bool // fields and methods, used or declared
	declared   map[string]bool // at the top; methods as type.method
	imported   map[string]bool
	types      map[string]bool // used by value, so that their layout may matter
}

// Any reports whether there are such files.
func (f *Files) Any() bool { return f != nil && len(f.all()) > 0 }

// Uses says which file uses a variable, constant, function or type of the
// package, or has one of its own by that name. It returns "" if none does.
func (f *Files) Uses(name string) string {
	return f.says(name, " uses "+name, func(x *file) bool { return x.free[name] || x.declared[name] })
}

// Selects says which file uses or declares a field or method of that name.
func (f *Files) Selects(name string) string {
	return f.says(name, " uses "+name, func(x *file) bool { return x.selected[name] })
}

// Relies says which file may rely on the layout of a type.
func (f *Files) Relies(name string) string {
	return f.says(name, " may rely on the layout of "+name, func(x *file) bool { return x.types[name] || x.declared[name] })
}

// Calls says which file may call a function or method of the package, or has
// another in its place.
func (f *Files) Calls(fn *types.Func) string {
	if fn.Signature().Recv() != nil {
		return f.Selects(fn.Name())
	}
	return f.Uses(fn.Name())
}

// Declares says which file has a function or method of its own in the place of
// that one: what it does is not known.
func (f *Files) Declares(fn *types.Func) string {
	if !f.Any() {
		return ""
	}
	name := fn.Name()
	if r := fn.Signature().Recv(); r != nil {
		t := types.Unalias(r.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if n, ok := t.(*types.Named); ok {
			name = n.Obj().Name() + "." + name
		}
	}
	return f.declares(name)
}

func (f *Files) declares(name string) string {
	return f.says(name, " declares "+name, func(x *file) bool { return x.declared[name] })
}

// Takes says which file leaves no room for a new name of the package.
func (f *Files) Takes(name string) string {
	return f.says(name, " has another "+name, func(x *file) bool {
		return !x.outside && (x.free[name] || x.declared[name] || x.imported[name] || x.dot)
	})
}

func (f *Files) says(name, does string, is func(*file) bool) string {
	if f == nil || name == "_" {
		return ""
	}
	for _, x := range f.all() {
		if (x.opaque || is(x)) && (!x.outside || ast.IsExported(name)) {
			return x.name + ", " + x.what + "," + does
		}
	}
	return ""
}

// read parses what a pass leaves out.
func read(pass *analysis.Pass) (all []*file) {
	seen := map[string]bool{}
	for _, file := range pass.Files {
		seen[filepath.Base(pass.Fset.PositionFor(file.FileStart, false).Filename)] = true
	}
	pkg := pass.Pkg.Name()
	add := func(name, what string) {
		if seen[filepath.Base(name)] {
			return
		}
		seen[filepath.Base(name)] = true
		src, err := pass.ReadFile(name)
		if x := parse(filepath.Base(name), src, pkg); err != nil || x != nil {
			if err != nil {
				x = &file{name: filepath.Base(name), opaque: true}
			}
			x.what = what
			all = append(all, x)
		}
	}
	for _, name := range pass.IgnoredFiles {
		add(name, "which this build leaves out")
	}
	for _, name := range pass.OtherFiles {
		add(name, "which is not Go")
	}
	if len(pass.Files) == 0 {
		return all
	}
	dir := filepath.Dir(pass.Fset.PositionFor(pass.Files[0].FileStart, false).Filename)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return all // a driver that has no folders
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if !strings.HasSuffix(name, "_test.go") || strings.HasPrefix(e.Name(), "_") || strings.HasPrefix(e.Name(), ".") || seen[e.Name()] {
			continue
		}
		src, err := os.ReadFile(name)
		if x := parse(e.Name(), src, pkg); err == nil && x != nil {
			x.what = "a test"
			all = append(all, x)
		}
	}
	return all
}

var (
	word   = regexp.MustCompile(`[\pL_][\pL\pN_]*`)
	symbol = regexp.MustCompile(`·([\pL_][\pL\pN_]*)`)            // ·name(SB)
	offset = regexp.MustCompile(`\b([\pL_][\pL\pN]*)_[\pL\pN_]*`) // type_field(AX), of go_asm.h
)

// parse reads a file; nil if it is not of the package.
func parse(name string, src []byte, pkg string) *file {
	x := &file{name: name, free: map[string]bool{}, selected: map[string]bool{}, declared: map[string]bool{}, imported: map[string]bool{}, types: map[string]bool{}}
	switch filepath.Ext(name) {
	case ".go":
	case ".s":
		for _, m := range symbol.FindAllSubmatch(src, -1) {
			x.free[string(m[1])] = true
		}
		for _, m := range offset.FindAllSubmatch(src, -1) {
			x.types[string(m[1])] = true
		}
		return x
	default:
		for _, w := range word.FindAll(src, -1) {
			x.free[string(w)], x.selected[string(w)], x.types[string(w)] = true, true, true
		}
		return x
	}
	tree, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
	if tree == nil || tree.Name == nil || alone(tree) {
		return nil
	}
	switch tree.Name.Name {
	case pkg:
	case pkg + "_test":
		x.outside = true
	default:
		return nil
	}
	if err != nil {
		x.opaque = true
		return x
	}
	x.walk(tree)
	return x
}

// alone reports whether a file is a program of its own, never built with the
// others.
func alone(tree *ast.File) bool {
	return slices.ContainsFunc(tree.Comments, func(g *ast.CommentGroup) bool {
		if g.Pos() > tree.Package {
			return false
		}
		return slices.ContainsFunc(g.List, func(c *ast.Comment) bool {
			expr, err := constraint.Parse(c.Text)
			return err == nil && expr.String() == "ignore"
		})
	})
}

// walk enters the names of a file.
func (x *file) walk(tree *ast.File) {
	raw := false // what lies where may matter
	for _, s := range tree.Imports {
		p, _ := strconv.Unquote(s.Path.Value)
		raw = raw || p == "unsafe" || p == "C"
		switch name := rewrite.ImportName(s); name {
		case ".":
			x.dot = true
		default:
			x.imported[name] = true
		}
	}
	for _, id := range tree.Unresolved {
		if x.outside || !x.imported[id.Name] {
			x.free[id.Name] = true
		}
	}
	for _, d := range tree.Decls {
		for _, name := range names(d) {
			x.declared[name] = true
		}
	}
	harmless := map[ast.Node]bool{} // identifiers that are no values of a type
	harm := func(t ast.Expr) {
		if sel, ok := t.(*ast.SelectorExpr); ok {
			harmless[sel.Sel] = true
		}
		harmless[t] = true
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x.selected[n.Sel.Name] = true
			if id, ok := n.X.(*ast.Ident); ok && x.outside && x.imported[id.Name] { // package_test: p.Name
				x.free[n.Sel.Name] = true
			}
		case *ast.FuncDecl:
			if n.Recv != nil {
				x.selected[n.Name.Name] = true
				for _, f := range n.Recv.List {
					x.declared[embedded(f.Type)+"."+n.Name.Name] = true
					harm(f.Type)
				}
			}
		case *ast.StructType:
			x.fields(n.Fields)
		case *ast.InterfaceType:
			x.fields(n.Methods)
		case *ast.StarExpr:
			harm(n.X)
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					if id, ok := kv.Key.(*ast.Ident); ok {
						x.selected[id.Name], x.free[id.Name] = true, true
					}
					harm(n.Type) // a struct with the names of its fields, or a map
				}
			}
			if len(n.Elts) == 0 {
				harm(n.Type)
			}
		case *ast.Ident:
			if raw || !harmless[n] {
				x.types[n.Name] = true
			}
		}
		return true
	})
}

func (x *file) fields(l *ast.FieldList) {
	for _, f := range l.List {
		for _, id := range f.Names {
			x.selected[id.Name] = true
		}
		if len(f.Names) == 0 {
			if name := embedded(f.Type); name != "" {
				x.selected[name] = true
			}
		}
	}
}

// embedded is the name of an embedded field.
func embedded(t ast.Expr) string {
	switch t := ast.Unparen(t).(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return embedded(t.X)
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.IndexExpr:
		return embedded(t.X)
	case *ast.IndexListExpr:
		return embedded(t.X)
	}
	return ""
}

// names are what a declaration adds to the package.
func names(d ast.Decl) (out []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name != "init" {
			out = append(out, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				out = append(out, s.Name.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					out = append(out, id.Name)
				}
			}
		}
	}
	return out
}

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
	"cmp"
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
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
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
	used    sync.Map                   // of [Funcs.Used]: []types.Object by *ast.BlockStmt
}

// Used are what the identifiers in the body of a function stand for, each once. Checks
// ask for those of the same functions again and again.
func (f *Funcs) Used(info *types.Info, body *ast.BlockStmt) []types.Object {
	if all, ok := f.used.Load(body); ok {
		return all.([]types.Object)
	}
	var all []types.Object
	seen := map[types.Object]bool{nil: true}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !seen[info.Uses[id]] {
			seen[info.Uses[id]] = true
			all = append(all, info.Uses[id])
		}
		return true
	})
	f.used.Store(body, all)
	return all
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
	all := &Funcs{Decls: map[*types.Func]*ast.FuncDecl{}, Methods: map[string][]*ast.FuncDecl{}}
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

// relies says which file may rely on the layout of a type.
func (f *Files) relies(name string) string {
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

// takes says which file leaves no room for a new name of the package.
func (f *Files) takes(name string) string {
	return f.says(name, " has another "+name, func(x *file) bool {
		return !x.outside && (x.free[name] || x.declared[name] || x.imported[name] || x.imported["."])
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
	seen, names := map[string]bool{}, map[string]string{} // files, and the packages of folders
	var dirs []string
	for _, file := range pass.Files {
		name := filepath.Clean(pass.Fset.PositionFor(file.FileStart, false).Filename)
		seen[name] = true
		if dir := filepath.Dir(name); names[dir] == "" {
			dirs, names[dir] = append(dirs, dir), strings.TrimSuffix(file.Name.Name, "_test")
		}
	}
	add := func(name, what string, read func(string) ([]byte, error)) {
		name = filepath.Clean(name)
		if seen[name] {
			return
		}
		seen[name] = true
		base := filepath.Base(name)
		src, err := read(name)
		x := &file{name: base, opaque: true}
		if err == nil {
			x = parse(base, src, cmp.Or(names[filepath.Dir(name)], pass.Pkg.Name()))
		}
		if x != nil {
			x.what = what
			all = append(all, x)
		}
	}
	for _, name := range pass.IgnoredFiles {
		add(name, "which this build leaves out", pass.ReadFile)
	}
	for _, name := range pass.OtherFiles {
		add(name, "which is not Go", pass.ReadFile)
	}
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir) // none of a driver that has no folders
		for _, e := range entries {
			if name := e.Name(); strings.HasSuffix(name, "_test.go") && name[0] != '_' && name[0] != '.' {
				add(filepath.Join(dir, name), "a test", os.ReadFile)
			}
		}
	}
	return all
}

var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// parse reads a file; nil if it is not of the package.
func parse(name string, src []byte, pkg string) *file {
	x := &file{name: name, free: map[string]bool{}, selected: map[string]bool{}, declared: map[string]bool{}, imported: map[string]bool{}, types: map[string]bool{}}
	if filepath.Ext(name) != ".go" {
		for _, w := range word.FindAllString(string(src), -1) {
			of, _, _ := strings.Cut(w, "_") // type_field(AX), of go_asm.h
			x.free[w], x.selected[w], x.types[w], x.types[of] = true, true, true, true
		}
		return x
	}
	tree, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
	if alone(tree) {
		return nil
	}
	x.outside = tree.Name.Name == pkg+"_test"
	if !x.outside && tree.Name.Name != pkg {
		return nil
	}
	if x.opaque = err != nil; !x.opaque {
		x.walk(tree)
	}
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
		p := strings.Trim(s.Path.Value, "\"`")
		raw = raw || p == "unsafe" || p == "C"
	}
	for e := range surfaceOf(tree) {
		switch e.kind {
		case "import":
			x.imported[e.name] = true
		case "name":
			x.declared[e.name] = true
		case "member":
			x.selected[e.name], x.declared[e.of+"."+e.name] = true, true
		}
	}
	for _, id := range tree.Unresolved {
		if x.outside || !x.imported[id.Name] {
			x.free[id.Name] = true
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
				for _, f := range n.Recv.List {
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
		for _, name := range fieldNames(f) {
			x.selected[name] = true
		}
	}
}

package twintest

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/results"
	"github.com/gopayoff/payoff/tool/vet/shape/twintest/twin"
)

// A world is the source of a program with packages in several forms.
type world struct {
	here, path string // of its root, as a folder and as an import
	files      overlay.Overlay
	forms      []string // imports
	units      []twin.Unit
	left       []string // reasons for functions that have no unit
	edits      int
	except     map[string]string // functions that are left out, and why
}

const twinPath = "github.com/gopayoff/payoff/tool/vet/shape/twintest/twin"

// A source is a package as go/parser and go/types see it. Its imports need not
// be known: an error in a type is no error here.
type source struct {
	fset  *token.FileSet
	files map[string]*ast.File // by base name
	pkg   *types.Package
	info  *types.Info
	decls map[string]string   // text of declarations, by name
	uses  map[string][]string // names that the declaration of a name uses
}

// add takes the package of a folder and all its edits.
func (w *world) add(folder string, short bool) error {
	p, err := build.ImportDir(folder, 0)
	if err != nil {
		return err
	}
	texts := map[string][]byte{}
	for _, name := range p.GoFiles {
		if texts[name], err = os.ReadFile(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	goldens, err := filepath.Glob(filepath.Join(folder, "*.golden"))
	if err != nil {
		return err
	}
	edits := map[string]map[string][]byte{}
	for _, g := range goldens {
		name, edit, _ := strings.Cut(strings.TrimSuffix(filepath.Base(g), ".golden"), ".go.")
		if texts[name+".go"] == nil {
			continue
		}
		if edits[edit] == nil {
			edits[edit] = maps.Clone(texts)
		}
		if edits[edit][name+".go"], err = Golden(g, texts[name+".go"]); err != nil {
			return err
		}
	}
	if len(edits) == 0 {
		return nil
	}
	before, err := parse(texts)
	if err != nil {
		return err
	}
	parts := strings.Split(filepath.ToSlash(folder), "/")
	name := parts[0] + "_" + parts[len(parts)-1]
	set := before.set()
	if err := w.form(name+"/before", before, set); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, edit := range slices.SortedFunc(maps.Keys(edits), byValue) {
		kind := strings.TrimRight(edit, "0123456789")
		if short && seen[kind] {
			continue
		}
		seen[kind] = true
		w.edits++
		after, err := parse(edits[edit])
		if err != nil {
			return err
		}
		if err := w.form(name+"/"+edit, after, set); err != nil {
			return err
		}
		w.pair(name, edit, before, after)
	}
	return nil
}

// byValue has batch64 before batch256.
func byValue(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

func parse(texts map[string][]byte) (*source, error) {
	s := &source{fset: token.NewFileSet(), files: map[string]*ast.File{}, decls: map[string]string{}, uses: map[string][]string{}}
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(s.fset, name, texts[name], parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		s.files[name] = f
		files = append(files, f)
	}
	s.info = &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: nothing{}, Error: func(error) {}}
	s.pkg, _ = conf.Check("p", s.fset, files, s.info)
	fields := map[types.Object]string{} // names of the types they are of
	s.each(func(name string, n ast.Node) {
		if t, ok := n.(*ast.TypeSpec); ok {
			ast.Inspect(t, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && s.info.Defs[id] != nil {
					fields[s.info.Defs[id]] = name
				}
				return true
			})
		}
	})
	s.each(func(name string, n ast.Node) {
		s.decls[name] += text(n)
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			o := s.info.Uses[id]
			switch x := o.(type) {
			case *types.Func:
				s.uses[name] = append(s.uses[name], funcName(x.Origin()))
				return true
			case *types.Var:
				o = x.Origin()
			}
			if fields[o] != "" {
				s.uses[name] = append(s.uses[name], fields[o])
			} else if o != nil && o.Parent() == s.pkg.Scope() {
				s.uses[name] = append(s.uses[name], o.Name())
			}
			return true
		})
	})
	return s, nil
}

type nothing struct{}

func (nothing) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("no %s", path)
}

// each calls f for all declarations of the package.
func (s *source) each(f func(name string, n ast.Node)) {
	for _, file := range slices.Sorted(maps.Keys(s.files)) {
		for _, d := range s.files[file].Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if o, ok := s.info.Defs[d.Name].(*types.Func); ok {
					f(funcName(o), d)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						f(spec.Name.Name, spec)
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							f(id.Name, spec)
						}
					}
				}
			}
		}
	}
}

// funcName is f, or T.m.
func funcName(o *types.Func) string {
	recv := o.Signature().Recv()
	if recv == nil {
		return o.Name()
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name() + "." + o.Name()
	}
	return "?." + o.Name()
}

// signature is that of a function.
func signature(o *types.Func) string { return types.TypeString(o.Type(), (*types.Package).Name) }

// text is that of a declaration, without comments and places.
func text(n ast.Node) string {
	var b bytes.Buffer
	printer.Fprint(&b, token.NewFileSet(), n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// form adds the package to the program as an import of that name: with its
// goroutines guarded, and with a file that names what can be called, and of the
// variables those that are set.
func (w *world) form(name string, s *source, set map[string]bool) error {
	dir := filepath.Join(w.here, filepath.FromSlash(name))
	pkg := ""
	for file, f := range s.files {
		if f.Name.Name == "main" {
			f.Name.Name = "program"
		}
		pkg = f.Name.Name
		guarded := false
		ast.Inspect(f, func(n ast.Node) bool {
			guard := func(e *ast.Expr) {
				*e = call("twin_.Guard", *e).X
				guarded = true
			}
			switch n := n.(type) {
			case *ast.GoStmt:
				id, _ := n.Call.Fun.(*ast.Ident)
				fn, _ := s.info.Uses[id].(*types.Func)
				if _, builtin := s.info.Uses[id].(*types.Builtin); !builtin && (fn == nil || fn.Signature().TypeParams() == nil) {
					guard(&n.Call.Fun)
				}
			case *ast.FuncDecl:
				if n.Body == nil { // in assembly, in both forms
					n.Body = &ast.BlockStmt{List: []ast.Stmt{call("panic", ast.NewIdent("nil"))}}
				}
				if d := text(n); strings.Contains(d, "chan ") || strings.Contains(d, "go ") || strings.Contains(d, ".Go(") {
					guarded = yields(n) || guarded
				}
			case *ast.CallExpr: // sync.WaitGroup's, and the like
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" && len(n.Args) == 1 {
					guard(&n.Args[0])
				}
			}
			return true
		})
		if guarded {
			astutil.AddNamedImport(s.fset, f, "twin_", twinPath)
		}
		var b bytes.Buffer
		if err := format.Node(&b, s.fset, f); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		w.files[filepath.Join(dir, file)] = b.Bytes()
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport twin_ %q\n\nfunc init() {\n\ttwin_.Add(%q, twin_.Form{Funcs: map[string]any{\n", pkg, twinPath, name)
	entry := func(expr string) { fmt.Fprintf(&b, "\t\t%q: %s,\n", expr, expr) }
	scope := s.pkg.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			for _, args := range instances(o.Type(), o.Signature().TypeParams()) {
				entry(name + args)
			}
		case *types.TypeName:
			if n := declared(o); n != nil {
				for _, args := range instances(n, n.TypeParams()) {
					for m := range n.Methods() {
						entry("(*" + name + args + ")." + m.Name())
					}
				}
			}
		}
	}
	b.WriteString("\t}, Vars: map[string]any{\n")
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if _, ok := scope.Lookup(name).(*types.Var); ok {
			fmt.Fprintf(&b, "\t\t%q: &%s,\n", name, name)
		}
	}
	b.WriteString("\t}})\n}\n")
	w.files[filepath.Join(dir, "twin_forms.go")] = b.Bytes()
	w.forms = append(w.forms, w.path+"/"+name)
	return nil
}

func call(f string, args ...ast.Expr) *ast.ExprStmt {
	return &ast.ExprStmt{X: &ast.CallExpr{Fun: ast.NewIdent(f), Args: args}}
}

// declared is the type that o declares, if it is none of interfaces.
func declared(o types.Object) *types.Named {
	if t, ok := o.(*types.TypeName); ok && !t.IsAlias() && !types.IsInterface(t.Type()) {
		return t.Type().(*types.Named)
	}
	return nil
}

// yields lets others run in each loop of the function, and after what it sends:
// which is first there shows. It reports whether there is any.
func yields(f *ast.FuncDecl) (found bool) {
	yield := func() ast.Stmt {
		found = true
		return call("twin_.Yield")
	}
	astutil.Apply(f, nil, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.RangeStmt:
			n.Body.List = append([]ast.Stmt{yield()}, n.Body.List...)
		case *ast.ForStmt:
			n.Body.List = append([]ast.Stmt{yield()}, n.Body.List...)
		case *ast.SendStmt:
			if c.Index() >= 0 {
				c.InsertAfter(yield())
			}
		}
		return true
	})
	return found
}

// set are the variables of the package that its functions set.
func (s *source) set() map[string]bool {
	all := map[string]bool{}
	s.each(func(_ string, n ast.Node) {
		f, ok := n.(*ast.FuncDecl)
		if !ok {
			return
		}
		for _, id := range results.Written(f) {
			if v, ok := s.info.Uses[id].(*types.Var); ok && v.Parent() == s.pkg.Scope() {
				all[id.Name] = true
			}
		}
	})
	return all
}

// arguments are tried for type parameters.
var arguments = []types.Type{
	types.Typ[types.Int], types.Typ[types.String], types.Typ[types.Float64],
	types.NewSlice(types.Typ[types.Int]), types.NewSlice(types.Typ[types.String]),
}

// instances are lists of type arguments that the parameters of a generic type
// allow, two at most; one that is empty where it has none.
func instances(generic types.Type, params *types.TypeParamList) (out []string) {
	if params.Len() == 0 {
		return []string{""}
	}
	var all func(args []types.Type, names []string)
	all = func(args []types.Type, names []string) {
		if len(args) < params.Len() {
			for _, a := range arguments {
				all(append(slices.Clip(args), a), append(slices.Clip(names), a.String()))
			}
		} else if _, err := types.Instantiate(nil, generic, args, true); err == nil && len(out) < 2 {
			out = append(out, "["+strings.Join(names, ", ")+"]")
		}
	}
	all(nil, nil)
	return out
}

// pair adds units for what an edit changes.
func (w *world) pair(name, edit string, before, after *source) {
	users := map[string][]string{}
	for user, names := range before.uses {
		for _, n := range names {
			users[n] = append(users[n], user)
		}
	}
	reached := map[string]bool{}
	var reach func(string)
	reach = func(n string) {
		if !reached[n] {
			reached[n] = true
			for _, u := range users[n] {
				reach(u)
			}
		}
	}
	for n, text := range before.decls {
		if after.decls[n] != text {
			reach(n)
		}
	}
	scope := before.pkg.Scope()
	add := func(format string, all []string, starts, inner bool) {
		if len(all) == 0 {
			w.left = append(w.left, "is generic, and no type argument is known")
		}
		for _, args := range all {
			unit := fmt.Sprintf(format, args)
			if why := w.except[name+"."+unit]; why != "" {
				w.left = append(w.left, why)
			} else {
				w.units = append(w.units, twin.Unit{Before: name + "/before", After: name + "/" + edit, Name: unit, Ordered: !starts, Inner: inner})
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(reached)) {
		switch o := scope.Lookup(n).(type) {
		case *types.Func:
			if n == "main" || n == "init" {
				break
			}
			if p, ok := after.pkg.Scope().Lookup(n).(*types.Func); ok && len(users[n]) > 0 && !o.Exported() && signature(o) != signature(p) {
				w.left = append(w.left, "has another type, in its calls as well")
				break
			}
			add(n+"%s", instances(o.Type(), o.Signature().TypeParams()), before.starts(n, map[string]bool{}), !o.Exported() && len(users[n]) > 0)
		case nil:
			if recv, _, ok := strings.Cut(n, "."); ok && scope.Lookup(recv) != nil {
				reached[recv] = true // below, with all methods
			} else if n == "_" {
				w.left = append(w.left, "has no name")
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(reached)) {
		t := declared(scope.Lookup(n))
		if t == nil || t.NumMethods() == 0 {
			continue
		}
		starts, nils := false, false // do they mind receivers that are nil?
		for m := range t.Methods() {
			starts = starts || before.starts(funcName(m), map[string]bool{})
			nils = nils || strings.Contains(before.decls[funcName(m)], m.Signature().Recv().Name()+" == nil")
		}
		add("(*"+n+"%s)", instances(t, t.TypeParams()), starts, !nils)
	}
}

// starts reports whether the function, or one that it uses, starts goroutines.
func (s *source) starts(name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	d := s.decls[name]
	if strings.Contains(d, "go ") || strings.Contains(d, ".Go(") {
		return true
	}
	return slices.ContainsFunc(s.uses[name], func(n string) bool { return s.starts(n, seen) })
}

// main adds the program.
func (w *world) main() {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package main\n\nimport (\n\t\"testing\"\n\n\ttwin_ %q\n", twinPath)
	for _, f := range w.forms {
		fmt.Fprintf(&b, "\t_ %q\n", f)
	}
	b.WriteString(")\n\nfunc Test(t *testing.T) {\n\ttwin_.Run(t, []twin_.Unit{\n")
	for _, u := range w.units {
		fmt.Fprintf(&b, "\t\t{Before: %q, After: %q, Name: %q, Ordered: %t, Inner: %t},\n", u.Before, u.After, u.Name, u.Ordered, u.Inner)
	}
	b.WriteString("\t})\n}\n")
	w.files[filepath.Join(w.here, "main", "main_test.go")] = b.Bytes()
}

package results

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A form is the source of a package in one of its two forms.
type form struct {
	fset  *token.FileSet
	files map[string]*ast.File // by absolute name
	texts map[string][]byte
	funcs map[string]*function // by name: F, T.M
	decls map[string]string    // text of all declarations, by name, without comments
	uses  map[string]map[string]bool
	in    map[string][]string // what each file declares
	vars  map[string]bool     // package variables that functions write
}

// A function is one of a form.
type function struct {
	file string
	decl *ast.FuncDecl
}

func read(texts map[string][]byte) (*form, error) {
	f := &form{fset: token.NewFileSet(), files: map[string]*ast.File{}, texts: texts, funcs: map[string]*function{}, decls: map[string]string{}, uses: map[string]map[string]bool{}, in: map[string][]string{}, vars: map[string]bool{}}
	all := map[string]bool{} // package variables
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		file, err := parser.ParseFile(f.fset, name, texts[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		f.files[name] = file
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				n := funcName(d)
				if n != "init" && n != "_" {
					f.funcs[n] = &function{name, d}
				}
				f.declare(name, n, d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						f.declare(name, spec.Name.Name, spec)
					case *ast.ValueSpec:
						text := ""
						if d.Tok == token.CONST { // its value may be that of its place
							text = fmt.Sprint(f.fset.Position(spec.Pos()).Line - f.fset.Position(d.Pos()).Line)
						}
						for _, id := range spec.Names {
							f.declare(name, id.Name, spec)
							f.decls[id.Name] += text
							all[id.Name] = all[id.Name] || d.Tok == token.VAR
						}
					}
				}
			}
		}
	}
	for _, fn := range f.funcs {
		for _, id := range Written(fn.decl) {
			if all[id.Name] {
				f.vars[id.Name] = true
			}
		}
	}
	return f, nil
}

// declare notes a declaration of a file, and which names it uses: of what is selected the
// last.
func (f *form) declare(file, name string, n ast.Node) {
	f.in[file] = append(f.in[file], name)
	f.decls[name] += f.text(n)
	if f.uses[name] == nil {
		f.uses[name] = map[string]bool{}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			f.uses[name][n.Name] = true
		case *ast.SelectorExpr:
			f.uses[name]["."+n.Sel.Name] = true
		}
		return true
	})
}

// text is that of a node, without comments and with the space that gofmt gives it.
func (f *form) text(n ast.Node) string {
	if d, ok := n.(*ast.FuncDecl); ok && d.Doc != nil {
		d = &ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type, Body: d.Body}
		n = d
	}
	var b bytes.Buffer
	printer.Fprint(&b, token.NewFileSet(), n) // an error leaves less of it: then it differs
	return b.String()
}

// funcName is F, or T.M.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return d.Name.Name
	}
	return base(d.Recv.List[0].Type) + "." + d.Name.Name
}

// base is the name of the type of a receiver.
func base(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return "?"
		}
	}
}

// Written are the variables that a function may write to, or to what they hold, by where
// they are named: what it assigns, takes the address of, or calls a method of.
func Written(d *ast.FuncDecl) (all []*ast.Ident) {
	note := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.Ident:
				all = append(all, x)
				return
			case *ast.SelectorExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			default:
				return
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				note(l)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok {
				note(s.X)
			}
			if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "clear" || id.Name == "delete" || id.Name == "copy") && len(n.Args) > 0 {
				note(n.Args[0])
			}
		}
		return true
	})
	return all
}

// signature is that of a function, without the names of its parameters.
func (f *form) signature(d *ast.FuncDecl) string {
	var b strings.Builder
	fields := func(l *ast.FieldList) {
		b.WriteString("(")
		if l != nil {
			for _, x := range l.List {
				for range max(1, len(x.Names)) {
					b.WriteString(f.text(x.Type) + ",")
				}
			}
		}
		b.WriteString(")")
	}
	fields(d.Recv)
	if d.Type.TypeParams != nil {
		b.WriteString(f.text(d.Type.TypeParams.List[0].Type))
		for _, x := range d.Type.TypeParams.List {
			for _, n := range x.Names {
				b.WriteString(n.Name + " " + f.text(x.Type))
			}
		}
	}
	fields(d.Type.Params)
	fields(d.Type.Results)
	return b.String()
}

// why says why a function cannot be watched, "" if it can.
func (f *form) why(fn *function) string {
	d := fn.decl
	if d.Body == nil {
		return "it has no body in Go"
	}
	if slices.ContainsFunc(f.files[fn.file].Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"C"` }) {
		return "its file uses cgo"
	}
	why := ""
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "recover" {
				why = "it calls recover"
			}
		}
		return true
	})
	for _, c := range f.comments(fn) {
		if strings.HasPrefix(c, "//go:linkname") || strings.HasPrefix(c, "//go:nosplit") || strings.HasPrefix(c, "//export") {
			why = "it has " + strings.Fields(c)[0]
		}
	}
	return why
}

// comments are the lines above a function that begin with two slashes: declarations are
// parsed without theirs.
func (f *form) comments(fn *function) (lines []string) {
	above := string(f.texts[fn.file][:f.fset.Position(fn.decl.Pos()).Offset])
	all := strings.Split(above, "\n")
	for i := len(all) - 2; i >= 0 && strings.HasPrefix(all[i], "//"); i-- {
		lines = append(lines, all[i])
	}
	return lines
}

// A pick is what of a package is watched.
type pick struct {
	names []string          // functions, in order
	apart []string          // types that are not the same in both forms, and fields that are told
	left  map[string]string // functions that change and cannot be watched, and why
}

// choose returns what of a package is to be watched: the functions that change, and in
// place of those that are told, are not in both forms, or have another signature, those
// that use them.
func choose(old, new *form, told []string) pick {
	p := pick{left: map[string]string{}}
	changed := map[string]bool{}
	for name := range old.decls {
		changed[name] = new.decls[name] != old.decls[name]
	}
	for name := range new.decls {
		if _, ok := old.decls[name]; !ok {
			changed[name] = true
		}
	}
	watched := map[string]bool{}
	seen := map[string]bool{}
	var queue []string
	enter := func(name string) {
		if !seen[name] {
			seen[name] = true
			queue = append(queue, name)
		}
	}
	for name, yes := range changed {
		if yes {
			enter(name)
		}
	}
	for _, name := range told {
		if old.funcs[name] == nil {
			p.apart = append(p.apart, name)
			enter(name)
		}
	}
	slices.Sort(queue)
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		a, b := old.funcs[name], new.funcs[name]
		if a != nil && b != nil {
			why := old.why(a)
			if why == "" {
				why = new.why(b)
			}
			if why == "" && old.signature(a.decl) != new.signature(b.decl) {
				why = "its signature is another"
			}
			switch {
			case slices.Contains(told, name):
			case why == "":
				watched[name] = true
				continue
			default:
				p.left[name] = why
			}
		}
		if changed[name] && a == nil && b == nil && (isType(old, name) || isType(new, name)) {
			p.apart = append(p.apart, name)
		}
		bare := name[strings.LastIndexByte(name, '.')+1:]
		method := bare != name
		for _, f := range []*form{old, new} {
			for _, user := range slices.Sorted(maps.Keys(f.uses)) {
				if u := f.uses[user]; user != name && (method && u["."+bare] || !method && u[bare]) {
					enter(user)
				}
			}
		}
	}
	for name := range p.left {
		if !changed[name] {
			delete(p.left, name)
		}
	}
	slices.Sort(p.apart)
	p.names = slices.Sorted(maps.Keys(watched))
	return p
}

func isType(f *form, name string) bool {
	for _, file := range f.files {
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					if s.(*ast.TypeSpec).Name.Name == name {
						return true
					}
				}
			}
		}
	}
	return false
}

// state are the package variables that functions write and that the function uses,
// itself or by what it calls.
func (f *form) state(name string) []string {
	seen, vars := map[string]bool{}, map[string]bool{}
	var visit func(string)
	visit = func(n string) {
		if seen[n] {
			return
		}
		seen[n] = true
		for u := range f.uses[n] {
			if f.vars[u] {
				vars[u] = true
			}
			if m, ok := strings.CutPrefix(u, "."); ok {
				for other := range f.funcs {
					if strings.HasSuffix(other, "."+m) {
						visit(other)
					}
				}
			} else if f.funcs[u] != nil {
				visit(u)
			}
		}
	}
	visit(name)
	return slices.Sorted(maps.Keys(vars))
}

// harmless are packages whose functions change nothing outside of the program.
var harmless = map[string]bool{}

func init() {
	for name := range strings.FieldsSeq("bytes cmp container/heap container/list container/ring encoding/base64 encoding/binary encoding/hex errors " +
		"hash hash/adler32 hash/crc32 hash/crc64 hash/fnv hash/maphash iter maps math math/big math/bits math/cmplx math/rand math/rand/v2 runtime slices sort strconv strings " +
		"sync sync/atomic unicode unicode/utf16 unicode/utf8 unsafe crypto/md5 crypto/sha1 crypto/sha256 crypto/sha512 context time regexp") {
		harmless[name] = true
	}
}

// inside reports whether nothing of a form can reach out of the program, so that its
// functions may be called with any input.
func (f *form) inside() bool {
	for _, file := range f.files {
		for _, s := range file.Imports {
			if path, err := strconv.Unquote(s.Path.Value); err != nil || !harmless[path] {
				return false
			}
		}
	}
	return true
}

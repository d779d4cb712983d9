package discover

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"

	stdlib "github.com/gopayoff/payoff/tool/internal/source"
)

// A source is the code of one package with its tests, read when it is asked for. Names are
// resolved within it; what it imports stays unknown, so that nothing has to be built.
type source struct {
	path  string
	fset  *token.FileSet
	files []*ast.File
	once  sync.Once

	info    types.Info
	decls   map[types.Object]ast.Node // what the package declares, with methods
	funcs   map[string]*ast.FuncDecl  // its functions
	called  map[string]bool           // methods that tests call through interfaces
	rows    map[string][]row          // see [source.table]
	parts   map[ast.Node]*part        // see [source.part]
	done    map[types.Object]deed     // see [source.deeds]
	counts  []string                  // see [source.bounds]
	numbers *counting                 // see [source.count]
}

// A within imports one package that is checked already, and no other.
type within struct {
	path string
	pkg  *types.Package
}

func (w *within) Import(path string) (*types.Package, error) {
	if path == w.path && w.pkg != nil {
		return w.pkg, nil
	}
	return nil, errors.New("not read")
}

// resolve reads the files of a package, those of its external test as well.
func (s *source) resolve() {
	s.decls, s.funcs, s.called = map[types.Object]ast.Node{}, map[string]*ast.FuncDecl{}, map[string]bool{}
	s.rows, s.parts, s.done = map[string][]row{}, map[ast.Node]*part{}, map[types.Object]deed{}
	s.info.Defs, s.info.Uses = map[*ast.Ident]types.Object{}, map[*ast.Ident]types.Object{}
	var own, external []*ast.File
	for _, f := range s.files {
		if strings.HasSuffix(f.Name.Name, "_test") {
			external = append(external, f)
		} else {
			own = append(own, f)
		}
	}
	imports := &within{path: s.path}
	conf := types.Config{Importer: imports, FakeImportC: true, Error: func(error) {}} // the compiler reports what is wrong
	imports.pkg, _ = conf.Check(s.path, s.fset, own, &s.info)
	_, _ = conf.Check(s.path+"_test", s.fset, external, &s.info)
	for _, f := range s.files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body == nil {
					continue
				}
				s.decls[s.info.Defs[d.Name]] = d
				if d.Recv == nil {
					s.funcs[d.Name.Name] = d
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						s.decls[s.info.Defs[spec.Name]] = spec
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							s.decls[s.info.Defs[name]] = spec
						}
					}
				}
			}
		}
	}
	for _, f := range s.files {
		if strings.HasSuffix(s.fset.File(f.Pos()).Name(), "_test.go") {
			s.dispatch(f)
		}
	}
}

// dispatch notes the methods that a node calls through interfaces.
func (s *source) dispatch(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := s.object(id).(*types.Func); ok && f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()) {
				s.called[f.Name()] = true
			}
		}
		return true
	})
}

// deeds is what is done by what an object refers to, at whatever distance.
func (s *source) deeds(o types.Object) deed {
	if d, ok := s.done[o]; ok {
		return d
	}
	var d deed
	nodes := []ast.Node{}
	if n := s.decls[o]; n != nil {
		nodes = append(nodes, n)
	}
	if t, ok := o.(*types.TypeName); ok {
		if t := namedType(t.Type()); t != nil {
			for m := range t.Methods() {
				if n := s.decls[m.Origin()]; n != nil && s.called[m.Name()] {
					nodes = append(nodes, n)
				}
			}
		}
	}
	for _, n := range s.reach(nodes, maps.Clone(s.called)) {
		d |= s.does(n)
	}
	s.done[o] = d &^ spreads
	return d &^ spreads
}

// object is what an identifier refers to.
func (s *source) object(id *ast.Ident) types.Object {
	if f, ok := s.info.Uses[id].(*types.Func); ok {
		return f.Origin()
	}
	return s.info.Uses[id]
}

// reach returns the nodes and the declarations that they refer to, at whatever distance.
// Of a type these are the methods that are called through interfaces, here or by the
// names in called, which it adds to.
func (s *source) reach(nodes []ast.Node, called map[string]bool) []ast.Node {
	all := slices.Clone(nodes)
	seen := map[types.Object]bool{}
	var reached []*types.Named
	enter := func(o types.Object) {
		if d := s.decls[o]; d != nil && !seen[o] {
			seen[o] = true
			all = append(all, d)
		}
	}
	for i := 0; i < len(all); i++ {
		ast.Inspect(all[i], func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch o := s.object(id).(type) {
			case nil:
			case *types.TypeName:
				if t := namedType(o.Type()); t != nil {
					reached = append(reached, t)
				}
				enter(o)
			case *types.Func:
				if recv := o.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
					called[o.Name()] = true
				}
				enter(o)
			default:
				enter(o)
			}
			return true
		})
		for k := 0; i == len(all)-1 && k < len(reached); k++ {
			for m := range reached[k].Methods() {
				if called[m.Name()] {
					enter(m.Origin())
				}
			}
		}
	}
	return all
}

// namedType is the type itself, or what it points to, if it has a name in a package.
func namedType(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	if n == nil || n.Obj().Pkg() == nil {
		return nil
	}
	return n.Origin()
}

// A deed is a set of means that code works with several goroutines by.
type deed uint

const (
	goes deed = 1 << iota // starts goroutines
	spreads
	mutexes
	channels
	atomics
	pools
	others
)

// locking are the methods of mutexes that lock.
var locking = []string{"Lock", "RLock", "TryLock"}

// does returns what the code of a node does itself.
func (s *source) does(node ast.Node) (d deed) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			d |= goes
		case *ast.SendStmt, *ast.SelectStmt, *ast.ChanType:
			d |= channels
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				d |= channels
			}
		case *ast.SelectorExpr:
			if s.object(n.Sel) != nil {
				break // the package's own is followed
			}
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "atomic" {
				d |= atomics
			} else if ok && x.Name == "sync" {
				switch n.Sel.Name {
				case "Pool":
					d |= pools
				case "Map":
					d |= others
				}
			}
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || s.object(sel.Sel) != nil {
				break
			}
			if slices.Contains(locking, sel.Sel.Name) {
				d |= mutexes
			}
			switch sel.Sel.Name {
			case "Go":
				if len(n.Args) > 0 {
					d |= goes
				}
			case "RunParallel":
				d |= spreads
			case "CompareAndSwap", "Swap", "Load", "Store":
				d |= atomics
			}
		}
		return true
	})
	return d
}

// imports reports whether the package imports others than those of the standard library,
// or C, of which nothing is known.
func (s *source) imports() bool {
	return slices.ContainsFunc(s.files, func(f *ast.File) bool {
		return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool {
			path, _ := text(i.Path)
			return !stdlib.Standard(path) && path != s.path
		})
	})
}

// A row is what tells one sub-benchmark from its siblings: an element of a table, a case,
// or the function of a b.Run. Siblings have one owner.
type row struct {
	path  []string // elements of the name; what follows a % is not known
	at    int      // which of them it is
	owner ast.Node
	nodes []ast.Node
}

// table returns the rows that a benchmark function may take its sub-benchmarks from.
func (s *source) table(fn string) []row {
	if rows, ok := s.rows[fn]; ok {
		return rows
	}
	decl := s.funcs[fn]
	var rows []row
	if decl != nil {
		for _, n := range s.reach([]ast.Node{decl}, map[string]bool{}) {
			rows = append(rows, s.rowsIn(n)...)
		}
	}
	s.rows[fn] = rows
	return rows
}

func (s *source) rowsIn(node ast.Node) (rows []row) {
	add := func(owner ast.Node, name string, nodes ...ast.Node) {
		if name != "" && len(nodes) > 0 {
			path := strings.Split(rewrite(name), "/")
			for at, e := range path {
				if e != "" && e[0] != '%' {
					rows = append(rows, row{path, at, owner, nodes})
				}
			}
		}
	}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					if name, ok := text(kv.Key); ok {
						add(n, name, kv.Value)
					}
					e = kv.Value
				}
				if lit, ok := e.(*ast.CompositeLit); ok {
					name, rest := record(lit)
					add(n, name, rest...)
				}
			}
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				c := c.(*ast.CaseClause)
				var body []ast.Node
				for _, stmt := range c.Body {
					body = append(body, stmt)
				}
				for _, e := range c.List {
					if name, ok := text(e); ok {
						add(n, name, body...)
					}
				}
			}
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Run" || len(n.Args) != 2 {
				if name, rest := s.named(n); name != "" {
					add(node, name, rest...)
				}
				break
			}
			ast.Inspect(n.Args[0], func(m ast.Node) bool {
				if e, ok := m.(ast.Expr); ok {
					if format, ok := text(e); ok {
						add(node, format, n.Args[1])
					}
				}
				return true
			})
		}
		return true
	})
	return rows
}

// named returns the first string among the arguments of a call, and the functions.
func (s *source) named(call *ast.CallExpr) (name string, funcs []ast.Node) {
	for _, a := range call.Args {
		if n, ok := text(a); ok && name == "" {
			name = n
		}
		switch a := a.(type) {
		case *ast.FuncLit:
			funcs = append(funcs, a)
		case *ast.Ident:
			if _, ok := s.object(a).(*types.Func); ok {
				funcs = append(funcs, a)
			}
		}
	}
	return name, funcs
}

// record returns the first string of a composite literal and the rest of it.
func record(lit *ast.CompositeLit) (name string, rest []ast.Node) {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if s, ok := text(e); ok && name == "" {
			name = s
		} else {
			rest = append(rest, e)
		}
	}
	return name, rest
}

// rowsOf returns those of a function that could be what an element of a name says.
func (s *source) rowsOf(fn string, e []string, elem int) (found []row) {
	for _, r := range s.table(fn) {
		from := elem - r.at
		if from < 1 || from+len(r.path) > len(e) {
			continue
		}
		ok := true
		for k, p := range r.path {
			_, value, _ := strings.Cut(e[from+k], "=")
			before, _, verb := strings.Cut(p, "%")
			ok = ok && (verb && strings.HasPrefix(e[from+k], before) || p == e[from+k] || p == value || p == unsized(e[from+k]))
		}
		if ok {
			found = append(found, r)
		}
	}
	return found
}

// unsized is an element of a name without the numbers that it begins or ends with.
func unsized(e string) string {
	for _, sep := range []string{"-", "_"} {
		if before, size := cutLast(e, sep); size != "" && isSize(size) {
			return before
		}
		if size, after, ok := strings.Cut(e, sep); ok && isSize(size) {
			return after
		}
	}
	return e
}

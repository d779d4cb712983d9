package discover

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A part is the code that one benchmark has for itself.
type part struct {
	source *source
	refers map[atom]types.Object // what it refers to; nil: of another package, or a literal
}

// An atom is a thing that code refers to.
type atom struct {
	kind kind
	name string
}

type kind string

const (
	calls  kind = "calls"  // a function in the loop that is timed
	passes kind = "passes" // a function as a value
	sets   kind = "sets"   // a function outside of that loop
	method kind = "method"
	before kind = "before" // a method outside of that loop
	typ    kind = "type"
	value  kind = "variable" // of the package
	fixed  kind = "constant" // of the package
	str    kind = "string"
	num    kind = "number"
	ext    kind = "imported"
	stmt   kind = "statement" // go, send, receive
	spread kind = "RunParallel"
)

// inputs are what a benchmark works on, code is what it works with.
var (
	inputs = []kind{value, fixed, str, sets}
	code   = []kind{calls, passes, method, typ, ext, stmt}
)

// ofTesting are the methods of testing.B and PB that say nothing of the work.
var ofTesting = []string{"ReportAllocs", "ResetTimer", "StopTimer", "StartTimer", "SetBytes", "Helper", "Fatal", "Fatalf", "Error", "Errorf", "Log", "Logf", "Skip", "Skipf", "ReportMetric", "SetParallelism", "TempDir", "Name", "Loop", "Elapsed", "Next"}

// part reads nodes.
func (s *source) part(nodes []ast.Node) *part {
	if p := s.parts[nodes[0]]; p != nil {
		return p
	}
	p := &part{source: s, refers: map[atom]types.Object{}}
	s.parts[nodes[0]] = p
	r := reader{source: s, part: p, seen: map[*ast.FuncDecl]bool{}}
	for _, n := range nodes {
		_, body := n.(*ast.BlockStmt)
		_, ofCase := n.(ast.Stmt)
		r.read(n, ofCase && !body)
	}
	return p
}

// A reader fills a part. Functions that have a *testing.B are read in their place.
type reader struct {
	*source
	part *part
	seen map[*ast.FuncDecl]bool
}

func (r *reader) add(k kind, name string, o types.Object) { r.part.refers[atom{k, name}] = o }

// read reads a node, which may be timed.
func (r *reader) read(node ast.Node, timed bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if !timed && n.Cond != nil && uses(n.Cond, "N", "Loop") {
				r.read(n.Body, true)
				return false
			}
		case *ast.RangeStmt:
			if !timed && uses(n.X, "N") {
				r.read(n.Body, true)
				return false
			}
		case *ast.FuncLit:
			if !timed && !takesB(n.Type) {
				r.read(n.Body, true)
				return false
			}
		case *ast.CallExpr:
			return r.call(n, timed)
		case *ast.SelectorExpr:
			if pkg := r.imported(n); pkg != "" {
				if pkg != "testing" {
					r.add(ext, pkg+"."+n.Sel.Name, nil)
				}
				return false
			}
		case *ast.Ident:
			r.ident(n, timed)
		case *ast.BasicLit:
			if s, ok := text(n); ok && s != "" {
				r.add(str, s, nil)
			} else if n.Kind != token.STRING && n.Value != "0" && n.Value != "1" {
				r.add(num, n.Value, nil)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if _, ok := e.(*ast.Ident); !ok { // else it only takes a result
					r.read(e, timed)
				}
			}
			for _, e := range n.Rhs {
				r.read(e, timed)
			}
			return false
		case *ast.IncDecStmt:
			if _, ok := n.X.(*ast.Ident); ok {
				return false
			}
		case *ast.GoStmt:
			r.add(stmt, "go", nil)
		case *ast.SendStmt:
			r.add(stmt, "send", nil)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				r.add(stmt, "receive", nil)
			}
		}
		return true
	})
}

// call reads a call and reports whether what it consists of is still to be read.
func (r *reader) call(n *ast.CallExpr, timed bool) bool {
	rest := func(nodes ...ast.Expr) bool {
		for _, a := range append(nodes, n.Args...) {
			r.read(a, timed)
		}
		return false
	}
	switch fun := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		f, ok := r.object(fun).(*types.Func)
		if !ok {
			return true
		}
		if !r.inside(f, timed) {
			k := sets
			if timed {
				k = calls
			}
			r.add(k, f.Name(), f)
		}
		return rest()
	case *ast.SelectorExpr:
		o := r.object(fun.Sel)
		f, ok := o.(*types.Func)
		switch {
		case ok && f.Signature().Recv() == nil: // of the package, from its external test
			k := sets
			if timed {
				k = calls
			}
			r.add(k, f.Name(), f)
			return rest()
		case ok:
		case o != nil || r.imported(fun) != "":
			return true
		case fun.Sel.Name == "Run" && len(n.Args) == 2:
			r.read(n.Args[1], timed)
			return false
		case slices.Contains(ofTesting, fun.Sel.Name):
			return false
		case fun.Sel.Name == "RunParallel":
			r.add(spread, "", nil)
			return rest()
		case fun.Sel.Name == "Cleanup":
			return rest()
		}
		k := before
		if timed {
			k = method
		}
		if f != nil {
			o = f
		}
		r.add(k, fun.Sel.Name, o)
		return rest(fun.X)
	}
	return true
}

// inside reads a function of the package that has a *testing.B and reports whether it is
// one.
func (r *reader) inside(f *types.Func, timed bool) bool {
	d, ok := r.decls[f].(*ast.FuncDecl)
	if !ok || !takesB(d.Type) {
		return false
	}
	if !r.seen[d] {
		r.seen[d] = true
		r.read(d.Body, timed)
	}
	return true
}

func (r *reader) ident(id *ast.Ident, timed bool) {
	switch o := r.object(id).(type) {
	case *types.Func:
		if !r.inside(o, timed) {
			r.add(passes, o.Name(), o)
		}
	case *types.TypeName:
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			r.add(typ, o.Name(), o)
		}
	case *types.Var, *types.Const:
		if o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
			break // of a function, or a field
		}
		if t := namedType(o.Type()); t != nil && methods(t) > 0 {
			r.add(typ, t.Obj().Name(), t.Obj())
		} else if _, ok := o.(*types.Const); ok {
			r.add(fixed, o.Name(), o)
		} else {
			r.add(value, o.Name(), o)
		}
	}
}

// imported is the name of the package of which a selector takes something that is not
// known.
func (s *source) imported(sel *ast.SelectorExpr) string {
	x, ok := sel.X.(*ast.Ident)
	if !ok || s.object(sel.Sel) != nil {
		return ""
	}
	switch s.object(x).(type) {
	case nil, *types.PkgName:
		return x.Name
	}
	return ""
}

// takesB reports whether a function has a parameter of type *testing.B.
func takesB(f *ast.FuncType) bool {
	for _, p := range f.Params.List {
		if star, ok := p.Type.(*ast.StarExpr); ok {
			switch x := star.X.(type) {
			case *ast.SelectorExpr:
				if x.Sel.Name == "B" {
					return true
				}
			case *ast.Ident:
				if x.Name == "B" {
					return true
				}
			}
		}
	}
	return false
}

// methods counts those that a value of the type or a pointer to it has.
func methods(t *types.Named) int {
	if i, ok := t.Underlying().(*types.Interface); ok {
		return i.NumMethods()
	}
	return t.NumMethods()
}

// made is the type with methods that a function returns, which is no method, or nil.
func made(o types.Object) *types.Named {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() != nil || f.Signature().Results().Len() == 0 {
		return nil
	}
	if t := namedType(f.Signature().Results().At(0).Type()); t != nil && methods(t) > 0 {
		return t
	}
	return nil
}

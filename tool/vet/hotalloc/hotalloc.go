package hotalloc

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds allocations that a loop or a call repeats.
var Analyzer = shape.Analyzer("hotalloc",
	"find allocations that are repeated and need not be\n\nBuffers made anew, slices that grow, strings built by +=.",
	find, uses.Analyzer)

// A search looks through a package.
type search struct {
	pass   *analysis.Pass
	index  *uses.Index
	keeper *keeper
	found  []shape.Finding
	names  rewrite.Names            // that edits have given out in a function
	frees  func(name string) string // names that nothing of the package has; nil until one is asked for
	grown  map[*types.Var]bool      // strings that were looked at
}

func find(pass *analysis.Pass) ([]shape.Finding, error) {
	index := pass.ResultOf[uses.Analyzer].(*uses.Index)
	s := &search{pass: pass, index: index, keeper: &keeper{index, map[*types.Var]bool{}}, names: rewrite.Names{}, grown: map[*types.Var]bool{}}
	for c := range index.Root.Preorder((*ast.AssignStmt)(nil), (*ast.DeclStmt)(nil), (*ast.CallExpr)(nil)) {
		switch n := c.Node().(type) {
		case *ast.AssignStmt:
			s.presize(c, n)
			s.concat(c, n)
			s.reuse(c)
		case *ast.DeclStmt:
			s.reuse(c)
		case *ast.CallExpr:
			s.share(c, n)
		}
	}
	s.compilerSays()
	return s.found, nil
}

// compilerSays adds the compiler's words to what is hot.
func (s *search) compilerSays() {
	given, ok := s.pass.ResultOf[heat.Analyzer].(heat.Given)
	if !ok || given.Map == nil {
		return
	}
	for i := range s.found {
		f := &s.found[i]
		e := f.Evidence(s.pass.Fset, given.Map)
		said := given.Escapes(heat.StretchOf(s.pass.Fset, f.Pos, f.End))
		if e.Hot() && len(said) > 0 {
			f.Seen = e.String() + "; the compiler says: " + said[0]
		}
	}
}

// finding is one at a node, hot where the stretch at is.
func (s *search) finding(c inspector.Cursor, at ast.Node, message string) shape.Finding {
	return shape.Finding{
		Pos: c.Node().Pos(), End: c.Node().End(), Message: message, Func: uses.Decl(c),
		Causes: []string{"alloc", "gc"}, Hot: []shape.Range{shape.Of(at)},
	}
}

// add enters a finding with an edit, or the reason that there is none.
func (s *search) add(f shape.Finding, fix shape.Fix, why *shape.Refusal) {
	if why != nil {
		f.Refused = append(f.Refused, shape.Refusal{Name: fix.Name, Why: why.Why, Pos: why.Pos})
	} else {
		f.Fixes = append(f.Fixes, fix)
	}
	s.found = append(s.found, f)
}

func (s *search) file(c inspector.Cursor) *ast.File { return rewrite.File(s.pass, c.Node().Pos()) }

func (s *search) text(n ast.Node) string { return rewrite.Text(s.pass.Fset, n) }

// fresh is a name that is free in a function and that no other edit of it has.
func (s *search) fresh(fn ast.Node, name string) string {
	return s.names.Fresh(s.pass.Pkg, fn, name)
}

// free is a name that nothing of the package has.
func (s *search) free(name string) string {
	if s.frees == nil {
		s.frees = s.index.Free()
	}
	return s.frees(name)
}

func (s *search) comments(c inspector.Cursor, n ast.Node) bool {
	return rewrite.Comments(s.file(c), n)
}

// A declaration is a statement of a list that declares one local variable.
type declaration struct {
	at   inspector.Cursor // of the statement
	v    *types.Var
	name *ast.Ident
	typ  ast.Expr // as it is written, or nil
	init ast.Expr // or nil
}

func (s *search) declaration(c inspector.Cursor) (d declaration, ok bool) {
	if !uses.Listed(c) {
		return d, false
	}
	d.at = c
	switch st := c.Node().(type) {
	case *ast.AssignStmt:
		if st.Tok != token.DEFINE || len(st.Lhs) != 1 || len(st.Rhs) != 1 {
			return d, false
		}
		d.name, d.init = st.Lhs[0].(*ast.Ident), ast.Unparen(st.Rhs[0])
	case *ast.DeclStmt:
		g := st.Decl.(*ast.GenDecl)
		if g.Tok != token.VAR || len(g.Specs) != 1 {
			return d, false
		}
		spec := g.Specs[0].(*ast.ValueSpec)
		if len(spec.Names) != 1 || len(spec.Values) > 1 {
			return d, false
		}
		d.name, d.typ = spec.Names[0], spec.Type
		if len(spec.Values) == 1 {
			d.init = ast.Unparen(spec.Values[0])
		}
	default:
		return d, false
	}
	d.v, ok = s.pass.TypesInfo.Defs[d.name].(*types.Var)
	return d, ok && d.name.Name != "_"
}

// makes is what an initial value allocates: the arguments of make for a slice
// or map; a literal without elements has none.
func (d declaration) makes(info *types.Info) (args []ast.Expr, ok bool) {
	switch e := d.init.(type) {
	case *ast.CallExpr:
		if loop.Builtin(info, e) == "make" {
			return e.Args[1:], true
		}
	case *ast.CompositeLit:
		return nil, len(e.Elts) == 0
	}
	return nil, false
}

// of is the declaration of a variable, which comes before its uses.
func (s *search) of(v *types.Var) (declaration, bool) {
	st := s.index.Of(v)[0].Parent()
	if _, ok := st.Node().(*ast.ValueSpec); ok {
		st = st.Parent().Parent()
	}
	d, ok := s.declaration(st)
	return d, ok && d.v == v
}

// zero reports whether e is a pointer to a new value without elements: new(T) or &T{}.
func zero(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return loop.Builtin(info, e) == "new" && info.Types[e.Args[0]].IsType()
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok && len(lit.Elts) == 0
	}
	return false
}

func isZero(info *types.Info, e ast.Expr) bool {
	tv := info.Types[e]
	return tv.Value != nil && tv.Value.ExactString() == "0"
}

package local

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Package is what the edits of one package need to know of it.
type Package struct {
	Pass     *analysis.Pass
	Uses     *uses.Index
	calls    map[*types.Func][]*ast.Ident // where each function is named
	Recovers bool                         // whether anything stops panics
	names    map[*ast.FuncDecl]map[string]bool
}

// New looks a package over. The pass has to have the results of uses.Analyzer.
func New(pass *analysis.Pass) *Package {
	p := &Package{Pass: pass, Uses: pass.ResultOf[uses.Analyzer].(*uses.Index), calls: map[*types.Func][]*ast.Ident{}, names: map[*ast.FuncDecl]map[string]bool{}}
	for id, o := range pass.TypesInfo.Uses {
		switch o := o.(type) {
		case *types.Func:
			p.calls[o.Origin()] = append(p.calls[o.Origin()], id)
		case *types.Builtin:
			p.Recovers = p.Recovers || o.Name() == "recover"
		}
	}
	return p
}

// A Loop is one that goroutines of a site run.
type Loop struct {
	*Package
	Site *spawn.Site
	At   inspector.Cursor // *ast.ForStmt or *ast.RangeStmt

	assume  bool     // that nothing looks at what the loop adds to
	hoisted []*Place // that go into variables together: no use of them is left in the loop
}

// AtOnce reports whether several goroutines of the site run the loop at the same
// time, so that their order is open.
func (l *Loop) AtOnce() bool {
	for up := l.Site; up != nil; up = up.Up {
		if up.Loop != nil && up.Join != nil && !uses.Holds(up.Loop, up.Join.Pos()) {
			return true
		}
	}
	return false
}

// Func returns the declared function that the loop is in, or nil.
func (l *Loop) Func() *ast.FuncDecl { return uses.Decl(l.At) }

// Name returns a name for a variable of a function that nothing in it has, and
// that no other edit of the function takes. Its declaration is to stand at at.
func (p *Package) Name(decl *ast.FuncDecl, at ast.Node, name string) string {
	taken := p.names[decl]
	if taken == nil {
		taken = map[string]bool{}
		p.names[decl] = taken
		if decl != nil {
			at = decl
		}
		ast.Inspect(at, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				switch o := p.Pass.TypesInfo.ObjectOf(id).(type) {
				case *types.Var:
					taken[id.Name] = taken[id.Name] || !o.IsField()
				case *types.Func:
					taken[id.Name] = taken[id.Name] || o.Signature().Recv() == nil
				default:
					taken[id.Name] = true
				}
			}
			return true
		})
	}
	own := "own" + rewrite.Title(name)
	for i := 1; ; i++ {
		for _, try := range []string{name, own} {
			if i > 1 {
				try += strconv.Itoa(i)
			}
			if !taken[try] && !token.IsKeyword(try) && types.Universe.Lookup(try) == nil {
				taken[try] = true
				return try
			}
		}
	}
}

// outermost returns the loops in the code under root that no other loop there
// holds. Function literals are not looked into.
func outermost(root inspector.Cursor) (all []inspector.Cursor) {
	root.Inspect([]ast.Node{(*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil)}, func(c inspector.Cursor) bool {
		if _, lit := c.Node().(*ast.FuncLit); !lit && c != root {
			all = append(all, c)
		}
		return c == root
	})
	return all
}

// Innermost returns the innermost loop around c, in the function that c is in, that may
// come to c again.
func Innermost(c inspector.Cursor) (loop inspector.Cursor, ok bool) {
	for loop := range c.Parent().Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil), (*ast.BlockStmt)(nil)) {
		block, ok := loop.Node().(*ast.BlockStmt)
		if !ok {
			_, lit := loop.Node().(*ast.FuncLit)
			_, decl := loop.Node().(*ast.FuncDecl)
			return loop, !lit && !decl
		}
		if n := len(block.List); n > 0 && leaving(block.List[n-1]) {
			break
		}
	}
	return loop, false
}

// leaving reports whether a statement goes on behind the function or at a label.
func leaving(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	_, returns := s.(*ast.ReturnStmt)
	return returns || ok && b.Label != nil
}

// body returns the body of a loop.
func body(loop inspector.Cursor) *ast.BlockStmt { return spawn.LoopBody(loop.Node().(ast.Stmt)) }

// called reports whether all that call a function of the package are in calls.
func (p *Package) called(fn *types.Func) bool {
	return (!fn.Exported() || fn.Pkg().Name() == "main") && p.Uses.Left.Calls(fn) == ""
}

// Find returns the cursor of a node of the package.
func (p *Package) Find(n ast.Node) (c inspector.Cursor, ok bool) {
	return uses.Find(p.Uses.Root, n)
}

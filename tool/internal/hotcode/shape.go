// Package hotcode says what the source of hot lines does: with the words that
// goroutines share, in loops that only look, with a lock held, in selects.
//
// A file is read once. Names are resolved within it and nothing is imported, so an
// operation is known by its name. That costs some milliseconds. Files that cannot be
// read say nothing.
package hotcode

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// Files are sources, as they are read. The zero value has read none.
type Files struct{ read map[string]*file } // by name

type file struct {
	lines   []string
	shapes  *shapely // nil of what is no Go
	selects []selecting
}

func (f *Files) of(name string) *file {
	if x := f.read[name]; x != nil {
		return x
	}
	if f.read == nil {
		f.read = map[string]*file{}
	}
	x := &file{}
	f.read[name] = x
	src, err := os.ReadFile(name)
	if err != nil {
		return x
	}
	x.lines = strings.Split(string(src), "\n")
	fset := token.NewFileSet()
	if syntax, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution); err == nil {
		x.shapes, x.selects = shapesOf(fset, syntax), selectsOf(fset, syntax)
	}
	return x
}

// Describe enters what the hot lines of a set do.
func (f *Files) Describe(set *evidence.Set) {
	set.Shapes, set.Selects, set.Source = f.shapes(set), f.selects(set), f.text(set)
}

// shapes says what the hot lines of a set do with the words they share: the advice
// depends on it. Lines without an atomic operation that hold no lock have no shape.
func (f *Files) shapes(set *evidence.Set) (out []evidence.Shape) {
	for _, l := range set.CPU.Lines {
		if l.Share < 0.02 {
			continue
		}
		s := f.of(l.File).shapes
		kind, at := s.at(l.Line), source.Place{File: l.File, Line: l.Line}
		if kind != "" {
			out = append(out, evidence.Shape{Place: at, Kind: kind})
		}
		if kind != evidence.Spin && s.looks(l.Line) {
			out = append(out, evidence.Shape{Place: at, Kind: evidence.Look})
		}
		if s != nil && s.held[l.Line] {
			out = append(out, evidence.Shape{Place: at, Kind: evidence.Held})
		}
	}
	return out
}

// nowhere imports nothing.
type nowhere struct{}

func (nowhere) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

func shapesOf(fset *token.FileSet, file *ast.File) *shapely {
	s := &shapely{fset: fset, asked: asked(file), looked: map[int]bool{}, held: map[int]bool{}, uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: nowhere{}, Error: func(error) {}}
	s.pkg, _ = conf.Check("p", fset, []*ast.File{file}, &types.Info{Uses: s.uses}) // what it makes of the rest is no matter
	ast.Walk(s, file)
	return s
}

// shapely finds the shapes of a file.
type shapely struct {
	fset   *token.FileSet
	above  []ast.Node
	found  []region
	looked map[int]bool    // the lines of loops that only look
	held   map[int]bool    // the lines between a Lock and its Unlock
	asked  map[string]bool // words, by the last of their names, that decide where the code goes
	pkg    *types.Package
	uses   map[*ast.Ident]types.Object
}

// A region of lines has one shape.
type region struct {
	from, to int
	kind     evidence.ShapeKind
}

// at is the shape of a line: of the smallest region that holds it.
func (s *shapely) at(line int) evidence.ShapeKind {
	if s == nil {
		return ""
	}
	var kind evidence.ShapeKind
	size := 1 << 30
	for _, r := range s.found {
		if r.from <= line && line <= r.to && r.to-r.from < size {
			kind, size = r.kind, r.to-r.from
		}
	}
	return kind
}

func (s *shapely) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		s.above = s.above[:len(s.above)-1]
		return s
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		s.call(n)
	case *ast.ForStmt:
		s.wait(n)
	case *ast.RangeStmt:
		s.wait(n)
	case *ast.BlockStmt:
		s.hold(n.List)
	}
	s.above = append(s.above, n)
	return s
}

// call enters the shape of an atomic operation.
func (s *shapely) call(call *ast.CallExpr) {
	name, word, args := operation(call)
	_, alone := s.above[len(s.above)-1].(*ast.ExprStmt)
	kind := evidence.ShapeKind("")
	var where ast.Node = call
	switch {
	case strings.HasPrefix(name, "CompareAndSwap") && len(args) == 2, strings.HasPrefix(name, "Swap") && len(args) == 1:
		loop := s.loop()
		switch {
		case loop != nil && s.fixed(args):
			kind, where = evidence.Spin, loop
		case loop != nil && len(args) == 2:
			kind, where = evidence.Retry, loop
		}
	case strings.HasPrefix(name, "Add") && len(args) == 1 && alone && s.asked[lastName(word)]:
		kind = evidence.Publish // others wait for it to get there
	case strings.HasPrefix(name, "Add") && len(args) == 1 && alone:
		kind = evidence.Sum
	case strings.HasPrefix(name, "Add") && len(args) == 1:
		kind = evidence.Claim
	case strings.HasPrefix(name, "Store") && len(args) == 1 && alone:
		kind = evidence.Publish
	}
	if kind != "" {
		s.found = append(s.found, region{s.fset.Position(where.Pos()).Line, s.fset.Position(where.End()).Line, kind})
	}
}

// asked are the words of a file that are loaded to decide where to go or which
// element to take.
func asked(file *ast.File) map[string]bool {
	out := map[string]bool{}
	loads := func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if name, word := atomicCall(call); strings.HasPrefix(name, "Load") {
				out[lastName(word)] = true
			}
		}
		return true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if n.Cond != nil {
				ast.Inspect(n.Cond, loads)
			}
		case *ast.IfStmt:
			ast.Inspect(n.Cond, loads)
		case *ast.IndexExpr:
			ast.Inspect(n.Index, loads)
		}
		return true
	})
	return out
}

// lastName is the last name of an expression like q.tail or &s.slots[i].n.
func lastName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.UnaryExpr:
		return lastName(x.X)
	case *ast.ParenExpr:
		return lastName(x.X)
	case *ast.IndexExpr:
		return lastName(x.X)
	}
	return "?" // no word that anybody loads
}

// loop is the innermost loop around, within the function, that repeats until
// something succeeds; nil if there is none.
func (s *shapely) loop() *ast.ForStmt {
	for i := len(s.above) - 1; i >= 0; i-- {
		switch n := s.above[i].(type) {
		case *ast.ForStmt:
			if n.Init == nil && n.Post == nil || n.Cond == nil {
				return n
			}
		case *ast.FuncDecl, *ast.FuncLit:
			return nil
		}
	}
	return nil
}

// fixed reports whether the old and the new value are known beforehand, as
// those of a lock are: literals and names that no function declares.
func (s *shapely) fixed(args []ast.Expr) bool {
	return !slices.ContainsFunc(args, func(a ast.Expr) bool {
		switch x := a.(type) {
		case *ast.BasicLit:
			return false
		case *ast.Ident:
			o := s.uses[x]
			return o != nil && o.Parent() != s.pkg.Scope() && o.Parent() != types.Universe
		}
		return true
	})
}

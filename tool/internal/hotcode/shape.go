// Package hotcode says what the source of hot lines does: with the words that
// goroutines share, in loops that only look, with a lock held, in selects.
//
// It reads syntax alone, without types: an operation is known by its name. To parse a
// file costs some milliseconds. Files that cannot be read say nothing.
package hotcode

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// Shapes says what the hot lines of a set do with the words they share, from
// their source: the advice depends on it. Lines without an atomic operation that
// hold no lock have no shape.
func Shapes(set *evidence.Set) []evidence.Shape {
	var out []evidence.Shape
	files := map[string]*shapely{}
	for _, l := range set.CPU.Lines {
		if l.Share < 0.02 {
			continue
		}
		s, ok := files[l.File]
		if !ok {
			fset := token.NewFileSet()
			if file, err := parser.ParseFile(fset, l.File, nil, parser.SkipObjectResolution); err == nil {
				s = &shapely{fset: fset, asked: asked(file), looked: map[int]bool{}, held: map[int]bool{}}
				ast.Walk(s, file)
			}
			files[l.File] = s
		}
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

// shapely finds the shapes of a file.
type shapely struct {
	fset   *token.FileSet
	above  []ast.Node
	found  []region
	looked map[int]bool    // the lines of loops that only look
	held   map[int]bool    // the lines between a Lock and its Unlock
	asked  map[string]bool // words, by the last of their names, that decide where the code goes
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
	fun := call.Fun
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	name, args := sel.Sel.Name, call.Args
	word := sel.X
	if x, ok := sel.X.(*ast.Ident); ok && x.Name == "atomic" && len(args) > 0 {
		word, args = args[0], args[1:] // the address
	}
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
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "Load") {
			word := sel.X
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "atomic" && len(call.Args) == 1 {
				word = call.Args[0]
			}
			out[lastName(word)] = true
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
// those of a lock are: literals and names that the function does not declare.
func (s *shapely) fixed(args []ast.Expr) bool {
	for _, a := range args {
		switch x := a.(type) {
		case *ast.BasicLit:
		case *ast.Ident:
			if s.declares(x.Name) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// declares reports whether the functions around declare a name.
func (s *shapely) declares(name string) bool {
	found := false
	for _, n := range s.above {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
		default:
			continue
		}
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, x := range n.Lhs {
					if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE && id.Name == name {
						found = true
					}
				}
			case *ast.Field:
				for _, id := range n.Names {
					found = found || id.Name == name
				}
			case *ast.ValueSpec:
				for _, id := range n.Names {
					found = found || id.Name == name
				}
			case *ast.RangeStmt:
				for _, x := range []ast.Expr{n.Key, n.Value} {
					if id, ok := x.(*ast.Ident); ok && id.Name == name {
						found = true
					}
				}
			}
			return !found
		})
	}
	return found
}

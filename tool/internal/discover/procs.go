package discover

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// A callGraph knows of the functions of one package, by name, which of them
// set GOMAXPROCS and which they call. Methods and function values are not
// followed: it finds the place of what the measuring sees, it proves nothing.
type callGraph struct {
	pkg   string              // its name, as an external test calls it
	sets  map[string]string   // function → file:line
	calls map[string][]string // function → functions
}

func newCallGraph(pkg string) *callGraph {
	return &callGraph{pkg: pkg, sets: map[string]string{}, calls: map[string][]string{}}
}

// addFile adds a file that holds no benchmarks. One that does not parse will
// not compile either, and is left to the compiler.
func (g *callGraph) addFile(file string) {
	fset := token.NewFileSet()
	if f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution); err == nil {
		g.add(fset, f)
	}
}

func (g *callGraph) add(fset *token.FileSet, f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch f := call.Fun.(type) {
			case *ast.Ident:
				g.calls[fn.Name.Name] = append(g.calls[fn.Name.Name], f.Name)
			case *ast.SelectorExpr:
				x, ok := f.X.(*ast.Ident)
				switch {
				case !ok:
				case x.Name == g.pkg:
					g.calls[fn.Name.Name] = append(g.calls[fn.Name.Name], f.Sel.Name)
				case x.Name == "runtime" && f.Sel.Name == "GOMAXPROCS" && len(call.Args) == 1 && !asks(call.Args[0]) && g.sets[fn.Name.Name] == "":
					p := fset.Position(call.Pos())
					g.sets[fn.Name.Name] = fmt.Sprintf("%s:%d", p.Filename, p.Line)
				}
			}
			return true
		})
	}
}

// asks reports whether GOMAXPROCS(arg) only asks: 0 or a negative constant.
func asks(arg ast.Expr) bool {
	switch x := arg.(type) {
	case *ast.BasicLit:
		return x.Value == "0"
	case *ast.UnaryExpr:
		return x.Op == token.SUB
	}
	return false
}

// setsProcs returns the place where name, or what it calls, sets GOMAXPROCS.
// Setting it in init or TestMain concerns every benchmark.
func (g *callGraph) setsProcs(name string) string {
	queue := []string{name, "TestMain", "init"}
	for i := 0; i < len(queue); i++ {
		if at := g.sets[queue[i]]; at != "" {
			return at
		}
		for _, to := range g.calls[queue[i]] {
			if !slices.Contains(queue, to) {
				queue = append(queue, to)
			}
		}
	}
	return ""
}

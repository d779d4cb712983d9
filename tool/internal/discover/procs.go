package discover

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"slices"
	"strconv"
)

// A callGraph knows of the functions of one package, by name, which of them
// set GOMAXPROCS, which start goroutines, and which they call. A sub-benchmark
// written as a literal is one, too: BenchmarkSum/split. Methods and function values
// are not followed: it finds the place of what the measuring sees, it proves nothing.
type callGraph struct {
	pkg    string              // its name, as an external test calls it
	sets   map[string]string   // function → file:line
	starts map[string]bool     // functions
	calls  map[string][]string // function → functions

	fset  *token.FileSet
	files []*ast.File
}

func newCallGraph(pkg string) *callGraph {
	return &callGraph{pkg: pkg, sets: map[string]string{}, starts: map[string]bool{}, calls: map[string][]string{}, fset: token.NewFileSet()}
}

// addFile adds a file that holds no benchmarks. One that does not parse will
// not compile either, and is left to the compiler.
func (g *callGraph) addFile(file string) {
	_, _ = g.parse(file)
}

// parse reads a file and adds it.
func (g *callGraph) parse(file string) (*ast.File, error) {
	f, err := parser.ParseFile(g.fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	g.files = append(g.files, f)
	g.add(g.fset, f)
	return f, nil
}

func (g *callGraph) add(fset *token.FileSet, f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil {
			continue
		}
		g.walk(fset, fn.Name.Name, fn.Body)
	}
}

// walk reads a body on account of a function of that name.
func (g *callGraph) walk(fset *token.FileSet, name string, body ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.GoStmt); ok {
			g.starts[name] = true
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			g.calls[name] = append(g.calls[name], f.Name)
		case *ast.SelectorExpr:
			if len(call.Args) == 2 && f.Sel.Name == "Run" {
				if sub, ok := text(call.Args[0]); ok {
					g.walk(fset, name+"/"+rewrite(sub), call.Args[1])
				}
			}
			g.starts[name] = g.starts[name] || f.Sel.Name == "RunParallel" || f.Sel.Name == "Go" && len(call.Args) > 0
			x, ok := f.X.(*ast.Ident)
			switch {
			case !ok:
			case x.Name == g.pkg:
				g.calls[name] = append(g.calls[name], f.Sel.Name)
			case x.Name == "runtime" && f.Sel.Name == "GOMAXPROCS" && len(call.Args) == 1 && !asks(call.Args[0]) && g.sets[name] == "":
				p := fset.Position(call.Pos())
				g.sets[name] = fmt.Sprintf("%s:%d", p.Filename, p.Line)
			}
		}
		return true
	})
}

// text is the value of a string literal.
func text(e ast.Expr) (s string, ok bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
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
func (g *callGraph) setsProcs(name string) (at string) {
	for name := range g.reach(name, "TestMain", "init") {
		if at := g.sets[name]; at != "" {
			return at
		}
	}
	return ""
}

// startsAny reports whether name, or what it calls, starts goroutines.
func (g *callGraph) startsAny(name string) bool {
	for name := range g.reach(name) {
		if g.starts[name] {
			return true
		}
	}
	return false
}

// reach yields functions and what they call, the nearest first.
func (g *callGraph) reach(names ...string) iter.Seq[string] {
	return func(yield func(string) bool) {
		queue := slices.Clone(names)
		for i := 0; i < len(queue); i++ {
			if !yield(queue[i]) {
				return
			}
			for _, to := range g.calls[queue[i]] {
				if !slices.Contains(queue, to) {
					queue = append(queue, to)
				}
			}
		}
	}
}

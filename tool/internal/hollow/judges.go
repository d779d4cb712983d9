package hollow

import (
	"go/ast"
	"path/filepath"
	"strings"
)

// judges looks at a test file: what holds the change must not be changed by it. New
// tests and benchmarks are no sign.
func (x *search) judges(p *pair, all []*pair) {
	was, is := functions(&p.before), functions(&p.after)
	for name, f := range was {
		g := is[name]
		if g == nil && judge(name) && !elsewhere(name, p, all) {
			x.add(Judged, p.File, p.before.line(f.Pos()), name+" is removed")
		}
		if g == nil || p.before.source(f) == p.after.source(g) {
			continue
		}
		line := p.after.line(g.Pos())
		switch {
		case !judge(name):
			x.add(Judged, p.File, line, name+", of the tests, is edited")
		case count(g, skips) > count(f, skips):
			x.add(Judged, p.File, line, name+" is skipped, or in more cases than before")
		case count(g, fails) < count(f, fails):
			x.add(Judged, p.File, line, name+" checks less")
		default:
			x.add(Judged, p.File, line, name+" is edited")
		}
	}
	for name, g := range is {
		if name == "TestMain" && was[name] == nil {
			x.add(Moved, p.File, p.after.line(g.Pos()), "TestMain is new: what it does is done before any benchmark")
		}
		if name == "init" && was[name] == nil {
			x.add(Moved, p.File, p.after.line(g.Pos()), "init is new: what it does is done before any benchmark")
		}
	}
	values, now := declared(&p.before), declared(&p.after)
	for name, text := range values {
		if y, ok := now[name]; ok && y.text != text.text {
			x.add(Judged, p.File, y.line, name+", of the tests, is edited")
		}
	}
}

// judge reports whether the go command runs a function of that name in a test file.
func judge(name string) bool {
	for _, p := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// elsewhere reports whether another changed file of the folder has the function now.
func elsewhere(name string, p *pair, all []*pair) bool {
	for _, q := range all {
		if q != p && filepath.Dir(q.File) == filepath.Dir(p.File) && functions(&q.after)[name] != nil {
			return true
		}
	}
	return false
}

// functions are those of a file by name, T.Name for a method.
func functions(s *side) map[string]*ast.FuncDecl {
	all := map[string]*ast.FuncDecl{}
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := f.Name.Name
		if f.Recv != nil && len(f.Recv.List) == 1 {
			name = strings.TrimPrefix(s.source(f.Recv.List[0].Type), "*") + "." + name
		}
		all[name] = f
	}
	return all
}

// A value is a constant, a variable or a type of a package.
type value struct {
	text string
	line int
}

// declared are those of a file by name.
func declared(s *side) map[string]value {
	all := map[string]value{}
	for _, d := range s.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			var names []*ast.Ident
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				names = spec.Names
			case *ast.TypeSpec:
				names = []*ast.Ident{spec.Name}
			}
			for _, n := range names {
				if n.Name != "_" {
					all[n.Name] = value{s.source(spec), s.line(n.Pos())}
				}
			}
		}
	}
	return all
}

var (
	skips = words("Skip Skipf SkipNow")
	fails = words("Error Errorf Fatal Fatalf Fail FailNow Equal NoError True False Nil NotNil ErrorIs")
)

func words(list string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		all[w] = true
	}
	return all
}

// count is how many calls of methods or functions of those names a node has.
func count(in ast.Node, names map[string]bool) (n int) {
	ast.Inspect(in, func(x ast.Node) bool {
		if call, ok := x.(*ast.CallExpr); ok {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && names[s.Sel.Name] {
				n++
			}
		}
		return true
	})
	return n
}

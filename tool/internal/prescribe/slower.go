package prescribe

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/program"
)

// slower are the benchmarks that call functions of a package, by whatever functions
// between, at the most processors: what an edit costs there has to be measured, too.
func (c *chemist) slower(pkg *program.Package, fns []*ast.FuncDecl) (cells []measure.Cell, err error) {
	if len(fns) == 0 || len(c.Benches) == 0 {
		return nil, nil
	}
	if c.calls == nil {
		if c.calls, err = c.callers(); err != nil {
			return nil, err
		}
	}
	reached := map[string]bool{} // functions that come to one of them
	var reach func(name string)
	reach = func(name string) {
		if reached[name] {
			return
		}
		reached[name] = true
		for _, by := range c.calls[name] {
			reach(by)
		}
	}
	for _, d := range fns {
		if f, ok := pkg.TypesInfo.Defs[d.Name].(*types.Func); ok {
			reach(f.FullName())
		}
	}
	for _, b := range c.Benches {
		fn, _, _ := strings.Cut(b, "/")
		if reached[c.Package+"."+fn] || reached[c.Package+"_test."+fn] {
			cells = append(cells, measure.Cell{Bench: b, Procs: slices.Max(append([]int{1}, c.Procs...))})
		}
	}
	return cells, nil
}

// callers are the functions that name each function, by full names: of the packages
// of the test binary that may be changed. What is called by an interface is not known.
func (c *chemist) callers() (map[string][]string, error) {
	pkgs, err := c.prog.Typed(c.prog.Editable())
	if err != nil {
		return nil, err
	}
	by := map[string][]string{}
	for _, pkg := range pkgs {
		for _, file := range pkg.Syntax {
			for _, d := range file.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Body == nil {
					continue
				}
				from, ok := pkg.TypesInfo.Defs[d.Name].(*types.Func)
				if !ok {
					continue
				}
				ast.Inspect(d.Body, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						if to, ok := pkg.TypesInfo.Uses[id].(*types.Func); ok {
							name := to.Origin().FullName()
							by[name] = append(by[name], from.FullName())
						}
					}
					return true
				})
			}
		}
	}
	return by, nil
}

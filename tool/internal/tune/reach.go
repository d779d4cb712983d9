package tune

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// marker ends the process of a benchmark that reaches a constant.
const marker = "payoffReachesTheConstant"

// Reach returns an overlay under which every function that uses c, or a
// constant or variable made from it, ends its process: the benchmarks that then
// fail are those that c can move. An error says why that is not to be had.
//
// It is tempting to follow calls in the source instead. Calls through
// interfaces and function values make that say "perhaps" of everything; a run
// of one operation knows.
func Reach(pkgs []*program.Package, c *Constant) (overlay.Overlay, error) {
	made := map[string]bool{c.key: true}
	for n := 0; n != len(made); {
		n = len(made)
		for _, p := range pkgs {
			for _, f := range p.Files {
				for _, d := range f.Decls {
					g, ok := d.(*ast.GenDecl)
					if !ok {
						continue
					}
					for _, s := range g.Specs {
						at, uses := outside(p, s, made)
						if !uses {
							continue
						}
						v, ok := s.(*ast.ValueSpec)
						if !ok {
							return nil, fmt.Errorf("a type is made from %s at %s", c.Name, at)
						}
						for _, name := range v.Names {
							if o := p.TypesInfo.Defs[name]; o != nil {
								made[p.Key(o)] = true
							}
						}
					}
				}
			}
		}
	}
	var e edit.Draft
	for _, p := range pkgs {
		marked := false
		for _, f := range p.Files {
			for _, d := range f.Decls {
				for body := range using(p, d, made) {
					from, _ := p.Offsets(body)
					e.File(f.Name, f.Src).Insert(from+1, " "+marker+"();")
					marked = true
				}
			}
		}
		if marked {
			e.Add(p.Extra("payoff_reach"), fmt.Appendf(nil, "package %s\n\nimport \"os\"\n\nfunc %s() { os.Exit(97) }\n", p.Name, marker))
		}
	}
	o, err := e.Overlay()
	if err == nil && len(o) == 0 {
		err = fmt.Errorf("no function uses %s", c.Name)
	}
	return o, err
}

// refers reports whether an identifier names one of the objects.
func refers(p *program.Package, id *ast.Ident, made map[string]bool) bool {
	switch o := p.TypesInfo.Uses[id].(type) {
	case *types.Const, *types.Var:
		return o.Pkg() != nil && made[p.Key(o)]
	}
	return false
}

// outside reports whether a declaration uses one of the objects outside of
// functions, and where.
func outside(p *program.Package, n ast.Node, made map[string]bool) (at source.Place, found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && refers(p, id, made) {
			at, found = p.Place(id.Pos()), true
		}
		_, inner := n.(*ast.FuncLit)
		return !inner && !found
	})
	return at, found
}

// using returns the bodies of the innermost functions of d that use one of the
// objects.
func using(p *program.Package, d ast.Decl, made map[string]bool) map[*ast.BlockStmt]token.Pos {
	bodies := map[*ast.BlockStmt]token.Pos{}
	var visit func(n ast.Node, body *ast.BlockStmt)
	visit = func(n ast.Node, body *ast.BlockStmt) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				if m != n {
					visit(m, m.Body)
					return false
				}
			case *ast.Ident:
				if body != nil && refers(p, m, made) {
					bodies[body] = m.Pos()
				}
			}
			return true
		})
	}
	if fn, ok := d.(*ast.FuncDecl); ok {
		visit(fn, fn.Body)
	} else {
		visit(d, nil)
	}
	return bodies
}

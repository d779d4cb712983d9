package serialform

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// A piece is a declaration, or a part of one, that can go by itself.
type piece struct {
	node    ast.Node // *ast.FuncDecl, *ast.GenDecl, or a spec of several
	defines []types.Object
	uses    []types.Object
	of      types.Object // the type, of a method
	stays   bool
}

// unreached are the edits that take away what nothing reaches any more once the body of
// a function is a call of another one.
func unreached(pass *analysis.Pass, changed *ast.FuncDecl, calls *types.Func) (edits []analysis.TextEdit) {
	var all []*piece
	var body *piece
	methods := map[string]bool{} // of interfaces
	for _, file := range pass.Files {
		test := inTest(pass, file)
		ast.Inspect(file, func(n ast.Node) bool {
			if i, ok := n.(*ast.InterfaceType); ok {
				for _, m := range i.Methods.List {
					for _, name := range m.Names {
						methods[name.Name] = true
					}
				}
			}
			return true
		})
		for _, d := range file.Decls {
			for _, p := range pieces(d) {
				p.read(pass.TypesInfo)
				p.stays = p.stays || test || p.of == nil && p.shown()
				if d == changed {
					body = p
				}
				all = append(all, p)
			}
		}
	}
	body.stays = true // a benchmark calls it
	before := reach(all, methods)
	body.uses = []types.Object{calls}
	ast.Inspect(changed.Type, body.note(pass.TypesInfo))
	if changed.Recv != nil {
		ast.Inspect(changed.Recv, body.note(pass.TypesInfo))
	}
	after := reach(all, methods)
	for _, p := range all {
		if before[p] && !after[p] {
			edits = append(edits, rewrite.Gone(pass, p.node))
		}
	}
	return edits
}

// pieces are the parts of a declaration that can go. Of constants in a list each may
// count on those before it.
func pieces(d ast.Decl) (all []*piece) {
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return []*piece{{node: d}}
	}
	if len(g.Specs) == 1 {
		return []*piece{{node: d, stays: g.Tok == token.IMPORT}}
	}
	for _, s := range g.Specs {
		all = append(all, &piece{node: s, stays: g.Tok == token.IMPORT || g.Tok == token.CONST})
	}
	return all
}

// shown reports whether others may use it without naming it here.
func (p *piece) shown() bool {
	for _, o := range p.defines {
		if o.Exported() || o.Name() == "main" || o.Name() == "init" || o.Name() == "_" {
			return true
		}
	}
	return len(p.defines) == 0
}

// read fills in what a piece defines and uses. A variable whose value is computed stays.
func (p *piece) read(info *types.Info) {
	define := func(id *ast.Ident) {
		if o := info.Defs[id]; o != nil {
			p.defines = append(p.defines, o)
		}
	}
	specs := []ast.Spec{}
	switch n := p.node.(type) {
	case *ast.FuncDecl:
		define(n.Name)
		if fn, ok := info.Defs[n.Name].(*types.Func); ok && fn.Signature().Recv() != nil {
			if t := named(fn.Signature().Recv().Type()); t != nil {
				p.of = t.Obj()
			}
		}
	case *ast.GenDecl:
		specs = n.Specs
	case ast.Spec:
		specs = []ast.Spec{n}
	}
	for _, s := range specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			define(s.Name)
		case *ast.ValueSpec:
			for _, id := range s.Names {
				define(id)
			}
			for _, v := range s.Values {
				ast.Inspect(v, func(n ast.Node) bool {
					_, call := n.(*ast.CallExpr)
					p.stays = p.stays || call
					return !call
				})
			}
		}
	}
	ast.Inspect(p.node, p.note(info))
}

func (p *piece) note(info *types.Info) func(ast.Node) bool {
	return func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] != nil {
			o := info.Uses[id]
			if fn, ok := o.(*types.Func); ok {
				o = fn.Origin()
			}
			p.uses = append(p.uses, o)
		}
		return true
	}
}

// reach are the pieces that what stays comes to. A method that others can call, or an
// interface has, comes with its type.
func reach(all []*piece, methods map[string]bool) map[*piece]bool {
	by := map[types.Object]*piece{}
	with := map[types.Object][]*piece{}
	for _, p := range all {
		for _, o := range p.defines {
			by[o] = p
			if p.of != nil && (o.Exported() || methods[o.Name()]) {
				with[p.of] = append(with[p.of], p)
			}
		}
	}
	reached := map[*piece]bool{}
	var go1 func(p *piece)
	go1 = func(p *piece) {
		if p == nil || reached[p] {
			return
		}
		reached[p] = true
		for _, o := range p.uses {
			go1(by[o])
		}
		for _, o := range p.defines {
			for _, m := range with[o] {
				go1(m)
			}
		}
	}
	for _, p := range all {
		if p.stays {
			go1(p)
		}
	}
	return reached
}

package serialform

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A piece is a declaration that can go: a function, or a type with its methods.
type piece struct {
	of   types.Object
	code []ast.Node
}

// unreached are the edits that take away what nothing names any more once the body of a
// function is a call of another one. What stays: what others can see, what tests use, methods that an
// interface has, variables, and constants that are declared with others.
func unreached(pass *analysis.Pass, changed *ast.FuncDecl, calls *types.Func) (edits []analysis.TextEdit) {
	named := map[types.Object][]ast.Node{} // where
	for id, o := range pass.TypesInfo.Uses {
		if fn, ok := o.(*types.Func); ok {
			o = fn.Origin()
		}
		named[o] = append(named[o], id)
	}
	named[calls] = append(named[calls], changed.Name)
	if r := calls.Signature().Recv(); r != nil {
		t := uses.Named(r.Type()).Obj()
		named[t] = append(named[t], changed.Name)
	}
	left := pieces(pass, changed)
	gone := []ast.Node{changed.Body}
	within := func(code []ast.Node) func(ast.Node) bool {
		return func(id ast.Node) bool {
			return slices.ContainsFunc(code, func(n ast.Node) bool { return spawn.Within(n, id) })
		}
	}
	for again := true; again; {
		again = false
		left = slices.DeleteFunc(left, func(p *piece) bool {
			in := named[p.of]
			if !slices.ContainsFunc(in, within(gone)) || slices.ContainsFunc(in, func(id ast.Node) bool { return !within(gone)(id) && !within(p.code)(id) }) {
				return false
			}
			for _, n := range p.code {
				if !slices.Contains(gone, n) { // a method, before its type
					edits = append(edits, rewrite.Gone(pass, n))
				}
			}
			gone = append(gone, p.code...)
			again = true
			return true
		})
	}
	return edits
}

// pieces are the declarations of a package that may go.
func pieces(pass *analysis.Pass, but *ast.FuncDecl) (all []*piece) {
	methods := map[types.Object][]ast.Node{}
	asked := map[string]bool{} // names of methods that interfaces have
	add := func(id *ast.Ident, doc *ast.CommentGroup, n ast.Node) {
		kept := id.IsExported() || id.Name == "main" || id.Name == "init" || id.Name == "_" || rewrite.InTest(pass.Fset, n)
		if !kept && (doc == nil || !slices.ContainsFunc(doc.List, rewrite.Directive)) {
			all = append(all, &piece{pass.TypesInfo.Defs[id], []ast.Node{n}})
		}
	}
	for n := range pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).PreorderSeq((*ast.InterfaceType)(nil)) {
		for _, m := range n.(*ast.InterfaceType).Methods.List {
			for _, name := range m.Names {
				asked[name.Name] = true
			}
		}
	}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					t := uses.Named(pass.TypesInfo.TypeOf(d.Recv.List[0].Type)).Obj()
					methods[t] = append(methods[t], d)
				}
				if d != but && (d.Recv == nil || !asked[d.Name.Name]) {
					add(d.Name, d.Doc, d)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					node := ast.Node(s)
					if len(d.Specs) == 1 {
						node = d
					}
					switch s := s.(type) {
					case *ast.TypeSpec:
						add(s.Name, d.Doc, node)
					case *ast.ValueSpec:
						if d.Tok == token.CONST && len(d.Specs) == 1 && len(s.Names) == 1 {
							add(s.Names[0], d.Doc, node)
						}
					}
				}
			}
		}
	}
	for _, p := range all {
		p.code = append(p.code, methods[p.of]...)
	}
	return all
}

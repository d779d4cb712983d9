package forkjoin

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// serial has the calling goroutine do the tasks.
func (w *writer) serial(f *shape.Finding) {
	name, edits, err := w.twin(w.h)
	if err != nil {
		f.Refused = append(f.Refused, shape.Refusal{Name: "serial", Why: err.Error(), Pos: w.h.decl.Pos()})
		return
	}
	f.Fixes = append(f.Fixes, shape.Fix{
		Name: "serial", Serial: true,
		Says:  fmt.Sprintf("call %s, which does the tasks one after the other", name),
		Edits: append(edits, rewrite.Replace(called(w.call), name)),
	})
}

// called is the name in a call of a function or method.
func called(c *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(c.Fun)
	for {
		switch x := fun.(type) {
		case *ast.IndexExpr:
			fun = x.X
		case *ast.IndexListExpr:
			fun = x.X
		case *ast.SelectorExpr:
			return x.Sel
		default:
			return x.(*ast.Ident)
		}
	}
}

// twin returns the name of the helper that does its tasks in one goroutine, and
// the edits that enter it, none where it is there already.
func (w *writer) twin(h *helper) (name string, edits []analysis.TextEdit, err error) {
	inside := slices.Clone(h.edits)
	if h.inner != nil {
		up, more, err := w.twin(h.up)
		if err != nil {
			return "", nil, err
		}
		edits = append(edits, more...)
		inside = append(inside, rewrite.Replace(called(h.inner), up))
	}
	name = inline.TwinOf(h.decl, "Serial")
	text, err := inline.Twin(w.pass, h.decl, name, inside)
	if err != nil {
		return "", nil, err
	}
	if w.there(h, name, text) {
		return name, edits, nil
	}
	if free := inline.TwinName(w.pass, h.decl, "Serial"); free != name {
		name = free
		if text, err = inline.Twin(w.pass, h.decl, name, inside); err != nil {
			return "", nil, err
		}
	}
	return name, append(edits, rewrite.Insert(h.decl.End(), "\n\n"+inline.InOne(name, h.decl)+text)), nil
}

// there reports whether the package has a function of that text.
func (w *writer) there(h *helper, name, text string) bool {
	for _, file := range w.pass.Files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == name && (fn.Recv == nil) == (h.decl.Recv == nil) {
				is := *fn
				is.Doc = nil
				return plainText(rewrite.Text(w.pass.Fset, &is)) == plainText(text)
			}
		}
	}
	return false
}

// plainText is a declaration as gofmt has it, without comments.
func plainText(decl string) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", "package p\n"+decl, parser.SkipObjectResolution)
	if err != nil {
		return decl
	}
	src, err := format.Source([]byte(rewrite.Text(fset, f)))
	if err != nil {
		return decl
	}
	return string(src)
}

package localise

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// unused are the edits that take a function away which was called n times, and is
// called nowhere else.
func (x *Across) unused(fn *types.Func, n int) []analysis.TextEdit {
	decl, ok := x.uses.Declaration(fn)
	if !ok || fn.Exported() || x.uses.Left.Calls(fn) != "" || x.implements(fn) {
		return nil
	}
	for _, o := range x.pass.TypesInfo.Uses {
		if f, ok := o.(*types.Func); ok && f.Origin() == fn {
			n--
		}
	}
	doc := decl.Node().(*ast.FuncDecl).Doc
	if n != 0 || doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") }) {
		return nil
	}
	return []analysis.TextEdit{rewrite.Gone(x.pass, decl.Node())}
}

// implements reports whether a method may be that of an interface.
func (x *Across) implements(fn *types.Func) bool {
	if fn.Signature().Recv() == nil {
		return false
	}
	for _, tv := range x.pass.TypesInfo.Types {
		if i, ok := tv.Type.(*types.Interface); ok && tv.IsType() {
			for m := range i.Methods() {
				if m.Name() == fn.Name() {
					return true
				}
			}
		}
	}
	return false
}

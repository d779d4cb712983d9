package shape

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Directive begins a comment that silences a check on its line or the next:
// //payoff:ignore slug reason.
const Directive = "//payoff:ignore"

// An ignored is a directive for one check.
type ignored struct {
	comment *ast.Comment
	at      token.Position
	reason  string
	used    bool
}

// directives are those of a package for one check.
type directives []*ignored

func ignores(pass *analysis.Pass, slug string) (all directives) {
	for _, f := range pass.Files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				text, ok := strings.CutPrefix(c.Text, Directive+" ")
				name, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
				if ok && name == slug {
					all = append(all, &ignored{comment: c, at: pass.Fset.PositionFor(c.Pos(), false), reason: strings.TrimSpace(reason)})
				}
			}
		}
	}
	return all
}

// has reports whether a directive on the line of pos, or above it, silences it.
func (all directives) has(fset *token.FileSet, pos token.Pos) bool {
	at := fset.PositionFor(pos, false)
	for _, line := range []int{at.Line, at.Line - 1} {
		for _, x := range all {
			if x.at.Filename == at.Filename && x.at.Line == line {
				x.used = true
				return true
			}
		}
	}
	return false
}

// report tells of directives that give no reason or silence nothing.
func (all directives) report(pass *analysis.Pass) {
	for _, x := range all {
		why := "has no reason: say why after the name of the check"
		if !x.used {
			why = "silences nothing: the check has no finding here; delete it"
		}
		if !x.used || x.reason == "" {
			pass.Report(analysis.Diagnostic{Pos: x.comment.Pos(), End: x.comment.End(), Category: "ignore", Message: strings.TrimPrefix(Directive, "//") + " " + why})
		}
	}
}

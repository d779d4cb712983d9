package shape

import (
	"fmt"
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
	reason  string
	used    bool
}

// ignoredLines are the directives of a package for one check by file and line.
type ignoredLines map[string]map[int]*ignored

func ignores(pass *analysis.Pass, slug string) ignoredLines {
	all := ignoredLines{}
	for _, f := range pass.Files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				text, ok := strings.CutPrefix(c.Text, Directive+" ")
				if !ok {
					continue
				}
				name, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
				if name != slug {
					continue
				}
				at := pass.Fset.PositionFor(c.Pos(), false)
				if all[at.Filename] == nil {
					all[at.Filename] = map[int]*ignored{}
				}
				all[at.Filename][at.Line] = &ignored{comment: c, reason: strings.TrimSpace(reason)}
			}
		}
	}
	return all
}

// has reports whether a directive on the line of pos, or above it, silences it.
func (l ignoredLines) has(fset *token.FileSet, pos token.Pos) bool {
	at := fset.PositionFor(pos, false)
	for _, line := range []int{at.Line, at.Line - 1} {
		if x := l[at.Filename][line]; x != nil {
			x.used = true
			return true
		}
	}
	return false
}

// report tells of directives that give no reason or silence nothing.
func (l ignoredLines) report(pass *analysis.Pass) {
	for _, lines := range l {
		for _, x := range lines {
			why := ""
			switch {
			case !x.used:
				why = "silences nothing: the check has no finding here; delete it"
			case x.reason == "":
				why = "has no reason: say why after the name of the check"
			default:
				continue
			}
			pass.Report(analysis.Diagnostic{Pos: x.comment.Pos(), End: x.comment.End(), Category: "ignore", Message: fmt.Sprintf("%s %s", strings.TrimPrefix(Directive, "//"), why)})
		}
	}
}

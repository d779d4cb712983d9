package local

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Besides reports whether the loop does little beside what the section does.
func Besides(w *spawn.Weigher, loop inspector.Cursor, sec *section.Section) bool {
	all := w.Weigh(body(loop))
	for _, c := range sec.Stmts {
		x := w.Weigh(c.Node())
		if x.Blocking > 0 {
			return false // lockslow's
		}
		all.Loops -= x.Loops
		all.Unknown -= x.Unknown
		all.Dynamic -= x.Dynamic
		all.Stmts -= x.Stmts
	}
	return light(all)
}

// SectionsIn returns the sections that begin in the code under root, in the
// order of the source, but for those in function literals.
func SectionsIn(sections *section.Index, root inspector.Cursor) (all []*section.Section) {
	for _, s := range sections.Within(root.Node()) {
		if fn, ok := uses.Func(s.Enter); ok && !(root.Node().Pos() < fn.Node().Pos() && fn.Node().End() <= root.Node().End()) {
			all = append(all, s)
		}
	}
	return all
}

// Elsewhere reports whether the goroutines use a variable beside the loop as well.
func (l *Loop) Elsewhere(v *types.Var) bool {
	return slices.ContainsFunc(l.Uses.Of(v), func(use inspector.Cursor) bool {
		pos := use.Node().Pos()
		return !l.Uses.Declares(use) && l.inBodies(pos) && !uses.Holds(l.At.Node(), pos)
	})
}

package local

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Held is a loop of goroutines that takes a lock they share in each
// iteration.
type Held struct {
	Hoist   // the edits merge what the loop adds up once, after it
	Section *section.Section
	merges  []*merge
}

// Appends reports whether the loop collects things in slices and nothing else.
func (h *Held) Appends() bool {
	return len(h.merges) > 0 && !slices.ContainsFunc(h.merges, func(m *merge) bool { return m.kind != grows })
}

// Says is what the edit does.
func (h *Held) Says() string {
	var names []string
	caveat := ""
	for _, m := range h.merges {
		names = append(names, m.Text())
		if m.rounds {
			caveat = "; the sum may be rounded otherwise, as it may by the order of the goroutines"
		}
	}
	return fmt.Sprintf("collect %s in the goroutine and merge once after the loop", strings.Join(names, ", ")) + caveat
}

// Own is what each goroutine has for itself with the edit; "" if that is no more than
// a few words.
func (h *Held) Own() string {
	var own []string
	for _, m := range h.merges {
		switch m.kind {
		case count:
			own = append(own, "a map like "+m.Text())
		case grows:
			own = append(own, "a slice of what it appends to "+m.Text())
		}
	}
	return strings.Join(own, " and ")
}

// Held returns the loops in the body of a site that take a lock, each lock of a
// loop once, unless they do much besides.
func (p *Package) Held(s *spawn.Site, sections *section.Index, w *spawn.Weigher) (all []Held) {
	run, _ := p.Find(s.Body)
	done := map[ast.Node]bool{}
	for _, sec := range SectionsIn(sections, run) {
		loop, ok := Innermost(sec.Enter)
		if !ok || sec.Read || done[sec.Enter.Node()] || !s.SharedExpr(sec.X) || !besides(w, loop, sec) {
			continue
		}
		// The lock is best taken after the outermost loop after which it can.
		var loops []inspector.Cursor
		for ; ok; loop, ok = Innermost(loop) {
			loops = append(loops, loop)
		}
		var h Held
		for _, loop := range slices.Backward(loops) {
			if h = p.held(s, sections, sec, loop); h.Why == "" {
				break
			}
		}
		all = append(all, h)
		for _, x := range SectionsIn(sections, h.At) {
			done[x.Enter.Node()] = done[x.Enter.Node()] || x.Lock == sec.Lock
		}
	}
	return all
}

// held takes the sections of a lock in a loop.
func (p *Package) held(s *spawn.Site, sections *section.Index, sec *section.Section, loop inspector.Cursor) Held {
	m := &merger{Loop: &Loop{Package: p, Site: s, At: loop}, sections: sections, guarded: sections.Guarded(sec.Lock)}
	var edits []analysis.TextEdit
	for _, x := range SectionsIn(sections, loop) {
		if x.Lock != sec.Lock {
			continue
		}
		if x.Read || len(x.Early) > 0 || slices.ContainsFunc(x.Stmts, func(c inspector.Cursor) bool { return !m.statement(c) }) {
			m.refuse(x.Enter.Node(), "the loop looks at what it adds to")
		}
		m.locks = append(m.locks, x.Enter.Node(), x.Leave.Node())
		edits = append(edits, rewrite.Drop(p.Pass.Fset, x.Enter), rewrite.Drop(p.Pass.Fset, x.Leave))
	}
	more, why, at := m.edits(sec.X)
	return Held{Hoist{Loop: m.Loop, Edits: append(edits, more...), Why: why, Reason: at}, sec, m.merges}
}

// besides reports whether the loop does little beside what the section does.
func besides(w *spawn.Weigher, loop inspector.Cursor, sec *section.Section) bool {
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

package local

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Held is a loop of goroutines that takes a lock they share in each
// iteration, or is run under it as a whole.
type Held struct {
	*Loop
	Section *section.Section
	Whole   bool // the section holds the loop
	Merges  []*Merge

	// Edits merge what the loop adds up once, after it. Why says why there are
	// none, Reason where.
	Edits  []analysis.TextEdit
	Why    string
	Reason token.Pos
}

// Appends reports whether the loop collects things in slices and nothing else.
func (h *Held) Appends() bool {
	for _, m := range h.Merges {
		if m.Kind != Append {
			return false
		}
	}
	return len(h.Merges) > 0
}

// Says is what the edit does.
func (h *Held) Says() string {
	var names []string
	caveat := ""
	for _, m := range h.Merges {
		names = append(names, m.Text())
		if m.rounds {
			caveat = Rounds
		}
	}
	return fmt.Sprintf("collect %s in the goroutine and merge once after the loop", strings.Join(names, ", ")) + caveat
}

// Own is what each goroutine has for itself with the edit; "" if that is no more than
// a few words.
func (h *Held) Own() string {
	var own []string
	for _, m := range h.Merges {
		switch m.Kind {
		case Count:
			own = append(own, "a map like "+m.Text())
		case Each:
			own = append(own, "as many elements as "+m.Text()+" has")
		case Append:
			own = append(own, "a slice of what it appends to "+m.Text())
		}
	}
	return strings.Join(own, " and ")
}

// Held returns the loops in the body of a site that take a lock, each lock of a
// loop once, unless they do much besides.
func (p *Package) Held(s *spawn.Site, sections *section.Index, w *spawn.Weigher) (all []Held) {
	body, ok := p.Find(s.Body)
	if !ok {
		return nil
	}
	done := map[ast.Node]bool{}
	for _, sec := range SectionsIn(sections, body) {
		if sec.Read || done[sec.Enter.Node()] || !s.SharedExpr(sec.X) {
			continue
		}
		h, ok := p.inLoop(s, sections, sec, w)
		if !ok {
			h, ok = p.whole(s, sections, sec, w)
		}
		if !ok {
			continue
		}
		all = append(all, h)
		for _, x := range SectionsIn(sections, h.Loop.At) {
			if x.Lock == sec.Lock {
				done[x.Enter.Node()] = true
			}
		}
	}
	return all
}

// inLoop takes a section in a loop. The lock is best taken after the outermost
// loop after which it can.
func (p *Package) inLoop(s *spawn.Site, sections *section.Index, sec *section.Section, w *spawn.Weigher) (h Held, ok bool) {
	loop, ok := Innermost(sec.Enter)
	if !ok || !besides(w, loop, sec) {
		return h, false
	}
	var loops []inspector.Cursor
	for ; ok; loop, ok = Innermost(loop) {
		loops = append(loops, loop)
	}
	for _, loop := range slices.Backward(loops) {
		if h = p.held(s, sections, sec, loop); h.Why == "" {
			break
		}
	}
	return h, true
}

// held takes the sections of a lock in a loop.
func (p *Package) held(s *spawn.Site, sections *section.Index, sec *section.Section, loop inspector.Cursor) Held {
	l := &Loop{Package: p, Site: s, At: loop}
	m := l.NewMerger(sections, sec.Lock)
	var edits []analysis.TextEdit
	for _, x := range SectionsIn(sections, loop) {
		if x.Lock != sec.Lock {
			continue
		}
		if x.Read || len(x.Early) > 0 || !m.Statements(x.Stmts) {
			m.refuse(x.Enter.Node(), "the loop looks at what it adds to")
		}
		edits = append(edits, m.Unlocked(x)...)
	}
	more, why, at := m.Edits(sec.X)
	return Held{Loop: l, Section: sec, Merges: m.Merges, Edits: append(edits, more...), Why: why, Reason: at}
}

// besides reports whether the loop does little beside what the section does.
func besides(w *spawn.Weigher, loop inspector.Cursor, sec *section.Section) bool {
	all := w.Weigh(Body(loop))
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

// whole takes a section that is a loop.
func (p *Package) whole(s *spawn.Site, sections *section.Index, sec *section.Section, w *spawn.Weigher) (h Held, ok bool) {
	if len(sec.Stmts) != 1 || len(sec.Early) > 0 || Body(sec.Stmts[0]) == nil || w.Weigh(sec.Stmts[0].Node()).Blocking > 0 {
		return h, false
	}
	loop := sec.Stmts[0]
	if x := w.Weigh(Body(loop)); x.Loops+x.Unknown == 0 {
		return h, false // it merges and does no work
	}
	l := &Loop{Package: p, Site: s, At: loop}
	m := l.NewMerger(sections, sec.Lock)
	m.statement(loop)
	edits, why, at := m.Edits(sec.X)
	return Held{Loop: l, Section: sec, Whole: true, Merges: m.Merges, Edits: append(edits, m.Unlocked(sec)...), Why: why, Reason: at}, true
}

// SectionsIn returns the sections that begin in the code under root, in the
// order of the source, but for those in function literals.
func SectionsIn(sections *section.Index, root inspector.Cursor) (all []*section.Section) {
	for _, s := range sections.Within(root.Node()) {
		if fn, ok := uses.Func(s.Enter); ok && !inside(root.Node(), fn.Node()) {
			all = append(all, s)
		}
	}
	return all
}

// inside reports whether a function begins within outer.
func inside(outer, fn ast.Node) bool { return outer.Pos() < fn.Pos() && fn.End() <= outer.End() }

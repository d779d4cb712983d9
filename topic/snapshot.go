package topic

import (
	"iter"
	"sync/atomic"
)

// A View is the subscriptions that an Index had at one moment. It never
// changes, and its methods may be called by any number of goroutines at once.
//
// It keeps alive what it has. The Index has 32 parts or more. The first change of each
// after a Snapshot copies its table, 10 to 21 bytes for each pattern there.
type View[T any] struct {
	dialect Dialect
	hash    *hasher
	table   table[T]
	guide   *guide[T]
}

// Snapshot returns the subscriptions as they are at one moment between call and return.
// If one is in it, so are all whose Subscribe returned before the call of that one's,
// unless they ended. The time it takes does not depend on how many there are.
func (ix *Index[T]) Snapshot() *View[T] {
	s := &View[T]{dialect: ix.dialect, hash: &ix.hash}
	ix.lockAll()
	defer ix.unlockAll()
	g := *ix.guide.Load()
	g.cache = nil
	s.guide = &g
	s.table = table[T]{slots: make([]atomic.Pointer[slots[T]], len(ix.stripes)), shift: ix.table.shift}
	for i := range ix.stripes {
		p := ix.table.slots[i].Load()
		s.table.slots[i].Store(p)
		ix.stripes[i].shared = p != ix.table.none
	}
	return s
}

func (s *View[T]) view() view[T] { return view[T]{s.hash, &s.table, s.guide, nil} }

// Match returns an iterator over the values that [Index.Match] would have yielded.
func (s *View[T]) Match(subject string) iter.Seq[T] {
	return func(yield func(T) bool) {
		v := s.view()
		values, rest, all := v.kept(subject)
		var m *matching[T]
		if !all {
			m = &matching[T]{view: v, subject: subject, more: rest}
		}
		for {
			for _, value := range values {
				if !yield(value) {
					return
				}
			}
			if m == nil {
				return
			}
			if values, all = m.next(); all {
				m = nil
			}
		}
	}
}

// AppendMatch appends to dst what Match yields, and returns the extended slice.
func (s *View[T]) AppendMatch(dst []T, subject string) []T {
	v := s.view()
	return v.appendMatch(dst, subject)
}

// Has reports whether Match would yield anything.
func (s *View[T]) Has(subject string) bool {
	v := s.view()
	return v.has(subject)
}

// Count returns how many values Match would yield.
func (s *View[T]) Count(subject string) int {
	v := s.view()
	return v.count(subject)
}

// All returns an iterator over the subscriptions, in no particular order.
func (s *View[T]) All() iter.Seq[*Sub[T]] {
	return func(yield func(*Sub[T]) bool) {
		for n := range s.table.all() {
			if !n.each(yield) {
				return
			}
		}
	}
}

// each yields the subscriptions that a node has, and reports whether to go on.
func (n *Sub[T]) each(yield func(*Sub[T]) bool) bool {
	if n.more == nil {
		return yield(n)
	}
	if r := n.more.plain.root; r != nil && !r.each(yield) {
		return false
	}
	for _, g := range n.more.groups {
		if !g.members.root.each(yield) {
			return false
		}
	}
	return true
}

// Overlaps returns an iterator over the subscriptions with patterns that overlap
// the given one: there is a subject that both match. It looks at all
// subscriptions. The error is an [*Error] if the pattern is none.
func (s *View[T]) Overlaps(pattern string) (iter.Seq[*Sub[T]], error) {
	if err := s.dialect.CheckPattern(pattern); err != nil {
		return nil, err
	}
	return func(yield func(*Sub[T]) bool) { s.overlaps(pattern, yield) }, nil
}

func (s *View[T]) overlaps(pattern string, yield func(*Sub[T]) bool) {
	for n := range s.table.all() {
		if !n.isMark() && s.hash.overlap(pattern, n.pattern) && !n.each(yield) {
			return
		}
	}
}

package topic

import "math/rand/v2"

// A Sub is a subscription: a value under a pattern.
//
// Its methods may be called by any number of goroutines at once.
type Sub[T any] struct {
	// A Sub is also the node that the table has for its pattern, as long as it is
	// the pattern's only subscription and in no group. Otherwise the node is a Sub
	// that nobody else sees, with more. All fields but place are immutable.
	pattern string
	value   T
	more    *more[T]   // nil in what Subscribe returned
	in      *origin[T] // nil in other nodes

	// place is where the newest list of its pattern or group has the subscription,
	// or gone. It is read and written under the lock of the pattern's key.
	place int
}

const gone = -1

// An origin is what several subscriptions have in common.
type origin[T any] struct {
	ix     *Index[T]
	group  string // "" for none
	marked bool   // found through marks, not by its shape
}

// more is what a node has that is not a subscription itself. It is immutable, as
// the node is.
type more[T any] struct {
	plain  list[T]
	groups []group[T] // none is empty

	// marks is not 0 in a node that is a mark: how many subscriptions have
	// patterns that begin with the node's pattern and are found through it.
	marks int
}

type group[T any] struct {
	name    string
	members list[T]
}

// Pattern returns the pattern as it was passed to Subscribe.
func (s *Sub[T]) Pattern() string { return s.pattern }

// Group returns the name of the group that the subscription is a member of, or "".
func (s *Sub[T]) Group() string { return s.in.group }

// Value returns the value.
func (s *Sub[T]) Value() T { return s.value }

// Unsubscribe ends the subscription. It reports whether this call did: all others
// return false. No Match that begins after it has returned yields the value on
// behalf of this subscription. One that began before may still yield it: so a channel
// that Matches send to is not to be closed because of it.
func (s *Sub[T]) Unsubscribe() bool { return s.in.ix.remove(s) }

// isMark reports whether the node is a mark.
func (s *Sub[T]) isMark() bool { return s.more != nil && s.more.marks != 0 }

// nodeWith returns the node for s's pattern that has s too, where n is the one
// there is, or nil.
func nodeWith[T any](n, s *Sub[T]) *Sub[T] {
	if n == nil && s.in.group == "" {
		s.place = 0
		return s
	}
	m := n.contents()
	if s.in.group == "" {
		m.plain = m.plain.with(s)
		return &Sub[T]{pattern: n.pattern, more: m}
	}
	groups := make([]group[T], len(m.groups), len(m.groups)+1)
	copy(groups, m.groups)
	m.groups = groups
	for i := range groups {
		if groups[i].name == s.in.group {
			groups[i].members = groups[i].members.with(s)
			return &Sub[T]{pattern: n.pattern, more: m}
		}
	}
	m.groups = append(groups, group[T]{s.in.group, list[T]{}.with(s)})
	return &Sub[T]{pattern: s.pattern, more: m}
}

// nodeWithout returns the node without s, or nil if nothing is left.
func nodeWithout[T any](n, s *Sub[T]) *Sub[T] {
	if n == s {
		return nil
	}
	m := n.contents()
	if s.in.group == "" {
		m.plain = m.plain.without(s)
	} else {
		groups := make([]group[T], 0, len(m.groups))
		for _, g := range m.groups {
			if g.name == s.in.group {
				g.members = g.members.without(s)
			}
			if g.members.n > 0 {
				groups = append(groups, g)
			}
		}
		m.groups = groups
	}
	switch {
	case len(m.groups) > 0 || m.plain.n > 1:
		return &Sub[T]{pattern: n.pattern, more: m}
	case m.plain.n == 1:
		return m.plain.at(0) // whose place is 0
	}
	return nil
}

// contents returns a copy of what a node has, which is a subscription, has more,
// or is nil.
func (n *Sub[T]) contents() *more[T] {
	switch {
	case n == nil:
		return new(more[T])
	case n.more == nil:
		return &more[T]{plain: list[T]{}.with(n)}
	}
	m := *n.more
	return &m
}

// pick returns a member of a list, each with the same chance.
func (l list[T]) pick() T { return l.at(rand.IntN(l.n)).value }

// chance is true m times of n.
func chance(m, n int) bool { return rand.IntN(n) < m }

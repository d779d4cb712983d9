package topic

import (
	"iter"
	"math/rand/v2"
)

// A Found is what a subject matched when [Index.Lookup] was called, the groups apart from
// the subscriptions in none. It never changes: it has a pattern's subscribers as they were
// at one moment. The zero Found is empty.
type Found[T any] struct {
	grammar *grammar
	nodes   []*Sub[T]
	groups  int // the first nodes that have groups
}

// Lookup returns what a subject matches, with the groups whole. It is for senders that
// choose the member of a group themselves, such as one that is near, and take another
// where that fails. [Index.Match] is faster where chance may choose.
//
//	found := ix.Lookup(subject)
//	for sub := range found.Plain() {
//		send(sub)
//	}
//	for group := range found.Groups() {
//		for sub := range group.Members() {
//			if send(sub) == nil {
//				break
//			}
//		}
//	}
func (ix *Index[T]) Lookup(subject string) Found[T] {
	v := ix.view()
	return v.lookup(subject)
}

// Lookup is [Index.Lookup] as of the snapshot.
func (s *View[T]) Lookup(subject string) Found[T] {
	v := s.view()
	return v.lookup(subject)
}

func (v *view[T]) lookup(subject string) Found[T] {
	f := Found[T]{grammar: v.hash.grammar}
	var rest []*Sub[T]
	v.each(subject, func(n *Sub[T]) bool {
		if n.more != nil && n.more.groups != nil {
			f.nodes = append(f.nodes, n)
		} else {
			rest = append(rest, n)
		}
		return true
	})
	f.groups = len(f.nodes)
	f.nodes = append(f.nodes, rest...)
	return f
}

// Plain returns an iterator over the subscriptions in no group, in no particular order.
func (f Found[T]) Plain() iter.Seq[*Sub[T]] {
	return func(yield func(*Sub[T]) bool) {
		for _, n := range f.nodes {
			if n.more == nil {
				if !yield(n) {
					return
				}
			} else if r := n.more.plain.root; r != nil && !r.each(yield) {
				return
			}
		}
	}
}

// Groups returns an iterator over the groups, in no particular order. What a group is
// depends on the dialect: see [Index.SubscribeGroup].
func (f Found[T]) Groups() iter.Seq[Group[T]] {
	return func(yield func(Group[T]) bool) {
		grouped := f.nodes[:f.groups]
		for i, n := range grouped {
			for _, g := range n.more.groups {
				if !first(f.grammar, grouped[:i], g.name) {
					continue
				}
				all := Group[T]{name: g.name, n: g.members.n, first: g.members}
				if !f.grammar.byTopic {
					for _, other := range grouped[i+1:] {
						if m := other.members(g.name); m.n > 0 {
							all.more = append(all.more, m)
							all.n += m.n
						}
					}
				}
				if !yield(all) {
					return
				}
			}
		}
	}
}

// A Group is the members of a group that a subject matched, of which one is to have a
// message. There is one at least.
type Group[T any] struct {
	name  string
	n     int
	first list[T]
	more  []list[T] // of other patterns
}

// Name returns the group's name.
func (g Group[T]) Name() string { return g.name }

// Len returns how many members there are.
func (g Group[T]) Len() int { return g.n }

// Members returns an iterator over the members in an order by chance, another one each
// time. The first is to have the message, and where it cannot, the next. Each member is
// as likely as the others to be the first. Those that come after one are about as
// likely to be the next.
func (g Group[T]) Members() iter.Seq[*Sub[T]] {
	return func(yield func(*Sub[T]) bool) {
		at, step := rand.IntN(g.n), stride(g.n)
		for range g.n {
			if !yield(g.at(at)) {
				return
			}
			at = (at + step) % g.n
		}
	}
}

// Prefer returns [Group.Members], but those first for which ok returns true: the local
// ones, as an example.
func (g Group[T]) Prefer(ok func(sub *Sub[T]) bool) iter.Seq[*Sub[T]] {
	return func(yield func(*Sub[T]) bool) {
		var others []*Sub[T]
		for sub := range g.Members() {
			if !ok(sub) {
				others = append(others, sub)
			} else if !yield(sub) {
				return
			}
		}
		for _, sub := range others {
			if !yield(sub) {
				return
			}
		}
	}
}

func (g Group[T]) at(i int) *Sub[T] {
	l := g.first
	for _, next := range g.more {
		if i < l.n {
			break
		}
		i -= l.n
		l = next
	}
	return l.at(i)
}

// stride returns a number by chance that n places are visited by once each.
func stride(n int) int {
	for {
		step := 1 + rand.IntN(n)
		a, b := step, n
		for b != 0 {
			a, b = b, a%b
		}
		if a == 1 {
			return step
		}
	}
}

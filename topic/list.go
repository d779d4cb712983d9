package topic

import "slices"

// A leaf of a list has up to width subscriptions, and a branch up to width kids.
const (
	widthBits = 5
	width     = 1 << widthBits
)

// A list is the subscriptions of one pattern, or of one group of it. It is
// immutable: a list with one more or one less shares all but a path with the one
// it came from, so that the last of a million leaves as fast as the first came.
//
// Each subscription knows its place, its position in the newest list that has it.
// Whoever makes lists holds the lock of the pattern's key.
type list[T any] struct {
	n     int
	shift int // a kid of the root has 1<<shift; 0 if the root is a leaf
	root  *branch[T]
}

// A branch is a leaf with subscriptions and their values, which a Match copies, or
// has kids, which are full but for the last.
type branch[T any] struct {
	subs []*Sub[T]
	vals []T
	kids []*branch[T]
}

// at returns the subscription at place i.
func (l list[T]) at(i int) *Sub[T] {
	b := l.root
	for shift := l.shift; shift > 0; shift -= widthBits {
		b, i = b.kids[i>>shift], i&(1<<shift-1)
	}
	return b.subs[i]
}

// from returns the values from place i on, as far as they are in one leaf.
func (l list[T]) from(i int) []T {
	b := l.root
	for shift := l.shift; shift > 0; shift -= widthBits {
		b, i = b.kids[i>>shift], i&(1<<shift-1)
	}
	return b.vals[i:]
}

// with returns the list with s at its end.
func (l list[T]) with(s *Sub[T]) list[T] {
	switch {
	case l.root == nil:
		l.root = new(branch[T])
	case l.n == width<<l.shift:
		l.root = &branch[T]{kids: []*branch[T]{l.root}}
		l.shift += widthBits
	}
	s.place = l.n
	return list[T]{l.n + 1, l.shift, l.root.set(l.shift, l.n, s)}
}

// without returns the list without s, in whose place the last is then.
func (l list[T]) without(s *Sub[T]) list[T] {
	i, last := s.place, l.n-1
	if last == 0 {
		return list[T]{}
	}
	moved := l.at(last)
	root, shift := l.root.cut(l.shift, last), l.shift
	if i != last {
		moved.place = i
		root = root.set(shift, i, moved)
	}
	for len(root.kids) == 1 {
		root, shift = root.kids[0], shift-widthBits
	}
	return list[T]{last, shift, root}
}

// set returns a copy of b in which s is at place i, which may be one behind the
// last.
func (b *branch[T]) set(shift, i int, s *Sub[T]) *branch[T] {
	if shift == 0 {
		c := b.leaf(max(len(b.subs), i+1))
		c.subs[i], c.vals[i] = s, s.value
		return c
	}
	at := i >> shift
	c := &branch[T]{kids: make([]*branch[T], max(len(b.kids), at+1))}
	copy(c.kids, b.kids)
	kid := c.kids[at]
	if kid == nil {
		kid = new(branch[T])
	}
	c.kids[at] = kid.set(shift-widthBits, i&(1<<shift-1), s)
	return c
}

// cut returns a copy of b without place i, which is the last, or nil if nothing is
// left.
func (b *branch[T]) cut(shift, i int) *branch[T] {
	if i == 0 {
		return nil
	}
	if shift == 0 {
		return b.leaf(i)
	}
	at := i >> shift
	kid := b.kids[at].cut(shift-widthBits, i&(1<<shift-1))
	if kid == nil {
		return &branch[T]{kids: slices.Clone(b.kids[:at])} // a slice of b.kids would keep the kid
	}
	c := &branch[T]{kids: make([]*branch[T], at+1)}
	copy(c.kids, b.kids[:at])
	c.kids[at] = kid
	return c
}

// leaf returns a copy of a leaf that has n subscriptions, the last of which are
// left out or to be set.
func (b *branch[T]) leaf(n int) *branch[T] {
	c := &branch[T]{subs: make([]*Sub[T], n), vals: make([]T, n)}
	copy(c.subs, b.subs)
	copy(c.vals, b.vals)
	return c
}

// appendTo appends the values to dst.
func (b *branch[T]) appendTo(dst []T) []T {
	dst = append(dst, b.vals...)
	for _, kid := range b.kids {
		dst = kid.appendTo(dst)
	}
	return dst
}

// each calls yield for each subscription until that returns false, and reports
// whether it never did.
func (b *branch[T]) each(yield func(*Sub[T]) bool) bool {
	for _, s := range b.subs {
		if !yield(s) {
			return false
		}
	}
	for _, kid := range b.kids {
		if !kid.each(yield) {
			return false
		}
	}
	return true
}

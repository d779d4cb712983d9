package topic

// width is how many subscriptions a leaf of a list has, and how many children a
// branch.
const width = 32

// A list is the subscriptions of one pattern or of one group in it. It is
// immutable: what adds or removes one shares all but a path with the list it came
// from, so that the last of a million may leave in no time.
//
// Each subscription knows its place, which is its position in the newest list that
// has it. Whoever makes lists holds the lock of the pattern's key.
type list[T any] struct {
	n    int
	root *branch[T]
}

// A branch is a leaf with subscriptions and their values, which a Match copies, or
// has kids, all of which are full but the last.
type branch[T any] struct {
	subs []*Sub[T]
	vals []T
	kids []*branch[T]
}

// span returns how many subscriptions a kid of the root may have, 0 if the root is
// a leaf.
func (l list[T]) span() int {
	span := 0
	for b := l.root; b != nil && b.kids != nil; b = b.kids[0] {
		span = max(span*width, width)
	}
	return span
}

// at returns the subscription at place i, and the leaf and the position that it
// has there.
func (l list[T]) at(i int) (b *branch[T], at int) {
	b = l.root
	for span := l.span(); span > 0; span /= width {
		b, i = b.kids[i/span], i%span
		if span == width {
			break
		}
	}
	return b, i
}

// with returns the list with s at its end.
func (l list[T]) with(s *Sub[T]) list[T] {
	s.place = l.n
	if l.root == nil {
		return list[T]{1, new(branch[T]).set(0, 0, s)}
	}
	root, span := l.root, l.span()
	if l.n == max(span, 1)*width {
		root = &branch[T]{kids: []*branch[T]{root}}
		span = max(span, 1) * width
		if l.root.kids == nil {
			span = width
		}
	}
	return list[T]{l.n + 1, root.set(span, l.n, s)}
}

// without returns the list without s, in whose place is the last now.
func (l list[T]) without(s *Sub[T]) list[T] {
	i, last := s.place, l.n-1
	s.place = gone
	if last == 0 {
		return list[T]{}
	}
	span := l.span()
	b, at := l.at(last)
	moved := b.subs[at]
	root := l.root.cut(span, last)
	if i != last {
		moved.place = i
		root = root.set(span, i, moved)
	}
	for len(root.kids) == 1 {
		root = root.kids[0]
	}
	return list[T]{last, root}
}

// set returns a copy of b in which s is at place i, which may be one after the
// last.
func (b *branch[T]) set(span, i int, s *Sub[T]) *branch[T] {
	if span == 0 {
		n := max(len(b.subs), i+1)
		c := &branch[T]{subs: make([]*Sub[T], n), vals: make([]T, n)}
		copy(c.subs, b.subs)
		copy(c.vals, b.vals)
		c.subs[i], c.vals[i] = s, s.value
		return c
	}
	at, below := i/span, below(span)
	c := &branch[T]{kids: make([]*branch[T], max(len(b.kids), at+1))}
	copy(c.kids, b.kids)
	kid := c.kids[at]
	if kid == nil {
		kid = new(branch[T])
	}
	c.kids[at] = kid.set(below, i%span, s)
	return c
}

// cut returns a copy of b without place i, which is the last, or nil if nothing is
// left.
func (b *branch[T]) cut(span, i int) *branch[T] {
	if span == 0 {
		if i == 0 {
			return nil
		}
		c := &branch[T]{subs: make([]*Sub[T], i), vals: make([]T, i)}
		copy(c.subs, b.subs)
		copy(c.vals, b.vals)
		return c
	}
	at := i / span
	kid := b.kids[at].cut(below(span), i%span)
	if kid == nil && at == 0 {
		return nil
	}
	c := &branch[T]{kids: make([]*branch[T], at, at+1)}
	copy(c.kids, b.kids)
	if kid != nil {
		c.kids = append(c.kids, kid)
	}
	return c
}

// below returns the span of the kids of a branch whose span is given.
func below(span int) int {
	if span == width {
		return 0
	}
	return span / width
}

// appendTo appends the values.
func (b *branch[T]) appendTo(dst []T) []T {
	dst = append(dst, b.vals...)
	for _, kid := range b.kids {
		dst = kid.appendTo(dst)
	}
	return dst
}

// each calls yield for the subscriptions until it returns false, and reports
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

// each calls yield for the values.
func (b *branch[T]) values(yield func(T) bool) bool {
	for _, v := range b.vals {
		if !yield(v) {
			return false
		}
	}
	for _, kid := range b.kids {
		if !kid.values(yield) {
			return false
		}
	}
	return true
}

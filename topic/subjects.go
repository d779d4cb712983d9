package topic

import (
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
)

// Subjects has a value for each of many subjects, and finds those that a pattern
// matches: the other way around than an [Index]. A broker keeps such values for
// subscribers that come later: the retained messages of MQTT, or the last value of a
// subject.
//
// Make one with [NewSubjects]; the zero Subjects is not ready. It must not be copied.
// Any number of goroutines may call its methods at once. Those that read take no lock
// and wait for none. Those that write come one after the other.
//
// A pattern is looked for from its first token to its last. Tokens before the first
// wildcard lead to a place in the order of the subjects. A token behind a wildcard
// leads to one for each token that the wildcard stands for. So a Match takes as long as
// what it yields, and besides some look-ups for each of these places.
//
// In the words of the Go memory model, a Store or Delete synchronizes before the calls
// that see what it has done.
type Subjects[T any] struct {
	dialect Dialect
	grammar *grammar

	mu   sync.Mutex // of those that write
	root atomic.Pointer[entry[T]]
	n    atomic.Int64
}

// An entry is a node of a treap: a search tree by text, in which no node has a greater
// rank than the one above it. Ranks are by chance, so the tree is balanced. It is
// immutable: what writes copies the nodes on the way from the root.
type entry[T any] struct {
	text        string
	value       T
	rank        uint64
	left, right *entry[T]
}

// NewSubjects returns one without subjects, for those of the dialect.
func NewSubjects[T any](d Dialect) *Subjects[T] {
	return &Subjects[T]{dialect: d, grammar: d.grammar()}
}

// Store sets the value of a subject. The error is an [*Error] if it is none of the
// dialect; nothing is stored then. Subjects keeps the string.
func (s *Subjects[T]) Store(text string, value T) error {
	if err := s.dialect.CheckSubject(text); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.root.Load()
	if n := old.find(text); n == nil {
		s.n.Add(1)
		left, right := old.split(text)
		s.root.Store(join(join(left, &entry[T]{text: text, value: value, rank: rand.Uint64()}), right))
	} else {
		s.root.Store(old.with(text, value))
	}
	return nil
}

// Delete removes a subject, and reports whether it was there.
func (s *Subjects[T]) Delete(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.root.Load()
	if old.find(text) == nil {
		return false
	}
	s.n.Add(-1)
	s.root.Store(old.without(text))
	return true
}

// Load returns the value of a subject, and whether there is one.
func (s *Subjects[T]) Load(text string) (value T, ok bool) {
	if n := s.root.Load().find(text); n != nil {
		return n.value, true
	}
	return value, false
}

// Len returns the number of subjects. While some come and go, it may be off by those.
func (s *Subjects[T]) Len() int { return int(s.n.Load()) }

// Match returns an iterator over the subjects that a pattern matches, and their values,
// in the order of their bytes. They are those at the moment in which the loop over it
// begins. The error is an [*Error] if the pattern is none.
func (s *Subjects[T]) Match(pattern string) (iter.Seq2[string, T], error) {
	if err := s.dialect.CheckPattern(pattern); err != nil {
		return nil, err
	}
	return func(yield func(string, T) bool) {
		w := search[T]{s.grammar, s.root.Load(), yield}
		w.behind("", pattern)
	}, nil
}

// All returns an iterator over all subjects and their values, as Match does.
func (s *Subjects[T]) All() iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		s.root.Load().from("", func(n *entry[T]) bool { return yield(n.text, n.value) })
	}
}

// A search goes through a tree for the subjects that a pattern matches, in their order.
type search[T any] struct {
	*grammar
	root  *entry[T]
	yield func(string, T) bool
}

// behind visits the subjects that begin with a prefix, which is empty or ends in a
// separator, and of which the rest matches the pattern. It reports whether to go on.
func (w *search[T]) behind(prefix, pattern string) bool {
	token, rest, more := strings.Cut(pattern, string(w.sep))
	last := !more || w.parent && rest == string(w.tail) // the pattern may end with the token
	if token == string(w.tail) {
		return w.all(prefix)
	}
	if token != string(w.star) {
		if e := w.root.find(prefix + token); last && e != nil && !w.yield(e.text, e.value) {
			return false
		}
		return !more || w.behind(prefix+token+string(w.sep), rest)
	}
	// Subjects with one token at this place may be apart: a, a-b and a.b are in order.
	for at := prefix; ; {
		e := w.root.first(at)
		if e == nil || !strings.HasPrefix(e.text, prefix) {
			return true
		}
		size := strings.IndexByte(e.text[len(prefix):], w.sep)
		switch {
		case w.hidden(prefix, e):
			at = string(rune('$' + 1))
		case size < 0:
			if last && !w.yield(e.text, e.value) {
				return false
			}
			at = e.text + "\x00"
		default:
			begin := e.text[:len(prefix)+size]
			if more && !w.behind(begin+string(w.sep), rest) {
				return false
			}
			at = begin + string(rune(w.sep+1))
		}
	}
}

// all visits the subjects that begin with a prefix. It reports whether to go on.
func (w *search[T]) all(prefix string) (more bool) {
	more = true
	w.root.from(prefix, func(e *entry[T]) bool {
		if !strings.HasPrefix(e.text, prefix) {
			return false
		}
		more = w.hidden(prefix, e) || w.yield(e.text, e.value)
		return more
	})
	return more
}

// hidden reports whether a wildcard as the first token does not stand for that of e.
func (w *search[T]) hidden(prefix string, e *entry[T]) bool {
	return w.dollar && prefix == "" && e.text[0] == '$'
}

// find returns the entry of a text, or nil.
func (e *entry[T]) find(text string) *entry[T] {
	for e != nil && e.text != text {
		e = e.toward(text)
	}
	return e
}

// first returns the first entry that is not before a text, or nil.
func (e *entry[T]) first(text string) (best *entry[T]) {
	for e != nil && e.text != text {
		if e.text > text {
			best = e
		}
		e = e.toward(text)
	}
	if e != nil {
		return e
	}
	return best
}

// toward returns the tree below e that may have a text.
func (e *entry[T]) toward(text string) *entry[T] {
	if text < e.text {
		return e.left
	}
	return e.right
}

// from calls visit for the entries that are not before a text, in their order, until it
// returns false, and reports whether it never did.
func (e *entry[T]) from(text string, visit func(*entry[T]) bool) bool {
	if e == nil {
		return true
	}
	if e.text >= text && (!e.left.from(text, visit) || !visit(e)) {
		return false
	}
	return e.right.from(text, visit)
}

// but returns a copy of e with other trees below it.
func (e *entry[T]) but(left, right *entry[T]) *entry[T] {
	c := *e
	c.left, c.right = left, right
	return &c
}

// split returns the entries before a text, which the tree does not have, and those after.
func (e *entry[T]) split(text string) (before, after *entry[T]) {
	switch {
	case e == nil:
		return nil, nil
	case text < e.text:
		before, after = e.left.split(text)
		return before, e.but(after, e.right)
	}
	before, after = e.right.split(text)
	return e.but(e.left, before), after
}

// join returns the tree of two, where all of a is before all of b.
func join[T any](a, b *entry[T]) *entry[T] {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.rank > b.rank:
		return a.but(a.left, join(a.right, b))
	}
	return b.but(join(a, b.left), b.right)
}

// with returns the tree with another value for a text that it has.
func (e *entry[T]) with(text string, value T) *entry[T] {
	c := *e
	switch {
	case text == e.text:
		c.value = value
	case text < e.text:
		c.left = e.left.with(text, value)
	default:
		c.right = e.right.with(text, value)
	}
	return &c
}

// without returns the tree without a text that it has.
func (e *entry[T]) without(text string) *entry[T] {
	switch {
	case text == e.text:
		return join(e.left, e.right)
	case text < e.text:
		return e.but(e.left.without(text), e.right)
	}
	return e.but(e.left, e.right.without(text))
}

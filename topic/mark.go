package topic

import "iter"

// Patterns of more than shapeTokens tokens, and those of shapes for which there was
// no room, are found through marks: nodes that say that some pattern begins like
// this. There is one for each number of first tokens, in the same table. A Match
// goes from mark to mark, by the subject's next token and by the wildcard, as in
// a trie whose edges are keys.
//
// Marks come before the subscription that needs them and leave after it, so
// that any copy of the table has all that its subscriptions need.

// beginnings yields the beginnings of a pattern and the keys of their marks.
func (h *hasher) beginnings(pattern string) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		sum, n, end := uint64(0), 0, -1
		for token, tail := range h.tokens(pattern) {
			switch {
			case tail:
				return
			case len(token) == 1 && token[0] == h.grammar.star:
				sum += h.star(n)
			default:
				sum += h.token(n, token)
			}
			n++
			end += 1 + len(token)
			if !yield(pattern[:end], (sum+h.mark(n))&h.cut) {
				return
			}
		}
	}
}

// markKey returns the key of the mark for a beginning of patterns.
func (h *hasher) markKey(beginning string) (key uint64) {
	for _, key = range h.beginnings(beginning) {
		// The last is the whole.
	}
	return key
}

// addMarks counts a subscription that came, or with -1 one that is gone, in the
// marks for its pattern.
func (ix *Index[T]) addMarks(pattern string, by int) {
	for beginning, key := range ix.hash.beginnings(pattern) {
		ix.addMark(key, beginning, by)
	}
}

func (ix *Index[T]) addMark(key uint64, beginning string, by int) {
	st := &ix.stripes[ix.table.stripe(key)]
	st.Lock()
	defer st.Unlock()
	old := ix.table.lookup(key, beginning, true)
	marks := by
	if old != nil {
		marks += old.more.marks
		beginning = old.pattern // let go of the other pattern
	}
	var node *Sub[T]
	if marks != 0 {
		node = &Sub[T]{pattern: beginning, more: &more[T]{marks: marks}}
	}
	ix.table.put(st, key, old, node, ix.keyOf)
}

// A walk is a Match's way from mark to mark.
type walk[T any] struct {
	*view[T]
	subject string
	n       int // the subject's tokens
	sums    [MaxTokens + 1]uint64
	ends    [MaxTokens]int32
}

// walk visits the nodes that are found through marks, until visit returns false.
func (v *view[T]) walk(subject string, visit func(*Sub[T]) bool) {
	w := walk[T]{view: v, subject: subject}
	w.n = v.hash.split(subject, w.sums[:], w.ends[:])
	w.from(shape{}, 0, visit)
}

// from visits what there is from a mark on, whose first tokens have the shape s and
// the sum. It reports whether to go on.
//
// visit is not in w: then what it has would be allocated.
func (w *walk[T]) from(s shape, sum uint64, visit func(*Sub[T]) bool) bool {
	h, d := w.hash, s.n
	for _, s.tail = range [...]bool{true, false} {
		if s.fits(w.n, h.grammar) && !w.visitOne(s, sum+h.end(d, s.tail), visit) {
			return false
		}
	}
	if d == w.n || d == MaxTokens {
		return true
	}
	next := sum + w.sums[d+1] - w.sums[d]
	s.n++
	if w.marked(s, next) && !w.from(s, next, visit) {
		return false
	}
	next = sum + h.star(d)
	s.stars |= 1 << d
	return !w.marked(s, next) || w.from(s, next, visit)
}

// marked reports whether there is a mark for the shape.
func (w *walk[T]) marked(s shape, sum uint64) bool {
	key := (sum + w.hash.mark(s.n)) & w.hash.cut
	return w.table.slots[w.table.stripe(key)].Load().at(w.hash, key, w.subject, w.ends[:], s, true) != nil
}

// visitOne visits the node of the shape, if there is one that is not found by it.
func (w *walk[T]) visitOne(s shape, sum uint64, visit func(*Sub[T]) bool) bool {
	key := sum & w.hash.cut
	n := w.table.slots[w.table.stripe(key)].Load().at(w.hash, key, w.subject, w.ends[:], s, false)
	return n == nil || w.guide.find(s) != nil ||
		w.hash.dollar && w.subject[0] == '$' && s.wild() ||
		visit(n)
}

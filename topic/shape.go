package topic

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/gopayoff/payoff/counter"
)

// shapeTokens is how many tokens a shape may have. Longer patterns are found
// through marks; see mark.go.
const shapeTokens = 16

// shapeLimit is how many shapes of one number of tokens there may be. Those that come
// when all are in use are found through marks: what that takes grows with the marks that
// a subject meets, and not with the shapes. To ask for another shape takes less than to go
// from mark to mark up to some 200 shapes, by up to four times, and from 400 on more, by as
// much, unless tokens have few values (record/2026-11-27-epyc-2cpu/topic-marks.txt).
var shapeLimit = 256

// A shape is what patterns have in common whose wildcards are at the same
// positions. A subject can match one pattern of a shape, and that one's key is
// computed from the subject.
type shape struct {
	stars uint64 // positions of wildcards for one token
	n     int    // tokens before the tail
	tail  bool   // ends in the wildcard for the rest
}

// parsed is a pattern that was taken apart.
type parsed struct {
	shape
	key uint64
}

// wild reports whether the first token is a wildcard.
func (s shape) wild() bool { return s.stars&1 != 0 || s.n == 0 }

// fits reports whether a subject of n tokens can match patterns of the shape.
func (s shape) fits(n int, g *grammar) bool {
	return n == s.n && (!s.tail || g.parent) || n > s.n && s.tail
}

// base returns what all keys of the shape have beside their literal tokens.
func (h *hasher) base(s shape) uint64 {
	sum := h.end(s.n, s.tail)
	for m := s.stars; m != 0; m &= m - 1 {
		sum += h.star(bits.TrailingZeros64(m))
	}
	return sum
}

// parse takes apart a pattern that check passes.
func (h *hasher) parse(pattern string) (p parsed) {
	for token, tail := range h.tokens(pattern) {
		switch {
		case tail:
			p.tail = true
			continue
		case len(token) == 1 && token[0] == h.grammar.star:
			p.stars |= 1 << p.n
		default:
			p.key += h.token(p.n, token)
		}
		p.n++
	}
	p.key = (p.key + h.base(p.shape)) & h.cut
	return p
}

// tokens yields the tokens of a pattern, and whether they are the tail.
func (g *grammar) tokens(pattern string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		begin := 0
		for end := 0; end <= len(pattern); end++ {
			if end < len(pattern) && pattern[end] != g.sep {
				continue
			}
			token := pattern[begin:end]
			begin = end + 1
			if !yield(token, len(token) == 1 && token[0] == g.tail) {
				return
			}
		}
	}
}

// spells reports whether a pattern is the one of a shape that a subject matches.
// It does not read the pattern by itself: the shape and the subject leave one
// possibility, and the pattern is compared with that. ends is as split set it.
func (h *hasher) spells(pattern, subject string, ends []int32, s shape) bool {
	from := 0 // what is before it in the subject, and in the pattern cut off, was compared
	for m := s.stars; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		begin := 0
		if i > 0 {
			begin = int(ends[i-1]) + 1
		}
		run := subject[from:begin]
		if len(pattern) <= len(run) || pattern[:len(run)] != run || pattern[len(run)] != h.grammar.star {
			return false
		}
		pattern = pattern[len(run)+1:]
		from = int(ends[i])
	}
	if s.n > 0 {
		run := subject[from:ends[s.n-1]]
		if len(pattern) < len(run) || pattern[:len(run)] != run {
			return false
		}
		pattern = pattern[len(run):]
		if s.tail {
			return len(pattern) == 2 && pattern[0] == h.sep && pattern[1] == h.grammar.tail
		}
		return pattern == ""
	}
	return len(pattern) == 1 && pattern[0] == h.grammar.tail
}

// A guide says where a Match has to look. It is immutable but for the counts. A new
// one is published while all locks of the table are held, so whoever holds one of
// them sees the guide that everybody goes by who begins after it was released.
type guide[T any] struct {
	shapes []inUse
	marks  *counter.Int // subscriptions that are found through marks; nil if there can be none

	// fit has, for subjects of 0 to shapeTokens tokens and, at the end, of more,
	// the shapes that fit, those with few wildcards first.
	fit [shapeTokens + 2][]probe

	// cache has results, or is nil.
	cache *cache[T]
}

// inUse is a shape that some subscriptions may have.
type inUse struct {
	shape
	refs *counter.Int // how many do; added to under the lock of the pattern's key
}

// A probe is what a Match needs of a shape.
type probe struct {
	base  uint64
	stars uint32
	n     uint8
	tail  bool
	wild  bool
}

func (p probe) shape() shape { return shape{uint64(p.stars), int(p.n), p.tail} }

// find returns the shape's count, or nil if the guide has no such shape.
func (g *guide[T]) find(s shape) *counter.Int {
	for i := range g.shapes {
		if g.shapes[i].shape == s {
			return g.shapes[i].refs
		}
	}
	return nil
}

// with returns a guide that has shape s, or, if there is no room for it, one that
// leads to marks. What is not in use is left out, so all locks must be held.
func (g *guide[T]) with(s shape, h *hasher) *guide[T] {
	next := &guide[T]{marks: g.marks}
	if g.cache != nil && !g.cache.over.Load() {
		next.cache = newCache[T]() // results in the old one know nothing of the new shape
		next.cache.poor.Store(g.cache.poor.Load())
	}
	alike := 0
	for _, u := range g.shapes {
		if u.refs.Value() == 0 {
			continue
		}
		next.shapes = append(next.shapes, u)
		if u.n == s.n {
			alike++
		}
	}
	if next.marks != nil && next.marks.Value() == 0 {
		next.marks = nil
	}
	switch {
	case s.n <= shapeTokens && alike < shapeLimit:
		next.shapes = append(next.shapes, inUse{s, new(counter.Int)})
	case next.marks == nil:
		next.marks = new(counter.Int)
	}
	slices.SortStableFunc(next.shapes, func(a, b inUse) int {
		return bits.OnesCount64(a.stars) - bits.OnesCount64(b.stars)
	})
	for n := range next.fit {
		for _, u := range next.shapes {
			if u.fits(n, h.grammar) {
				next.fit[n] = append(next.fit[n], probe{
					h.base(u.shape), uint32(u.stars), uint8(u.n), u.tail, u.wild(),
				})
			}
		}
	}
	return next
}

// room reports whether there is room for shape s, as it looks to who does not hold
// all locks.
func (g *guide[T]) room(s shape) bool {
	alike := 0
	for _, u := range g.shapes {
		if u.n == s.n && u.refs.Value() != 0 {
			alike++
		}
	}
	return s.n <= shapeTokens && alike < shapeLimit
}

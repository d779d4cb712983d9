package topic

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// A hasher gives each pattern a key: the sum of a number for each of its tokens,
// which depends on the token and its position, and one for its length and tail.
// So the key of each pattern that a subject can match is had from the subject's
// tokens by adding, once each token was hashed.
//
// Keys need not be different: what they find is compared in full. They differ
// from one Index to the next, so that nobody outside can choose patterns that
// collide.
type hasher struct {
	*grammar
	a, b uint64
	seps uint64 // the separator in each byte
	cut  uint64 // bits that keys have: all, but in tests
}

func newHasher(g *grammar) hasher {
	return hasher{
		grammar: g,
		a:       rand.Uint64(),
		b:       rand.Uint64() | 1<<32,
		seps:    uint64(g.sep) * lows,
		cut:     ^uint64(0),
	}
}

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080

	step = 0x9e3779b97f4a7c15 // between the seeds of two positions

	// What the second factor has for things that are no token: no token has
	// such a length.
	aStar = 1 << 60
	anEnd = 1 << 61
	aMark = 1 << 62
)

// mix is a multiplication of which nothing is lost but folded.
func mix(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	return hi ^ lo
}

// seed is what the hash of token i begins with.
func (h *hasher) seed(i int) uint64 { return h.a + uint64(i)*step }

// token returns the number of a literal token at position i.
func (h *hasher) token(i int, s string) uint64 {
	acc, n := h.seed(i), len(s)
	for ; len(s) >= 8; s = s[8:] {
		acc = mix(acc^word(s, 0), h.b)
	}
	return mix(acc^rest(s, 0), h.b^uint64(n))
}

// star returns the number of a wildcard for one token at position i.
func (h *hasher) star(i int) uint64 { return mix(h.seed(i), h.b^aStar) }

// end returns the number of a pattern that has n tokens before its tail, if it
// has one. So no two shapes have keys that differ by their tokens alone.
func (h *hasher) end(n int, tail bool) uint64 {
	i := 2 * n
	if tail {
		i++
	}
	return mix(h.seed(i), h.b^anEnd)
}

// mark returns the number of a mark for the first n tokens of patterns.
func (h *hasher) mark(n int) uint64 { return mix(h.seed(n), h.b^aMark) }

// split finds the tokens of a subject. It returns how many there are, or 0 if one
// is empty though none may be, or a wildcard. ends[i] is set to where token i ends,
// and sums[i+1] to the sum of the numbers of the tokens up to it, for as many as
// there is room; sums has one element more than ends, and the first is 0.
//
// A subject of more bytes than an int32 counts is none. It takes eight bytes at a
// time, since most tokens are not longer.
func (h *hasher) split(s string, sums []uint64, ends []int32) (n int) {
	if s == "" || len(s) > math.MaxInt32 {
		return 0
	}
	sums = sums[:len(ends)+1]
	b, seps := h.b, h.seps
	sum, seed := uint64(0), h.a
	acc, begin, p := seed, 0, 0
	for {
		var w uint64
		left := len(s) - p
		if left >= 8 {
			w = word(s, p)
		} else {
			w = rest(s, p)
		}
		size := left
		// The lowest bit that is set is that of the first separator.
		if m := zeros(w ^ seps); m != 0 {
			size = bits.TrailingZeros64(m) >> 3
			w &= 1<<(8*size&63) - 1
		} else if left >= 8 {
			acc = mix(acc^w, b)
			p += 8
			continue
		}
		end := p + size
		size = end - begin
		if size <= 1 && (size == 0 && !h.empty || size == 1 && (byte(w) == h.grammar.star || byte(w) == h.tail)) {
			return 0
		}
		sum += mix(acc^w, b^uint64(size))
		if n < len(ends) {
			ends[n] = int32(end)
			sums[n+1] = sum
		}
		n++
		if end == len(s) {
			return n
		}
		p = end + 1
		begin = p
		seed += step
		acc = seed
	}
}

// zeros returns a word in which the high bit of the first byte that is zero in x
// is set, and none of a byte before it.
func zeros(x uint64) uint64 { return (x - lows) &^ x & highs }

// word returns eight bytes of s from p on.
func word(s string, p int) uint64 {
	b := s[p : p+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// rest returns the bytes of s from p on, fewer than eight, and zeros after them.
func rest(s string, p int) (w uint64) {
	n := len(s) - p
	if n == 0 {
		return 0
	}
	if len(s) >= 8 {
		return word(s, len(s)-8) >> (8 * (8 - n) & 63)
	}
	for i := len(s) - 1; i >= p; i-- {
		w = w<<8 | uint64(s[i])
	}
	return w
}

package order

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// texts are strings that are sorted by what stands for them: the next 7 bytes
// of each and its number. After 7 bytes come more where they are equal.
type texts struct {
	s    []string
	p, q []pair // q is room for the sort of p
}

// sortStrings sorts x.
func sortStrings(x []string) {
	if len(x) <= len(pairRoom{})/2 {
		r := pairRooms.Get().(*pairRoom)
		p := rank(x, r[:len(x)], r[len(r)/2:][:len(x)])
		arrange(x, p)
		pairRooms.Put(r)
		return
	}
	arrange(x, rank(x, make([]pair, len(x)), make([]pair, len(x))))
}

// rank puts the order of the strings in p: s[p[0].i] is the least. Equal strings
// keep their order.
func rank(s []string, p, q []pair) []pair {
	t := &texts{s, p, q}
	block := func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			p[i].i = uint32(i)
		}
	}
	newSplit(len(s)).each(code(block), block)
	t.sort()
	return p
}

// prefix returns a number that compares as s[at:at+7] does, and its length, at
// most 8, in the last byte: of strings that are equal in 7 bytes or less the
// shorter comes first, and those that go on after 7 bytes all have 8.
func prefix(s string, at int) uint64 {
	switch n := len(s) - at; {
	case n >= 8:
		return eight(s[at:])&^255 | 8
	case len(s) >= 8:
		return eight(s[len(s)-8:])<<(8*(8-uint(n)))&^255 | uint64(n)
	default:
		k := uint64(n)
		for i := range n {
			k |= uint64(s[at+i]) << (56 - 8*i)
		}
		return k
	}
}

// goesOn reports whether strings with this prefix may still differ.
func goesOn(key uint64) bool { return key&255 == 8 }

// eight returns the first 8 bytes of s, the first of them on top.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[7]) | uint64(s[6])<<8 | uint64(s[5])<<16 | uint64(s[4])<<24 |
		uint64(s[3])<<32 | uint64(s[2])<<40 | uint64(s[1])<<48 | uint64(s[0])<<56
}

// A group is a part [lo, hi) of the pairs, whose strings are equal before at.
// vain is how many times in a row looking at 7 bytes took hardly anything off it.
type group struct {
	lo, hi, at, vain int
	alike            bool // the 7 bytes before at are equal in all, and maybe more
}

// patient is how often a group is looked at in vain. Strings that differ by one
// in a hundred at each 7 bytes are better compared.
const patient = 2

// sort sorts all of the strings. Groups that are worth several processors for
// themselves are sorted by all of them, one after the other; then the others are
// shared out.
func (t *texts) sort() {
	large := []group{{hi: len(t.p)}}
	var rest []group
	for len(large) > 0 {
		g := large[len(large)-1]
		large = large[:len(large)-1]
		if !wide(g.hi-g.lo) || g.vain == patient {
			rest = append(rest, g)
			continue
		}
		large = t.spread(large, g)
	}
	if len(rest) == 1 {
		t.finish(rest)
		return
	}
	finish := func(lo, hi int) bool {
		for _, g := range rest[lo:hi] {
			t.finish([]group{g})
		}
		return true
	}
	run(code(finish), len(rest), finish)
}

// spread sorts g by the next 7 bytes on several processors, and what is equal
// in them as far as it is little. It appends the others to groups.
func (t *texts) spread(groups []group, g group) []group {
	at, or := t.setWide(g)
	g.at = at
	if or == 0 {
		return t.further(groups, g)
	}
	var mu sync.Mutex
	spreadPairs(t.p[g.lo:g.hi], t.q[g.lo:g.hi], func(lo, hi int) {
		parts := t.equals(nil, group{lo: g.lo + lo, hi: g.lo + hi, at: g.at, vain: g.vain}, g.hi-g.lo)
		small := parts[:0]
		for _, p := range parts {
			if p.hi-p.lo < 4*grain {
				small = append(small, p)
				continue
			}
			mu.Lock()
			groups = append(groups, p)
			mu.Unlock()
		}
		t.finish(small)
	})
	return groups
}

// further appends g to groups if its strings, which are equal in the 7 bytes
// after g.at, may have more.
func (t *texts) further(groups []group, g group) []group {
	if goesOn(t.p[g.lo].key) {
		g.at += 7
		g.alike = true
		groups = append(groups, g)
	}
	return groups
}

// set makes the keys of g from what follows the bytes that its strings share, and
// returns where that is, and in which bits the keys differ.
func (t *texts) set(g group) (at int, or uint64) {
	head := t.head(g)
	n, or := t.setPart(head, g.lo, g.hi, g.at)
	if n < len(head) {
		n, or = t.setPart(head[:n], g.lo, g.hi, g.at)
	}
	return g.at + n, or
}

// setWide is set on several processors.
func (t *texts) setWide(g group) (at int, or uint64) {
	type result struct {
		n  int
		or uint64
	}
	s := newSplit(g.hi - g.lo)
	results := make([]result, s.blocks())
	for head := t.head(g); ; {
		block := func(i, lo, hi int) {
			n, or := t.setPart(head, g.lo+lo, g.lo+hi, g.at)
			results[i] = result{n, or}
		}
		s.each(code(block), block)
		n := len(head)
		for i, r := range results {
			n = min(n, r.n)
			or |= r.or | (t.p[g.lo+i*s.size].key ^ t.p[g.lo].key)
		}
		if n == len(head) {
			return g.at + n, or
		}
		head, or = head[:n], 0
	}
}

// head returns what some of the strings of g share after g.at: a guess at what
// all of them do.
func (t *texts) head(g group) string {
	const looks = 8
	if g.hi-g.lo < cached && !g.alike {
		return ""
	}
	head := t.s[t.p[g.lo].i][g.at:]
	for i := 1; i <= looks; i++ {
		head = head[:shared(head, t.s[t.p[g.lo+(g.hi-1-g.lo)*i/looks].i][g.at:])]
	}
	if len(head) < 7 {
		return "" // the keys have it
	}
	return head
}

// setPart makes keys of what follows head in the strings of [lo, hi). It returns
// the length of head, or how much less of it they share: then there are no keys.
func (t *texts) setPart(head string, lo, hi, at int) (n int, or uint64) {
	p := t.p[lo:hi]
	n = len(head)
	for i := range p {
		s := t.s[p[i].i]
		if n > 0 {
			if len(s) < at+n || s[at:at+n] != head {
				for _, p := range p[i:] {
					n = shared(head[:n], t.s[p.i][at:])
				}
				return n, 0
			}
		}
		k := prefix(s, at+n)
		p[i].key = k
		or |= k ^ p[0].key
	}
	return n, or
}

// shared returns how many bytes at their beginning a and b share.
func shared(a, b string) int {
	n := min(len(a), len(b))
	if a[:n] == b[:n] {
		return n
	}
	n = 0
	for a[n] == b[n] {
		n++
	}
	return n
}

// equals appends to groups those within g, which is a part of n, that are equal
// in the 7 bytes after g.at.
func (t *texts) equals(groups []group, g group, n int) []group {
	p := t.p
	for i := g.lo; i < g.hi-1; {
		k := p[i].key
		j := i + 1
		for j < g.hi && p[j].key == k {
			j++
		}
		if j-i > 1 && goesOn(k) {
			part := group{lo: i, hi: j, at: g.at + 7}
			if j-i > n-n/8 {
				part.vain = g.vain + 1
			}
			groups = append(groups, part)
		}
		i = j
	}
	return groups
}

// finish sorts the groups. It keeps a list and does not recurse: strings may
// share any number of bytes.
func (t *texts) finish(groups []group) {
	var r *room
	for len(groups) > 0 {
		g := groups[len(groups)-1]
		groups = groups[:len(groups)-1]
		if g.hi-g.lo <= leaf/2 {
			t.insert(g)
			continue
		}
		if g.vain == patient {
			t.compare(g)
			continue
		}
		if r == nil {
			r = rooms.Get().(*room)
		}
		at, or := t.set(g)
		g.at = at
		if or == 0 {
			groups = t.further(groups, g)
			continue
		}
		sortPairs(t.p[g.lo:g.hi], t.q[g.lo:g.hi], false, r.counts[:])
		groups = t.equals(groups, g, g.hi-g.lo)
	}
	if r != nil {
		rooms.Put(r)
	}
}

// insert sorts a small group.
func (t *texts) insert(g group) {
	p := t.p[g.lo:g.hi]
	for i, v := range p {
		s := t.s[v.i][g.at:]
		j := i
		for j > 0 && t.s[p[j-1].i][g.at:] > s {
			p[j] = p[j-1]
			j--
		}
		p[j] = v
	}
}

// compare sorts a group by comparing its strings.
func (t *texts) compare(g group) {
	p := t.p[g.lo:g.hi]
	type text struct {
		s string
		p pair
	}
	x := make([]text, len(p))
	for i, p := range p {
		x[i] = text{t.s[p.i][g.at:], p}
	}
	slices.SortFunc(x, func(a, b text) int {
		if c := strings.Compare(a.s, b.s); c != 0 {
			return c
		}
		return cmp.Compare(a.p.i, b.p.i)
	})
	for i, text := range x {
		p[i] = text.p
	}
}

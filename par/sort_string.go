package par

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
type group struct{ lo, hi, at, vain int }

// patient is how often a group is looked at in vain. Strings that differ by one
// in a hundred at each 7 bytes are better compared.
const patient = 2

// sort sorts all of the strings. Groups that are worth several processors for
// themselves are sorted by all of them, one after the other; then the others are
// shared out.
func (t *texts) sort() {
	large := []group{{0, len(t.p), 0, 0}}
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
	s := newSplit(g.hi - g.lo)
	switch set, more := t.setWide(g, s); {
	case !set && !more:
		return groups
	case !set:
		g.at += 7 + t.sharedWide(g, g.at+7, s)
		return append(groups, g)
	}
	var mu sync.Mutex
	spreadPairs(t.p[g.lo:g.hi], t.q[g.lo:g.hi], func(lo, hi int) {
		parts := t.equals(nil, group{g.lo + lo, g.lo + hi, g.at, g.vain}, g.hi-g.lo)
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

// set makes the keys of [lo, hi) from what follows at. It reports whether they
// differ, and, if they do not, whether there may be more after them.
func (t *texts) set(lo, hi, at int) (differ, more bool) {
	p := t.p[lo:hi]
	first := prefix(t.s[p[0].i], at)
	or := uint64(0)
	for i := range p {
		k := prefix(t.s[p[i].i], at)
		p[i].key = k
		or |= k ^ first
	}
	return or != 0, goesOn(first)
}

// setWide is set on several processors.
func (t *texts) setWide(g group, s split) (differ, more bool) {
	var or atomic.Bool
	block := func(_, lo, hi int) {
		if differ, _ := t.set(g.lo+lo, g.lo+hi, g.at); differ || t.p[g.lo+lo].key != prefix(t.s[t.p[g.lo].i], g.at) {
			or.Store(true)
		}
	}
	s.each(code(block), block)
	return or.Load(), goesOn(t.p[g.lo].key)
}

// sharedWide is shared on several processors.
func (t *texts) sharedWide(g group, at int, s split) int {
	results := make([]int, s.blocks())
	block := func(i, lo, hi int) { results[i] = t.shared(g.lo, g.lo+lo, g.lo+hi, at) }
	s.each(code(block), block)
	return slices.Min(results)
}

// shared returns how many bytes after at the strings of [lo, hi) share with
// string first.
func (t *texts) shared(first, lo, hi, at int) int {
	head := t.s[t.p[first].i][at:]
	for _, p := range t.p[lo:hi] {
		s := t.s[p.i][at:]
		if len(s) < len(head) {
			head = head[:len(s)]
		}
		if s[:len(head)] != head {
			n := 0
			for s[n] == head[n] {
				n++
			}
			head = head[:n]
		}
		if len(head) == 0 {
			break
		}
	}
	return len(head)
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
			part := group{i, j, g.at + 7, 0}
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
		switch differ, more := t.set(g.lo, g.hi, g.at); {
		case differ:
			sortPairs(t.p[g.lo:g.hi], t.q[g.lo:g.hi], false, r.counts[:])
			groups = t.equals(groups, g, g.hi-g.lo)
		case more:
			g.at += 7
			g.at += t.shared(g.lo, g.lo, g.hi, g.at)
			groups = append(groups, g)
		}
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

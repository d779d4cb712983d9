package par

import (
	"cmp"
	"slices"
	"strings"
)

// texts are strings that are sorted by what stands for them: the next 7 bytes
// of each and its number. After 7 bytes come more where they are equal.
type texts struct {
	s    []string
	p, q []pair // q is room for the sort of p
	own  bool   // s may be changed: strings that are in p side by side may change places in s
}

// sortStrings sorts x.
func sortStrings(x []string) {
	if len(x) <= len(pairRoom{})/2 {
		r := pairRooms.Get().(*pairRoom)
		p := rank(x, r[:len(x)], r[len(r)/2:][:len(x)], true)
		arrange(x, p)
		pairRooms.Put(r)
		return
	}
	arrange(x, rank(x, make([]pair, len(x)), make([]pair, len(x)), true))
}

// rank puts the order of the strings in p: s[p[0].i] is the least. Equal strings
// keep their order, if not own allows to exchange strings in s too.
func rank(s []string, p, q []pair, own bool) []pair {
	t := &texts{s, p, q, own}
	block := func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			p[i].i = uint32(i)
		}
	}
	newSplit(len(s)).each(code(block), block)
	t.sort(0, len(s), 0)
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

// sort sorts a group that is worth several processors, or not.
func (t *texts) sort(lo, hi, at int) {
	for vain := 0; hi-lo >= parallel && vain < patient; vain++ {
		s := newSplit(hi - lo)
		n, same := t.shared(lo, hi, at, s)
		if same {
			return
		}
		at += n
		set := func(_, from, to int) { t.set(lo+from, lo+to, at) }
		s.each(code(set), set)
		spreadPairs(t.p[lo:hi], t.q[lo:hi], func(from, to int) {
			if from == 0 && to == hi-lo && t.p[lo].key == t.p[hi-1].key {
				return // all of them; below
			}
			t.finish(t.equals(nil, group{lo + from, lo + to, at, 0}))
		})
		if k := t.p[lo].key; k != t.p[hi-1].key || !goesOn(k) {
			return
		}
		at += 7
	}
	t.finish([]group{{lo, hi, at, 0}})
}

// set makes the keys of [lo, hi) from what follows at.
func (t *texts) set(lo, hi, at int) {
	p := t.p[lo:hi]
	for i := range p {
		p[i].key = prefix(t.s[p[i].i], at)
	}
}

// shared returns how many bytes after at the strings of [lo, hi) share, and
// whether they have no more.
func (t *texts) shared(lo, hi, at int, s split) (n int, same bool) {
	type result struct {
		n    int
		same bool
	}
	results := make([]result, s.blocks())
	block := func(i, from, to int) {
		n, same := t.common(lo, lo+from, lo+to, at)
		results[i] = result{n, same}
	}
	s.each(code(block), block)
	n, same = results[0].n, true
	for _, r := range results {
		n, same = min(n, r.n), same && r.same
	}
	return n, same
}

// common returns how many bytes after at the strings of [lo, hi) share with
// string first, and whether all of them have no more.
func (t *texts) common(first, lo, hi, at int) (n int, same bool) {
	head := t.s[t.p[first].i][at:]
	same = true
	for _, p := range t.p[lo:hi] {
		s := t.s[p.i][at:]
		if s == head {
			continue
		}
		same = false
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
	return len(head), same
}

// equals appends to groups those within g that are equal in the 7 bytes after g.at.
func (t *texts) equals(groups []group, g group) []group {
	p := t.p
	for i := g.lo; i < g.hi-1; {
		k := p[i].key
		j := i + 1
		for j < g.hi && p[j].key == k {
			j++
		}
		if j-i > 1 && goesOn(k) {
			part := group{i, j, g.at + 7, 0}
			if n := g.hi - g.lo; j-i > n-n/8 {
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
		n, same := t.common(g.lo, g.lo, g.hi, g.at)
		if same {
			continue
		}
		g.at += n
		t.set(g.lo, g.hi, g.at)
		sortPairs(t.p[g.lo:g.hi], t.q[g.lo:g.hi], false, r.counts[:])
		groups = t.equals(groups, g)
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
	if t.own {
		x := make([]string, len(p))
		for i, p := range p {
			x[i] = t.s[p.i]
		}
		slices.Sort(x)
		for i, p := range p {
			t.s[p.i] = x[i]
		}
		return
	}
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

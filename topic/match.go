package topic

import "math/bits"

// A view is what a Match looks in.
type view[T any] struct {
	hash  *hasher
	table *table[T]
	guide *guide[T]
	trial *trial[T] // nil in a snapshot, which keeps no results
}

// each visits the node of each pattern that a subject matches, once, until visit
// returns false. It looks for the one pattern of each shape that fits.
func (v *view[T]) each(subject string, visit func(*Sub[T]) bool) {
	var (
		sums [shapeTokens + 1]uint64
		ends [shapeTokens]int32
	)
	n := v.hash.split(subject, sums[:], ends[:])
	if n == 0 {
		return
	}
	dollar := v.hash.dollar && subject[0] == '$'
	for fit := v.guide.fit[min(n, shapeTokens+1)]; len(fit) > 0; {
		few := fit[:min(len(fit), 64)]
		fit = fit[len(few):]
		for m := v.ask(few, &sums); m != 0; m &= m - 1 {
			p := &few[bits.TrailingZeros64(m)]
			key := p.key(&sums) & v.hash.cut
			node := v.table.slots[v.table.stripe(key)].Load().at(v.hash, key, subject, ends[:], p.shape(), false)
			if node != nil && !(dollar && p.wild) && !visit(node) {
				return
			}
		}
	}
	if v.guide.marks != nil {
		v.walk(subject, visit)
	}
}

// ask returns for which of up to 64 shapes the table may have the one pattern that a
// subject can match, whose tokens have these sums. For most of them one word of tags
// says that it has not. Nothing here depends on which those are, so that a processor
// goes on to the next before it knows.
func (v *view[T]) ask(fit []probe, sums *[shapeTokens + 1]uint64) (may uint64) {
	slots, shift, cut := v.table.slots, v.table.shift, v.hash.cut
	for i := range fit {
		key := fit[i].key(sums) & cut
		t := slots[key>>(shift&63)].Load()
		w := t.tags[uint32(key)&t.mask].Load()
		// Either is 0 or has its high bits only: a tag that is the key's, and one
		// that is free.
		same, open := zeros(w^tagOf(key)), zeros(w)
		yes := uint64(0)
		if same != 0 {
			yes = 1
		}
		if open == 0 {
			yes = 1
		}
		may |= yes << (i & 63)
	}
	return may
}

// key returns the key of the one pattern of the shape that a subject can match,
// whose tokens have these sums.
func (p *probe) key(sums *[shapeTokens + 1]uint64) uint64 {
	key := p.base + sums[p.n]
	for m := p.stars; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		key -= sums[i+1] - sums[i]
	}
	return key
}

// at returns the node for the pattern of shape sh that the subject matches, or the
// mark for it, or nil.
func (s *slots[T]) at(h *hasher, key uint64, subject string, ends []int32, sh shape, mark bool) *Sub[T] {
	tag := tagOf(key)
	for g := uint32(key) & s.mask; ; g = (g + 1) & s.mask {
		w := s.tags[g].Load()
		for m := zeros(w ^ tag); m != 0; m &= m - 1 {
			n := s.nodes[g<<3+uint32(bits.TrailingZeros64(m))>>3].Load()
			if n != nil && h.spells(n.pattern, subject, ends, sh) && n.isMark() == mark {
				return n
			}
		}
		if zeros(w) != 0 {
			return nil
		}
	}
}

// appendMatch appends the values that a subject matches.
func (v *view[T]) appendMatch(dst []T, subject string) []T {
	r := v.result(subject)
	if r != nil && r.rest == nil {
		if len(r.values) > 4 {
			return append(dst, r.values...)
		}
		//lint:ignore S1011 most are few, and the call of a copy takes longer
		for _, value := range r.values {
			dst = append(dst, value)
		}
		return dst
	}
	return v.appendNodes(dst, subject, r)
}

// appendNodes appends the values of the result, if there is one, and those that are
// in no result.
func (v *view[T]) appendNodes(dst []T, subject string, r *result[T]) []T {
	var some [4]*Sub[T]
	grouped := some[:0]
	visit := func(n *Sub[T]) bool {
		if n.more == nil {
			dst = append(dst, n.value)
			return true
		}
		if n.more.plain.root != nil {
			dst = n.more.plain.root.appendTo(dst)
		}
		if n.more.groups != nil {
			grouped = append(grouped, n)
		}
		return true
	}
	if r == nil {
		v.each(subject, visit)
	} else {
		dst = append(dst, r.values...)
		for _, n := range r.nodes() {
			visit(n)
		}
	}
	for i, n := range grouped {
		for _, group := range n.more.groups {
			if one, ok := pickOnce(v.hash.grammar, grouped, i, group); ok {
				dst = append(dst, one)
			}
		}
	}
	return dst
}

// kept returns what there is of a result that is kept: its values, the nodes that it has
// no values of, and whether there are none of these. If no result is kept it returns
// nothing.
func (v *view[T]) kept(subject string) (values []T, rest []*Sub[T], all bool) {
	if r := v.result(subject); r != nil {
		return r.values, r.nodes(), r.rest == nil
	}
	return nil, nil, false
}

// A matching is a Match under way, of what no result has. It has the values in parts, so
// that the loop over them stands in the caller's function, and nothing is called for a
// single value.
type matching[T any] struct {
	view[T]
	subject string
	nodes   int // 0 before the first part

	// The nodes: those that a result left, or else the first few, and the others.
	some [8]*Sub[T]
	n    int
	more []*Sub[T]

	at    int // node
	place int // in its list
	group int // of its groups
	one   [1]T
}

// next returns the next values, and whether they are the last.
func (m *matching[T]) next() (values []T, last bool) {
	if m.nodes == 0 {
		if len(m.more) == 0 {
			m.find()
		}
		m.nodes = m.n + len(m.more)
	}
	for ; m.at < m.nodes; m.at, m.place = m.at+1, 0 {
		n := m.node(m.at)
		if n.more == nil {
			m.at++
			m.one[0] = n.value
			return m.one[:], m.nodes == 1
		}
		if m.place < n.more.plain.n {
			values := n.more.plain.from(m.place)
			m.place += len(values)
			return values, false
		}
	}
	values = m.ofGroup()
	return values, values == nil
}

// find sets the nodes.
func (m *matching[T]) find() {
	m.each(m.subject, func(n *Sub[T]) bool {
		if m.n < len(m.some) {
			m.some[m.n] = n
			m.n++
		} else {
			m.more = append(m.more, n)
		}
		return true
	})
}

func (m *matching[T]) node(i int) *Sub[T] {
	if i < m.n {
		return m.some[i]
	}
	return m.more[i-m.n]
}

// ofGroup returns the member of the next group, when all nodes were gone through, or nil.
func (m *matching[T]) ofGroup() []T {
	var few [4]*Sub[T]
	grouped := few[:0]
	for i := range m.nodes {
		if n := m.node(i); n.more != nil && n.more.groups != nil {
			grouped = append(grouped, n)
		}
	}
	for ; m.at-m.nodes < len(grouped); m.at, m.group = m.at+1, 0 {
		i := m.at - m.nodes
		for groups := grouped[i].more.groups; m.group < len(groups); {
			m.group++
			if one, ok := pickOnce(m.hash.grammar, grouped, i, groups[m.group-1]); ok {
				m.one[0] = one
				return m.one[:]
			}
		}
	}
	return nil
}

// has reports whether a subject matches anything.
func (v *view[T]) has(subject string) (found bool) {
	if r := v.result(subject); r != nil {
		return len(r.values) > 0 || r.rest != nil
	}
	v.each(subject, func(*Sub[T]) bool {
		found = true // no node is empty
		return false
	})
	return found
}

// count returns how many values a subject matches.
func (v *view[T]) count(subject string) (count int) {
	var some [4]*Sub[T]
	grouped := some[:0]
	visit := func(n *Sub[T]) bool {
		if n.more == nil {
			count++
			return true
		}
		count += n.more.plain.n
		if n.more.groups != nil {
			grouped = append(grouped, n)
		}
		return true
	}
	if r := v.result(subject); r == nil {
		v.each(subject, visit)
	} else {
		count = len(r.values)
		for _, n := range r.nodes() {
			visit(n)
		}
	}
	for i, n := range grouped {
		for _, group := range n.more.groups {
			if first(v.hash.grammar, grouped[:i], group.name) {
				count++
			}
		}
	}
	return count
}

// pickOnce returns a member of a group that node i of those has, unless one of the
// nodes before has the group too. Each member, of any of the nodes, has the same
// chance.
func pickOnce[T any](g *grammar, nodes []*Sub[T], i int, of group[T]) (v T, ok bool) {
	if !first(g, nodes[:i], of.name) {
		return v, false
	}
	n, from := of.members.n, of.members
	if !g.byTopic {
		for _, node := range nodes[i+1:] {
			if m := node.members(of.name); m.n > 0 {
				if n += m.n; chance(m.n, n) {
					from = m
				}
			}
		}
	}
	return from.pick(), true
}

// first reports whether none of the nodes has members of the group that a Match
// takes for the same.
func first[T any](g *grammar, nodes []*Sub[T], name string) bool {
	if !g.byTopic {
		for _, n := range nodes {
			if n.members(name).n > 0 {
				return false
			}
		}
	}
	return true
}

// members returns the members of a group that the node has.
func (n *Sub[T]) members(name string) list[T] {
	for _, g := range n.more.groups {
		if g.name == name {
			return g.members
		}
	}
	return list[T]{}
}

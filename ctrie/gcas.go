package ctrie

// gcas puts n in the place of old, which was committed, and reports whether it is:
// not if the I-node has another main node by now, or if its generation is over.
func (m *Map[K, V]) gcas(in *inode[K, V], old, n *main[K, V]) bool {
	*plain(&n.prev) = old
	return in.main.CompareAndSwap(old, n) && m.commit(in, n)
}

// commit decides about n, which is or was in's main node, if nobody has, and reports
// whether it is committed. Whoever decides reads the root after n was to be seen.
func (m *Map[K, V]) commit(in *inode[K, V], n *main[K, V]) bool {
	p := n.prev.Load()
	if p == nil {
		return true
	}
	if p.isMark() {
		return false
	}
	if m.root.Load().gen != in.gen {
		return in.decide(n, p)
	}
	if n.prev.CompareAndSwap(p, nil) {
		return true
	}
	return n.prev.Load() == nil
}

// decide is commit where the I-node's generation is over. n's prev was p.
func (in *inode[K, V]) decide(n, p *main[K, V]) bool {
	if !n.prev.CompareAndSwap(p, newMark(p)) && n.prev.Load() == nil {
		return true // by one that had read the root before
	}
	in.main.CompareAndSwap(n, p)
	return false
}

// settled returns in's main node, which is committed, for one who writes.
func (m *Map[K, V]) settled(in *inode[K, V]) *main[K, V] {
	n := in.main.Load()
	p := n.prev.Load()
	if p == nil || m.commit(in, n) {
		return n
	}
	return in.final()
}

// read returns in's main node, which is committed, for one who only reads. It stores
// nothing, unless the I-node's generation is over and n was not decided about.
func (m *Map[K, V]) read(in *inode[K, V], n *main[K, V]) *main[K, V] {
	p := n.prev.Load()
	switch {
	case p == nil:
		return n
	case p.isMark():
		return p.prev.Load()
	case m.root.Load().gen == in.gen:
		return p // n was not committed when p was read, and the generation was not over
	}
	return in.final()
}

// final returns the main node that in has for ever. Its generation is over.
func (in *inode[K, V]) final() *main[K, V] {
	n := in.main.Load()
	p := n.prev.Load()
	switch {
	case p == nil:
		return n
	case p.isMark():
		return p.prev.Load()
	case in.decide(n, p):
		return n
	}
	return p
}

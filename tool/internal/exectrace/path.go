package exectrace

import (
	"maps"
	"slices"
)

// A node is a piece of a path: one goroutine running up to a line. Nodes are
// shared by all the paths that go through them, and the garbage collector drops
// those that no live goroutine's path needs.
//
// A path is kept for as many nodes as it is deep only up to 2·foldEvery: what
// is older is folded into sums. So memory is bounded by the goroutines alive,
// times 2·foldEvery nodes if they share nothing, and their distinct steps.
type node struct {
	parent *node
	dur    int64
	step   step
	via    edge
	depth  uint32 // nodes before it, folded ones too
	// sum, once set, stands for this node and all before it; parent is nil
	// then. A fold sets it in place, which leaves every path the same.
	sum *pathSum
}

// A step is what pieces of a path are merged by.
type step struct {
	start, site site
}

// An edge is how a path came to the goroutine of a node.
type edge uint8

const (
	inOrder edge = iota
	viaSpawn
	viaWake
)

// foldEvery is a compromise: a fold walks twice as many nodes and copies a map
// of the distinct steps, once per so many nodes of a path.
const foldEvery = 1024

// newNode returns a node after parent.
func newNode(parent *node, s step, dur int64, via edge) *node {
	n := &node{parent: parent, dur: dur, step: s, via: via}
	if parent != nil {
		n.depth = parent.depth + 1
		if n.depth%foldEvery == 0 {
			n.fold()
		}
	}
	return n
}

// fold folds what is more than foldEvery nodes before n.
func (n *node) fold() {
	for range foldEvery {
		if n.sum != nil || n.parent == nil {
			return
		}
		n = n.parent
	}
	if n.sum == nil {
		sum := &pathSum{}
		sum.add(n)
		n.sum, n.parent = sum, nil
	}
}

// A pathSum is a path without its order. The zero pathSum is empty.
type pathSum struct {
	steps         map[step]pieces
	spawns, wakes int
}

type pieces struct {
	dur int64
	n   int
}

// add adds the path that ends in n.
func (s *pathSum) add(n *node) {
	for ; n != nil; n = n.parent {
		if n.sum != nil {
			s.merge(n.sum)
			return
		}
		s.piece(n.step, n.dur, 1)
		switch n.via {
		case viaSpawn:
			s.spawns++
		case viaWake:
			s.wakes++
		}
	}
}

func (s *pathSum) piece(at step, dur int64, n int) {
	if s.steps == nil {
		s.steps = make(map[step]pieces)
	}
	p := s.steps[at]
	s.steps[at] = pieces{p.dur + dur, p.n + n}
}

func (s *pathSum) merge(o *pathSum) {
	if s.steps == nil {
		s.steps = maps.Clone(o.steps)
	} else {
		for at, p := range o.steps {
			s.piece(at, p.dur, p.n)
		}
	}
	s.spawns += o.spawns
	s.wakes += o.wakes
}

// A track is the longest path to where a goroutine stands. The zero track is
// that of a goroutine at the opening of the window.
type track struct {
	length   int64   // running time on it
	burdened float64 // the same with prices; its path may be another one
	tail     *node   // sealed part of the path
	open     int64   // running time since tail
	via      edge    // how the open part came here
}

// run adds running time.
func (t *track) run(d int64) {
	t.length += d
	t.burdened += float64(d)
	t.open += d
}

// seal ends the open part, so that another track can go on from it.
func (t *track) seal(s step) *node {
	if t.open != 0 || t.via != inOrder {
		t.tail = newNode(t.tail, s, t.open, t.via)
		t.open, t.via = 0, inOrder
	}
	return t.tail
}

// spawned is the track of a goroutine that the one of t starts at s.
func (t *track) spawned(s step, price float64) track {
	child := *t
	child.tail = t.seal(s)
	child.open, child.via = 0, viaSpawn
	child.burdened += price
	return child
}

// after makes t come after the path of length and burden that ends in tail().
// tail is called only if that path is the longer.
func (t *track) after(length int64, burdened float64, tail func() *node) {
	if length > t.length {
		t.length, t.tail, t.open, t.via = length, tail(), 0, viaWake
	}
	t.burdened = max(t.burdened, burdened)
}

// A joint is the longest path of children that have ended, or have run out of
// work, and that their creator has not waited for yet.
type joint struct {
	depth    int  // of the go statements in the creator's stack
	idle     bool // they are alive and wait for work
	length   int64
	burdened float64
	tail     *node
}

// joints are those of one creator, by depth.
type joints []joint

// add adds the track of a child that was created at depth.
func (j *joints) add(depth int, idle bool, t *track, s step) {
	i := slices.IndexFunc(*j, func(x joint) bool { return x.depth == depth && x.idle == idle })
	if i < 0 {
		i = len(*j)
		*j = append(*j, joint{depth: depth, idle: idle, length: -1})
	}
	x := &(*j)[i]
	if t.length > x.length {
		x.length, x.tail = t.length, t.seal(s)
	}
	x.burdened = max(x.burdened, t.burdened)
}

// join makes t come after the children created at depth or deeper, and forgets
// them. Children created by shallower frames are somebody else's to wait for:
// in a recursion that runs one half itself, the frame that waits is deep in
// the stack of one whose own child may long have ended.
func (j *joints) join(t *track, depth int, idle bool, price float64) {
	*j = slices.DeleteFunc(*j, func(x joint) bool {
		if x.depth < depth || x.idle && !idle {
			return false
		}
		t.after(x.length, x.burdened+price, func() *node { return x.tail })
		return true
	})
}

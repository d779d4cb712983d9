package ctrie_test

import (
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// The model is the protocol of protocol.md, access by access as the code does them,
// small enough that all interleavings can be looked at: a root with key 1 in it, and
// below it an I-node with keys 0 and 2. If one of these goes, the other one's node is
// a tomb, and then an entry of the root's.
//
// What a process does is written as the code is, and stops before each access to what
// others see. A state is what all have in common, and what each process has seen since
// it began its operation, or began it again: nothing else decides what it does next.

// A fault is one that is planted.
type fault int

const (
	sound            fault = iota
	plainCAS               // a node counts as soon as it is there
	earlyRoot              // who decides has read the root before
	readsUncommitted       // a reader takes a node that nobody has decided about
	readsWithoutRoot       // a reader takes the node before without a look at the root
	viewsUndecided         // a view takes the node before, and leaves it undecided
	viewsUncommitted       // a view takes a node that nobody has decided about
	emptyTokens            // all generations are one: tokens of type struct{}
	oldRootCopied          // a new root has what the old one had when it was made
	neverMarks             // a node that is not to be is not marked
	tombsLive              // a tomb is written to
	cleansUnsettled        // a tomb counts before it is committed
	cleansFresh            // what was made of one node is put in the place of another
	lostIsDone             // a delete that was too late says that it is done
	lateTold               // a node is told whose place it takes when it is there
	firstIsLast            // a snapshot after a write is the one before it
	faults
)

func (f fault) String() string {
	return [...]string{"sound", "plain compare-and-swap", "the root is read early", "reads what is not committed",
		"reads without the root", "a view leaves a node undecided", "a view has what is not committed",
		"tokens without size", "the old root is copied early", "failures are not marked",
		"tombs live", "cleans without settling", "cleans against a fresh node",
		"a delete that was lost is done", "prev is set late", "nothing was ever written"}[f]
}

type (
	mnode struct {
		id   int
		ent  [3]int8 // values; 0: none
		kid  *minode
		mark bool
		tomb bool
		prev *mnode
	}
	minode struct {
		id, gen int
		main    *mnode
	}
	mroot struct {
		minode
		before *mroot
		first  *mnode
	}
)

func (n *mnode) name() int {
	if n == nil {
		return 0
	}
	return n.id
}

func (r *mroot) name() int {
	if r == nil {
		return 0
	}
	return r.id
}

// A call is one operation: load, put or delete a key, or take a snapshot and read it.
type call struct {
	what  byte // see put, del, load and so on
	key   int
	value int8
}

// A world is what is explored.
type world struct {
	fault   fault
	weak    bool // stores are seen late, before the next compare-and-swap at the latest
	scripts [][]call

	root  *mroot
	nodes []*mnode
	ins   []*minode
	roots []*mroot
	procs []*mproc
	lin   monitor
	wrong string
}

type mproc struct {
	w       *world
	id      int
	made    int
	op      int // which of the script
	view    *mnode
	saw     []int // since it began
	barrier bool  // the next access waits until its stores are seen
	buffer  []mstore
	yield   func(struct{}) bool
	next    func() (struct{}, bool)
	stop    func()
	done    bool
}

// A mstore waits to be seen.
type mstore struct {
	at, value any
	name      string
	do        func()
}

// stopped is what a process panics with when nobody goes on with it.
type stopped struct{}

func (p *mproc) pause() {
	if !p.yield(struct{}{}) {
		panic(stopped{})
	}
}

func (p *mproc) name() int {
	p.made++
	return (p.id+1)*100 + p.made
}

func (p *mproc) newNode(n mnode) *mnode {
	n.id, n.prev = p.name(), nil
	p.w.nodes = append(p.w.nodes, &n)
	return &n
}

func (p *mproc) newInode(gen int, n *mnode) *minode {
	in := &minode{p.name(), gen, n}
	p.w.ins = append(p.w.ins, in)
	return in
}

func (p *mproc) newRoot() *mroot {
	r := &mroot{minode: minode{id: p.name()}}
	r.gen = r.id
	if p.w.fault == emptyTokens {
		r.gen = p.w.root.gen
	}
	p.w.roots = append(p.w.roots, r)
	p.w.ins = append(p.w.ins, &r.minode)
	return r
}

type named interface {
	comparable
	name() int
}

// get is an atomic load.
func get[T named](p *mproc, at *T) T {
	p.pause()
	v := *at
	for _, s := range p.buffer {
		if s.at == any(at) {
			v = s.value.(T) // what it has stored itself
		}
	}
	p.saw = append(p.saw, v.name())
	return v
}

// cas is an atomic compare-and-swap.
func cas[T named](p *mproc, at *T, old, new T) bool {
	p.barrier = true
	p.pause()
	p.barrier = false
	if *at != old {
		p.saw = append(p.saw, -1)
		return false
	}
	*at = new
	p.saw = append(p.saw, -2)
	return true
}

// set is an atomic store.
func set[T named](p *mproc, at *T, name string, v T) {
	p.pause()
	p.saw = append(p.saw, -4)
	do := func() { *at = v }
	if !p.w.weak {
		do()
		return
	}
	p.buffer = append(p.buffer, mstore{at, v, fmt.Sprintf("%s=%d", name, v.name()), do})
}

// What follows is gcas.go.

func (p *mproc) gcas(in *minode, old, n *mnode) bool {
	root := (*mroot)(nil)
	if p.w.fault == earlyRoot {
		root = get(p, &p.w.root)
	}
	if p.w.fault != lateTold {
		n.prev = old
	}
	if !cas(p, &in.main, old, n) {
		return false
	}
	if p.w.fault == lateTold {
		set(p, &n.prev, "prev", old)
	}
	if p.w.fault == plainCAS {
		cas(p, &n.prev, old, nil)
		return true
	}
	return p.commit(in, n, root)
}

func (p *mproc) commit(in *minode, n *mnode, root *mroot) bool {
	was := get(p, &n.prev)
	if was == nil {
		return true
	}
	if was.mark {
		return false
	}
	if root == nil {
		root = get(p, &p.w.root)
	}
	if root.gen != in.gen {
		return p.decide(in, n, was)
	}
	if cas(p, &n.prev, was, nil) {
		return true
	}
	return get(p, &n.prev) == nil
}

func (p *mproc) decide(in *minode, n, was *mnode) bool {
	if p.w.fault != neverMarks {
		mark := p.newNode(mnode{mark: true})
		mark.prev = was
		if !cas(p, &n.prev, was, mark) && get(p, &n.prev) == nil {
			return true
		}
	}
	cas(p, &in.main, n, was)
	return false
}

func (p *mproc) settled(in *minode) *mnode {
	n := get(p, &in.main)
	if get(p, &n.prev) == nil || p.commit(in, n, nil) {
		return n
	}
	return p.final(in)
}

func (p *mproc) read(in *minode, n *mnode) *mnode {
	was := get(p, &n.prev)
	switch {
	case was == nil || p.w.fault == readsUncommitted:
		return n
	case was.mark:
		return was.prev
	case p.w.fault == readsWithoutRoot || get(p, &p.w.root).gen == in.gen:
		return was
	}
	return p.final(in)
}

func (p *mproc) final(in *minode) *mnode {
	n := get(p, &in.main)
	was := get(p, &n.prev)
	switch {
	case was == nil || p.w.fault == viewsUncommitted:
		return n
	case was.mark:
		return was.prev
	case p.w.fault == viewsUndecided:
		return was
	case p.decide(in, n, was):
		return n
	}
	return was
}

// What follows is root.go.

func (p *mproc) begin(r *mroot) *mnode {
	if b := get(p, &r.before); b != nil {
		n := p.final(&b.minode)
		set(p, &r.first, "first", n)
		cas(p, &r.main, nil, n)
		set(p, &r.before, "before", nil)
	}
	return get(p, &r.main)
}

func (p *mproc) begun() *mroot {
	r := get(p, &p.w.root)
	if get(p, &r.main) == nil {
		p.begin(r)
	}
	return r
}

func (p *mproc) snapshot() *mnode {
	r := get(p, &p.w.root)
	if get(p, &r.main) == nil {
		p.begin(r)
	}
	n := p.settled(&r.minode)
	if first := get(p, &r.first); n == first || p.w.fault == firstIsLast && first != nil {
		return first
	}
	next := p.newRoot()
	next.before = r
	if p.w.fault == oldRootCopied {
		next.before, next.main, next.first = nil, n, n
	}
	if cas(p, &p.w.root, r, next) && p.w.fault != oldRootCopied {
		p.begin(next)
	}
	if p.w.fault == oldRootCopied {
		return n
	}
	return p.final(&r.minode)
}

func (p *mproc) clear() {
	for {
		r := get(p, &p.w.root)
		next := p.newRoot()
		next.main = p.newNode(mnode{})
		next.first = next.main
		if cas(p, &p.w.root, r, next) {
			return
		}
		p.again()
	}
}

// What follows is map.go.

func (p *mproc) load(key int) int8 {
	r := get(p, &p.w.root)
	in := &r.minode
	n := get(p, &in.main)
	if n == nil {
		n = p.begin(r)
	}
	n = p.read(in, n)
	if n.ent[key] != 0 || n.kid == nil || key == 1 {
		return n.ent[key]
	}
	in = n.kid
	return p.read(in, get(p, &in.main)).ent[key]
}

// find is Load of a view.
func (p *mproc) find(top *mnode, key int) int8 {
	if top.ent[key] != 0 || top.kid == nil || key == 1 {
		return top.ent[key]
	}
	return p.final(top.kid).ent[key]
}

// write gives a key a value, or none, and returns the one that it had.
func (p *mproc) write(key int, value int8) int8 {
	for {
		p.again()
		r := p.begun()
		top := p.settled(&r.minode)
		n, kid, live := top, top.kid, false
		if kid != nil && key != 1 {
			if live = kid.gen == r.gen; live && p.w.fault == cleansUnsettled {
				n = get(p, &kid.main)
			} else if live {
				n = p.settled(kid)
			} else {
				n = p.final(kid)
			}
		}
		in, old := &r.minode, top
		dug := n != top && n.tomb && p.w.fault != tombsLive
		if dug {
			n = &mnode{ent: merged(top.ent, n.ent)}
		}
		was := n.ent[key]
		if value == 0 && was == 0 {
			return 0
		}
		c := p.newNode(mnode{ent: n.ent, kid: n.kid})
		c.ent[key] = value
		if kid != nil && key != 1 && !dug {
			single := (c.ent[0] == 0) != (c.ent[2] == 0)
			if live {
				in, old, c.tomb = kid, n, single
			} else {
				c = p.above(top, c, single, r.gen)
			}
		}
		if p.gcas(in, old, c) {
			if in == &r.minode && p.w.fault != firstIsLast && get(p, &r.first) != nil {
				set(p, &r.first, "first", nil)
			}
			if c.tomb {
				p.clean()
			}
			return was
		}
		if value == 0 && p.w.fault == lostIsDone {
			return was
		}
	}
}

// above returns a root's node with c below it, or c's only entry in it.
func (p *mproc) above(top, c *mnode, single bool, gen int) *mnode {
	if single {
		return p.newNode(mnode{ent: merged(top.ent, c.ent)})
	}
	return p.newNode(mnode{ent: top.ent, kid: p.newInode(gen, c)})
}

func merged(a, b [3]int8) [3]int8 {
	for i, v := range b {
		if v != 0 {
			a[i] = v
		}
	}
	return a
}

func (p *mproc) clean() {
	for {
		p.again()
		r := p.begun()
		top := p.settled(&r.minode)
		if top.kid == nil || top.kid.gen != r.gen {
			return
		}
		below := p.settled(top.kid)
		if !below.tomb {
			return
		}
		n := p.newNode(mnode{ent: merged(top.ent, below.ent)})
		if p.w.fault == cleansFresh {
			top = p.settled(&r.minode)
		}
		p.gcas(&r.minode, top, n)
	}
}

// again says that what the process has seen in this operation no longer matters.
func (p *mproc) again() { p.saw = append(p.saw[:0], 3000+p.op) }

// run does a script.
func (p *mproc) run(script []call) {
	for i, c := range script {
		p.saw, p.op = append(p.saw[:0], 1000+i), i
		p.pause()
		if c.what != 'v' {
			p.w.lin.call(p.id, c)
		}
		var got int8
		switch c.what {
		case 'l':
			got = p.load(c.key)
		case 'p', 'd':
			got = p.write(c.key, c.value)
		case 'c':
			p.clear()
		case 's', 't':
			p.view = p.snapshot()
			p.w.returned(p.id, 0)
			if c.what == 's' {
				p.look()
			}
			continue
		case 'v':
			p.look()
			continue
		}
		p.w.returned(p.id, got)
	}
}

// look reads what the view of the last snapshot has.
func (p *mproc) look() {
	for i, k := range []int{2, 0, 1, 2, 0} {
		p.saw = append(p.saw[:0], 2000+p.op, i, p.view.id)
		if v := p.find(p.view, k); !p.w.lin.viewed(p.id, k, v) {
			p.w.wrong = fmt.Sprintf("process %d: its view has %d for key %d", p.id, v, k)
		}
	}
	p.w.lin.forget(p.id)
}

func (w *world) returned(id int, got int8) {
	if !w.lin.returned(id, got) {
		w.wrong = fmt.Sprintf("process %d: %d is what no order of the operations explains", id, got)
	}
}

// A monitor knows all the states that a map could be in, and which of the operations
// that have begun have acted then. It begins with one, and if none is left, the
// operations are not linearizable.
type monitor []config

type config struct {
	ent   [3]int8
	calls [3]struct {
		call
		open, acted bool
		got         int8
	}
	view [3][3]int8 // of each process
}

func (m *monitor) call(id int, c call) {
	for i := range *m {
		p := &(*m)[i].calls[id]
		p.call, p.open, p.acted = c, true, false
	}
	m.act()
}

// act adds the states in which more operations have acted.
func (m *monitor) act() {
	for i := 0; i < len(*m); i++ {
		for id := range (*m)[i].calls {
			c := (*m)[i]
			p := &c.calls[id]
			if !p.open || p.acted {
				continue
			}
			p.acted, p.got = true, 0
			switch p.what {
			case 'l':
				p.got = c.ent[p.key]
			case 'p', 'd':
				p.got, c.ent[p.key] = c.ent[p.key], p.value
			case 'c':
				c.ent = [3]int8{}
			case 's', 't':
				c.view[id] = c.ent
			}
			if !slices.Contains(*m, c) {
				*m = append(*m, c)
			}
		}
	}
}

func (m *monitor) returned(id int, got int8) bool {
	var all monitor
	for _, c := range *m {
		p := &c.calls[id]
		if !p.acted || p.got != got {
			continue
		}
		p.open, p.acted, p.got, p.call = false, false, 0, call{}
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	*m = all
	return len(all) > 0
}

func (m *monitor) viewed(id, key int, v int8) bool {
	*m = slices.DeleteFunc(*m, func(c config) bool { return c.view[id][key] != v })
	return len(*m) > 0
}

// forget says that nobody looks at a view any more.
func (m *monitor) forget(id int) {
	var all monitor
	for _, c := range *m {
		c.view[id] = [3]int8{}
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	*m = all
}

// ends reports whether a map can have that when all operations have returned.
func (m *monitor) ends(has [3]int8) bool {
	return slices.ContainsFunc(*m, func(c config) bool { return c.ent == has })
}

// has returns what the map has when all operations have returned.
func (w *world) has() [3]int8 {
	final := func(in *minode) *mnode {
		switch n := in.main; {
		case n.prev == nil:
			return n
		case n.prev.mark:
			return n.prev.prev
		default:
			return n.prev
		}
	}
	r := w.root
	for r.main == nil {
		r = r.before
	}
	top := final(&r.minode)
	if top.kid == nil {
		return top.ent
	}
	return merged(top.ent, final(top.kid).ent)
}

// start makes the world what it is at first.
func (w *world) start() {
	leaf := &mnode{id: 1, ent: [3]int8{5, 0, 6}}
	kid := &minode{id: 2, gen: 4, main: leaf}
	top := &mnode{id: 3, ent: [3]int8{0, 7, 0}, kid: kid}
	r := &mroot{minode: minode{id: 4, gen: 4, main: top}}
	*w = world{fault: w.fault, weak: w.weak, scripts: w.scripts, root: r,
		nodes: []*mnode{leaf, top}, ins: []*minode{kid, &r.minode}, roots: []*mroot{r},
		lin: monitor{{ent: [3]int8{5, 7, 6}}}}
	for i, s := range w.scripts {
		p := &mproc{w: w, id: i}
		p.next, p.stop = iter.Pull(func(yield func(struct{}) bool) {
			defer func() {
				if r := recover(); r != nil && r != (stopped{}) {
					panic(r)
				}
			}()
			p.yield = yield
			p.run(s)
		})
		w.procs = append(w.procs, p)
		p.move()
	}
}

func (p *mproc) move() {
	if _, ok := p.next(); !ok {
		p.done = true
	}
}

func (w *world) end() {
	for _, p := range w.procs {
		p.stop()
	}
}

// turns returns who can go on: process i, or by i+10 the first of its stores.
func (w *world) turns() (turns []int) {
	for i, p := range w.procs {
		if !p.done && !(p.barrier && len(p.buffer) > 0) {
			turns = append(turns, i)
		}
		if len(p.buffer) > 0 {
			turns = append(turns, i+10)
		}
	}
	return turns
}

func (w *world) turn(i int) {
	if i >= 10 {
		p := w.procs[i-10]
		p.buffer[0].do()
		p.buffer = p.buffer[1:]
		return
	}
	w.procs[i].move()
}

// key names the state.
func (w *world) key(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var s []int
	s = append(s, w.root.id)
	byID := func(a, b int) int { return a - b }
	add := func(x ...int) { s = append(s, x...) }
	slices.SortFunc(w.nodes, func(a, b *mnode) int { return byID(a.id, b.id) })
	for _, n := range w.nodes {
		add(n.id, n.prev.name())
	}
	slices.SortFunc(w.ins, func(a, b *minode) int { return byID(a.id, b.id) })
	for _, in := range w.ins {
		add(in.id, in.main.name())
	}
	slices.SortFunc(w.roots, func(a, b *mroot) int { return byID(a.id, b.id) })
	for _, r := range w.roots {
		add(r.id, r.before.name(), r.first.name())
	}
	for _, p := range w.procs {
		add(-10-p.id, p.made, p.view.name(), len(p.saw))
		add(p.saw...)
		add(len(p.buffer))
		if p.done {
			add(-5)
		}
	}
	for _, x := range s {
		maphash.WriteComparable(&h, x)
	}
	for _, p := range w.procs {
		for _, b := range p.buffer {
			h.WriteString(b.name)
		}
	}
	sum := h.Sum64()
	for _, c := range w.lin { // in no order
		sum += maphash.Comparable(seed, c)
	}
	return sum
}

// explore looks at all states of w up to a limit, and returns how many there are,
// and what is wrong in the first that is, with the way there.
func (w *world) explore(limit int) (states int, wrong string) {
	seed := maphash.MakeSeed()
	seen := map[uint64]bool{}
	var stack [][]int
	visit := func(way []int) string {
		w.start()
		defer w.end()
		for _, i := range way {
			w.turn(i)
		}
		// Go on as long as there is something new.
		for {
			if w.wrong != "" {
				return w.wrong + "\n\t" + fmt.Sprint(way)
			}
			k := w.key(seed)
			if seen[k] {
				return ""
			}
			seen[k] = true
			turns := w.turns()
			if len(turns) == 0 {
				if has := w.has(); !w.lin.ends(has) {
					return fmt.Sprintf("in the end the map has %d\n\t%v", has, way)
				}
				return ""
			}
			for _, i := range turns[1:] {
				stack = append(stack, append(slices.Clone(way), i))
			}
			way = append(slices.Clone(way), turns[0])
			w.turn(turns[0])
			if len(way) > 400 {
				return "nobody comes to an end\n\t" + fmt.Sprint(way)
			}
		}
	}
	wrong = visit(nil)
	for wrong == "" && len(stack) > 0 && len(seen) < limit {
		way := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		wrong = visit(way)
	}
	if wrong == "" && len(stack) > 0 {
		wrong = fmt.Sprintf("more than %d states", limit)
	}
	return len(seen), wrong
}

// Operations of the worlds.
func put(key int, v int8) call { return call{'p', key, v} }
func del(key int) call         { return call{'d', key, 0} }
func load(key int) call        { return call{'l', key, 0} }

var (
	snap = call{what: 's'} // take and look
	take = call{what: 't'}
	look = call{what: 'v'}
	wipe = call{what: 'c'}
)

// worlds are what is explored: scripts of two or three processes.
func worlds() [][][]call {
	w := [][][]call{
		{{snap, put(0, 1), snap}},
		{{put(0, 1)}, {snap}},
		{{put(1, 1)}, {snap}},
		{{put(0, 1)}, {snap, put(1, 2)}},
		{{put(0, 1)}, {load(0), take, load(0), look}},
		{{del(2)}, {put(0, 1)}},
		{{del(2)}, {load(0), load(2)}},
		{{del(2)}, {wipe, snap}},
		{{del(2)}, {put(0, 1), snap}}, // in full only in the long form
	}
	if stress.Long() {
		w = append(w,
			[][]call{{snap, put(1, 1)}, {put(1, 2), snap}},
			[][]call{{put(0, 1)}, {snap}, {load(0)}},
			[][]call{{put(1, 1)}, {snap}, {load(1)}},
			[][]call{{put(0, 1), put(0, 2)}, {snap, snap}},
			[][]call{{del(2), put(0, 1)}, {take, put(1, 1), look}},
			[][]call{{del(2)}, {del(0)}, {load(0)}},
		)
	}
	return w
}

const tooMany = 3_000_000

// Nothing goes wrong in any order of the steps, also where stores are seen late.
func TestModel(t *testing.T) {
	if stress.Race {
		t.Skip("one goroutine after the other")
	}
	for i, scripts := range worlds() {
		for _, weak := range []bool{false, true} {
			if !stress.Long() && (i > 7 || weak && i > 2) || weak && i > 9 {
				continue // the stores of the last are those of the others
			}
			t.Run(fmt.Sprintf("world=%d/weak=%t", i, weak), func(t *testing.T) {
				w := &world{scripts: scripts, weak: weak}
				n, wrong := w.explore(tooMany)
				if wrong != "" {
					t.Errorf("after %d states: %s", n, wrong)
				}
				t.Logf("%d states", n)
			})
		}
	}
}

// Each step of the protocol is needed: without it, something goes wrong in one of the
// worlds.
func TestModelFails(t *testing.T) {
	if stress.Race {
		t.Skip("one goroutine after the other")
	}
	in := map[fault]int{ // the world that shows it, if not one of the first
		readsUncommitted: 4, readsWithoutRoot: 4,
		tombsLive: 5, cleansFresh: 5, lostIsDone: 5, cleansUnsettled: 8,
	}
	for f := sound + 1; f < faults; f++ {
		found := false
		for i, scripts := range worlds() {
			if i < in[f] || found {
				continue
			}
			w := &world{scripts: scripts, fault: f}
			n, wrong := w.explore(tooMany)
			found = wrong != ""
			t.Logf("%v: world %d, after %d states: %s", f, i, n, wrong)
		}
		if !found {
			t.Errorf("%v, and nothing is wrong", f)
		}
	}
}

package snapmap_test

import (
	"fmt"
	"hash/maphash"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// The model is the protocol of protocol.md, action by action as the code does them,
// small enough that all interleavings can be looked at: two shards, of one page of two
// keys each; a writer, two readers, one who takes snapshots, one who replaces the
// index. What it leaves out: buckets, tags, and pages that are divided.
//
// The writer's values go up, one key after the other. So it is easily said what is
// right: no operation returns less than what was known when it began, or more than
// what has begun; and a view has what was there after some of the writes.

// A fault is one that is planted.
type fault int

const (
	sound             fault = iota
	treeFirst               // pages get into the tree before the index
	lateLast                // the last view goes after the change
	openIndex               // the index is replaced while the gate is open
	unlockedFill            // a reader fills the index without the lock
	openSnapshot            // a snapshot looks at the locks while the gate is open
	noLook                  // a snapshot shuts the gate, and looks at no lock
	noGate                  // writers do not look at the gate
	gateFirst               // writers look at the gate before they lock
	gateLast                // writers read what is replaced before they look at the gate
	lateLock                // that a lock is held is seen late
	earlyOpen               // the gate opens before the new generation
	alwaysFresh             // all entries of a copy are fresh
	neverOld                // pages of old generations are changed
	keepsGeneration         // a snapshot begins no generation
	unlockBeforeStore       // the writer unlocks before it publishes
	faults
)

func (f fault) String() string {
	return [...]string{"sound", "the tree first", "last goes late", "the index is replaced while the gate is open",
		"slots are filled without the lock", "a snapshot while the gate is open", "a snapshot looks at no lock",
		"writers do not look at the gate", "writers look at the gate before they lock", "writers look at the gate last", "a lock is seen late",
		"the gate opens too early", "all entries are fresh", "old pages are changed", "no new generation", "unlocks before it publishes"}[f]
}

// A write is one operation of the writer.
type write struct{ shard, key, value int8 }

// model is what is explored.
type model struct {
	fault  fault
	weak   bool // the writer's stores are seen late, in their order: by an unlock at the latest
	writes []write
	loads  []write // shard and key of each Load

	readers, snapshots int8
}

type modelPage struct {
	gen   int8
	entry [2]int8
	fresh [2]bool
}

// words are what is stored to by sync/atomic.
type words struct {
	cur   int8
	index [2][2]int8 // page; 0: nil
	tree  [2]int8
	pages [8]modelPage
	value [8]int8 // of entries
	last  [2]int8 // roots; 0: nil
}

type mstate struct {
	words
	gen            int8
	lock           [2]int8 // who has it, + 1
	shut           int8    // who has shut the gate, + 1
	nPages         int8
	nEntries       int8
	known, begun   [2][2]int8
	proc           [5]mproc
	buffer         [6]store
	buffered       int8
	wrong          string
	begunN, knownN int8 // of the writes
}

// A store waits to be seen.
type store struct{ what, a, b, value int8 }

type mproc struct {
	pc, n      int8 // where it is, and in which operation
	x, page, e int8
	floor      [2][2]int8
	roots      [2]int8
	has        [2][2]int8
	floorN     int8
}

func (m *model) start() mstate {
	s := mstate{nPages: 3, nEntries: 5}
	for i := range int8(2) {
		s.pages[1+i] = modelPage{entry: [2]int8{1 + 2*i, 2 + 2*i}, fresh: [2]bool{true, true}}
		s.tree[i] = 1 + i
	}
	return s
}

// Words of stores.
const (
	toIndex = iota
	toTree
	toLast
	toValue
	toPage
	toLock
)

func (s *mstate) apply(t store) {
	switch t.what {
	case toIndex:
		s.index[t.a][t.b] = t.value
	case toTree:
		s.tree[t.a] = t.value
	case toLast:
		s.last = [2]int8{}
	case toValue:
		s.value[t.a] = t.value
	case toLock:
		s.lock[t.a] = t.value
	case toPage:
		s.pages[t.a].entry[t.b] = t.value
		s.pages[t.a].fresh[t.b] = true
	}
}

// store is one of the writer's.
func (m *model) store(s *mstate, t store) {
	if m.weak {
		s.buffer[s.buffered] = t
		s.buffered++
		return
	}
	s.apply(t)
}

// moves calls move with each state that one action leads to.
func (m *model) moves(s mstate, move func(to mstate, what string)) {
	if s.buffered > 0 {
		to := s
		to.apply(s.buffer[0])
		copy(to.buffer[:], s.buffer[1:])
		to.buffer[len(to.buffer)-1] = store{}
		to.buffered--
		move(to, "a store is seen")
	}
	m.writer(s, move)
	for r := range m.readers {
		m.reader(s, 1+r, move)
	}
	m.snapshotter(s, move)
	m.replacer(s, move)
}

func (m *model) writer(s mstate, move func(mstate, string)) {
	p := &s.proc[0]
	if int(p.n) == len(m.writes) {
		return
	}
	w := m.writes[p.n]
	unlock := func() {
		s.lock[w.shard] = 0
	}
	done := func() {
		s.known[w.shard][w.key] = max(s.known[w.shard][w.key], w.value)
		s.knownN = max(s.knownN, p.n+1)
		p.n++
		p.pc = 0
		p.x, p.page = 0, 0
	}
	switch p.pc {
	case 0:
		if s.lock[w.shard] != 0 || m.fault == gateFirst && s.shut != 0 && p.x == 0 {
			return
		}
		if m.fault == gateFirst && p.x == 0 {
			p.x = 1
			move(s, "writer looks at the gate")
			return
		}
		if m.fault == lateLock {
			m.store(&s, store{toLock, w.shard, 0, 1})
		} else {
			s.lock[w.shard] = 1
		}
		s.begun[w.shard][w.key] = w.value
		s.begunN = p.n + 1
		p.x = s.cur
		p.pc = 7
		if m.fault == noGate || m.fault == gateFirst {
			p.pc = 1
		}
		move(s, "writer locks")
	case 7:
		if s.shut != 0 {
			if s.buffered > 0 {
				return // an unlock waits for it
			}
			unlock()
			p.pc = 0
			move(s, "writer sees that the gate is shut")
			return
		}
		p.pc = 1
		move(s, "writer sees that the gate is open")
	case 1:
		if m.fault != gateLast {
			p.x = s.cur
		}
		p.page = s.index[p.x][w.shard]
		if p.page == 0 {
			p.page = s.tree[w.shard]
			s.index[p.x][w.shard] = p.page
		}
		p.pc = 2
		move(s, "writer finds the page")
	case 2:
		page := s.pages[p.page]
		switch own := page.gen == s.gen || m.fault == neverOld; {
		case own && page.fresh[w.key]:
			m.store(&s, store{toValue, page.entry[w.key], 0, w.value})
			p.pc = 6
			move(s, "writer changes the value")
		case own:
			e := s.nEntries
			s.nEntries++
			s.value[e] = w.value
			m.store(&s, store{toPage, p.page, w.key, e})
			p.pc = 6
			move(s, "writer puts a new entry")
		default:
			e, n := s.nEntries, s.nPages
			s.nEntries++
			s.nPages++
			s.value[e] = w.value
			page.gen = s.gen
			page.fresh = [2]bool{m.fault == alwaysFresh, m.fault == alwaysFresh}
			page.entry[w.key], page.fresh[w.key] = e, true
			s.pages[n] = page
			p.page = n
			p.pc = 3
			if m.fault == lateLast {
				p.pc = 4
			}
			if m.fault == unlockBeforeStore {
				unlock()
			}
			move(s, "writer copies the page")
		}
	case 3:
		m.store(&s, store{what: toLast})
		p.pc = 4
		if m.fault == lateLast {
			p.pc = 6
		}
		move(s, "writer: there is no last view")
	case 4, 5:
		if (p.pc == 4) == (m.fault != treeFirst) {
			m.store(&s, store{toIndex, p.x, w.shard, p.page})
		} else {
			m.store(&s, store{toTree, w.shard, 0, p.page})
		}
		p.pc++
		if p.pc == 6 && m.fault == lateLast {
			p.pc = 3
		}
		move(s, "writer publishes")
	case 6:
		if s.buffered > 0 {
			return // an unlock waits for it
		}
		if s.lock[w.shard] == 1 {
			unlock()
		}
		done()
		move(s, "writer unlocks")
	}
}

// saw checks what an operation has seen, and makes it known.
func (s *mstate) saw(p *mproc, shard, key, v int8) {
	if v < p.floor[shard][key] {
		s.wrong = fmt.Sprintf("key %d of shard %d goes back to %d; %d was known", key, shard, v, p.floor[shard][key])
	}
	if v > s.begun[shard][key] {
		s.wrong = "a value that nobody has stored"
	}
	s.known[shard][key] = max(s.known[shard][key], v)
}

func (m *model) reader(s mstate, id int8, move func(mstate, string)) {
	p := &s.proc[id]
	if int(p.n) == len(m.loads) {
		return
	}
	l := m.loads[p.n]
	who := fmt.Sprintf("reader %d ", id)
	switch p.pc {
	case 0:
		p.floor = s.known
		p.x = s.cur
		p.pc = 1
		move(s, who+"reads the index")
	case 1:
		p.page = s.index[p.x][l.shard]
		p.pc = 4
		if p.page == 0 {
			p.pc = 2
		}
		move(s, who+"reads the slot")
	case 2:
		p.page = s.tree[l.shard]
		p.pc = 4
		move(s, who+"walks the tree")
		if s.lock[l.shard] == 0 || m.fault == unlockedFill {
			p.pc = 3
			if m.fault != unlockedFill {
				s.lock[l.shard] = id + 1
			}
			move(s, who+"walks the tree, and locks")
		}
	case 3:
		if m.fault == unlockedFill {
			s.index[p.x][l.shard] = p.page
		} else {
			if s.shut == 0 && s.index[s.cur][l.shard] == 0 {
				s.index[s.cur][l.shard] = s.tree[l.shard]
			}
			s.lock[l.shard] = 0
		}
		p.pc = 4
		move(s, who+"fills the slot")
	case 4:
		p.e = s.pages[p.page].entry[l.key]
		p.pc = 5
		move(s, who+"reads the page")
	case 5:
		v := s.value[p.e]
		s.saw(p, l.shard, l.key, v)
		*p = mproc{n: p.n + 1}
		move(s, fmt.Sprintf("%sreads %d", who, v))
	}
}

func (s *mstate) view(roots [2]int8) (has [2][2]int8) {
	for i, root := range roots {
		for k := range has[i] {
			has[i][k] = s.value[s.pages[root].entry[k]]
		}
	}
	return has
}

// snapshotter takes snapshots, and looks at each twice.
func (m *model) snapshotter(s mstate, move func(mstate, string)) {
	const id = 3
	p := &s.proc[id]
	if p.n == m.snapshots {
		return
	}
	switch p.pc {
	case 0:
		p.floor, p.floorN = s.known, s.knownN
		p.pc = 1
		if s.last[0] != 0 {
			p.roots = s.last
			p.pc = 6
		}
		move(s, "snapshot reads last")
	case 1:
		if s.shut != 0 {
			return
		}
		if m.fault != openSnapshot {
			s.shut = id + 1
		}
		p.pc = 2
		if m.fault == noLook {
			p.pc = 4
		}
		move(s, "snapshot shuts the gate")
	case 2, 3:
		if s.lock[p.pc-2] != 0 {
			return
		}
		p.pc++
		move(s, "snapshot sees that a shard is free")
	case 4, 5:
		sh := p.pc - 4
		p.roots[sh] = s.tree[sh]
		p.pc++
		if p.pc == 6 {
			p.pc = 8
		}
		move(s, "snapshot reads a root")
	case 8:
		if m.fault == earlyOpen {
			s.shut = 0
			p.pc = 9
			move(s, "snapshot opens the gate")
			return
		}
		fallthrough
	case 9:
		if s.last[0] != 0 {
			p.roots = s.last
		} else {
			if m.fault != keepsGeneration {
				s.gen++
			}
			s.last = p.roots
		}
		p.pc = 10
		move(s, "snapshot begins a generation")
	case 10:
		if s.shut == id+1 {
			s.shut = 0
		}
		p.pc = 6
		move(s, "snapshot opens the gate")
	case 6:
		p.has = s.view(p.roots)
		right := false
		var after [2][2]int8
		for n := 0; n <= len(m.writes); n++ {
			if n > 0 {
				w := m.writes[n-1]
				after[w.shard][w.key] = w.value
			}
			right = right || after == p.has && n >= int(p.floorN) && n <= int(s.begunN)
		}
		if !right {
			s.wrong = fmt.Sprintf("a view has %v, which was at no moment", p.has)
		}
		for i := range p.has {
			for k, v := range p.has[i] {
				s.saw(p, int8(i), int8(k), v)
			}
		}
		p.pc = 7
		move(s, "view is read")
	case 7:
		if p.has != s.view(p.roots) {
			s.wrong = fmt.Sprintf("a view had %v, and has %v", p.has, s.view(p.roots))
		}
		*p = mproc{n: p.n + 1}
		move(s, "view is read again")
	}
}

func (m *model) replacer(s mstate, move func(mstate, string)) {
	const id = 4
	p := &s.proc[id]
	if p.n == 1 {
		return
	}
	switch p.pc {
	case 0:
		if s.shut != 0 {
			return
		}
		p.pc = 3
		if m.fault != openIndex {
			s.shut = id + 1
			p.pc = 1
		}
		move(s, "another index: shuts the gate")
	case 1, 2:
		if s.lock[p.pc-1] != 0 {
			return
		}
		p.pc++
		move(s, "another index: a shard is free")
	case 3:
		s.cur = 1 // whose slots are nil
		p.pc = 4
		move(s, "another index")
	case 4:
		if s.shut == id+1 {
			s.shut = 0
		}
		*p = mproc{n: 1}
		move(s, "another index: opens the gate")
	}
}

// explore visits all states that m can be in, the nearest first, up to one that is
// wrong, and returns how many it has seen, what was wrong, and the way there. It knows
// states by a hash of 64 bits.
func (m *model) explore(limit int) (states int, wrong string) {
	type origin struct {
		from int32
		turn int32
	}
	type visit struct {
		s  mstate
		at int32
	}
	seed := maphash.MakeSeed()
	from := []origin{{-1, 0}}
	seen := map[uint64]struct{}{maphash.Comparable(seed, m.start()): {}}
	wave := []visit{{m.start(), 0}}
	for len(wave) > 0 && len(from) < limit {
		var next []visit
		for _, v := range wave {
			if v.s.wrong != "" {
				return len(from), v.s.wrong + "\n\t" + strings.Join(m.way(func(yield func(int32)) {
					for at := v.at; from[at].from >= 0; at = from[at].from {
						yield(from[at].turn)
					}
				}), "\n\t")
			}
			turn := int32(0)
			m.moves(v.s, func(to mstate, _ string) {
				h := maphash.Comparable(seed, to)
				if _, ok := seen[h]; !ok {
					seen[h] = struct{}{}
					next = append(next, visit{to, int32(len(from))})
					from = append(from, origin{v.at, turn})
				}
				turn++
			})
			if turn == 0 && (int(v.s.proc[0].n) < len(m.writes) || v.s.proc[3].n < m.snapshots || v.s.lock != [2]int8{} || v.s.shut != 0) {
				return len(from), "nobody can go on"
			}
		}
		wave = next
	}
	if len(wave) > 0 {
		return len(from), fmt.Sprintf("more than %d states", limit)
	}
	return len(from), ""
}

// way names the actions of turns, which come last first.
func (m *model) way(each func(func(int32))) (way []string) {
	var turns []int32
	each(func(turn int32) { turns = append(turns, turn) })
	s := m.start()
	for i := len(turns) - 1; i >= 0; i-- {
		turn, before := int32(0), s
		m.moves(before, func(to mstate, what string) {
			if turn == turns[i] {
				s = to
				way = append(way, what)
			}
			turn++
		})
	}
	return way
}

// worlds are what is explored.
func worlds() []model {
	w := []model{
		{writes: []write{{0, 0, 1}, {0, 1, 1}}, loads: []write{{0, 1, 0}}, readers: 1, snapshots: 1},
	}
	if stress.Long() {
		w = append(w,
			model{writes: []write{{0, 0, 1}, {0, 0, 2}}, loads: []write{{0, 0, 0}}, readers: 2, snapshots: 2},
			model{writes: []write{{0, 0, 1}, {0, 1, 1}}, loads: []write{{0, 1, 0}}, readers: 2, snapshots: 2},
			model{writes: []write{{0, 0, 1}, {1, 0, 1}}, loads: []write{{1, 0, 0}}, readers: 2, snapshots: 2},
			model{writes: []write{{0, 0, 1}, {1, 0, 1}, {0, 0, 2}}, loads: []write{{0, 0, 0}, {0, 0, 0}}, readers: 1, snapshots: 2})
	}
	return w
}

const tooMany = 5_000_000

// Nothing goes wrong in any order of the steps, also where the writer's stores are
// seen late.
func TestModel(t *testing.T) {
	for i, m := range worlds() {
		for _, m.weak = range []bool{false, true} {
			n, wrong := m.explore(tooMany)
			if wrong != "" {
				t.Errorf("world %d, weak %t: after %d states: %s", i, m.weak, n, wrong)
			}
			t.Logf("world %d, weak %t: %d states", i, m.weak, n)
		}
	}
}

// Each step of the protocol is needed: without it, something goes wrong in one of the
// worlds.
func TestModelFails(t *testing.T) {
	for f := sound + 1; f < faults; f++ {
		if !stress.Long() && f != alwaysFresh && f != neverOld && f != keepsGeneration && f != lateLock {
			continue // needs a larger world
		}
		found := false
		for _, m := range worlds() {
			m.fault = f
			m.weak = f == lateLock
			n, wrong := m.explore(tooMany)
			if wrong != "" {
				t.Logf("%v: after %d states: %s", f, n, wrong)
				found = true
				break
			}
		}
		if !found {
			t.Errorf("%v, and nothing is wrong", f)
		}
	}
}

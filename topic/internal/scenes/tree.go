package main

import (
	"unsafe"

	"github.com/gopayoff/payoff/internal/world"
)

// A tree is a model of the subject list of nats-server (server/sublist.go): which cache
// lines its operations read and write, and under which lock. A tree of maps has the
// subscriptions, and a cache the results of subjects, of which all are kept here. One
// read-write lock is for both, and beside it, on its line, are counters of all Matches
// and of those that the cache answers. What a call computes is work for about as long
// as it takes alone.
type tree struct {
	head    cacheLine
	lock    rwLock
	results []cacheLine // of the cache's map
	nodes   []cacheLine // of the tree
	cached  []bool
	some    int // of them
}

type cacheLine [64]byte

const (
	hash      = 25  // of a subject, and a step in a map
	walk      = 350 // through the tree
	alloc     = 60  // of a result
	fix       = 12  // to look whether a cached subject matches a pattern
	nodeLines = 512
)

func newTree(subjects int) *tree {
	return &tree{results: make([]cacheLine, subjects), nodes: make([]cacheLine, nodeLines), cached: make([]bool, subjects)}
}

// of returns a number that a string is spread to.
func of(s string, n int) int {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return int(h>>32) % n
}

func (t *tree) match(subject string) {
	stores(&t.head) // the Match is counted
	t.lock.rLock(&t.head)
	world.Work(hash)
	i := of(subject, len(t.results))
	loads(&t.results[i])
	hit := t.cached[i]
	t.lock.rUnlock(&t.head)
	if hit {
		stores(&t.head) // and so is that the cache answers
		return
	}
	t.lock.lock(&t.head)
	for level := range 4 {
		loads(&t.nodes[of(subject[level:], nodeLines)])
		loads(&t.nodes[of(subject[level+1:], nodeLines)])
	}
	world.Work(walk + alloc)
	stores(&t.results[i])
	if !t.cached[i] {
		t.cached[i] = true
		t.some++
	}
	t.lock.unlock(&t.head)
}

func (t *tree) subscribe(pattern string) func() {
	t.change(pattern)
	return func() { t.change(pattern) }
}

// change adds or removes a subscription, and mends the cache: one result for a pattern
// without wildcards, all that it matches for others, which are looked for.
func (t *tree) change(pattern string) {
	wild := false
	for _, b := range pattern {
		wild = wild || b == '*' || b == '>'
	}
	world.Work(hash)
	t.lock.lock(&t.head)
	for level := range 4 {
		loads(&t.nodes[of(pattern[level:], nodeLines)])
	}
	world.Work(walk / 2)
	stores(&t.nodes[of(pattern, nodeLines)])
	if wild {
		for i := 0; i < len(t.results); i += 8 {
			loads(&t.results[i])
			world.Work(8 * fix)
		}
	}
	stores(&t.results[of(pattern, len(t.results))])
	world.Work(alloc)
	t.lock.unlock(&t.head)
}

func loads(at *cacheLine)  { world.Touch(uintptr(unsafe.Pointer(at)), false) }
func stores(at *cacheLine) { world.Touch(uintptr(unsafe.Pointer(at)), true) }

// An rwLock is sync.RWMutex, of which all words are in one line.
type rwLock struct {
	held    bool // by a writer that is, or comes
	readers int  // that hold it
	writer  world.Waiter
	waits   bool           // the writer, for readers
	out     []world.Waiter // readers that wait for the writer
	queue   []world.Waiter // writers that wait for the writer
}

func (l *rwLock) rLock(at *cacheLine) {
	stores(at)
	if !l.held {
		l.readers++
		return
	}
	l.out = append(l.out, world.Self()) // whoever wakes it counts it
	world.Park()
}

func (l *rwLock) rUnlock(at *cacheLine) {
	stores(at)
	if l.readers--; l.readers == 0 && l.waits {
		l.waits = false
		world.Ready(l.writer)
	}
}

func (l *rwLock) lock(at *cacheLine) {
	for stores(at); l.held; stores(at) {
		for spins := 0; l.held && spins < 4 && world.Spin(); spins++ {
			loads(at)
		}
		if !l.held {
			continue
		}
		l.queue = append(l.queue, world.Self())
		world.Park()
	}
	l.held = true
	stores(at) // readers see it
	if l.readers > 0 {
		l.writer, l.waits = world.Self(), true
		world.Park()
	}
}

func (l *rwLock) unlock(at *cacheLine) {
	stores(at)
	l.held = false
	out := l.out
	l.out = nil
	l.readers += len(out)
	for _, r := range out {
		world.Ready(r)
	}
	stores(at)
	if len(l.queue) > 0 {
		first := l.queue[0]
		l.queue = l.queue[1:]
		world.Ready(first)
	}
}

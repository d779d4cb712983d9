package a

import (
	"sync"
	"sync/atomic"
)

// Padded.

type wide struct {
	mu sync.Mutex
	_  [56]byte
}

type padded struct {
	n atomic.Int64
	_ [120]byte
}

var (
	wides   [8]wide
	paddeds [8]padded
)

func _(i int) {
	wides[i%8].mu.Lock()
	paddeds[i%8].n.Add(1)
}

// Larger than a line.

type big struct {
	mu  sync.Mutex
	buf [200]byte
}

var bigs [8]big

func _(i int) { bigs[i%8].mu.Lock() }

// Pointers to what is allocated far apart: who knows.

type one struct{ mu sync.Mutex }

var ones [4]*one

func _(i int) {
	ones[i%4] = &one{}
	ones[i%4].mu.Lock()
}

// A hash trie: slots are set, not counted.

type node struct{ children [16]atomic.Pointer[node] }

func (n *node) walk(hash uint) *node {
	for ; n != nil; hash >>= 4 {
		n = n.children[hash&15].Load()
	}
	return n
}

// A loop goes over all of them.

type account struct {
	mu sync.Mutex
	n  int
}

func audit(all []account) (n int) {
	for i := range all {
		all[i].mu.Lock()
		n += all[i].n
		all[i].mu.Unlock()
	}
	return n
}

// A fixed one.

var levels [4]atomic.Int64

func _() { levels[2].Add(1) }

// A table of numbers that nobody adds to.

var table [256]uint64

func _(i int) uint64 { return table[i&255] }

// Flags.

var flags [8]atomic.Bool

func _(i int) { flags[i%8].Store(true) }

// No variable chooses what nil chooses.
func atNil(m map[*int]int) { m[nil]++ }

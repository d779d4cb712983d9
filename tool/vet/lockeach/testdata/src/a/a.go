package a

import "sync"

// index has lengths of documents.
type index struct {
	mu      sync.RWMutex
	lengths map[int]int
	n       int
}

func newIndex(xs []int) *index {
	ix := &index{lengths: map[int]int{}}
	for i, x := range xs { // want "ix.mu is locked in each iteration"
		ix.mu.Lock()
		ix.lengths[i] = x
		ix.n++
		ix.mu.Unlock()
	}
	return ix
}

// Length is the number of terms of a document.
func (ix *index) Length(id int) int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.lengths[id]
}

// has is called by one loop.
func (ix *index) has(id int) bool {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return id < ix.n && ix.lengths[id] > 0
}

func total(xs []int) (sum int) {
	ix := newIndex(xs)
	for i := range xs { // want "ix.mu is locked in each iteration"
		sum += ix.Length(i) * ix.Length(i)
	}
	return sum
}

func counted(xs []int) (n int) {
	ix := newIndex(xs)
	// Each of them.
	for i := 0; i < len(xs); i++ { // want "ix.mu is locked in each iteration"
		if !ix.has(i) {
			continue
		}
		if ix.has(i) {
			n++
		}
	}
	return n
}

var (
	mu   sync.Mutex
	seen = map[int]int{}
)

func note(xs []int) int {
	for _, x := range xs { // want "mu is locked in each iteration"
		mu.Lock()
		seen[x]++
		mu.Unlock()
	}
	mu.Lock()
	defer mu.Unlock()
	n := seen[0]
	clear(seen)
	return n
}

// A sizer has a size that an interface asks for.
type sizer interface{ size() int }

type part struct {
	mu sync.Mutex
	n  int
}

var _ sizer = (*part)(nil)

func (x *part) size() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return -x.n
}

func sizes(n int) (sum int) {
	x := &part{n: n}
	for range n { // want "x.mu is locked in each iteration"
		sum += -x.size()
	}
	return sum
}

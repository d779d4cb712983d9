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

// size is called by one loop.
func (ix *index) size() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return len(ix.lengths)
}

func total(xs []int) (sum int) {
	ix := newIndex(xs)
	for i := range xs { // want "ix.mu is locked in each iteration"
		sum += ix.Length(i) * ix.Length(xs[i])
	}
	return sum
}

func counted(xs []int) (n int) {
	ix := newIndex(xs)
	// Each of them.
	for i := 0; i < len(xs); i++ { // want "ix.mu is locked in each iteration"
		if ix.size() < i {
			continue
		}
		n += ix.size()
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

type list struct {
	mu sync.Mutex
	xs []int
}

func (l *list) at(i int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.xs[i]
}

// There may be no such element.
func picked(l *list, is []int) (sum int) {
	for _, i := range is { // want "l.mu is locked in each iteration"
		sum += l.at(i)
	}
	return sum
}

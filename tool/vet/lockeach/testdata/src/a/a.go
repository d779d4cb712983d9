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

func total(xs []int) (sum int) {
	ix := newIndex(xs)
	// Each of them.
	for i := 0; i < len(xs); i++ { // want "ix.mu is locked in each iteration"
		ix.mu.RLock()
		if xs[i] > 0 {
			sum += ix.lengths[i]
		}
		ix.mu.RUnlock()
	}
	return sum
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

// It may call what waits.
func told(xs []int, f func(int) int) int {
	ix := newIndex(xs)
	for _, x := range xs { // want "ix.mu is locked in each iteration"
		ix.mu.Lock()
		ix.n += f(x)
		ix.mu.Unlock()
	}
	return ix.n
}

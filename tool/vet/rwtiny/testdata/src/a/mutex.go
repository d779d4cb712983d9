package a

import "sync"

// An embedded lock, and one of the package.

type list struct {
	sync.RWMutex
	items []int
}

func (l *list) at(i int) int {
	l.RLock() // want `l is read-locked for a word or two`
	defer l.RUnlock()
	return l.items[i]
}

func (l *list) add(n int) {
	l.Lock()
	l.items = append(l.items, n)
	l.Unlock()
}

var (
	titleMu sync.RWMutex
	title   string
)

func getTitle() string {
	titleMu.RLock() // want `titleMu is read-locked for a word or two`
	defer titleMu.RUnlock()
	return title
}

func setTitle(s string) {
	titleMu.Lock()
	title = s
	titleMu.Unlock()
}

// A key that cannot be compared panics, and the lock stays.

type anything struct {
	mu sync.RWMutex
	m  map[any]int
}

func (a *anything) get(k any) int {
	a.mu.RLock() // want `a.mu is read-locked`
	n := a.m[k]
	a.mu.RUnlock()
	return n
}

func (a *anything) set(k any, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.m[k] = n
}

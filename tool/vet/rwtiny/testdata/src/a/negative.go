package a

import (
	"sync"
	"time"
)

// A read that takes its time.

type index struct {
	mu sync.RWMutex
	m  map[string][]int
}

func (x *index) sum(key string) (n int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, v := range x.m[key] {
		n += v
	}
	return n
}

func (x *index) add(key string, v int) {
	x.mu.Lock()
	x.m[key] = append(x.m[key], v)
	x.mu.Unlock()
}

// A lock that only writers take.

type total struct {
	mu sync.Mutex
	n  int
}

func (t *total) add(n int) {
	t.mu.Lock()
	t.n += n
	t.mu.Unlock()
}

func (t *total) next() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	return t.n
}

// Something is made once.

type lazy struct {
	mu sync.Mutex
	at time.Time
}

func (l *lazy) get() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at.IsZero() {
		l.at = time.Now()
	}
	return l.at
}

// An atomic already.

var locked sync.Mutex

func only() {
	locked.Lock()
	defer locked.Unlock()
}

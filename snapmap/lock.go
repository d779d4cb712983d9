package snapmap

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/wait"
)

// A lock is a mutex of which others can see whether it is free. It is held for some ten
// nanoseconds, and takes some ten to come from another processor.
type lock struct {
	held  atomic.Bool
	queue sync.Mutex // of those who have tried for long: only one goes on trying
}

// try takes the lock if it is free, and reports whether it was.
func (l *lock) try() bool { return l.held.CompareAndSwap(false, true) }

func (l *lock) unlock() { l.held.Store(false) }

// slow takes a lock that was not free.
func (l *lock) slow() {
	for i := range tries {
		if pause(i); l.try() {
			return
		}
	}
	l.queue.Lock()
	for !l.try() {
		runtime.Gosched()
	}
	l.queue.Unlock()
}

// free waits until the lock is free, if only for a moment.
func (l *lock) free() {
	for i := 0; l.held.Load(); i++ {
		pause(i)
	}
}

const (
	shortTries = 8
	shortWait  = 64 // loads
	tries      = shortTries + wait.Tries
)

// pause waits before the i-th try, from 0: for about as long as a lock is held, some
// times, before it takes the holder for one that does not run.
func pause(i int) {
	if i >= shortTries {
		wait.Backoff(i - shortTries)
		return
	}
	var x atomic.Uint32
	for range shortWait {
		x.Load()
	}
}

// The rule: while the gate is shut, no writer keeps a lock.
//
// A gate is how one goroutine has all the locks of a Map at the price of looking at
// them. While it is shut nobody keeps a lock: who takes one looks at the gate, and if
// that is shut, unlocks and waits. So a lock that was seen free after the gate was
// shut is as good as taken.
//
// Either the one who takes a lock sees that the gate is shut, or the one who shuts it
// sees that the lock is held: each has stored before it loads.
type gate struct {
	shut atomic.Bool
	mu   sync.Mutex // of who shuts it
}

// wait waits until the gate is open, if only for a moment.
func (g *gate) wait() {
	for i := range tries {
		if pause(i); !g.shut.Load() {
			return
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
}

// open reports whether who holds a lock of s may keep it. The gate is looked at first:
// if it was open after the lock was taken, whoever has all locks later sees that this one
// is held, and what all stored that had them before is seen here.
func (m *Map[K, V]) open(s *shards[K, V]) bool {
	return !m.gate.shut.Load() && m.shards.Load() == s
}

// lock locks the shard of a hash.
func (m *Map[K, V]) lock(hash uint64) (*shards[K, V], *shard[K, V]) {
	for {
		s := m.shards.Load()
		sh := s.of(hash)
		waited := !sh.try()
		if waited {
			sh.slow()
		}
		if m.open(s) {
			sh.ops++
			if waited {
				sh.waits++
			}
			return s, sh
		}
		sh.unlock()
		if m.gate.shut.Load() {
			m.gate.wait()
		}
	}
}

// lockAll has all shards locked, which nobody changes then.
func (m *Map[K, V]) lockAll() *shards[K, V] {
	m.gate.mu.Lock()
	m.gate.shut.Store(true)
	s := m.shards.Load()
	for i := range s.list {
		if sh := &s.list[i]; sh.held.Load() {
			sh.free()
		}
	}
	return s
}

func (m *Map[K, V]) unlockAll() {
	m.gate.shut.Store(false)
	m.gate.mu.Unlock()
}

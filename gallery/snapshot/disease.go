package snapshot

import "sync"

// locked is the built-in map under a lock that readers share.
type locked struct {
	mu sync.RWMutex
	m  plain
}

// NewLocked returns a Table whose snapshots may be taken at the same time. Goroutines
// that store wait until all of these have copied all entries.
func NewLocked() Table { return &locked{m: plain{}} }

func (t *locked) Store(key, value int) {
	t.mu.Lock()
	t.m[key] = value
	t.mu.Unlock()
}

func (t *locked) Snapshot() View {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.m.Snapshot()
}

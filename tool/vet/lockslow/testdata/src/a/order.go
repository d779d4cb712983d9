package a

import (
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"
)

type journal struct {
	mu     sync.Mutex
	last   time.Time
	lines  [][]byte
	closed atomic.Bool
	count  *int
}

// The times are in the order of the lines.
func (j *journal) timed(r record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now()
	line, _ := json.Marshal(r) // want `j.mu is held over json.Marshal`
	j.last = now
	j.lines = append(j.lines, line)
}

// No line comes after close.
func (j *journal) open(r record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed.Load() {
		return
	}
	line, err := json.Marshal(r) // want `j.mu is held over json.Marshal`
	if err != nil {
		return
	}
	j.lines = append(j.lines, line)
}

func (j *journal) close() {
	j.closed.Store(true)
	j.mu.Lock()
	j.lines = nil
	j.mu.Unlock()
}

// What a pointer leads to is counted under the lock.
func (j *journal) counted(r record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	*j.count++
	line, _ := json.Marshal(r) // want `j.mu is held over json.Marshal`
	j.lines = append(j.lines, line)
}

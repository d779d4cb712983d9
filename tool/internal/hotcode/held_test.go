package hotcode

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// A line on which a lock is held ends in a comment that says so.
func TestHeld(t *testing.T) {
	shaped(t, `package p

func (l *logger) deferred(s string) {
	before(s)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf.Reset() // held
	for range s { // held
		l.buf.WriteString(s) // held
	} // held
}

func (l *logger) between(s string) {
	l.mu.Lock()
	if s == "" { // held
		l.mu.Unlock() // held
		return // held
	} // held
	l.n++ // held
	l.mu.Unlock()
	after(s)
}

func (l *logger) other(m *sync.Mutex) {
	l.mu.Lock()
	m.Unlock() // held
	l.n++ // held
	l.mu.Unlock()
}

func (l *logger) given() {
	l.n++
	l.mu.Lock()
}

func (l *logger) gives(s string) {
	l.mu.Lock()
	l.n++
	l.unlock(s)
}

func (l *logger) reads() {
	l.mu.RLock()
	l.look()
	l.mu.RUnlock()
}

func (l *logger) keyed(key string) {
	l.locks.Lock(key)
	l.n++
	l.locks.Unlock(key)
}
`, func(set *evidence.Set, at source.Place, _ string) string {
		if set.Shaped(evidence.Held, at) {
			return "held"
		}
		return ""
	})
}

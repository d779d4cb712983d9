package subject

import "sync"

// locked is the trie under a lock that those who match share.
type locked struct {
	mu sync.RWMutex
	trie
}

// NewLocked returns the trie for any number of goroutines. Those that match go on at
// the same time, but for what they write to the lock. What subscribes is alone.
func NewLocked() Matcher { return new(locked) }

type lockedSub struct {
	in *locked
	*sub
}

func (l *locked) Subscribe(pattern string, value int) Subscription {
	l.mu.Lock()
	defer l.mu.Unlock()
	return lockedSub{l, l.add(pattern, value)}
}

func (l *locked) AppendMatch(dst []int, subject string) []int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.trie.AppendMatch(dst, subject)
}

func (s lockedSub) Unsubscribe() bool {
	s.in.mu.Lock()
	defer s.in.mu.Unlock()
	return s.sub.Unsubscribe()
}

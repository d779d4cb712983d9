package a

import "sync"

// Counts by word: the textbook.

// Counter counts words.
type Counter struct {
	mu    sync.Mutex // want `mu is one lock for all keys of words: goroutines with different keys wait for each other` // dearer "shard: each .* takes more memory: 64 maps and locks"
	words map[string]int
}

// NewCounter has counted nothing.
func NewCounter() *Counter { return &Counter{words: map[string]int{}} }

// Inc counts a word.
func (c *Counter) Inc(word string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.words[word]++
}

// Forget forgets a word and says how often it came.
func (c *Counter) Forget(word string) int {
	c.mu.Lock()
	n, ok := c.words[word]
	if !ok {
		c.mu.Unlock()
		return 0
	}
	delete(c.words, word)
	c.mu.Unlock()
	return n
}

// Double counts a word twice, others may see one.
func (c *Counter) Double(word string) {
	c.mu.Lock()
	c.words[word]++
	c.mu.Unlock()
	c.mu.Lock()
	c.words[word]++
	c.mu.Unlock()
}

func count(words []string) int {
	c := NewCounter()
	for _, w := range words {
		c.Inc(w)
	}
	return c.words["the"]
}

// A lock that guards another field as well, in other sections; keys are numbers.

type id uint32

type sessions struct {
	mu sync.RWMutex // want `mu is one lock for all keys of byID`
	n  int
	// byID has who is there.
	byID map[id]string // by number
}

func (s *sessions) get(i id) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.byID[i]
}

func (s *sessions) set(i id, name string) {
	s.mu.Lock()
	s.byID[i] = name
	s.mu.Unlock()
}

func (s *sessions) open() {
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
}

func newSessions() *sessions {
	var s sessions
	s.byID = make(map[id]string)
	return &s
}

// part is one of several.
type part struct {
	mu  sync.Mutex // want "mu is one lock for all keys of has"
	has map[string]bool
}

func (p *part) put(key string) {
	p.mu.Lock()
	p.has[key] = true
	p.mu.Unlock()
}

// newParts makes the maps in a loop, of which nothing is left.
func newParts() *[4]part {
	var all [4]part
	for i := range all {
		all[i].has = map[string]bool{}
	}
	return &all
}

package a

import "sync"

// A number behind an RWMutex: the textbook.

type limits struct {
	mu    sync.RWMutex // guards burst
	burst int
}

func (l *limits) get() int {
	l.mu.RLock() // want `l.mu is read-locked for a word or two`
	defer l.mu.RUnlock()
	return l.burst
}

func (l *limits) set(n int) {
	l.mu.Lock()
	l.burst = n
	l.mu.Unlock()
}

func (l *limits) grow(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.burst += 2 * n
}

// A flag under a Mutex, given back early.

type door struct {
	mu   sync.Mutex
	open bool
}

func (d *door) pass() (n int) {
	d.mu.Lock() // want `d.mu is locked for a word or two`
	if d.open {
		d.mu.Unlock()
		return 1
	}
	d.mu.Unlock()
	return 0
}

func (d *door) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = false
}

type gauge struct {
	mu    sync.RWMutex
	names []string
	n     int32
}

func (g *gauge) get() int32 {
	g.mu.RLock() // want `g.mu is read-locked for a word or two`
	defer g.mu.RUnlock()
	return g.n
}

func (g *gauge) less() {
	g.mu.Lock()
	g.n--
	g.mu.Unlock()
}

func (g *gauge) add(name string) {
	g.mu.Lock()
	g.names = append(g.names, name)
	g.mu.Unlock()
}

// A pointer, and a second value that the lock guards on its own.

type config struct{ name string }

type server struct {
	mu    sync.RWMutex
	conf  *config
	names []string
}

func (s *server) name() string {
	s.mu.RLock() // want `s.mu is read-locked for a word or two`
	c := s.conf
	s.mu.RUnlock()
	return c.name
}

func (s *server) reload(c *config) {
	s.mu.Lock()
	s.conf = c
	s.mu.Unlock()
}

func (s *server) add(name string) {
	s.mu.Lock()
	s.names = append(s.names, name)
	s.mu.Unlock()
}

// Variables of a function.

func best(xs []int, workers int) int {
	var mu sync.Mutex
	limit := 0
	var wg sync.WaitGroup
	n := make([]int, workers)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(xs); i += workers {
				mu.Lock() // want `mu is locked for a word or two`
				ok := xs[i] < limit
				mu.Unlock()
				if !ok {
					n[w]++
					mu.Lock()
					limit++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return limit
}

type short struct {
	mu sync.RWMutex
	n  int
}

func (s *short) get() int  { s.mu.RLock(); defer s.mu.RUnlock(); return s.n } // want `s.mu`
func (s *short) set(n int) { s.mu.Lock(); s.n = n; s.mu.Unlock() }

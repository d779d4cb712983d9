package a

import (
	"sync"
	"sync/atomic"
)

// A bag of statistics.

type bag struct {
	parts, bytes, empty, large, failed atomic.Int64
}

func (b *bag) part()  { b.parts.Add(1) }
func (b *bag) byte()  { b.bytes.Add(1) }
func (b *bag) none()  { b.empty.Add(1) }
func (b *bag) more()  { b.large.Add(1) }
func (b *bag) wrong() { b.failed.Add(1) }

// Flags, values that are set once or always the same, a pointer that changes
// now and then.

type server struct {
	n       atomic.Int64
	closed  atomic.Bool
	started atomic.Int64
	conf    atomic.Pointer[string]
	port    int
}

func (s *server) serve()          { s.n.Add(1) }
func (s *server) close()          { s.closed.CompareAndSwap(false, true) }
func (s *server) start()          { s.started.Store(1) }
func (s *server) set(conf string) { s.conf.Store(&conf) }
func (s *server) listen(port int) { s.port = port }

// The same goroutine writes both.

type pair struct{ calls, bytes atomic.Int64 }

func (p *pair) add(n int) {
	p.calls.Add(1)
	p.bytes.Add(int64(n))
}

type nested struct{ outer, inner atomic.Int64 }

func (n *nested) all() {
	n.outer.Add(1)
	n.one()
}

func (n *nested) one() { n.inner.Add(1) }

type guarded struct {
	mu sync.Mutex
	n  int
}

func (g *guarded) add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for range n {
		g.n++
	}
}

// Apart.

type apart struct {
	sent     atomic.Int64
	_        [120]byte
	received atomic.Int64
}

func (a *apart) send()    { a.sent.Add(1) }
func (a *apart) receive() { a.received.Add(1) }

// Of unknown size.

type generic[T any] struct {
	what struct{ v T }
	a, b atomic.Int64
}

func (g *generic[T]) incA() { g.a.Add(1) }
func (g *generic[T]) incB() { g.b.Add(1) }

// A limit that is read now and then, one that its reader counts against, and one
// whose neighbour is written now and then.

type limits struct {
	seldom, counted atomic.Int64
}

func (l *limits) below(x int64) bool { return x < l.seldom.Load() }

func (l *limits) count(xs []int) {
	for range xs {
		l.counted.Add(1)
	}
}

type spent struct {
	limit, used atomic.Int64
}

func (s *spent) spend(xs []int) {
	for _, x := range xs {
		if s.limit.Load() < int64(x) {
			s.used.Add(1)
		}
	}
}

type told struct {
	limit, last atomic.Int64
}

func (t *told) filter(xs []int) (n int) {
	for _, x := range xs {
		if t.limit.Load() < int64(x) {
			n++
		}
	}
	return n
}

func (t *told) tell(x int64) { t.last.Store(x) }

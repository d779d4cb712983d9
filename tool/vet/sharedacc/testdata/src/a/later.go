package a

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

type log struct {
	mu    sync.Mutex
	lines []int
	texts [][]byte
	quiet bool
}

// A part would have a method of that name as well.
func (l *log) addTo(xs []int) []int { return append(xs, l.lines...) }

func (l *log) add(x int) {
	l.mu.Lock()
	l.lines = append(l.lines, x)
	l.mu.Unlock()
}

// Early unlocks.
func (l *log) maybe(x int) {
	l.mu.Lock()
	if l.quiet {
		l.mu.Unlock()
		return
	}
	l.lines = append(l.lines, x)
	l.mu.Unlock()
}

// What it is given may change until it is looked at.
func (l *log) keep(b []byte) {
	l.mu.Lock()
	l.texts = append(l.texts, b)
	l.mu.Unlock()
}

func (l *log) also(x int) {
	l.mu.Lock()
	l.quiet = x > 0
	l.mu.Unlock()
}

func (l *log) len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lines)
}

func waitss(xs []int, done chan bool) {
	l := &log{}
	for w := range 4 {
		go func() {
			for _, x := range xs[w:] {
				l.add(x) // want `l.add locks l.mu in each iteration` // refuse `local: log has an addTo of its own` `batch: the loop synchronizes with other goroutines`
				done <- true
			}
		}()
	}
}

func tellss(xs []int, tell func(int)) {
	l := &log{}
	for w := range 4 {
		go func() {
			for _, x := range xs[w:] {
				l.add(x) // want `l.add locks l.mu in each iteration` // refuse `local: log has an addTo of its own` `batch: it calls tell, which may see l`
				tell(x)
			}
		}()
	}
}

func askss(l *log, xs []int) {
	for w := range 4 {
		go func() {
			for _, x := range xs[w:] {
				l.add(x)         // want `l.add locks l.mu in each iteration` // refuse `local: len does more than add up` `batch: the loop uses l in other ways`
				println(l.len()) // want `l.len locks l.mu in each iteration` // refuse `local: len does more than add up`
			}
		}()
	}
}

func twos(xs []int) {
	l, m := &log{}, &log{}
	for w := range 4 {
		go func() {
			for _, x := range xs[w:] {
				l.add(x)  // want `l.add locks l.mu in each iteration` // refuse `local: log has an addTo of its own` `batch: the loop synchronizes with other goroutines`
				m.also(x) // want `m.also locks l.mu in each iteration` // refuse `local: l.quiet is set, not added to` `batch: the loop synchronizes with other goroutines`
			}
		}()
	}
}

func lookss(xs []int, seen *atomic.Int64) {
	l := &log{}
	for w := range 4 {
		go func() {
			for _, x := range xs[w:] {
				l.add(x) // want `l.add locks l.mu in each iteration` // refuse `local: log has an addTo of its own` `batch: the loop synchronizes with other goroutines`
				println(seen.Load())
			}
		}()
	}
}

type pages struct {
	mu    sync.Mutex
	lines []int
}

func (l *pages) add(x int) {
	l.mu.Lock()
	l.lines = append(l.lines, x)
	l.mu.Unlock()
}

func returnss(xs []int) {
	l := &pages{}
	for w := range 4 {
		go func() {
			for _, x := range xs[w:] {
				l.add(x) // want `l.add locks l.mu in each iteration` // refuse `batch: the loop may end early`
				if x > 4 {
					return
				}
			}
		}()
	}
}

func timed() {
	l := &log{}
	for w := range 4 {
		go func() {
			for start := time.Now(); time.Since(start) < time.Second; {
				l.add(w) // want `l.add locks l.mu in each iteration` // refuse `local: log has an addTo of its own` `batch: it calls time.Now, which may see l`
			}
		}()
	}
}

// Not meant.
func others(xs []int) {
	l := &log{}
	for w := range 4 {
		go func() {
			for _, x := range xs[w:] {
				l.maybe(x) // want `l.maybe locks l.mu in each iteration` // refuse `local: no lock is held here`
			}
			var b [1]byte
			for _, x := range xs[w:] {
				b[0] = byte(x)
				l.keep(b[:]) // want `l.keep locks l.mu in each iteration` // refuse `local: log has an addTo of its own`
			}
		}()
	}
}

// It may count until somebody has seen enough.
func endless(n *atomic.Int64, stop *atomic.Bool) {
	for range 2 {
		go func() {
			for !stop.Load() {
				n.Add(1) // want `n is updated atomically` // refuse `local: the loop synchronizes with other goroutines`
			}
		}()
	}
}

func forAWhile(n *atomic.Int64, until time.Time) {
	for range 2 {
		go func() {
			for time.Now().Before(until) {
				n.Add(1) // want `n is updated atomically` // refuse `local: it calls until.*Before, which may see n|it calls time.Now, which may see n|it calls time.Now\(\).Before, which may see n`
			}
		}()
	}
}

// Who sees one counter knows of the other.
func both(n, m *atomic.Int64, xs []int) {
	for range 2 {
		go func() {
			for range xs {
				n.Add(1) // want `n is updated atomically` // refuse `local: m may be the same memory as n`
				m.Add(1)
			}
		}()
	}
}

type unread struct {
	shown atomic.Int64 // want `shown is updated atomically, and never read` // refuse `drop: .*`
	read  atomic.Int64
	Told  atomic.Int64
	given atomic.Int64
	asked atomic.Int64
}

func (u *unread) use(next func() int64) {
	u.shown.Add(1)
	u.read.Add(u.asked.Add(1))
	u.Told.Add(1)
	give(&u.given)
}

func (u *unread) get() int64 { return u.read.Load() }

func give(n *atomic.Int64) { n.Add(1) }

func show(u *unread) string { return fmt.Sprint(u) }

var called atomic.Uint32 // want `called is updated atomically, and never read` // refuse `drop: the statement may do more than count`

func calling(next func() uint32) { called.Add(next()) }

var points atomic.Uint32 // want `points is updated atomically, and never read` // refuse `drop: only may be left without a use`

func pointing(n int) {
	only := n + 1
	points.Add(uint32(only))
}

type lonely struct {
	n atomic.Uint32 // want `n is updated atomically, and never read` // refuse `drop: own may be left without a use`
}

func left(l *lonely) {
	own := l
	own.n.Add(1)
}

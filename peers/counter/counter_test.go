// Package counter compares the library's counters with others: an atomic, a
// mutex, what an expert writes by hand, and xsync.Counter of
// github.com/puzpuzpuz/xsync/v4.
//
// The load of BenchmarkAdd is the one of xsync's own BenchmarkCounter, with a
// fixed number of goroutines instead of one for each processor and without its
// reads, which are in BenchmarkMixed.
//
// All variants count exactly and may be read at any time. They do not promise
// the same beyond that: atomic and mutex can return the sum from an Add and
// their reads are snapshots; of the striped ones only payoff can be emptied
// without loss; padded knows its goroutines beforehand, which the others need
// not.
//
// What favours us: payoff's Add, like those of atomic and cas, is inlined into
// the loop while nobody contends, and that of xsync is a call by its size.
package counter

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/gopayoff/payoff/counter"
	"github.com/gopayoff/payoff/internal/cacheline"
)

// A load is what one goroutine does with a counter.
type load struct {
	add  func(n int)        // adds 1, n times
	read func() int64       // one read
	mix  func(n, every int) // as add, with a read after every so many
}

// sink keeps reads from being dropped.
var sink atomic.Int64

// variants make a new counter for some goroutines and return the load of each.
// Every loop is written out, so that no call stands between it and the counter
// but the counter's own.
var variants = []struct {
	name string
	make func(goroutines int) func(g int) load
}{
	{"atomic", func(int) func(int) load {
		c := new(atomic.Int64)
		return func(int) load {
			return load{
				func(n int) {
					for range n {
						c.Add(1)
					}
				},
				c.Load,
				func(n, every int) {
					var sum int64
					for i := range n {
						c.Add(1)
						if i%every == 0 {
							sum += c.Load()
						}
					}
					sink.Store(sum)
				},
			}
		}
	}},
	{"payoff", func(int) func(int) load {
		c := new(counter.Int)
		return func(int) load {
			return load{
				func(n int) {
					for range n {
						c.Inc()
					}
				},
				c.Value,
				func(n, every int) {
					var sum int64
					for i := range n {
						c.Inc()
						if i%every == 0 {
							sum += c.Value()
						}
					}
					sink.Store(sum)
				},
			}
		}
	}},
	{"xsync", func(int) func(int) load {
		c := xsync.NewCounter()
		return func(int) load {
			return load{
				func(n int) {
					for range n {
						c.Inc()
					}
				},
				c.Value,
				func(n, every int) {
					var sum int64
					for i := range n {
						c.Inc()
						if i%every == 0 {
							sum += c.Value()
						}
					}
					sink.Store(sum)
				},
			}
		}
	}},
	{"mutex", func(int) func(int) load {
		c := new(guarded)
		return func(int) load {
			return load{
				func(n int) {
					for range n {
						c.inc()
					}
				},
				c.value,
				func(n, every int) {
					var sum int64
					for i := range n {
						c.inc()
						if i%every == 0 {
							sum += c.value()
						}
					}
					sink.Store(sum)
				},
			}
		}
	}},
	// cas is an atomic counter by compare and swap, as the uncontended path of
	// a striped counter usually is.
	{"cas", func(int) func(int) load {
		c := new(atomic.Int64)
		return func(int) load {
			return load{
				func(n int) {
					for range n {
						casInc(c)
					}
				},
				c.Load,
				func(n, every int) {
					var sum int64
					for i := range n {
						casInc(c)
						if i%every == 0 {
							sum += c.Load()
						}
					}
					sink.Store(sum)
				},
			}
		}
	}},
	// padded is one atomic for each goroutine, on a line of its own: the best
	// there is for those who know their goroutines.
	{"padded", func(goroutines int) func(int) load {
		cs := make([]padded, goroutines)
		value := func() (sum int64) {
			for i := range cs {
				sum += cs[i].n.Load()
			}
			return sum
		}
		return func(g int) load {
			c := &cs[g].n
			return load{
				func(n int) {
					for range n {
						c.Add(1)
					}
				},
				value,
				func(n, every int) {
					var sum int64
					for i := range n {
						c.Add(1)
						if i%every == 0 {
							sum += value()
						}
					}
					sink.Store(sum)
				},
			}
		}
	}},
}

type guarded struct {
	mu sync.Mutex
	n  int64
}

func (c *guarded) inc() {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}

func (c *guarded) value() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func casInc(c *atomic.Int64) {
	for {
		if n := c.Load(); c.CompareAndSwap(n, n+1) {
			return
		}
	}
}

type padded struct {
	n atomic.Int64
	_ cacheline.Pad
}

// split runs work in goroutines and gives them n items in equal shares.
func split(n, goroutines int, work func(g, from, to int)) {
	var wg sync.WaitGroup
	for g := range goroutines {
		from, to := n*g/goroutines, n*(g+1)/goroutines
		wg.Go(func() { work(g, from, to) })
	}
	wg.Wait()
}

var goroutineCounts = []int{1, 2, 64}

func TestVariants(t *testing.T) {
	const n = 100_003
	for _, v := range variants {
		for _, goroutines := range goroutineCounts {
			for _, every := range []int{0, 1000} {
				loads := v.make(goroutines)
				split(n, goroutines, func(g, from, to int) {
					if every == 0 {
						loads(g).add(to - from)
					} else {
						loads(g).mix(to-from, every)
					}
				})
				if got := loads(0).read(); got != n {
					t.Errorf("%s: %d goroutines, read every %d: sum is %d, want %d", v.name, goroutines, every, got, n)
				}
			}
		}
	}
}

// BenchmarkAdd is the time of an Inc, with b.N of them split over goroutines.
func BenchmarkAdd(b *testing.B) {
	for _, v := range variants {
		for _, goroutines := range goroutineCounts {
			b.Run(fmt.Sprintf("variant=%s/goroutines=%d", v.name, goroutines), func(b *testing.B) {
				loads := v.make(goroutines)
				split(b.N, goroutines, func(g, from, to int) { loads(g).add(to - from) })
			})
		}
	}
}

// BenchmarkMixed is BenchmarkAdd with a read after every so many Incs. The fewer
// they are, the better for the counters of one word.
func BenchmarkMixed(b *testing.B) {
	for _, v := range variants {
		for _, goroutines := range goroutineCounts {
			for _, every := range []int{10, 1000} {
				b.Run(fmt.Sprintf("variant=%s/goroutines=%d/every=%d", v.name, goroutines, every), func(b *testing.B) {
					loads := v.make(goroutines)
					split(b.N, goroutines, func(g, from, to int) { loads(g).mix(to-from, every) })
				})
			}
		}
	}
}

// BenchmarkRead is the time of a read after that many goroutines have added, and
// while nobody adds. What they have made of a counter depends on whether they
// really ran at once.
func BenchmarkRead(b *testing.B) {
	for _, v := range variants {
		for _, goroutines := range goroutineCounts {
			b.Run(fmt.Sprintf("variant=%s/goroutines=%d", v.name, goroutines), func(b *testing.B) {
				loads := v.make(goroutines)
				split(1<<20, goroutines, func(g, from, to int) { loads(g).add(to - from) })
				read := loads(0).read
				for b.Loop() {
					read()
				}
			})
		}
	}
}

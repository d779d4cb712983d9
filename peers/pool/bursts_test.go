package pool

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gopayoff/payoff/pipe"
	"github.com/gopayoff/payoff/pool"
)

// A bursty has n tasks done at once, and returns when all have ended, again and again.
type bursty struct {
	name string
	open func(task func()) (burst func(n int), close func())
}

// A group is errgroup's, or ours.
type group interface {
	Go(f func() error)
	Wait() error
}

// inGroup has a group of its own for each burst.
func inGroup(begin func() group) func(task func()) (func(int), func()) {
	return func(task func()) (func(int), func()) {
		return func(n int) {
			g := begin()
			for range n {
				g.Go(func() error { task(); return nil })
			}
			must(g.Wait())
		}, func() {}
	}
}

var burstVariants = []bursty{
	{"errgroup", inGroup(func() group { return new(errgroup.Group) })},
	{"payoff", func(task func()) (func(int), func()) {
		p := pool.New(doing(func(int) { task() }))
		return func(n int) {
			_, err := p.SubmitAll(background, inputs[:n])
			must(err)
		}, func() { must(p.Close()) }
	}},
	{"payoff-batch", func(task func()) (func(int), func()) {
		p := pool.New(doing(func(int) { task() }))
		return func(n int) {
			b := p.Batch(background)
			for i := range n {
				must(b.Submit(i))
			}
			_, err := b.Wait()
			must(err)
		}, func() { must(p.Close()) }
	}},
	{"payoff-do", func(task func()) (func(int), func()) {
		p := pool.New(doing(func(int) { task() }))
		return func(n int) {
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() {
					_, err := p.Do(background, i)
					must(err)
				})
			}
			wg.Wait()
		}, func() { must(p.Close()) }
	}},
	{"payoff-group", inGroup(func() group { return new(pool.Group) })},
	{"payoff-pipe", func(task func()) (func(int), func()) {
		do := func(_ context.Context, i int) (int, error) { task(); return i, nil }
		return func(n int) { must(pipe.MapContext(pipe.Slice(inputs[:n]), do).Drain(background)) }, func() {}
	}},
}

// A burst is so many tasks that wait so long.
type burst struct {
	n   int
	d   time.Duration
	gap time.Duration // before the next
}

var bursts = []burst{
	{n: 5, d: time.Millisecond}, {n: 20, d: 300 * time.Microsecond}, {n: 20, d: time.Millisecond}, {n: 20, d: 20 * time.Millisecond},
	{n: 100, d: 5 * time.Millisecond}, {n: 500, d: time.Millisecond}, {n: 500, d: 50 * time.Millisecond},
	{n: 20, d: time.Millisecond, gap: time.Second}, {n: 500, d: 5 * time.Millisecond, gap: 100 * time.Millisecond},
}

// One op is a burst, of which there are half as many with a second between them. burst-ns
// is the median of the later half.
func BenchmarkBursts(b *testing.B) {
	for _, c := range bursts {
		for _, v := range burstVariants {
			b.Run(fmt.Sprintf("variant=%s/tasks=%d/wait=%v/gap=%v", v.name, c.n, c.d, c.gap), func(b *testing.B) {
				do, done := v.open(func() { time.Sleep(c.d) })
				defer done()
				var took []time.Duration
				n := b.N
				if c.gap >= time.Second {
					n = (n + 1) / 2
				}
				for range n {
					from := time.Now()
					do(c.n)
					took = append(took, time.Since(from))
					time.Sleep(c.gap)
				}
				later := took[len(took)/2:]
				slices.Sort(later)
				b.ReportMetric(float64(later[len(later)/2]), "burst-ns")
			})
		}
	}
}

// One op is the first burst of a pool. cold-ns is the median. A pipe's function is another
// each time only where its code is: it is left out.
func BenchmarkCold(b *testing.B) {
	for _, c := range []burst{{n: 30, d: 50 * time.Millisecond}, {n: 100, d: 300 * time.Millisecond}} {
		for _, v := range burstVariants {
			if v.name == "payoff-pipe" {
				continue
			}
			b.Run(fmt.Sprintf("variant=%s/tasks=%d/wait=%v", v.name, c.n, c.d), func(b *testing.B) {
				var took []time.Duration
				for range b.N {
					do, done := v.open(func() { time.Sleep(c.d) })
					from := time.Now()
					do(c.n)
					took = append(took, time.Since(from))
					done()
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2]), "cold-ns")
			})
		}
	}
}

// TestBursts: each task of a burst has been done once when that returns.
func TestBursts(t *testing.T) {
	for _, v := range burstVariants {
		var did atomic.Int64
		do, done := v.open(func() { did.Add(1) })
		want := int64(0)
		for _, n := range []int{1, 5, 100, 5} {
			do(n)
			if want += int64(n); did.Load() != want {
				t.Errorf("variant=%s: %d tasks are done after a burst of %d, want %d", v.name, did.Load(), n, want)
			}
		}
		done()
	}
}

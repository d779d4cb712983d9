package pool

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"
	"time"
)

// An articlePool is the pool of the article that gallery/pipecpu is from: a
// function, a number of workers, and a channel of inputs of any type.
type articlePool struct {
	in chan struct{ value any }
	wg sync.WaitGroup
}

func newArticlePool(workers, buffer int, do func(any)) *articlePool {
	p := &articlePool{in: make(chan struct{ value any }, buffer)}
	for range workers {
		p.wg.Go(func() {
			for j := range p.in {
				do(j.value)
			}
		})
	}
	return p
}

func (p *articlePool) submit(value any) { p.in <- struct{ value any }{value} }

func (p *articlePool) close() {
	close(p.in)
	p.wg.Wait()
}

// articleTasks is how many tasks the article has.
const articleTasks = 100

// articleKinds are its two kinds of task: a power, and a sleep of less than 10 ms,
// which is random there.
var articleKinds = []struct {
	name string
	do   func(i int) uint64
}{
	{"cpu", func(i int) uint64 { return math.Float64bits(math.Pow(3.1415926, float64(i))) }},
	{"io", func(i int) uint64 {
		time.Sleep(time.Duration(i*37%100) * 100 * time.Microsecond)
		return uint64(i)
	}},
}

// An articleVariant opens a pool that puts do(i) into out, n times, and waits for
// all with run.
type articleVariant struct {
	name string
	open func(do func(i int)) (run func(n int), close func())
}

// articleFixed has so many workers, which it keeps, as the article's benchmarks
// have one pool for all ops.
func articleFixed(name string, workers func() int) articleVariant {
	return articleVariant{name, func(do func(int)) (func(int), func()) {
		var wg sync.WaitGroup
		p := newArticlePool(workers(), 1000, func(v any) {
			do(v.(int))
			wg.Done()
		})
		return func(n int) {
			wg.Add(n)
			for i := range n {
				p.submit(i)
			}
			wg.Wait()
		}, p.close
	}}
}

var articleRivals = []articleVariant{
	{"serial", func(do func(int)) (func(int), func()) {
		return func(n int) {
			for i := range n {
				do(i)
			}
		}, func() {}
	}},
	articleFixed("half", func() int { return max(1, runtime.NumCPU()/2) }),
	articleFixed("cores", runtime.NumCPU),
	articleFixed("ten-times", func() int { return 10 * runtime.NumCPU() }),
}

// One op is the article's 100 tasks.
func BenchmarkArticle(b *testing.B) {
	for _, k := range articleKinds {
		for _, v := range articleVariants {
			b.Run(fmt.Sprintf("variant=%s/kind=%s", v.name, k.name), func(b *testing.B) {
				out := make([]uint64, articleTasks)
				run, close := v.open(func(i int) { out[i] = k.do(i) })
				runtime.GC()
				for b.Loop() {
					run(articleTasks)
				}
				close()
			})
		}
	}
}

func TestArticle(t *testing.T) {
	for _, k := range articleKinds {
		n := articleTasks
		if k.name == "io" {
			n = 10
		}
		for _, v := range articleVariants {
			out := make([]uint64, n)
			run, close := v.open(func(i int) { out[i] = k.do(i) })
			run(n)
			close()
			for i, got := range out {
				want := uint64(i)
				if k.name == "cpu" {
					want = k.do(i)
				}
				if got != want {
					t.Errorf("variant=%s/kind=%s: task %d gave %d, want %d", v.name, k.name, i, got, want)
				}
			}
		}
	}
}

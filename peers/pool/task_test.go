package pool

import (
	"sync"
	"testing"

	"github.com/alitto/pond/v2"
	"github.com/bytedance/gopkg/util/gopool"
	"github.com/gammazero/workerpool"
	"github.com/panjf2000/ants/v2"
	conc "github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"
)

// Pools that are given tasks one by one by a single goroutine, which then waits
// for all of them.
var taskRivals = []variant{
	each("serial", func(n int, do func(int)) {
		for i := range n {
			do(i)
		}
	}),
	each("go", func(n int, do func(int)) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { do(i) })
		}
		wg.Wait()
	}),
	each("chan", func(n int, do func(int)) {
		in := make(chan int, 128)
		var wg sync.WaitGroup
		for range procs() {
			wg.Go(func() {
				for i := range in {
					do(i)
				}
			})
		}
		for i := range n {
			in <- i
		}
		close(in)
		wg.Wait()
	}),
	each("article", func(n int, do func(int)) {
		p := newArticlePool(procs(), 1000, func(v any) { do(v.(int)) })
		for i := range n {
			p.submit(i)
		}
		p.close()
	}),
	each("errgroup", func(n int, do func(int)) {
		var g errgroup.Group
		g.SetLimit(procs())
		for i := range n {
			g.Go(func() error {
				do(i)
				return nil
			})
		}
		must(g.Wait())
	}),
	each("conc", func(n int, do func(int)) {
		p := conc.New().WithMaxGoroutines(procs())
		for i := range n {
			p.Go(func() { do(i) })
		}
		p.Wait()
	}),
	each("pond", func(n int, do func(int)) {
		p := pond.NewPool(procs())
		for i := range n {
			must(p.Go(func() { do(i) }))
		}
		p.StopAndWait()
	}),
	each("pond-group", func(n int, do func(int)) {
		p := pond.NewPool(procs())
		g := p.NewGroup()
		for i := range n {
			g.Submit(func() { do(i) })
		}
		must(g.Wait())
		p.StopAndWait()
	}),
	each("workerpool", func(n int, do func(int)) {
		p := workerpool.New(procs())
		for i := range n {
			must(p.Do(func() { do(i) }))
		}
		p.StopWait()
	}),
	// ants waits by a WaitGroup, as its examples do, and is made once for all ops.
	{name: "ants", open: func() (func([]uint64) []uint64, func()) {
		p, err := ants.NewPool(procs())
		must(err)
		return func(out []uint64) []uint64 {
			var wg sync.WaitGroup
			wg.Add(len(out))
			for i := range out {
				must(p.Submit(func() {
					out[i] = task(i)
					wg.Done()
				}))
			}
			wg.Wait()
			return out
		}, p.Release
	}},
	{name: "ants-func", open: func() (func([]uint64) []uint64, func()) {
		var out []uint64
		var wg sync.WaitGroup
		p, err := ants.NewPoolWithFuncGeneric(procs(), func(i int) {
			out[i] = task(i)
			wg.Done()
		})
		must(err)
		return func(to []uint64) []uint64 {
			out = to
			wg.Add(len(out))
			for i := range out {
				must(p.Invoke(i))
			}
			wg.Wait()
			return out
		}, p.Release
	}},
	// gopool is global, and has no wait of its own.
	each("gopool", func(n int, do func(int)) {
		var wg sync.WaitGroup
		wg.Add(n)
		for i := range n {
			gopool.Go(func() {
				do(i)
				wg.Done()
			})
		}
		wg.Wait()
	}),
}

func BenchmarkTask(b *testing.B) { bench(b, taskVariants) }
func TestTask(t *testing.T)      { same(t, taskVariants) }

package pool_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/gopayoff/payoff/pool"
)

// BenchmarkTask is what a task costs, by the way it is handed over, for tasks of so
// many steps of some 0.7 ns. That of others is in peers/pool.
func BenchmarkTask(b *testing.B) {
	for _, work := range []int{0, 100, 1000} {
		f := func(_ context.Context, v int) (int, error) {
			x := uint64(v) | 1
			for range work {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
			}
			return int(x), nil
		}
		run := func(way string, body func(b *testing.B, p *pool.Pool[int, int])) {
			b.Run(fmt.Sprintf("work=%d/way=%s", work, way), func(b *testing.B) {
				b.ReportAllocs()
				p := pool.New(f)
				body(b, p)
				p.Close()
			})
		}
		run("loop", func(b *testing.B, p *pool.Pool[int, int]) {
			out := make([]int, b.N)
			b.ResetTimer()
			for i := range out {
				out[i], _ = f(ctx, i)
			}
		})
		run("submit", func(b *testing.B, p *pool.Pool[int, int]) {
			for i := range b.N {
				p.Submit(ctx, i)
			}
			p.Close()
		})
		run("batch", func(b *testing.B, p *pool.Pool[int, int]) {
			t := p.Batch(ctx)
			for i := range b.N {
				t.Submit(i)
			}
			t.Wait()
		})
		run("all", func(b *testing.B, p *pool.Pool[int, int]) {
			ins := numbers(b.N)
			b.ResetTimer()
			p.SubmitAll(ctx, ins)
		})
		run("do", func(b *testing.B, p *pool.Pool[int, int]) {
			for i := range b.N {
				p.Do(ctx, i)
			}
		})
		run("group", func(b *testing.B, p *pool.Pool[int, int]) {
			var g pool.Group
			for i := range b.N {
				g.Go(func() error { f(ctx, i); return nil })
			}
			g.Wait()
		})
	}
}

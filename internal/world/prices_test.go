package world

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkPrices measures on the machine that it runs on those prices that can be
// timed alone.
func BenchmarkPrices(b *testing.B) {
	procs := func(b *testing.B, n int) {
		old := runtime.GOMAXPROCS(n)
		b.Cleanup(func() { runtime.GOMAXPROCS(old) })
	}
	var word atomic.Uint64
	b.Run("price=costRead", func(b *testing.B) {
		for b.Loop() {
			word.Load()
		}
	})
	b.Run("price=costAtomic", func(b *testing.B) {
		for b.Loop() {
			word.Add(1)
		}
	})
	b.Run("price=costLook", func(b *testing.B) {
		began := time.Now()
		for b.Loop() {
			_ = time.Since(began)
		}
	})
	b.Run("price=costSwitch", func(b *testing.B) {
		procs(b, 1)
		var over atomic.Bool
		go func() {
			for !over.Load() {
				runtime.Gosched()
			}
		}()
		defer over.Store(true)
		for b.Loop() {
			runtime.Gosched() // two switches: there, and back
		}
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/2, "ns/switch")
	})
	b.Run("price=costSpawn", func(b *testing.B) {
		procs(b, 1)
		for b.Loop() {
			go func() {}()
			runtime.Gosched() // it runs, and ends
		}
	})
	for _, n := range []int{2, 64, 256} {
		b.Run(fmt.Sprintf("price=costAsk/procs=%d", n), func(b *testing.B) {
			procs(b, n)
			samples := []metrics.Sample{
				{Name: "/sched/gomaxprocs:threads"},
				{Name: "/sched/goroutines/running:goroutines"},
				{Name: "/sched/goroutines/runnable:goroutines"},
			}
			for b.Loop() {
				metrics.Read(samples)
			}
		})
	}
	// How long a goroutine waits that is to run next where its starter runs on.
	b.Run("price=Slack", func(b *testing.B) {
		procs(b, 2)
		for b.Loop() {
			var runs atomic.Bool
			go runs.Store(true)
			for !runs.Load() {
			}
		}
	})
}

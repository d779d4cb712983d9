package pool

import (
	"fmt"
	"runtime"
	"testing"
)

// One op is a run of tasks of about 100 ns, after one that made what pools keep.
func BenchmarkAllocs(b *testing.B) {
	w := works[1]
	for _, v := range taskVariants {
		b.Run(fmt.Sprintf("variant=%s/work=%d", v.name, w.ns), func(b *testing.B) {
			rounds = w.rounds
			out := make([]uint64, tasks)
			run, close := v.ready()
			run(out)
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n := 0
			for b.Loop() {
				run(out)
				n += tasks
			}
			runtime.ReadMemStats(&after)
			close()
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(n), "allocs/task")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(n), "B/task")
		})
	}
}

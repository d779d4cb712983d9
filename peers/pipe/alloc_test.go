package pipe

import (
	"runtime"
	"testing"
)

// One op is a run over 100,000 items of about 95 ns, after one that made what
// variants keep.
func BenchmarkAllocs(b *testing.B) {
	l := stagesLoads()[1]
	items := newItems(l.n)
	for _, v := range stagesVariants {
		b.Run("variant="+v.name+l.key, func(b *testing.B) {
			l.set()
			run := v.ready(items)
			run(items)
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n := 0
			for b.Loop() {
				run(items)
				n += len(items)
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(n), "allocs/item")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(n), "B/item")
		})
	}
}

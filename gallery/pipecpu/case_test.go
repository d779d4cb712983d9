package pipecpu

import (
	"fmt"
	"math"
	"runtime"
	"testing"
)

var variants = []struct {
	name string
	sum  func(n, workers int) uint64
}{
	{"sequential", Sequential},
	{"pipeline", Pipeline},
	{"pipelinebuffered", PipelineBuffered},
	{"fan", Fan},
	{"fanbuffered", FanBuffered},
	{"channelbatch", ChannelBatch},
	{"partitioned", Partitioned},
	{"pipe", Pipe},
	{"par", Par},
}

func TestVariants(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 8, period, period + 1, 2500, 50_001} {
		var want uint64
		for i := range n {
			want += math.Float64bits(math.Pow(3.1415926, float64(i%period)))
		}
		for _, v := range variants {
			for _, workers := range []int{1, 2, 3, 8, 17} {
				if got := v.sum(n, workers); got != want {
					t.Errorf("%s(%d, %d) = %#x, want %#x", v.name, n, workers, got, want)
				}
			}
		}
	}
}

// A sum can tell a missing or doubled item only if the answers differ.
func TestPowersDiffer(t *testing.T) {
	seen := make(map[uint64]int)
	for i := range period {
		p := power(i)
		if j, ok := seen[p]; ok {
			t.Errorf("power(%d) = power(%d) = %#x, want them to differ", i, j, p)
		}
		if f := math.Float64frombits(p); math.IsInf(f, 0) || math.IsNaN(f) {
			t.Errorf("power(%d) = %v, want a finite number", i, f)
		}
		seen[p] = i
	}
}

func BenchmarkPow(b *testing.B) {
	for _, n := range []int{100_000} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				workers := runtime.GOMAXPROCS(0)
				for b.Loop() {
					v.sum(n, workers)
				}
			})
		}
	}
}

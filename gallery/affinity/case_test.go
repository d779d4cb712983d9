package affinity

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"
)

var variants = []struct {
	name string
	play func(values []uint64, rounds int)
	at   []int // numbers of values that it is measured with
}{
	{"serial", Serial, []int{8, 256}},
	{"pingpong", PingPong, []int{8, 256}},
	{"yielding", Yielding, []int{8}},
	{"pinned", Pinned, []int{8}},
	{"batched", Batched, []int{256}},
	{"queued", Queued, []int{256}},
}

func someValues(n int) []uint64 {
	values := make([]uint64, n)
	for i := range values {
		values[i] = uint64(i)
	}
	return values
}

func TestVariants(t *testing.T) {
	for _, hogs := range []int{0, 1} {
		stop := startHogs(hogs, time.Microsecond)
		for _, n := range []int{0, 1, 2, view, view + 1, 200} {
			for _, rounds := range []int{0, 1, 2, 3} {
				want := someValues(n)
				for i := range want {
					for range 2 * rounds {
						want[i] = work(want[i])
					}
				}
				for _, v := range variants {
					got := someValues(n)
					if v.play(got, rounds); !slices.Equal(got, want) {
						t.Errorf("%s(%d values, %d) = %x, want %x", v.name, n, rounds, got, want)
					}
				}
			}
		}
		stop()
	}
}

// Two values that were played differently differ.
func TestWork(t *testing.T) {
	seen := make(map[uint64]int)
	for v := range uint64(64) {
		for range 64 {
			seen[v]++
			v = work(v)
		}
	}
	for v, times := range seen {
		if times > 1 {
			t.Errorf("%#x was seen %d times", v, times)
		}
	}
}

// Turns that wake a thread, or wait for hogs, take so long that they are measured
// with few values. Beside hogs there are two for each processor.
func BenchmarkPlay(b *testing.B) {
	const rounds = 64
	for _, n := range []int{8, 256} {
		for _, hogs := range []int{0, 2} {
			for _, v := range variants {
				if !slices.Contains(v.at, n) || n == 256 && hogs > 0 {
					continue
				}
				b.Run(fmt.Sprintf("variant=%s/n=%d/hogs=%d", v.name, n, hogs), func(b *testing.B) {
					values := someValues(n)
					stop := startHogs(hogs*runtime.GOMAXPROCS(0), 20*time.Microsecond)
					defer stop()
					for b.Loop() {
						v.play(values, rounds)
					}
				})
			}
		}
	}
}

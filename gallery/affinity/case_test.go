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
}{
	{"serial", Serial},
	{"pingpong", PingPong},
	{"yielding", Yielding},
	{"pinned", Pinned},
	{"batched", Batched},
	{"queued", Queued},
}

func someValues(n int) []uint64 {
	values := make([]uint64, n)
	for i := range values {
		values[i] = uint64(i)
	}
	return values
}

func TestVariants(t *testing.T) {
	for _, pairs := range []int{0, 1} {
		stop := startHogs(pairs, 20*time.Microsecond)
		for _, n := range []int{0, 1, 2, view, view + 1, 200} {
			for _, rounds := range []int{0, 1, 2, 3} {
				want := someValues(n)
				for i := range want {
					for range 2 * rounds {
						want[i] = work(want[i])
					}
				}
				for _, v := range variants {
					if v.name == "yielding" && pairs > 0 && n*rounds > 4 {
						continue // some 20 ms for each value on one processor
					}
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

// Beside hogs there are two for each processor. To yield then takes so long that
// it is measured with one value.
func BenchmarkPlay(b *testing.B) {
	const rounds = 8
	for _, hogs := range []int{0, 2} {
		for _, n := range []int{1, 256} {
			for _, v := range variants {
				if yields := v.name == "yielding"; n == 1 && (hogs == 0 || !yields && v.name != "serial" && v.name != "pingpong") || n > 1 && hogs > 0 && yields {
					continue
				}
				b.Run(fmt.Sprintf("variant=%s/hogs=%d/n=%d", v.name, hogs, n), func(b *testing.B) {
					values := someValues(n)
					stop := startHogs(hogs/2*runtime.GOMAXPROCS(0), 20*time.Microsecond)
					defer stop()
					for b.Loop() {
						v.play(values, rounds)
					}
				})
			}
		}
	}
}

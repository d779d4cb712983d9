package poolsize

import (
	"fmt"
	"math"
	"testing"
)

var variants = []struct {
	name string
	sum  func(w *work, n, cores int) uint64
}{
	{"serial", Serial},
	{"half", Half},
	{"cores", Cores},
	{"tentimes", TenTimes},
	{"pool", Pool},
	{"par", Par},
}

func TestCPU(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 8, 100, period + 1, 10_001} {
		var want uint64
		for i := range n {
			want += math.Float64bits(math.Pow(3.1415926, float64(i%period)))
		}
		same(t, computing, n, want)
	}
}

// The first items wait 0 to 3 ms each: few of them are enough here.
func TestIO(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 12} {
		var want uint64
		for i := range n {
			want += uint64(i+1) * 0x9e3779b97f4a7c15
		}
		same(t, fetching, n, want)
	}
}

// same holds all variants to one sum.
func same(t *testing.T, w *work, n int, want uint64) {
	t.Helper()
	for _, v := range variants {
		for _, cores := range []int{1, 2, 3, 8, 17} {
			if got := v.sum(w, n, cores); got != want {
				t.Errorf("%s(%d, %d) = %#x, want %#x", v.name, n, cores, got, want)
			}
		}
	}
}

// A sum can tell a missing or doubled item only if the answers differ.
func TestPowersDiffer(t *testing.T) {
	seen := make(map[uint64]int)
	for i := range period {
		p := compute(i)
		if j, ok := seen[p]; ok {
			t.Errorf("compute(%d) = compute(%d) = %#x, want them to differ", i, j, p)
		}
		seen[p] = i
	}
}

// The cores are those that the article's figures tell, not those of this
// machine, and not GOMAXPROCS: the numbers of workers follow from them.
func BenchmarkCPU(b *testing.B) {
	const cores = 28
	for _, n := range []int{100, 10_000} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				for b.Loop() {
					v.sum(computing, n, cores)
				}
			})
		}
	}
}

func BenchmarkIO(b *testing.B) {
	const cores = 28
	for _, n := range []int{100} {
		for _, v := range variants {
			if v.name == "par" {
				continue // it would be the loop
			}
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				if v.name == "pool" {
					v.sum(fetching, n, cores) // it finds its size
				}
				for b.Loop() {
					v.sum(fetching, n, cores)
				}
			})
		}
	}
}

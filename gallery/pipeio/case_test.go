package pipeio

import (
	"fmt"
	"testing"
	"time"
)

var variants = []struct {
	name   string
	sum    func(n, cores int) uint64
	learns bool // how many items may be under way, in its first run
}{
	{"sequential", Sequential, false},
	{"pipeline", Pipeline, false},
	{"pipelinebuffered", PipelineBuffered, false},
	{"fan", Fan, false},
	{"fanbuffered", FanBuffered, false},
	{"partitioned", Partitioned, false},
	{"partitionedevenly", PartitionedEvenly, false},
	{"each", Each, false},
	{"pipe", Pipe, true},
	{"pool", Pool, true},
}

// The first items wait 0 to 3 ms each: few of them are enough here.
func TestVariants(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			for _, n := range []int{0, 1, 2, 7, 12} {
				var want uint64
				for i := range n {
					want += uint64(i+1) * 0x9e3779b97f4a7c15
				}
				for _, cores := range []int{1, 2, 3, 8, 17} {
					if got := v.sum(n, cores); got != want {
						t.Errorf("%s(%d, %d) = %#x, want %#x", v.name, n, cores, got, want)
					}
				}
			}
		})
	}
}

// An item waits as long as it is meant to: less, and nothing would be measured.
func TestFetchWaits(t *testing.T) {
	for i := range 8 {
		start := time.Now()
		fetch(i)
		if took := time.Since(start); took < pauses[i] {
			t.Errorf("item %d took %v, want %v and more", i, took, pauses[i])
		}
	}
}

// The pauses are of all four lengths, and 150 ms in all, by and large: the doc
// has the shapes' times in those terms.
func TestPauses(t *testing.T) {
	seen := make(map[time.Duration]int)
	var all time.Duration
	for _, d := range pauses {
		seen[d]++
		all += d
	}
	for ms := range 4 {
		if d := time.Duration(ms) * time.Millisecond; seen[d] < 15 {
			t.Errorf("%d of %d items wait %v", seen[d], len(pauses), d)
		}
	}
	if len(seen) != 4 || all < 130*time.Millisecond || all > 170*time.Millisecond {
		t.Errorf("pauses of %d lengths, %v in all", len(seen), all)
	}
}

// The cores are those that the article's figures tell, not those of this
// machine, and not GOMAXPROCS: the numbers of workers follow from them.
func BenchmarkFetch(b *testing.B) {
	const cores = 28
	for _, n := range []int{100} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				if v.learns {
					v.sum(n, cores)
				}
				for b.Loop() {
					v.sum(n, cores)
				}
			})
		}
	}
}

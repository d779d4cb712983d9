package pipe

import (
	"slices"
	"sync"
	"testing"
)

// chunked64 is chunked with 64 parts, which as many goroutines as processors take
// in turn.
func chunked64(items []uint64) tally {
	const parts = 64
	results := make([]uint64, len(items))
	next := make(chan int, parts)
	for p := range parts {
		next <- p
	}
	close(next)
	var wg sync.WaitGroup
	for range procs() {
		wg.Go(func() {
			for p := range next {
				for i := len(items) * p / parts; i < len(items)*(p+1)/parts; i++ {
					results[i] = third(second(first(items[i])))
				}
			}
		})
	}
	wg.Wait()
	return all(results)
}

var skewVariants = append(slices.Clip(stagesVariants), variant{name: "chunked-64", run: chunked64})

// Light items are of about 95 ns; ten thousand are 1 ms, of which the hundred heavy
// ones are three times as much together.
func skewLoads() []load {
	const hundredth = 1 << 63 / 50
	return []load{{key: "/work=95", n: 10_000, work: works[1], heavy: hundredth}}
}

func BenchmarkSkew(b *testing.B) { bench(b, skewLoads(), skewVariants) }
func TestSkew(t *testing.T)      { same(t, skewLoads(), skewVariants) }

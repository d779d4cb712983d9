package planted

import (
	"sync"
	"sync/atomic"
)

// Programs with nothing to explain: concurrency pays, or it is even.

func balancedSerial() int { return tasks(0, 500) }

func balancedHalves() int {
	sums := make([]int, workers)
	halves(500, func(w, lo, hi int) { sums[w] = tasks(lo, hi) })
	return sum(sums)
}

// Batches of 60 µs cross channels: the same shape as the pools that lose.
func batchesSerial() int {
	total := 0
	for i := range 40 {
		total += churn(i, 30_000)
	}
	return total
}

func batchesPool() int {
	jobs, results := make(chan int, 8), make(chan int, 8)
	for range workers {
		go func() {
			for i := range jobs {
				results <- churn(i, 30_000)
			}
		}()
	}
	go func() {
		for i := range 40 {
			jobs <- i
		}
		close(jobs)
	}()
	total := 0
	for range 40 {
		total += <-results
	}
	return total
}

// The result goes under a lock, once for 40 µs of work.
func seldomLocked() int {
	var mu sync.Mutex
	total := 0
	each(4, func(g int) {
		for i := g * 10; i < (g+1)*10; i++ {
			v := churn(i, 30_000)
			mu.Lock()
			total += v
			mu.Unlock()
		}
	})
	return total
}

// A goroutine per item, each with 60 µs to do.
func coarseGoroutines() int {
	out := make([]int, 40)
	each(len(out), func(i int) { out[i] = churn(i, 30_000) })
	return sum(out)
}

// The flag is loaded for every item and never stored: a line that is only read
// may be in every cache.
func flagged(stop *atomic.Bool, lo, hi int) int {
	total := 0
	for i := lo; i < hi && !stop.Load(); i++ {
		total += churn(i, 20)
	}
	return total
}

func flaggedSerial(stop *atomic.Bool) int { return flagged(stop, 0, 20_000) }

func flaggedHalves(stop *atomic.Bool) int {
	sums := make([]int, workers)
	halves(20_000, func(w, lo, hi int) { sums[w] = flagged(stop, lo, hi) })
	return sum(sums)
}

// pool keeps its workers from one operation to the next.
type pool struct {
	jobs chan func()
	wg   sync.WaitGroup
}

func startPool() *pool {
	p := &pool{jobs: make(chan func(), 8)}
	for range workers {
		p.wg.Go(func() {
			for f := range p.jobs {
				f()
			}
		})
	}
	return p
}

func (p *pool) stop() {
	close(p.jobs)
	p.wg.Wait()
}

// do hands n chunks of at least 60 µs to the pool.
func (p *pool) do(n int) int {
	out := make([]int, n)
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		p.jobs <- func() {
			out[i] = churn(i, 30_000)
			wg.Done()
		}
	}
	wg.Wait()
	return sum(out)
}

// index adds up a text that takes longer to make than to read.
//
//go:noinline
func index(text []byte, lo, hi int) int {
	total := 0
	for _, c := range text[lo:hi] {
		if c == ' ' {
			total++
		}
		total ^= int(c) << 8
	}
	return total & 0xffff
}

func parts(text []byte) int {
	total := 0
	for p := range 16 {
		total += index(text, p*len(text)/16, (p+1)*len(text)/16)
	}
	return total
}

func partsHalves(text []byte) int {
	sums := make([]int, workers)
	halves(16, func(w, lo, hi int) {
		for p := lo; p < hi; p++ {
			sums[w] += index(text, p*len(text)/16, (p+1)*len(text)/16)
		}
	})
	return sum(sums)
}

func makeText(n int) []byte {
	text := make([]byte, 0, n)
	for i := 0; len(text) < n; i++ {
		word := make([]byte, 1+churn(i, 3)%9)
		for k := range word {
			word[k] = byte('a' + churn(i+k, 2)%26)
		}
		text = append(append(text, word...), ' ')
	}
	return text[:n]
}

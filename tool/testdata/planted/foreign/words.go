package foreign

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A spinLock backs off by yielding.
type spinLock struct{ held atomic.Int32 }

func (l *spinLock) Lock() {
	backoff := 1
	for !l.held.CompareAndSwap(0, 1) {
		for range backoff {
			runtime.Gosched()
		}
		if backoff < 16 {
			backoff <<= 1
		}
	}
}

func (l *spinLock) Unlock() { l.held.Store(0) }

// split runs f for each of so many workers.
func split(workers int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

// tallySpin counts grades in a table behind the lock.
func tallySpin(n int) int {
	var lock spinLock
	table := map[int]int{}
	split(4, func(w int) {
		for i := w; i < n; i += 4 {
			g := grade(i)
			lock.Lock()
			table[g&15] += g
			lock.Unlock()
		}
	})
	return sum(table)
}

func tally(n int) int {
	table := map[int]int{}
	for i := range n {
		g := grade(i)
		table[g&15] += g
	}
	return sum(table)
}

func sum(table map[int]int) int {
	total := 0
	for _, v := range table {
		total += v
	}
	return total
}

// gradeClaimed lets workers take the next index with a compare-and-swap.
func gradeClaimed(n int) int {
	var next, total atomic.Int64
	split(2, func(int) {
		mine := 0
		for {
			i := next.Load()
			if i >= int64(n) {
				break
			}
			if !next.CompareAndSwap(i, i+1) {
				continue
			}
			mine += grade(int(i))
		}
		total.Add(int64(mine))
	})
	return int(total.Load())
}

// A limiter lets a number of calls through.
type limiter struct{ left atomic.Int64 }

func (l *limiter) allow() bool { return l.left.Add(-1) >= 0 }

func gradeAllowed(n int) int {
	l := &limiter{}
	l.left.Store(int64(n) / 2)
	var let atomic.Int64
	split(2, func(w int) {
		mine := 0
		for i := w; i < n; i += 2 {
			if l.allow() {
				mine++
			}
		}
		let.Add(int64(mine))
	})
	return int(let.Load())
}

func gradeAllowedSerial(n int) int {
	left, let := n/2, 0
	for range n {
		if left--; left >= 0 {
			let++
		}
	}
	return let
}

// find looks an item up in a list; a shared table does better, until two look.
func find(list []int, n int) int {
	found := 0
	for i := range n {
		for _, v := range list {
			if v == i {
				found += v
				break
			}
		}
	}
	return found
}

func findTable(list []int, n int) int {
	table := make(map[int]int, len(list))
	for _, v := range list {
		table[v] = v
	}
	var mu sync.Mutex
	var found atomic.Int64
	split(4, func(w int) {
		mine := 0
		for i := w; i < n; i += 4 {
			mu.Lock()
			mine += table[i]
			mu.Unlock()
		}
		found.Add(int64(mine))
	})
	return int(found.Load())
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

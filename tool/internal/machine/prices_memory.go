package machine

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	lineSize = 64
	pageSize = 4096 // the smallest of any system: larger ones are touched several times, at no price
)

// priceMemory touches fresh memory, several times what the last cache holds and
// no more than an eighth of all memory, and then streams through it: alone, and while every usable
// processor does.
func (p *Prices) priceMemory(ctx context.Context, each time.Duration, e Env, usable int) string {
	size := min(max(4*e.Cache, 64<<20), 256<<20)
	if e.Memory > 0 {
		size = min(size, int(e.Memory/8)&^(1<<20-1))
	}
	if size < 2*e.Cache || size < 16<<20 {
		return fmt.Sprintf("the cache of %d MB would hold too much of %d MB", e.Cache>>20, size>>20)
	}
	before, counted := pageFaults()
	words, release, err := fresh(size)
	if err != nil {
		return err.Error()
	}
	defer release()
	// A page at a time, in batches, so that one disturbance does not count for all.
	var batches []float64
	const batch = 1024 * pageSize / 8
	for lo := 0; lo+batch <= len(words); lo += batch {
		if ended(ctx) {
			return stopped
		}
		start := now()
		for i := lo; i < lo+batch; i += pageSize / 8 {
			words[i] = 1
		}
		batches = append(batches, float64(now()-start))
	}
	if after, _ := pageFaults(); counted && after-before >= int64(len(batches)) {
		p.Fault = priceFrom(batches, float64(after-before)/float64(len(batches)))
	}

	stream := func(part []uint64) {
		sum := uint64(0)
		for i := 0; i < len(part); i += lineSize / 8 {
			sum += part[i]
		}
		streamed.Store(sum)
	}
	part := func(w int) []uint64 { return words[w*len(words)/usable : (w+1)*len(words)/usable] }
	var lack string
	p.Memory, lack = timed(ctx, each, len(words)*8/lineSize, func() { stream(words) })
	if lack != "" || usable == 1 {
		p.MemoryAll = p.Memory
		return lack
	}
	together(usable, func(w int) { stream(part(w)) }, func() {
		p.MemoryAll, lack = timed(ctx, each, len(part(0))*8/lineSize*usable, func() { stream(part(0)) })
	})
	return lack
}

// streamed keeps the sums of streams alive.
var streamed atomic.Uint64

// priceStep does arithmetic that keeps the units of a core busy.
func (p *Prices) priceStep(ctx context.Context, each time.Duration, usable int) string {
	const steps = 1 << 14
	work := func() {
		a, b, c, d := uint64(1), uint64(2), uint64(3), uint64(4)
		for range steps {
			a, b, c, d = a*3+1, b^b<<7+5, c+c>>3+d, d^0x55+a
		}
		streamed.Store(a ^ b ^ c ^ d)
	}
	var lack string
	if p.Step, lack = timed(ctx, each, steps, work); lack != "" || usable == 1 {
		p.StepAll = p.Step
		return lack
	}
	together(usable, func(int) { work() }, func() { p.StepAll, lack = timed(ctx, each, steps, work) })
	return lack
}

// together runs f while the other processors, of so many, do work again and
// again.
func together(procs int, work func(w int), f func()) {
	var quit atomic.Bool
	var started, others sync.WaitGroup
	for w := 1; w < procs; w++ {
		started.Add(1)
		others.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for first := true; !quit.Load(); first = false {
				work(w)
				if first {
					started.Done()
				}
			}
		})
	}
	started.Wait()
	f()
	quit.Store(true)
	others.Wait()
}

// timed does work, of n operations, for the time each, and three times at least.
func timed(ctx context.Context, each time.Duration, n int, work func()) (Price, string) {
	var batches []float64
	for end := now() + int64(each); now() < end || len(batches) < 3; {
		if ended(ctx) {
			return Price{}, stopped
		}
		start := now()
		work()
		batches = append(batches, float64(now()-start))
	}
	return priceFrom(batches, float64(n)), ""
}

// priceFrom is the price of one operation where a batch does n.
func priceFrom(batches []float64, n float64) Price {
	slices.Sort(batches)
	return Price{NS: quantile(batches, 0.5) / n, Low: quantile(batches, 0.25) / n, High: quantile(batches, 0.75) / n}
}

package fresh

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A result is looked for every hundred microseconds.

var chunkSeeds = numbers(workers, 1<<20)

func chunkWork(seed int) int { return int(grind(uint64(seed), 40_000) & 0xffff) }

func chunksSerial() int {
	sum := 0
	for _, s := range chunkSeeds {
		sum += chunkWork(s)
	}
	return sum
}

func chunksPolled() int {
	var sum, done atomic.Int64
	for _, s := range chunkSeeds {
		go func() {
			sum.Add(int64(chunkWork(s)))
			done.Add(1)
		}()
	}
	for done.Load() < int64(len(chunkSeeds)) {
		time.Sleep(100 * time.Microsecond)
	}
	return int(sum.Load())
}

// Messages go out in batches, at most one each tick.

func send(batch []int) int { return int(grind(uint64(batch[0]), 100_000)&0xff) + len(batch) }

var outbox = batches[:2]

func outboxSerial() int {
	sum := 0
	for _, b := range outbox {
		sum += send(b)
	}
	return sum
}

func outboxTicker() int {
	tick := time.NewTicker(250 * time.Microsecond)
	defer tick.Stop()
	queue := make(chan []int, len(outbox))
	for _, b := range outbox {
		queue <- b
	}
	close(queue)
	sum := 0
	for b := range queue {
		<-tick.C
		sum += send(b)
	}
	return sum
}

// Records come from a service that takes its time.

const fetches = 2

func fetch(id int) int {
	time.Sleep(300 * time.Microsecond)
	return id * 3
}

func fetchSerial() int {
	sum := 0
	for id := range fetches {
		sum += fetch(id)
	}
	return sum
}

func fetchPool() int { return fetchWith(1) }

func fetchWith(n int) int {
	ids := make(chan int, fetches)
	for id := range fetches {
		ids <- id
	}
	close(ids)
	var sum atomic.Int64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for id := range ids {
				sum.Add(int64(fetch(id)))
			}
		})
	}
	wg.Wait()
	return int(sum.Load())
}

// Workers give way to others after each item.

var polite = numbers(6_000, 1<<16)

func politeSerial() int {
	sum := 0
	for _, p := range polite {
		sum += read(p)
	}
	return sum
}

func politeYielding() int {
	var sums [workers]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			sum := 0
			for _, p := range cut(polite, w) {
				sum += read(p)
				runtime.Gosched()
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// Parts of a report are written in order, by workers that wait for their turn.

const reportParts = 240

func reportPart(i int) int { return int(grind(uint64(i), 120) & 0xff) }

func reportSerial() int {
	sum := 0
	for i := range reportParts {
		sum = sum*31 + reportPart(i)
	}
	return sum
}

func reportTurns() int {
	const writers = 12
	var turn atomic.Int64
	sum := 0
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := w; i < reportParts; i += writers {
				part := reportPart(i)
				for turn.Load() != int64(i) {
					runtime.Gosched()
				}
				sum = sum*31 + part
				turn.Add(1)
			}
		})
	}
	wg.Wait()
	return sum
}

// A worker computes while others look for work that is not there yet.

const rushItems = 400

func rushItem(i int) int { return int(grind(uint64(i), 150) & 0xff) }

func rushSerial() int {
	sum := 0
	for i := range rushItems {
		sum += rushItem(i)
	}
	return sum
}

func rushPolling() int {
	const idle = 12
	var released, sum atomic.Int64
	var next atomic.Int64
	var wg sync.WaitGroup
	for range idle {
		wg.Go(func() {
			for {
				i := next.Load()
				if i == rushItems {
					return
				}
				if i < released.Load() && next.CompareAndSwap(i, i+1) {
					sum.Add(int64(rushItem(int(i))))
					continue
				}
				runtime.Gosched()
			}
		})
	}
	for range rushItems {
		released.Add(1)
		runtime.Gosched()
	}
	wg.Wait()
	return int(sum.Load())
}

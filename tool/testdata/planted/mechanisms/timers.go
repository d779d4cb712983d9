package mechanisms

import (
	"context"
	"time"
)

// Time limits.

// A feed has n numbers, ready in a buffered channel.
func feed(xs []int) chan int {
	c := make(chan int, len(xs))
	for _, x := range xs {
		c <- x
	}
	close(c)
	return c
}

func drain(xs []int) int {
	c := feed(xs)
	total := 0
	for range len(xs) {
		total += int(mix(uint64(<-c), 20) & 0xff)
	}
	return total
}

// drainAfter waits at most a second for each number.
func drainAfter(xs []int) int {
	return split(len(xs), func(lo, hi int) int {
		c := feed(xs[lo:hi])
		total := 0
		for range hi - lo {
			select {
			case x := <-c:
				total += int(mix(uint64(x), 20) & 0xff)
			case <-time.After(time.Second):
				return -1
			}
		}
		return total
	})
}

// drainOneTimer sets one timer for all numbers of a worker.
func drainOneTimer(xs []int) int {
	return split(len(xs), func(lo, hi int) int {
		c := feed(xs[lo:hi])
		limit := time.NewTimer(time.Second)
		defer limit.Stop()
		total := 0
		for range hi - lo {
			total += int(mix(uint64(<-c), 400) & 0xff)
			if !limit.Reset(time.Second) && total < 0 {
				return -1
			}
		}
		return total
	})
}

func drainSlowly(xs []int) int {
	c := feed(xs)
	total := 0
	for range len(xs) {
		total += int(mix(uint64(<-c), 400) & 0xff)
	}
	return total
}

// answer takes 200 ns.
func answer(ctx context.Context, x int) int {
	if ctx.Err() != nil {
		return 0
	}
	return int(mix(uint64(x), 100) & 0xff)
}

func answers(xs []int) int {
	total := 0
	for _, x := range xs {
		total += answer(context.Background(), x)
	}
	return total
}

// answersGuarded starts a watchdog for each answer.
func answersGuarded(xs []int) int {
	return split(len(xs), func(lo, hi int) int {
		total := 0
		for _, x := range xs[lo:hi] {
			watchdog := time.AfterFunc(time.Minute, func() { panic("an answer takes a minute") })
			total += answer(context.Background(), x)
			watchdog.Stop()
		}
		return total
	})
}

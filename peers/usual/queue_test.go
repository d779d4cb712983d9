package usual

import (
	"runtime"
	"sync"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/gopayoff/payoff/queue"
)

func queues() []load {
	return []load{
		{"Ten", "", ten, 10},
		{"Try", "/capacity=128", try, 100},
		{"Working", "/work=1000/capacity=16", func() []variant { return streams(16, 1, 1000) }, 100},
		{"Four", "/senders=4/capacity=128", func() []variant { return streams(128, 4, 0) }, 100},
	}
}

// ten makes a queue, sends and receives ten values, and closes it, each time.
func ten() []variant {
	type ends interface {
		Send(int) error
		Recv() (int, bool)
		Close()
	}
	each := func(f func() int) func(n int) int {
		return func(n int) (sum int) {
			for range n {
				sum += f()
			}
			return sum
		}
	}
	through := func(q ends) (sum int) {
		for i := range 10 {
			q.Send(i)
		}
		q.Close()
		for {
			v, ok := q.Recv()
			if !ok {
				return sum
			}
			sum += v
		}
	}
	return []variant{
		{name: "chan", do: each(func() (sum int) {
			c := make(chan int, 16)
			for i := range 10 {
				c <- i
			}
			close(c)
			for v := range c {
				sum += v
			}
			return sum
		})},
		{name: "payoff-spsc", do: each(func() int { return through(queue.NewSPSC[int](16)) })},
		{name: "payoff-mpsc", do: each(func() int { return through(queue.NewMPSC[int](16)) })},
		{name: "payoff-mpmc", do: each(func() int { return through(queue.NewMPMC[int](16)) })},
	}
}

// try sends a value and receives it, in one goroutine.
func try() []variant {
	const capacity = 128
	each := func(send func(int) bool, recv func() (int, bool)) func(n int) int {
		return func(n int) (sum int) {
			for i := range n {
				send(i)
				if v, ok := recv(); ok {
					sum += v
				}
			}
			return sum
		}
	}
	c := make(chan int, capacity)
	mpmc, spsc := xsync.NewMPMCQueue[int](capacity), xsync.NewSPSCQueue[int](capacity)
	variants := []variant{
		{name: "chan", do: each(func(v int) bool {
			select {
			case c <- v:
				return true
			default:
				return false
			}
		}, func() (int, bool) {
			select {
			case v := <-c:
				return v, true
			default:
				return 0, false
			}
		})},
		{name: "xsync-mpmc", do: each(mpmc.TryEnqueue, mpmc.TryDequeue)},
		{name: "xsync-spsc", do: each(spsc.TryEnqueue, spsc.TryDequeue)},
	}
	type ends interface {
		TrySend(int) error
		TryRecv() (int, error)
	}
	ours := func(name string, q ends) {
		variants = append(variants, variant{name: name, do: each(
			func(v int) bool { return q.TrySend(v) == nil },
			func() (int, bool) { v, err := q.TryRecv(); return v, err == nil })})
	}
	ours("payoff-spsc", queue.NewSPSC[int](capacity))
	ours("payoff-mpmc", queue.NewMPMC[int](capacity))
	return variants
}

// streams move values from senders to one receiver, with work for each at both ends.
func streams(capacity, senders, ns int) []variant {
	move := func(n int, send func(int), recv func() int) (sum int) {
		var wg sync.WaitGroup
		for s := range senders {
			wg.Go(func() {
				for i := s; i < n; i += senders {
					send(i * one(ns))
				}
			})
		}
		for range n {
			sum += recv() * one(ns)
		}
		wg.Wait()
		return sum
	}
	// Peers without calls that wait are used as their documentation has it.
	retry := func(n int, send func(int) bool, recv func() (int, bool)) int {
		return move(n, func(v int) {
			for !send(v) {
				runtime.Gosched()
			}
		}, func() int {
			for {
				if v, ok := recv(); ok {
					return v
				}
				runtime.Gosched()
			}
		})
	}
	type ends interface {
		Send(int) error
		Recv() (int, bool)
	}
	waits := func(n int, q ends) int {
		return move(n, func(v int) { q.Send(v) }, func() int { v, _ := q.Recv(); return v })
	}
	variants := []variant{
		{name: "chan", do: func(n int) int {
			c := make(chan int, capacity)
			return move(n, func(v int) { c <- v }, func() int { return <-c })
		}},
		{name: "xsync-mpmc", do: func(n int) int {
			q := xsync.NewMPMCQueue[int](capacity)
			return retry(n, q.TryEnqueue, q.TryDequeue)
		}},
		{name: "payoff-mpsc", do: func(n int) int { return waits(n, queue.NewMPSC[int](capacity)) }},
	}
	if senders == 1 {
		variants = append(variants,
			variant{name: "xsync-spsc", do: func(n int) int {
				q := xsync.NewSPSCQueue[int](capacity)
				return retry(n, q.TryEnqueue, q.TryDequeue)
			}},
			variant{name: "payoff-spsc", do: func(n int) int { return waits(n, queue.NewSPSC[int](capacity)) }})
	}
	return variants
}

package queue

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/queue"
	"github.com/puzpuzpuz/xsync/v4"
)

// A mailbox is a queue of words behind functions, for shapes in which goroutines
// mostly wait and the cost of a call does not count.
type mailbox struct {
	send  func(v int64)
	recv  func() (v int64, ok bool) // false at the end
	close func(consumers int)
}

// A mailboxVariant makes mailboxes of one queue.
type mailboxVariant struct {
	name  string
	sides sides
	make  func(capacity int) mailbox
}

var mailboxes = []mailboxVariant{
	{"chan", mpmc, func(capacity int) mailbox {
		q := make(chan int64, capacity)
		return mailbox{
			send:  func(v int64) { q <- v },
			recv:  func() (int64, bool) { v, ok := <-q; return v, ok },
			close: func(int) { close(q) },
		}
	}},
	{"mutexring", mpmc, func(capacity int) mailbox {
		q := newMutexRing[int64](capacity)
		return mailbox{q.Send, q.Recv, func(int) { q.Close() }}
	}},
	{"xsync-umpsc", mpsc, func(int) mailbox {
		q := xsync.NewUMPSCQueue[int64]()
		return mailbox{
			send:  q.Enqueue,
			recv:  func() (int64, bool) { v := q.Dequeue(); return v, v >= 0 },
			close: func(int) { q.Enqueue(poison) },
		}
	}},
	{"xsync-spsc", spsc, func(capacity int) mailbox {
		q := xsync.NewSPSCQueue[int64](capacity)
		send := func(v int64) {
			for !q.TryEnqueue(v) {
				runtime.Gosched()
			}
		}
		return mailbox{
			send: send,
			recv: func() (int64, bool) {
				for {
					if v, ok := q.TryDequeue(); ok {
						return v, v >= 0
					}
					runtime.Gosched()
				}
			},
			close: func(int) { send(poison) },
		}
	}},
	{"payoff-mpmc", mpmc, func(capacity int) mailbox {
		q := queue.NewMPMC[int64](capacity)
		return mailbox{func(v int64) { q.Send(v) }, q.Recv, func(int) { q.Close() }}
	}},
	{"payoff-mpsc", mpsc, func(capacity int) mailbox {
		q := queue.NewMPSC[int64](capacity)
		return mailbox{func(v int64) { q.Send(v) }, q.Recv, func(int) { q.Close() }}
	}},
	{"payoff-spsc", spsc, func(capacity int) mailbox {
		q := queue.NewSPSC[int64](capacity)
		return mailbox{func(v int64) { q.Send(v) }, q.Recv, func(int) { q.Close() }}
	}},
}

func TestMailboxes(t *testing.T) {
	for _, v := range mailboxes {
		consumers := 1
		if v.sides.manyConsumers {
			consumers = 3
		}
		const n = 100
		m := v.make(16)
		var count, sum atomic.Int64
		var all sync.WaitGroup
		for range consumers {
			all.Go(func() {
				for {
					i, ok := m.recv()
					if !ok {
						return
					}
					count.Add(1)
					sum.Add(i)
				}
			})
		}
		for i := range int64(n) {
			m.send(i)
		}
		m.close(consumers)
		all.Wait()
		if got := (tally{count.Load(), sum.Load()}); got != sumTo(n) {
			t.Errorf("%s: received %v, want %v", v.name, got, sumTo(n))
		}
	}
}

package queue

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	workiva "github.com/Workiva/go-datastructures/queue"
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

// polls are further mailboxes, of queues that never park a goroutine: for shapes
// in which somebody always works.
var polls = []mailboxVariant{
	{"workiva", mpmc, func(capacity int) mailbox {
		q := workiva.NewRingBuffer(uint64(capacity))
		send := func(v int64) { q.Put(v) }
		return mailbox{
			send: send,
			recv: func() (int64, bool) {
				v, err := q.Get()
				if err != nil {
					return 0, false
				}
				i := v.(int64)
				return i, i >= 0
			},
			close: func(consumers int) {
				for range consumers {
					send(poison)
				}
			},
		}
	}},
	{"xsync-mpmc", mpmc, func(capacity int) mailbox {
		q := xsync.NewMPMCQueue[int64](capacity)
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
			close: func(consumers int) {
				for range consumers {
					send(poison)
				}
			},
		}
	}},
}

// anyMailbox is all of them, for goroutines on both sides.
func anyMailbox(producers, consumers int) (vs []mailboxVariant) {
	for _, v := range slices.Concat(mailboxes, polls, lscqPolls) {
		if v.sides.allow(producers, consumers) {
			vs = append(vs, v)
		}
	}
	return vs
}

func TestMailboxes(t *testing.T) {
	for _, v := range anyMailbox(1, 1) {
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

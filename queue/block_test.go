package queue_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/queue"
)

// bubbles runs f in a synctest bubble for each kind and capacity.
func bubbles(t *testing.T, capacities []int, f func(t *testing.T, k kind[int], capacity int)) {
	for _, k := range kinds[int]() {
		for _, capacity := range capacities {
			t.Run(fmt.Sprintf("%s/%d", k.name, capacity), func(t *testing.T) {
				stress.Within(t, 20*time.Second, t.Name(), func() {
					synctest.Test(t, func(t *testing.T) { f(t, k, capacity) })
				})
			})
		}
	}
}

// fill sends 0, 1, 2, … to an empty queue until it is full, and returns how
// many fit.
func fill(t *testing.T, q ring[int]) int {
	t.Helper()
	for n := 0; ; n++ {
		switch err := q.TrySend(n); {
		case err == queue.ErrFull && n >= q.Cap():
			return n
		case err != nil || n >= slack(q.Cap()):
			t.Fatalf("TrySend = %v with %d of %d values", err, n, q.Cap())
		}
	}
}

// makeRoom receives as many of n unread values as leave Cap-1, so that a Send
// may not wait, and returns how many these are.
func makeRoom(q ring[int], r recvWay[int], n int) int {
	n -= q.Cap() - 1
	for range n {
		r.recv(q)
	}
	return n
}

// empty receives what is there.
func empty(q ring[int]) {
	for {
		if _, err := q.TryRecv(); err != nil {
			return
		}
	}
}

// A call is one that waits, in a goroutine of its own.
type call struct {
	name string
	v    int
	err  error
	done chan bool // closed when it has returned
}

func start(name string, f func() (int, error)) *call {
	c := &call{name: name, done: make(chan bool)}
	go func() {
		c.v, c.err = f()
		close(c.done)
	}()
	return c
}

func (c *call) returned() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// settle waits until nothing moves. A queue may sleep for a moment where the
// system has stopped a goroutine amid an operation; in a bubble time is free.
func settle() {
	time.Sleep(time.Second)
	synctest.Wait()
}

// want waits until nothing moves and checks what became of the call.
func (c *call) want(t *testing.T, v int, err error) {
	t.Helper()
	settle()
	if !c.returned() {
		t.Fatalf("%s waits, want it to return %d, %v", c.name, v, err)
	}
	if c.v != v || !errors.Is(c.err, err) {
		t.Fatalf("%s returned %d, %v, want %d, %v", c.name, c.v, c.err, v, err)
	}
}

func (c *call) wantWaiting(t *testing.T) {
	t.Helper()
	settle()
	if c.returned() {
		t.Fatalf("%s returned %d, %v, want it to wait", c.name, c.v, c.err)
	}
}

// drain closes the queue and checks that it holds these values.
func drain(t *testing.T, q ring[int], want []int) {
	t.Helper()
	q.Close()
	if got := slices.Collect(q.All()); !slices.Equal(got, want) {
		t.Fatalf("the queue has %v left, want %v", got, want)
	}
}

// upTo returns 0, 1, … n-1.
func upTo(n int) (s []int) {
	for i := range n {
		s = append(s, i)
	}
	return s
}

// A consumer may leave Cap-1 values of a full queue, one less than Cap, and
// wait for the sender that this lets go on: whoever keeps freed slots for
// himself hangs here. Of a small queue that is one value.
func TestOneReceivedReleasesSend(t *testing.T) {
	bubbles(t, []int{1, 2, 8, 64, 1024}, func(t *testing.T, k kind[int], capacity int) {
		for _, s := range sendWays(k.make(1)) {
			for _, r := range recvWays(k.make(1)) {
				q := k.make(capacity)
				n := fill(t, q)
				send := start(s.name, func() (int, error) { return 0, s.send(q, n) })
				send.wantWaiting(t)
				took := makeRoom(q, r, n)
				send.name += " after " + r.name
				send.want(t, 0, nil)
				drain(t, q, upTo(n + 1)[took:])
			}
		}
	})
}

// The other way around: a producer may send one value into an empty queue and
// wait until the receiver has got it.
func TestOneSentReleasesRecv(t *testing.T) {
	bubbles(t, []int{1, 2, 8, 64, 1024}, func(t *testing.T, k kind[int], capacity int) {
		for _, r := range recvWays(k.make(1)) {
			for _, s := range sendWays(k.make(1)) {
				q := k.make(capacity)
				for i := range 2 * capacity / 3 { // so that not all begins at slot 0
					q.Send(i)
					q.Recv()
				}
				for i := range 3 {
					recv := start(r.name, func() (int, error) { return r.recv(q) })
					recv.wantWaiting(t)
					if err := s.send(q, i+7); err != nil {
						t.Fatalf("%s = %v, want nil", s.name, err)
					}
					recv.name += " after " + s.name
					recv.want(t, i+7, nil)
				}
				drain(t, q, nil)
			}
		}
	})
}

func TestCloseReleases(t *testing.T) {
	bubbles(t, []int{1, 2, 8, 64}, func(t *testing.T, k kind[int], capacity int) {
		for _, s := range sendWays(k.make(1)) {
			q := k.make(capacity)
			n := fill(t, q)
			var sends []*call
			for range many(k.manySends, 10) {
				sends = append(sends, start(s.name, func() (int, error) { return 0, s.send(q, -1) }))
			}
			sends[0].wantWaiting(t)
			q.Close()
			for _, c := range sends {
				c.want(t, 0, queue.ErrClosed)
			}
			q.Close()
			if err := s.send(q, -1); err != queue.ErrClosed {
				t.Fatalf("%s after Close = %v, want %v", s.name, err, queue.ErrClosed)
			}
			drain(t, q, upTo(n)) // what was sent stays, what failed was not sent
		}
		for _, r := range recvWays(k.make(1)) {
			q := k.make(capacity)
			var recvs []*call
			for range many(k.manyRecvs, 10) {
				recvs = append(recvs, start(r.name, func() (int, error) { return r.recv(q) }))
			}
			recvs[0].wantWaiting(t)
			q.Close()
			for _, c := range recvs {
				c.want(t, 0, queue.ErrClosed)
			}
			if v, err := r.recv(q); v != 0 || err != queue.ErrClosed {
				t.Fatalf("%s after Close = %d, %v, want 0, %v", r.name, v, err, queue.ErrClosed)
			}
		}
	})
}

// All who wait go on, in the order of what they do, and each with one value.
func TestManyWait(t *testing.T) {
	bubbles(t, []int{1, 2, 8, 64}, func(t *testing.T, k kind[int], capacity int) {
		if k.manySends {
			for _, s := range sendWays(k.make(1)) {
				q := k.make(capacity)
				n := fill(t, q)
				var sends []*call
				for i := range 100 {
					sends = append(sends, start(s.name, func() (int, error) { return 0, s.send(q, n+i) }))
				}
				var got []int
				for range n + 100 {
					v, ok := q.Recv()
					if !ok {
						t.Fatal("Recv: closed")
					}
					got = append(got, v)
				}
				for _, c := range sends {
					c.want(t, 0, nil)
				}
				if slices.Sort(got); !slices.Equal(got, upTo(n+100)) {
					t.Fatalf("%s by 100: received %v", s.name, got)
				}
			}
		}
		if k.manyRecvs {
			for _, r := range recvWays(k.make(1)) {
				q := k.make(capacity)
				var recvs []*call
				for range 100 {
					recvs = append(recvs, start(r.name, func() (int, error) { return r.recv(q) }))
				}
				recvs[0].wantWaiting(t)
				if n, err := q.SendAll(upTo(100)); n != 100 || err != nil {
					t.Fatalf("SendAll = %d, %v, want 100, nil", n, err)
				}
				settle()
				var got []int
				for _, c := range recvs {
					if !c.returned() || c.err != nil {
						t.Fatalf("%s by 100: one of them waits, or failed", r.name)
					}
					got = append(got, c.v)
				}
				if slices.Sort(got); !slices.Equal(got, upTo(100)) {
					t.Fatalf("%s by 100: received %v", r.name, got)
				}
			}
		}
	})
}

// As many receivers are woken as values come, up to GOMAXPROCS: none lies in the
// ring until a receiver that is on its way has seen to the next.
func TestWakesAsManyAsCome(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, send := range []struct {
		name string
		send func(q *queue.MPMC[int])
	}{
		{"SendAll", func(q *queue.MPMC[int]) { q.SendAll(upTo(4)) }},
		{"Send", func(q *queue.MPMC[int]) {
			for i := range 4 {
				q.Send(i)
			}
		}},
		{"TrySend", func(q *queue.MPMC[int]) {
			for i := range 4 {
				q.TrySend(i)
			}
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			q := queue.NewMPMC[int](8)
			var got atomic.Int32
			for range 4 {
				go func() {
					q.Recv()
					got.Add(1)
				}()
			}
			synctest.Wait()
			send.send(q)
			if n := q.Len(); n != 0 {
				t.Errorf("%s of 4 values to 4 that wait leaves %d in the ring", send.name, n)
			}
			synctest.Wait()
			if n := got.Load(); n != 4 {
				t.Errorf("%s: %d of 4 have received", send.name, n)
			}
		})
	}
}

// As many senders are served as slots get free: none waits until a sender that is on
// its way has seen to the next.
func TestServesAsManyAsFit(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, k := range kinds[int]() {
		if !k.manySends || k.name == "oracle" {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			const capacity = 8
			q := k.make(capacity)
			for i := range 2 * capacity {
				go q.Send(i)
			}
			synctest.Wait()
			if n := q.RecvInto(make([]int, capacity)); n != capacity {
				t.Fatalf("%s: RecvInto = %d, want %d", k.name, n, capacity)
			}
			if n := q.Len(); n != capacity {
				t.Errorf("%s: %d values are in the ring while %d senders wait, want %d", k.name, n, capacity, capacity)
			}
			synctest.Wait()
			if n := q.RecvInto(make([]int, capacity)); n != capacity {
				t.Errorf("%s: RecvInto = %d when all had sent, want %d", k.name, n, capacity)
			}
		})
	}
}

// With one processor one sender is served at a time, and sees to the next.
func TestServesOneAfterTheOther(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, k := range kinds[int]() {
		if !k.manySends {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			const capacity = 8
			q := k.make(capacity)
			for i := range 3 * capacity {
				go q.Send(i)
			}
			buf := make([]int, capacity)
			for got := 0; got < 3*capacity; {
				synctest.Wait()
				got += q.RecvInto(buf) // where the rest sleeps, so does this
			}
		})
	}
}

func TestBatchesWait(t *testing.T) {
	bubbles(t, []int{1, 2, 7, 64}, func(t *testing.T, k kind[int], capacity int) {
		q := k.make(capacity)
		all := upTo(5*capacity + 3)
		send := start("SendAll", func() (int, error) { return q.SendAll(all) })
		send.wantWaiting(t)
		for i := range all {
			if v, ok := q.Recv(); v != i || !ok {
				t.Fatalf("Recv = %d, %t, want %d, true", v, ok, i)
			}
		}
		send.want(t, len(all), nil)

		// A receiver with a large buffer goes on with what there is.
		buf := make([]int, 10*capacity)
		recv := start("RecvInto", func() (int, error) { return q.RecvInto(buf), nil })
		recv.wantWaiting(t)
		q.Send(9)
		recv.want(t, 1, nil)
		if buf[0] != 9 {
			t.Errorf("RecvInto got %d, want 9", buf[0])
		}

		// Close tells how far a batch came.
		send = start("SendAll and Close", func() (int, error) { return q.SendAll(all) })
		send.wantWaiting(t)
		took := capacity/2 + 1
		for i := range took {
			if v, ok := q.Recv(); v != i || !ok {
				t.Fatalf("Recv = %d, %t, want %d, true", v, ok, i)
			}
		}
		settle()
		q.Close()
		settle()
		send.want(t, send.v, queue.ErrClosed)
		drain(t, q, all[took:send.v])
	})
}

func TestAll(t *testing.T) {
	bubbles(t, []int{1, 2, 8, 64}, func(t *testing.T, k kind[int], capacity int) {
		q := k.make(capacity)
		go func() {
			defer q.Close()
			for i := range 10 * capacity {
				q.Send(i)
			}
		}()
		next := 0
		for next < 10*capacity { // leave the loop after 1, 2, 3, … values
			n := next
			for v := range q.All() {
				if v != next {
					t.Fatalf("All gave %d, want %d", v, next)
				}
				if next++; next == 2*n+1 {
					break
				}
			}
		}
		for v := range q.All() {
			t.Fatalf("All gave %d after the end", v)
		}

		// A loop that waits ends at Close.
		q = k.make(capacity)
		loop := start("All", func() (n int, err error) {
			for range q.All() {
				n++
			}
			return n, nil
		})
		q.Send(1)
		loop.wantWaiting(t)
		q.Close()
		loop.want(t, 1, nil)
	})
}

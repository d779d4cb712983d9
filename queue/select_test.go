package queue_test

import (
	"slices"
	"testing"

	"github.com/gopayoff/payoff/queue"
)

// A select waits for a queue as for anything else, and finds what came while
// it looked elsewhere.
func TestSelect(t *testing.T) {
	bubbles(t, []int{1, 2, 8}, func(t *testing.T, k kind[int], capacity int) {
		q := k.make(capacity)
		other := make(chan int)
		watch := func() (int, error) {
			for {
				select {
				case v := <-other:
					return v, nil
				case <-q.Readable():
					if v, err := q.TryRecv(); err != queue.ErrEmpty {
						return v, err
					}
				}
			}
		}
		for i := range 10 {
			w := start("watcher", watch)
			w.wantWaiting(t)
			if i%3 == 0 {
				other <- -i
				w.want(t, -i, nil)
				continue
			}
			q.Send(i)
			w.want(t, i, nil)
			q.Send(i) // nobody looks
			start("late watcher", watch).want(t, i, nil)
		}

		// The channel may be held while something else happens.
		readable := q.Readable()
		q.Send(1)
		<-readable
		if v, err := q.TryRecv(); v != 1 || err != nil {
			t.Fatalf("TryRecv after Readable = %d, %v, want 1, nil", v, err)
		}

		n := fill(t, q)
		writable := start("Writable", func() (int, error) {
			for {
				select {
				case <-other:
				case <-q.Writable():
					if err := q.TrySend(n); err != queue.ErrFull {
						return 0, err
					}
				}
			}
		})
		writable.wantWaiting(t)
		other <- 1
		writable.wantWaiting(t)
		makeRoom(q, recvWays(q)[0], n)
		writable.want(t, 0, nil)

		// One waits for room in one queue and for a value of another.
		in, out := k.make(capacity), k.make(capacity)
		full := fill(t, out)
		both := start("select of two queues", func() (int, error) {
			select {
			case <-in.Readable():
				return 1, nil
			case <-out.Writable():
				return 2, nil
			}
		})
		both.wantWaiting(t)
		took := makeRoom(out, recvWays(out)[0], full)
		both.want(t, 2, nil)
		drain(t, out, upTo(full)[took:])
	})
}

func TestManyWatch(t *testing.T) {
	bubbles(t, []int{1, 2, 8}, func(t *testing.T, k kind[int], capacity int) {
		if !k.manyRecvs {
			return
		}
		ways := recvWays(k.make(1))
		q := k.make(capacity)
		for range 20 {
			var calls []*call
			for i := range 3 * len(ways) {
				r := ways[i%len(ways)]
				calls = append(calls, start(r.name, func() (int, error) { return r.recv(q) }))
			}
			calls[0].wantWaiting(t)
			for i := range calls {
				q.Send(i)
				if i%4 == 0 {
					settle()
				}
			}
			settle()
			var got []int
			for _, c := range calls {
				if !c.returned() {
					t.Fatalf("%s still waits; Len() = %d", c.name, q.Len())
				}
				got = append(got, c.v)
			}
			if slices.Sort(got); !slices.Equal(got, upTo(len(calls))) {
				t.Fatalf("received %v, want each of %d once", got, len(calls))
			}
		}
	})
}

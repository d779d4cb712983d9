package queue_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"weak"

	"github.com/gopayoff/payoff/internal/stress"
)

// A body is what a value points to.
type body struct {
	self *body
	_    [64]byte
}

// A boxed value has its pointer in the middle.
type boxed struct {
	_ [3]int
	b *body
	_ [5]int
}

// track returns a new body and a function that reports whether it is alive.
func track() (*body, func() bool) {
	b := new(body)
	b.self = b
	w := weak.Make(b)
	return b, func() bool { return w.Value() != nil }
}

func TestReceivedIsNotKept(t *testing.T) {
	t.Run("*body", func(t *testing.T) { testNotKept(t, func(b *body) *body { return b }) })
	t.Run("boxed", func(t *testing.T) { testNotKept(t, func(b *body) boxed { return boxed{b: b} }) })
	t.Run("any", func(t *testing.T) { testNotKept(t, func(b *body) any { return b }) })
}

func testNotKept[T any](t *testing.T, wrap func(*body) T) {
	type leftover struct {
		what  string
		q     ring[T]
		alive []func() bool
	}
	var all []leftover
	for _, k := range kinds[T]() {
		ways := append(recvWays(k.make(1)),
			recvWay[T]{"TryRecv", func(q ring[T]) (v T, err error) { return q.TryRecv() }},
			recvWay[T]{"RecvInto of many", func(q ring[T]) (v T, err error) {
				q.RecvInto(make([]T, 5))
				return v, nil
			}},
			recvWay[T]{"All of many", func(q ring[T]) (v T, err error) {
				n := 0
				for range q.All() {
					if n++; n == 3 || q.Len() == 0 {
						break
					}
				}
				return v, nil
			}})
		if _, ok := k.make(1).(viewer[T]); ok {
			ways = append(ways, recvWay[T]{"View of many", func(q ring[T]) (v T, err error) {
				l := q.(viewer[T])
				l.Release(len(l.View(5)))
				return v, nil
			}})
		}
		for _, r := range ways {
			for _, s := range sendWays(k.make(1)) {
				q := k.make(8)
				var alive []func() bool
				for range 3 { // the last values of each round stay in slots
					for range 7 {
						alive = append(alive, sendTracked(q, s, wrap))
					}
					for q.Len() > 0 {
						r.recv(q)
					}
				}
				all = append(all, leftover{k.name + ", " + s.name + ", " + r.name, q, alive})
			}
		}
	}
	runtime.GC()
	for _, l := range all {
		wantDead(t, l.alive, l.what)
	}
	runtime.KeepAlive(all)
}

//go:noinline
func sendTracked[T any](q ring[T], s sendWay[T], wrap func(*body) T) func() bool {
	b, alive := track()
	s.send(q, wrap(b))
	return alive
}

func wantDead(t *testing.T, alive []func() bool, what string) {
	t.Helper()
	// A stack or a register may keep one for some cycles.
	n := 0
	for range 3 {
		n = 0
		for _, a := range alive {
			if a() {
				n++
			}
		}
		if n == 0 {
			return
		}
		runtime.GC()
	}
	t.Errorf("%s: %d of %d received values are kept alive", what, n, len(alive))
}

// What was handed over to one that was parked is not kept where it waited.
func TestHandedOverIsNotKept(t *testing.T) {
	for _, k := range kinds[*body]() {
		for _, r := range recvWays(k.make(1)) {
			synctest.Test(t, func(t *testing.T) {
				q := k.make(2)
				go r.recv(q)
				synctest.Wait()
				alive := sendTracked(q, sendWays(q)[0], func(b *body) *body { return b })
				synctest.Wait()
				runtime.GC()
				wantDead(t, []func() bool{alive}, k.name+", "+r.name)
				runtime.KeepAlive(q)
			})
		}
	}
}

// Also the places where those who wait hand values over are cleared, after the
// hand-over and after giving up.
func TestWaitingKeepsNothing(t *testing.T) {
	for _, k := range kinds[*body]() {
		t.Run(k.name, func(t *testing.T) {
			q := k.make(2)
			var alive []func() bool
			sends, recvs := sendWays(q), recvWays(q)
			done := make(chan bool)
			for i := range 30 {
				b, a := track()
				alive = append(alive, a)
				go func() {
					recvs[i%len(recvs)].recv(q)
					done <- true
				}()
				for range i % 3 * 50 { // let it park, or not
					runtime.Gosched()
				}
				sends[i%len(sends)].send(q, b)
				<-done
			}
			for q.TrySend(nil) == nil {
			}
			for i := range 30 {
				b, a := track()
				alive = append(alive, a)
				ctx, cancel := context.WithCancel(context.Background())
				go func() {
					if err := q.SendContext(ctx, b); err == nil {
						t.Error("SendContext into a full queue = nil")
					}
					done <- true
				}()
				for range i % 3 * 50 {
					runtime.Gosched()
				}
				cancel()
				<-done
			}
			runtime.GC()
			wantDead(t, alive, k.name)
			runtime.KeepAlive(q)
		})
	}
}

func TestAllocs(t *testing.T) {
	if stress.Race {
		t.Skip("the race detector allocates, and makes pools forget")
	}
	for _, k := range kinds[string]()[2:] {
		t.Run(k.name, func(t *testing.T) {
			q := k.make(64)
			batch, buf := make([]string, 40), make([]string, 40)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			calls := []struct {
				name string
				call func()
			}{
				{"Send and Recv", func() { q.Send("x"); q.Recv() }},
				{"TrySend and TryRecv", func() { q.TrySend("x"); q.TryRecv() }},
				{"SendContext and RecvContext", func() { q.SendContext(ctx, "x"); q.RecvContext(ctx) }},
				{"SendAll and RecvInto", func() { q.SendAll(batch); q.RecvInto(buf) }},
				{"TrySend and TryRecv in vain", func() {
					q.TryRecv()
					for q.TrySend("x") == nil {
					}
					for range q.Len() {
						q.TryRecv()
					}
				}},
			}
			if v, ok := q.(viewer[string]); ok {
				calls = append(calls, struct {
					name string
					call func()
				}{"Send and View", func() { q.Send("x"); v.Release(len(v.View(9))) }})
			}
			if r, ok := q.(reserver[string]); ok {
				calls = append(calls, struct {
					name string
					call func()
				}{"Reserve and Recv", func() { r.Reserve(9)[0] = "x"; r.Publish(1); q.Recv() }})
			}
			for _, c := range calls {
				if n := testing.AllocsPerRun(500, c.call); n != 0 {
					t.Errorf("%s: %v allocations, want 0", c.name, n)
				}
			}

			back := k.make(1)
			done := make(chan bool)
			go func() {
				defer close(done)
				for v := range q.All() {
					back.Send(v)
				}
			}()
			pingPong := func() { q.Send("x"); back.Recv() }
			for range 1000 {
				pingPong()
			}
			if n := testing.AllocsPerRun(1000, pingPong); n != 0 {
				t.Errorf("ping-pong: %v allocations, want 0", n)
			}
			q.Close()
			<-done
		})
	}
}

// A sender that waits for room allocates nothing either.
func TestAllocsFull(t *testing.T) {
	if stress.Race {
		t.Skip("the race detector allocates, and makes pools forget")
	}
	const batch = 200
	for _, k := range kinds[int]()[2:] {
		q := k.make(2)
		next, sum, done := make(chan bool), make(chan int), make(chan bool)
		go func() {
			defer close(done)
			for range next {
				n := 0
				for range batch {
					v, _ := q.Recv()
					n += v
				}
				sum <- n
			}
		}()
		run := func() {
			next <- true
			for range batch {
				q.Send(1)
			}
			if n := <-sum; n != batch {
				t.Errorf("%s: sum %d, want %d", k.name, n, batch)
			}
		}
		for range 20 {
			run()
		}
		if n := testing.AllocsPerRun(50, run); n > 1 {
			t.Errorf("%s: %v allocations for %d values, want at most 1", k.name, n, batch)
		}
		close(next)
		<-done
	}
}

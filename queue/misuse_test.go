package queue_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gopayoff/payoff/queue"
)

// panics returns what f panics with.
func panics(f func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text, _ = p.(string)
			if err, ok := p.(error); ok {
				text = err.Error()
			}
		}
	}()
	f()
	return ""
}

// Misuse panics, and says what to do.
func TestMisuse(t *testing.T) {
	one := func() *queue.SPSC[int] {
		q := queue.NewSPSC[int](4)
		q.Send(1)
		q.Send(2)
		return q
	}
	for _, c := range []struct {
		name string
		f    func()
		want string
	}{
		{"NewSPSC(0)", func() { queue.NewSPSC[int](0) }, "queue.NewSPSC: capacity < 1"},
		{"NewMPSC(0)", func() { queue.NewMPSC[int](0) }, "queue.NewMPSC: capacity < 1"},
		{"NewMPMC(-1)", func() { queue.NewMPMC[int](-1) }, "queue.NewMPMC: capacity < 1"},
		{"zero SPSC, Send", func() { new(queue.SPSC[int]).Send(1) }, "make it with NewSPSC"},
		{"zero SPSC, SendAll", func() { new(queue.SPSC[int]).SendAll([]int{1}) }, "make it with NewSPSC"},
		{"zero SPSC, TrySend", func() { new(queue.SPSC[int]).TrySend(1) }, "make it with NewSPSC"},
		{"zero SPSC, Reserve", func() { new(queue.SPSC[int]).Reserve(1) }, "make it with NewSPSC"},
		{"zero SPSC, Recv", func() { new(queue.SPSC[int]).Recv() }, "make it with NewSPSC"},
		{"zero SPSC, View", func() { new(queue.SPSC[int]).View(1) }, "make it with NewSPSC"},
		{"zero MPSC, Send", func() { new(queue.MPSC[int]).Send(1) }, "NewMPSC"},
		{"zero MPSC, RecvInto", func() { new(queue.MPSC[int]).RecvInto(make([]int, 1)) }, "NewMPSC"},
		{"zero MPMC, Send", func() { new(queue.MPMC[int]).Send(1) }, "NewMPMC"},
		{"zero MPMC, Recv", func() { new(queue.MPMC[int]).Recv() }, "make it with New"},
		{"zero MPMC, TryRecv", func() { new(queue.MPMC[int]).TryRecv() }, "make it with New"},
		{"zero SPSC, Readable", func() { new(queue.SPSC[int]).Readable() }, "make it with NewSPSC"},
		{"zero MPSC, Readable", func() { new(queue.MPSC[int]).Readable() }, "make it with New"},
		{"zero MPMC, Writable", func() { new(queue.MPMC[int]).Writable() }, "make it with New"},
		{"zero SPSC, SendAll(nil)", func() { new(queue.SPSC[int]).SendAll(nil) }, "make it with NewSPSC"},
		{"zero SPSC, Publish(0)", func() { new(queue.SPSC[int]).Publish(0) }, "make it with NewSPSC"},
		{"zero SPSC, Release(0)", func() { new(queue.SPSC[int]).Release(0) }, "make it with NewSPSC"},
		{"zero SPSC, TryRecvInto", func() { new(queue.SPSC[int]).TryRecvInto(make([]int, 1)) }, "make it with NewSPSC"},
		{"zero MPSC, SendAll(nil)", func() { new(queue.MPSC[int]).SendAll(nil) }, "make it with NewSPSC"},
		{"zero MPMC, TrySend", func() { new(queue.MPMC[int]).TrySend(1) }, "make it with NewSPSC"},
		{"zero MPMC, Close", func() { new(queue.MPMC[int]).Close() }, "make it with NewSPSC"},
		{"zero MPMC, All", func() {
			for range new(queue.MPMC[int]).All() {
			}
		}, "make it with NewSPSC"},
		{"nil MPMC, Send", func() { (*queue.MPMC[int])(nil).Send(1) }, "nil pointer"},
		{"nil MPMC, Recv", func() { (*queue.MPMC[int])(nil).Recv() }, "nil pointer"},
		{"nil context", func() { queue.NewMPMC[int](1).SendContext(*new(context.Context), 1) }, "nil pointer"},
		{"NewMPMC(1<<62)", func() { queue.NewMPMC[struct{}](math.MaxInt) }, "capacity too large"},
		{"Release of a value handed over and received", func() {
			q := queue.NewSPSC[int](4)
			go func() {
				for !q.Parked() {
					runtime.Gosched()
				}
				q.Send(1)
			}()
			q.View(1) // parks, and so the value is handed over
			q.Recv()
			q.Release(1)
		}, "each View is released once"},
		{"SPSC, RecvInto(nil)", func() { one().RecvInto(nil) }, "len(buf) 0"},
		{"MPMC, RecvInto(nil)", func() { queue.NewMPMC[int](1).RecvInto(nil) }, "len(buf) 0"},
		{"View(0)", func() { one().View(0) }, "View of n < 1"},
		{"Reserve(0)", func() { one().Reserve(0) }, "Reserve: n < 1"},
		{"Release without View", func() { one().Release(1) }, "each View is released once"},
		{"Release twice", func() { q := one(); q.View(2); q.Release(1); q.Release(1) }, "each View is released once"},
		{"Release after Recv", func() { q := one(); q.View(2); q.Recv(); q.Release(1) }, "each View is released once"},
		{"Release of too many", func() { q := one(); q.View(1); q.Release(2) }, "more values than are in view"},
		{"Publish without Reserve", func() { one().Publish(1) }, "each Reserve is published once"},
		{"Publish twice", func() { q := one(); q.Reserve(2); q.Publish(1); q.Publish(1) }, "each Reserve is published once"},
		{"Publish after Send", func() { q := one(); q.Reserve(1); q.Send(3); q.Publish(1) }, "more slots than are reserved"},
	} {
		if got := panics(c.f); !strings.Contains(got, c.want) {
			t.Errorf("%s panics with %q, want %q in it", c.name, got, c.want)
		}
	}
}

// Two that wait at an end that is for one are told, whatever the timing.
func TestTwoWait(t *testing.T) {
	for _, k := range kinds[int]()[2:] {
		synctest.Test(t, func(t *testing.T) {
			q := k.make(1)
			if !k.manyRecvs {
				for _, r := range recvWays(q)[:4] { // those that do not select
					first := start(r.name, func() (int, error) { return r.recv(q) })
					first.wantWaiting(t)
					if got, want := panics(func() { r.recv(q) }), "two goroutines receive"; !strings.Contains(got, want) {
						t.Errorf("%s: %s beside one that waits panics with %q, want %q in it", k.name, r.name, got, want)
					}
					q.Send(1)
					first.want(t, 1, nil)
				}
			}
			if !k.manySends {
				q.Send(1)
				for _, s := range sendWays(q)[:4] {
					first := start(s.name, func() (int, error) { return 0, s.send(q, 2) })
					first.wantWaiting(t)
					if got, want := panics(func() { s.send(q, 3) }), "two goroutines send"; !strings.Contains(got, want) {
						t.Errorf("%s: %s beside one that waits panics with %q, want %q in it", k.name, s.name, got, want)
					}
					q.Recv()
					first.want(t, 0, nil)
				}
			}
		})
	}
}

// Two at an end that is for one, where one has gone on amid the other's call.
func TestTwoGoOn(t *testing.T) {
	q := queue.NewSPSC[int](4)
	if got, want := panics(func() { q.SendBeside(1, func() { q.Send(2) }) }), "two goroutines send"; !strings.Contains(got, want) {
		t.Errorf("Send amid another's panics with %q, want %q in it", got, want)
	}
	q = queue.NewSPSC[int](4)
	q.SendAll([]int{1, 2, 3})
	if got, want := panics(func() { q.RecvBeside(func() { q.Recv() }) }), "two goroutines receive"; !strings.Contains(got, want) {
		t.Errorf("Recv amid another's panics with %q, want %q in it", got, want)
	}
	q = queue.NewSPSC[int](4)
	q.SendAll([]int{1, 2, 3})
	if got, want := panics(q.RecvTorn), "two goroutines receive"; !strings.Contains(got, want) {
		t.Errorf("Recv torn by another's panics with %q, want %q in it", got, want)
	}
}

// What was reserved and filled and not published is not sent, nor kept alive.
func TestReserveForgets(t *testing.T) {
	q := queue.NewSPSC[*int](8)
	filled := func(n int) []*int {
		slots := q.Reserve(n)
		for i := range slots {
			if slots[i] != nil {
				t.Errorf("Reserve gave a slot with a value in it")
			}
			slots[i] = new(int)
		}
		return slots
	}
	for range 5 { // through all slots
		filled(3)
		filled(3) // again, without Publish
		q.Publish(1)
		if slots := filled(2); slots[0] == nil {
			t.Fatal("no slots")
		}
		q.Send(nil) // ends the reservation
		filled(2)
		q.Publish(0)
		for _, s := range q.Reserve(4) {
			if s != nil {
				t.Error("a slot that was filled and not published comes back as it was")
			}
		}
		q.Recv()
		q.Recv()
	}
	filled(3)
	q.Close()
	if err := q.Publish(3); err != queue.ErrClosed {
		t.Errorf("Publish after Close = %v, want %v", err, queue.ErrClosed)
	}
	for i, v := range q.Slots() {
		if v != nil {
			t.Errorf("slot %d keeps a value that was never sent", i)
		}
	}
}

// A batch that is given up has sent what it says.
func TestSendAllContext(t *testing.T) {
	for _, k := range kinds[int]() {
		q := k.make(8)
		ctx, cancel := context.WithCancelCause(context.Background())
		why := errors.New("enough")
		done := make(chan struct{})
		var n int
		var err error
		go func() {
			defer close(done)
			n, err = q.SendAllContext(ctx, make([]int, 100))
		}()
		for q.Len() < 8 {
			<-q.Readable()
		}
		cancel(why)
		<-done
		if err != why || n < 8 || n != q.Len() {
			t.Errorf("%s: SendAllContext = %d, %v with %d in the queue, want that many, %v", k.name, n, err, q.Len(), why)
		}
		if n, err := q.SendAllContext(ctx, []int{1}); n != 0 || err != why {
			t.Errorf("%s: SendAllContext, stopped before, = %d, %v, want 0, %v", k.name, n, err, why)
		}
		buf := make([]int, 100)
		if m, err := q.RecvIntoContext(ctx, buf); m != 0 || err != why {
			t.Errorf("%s: RecvIntoContext, stopped before, = %d, %v, want 0, %v", k.name, m, err, why)
		}
		if m, err := q.TryRecvInto(buf); m != n || err != nil {
			t.Errorf("%s: TryRecvInto = %d, %v, want %d, nil", k.name, m, err, n)
		}
	}
}

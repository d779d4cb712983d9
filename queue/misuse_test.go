package queue_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

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
		{"NewMPMC(1<<62)", func() { queue.NewMPMC[struct{}](math.MaxInt) }, "capacity too large"},
		{"Release of a value handed over and received", func() {
			q := queue.NewSPSC[int](4)
			ctx, cancel := context.WithCancel(context.Background())
			go func() {
				time.Sleep(time.Millisecond)
				cancel()
			}()
			q.RecvContext(ctx) // has parked: the next value is handed over
			q.Send(1)
			q.View(1)
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

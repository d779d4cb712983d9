package queue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/queue"
)

// A linear is what histories are made of.
type linear interface {
	Send(byte) error
	Recv() (byte, bool)
	TrySend(byte) error
	TryRecv() (byte, error)
	SendContext(context.Context, byte) error
	RecvContext(context.Context) (byte, error)
	Close()
	Cap() int
}

// An action is one call; send and recv have several forms.
type action int

const (
	send action = iota
	recv
	closeQueue
)

type input struct {
	action action
	form   string
	v      byte // to send
}

type output struct {
	v   byte // received
	err error
}

// A state of the queue that all act on at one moment after the other.
type state struct {
	values string
	closed bool
}

// errStop is the cause of contexts that end; who gave up for it did nothing.
var errStop = errors.New("stop")

// model is a first-in-first-out queue that always takes capacity values and
// never more than an eighth more.
func model(capacity int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return state{} },
		Step: func(s, in, out any) (bool, any) {
			q, i, o := s.(state), in.(input), out.(output)
			if o.err == errStop {
				return true, q
			}
			switch i.action {
			case closeQueue:
				return true, state{q.values, true}
			case send:
				switch o.err {
				case nil:
					return !q.closed && len(q.values) < capacity+max(1, capacity/8), state{q.values + string(rune(i.v)), q.closed}
				case queue.ErrFull:
					return !q.closed && len(q.values) >= capacity, q
				case queue.ErrClosed:
					return q.closed, q
				}
			case recv:
				switch o.err {
				case nil:
					if q.values == "" || q.values[0] != o.v {
						return false, q
					}
					return true, state{q.values[1:], q.closed}
				case queue.ErrEmpty:
					return !q.closed && q.values == "", q
				case queue.ErrClosed:
					return q.closed && q.values == "", q
				}
			}
			return false, q
		},
	}
}

// A player calls the operations of its role by chance and keeps what it sees.
type player struct {
	q          linear
	id         int
	rnd        *rand.Rand
	start      time.Time
	send, recv bool
	values     []byte // to send, none twice in a history
	history    []porcupine.Operation
}

// do calls f and notes when it was called and when it returned.
func (p *player) do(in input, f func() (byte, error)) {
	called := time.Since(p.start)
	v, err := f()
	returned := time.Since(p.start)
	p.history = append(p.history, porcupine.Operation{
		ClientId: p.id, Input: in, Call: int64(called), Output: output{v, err}, Return: int64(returned),
	})
}

func (p *player) play(n int) {
	for range n {
		for p.rnd.IntN(3) == 0 {
			runtime.Gosched()
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		if p.rnd.IntN(2) == 0 {
			cancel(errStop)
		}
		stop := time.AfterFunc(time.Duration(p.rnd.IntN(30))*time.Microsecond, func() { cancel(errStop) })
		if p.send && (!p.recv || p.rnd.IntN(2) == 0) {
			v := p.values[0]
			p.values = p.values[1:]
			switch p.rnd.IntN(3) {
			case 0:
				p.do(input{send, "Send", v}, func() (byte, error) { return 0, p.q.Send(v) })
			case 1:
				p.do(input{send, "TrySend", v}, func() (byte, error) { return 0, p.q.TrySend(v) })
			case 2:
				p.do(input{send, "SendContext", v}, func() (byte, error) { return 0, p.q.SendContext(ctx, v) })
			}
		} else {
			switch p.rnd.IntN(3) {
			case 0:
				p.do(input{recv, "Recv", 0}, func() (byte, error) {
					v, ok := p.q.Recv()
					if !ok {
						return v, queue.ErrClosed
					}
					return v, nil
				})
			case 1:
				p.do(input{recv, "TryRecv", 0}, p.q.TryRecv)
			case 2:
				p.do(input{recv, "RecvContext", 0}, func() (byte, error) { return p.q.RecvContext(ctx) })
			}
		}
		stop.Stop()
		cancel(nil)
	}
}

// play returns a history of q: senders, receivers, those who do both, and one
// that closes q at some moment, which also ends the calls that wait for ever.
func play(q linear, rnd *rand.Rand, senders, receivers, both int) []porcupine.Operation {
	start := time.Now()
	var players []*player
	var all sync.WaitGroup
	for i := range senders + receivers + both {
		p := &player{q: q, id: i, rnd: rand.New(rand.NewPCG(rnd.Uint64(), 0)), start: start}
		p.send = i < senders || i >= senders+receivers
		p.recv = i >= senders
		for j := range 10 {
			p.values = append(p.values, byte(i*10+j+1))
		}
		players = append(players, p)
		n := 5 + rnd.IntN(6)
		all.Go(func() { p.play(n) })
	}
	closer := &player{q: q, id: len(players), start: start}
	players = append(players, closer)
	wait := time.Duration(rnd.IntN(200)) * time.Microsecond
	all.Go(func() {
		for time.Since(start) < wait {
			runtime.Gosched()
		}
		closer.do(input{action: closeQueue}, func() (byte, error) { q.Close(); return 0, nil })
	})
	all.Wait()
	// What is left was sent, too.
	last := &player{q: q, id: len(players), start: start}
	for done := false; !done; {
		last.do(input{recv, "Recv", 0}, func() (byte, error) {
			v, err := q.TryRecv()
			done = err != nil
			return v, err
		})
	}
	var history []porcupine.Operation
	for _, p := range append(players, last) {
		history = append(history, p.history...)
	}
	return history
}

// describe lists a history in the order of the calls.
func describe(history []porcupine.Operation) string {
	var s strings.Builder
	for _, o := range history {
		fmt.Fprintf(&s, "%d: [%d, %d] %+v → %+v\n", o.ClientId, o.Call, o.Return, o.Input, o.Output)
	}
	return s.String()
}

// Each history of a queue is one that a queue could have that does one thing
// after the other, all of them between their call and their return.
func TestLinearizable(t *testing.T) {
	kinds := []struct {
		name                     string
		make                     func(capacity int) linear
		senders, receivers, both int
	}{
		{"SPSC", func(n int) linear { return queue.NewSPSC[byte](n) }, 1, 1, 0},
		{"MPSC", func(n int) linear { return queue.NewMPSC[byte](n) }, 3, 1, 0},
		{"MPMC", func(n int) linear { return queue.NewMPMC[byte](n) }, 2, 2, 0},
		{"MPMC both", func(n int) linear { return queue.NewMPMC[byte](n) }, 0, 0, 3},
		{"MPMC mixed", func(n int) linear { return queue.NewMPMC[byte](n) }, 1, 2, 1},
	}
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	rounds := 500
	if !stress.Long() {
		rounds = 50
	}
	stress.Procs(t, func(t *testing.T) {
		for _, k := range kinds {
			t.Run(k.name, func(t *testing.T) {
				for round := range rounds {
					capacity := 1 + rnd.IntN(4)
					var history []porcupine.Operation
					q := k.make(capacity)
					stress.Within(t, time.Minute, k.name, func() {
						history = play(q, rnd, k.senders, k.receivers, k.both)
					})
					if r := porcupine.CheckOperationsTimeout(model(q.Cap()), history, 10*time.Second); r != porcupine.Ok {
						t.Fatalf("round %d, capacity %d: %v:\n%s", round, capacity, r, describe(history))
					}
				}
			})
		}
	})
}

// A broken queue passes most calls on to a sound one.
type broken struct {
	linear
	mu   sync.Mutex
	n    int
	kind string
}

func (b *broken) turn() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	return b.n%4 == 0
}

func (b *broken) TrySend(v byte) error {
	if b.turn() {
		switch b.kind {
		case "loses":
			return nil
		case "doubles":
			b.linear.TrySend(v)
		case "full":
			return queue.ErrFull
		case "sends and fails":
			if b.linear.TrySend(v) == nil {
				return queue.ErrFull
			}
		}
	}
	return b.linear.TrySend(v)
}

func (b *broken) TryRecv() (byte, error) {
	if b.turn() {
		switch b.kind {
		case "empty":
			return 0, queue.ErrEmpty
		case "swaps":
			if v, err := b.linear.TryRecv(); err == nil {
				if w, err := b.linear.TryRecv(); err == nil {
					b.linear.TrySend(v)
					return w, nil
				}
				return v, nil
			}
		}
	}
	return b.linear.TryRecv()
}

// The checker finds each kind of fault, in some history.
func TestBrokenIsNotLinearizable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for _, kind := range []string{"loses", "doubles", "full", "sends and fails", "empty", "swaps"} {
		found := false
		for round := 0; round < 2000 && !found; round++ {
			q := &broken{linear: queue.NewMPMC[byte](1 + rnd.IntN(4)), kind: kind}
			history := play(q, rnd, 2, 2, 0)
			found = porcupine.CheckOperationsTimeout(model(q.Cap()), history, 10*time.Second) == porcupine.Illegal
		}
		if !found {
			t.Errorf("a queue that %s passes", kind)
		}
	}
}

package queue_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/queue"
)

// A token is a value of a ledger that shows when it was torn, or when what the
// sender wrote before it is not there yet.
type token struct {
	v, not uint64
	mem    *uint64
}

func makeToken(v uint64) token { return token{v, ^v, &v} }

func (k token) check() error {
	if k.v != ^k.not || k.mem == nil || *k.mem != k.v {
		return fmt.Errorf("received a torn value %#x, %#x", k.v, ^k.not)
	}
	return nil
}

// A load is one run of producers and consumers on one queue.
type load struct {
	kind                         kind[token]
	producers, consumers, values int
	capacity                     int
	close                        closer
	seed                         uint64
}

// A closer says who closes the queue, and when.
type closer int

const (
	closeAtEnd      closer = iota // when all producers have returned
	closeByOther                  // in the middle
	closeByProducer               // in the middle
	closeByConsumer               // in the middle
	closers
)

func (l load) String() string {
	return fmt.Sprintf("%s of %d, %d producers, %d consumers, %d values, close %d, seed %d, GOMAXPROCS %d",
		l.kind.name, l.capacity, l.producers, l.consumers, l.values, l.close, l.seed, runtime.GOMAXPROCS(0))
}

// run returns what went wrong.
func (l load) run() error {
	q := l.kind.make(l.capacity)
	ledger := stress.NewLedger(l.producers, l.consumers)
	var received atomic.Int64
	half := make(chan bool)
	errs := make(chan error, l.producers+l.consumers)
	var producers, all sync.WaitGroup
	for i := range l.producers {
		w := worker{q: q, rnd: rand.New(rand.NewPCG(l.seed, uint64(i)))}
		n := l.values/l.producers + 1
		if l.close == closeByProducer && i == 0 {
			n /= 2
		}
		producers.Go(func() {
			errs <- w.produce(&ledger.Producers[i], n)
			if l.close == closeByProducer && i == 0 {
				q.Close()
			}
		})
	}
	for i := range l.consumers {
		w := worker{q: q, rnd: rand.New(rand.NewPCG(l.seed, 1<<32+uint64(i)))}
		got := func(k token) error {
			ledger.Consumers[i].Got(k.v)
			switch n := received.Add(1); {
			case n == int64(l.values/2)+1:
				close(half)
			case n == int64(l.values/2) && l.close == closeByConsumer:
				q.Close()
			}
			return k.check()
		}
		all.Go(func() {
			errs <- w.consume(got)
			q.Close() // after an error, producers shall not wait
		})
	}
	end := make(chan bool)
	if l.close == closeByOther {
		all.Go(func() {
			select {
			case <-half:
				q.Close()
			case <-end:
			}
		})
	}
	producers.Wait()
	close(end)
	q.Close()
	all.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	if n := q.Len(); n != 0 {
		return fmt.Errorf("Len() = %d after all has been received", n)
	}
	return ledger.Verify()
}

// A worker sends or receives in all ways that its queue has, by chance.
type worker struct {
	q   ring[token]
	rnd *rand.Rand
}

// pause lets others run, at times.
func (w *worker) pause() {
	for w.rnd.IntN(4) == 0 {
		runtime.Gosched()
	}
}

// stopping returns a context that ends now or a few microseconds later.
func (w *worker) stopping() (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(context.Background(), time.Duration(w.rnd.IntN(50)-5)*time.Microsecond, errStop)
}

// produce sends n values, or until the queue is closed.
func (w *worker) produce(p *stress.Producer, n int) error {
	ways := sendWays(w.q)
	reserver, _ := w.q.(reserver[token])
	for n > 0 {
		w.pause()
		var err error
		switch v := p.Next(); w.rnd.IntN(8) {
		case 0:
			if err = w.q.TrySend(makeToken(v)); err == nil {
				p.Sent(v)
			} else if err == queue.ErrFull {
				runtime.Gosched()
				continue
			}
			n--
		case 1:
			ctx, cancel := w.stopping()
			err = w.q.SendContext(ctx, makeToken(v))
			cancel()
			if err == nil {
				p.Sent(v)
			} else if err == errStop {
				continue
			}
			n--
		case 2, 3: // a batch, of which v is the first
			vs := []uint64{v}
			ks := []token{makeToken(v)}
			for range w.rnd.IntN(2 * min(w.q.Cap(), 40)) {
				v := p.Next()
				vs, ks = append(vs, v), append(ks, makeToken(v))
			}
			var sent int
			if reserver != nil && w.rnd.IntN(2) == 0 {
				slots := reserver.Reserve(len(ks))
				if slots == nil {
					return nil
				}
				if err = reserver.Publish(copy(slots, ks)); err == nil {
					sent = len(slots)
				}
			} else if sent, err = w.q.SendAll(ks); sent < len(ks) && err == nil {
				return fmt.Errorf("SendAll of %d values = %d, nil", len(ks), sent)
			}
			for _, v := range vs[:sent] {
				p.Sent(v)
			}
			n -= sent
		default:
			way := ways[w.rnd.IntN(len(ways))]
			if err = way.send(w.q, makeToken(v)); err == nil {
				p.Sent(v)
			}
			n--
		}
		if err == queue.ErrClosed {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// consume receives until the queue is closed and drained.
func (w *worker) consume(got func(token) error) error {
	ways := recvWays(w.q)
	viewer, _ := w.q.(viewer[token])
	buf := make([]token, 40)
	for {
		w.pause()
		var k token
		var err error
		switch w.rnd.IntN(8) {
		case 0:
			if k, err = w.q.TryRecv(); err == queue.ErrEmpty {
				runtime.Gosched()
				continue
			}
		case 1:
			ctx, cancel := w.stopping()
			k, err = w.q.RecvContext(ctx)
			cancel()
			if err == errStop {
				continue
			}
		case 2: // a batch, the last of which is left for below
			n := w.q.RecvInto(buf[:1+w.rnd.IntN(len(buf))])
			err = closedUnless(n > 0)
			for i := range n - 1 {
				if err := got(buf[i]); err != nil {
					return err
				}
			}
			k = buf[max(n-1, 0)]
		case 3:
			if viewer == nil {
				continue
			}
			lent := viewer.View(1 + w.rnd.IntN(len(buf)))
			n := w.rnd.IntN(len(lent) + 1)
			if lent != nil && n == 0 {
				continue // it will come again
			}
			err = closedUnless(n > 0)
			for i := range n - 1 {
				if err := got(lent[i]); err != nil {
					return err
				}
			}
			if n > 0 {
				k = lent[n-1]
				viewer.Release(n)
			}
		case 4:
			n := 1 + w.rnd.IntN(10)
			err = queue.ErrClosed
			for k = range w.q.All() {
				if n--; n == 0 {
					err = nil
					break
				}
				if err := got(k); err != nil {
					return err
				}
			}
		default:
			k, err = ways[w.rnd.IntN(len(ways))].recv(w.q)
		}
		if err == queue.ErrClosed {
			return nil
		}
		if err != nil {
			return err
		}
		if err := got(k); err != nil {
			return err
		}
	}
}

var crowds = []struct{ producers, consumers int }{
	{1, 1}, {100, 1}, {1, 100}, {2, 2}, {8, 8}, {100, 100},
}

// Each value that was sent arrives once, in order, whatever the number of
// goroutines and processors, the capacity, and the moment of Close.
// QUEUE_STRESS=10m makes it go on for ten minutes with other sizes.
func TestStress(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	values := 3000
	if !stress.Long() {
		values = 300
	}
	run := func(t *testing.T, l load) {
		stress.Within(t, time.Minute, l.String(), func() {
			if err := l.run(); err != nil {
				t.Fatalf("%v: %v", l, err)
			}
		})
	}
	stress.Procs(t, func(t *testing.T) {
		for _, k := range kinds[token]() {
			for _, c := range crowds {
				if !k.allows(c.producers, c.consumers) || k.name == "oracle" && c.producers*c.consumers > 4 {
					continue
				}
				for _, capacity := range []int{1, 2, 8, 1024} {
					for _, by := range []closer{closeAtEnd, 1 + closer(rnd.IntN(int(closers)-1))} {
						run(t, load{k, c.producers, c.consumers, values, capacity, by, rnd.Uint64()})
					}
				}
			}
		}
	})
	if s := os.Getenv("QUEUE_STRESS"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil {
			t.Fatalf("QUEUE_STRESS: %v", err)
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		runs := 0
		for end := time.Now().Add(d); time.Now().Before(end); runs++ {
			runtime.GOMAXPROCS(1 + rnd.IntN(8))
			k := kinds[token]()[2+rnd.IntN(3)]
			producers, consumers := 1<<rnd.IntN(8), 1<<rnd.IntN(8)
			run(t, load{k, many(k.manySends, producers), many(k.manyRecvs, consumers),
				1 + rnd.IntN(50_000), 1 + rnd.IntN(1<<rnd.IntN(12)), closer(rnd.IntN(int(closers))), rnd.Uint64()})
		}
		t.Logf("%d runs", runs)
	}
}

// The same with another process on a processor: who spins for a partner that
// does not run must stop.
func TestStressWithHog(t *testing.T) {
	values := 3000
	if !stress.Long() {
		values = 300
	}
	stress.Hog(t)
	seed := stress.Seed(t)
	stress.Procs(t, func(t *testing.T) {
		for _, k := range kinds[token]()[2:] {
			l := load{k, many(k.manySends, 8), many(k.manyRecvs, 8), values, 2, closeAtEnd, seed}
			stress.Within(t, time.Minute, l.String(), func() {
				if err := l.run(); err != nil {
					t.Errorf("%v: %v", l, err)
				}
			})
		}
	})
}

// Goroutines throw one value to and fro: a lost wake-up stops them at once.
func TestPingPong(t *testing.T) {
	rounds := 3000
	if !stress.Long() {
		rounds = 300
	}
	stress.Procs(t, func(t *testing.T) {
		for _, k := range kinds[int]()[2:] {
			for _, capacity := range []int{1, 64} {
				there, back := k.make(capacity), k.make(capacity)
				for i, r := range recvWays(there) {
					s := sendWays(there)[i%len(sendWays(there))]
					what := fmt.Sprintf("%s of %d by %s and %s", k.name, capacity, s.name, r.name)
					stress.Within(t, time.Minute, what, func() {
						done := make(chan bool)
						go func() {
							defer close(done)
							for range rounds {
								v, _ := r.recv(there)
								s.send(back, v)
							}
						}()
						for n := range rounds {
							s.send(there, n)
							if v, err := r.recv(back); v != n || err != nil {
								t.Errorf("%s = %d, %v, want %d, nil", r.name, v, err, n)
							}
						}
						<-done
					})
				}
			}
		}
	})
}

// The sender of a full queue and the receiver of an empty one are released
// also where they have not parked yet.
func TestReleaseRaces(t *testing.T) {
	rounds := 300
	if !stress.Long() {
		rounds = 30
	}
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	pause := func() {
		for range rnd.IntN(3) * rnd.IntN(20) {
			runtime.Gosched()
		}
	}
	stress.Procs(t, func(t *testing.T) {
		for _, k := range kinds[int]()[2:] {
			for _, capacity := range []int{1, 2, 8, 64, 1024} {
				stress.Within(t, time.Minute, fmt.Sprintf("%s of %d", k.name, capacity), func() {
					q := k.make(capacity)
					done := make(chan bool)
					sends, recvs := sendWays(q), recvWays(q)
					for range rounds {
						r := recvs[rnd.IntN(len(recvs))]
						go func() {
							r.recv(q)
							done <- true
						}()
						pause()
						sends[rnd.IntN(len(sends))].send(q, 1)
						<-done
					}
					for range rounds {
						empty(q)
						n := fill(t, q)
						s := sends[rnd.IntN(len(sends))]
						go func() {
							s.send(q, 1)
							done <- true
						}()
						pause()
						makeRoom(q, recvs[rnd.IntN(len(recvs))], n)
						<-done
					}
				})
			}
		}
	})
}

// An end may go from one goroutine to the next, if something orders them.
func TestHandOver(t *testing.T) {
	q := queue.NewSPSC[int](8)
	var sender, receiver sync.Mutex
	var all sync.WaitGroup
	sent, got := 0, 0
	for range 4 {
		all.Go(func() {
			for range 250 {
				sender.Lock()
				q.Send(sent)
				sent++
				sender.Unlock()
			}
		})
		all.Go(func() {
			for range 250 {
				receiver.Lock()
				if v, ok := q.Recv(); v != got || !ok {
					t.Errorf("Recv = %d, %t, want %d, true", v, ok, got)
				}
				got++
				receiver.Unlock()
			}
		})
	}
	stress.Within(t, time.Minute, "hand-over", all.Wait)
}

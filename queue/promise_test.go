package queue_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/queue"
)

// One receiver finds every value whose Send has returned, and one sender has
// room while fewer than Cap values are unread, also while the other side is
// amid its next call.
func TestTryKeepsPromises(t *testing.T) {
	rounds := 60
	if !stress.Long() {
		rounds = 6
	}
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	stress.Procs(t, func(t *testing.T) {
		for _, k := range kinds[int]() {
			for _, capacity := range []int{1, 2, 8, 64} {
				stress.Within(t, time.Minute, fmt.Sprintf("%s of %d", k.name, capacity), func() {
					for range rounds {
						if err := keepsPromises(k.make(capacity), rnd.Uint64()); err != nil {
							t.Fatalf("%s of %d: %v", k.name, capacity, err)
						}
					}
				})
			}
		}
	})
}

func keepsPromises(q ring[int], seed uint64) error {
	const values = 200
	var sent, received atomic.Int64 // counted after the call has returned
	errs := make(chan error, 1)
	stopping := func(rnd *rand.Rand) (context.Context, context.CancelFunc) {
		return context.WithTimeout(context.Background(), time.Duration(rnd.IntN(20))*time.Microsecond)
	}
	go func() {
		defer q.Close()
		rnd := rand.New(rand.NewPCG(seed, 1))
		for n := int64(0); n < values; {
			err := error(nil)
			switch rnd.IntN(4) {
			case 0:
				err = q.Send(int(n))
			case 1:
				ctx, cancel := stopping(rnd)
				err = q.SendContext(ctx, int(n))
				cancel()
			default:
				unread := n - received.Load() // or fewer
				if err = q.TrySend(int(n)); err == queue.ErrFull && unread < int64(q.Cap()) {
					errs <- fmt.Errorf("TrySend = %v with at most %d values", err, unread)
					return
				}
			}
			if err == nil {
				n++
				sent.Store(n)
			}
			if rnd.IntN(8) == 0 {
				runtime.Gosched()
			}
		}
		errs <- nil
	}()
	defer q.Close() // after an error here, the sender shall not wait
	rnd := rand.New(rand.NewPCG(seed, 2))
	for n := int64(0); ; {
		v, err := 0, error(nil)
		switch rnd.IntN(4) {
		case 0:
			var ok bool
			v, ok = q.Recv()
			err = closedUnless(ok)
		case 1:
			ctx, cancel := stopping(rnd)
			v, err = q.RecvContext(ctx)
			cancel()
		default:
			unread := sent.Load() - n // or more
			if v, err = q.TryRecv(); err == queue.ErrEmpty && unread > 0 {
				return fmt.Errorf("TryRecv = %v with at least %d values", err, unread)
			}
		}
		switch {
		case err == nil && v != int(n):
			return fmt.Errorf("received %d, want %d", v, n)
		case err == nil:
			n++
			received.Store(n)
		case err == queue.ErrClosed:
			if err := <-errs; err != nil || n == values {
				return err
			}
			return fmt.Errorf("closed and drained after %d values of %d", n, values)
		}
	}
}

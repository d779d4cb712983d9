package pool_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/pool"
)

// TestSize: in a bubble, where nothing computes, a pool of tasks that wait grows to as
// many as there are, and one whose server slows down where it has too much to do does
// not flood it. How the size is found is for internal/size to test.
func TestSize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(nap)
		defer p.Close()
		ins := make([]time.Duration, 1000)
		for i := range ins {
			ins[i] = 100 * time.Millisecond
		}
		from := time.Now()
		if _, err := p.SubmitAll(ctx, ins); err != nil {
			t.Error(err)
		}
		t.Logf("1000 tasks of 100 ms take %v, %v", time.Since(from), p.Stats())
		if got := time.Since(from); got > 2*time.Second {
			t.Errorf("1000 tasks of 100 ms take %v", got)
		}
		from = time.Now()
		b := p.Batch(ctx)
		for _, d := range ins {
			b.Submit(d)
		}
		b.Wait()
		t.Logf("1000 more take %v, %v", time.Since(from), p.Stats())
		if got := time.Since(from); got > time.Second {
			t.Errorf("1000 more take %v", got)
		}
	})
}

// A server serves few at once.
type server chan bool

func (s server) serve(ctx context.Context, d time.Duration) (int, error) {
	s <- true
	time.Sleep(d)
	<-s
	return 0, nil
}

// TestServer: a pool in front of a server that serves 32 at once does not have many more
// workers than that.
func TestServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(make(server, 32).serve)
		ins := make([]time.Duration, 20_000)
		for i := range ins {
			ins[i] = 5 * time.Millisecond
		}
		from := time.Now()
		p.SubmitAll(ctx, ins)
		took := time.Since(from)
		t.Logf("%v, %v", took, p.Stats())
		if best := time.Duration(len(ins)) * 5 * time.Millisecond / 32; took > best*5/4 {
			t.Errorf("20,000 tasks take %v, want about %v", took, best)
		}
		p.Close()
	})
}

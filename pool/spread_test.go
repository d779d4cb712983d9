package pool

import (
	"context"
	"io"
	"log"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/force"
)

// TestMain has slices shared as they are in programs, also with -race; tests that want
// them spread say so. What pools log of failed tasks is looked at where it is wanted.
func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	force.Set(force.Auto)
	os.Exit(m.Run())
}

// TestSpread: where all that may run at once is to, the first and the last task of a slice
// do, and no more tasks than the pool may have.
func TestSpread(t *testing.T) {
	defer force.Set(force.Set(force.Spread))
	for _, workers := range []int{2, 5, 100} {
		for _, n := range []int{2, 3, 1000} {
			var active atomic.Int64
			met := make(chan bool)
			var p *Pool[int, int]
			p = New(func(_ context.Context, i int) (int, error) {
				patience := time.NewTimer(3 * time.Second)
				defer patience.Stop()
				switch i {
				case 0:
					active.Store(int64(p.Stats().Workers))
					select {
					case met <- true:
					case <-patience.C:
						t.Error("the last task does not begin before the first has ended")
					}
				case n - 1:
					select {
					case <-met:
					case <-patience.C:
						t.Error("the first task does not begin before the last has ended")
					}
				}
				return i, nil
			}, Options{Min: workers, Max: workers})
			p.crew.mean.Store(100) // so that else they would be one part
			out, err := p.SubmitAll(background, indexes(n))
			for i, got := range out {
				if got != i {
					t.Fatalf("task %d of %d gave %d", i, n, got)
				}
			}
			if err != nil || active.Load() > int64(workers) {
				t.Errorf("SubmitAll of %d tasks: %v, %d active, want %d at most", n, err, active.Load(), workers)
			}
			p.Close()
		}
	}
	c := newCrew(3, func(int) int { return 1 })
	c.active = 1
	if n := c.reserve(8); n != 2 || c.active != 3 {
		t.Errorf("reserve(8) = %d, %d active; want 2 and 3", n, c.active)
	}
	// A pool of one has nothing to spread.
	p := New(func(_ context.Context, i int) (int, error) { return i, nil }, Options{Min: 1, Max: 1})
	defer p.Close()
	if out, err := p.SubmitAll(background, indexes(3)); len(out) != 3 || out[2] != 2 || err != nil {
		t.Errorf("SubmitAll = %v, %v", out, err)
	}
}

func indexes(n int) []int {
	in := make([]int, n)
	for i := range in {
		in[i] = i
	}
	return in
}

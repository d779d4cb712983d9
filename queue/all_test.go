package queue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/gopayoff/payoff/queue"
)

// A heard is what a loop over AllContext was given.
type heard struct {
	values []int
	errs   []error // of the values too
}

func hear(ctx context.Context, r queue.Receiver[int], most int) (h heard) {
	for v, err := range r.AllContext(ctx) {
		h.values, h.errs = append(h.values, v), append(h.errs, err)
		if len(h.values) == most {
			break
		}
	}
	return h
}

// AllContext gives what All does, and last the cause of a context that is done,
// also where that is ErrClosed, and where the queue was closed because of it.
func TestAllContext(t *testing.T) {
	enough := errors.New("enough")
	const all = 1 << 30
	for name, test := range map[string]struct {
		done  error // ctx is done before the loop
		late  error // ctx is done while the loop waits
		close bool  // the queue is closed before, and with late then
		most  int   // values that the loop takes
		want  heard
		left  int // values that are still in the queue then
	}{
		"closed":           {close: true, most: all, want: heard{upTo(3), make([]error, 3)}},
		"left":             {most: 2, want: heard{upTo(2), make([]error, 2)}, left: 1},
		"done":             {done: enough, most: all, want: heard{[]int{0}, []error{enough}}, left: 3},
		"done and closed":  {done: enough, close: true, most: all, want: heard{[]int{0}, []error{enough}}, left: 3},
		"ErrClosed":        {done: queue.ErrClosed, close: true, most: all, want: heard{[]int{0}, []error{queue.ErrClosed}}, left: 3},
		"late":             {late: enough, most: all, want: heard{[]int{0, 1, 2, 0}, []error{nil, nil, nil, enough}}},
		"late, and closes": {late: enough, close: true, most: all, want: heard{[]int{0, 1, 2, 0}, []error{nil, nil, nil, enough}}},
	} {
		for _, k := range kinds[int]()[2:] {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				q := k.make(8)
				_, _ = q.SendAll(upTo(3))
				if test.done != nil {
					cancel(test.done)
				}
				if test.late != nil {
					if test.close {
						defer context.AfterFunc(ctx, q.Close)()
					}
				} else if test.close {
					q.Close()
				}
				got := make(chan heard, 1)
				go func() { got <- hear(ctx, q.(queue.Receiver[int]), test.most) }()
				synctest.Wait()
				if test.late != nil {
					if len(got) > 0 {
						t.Fatalf("%s, %s: the loop ended before the context", k.name, name)
					}
					cancel(test.late)
				}
				h := <-got
				if !slices.Equal(h.values, test.want.values) || !slices.Equal(h.errs, test.want.errs) {
					t.Errorf("%s, %s: AllContext gave %v, want %v", k.name, name, h, test.want)
				}
				q.Close()
				if left := len(slices.Collect(q.All())); left != test.left {
					t.Errorf("%s, %s: %d values are left, want %d", k.name, name, left, test.left)
				}
			})
		}
	}
}

// A loop that a context ends.
func ExampleSPSC_AllContext() {
	q := queue.NewSPSC[string](16)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		defer q.Close()
		for _, s := range []string{"a", "b", "stop", "c"} {
			if q.SendContext(ctx, s) != nil {
				return
			}
		}
	}()
	for s, err := range q.AllContext(ctx) {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(s)
		if s == "stop" {
			cancel()
		}
	}
	// Output:
	// a
	// b
	// stop
	// context canceled
}

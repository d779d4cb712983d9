package par

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
)

// counting returns 0, 1, 2, … without end. pulled is how many were yielded, and
// ended whether the sequence was told to stop.
func counting(pulled *int, ended *bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer func() { *ended = true }()
		for i := 0; ; i++ {
			*pulled++
			if !yield(i) {
				return
			}
		}
	}
}

// TestMapSeqStops: whoever stops iterating stops the source, which was not far
// ahead, and leaves nothing behind.
func TestMapSeqStops(t *testing.T) {
	modes(t, func(t *testing.T) {
		for _, stop := range []int{0, 1, 2, 10, 1000} {
			pulled, ended, next := 0, false, 0
			for v := range MapSeq(counting(&pulled, &ended), func(i int) int { return 2 * i }) {
				if v != 2*next {
					t.Fatalf("element %d is %d", next, v)
				}
				if next == stop {
					break
				}
				next++
			}
			if next != stop || !ended {
				t.Errorf("stopped at %d, want %d; ended: %t", next, stop, ended)
			}
			if pulled > 5*(stop+1)+8+mostBatch || stop == 0 && pulled != 1 {
				t.Errorf("%d elements were asked for to yield %d", pulled, stop+1)
			}
		}
	})
}

// TestMapSeqTwice: a sequence may be iterated over more than once.
func TestMapSeqTwice(t *testing.T) {
	seq := MapSeq(slices.Values(upTo(100)), func(i int) string { return fmt.Sprint(i) })
	if a, b := slices.Collect(seq), slices.Collect(seq); len(a) != 100 || !slices.Equal(a, b) {
		t.Errorf("%v, and then %v", a, b)
	}
}

// TestSeqPanics: a panic of the function that par calls is a *Panic. Those of the
// source and of the consumer are not par's, and come through as they are.
func TestSeqPanics(t *testing.T) {
	stress.NoneLeft(t)
	source := func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
			if i == 100 {
				panic("source")
			}
		}
	}
	endless := func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	}
	same := func(i int) int { return i }
	bad := func(i int) int {
		if i == 50 {
			panic("body")
		}
		return i
	}
	for name, test := range map[string]struct {
		call func()
		want any
	}{
		"source of ForSeq": {func() { ForSeq(source, func(int) {}) }, "source"},
		"source of MapSeq": {func() { drain(MapSeq(source, same)) }, "source"},
		"consumer of MapSeq": {func() {
			drain(func(yield func(int) bool) { MapSeq(endless, same)(func(int) bool { panic("consumer") }) })
		}, "consumer"},
		"body of ForSeq": {func() { ForSeq(endless, func(i int) { bad(i) }) }, &Panic{Value: "body"}},
		"body of MapSeq": {func() { drain(MapSeq(endless, bad)) }, &Panic{Value: "body"}},
	} {
		var got any
		func() {
			defer func() { got = recover() }()
			test.call()
		}()
		p, isPanic := got.(*Panic)
		_, wantPanic := test.want.(*Panic)
		if isPanic != wantPanic || isPanic && p.Value != "body" || !isPanic && got != test.want {
			t.Errorf("%s: panics with %v, want %v", name, got, test.want)
		}
	}
}

func drain[T any](seq iter.Seq[T]) {
	for range seq {
	}
}

// TestMapSeqContext yields what a plain loop yields, up to the first error.
func TestMapSeqContext(t *testing.T) {
	failed := errors.New("failed")
	modes(t, func(t *testing.T) {
		for _, at := range []int{0, 1, 7, 300} {
			next := 0
			var end error
			for v, err := range MapSeqContext(context.Background(), slices.Values(upTo(1000)), func(_ context.Context, i int) (int, error) {
				if i >= at {
					return 0, failed
				}
				return i, nil
			}) {
				if end != nil {
					t.Fatal("goes on after an error")
				}
				if end = err; err == nil && v != next {
					t.Fatalf("element %d is %d", next, v)
				}
				next++
			}
			if next != at+1 || end != failed {
				t.Errorf("%d yields and %v, want %d and %v", next, end, at+1, failed)
			}
		}
		cause := errors.New("cause")
		ctx, cancel := context.WithCancelCause(context.Background())
		next := 0
		for _, err := range MapSeqContext(ctx, slices.Values(upTo(1<<20)), func(ctx context.Context, i int) (int, error) {
			if i == 5000 {
				cancel(cause)
			}
			return i, ctx.Err()
		}) {
			if err != nil && err != cause {
				t.Errorf("ends with %v, want %v", err, cause)
			}
			next++
		}
		if next > 5001+mostBatch {
			t.Errorf("%d yields after the end of the context", next-5000)
		}
	})
}

// TestNextBatch: batches grow up to the time they are to take, and stay small
// where the source is slow or the elements are.
func TestNextBatch(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		for _, test := range []struct {
			n                   int
			collecting, working time.Duration
			least, most         int
		}{
			{1, 0, 10 * time.Nanosecond, 4, 4},
			{1 << 20, 0, 10 * time.Nanosecond, mostBatch, mostBatch},
			{1, time.Second, time.Microsecond, 1, 1},
			{1, 0, time.Second, 1, 4},
			{100, time.Millisecond, time.Millisecond, 100, 100},
			{4, 0, 4 * time.Second, 1, 16},
			{4, 0, -1, 1, 16},
		} {
			if got := nextBatch(test.n, test.collecting, test.working); got < test.least || got > test.most {
				t.Errorf("after %d in %v and %v: %d, want %d to %d", test.n, test.collecting, test.working, got, test.least, test.most)
			}
		}
	})
}

// TestSeqBubble: in a bubble, where the clock may stand still, sequences go on.
func TestSeqBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int)
		go func() {
			defer close(c)
			for i := range 1000 {
				time.Sleep(time.Millisecond)
				c <- i
			}
		}()
		next := 0
		for v := range MapSeq(func(yield func(int) bool) {
			for v := range c {
				if !yield(v) {
					return
				}
			}
		}, func(i int) int { time.Sleep(time.Millisecond); return i }) {
			if v != next {
				t.Fatalf("element %d is %d", next, v)
			}
			next++
		}
		if next != 1000 {
			t.Errorf("%d elements of 1000", next)
		}
	})
}

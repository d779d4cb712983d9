package a

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// feed sends a value after each of the pauses.
func feed(in chan<- int, pauses ...time.Duration) {
	for _, p := range pauses {
		time.Sleep(p)
		in <- 1
	}
}

func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := make(chan int)
		go feed(in, 900*time.Millisecond, 900*time.Millisecond, 999*time.Millisecond)
		start := time.Now()
		sum, ok := drain(in, time.Second)
		if d := time.Since(start); sum != 3 || ok || d != 3799*time.Millisecond {
			t.Errorf("drain = %d, %t after %v, want 3, false after 3.799s", sum, ok, d)
		}
		closed := make(chan int)
		close(closed)
		if sum, ok := drain(closed, time.Second); sum != 0 || !ok {
			t.Errorf("drain = %d, %t, want 0, true", sum, ok)
		}
	})
}

func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := make(chan int)
		took := func(name string, want time.Duration, f func()) {
			start := time.Now()
			f()
			if d := time.Since(start); d != want {
				t.Errorf("%s took %v, want %v", name, d, want)
			}
		}
		took("backoff", 1023*time.Millisecond, func() { backoff(silent) })
		took("worker", time.Second, worker(silent, time.Second))
		took("generic", time.Second, func() { generic(silent) })
		took("twice", 6*time.Second, func() {
			// The shorter of the two is for n seconds.
			if late := twice(t.Context(), silent, 2); late.IsZero() {
				t.Error("twice saw no time")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			twice(ctx, silent, 100)
		})
		for name, f := range map[string]func(<-chan int, time.Duration){"stopped": stopped, "again": again} {
			in := make(chan int)
			go feed(in, 500*time.Millisecond, 999*time.Millisecond)
			took(name, 2499*time.Millisecond, func() { f(in, time.Second) })
		}
		in := make(chan int)
		go feed(in, 2500*time.Millisecond)
		took("tick", 2500*time.Millisecond, func() { tick(in) })
		from, to := make(chan int), make(chan int)
		go feed(from, 0, 0)
		took("labelled", time.Second, func() { labelled(from, to) })
		<-from
	})
}

package main

import (
	"context"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestObey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal)
		ctx, cancel := context.WithCancel(t.Context())
		abandoned := 0
		go obey(ctx, signals, cancel, func() { abandoned++ })
		synctest.Wait()
		if ctx.Err() != nil {
			t.Fatal("cancelled before a signal")
		}
		signals <- os.Interrupt
		synctest.Wait()
		if ctx.Err() == nil {
			t.Fatal("not cancelled by the first signal")
		}
		time.Sleep(insist - 1)
		signals <- os.Interrupt
		synctest.Wait()
		if abandoned != 0 {
			t.Errorf("abandoned by a signal %v after the first", insist-1)
		}
		time.Sleep(time.Nanosecond)
		signals <- os.Interrupt
		synctest.Wait()
		if abandoned != 1 {
			t.Errorf("abandoned %d times by a signal %v after the first, want once", abandoned, insist)
		}
		close(signals)
	})
}

// TestTerm: SIGTERM ends what hangs.
func TestTerm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for s, want := range map[os.Signal]int{syscall.SIGTERM: 1, os.Interrupt: 0} {
			signals := make(chan os.Signal)
			abandoned := 0
			go obey(t.Context(), signals, func() {}, func() { abandoned++ })
			signals <- s
			time.Sleep(time.Second)
			synctest.Wait()
			if abandoned != want {
				t.Errorf("abandoned %d times a second after %v, want %d", abandoned, s, want)
			}
			close(signals)
		}
	})
}

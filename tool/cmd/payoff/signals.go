package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// endings ask payoff to end: Ctrl-C, kill, and a terminal that was closed. On
// Windows the last two are a console that was closed.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// insist is how long after the first signal a further one is taken for the
// same wish: a closed terminal sends two, and some wrappers pass on what the
// terminal has sent as well.
const insist = time.Second

// soon is how long payoff goes on after SIGTERM, whatever hangs: its samples are in
// the record already, and processes of benchmarks end with it.
const soon = 900 * time.Millisecond

// untilSignal returns a context that ends with the first signal of endings.
// What runs then ends its processes, and what there is is reported. With a
// signal that comes later than insist, and soon after SIGTERM, abandon is called.
//
// A write to a pipe that nobody reads is an error from here on, and no longer
// the end of the process.
func untilSignal(abandon func()) (ctx context.Context, stop func()) {
	signals := make(chan os.Signal, 1)
	for _, s := range endings {
		if !signal.Ignored(s) { // nohup
			signal.Notify(signals, s)
		}
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // not Ignore, which the benchmarks would inherit
	ctx, cancel := context.WithCancel(context.Background())
	go obey(ctx, signals, cancel, abandon)
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}

// obey is the reading end of signals: the first cancels, one that insists
// abandons.
func obey(ctx context.Context, signals <-chan os.Signal, cancel, abandon func()) {
	select {
	case <-ctx.Done():
		return
	case s := <-signals:
		if s == syscall.SIGTERM { // who sends it sends SIGKILL next
			time.AfterFunc(soon, abandon)
		}
	}
	first := time.Now()
	cancel()
	for range signals {
		if time.Since(first) >= insist {
			abandon()
		}
	}
}

package help

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// A Host is what helpers and callers stand on: the Go runtime, or in tests a
// machine that is simulated.
type Host struct {
	// Clock tells the time since the program began, which in a bubble is negative.
	Clock func() time.Duration
	// Ask asks who has processors, unless somebody else is asking: then ok is
	// false. It takes 0.1 to 0.2 µs and locks of the runtime's scheduler.
	Ask func() (st State, ok bool)
	// Start runs f in a goroutine.
	Start func(f func())
	// Pause takes about n/3 ns and touches nothing that others use.
	Pause func(n int)
	// Yield lets another goroutine run.
	Yield func()
	// Park locks a gate that is locked, and so sleeps until Unpark unlocks it.
	Park, Unpark func(gate *sync.Mutex)
}

// Runtime is the Host of programs.
var Runtime = Host{
	Clock:  func() time.Duration { return time.Since(epoch) },
	Ask:    ask,
	Start:  func(f func()) { go f() },
	Pause:  Pause,
	Yield:  runtime.Gosched,
	Park:   (*sync.Mutex).Lock,
	Unpark: (*sync.Mutex).Unlock,
}

var host = Runtime

// Use replaces the host, and returns the one before. Tests call it while no helper
// lives and nobody calls.
func Use(h Host) (old Host) {
	old, host = host, h
	return old
}

// Clock tells the host's time.
func Clock() time.Duration { return host.Clock() }

// Yield lets another goroutine of the host run.
func Yield() { host.Yield() }

// Park and Unpark sleep at a gate and wake who sleeps there.
func Park(gate *sync.Mutex)   { host.Park(gate) }
func Unpark(gate *sync.Mutex) { host.Unpark(gate) }

var epoch = time.Now()

// Unreal reports whether now is a bubble's time (package testing/synctest), which
// begins in the year 2000 and stands still while anybody runs. There nothing is
// offered: helpers from outside could not touch the bubble's channels.
func Unreal(now time.Duration) bool { return now < 0 }

// InBubble is [Unreal] also where a bubble's time has come to our days.
func InBubble(now time.Duration) bool {
	if Unreal(now) {
		return true
	}
	t := time.Now()
	return t == t.Round(0) // a bubble's clock is not monotonic
}

// A State says who has processors and who waits for one.
type State struct{ Procs, Running, Runnable int }

func ask() (st State, ok bool) {
	if !asking.TryLock() {
		return State{}, false
	}
	defer asking.Unlock()
	metrics.Read(samples)
	for _, s := range samples {
		if s.Value.Kind() != metrics.KindUint64 {
			return State{}, false
		}
	}
	return State{
		Procs:    int(samples[0].Value.Uint64()),
		Running:  int(samples[1].Value.Uint64()),
		Runnable: int(samples[2].Value.Uint64()),
	}, true
}

var (
	asking  sync.Mutex
	samples = []metrics.Sample{
		{Name: "/sched/gomaxprocs:threads"},
		{Name: "/sched/goroutines/running:goroutines"},
		{Name: "/sched/goroutines/runnable:goroutines"},
	}
)

// The first question takes 30 µs and more, which no call shall have to wait for.
// Nor shall it be told that processors are wanted: some of the runtime's goroutines
// wait from the start of the program until its first pause.
func init() {
	ask()
	runtime.Gosched()
}

// Pause takes about n/3 ns and touches nothing that others use.
//
//go:noinline
func Pause(n int) {
	var x atomic.Uint32
	for range n {
		x.Load()
	}
}

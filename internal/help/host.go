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
	// Clock tells the time since the program began, which in a bubble of
	// testing/synctest is negative.
	Clock func() time.Duration
	// Ticks tells of a counter that goes up by one to five in a ns, or is behind where it
	// is that of another processor: what passes between two looks is a guess.
	Ticks func() int64
	// Ask asks who has processors. It reports false where there is no new answer.
	Ask func() (st State, ok bool)
	// Start runs f in n goroutines, and returns before they have run.
	Start func(n int, f func())
	// Relay runs f in a goroutine, here as soon as the caller parks.
	Relay func(f func())
	// Pause takes about n/3 ns and touches nothing that others use.
	Pause func(n int)
	// Yield lets another goroutine run.
	Yield func()
	// Park locks a gate that is locked, and so sleeps until Unpark unlocks it.
	Park, Unpark func(gate *sync.Mutex)
	// Used is how long processors have run the program, all in all. It reports false where
	// that is not known; so does a nil Used.
	Used func() (time.Duration, bool)
	// Preempted is how often the system has taken a processor from a thread of the program
	// that could have gone on. It reports false where that is not known; so does a nil
	// Preempted.
	Preempted func() (int64, bool)
}

// A State says how many goroutines have processors, and how many wait for one.
type State struct {
	Procs    int
	Running  int // -1: the runtime does not tell
	Runnable int
}

// Runtime is the Host of programs.
var Runtime = Host{
	Clock:  func() time.Duration { return time.Since(epoch) },
	Ticks:  ticks,
	Ask:    ask,
	Start:  start,
	Relay:  func(f func()) { go f() },
	Pause:  Pause,
	Yield:  runtime.Gosched,
	Park:   (*sync.Mutex).Lock,
	Unpark: (*sync.Mutex).Unlock,
	Used:   cpuTime,

	Preempted: preempted,
}

// host is replaced by tests alone.
var host = Runtime

// Use replaces the host, and returns the one before. Tests call it while no helper
// lives and nobody calls.
func Use(h Host) (old Host) {
	old, host = host, h
	return old
}

// Clock tells the host's time.
func Clock() time.Duration { return host.Clock() }

// Ticks tells of the host's counter, which is cheaper than the clock.
func Ticks() int64 { return host.Ticks() }

// Preempted is how often the system has taken a processor from the program, if known.
func Preempted() (times int64, known bool) {
	if host.Preempted == nil {
		return 0, false
	}
	return host.Preempted()
}

// Yield lets another goroutine of the host run.
func Yield() { host.Yield() }

// Park and Unpark sleep at a gate and wake who sleeps there.
func Park(gate *sync.Mutex)   { host.Park(gate) }
func Unpark(gate *sync.Mutex) { host.Unpark(gate) }

var epoch = time.Now()

// Unreal reports whether now is a bubble's time, which begins in the year 2000 and
// stands still while anybody runs. In a bubble nothing is offered: helpers from
// outside must not touch its channels.
func Unreal(now time.Duration) bool { return now < 0 }

// InBubble is [Unreal] also where a bubble's clock has reached the present.
func InBubble(now time.Duration) bool {
	if Unreal(now) {
		return true
	}
	t := time.Now()
	return t == t.Round(0) // a bubble's clock is not monotonic
}

// start starts n goroutines, and lets the caller go on behind one that does nothing.
// What a goroutine starts last waits in its processor's "runnext" place, where other
// processors look last, and only after a sleep: while the starter runs on, that takes
// 100 µs to 1 ms, in which the runtime wakes nobody else. The next start moves it on
// to the queue, from which it is taken at once; so does the one that does nothing,
// and since the caller parks for it, the place is empty when the caller goes on.
func start(n int, f func()) {
	for range n {
		go f()
	}
	var gate sync.Mutex
	gate.Lock()
	go gate.Unlock()
	gate.Lock()
}

// ask reads the runtime's metrics. They cost O(P) under the lock of the runtime's
// scheduler: 0.1 µs at 2 processors, 1 to 2 µs at 256 (BenchmarkPrices of
// internal/world).
func ask() (st State, ok bool) {
	if !asking.TryLock() {
		return State{}, false
	}
	defer asking.Unlock()
	metrics.Read(samples)
	return stateOf(samples), true
}

// stateOf returns the State that the samples tell. Where one is missing, as it may be
// in another version of Go, all that is known is GOMAXPROCS.
func stateOf(samples []metrics.Sample) State {
	var v [3]int
	for i, s := range samples {
		if s.Value.Kind() != metrics.KindUint64 {
			return State{Procs: runtime.GOMAXPROCS(0), Running: -1}
		}
		v[i] = int(s.Value.Uint64())
	}
	return State{Procs: v[0], Running: v[1], Runnable: v[2]}
}

var (
	asking  sync.Mutex
	samples = []metrics.Sample{ // guarded by asking
		{Name: "/sched/gomaxprocs:threads"},
		{Name: "/sched/goroutines/running:goroutines"},
		{Name: "/sched/goroutines/runnable:goroutines"},
	}
)

// The first question takes 30 µs and more, for which no call is to wait. Nor is it
// to be told that processors are wanted: some of the runtime's goroutines wait from
// the start of the program until its first pause.
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

package world

import (
	"fmt"
	"time"
)

// Prices are what a machine's steps cost, in ns.
type Prices struct {
	Name string

	// Wake is what a thread pays that wakes another, and Latency how long it takes
	// until the other runs.
	Wake, Latency int64
	// Slack is how long a sleep of 3 µs takes at least and at most: such a sleep is
	// before the theft of what a processor will run next.
	Slack [2]int64
	// Spin is how long a goroutine looks at a Mutex that is held before it looks again,
	// four times, until it parks. Where it is 0 it parks at once.
	Spin int64

	// Order is where those go that are made ready.
	Order Order
	// Others are what the program has the machine with; nil: nothing.
	Others *Others

	// transfer is the time a cache line takes from processor q to p, of procs.
	transfer func(p, q, procs int) int64
}

// An Order is where a scheduler puts goroutines that are made ready.
type Order uint8

const (
	Next     Order = iota // before all others of the processor: since Go 1.5
	Behind                // behind all others of the processor: Go 1.1 to 1.4
	OneQueue              // behind all others there are: Go 1.0
)

// Of returns a machine on which a cache line takes near between processors of one group
// of so many, and far between others; 0: all are one group. A wake and the slack of a
// sleep are as in [Prices].
func Of(name string, wake, latency time.Duration, slack [2]time.Duration, near, far time.Duration, group int) Prices {
	return Prices{Name: name, Wake: int64(wake), Latency: int64(latency), Slack: [2]int64{int64(slack[0]), int64(slack[1])},
		transfer: func(p, q, procs int) int64 {
			if group == 0 || p/group == q/group {
				return int64(near)
			}
			return int64(far)
		}}
}

// What costs the same on all machines.
const (
	// Measured: go test -run '^$' -bench Prices ./internal/world. On the machine of
	// record 2026-11-22-epyc-2cpu they are 0.4 to 0.7, 5 to 7, 25 to 30, 90 to 110
	// (about 150 where registers and caches have other things in them, as after a
	// hand-off by a channel: price handoffSameP of payoff machine), and 220 to 400.
	costRead   = 1   // of a line that is here
	costAtomic = 5   // of a line that this processor alone has
	costLook   = 35  // at the clock
	costSwitch = 150 // of goroutines
	costSpawn  = 250

	// Estimated, since nobody can time them alone: what the runtime's functions do
	// there, by their atomic operations and the lines they read.
	costReady  = 80
	costPass   = 60 // over all queues, and for each processor that is not idle:
	costVictim = 4
	costLocked = 40 // under the scheduler's lock

	// Estimated: a part of the cheapest transfer, since the reads of one line, and
	// what tells its readers of a write, overlap, but not wholly.
	costSharer = 12 // of a writer, for each reader that has the line
	costFetch  = 15 // of a line, for each reader one after the other

	slice = 10e6 // after that long a goroutine is preempted: forcePreemptNS of runtime/proc.go
)

// costAsk is a question to the runtime, which walks over all processors: 79 ns at 2,
// 516 at 64 and 1,900 at 256 of them. Measured as above it is 75 to 115, 350 to 440
// and 1,200 to 1,400, where none of those processors is in use.
func costAsk(procs int) int64 { return 65 + 71*int64(procs)/10 }

// Machines are those of record par-world: three ways for a cache line to go. The
// times are rounded ones of github.com/nviennot/core-to-core-latency: of a client's
// processor with one ring, of EPYCs of two sockets with complexes of 8 cores, and of
// Xeons of two sockets. What a wake costs is for the caller of [Machine] to say: on a
// real machine, WakePrice and StartLatency of par.ReadStats.
var Machines = []Prices{
	{Name: "ring", transfer: func(p, q, procs int) int64 { return 25 }},
	{Name: "chiplet", transfer: func(p, q, procs int) int64 {
		switch {
		case p/8 == q/8:
			return 24
		case p/128 == q/128:
			return 110
		}
		return 220
	}},
	{Name: "mesh", transfer: func(p, q, procs int) int64 {
		if half := (procs + 1) / 2; p/half == q/half {
			return 47
		}
		return 120
	}},
}

// Machine returns the machine of that name where a wake costs its thread wake,
// and takes latency.
func Machine(name string, wake, latency time.Duration) (Prices, error) {
	for _, m := range Machines {
		if m.Name == name {
			m.Wake, m.Latency = int64(wake), int64(latency)
			m.Slack = [2]int64{55_000, 60_000} // 3 µs, and Linux's timer slack of 50
			return m, nil
		}
	}
	if name == "here" {
		// The virtual machine of two processors of record 2026-11-22-epyc-2cpu: what a
		// sleep takes there is 90 µs and more by the benchmark, of one that has just
		// slept, and up to a millisecond where processors were idle for longer.
		return Prices{Name: name, Wake: int64(wake), Latency: int64(latency), Slack: [2]int64{100_000, 1_000_000},
			transfer: func(p, q, procs int) int64 { return 95 }}, nil
	}
	return Prices{}, fmt.Errorf("world: no machine %q", name)
}

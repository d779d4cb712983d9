package sched

// Prices are what the model charges, in picoseconds.
type Prices struct {
	Division  int64 // the work of a filter on a number
	ChannelOp int64 // a send or a receive, but for what follows
	Switch    int64 // to park a goroutine, make it ready, and run it again
	Spawn     int64 // a goroutine
	Lock      int64 // to lock and unlock the global queue
	Line      int64 // a cache line from another processor
	Wake      int64 // from the wake of a processor that sleeps until it runs
	StealWait int64 // before a processor takes what another would run next
	Slice     int64 // of time, which goroutines that wake each other share
}

// How many cache lines come from another processor where that was the last to
// use something.
const (
	channelLines   = 2 // a channel is of 96 bytes
	lockLines      = 2 // the lock with the ends of the queue, and the goroutine put or taken
	goroutineLines = 4 // two of its descriptor, two of its stack
	stealLines     = 2 // the victim's queue, head and slots
)

const nanosecond = 1000

// Measured are the prices of the machine of record/2026-11-21-epyc-2cpu:
// doc.go says where each is from.
var Measured = Prices{
	Division:  2 * nanosecond,
	ChannelOp: 30 * nanosecond,
	Switch:    98 * nanosecond,
	Spawn:     206 * nanosecond,
	Lock:      5 * nanosecond,
	Line:      43 * nanosecond,
	Wake:      65_000 * nanosecond,
	StealWait: 3_000 * nanosecond,
	Slice:     10_000_000 * nanosecond,
}

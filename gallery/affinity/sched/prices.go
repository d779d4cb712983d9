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
	Interrupt int64 // for which the system or the collector takes a processor away
	Every     int64 // time between two interrupts of a processor, in the mean; 0: none
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

// Measured are the prices of a machine with two processors; doc.go says where
// each is from.
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
	Interrupt: 300_000 * nanosecond,
	Every:     4_000_000 * nanosecond,
}

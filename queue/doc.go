// Package queue hands values between goroutines through bounded rings that are
// used like channels and cost a fraction of one.
//
//	q := queue.NewSPSC[Event](1024)     c := make(chan Event, 1024)
//	err := q.Send(e)                    c <- e
//	e, ok := q.Recv()                   e, ok := <-c
//	for e := range q.All() { … }        for e := range c { … }
//	q.Close()                           close(c)
//
// Which one:
//
//   - [SPSC]: one goroutine sends and one receives. The fastest, above all by
//     batches ([SPSC.SendAll], [SPSC.RecvInto]) or in place ([SPSC.Reserve],
//     [SPSC.View]).
//   - [MPSC]: many send, one receives: results, logs, events.
//   - [MPMC]: many send and many receive: work for a set of workers.
//
// A channel is better where values change hands without a buffer, where a
// select waits for many senders at once, and where a hand-off is not what time
// goes into: above about 1 µs of work per value no queue makes a difference.
//
// What they cost beside a channel, as measured, is in queue/README.md.
//
// # Guarantees
//
// A Send that returns nil synchronizes before the Recv that returns its value
// completes, in the words of the Go memory model. Each value is received once,
// and those of one sender in the order in which they were sent. An MPMC is
// linearizable: it acts as one first-in-first-out queue. A Send that returns an
// error has sent nothing.
//
// Send waits only while at least Cap values are unread, and TrySend does not
// say [ErrFull] before. Up to an eighth of Cap more may fit, or one: a full ring
// is refilled in batches, not value by value. Recv and TryRecv find any value
// whose Send has returned.
//
// After [SPSC.Close], which anyone may call any number of times, Send returns
// [ErrClosed], also one that waits; Recv hands out what is left and then
// reports that there is no more. So either side may leave: with a deferred
// Close nobody waits for a sender that has panicked, or for a receiver that
// has stopped early.
//
// A slot keeps nothing alive once its value was received.
//
// # Waiting
//
// A goroutine that has to wait looks again for at most some microseconds, as
// long as that has paid before on this queue, and parks; while it is parked it
// costs nothing. A receiver that is parked gets its value from the sender
// directly.
//
// # Progress
//
// The rings do not allocate per value and use no mutex, but none is lock-free.
// An SPSC's operations need nothing of the other side but room or a value. The
// shared ends of MPSC and MPMC are locked for the some nanoseconds of a copy:
// if the system takes the processor from a goroutine just then, the others at
// that end yield, and then sleep, until it goes on. Receivers of values sent
// before are not held up by a sender that is.
package queue

import "errors"

var (
	// ErrClosed says that the queue is closed, and, of an operation that
	// receives, that nothing is left in it.
	ErrClosed = errors.New("queue: closed")

	// ErrFull says that there is no room now.
	ErrFull = errors.New("queue: full")

	// ErrEmpty says that there is nothing to receive now.
	ErrEmpty = errors.New("queue: empty")
)

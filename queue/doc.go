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
//   - [MPMC]: many receive, whether one sends or many: work for a set of workers.
//
// A channel is better where it has no buffer, or a capacity below 16. It is better in a
// select over several channels, since Readable and Writable make each hand-off cost as
// much as a channel's. And it is as good where hand-offs are not what takes the time.
// With more than about 1 µs of work per value no queue makes a difference.
//
// What they cost beside a channel, as measured, is in queue/README.md.
//
// # Calls
//
//	call                     waits   nothing now   closed (and empty)
//	Send, SendAll            yes                   ErrClosed
//	SendContext, …Context    yes                   ErrClosed
//	TrySend                  no      ErrFull       ErrClosed
//	Reserve                  yes                   nil
//	Recv                     yes                   false
//	RecvContext, …Context    yes                   ErrClosed
//	RecvInto                 yes                   0
//	TryRecv, TryRecvInto     no      ErrEmpty      ErrClosed
//	View                     yes                   nil
//	All, AllContext          yes                   the loop ends
//
// A call that ends because the queue is closed says so as a channel does: by false, 0,
// nil, or the end of the loop. A call that may end for several returns an error. Send
// returns one as well, since v was then not sent: where a channel would panic, the
// caller has to decide.
//
// A function takes one end as a [Sender] or a [Receiver], as it takes a chan<- or
// a <-chan.
//
// The zero queue is not ready: every call on it panics, but Len and Cap, which
// return 0. So does every call on a nil queue. A nil ctx panics, as in package
// context. A queue takes some 1.3 KiB besides its slots. In a bubble of testing/synctest, use
// queues made in it.
//
// # Guarantees
//
// A Send that returns nil synchronizes before the Recv that returns its value
// completes, in the words of the Go memory model. Each value is received once, and
// those of one sender come in the order in which it sent them. An MPMC is linearizable:
// it acts as one first-in-first-out queue. A Send that returns an error has sent
// nothing.
//
// Send waits only while at least Cap values are unread, and TrySend does not say
// [ErrFull] before. If Cap is 16 or more, up to Cap/8 more may fit, and at most 127,
// since senders refill a full ring in batches. Recv and TryRecv find any value whose
// Send has returned. Senders that wait go on in their order, though others that send
// just when there is room may come before them.
//
// Any goroutine may call Close any number of times. After it Send returns [ErrClosed],
// also one that waits. Recv hands out what is left and then reports that there is no
// more. A value whose Send returned nil is handed out, also if the queue closed
// meanwhile. So either side may leave:
//
//   - A receiver that may stop early, and a sender that is the only one, defer
//     q.Close(). Then the other does not wait for one that has gone, or panicked.
//   - Of many senders, none does. The goroutine that started them closes when all are done:
//     go func() { senders.Wait(); q.Close() }().
//   - To shut down with a context: defer context.AfterFunc(ctx, q.Close)(). What is
//     queued is still handed out by Recv. Calls with ctx return its cause, not
//     ErrClosed, whichever they find first.
//
// A slot keeps nothing alive once its value was received.
//
// # Waiting
//
// A goroutine that has to wait parks at once, and costs nothing then. As with a
// channel, a parked receiver gets its value from the sender directly. A receiver puts
// the value of a parked sender into the ring.
//
// A context that ends wakes a call that waits, which returns as soon as it runs. It
// succeeds if it got a value, or gave its own, just before.
//
// # Misuse
//
// Two goroutines that use an end which is for one are a data race. Without the
// race detector the queue panics: always if both wait, and nearly always where one
// disturbs the other. Until then values may have been lost or doubled.
//
// No call from outside a bubble of [testing/synctest] may wake a goroutine that waits
// in it, as with a channel made outside: the program crashes. A test that is a bubble
// makes its queues there.
//
// # Progress
//
// The rings do not allocate per value, and none is lock-free. A flag in the word that
// they publish locks the ends that are for many, and those of the others while a
// goroutine waits. It does so for some nanoseconds, or for as long as it takes to copy
// the values of a batch. If the system takes the processor from a goroutine just then,
// those that come to that end try for a while, yielding. Then they queue up behind a
// sync.Mutex until it goes on. Receivers of values sent before are not held up by a
// sender, but one that lets a parked sender go on is. An SPSC's sender and receiver
// need nothing of each other but room or a value.
package queue

import "errors"

var (
	// ErrClosed says that the queue is closed, and to a receiver that nothing is left
	// in it.
	ErrClosed = errors.New("queue: closed")

	// ErrFull says that there is no room now.
	ErrFull = errors.New("queue: full")

	// ErrEmpty says that there is nothing to receive now.
	ErrEmpty = errors.New("queue: empty")
)

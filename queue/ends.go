package queue

import (
	"context"
	"iter"
)

// A Sender is the sending end of a queue, as chan<- T is of a channel. It is the type
// of a parameter or field that only sends values. [SPSC], [MPSC] and [MPMC] are
// Senders; how many goroutines may send at once is theirs to say. A call through a
// Sender costs about what the queue's own does, but a slice for its SendAll moves to
// the heap.
type Sender[T any] interface {
	Send(v T) error
	TrySend(v T) error
	SendContext(ctx context.Context, v T) error
	SendAll(vs []T) (n int, err error)
	SendAllContext(ctx context.Context, vs []T) (n int, err error)
	Writable() <-chan struct{}

	Close()
	Len() int
	Cap() int
}

// A Receiver is the receiving end of a queue, as <-chan T is of a channel. What
// is said of a [Sender] holds here too. A Receiver can close its queue, which a
// channel's cannot: that is how a receiver that stops early tells the senders.
type Receiver[T any] interface {
	Recv() (v T, ok bool)
	TryRecv() (T, error)
	RecvContext(ctx context.Context) (T, error)
	RecvInto(buf []T) int
	TryRecvInto(buf []T) (n int, err error)
	RecvIntoContext(ctx context.Context, buf []T) (n int, err error)
	All() iter.Seq[T]
	AllContext(ctx context.Context) iter.Seq2[T, error]
	Readable() <-chan struct{}

	Close()
	Len() int
	Cap() int
}

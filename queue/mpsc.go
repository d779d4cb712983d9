package queue

// An MPSC is a bounded queue for any number of senders and one receiver at a
// time. Make it with [NewMPSC]; it must not be copied.
//
// Everything with Recv in its name, All, View, Release and Readable are the
// receiver's. That end may pass to another goroutine if everything the first
// did synchronizes before what the next does; two that use it at once are a
// data race: the race detector says so, and mostly a panic does. Everything else
// is for everyone.
type MPSC[T any] struct{ single[T] }

// NewMPSC returns a queue for at least capacity values. It panics if capacity
// is less than 1.
func NewMPSC[T any](capacity int) *MPSC[T] {
	if capacity < 1 {
		panic("queue.NewMPSC: capacity < 1")
	}
	q := new(MPSC[T])
	q.init(capacity)
	return q
}

package shim

import (
	"unsafe"

	"github.com/gopayoff/payoff/internal/world"
)

// What follows stands before operations on channels, which are the real ones: where
// orders are explored, it returns when the operation does not wait. A channel has a
// buffer there, or is only closed.

// Receiving returns c when there is something to receive, or c is closed.
func Receiving[T any](c <-chan T) <-chan T {
	if world.On() {
		chosen(true, []Way{CanRecv(c)})
	}
	return c
}

// Sending returns c when there is room.
func Sending[T any](c chan<- T) chan<- T {
	if world.On() {
		chosen(true, []Way{CanSend(c)})
	}
	return c
}

// Closing returns c.
func Closing[T any](c chan<- T) chan<- T {
	if world.On() {
		touch(address(c))
	}
	return c
}

// A Way is an operation of a select statement.
type Way struct {
	c   uintptr
	now func() bool
}

// CanRecv is a receive operation.
func CanRecv[T any](c <-chan T) Way {
	return Way{address(c), func() bool {
		if len(c) > 0 || c == nil {
			return c != nil
		}
		select {
		case _, ok := <-c: // nobody sends now: it is closed
			return !ok
		default:
			return false
		}
	}}
}

// CanSend is a send operation.
func CanSend[T any](c chan<- T) Way {
	return Way{address(c), func() bool { return len(c) < cap(c) }}
}

// Select returns the index of a way that does not wait, whichever it is. Where each
// does, it waits if blocks, or else returns -1.
func Select(blocks bool, ways ...Way) int {
	if !world.On() {
		panic("shim: a select statement of code that was built for a machine, where none runs")
	}
	return chosen(blocks, ways)
}

func chosen(blocks bool, ways []Way) int {
	for _, w := range ways {
		world.Touch(w.c, true)
	}
	var open []int
	look := func() bool {
		open = open[:0]
		for i, w := range ways {
			if w.now() {
				open = append(open, i)
			}
		}
		return len(open) > 0
	}
	if !look() {
		if !blocks {
			return -1
		}
		world.Wait(look)
	}
	if len(open) == 1 {
		return open[0]
	}
	return open[world.Choose(len(open))]
}

// touch is as deep below its callers as that of a word.
func touch(c uintptr) { world.Touch(c, true) }

func address[C any](c C) uintptr { return *(*uintptr)(unsafe.Pointer(&c)) }

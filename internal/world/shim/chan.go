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
		case _, ok := <-c: // nothing sends now: it is closed
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

// A choice is which ways do not wait. The explorer looks too, on behalf of a
// thread that waits: the race detector knows of no edge between the two, and is to know of
// none, or it would not see the races of the program.
type choice struct {
	ways []Way
	open []int
	n    int // of open
}

//go:norace
func (c *choice) look() bool {
	c.n = 0
	for i := range c.ways {
		if c.ways[i].now() {
			c.open[c.n] = i
			c.n++
		}
	}
	return c.n > 0
}

//go:norace
func chosen(blocks bool, ways []Way) int {
	for i := range ways {
		world.Touch(ways[i].c, true)
	}
	c := &choice{ways: ways, open: make([]int, len(ways))}
	if !c.look() {
		if !blocks {
			return -1
		}
		world.Wait(c.look)
	}
	if c.n == 1 {
		return c.open[0]
	}
	return c.open[world.Choose(c.n)]
}

// touch is as deep below its callers as that of a word.
func touch(c uintptr) { world.Touch(c, true) }

func address[C any](c C) uintptr { return *(*uintptr)(unsafe.Pointer(&c)) }

package par

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// An outcome is how a body ended that did not return.
type outcome struct {
	value any // of the panic; nil: Goexit
}

// caught returns the outcome of a body that did not return. It is called with
// the result of recover by a deferred function.
func caught(value any) *outcome {
	if value != nil {
		stack := debug.Stack()
		lastPanic.Store(&stack)
	}
	return &outcome{value}
}

// raise ends the calling goroutine's function the same way.
func (o *outcome) raise() {
	if o.value == nil {
		runtime.Goexit()
	}
	panic(o.value)
}

var lastPanic atomic.Pointer[[]byte]

// PanicStack returns the stack of the goroutine where the last panic began that
// was carried from one goroutine to another, or nil if there was none. A panic
// comes out of a join with the value it had, as it would from serial code, and
// so without its own stack.
func PanicStack() []byte {
	if s := lastPanic.Load(); s != nil {
		return *s
	}
	return nil
}

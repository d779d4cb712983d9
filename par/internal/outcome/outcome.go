// Package outcome carries panics and Goexit from the goroutine where they began
// to the one that waits for it. It costs an allocation and a stack trace, where
// there is one.
package outcome

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// An Outcome is how a body ended that did not return.
type Outcome struct {
	value any // of the panic; nil: Goexit
}

// Of returns the outcome of a body that did not return. It is called with the
// result of recover by a deferred function.
func Of(value any) *Outcome {
	if value != nil {
		stack := debug.Stack()
		lastPanic.Store(&stack)
	}
	return &Outcome{value}
}

// Raise ends the calling goroutine's function the same way.
func (o *Outcome) Raise() {
	if o.value == nil {
		runtime.Goexit()
	}
	panic(o.value)
}

var lastPanic atomic.Pointer[[]byte]

// PanicStack returns the stack of the goroutine where the last panic began that
// was carried, or nil if there was none.
func PanicStack() []byte {
	if s := lastPanic.Load(); s != nil {
		return *s
	}
	return nil
}

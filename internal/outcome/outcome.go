// Package outcome carries panics and Goexit from the goroutine where they began
// to the one that waits for it. It costs an allocation and a stack trace, where
// there is one.
package outcome

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// An Outcome is how a body ended that did not return.
type Outcome struct {
	Value any    // of the panic; nil: Goexit
	Stack []byte // of the goroutine of the panic, from where it began
}

// Of returns the outcome of a body that did not return. It is called with the
// result of recover by a deferred function, while the stack of the panic is still
// below it. What has been carried already keeps its stack: a value that is an
// *Outcome, or that of carried, which may be nil.
func Of(value any, carried *Outcome) *Outcome {
	switch v := value.(type) {
	case nil:
		return new(Outcome)
	case *Outcome:
		return v
	}
	if carried != nil && carried.Holds(value) {
		return carried
	}
	return &Outcome{value, Stack()}
}

// Holds reports whether value is that of o, which need not be comparable.
func (o *Outcome) Holds(value any) bool {
	return *(*[2]unsafe.Pointer)(unsafe.Pointer(&o.Value)) == *(*[2]unsafe.Pointer)(unsafe.Pointer(&value))
}

// Error returns the value. A crash prints it as what was recovered, before the
// public type that it became, whose text has the stack.
func (o *Outcome) Error() string { return fmt.Sprint(o.Value) }

// Raise ends the calling goroutine's function the same way: a panic has the
// *Outcome as its value, for the function of the package that the user has called
// to turn into one of the public type.
func (o *Outcome) Raise() { o.raise(o) }

// RaiseValue is Raise with the value itself, for code of the user in between to
// recover. Who catches it then is to hand o to [Of].
func (o *Outcome) RaiseValue() { o.raise(o.Value) }

func (o *Outcome) raise(value any) {
	if o.Value == nil {
		runtime.Goexit()
	}
	panic(value)
}

// Stack returns the stack of the goroutine from where it panicked, for a deferred
// function: without the functions that were deferred. The first line names the
// goroutine.
func Stack() []byte {
	stack := debug.Stack()
	head := bytes.IndexByte(stack, '\n')
	at := bytes.Index(stack, []byte("\npanic("))
	if head < 0 || at < head {
		return stack
	}
	return append(stack[:head:head], stack[at:]...)
}

package par

import (
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/internal/outcome"
)

// A Panic is what a function of this package panics with where a function panics
// that it was given. It does so whichever goroutine that ran on, so what recovers
// it need not know. A panic that passes through calls within calls becomes a
// *Panic once, in the innermost.
//
//	defer func() {
//		if p, ok := recover().(*par.Panic); ok && errors.Is(p, errFull) {
//
// A program that does not recover it prints both stacks, each once.
type Panic struct {
	Value any // what the function panicked with

	// Stack is that of the goroutine of the function, from where it panicked.
	Stack []byte
	// Callers are the stacks of those goroutines that waited for it, from the
	// calls on, the innermost call first. It is empty where the function ran on the
	// goroutine of the call, which Stack shows then.
	Callers []byte

	own int // where in Callers the stack of the goroutine begins that panics with it
}

// Error returns the value, and the stacks of all goroutines but the one that panics
// with p. The runtime prints that one's; where p is recovered, [runtime/debug.Stack]
// has it.
func (p *Panic) Error() string {
	s := fmt.Sprintf("par: panic: %v", p.Value)
	if len(p.Callers) > 0 {
		s += "\n\n" + string(p.Stack)
	}
	if p.own > 0 {
		s += "\ncalled by\n" + string(p.Callers[:p.own])
	}
	return s
}

// Unwrap returns the value where that is an error, such as a [runtime.Error], so
// that errors.Is and errors.As find it; else nil.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// rethrow is deferred by each function that calls what it was given, and makes a
// panic of that a *Panic. Goexit passes.
func rethrow() {
	if v := recover(); v != nil {
		panic(asPanic(v, nil))
	}
}

// asPanic returns what to panic with where v was recovered. carried is the last of
// those panics from elsewhere that have been raised by value, or nil.
func asPanic(v any, carried *outcome.Outcome) *Panic {
	o, elsewhere := v.(*outcome.Outcome)
	if !elsewhere && carried != nil && carried.Holds(v) {
		o, elsewhere = carried, true
	}
	if !elsewhere {
		if p, ok := v.(*Panic); ok {
			return p
		}
		return &Panic{Value: v, Stack: outcome.Stack()}
	}
	p, ok := o.Value.(*Panic)
	if !ok {
		p = &Panic{Value: o.Value, Stack: o.Stack}
	}
	return &Panic{p.Value, p.Stack, slices.Concat(p.Callers, outcome.Stack()), len(p.Callers)}
}

// Package yieldloop finds loops that give up the processor in each iteration.
//
// Wrong:
//
//	for _, x := range part {
//		sum += work(x)
//		runtime.Gosched()
//	}
//
// Right:
//
//	for _, x := range part {
//		sum += work(x)
//	}
//
// The scheduler takes the processor away from a goroutine that has had it for 10
// ms, whether it calls anything or not. To yield puts the goroutine at the end of
// the queue, where each of the others has its turn before. It costs some hundred
// nanoseconds (see the catalogue's oversubscription).
//
// # Evidence
//
// A benchmark that loses to oversubscription or the start and switching of
// goroutines, or does more work than the serial code. It does so in the loop, or in
// another of the function that gives up the processor too. What looks for work in
// vain has it whenever this one gives it up.
//
// # What is not found
//
// Loops that wait for others, which is what spinwait and selectspin are for. Such
// loops do not count or go over something, do nothing else, or yield on a
// condition.
//
// # Edits
//
//   - drop: the call goes.
//
// It is refused where the loop may end early or looks at what others may set. That
// is an atomic variable, or a lock or channel that it tries. How often it looks,
// before it gives up, may be meant.
package yieldloop

const doc = "find loops that give up the processor in each iteration\n\nThe scheduler shares the processors by itself."

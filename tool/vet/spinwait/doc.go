// Package spinwait finds loops that look again and again at what others set, in place
// of waiting for it.
//
// Wrong, where it is hot:
//
//	func (q *queue) take() job {
//		for {
//			if j, ok := q.tryTake(); ok { // which locks q.mu
//				return j
//			}
//			time.Sleep(time.Millisecond)
//		}
//	}
//
//	for !done.Load() {
//		runtime.Gosched()
//	}
//
// Right:
//
//	func (q *queue) take() job {
//		for {
//			sent := q.changed.next() // a channel that the next change closes
//			if j, ok := q.tryTake(); ok {
//				return j
//			}
//			<-sent
//		}
//	}
//
// # Cost
//
// What sleeps comes late by half of the sleep, each time. What yields takes a
// processor from the goroutine that it waits for. The more of them there are, the
// longer that one waits for its turn. A channel, a condition or a mutex wakes what
// waits. That costs about a microsecond, and takes no processor until then.
//
// # Evidence
//
// A benchmark that loses time to waiting, oversubscription or lock at the loop, or
// does more work there than the serial code. It may also lose it in what the loop calls
// to sleep.
//
// # Edits
//
//   - signal: a type of a few lines whose send closes the channel that next has given.
//     The loop asks for that channel, looks, and then receives from it. So a change
//     after the look closes it. Code that changes what the loop looks at sends.
//
// What the loop looks at are fields, variables of the package or captured ones. A lock
// guards them, or they are atomic. It may look in the loop itself or by functions. It
// may sleep by a function or by methods of an interface, longer each time.
//
// A section of the lock sends before it gives the lock back. A look that takes
// something sends where it did, and one that finds nothing does not. Otherwise looks
// in vain would wake each other.
//
// # Refused
//
// What a method of another struct changes, as nothing says whose that is. A loop that
// counts its tries, or that looks at the clock, a context, a channel or
// whatever else changes without code that can send. So is one that looks at several
// values or takes several locks. So is a change where nothing says of which value it
// is, and a variable that other code may change by its address.
//
// It is wrong to obey where the wait is shorter than a wake-up and each goroutine
// has a processor.
package spinwait

// Package waitloop finds loops of goroutines that wait in each iteration.
//
// Wrong, where fetch waits for a disk or a network:
//
//	wg.Go(func() {
//		for k := lo; k < hi; k++ {
//			sums[w] += fetch(k)
//		}
//	})
//
// Right: all are under way together, as many as the other side serves well:
//
//	wg.Go(func() {
//		answers := make([]int, max(0, hi-lo))
//		slots := make(chan struct{}, 16) // as many calls at once
//		var calls sync.WaitGroup
//		for k := lo; k < hi; k++ {
//			slots <- struct{}{}
//			calls.Go(func() {
//				answers[k-lo] = fetch(k)
//				<-slots
//			})
//		}
//		calls.Wait()
//		for k := lo; k < hi; k++ {
//			sums[w] += answers[k-lo]
//		}
//	})
//
// The time of a request is not the processor's (see the catalogue's waiting). A
// goroutine for each costs some hundred nanoseconds. One request for all keys is
// better still, where the other side has it.
//
// # Evidence
//
// A benchmark that loses to waiting, the network or system calls. It does so in the
// loop or, if the run shows it there, in the functions of the package that it calls.
//
// # What is not found
//
// Loops that no goroutine of the package runs, and loops that do not count: over a
// map, a channel, until something is so. Loops whose iterations are a chain. They
// make a call for what it does, as to sleep, or hand it what the one before has
// changed. Or the call keeps something, as a connection does that has an order.
//
// # Edits
//
//   - together, for some numbers of calls at once.
//
// The edit goes through what the calls return in the order of the loop. So the rest
// of an iteration may do what it likes with it. It is refused where the next call
// may depend on what the last one returned. So it is where the loop ends early, or changes
// a variable that the call gets or looks at. That it changes nothing else of what a call looks at is
// a condition: payoff fix tries whether it holds, and compares results. There is none
// where not every iteration makes the call. Nor is there where the rest of the loop takes
// locks, waits, or makes calls of which nothing is known.
//
// More requests at once may be more than the other side bears: a benchmark that
// sleeps in its place does not show that.
package waitloop

const doc = "find loops of goroutines that wait in each iteration\n\nWhat the iterations wait for could be under way together."

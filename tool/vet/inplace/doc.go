// Package inplace finds goroutines that something waits for, and that could be calls.
//
// Wrong, where a part is small:
//
//	for _, h := range handlers {
//		wg.Add(1)
//		go func() {
//			defer wg.Done()
//			h(event)
//		}()
//	}
//	wg.Wait()
//
// Right:
//
//	for _, h := range handlers {
//		h(event)
//	}
//
// It is the plainest of cures: a call shares nothing, hands nothing over and waits for
// nothing. The loops of goperelem and the calls of recgo have edits of their own, which
// keep goroutines where these pay.
//
// # Cost
//
// What a goroutine costs beside its work: to start and to join it, and what it shares
// with others meanwhile.
//
// # Evidence
//
// A benchmark that spends processor time in what starts goroutines or in what they run. It
// loses some to what goroutines do and calls need not, like grain, handoff and lock. Many
// goroutines pay. So payoff vet tells of them with -hints alone, until payoff fix has
// measured the edit.
//
// # Edits
//
// serial: all goroutines that one function starts and waits for together are calls. A range
// that is divided among them is one loop.
// Where they are several workers that take turns, the first does all. An error goes to
// its errgroup as before.
//
// That both come to the same is not proved: the edits hold on what was run. So neither
// payoff vet nor go fix makes them; payoff fix compares results first.
//
// # Refused
//
//   - A goroutine that receives or waits, since what it waits for may come after it.
//   - One that sends, where package inline does not find room for all that is sent.
//   - One that takes a lock, where what starts it holds one.
//   - One that may end itself by runtime.Goexit, or sets what is a goroutine's own.
//   - A function that goes on by a select after it: it may want to give up.
//   - A group of errgroup.WithContext, whose first error ends what others do.
//
// The check does not find goroutines that wait for the network, for files or for the clock.
// Nor does it find those that run for ever, and those that the function does not wait for.
package inplace

const doc = "find goroutines that could be calls\n\nTo start and to join one costs more than little work."

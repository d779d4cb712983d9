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
// It is the plainest of cures: whatever a goroutine shares, hands over or waits for, a
// call does not. The loops of goperelem and the calls of recgo have edits of their own,
// which keep goroutines where these pay.
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
// goroutines are right. So payoff vet tells of them with -hints alone, until payoff fix has
// measured the edit.
//
// # Edits
//
// serial: all goroutines that one function starts and waits for together are calls.
// Where they are several workers that take turns, the first does all. An error goes to
// its errgroup as before.
//
// Where package inline proves that both come to the same, the edit is offered at once.
// Else it holds on what was run: payoff fix compares results, and neither payoff vet nor
// go fix makes it.
//
// # Refused
//
// A goroutine that receives or waits, since what it waits for may come after it. One that
// may end itself by runtime.Goexit, or runs for ever. One that tells nothing of its end:
// what starts it does not wait, and a caller may rely on that. And a function that goes on
// by a select, as it may want to give up.
package inplace

const doc = "find goroutines that could be calls\n\nTo start and to join one costs more than little work."

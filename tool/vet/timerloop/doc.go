// Package timerloop finds timers that are made anew in each iteration of a
// loop, and contexts with a deadline.
//
// Wrong, where it is hot:
//
//	for {
//		select {
//		case x := <-in:
//			use(x)
//		case <-time.After(limit):
//			return
//		}
//	}
//
// Right:
//
//	timer := time.NewTimer(limit)
//	for {
//		timer.Reset(limit)
//		select {
//		case x := <-in:
//			use(x)
//		case <-timer.C:
//			return
//		}
//	}
//
// # Cost
//
// time.After makes a timer and a channel: three allocations. Setting a timer
// takes the lock of its heap either way, so that the reused one saves the
// allocations and not the locking.
//
// # Evidence
//
// The causes timer, alloc and select in the loop.
//
// # Edits
//
// reuse: one timer before the loop and a Reset where it was made. Since Go 1.23
// a receive after Reset cannot get the time of an earlier setting
// (https://go.dev/wiki/Go123Timer). The edit is refused where the module asks
// for less. It counts on the asynctimerchan of that version, too.
//
// late: a context in the place of that of context.WithTimeout or WithDeadline. Asked
// whether it has ended, it looks at the clock; it sets a timer when something waits for
// its end. That pays where each item gets a context that code only looks at. The condition
// is that no more is asked of it than its end, its error and its values. payoff fix tries
// whether that holds.
//
// # Refused
//
// A timer that is made in a function that the loop calls. A duration that is a call
// of another package than time, or a select that makes calls. They may change the
// duration, or take longer than the timer. A time.Tick of a duration that may be 0, which
// never fires. A timer that something keeps, that a defer stops, or that a function
// literal uses. One that the loop waits for outside of a select. Functions with a goto.
package timerloop

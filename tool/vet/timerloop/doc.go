// Package timerloop finds timers that are made anew in each iteration of a
// loop.
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
// A timer of time.AfterFunc that each iteration stops is made in the first one, and
// set again in the others. It is refused where the function may be another then, or
// an iteration may begin before the timer stops.
//
// # Refused
//
// A timer that is made in a function that the loop calls. A duration that is a call
// of another package than time, or a select that makes calls. They may change the
// duration, or take longer than the timer. A time.Tick of a duration that may be 0, which
// never fires. A timer that something keeps, that a defer stops, or that a function
// literal uses. One that the loop waits for outside of a select. Functions with a goto.
package timerloop

// Package selectspin finds loops that look at channels again and again in place
// of waiting for one.
//
//	for { // bad: a processor does nothing else until a value comes
//		select {
//		case x := <-results:
//			total += x
//		case <-done:
//			return total
//		default:
//		}
//	}
//
//	for { // good: the goroutine sleeps until there is something to do
//		select {
//		case x := <-results:
//			total += x
//		case <-done:
//			return total
//		}
//	}
//
// The look costs next to nothing, and that is the trouble: the processor is
// never free for the goroutine that would send. Where there is no other
// processor, that one runs only when the scheduler takes the loop off. That
// took three times the serial time on one processor
// (record/2026-11-23-epyc-2cpu/zoo-23).
//
// The evidence is processor time in the loop that the serial code does not need.
// The edit takes the default case away. It is refused where the loop has a
// condition or a step, which a goroutine that waits does not come to. So it is
// where a case makes its channel or its value anew each time.
//
// It is wrong to obey where a value comes sooner than a goroutine is woken, and a
// processor is to spare.
package selectspin

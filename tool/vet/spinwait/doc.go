// Package spinwait finds loops that ask an atomic variable again and again in
// place of waiting for it.
//
// Wrong, where it is hot:
//
//	for !done.Load() {
//		time.Sleep(time.Millisecond)
//	}
//
//	for !l.held.CompareAndSwap(false, true) {
//		runtime.Gosched()
//	}
//
// Right:
//
//	<-done // a channel, closed where the flag was set
//
//	l.held.Lock() // a sync.Mutex
//
// # Cost
//
// What sleeps comes late by half of the sleep, each time. What yields takes a
// processor from the goroutine that it waits for. The more of them there are, the
// longer that one waits for its turn. A channel or a mutex wakes what waits, which
// costs about a microsecond, and takes no processor until then. A sync.Mutex looks
// a few times by itself before it sleeps.
//
// # Evidence
//
// A benchmark that loses time to waiting, oversubscription or lock at the loop, or
// does more work there than the serial code.
//
// # Edits
//
//   - signal: a flag of a function that one place sets once becomes a channel.
//     That place closes it; the loops receive from it.
//   - group: a word that each goroutine of a loop adds 1 to at its end becomes a
//     sync.WaitGroup. Another loop has to wait until the word is as large as
//     their number.
//   - yield: a loop that does nothing but ask calls runtime.Gosched each time. With more
//     such loops than processors, what they wait for runs. With a processor for each, a
//     loop may come later by one call.
//
// # Refused
//
// A word that is taken by CompareAndSwap or Swap: that what gives it back has
// taken it is for its author to say.
//
// signal, where the flag is a field or a variable of the package, which needs a
// place that makes the channel. Nor where it may be set twice, or other code
// asks about it.
//
// group, where the check cannot see that as many goroutines start as the loop waits
// for, and that each counts itself once. So at a barrier, where goroutines that
// count wait for each other again and again: all that count would have to wake all
// that wait.
//
// It is wrong to obey where the wait is shorter than a wake-up and each goroutine
// has a processor.
package spinwait

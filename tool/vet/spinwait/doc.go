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
//
// # Refused
//
// A loop that waits for anything else: that a word is free, to take it, or that it
// has some other value. What takes such a word and gives it back is for its author
// to say.
//
// A flag that is a field or a variable of the package, which needs a place that
// makes the channel. Nor one that may be set twice, or that other code asks about.
//
// It is wrong to obey where the wait is shorter than a wake-up and each goroutine
// has a processor.
package spinwait

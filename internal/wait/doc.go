// Package wait is how the library's goroutines wait for each other: the list they
// park in ([List]), the stack in which workers park until there is work for them, and
// from which those that nobody needs leave ([Stack]), and how they wait for a lock that
// is held for nanoseconds ([Backoff]).
//
// Whoever parks has first said so where the partner will see it, and has looked
// once more; which of the partner's words that is, is the protocol of the
// package that waits. A goroutine that is parked costs nothing.
//
// Why not spin or yield before parking: with one processor nothing changes while
// one spins. With two, a goroutine that was just made ready waits behind the one
// that spins: the scheduler lets another processor take it only after a sleep, which
// may last for a millisecond. And one that yields goes on after all others that are
// ready, where one that is woken goes on next.
package wait

// Package wait is how the library's goroutines wait for each other: what they
// do before they park ([Spinner]), the list they park in ([List]), and how they
// wait for a lock that is held for nanoseconds ([Backoff]).
//
// Whoever parks has first said so where the partner will see it, and has looked
// once more; which of the partner's words that is, is the protocol of the
// package that waits. A goroutine that is parked costs nothing. One that is not
// yet spins or yields for 1 to 2 µs at most, and only where that has shown to be
// faster.
//
// Why not simply spin: with one processor nothing changes while one spins. With
// two, a goroutine that was just made ready waits behind the one that spins, for
// the scheduler lets another processor take it only after some 70 µs. And where
// another process has the other processor, the partner may not run for
// milliseconds.
package wait

// Package par runs recursions, loops and sorts on several processors where that
// is faster, and on one where it is not. It finds out which while the work runs:
// there is no threshold, no number of workers, and no chunk size to set.
//
//   - [New] makes a [Func] of a recursive function whose two halves may run at the same
//     time. [NewContext] makes one of a function that may fail. [Call] is for generic
//     functions. [Do] runs closures.
//   - [For], [ForEach], [Map], [Reduce], [Fold], [Filter], [Scan], [Find], [Any] and
//     [Tiles] are loops over slices and integers; MapN, ReduceN and FindN have no
//     slice. [ForSeq] and [MapSeq] are for sequences (package iter).
//   - [Sort], [SortFunc], [SortStableFunc], [SortBy] and [Merge] are those of package
//     slices, faster.
//
// Each loop but MapSeq2, and Do, has a form with Context in its name: its bodies
// may fail, and it stops early. Each loop takes a [Limit] of goroutines, if that is
// wanted; Do, a Func, the sorts and Merge take none. A nil ctx panics, as in package
// context.
//
// # The promise, and its limits
//
// A call is hardly ever slower than the plain loop or recursion, whatever its size. On
// several processors it is faster where there is something to gain. The README of the
// package has the figures, with those that fall short. What it costs when nothing is
// gained:
//
//   - 15 to 25 ns for a call; a closure that captures variables costs the caller as
//     much again, since it moves to the heap.
//   - A fraction of a nanosecond for a fork in the form with [Task.Serial], two to
//     three in the form with [Task.Join].
//   - About 2 % of the time of longer calls, for looks at the clock and now and then a
//     helper woken in vain.
//
// It cannot help
//
//   - calls of less than about 20 µs. A processor that sleeps takes that long to wake;
//   - calls of less than about 100 µs that come seldom: helpers stay for a
//     fraction of a millisecond, and then have to be woken again;
//   - elements or halves that wait, for a network or a lock: par looks for
//     processors, not for time. Use goroutines, as many as may wait at once;
//   - work that is limited by memory, not by processors;
//   - where the machine does not give the processors that GOMAXPROCS stands for: other
//     programs keep them busy, or a container has fewer. A call of some milliseconds is
//     then as likely to wait for its helper as to gain by it, and the runtime does not
//     tell. Calls of more than 100 µs ask the system whether it took a processor away,
//     where one just before took much longer than it should. Such time counts as no
//     gain, so functions that are called again and again soon wake no helper
//     ([Stats].Taken counts).
//
// What par knows of a loop belongs to the function that is called for its elements.
// Where that is a wrapper which all loops of a program go through, elements cost very
// different times, and each loop begins with a guess. Functions that call theirs for
// each element take a look after the first few, and share the rest where it is long.
// Where the body has the loop, as in [For] and [Reduce], a call that seems small gets
// it in one piece.
//
// # When plain go is better
//
// Use a go statement for what waits, and for what runs beside the caller and does not
// end with it. Use one too where two things must run at the same time, since one waits
// for the other: par never promises that. Use package queue or a channel to hand on a
// stream.
//
// # Bodies
//
// The functions that are given to par may run on any goroutine, at the same time,
// in any order. What they share needs the care that goroutines need. Otherwise
// they are called as in a plain loop:
//
//   - A panic ends the call, when no part of it runs any more, with a [*Panic] that
//     holds the value and the stacks. It does so on whichever goroutine the body
//     ran. [runtime.Goexit] ends the call too.
//   - What a body has written before it returned is there when the call returns.
//   - Locks that the caller holds do no more harm than in serial code. A goroutine that
//     waits for part of its work runs nothing but parts of that part.
//   - Of several errors, calls return that of the lowest index, of those that ran.
//
// Bodies must not rely on the identity of their goroutine or thread
// ([runtime.LockOSThread] binds the caller only). In profiles, what helpers run
// has the labels (package runtime/pprof) of the goroutine that woke them, which
// may be that of another call.
//
// # Tests
//
// In builds for the race detector, parts run on goroutines of their own, in small calls
// too. So the detector sees each two that could run at the same time. So do the joins
// of [Reduce] and [Fold], where there are four elements or more. Package partest asks
// for that in other builds, or for all to run on the goroutine of the caller. In a
// bubble of [testing/synctest] everything runs on the caller's goroutine, unless
// partest is asked for more.
//
// # Why it works
//
// A processor that sleeps costs some ten microseconds to wake, many times what a small
// call takes. One that is awake and looks for work costs a fraction of one. So all
// depends on not waking a processor in vain, and on keeping helpers awake while they
// have work.
//
// Callers count forks, or know what an element takes, and look at the clock about every
// two microseconds. This is a heartbeat without a timer, since Go's are too coarse.
// Only a call that lasts asks for help. It offers the oldest part it has not begun,
// which is the largest. (Heartbeat scheduling: Acar, Charguéraud, Guatto, Rainey and
// Sieczkowski, PLDI 2018. Lazy promotion at beats: the Rust library Forte.) To take
// back an offer costs one atomic operation (Mohr, Kranz and Halstead, 1991). A helper
// that finds work wakes the next while work and idle processors are left, so help grows
// as a tree does.
//
// Each function has an account. It earns 1/64 of the time it runs, and what helpers
// saved it. It pays for waking them, at the price measured on this machine, and for
// waiting for them. It also pays for the time they looked for work in vain. Without
// credit it gets no help. So a function that help does not make faster loses some
// percent at most (the argument is that of renting skis).
//
// Before a wake the runtime is asked whether a processor is idle. A helper that finds
// others waiting for its processor leaves, so under load the package disappears. A
// helper that finds nothing to do stays for a fraction of a millisecond, as long as the
// function that it helped last has credit. Then it leaves: at rest there are no
// goroutines and no CPU time.
//
// A caller may need a part that another goroutine runs. It takes parts of that very
// part meanwhile (leapfrogging: Wagner and Calder, PPoPP 1993). Then it spins for about
// the time that a wake costs, and sleeps. Loops are handed out in guided parts
// (Polychronopoulos and Kuck, 1987) of 2 to 100 µs, by measured time. Where two
// processors do no more than one, because elements write to the same cache lines, a
// loop notices and goes on alone.
package par

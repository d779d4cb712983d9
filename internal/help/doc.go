// Package help has the goroutines that help others with their work, and decides
// when they are woken, who pays for them, and when they leave. It is the only user
// of runtime/metrics. At rest it costs nothing: there is no helper and no timer.
//
// # A call and its helpers
//
// A call that has work to share posts an [Offer] on the board and wakes helpers. A
// helper is a goroutine. It looks at the offers, those it helped last first, and
// then from a random place on; it does parts of one until there are none, and looks
// again. When it has found nothing for a while, it ends. Nothing depends on helpers:
// what none has taken the caller does itself.
//
// While helpers look for work they say so in one word ([Scheduler.Seeking]). Callers
// read it each few microseconds, and offer what they have; then no wake is needed.
//
// # The tree of wakes
//
// Who wakes starts a few helpers, and goes on with its own work. Each of them calls
// [Scheduler.Bring] as soon as it has a part, and from time to time while there is
// more: so those who were woken wake the next ones, until no processor is idle or no
// part is left. In the same way a helper that had to leave is replaced. There is no
// wake that waits for a timer.
//
// Go lets one waking thread be under way at a time, so that P helpers run after about
// P times 5 µs, however they are started. But a goroutine that was started last by
// one that runs on is not found for 100 µs to 1 ms, and meanwhile nobody else is
// woken. Each wake therefore starts an empty goroutine behind its helpers, and waits
// for that (see start).
//
// A caller that is about to park, while there is work that it must not take, leaves its
// processor to a helper that it starts for that ([Scheduler.Relay]). No thread is woken
// then. Who ends the wait gives it the processor it runs on, and leaves ([Helper.Resume]).
//
// # Idle processors
//
// A processor is free for a helper if no goroutine runs on it, no helper was started
// that has not run yet, and nobody else waits for one. A helper leaves only where
// more goroutines wait than processors are idle, and then only as many helpers leave
// as goroutines wait. At first they yield: who waits for that very processor, as a
// ticker does, runs for a moment and the helper goes on. Where somebody still waits
// by the next answer, in another processor's queue, helpers end, and their
// processors find them.
//
// To ask the runtime costs O(P) under the lock of its scheduler, so one goroutine
// asks, all go by its answer, and the next may ask after 100 times what it took, or
// 30 µs. Where the runtime does not tell, helpers are woken up to GOMAXPROCS - 1, and
// not for a while after one has started late.
//
// # Who pays
//
// Each function has an [Account] of time. It earns 1/64 of the time that its work
// takes, and what helpers have saved it; wakes, and helpers without work, are paid
// from it. No wake is begun that cannot be paid, so work that does not gain from
// help takes about 1/64 longer. A new account gets credit for one wake from a fund
// that all share, so that a program which opens accounts again and again stays
// within the same bound.
//
// Those who take part book what they earned in batches, when they leave or after
// 50 µs, since the word is shared.
//
// # What helpers look like
//
// They are goroutines of their own, and carry the labels of runtime/pprof that the
// goroutine had which started them: the caller, or a helper that did. They keep them
// for as long as they live, which is while there is work and up to 200 µs longer, or
// 10 µs for each processor, also while they help somebody else.
//
// In a bubble of testing/synctest nobody is woken and nothing is offered.
package help

// Package size has the rule that decides how many workers a pool has, or a stage of a
// pipeline, where tasks may wait: for a server, a disk, a lock. It is a state machine
// without goroutines, locks or a clock. The owner tells it what it sees ([View]), and is
// told how many workers there are to be and when to call again ([Rule.Decide]).
//
// Do not use it for work that only computes and is cut to pieces by the library itself:
// there the answer is GOMAXPROCS (see par). There is one call in 100 µs at most, so
// nothing is added to a task but what counts it as begun and as ended.
//
// # What it goes by
//
// A [Rule] asks one question: was the larger of two sizes worth its workers? It was if
// the rate of tasks rose by a quarter of what the size did, or if the added workers came
// to use processors that had been idle (pays). What is compared are windows: stretches in
// which tasks waited, at least one lap long. Where tasks come in bursts, those are compared
// as well. A lap is over when the tasks have ended that were in flight when it began. By
// Little's law (1961) that is about what a task takes, and no task is timed.
//
//   - It begins with a worker for each processor, 8 at most; with 8 where processors stay
//     idle though each worker has a task. While no task has ended, and
//     processors are idle, √(t/8 µs) workers are allowed after a time t: 25 after 5 ms,
//     110 after 100 ms. Tasks that do not end last long, and so are begun at a falling rate.
//   - It climbs: each window doubles the size for as long as the rate follows, as the slow
//     start of TCP does (Jacobson, 1988). Where the processors come to be in use before,
//     the last step is as long as their idle share says. Where the rate does not follow it
//     goes back to what was in flight when it did, times what the rate has gained: the
//     knee of Little's law.
//   - It holds that size and compares it from time to time with one that is up to twice
//     as large or small, then with nearer ones, down to a sixteenth. What pays stays. So
//     it finds the peak of a server that slows down, as TCP Vegas (Brakmo, Peterson, 1995)
//     and Netflix's concurrency-limits do by latency. The rate is used instead since the
//     tasks of a pool may take 1 ms or 1 s for reasons of their own.
//   - Where the processors are in use a larger size is not tried, but seldom: other
//     goroutines may have them. It is accepted only if those who were added do not
//     themselves wait for a processor. A smaller size is tried, down to GOMAXPROCS. So
//     work that computes ends there.
//   - It grows to as many as there were tasks at once. Then a burst leaves nothing waiting,
//     and there are no windows. So where tasks come in bursts it compares bursts: two with
//     some at up to twice the size, which stays where they are done faster. Now and then
//     it compares three with three at half the size, which stays where they took a ninth
//     less. That is seldom, since it makes other bursts take twice as long.
//     Beside a task that goes on for long no burst ends: there a window goes on from one to
//     the next.
//   - Where the rate changes by half, or where hardly a task ends any more, the load is
//     another one, and it starts again from where it is.
//
// A worker that computes is no reason not to add others: only processors count, not the
// mean share of processor time of the workers. That hides a mix of both kinds.
//
// Processors are in use where no processor is seen idle, and where with more workers
// than processors nearly always somebody waits for one. It is tempting to go by idle
// processors alone: but who looks has often just waited for a processor, and then hardly
// ever sees one idle.
//
// # What it does not do
//
// It never goes beyond its bounds, [Most] where none are given: workers hold memory, and
// sockets. Before the first tasks end it has at most √(t/8 µs) workers, or GOMAXPROCS, or 8. A
// climb doubles the size at most two times before the rate can show that it was enough;
// how far that went is the last column of the table below. Later trials are at most twice
// too large, and a quarter of the time at most is spent on them. Where a server gets more
// room and answers as before, only the next trial finds it. Where work that waited comes to
// compute, it may keep its workers for some seconds: they bring nothing, and do no harm.
// Where other goroutines have all processors it hardly grows, though its tasks sleep: a
// trial takes long there.
//
// What it reaches on 1 to 256 simulated processors is in record/simulated/size.md; the
// tests compare with it.
package size

// Package pool has worker pools that find their own size, and a Group that takes the
// place of errgroup's.
//
//	p := pool.New(fetch)                  // func(ctx context.Context, url string) (Page, error)
//	pages, err := p.SubmitAll(ctx, urls)  // all, in their order
//	page, err := p.Do(ctx, url)           // one, and wait
//	err = p.Submit(ctx, url)              // one, and do not wait: Options.OnError gets its error
//	err = p.Close()                       // when all are done
//
// Which one:
//
//   - A loop, where there is one processor, or the work takes less than some
//     microseconds in all.
//   - Package par, for loops and recursions that compute: it needs no pool.
//   - Package pipe, for streams in which each item goes through several functions.
//   - [Pool], for tasks that wait (for a network, a disk, a lock) or come one by one,
//     and for a bound on the tasks of a whole program.
//   - [Group], for a few functions that are different, and where errgroup is in use.
//   - A go statement, for what runs beside the caller and does not end with it.
//
// # Calls
//
//	call                 waits for              result
//	Submit               room in the queue      dropped; an error goes to Options.OnError
//	TrySubmit            nothing                likewise, or ErrFull
//	Do                   the task               returned
//	SubmitAll            its tasks              a slice, in their order
//	Batch.Submit         room in the queue      kept by the Batch
//	Batch.Wait           the Batch's tasks      a slice, in the order of submission
//	Batch.Results        the next to end        one by one, in the order in which they end
//	Close, Stop          all tasks              errors that were not told yet
//
// Each takes a context for its tasks, and may take a [TaskOptions] with a priority and a
// timeout. A queue that is full holds up calls that submit: no task is dropped, but by
// TrySubmit.
//
// Under other names: a goroutine pool or worker pool is a [Pool]. A semaphore, or
// bounded concurrency, is [Options].Max or [Group.SetLimit]. Parallel map, or fan-out
// and fan-in, is SubmitAll. A future is a [Batch] of one task. Fire and forget is
// Submit, back-pressure what Submit does, load shedding what TrySubmit does. Graceful
// shutdown is Close. Recovery of panics is [Options].OnError and [Group.CatchPanics].
// Tuning and autoscaling are what a Pool does by itself, and [Pool.Resize].
//
// # Promises
//
//   - Each task that was submitted without an error runs once, or fails with the cause
//     of its context, or with [ErrStopped]. Where a call waits for it, it fails as soon
//     as its context is done. A Do with a deadline returns by then, unless its task has
//     begun.
//   - No more tasks run at once than Max, or than the pool wants. That includes tasks
//     that callers of Do and SubmitAll run themselves. It leaves out those that wait
//     for tasks of the same pool. It also leaves out those that goroutines which a task
//     has started run or wait for, by Do, SubmitAll and Batch, under its context.
//   - A task that waits, while there may be more workers, gets one. It does so at once
//     where tasks take microseconds and more. It does so within some milliseconds where
//     they were short and those that run now are not. One of a SubmitAll may first have
//     to wait for the end of one before it. So a Group's functions may wait for each
//     other, all of them; a Pool's only as far as its bounds allow.
//   - Of tasks that wait, those of higher priority begin first, but for a share that
//     the others get. Those of one priority begin in the order of submission.
//   - A panic of a task is its error, a [*par.Panic] that errors.As finds;
//     [runtime.Goexit] is [ErrGoexit]. Only a Group's panic ends the program, as
//     errgroup's does, without [Group.CatchPanics].
//   - When Close or Stop returns, no goroutine of the pool works. Workers that are not
//     needed for one to two seconds leave, and then the pool is memory only.
//
// # Goroutines and threads
//
// A worker goes on with other tasks, on the same thread. A task that calls
// [runtime.LockOSThread] must call [runtime.UnlockOSThread], and undo what it has
// changed in the thread. No goroutine ends here that would take its thread with it. For
// that, use a go statement.
//
// In profiles, a task that a worker runs has the labels (package runtime/pprof) of the
// context of its submission. Where that has none, it has those of [Options.Context]. On
// the goroutine of its caller, as in many calls of Do and SubmitAll, it has that one's.
// The runtime does not tell the labels of a goroutine. So labels set without a context
// are lost, and those that a task sets so stay for the next. See [WithContext] for
// those of a Group.
//
// # Races
//
// Where internal scheduling would put two tasks of one SubmitAll in order, the race
// detector would not see that they may run at once. So builds with -race cut them into
// up to eight parts that begin at the same time, as far as the pool's bounds allow. So
// does PAYOFF_PAR=spread in the environment.
//
// # Tasks that make tasks
//
// A task may submit to its own pool, and wait for what it has submitted. It passes its
// own context. Then Do and SubmitAll run the tasks on the calling goroutine, or on
// others where there are any. Submit does so where the queue is full. So a pool does
// not come to a stop, however few workers it has. They run on its stack, a hundred deep
// at most; from there on another worker takes its place. While a task waits for a Batch
// it does not count as working. Under another context a task is still known by its
// goroutine on amd64, arm64 and 386; elsewhere it then holds its worker while it waits.
//
// # Why it works
//
// Tasks lie in rings (package queue), from which workers take them one by one: none
// holds a task that another could begin. A submission wakes a worker only where none is
// on its way. That wakes the next when it has found a task and others wait, so there
// are as many as there is work for. For short tasks a wake costs more than it brings.
// So workers that are awake look again for a moment, and others come only when enough
// is queued. The last to park is the first to be woken. How this comes to no task being
// forgotten is in protocol.md.
//
// SubmitAll is a loop of its caller's, which others join: they take parts of measured
// length from the front.
package pool

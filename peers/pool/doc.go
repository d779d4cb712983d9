// Package pool compares the library's worker pools with serial code, with
// channels and workers as one writes them by hand, and with the pools of others.
//
// # Who
//
//   - serial: the plain loop. It is the base.
//   - payoff: ours, sized by itself: New, Submit for each task, Close. payoff-batch
//     keeps one pool for all ops and waits for the results of a Batch;
//     payoff-group is Group, which stands where errgroup does.
//   - go: a goroutine for each task.
//   - chan: a channel of 128 inputs and as many workers as processors; fixed-N: the
//     same with N workers.
//   - article: the pool of the article that gallery/pipecpu is from: a channel of
//     1000 values of any type.
//   - errgroup: golang.org/x/sync v0.24.0, with SetLimit.
//   - conc: pool of github.com/sourcegraph/conc v0.3.0, with WithMaxGoroutines.
//   - pond, pond-group: Go and a group of github.com/alitto/pond/v2 v2.7.1.
//   - workerpool: github.com/gammazero/workerpool v1.3.0.
//   - ants, ants-func: Submit and Invoke of github.com/panjf2000/ants/v2 v2.12.1.
//   - gopool: util/gopool of github.com/bytedance/gopkg v0.1.4.
//   - In All, where the tasks are a slice: chunked, a part for each processor;
//     atomic, workers that count up an index; conc-map, lo, payoff-par: Map of
//     conc's iter, lo's parallel v1.53.0, and our par.
//
// A number of workers that others ask for is GOMAXPROCS where tasks compute.
//
// # How
//
//   - Task: one goroutine submits 10,000 tasks one by one and waits for all. work=…
//     is about the nanoseconds of a task on the machine of the record of 2026-11-22,
//     0 being a few instructions; times of computing in Sized are meant so too. Pools
//     that can be drained are made and drained in each op; ants and gopool are kept,
//     and wait by a WaitGroup, as their examples do. payoff-kept does so as well.
//     Each task puts its result into a slice.
//   - All: the tasks lie in a slice, the results come in a new one.
//   - Sized: how many tasks end per second where the supply has no end. fixed-N are
//     the sizes that one could have picked by hand. payoff starts from nothing:
//     cold-tasks/s is over its first 4 s, steady-tasks/s over the 2 s after. A pool
//     of a fixed size is there at once; it is measured for 0.7 s after half as long.
//     Loads named io sleep; those named http ask a server over loopback, which is a
//     process of its own. 32connections: one more request waits for one of 32 to be
//     free. slows-past24: where n are in flight, and n is more than 24, a request
//     takes (n/24)^1.5 times as long, so that fewer are done than by 24.
//   - Changing: a load that computes for 10 s, then sleeps for 10 s, twice:
//     cold-tasks/s is over the first 20 s, steady-tasks/s over the others.
//   - Article: the article's 100 tasks, powers or sleeps of less than 10 ms, through
//     pools of half as many workers as the machine has processors, as many, and ten
//     times as many. A pool is kept for all ops.
//   - Bursts: tasks that wait come together, again and again, to what errgroup, the base,
//     has a goroutine each for. A pool is kept for all of them. burst-ns is how long one
//     takes, the median of the later half: the earlier ones are what a pool learns from.
//     Cold: the first burst of a pool.
//   - Allocs: allocs/task and B/task of Task.
//
// The tests of this package hold all variants to the answer of the base, and Sized to
// having done each task once.
//
//	payoff run -procs 1,2 -base 'variant=serial(/|$)' -bench '^Benchmark(Task|All|Article)$' ./pool
//
// # What favours us
//
//   - Tasks have an input of a type, as ants-func, chan and article have; the other
//     pools are given closures, which is their interface.
//   - The server and the pool share two processors: where requests are many, both
//     compute.
//   - The memory of tasks that wait is not compared: gopool, pond, workerpool and go
//     hold all that were submitted, the others make the submitter wait.
//
// # What favours others
//
//   - The best of eleven sizes is picked after the fact, for each load, by the
//     highest of noisy figures; a program has one. A fixed size is not charged for
//     its start.
//   - go, chan, article, ants and gopool carry neither errors nor a context to the
//     caller; pond, conc, errgroup and workerpool some of it.
package pool

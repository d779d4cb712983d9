// Package fewworkers finds numbers of workers that do not fit what they do. They
// are as many as processors where the workers wait, and as many as the machine
// has CPUs where they compute.
//
// Wrong:
//
//	for range runtime.NumCPU() {
//		wg.Go(func() {
//			for u := range urls {
//				fetch(u)
//			}
//		})
//	}
//
// Right: as many as the other side serves well, whatever the machine is. By
// Little's law that is the rate it can serve times the time of one request; by the
// processors it is GOMAXPROCS times (1 + waiting/work).
//
// Where workers compute, runtime.GOMAXPROCS(0) is the number: it follows the
// limits of a container and the user's wish, NumCPU does not.
//
// # Evidence
//
// For workers that wait: a benchmark that loses to waiting, the network or system calls. It
// does so in the workers or, if the run shows it there, in functions of the package that they
// call and that wait. Workers that call what they were given may wait in any package: there
// the trace has to show them above a wait. For those that compute: to oversubscription, or to what each worker
// costs, as its memory.
//
// # What is not found
//
// Numbers that packages of other modules give. Workers that wait, and are more than processors
// or than 16 already. Loops whose variable finds a place in what has a fixed size.
//
// # Edits
//
//   - workers, for some factors: as many times the workers, or as many times the slots of
//     a semaphore or group. The number may stand in another function, in a field or in a
//     constant, or be what a call hands over. payoff finds it in another package of the
//     module, too.
//   - procs: runtime.GOMAXPROCS(0) workers, also in place of one that computes.
//
// That the number of workers makes no difference to what they do together is a
// condition: payoff fix tries whether it holds, and compares results. The edits are
// refused where the number stands in another place, or says something else as well. So
// they are where each worker does something of its own, and where what they send may have
// no room.
//
// More requests at once may be more than the other side bears: a benchmark that
// sleeps in its place does not show that.
package fewworkers

const doc = "find numbers of workers that do not fit what they do\n\nWorkers that wait may outnumber the processors; those that compute should not."

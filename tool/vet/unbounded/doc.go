// Package unbounded finds loops over input that start a goroutine with real work
// for each element, all at once.
//
// Wrong:
//
//	for _, doc := range docs {
//		wg.Go(func() {
//			buf := make([]byte, 1<<20)
//			sum.Add(digest(doc, buf))
//		})
//	}
//	wg.Wait()
//
// Right: a bound, by the processors where the work computes, and by what the other
// side serves well where it waits:
//
//	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
//	for _, doc := range docs {
//		slots <- struct{}{}
//		wg.Go(func() {
//			defer func() { <-slots }()
//			…
//		})
//	}
//	wg.Wait()
//
// Goroutines that wait for a processor cost their stacks and all that they have
// allocated by then. Those that wait for a lock or a connection make its queue
// longer (see the catalogue's oversubscription).
//
// # Evidence
//
// A benchmark that spends processor time in the loop or in what it starts. It
// loses some to memory, locks, system calls, the network or oversubscription.
//
// # What is not found
//
// Loops over workers, loops that take a slot or a semaphore, and groups with a
// limit. Goroutines that are not joined, and those that do next to nothing
// (goperelem).
//
// # Edits
//
//   - bound, for some numbers of goroutines for each processor: slots.
//
// It is refused where a task waits for what comes after it, since the loop then
// waits for the task. That is a send on a channel that stays full meanwhile, a
// receive, or a lock that the function holds. It is refused where a task may
// end its goroutine. What a task calls that the function was given may wait for another
// task: that it does not is a condition then.
package unbounded

const doc = "find loops that start goroutines with real work for all elements at once\n\nWhat each holds is in memory together, and they queue for processors, locks and connections."

// Package staticsplit finds ranges that are split into one part for each worker.
//
// Wrong, where elements differ in cost: a triangle, a Mandelbrot set, files of all
// sizes. The others wait for the worker with the dearest part.
//
//	chunk := (len(xs) + workers - 1) / workers
//	for w := range workers {
//		part := xs[min(w*chunk, len(xs)):min((w+1)*chunk, len(xs))]
//		wg.Go(func() { handle(part) })
//	}
//
// Right: many more parts than workers.
//
//	parts := max(workers, min(16*workers, len(xs))) // small ones, since they may differ in cost
//	chunk := (len(xs) + parts - 1) / parts
//	for w := range parts {
//
// A goroutine costs less than a microsecond, and the scheduler hands them out. With many
// parts the dearest one is a small piece of all. The loss is that of Graham's bound for
// list scheduling: at most one part longer than the best schedule (SIAM Journal on
// Applied Mathematics, 1969).
//
// # Evidence
//
// A benchmark that loses to imbalance in the loop, in what the goroutines do, or in
// functions that they call.
//
// The parts may be made by a function of the package whose result the loop goes through.
//
// # What is not found
//
// Parts that are not of one size by a division: fixed halves, one queue for each worker.
// A number of parts that is written as a literal.
//
// # Edits
//
//   - parts, for some factors: split the range into so many times the parts.
//
// That the number of parts makes no difference is a condition: payoff fix tries whether
// it holds, and compares results. There are no more parts than elements, none of a rounded
// length lies behind the end, and there are no fewer than there were. Where the program says
// how many goroutines there are, and not the machine, a semaphore has no more at work at
// once. The edit is refused:
//
//   - where the number changes after its first use, or is set in an inner block, and where to ask for it changes something;
//   - where it says something else as well: a line prints it, hands it on, divides by it
//     after the goroutines are done, or compares it with what is the same for all parts;
//   - where parts leave something over, or the number of elements changes meanwhile;
//   - where a channel with room for fewer is made.
package staticsplit

const doc = "find ranges that are split into one part for each worker\n\nWhere elements differ in cost, the others wait for the worker with the dearest part."

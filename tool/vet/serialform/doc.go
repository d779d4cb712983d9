// Package serialform finds concurrent functions whose serial form stands beside them.
//
// Wrong, where the goroutines cost more than they gain:
//
//	func Squares(xs []int) []int { … } // a loop
//
//	func SquaresParallel(xs []int, workers int) []int {
//		out := make([]int, len(xs))
//		var wg sync.WaitGroup
//		… // a goroutine for each element
//		wg.Wait()
//		return out
//	}
//
// Right:
//
//	func SquaresParallel(xs []int, workers int) []int {
//		return Squares(xs)
//	}
//
// # Cost
//
// What goroutines cost beside the work: to start and to join them, to hand values
// over, and to share what they write. A loop has none of that.
//
// # Evidence
//
// What goroutines do and a loop need not, in the function or in what it calls: handoff,
// grain, lock, rmw, falseshare and the like. Also alloc and work, as the two forms may
// compute in two ways. A serial form that stands beside is no mistake. So payoff vet
// tells of it with -hints alone, until payoff fix has measured the edit.
//
// # Edits
//
// serial: the function calls its serial form. What nothing uses any more goes.
//
// parts: the function does what the serial form does, but goroutines run the loop of that,
// one for each processor, for a part each. They call the serial form where that does no
// more. Then what the parts come to is put together, and the code after the loop follows.
// For that an iteration must find nothing that another left, but adds to variables:
// numbers, slices, maps, the largest and the smallest. It may set its own element, and
// return. Few iterations are left to the serial form.
//
// threshold: the function does so below a size, which is to be chosen. With a run, it is
// this one where a benchmark of the function does not lose, and serial where all do.
//
// The serial form returns the same types, and takes parameters of the function; those
// left over are numbers. It starts no goroutine, and neither sends, receives nor waits.
// Both are functions, or methods of one type, and their names share a word, as Squares
// and SquaresParallel do. A name that says no more than that it is serial, as Plain does,
// needs the same parameters. Or they are methods of one name: the serial one is of a type
// that is embedded in the other, or of one without fields.
//
// That both come to the same is not proved: the edits hold on what was run. So neither
// payoff vet nor go fix makes them; payoff fix compares the results first.
//
// # Refused
//
// A serial form that may call the function, or that does not look at all that the function
// looks at, like a timeout. Also where one of the two changes what the other does not: a
// parameter, a field, a variable of the package, the world. And where the function stops
// panics, or locks what it is given, and the serial form does not: others may use that
// meanwhile.
//
// parts is refused where the serial form has more than one loop among its statements, or
// one that does not count from 0. It is where an iteration looks at what it adds to, adds up
// floats, whose order counts, or acts on the world. Also where the loop goes over pointers
// that the serial form made, as two may lead to one thing.
package serialform

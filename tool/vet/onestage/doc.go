// Package onestage finds stages of pipelines that are one goroutine, which does
// one item after the other.
//
// Wrong, where the work of the stage is most of the work, or waits:
//
//	go func() {
//		for u := range urls {
//			pages <- fetch(u)
//		}
//		close(pages)
//	}()
//
// Right: as many goroutines as the work is worth:
//
//	go func() {
//		var stage sync.WaitGroup
//		for range 16 {
//			stage.Go(func() {
//				for u := range urls {
//					pages <- fetch(u)
//				}
//			})
//		}
//		stage.Wait()
//		close(pages)
//	}()
//
// The slowest stage sets the pace of all (see the catalogue's imbalance). More
// goroutines cost some hundred nanoseconds each, once.
//
// # Evidence
//
// A benchmark that loses to imbalance, to a serial part, or to waiting. It does so in the
// stage, or in the functions of the package that it calls.
//
// # What is not found
//
// Loops that take items otherwise than by range, stages that send nothing, and
// those of a few statements without calls, which chanperitem is for.
//
// # Edits
//
//   - workers: GOMAXPROCS goroutines; where the stage waits, some numbers of them.
//
// The items come in another order then. So it is refused where that may matter. A
// function has to make the channel, and hand it only to functions of the package.
// What takes the items may add them up as integers in a variable, or count them.
// It may also send on what becomes of each, to one that does
// no more. It is also refused where the stage keeps anything from one item to the next, or
// does what others may see. So it is where it ends early, sets the pace, or calls
// what several goroutines may not be meant to call at once.
//
// Where the stage waits, more requests at once may be more than the other side
// bears.
package onestage

const doc = "find stages of pipelines that are one goroutine\n\nThe slowest stage sets the pace, and the others wait for it."

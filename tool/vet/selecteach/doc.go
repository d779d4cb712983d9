// Package selecteach finds loops that go through a select of several channels for
// each item.
//
// Wrong, where items are cheap:
//
//	for open > 0 {
//		select {
//		case v, ok := <-left:
//			take(v, ok)
//		case v, ok := <-right:
//			take(v, ok)
//		}
//	}
//
// Better: one channel to which all send, or slices of values, so that a select is for many.
//
// A select of several channels sorts and locks all of them, whether one is ready or
// not. It costs several times what one channel does, and the more of them there
// are, the more (see the catalogue's select). A select of one channel and a default
// case is a call that looks at that channel and is not what this package is for.
//
// # Evidence
//
// A benchmark that loses to select in the loop.
//
// # What is not found
//
// Loops that look at channels and do not wait, and those whose cases each end the
// loop. Channels of empty structs and of times: they signal, and nothing piles up in them.
//
// # Edits
//
// None: what the other cases wait for decides how values come together.
//
// It is wrong to obey where one of the channels is to be heard before all else.
package selecteach

const doc = "find loops that go through a select for each item\n\nA select locks all of its channels each time."

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
// Right: where values are waiting, a goroutine that has one takes the next from the same
// channel at once.
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
//   - drain: a case that has received a value takes up to 256 more from its channel,
//     as long as there are any. A select may choose so, since which of
//     several ready channels it takes is open. The other cases get their turn later.
//
// drain is refused where a select does more than to look at its channels. So it is where
// the loop does more than that, as to count, or to call a function in its condition. So it is where a case goes on with the loop in its midst, or keeps the
// variable of the value.
//
// It is wrong to obey where one of the channels is to be heard before all else.
package selecteach

const doc = "find loops that go through a select for each item\n\nA select locks all of its channels each time."

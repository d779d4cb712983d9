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
//	for _, x := range xs {
//		select {
//		case <-stop:
//			return best
//		case <-quit:
//			return best
//		default:
//		}
//		best = max(best, score(x))
//	}
//
// Right: where values are waiting, a goroutine that has one takes the next from the same
// channel at once. One that computes looks now and then whether it is to stop:
//
//	var looked uint
//	for _, x := range xs {
//		if looked++; looked%64 == 1 {
//			select {
//			…
//			}
//		}
//		best = max(best, score(x))
//	}
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
// Loops that look at channels and do nothing else, which is what selectspin is
// for, and those whose cases each end the loop. Channels of empty structs and of
// times: they signal, and nothing piles up in them.
//
// # Edits
//
//   - drain: a case that has received a value takes up to 256 more from its channel,
//     as long as there are any. A select may choose so, since which of
//     several ready channels it takes is open. The other cases get their turn later.
//   - seldom: the channels are looked at for the first item and then for every 64th.
//     What stops the loop waits for so many items.
//
// drain is refused where a select does more than to look at its channels, or where
// the loop does anything but the select. It is also refused where the loop has a
// condition that calls a function. So it is where a case goes on with the loop in
// its midst, or keeps the variable of the value.
//
// seldom is refused where the loop could tell what stops it how far it is, or could
// learn that something has stopped it. Such a loop takes or sets what others see by
// a lock, an atomic variable or a channel, waits, or calls unknown functions. What
// it did between two looks it might have done as well before it was stopped.
//
// It is wrong to obey where one of the channels is to be heard before all else.
package selecteach

const doc = "find loops that go through a select for each item\n\nA select locks all of its channels each time."

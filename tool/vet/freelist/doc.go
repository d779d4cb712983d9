// Package freelist finds lists of free objects behind a lock: what is no longer
// used is appended, and who needs one takes the last, or makes one where the list
// is empty.
//
// Bad, where many goroutines take and give back:
//
//	func (l *list) get() *buffer {
//		l.mu.Lock()
//		defer l.mu.Unlock()
//		if n := len(l.free); n > 0 {
//			b := l.free[n-1]
//			l.free = l.free[:n-1]
//			return b
//		}
//		return new(buffer)
//	}
//
//	func (l *list) put(b *buffer) {
//		l.mu.Lock()
//		defer l.mu.Unlock()
//		l.free = append(l.free, b)
//	}
//
// Good: a sync.Pool has a list for each processor.
//
//	func (l *list) get() *buffer {
//		if b, ok := l.free.Get().(*buffer); ok {
//			return b
//		}
//		return new(buffer)
//	}
//
//	func (l *list) put(b *buffer) { l.free.Put(b) }
//
// A lock that many want is handed from core to core, twice for each use of an
// object. See the catalogue's lock.
//
// Evidence decides: goroutines that wait for the lock, or its cost, in the
// functions that take it.
//
// The edit, pool, puts a sync.Pool in the place of the list. It keeps what is in
// the objects, but neither their order nor their number: the collector takes free
// ones, so that more may be made. Code that has to have made no more than so many,
// or needs a certain one, would be changed. So it is refused where something else
// looks at the list, such as at its length, where it has a bound, where it begins
// with objects, where an empty list does not have a new object made there and then
// by an expression without effects, and where an object or what it holds has to be
// closed, or has a channel or a function. Objects that are no pointers are refused: each Put would allocate.
package freelist

// Package lockeach finds loops that take one lock anew in each iteration.
//
// Wrong, where it is hot:
//
//	for _, id := range list {
//		ix.mu.RLock()
//		sum += w / float64(ix.lengths[id])
//		ix.mu.RUnlock()
//	}
//
// Right:
//
//	ix.mu.RLock()
//	for _, id := range list {
//		sum += w / float64(ix.lengths[id])
//	}
//	ix.mu.RUnlock()
//
// # Cost
//
// To take a lock and to give it back are two atomic operations. Where several do it,
// each takes the cache line with the lock from the core that had it. So do readers of an
// RWMutex.
//
// # Evidence
//
// The causes lock, rwmutex, rmw and work in the loop.
//
// # Edits
//
// once: the lock is taken before the loop and given back after it, where the whole body
// runs under it.
//
// Others wait for the lock until the loop is done, so it is right where the loop is short.
// Where the check cannot see what the loop calls, the edit has a condition. Then payoff
// fix alone offers it, where the condition holds on what was run.
//
// # Refused
//
// A loop that takes another lock, uses an atomic, sends, receives, waits or starts a
// goroutine. One that may be left in between, or of which nothing says how long it
// runs. A lock that may be another in each iteration.
package lockeach

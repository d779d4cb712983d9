package padring

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/gallery/internal/casring"
)

// Packed passes the values 0..n-1 from sides goroutines to as many others through
// a ring whose fields lie together. The ring has room for all of them, as in the
// article: no goroutine waits for room.
func Packed(n, sides int) uint64 {
	return pass(n, sides, casring.New(n, casring.Patience))
}

type ring interface {
	Put(v uint64)
	Get() uint64
}

// pass is generic, so that calls of Put and Get are as direct as they can be.
func pass[R ring](n, sides int, r R) uint64 {
	for w := range sides {
		go func() {
			lo, hi := share(n, sides, w)
			for i := lo; i < hi; i++ {
				r.Put(uint64(i))
			}
		}()
	}
	var sum atomic.Uint64
	var readers sync.WaitGroup
	for w := range sides {
		readers.Go(func() {
			lo, hi := share(n, sides, w)
			var own uint64
			for range hi - lo {
				own += mix(r.Get())
			}
			sum.Add(own)
		})
	}
	readers.Wait()
	return sum.Load()
}

// share returns the values [lo, hi) that writer w of so many puts. Each reader
// gets as many.
func share(n, sides, w int) (lo, hi int) {
	size, rest := n/sides, n%sides
	lo = w*size + min(w, rest)
	hi = lo + size
	if w < rest {
		hi++
	}
	return lo, hi
}

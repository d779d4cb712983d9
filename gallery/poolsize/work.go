package poolsize

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/gopayoff/payoff/pool"
)

// A work is a kind of item: what is done for one, and the pool that does it.
type work struct {
	do   func(item int) uint64
	pool *pool.Pool[int, uint64]
}

func newWork(do func(item int) uint64) *work {
	return &work{do, pool.New(func(_ context.Context, item int) (uint64, error) { return do(item), nil })}
}

// Of each kind there is one pool for the whole program. It has no workers when it
// was not used for a second or two.
var (
	computing = newWork(compute)
	fetching  = newWork(fetch)
)

// period bounds the exponent: from 3.1415926^621 on a float64 overflows, and
// every answer would be the same +Inf.
const period = 512

// compute needs the processor, for some tens of nanoseconds: a power, returned as
// its bits, which can be added up in any order.
func compute(item int) uint64 {
	return math.Float64bits(math.Pow(3.1415926, float64(item%period)))
}

// pauses are how long the items wait, over and over: a random number of whole
// milliseconds from 0 to 3, the same ones in all processes. Parts of a
// millisecond would be rounded up by the system.
var pauses = func() (ds [100]time.Duration) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range ds {
		ds[i] = time.Duration(r.IntN(4)) * time.Millisecond
	}
	return ds
}()

// fetch waits, as for a server, and has another answer for each item.
func fetch(item int) uint64 {
	time.Sleep(pauses[item%len(pauses)])
	return uint64(item+1) * 0x9e3779b97f4a7c15
}

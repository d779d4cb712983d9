package affinity

import "github.com/gopayoff/payoff/queue"

// Queued keeps all values in flight between two queues. A side takes what is there,
// plays it where it lies, and sends it back together. It waits only where the other
// side has all of them.
func Queued(values []uint64, rounds int) {
	if rounds == 0 || len(values) == 0 {
		return
	}
	there, back := queue.NewSPSC[uint64](len(values)), queue.NewSPSC[uint64](len(values))
	go func() {
		for vs := there.View(view); vs != nil; vs = there.View(view) {
			play(vs)
			back.SendAll(vs)
			there.Release(len(vs))
		}
		back.Close()
	}()

	// Values come back in the order in which they went, so that each of them has
	// played its last round when the last len(values) have come.
	play(values)
	there.SendAll(values)
	for left := len(values) * (rounds - 1); left > 0; {
		vs := back.View(min(view, left))
		play(vs)
		there.SendAll(vs)
		back.Release(len(vs))
		left -= len(vs)
	}
	for got := 0; got < len(values); {
		got += back.RecvInto(values[got:])
	}
	there.Close()
}

// view is how many values a side plays before it sends them back.
const view = 64

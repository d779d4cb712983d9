package par

import (
	"time"

	"github.com/gopayoff/payoff/internal/help"
)

// Stats say whether help is to be had in this process, and whether it came.
type Stats struct {
	Helpers int    // goroutines that help or look for work now: 0 at rest
	Wakes   uint64 // helpers that were started, also in the place of callers that sleep
	Steals  uint64 // times that a helper took over a half of a Func, or joined a loop
	Parks   uint64 // times that a caller slept until a helper was done

	// Taken is how often the system took a processor from the program while it shared
	// a loop, and the caller lost time by that. Other programs want the processors, or
	// there are fewer than GOMAXPROCS says. The first such call of a while does not
	// count. It is 0 where the system does not tell.
	Taken uint64

	// WakePrice is the time that starting a helper takes its caller, and
	// StartLatency that until it runs: means over the latest.
	WakePrice, StartLatency time.Duration
}

// ReadStats returns the statistics since the program began. It reads them one after the
// other, while they may change. Helpers count on their own until they leave or for
// about a millisecond.
func ReadStats() Stats {
	s := help.Sched
	return Stats{
		Helpers: s.Helpers(), Wakes: s.Counts.Wakes.Load(), Steals: s.Counts.Steals.Load(), Parks: s.Counts.Parks.Load(),
		Taken:     s.Counts.Taken.Load(),
		WakePrice: time.Duration(s.Price()), StartLatency: time.Duration(s.Latency()),
	}
}

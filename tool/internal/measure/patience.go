package measure

import "time"

const (
	patience = time.Minute // that nobody has to ask for
	silence  = time.Second // that says something of a benchmark
)

// Patience is how long a process may be without news where the user did not
// say: its share of the budget, a minute at most, or some times as long as it
// usually takes. So what hangs takes no more than its share, and what is slow
// today is not ended for it.
func Patience(share, usual time.Duration) time.Duration {
	return max(min(share, patience), 4*usual, silence)
}

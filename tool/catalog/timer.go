package catalog

var Timer = enter(Cause{
	Slug:  "timer",
	Part:  "code",
	Title: "A timer for each item",
	What: prose(`
A timer is an object in a heap that belongs to a processor. Making one allocates, setting
and stopping it takes the heap's lock, and each processor looks at its heap whenever it
looks for work. A time limit for each item, by time.After, by a context with a deadline
or by AfterFunc, is paid in full though hardly any of them ever fires. Tickers with
short periods wake processors that would sleep.`),
	Looks: prose(`
Overhead is above 1 already at one processor. The CPU profile has package time's timers and
the runtime's heaps of them, allocation beneath included, and the collector after them.
Where they do fire, the trace shows goroutines that wake up often and run briefly.`),
	Evidence: []string{
		"processor time in making, setting, stopping and firing timers, tickers and contexts with a deadline beyond the base's, with the collecting of what they allocate; reading the clock is work",
	},
	Before: source(`
func drainEach(in <-chan int, limit time.Duration) (sum int, ok bool) {
	for {
		select {
		case x, more := <-in:
			if !more {
				return sum, true
			}
			sum += x
		case <-time.After(limit): // a new one for each value
			return sum, false
		}
	}
}
`),
	After: source(`
// One timer serves all values. It looks again after limit whether any came in
// the meantime, so silence is noticed after twice the limit at the latest.
func drainWatched(in <-chan int, limit time.Duration) (sum int, ok bool) {
	quiet := time.NewTicker(limit)
	defer quiet.Stop()
	came := true
	for {
		select {
		case x, more := <-in:
			if !more {
				return sum, true
			}
			sum += x
			came = true
		case <-quiet.C:
			if !came {
				return sum, false
			}
			came = false
		}
	}
}
`),
	Do: "Use one timer for many items: set it once and look at it, or check a deadline now and then",
	Wrong: prose(`
When each item takes long, or waits for a network, its timer is nothing beside that. When
the limit has to be exact for each item, one Timer with Reset saves the allocation
and not the locking. Where contexts with deadlines come from above, they are made once
for each request and not for each step.`),
	Cures: []string{"time.NewTicker", "time.Timer"},
	See: []string{
		"https://go.dev/wiki/Go123Timer",
		"https://pkg.go.dev/time#After",
	},
})

package help

import (
	"sync"
	"time"
)

// A usage is how many processors the program has used, as an average. The runtime tells
// who runs and who waits at a moment, and the moments in which somebody asks are no
// sample of time: where tasks sleep, their timers expire together, and then somebody asks
// because a task has ended. Then it looks as if processors were always wanted, and they
// may be in use a tenth of the time.
type usage struct {
	mu sync.Mutex // for all that follows; who does not get it goes without

	at    time.Duration // when it was asked last
	used  time.Duration // what the answer was
	known bool          // there was one

	idle float64 // processors, as an average that fades in some periods
}

const (
	// A running thread's time is booked each few ms; the average is over some periods.
	usagePeriod = 3 * time.Millisecond
	// Less than this share of the processors is no reason to doubt what the runtime says.
	leastIdle = 1.0 / 8
)

// correct returns idle and runnable as they are on average, where nobody is idle now by
// what the runtime says, and that is not so on average.
func (u *usage) correct(now time.Duration, procs, idle, runnable int) (int, int) {
	if idle < 0 || host.Used == nil || !u.mu.TryLock() {
		return idle, runnable
	}
	defer u.mu.Unlock()
	if took := now - u.at; took >= usagePeriod {
		used, ok := host.Used()
		if !ok {
			return idle, runnable
		}
		unused := float64(procs) - float64(used-u.used)/float64(took)
		unused = max(0, min(unused, float64(procs)))
		if u.known && took < 30*usagePeriod {
			u.idle += (unused - u.idle) / 4
		} else {
			u.idle = 0 // not known: nobody has asked for long
		}
		u.at, u.used, u.known = now, used, true
	}
	if u.idle < leastIdle*float64(procs) {
		return idle, runnable
	}
	return max(idle, min(int(u.idle+0.5), procs-1)), 0
}

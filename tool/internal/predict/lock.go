package predict

import (
	"slices"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// A lock is one on the modelled machine, as Go's Mutex is one. A goroutine that finds it
// held looks again a few times, and then waits. One that is woken competes with those that
// come. If it has waited for long, the next gives it the lock.
type lock struct {
	by      *runner // nil: it is free
	waiters []blocked
}

const (
	// So often a goroutine looks again before it waits, and after so long a wait it is
	// given the lock: as in internal/sync.
	looks    = 4
	patience = time.Millisecond
)

// lockLine is where the word of a lock lies.
func (r *replay) lockLine(n int) uintptr { return 3<<30 + uintptr(n)<<7 }

func (r *replay) lock(t *runner, n int) {
	l := &r.locks[n]
	since := world.Now()
	for first := true; !r.over && l.by != t; first = false {
		world.Touch(r.lockLine(n), true)
		for k := 0; k < looks && l.by != nil && world.Spin(); k++ {
			world.Touch(r.lockLine(n), false)
		}
		world.ParkUnless(func() bool {
			if r.over || l.by == nil {
				l.by = t
				return true
			}
			at := 0 // it has waited longer than others
			if first {
				at = len(l.waiters)
			}
			l.waiters = slices.Insert(l.waiters, at, blocked{self: world.Self(), t: t, since: since})
			return false
		})
	}
}

func (r *replay) unlock(t *runner, n int) {
	l := &r.locks[n]
	if l.by != t {
		return // it was cut from the section that it ends
	}
	world.Touch(r.lockLine(n), true)
	l.by = nil
	if r.over || len(l.waiters) == 0 {
		return
	}
	next := l.waiters[0]
	l.waiters = l.waiters[1:]
	if world.Now()-next.since >= patience {
		l.by = next.t
	}
	next.wake(t)
}

// unlocked is g without its locks.
func unlocked(g *exectrace.Graph) *exectrace.Graph {
	if g.Locks == 0 {
		return g
	}
	out := *g
	out.Locks = 0
	out.Threads = slices.Clone(g.Threads)
	for i := range out.Threads {
		out.Threads[i].Acts = slices.DeleteFunc(slices.Clone(out.Threads[i].Acts), func(a exectrace.Act) bool {
			return a.Do == exectrace.DoLock || a.Do == exectrace.DoUnlock
		})
	}
	return &out
}

package explain

import (
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// guarded are what running at once adds to the code that a lock protects, where
// goroutines do queue: its data move from processor to processor with the lock.
func (f *facts) guarded(m mechanism) []want {
	if !f.contended(m) {
		return nil
	}
	own := []bucket{{AtOnce, stack.User}}
	out := []want{{f.inflation(stack.Map), []bucket{{AtOnce, stack.Map}}}}
	if _, truly := f.shared(); truly > 0 {
		out = append(out, want{truly, own})
	} else if f.shareless() {
		out = append(out, want{f.inflation(stack.User), own})
	}
	return out
}

// contended reports whether goroutines queue at locks so that it matters, or
// take one that comes from another processor: then running at once adds to the
// lock itself.
func (f *facts) contended(m mechanism) bool {
	moves := f.inflation(m.cats...) > f.one.by(m.cats...) && !f.passing()
	return (m.events >= 1 || m.own > 0 || moves) && f.cost(m) > f.lost/5
}

// locked reports whether what is slow is likely to be what a lock protects.
func (f *facts) locked() bool {
	return f.contended(f.allLocks()) || f.queues() && f.contended(f.conds())
}

// passing reports whether goroutines take many locks and hardly ever wait for
// one: what running at once adds to locking is not the price of waits.
func (f *facts) passing() bool {
	return f.manyLocks() && (f.queued() < f.inflation(mutexes...)/4 || f.blocks(exectrace.Mutex, exectrace.RWMutex) < hardly)
}

// hardly is how often in an operation is hardly ever.
const hardly = 0.001

// queued is what the waits for locks take: wake-ups, the attempts before them, and
// processors that are idle meanwhile.
func (f *facts) queued() float64 {
	total := f.blocks(exectrace.Mutex, exectrace.RWMutex)*max(f.prices.Wake.NS, 1000) + f.book.opened[bucket{kind: IdleLock}]
	for _, h := range f.new.Set.Hot {
		// The fast paths are inlined, or call nothing.
		if fn := h.Where.Func; slices.Contains(mutexes, h.Where.Category) && (strings.HasSuffix(fn, "Slow") || strings.HasPrefix(fn, "runtime.") || strings.Contains(fn, ".runtime_")) {
			total += h.Where.Share * f.new.CPU
		}
	}
	return total
}

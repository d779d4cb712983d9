package explain

import "github.com/gopayoff/payoff/tool/internal/stack"

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
	moves := f.inflation(m.cats...) > f.one.by(m.cats...)
	return (m.events >= 1 || m.own > 0 || moves) && f.cost(m) > f.lost/5
}

// locked reports whether what is slow is likely to be what a lock protects.
func (f *facts) locked() bool {
	return f.contended(f.allLocks()) || f.queues() && f.contended(f.conds())
}

package explain

import (
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// readerWord claims the time in RWMutexes that no writer makes anyone wait
// for: RLock and RUnlock write one word that all readers share. What they read
// beside it on its cache line comes back with it. Different RWMutexes on one line
// are falsely shared.
func readerWord(f *facts) claim {
	direct := f.excess(stack.RWMutex)
	if direct <= 0 || !f.onlyReaders() {
		return claim{}
	}
	kinds := []Kind{AtOne, AtOnce}
	if f.unmet() {
		kinds = kinds[:1]
	}
	c := claim{ns: f.book.take(direct, at([]stack.Category{stack.RWMutex}, kinds...)...)}
	c.evidence = append(c.evidence, say("RLock and RUnlock take %s, and hardly any goroutine waits for a writer", f.takes(0, stack.RWMutex)).at(f.lineOf(stack.RWMutex)))
	if p := f.besideLock(); p != nil {
		_, own := f.shared()
		c.ns += f.book.take(own*f.besideLocks(), bucket{AtOnce, stack.User})
		c.lines = []source.Place{p.B.Place}
		c.evidence = append(c.evidence, say("%s is on the cache line of %s, which every reader writes: going on to it waits for the line again", p.B.Expr, p.A.Expr).at(p.B.Place))
	}
	if f.v.New.Procs == 1 || f.unmet() {
		c.title = "RLock and RUnlock again and again, though free"
	} else if f.inflation(stack.RWMutex) > direct/2 {
		c.evidence = append(c.evidence, say("they take %s on one processor: the word moves from cache to cache", ns(f.one.by(stack.RWMutex))))
	}
	for _, h := range f.new.Set.Hot {
		if h.Where.Category == stack.RWMutex && h.What.Kind == instr.Locked {
			c.evidence = append(c.evidence, say("%s of the time is behind %s", percent(h.Where.Share), h.What.Text).at(userSite(h)))
			break
		}
	}
	return c
}

package explain

import (
	"cmp"

	"github.com/gopayoff/payoff/tool/internal/stack"
)

// trueSharing claims what running at once adds to code that writes words that
// others read or write. Behind a lock that is the lock's, but for locks that hardly
// anyone waits for, of which there are many: they are words that come and go.
func trueSharing(f *facts) claim {
	_, own := f.shared()
	locks := 0.0
	if f.passing() {
		_, locks = f.sharedLocks()
	} else {
		own *= 1 - f.besideLocks()
	}
	if own+locks <= 0 || f.locked() {
		return claim{}
	}
	do := fit(f.shape(f.new))
	if f.read("true") {
		do = cmp.Or(do, seldom)
	}
	c := claim{ns: f.book.take(own, bucket{AtOnce, stack.User}), evidence: f.sharedEvidence("true"), do: do, lines: f.metAt("true")}
	if locks > 0 {
		c.do = spreadOut
		c.ns += f.book.take(locks, at(mutexes, AtOnce)...) + f.book.take(f.inflation(stack.Map), bucket{AtOnce, stack.Map})
		c.evidence = append(c.evidence, say("goroutines use about %d locks in turns and hardly wait for any: each lock, and what it guards, comes from another processor", f.sharing().Seen.Locks))
	}
	return c
}

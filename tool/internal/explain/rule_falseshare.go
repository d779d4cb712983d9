package explain

import (
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// falseSharing claims what running at once adds to code that writes words of
// the same cache lines of which others read or write different ones. A lock is a
// word, too.
func falseSharing(f *facts) claim {
	own, _ := f.shared()
	locks, _ := f.sharedLocks()
	if own+locks <= 0 {
		return claim{}
	}
	do := ""
	if kind := f.shape(f.new); kind != "" && kind != evidence.Sum || f.read("false") || f.lockOf("false") {
		do = apart // there is nothing to sum up locally
	}
	c := claim{do: do, ns: f.book.take(own, bucket{AtOnce, stack.User}), evidence: f.sharedEvidence("false"), lines: f.metAt("false")}
	c.ns += f.book.take(locks, at(mutexes, AtOnce)...)
	return c
}

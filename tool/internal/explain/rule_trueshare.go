package explain

import (
	"cmp"

	"github.com/gopayoff/payoff/tool/internal/stack"
)

// trueSharing claims what running at once adds to code that writes words that
// others read or write. Behind a lock that is the lock's.
func trueSharing(f *facts) claim {
	_, truly := f.shared()
	if truly <= 0 {
		return claim{}
	}
	if f.locked() {
		return claim{}
	}
	do := fit(f.shape(f.new))
	if f.read("true") {
		do = cmp.Or(do, seldom)
	}
	return claim{ns: f.book.take(truly, bucket{AtOnce, stack.User}), evidence: f.sharedEvidence("true"), do: do, lines: f.metAt("true")}
}

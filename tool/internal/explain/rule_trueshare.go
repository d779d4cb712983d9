package explain

import "github.com/gopayoff/payoff/tool/internal/cpuprof"

// trueSharing claims what running at once adds to code that writes the same
// words. Behind a lock that is the lock's.
func trueSharing(f *facts) claim {
	_, truly := f.shared()
	if truly <= 0 {
		return claim{}
	}
	if f.locked() {
		return claim{}
	}
	return claim{ns: f.book.take(truly, bucket{AtOnce, cpuprof.User}), evidence: f.sharedEvidence("true"), do: fit(f.shape(f.new))}
}

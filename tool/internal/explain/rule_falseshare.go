package explain

import "github.com/gopayoff/payoff/tool/internal/cpuprof"

// falseSharing claims what running at once adds to code that writes different
// words of the same cache lines.
func falseSharing(f *facts) claim {
	falsely, _ := f.shared()
	if falsely <= 0 {
		return claim{}
	}
	return claim{ns: f.book.take(falsely, bucket{AtOnce, cpuprof.User}), evidence: f.sharedEvidence("false")}
}

package explain

import (
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// falseSharing claims what running at once adds to code that writes words of
// the same cache lines of which others read or write different ones.
func falseSharing(f *facts) claim {
	falsely, _ := f.shared()
	if falsely <= 0 {
		return claim{}
	}
	do := ""
	if kind := f.shape(f.new); kind != "" && kind != evidence.Sum || f.read("false") {
		do = apart // there is nothing to sum up locally
	}
	return claim{do: do, ns: f.book.take(falsely, bucket{AtOnce, stack.User}), evidence: f.sharedEvidence("false"), lines: f.metAt("false")}
}

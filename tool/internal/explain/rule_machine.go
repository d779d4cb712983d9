package explain

import (
	"github.com/gopayoff/payoff/tool/catalog"
	"github.com/gopayoff/payoff/tool/internal/judge"
)

// unfit says that the machine did not give the processors: the one cause that
// is not the code's. nil if it did.
func unfit(f *facts) *Cause {
	given, _, short := judge.Short(f.s, f.v)
	if !short || f.v.Word != judge.CannotSay {
		return nil
	}
	c := whole(catalog.Machine, f.lost, say("as many busy threads as processors, %d, got %.2f of them: something else runs here, or the processors are shared", f.procs, given))
	return &c
}

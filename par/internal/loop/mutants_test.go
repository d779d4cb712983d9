package loop_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestMutants: the tests of loops find what is wrong in them.
func TestMutants(t *testing.T) {
	stress.Mutants(t, []stress.Mutant{
		{Name: "half of a lane is in two", File: "lane.go",
			Old:  "ln.rest.CompareAndSwap(rest, lo<<32|mid)",
			New:  "ln.rest.CompareAndSwap(rest, lo<<32|(mid+1))",
			Test: "TestLanes$"},
		{Name: "a loop ends before its helpers", File: "share.go",
			Old:  "alone := helpers(old) == 0",
			New:  "alone := true",
			Test: "TestLeftBehind$"},
		{Name: "parts overlap", File: "lane.go",
			Old:  "return lo, lo + size",
			New:  "return lo, min(lo+size+1, hi)",
			Test: "TestLanes$"},
		{Name: "the last unit is as long as the others", File: "share.go",
			Old:  "if hi < s.units {",
			New:  "if true {",
			Test: "TestLanes$"},
		{Name: "what a helper leaves behind wakes nobody", File: "share.go",
			Old:  "(behind || helpers(now) == 0)",
			New:  "helpers(now) == 0",
			Test: "TestLeftBehind$"},
		{Name: "helpers join a loop that has ended", File: "share.go",
			Old:  "if now&(closed|shut|stopped) != 0 ||",
			New:  "if",
			Test: "TestLanes$"},
		{Name: "two helpers have one lane", File: "share.go",
			Old:  "if !ln.owned.Load() && ln.owned.CompareAndSwap(false, true) {",
			New:  "if true {",
			Test: "TestLeftBehind$"},
		{Name: "parts begin after a stop", File: "share.go",
			Old:  "if state&(shut|stopped) != 0 {",
			New:  "if false {",
			Test: "TestHelpStops$"},
		{Name: "a panic of a helper is lost", File: "loop.go",
			Old:  "if out := s.out.Load(); out != nil {",
			New:  "if out := s.out.Load(); false {",
			Test: "TestStorm$"},
		{Name: "a limit is not kept", File: "loop.go",
			Old:  "most = min(most, l.limit)",
			New:  "most = max(most, l.limit)",
			Test: "TestLimit$"},
		{Name: "calls of any length are small", File: "site.go",
			Old:  "max(4*uint64(n), uint64(p.most.Load()))",
			New:  "math.MaxUint32",
			Test: "TestSmallCorrected$"},
		{Name: "a long call changes nothing", File: "site.go",
			Old:  "case small && now-from >= surprise:",
			New:  "case false:",
			Test: "TestSmallCorrected$"},
		{Name: "short calls earn nothing", File: "loop.go",
			Old:  "ran = bookAfter\n\t}",
			New:  "return\n\t}",
			Test: "TestEarn$"},
		{Name: "help that harms is not noticed", File: "trial.go",
			Old:  "harmful = seen < t.suspect*6/10",
			New:  "harmful = false",
			Test: "TestTrial$"},
	})
}

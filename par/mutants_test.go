package par_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestMutants: the tests of the scheduler find what is wrong in it.
func TestMutants(t *testing.T) {
	stress.Mutants(t, []stress.Mutant{
		{Name: "a half is run twice", File: "frame.go",
			Old: "return fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)",
			New: "fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)\n\treturn true"},
		{Name: "parts overlap", File: "internal/loop/share.go",
			Old: "return lo, lo + size",
			New: "return lo, min(lo+size+1, s.n)"},
		{Name: "who panics does not wait for its other half", File: "frame.go",
			Old: "if taken || t.published > k && !t.takeBack(k) {",
			New: "if t.published > k && t.takeBack(k) {"},
		{Name: "who waits takes any work", File: "frame.go",
			Old: "thief.steal(fr.thiefGen, &w.Helper)",
			New: "t.steal(0, &w.Helper)"},
		{Name: "who sleeps is not woken", File: "frame.go",
			Old: "\t\t\thelp.Unpark(&t.gate)\n",
			New: ""},
		{Name: "a panic of a half is lost", File: "frame.go",
			Old: "if out != nil {\n\t\t\tout.Raise()\n\t\t}\n",
			New: "_ = out\n"},
		{Name: "Goexit of a half is lost", File: "internal/outcome/outcome.go",
			Old: "runtime.Goexit()\n",
			New: "runtime.Gosched()\n\t\treturn\n"},
		{Name: "a frame keeps its argument", File: "frame.go",
			Old: "fr.b, fr.r, fr.out = a, r, nil",
			New: "_, _, fr.out = a, r, nil"},
		{Name: "a panic in a helper's part is lost", File: "internal/loop/share.go",
			Old: "if out := s.out.Load(); out != nil {",
			New: "if out := s.out.Load(); false {"},
		{Name: "a loop returns before its helpers", File: "internal/loop/share.go",
			Old: "\ts.left.Add(int64(l.next) - s.n)\n\thelp.Sched.Remove(&s.offer)\n\ts.wait()",
			New: "\ts.left.Store(0)\n\thelp.Sched.Remove(&s.offer)"},
		{Name: "wakes are for nothing", File: "internal/help/sched.go",
			Old: "payer.Add(-cost)",
			New: "_ = payer"},
		{Name: "one late part is believed", File: "internal/loop/loop.go",
			Old: "max(1, min(seen, 2*old), old/16)",
			New: "max(1, seen)"},
		{Name: "calls that end before the first beat are never looked at", File: "look.go",
			Old: "if c.gen%sampleCall == 0 {",
			New: "if false {"},
		{Name: "calls with helpers do not learn", File: "look.go",
			Old: "(c.slow <= 1 || c.pace.perBeat.Load() == 1)",
			New: "c.pace.perBeat.Load() == 1"},
		{Name: "small forks stay small", File: "look.go",
			Old: "c.believed = leaves\n\tif leaves >= int(c.pace.perBeat.Load()) {\n\t\tc.resume = 0\n\t}\n\tc.count(0)",
			New: "c.believed = leaves\n\tc.count(int(c.pace.perBeat.Load()))"},
		{Name: "one late look is believed", File: "pace.go",
			Old: "max(min(perFork, 2*old), old/2, 1)",
			New: "max(perFork, 1)"},
		{Name: "two calls get one Task", File: "shelf.go",
			Old: "if v := p.Swap(nil); v != nil {",
			New: "if v := p.Load(); v != nil {\n\t\t\t\tp.Store(nil)"},
		{Name: "a bubble gets helpers", File: "internal/help/host.go",
			Old: "return t == t.Round(0)",
			New: "return t.IsZero()"},
	}, "-run=^Test(Helper|Fork|For|Do|Overhead|Bubble|Shelf)")
}

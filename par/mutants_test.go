package par_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestMutants: the tests of the scheduler find what is wrong in it.
func TestMutants(t *testing.T) {
	stress.Mutants(t, []stress.Mutant{
		{Name: "a half is run twice", File: "fork.go",
			Old: "return fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)",
			New: "fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)\n\treturn true"},
		{Name: "parts overlap", File: "internal/loop/share.go",
			Old: "return lo, lo + size",
			New: "return lo, min(lo+size+1, s.n)"},
		{Name: "who panics does not wait for its other half", File: "fork.go",
			Old: "if taken || t.published > k && !t.takeBack(k) {",
			New: "if t.published > k && t.takeBack(k) {"},
		{Name: "who waits takes any work", File: "fork.go",
			Old: "thief.steal(fr.thiefGen, &h)",
			New: "help.Sched.FindWork(&h)"},
		{Name: "who sleeps is not woken", File: "fork.go",
			Old: "\t\t\thelp.Unpark(&t.gate)\n",
			New: ""},
		{Name: "a panic of a half is lost", File: "fork.go",
			Old: "if out != nil {\n\t\t\tout.Raise()\n\t\t}\n",
			New: "_ = out\n"},
		{Name: "Goexit of a half is lost", File: "internal/outcome/outcome.go",
			Old: "runtime.Goexit()\n",
			New: "runtime.Gosched()\n\t\treturn\n"},
		{Name: "a frame keeps its argument", File: "fork.go",
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
		{Name: "calls that end before the first beat are never looked at", File: "fork.go",
			Old: "if t.again || t.gen%sampleCall == 0 {",
			New: "if t.again {"},
		{Name: "calls with helpers do not learn", File: "beat.go",
			Old: "if c.entries <= 1 || perBeat <= coarse {",
			New: "if perBeat <= coarse {"},
		{Name: "small forks stay small", File: "beat.go",
			Old: "if c.flat <= mostFlat {",
			New: "if c.flat <= 2 {"},
		{Name: "two calls get one Task", File: "shelf.go",
			Old: "if v := p.Swap(nil); v != nil {",
			New: "if v := p.Load(); v != nil {\n\t\t\t\tp.Store(nil)"},
		{Name: "a bubble gets helpers", File: "internal/help/host.go",
			Old: "return t == t.Round(0)",
			New: "return t.IsZero()"},
	}, "-run=^Test(Helper|Fork|For|Do|Overhead|Bubble|Shelf)")
}

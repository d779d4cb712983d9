package help_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestMutants: the tests of the package find what is wrong in it.
func TestMutants(t *testing.T) {
	stress.Mutants(t, []stress.Mutant{
		{Name: "an answer is used more than once", File: "idle.go",
			Old: "left := int(p.Add(-int32(n)))",
			New: "left := int(p.Load()) - n"},
		{Name: "a helper that starts counts as somebody who waits", File: "idle.go",
			Old: "others := max(0, st.Runnable-starting)",
			New: "others := st.Runnable"},
		{Name: "whoever comes asks", File: "idle.go",
			Old: "a.next.Store(int64(after + period))",
			New: "_ = period"},
		{Name: "helpers that yielded stay in the way", File: "idle.go",
			Old: "a.crowded.Store(a.waited.Swap(wanted > 0) && wanted > 0)",
			New: "a.waited.Store(wanted > 0)"},
		{Name: "a helper leaves without a yield", File: "helper.go",
			Old: "if s.answer.crowded.Load() {",
			New: "if !s.answer.crowded.Load() {"},
		{Name: "all helpers give way", File: "helper.go",
			Old: "h.leaving = draw(&h.s.answer.wanted, 1) > 0",
			New: "h.leaving = true"},
		{Name: "late helpers keep others away where processors are idle", File: "idle.go",
			Old: "free = st.Procs - st.Running - starting - others",
			New: "if int64(now) >= a.hold.Load() {\n\t\t\tfree = st.Procs - st.Running - starting - others\n\t\t}"},
		{Name: "without metrics there is no help", File: "host.go",
			Old: "return State{Procs: runtime.GOMAXPROCS(0), Running: -1}",
			New: "return State{}"},
		{Name: "helpers without work are free", File: "helper.go",
			Old: "h.payer.Add(idle - now)",
			New: "_ = h.payer"},
		{Name: "helpers without work stay, paid or not", File: "helper.go",
			Old: "return max(min(most, h.payer.Credit()/time.Duration(2*max(1, h.s.Helpers()))), leastLinger)",
			New: "return most"},
		{Name: "each account gets a first credit", File: "account.go",
			Old: "if next > int64(now) {",
			New: "if next < 0 {"},
		{Name: "a wake is not paid", File: "sched.go",
			Old: "payer.Add(-cost)",
			New: "_ = cost"},
		{Name: "an offer stays on the board", File: "board.go",
			Old: "b.slots[at].offer.Store(nil)",
			New: "_ = at"},
		{Name: "slots of the last 64 are not looked at", File: "board.go",
			Old: "for i := range b.used {",
			New: "for i := range b.used[1:] {"},
		{Name: "that somebody looks for work is written at each look", File: "helper.go",
			Old: "case old > h.now+d/2:\n\t\treturn\n",
			New: ""},
	}, "-run=^Test[^M]")
}

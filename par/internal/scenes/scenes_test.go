package main

import (
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

func TestMain(m *testing.M) { orders.Main(m) }

// program is package par on the machine. It can have each of faults, and of harms.
var program = &orders.Program{Package: "./par", Changes: given, Faults: planted()}

func planted() (all [][]overlay.Change) {
	for _, h := range harms {
		all = append(all, h.changes)
	}
	return orders.Planted(faults, all...)
}

// TestBuild leaves the program where SCENES says, for people.
func TestBuild(t *testing.T) { program.Leave(t) }

// given is what the code gives to scenes: a loop that is shared, as its caller does it
// and as a helper that has found it does.
//
// The counter of a simulated processor is its clock.
var given = []overlay.Change{{File: "internal/help/host.go", Old: "	Ticks:  ticks,\n",
	New: "	Ticks:  func() int64 { return int64(time.Since(epoch)) },\n"}, {File: "internal/help/host.go",
	Old: "	Preempted: preempted,\n", New: "	Preempted: shim_.Preempted,\n"}, {File: "par/internal/loop/share.go", Old: "// Ready is for a look to find out.\n", New: `
func init() {
	shim_.Given["loop"] = func(n int, body func(lo, hi int) bool) (call func() bool, helps func()) {
		l := newLoop(16, n, 0)
		s := newShared(0, n, 3, coarseElem, body)
		s.account = &l.site.account
		s.account.Bar() // or helpers would come, which find nothing
		return func() bool { return l.share(s) }, func() {
			w := help.NewWait(help.Clock())
			s.Help(&w.Helper)
			w.Settled()
		}
	}
	shim_.Given["lanes"] = func(left bool) (take func() any, all func() []any) {
		s := newShared(0, 100, 3, coarseElem, nil)
		if left {
			for range 2 {
				s.join()
				s.lane()
			}
			for i := range 2 {
				s.lanes[1+i].Load().owned.Store(false)
				s.leave(false)
			}
		}
		return func() any {
			s.join()
			return s.lane()
		}, func() []any { return []any{s.lanes[1].Load(), s.lanes[2].Load()} }
	}
	shim_.Given["flags"] = func() (set, clear, join func(), is func() (bool, bool, int)) {
		s := newShared(0, 100, 3, coarseElem, nil)
		s.set(parked)
		return func() { s.set(shut) }, func() { s.clear(parked) }, func() { s.state.Add(one + joined) }, func() (bool, bool, int) {
			state := s.state.Load()
			return state&shut != 0, state&parked != 0, helpers(state)
		}
	}
}

// Ready is for a look to find out.
`}}

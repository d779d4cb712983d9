package main

import (
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// TestOrders: whatever the order of its steps, a run works on each item once, gives
// them back in order, ends as its functions and its loop do, and leaves nothing behind.
func TestOrders(t *testing.T) {
	orders.Run(t, orders.Tests{
		Package: "./pipe", Env: []string{"PAYOFF_WORLD_PROCS=1", "PAYOFF_PAR=auto"}, Faults: faults,
		Short: orders.Depth{Delays: 1, Walks: 200, Most: 2000},
		Long:  orders.Depth{Delays: 2, Walks: 1000, Most: 3000},
		Find:  orders.Depth{Delays: 1, Walks: 2000, Most: 4000},
	}, scenes)
}

// faults are planted in the protocol of a shared segment. Orders find them, if need be
// with the detector of races.
var faults = []orders.Fault{
	{Name: "the end of the first batch does not wake the caller", Order: "slow", Change: overlay.Change{File: "pipe/shared.go",
		Old: "	if ready {\n		sh.s.r.wake()\n	}\n", New: "	_ = ready\n"}},
	{Name: "the last helper that leaves does not wake the caller", Order: "break", Change: overlay.Change{File: "pipe/shared.go",
		Old: "	if last {\n		sh.s.r.wake()\n	}\n", New: "	_ = last\n"}},
	{Name: "a caller that parks does not look again", Order: "slow", Change: overlay.Change{File: "pipe/shared.go",
		Old: "if r.ready(s) || r.due() || !r.busy(s) && r.alarms == nil || sh.vacant() {", New: "if r.due() {"}},
	{Name: "the run does not wait for what is in it", Order: "break", Change: overlay.Change{File: "pipe/shared.go",
		Old: "if inside == 0 {", New: "if true || inside == 0 {"}},
	{Name: "a batch is done before it is worked on", Order: "each", Change: overlay.Change{File: "pipe/shared.go",
		Old: "	l.work(b)\n	returned = true\n", New: "	sh.did(l, b, 0, clock())\n	l.work(b)\n	returned = true\n"}},
}

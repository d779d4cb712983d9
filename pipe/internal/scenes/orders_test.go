package main

import (
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// changed are changes that make the rare common, a ring that is full, and what must not be
// visible: a caller that parks though it has not woken up, or left a token.
var changed = []overlay.Change{
	{File: "pipe/shared.go", Old: "	slotsEach  = 8\n	leastSlots = 16\n", New: "	slotsEach  = 1\n	leastSlots = 4\n"},
	{File: "pipe/wait.go", Old: "	slotsStaff    = 4\n", New: "	slotsStaff    = 1\n"},
	{File: "pipe/wait.go", Old: "	sh.mu.Lock()\n	sh.staff.hired--\n", New: "	runtime.Gosched()\n	sh.mu.Lock()\n	sh.staff.hired--\n"},
	{File: "internal/help/helper.go", Old: "w.looks++; w.looks%32 == 0", New: "w.looks++; w.looks%2 == 0"},
	{File: "pipe/run.go", Old: "{ r.parked.Store(1) }", New: "{\n	if r.parked.Swap(1) != 0 || len(r.bell) > 0 {\n		panic(\"the caller has left something of its last sleep\")\n	}\n}"},
}

func TestMain(m *testing.M) { orders.Main(m) }

// TestOrders: whatever the order of its steps, a run works on each item once, gives
// them back in order, ends as its functions and its loop do, and leaves nothing behind.
func TestOrders(t *testing.T) {
	orders.Run(t, orders.Tests{
		Program: &orders.Program{Package: "./pipe", Changes: changed}, Faults: faults,
		Short: orders.Depth{Delays: 1, Walks: 100, Most: 1000},
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
		Old: "if r.ready(s) || r.due() || !r.busy(s) && r.timeouts == nil || sh.vacant() {", New: "if r.due() {"}},
	{Name: "the run does not wait for what is in it", Order: "break", Change: overlay.Change{File: "pipe/shared.go",
		Old: "if inside == 0 {", New: "if true || inside == 0 {"}},
	{Name: "a batch is done before it is worked on", Order: "each", Change: overlay.Change{File: "pipe/shared.go",
		Old: "	l.work(b)\n	returned = true\n", New: "	sh.did(l, b, 0, clock())\n	l.work(b)\n	returned = true\n"}},
	{Name: "a caller that rests does not look for what is to be delivered", Order: "row", Change: overlay.Change{File: "pipe/shared.go",
		Old: "	if !r.ready(s) && r.busy(s) && !s.shared.vacant() {", New: "	if r.busy(s) && !s.shared.vacant() {"}},
	{Name: "a caller that rests does not look for a place that is free", Order: "atmost", Change: overlay.Change{File: "pipe/shared.go",
		Old: "	if !r.ready(s) && r.busy(s) && !s.shared.vacant() {", New: "	if !r.ready(s) && r.busy(s) {"}},
	{Name: "a caller that rests looks before it says so", Order: "atmost", Change: overlay.Change{File: "pipe/shared.go",
		Old: "	r.park()\n	rang := false\n	if !r.ready(s) && r.busy(s) && !s.shared.vacant() {\n", New: "	rang := false\n	if !r.ready(s) && r.busy(s) && !s.shared.vacant() {\n		r.park()\n"}},
	{Name: "a caller that rested leaves its sign", Order: "atmost", Change: overlay.Change{File: "pipe/shared.go",
		Old: "	r.unpark(rang)\n}\n\nfunc (sh *shared) slot", New: "	_ = rang\n	r.unpark(true)\n}\n\nfunc (sh *shared) slot"}},
	{Name: "a caller that rested waits for a second token", Order: "row", Change: overlay.Change{File: "pipe/shared.go",
		Old: "	r.unpark(rang)\n}\n\nfunc (sh *shared) slot", New: "	_ = rang\n	r.unpark(false)\n}\n\nfunc (sh *shared) slot"}},
	{Name: "a caller that parks beside its source looks before it says so", Order: "slow", Change: overlay.Change{File: "pipe/shared.go",
		Old: "		r.park()\n		if r.ready(s) || r.due() || !r.busy(s) && r.timeouts == nil || sh.vacant() {\n			r.unpark(false)\n			continue\n		}\n", New: "		if r.ready(s) || r.due() || !r.busy(s) && r.timeouts == nil || sh.vacant() {\n			continue\n		}\n		r.park()\n"}},
	{Name: "the caller that is to wait in the source looks for workers before it says so", Order: "lent", Change: overlay.Change{File: "pipe/wait.go",
		Old: "	sh.staff.awaiting.Store(true)\n	sh.feeding.Lock()\n	for sh.staff.waiters.Load() > 0 {\n		sh.feeding.Unlock()\n		runtime.Gosched()\n		sh.feeding.Lock()\n	}\n", New: "	sh.feeding.Lock()\n	for sh.staff.waiters.Load() > 0 {\n		sh.feeding.Unlock()\n		runtime.Gosched()\n		sh.feeding.Lock()\n	}\n	sh.staff.awaiting.Store(true)\n"}},
	{Name: "a worker looks for the caller that waits in the source before it says so", Order: "lent", Change: overlay.Change{File: "pipe/wait.go",
		Old: "	st.waiters.Add(1)\n	defer st.waiters.Add(-1)\n	if st.awaiting.Load() {\n		return false\n	}\n", New: "	if st.awaiting.Load() {\n		return false\n	}\n	st.waiters.Add(1)\n	defer st.waiters.Add(-1)\n"}},
	{Name: "a worker that leaves wakes the caller before its place is free", Order: "atmost", Change: overlay.Change{File: "pipe/wait.go",
		Old: "	sh.leave(l)\n	r.wake()\n", New: "	r.wake()\n	sh.leave(l)\n"}},
}

package main

import (
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// TestOrders: whatever the order of their steps, forks and loops do all that is to
// be done once, end as their bodies do, and wait for none that does not come. Orders find
// each of faults.
func TestOrders(t *testing.T) {
	orders.Run(t, orders.Tests{
		Program: program, Faults: faults,
		Short: orders.Depth{Delays: 1, Walks: 100, Most: 20000},
		Long:  orders.Depth{Delays: 2, Walks: 2000, Most: 6000},
		Find:  orders.Depth{Delays: 1, Walks: 8000, Most: 20000},
		Light: "Slow", // their bodies last for each of many times
	}, explored)
}

// faults are planted in the protocols of frames and of loops. Orders find them, if
// need be with the detector of races.
var faults = []orders.Fault{
	{Name: "a half is run twice", Order: "fork", Change: overlay.Change{File: "par/frame.go",
		Old: "return fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)",
		New: "fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)\n\treturn true"}},
	{Name: "who panics does not wait", Order: "forkPanic1", Change: overlay.Change{File: "par/frame.go",
		Old: "if taken || t.published > k && !t.takeBack(k) {",
		New: "if t.published > k && t.takeBack(k) {"}},
	{Name: "who sleeps for a half is not woken", Order: "forkSlow", Change: overlay.Change{File: "par/frame.go",
		Old: "\t\t\th.Resume(&t.gate, t.relayed)\n",
		New: ""}},
	{Name: "who parks for a half does not look again", Order: "forkSlow", Change: overlay.Change{File: "par/frame.go",
		Old: "if fr.state.CompareAndSwap(s, t.gen<<stateBits|parked) {",
		New: "if fr.state.Store(t.gen<<stateBits | parked); true {"}},
	{Name: "a half is offered before it is written", Order: "fork", Change: overlay.Change{File: "par/frame.go",
		Old: "\tfr.b, fr.pace = b, t.pace\n\tt.pushed()\n",
		New: "\tfr.pace = t.pace\n\tt.pushed()\n\tfr.b = b\n"}},
	{Name: "a part is taken twice by its owner", Order: "loop", Change: overlay.Change{File: "par/internal/loop/lane.go",
		Old: "if ln.rest.CompareAndSwap(rest, (lo+size)<<32|hi) {",
		New: "if ln.rest.Store((lo+size)<<32 | hi); true {"}},
	{Name: "a part is taken twice by another", Order: "loop", Change: overlay.Change{File: "par/internal/loop/lane.go",
		Old: "if ln.rest.CompareAndSwap(rest, lo<<32|mid) {",
		New: "if ln.rest.Store(lo<<32 | mid); true {"}},
	{Name: "who parks for a loop does not look again", Order: "loopSlow", Change: overlay.Change{File: "par/internal/loop/share.go",
		Old: "if s.state.CompareAndSwap(old, old|parked) {",
		New: "if s.set(parked); true {"}},
	{Name: "who waits for one that has just joined has no clock", Order: "loop", Change: overlay.Change{File: "par/internal/loop/share.go",
		Old: "if !waits {",
		New: "if spins == 0 || waits && false {"}},
	{Name: "the caller alone ends a loop that a helper has joined", Order: "bareCrowded", Change: overlay.Change{File: "par/internal/loop/share.go",
		Old: "if s.state.CompareAndSwap(old, old|closed) {",
		New: "if s.set(closed); true {"}},
	{Name: "two get one value of a shelf", Order: "shelf", Change: overlay.Change{File: "internal/shelf/shelf.go",
		Old: "if v := p.Swap(nil); v != nil {",
		New: "if v := p.Load(); v != nil {\n\t\t\t\tp.Store(nil)"}},
	{Name: "a value replaces another on a shelf", Order: "shelfRoom", Change: overlay.Change{File: "internal/shelf/shelf.go",
		Old: "p.CompareAndSwap(nil, v) {",
		New: "true {\n\t\t\tp.Store(v)"}},
	{Name: "two offers are in one slot", Order: "posts", Change: overlay.Change{File: "internal/help/board.go",
		Old: "p.Load() == nil && p.CompareAndSwap(nil, o) {",
		New: "p.Load() == nil {\n\t\t\tp.Store(o)"}},
	{Name: "a slot is emptied before it is free", Order: "posts", Change: overlay.Change{File: "internal/help/board.go",
		Old: "\t\tb.used[at/64].bits.And(^(uint64(1) << (at % 64)))\n\t\tb.slots[at].offer.Store(nil)\n",
		New: "\t\tb.slots[at].offer.Store(nil)\n\t\tb.used[at/64].bits.And(^(uint64(1) << (at % 64)))\n"}},
	{Name: "two ask the runtime at once", Order: "asks", Change: overlay.Change{File: "internal/help/idle.go",
		Old: "|| !a.next.CompareAndSwap(next, int64(now+leastPeriod)) {",
		New: "{\n\t\treturn\n\t}\n\tif a.next.Store(int64(now + leastPeriod)); false {"}},
	{Name: "two draw the same", Order: "asks", Change: overlay.Change{File: "internal/help/idle.go",
		Old: "left := int(p.Add(-int32(n)))",
		New: "left := int(p.Load()) - n\n\tp.Store(int32(left))"}},
	{Name: "two have the same first credit", Order: "fund", Change: overlay.Change{File: "internal/help/account.go",
		Old: "if Sched.opened.CompareAndSwap(given, next) {",
		New: "if Sched.opened.Store(next); true {"}},
	{Name: "a helper that joins is forgotten", Order: "flags", Change: overlay.Change{File: "par/internal/loop/share.go",
		Old: "if old&flag != 0 || s.state.CompareAndSwap(old, old|flag) {",
		New: "if s.state.Store(old | flag); true {"}},
	{Name: "two helpers have one new lane", Order: "lanes", Change: overlay.Change{File: "par/internal/loop/share.go",
		Old: "if slot.CompareAndSwap(nil, ln) {",
		New: "if slot.Store(ln); true {"}},
	{Name: "two helpers have one lane", Order: "lanes", Change: overlay.Change{File: "par/internal/loop/share.go",
		Old: "if !ln.owned.Load() && ln.owned.CompareAndSwap(false, true) {",
		New: "if !ln.owned.Load() {\n\t\t\tln.owned.Store(true)"}},
	{Name: "who wakes the caller forgets a helper", Order: "flags", Change: overlay.Change{File: "par/internal/loop/share.go",
		Old: "if s.state.CompareAndSwap(old, old&^flag) {",
		New: "if s.state.Store(old &^ flag); true {"}},
	{Name: "who sleeps for a loop is not woken", Order: "loopSlow", Change: overlay.Change{File: "par/internal/loop/share.go",
		Old: "\t\thelp.Unpark(&s.gate)\n",
		New: ""}},
}

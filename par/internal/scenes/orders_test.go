package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// TestOrders: whatever the order of their steps, forks and loops do all that is to
// be done once, end as their bodies do, and wait for none that does not come.
func TestOrders(t *testing.T) {
	few, walks, runs, build := 1, 100, 20000, asItIs
	if stress.Long() {
		few, walks, runs, build = 2, 2000, 6000, racing
	}
	program := build.program(t)
	for scene := range orders {
		t.Run(scene, func(t *testing.T) {
			t.Parallel()
			few := few
			if strings.Contains(scene, "Slow") {
				few-- // their bodies last for each of many times
			}
			out, err := program.run(1, "-order", scene, fmt.Sprint("-delays=", few), fmt.Sprint("-walks=", walks), fmt.Sprint("-runs=", runs))
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Log(out)
		})
	}
}

// faults are planted in the protocols of frames and of loops. Orders find them, if
// need be with the detector of races.
var faults = []struct {
	name, order string
	change      overlay.Change
}{
	{"a half is run twice", "fork", overlay.Change{File: "par/frame.go",
		Old: "return fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)",
		New: "fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)\n\treturn true"}},
	{"who panics does not wait", "forkPanic1", overlay.Change{File: "par/frame.go",
		Old: "if taken || t.published > k && !t.takeBack(k) {",
		New: "if t.published > k && t.takeBack(k) {"}},
	{"who sleeps for a half is not woken", "forkSlow", overlay.Change{File: "par/frame.go",
		Old: "\t\t\th.Resume(&t.gate, t.relayed)\n",
		New: ""}},
	{"who parks for a half does not look again", "forkSlow", overlay.Change{File: "par/frame.go",
		Old: "if fr.state.CompareAndSwap(s, t.gen<<stateBits|parked) {",
		New: "if fr.state.Store(t.gen<<stateBits | parked); true {"}},
	{"a half is offered before it is written", "fork", overlay.Change{File: "par/frame.go",
		Old: "\tfr.b, fr.pace = b, t.pace\n\tt.pushed()\n",
		New: "\tfr.pace = t.pace\n\tt.pushed()\n\tfr.b = b\n"}},
	{"a part is taken twice by its owner", "loop", overlay.Change{File: "par/internal/loop/lane.go",
		Old: "if ln.rest.CompareAndSwap(rest, (lo+size)<<32|hi) {",
		New: "if ln.rest.Store((lo+size)<<32 | hi); true {"}},
	{"a part is taken twice by another", "loop", overlay.Change{File: "par/internal/loop/lane.go",
		Old: "if ln.rest.CompareAndSwap(rest, lo<<32|mid) {",
		New: "if ln.rest.Store(lo<<32 | mid); true {"}},
	{"who parks for a loop does not look again", "loopSlow", overlay.Change{File: "par/internal/loop/share.go",
		Old: "if s.state.CompareAndSwap(old, old|parked) {",
		New: "if s.set(parked); true {"}},
	{"who waits for one that has just joined has no clock", "loop", overlay.Change{File: "par/internal/loop/share.go",
		Old: "if !waits {",
		New: "if spins == 0 || waits && false {"}},
	{"the caller alone ends a loop that a helper has joined", "bareCrowded", overlay.Change{File: "par/internal/loop/share.go",
		Old: "if s.state.CompareAndSwap(old, old|closed) {",
		New: "if s.set(closed); true {"}},
	{"two get one value of a shelf", "shelf", overlay.Change{File: "internal/shelf/shelf.go",
		Old: "if v := p.Swap(nil); v != nil {",
		New: "if v := p.Load(); v != nil {\n\t\t\t\tp.Store(nil)"}},
	{"a value replaces another on a shelf", "shelfRoom", overlay.Change{File: "internal/shelf/shelf.go",
		Old: "p.CompareAndSwap(nil, v) {",
		New: "true {\n\t\t\tp.Store(v)"}},
	{"two offers are in one slot", "posts", overlay.Change{File: "internal/help/board.go",
		Old: "p.Load() == nil && p.CompareAndSwap(nil, o) {",
		New: "p.Load() == nil {\n\t\t\tp.Store(o)"}},
	{"a slot is emptied before it is free", "posts", overlay.Change{File: "internal/help/board.go",
		Old: "\t\tb.used[at/64].bits.And(^(uint64(1) << (at % 64)))\n\t\tb.slots[at].offer.Store(nil)\n",
		New: "\t\tb.slots[at].offer.Store(nil)\n\t\tb.used[at/64].bits.And(^(uint64(1) << (at % 64)))\n"}},
	{"two ask the runtime at once", "asks", overlay.Change{File: "internal/help/idle.go",
		Old: "|| !a.next.CompareAndSwap(next, int64(now+leastPeriod)) {",
		New: "{\n\t\treturn\n\t}\n\tif a.next.Store(int64(now + leastPeriod)); false {"}},
	{"two draw the same", "asks", overlay.Change{File: "internal/help/idle.go",
		Old: "left := int(p.Add(-int32(n)))",
		New: "left := int(p.Load()) - n\n\tp.Store(int32(left))"}},
	{"two have the same first credit", "fund", overlay.Change{File: "internal/help/account.go",
		Old: "if Sched.opened.CompareAndSwap(given, next) {",
		New: "if Sched.opened.Store(next); true {"}},
	{"a helper that joins is forgotten", "flags", overlay.Change{File: "par/internal/loop/share.go",
		Old: "if old&flag != 0 || s.state.CompareAndSwap(old, old|flag) {",
		New: "if s.state.Store(old | flag); true {"}},
	{"two helpers have one new lane", "lanes", overlay.Change{File: "par/internal/loop/share.go",
		Old: "if slot.CompareAndSwap(nil, ln) {",
		New: "if slot.Store(ln); true {"}},
	{"two helpers have one lane", "lanes", overlay.Change{File: "par/internal/loop/share.go",
		Old: "if !ln.owned.Load() && ln.owned.CompareAndSwap(false, true) {",
		New: "if !ln.owned.Load() {\n\t\t\tln.owned.Store(true)"}},
	{"who wakes the caller forgets a helper", "flags", overlay.Change{File: "par/internal/loop/share.go",
		Old: "if s.state.CompareAndSwap(old, old&^flag) {",
		New: "if s.state.Store(old &^ flag); true {"}},
	{"who sleeps for a loop is not woken", "loopSlow", overlay.Change{File: "par/internal/loop/share.go",
		Old: "\t\thelp.Unpark(&s.gate)\n",
		New: ""}},
}

// TestFaults: orders find what is wrong. The long form has the race detector watch, as
// it does all orders.
func TestFaults(t *testing.T) {
	build := asItIs
	if stress.Long() {
		build = racing
	}
	for i, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			out, err := build.program(t).with(i).run(1, "-order", f.order, "-delays=1", "-walks=8000")
			if err == nil {
				t.Errorf("nothing was found:\n%s", out)
			}
			t.Log(strings.Join(strings.SplitN(out, "\n", 4)[:2], ": "))
		})
	}
}

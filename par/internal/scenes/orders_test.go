package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// TestOrders: whatever the order of their steps, forks and loops do all that is to
// be done once, end as their bodies do, and wait for nobody who does not come.
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

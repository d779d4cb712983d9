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
	few, walks := 1, 100
	program := ""
	if stress.Long() {
		few, walks = 2, 5000
		program = built(t, nil, "-race")
	} else {
		program = asItIs(t)
	}
	for scene := range orders {
		t.Run(scene, func(t *testing.T) {
			t.Parallel()
			few := few
			if strings.Contains(scene, "Slow") {
				few-- // their bodies last for each of many times
			}
			out, err := run(program, 1, "-order", scene, fmt.Sprint("-delays=", few), fmt.Sprint("-walks=", walks))
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
	name, scenes string
	change       overlay.Change
}{
	{"a half is run twice", "fork", overlay.Change{File: "par/fork.go",
		Old: "return fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)",
		New: "fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)\n\treturn true"}},
	{"who panics does not wait", "forkPanic1", overlay.Change{File: "par/fork.go",
		Old: "if taken || t.published > k && !t.takeBack(k) {",
		New: "if t.published > k && t.takeBack(k) {"}},
	{"who sleeps is not woken", "forkSlow", overlay.Change{File: "par/fork.go",
		Old: "\t\t\thelp.Unpark(&t.gate)\n",
		New: ""}},
	{"who parks does not look again", "forkSlow", overlay.Change{File: "par/fork.go",
		Old: "if fr.state.CompareAndSwap(s, t.gen<<stateBits|parked) {",
		New: "if fr.state.Store(t.gen<<stateBits | parked); true {"}},
	{"a half is offered before it is written", "fork", overlay.Change{File: "par/fork.go",
		Old: "\tfr.b = b\n\tfr.expect = t.expect / 2\n\tt.depth++\n\tt.pushed()\n",
		New: "\tfr.expect = t.expect / 2\n\tt.depth++\n\tt.pushed()\n\tfr.b = b\n"}},
	{"a loop returns before its helpers", "loop", overlay.Change{File: "par/internal/loop/share.go",
		Old: "\ts.left.Add(int64(l.next) - s.n)\n\thelp.Sched.Remove(&s.offer)\n\ts.wait()",
		New: "\ts.left.Store(0)\n\thelp.Sched.Remove(&s.offer)"}},
	{"a part is taken twice", "loop", overlay.Change{File: "par/internal/loop/share.go",
		Old: "if s.next.CompareAndSwap(lo, lo+size) {",
		New: "if s.next.Store(lo + size); true {"}},
}

// TestFaults: orders find what is wrong.
func TestFaults(t *testing.T) {
	if !stress.Long() {
		t.Skip("builds the program for each fault")
	}
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			program := built(t, []overlay.Change{f.change}, "-race")
			for scene := range strings.FieldsSeq(f.scenes) {
				out, err := run(program, 1, "-order", scene, "-delays=1", "-walks=300")
				if err == nil {
					t.Errorf("%s: nothing was found:\n%s", scene, out)
				}
				t.Log(strings.SplitN(out, "\n", 3)[0:2])
			}
		})
	}
}

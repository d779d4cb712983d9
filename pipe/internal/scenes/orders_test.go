package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/plant"
	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// ordered makes a run in many orders of its steps.
func ordered(program, order string, fault, delays, walks, most int) (string, error) {
	cmd := exec.Command(program, "-order", order, fmt.Sprint("-delays=", delays), fmt.Sprint("-walks=", walks), fmt.Sprint("-most=", most))
	cmd.Env = append(os.Environ(), "PAYOFF_WORLD_PROCS=1", "GOMAXPROCS=1", "PAYOFF_PAR=auto", fmt.Sprint(plant.Env, "=", fault), "GORACE=halt_on_error=1 atexit_sleep_ms=0")
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// TestOrders: whatever the order of its steps, a run works on each item once, gives
// them back in order, ends as its functions and its loop do, and leaves nothing behind.
// Orders find what is wrong: each of faults.
func TestOrders(t *testing.T) {
	delays, walks, most, flags := 1, 200, 2000, []string(nil)
	if stress.Long() {
		delays, walks, most, flags = 2, 1000, 3000, []string{"-race"}
	}
	var planted [][]overlay.Change
	for _, f := range faults {
		planted = append(planted, []overlay.Change{f.change})
	}
	program := build(t, nil, planted, flags...)
	for name := range orders {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := ordered(program, name, -1, delays, walks, most)
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Log(out)
		})
	}
	for i, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			out, err := ordered(program, f.order, i, 1, 2000, 4000)
			if err == nil {
				t.Errorf("nothing was found:\n%s", out)
			}
			t.Log(strings.Join(strings.SplitN(out, "\n", 4)[:2], ": "))
		})
	}
}

// faults are planted in the protocol of a shared segment. Orders find them, if need be
// with the detector of races.
var faults = []struct {
	name, order string
	change      overlay.Change
}{
	{"who ends the first batch does not wake the caller", "slow", overlay.Change{File: "pipe/shared.go",
		Old: "	if ready {\n		sh.s.r.wake()\n	}\n", New: "	_ = ready\n"}},
	{"who leaves last does not wake the caller", "break", overlay.Change{File: "pipe/shared.go",
		Old: "	if last {\n		sh.s.r.wake()\n	}\n", New: "	_ = last\n"}},
	{"who parks does not look again", "slow", overlay.Change{File: "pipe/shared.go",
		Old: "if r.ready(s) || r.due() || !r.busy(s) && r.alarms == nil || sh.vacant() {", New: "if r.due() {"}},
	{"the run does not wait for who is in it", "break", overlay.Change{File: "pipe/shared.go",
		Old: "if inside == 0 {", New: "if true || inside == 0 {"}},
	{"a batch is done before it is worked on", "each", overlay.Change{File: "pipe/shared.go",
		Old: "	l.work(b)\n	returned = true\n", New: "	sh.did(l, b, 0, clock())\n	l.work(b)\n	returned = true\n"}},
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/plant"
	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// small are changes that make the rare common: a thread that waits for a lock soon waits in line,
// and lets others go on meanwhile.
var small = []overlay.Change{
	{File: "internal/wait/backoff.go", Old: "	var x atomic.Uint32\n	for range n {\n		x.Load()\n	}\n", New: "	shim_.Pause(n)\n"},
	{File: "internal/wait/backoff.go", Old: "const Tries = 32", New: "const Tries = 1"},
}

// run runs a scene of a program with a fault, or none where that is -1.
func run(program string, fault int, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GORACE=halt_on_error=1 atexit_sleep_ms=0", fmt.Sprint(plant.Env, "=", fault))
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// TestOrders: whatever the order of its steps, a queue gives each value that was sent to
// one receiver, in order, and leaves none waiting. Orders find each of faults.
func TestOrders(t *testing.T) {
	args, flags := strings.Fields("-delays=1 -walks=100 -most=1000 -order"), []string(nil)
	if stress.Long() {
		args, flags = strings.Fields("-delays=2 -walks=1000 -most=6000 -order"), []string{"-race"}
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	var planted [][]overlay.Change
	for _, f := range faults {
		planted = append(planted, []overlay.Change{f.change})
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "scenes")
	if err := overlay.Build(root, dir, program, "./queue/internal/scenes", "./queue", small, planted, flags...); err != nil {
		t.Fatal(err)
	}
	if to := os.Getenv("SCENES"); to != "" { // for people
		data, err := os.ReadFile(program)
		if err == nil {
			err = os.WriteFile(to, data, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range orders {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := run(program, -1, append(args, name)...)
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Log(out)
		})
	}
	for i, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			out, err := run(program, i, "-delays=2", "-walks=2000", "-most=10000", "-order", f.order)
			if err == nil {
				t.Errorf("nothing was found:\n%s", out)
			}
			t.Log(strings.Join(strings.SplitN(out, "\n", 3)[:2], ": "))
		})
	}
}

// faults are planted in the protocol.
var faults = []struct {
	name, order string
	change      overlay.Change
}{}

// Package orders tests code in many orders of its steps: it builds a program of
// scenes for the explorer of package world, runs each of its orders, and holds them
// to finding the faults that are planted in the code.
//
// It is for tests. The program takes the flags order, delays, walks and most.
package orders

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/plant"
	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// A Fault is a change of the code that an order has to find.
type Fault struct {
	Name, Order string
	Change      overlay.Change
	Depth       Depth // zero: that of the tests
}

// A Depth says how many orders are tried; see [world.Explorer].
type Depth struct{ Delays, Walks, Most int }

// Tests are those of one package.
type Tests struct {
	Package     string           // from the module's root: ./queue, with its program in ./queue/internal/scenes
	Changes     []overlay.Change // that make the rare common
	Env         []string         // for the program, beside what all have
	Faults      []Fault
	Short, Long Depth // without a fault; the long form has the race detector, too
	Find        Depth // with one
}

// Run runs the orders, which the program's map has by name, and those that are to
// find faults. Where SCENES names a file, the program is left there, for people.
func Run[F any](t *testing.T, o Tests, names map[string]F) {
	depth, flags := o.Short, []string(nil)
	if stress.Long() {
		depth, flags = o.Long, []string{"-race"}
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	var planted [][]overlay.Change
	for _, f := range o.Faults {
		planted = append(planted, []overlay.Change{f.Change})
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "scenes")
	if err := overlay.Build(root, dir, program, o.Package+"/internal/scenes", o.Package, o.Changes, planted, flags...); err != nil {
		t.Fatal(err)
	}
	if to := os.Getenv("SCENES"); to != "" {
		data, err := os.ReadFile(program)
		if err == nil {
			err = os.WriteFile(to, data, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	run := func(order string, fault int, d Depth) (string, error) {
		cmd := exec.Command(program, "-order", order, fmt.Sprint("-delays=", d.Delays), fmt.Sprint("-walks=", d.Walks), fmt.Sprint("-most=", d.Most))
		cmd.Env = slices.Concat(os.Environ(), o.Env, []string{"GOMAXPROCS=1", "GORACE=halt_on_error=1 atexit_sleep_ms=0", fmt.Sprint(plant.Env, "=", fault)})
		text, err := cmd.CombinedOutput()
		return strings.TrimSpace(string(text)), err
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := run(name, -1, depth)
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Log(out)
		})
	}
	for i, f := range o.Faults {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			d := o.Find
			if f.Depth != (Depth{}) {
				d = f.Depth
			}
			// A program that cannot run finds nothing: only status 1 is a finding, and 66
			// that of the race detector.
			out, err := run(f.Order, i, d)
			if code := exitCode(err); code != 1 && code != 66 {
				t.Errorf("nothing was found: %v\n%s", err, out)
			}
			head, _, _ := strings.Cut(out, "\n\t")
			t.Log(strings.ReplaceAll(head, "\n", ": "))
		})
	}
}

func exitCode(err error) int {
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	return 0
}

// Package orders tests code in many orders of its steps: it builds a program of
// scenes for the explorer of package world, runs each of its orders, and holds them
// to finding the faults that are planted in the code. It also plays what takes a time
// on machines of many processors.
//
// It is for tests. The program's main function is that of package stage.
package orders

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// A Fault is a change of the code that an order has to find.
type Fault struct {
	Name, Order string
	Change      overlay.Change
	With        []overlay.Change // what else it takes
	Depth       Depth            // zero: that of the tests
	Racing      bool             // only the race detector finds it: in the long form
	Harmless    bool             // it is none: the order finds nothing
}

// A Depth says how many orders are tried; see [world.Explorer].
type Depth struct{ Delays, Walks, Most int }

// flags are those that tell a program.
func (d Depth) flags(order string) []string {
	return []string{"-order", order, fmt.Sprint("-delays=", d.Delays), fmt.Sprint("-walks=", d.Walks), fmt.Sprint("-most=", d.Most)}
}

// Tests are those of one program. In the long form it is one with the race detector.
type Tests struct {
	Program     *Program // if it has no faults yet, it gets these
	Faults      []Fault  // the first of the program's
	Short, Long Depth    // without a fault
	Find        Depth    // with one
	Light       string   // orders with this in their names have a delay less: their steps are many
}

// Run runs the orders, which the program's map has by name, and those that are to
// find faults.
func Run[F any](t *testing.T, o Tests, names map[string]F) {
	p, depth := o.Program, o.Short
	if p.Faults == nil {
		p.Faults = Planted(o.Faults)
	}
	if stress.Long() {
		p, depth = &Program{Package: p.Package, Changes: p.Changes, Faults: p.Faults, Procs: p.Procs, Race: true}, o.Long
	}
	procs := max(1, p.Procs)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := depth
			if o.Light != "" && strings.Contains(name, o.Light) {
				d.Delays--
			}
			out, err := p.Run(t, procs, None, d.flags(name)...)
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Log(out)
		})
	}
	for i, f := range o.Faults {
		if f.Racing && !p.Race {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			d := o.Find
			if f.Depth != (Depth{}) {
				d = f.Depth
			}
			// A program that cannot run finds nothing: only status 1 is a finding, and 66
			// that of the race detector.
			out, err := p.Run(t, procs, i, d.flags(f.Order)...)
			switch code := exitCode(err); {
			case f.Harmless && err != nil:
				t.Errorf("%v\n%s", err, out)
			case !f.Harmless && code != 1 && code != 66:
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

package report

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/figure"
)

// Machine says in a line what was measured on.
func (d *Doc) Machine() string {
	e := d.Environment
	s := fmt.Sprintf("measured on %s, %s", e.CPU, figure.Plural(e.UsableCPUs, "processor"))
	given, of := 0.0, 0 // to so many busy threads as there are processors, or more
	for _, c := range d.Capacity {
		if c.Procs >= max(2, e.UsableCPUs) && (of == 0 || c.Procs < of) {
			given, of = c.Cores, c.Procs
		}
	}
	if of > 0 {
		s += fmt.Sprintf(" (%.2f given)", given)
	}
	if e.Virtual != "" {
		s += ", virtual machine (" + e.Virtual + ")"
	}
	if e.Go != "" {
		s += ", " + e.Go
	}
	if p := d.Prices; p.Handoff.NS > 0 && p.Spawn.NS > 0 {
		s += fmt.Sprintf("; here a hand-off costs %s, a goroutine %s", figure.Time(p.Handoff.NS), figure.Time(p.Spawn.NS))
	}
	return s
}

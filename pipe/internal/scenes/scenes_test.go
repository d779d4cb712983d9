package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/world/orders"
	"github.com/gopayoff/payoff/internal/world/overlay"
)

// gate has the caller sleep at a gate in the place of its bell, which nothing stands for
// where time passes: a token in the bell is a gate that is open once. Timers never fire,
// and no context ends. Where orders are explored all of that is as it is.
var gate = []overlay.Change{
	{File: "pipe/run.go", Old: "	\"runtime\"\n	\"sync/atomic\"\n", New: "	\"runtime\"\n	\"sync\"\n	\"sync/atomic\"\n"},
	{File: "pipe/run.go", Old: "	bell   chan struct{}\n", New: "	bell   chan struct{}\n	gate   sync.Mutex\n"},
	{File: "pipe/run.go", Old: "r.bell = make(chan struct{}, 1)\n", New: "r.bell = make(chan struct{}, 1)\n		r.gate.Lock()\n"},
	{File: "pipe/run.go", Old: "r.bell <- struct{}{}\n", New: "help.Unpark(&r.gate)\n"},
	{File: "pipe/run.go", Old: "		<-r.bell\n	}\n	help.Sched", New: "		help.Park(&r.gate)\n	}\n	help.Sched"},
	{File: "pipe/shared.go", Old: "		select {\n		case <-w.bell:\n			w.rang = true\n		case <-w.done:\n		}\n", New: "		help.Park(&r.gate)\n		w.rang = true\n"},
	{File: "pipe/shared.go", Old: "		select {\n		case <-r.bell:\n			rang = true\n		case <-r.done:\n		}\n", New: "		help.Park(&r.gate)\n		rang = true\n"},
	{File: "pipe/shared.go", Old: "		<-r.bell\n		r.unpark(true)\n", New: "		help.Park(&r.gate)\n		r.unpark(true)\n"},
	{File: "pipe/chunk.go", Old: "time.AfterFunc(", New: "never("},
	{File: "pipe/chunk.go", Old: "	timer *time.Timer //", New: "	timer *noTimer //"},
	{File: "pipe/wait.go", Old: "time.AfterFunc(", New: "never("},
	{File: "internal/wait/stack.go", Old: "t.t = time.AfterFunc(d, f)", New: "panic(\"no timers\")"},
	{File: "pipe/lane.go", Old: "t := time.NewTimer(d)\n", New: "t := never(d, nil)\n"},
	{File: "pipe/run.go", Old: "// errEnded is", New: "type noTimer struct{ C chan time.Time }\n\nfunc never(time.Duration, func()) *noTimer { return new(noTimer) }\nfunc (*noTimer) Stop() bool { return true }\nfunc (*noTimer) Reset(time.Duration) bool { return true }\n\n// errEnded is"},
	{File: "pipe/run.go", Old: "	timer  *time.Timer //", New: "	timer  *noTimer //"},
}

// played is the program where time passes.
var played = &orders.Program{Package: "./pipe", Changes: gate}

// TestBuild leaves the program where SCENES says, for people.
func TestBuild(t *testing.T) { played.Leave(t) }

// TestGain: a run is in order and whole on any machine, and many processors are worth
// something.
func TestGain(t *testing.T) {
	for _, c := range []struct {
		procs int
		args  string
		least float64
	}{
		{1, "-elem=1us -items=20000", 0.97},
		{2, "-elem=1us -items=20000", 1.85},
		{8, "-elem=1us -items=50000", 6},
		{16, "-elem=10us -items=20000 -runs=3", 11},
		{64, "-elem=10us -items=50000 -runs=3", 30},
	} {
		args := orders.Machines[1].Flags + " " + c.args
		if gain := played.Play(t, c.procs, orders.None, args).Number("gain"); gain < c.least {
			t.Errorf("%d processors, %s: the gain is %g, want %g", c.procs, args, gain, c.least)
		}
	}
}

// TestRecord writes the table of the record.
func TestRecord(t *testing.T) {
	file := orders.Record(t, "pipe.md")
	var b strings.Builder
	b.WriteString("Simulated, not measured: pipe's own code, on a machine whose steps have prices (internal/world). 100,000 items from a Range through one Map into a ForEach that takes 2 ns an item; gain is over the loop, median of three runs in one process; busy is the largest share of 100 µs in which the hottest cache line was on its way.\n\n`go test ./pipe/internal/scenes -run Record -update`\n\n")
	b.WriteString("| machine | processors | gain at 100 ns an item | busy | at 1 µs | busy | at 10 µs | busy |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, m := range orders.Machines {
		for _, procs := range []int{1, 2, 4, 8, 16, 64, 256} {
			fmt.Fprintf(&b, "| %s | %d |", m.Name, procs)
			for _, elem := range []string{"100ns", "1us", "10us"} {
				o := played.Play(t, procs, orders.None, m.Flags+" -runs=3 -elem="+elem)
				fmt.Fprintf(&b, " %.2f | %s |", o.Number("gain"), o["peak"])
			}
			b.WriteString("\n")
		}
	}
	orders.Write(t, file, b.String())
}

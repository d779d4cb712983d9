// Package stage is the main function of programs that run code on the machine of
// package world: scenes in many orders of their steps, or calls for a time. Tests build
// them for the machine, by package orders.
package stage

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
)

var (
	order   = flag.String("order", "", "the scene that runs in many orders of its steps")
	delays  = flag.Int("delays", 2, "in the orders that are explored")
	most    = flag.Int("most", 20000, "orders, at most")
	walks   = flag.Int("walks", 2000, "orders by chance")
	seed    = flag.Uint64("seed", 1, "of chance")
	machine = flag.String("machine", "ring", "without a scene: ring, chiplet, mesh or here")
	wake    = flag.Duration("wake", 1500, "what a wake costs there")
	latency = flag.Duration("latency", 5000, "how long a thread takes to wake there")
	hot     = flag.Int("hot", 0, "print so many of the hottest cache lines")
)

// A Program is what one can run.
type Program struct {
	// Scenes run in many orders of their steps, on so many processors. Each returns what
	// is wrong. Where the name of one ends in Crowded, goroutines that ask may be told
	// that others wait for processors.
	Scenes map[string]func() string
	Procs  int
	// Looks are the times that a look at the clock may find gone, one after the other;
	// none: no time goes. LooksOf are those of scenes that have others.
	Looks   []time.Duration
	LooksOf map[string][]time.Duration
	// Timed runs where no scene is named; nil: nothing does.
	Timed func(m *Machine)
}

// Main does what the flags say, and prints what came of it. It ends the process with code
// 1 where a scene returns what is wrong, and with 2 where nothing can run.
func Main(p Program) {
	flag.Parse()
	f := p.Scenes[*order]
	switch {
	case !shim.Driven:
		refuse("not built for the machine; see the tests")
	case f != nil:
		p.explore(f)
	case *order == "" && p.Timed != nil:
		prices, err := world.Machine(*machine, *wake, *latency)
		if err != nil {
			refuse(err)
		}
		p.timed(&Machine{Prices: prices, Seed: *seed, Latency: *latency})
	default:
		refuse("no such order")
	}
}

func refuse(why any) {
	fmt.Fprintln(os.Stderr, "scenes:", why)
	os.Exit(2)
}

// explore runs f in many orders.
func (p Program) explore(f func() string) {
	looks := p.Looks
	if of := p.LooksOf[*order]; of != nil {
		looks = of
	}
	if len(looks) == 0 {
		looks = []time.Duration{0}
	}
	for _, look := range looks {
		x := world.Explorer{Delays: *delays, Runs: *most, Walks: *walks, Look: look, Procs: p.Procs, Seed: *seed,
			Crowded: strings.HasSuffix(*order, "Crowded")}
		n, found := x.Explore(f)
		fmt.Printf("order=%s look=%v runs=%d\n", *order, look, n)
		if found != nil {
			fmt.Println(found)
			os.Exit(1)
		}
	}
}

// A Machine is what calls run on for a time. What came of them is printed as fields,
// name=value, on one line.
type Machine struct {
	Prices  world.Prices
	Seed    uint64
	Latency time.Duration // how long a thread takes to wake

	fields []string
	last   *world.World
}

// Add adds a field.
func (m *Machine) Add(name string, v any) {
	if f, ok := v.(float64); ok {
		v = fmt.Sprintf("%.3f", f)
	}
	m.fields = append(m.fields, fmt.Sprintf("%s=%v", name, v))
}

// Run runs main, and returns what the machine has seen.
func (m *Machine) Run(main func()) *world.World {
	w, err := world.Run(m.Prices, shim.Procs, m.Seed, main)
	if err != nil {
		m.Add("error", fmt.Sprintf("%q", err))
	}
	m.last = w
	return w
}

// timed runs what takes a time, and prints the fields: last what the machine has seen.
func (p Program) timed(m *Machine) {
	m.Add("machine", *machine)
	m.Add("procs", shim.Procs)
	m.Add("seed", *seed)
	p.Timed(m)
	if m.last == nil {
		return
	}
	if lines := m.last.Hot(1); len(lines) > 0 {
		m.Add("peak", lines[0].Peak)
		m.Add("line", strings.ReplaceAll(lines[0].Where, " ", ""))
	}
	m.Add("events", m.last.Events)
	fmt.Println(strings.Join(m.fields, " "))
	for _, l := range m.last.Hot(*hot) {
		fmt.Printf("\t%s: %d reads, %d writes, %d moves, busy %v, waited %v, peak %.2f\n", l.Where, l.Reads, l.Writes, l.Moves, l.Busy, l.Waited, l.Peak)
	}
}

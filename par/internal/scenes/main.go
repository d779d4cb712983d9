// Scenes runs package par on a machine that is simulated, and prints what came of
// it. It is built by its tests; see package world.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
)

var (
	scene   = flag.String("scene", "loop", "what runs: "+strings.Join(names(), " "))
	machine = flag.String("machine", "ring", "ring, chiplet, mesh or here")
	wake    = flag.Duration("wake", 1500, "what a wake costs")
	latency = flag.Duration("latency", 5000, "how long a thread takes to wake")
	work    = flag.Duration("work", time.Millisecond, "of a call, on one processor")
	elem    = flag.Duration("elem", 100, "work of an element or leaf")
	calls   = flag.Int("calls", 5, "one after the other")
	rest    = flag.Duration("rest", 2*time.Millisecond, "between calls")
	on      = flag.String("on", "", "beside busy processes: the processor of the machine that each of Go's is")
	hogs    = flag.String("hogs", "", "likewise of each busy process")
	seed    = flag.Uint64("seed", 1, "of chance")
	orderOf = flag.String("order", "", "instead of a scene, a call that is run in many orders of its steps")
	delays  = flag.Int("delays", 2, "in the orders that are explored")
	runs    = flag.Int("runs", 20000, "orders, at most")
	walks   = flag.Int("walks", 2000, "orders by chance")
	hot     = flag.Int("hot", 0, "print so many of the hottest cache lines")
)

// A scene runs on the machine and tells what came of it.
var scenes = map[string]func(r *result){
	"loop":       func(r *result) { timed(r, loop) },
	"reduce":     func(r *result) { joined(r, reduce) },
	"fold":       func(r *result) { joined(r, fold) },
	"tree":       func(r *result) { timed(r, tree()) },
	"plain":      func(r *result) { timed(r, plain) },
	"serial":     func(r *result) { timed(r, func(v *visit) { v.work(*work) }) },
	"sleep":      sleeping,
	"callers":    callers,
	"tick":       func(r *result) { beside(r, tick, loop) },
	"tickplain":  func(r *result) { beside(r, tick, plain) },
	"busy":       func(r *result) { beside(r, compute, loop) },
	"busyserial": func(r *result) { beside(r, compute, func(v *visit) { v.work(*work) }) },
	"busyplain":  func(r *result) { beside(r, compute, plain) },
	"brief":      brief,
}

func names() (all []string) {
	for name := range scenes {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// A result is what is printed, in order.
type result struct{ fields []string }

func (r *result) add(name string, v any) {
	if f, ok := v.(float64); ok {
		v = fmt.Sprintf("%.3f", f)
	}
	r.fields = append(r.fields, fmt.Sprintf("%s=%v", name, v))
}

func main() {
	flag.Parse()
	if !shim.Driven {
		fmt.Fprintln(os.Stderr, "scenes: not built for the machine; see the tests")
		os.Exit(2)
	}
	if f := orders[*orderOf]; f != nil {
		explore(f)
		return
	}
	f := scenes[*scene]
	prices, err := world.Machine(*machine, *wake, *latency)
	if err != nil || f == nil {
		fmt.Fprintln(os.Stderr, "scenes: no such scene or machine", err)
		os.Exit(2)
	}
	r := new(result)
	r.add("scene", *scene)
	r.add("machine", *machine)
	r.add("procs", shim.Procs)
	r.add("wake", *wake)
	r.add("latency", *latency)
	r.add("work", *work)
	r.add("elem", *elem)
	r.add("seed", *seed)
	var ramp []time.Duration
	if _, err := world.Run(prices, shim.Procs, *seed, func() { ramp = plainRamp() }); err != nil {
		r.add("error", err)
	}
	best = bestOf(ramp, *work)
	prices.Others = others(*on, *hogs)
	w, err := world.Run(prices, shim.Procs, *seed, func() { f(r) })
	r.add("asks", w.Asks)
	r.add("looks", w.Looks)
	r.add("threads", w.Wakes)
	r.add("spawns", w.Spawns)
	r.add("parks", w.Parks)
	r.add("busy", w.Busy())
	r.add("events", w.Events)
	if lines := w.Hot(1); len(lines) > 0 {
		r.add("peak", lines[0].Peak)
		r.add("line", strings.ReplaceAll(lines[0].Where, " ", ""))
	}
	if err != nil {
		r.add("error", fmt.Sprintf("%q", err))
	}
	fmt.Println(strings.Join(r.fields, " "))
	for _, l := range w.Hot(*hot) {
		fmt.Printf("\t%s: %d reads, %d writes, %d moves, busy %v, waited %v, peak %.2f\n", l.Where, l.Reads, l.Writes, l.Moves, l.Busy, l.Waited, l.Peak)
	}
}

// others is what flags say.
func others(on, busy string) *world.Others {
	if on == "" {
		return nil
	}
	numbers := func(list string) (all []int) {
		for s := range strings.SplitSeq(list, ",") {
			if n, err := strconv.Atoi(s); err == nil {
				all = append(all, n)
			}
		}
		return all
	}
	return &world.Others{On: numbers(on), Busy: numbers(busy)}
}

// explore runs f in many orders.
func explore(f func() string) {
	for _, look := range []time.Duration{500 * time.Microsecond, 20 * time.Microsecond} {
		x := world.Explorer{Delays: *delays, Runs: *runs, Walks: *walks, Look: look, Procs: 3, Seed: *seed,
			Crowded: strings.HasSuffix(*orderOf, "Crowded")}
		n, found := x.Explore(f)
		fmt.Printf("order=%s look=%v runs=%d\n", *orderOf, look, n)
		if found != nil {
			fmt.Println(found)
			os.Exit(1)
		}
	}
}

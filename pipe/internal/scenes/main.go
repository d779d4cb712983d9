// Scenes runs package pipe on a machine that is simulated, and prints what came of
// it. It is built by its tests; see package world.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/pipe"
)

var (
	machine = flag.String("machine", "ring", "ring, chiplet or mesh")
	wake    = flag.Duration("wake", 1500, "what a wake costs")
	latency = flag.Duration("latency", 5000, "how long a thread takes to wake")
	items   = flag.Int("items", 100_000, "of a run")
	elem    = flag.Duration("elem", 1000, "work of an item")
	sink    = flag.Duration("sink", 2, "work of the sink for an item")
	runs    = flag.Int("runs", 5, "one after the other")
	seed    = flag.Uint64("seed", 1, "of chance")
	hot     = flag.Int("hot", 0, "print so many of the hottest cache lines")
	order   = flag.String("order", "", "instead, a run that is made in many orders of its steps")
	delays  = flag.Int("delays", 2, "in the orders that are explored")
	most    = flag.Int("most", 20000, "orders, at most")
	walks   = flag.Int("walks", 2000, "orders by chance")
)

func main() {
	flag.Parse()
	if !shim.Driven {
		fmt.Fprintln(os.Stderr, "scenes: not built for the machine; see the tests")
		os.Exit(2)
	}
	if *order != "" {
		explore(scenes[*order])
		return
	}
	prices, err := world.Machine(*machine, *wake, *latency)
	if err != nil {
		fmt.Fprintln(os.Stderr, "scenes:", err)
		os.Exit(2)
	}
	var first, mid time.Duration
	w, err := world.Run(prices, shim.Procs, *seed, func() { first, mid = timed() })
	fields := []string{fmt.Sprintf("machine=%s procs=%d items=%d elem=%v first=%v took=%v", *machine, shim.Procs, *items, *elem, first, mid)}
	serial := time.Duration(*items) * (*elem + *sink)
	fields = append(fields, fmt.Sprintf("gain=%.2f", float64(serial)/float64(mid)))
	if lines := w.Hot(1); len(lines) > 0 {
		fields = append(fields, fmt.Sprintf("peak=%.3f line=%s", lines[0].Peak, strings.ReplaceAll(lines[0].Where, " ", "")))
	}
	if err != nil {
		fields = append(fields, fmt.Sprintf("error=%q", err))
	}
	fmt.Println(strings.Join(fields, " "))
	for _, l := range w.Hot(*hot) {
		fmt.Printf("\t%s: %d reads, %d writes, %d moves, busy %v, waited %v, peak %.2f\n", l.Where, l.Reads, l.Writes, l.Moves, l.Busy, l.Waited, l.Peak)
	}
}

// timed makes runs one after the other, and returns what the first took, and the
// median of all.
func timed() (first, mid time.Duration) {
	p := pipe.Map(pipe.Range(*items), func(i int) int {
		world.Work(*elem)
		return i
	})
	var took []time.Duration
	for range *runs {
		from, next := world.Now(), 0
		err := p.ForEach(context.Background(), func(i int) error {
			if i != next {
				panic("wrong order")
			}
			next++
			world.Work(*sink)
			return nil
		})
		if err != nil || next != *items {
			panic(fmt.Sprint("items are missing: ", err))
		}
		took = append(took, world.Now()-from)
		world.Sleep(2 * time.Millisecond)
	}
	first = took[0]
	slices.Sort(took)
	return first, took[len(took)/2]
}

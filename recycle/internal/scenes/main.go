// Scenes runs package recycle in many orders of its steps, and prints what came of it. It
// is built by its tests; see package world.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
)

var (
	order  = flag.String("order", "one", "what runs")
	delays = flag.Int("delays", 2, "in the orders that are explored")
	most   = flag.Int("most", 20000, "orders, at most")
	walks  = flag.Int("walks", 2000, "orders by chance")
	seed   = flag.Uint64("seed", 1, "of chance")
)

func main() {
	flag.Parse()
	f := scenes[*order]
	if !shim.Driven || f == nil {
		fmt.Fprintln(os.Stderr, "scenes: no such order, or not built for the machine; see the tests")
		os.Exit(2)
	}
	x := world.Explorer{Delays: *delays, Runs: *most, Walks: *walks, Procs: 3, Seed: *seed}
	n, found := x.Explore(f)
	fmt.Printf("order=%s runs=%d\n", *order, n)
	if found != nil {
		fmt.Println(found)
		os.Exit(1)
	}
}

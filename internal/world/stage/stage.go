// Package stage is the main function of programs that run code in many orders of its
// steps, one scene a run. Their tests build them for the machine of package world.
package stage

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
)

// Main explores the scene that -order names, on so many processors, and prints what came
// of it: once for each time that a look at the clock may find gone, or once if there is
// none. It ends the process with code 1 where a scene returns what is wrong.
func Main(scenes map[string]func() string, procs int, looks ...time.Duration) {
	order := flag.String("order", "", "what runs")
	delays := flag.Int("delays", 2, "in the orders that are explored")
	most := flag.Int("most", 20000, "orders, at most")
	walks := flag.Int("walks", 2000, "orders by chance")
	seed := flag.Uint64("seed", 1, "of chance")
	flag.Parse()
	f := scenes[*order]
	if !shim.Driven || f == nil {
		fmt.Fprintln(os.Stderr, "scenes: no such order, or not built for the machine; see the tests")
		os.Exit(2)
	}
	if len(looks) == 0 {
		looks = []time.Duration{0}
	}
	for _, look := range looks {
		x := world.Explorer{Delays: *delays, Runs: *most, Walks: *walks, Look: look, Procs: procs, Seed: *seed}
		n, found := x.Explore(f)
		fmt.Printf("order=%s look=%v runs=%d\n", *order, look, n)
		if found != nil {
			fmt.Println(found)
			os.Exit(1)
		}
	}
}

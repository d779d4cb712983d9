package main

import (
	"fmt"
	"os"

	"github.com/gopayoff/payoff/internal/world"
)

var orders = map[string]func() string{}

func explore(f func() string) {
	x := world.Explorer{Delays: *delays, Runs: *most, Walks: *walks, Procs: 3, Seed: *seed}
	n, found := x.Explore(f)
	fmt.Printf("order=%s runs=%d\n", *order, n)
	if found != nil {
		fmt.Println(found)
		os.Exit(1)
	}
}

func countWords(world.Prices) {}

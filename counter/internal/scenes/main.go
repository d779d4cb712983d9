// Scenes runs package counter in many orders of its steps, and prints what came of it. It
// is built by its tests; see package world.
package main

import "github.com/gopayoff/payoff/internal/world/stage"

func main() { stage.Main(stage.Program{Scenes: scenes, Procs: 3}) }

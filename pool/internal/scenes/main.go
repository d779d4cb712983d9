// Scenes runs worker pools in many orders of their steps, and prints what came of it. It
// is built by its tests; see package world.
package main

import (
	"io"
	"log"
	"time"

	"github.com/gopayoff/payoff/internal/world/stage"
)

// Some looks at the clock make tasks long, and others make them short.
func main() {
	log.SetOutput(io.Discard) // of errors that tasks are to have
	stage.Main(stage.Program{Scenes: scenes, Procs: 2, Looks: []time.Duration{100 * time.Microsecond, 200 * time.Nanosecond}})
}

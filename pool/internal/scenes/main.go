// Scenes runs worker pools in many orders of their steps, and prints what came of it. It
// is built by its tests; see package world.
package main

import (
	"time"

	"github.com/gopayoff/payoff/internal/world/stage"
)

// Some looks at the clock make tasks long, and others make them short.
func main() { stage.Main(scenes, 2, 100*time.Microsecond, 200*time.Nanosecond) }

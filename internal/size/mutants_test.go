package size

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestMutants: the tests of the package find what is wrong in it.
func TestMutants(t *testing.T) {
	stress.Mutants(t, []stress.Mutant{
		{Name: "a flat rate is a reason to grow", File: "window.go",
			Old:  "return gain >= more/4",
			New:  "return gain >= -more",
			Test: "TestFlood$"},
		{Name: "it never goes back", File: "climb.go",
			Old:  "r.set(v, r.Bounded(min(max(r.base.inFlight, knee), r.n)))",
			New:  "_ = knee",
			Test: "TestRows$"},
		{Name: "workers that wait for a processor are a reason for more", File: "window.go",
			Old:  "return gain >= more/2 && large.waited()-small.waited() <= float64(large.size-small.size)/2",
			New:  "return gain >= -more",
			Test: "TestComputes$"},
		{Name: "nobody grows before a task ends", File: "climb.go",
			Old:  "n = int(math.Sqrt(float64(t / blind)))",
			New:  "_ = math.Sqrt",
			Test: "TestBlind$"},
		{Name: "a look counts before the workers have come", File: "window.go",
			Old:  "if !arrived {\n\t\treturn\n\t}\n\tl.looks++\n\tif v.idleShare() > 0 {",
			New:  "l.looks++\n\tif arrived && v.idleShare() > 0 {",
			Test: "TestLate$"},
		{Name: "more workers than tasks", File: "climb.go",
			Old:  "return r.Bounded(max(r.n, min(n, int(v.Begun-v.Ended)+v.Waiting)))",
			New:  "return r.Bounded(max(r.n, n))",
			Test: "TestNothingWaits$"},
		{Name: "a change of the load is not noticed", File: "hold.go",
			Old:  "if expected < climbTasks || 4*float64(w.tasks) >= expected {",
			New:  "if expected > 0 {",
			Test: "TestShift$"},
		{Name: "after a trial that changed nothing there is no other", File: "hold.go",
			Old:  "r.resume = v.Now + pause",
			New:  "r.resume = 1 << 62",
			Test: "TestRoom$"},
	})
}

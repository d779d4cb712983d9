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
		{Name: "more workers than tasks", File: "climb.go",
			Old:  "return r.Bounded(max(r.n, min(n, max(r.peak, r.last))))",
			New:  "return r.Bounded(max(r.n, n))",
			Test: "TestNothingWaits$"},
		{Name: "a change of the load is not noticed", File: "hold.go",
			Old:  "if expected < climbTasks || 4*float64(w.tasks) >= expected {",
			New:  "if expected > 0 {",
			Test: "TestShift$"},
		{Name: "after a trial that changed nothing there is no other", File: "hold.go",
			Old:  "r.next = v.Now + pause",
			New:  "r.next = 1 << 62",
			Test: "TestRoom$"},
		{Name: "a look at a bad moment holds until a task ends", File: "window.go",
			Old:  "(l.busy == l.from || v.Ended",
			New:  "(l.busy == l.from || l.from < 0 && v.Ended",
			Test: "TestBadLook$"},
		{Name: "a lull counts as time", File: "burst.go",
			Old:  "r.lap.begin(v) // else the lull",
			New:  "// no",
			Test: "TestLull$"},
		{Name: "a lull begins a window anew", File: "burst.go",
			Old:  "r.window.resume(v)\n",
			New:  "r.restart(v)\n",
			Test: "TestBursts$"},
		{Name: "the first looks of a burst end a window", File: "rule.go",
			Old:  "(arrived || !r.window.broken)",
			New:  "(arrived || r.n > 0)",
			Test: "TestBursts$"},
		{Name: "what a burst had at once is forgotten", File: "burst.go",
			Old:  "r.peak = max(r.peak, int(v.Begun-v.Ended)+v.Waiting)",
			New:  "r.peak, r.last = int(v.Begun-v.Ended)+v.Waiting, 0",
			Test: "TestBursts$"},
		{Name: "a size that leaves nothing waiting is never checked", File: "burst.go",
			Old:  "case c.back == 0 && c.bursts >= c.pause:",
			New:  "case c.back == 0 && c.bursts < 0:",
			Test: "TestBurstFlood$"},
		{Name: "less is kept, whatever bursts take", File: "burst.go",
			Old:  "slows := c.best > c.was*9/8",
			New:  "slows := true",
			Test: "TestBursts$"},
	})
}

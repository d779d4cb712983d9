package par

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par/internal/force"
	"github.com/gopayoff/payoff/par/internal/loop"
)

// TestForced: where parts are spread, or all run on the goroutine of the caller,
// results and ends are the same.
func TestForced(t *testing.T) {
	stress.NoneLeft(t)
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for _, mode := range []force.Mode{force.Spread, force.Serial} {
		t.Run(fmt.Sprintf("mode=%d", mode), func(t *testing.T) {
			defer force.Set(force.Set(mode))
			loop.Forget()
			stress.Procs(t, func(t *testing.T) {
				for _, o := range oracles {
					for n := range 40 {
						if err := o.check(rnd, n); err != nil {
							t.Fatalf("%s, n = %d: %v", o.name, n, err)
						}
					}
				}
				for _, l := range loopings {
					stress.Within(t, time.Minute, l.name, func() {
						for range rounds(60) {
							n := 1 + rnd.IntN(1<<rnd.IntN(12))
							at, e := rnd.IntN(n), event(rnd.IntN(int(events)))
							if err := l.try(n, at, e); err != nil {
								t.Fatalf("%s: n = %d, %v at %d: %v", l.name, n, e, at, err)
							}
						}
					})
				}
			})
		})
	}
}

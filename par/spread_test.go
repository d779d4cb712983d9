package par

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/stress"
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

// TestForLimit: no more goroutines work on a call than its Limit, and as many parts
// are cut where parts are spread.
func TestForLimit(t *testing.T) {
	count := func(limit ...Limit) (parts, most int) {
		var mu sync.Mutex
		var now int
		For(200, func(lo, hi int) {
			mu.Lock()
			parts++
			now++
			most = max(most, now)
			mu.Unlock()
			for range 10 {
				runtime.Gosched()
			}
			mu.Lock()
			now--
			mu.Unlock()
		}, limit...)
		return parts, most
	}
	modes(t, func(t *testing.T) {
		for limit := range 5 {
			for range times(10) {
				if _, most := count(Limit(limit)); limit > 0 && most > limit {
					t.Fatalf("%d goroutines at once, want at most %d", most, limit)
				}
			}
		}
	})
	defer force.Set(force.Set(force.Spread))
	loop.Forget()
	for limit := 1; limit < 5; limit++ {
		for range 20 {
			if parts, _ := count(Limit(limit), Limit(0), Limit(limit+1)); parts > limit {
				t.Fatalf("%d parts, want at most %d", parts, limit)
			}
		}
	}
}

package par

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par"
)

// Bodies that sleep need no processors, so they show how many helpers a call gets, and
// how soon, where GOMAXPROCS is more than a machine has.

const (
	nap       = 5 * time.Millisecond
	napsEach  = 4 // for each of GOMAXPROCS
	napRounds = 9 // of which the first is told apart
)

// A dormitory notes who sleeps.
type dormitory struct {
	from    time.Time
	now     atomic.Int32
	most    int32 // guarded by mu, as began
	began   []time.Duration
	mu      sync.Mutex
	entered atomic.Int32
}

func (d *dormitory) sleep() {
	n := d.now.Add(1)
	d.mu.Lock()
	d.most = max(d.most, n)
	d.began = append(d.began, time.Since(d.from))
	d.mu.Unlock()
	d.entered.Add(1)
	time.Sleep(nap)
	d.now.Add(-1)
}

var napTree = par.New(func(t *par.Task[napsOf, struct{}], n napsOf) (none struct{}) {
	if n.n <= 1 {
		n.d.sleep()
		return
	}
	t.Join(napsOf{n.d, n.n / 2}, napsOf{n.d, n.n - n.n/2})
	return
})

type napsOf struct {
	d *dormitory
	n int
}

var sleepers = []struct {
	name string
	run  func(d *dormitory, n int)
}{
	{"payoff-for", func(d *dormitory, n int) {
		par.For(n, func(lo, hi int) {
			for range hi - lo {
				d.sleep()
			}
		})
	}},
	{"payoff-tree", func(d *dormitory, n int) { napTree.Call(napsOf{d, n}) }},
	{"goroutines", func(d *dormitory, n int) { // as many as GOMAXPROCS, from one counter
		var next atomic.Int32
		var wg sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				for int(next.Add(1)) <= n {
					d.sleep()
				}
			})
		}
		wg.Wait()
	}},
}

// TestSleeping prints, under -v and PAYOFF_LONG=1, how many bodies slept at once, when
// the first half and all of the first GOMAXPROCS of them had begun, and what the call
// took beside its least. It fails where a body did not run once.
func TestSleeping(t *testing.T) {
	procs := []int{4}
	if stress.Long() {
		procs = []int{4, 16, 64}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, p := range procs {
		runtime.GOMAXPROCS(p)
		for _, s := range sleepers {
			var most []int32
			var half, all, took []time.Duration
			line := ""
			rounds := 2
			if stress.Long() {
				rounds = napRounds
			}
			for i := range rounds {
				d := &dormitory{from: time.Now()}
				s.run(d, napsEach*p)
				took1 := time.Since(d.from)
				if n := int(d.entered.Load()); n != napsEach*p {
					t.Errorf("%s at GOMAXPROCS %d: %d bodies ran, want %d", s.name, p, n, napsEach*p)
				}
				slices.Sort(d.began)
				if i == 0 {
					line = fmt.Sprintf("first: %2d at once, took %v", d.most, took1.Round(100*time.Microsecond))
					continue
				}
				most, took = append(most, d.most), append(took, took1)
				half, all = append(half, d.began[p/2]), append(all, d.began[p-1])
			}
			slices.Sort(most)
			t.Logf("GOMAXPROCS %2d %-11s at once %d..%d, half begun %s, all begun %s, took %s (least %v); %s", p, s.name,
				most[0], most[len(most)-1], spread(half), spread(all), spread(took), napsEach*nap, line)
		}
	}
}

// spread is the median, and the least and the most.
func spread(d []time.Duration) string {
	slices.Sort(d)
	us := func(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
	return fmt.Sprintf("%v [%v, %v]", us(d[len(d)/2]), us(d[0]), us(d[len(d)-1]))
}

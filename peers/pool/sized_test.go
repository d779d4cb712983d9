package pool

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/peers/internal/burn"
)

// A sizedLoad is an endless supply of tasks of one kind.
type sizedLoad struct {
	name string
	// task makes the function of a task, by its number.
	task func(tb testing.TB) func(i int)
}

// Rounds of burn in a microsecond.
const microsecond = 940

func compute(us int) { runtime.KeepAlive(burn.Rounds(1, us*microsecond)) }

// spread returns a number below n for i, which looks random.
func spread(i, n int) int { return int(uint32(i)*2654435761>>8) % n }

// wait sleeps for 1 to 10 ms.
func wait(i int) { time.Sleep(time.Millisecond + time.Duration(spread(i, 9000))*time.Microsecond) }

func plain(f func(i int)) func(testing.TB) func(int) {
	return func(testing.TB) func(int) { return f }
}

var sizedLoads = []sizedLoad{
	{"cpu20us", plain(func(int) { compute(20) })},
	{"cpu1ms", plain(func(int) { compute(1000) })},
	{"io1-10ms", plain(wait)},
	// A tenth more or less keeps the workers from doing all in step.
	{"io100ms", plain(func(i int) { time.Sleep(time.Duration(90_000+spread(i, 20_000)) * time.Microsecond) })},
	{"cpu200us+io5ms", plain(func(int) {
		compute(200)
		time.Sleep(5 * time.Millisecond)
	})},
	{"half-cpu500us-half-io1-10ms", plain(func(i int) {
		if i%2 == 0 {
			compute(500)
		} else {
			wait(i)
		}
	})},
	{"io5ms-32connections", func(testing.TB) func(int) {
		connections := make(chan bool, 32)
		return func(int) {
			connections <- true
			time.Sleep(5 * time.Millisecond)
			<-connections
		}
	}},
	{"io5ms-slows-past24", func(testing.TB) func(int) {
		var inFlight atomic.Int64
		return func(int) {
			time.Sleep(slowdown(inFlight.Add(1)))
			inFlight.Add(-1)
		}
	}},
	{"http5ms", func(tb testing.TB) func(int) { return get(tb, "/steady", 0) }},
	{"http5ms-32connections", func(tb testing.TB) func(int) { return get(tb, "/steady", 32) }},
	{"http5ms-slows-past24", func(tb testing.TB) func(int) { return get(tb, "/slows", 0) }},
}

// A sized pool takes tasks for as long as it is fed.
type sized struct {
	name string
	// open starts a pool; submit waits while it is full, close until all tasks have
	// ended; workers is how many there are.
	open func(do func(i int)) (submit func(i int), close func(), workers func() int)
	// learns: its size is its own affair. It is measured from cold, and for longer.
	learns bool
}

// fixed has so many workers at a channel, all of them from the start.
func fixed(workers int) sized {
	return sized{name: fmt.Sprintf("fixed-%d", workers), open: func(do func(int)) (func(int), func(), func() int) {
		in := make(chan int, 128)
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for i := range in {
					do(i)
				}
			})
		}
		return func(i int) { in <- i }, func() {
			close(in)
			wg.Wait()
		}, func() int { return workers }
	}}
}

// sizedRivals are the sizes that one could pick.
func sizedRivals() (pools []sized) {
	for n := 1; n <= 1024; n *= 2 {
		pools = append(pools, fixed(n))
	}
	return pools
}

// A feed keeps a pool in tasks until it is told to stop.
type feed struct {
	submitted int // read after stop
	sum       int // of the tasks' numbers
	did       atomic.Int64
	didSum    atomic.Int64
	ended     atomic.Bool // tasks that begin from now on do nothing
	workers   func() int
	close     func()
	done      chan bool
}

// start feeds a pool with tasks.
func start(p sized, task func(i int)) *feed {
	f := &feed{done: make(chan bool)}
	submit, close_, workers := p.open(func(i int) {
		if !f.ended.Load() {
			task(i)
		}
		f.did.Add(1)
		f.didSum.Add(int64(i))
	})
	f.close, f.workers = close_, workers
	go func() {
		defer close(f.done)
		for i := 0; !f.ended.Load(); i++ {
			submit(i)
			f.submitted++
			f.sum += i
		}
	}()
	return f
}

// stop ends the feed and reports whether each task was done once.
func (f *feed) stop() error {
	f.ended.Store(true)
	<-f.done
	f.close()
	if did, sum := f.did.Load(), f.didSum.Load(); did != int64(f.submitted) || sum != int64(f.sum) {
		return fmt.Errorf("%d tasks with sum %d were done, want %d with sum %d", did, sum, f.submitted, f.sum)
	}
	return nil
}

// window returns how many tasks end per second from now on.
func (f *feed) window(d time.Duration) float64 {
	from, did := time.Now(), f.did.Load()
	time.Sleep(d)
	return float64(f.did.Load()-did) / time.Since(from).Seconds()
}

// cold is for how long a pool is watched from its start, where its size is its own
// affair.
const cold = 4 * time.Second

// One op is a pool under load for some seconds, however large b.N is: only
// steady-tasks/s and cold-tasks/s say something. Pools of a fixed size have no cold
// start to speak of.
func BenchmarkSized(b *testing.B) {
	for _, l := range sizedLoads {
		for _, p := range sizedPools {
			b.Run(fmt.Sprintf("variant=%s/load=%s", p.name, l.name), func(b *testing.B) {
				f := start(p, l.task(b))
				if p.learns {
					b.ReportMetric(f.window(cold), "cold-tasks/s")
					b.ReportMetric(f.window(2*time.Second), "steady-tasks/s")
				} else {
					time.Sleep(350 * time.Millisecond)
					b.ReportMetric(f.window(700*time.Millisecond), "steady-tasks/s")
				}
				b.ReportMetric(float64(f.workers()), "workers")
				if err := f.stop(); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// A load that changes kind: tasks of 20 µs of computing, then tasks that sleep,
// and so on. A pool of a fixed size does not mind how long a kind lasts; one that
// learns is given 10 s of each, twice.
func BenchmarkChanging(b *testing.B) {
	for _, p := range sizedPools {
		b.Run("variant="+p.name+"/load=changing", func(b *testing.B) {
			var sleeps atomic.Bool
			f := start(p, func(i int) {
				if sleeps.Load() {
					wait(i)
				} else {
					compute(20)
				}
			})
			period, metrics := time.Second, []string{"steady-tasks/s"}
			if p.learns {
				period, metrics = 10*time.Second, []string{"cold-tasks/s", "steady-tasks/s"}
			}
			for _, m := range metrics {
				sleeps.Store(false)
				computing := f.window(period)
				sleeps.Store(true)
				sleeping := f.window(period)
				b.ReportMetric((computing+sleeping)/2, m)
			}
			if err := f.stop(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func TestSized(t *testing.T) {
	wall := 5 * time.Millisecond
	if stress.Long() {
		wall = 50 * time.Millisecond
	}
	for _, l := range sizedLoads {
		task := l.task(t)
		for k, p := range sizedPools {
			if !stress.Long() && !p.learns && k%5 != 1 {
				continue
			}
			f := start(p, task)
			time.Sleep(wall)
			if err := f.stop(); err != nil {
				t.Errorf("variant=%s/load=%s: %v", p.name, l.name, err)
			}
		}
	}
}

// A task that is lost or done twice is found out.
func TestFeedFindsFaults(t *testing.T) {
	faulty := func(times func(i int) int) sized {
		p := fixed(2)
		return sized{open: func(do func(int)) (func(int), func(), func() int) {
			return p.open(func(i int) {
				for range times(i) {
					do(i)
				}
			})
		}}
	}
	for _, test := range []struct {
		name  string
		times func(i int) int
		found bool
	}{
		{"no fault", func(int) int { return 1 }, false},
		{"task 3 lost", func(i int) int { return min(1, max(i-3, 3-i)) }, true},
		{"task 3 done twice", func(i int) int { return 2 - min(1, max(i-3, 3-i)) }, true},
	} {
		f := start(faulty(test.times), func(int) {})
		for f.did.Load() < 10 {
			time.Sleep(time.Microsecond)
		}
		if err := f.stop(); (err != nil) != test.found {
			t.Errorf("%s: stop = %v, want an error: %v", test.name, err, test.found)
		}
	}
}

package world_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
)

func machine(t *testing.T, name string) world.Prices {
	t.Helper()
	m, err := world.Machine(name, 1500, 5000)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// run runs main on procs processors of a ring.
func run(t *testing.T, procs int, main func()) *world.World {
	t.Helper()
	w, err := world.Run(machine(t, "ring"), procs, 1, main)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// starts returns when goroutines begin that are started at once by one that goes
// on, with or without another that pushes the last from where it would run next.
func starts(t *testing.T, procs, n int, push bool) (at []time.Duration) {
	run(t, procs, func() {
		from := world.Now()
		for range n {
			world.Go(func() {
				at = append(at, world.Now()-from)
				world.Work(50 * time.Millisecond)
			})
		}
		if push {
			world.Go(func() {})
		}
		world.Work(9 * time.Millisecond)
	})
	slices.Sort(at)
	return at
}

// TestWakeChain: one searching thread is on its way at a time, so that the k'th
// goroutine runs after k wakes.
func TestWakeChain(t *testing.T) {
	for _, procs := range []int{2, 4, 16, 64, 256} {
		at := starts(t, procs, procs-1, true)
		for i, a := range at {
			least := time.Duration(i+1) * 4500
			most := time.Duration(i+1)*(5500+1500+500+8*time.Duration(procs)) + 70*time.Microsecond
			if a < least || a > most {
				t.Errorf("%d processors: goroutine %d of %d runs after %v, want %v to %v", procs, i+1, len(at), a, least, most)
				break
			}
		}
		t.Logf("%d processors: all run after %v", procs, at[len(at)-1])
	}
}

// TestRunNext: what a goroutine starts that goes on is stolen after a sleep; what
// was pushed aside by another, at once.
func TestRunNext(t *testing.T) {
	if at := starts(t, 4, 1, false)[0]; at < 55*time.Microsecond || at > 80*time.Microsecond {
		t.Errorf("alone it runs after %v, want about 60µs", at)
	}
	if at := starts(t, 4, 1, true)[0]; at > 10*time.Microsecond {
		t.Errorf("pushed aside it runs after %v, want about 7µs", at)
	}
}

// TestLine: a cache line that all write serves one after the other, and lines that
// one writes each cost nothing but the writes.
func TestLine(t *testing.T) {
	const procs, times = 16, 1000
	took := func(words []*[128]byte) time.Duration {
		var last time.Duration
		run(t, procs, func() {
			var wg shim.WaitGroup
			var ready shim.Int32
			for i := range procs {
				wg.Go(func() {
					ready.Add(1)
					for ready.Load() < procs {
						world.Work(time.Microsecond)
					}
					from := world.Now()
					x := words[i%len(words)]
					for range times {
						world.Touch(uintptr(unsafe.Pointer(x)), true)
						world.Work(5)
					}
					last = max(last, world.Now()-from)
				})
			}
			world.Go(func() {})
			wg.Wait()
		})
		return last
	}
	one := []*[128]byte{new([128]byte)}
	if d := took(one); d < procs*(times-2)*25 || d > procs*times*45 {
		t.Errorf("%d writes of a line that takes 25ns: %v", procs*times, d)
	}
	var own []*[128]byte
	for range procs {
		own = append(own, new([128]byte))
	}
	if d := took(own); d > times*12 {
		t.Errorf("%d writes of each one's line: %v", times, d)
	}
}

// TestHalf: a thief takes half of what waits.
func TestHalf(t *testing.T) {
	where := make(map[int]int)
	run(t, 2, func() {
		for range 65 {
			world.Go(func() {
				where[world.Proc()]++
				world.Work(time.Nanosecond)
			})
		}
		world.Work(11 * time.Microsecond) // the other comes, and has done some by then
	})
	if where[1] < 25 || where[0]+where[1] != 65 {
		t.Errorf("of 65 goroutines on two processors, %v ran where", where)
	}
}

// TestPreempted: goroutines that go on share a processor in turns of 10 ms.
func TestPreempted(t *testing.T) {
	var order []string
	w := run(t, 1, func() {
		for _, name := range []string{"a", "b"} {
			world.Go(func() {
				for range 5 {
					world.Work(5 * time.Millisecond)
					order = append(order, name)
				}
			})
		}
	})
	if w.Preempted < 4 {
		t.Errorf("preempted %d times", w.Preempted)
	}
	if s := strings.Join(order, ""); !strings.Contains(s, "ab") || !strings.Contains(s, "ba") {
		t.Errorf("%s: they do not take turns", s)
	}
}

// TestSleep: a sleep ends when its time is over if its processor looks, after a
// millisecond if all are idle, and after 10 if all work.
func TestSleep(t *testing.T) {
	slept := func(procs int, beside func()) (d time.Duration) {
		run(t, procs, func() {
			if beside != nil {
				world.Go(beside)
			}
			from := world.Now()
			world.Sleep(100 * time.Microsecond)
			d = world.Now() - from
		})
		return d
	}
	if d := slept(2, nil); d < time.Millisecond || d > 1050*time.Microsecond {
		t.Errorf("beside nobody: %v, want a millisecond", d)
	}
	busy := func() { world.Work(50 * time.Millisecond) }
	if d := slept(1, busy); d < 9*time.Millisecond || d > 11*time.Millisecond {
		t.Errorf("beside one that works: %v, want 10ms", d)
	}
	yielding := func() {
		for range 100 {
			world.Work(10 * time.Microsecond)
			world.Gosched()
		}
	}
	if d := slept(1, yielding); d > 130*time.Microsecond {
		t.Errorf("beside one that yields: %v, want 100µs", d)
	}
}

// TestAsk: questions to the runtime are answered one after the other, and cost
// more the more processors there are.
func TestAsk(t *testing.T) {
	for procs, want := range map[int]time.Duration{2: 79, 64: 519, 256: 1882} {
		run(t, procs, func() {
			from := world.Now()
			run, ready := world.Ask()
			if d := world.Now() - from; d != want || run != 1 || ready != 0 {
				t.Errorf("%d processors: %d run and %d are ready after %v, want 1 and 0 after %v", procs, run, ready, d, want)
			}
		})
	}
}

// TestEnds: goroutines end by Goexit, wait for each other, and for ever.
func TestEnds(t *testing.T) {
	var order []int
	run(t, 2, func() {
		var wg shim.WaitGroup
		var mu shim.Mutex
		mu.Lock()
		for i := range 3 {
			wg.Add(1)
			world.Go(func() {
				defer wg.Done()
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				if i == 1 {
					runtime.Goexit()
				}
			})
		}
		world.Work(time.Millisecond)
		mu.Unlock()
		wg.Wait()
	})
	if len(order) != 3 {
		t.Errorf("%v came, want three", order)
	}
	_, err := world.Run(machine(t, "mesh"), 2, 1, func() {
		var mu shim.Mutex
		mu.Lock()
		mu.Lock()
	})
	if err == nil {
		t.Error("a goroutine that waits for ever is no error")
	}
	_, err = world.Run(machine(t, "mesh"), 2, 1, func() { panic("boom") })
	if err == nil || !strings.Contains(err.Error(), "boom") || !strings.Contains(err.Error(), "TestEnds") {
		t.Errorf("of a panic comes %v, want its value and its stack", err)
	}
}

// TestSame: the same seed gives the same run.
func TestSame(t *testing.T) {
	trace := func(seed uint64) string {
		var b strings.Builder
		m := machine(t, "chiplet")
		w, err := world.Run(m, 16, seed, func() {
			var wg shim.WaitGroup
			var word shim.Int64
			for i := range 100 {
				wg.Go(func() {
					for range 10 {
						world.Work(time.Duration(i) * time.Microsecond)
						fmt.Fprintln(&b, i, world.Proc(), word.Add(1), world.Now())
						world.Gosched()
					}
				})
			}
			wg.Wait()
		})
		fmt.Fprintln(&b, w.Stats, err)
		return b.String()
	}
	if a, b := trace(1), trace(1); a != b {
		t.Error("two runs of one seed differ")
	}
	if trace(1) == trace(2) {
		t.Error("another seed changes nothing")
	}
}

package sched

import (
	"flag"
	"math/big"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write model.md")

// The figures are those of model.md.
func TestReport(t *testing.T) {
	if testing.Short() {
		t.Skip("a second of simulation")
	}
	got := Report(1)
	if *update {
		if err := os.WriteFile("model.md", []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("model.md")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the model's figures are not those of model.md: go test -update writes\n%s", got)
	}
}

func eachRun(t *testing.T, f func(t *testing.T, policy Policy, procs int)) {
	for _, policy := range policies {
		for _, procs := range []int{1, 2, 3, 8, 17} {
			f(t, policy, procs)
		}
	}
}

// Whatever the scheduler does, each number goes the way that it has to go.
func TestSievePrimes(t *testing.T) {
	var primes []int
	handOffs := 0
	for i := range 500 {
		if big.NewInt(int64(i)).ProbablyPrime(0) {
			primes = append(primes, i)
			handOffs += len(primes)
		} else if i > 1 {
			handOffs += 1 + slices.IndexFunc(primes, func(p int) bool { return i%p == 0 })
		}
	}
	eachRun(t, func(t *testing.T, policy Policy, procs int) {
		for _, limit := range []int{2, 3, 4, 500} {
			s := RunSieve(policy, Measured, procs, limit, 1)
			below, _ := slices.BinarySearch(primes, limit)
			if !slices.Equal(s.Primes, primes[:below]) {
				t.Errorf("%v, %d processors: primes below %d are %v, want %v", policy, procs, limit, s.Primes, primes[:below])
			}
			if limit == 500 && s.HandOffs != handOffs {
				t.Errorf("%v, %d processors: %d hand-offs, want %d", policy, procs, s.HandOffs, handOffs)
			}
		}
	})
}

// The same seed gives the same run, and another one another.
func TestDeterministic(t *testing.T) {
	eachRun(t, func(t *testing.T, policy Policy, procs int) {
		a, b := RunSieve(policy, Measured, procs, 500, 7), RunSieve(policy, Measured, procs, 500, 7)
		if a.Result != b.Result {
			t.Errorf("%v, %d processors: %+v, and then %+v", policy, procs, a.Result, b.Result)
		}
	})
	a, b := RunSieve(Local, Measured, 8, 2000, 7), RunSieve(Local, Measured, 8, 2000, 8)
	if a.Result == b.Result {
		t.Errorf("seeds 7 and 8 give the same run: %+v", a.Result)
	}
}

// On one processor time is the sum of what was done.
func TestOneProcessor(t *testing.T) {
	for _, policy := range policies {
		s := RunSieve(policy, Measured, 1, 1000, 1)
		m := Measured
		sum := s.Work + int64(s.ChannelOps)*m.ChannelOp + int64(s.Switches)*m.Switch + int64(s.Spawns)*m.Spawn +
			int64(s.Locks)*m.Lock + int64(s.Interrupts)*m.Interrupt
		if s.Time != sum || s.Busy != sum || s.LockWait != 0 || s.Moved != 0 {
			t.Errorf("%v: %+v, want a time of %d, without waits and moves", policy, s.Result, sum)
		}
	}
}

// Many processors do the same work, and none is in two places at once.
func TestBounds(t *testing.T) {
	calm := Measured
	calm.Every = 0
	for _, price := range []Prices{Measured, calm} {
		eachRun(t, func(t *testing.T, policy Policy, procs int) {
			one, many := RunSieve(policy, price, 1, 1000, 1), RunSieve(policy, price, procs, 1000, 1)
			if many.Work != one.Work {
				t.Errorf("%v, %d processors: work of %d, want %d as on one", policy, procs, many.Work, one.Work)
			}
			n := int64(procs)
			// Processors other than the last may go on for an operation.
			over := n * (price.Interrupt + price.StealWait)
			if many.Busy > n*many.Time+over || many.Busy < many.Work {
				t.Errorf("%v, %d processors: busy for %d in a time of %d", policy, procs, many.Busy, many.Time)
			}
			if price.Every == 0 && n*many.Time < one.Time {
				t.Errorf("%v, %d processors: %d, faster than %d times the %d of one", policy, procs, many.Time, procs, one.Time)
			}
		})
	}
}

// What the article tells is a direction, and that is reproduced: with one queue
// processors bring nothing, with a queue for each they do.
func TestDirection(t *testing.T) {
	speed := func(policy Policy) float64 {
		one, eight := RunSieve(policy, Measured, 1, 4000, 1), RunSieve(policy, Measured, 8, 4000, 1)
		return float64(one.Time) / float64(eight.Time)
	}
	if s := speed(Global); s > 1.2 {
		t.Errorf("Go 1.0: %.2f times as fast at 8 processors, want none", s)
	}
	if s := speed(Local); s < 3 {
		t.Errorf("Go 1.1: %.2f times as fast at 8 processors, want at least 3", s)
	}
}

// Beside hogs a round trip waits for them, unless what was woken runs next.
func TestPingPong(t *testing.T) {
	calm := Measured
	calm.Every = 0
	median := func(policy Policy, pairs int) int64 {
		trips := RunPingPong(policy, calm, 1, pairs, 500, burst, 1).Trips
		if len(trips) != 500 {
			t.Fatalf("%v, %d pairs: %d round trips, want 500", policy, pairs, len(trips))
		}
		slices.Sort(trips)
		return trips[250]
	}
	for _, policy := range policies {
		alone := 4*calm.ChannelOp + 2*calm.Switch
		if policy == Global {
			alone += 4 * calm.Lock
		}
		if got := median(policy, 0); got != alone {
			t.Errorf("%v: a round trip alone takes %d, want %d", policy, got, alone)
		}
	}
	if got := median(Local, 1); got < burst {
		t.Errorf("Go 1.1: a round trip beside hogs takes %d, want at least a burst of %d", got, int64(burst))
	}
	if alone, beside := median(RunNext, 0), median(RunNext, 1); beside != alone {
		t.Errorf("Go 1.5: a round trip beside hogs takes %d, want %d as alone", beside, alone)
	}
}

// In Go 1.5 goroutines that wake each other give way when their slice is over.
func TestSliceIsInherited(t *testing.T) {
	price := Measured
	price.Every, price.Slice = 0, 50_000*nanosecond
	trips := RunPingPong(RunNext, price, 1, 1, 2_000, burst, 1).Trips
	if longest := slices.Max(trips); longest < burst {
		t.Errorf("the longest round trip beside hogs takes %d, want at least a burst of %d", longest, int64(burst))
	}
}

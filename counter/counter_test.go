package counter_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/counter"
	"github.com/gopayoff/payoff/internal/stress"
)

// A number is what Int promises; oracle is the plain version.
type number interface {
	Add(n int64)
	Inc()
	Value() int64
	Take() int64
}

var _ number = (*counter.Int)(nil)

type oracle struct{ n atomic.Int64 }

func (o *oracle) Add(n int64)  { o.n.Add(n) }
func (o *oracle) Inc()         { o.n.Add(1) }
func (o *oracle) Value() int64 { return o.n.Load() }
func (o *oracle) Take() int64  { return o.n.Swap(0) }

// numbers are the oracle and an Int in each of its states.
var numbers = []struct {
	name string
	make func(tb testing.TB) number
}{
	{"oracle", func(testing.TB) number { return new(oracle) }},
	{"fresh", func(testing.TB) number { return new(counter.Int) }},
	{"restless", func(tb testing.TB) number {
		counter.SetLot(tb, true)
		return new(counter.Int)
	}},
	{"spread", func(testing.TB) number {
		c := new(counter.Int)
		c.Spread()
		return c
	}},
	{"crowded", func(tb testing.TB) number {
		counter.SetLot(tb, false)
		c := new(counter.Int)
		c.Spread()
		c.Crowd()
		return c
	}},
	{"chain", func(tb testing.TB) number {
		counter.SetLot(tb, true)
		c := new(counter.Int)
		atProcs(1, c.Spread)
		atProcs(2, c.Spread)
		return c // and grows if the test runs with more than 2
	}},
}

// atProcs calls f with GOMAXPROCS at n.
func atProcs(n int, f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	f()
}

func forNumbers(t *testing.T, test func(t *testing.T, c number)) {
	for _, n := range numbers {
		t.Run(n.name, func(t *testing.T) { test(t, n.make(t)) })
	}
}

func size(long, short int) int {
	if stress.Long() {
		return long
	}
	return short
}

func TestSerial(t *testing.T) {
	forNumbers(t, func(t *testing.T, c number) {
		steps := []struct {
			name string
			do   func() int64
			want int64
		}{
			{"Value", c.Value, 0},
			{"Take", c.Take, 0},
			{"Inc", func() int64 { c.Inc(); return c.Value() }, 1},
			{"Add(41)", func() int64 { c.Add(41); return c.Value() }, 42},
			{"Add(0)", func() int64 { c.Add(0); return c.Value() }, 42},
			{"Add(-50)", func() int64 { c.Add(-50); return c.Value() }, -8},
			{"Take", c.Take, -8},
			{"Value", c.Value, 0},
			{"Add(MaxInt64)", func() int64 { c.Add(math.MaxInt64); return c.Value() }, math.MaxInt64},
			{"Inc", func() int64 { c.Inc(); return c.Value() }, math.MinInt64},
			{"Add(MinInt64)", func() int64 { c.Add(math.MinInt64); return c.Value() }, 0},
		}
		for i, s := range steps {
			if got := s.do(); got != s.want {
				t.Fatalf("step %d: %s: sum is %d, want %d", i, s.name, got, s.want)
			}
		}
	})
}

// TestConservation adds from more goroutines than processors while others read
// and take: every Add is in exactly one Take or in the Value at the end.
func TestConservation(t *testing.T) {
	forNumbers(t, func(t *testing.T, c number) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		var want oracle
		var adders, others sync.WaitGroup
		for g := range size(64, 16) {
			adders.Go(func() {
				r := rand.New(rand.NewPCG(seed, uint64(g)))
				for range size(20000, 2000) {
					n := int64(r.Uint64()) >> r.IntN(64)
					want.Add(n)
					c.Add(n)
				}
			})
		}
		done := make(chan struct{})
		var taken oracle
		for range 2 {
			others.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
						taken.Add(c.Take())
						c.Value()
						runtime.Gosched()
					}
				}
			})
		}
		adders.Wait()
		close(done)
		others.Wait()
		if got, want := taken.Value()+c.Value(), want.Value(); got != want {
			t.Errorf("Takes and the last Value are %d, want %d", got, want)
		}
		c.Take()
		if got := c.Value(); got != 0 {
			t.Errorf("Value() = %d after Take, want 0", got)
		}
	})
}

// TestBounds reads while others count up: no Value is below the Incs that had
// returned, above those that had begun, or below the Value before.
func TestBounds(t *testing.T) {
	forNumbers(t, func(t *testing.T, c number) {
		var begun, returned atomic.Int64
		var counting, reading sync.WaitGroup
		for range 8 {
			counting.Go(func() {
				for range size(20000, 2000) {
					begun.Add(1)
					c.Inc()
					returned.Add(1)
				}
			})
		}
		done := make(chan struct{})
		for range 2 {
			reading.Go(func() {
				last := int64(0)
				for {
					low := returned.Load()
					v := c.Value()
					high := begun.Load()
					if v < low || v > high || v < last {
						t.Errorf("Value() = %d, want between %d and %d and not below %d", v, low, high, last)
						return
					}
					last = v
					select {
					case <-done:
						return
					default:
						runtime.Gosched()
					}
				}
			})
		}
		counting.Wait()
		close(done)
		reading.Wait()
	})
}

// TestSpread: a collision spreads an Int where there are processors to spread
// for and the lot says so, and once only.
func TestSpread(t *testing.T) {
	for _, test := range []struct {
		procs, want int
		wins        bool
	}{
		{1, 0, true},
		{2, 0, false},
		{2, 8, true},
		{3, 16, true},
		{4, 16, true},
		{5, 32, true},
	} {
		counter.SetLot(t, test.wins)
		var c counter.Int
		atProcs(test.procs, func() {
			c.CollideInBase(1)
			c.Add(10)
			c.CollideInBase(100) // by one who has not seen the table yet
			c.Add(1000)
		})
		if got := c.Stripes(); got != test.want {
			t.Errorf("at %d processors, lot %t: %d stripes, want %d", test.procs, test.wins, got, test.want)
		}
		if got := c.Value(); got != 1111 {
			t.Errorf("at %d processors, lot %t: Value() = %d, want 1111", test.procs, test.wins, got)
		}
		if got := c.Tables(); got > 1 {
			t.Errorf("at %d processors, lot %t: %d tables, want one at most", test.procs, test.wins, got)
		}
	}
}

// TestAlone: an Int that one goroutine at a time adds to meets no collision, whatever
// the lot says.
func TestAlone(t *testing.T) {
	counter.SetLot(t, true)
	var c, crowded counter.Int
	atProcs(8, func() {
		crowded.Spread()
		crowded.Crowd()
		for n := range int64(100) {
			c.Add(n)
			c.Take()
			crowded.Add(n)
		}
	})
	if got := c.Stripes(); got != 0 {
		t.Errorf("%d stripes, and nobody else added", got)
	}
	if !crowded.Crowded() {
		t.Error("goroutines were sent to other stripes, and nobody else added")
	}
}

// TestSpreadKeeps: whatever base and the older tables have counted stays.
func TestSpreadKeeps(t *testing.T) {
	counter.SetLot(t, true)
	var c counter.Int
	want := int64(0)
	for i, procs := range []int{1, 2, 2, 4, 3, 8} {
		atProcs(procs, func() {
			c.Inc()
			if c.Stripes() == 0 {
				c.CollideInBase(0)
			} else {
				c.Collide()
			}
			c.Add(10)
		})
		want += 11
		if got := c.Value(); got != want {
			t.Errorf("step %d: Value() = %d, want %d", i, got, want)
		}
	}
	if stripes, tables := c.Stripes(), c.Tables(); stripes != 32 || tables != 3 {
		t.Errorf("%d stripes in the last of %d tables, want 32 and 3", stripes, tables)
	}
	if got := c.Take(); got != want {
		t.Errorf("Take() = %d, want %d", got, want)
	}
	if got := c.Value(); got != 0 {
		t.Errorf("Value() = %d after Take, want 0", got)
	}
}

// TestCrowdParts has goroutines tell their stripes: all the same when crowded,
// and no two the same for long after collisions.
func TestCrowdParts(t *testing.T) {
	counter.SetLot(t, true)
	var c counter.Int
	atProcs(2, c.Spread)
	c.Crowd()

	const goroutines = 4
	ask := [goroutines]chan chan int{}
	for g := range ask {
		ask[g] = make(chan chan int)
		go func() {
			for answer := range ask[g] {
				answer <- c.Mine()
			}
		}()
		defer close(ask[g])
	}
	answer := make(chan int)
	stripes := func() (s [goroutines]int) {
		for g := range ask {
			ask[g] <- answer
			s[g] = <-answer
		}
		return s
	}

	if got := stripes(); got != [goroutines]int{} {
		t.Fatalf("stripes %v of a crowd, want all 0", got)
	}
	apart := [goroutines][goroutines]bool{}
	for range 200 {
		atProcs(2, c.Collide)
		s := stripes()
		if again := stripes(); again != s {
			t.Errorf("stripes %v, then %v, want the same", s, again)
		}
		for i := range s {
			for j := range s {
				if s[i] != s[j] {
					apart[i][j] = true
				}
			}
		}
	}
	for i := range apart {
		for j := range apart[:i] {
			if !apart[i][j] {
				t.Errorf("goroutines %d and %d share a stripe for 200 seeds", i, j)
			}
		}
	}
}

// TestMineStays: a goroutine does not go to another stripe with each call that is
// made from another depth.
func TestMineStays(t *testing.T) {
	var c counter.Int
	atProcs(64, c.Spread)
	const depth = 8
	mineAt(&c, depth, nil) // the stack has grown and stays where it is
	seen := make(map[int]bool)
	mineAt(&c, depth, seen)
	if len(seen) > depth/2 {
		t.Errorf("%d stripes of %d in %d calls, want hardly more than one", len(seen), c.Stripes(), depth)
	}
}

//go:noinline
func mineAt(c *counter.Int, depth int, seen map[int]bool) {
	mine := c.Mine()
	if seen != nil {
		seen[mine] = true
	}
	if depth > 1 {
		mineAt(c, depth-1, seen)
	}
}

// TestContention has goroutines collide as they do in life: an Int spreads, and
// a crowd parts.
func TestContention(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as the machine takes to run two goroutines at once")
	}
	if runtime.NumCPU() < 2 || runtime.GOMAXPROCS(0) < 2 {
		t.Skip("needs two processors")
	}
	hammer := func(c *counter.Int, until func() bool) bool {
		deadline := time.Now().Add(time.Minute)
		var wg sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				for !until() && time.Now().Before(deadline) {
					for range 10000 {
						c.Inc()
					}
				}
			})
		}
		wg.Wait()
		return until()
	}
	var c counter.Int
	if !hammer(&c, func() bool { return c.Stripes() > 0 }) {
		t.Fatal("still one word after a minute of contention")
	}
	c.Crowd()
	if !hammer(&c, func() bool { return !c.Crowded() }) {
		t.Error("still a crowd after a minute of contention")
	}
	if got := c.Value(); got%10000 != 0 {
		t.Errorf("Value() = %d, want a multiple of 10000", got)
	}
}

func TestAllocs(t *testing.T) {
	fresh, spread := new(counter.Int), new(counter.Int)
	spread.Spread()
	for name, c := range map[string]*counter.Int{"fresh": fresh, "spread": spread} {
		if got := testing.AllocsPerRun(100, func() {
			c.Add(2)
			c.Inc()
			c.Value()
			c.Take()
		}); got != 0 {
			t.Errorf("%s: %v allocations for Add, Inc, Value and Take, want 0", name, got)
		}
	}
}

// FuzzInt runs a program of one byte an operation against the oracle.
func FuzzInt(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte{0x17, 0xf7, 4, 0x17, 5, 0xff, 1, 4, 6, 7, 0xff, 2})
	f.Fuzz(func(t *testing.T, program []byte) {
		counter.SetLot(t, true)
		var c counter.Int
		var want oracle
		for i, op := range program {
			operand := int64(op >> 3)
			switch op & 7 {
			case 0:
				c.Add(-operand)
				want.Add(-operand)
			case 1:
				c.Add(math.MaxInt64 - operand)
				want.Add(math.MaxInt64 - operand)
			case 2:
				c.Add(1 << (2 * operand))
				want.Add(1 << (2 * operand))
			case 3:
				c.Inc()
				want.Inc()
			case 4:
				if operand < 4 {
					atProcs(int(operand)+1, func() { c.CollideInBase(operand) })
					want.Add(operand)
				}
			case 5:
				if c.Stripes() > 0 {
					c.Collide()
				}
			case 6:
				if c.Stripes() > 0 {
					c.Crowd()
				}
			case 7:
				if got, want := c.Take(), want.Take(); got != want {
					t.Fatalf("step %d of %v: Take() = %d, want %d", i, program, got, want)
				}
			}
			if got, want := c.Value(), want.Value(); got != want {
				t.Fatalf("step %d of %v: Value() = %d, want %d", i, program, got, want)
			}
		}
	})
}

// BenchmarkAdd separates the states, at one goroutine. How they compare to other
// counters is in peers.
func BenchmarkAdd(b *testing.B) {
	b.Run("state=fresh", func(b *testing.B) {
		var c counter.Int
		for b.Loop() {
			c.Inc()
		}
	})
	b.Run("state=spread", func(b *testing.B) {
		var c counter.Int
		c.Spread()
		for b.Loop() {
			c.Inc()
		}
	})
	b.Run("state=atomic", func(b *testing.B) {
		var c atomic.Int64
		for b.Loop() {
			c.Add(1)
		}
	})
}

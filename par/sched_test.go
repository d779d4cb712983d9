package par

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
)

// A world is a machine on which time passes only as code says so. Calls run in
// one goroutine; helpers that are woken are counted and never come, unless a test
// lets them. So what the scheduler decides is the same in each run, and what it
// costs can be added up.
type world struct {
	now   time.Duration
	looks int // at the clock
	asks  int
	idle  bool
	// single: there is one processor.
	single bool
	wakes  int
	// jolt, if set, is called at each look: it may let time pass.
	jolt func()
}

// Costs on a slow machine.
const (
	lookCost = 40 * time.Nanosecond
	askCost  = 200 * time.Nanosecond
	wakeCost = 15 * time.Microsecond
)

func newWorld(t testing.TB) *world {
	w := new(world)
	hook(t,
		func() time.Duration {
			w.looks++
			w.now += lookCost
			if w.jolt != nil {
				w.jolt()
			}
			return w.now
		},
		func() (help.State, bool) {
			w.asks++
			w.now += askCost
			procs := 2
			if w.single {
				procs = 1
			}
			if w.idle {
				return help.State{Procs: procs, Running: 1}, true
			}
			return help.State{Procs: procs, Running: procs}, true
		},
		func(n int, _ func()) {
			w.wakes += n
			w.now += wakeCost
			// It comes, finds nothing, and leaves.
			for range n {
				help.Sched.Absent()
			}
		})
	return w
}

// recursion is a Func over the number of leaves below; leaf lets time pass.
func recursion(leaf func()) *Func[int, int] {
	return New(func(t *Task[int, int], n int) int {
		if n <= 1 {
			leaf()
			return n
		}
		l, r := t.Join(n/2, n-n/2)
		return l + r
	})
}

// TestOverheadForks: whatever a fork guards, and whether processors are idle or
// not, calls that get no help take little longer than plain ones, also where the
// goroutine is interrupted at the worst moments.
func TestOverheadForks(t *testing.T) {
	if stress.Race {
		t.Skip("long, and in one goroutine")
	}
	seed := stress.Seed(t)
	for _, leaf := range []time.Duration{3, 10, 100, 1000, 10e3, 100e3, 1e6} {
		for _, idle := range []bool{false, true} {
			for _, jolts := range []bool{false, true} {
				w := newWorld(t)
				w.idle = idle
				rnd := rand.New(rand.NewPCG(1, seed))
				var stolen time.Duration // by interruptions
				if jolts {
					w.jolt = func() {
						if rnd.IntN(3) == 0 {
							d := time.Duration(rnd.Int64N(int64(time.Millisecond) << rnd.IntN(4)))
							w.now += d
							stolen += d
						}
					}
				}
				var work time.Duration
				f := recursion(func() { w.now += leaf; work += leaf })
				for work < 100*time.Millisecond || work < 1000*leaf {
					if n := 1 + rnd.IntN(1<<rnd.IntN(14)); f.Call(n) != n {
						t.Fatal("wrong sum")
					}
				}
				// Each look comes with a slow call of some 20 ns.
				over := w.now - work - stolen + time.Duration(w.looks)*20
				if limit := work*5/100 + stolen/100 + 2*wakeCost; over > limit {
					t.Errorf("leaf %v, idle %t, interrupted %t: %v more than %v (%d looks, %d asks, %d wakes)",
						leaf, idle, jolts, over, work, w.looks, w.asks, w.wakes)
				} else {
					t.Logf("leaf %v, idle %t, interrupted %t: %.1f%% (%d looks, %d asks, %d wakes)", leaf, idle, jolts, 100*float64(over)/float64(work), w.looks, w.asks, w.wakes)
				}
			}
		}
	}
}

// TestOverheadLoops is the same for loops.
func TestOverheadLoops(t *testing.T) {
	seed := stress.Seed(t)
	for _, elem := range []time.Duration{1, 10, 100, 1000, 10e3, 1e6} {
		for _, idle := range []bool{false, true} {
			for _, jolts := range []bool{false, true} {
				w := newWorld(t)
				w.idle = idle
				rnd := rand.New(rand.NewPCG(1, seed))
				var stolen, work time.Duration
				if jolts {
					w.jolt = func() {
						if rnd.IntN(3) == 0 {
							d := time.Duration(rnd.Int64N(int64(time.Millisecond) << rnd.IntN(4)))
							w.now += d
							stolen += d
						}
					}
				}
				calls := 0
				for ; work < 100*time.Millisecond || work < 1000*elem; calls++ {
					done := 0
					n := 1 + rnd.IntN(1<<rnd.IntN(17))
					if n > int(100*time.Millisecond/elem)+2 {
						continue
					}
					For(n, func(lo, hi int) {
						done += hi - lo
						w.now += time.Duration(hi-lo) * elem
						work += time.Duration(hi-lo) * elem
					})
					if done != n {
						t.Fatalf("%d of %d elements were done", done, n)
					}
				}
				over := w.now - work - stolen
				percent := time.Duration(4)
				if jolts {
					percent = 10 // every third look is late, by up to 8 ms
				}
				if limit := work*percent/100 + time.Duration(calls)*lookCost + 2*wakeCost; over > limit {
					t.Errorf("element %v, idle %t, interrupted %t: %v more than %v (%d calls, %d looks, %d asks, %d wakes)",
						elem, idle, jolts, over, work, calls, w.looks, w.asks, w.wakes)
				}
			}
		}
	}
}

// TestForkSlower: forks that become slow are noticed, also where calls end before
// the first beat.
func TestForkSlower(t *testing.T) {
	w := newWorld(t)
	leaf := 3 * time.Nanosecond
	f := recursion(func() { w.now += leaf })
	for range 1000 {
		f.Call(2000)
	}
	fast := time.Duration(f.history.perFork.Load())
	leaf = time.Microsecond
	for range 1000 {
		f.Call(100)
	}
	if slow := time.Duration(f.history.perFork.Load()); slow < 100*fast {
		t.Errorf("forks of %v are taken for %v; before they were of %v", leaf, slow, fast)
	}
}

// seek returns a function that says whether somebody seems to look for work, until
// t ends.
func seek(t testing.TB) func(bool) {
	t.Cleanup(func() { help.Sched.Pretend(false) })
	return help.Sched.Pretend
}

// TestForkFaster: forks that become fast are noticed, also in calls that work with
// helpers from their first fork on.
func TestForkFaster(t *testing.T) {
	w := newWorld(t)
	seek(t)(true)
	leaf := time.Microsecond
	f := recursion(func() { w.now += leaf })
	for range 10 {
		f.Call(1000)
	}
	slow := time.Duration(f.history.perFork.Load())
	leaf = 3 * time.Nanosecond
	for range 10 {
		f.Call(100_000)
	}
	if fast := time.Duration(f.history.perFork.Load()); fast > slow/50 {
		t.Errorf("forks of %v are taken for %v; before they were of %v", leaf, fast, slow)
	}
}

// TestForkFirst: a first call learns what a fork takes, also where it looks seldom
// for having found no help.
func TestForkFirst(t *testing.T) {
	w := newWorld(t)
	leaf := 3 * time.Nanosecond
	f := recursion(func() { w.now += leaf })
	f.Call(100_000)
	if fork := time.Duration(f.history.perFork.Load()); fork > 2000*leaf {
		t.Errorf("forks of %v are taken for %d ps", leaf, fork)
	}
}

// TestForkOnce: of calls of one fork, those that are short look at the clock seldom,
// and those that are long are offered each time.
func TestForkOnce(t *testing.T) {
	w := newWorld(t)
	w.idle = true
	short := recursion(func() { w.now += 500 * time.Nanosecond })
	long := recursion(func() { w.now += time.Millisecond })
	const calls = 1024
	for range calls {
		short.Call(2)
	}
	if w.looks > calls/8 || w.wakes > 1 {
		t.Errorf("%d calls of 1 µs look at the clock %d times and wake %d helpers", calls, w.looks, w.wakes)
	}
	w.wakes = 0
	for range calls {
		long.Call(2)
	}
	if w.wakes < calls*9/10 {
		t.Errorf("%d calls of 2 ms wake %d helpers", calls, w.wakes)
	}
}

// TestForkGrows: where help comes when a recursion with many children is deep in
// its tree, what it offers grows until it is a good part of what is left.
func TestForkGrows(t *testing.T) {
	for _, shape := range []struct{ children, depth int }{{2, 15}, {2, 17}, {3, 10}, {4, 8}, {8, 5}, {16, 4}, {30, 3}} {
		for _, leaf := range []time.Duration{3, 20, 100, 500} {
			if math.Pow(float64(shape.children), float64(shape.depth))*float64(leaf) < 3e5 {
				continue
			}
			if shape.children == 30 && leaf == 20 {
				continue // first halves of 600 ns are all there is: none lasts for a beat
			}
			t.Run(fmt.Sprintf("children=%d/depth=%d/leaf=%d", shape.children, shape.depth, leaf), func(t *testing.T) {
				forkGrows(t, shape.children, shape.depth, leaf)
			})
		}
	}
}

func forkGrows(t *testing.T, children, depth int, took time.Duration) {
	type part struct{ depth, from int } // a node's children from from on
	size := func(p part) int {
		n := children - p.from
		for range p.depth - 1 {
			n *= children
		}
		return n
	}
	w := newWorld(t)
	seek := seek(t)
	total := size(part{depth, 0})
	leaf, large := 0, 0
	from, to := total/4, total*3/4
	var f *Func[part, int]
	var body func(t *Task[part, int], p part) int
	body = func(t *Task[part, int], p part) (n int) {
		switch {
		case p.depth == 0:
			w.now += took
			switch leaf++; leaf {
			case total / 20, total / 5:
				seek(true)
			case total / 10: // for a while there is none
				seek(false)
			}
			if leaf > from && leaf <= to {
				for k := range t.frames[:t.published] {
					if size(t.frames[k].b) >= total/64 {
						large++
						break
					}
				}
			}
			return 1
		case p.from == children:
			return 0
		case t.Serial():
			for c := p.from; c < children; c++ {
				n += body(t, part{p.depth - 1, 0})
			}
			return n
		}
		a, b := t.Fork(part{p.depth - 1, 0}, part{p.depth, p.from + 1})
		return a + b
	}
	f = New(body)
	for range 5 {
		seek(false)
		leaf, large = 0, 0
		if n := f.Call(part{depth, 0}); n != total {
			t.Fatalf("%d leaves, want %d", n, total)
		}
	}
	if large < total/2*8/10 {
		t.Errorf("a 64th of the work or more is on offer for %d of %d leaves", large, total/2)
	}
}

// TestForkExpects: where calls have been long, the next one offers its first fork
// before the halves of it begin; where they have not, it does not look.
func TestForkExpects(t *testing.T) {
	w := newWorld(t)
	seek(t)(true)
	begun := true
	offered := 0
	f := New(func(t *Task[int, int], n int) int {
		if n <= 1 {
			if !begun && t.published > 0 {
				offered++
			}
			begun = true
			w.now += 100
			return n
		}
		l, r := t.Join(n/2, n-n/2)
		return l + r
	})
	for range 4 {
		f.Call(1000)
	}
	for range 10 {
		begun = false
		f.Call(1000)
	}
	if offered != 10 {
		t.Errorf("of 10 calls after long ones %d offer their first fork at once", offered)
	}
	for range 4 {
		f.Call(3)
	}
	looks := w.looks
	for range 640 {
		f.Call(3)
	}
	if looks = w.looks - looks; looks > 64 {
		t.Errorf("640 calls after short ones look %d times", looks)
	}
}

// TestForkFlat: of a long row of small parts, few forks are registered, although
// helpers seek work.
func TestForkFlat(t *testing.T) {
	w := newWorld(t)
	seek(t)(true)
	const parts = 200_000
	slow := 0
	body := func(t *Task[int, int], n int) (sum int) {
		for ; n > 0; n-- {
			w.now += 4
			if !t.Serial() {
				slow++
				t.Fork(0, 0)
			}
			sum++
		}
		return sum
	}
	f := New(body)
	for range 3 {
		slow = 0
		if got := f.Call(parts); got != parts {
			t.Fatalf("%d parts, want %d", got, parts)
		}
	}
	// A beat is 500 parts.
	if most := parts / 500 * 4; slow > most {
		t.Errorf("%d of %d forks are slow, want %d at most", slow, parts, most)
	}
}

// TestForkRoom: frames that were taken do not keep a Task from offering more of what
// is left to it.
func TestForkRoom(t *testing.T) {
	w := newWorld(t)
	seek(t)(true)
	var root *Task[int, int]
	deepest := 0
	f := recursion(nil)
	f.f = func(t *Task[int, int], n int) int {
		if root == nil {
			root = t
		}
		if n > 1 {
			l, r := t.Join(n/2, n-n/2)
			return l + r
		}
		w.now += 1000
		if t == root {
			deepest = max(deepest, t.depth)
			h := help.NewWait(w.now)
			for t.steal(0, &h.Helper) {
			}
		}
		return n
	}
	if got := f.Call(1 << 14); got != 1<<14 {
		t.Fatalf("%d leaves, want %d", got, 1<<14)
	}
	if deepest <= window {
		t.Errorf("%d frames are in use at most, want more than %d", deepest, window)
	}
}

// Package counter counts and accumulates from many goroutines without making
// them queue for one cache line.
//
// [Int] is for a number that any goroutine may add to at any time and that is
// read seldom: requests, bytes, hits, requests in flight. [Local] is for workers that
// each build a value of their own, such as a histogram, and merge in the end.
//
// Do not use Int for a number that decides what happens next, such as a limit, a
// sequence number or a reference count. Its adds return nothing, and its value is not a
// snapshot. Use an atomic.Int64 there, and also where reads are about as many as adds.
// In a loop that a single goroutine runs, add up in a local variable and call Add once:
// that beats every counter.
//
// Without contention, an Add is inlined and costs what an atomic.Int64.Add
// costs, a plain load and a branch besides. Contended, it is a function call
// and an atomic add to a cache line that is nearly always the caller's own.
// A Value reads one word before contention was met, and 4 * GOMAXPROCS cache
// lines after.
//
// Under other names: a sharded, striped or distributed counter, Java's LongAdder, is an
// Int, as is an int gauge that goes up and down. A per-worker, thread-local or per-P
// value, a combinable, is a Local.
//
// # A counter of Go's own
//
// There is a proposal of a sharded counter for Go's package sync (golang/go#80645): a
// type with Add and Value, for many adds and few reads. When there is one:
//
//   - Int stands on it. All that it is needed for is in one place ([Int.Add],
//     [Int.Value]). The runtime knows the processor of a goroutine, where Int goes
//     by its stack. Programs that use Int need not change.
//   - Where a program asks for no more than Add and Value, take Go's: one import less.
//   - Take is not proposed, nor that an Add synchronizes before the Value that includes
//     it. Int keeps both, or says so before it gives one up.
//   - Local goes on: values that are more than a number are not proposed.
package counter

import (
	"math/bits"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync/atomic"
	"unsafe"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/home"
)

// An Int is an int64 that many goroutines add to and few read.
// The zero Int is 0 and ready. An Int must not be copied after first use.
// All methods may be called by any number of goroutines at once; none blocks.
//
// An Int is 16 bytes until goroutines on different processors are seen to collide in
// it. It then spreads, for good, over 4 * GOMAXPROCS words, rounded up to a power of
// two, each on lines of its own. That is 1 KiB for 2 processors, 8 KiB for 16. It never
// spreads while GOMAXPROCS is 1.
//
// The 16 bytes are not padded, so that a thousand idle Ints stay small. Two Ints side
// by side, each written by one worker, share a line, and no collision tells of it. That
// is a case for [Local].
//
// An Add synchronizes before the Value or the Take that includes it.
type Int struct {
	// base and all stripes are summed; every Add is in exactly one of them.
	// All goroutines add to base until they see the table, some an Add longer.
	base atomic.Int64

	// table is nil until contention is met in base; spread and grow set it.
	// It shares base's line on purpose: base is not written any more when
	// the table is, and before that both are needed at once.
	table atomic.Pointer[table]
}

// Add adds n. Sums wrap around like those of int64.
func (c *Int) Add(n int64) { add(c, n, addSlow) }

// Inc adds 1.
func (c *Int) Inc() { c.Add(1) }

// String returns the Value as a decimal number, so that an Int is an
// [expvar.Var].
func (c *Int) String() string { return strconv.FormatInt(c.Value(), 10) }

// Value returns the sum of all Adds. It includes each that returned before the call of
// Value, and none that began after Value returned. Those that run at the same time may
// be in it or not. No Add is ever included twice.
//
// Value is not a snapshot: of two Adds at the same time it may miss the earlier and
// include the later. So it may return a number that the Int never went through. Where
// no Add is negative and no Take runs, it lies between the sums at its begin and at its
// end. Successive Values do not fall then. With Adds of both signs it may be off by
// those that run meanwhile, even below 0.
func (c *Int) Value() int64 {
	sum := c.base.Load()
	// An Add that has returned is in base or in a table that is published.
	for t := c.table.Load(); t != nil; t = t.older {
		for i := range t.stripes {
			sum += t.stripes[i].n.Load()
		}
	}
	return sum
}

// Take returns the sum as Value does and subtracts it. Nothing is lost: all Takes and
// the Value in the end add up to all Adds. A Value at the same time as a Take may
// include all, some or nothing of what is taken.
func (c *Int) Take() int64 {
	sum := take(&c.base)
	for t := c.table.Load(); t != nil; t = t.older {
		for i := range t.stripes {
			sum += take(&t.stripes[i].n)
		}
	}
	return sum
}

func take(n *atomic.Int64) int64 {
	if n.Load() == 0 {
		return 0 // leave the line with whom it is; most stripes are idle
	}
	return n.Swap(0)
}

// add is the fast path of Add. It has slow as a parameter because the compiler
// takes a call of a parameter for cheap. Called by its name, addSlow alone would
// use up three quarters of what an inlined function may cost (TestInline).
//
// The load before the atomic add is there to see others: if they change base in
// between, add takes the slow path. It is tempting to use CompareAndSwap, whose
// failure says the same. But it has to wait for the load, and nobody has to
// wait for the comparison here (variant=cas of the benchmark in peers).
func add(c *Int, n int64, slow func(c *Int, t *table, n int64)) {
	t := c.table.Load()
	if t == nil {
		before := c.base.Load()
		if c.base.Add(n) == before+n {
			return
		}
	}
	slow(c, t, n)
}

// addSlow adds n to a stripe of t. If t is nil, n has been added to base, and
// somebody else added at the same time.
func addSlow(c *Int, t *table, n int64) {
	if t == nil {
		c.collidedInBase()
		return
	}
	s := t.mine()
	before := s.n.Load()
	if s.n.Add(n) != before+n {
		c.collided(t)
	}
}

// One collision may be an accident: a goroutine that was preempted between its
// load and its add. So only one in so many changes anything, by lot. Those who
// contend collide again and again and get there in less than a millisecond.
const (
	spreadOdds = 16
	reseedOdds = 256 // reseeding moves all goroutines, for the sake of two
)

// lot reports whether one of odds lots, drawn at random, wins. Tests replace it.
var lot = func(odds uint32) bool { return rand.Uint32N(odds) == 0 }

// collidedInBase spreads c, by lot.
func (c *Int) collidedInBase() {
	if lot(spreadOdds) && runtime.GOMAXPROCS(0) > 1 {
		c.spread(nil)
	}
}

// collided is called after two goroutines met on a stripe of t. By lot, it sends
// all goroutines to other stripes: which pairs meet changes, so no two are
// together for long.
func (c *Int) collided(t *table) {
	if !lot(reseedOdds) {
		return
	}
	if len(t.stripes) < stripesFor(runtime.GOMAXPROCS(0)) {
		c.spread(t) // GOMAXPROCS was raised
		return
	}
	t.seed.Store(newSeed())
}

// spread replaces the table old, which may be nil, unless somebody else has.
// Nothing moves: the new table keeps the old for those who still add to it and
// for the sum.
func (c *Int) spread(old *table) {
	c.table.CompareAndSwap(old, newTable(stripesFor(runtime.GOMAXPROCS(0)), old))
}

// A stripe is one word of a spread Int.
type stripe struct {
	n atomic.Int64
	_ [cacheline.Size - unsafe.Sizeof(atomic.Int64{})]byte // keep the next n off this line
}

// A table is what an Int is spread over. Only its seed and stripes change.
type table struct {
	tableFields
	// All Adds read the table: keep what others write off its lines. The size
	// is one that the allocator aligns.
	_ [cacheline.Size - unsafe.Sizeof(tableFields{})]byte
}

type tableFields struct {
	// seed is what the place of a goroutine's stack is multiplied with to get
	// its stripe; collided stores it. It is odd, but in tests.
	seed    atomic.Uint64
	stripes []stripe // a power of two
	shift   uint     // 64 - log2(len(stripes))
	older   *table   // has fewer stripes; nil if this is the first
}

// stripesFor returns how many stripes are worth having. With as many as
// processors, two thirds of the goroutines that run would share one with
// another. With four times as many it is one in five.
func stripesFor(procs int) int {
	return 1 << bits.Len(uint(4*procs-1))
}

func newTable(stripes int, older *table) *table {
	t := new(table)
	t.seed.Store(newSeed())
	t.stripes = make([]stripe, stripes)
	t.shift = uint(64 - bits.TrailingZeros(uint(stripes)))
	t.older = older
	return t
}

func newSeed() uint64 { return rand.Uint64() | 1 }

// mine returns the stripe of the calling goroutine. Any would be right; this one
// is the same for successive calls, and likely another for another goroutine.
//
// To be taken for another goroutine, as happens where the stack is large or grows,
// costs a miss now and then, nothing else.
func (t *table) mine() *stripe {
	return &t.stripes[uint64(home.Page())*t.seed.Load()>>(t.shift&63)]
}

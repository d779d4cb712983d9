package machine

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// A Price is the cost of one operation in nanoseconds of wall time: the median
// of short batches, and their quartiles. The zero Price is not measured.
type Price struct {
	NS   float64 `json:"ns"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Prices are the costs of what concurrent code is made of, on this machine at
// this moment. Missing names those that were not measured, one phrase each.
type Prices struct {
	// CacheLine moves one cache line from one core to another, wherever the
	// system has put the two threads: siblings on one core are several times
	// nearer than two sockets.
	CacheLine Price `json:"cacheLine"`

	// HandoffSameP and Handoff pass one value over an unbuffered channel from
	// one goroutine to another, at GOMAXPROCS 1 and 2, in a steady stream.
	// Where neither end works between hand-offs, as here, the scheduler mostly
	// keeps the pair on one processor even if it has two; a receiver that must
	// be woken on another one costs up to Wake.
	HandoffSameP Price `json:"handoffSameP"`
	Handoff      Price `json:"handoff"`

	// Spawn starts a goroutine that does nothing, lets it end, and waits for
	// it with 63 others at a WaitGroup, at GOMAXPROCS 1.
	Spawn Price `json:"spawn"`

	// Wake passes the turn to another thread, which sleeps, and goes to sleep:
	// what a hand-off costs where goroutines do not share a thread.
	Wake Price `json:"wake"`

	Mutex Price `json:"mutex"` // Lock and Unlock of a Mutex nobody else wants
	Alloc Price `json:"alloc"` // a 64-byte object with one pointer in it, its collection included

	Fault Price `json:"fault,omitzero"` // the first touch of a page of fresh memory

	// Memory reads a cache line from memory that is streamed through, on one
	// processor alone. MemoryAll is what a line takes the whole machine while
	// all usable processors do so: the limit of all its memory can deliver.
	Memory    Price `json:"memory,omitzero"`
	MemoryAll Price `json:"memoryAll,omitzero"`

	// Step is a round of arithmetic that keeps a core busy, StepAll the same
	// while all usable processors do so: longer where two of them are hardware
	// threads of one core.
	Step    Price `json:"step,omitzero"`
	StepAll Price `json:"stepAll,omitzero"`

	Missing []string `json:"missing,omitempty"`
}

// ProbePrices measures each price for the time each. When ctx ends, so does
// the probe, and the prices not reached are Missing.
//
// e tells how large the last cache and the memory are: what is streamed is
// several times the one, an eighth of the other and 256 MB at most.
//
// GOMAXPROCS is as before and every goroutine is gone when it returns.
func ProbePrices(ctx context.Context, each time.Duration, e Env) Prices {
	var p Prices
	restore := holdProcs()
	defer restore()
	usable := defaultProcs()

	for _, probe := range []struct {
		name  string
		price *Price
		procs int
		run   func(context.Context, time.Duration) (Price, string)
	}{
		{"cache line", &p.CacheLine, 2, priceCacheLine},
		{"hand-off", &p.Handoff, 2, priceHandoff},
		{"hand-off on one processor", &p.HandoffSameP, 1, priceHandoff},
		{"spawn", &p.Spawn, 1, priceSpawn},
		{"wake", &p.Wake, 1, priceWake},
		{"mutex", &p.Mutex, 1, priceMutex},
		{"alloc", &p.Alloc, 1, priceAlloc},
		{"arithmetic", nil, usable, func(ctx context.Context, each time.Duration) (Price, string) {
			return Price{}, p.priceStep(ctx, each, usable)
		}},
		{"memory", nil, usable, func(ctx context.Context, each time.Duration) (Price, string) {
			return Price{}, p.priceMemory(ctx, each, e, usable)
		}},
	} {
		var lack string
		switch {
		case ended(ctx):
			lack = stopped
		case probe.procs > usable:
			lack = fmt.Sprintf("needs %d usable processors; have %d", probe.procs, usable)
		default:
			runtime.GOMAXPROCS(probe.procs)
			var price Price
			if price, lack = probe.run(ctx, each); probe.price != nil {
				*probe.price = price
			}
		}
		if lack != "" {
			p.Missing = append(p.Missing, probe.name+": "+lack)
		}
	}
	return p
}

// Reasons for having no price.
const (
	stopped   = "stopped before it was measured"
	disturbed = "too disturbed to measure"
)

// priceOf measures run, which does its operation n times and reports whether
// this was a clean trial. It returns why there is no price, "" if there is one.
func priceOf(ctx context.Context, each time.Duration, run func(n int) bool) (Price, string) {
	const (
		want = 24 // batches
		need = 3
	)
	target := min(max(each/want, 20*time.Microsecond), time.Millisecond)
	begin := now()
	late := func() bool { return now()-begin > 4*int64(each) }
	trial := func(n int) (ns int64, clean bool) {
		start := now()
		clean = run(n)
		return now() - start, clean
	}

	// The better of two clean trials counts: a disturbed one would end the
	// search at batches so short that the clock is most of what they measure.
	n := 1
	for best := int64(0); best < int64(target) && n < 1<<26; {
		best = math.MaxInt64
		for cleans := 0; cleans < 2; {
			if ended(ctx) {
				return Price{}, stopped
			}
			ns, clean := trial(n)
			if clean {
				cleans++
				best = min(best, ns)
			} else if late() {
				return Price{}, disturbed
			}
		}
		if best < int64(target) {
			n *= 2
		}
	}

	var batches []float64
	end := now() + int64(each)
	for now() < end || len(batches) < need && !late() {
		ns, clean := trial(n)
		if ended(ctx) {
			return Price{}, stopped
		}
		if clean && ns > 0 {
			batches = append(batches, float64(ns)/float64(n))
		}
	}
	if len(batches) < need {
		return Price{}, disturbed
	}
	slices.Sort(batches)
	return Price{NS: quantile(batches, 0.5), Low: quantile(batches, 0.25), High: quantile(batches, 0.75)}, ""
}

// quantile interpolates between the two elements of sorted nearest to q.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// priceCacheLine lets two threads take turns at one word: each waits for the
// other's number and stores the next. One turn is one move of the line.
func priceCacheLine(ctx context.Context, each time.Duration) (Price, string) {
	// A wait this long, some 50 µs, is no move of a line: the other thread is
	// not running. Then let it, and do not count the batch.
	const patience = 1 << 15
	var table struct {
		_    [128]byte
		turn atomic.Uint64 // even: ours to store, odd: the partner's
		_    [128]byte
		quit atomic.Bool // set once, by us
		_    [128]byte
	}
	var partner sync.WaitGroup
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	partner.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for spins := 1; ; spins++ {
			if v := table.turn.Load(); v&1 == 1 {
				table.turn.Store(v + 1)
				spins = 0
			} else if spins%patience == 0 && table.quit.Load() {
				return
			} else if spins%(64*patience) == 0 {
				// Rarely: a goroutine that owns its thread is away for as long
				// as two threads take to wake, which looks like a disturbance.
				runtime.Gosched()
			}
		}
	})
	defer partner.Wait()
	defer table.quit.Store(true)

	p, lack := priceOf(ctx, each, func(n int) bool {
		for range n {
			v := table.turn.Load() + 1
			table.turn.Store(v)
			for spins := 0; table.turn.Load() == v; {
				if spins++; spins >= patience {
					// Asleep, this thread leaves its processor to the partner,
					// and the system looks for an idle one to wake it on.
					// Spinning on would keep both where they are.
					for table.turn.Load() == v {
						time.Sleep(50 * time.Microsecond)
					}
					return false
				}
			}
		}
		return true
	})
	return Price{p.NS / 2, p.Low / 2, p.High / 2}, lack // a round is two moves
}

// priceHandoff streams values to a receiver that drops them.
func priceHandoff(ctx context.Context, each time.Duration) (Price, string) {
	values := make(chan int)
	var receiver sync.WaitGroup
	receiver.Go(func() {
		for range values {
		}
	})
	defer receiver.Wait()
	defer close(values)
	return priceOf(ctx, each, func(n int) bool {
		for i := range n {
			values <- i
		}
		return true
	})
}

// priceSpawn starts goroutines in groups small enough for the run queue of one
// processor, which holds 256.
func priceSpawn(ctx context.Context, each time.Duration) (Price, string) {
	var group sync.WaitGroup
	return priceOf(ctx, each, func(n int) bool {
		for ; n > 0; n -= 64 {
			for range min(n, 64) {
				group.Go(func() {})
			}
			group.Wait()
		}
		return true
	})
}

// priceWake passes a token to and fro between two goroutines that own their
// threads. At GOMAXPROCS 1 the runtime must wake one thread and put the other
// to sleep each time; with more, a thread that still looks for work may take
// the token awake.
func priceWake(ctx context.Context, each time.Duration) (Price, string) {
	if runtime.GOARCH == "wasm" {
		return Price{}, "needs threads"
	}
	to, fro := make(chan struct{}), make(chan struct{})
	var partner sync.WaitGroup
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	partner.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for range to {
			fro <- struct{}{}
		}
	})
	defer partner.Wait()
	defer close(to)
	p, lack := priceOf(ctx, each, func(n int) bool {
		for range n {
			to <- struct{}{}
			<-fro
		}
		return true
	})
	return Price{p.NS / 2, p.Low / 2, p.High / 2}, lack // a trip is two turns
}

func priceMutex(ctx context.Context, each time.Duration) (Price, string) {
	var mu sync.Mutex
	return priceOf(ctx, each, func(n int) bool {
		for range n {
			mu.Lock()
			mu.Unlock() //lint:ignore SA2001 the empty section is the measured thing
		}
		return true
	})
}

// An object is what priceAlloc allocates: 64 bytes with a pointer, so that the
// collector looks into it as into most objects.
type object struct {
	_ *object
	_ [64 - unsafe.Sizeof(uintptr(0))]byte
}

var _ [0]struct{} = [unsafe.Sizeof(object{}) - 64]struct{}{}

// heap holds the last object of priceAlloc: what a global points to cannot
// live on a stack.
var heap *object

func priceAlloc(ctx context.Context, each time.Duration) (Price, string) {
	defer func() {
		runtime.KeepAlive(heap)
		heap = nil
	}()
	return priceOf(ctx, each, func(n int) bool {
		for range n {
			heap = new(object)
		}
		return true
	})
}

// Package force says where the parts of a call run when par is not to decide
// that: in builds for the race detector, and where tests ask for it.
//
// The detector reports two accesses only if nothing orders them, and par orders
// what it runs: parts of a small call one after the other, and parts on different
// goroutines by its own atomic words. So where it is to see all that may run at
// the same time, each part gets a goroutine of its own, started by the caller, and
// nothing lies between the two but this and the caller's waiting for it.
package force

import (
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/outcome"
)

// A Mode is one of Auto, Spread and Serial.
type Mode int32

const (
	Auto   Mode = iota // par decides
	Spread             // each part on a goroutine of its own
	Serial             // all on the goroutine of the caller
)

// String returns what Env is for m.
func (m Mode) String() string {
	switch m {
	case Spread:
		return "spread"
	case Serial:
		return "serial"
	}
	return "auto"
}

// Env is the environment variable that sets the mode of a process: to spread,
// serial or auto.
const Env = "PAYOFF_PAR"

var mode atomic.Int32

func init() {
	m := usual // also for what is not known, which GODEBUG passes over as well
	switch os.Getenv(Env) {
	case "auto":
		m = Auto
	case "spread":
		m = Spread
	case "serial":
		m = Serial
	}
	mode.Store(int32(m))
}

// Current returns the mode.
func Current() Mode { return Mode(mode.Load()) }

// Set sets the mode and returns the one before. It is for tests.
func Set(m Mode) (before Mode) { return Mode(mode.Swap(int32(m))) }

// mostParts is how many parts Run cuts at most. Of two elements that may not be
// visited at once, seven in eight pairs fall into different ones.
const mostParts = 8

// Run calls body for parts of [0, n), each on a goroutine of its own: at most
// eight, or limit where that is not 0, cut at random, and at least two where that is
// possible. It returns when all have ended. Once a body has returned false no further
// part begins, and Run returns false. Of several panics, the one of the lowest part
// comes out.
func Run(n, limit int, body func(lo, hi int) bool) bool {
	if limit == 0 {
		limit = mostParts
	}
	return run(cuts(n, limit), new(atomic.Bool), body)
}

// Cuts returns the bounds of the parts that Run would have.
func Cuts(n, limit int) []int {
	if limit == 0 {
		limit = mostParts
	}
	return cuts(n, limit)
}

// Tree is [Run] for the parts between the bounds at, with joins: join(i, k) is called
// for what parts from i and from k on have become, when both are done, on a goroutine
// that nothing orders with those of other parts and joins.
func Tree(at []int, body func(lo, hi int) bool, join func(i, k int)) bool {
	var stopped atomic.Bool
	var tree func(i, end int) bool
	tree = func(i, end int) bool {
		if end-i == 1 {
			return body(at[i], at[end])
		}
		k := i + (end-i)/2
		more := run([]int{0, 1, 2}, &stopped, func(half, _ int) bool {
			if half == 0 {
				return tree(i, k)
			}
			return tree(k, end)
		})
		if more {
			join(i, k)
		}
		return more
	}
	return tree(0, len(at)-1)
}

// RunEach is [Run] with a part for each of the n elements, if the limit allows.
func RunEach(n, limit int, body func(lo, hi int) bool) bool {
	if limit == 0 {
		limit = n
	}
	return run(cuts(n, limit), new(atomic.Bool), body)
}

// run calls body for the parts between neighbours of at, while nothing is stopped.
func run(at []int, stopped *atomic.Bool, body func(lo, hi int) bool) bool {
	var (
		parts = len(at) - 1
		outs  = make([]*outcome.Outcome, parts)
		wait  sync.WaitGroup
	)
	part := func(i int) {
		if stopped.Load() { // an edge only where it was set
			return
		}
		returned := false
		defer func() {
			if !returned {
				stopped.Store(true)
				outs[i] = outcome.Of(recover(), nil)
			}
		}()
		if !body(at[i], at[i+1]) {
			stopped.Store(true)
		}
		returned = true
	}
	defer wait.Wait() // also where a part on this goroutine ends it
	for i := range parts {
		if enter() {
			wait.Go(func() {
				defer leave()
				part(i)
			})
			continue
		}
		// The detector ends a process of some thousand goroutines.
		if part(i); outs[i] != nil {
			break
		}
	}
	wait.Wait()
	for _, out := range outs {
		if out != nil {
			out.Raise()
		}
	}
	return !stopped.Load()
}

// cuts returns the bounds of at most so many parts of [0, n), none of them empty, and
// not all in one.
func cuts(n, parts int) []int {
	if n <= parts {
		at := make([]int, n+1)
		for i := range at {
			at[i] = i
		}
		return at
	}
	at := make([]int, parts+1)
	at[parts] = n
	for i := 1; i < parts; i++ {
		at[i] = 1 + rand.IntN(n-1)
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// mostLive is how many goroutines of Run live at most.
const mostLive = 2000

var live atomic.Int32

// enter reports whether there may be one more goroutine, which is then counted
// until leave.
func enter() bool {
	quiet(true)
	defer quiet(false)
	if live.Add(1) <= mostLive {
		return true
	}
	live.Add(-1)
	return false
}

func leave() {
	quiet(true)
	live.Add(-1)
	quiet(false)
}
